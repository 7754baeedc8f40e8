"""How people answer the device: yes to what truly happened, no to anything else, and what no table shows they say themselves."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence

from engines.dealing import World
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from hardware.simulated.diary import Diary, Made
from hardware.simulated.glances import asked_line, idles, looking, meant, menu_line, says, seen, told, words
from hardware.simulated.hands import Arm, Script
from hardware.simulated.onlooker import Onlooker
from hardware.simulated.table import SimulatedTable

CATCHES_UP = 2.5
"""Seconds that people give the display to see what they just did, before they say that it is wrong."""
PATIENCE = 9.0
"""Seconds a person looks at a display that does not say what they expect before they help themselves."""


class Answering(Onlooker):
    """Who knows what truly happened and has yet to tell the device of it: ``_pending``, oldest first."""

    def __init__(
        self,
        press: Callable[[Button, bool], None],
        clock: SimulatedClock,
        rng: random.Random,
        world: World,
        table: SimulatedTable,
    ) -> None:
        super().__init__(press, clock, rng)
        self.diary = Diary()
        self._world, self._table = world, table
        self._arms: Sequence[Arm] = ()
        self._pending: deque[Made] = deque()
        self._acting = False
        self._wrong = 0
        self._progress = clock.monotonic()

    @property
    def expects(self) -> str:
        """What the people wait for, in words."""
        if self._pending:
            return f"{self._pending[0].name} {words(self._pending[0])}"
        return "the end" if self._world.over else "the next turn"

    def _proposal(self, screen: Screen) -> Script:
        """CONFIRM what truly happened, REJECT anything else."""
        yield self._rng.uniform(0.3, 0.9)
        if self.screen != screen:
            return
        if not self._pending:
            self._note("proposal of nothing")
            yield from self._push(Button.REJECT)
            return
        named = self._told(screen)
        if named is None and self._clock.monotonic() - self._progress < CATCHES_UP:
            yield 0.4  # what lies there since a moment ago may not have been looked at yet
            return
        oldest = self._oldest
        if oldest.first_right is None and (named is None or named is oldest):
            oldest.first_right = named is oldest
        if named is not None:
            yield from self._confirm(named)
            return
        self._note("wrong proposal")
        self._wrong += 1
        if self._wrong > 3:
            yield from self._help_oneself()
        else:
            yield from self._push(Button.REJECT)

    @property
    def _oldest(self) -> Made:
        """The oldest thing that is to be confirmed: what leaves no trace is told by the move that follows from it."""
        return next((one for one in self._pending if not one.implied), self._pending[0])

    def _told(self, screen: Screen) -> Made | None:
        """What a proposal names of it: that, or something before it that nobody has to confirm by itself."""
        for one in self._pending:
            if says(screen, one):
                return one
            if not one.implied:
                break
        return None

    def _confirm(self, one: Made) -> Script:
        """CONFIRM the proposal on display. It counts once the display goes on to something else."""
        before = told(self.screen) if self.screen is not None else None
        if (yield from self._push(Button.CONFIRM)) and (
            yield from self._until(lambda screen: told(screen) != before, 1.5)
        ):
            self._confirmed(one)

    def _confirmed(self, one: Made) -> None:
        """This counts now, and all that went before it."""
        while not one.confirmed:
            self._pending.popleft().confirmed = True
        self._wrong = 0
        self._progressed()

    def _unseen(self, screen: Screen) -> Script:
        """Say what no table shows: CONFIRM on the unchanged table, where the display says that it means something."""
        if not idles(screen):
            if not (yield from self._until(lambda s: s.name != "turn" or idles(s), PATIENCE)):
                yield from self._help_oneself()
            return
        told = [one for one in self._pending if one.said == self._pending[0].said and one.silent]
        if not (yield from self._push(Button.CONFIRM)):
            return
        # It looks once more, and only then goes on.
        yield from self._until(lambda s: not looking(s), PATIENCE)
        if self.screen is not None and self.screen.name in ("turn", "end"):
            self._confirmed(told[-1])
            for one in told:
                one.way = "button"

    def _refused(self) -> Script:
        """A refusal though nobody broke a rule. It may be of a picture half way: wait, then say no."""
        if (yield from self._until(lambda screen: screen.name != "illegal", 3.0)):
            return
        self._note("legal refused")
        if self._pending:
            self.diary.legal_refused += 1
        yield from self._push(Button.REJECT)
        if self._pending and not (
            yield from self._until(lambda screen: self._told(screen) is not None, PATIENCE)
        ):
            yield from self._help_oneself()

    def _asked(self, screen: Screen, wrong: Made | None) -> Script:
        """Pick the true answer from the list."""
        yield self._rng.uniform(0.5, 1.5)
        if self.screen != screen:
            return
        self.diary.asked += 1
        for one in [*self._pending, *([wrong] if wrong else [])]:
            line = asked_line(screen, one)
            if line is None:
                continue
            chosen = yield from self._choose(line, "ask")
            now = self.screen
            before = [*self._pending]
            first = one in before and all(other.implied for other in before[: before.index(one)])
            if chosen and first and not (now and says(now, one)):
                one.way = "ask"
                self._confirmed(one)
            return
        self._note("no true answer")
        yield from self._push(Button.REJECT)

    def _differs(self) -> Script:
        """The table is not as the record says: wait a moment, tidy what is named, look again, at last go on as it is."""
        for attempt in range(4):
            if (yield from self._until(lambda screen: screen.name != "desync", 3.0)):
                return
            self._note("desync")
            if attempt < 2:
                yield from self._tidy()
            elif attempt == 2:
                yield from self._push(Button.REJECT)
        if (yield from self._push(Button.CONFIRM)) and self._pending:
            yield from self._until(lambda screen: screen.name == "proposal", 4.0)

    def _tidy(self) -> Script:
        """Put the piece that the display names straight."""
        body = meant(self.screen, self._table.bodies) if self.screen else None
        if body is None or body.cells:
            yield 2.0
            return
        self._acting = True
        seat = 0 if body.x < self._table.layout.width / 2 else 1
        yield from self._arms[min(seat, len(self._arms) - 1)].straighten(body)
        self._acting = False

    def _help_oneself(self) -> Script:
        """The device does not find the move: choose it in the menu."""
        oldest = self._pending[0]
        self._note("menu")
        self.diary.menus += 1
        if oldest.first_right is None:
            oldest.first_right = False
        if not (yield from self._push(Button.CONFIRM, long=True)) or self.screen is None:
            return
        whole = oldest.spelled or words(oldest)
        rest = whole
        while self.screen.name == "menu" and (rest or whole in self.screen.choices):
            # A move whose words begin others stands among these in full.
            line = menu_line(self.screen, rest or whole)
            if line is None and rest == whole and (shown := self._shown(self.screen)):
                # The box has yet to hear what the last move brought to light; then it will know the next one.
                whole = rest = shown
                continue
            if line is None or not (yield from self._choose(line, "menu")):
                self._note("not in the menu")
                break
            rest = rest[len(line) :].strip()
        if says(self.screen, oldest):
            oldest.way = "menu"
            yield from self._confirm(oldest)
        for _ in range(6):
            if self.screen.name != "menu":
                return
            yield from self._push(Button.REJECT)

    def _shown(self, screen: Screen) -> str:
        """What a move of late has brought to light, if the menu asks for it."""
        facts = (fact for one in reversed(self.diary.made[-4:]) for fact in one.shows)
        return next((fact for fact in facts if fact and menu_line(screen, fact)), "")

    def _progressed(self) -> None:
        self._progress = self._clock.monotonic()

    def _note(self, what: str) -> None:
        self.diary.notes.append(f"{what}: {seen(self.screen)} (expected {self.expects})")
