"""Owners' pieces are not the layout's to a tenth of a millimetre: their sizes are learnt from the picture, used, and kept."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engines.table import Layout, Table
from engines.tanis.dealing import deal
from engines.tanis.reading import expected
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.table import SimulatedTable
from tests.vision.measure import TANIS, gallery, judge
from vision.calibration import Calibration
from vision.eyes import Eyes

SIZE = (1536, 864)


def owned(width: float, height: float, thickness: float, cards: float) -> Layout:
    """The mat with another set on it: tiles of this size (mm), a box to match, cards this much larger."""
    kinds = tuple(
        replace(kind, width=width, height=height, thickness=thickness)
        if kind.name == "tile"
        else replace(kind, width=kind.width * cards, height=kind.height * cards)
        for kind in TANIS.kinds
    )
    zones = tuple(
        replace(zone, cell=height / 2, wall=5 * thickness) if zone.form == "stack" else zone
        for zone in TANIS.zones
    )
    return replace(TANIS, kinds=kinds, zones=zones)


@pytest.mark.parametrize(
    ("width", "height", "thickness", "cards"),
    [
        (22.0, 44.0, 4.0, 1.0),
        (21.3, 42.9, 4.0, 0.97),
        (23.0, 46.0, 4.0, 1.04),
        (21.3, 42.9, 5.0, 1.03),
        (23.0, 46.0, 3.0, 0.96),
    ],
)
def test_an_owners_set_is_read_whatever_its_size(
    width: float, height: float, thickness: float, cards: float, tmp_path: Path
) -> None:
    rng = random.Random(7)
    world = deal(7, 2, 0, {})
    table = SimulatedTable(owned(width, height, thickness, cards), world.setup(), 7)
    table.lay_out()
    camera = SimulatedCamera(table, SimulatedClock(), SIZE, 7)
    eyes = Eyes(TANIS, gallery())
    awaited, right, seen = Table(), 0, 0
    for turn in range(14):
        picture = camera.capture(0.0).picture
        if turn == 8:  # a restart in mid-game: the sizes come from the file
            assert eyes.calibration is not None
            eyes.calibration.save(tmp_path / "calibration.toml")
            kept = Calibration.load(tmp_path / "calibration.toml")
            assert kept == eyes.calibration
            eyes = Eyes(TANIS, gallery(), kept)
        look = eyes.read(picture, awaited)
        assert look.table is not None
        tally = judge(look.table, world, table)
        assert tally.wrong == 0 and tally.phantom == 0, tally.confused
        right, seen = right + tally.right, seen + tally.right + tally.doubt
        awaited = expected(world.state)
        for acts, moves in world.choose(rng).stages:
            for act in acts:
                table.do(act)
            for move in moves:
                world.play(move)
    assert right >= 0.99 * seen
    assert eyes.calibration is not None and table.box is not None
    tile, card = eyes.calibration.pieces["tile"], eyes.calibration.pieces["card"]
    # Thickness and size are told apart only roughly by one camera: a millimetre per tile is 0.7 % of size on the fourth level.
    spare = 0.008 + 0.007 * abs(thickness - 4)
    assert tile[0] == pytest.approx(width, rel=spare) and tile[1] == pytest.approx(height, rel=spare)
    assert card[0] == pytest.approx(32 * cards, rel=0.006)
    assert card[1] == pytest.approx(48 * cards, rel=0.006)
    box = eyes.calibration.boxes["dig"]
    assert box.cell == pytest.approx(height / 2, rel=spare)
    assert abs(box.x - table.box.x) < 1 and abs(box.y - table.box.y) < 1


def test_a_set_read_without_its_size_would_be_misread(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the measuring is for: cards 4 % small, read at the layout's size, are not all told."""
    table = SimulatedTable(owned(21.3, 42.9, 4.0, 0.96), deal(3, 2, 0, {}).setup(), 3)
    table.lay_out()
    picture = SimulatedCamera(table, SimulatedClock(), SIZE, 3).capture(0.0).picture
    learnt = Eyes(TANIS, gallery()).read(picture, Table())
    assert learnt.table is not None
    cards = [piece.identity for piece in learnt.table.pieces if piece.kind == "card"]
    assert None not in cards and len(cards) == 12
    monkeypatch.setattr("vision.sizes.measured", lambda *_: [])
    monkeypatch.setattr("vision.sizes.TRIED", (1.0,))
    blind = Eyes(TANIS, gallery()).read(picture, Table())
    assert blind.table is not None
    told = [piece.identity for piece in blind.table.pieces if piece.kind == "card"]
    assert sorted(map(str, told)) != sorted(map(str, cards))
