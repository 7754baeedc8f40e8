"""The simulated people, the simulated table and the real night together; only the eyes are perfect."""

from __future__ import annotations

from collections import deque

import pytest

import engines
from engines.tanis.dealing import deal
from engines.tanis.rules import phrase
from firmware import night as nights
from firmware.events import Event, Look, Looked, Pressed, Show, Tick
from hardware.buttons.press import Press
from hardware.clock import SimulatedClock
from hardware.simulated.people import People
from hardware.simulated.table import SimulatedTable
from tests.perfect_reader import Lying, TrueTable, read


def seen(table: SimulatedTable) -> TrueTable:
    """What lies on the simulated table, for the perfect reader."""
    dig = {body.identity: Lying((body.cells[0], body.cells[1]), body.level) for body in table.within("dig")}
    loose = {
        zone.name: [body.identity for body in table.within(zone.name)]
        for zone in table.layout.zones
        if zone.form == "free"
    }
    return TrueTable(
        tuple(sorted(dig.items())),
        tuple((zone, tuple(sorted(names))) for zone, names in sorted(loose.items())),
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_people_play_the_real_night_to_its_end(seed: int) -> None:
    games = engines.games()
    clock = SimulatedClock()
    world = deal(seed, 2, 0, {})
    table = SimulatedTable(games["tanis"].reading.layout(2, {}), world.setup(), seed)
    presses: deque[Press] = deque()
    people = People(
        world,
        table,
        ("Ana", "Ben"),
        lambda button, long: presses.append(Press(button, long, clock.monotonic())),
        clock,
        seed,
        0.0,
        phrase,
        forget=0.3,
    )
    night, effects = nights.begin(games, ("Ana", "Ben"))
    asked = True

    def step(event: Event) -> None:
        nonlocal night, effects
        night, effects = nights.step(night, event)
        carry_out()

    def carry_out() -> None:
        nonlocal asked
        for effect in effects:
            if isinstance(effect, Show):
                people.see(effect.screen)
            asked = asked or isinstance(effect, Look)

    carry_out()
    version, still, ticked = -1, clock.monotonic(), clock.monotonic()
    while not people.done:
        now = clock.monotonic()
        while presses:
            step(Pressed(presses.popleft()))
        if table.hands:
            still = now
        elif now - still > 0.6 and night.layout is not None and (asked or version != table.version):
            asked, version = False, table.version
            step(Looked(read(seen(table)), now))
        if now - ticked >= 1:
            ticked = now
            step(Tick(now))
        clock.sleep(0.1)
    diary = people.diary
    assert night.match is not None and night.place == "end"
    assert list(night.match.moves) == [one.move for one in diary.made]
    assert night.match.score().totals == world.score().totals
    outcome = night.match.outcome()
    assert outcome is not None and outcome.winners == world.winners()
    assert diary.first_proposal_right > 0.97 and diary.legal_refused == 0
