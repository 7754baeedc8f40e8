"""What is painted anew where cards moved is, to the last bit, what would be painted from nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from engines import table_games
from engines.catalogue import shipped
from engines.table import Layout
from hardware.simulated.conditions import Conditions, Glare
from hardware.simulated.optics import Optics
from hardware.simulated.paint import Art, Spot, joined
from hardware.simulated.places import Body
from hardware.simulated.render import Renderer
from hardware.simulated.table import SimulatedTable

SIZE = (768, 432)


def layout() -> Layout:
    return table_games()["ankh"].reading.layout(2, {}, shipped("ankh"))


def test_a_table_of_cards_is_repainted_as_if_from_nothing() -> None:
    rng = random.Random(3)
    there = layout()
    zone, kind = there.zones[0].name, there.kinds[0]
    names = [face.identity for face in there.faces if face.kind == kind.name][:6]
    table = SimulatedTable(there, (), 1)

    def lie(index: int) -> Body:
        x, y = rng.uniform(-20, 620), rng.uniform(-20, 440)
        return Body(f"{index}", names[index % 6], kind, zone, x, y, 0.3 * index, rng.uniform(0, 360))

    conditions = replace(Conditions.draw(1), noise=0.0, jpeg=0, glare=Glare(200.0, 150.0, 40.0, 0.4))
    art = Art(there, Optics.above(there, SIZE, 1, conditions).scale() * 1.2)
    kept = Renderer(table, art, SIZE, 1)
    changes = []
    for step in range(12):
        for index in rng.sample(range(20), 3):
            table.place_exactly(lie(index))
        if step == 6:
            conditions = replace(conditions, shift=(8.0, -5.0), blur=0.8)
        if step % 4 == 3:
            table.lift(next(body for body in table.bodies))
        now = kept.scene(conditions)
        assert np.array_equal(now, Renderer(table, art, SIZE, 1).scene(conditions)), step
        changes.append(now.copy())
    assert all(not np.array_equal(one, other) for one, other in pairwise(changes))


def test_places_that_meet_are_painted_together() -> None:
    one, two, far = Spot(0, 0, 10, 10), Spot(8, 8, 20, 12), Spot(30, 0, 40, 10)
    assert set(joined([one, far, two, Spot(5, 5, 5, 9)])) == {Spot(0, 0, 20, 12), far}
    assert set(joined([one, Spot(30, 0, 35, 5), Spot(9, 2, 31, 4)])) == {Spot(0, 0, 35, 10)}


@pytest.mark.parametrize("by", [0, 7])
def test_a_place_grows_within_the_picture(by: int) -> None:
    whole = Spot(0, 0, 40, 30)
    grown = Spot(3, 10, 20, 28).grown(by, whole)
    assert grown == (Spot(3, 10, 20, 28) if by == 0 else Spot(0, 3, 27, 30))
    assert np.zeros((30, 40))[whole.part][grown.part].shape == (
        grown.bottom - grown.top,
        grown.right - grown.left,
    )
