"""What every evening with perfect eyes has in common: the loop in which people act, the night looks and shows, and what must hold of it."""

from __future__ import annotations

from collections import deque
from typing import Any, Self

from engines.game import Move
from engines.table import Table
from firmware import night as nights
from firmware.events import Effect, Event, Look, Looked, Pressed, Show, Tick
from firmware.night import Night
from hardware.buttons.press import Press
from hardware.clock import SimulatedClock
from hardware.simulated.diary import Diary
from hardware.simulated.people import LostPatienceError, People
from hardware.simulated.table import SimulatedTable

SETTLED = 0.6
"""Seconds without a hand after which a picture is read."""
GLIMPSE = 0.2
"""The same where whoever is in the middle of something is looked at while the hand is away from the table."""


class PerfectEvening:
    """One night at the table: ``play`` lets it happen. Who makes one gives clock, table, people, presses, the night and its first effects."""

    clock: SimulatedClock
    table: SimulatedTable
    people: People
    presses: deque[Press]
    night: Night
    truth: Any
    """The hidden world, which knows the true score."""
    glimpses: bool = False
    """Whether the table is also looked at in the middle of an act: while a hand fetches the next card from beside it."""
    glimpsed: int = 0
    lost: str = ""
    wrong_commits: int = 0
    pressed: int = 0

    def begun(self, night: Night, effects: tuple[Effect, ...]) -> None:
        self.night, self._effects = night, effects
        self._asked = True
        self.log: list[str] = []

    def reading(self) -> Table:
        """What perfect eyes read now."""
        raise NotImplementedError

    @property
    def diary(self) -> Diary:
        return self.people.diary

    def play(self) -> Self:
        """Play to the end, or until the people have had enough."""
        try:
            self._play()
        except LostPatienceError as lost:
            self.lost = str(lost)
        return self

    def _play(self) -> None:
        self._carry_out()
        version, still, ticked = -1, self.clock.monotonic(), self.clock.monotonic()
        while not self.people.done:
            now = self.clock.monotonic()
            while self.presses:
                self.pressed += 1
                self._step(Pressed(self.presses.popleft()))
            if self._covered():
                still = now
            elif (
                now - still > (GLIMPSE if self.glimpses else SETTLED)
                and self.night.layout
                and (self._asked or version != self.table.version)
            ):
                self.glimpsed += bool(self.table.hands)
                self._asked, version = False, self.table.version
                self._step(Looked(self.reading(), now))
            if now - ticked >= 1:
                ticked = now
                self._step(Tick(now))
            self.clock.sleep(0.05 if self.glimpses else 0.1)

    def _covered(self) -> bool:
        """Whether a hand is in the way."""
        width, height = self.table.layout.width, self.table.layout.height
        return any(
            not self.glimpses or (-20 < hand.x < width + 20 and -20 < hand.y < height + 20)
            for hand in self.table.hands
        )

    def _step(self, event: Event) -> None:
        before = self.moves()
        self.night, self._effects = nights.step(self.night, event)
        after = self.moves()
        made = [one.move for one in self.diary.made]
        for at in range(len(before), len(after)):
            self.wrong_commits += at >= len(made) or made[at] != after[at]
        self._carry_out()

    def _carry_out(self) -> None:
        for effect in self._effects:
            if isinstance(effect, Show):
                self.log.append(f"{self.clock.monotonic():.1f} {effect.screen}")
                self.people.see(effect.screen)
            self._asked = self._asked or isinstance(effect, Look)

    def moves(self) -> tuple[Move, ...]:
        return self.night.match.moves if self.night.match is not None else ()

    def broken_promises(self) -> list[str]:
        """Not ended, wrong commits, a wrong score, a legal move refused: in words."""
        match = self.night.match
        found = [f"not ended: {self.lost}"] if self.lost else []
        if self.wrong_commits:
            found.append(f"wrong commits {self.wrong_commits}")
        if not self.lost and (match is None or match.score().totals != self.truth.score().totals):
            found.append("wrong score")
        if self.diary.legal_refused:
            found.append(f"legal refused {self.diary.legal_refused}")
        return found


def span(text: str) -> list[int]:
    """ "1-3,7" as numbers."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
