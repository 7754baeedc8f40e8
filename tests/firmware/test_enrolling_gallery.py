"""A whole enrolment finishes by itself, and by its gallery a dealt table is read as by Thoth's own faces."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from engines import table_games
from engines.referee import Match
from engines.tanis.dealing import deal
from firmware import service
from firmware.enrolling import run
from firmware.settings import DEFAULTS, Settings
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.table import SimulatedTable
from vision.gallery import Gallery


def test_a_table_is_read_by_the_enrolled_gallery_as_by_the_perfect_one(tmp_path: Path) -> None:
    bench = run.prepare("tanis", tmp_path / "tanis", SimulatedClock(), 5)
    bench.shell.run_until(lambda: bench.people.done)
    assert bench.people.shown.overruled == 0
    gallery = Gallery.load(tmp_path / "tanis")
    assert {face.identity for face in bench.album.layout.faces} == set(gallery.pictures)

    game = table_games()["tanis"]
    layout = game.reading.layout(2, game.defaults)
    table = SimulatedTable(layout, deal(41, 2, 0, game.defaults).setup(), 41)
    table.lay_out()
    highest = max(body.level for body in table.within("dig"))
    top = [body for body in table.within("dig") if body.level == highest][:6]
    for index, body in enumerate(top):
        table.put(table.lift(body), "tiles-1" if index % 2 else "tiles-2")
    picture = SimulatedCamera(table, SimulatedClock(), (1536, 864), 41).capture(0.0).picture
    expected = game.reading.expected(Match.begin(game, ("Ana", "Ben"), 0, game.defaults).state)
    told = {}
    for name, folder in (("perfect", ""), ("enrolled", str(tmp_path))):
        settings = Settings({**DEFAULTS.values, "gallery": folder})
        look = service.make_eyes(settings, Path(os.devnull), layout).read(picture, expected)
        assert look.table is not None
        told[name] = sorted((piece.zone, piece.identities) for piece in look.table.pieces)
        for piece in look.table.pieces:
            if piece.identity is not None:
                there = [
                    np.hypot(body.x - piece.x, body.y - piece.y)
                    for body in table.within(piece.zone)
                    if body.identity == piece.identity
                ]
                assert min(there, default=np.inf) < 3, (name, piece)
    assert told["enrolled"] == told["perfect"]
    assert sum(len(identities) == 1 for _, identities in told["enrolled"]) >= 20
