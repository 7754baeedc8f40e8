"""A night of twelve hours in some minutes: the real drivers and eyes over simulated devices, all games in turn, and a fault every minute.

The camera shows a loop of pictures of each game's laid-out table; the moves are made by menu, and what the eyes say against them is refused.

    python -m tests.longnight                      100,000 frames and 3,000 moves; one JSON object of figures at the end
    python -m tests.longnight --hours 1            a shorter one

For memory as in the unit, set before the command what the unit sets (``tests.footprint.UNIT``).

What must hold: every move that the display acknowledged is in the journal, also after it was closed and opened in between; no state is
left in which nothing goes on; every fault is gone when its cause is; memory does not grow.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from engines import games
from engines.catalogue import house, shipped
from engines.game import Game
from engines.table import Layout
from firmware.box import parts
from firmware.box.pace import SIMULATED
from firmware.box.parts import Keeper
from firmware.events import Event, Notice
from firmware.night import Night, begin
from firmware.service import make_eyes
from firmware.settings import DEFAULTS, Settings
from firmware.shell import Shell
from firmware.written import entries
from firmware.written.journal import Journal
from hardware.buttons.gpio import GpioButtons
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display import DisplaySettings
from hardware.display.oled import OledDisplay
from hardware.display.screen import Display
from hardware.print.faces import boards
from hardware.signals.gpio import GpioSignals
from hardware.simulated.bus import OledChip, SimulatedBus
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.pins import SimulatedPins
from hardware.simulated.table import SimulatedTable
from tests.hardware.fake_picamera2 import World, install

FAULT_EVERY = 60.0  # s of the night
LASTS = (3.0, 40.0)  # s
STUCK_AFTER = 900.0  # s in which people who press keys get no move written: nothing goes on any more
SIZE = 2304, 1296
"""Of the camera's large picture, px: what tables without a mat need."""
_LOOP = 6  # pictures
_SEATS = 2


def playable() -> dict[str, Game]:
    """The games that can lie on a table, with or without eyes for it."""
    found = {}
    for name, game in games().items():
        with contextlib.suppress(LookupError):
            if game.reading.layout(game.players[0], game.defaults).zones:
                found[name] = game
    return found


@dataclass(frozen=True)
class Film:
    """A loop of pictures of a laid-out table, large and small, each with its own noise."""

    large: tuple[Any, ...]
    small: tuple[Any, ...]

    @classmethod
    def of(cls, game: Game, clock: SimulatedClock) -> Film:
        """Two people's table of a game."""
        dealing = importlib.import_module(f"engines.{game.id}.dealing")
        numbers = house(game.id) if game.rules.lacks(_SEATS, game.defaults, shipped(game.id)) else None
        layout = game.reading.layout(_SEATS, game.defaults, numbers)
        world = dealing.deal(1, _SEATS, 0, game.defaults, catalogue=numbers)
        table = SimulatedTable(layout, world.setup(), 1, boards(layout))
        table.lay_out()
        camera = SimulatedCamera(table, clock, SIZE, 1)
        large = tuple(camera.capture(0.0).picture for _ in range(_LOOP))
        return cls(large, tuple(camera.preview().picture for _ in range(_LOOP)))

    def frame(self, size: tuple[int, int], number: int) -> Any:
        return (self.large if size[0] > 400 else self.small)[number % _LOOP].copy()


@dataclass
class Evening:
    """Everything that is there, and what was seen of it."""

    seed: int
    folder: Path
    patch: pytest.MonkeyPatch
    games: dict[str, Game]
    clock: SimulatedClock = field(default_factory=SimulatedClock)
    faults: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
    written: int = 0
    by_game: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    notices: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.world: World = install(self.patch, self.clock)
        self.world.memory = 10**9
        self.films = {name: Film.of(game, self.clock) for name, game in self.games.items()}
        self.on_table = next(iter(self.films))
        self.world.loop = lambda size, number: self.films[self.on_table].frame(size, number)
        self.chip = OledChip()
        self.bus = SimulatedBus({0x3C: self.chip})
        self.pins = SimulatedPins(self.clock, seed=self.seed)
        self.journal = Journal(self.folder / "journal.db")
        settings = Settings({"camera.kind": "picamera2", "camera.width": SIZE[0], "camera.height": SIZE[1]})
        display: Keeper[Display] = Keeper(
            "display",
            lambda: OledDisplay(DisplaySettings(dim_after=0, sleep_after=0), self.clock, self.bus.open),
        )
        state, effects = begin(self.games, ("Ana", "Ben", "Cleo", "Dan", "Eve"), self.seed)
        self.shell: Shell[Night] = Shell(
            self.clock,
            parts.camera(settings, self.clock),
            display,
            Keeper("buttons", lambda: GpioButtons(factory=self.pins.factory, clock=self.clock)),
            self._eyes,
            self,
            state,
            effects=effects,
            pace=SIMULATED,
            signals=Keeper("signals", lambda: GpioSignals(5, 6, self.pins.factory, self.clock)),
            failsafe=self._stumbled,
            observe=self._observe,
            chores=self._chores,
        )

    def _eyes(self, layout: Layout) -> Any:
        self.on_table = layout.game
        return make_eyes(DEFAULTS, self.folder, layout)

    def _stumbled(self) -> Any:
        self.lost.append("the night stumbled")
        return begin(self.games, (), self.seed)

    def _chores(self, now: float) -> list[Event]:
        came, self.notices = self.notices, []
        return came

    def append(self, written: tuple[tuple[str, str], ...]) -> int:
        """The journal, which is another one after each restart."""
        return self.journal.append(written)

    def _observe(self, before: Night, event: Event, after: Night, effects: object) -> None:
        was = len(before.match.moves) if before.match is not None else 0
        now = len(after.match.moves) if after.match is not None else 0
        if now > was and after.match is not None:
            self.written += now - was
            self.by_game[after.match.game.id] += now - was

    # -- people ----------------------------------------------------------------------------------------

    def run(self, seconds: float) -> None:
        until = self.clock.monotonic() + seconds
        self.shell.run_until(lambda: self.clock.monotonic() >= until)

    def press(self, button: Button, long: bool = False) -> None:
        self.pins.press(button, long)
        self.run(1.6 if long else 0.5)

    def people(self) -> None:
        """What somebody who sees this display does next."""
        night = self.shell.night
        place = night.place
        if place in ("menu", "game", "players", "names", "first", "option"):
            self._choose(night)
        elif place == "setup":
            self.press(Button.CONFIRM, long=True)
        elif place == "pause":
            wanted = "new" if "new" in night.listing.values else "go"
            for _ in range(night.listing.values.index(wanted)):
                self.press(Button.DOWN)
            self.press(Button.CONFIRM)
        elif place in ("turn", "desync", "illegal", "ask"):
            assert night.match is not None
            rules, state = night.match.game.rules, night.match.state
            # What the table has yet to show stands in the menu too, unless it has too many forms to be listed.
            able = night.match.legal_moves() or len(rules.awaited(state)) > 1
            over = len(night.match.moves) > 60 or not able
            self.press(Button.DOWN if over else Button.CONFIRM, long=True)
        elif place == "proposal" and night.picked is None:
            self.press(Button.REJECT)  # the pictures do not show what was played by menu
        else:
            self.press(Button.CONFIRM)

    def _choose(self, night: Night) -> None:
        """One of the list: in the menu a move or what leads to one; of the games the one that was played least."""
        values = night.listing.values
        able = [at for at, value in enumerate(values) if not isinstance(value, str) or night.place != "menu"]
        able = [0] if night.place == "option" else able
        if night.place == "players":
            able = [values.index(_SEATS)]
        if night.place == "game":
            fewest = min(self.games, key=lambda name: self.by_game[name])
            able = [values.index(fewest)]
        if not able:
            self.press(Button.REJECT)
            return
        wanted = self.random.choice(able[:12])
        # The game that was played last is chosen already: people go on from there.
        for _ in range((wanted - night.listing.chosen) % len(values)):
            self.press(Button.DOWN)
        self.press(Button.CONFIRM)

    # -- faults ----------------------------------------------------------------------------------------

    def fault(self) -> Callable[[], None]:
        """Something goes wrong; what puts it right again."""
        name = self.random.choice(tuple(FAULTS))
        self.faults[name] += 1
        return FAULTS[name](self)

    def restart(self) -> None:
        """The power goes: the journal as it is on the disk leads to the game on the display."""
        self.restarts += 1
        self.journal.close()
        self.journal = Journal(self.folder / "journal.db")
        found = entries.replay(games(), self.journal.entries()).match
        match = self.shell.night.match
        if match is not None and (found is None or found.moves != match.moves):
            self.lost.append(
                f"after {self.written} moves the journal has {found and len(found.moves)}, shown were {len(match.moves)}"
            )
        if self.journal.notice:
            self.lost.append(self.journal.notice)


def _nothing() -> None:
    """It puts itself right."""


def _camera(**change: Any) -> Callable[[Evening], Callable[[], None]]:
    def begin_(at: Evening) -> Callable[[], None]:
        before = {name: getattr(at.world, name) for name in change}
        for name, value in change.items():
            setattr(at.world, name, value)

        def back() -> None:
            for name, value in before.items():
                setattr(at.world, name, value)
            at.world.frozen_at = 0

        return back

    return begin_


def _display(at: Evening) -> Callable[[], None]:
    at.bus.unplug()
    return at.bus.plug


def _stuck(at: Evening) -> Callable[[], None]:
    at.pins.drive(Button.UP, True, at.clock.monotonic())
    return lambda: at.pins.drive(Button.UP, False, at.clock.monotonic())


def _flicker(at: Evening) -> Callable[[], None]:
    now = at.clock.monotonic()
    for tick in range(600):
        at.pins.drive(Button.REJECT, tick % 2 == 0, now + tick * 0.01)
    return _nothing


def _disk(at: Evening) -> Callable[[], None]:
    at.journal._db.execute("PRAGMA query_only=ON")
    return _nothing  # the journal opens its file afresh after a fault


def _notice(at: Evening) -> Callable[[], None]:
    at.notices.append(Notice("fault in settings:\nthe old ones hold", at.clock.monotonic()))
    return _nothing


FAULTS: dict[str, Callable[[Evening], Callable[[], None]]] = {
    "camera unplugged": _camera(cameras=0, stalled=True),
    "camera stalled": _camera(stalled=True),
    "camera frozen": _camera(scene="frozen"),
    "camera black": _camera(scene="black"),
    "camera torn": _camera(scene="torn"),
    "camera spliced": _camera(scene="spliced"),
    "camera stale": _camera(behind=30.0),
    "display unplugged": _display,
    "button stuck": _stuck,
    "button flickers": _flicker,
    "disk read-only": _disk,
    "settings faulty": _notice,
}


class Sample(NamedTuple):
    """Memory after so many frames, the objects that Python knows, and the game that was on the table."""

    frames: int
    mb: float
    objects: int
    game: str


def resident() -> float:
    """MB of memory now."""
    with Path("/proc/self/statm").open() as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def slope(samples: list[Sample]) -> float:
    """MB per 10,000 frames over the last two thirds, by least squares: one slope, and for each game a level of its own, because its eyes have
    their own size."""
    kept = samples[len(samples) // 3 :]
    levels = sorted({one.game for one in kept})
    if len(kept) < len(levels) + 2:
        return 0.0
    design = [[one.frames, *(one.game == game for game in levels)] for one in kept]
    found = np.linalg.lstsq(np.array(design, float), np.array([one.mb for one in kept]), rcond=None)[0]
    return float(found[0] * 10_000)


def night(
    seed: int, hours: float, moves: int, folder: Path, patch: pytest.MonkeyPatch, only: str = ""
) -> dict[str, Any]:
    """Play it, ``only`` one game if it is named; the figures."""
    chosen = {name: game for name, game in playable().items() if only in ("", name)}
    at = Evening(seed, folder, patch, chosen)
    began, start = time.monotonic(), at.clock.monotonic()
    samples: list[Sample] = []
    due, healed, restart = start + 30.0, float("inf"), start + 1800.0
    back = _nothing
    last, count = start, 0
    while at.clock.monotonic() - start < hours * 3600:
        now = at.clock.monotonic()
        if now >= healed:
            back()
            healed = float("inf")
        elif now >= due and healed == float("inf"):
            due = now + FAULT_EVERY
            back = at.fault()
            healed = now + at.random.uniform(*LASTS)
        if now >= restart:
            restart = now + 1800.0
            at.restart()
        # Faster as long as moves are owed, then slower: people think.
        if at.written < moves * (now - start) / (hours * 3600):
            at.people()
        else:
            at.run(4.0)
        if at.written != count:
            count, last = at.written, at.clock.monotonic()
        if at.clock.monotonic() - last > STUCK_AFTER and at.written < moves:
            at.lost.append(f"stuck at {at.shell.night.place} after {at.written} moves, {at.shell.screen}")
            break
        if not samples or at.shell.frames - samples[-1].frames >= 1000:
            for pin in at.pins.factory.pins.values():
                pin.clear_states()  # the mock pins remember every edge there ever was
            gc.collect()
            samples.append(Sample(at.shell.frames, resident(), len(gc.get_objects()), at.on_table))
    back()
    at.run(90.0)
    at.restart()
    left = [part for part in at.shell.night.parts if part[0] != "signals"]
    at.shell.close()
    at.journal.close()
    return {
        "seed": seed,
        "hours": hours,
        "frames": at.shell.frames,
        "moves": at.written,
        "by_game": dict(at.by_game),
        "faults": dict(at.faults),
        "restarts": at.restarts,
        "lost": at.lost,
        "left": [list(part) for part in left],
        "memory_mb": [round(samples[0].mb, 1), round(samples[-1].mb, 1)],
        "memory_by_frames": [
            [one.frames, round(one.mb, 1), one.objects, one.game]
            for one in samples[:: max(1, len(samples) // 12)]
        ],
        "memory_slope_mb_per_10000_frames": round(slope(samples), 3),
        "seconds": round(time.monotonic() - began, 1),
    }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.longnight", description=__doc__)
    parser.add_argument("--hours", type=float, default=12.0)
    parser.add_argument("--moves", type=int, default=3020)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--game", default="", help="only this one (tanis is the one whose mat is in the pictures)"
    )
    wish = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="thoth-") as folder, contextlib.ExitStack() as held:
        patch = pytest.MonkeyPatch()
        held.callback(patch.undo)
        figures = night(
            wish.seed, wish.hours, round(wish.moves * wish.hours / 12), Path(folder), patch, wish.game
        )
    print(json.dumps(figures))
    good = not figures["lost"] and not figures["left"] and figures["memory_slope_mb_per_10000_frames"] <= 1.0
    return 0 if good else 1


if __name__ == "__main__":
    import logging

    logging.disable(logging.CRITICAL)
    sys.exit(main(sys.argv[1:]))
