"""People at a simulated table: they think, move pieces, look at the display and press what real players would.

They know the hidden world's rules no better than it tells them, never look inside the device, and see only its screens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any

from engines.dealing import Act, Deed, Intent, Sweep, World
from engines.game import Move, Step
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from hardware.simulated.answers import PATIENCE, Answering
from hardware.simulated.diary import Broken, Made
from hardware.simulated.glances import (
    Phrase,
    rule_named,
    says,
    seen,
)
from hardware.simulated.hands import STEP, Arm, Script
from hardware.simulated.table import SimulatedTable

DESPAIR = 400.0
"""Seconds without any progress after which something is badly wrong."""
HELD = 4
"""Moves that a device holds unconfirmed; people who played longer than that have to confirm first."""
BEFORE = ("game", "players", "names", "first", "option")


class LostPatienceError(Exception):
    """The people cannot get on: says what the display shows and what they expected."""


class People(Answering):
    """Plays one night. ``see`` tells them what the display shows; ``press(button, long)`` is how they answer.

    ``phrase(move)`` gives (verb, object) as on the display. ``forget`` is the probability that nobody presses CONFIRM after a move,
    ``regret`` that a confirmed move is taken back and made again, ``nudges`` that a sleeve moves a neighbour, ``astray`` that a taken
    tile is kept in the hand, or put down beside every zone, until the device has asked. ``implied``: moves without a trace of which nobody
    says anything while somebody goes on; ``nameless``: moves whose trace does not show whose they are. ``lawful(state, moves)``: whether the
    rules allow moves one after another from a public state. ``spelling(step)``: the words by which the menu tells a move, where these are others than its phrase, or a fact.
    ``done`` is True when the game is over, all is confirmed and the display shows the end.
    """

    def __init__(
        self,
        world: World,
        table: SimulatedTable,
        names: Sequence[str],
        press: Callable[[Button, bool], None],
        clock: SimulatedClock,
        seed: int,
        mistakes: float,
        phrase: Phrase,
        *,
        game: str = "Tanis",
        first: int = 0,
        options: Sequence[str] = (),
        forget: float = 0.15,
        regret: float = 0.02,
        nudges: float = 0.06,
        astray: float = 0.012,
        implied: tuple[type[Move], ...] = (),
        nameless: tuple[type[Move], ...] = (),
        lawful: Callable[[Any, Sequence[Move]], bool] = lambda _state, _moves: False,
        spelling: Callable[[Step], str] = lambda _: "",
    ) -> None:
        super().__init__(press, clock, random.Random(f"people {seed}"), world, table)
        self.done = False
        self.names = list(names)
        self._implied, self._nameless, self._lawful, self._spelling = implied, nameless, lawful, spelling
        self._phrase, self._mistakes, self._forget, self._regret = phrase, mistakes, forget, regret
        self._game, self._first, self._options = game, first, tuple(options)
        self._arms = [
            Arm(table, seat, random.Random(f"arm {seed} {seat}"), nudges) for seat in range(len(names))
        ]
        self._passed = False
        self._midst = False
        """In the middle of something: what comes next will show what was done so far."""
        self._astray = astray
        self._named = 0
        self._said = 0
        self._last: tuple[Sequence[Deed], Sequence[Deed], Arm] | None = None
        """The acts of the last move, those that undo it, and whose arm did it."""
        self._busy = False
        self._due = clock.monotonic()
        self._script: Script = self._night()
        clock.on_advance(self._advance)

    def _advance(self, now: float) -> None:
        if self._busy or self.done:
            return
        self._busy = True
        try:
            while not self.done and self._due <= now:
                wait = next(self._script)
                # A moving hand keeps its pace however far the clock jumps; whoever looks and presses waits for an answer.
                self._due = self._due + wait if wait <= STEP else now + wait
            if not self.done and now - self._progress > DESPAIR:
                raise LostPatienceError(
                    f"the display shows {seen(self.screen)}; the people expect {self.expects}"
                )
        except StopIteration:
            self.done = True
        finally:
            self._busy = False

    # The night

    def _night(self) -> Script:
        while True:
            screen = self.screen
            if screen is None or screen.name == "starting":
                yield 0.3
            elif screen.name in BEFORE:
                yield from self._answer(screen)
            elif screen.name == "setup":
                yield from self._lay_out()
            elif (yield from self._play(screen)):
                return

    def _answer(self, screen: Screen) -> Script:
        """One question before the game."""
        wanted = {
            "game": self._game,
            "players": str(len(self.names)),
            "names": self.names[min(self._named, len(self.names) - 1)],
            "first": self.names[self._first],
            "option": self._wrong_option(screen) or (screen.choices[0] if screen.choices else ""),
        }[screen.name]
        if wanted not in screen.choices and screen.choices:
            wanted = screen.choices[screen.chosen]
        before = (screen.name, screen.title)
        if (yield from self._choose(wanted, screen.name)):
            self._progressed()
            if before[0] == "names":
                self.names[self._named] = wanted
                self._named += 1

    def _wrong_option(self, screen: Screen) -> str | None:
        for line, wanted in zip(screen.choices[1:], self._options, strict=False):
            if line != wanted:
                return line
        return None

    def _lay_out(self) -> Script:
        for number, zone in enumerate(self._table.to_lay_out()):
            seat = int(zone[-1]) - 1 if zone[-1].isdigit() else number % len(self._arms)
            yield from self._arms[min(seat, len(self._arms) - 1)].lay_out(zone)
            yield self._rng.uniform(0.3, 0.8)
        for attempt in range(8):
            ready = yield from self._until(lambda s: s.name != "setup" or s.main == "Ready", PATIENCE)
            if ready:
                break
            self._note("set-up")
            if attempt < 6:
                yield from self._tidy()
            else:
                yield from self._push(Button.CONFIRM, long=True)
        if (
            self.screen is not None
            and self.screen.name == "setup"
            and (yield from self._push(Button.CONFIRM))
        ):
            self._progressed()

    def _play(self, screen: Screen) -> Generator[float, None, bool]:
        """Whatever the display shows during the game; True when the night is over."""
        if self._pending and not self._world.over and (self._midst or (self._passed and self._may_go_on())):
            yield from self._act()
            return False
        if screen.name == "proposal":
            yield from self._proposal(screen)
        elif screen.name == "illegal":
            yield from self._refused()
        elif screen.name == "ask" and not self._pending and getattr(self._world, "asked", False):
            yield from self._act()  # What the list asks for has yet to be decided.
        elif screen.name == "ask":
            yield from self._asked(screen, None)
        elif screen.name == "desync":
            yield from self._differs()
        elif screen.name == "turn":
            if not self._pending and not self._world.over:
                yield from self._turn()
            elif self._pending and self._oldest.silent:
                yield from self._unseen(screen)
            elif not (yield from self._until(lambda s: s.name != "turn", PATIENCE)) and self._pending:
                yield from self._help_oneself()
        elif screen.name == "end":
            if self._world.over and not self._pending:
                self._progressed()
                return True
            if not (yield from self._until(lambda s: s.name != "end", PATIENCE)):
                raise LostPatienceError(f"the display shows {seen(screen)}; the people expect {self.expects}")
        elif screen.name in ("fault", "poweroff"):
            yield from self._push(Button.CONFIRM if screen.name == "fault" else Button.REJECT)
        else:  # score, help, pause, menu: a slip of a finger
            yield from self._push(Button.REJECT)
        return False

    def _turn(self) -> Script:
        made = self.diary.made
        if made and made[-1].confirmed and self._last and self._rng.random() < self._regret:
            yield from self._take_back()
        else:
            yield from self._act()

    # Acting

    def _may_go_on(self) -> bool:
        return sum(not one.implied for one in self._pending) < HELD

    def _act(self) -> Script:
        """Think, then do the next thing on the table."""
        yield self._rng.uniform(1.0, 4.0)
        yield from self._carry_through(self._world.choose(self._rng, self._mistakes))

    def _carry_through(self, intent: Intent) -> Script:
        """Do on the table what somebody has made up their mind to do."""
        arm = self._arms[intent.player]
        astray = None if self._pending else self._plain(intent)
        if astray is not None and self._rng.random() < self._astray:
            yield from self._mislay(intent, astray, arm)
            return
        self._acting = True
        moves: list[Move] = []
        unseen: list[bool] = []
        backwards: list[Deed] = []
        acts: list[Deed] = []
        for stage, what_it_means in intent.stages:
            backwards = [*self._backwards(stage), *backwards]
            acts += stage
            yield from arm.do(stage)
            moves += what_it_means
            unseen += [not stage] * len(what_it_means)
        self._acting = False
        self.diary.nudged += len(arm.brushed)
        arm.brushed.clear()
        if not any(meant for _, meant in intent.stages):
            self._last = None
            self._progressed()
            return
        self._last = None if intent.mistake or intent.tell is not None else (acts, backwards, arm)
        # What no table shows is said more often; what the next move says by itself, hardly ever.
        shown = isinstance(moves[-1], self._implied) and intent.tell is None
        forget = 0.8 if shown else self._forget / (10 if unseen[-1] else 1)
        # A turn of which nothing at all was seen is told: the press is all there is of it.
        whole = intent.tell is True and self._midst
        self._passed = self._rng.random() < forget and not (intent.waits or whole)
        self._said += not self._midst
        wrong = moves.pop() if intent.mistake and (intent.undo or intent.refutable) else None
        self._midst = intent.tell is False if moves else self._midst
        for move, bare in zip(moves, unseen, strict=False):
            before = self._world.state
            shows = tuple(map(self._spelling, self._world.play(move)))
            verb, what = self._phrase(move)
            one = Made(
                move, self.names[move.player], verb, what, self._spelling(move), shows, said=self._said
            )
            one.bare, one.before = bare, before
            one.implied = isinstance(move, self._implied) or intent.tell is not None
            one.silent = bare or one.implied
            self._pending.append(one)
            self.diary.made.append(one)
        self._progressed()
        if intent.mistake and wrong is None:
            self.diary.broken.append(Broken(intent.mistake, intent.refutable, None, "nobody could see it"))
        if wrong is not None:
            self._passed = False
            yield from self._caught(intent, wrong, arm)

    def _mislay(self, intent: Intent, act: Act, arm: Arm) -> Script:
        """Take a tile and do not lay it into its zone: first when the device has asked for it."""
        ((_, (move,)),) = intent.stages
        self._acting = True
        if self._rng.random() < 0.5:
            yield from arm.do([replace(act, target=None)])  # it stays in the hand
        else:
            yield from arm.lay_aside(act)
        self._acting = False
        self._world.play(move)
        verb, what = self._phrase(move)
        one = Made(move, self.names[move.player], verb, what, self._spelling(move))
        self._pending.append(one)
        self.diary.made.append(one)
        self.diary.mislaid += 1
        self._last, self._passed = None, False
        self._progressed()
        start = self._clock.monotonic()
        while not one.confirmed and self._clock.monotonic() - start < 2 * PATIENCE:
            screen = self.screen
            if screen is not None and screen.name == "ask":
                yield from self._asked(screen, None)
            elif screen is not None and says(screen, one):
                yield from self._proposal(screen)
            else:
                yield 0.2
        yield self._rng.uniform(1.0, 4.0)
        yield from arm.do([replace(act, source=None)])
        self._progressed()

    def _backwards(self, stage: Sequence[Deed]) -> list[Deed]:
        """The deeds that undo a stage, last first."""
        back: list[Deed] = []
        for act in stage:
            if isinstance(act, Sweep):
                continue
            body = self._table.find(act.piece, act.source)
            square = act.square if act.source is None else body.square
            back.append(Act(act.piece, act.target, act.source, body.cells, body.level, square))
        return back[::-1]

    def _as_lawful(self, wrong: Move) -> bool:
        """Whether table and buttons have the history of a lawful night: of the last moves, for which no hand did anything and nobody
        pressed, some were never made, and without them the rules allow this one. What was seen meanwhile, and not whose it was, may
        then have been done by the same player."""
        seen_since: list[Move] = []
        for one in reversed(self.diary.made):
            if one.confirmed:
                return False
            if isinstance(one.move, self._nameless):
                seen_since.insert(0, replace(one.move, player=wrong.player))
            elif not one.bare:
                return False
            elif self._lawful(one.before, (*seen_since, wrong)):
                return True
        return False

    def _caught(self, intent: Intent, wrong: Move, arm: Arm) -> Script:
        """A rule was broken: wait whether the device says so, then put it right."""
        start = self._clock.monotonic()
        named: str | None = None
        verb, what = self._phrase(wrong)
        told = Made(wrong, self.names[wrong.player], verb, what)
        refutable = intent.refutable and not self._as_lawful(wrong)
        while self._clock.monotonic() - start < PATIENCE:
            screen = self.screen
            if screen is None:
                yield 0.2
                continue
            named = rule_named(screen)
            if named is not None:
                break
            if screen.name == "ask":
                # To answer with what the box takes for lawful would be to play it.
                yield from self._asked(screen, told if refutable else None)
            elif screen.name == "proposal" and self._told(screen) is not None:
                yield from self._proposal(screen)
            else:
                yield 0.2
        if named is not None and named != intent.mistake:
            yield from self._until(lambda screen: rule_named(screen) == intent.mistake, 2.0)
            named = (rule_named(self.screen) if self.screen else None) or named
        seen_as = "" if named == intent.mistake else seen(self.screen)
        self.diary.broken.append(Broken(intent.mistake or "", refutable, named, seen_as))
        yield self._rng.uniform(0.8, 2.0)
        yield from arm.do(intent.undo)
        self._progressed()
        yield from self._until(lambda screen: screen.name in ("turn", "proposal", "end"), PATIENCE)
        # What was shown before the table was put right must go; only then is the display read again.
        if self.screen is not None and says(self.screen, told):
            gone = yield from self._until(lambda screen: not says(screen, told), PATIENCE)
            if not gone:
                yield from self._push(Button.REJECT)

    def _take_back(self) -> Script:
        """Take the last confirmed move back, on the device and on the table, and make it again."""
        one = self.diary.made[-1]
        if self._last is None:
            return
        acts, backwards, arm = self._last
        if not (yield from self._push(Button.REJECT, long=True)):
            return
        if self.screen is None or self.screen.name != "takeback":
            return
        if not (yield from self._push(Button.CONFIRM)):
            return
        one.confirmed = False
        self.diary.taken_back += 1
        yield from arm.do(backwards)
        yield from self._until(lambda screen: screen.name == "turn", PATIENCE)
        yield self._rng.uniform(1.0, 2.5)
        yield from arm.do(acts)
        self._pending.append(one)
        self._passed = False
        self._progressed()

    # Small things

    def _plain(self, intent: Intent) -> Act | None:
        """The one thing an intent does, if it is no more than one piece that goes from a stack to its player."""
        if intent.mistake or len(intent.stages) != 1:
            return None
        deeds, moves = intent.stages[0]
        if len(deeds) != 1 or len(moves) != 1 or not isinstance(deeds[0], Act):
            return None
        stacks = {zone.name for zone in self._table.layout.zones if zone.form == "stack"}
        act = deeds[0]
        return act if act.source in stacks and act.target not in (None, act.source) else None
