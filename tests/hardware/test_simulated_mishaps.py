"""Mishaps of an evening: they come when no hand is there, and move what they should by what they should."""

from __future__ import annotations

import math
import random

from engines.tanis.dealing import deal
from engines.tanis.reading import layout
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.hands import Hand
from hardware.simulated.mishaps import SPAN, Mishaps, knocked, switched
from hardware.simulated.places import overlap
from hardware.simulated.table import SimulatedTable


def at_the_table(seed: int) -> tuple[SimulatedTable, SimulatedCamera, SimulatedClock]:
    table = SimulatedTable(layout(2, {}), deal(seed, 2, 0, {}).setup(), seed)
    table.lay_out()
    clock = SimulatedClock()
    return table, SimulatedCamera(table, clock, (384, 216), seed), clock


def test_each_mishap_comes_once_and_waits_for_the_hands() -> None:
    table, camera, clock = at_the_table(4)
    before, box = camera.conditions, table.box
    mishaps = Mishaps(table, camera, clock, 4, {"camera": 1.0, "box": 1.0, "lamp": 1.0})
    table.hands = (Hand(300, 200, 30, 900, 300, (0, 0, 0), (0, 0, 0)),)
    clock.sleep(SPAN[1] + 1)
    assert mishaps.happened == [] and camera.conditions == before and table.box == box
    table.hands = ()
    for _ in range(5):
        clock.sleep(1.0)
    assert sorted(mishaps.happened) == ["box", "camera", "lamp"]
    assert box is not None and table.box is not None
    assert 2 <= math.hypot(table.box.x - box.x, table.box.y - box.y) <= 4
    assert camera.conditions.shift != before.shift and camera.conditions.light != before.light


def test_a_knock_and_a_lamp_stay_within_what_people_do() -> None:
    usual = Conditions()
    for seed in range(50):
        rng = random.Random(seed)
        moved = knocked(usual, rng)
        assert 3 <= math.hypot(*moved.shift) <= 15.01 and abs(moved.turn) <= 3
        lit = switched(usual, rng)
        assert 0.5 <= lit.light <= 1.15 and lit.warmth != usual.warmth


def test_a_touched_tile_stays_in_its_play_and_what_lies_under_others_stays_put() -> None:
    table, _, _ = at_the_table(2)
    moves = []
    for _ in range(20):
        for body in table.within("dig"):
            after = table.nudge(body)
            covered = any(
                set(b.cells) & set(body.cells) and b.level > body.level for b in table.within("dig")
            )
            assert after == body or not covered
            assert after.cells == body.cells and after.level == body.level
            moves.append(math.hypot(after.x - body.x, after.y - body.y))
    assert max(moves) > 0.2 and max(moves) <= 4.3
    tops = [body for body in table.within("dig") if body.level == 4]
    for one in tops:
        assert not any(overlap(one.corners(-0.5), other.corners(-0.5)) for other in tops if other is not one)
