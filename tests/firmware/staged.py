"""A stage for scenes of an evening: a game that has just begun, real shell and eyes, the simulated camera, and people who do what a scene says.

Laying a game out costs seconds, so each game is laid out once (by people, through the shell, from the first question) and every scene
plays on a copy of that table, those eyes and that camera.
"""

from __future__ import annotations

import copy
import functools
import tempfile
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from engines.dealing import Act, Deed, Intent
from engines.game import Move
from engines.referee import Match
from engines.table import Layout
from firmware import demo, night
from firmware.box.pace import SIMULATED
from firmware.events import Look, Show
from firmware.night import Night
from firmware.shell import Shell
from firmware.written import entries
from firmware.written.journal import Journal
from hardware.buttons.gpio import GpioButtons
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display import DisplaySettings
from hardware.display.oled import OledDisplay
from hardware.display.screen import Screen
from hardware.simulated.bus import OledChip, SimulatedBus
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.diary import Made
from hardware.simulated.glances import says
from hardware.simulated.hands import Arm, Script
from hardware.simulated.people import People
from hardware.simulated.pins import SimulatedPins
from hardware.simulated.table import SimulatedTable

GAMES = ("tanis", "archaeology", "ankh", "papyrus")
NAMES = ("Ana", "Ben")
QUIET = 4.0
"""Seconds in which a device that has something to say of the table says it."""

LONG = 90.0
"""Seconds in which any move has been told to the device, come what may."""


@dataclass(frozen=True)
class Begun:
    """A game laid out, at its first turn, with everything that goes on from there."""

    night: Night
    written: tuple[entries.Entry, ...]
    world: Any
    table: SimulatedTable
    camera: SimulatedCamera
    eyes: Any
    now: float


@functools.cache
def begun(game: str, seed: int = 1) -> Begun:
    """Two people lay the game out, answer the questions, and stop at the first turn."""
    clock = SimulatedClock()
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
        evening = demo.prepare(demo.Wish(game, seed, players=2, mishaps=False), clock, journal)
        people, shell = evening.people, evening.shell
        shell.run_until(lambda: people.screen is not None and people.screen.name == "turn")
        people.done = True  # they stop here; scenes go on with people of their own
        shell.close()
        assert shell._eyes is not None
        written = journal.entries()
        return Begun(
            shell.night, written, evening.world, evening.table, evening.camera, shell._eyes, clock.monotonic()
        )


def _copied(one: Begun, clock: SimulatedClock) -> tuple[Any, SimulatedTable, SimulatedCamera, Any]:
    """World, table, camera and eyes as they were, none of which the others' copies ever touch. What never changes is shared."""
    memo: dict[int, Any] = {id(one.camera._clock): clock}
    fixed = [one.table.layout, *one.table.boards.values(), one.camera._large._art]
    fixed += [*one.eyes._cards.values(), *one.eyes._loose.values(), *one.eyes._figures.values()]
    memo |= {id(thing): thing for thing in fixed}
    dispatch: dict[type, Any] = copy._deepcopy_dispatch  # type: ignore[attr-defined]
    dispatch[MappingProxyType] = lambda proxy, _: proxy
    try:
        world, table, camera, eyes = copy.deepcopy((one.world, one.table, one.camera, one.eyes), memo)
    finally:
        del dispatch[MappingProxyType]
    return world, table, camera, eyes


class Cast(People):
    """People who do what a scene says. What the display showed is kept: ``shown``, with the time of each screen in s."""

    def __init__(self, scene: Callable[[Cast], Script], *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.shown: list[tuple[float, Screen]] = []
        self.stage: Stage
        self._script = scene(self)

    def see(self, screen: Screen) -> None:
        super().see(screen)
        self.shown.append((self._clock.monotonic(), screen))

    # What they see

    @property
    def display(self) -> Screen:
        assert self.screen is not None
        return self.screen

    @property
    def now(self) -> float:
        return self._clock.monotonic()

    def since(self, then: float) -> list[Screen]:
        """What the display has shown since."""
        before = [screen for at, screen in self.shown if at <= then]
        return [*before[-1:], *(screen for at, screen in self.shown if at > then)]

    def names_since(self, then: float) -> set[str]:
        return {screen.name for screen in self.since(then)}

    def waits(self, wanted: Callable[[Screen], bool], patience: float = 15.0) -> Script:
        """Wait until the display shows it. Fails with what it shows instead."""
        told = yield from self._until(wanted, patience)
        assert told, f"after {patience} s the display shows {self.display}"

    def reads(self, *words: str, patience: float = 15.0) -> Script:
        """Wait until these words stand on the display, somewhere."""
        yield from self.waits(lambda screen: all(word in text(screen) for word in words), patience)

    def rests(self, seconds: float = QUIET) -> Script:
        """Do nothing for a while."""
        end = self.now + seconds
        while self.now < end:
            yield 0.2

    # What they do

    def arm(self, seat: int = 0) -> Arm:
        return self._arms[seat]

    def hands(self, seat: int, *deeds: Deed) -> Script:
        """Move pieces, whatever that means in the game."""
        self._progressed()
        yield from self._arms[seat].do(deeds)

    def presses(self, button: Button, long: bool = False) -> Script:
        """One press, and a moment for the display."""
        self._press(button, long)
        yield from self.rests(1.6 if long else 0.6)

    def turn(self, wanted: Callable[[Intent], bool] = lambda _: True) -> Generator[float, None, Intent]:
        """What the player to move would do next; plays on to a turn in which that is ``wanted``."""
        for _ in range(14):
            for _ in range(12):
                intent = self._world.choose(self._rng, 0.0)
                if wanted(intent):
                    return intent
            yield from self.acts(intent)
            yield from self.told()
        raise AssertionError("in fourteen moves nobody wants to do this")

    def acts(self, intent: Intent | None = None) -> Script:
        """Make a move with the hands, and press nothing. ``pending`` are then the moves of which the device has yet to hear."""
        yield 0.5
        self._passed = False
        yield from self._carry_through(intent or self._world.choose(self._rng, 0.0))
        self._passed = False

    @property
    def pending(self) -> list[Made]:
        return list(self._pending)

    def told(self) -> Script:
        """See to it that the device hears of everything: CONFIRM what it says truly, answer what it asks, and end what is half done."""
        self._progressed()
        start = self.now
        while self._pending or self._midst:
            assert self.now - start < LONG, f"{self.expects}: the display shows {self.display}"
            if self._midst:
                yield from self.acts()
            else:
                yield from self._play(self.display)
            yield 0.1
        yield from self.waits(lambda screen: screen.name in ("turn", "end"))

    def tells(self, move: Move) -> None:
        """This was done just now by hands that a scene led, and will be taken back (``untells``): the hidden world never hears of it."""
        verb, what = self._phrase(move)
        self.diary.made.append(Made(move, self.names[move.player], verb, what, confirmed=True))

    def untells(self) -> None:
        """The last move that was made shall not have been."""
        self.diary.made.pop()

    def plays(self, moves: int) -> Script:
        """Go on with the night."""
        for _ in range(moves):
            if not self._world.over:
                yield from self.acts()
                yield from self.told()


@dataclass
class Stage:
    """One scene's evening: ``play`` runs it to its end."""

    game: str
    scene: Callable[[Cast], Script]
    folder: Path
    seed: int = 1
    cast: Cast = field(init=False)

    def __post_init__(self) -> None:
        before = begun(self.game, self.seed)
        self.clock = SimulatedClock(before.now)
        self.world, self.table, self.camera, eyes = _copied(before, self.clock)
        self.journal = Journal(self.folder / "journal.db")
        self.journal.append(before.written)
        pins = SimulatedPins(self.clock)
        match = before.night.match
        assert match is not None
        rules = match.game.rules
        self.cast = Cast(
            self.scene,
            self.world,
            self.table,
            NAMES,
            pins.press,
            self.clock,
            self.seed,
            0.0,
            functools.partial(rules.phrase, names=NAMES),
            forget=0.0,
            regret=0.0,
            nudges=0.0,
            astray=0.0,
            implied=getattr(match.game.reading, "TRACELESS", ()),
        )
        self.cast.stage = self
        self.tally = demo.Tally(match.game, self.cast)
        settings = DisplaySettings(dim_after=0, sleep_after=0)
        bus = SimulatedBus({settings.address: OledChip()})

        def make_eyes(_: Layout) -> Any:
            return eyes

        self.shell: Shell[Night] = Shell(
            self.clock,
            self.camera,
            demo.Seen(OledDisplay(settings, self.clock, bus.open), self.cast.see),
            GpioButtons(factory=pins.factory, clock=self.clock),
            make_eyes,
            self.journal,
            before.night,
            step=night.step,
            effects=(Show(night.screen(before.night)), Look(before.night.expected, before.night.layout)),
            pace=SIMULATED,
            observe=self.tally.observe,
        )

    @property
    def match(self) -> Match:
        assert self.shell.night.match is not None
        return self.shell.night.match

    def play(self) -> None:
        """The whole scene. Then all that happened is written, nothing else is, and the disk says the same."""
        try:
            self.shell.run_until(lambda: self.cast.done)
            kept = entries.replay(self.shell.night.games, self.journal.entries()).match
        finally:
            self.shell.close()
            self.journal.close()
        assert not self.cast.pending
        made = [one.move for one in self.cast.diary.made]
        assert list(self.match.moves) == made, "what is written is what was done"
        assert self.tally.wrong == 0, "and was never anything else"
        assert self.match.score().totals == self.world.score().totals
        assert kept is not None and kept.state == self.match.state


def text(screen: Screen) -> str:
    """All words on a screen."""
    return " ".join((screen.title, screen.main, *screen.lines, *screen.choices, screen.footer, screen.right))


def shows(made: Made) -> Callable[[Screen], bool]:
    """Whether the display proposes just this."""
    return lambda screen: says(screen, made)


def is_turn(screen: Screen) -> bool:
    """Whether nothing is open but whose turn it is."""
    return screen.name == "turn"


def plain(intent: Intent) -> bool:
    """A move that the table shows by itself, made in one go: one stage, one move, pieces that come or go."""
    return (
        intent.tell is None
        and not intent.waits
        and len(intent.stages) == 1
        and len(intent.stages[0][1]) == 1
        and all(isinstance(deed, Act) for deed in intent.stages[0][0])
        and bool(intent.stages[0][0])
    )
