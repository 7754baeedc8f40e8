"""What a slide uncovers may look like what slid away."""

from __future__ import annotations

from functools import lru_cache

import pytest

from engines.dealing import Act, Placed
from engines.table import Piece, Table
from engines.tanis.zones import pose
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.table import SimulatedTable
from tests.vision.measure import TANIS, gallery
from vision.eyes import Eyes
from vision.gallery import Gallery

HERE, THERE = ((2, 2), (2, 3)), ((2, 3), (2, 4))


@lru_cache(maxsize=1)
def faces() -> Gallery:
    return gallery()


def whole(identity: str, cells: tuple[tuple[int, int], tuple[int, int]], level: int) -> Piece:
    return Piece((identity,), "tile", "dig", *pose(*cells), level, cells, (True, True))


@pytest.mark.parametrize("beneath", ["ankh-8", "scarab-3", "falcon-8"])
def test_a_tile_that_slid_off_one_with_its_own_number_is_read_where_it_lies_now(beneath: str) -> None:
    aside = ((2, 4), (3, 4))
    placed = (
        Placed(beneath, "dig", HERE, 1),
        Placed("snake-5", "dig", aside, 1),
        Placed("scarab-8", "dig", HERE, 2),
    )
    table = SimulatedTable(TANIS, placed, 1)
    table.lay_out()
    camera = SimulatedCamera(table, SimulatedClock(), (1536, 864), 1)
    eyes = Eyes(TANIS, faces())
    before = Table((whole("scarab-8", HERE, 2), whole("snake-5", aside, 1)))
    look = eyes.read(camera.capture(0.0).picture, before)
    assert look.table is not None
    assert {piece.identity for piece in look.table.within("dig")} == {"scarab-8", "snake-5"}
    table.do(Act("scarab-8", "dig", "dig", THERE, 2))
    look = eyes.read(camera.capture(0.0).picture, before)
    assert look.table is not None
    found = {piece.cells: piece for piece in look.table.within("dig")}
    assert found[THERE].identity == "scarab-8" and all(found[THERE].seen)
    below = found[HERE]
    assert beneath in below.identities and "scarab-8" not in below.identities
    assert below.seen == (True, False)
