"""A taken tile that reaches no zone: kept in the hand, or put down on the bare mat, until the device has asked."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engines.dealing import Act
from engines.tanis.dealing import deal
from engines.tanis.reading import layout
from firmware import demo
from firmware.written.journal import Journal
from hardware.clock import SimulatedClock
from hardware.simulated.hands import Arm
from hardware.simulated.places import overlap
from hardware.simulated.table import SimulatedTable
from vision.mat import markers

TANIS = layout(2, {})


@pytest.mark.parametrize("seat", [0, 1])
def test_a_tile_laid_aside_lies_in_no_zone_and_is_found_again(seat: int) -> None:
    table = SimulatedTable(TANIS, deal(3, 2, 0, {}).setup(), 3)
    table.lay_out()
    tile = next(body for body in table.within("dig") if body.level == 4)
    arm = Arm(table, seat, random.Random(1), 0.0)
    act = Act(tile.identity, "dig", f"tiles-{seat + 1}")
    for _ in arm.lay_aside(act):
        pass
    lying = table.find(tile.identity, None)
    assert lying in table.bodies and not table.hands
    assert not any(zone.holds(x, y) for zone in TANIS.zones for x, y in lying.corners())
    assert not any(overlap(lying.corners(), marker.corners) for marker in markers(TANIS))
    assert all(0 < x < TANIS.width and 0 < y < TANIS.height for x, y in lying.corners())
    for _ in arm.do([Act(tile.identity, None, act.target)]):
        pass
    assert [body.name for body in table.within(f"tiles-{seat + 1}")] == [tile.name]


def test_a_night_with_tiles_astray_is_asked_about_and_ends_right(tmp_path: Path) -> None:
    clock = SimulatedClock()
    with Journal(tmp_path / "journal.db") as journal:
        evening = demo.prepare(demo.Wish(seed=6), clock, journal)
        evening.people._astray = 0.3
        evening.shell.run_until(
            lambda: (
                bool(evening.people.done)
                or (evening.people.diary.mislaid >= 3 and len(evening.tally.written) >= 14)
            )
        )
        diary = evening.people.diary
        evening.shell.close()
    assert diary.mislaid >= 3
    assert diary.asked >= diary.mislaid - 1
    assert evening.tally.wrong == 0 and diary.legal_refused == 0
    assert diary.first_proposal_right == 1.0
