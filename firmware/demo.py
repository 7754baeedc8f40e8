"""``thoth demo``: a whole night on the simulated table, through the real pipeline.

Simulated are the table, the hands and heads around it, the light, the glass of the lens, the metal of the buttons and the
chip of the display. All that is above them is what runs in the box: GPIO driver and debounce, OLED driver,
eyes, night, journal. Nothing but frames and presses reaches the device, and the people see only its display.
"""

from __future__ import annotations

import argparse
import functools
import json
import logging
import math
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from engines import table_games
from engines.catalogue import Catalogue, house, shipped
from engines.dealing import World
from engines.game import Game
from engines.referee import lawful
from firmware import night, service
from firmware.alone.heading import NAMES
from firmware.box.logtail import to_stderr
from firmware.box.pace import SIMULATED
from firmware.commands.optics import picture
from firmware.events import Commit, Effect, Event, Show
from firmware.notices import plain
from firmware.settings import DEFAULTS, Settings
from firmware.shell import Shell
from firmware.states.setup import option_label
from firmware.written.journal import Journal
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display import DisplaySettings
from hardware.display.screen import Display, Screen

log = logging.getLogger("thoth")

NEAR = (1536, 864)
SMALLEST, LARGEST = (640, 360), (4608, 3456)
"""Of the camera's picture, in px; as in the settings."""
PRESENT = {"tanis": 2, "archaeology": 3, "ankh": 3, "papyrus": 3}
"""How many play when --players does not say."""
SHORT: Mapping[str, Mapping[str, str]] = {"papyrus": {"gods": "1-each"}}
"""Options of a game that would else take all night."""

_HELP = """\
A whole night on a simulated table: two people lay out the game, play it, press the buttons, forget to, and
(with --mistakes) break a rule now and then. In a terminal you see the table and the display; elsewhere one line per move.

examples:
  thoth demo                                  watch a night of Tanis
  thoth demo --seed 7 --mistakes 0.15         another one, with people who break rules
  thoth demo --json --seed 7                  no watching: figures of the night as JSON on the last line
  thoth demo --option packing=random          with an option of the game
"""


class DemoError(Exception):
    """The demo cannot be played as asked; the sentence says what to write."""


@dataclass
class Tally:
    """Compares what the device wrote with what hands truly did, entry by entry."""

    game: Game
    people: Any
    written: list[tuple[int, str]] = field(default_factory=list)
    wrong: int = 0
    lines: bool = False

    def observe(
        self, before: night.Night, event: Event, after: night.Night, effects: tuple[Effect, ...]
    ) -> None:
        for effect in effects:
            if isinstance(effect, Show) and effect.screen.name == "illegal" != before.place:
                self._say(f"    {plain(effect.screen)}")
            for kind, text in effect.entries if isinstance(effect, Commit) else ():
                if kind == "takeback":
                    del self.written[len(self.written) - int(text) :]
                    self._say(f"{text} taken back")
                elif kind == "move":
                    seat, _, words = text.partition(" ")
                    self._move(int(seat) - 1, words)

    def _move(self, player: int, words: str) -> None:
        made = self.people.diary.made
        at = len(self.written)
        self.written.append((player, words))
        true = at < len(made) and (made[at].move.player, self.game.rules.format(made[at].move)) == (
            player,
            words,
        )
        self.wrong += not true
        self._say(f"{at + 1:3d} {self.people.names[player]} {words}" + ("" if true else "   (wrong)"))

    def _say(self, line: str) -> None:
        if self.lines:
            print(line, flush=True)


class Seen:
    """A display that people look at: the real driver, and what it shows is seen by ``see``."""

    def __init__(self, display: Display, see: Any) -> None:
        self._display, self._see = display, see

    @property
    def fault(self) -> str | None:
        return self._display.fault

    def show(self, screen: Screen) -> None:
        self._display.show(screen)
        self._see(screen)

    def tick(self, now: float) -> None:
        self._display.tick(now)

    def wake(self) -> bool:
        return self._display.wake()

    def close(self) -> None:
        self._display.close()


@dataclass
class Evening:
    """Everything that is there on a simulated evening."""

    game: Game
    world: World
    people: Any
    table: Any
    camera: Any
    chip: Any
    shell: Shell[night.Night]
    tally: Tally
    options: dict[str, str]


@dataclass(frozen=True)
class Wish:
    """What the evening shall be."""

    game: str = "tanis"
    seed: int = 1
    players: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    mistakes: float = 0.0
    size: tuple[int, int] | None = None
    """Of the camera's picture in px; None: 1536 x 864 for a mat, 2304 x 1296 without one, as the service takes it."""
    gallery: Path | None = None
    """Folder with galleries by game (what the setting ``gallery`` names); None: Thoth's own printed faces."""
    mishaps: bool = True
    """Whether the camera may be knocked, the box bumped, the lamp switched."""


def prepare(wish: Wish, clock: SimulatedClock, journal: Journal, lines: bool = False) -> Evening:
    """Lay the parts of an evening together. Raises DemoError for a wish that cannot be."""
    from hardware.buttons.gpio import GpioButtons
    from hardware.display.oled import OledDisplay
    from hardware.print.faces import boards
    from hardware.simulated.bus import OledChip, SimulatedBus
    from hardware.simulated.camera import SimulatedCamera
    from hardware.simulated.conditions import Conditions
    from hardware.simulated.mishaps import Mishaps
    from hardware.simulated.optics import Optics
    from hardware.simulated.people import People
    from hardware.simulated.pins import SimulatedPins
    from hardware.simulated.table import SimulatedTable
    from vision.mat import needed

    game = table_games().get(wish.game)
    if game is None:
        raise DemoError(f"{wish.game} cannot be played yet; there is {', '.join(table_games())}")
    count = PRESENT[wish.game] if wish.players is None else wish.players
    if count not in game.players:
        raise DemoError(f"{game.name} is for {', '.join(map(str, game.players))} players, not {count}")
    options = _options(game, wish.options)
    rng = random.Random(f"evening {wish.seed}")
    first = rng.randrange(count)
    numbers = _numbers(game, count, options)
    world = _dealer(wish.game)(wish.seed, count, first, options, catalogue=numbers)
    layout = game.reading.layout(count, options, numbers)
    table = SimulatedTable(layout, world.setup(), wish.seed, boards(layout))
    size = wish.size or picture(NEAR, not layout.loose)
    if Optics.above(layout, size, wish.seed, Conditions()).scale() < needed(layout):
        least = "x".join(map(str, picture(NEAR, mat=False)))
        raise DemoError(f"{size[0]}x{size[1]} is too coarse for this table: --size {least}, or leave it out")
    camera = SimulatedCamera(table, clock, size, wish.seed)
    Mishaps(table, camera, clock, wish.seed, None if wish.mishaps else {})
    pins = SimulatedPins(clock, seed=wish.seed)
    chip = OledChip()
    state, effects = night.begin(table_games(), NAMES[:count], seed=wish.seed, numbers={wish.game: numbers})

    def press(button: Button, long: bool) -> None:
        pins.press(button, long)

    people = People(
        world,
        table,
        NAMES[:count],
        press,
        clock,
        wish.seed,
        wish.mistakes,
        functools.partial(game.rules.phrase, names=NAMES[:count]),
        game=game.name,
        first=first,
        options=tuple(option_label(state, option, options) for option in game.options),
        implied=getattr(game.reading, "TRACELESS", ()),
        nameless=getattr(game.reading, "NAMELESS", ()),
        lawful=functools.partial(lawful, game),
        spelling=game.spelled,
    )
    settings = DisplaySettings(dim_after=0, sleep_after=0)
    bus = SimulatedBus({settings.address: chip})
    display = Seen(OledDisplay(settings, clock, bus.open), people.see)
    buttons = GpioButtons(factory=pins.factory, clock=clock)
    tally = Tally(game, people, lines=lines)
    shell: Shell[night.Night] = Shell(
        clock,
        camera,
        display,
        buttons,
        functools.partial(service.make_eyes, _settings(wish), Path(os.devnull)),
        journal,
        state,
        step=night.step,
        effects=effects,
        pace=SIMULATED,
        observe=tally.observe,
    )
    return Evening(game, world, people, table, camera, chip, shell, tally, options)


def _settings(wish: Wish) -> Settings:
    """The defaults, with the gallery that was asked for. Raises DemoError when it cannot be used: nobody wants to see another one."""
    if wish.gallery is None:
        return DEFAULTS
    from vision.gallery import Gallery, GalleryError

    try:
        Gallery.load(wish.gallery / wish.game)
    except GalleryError as error:
        raise DemoError(str(error)) from error
    return Settings({**DEFAULTS.values, "gallery": str(wish.gallery)})


def _dealer(game: str) -> Any:
    import importlib

    return importlib.import_module(f"engines.{game}.dealing").deal


def _numbers(game: Game, players: int, options: Mapping[str, str]) -> Catalogue:
    """The shipped numbers, or the house set where they do not suffice. Raises DemoError for options with which nobody can play."""
    if not game.rules.lacks(players, options, shipped(game.id)):
        return shipped(game.id)
    lacks = game.rules.lacks(players, options, house(game.id))
    if lacks:
        raise DemoError(f"{lacks[0].text}: {lacks[0].remedy}")
    return house(game.id)


def _options(game: Game, asked: Sequence[tuple[str, str]]) -> dict[str, str]:
    chosen = {option.name: option.values[0] for option in game.options} | dict(SHORT.get(game.id, {}))
    for name, value in asked:
        known = next((option for option in game.options if option.name == name), None)
        if known is None or value not in known.values:
            all_ = "; ".join(f"{option.name}={'|'.join(option.values)}" for option in game.options)
            raise DemoError(f"{game.name} has no option {name}={value}; there are: {all_}")
        chosen[name] = value
    return chosen


def figures(evening: Evening, wish: Wish, startup: float) -> dict[str, Any]:
    """The night in numbers: one JSON object."""
    diary, names, shell = evening.people.diary, evening.people.names, evening.shell
    match = shell.night.match
    totals = match.score().totals if match is not None else (0,) * len(names)
    outcome = match.outcome() if match is not None else None
    truth = evening.world.score().totals
    return {
        "game": wish.game,
        "players": len(names),
        "options": evening.options,
        "seed": wish.seed,
        "frames": shell.frames,
        "moves": len(evening.tally.written),
        "asked": diary.asked,
        "wrong_commits": evening.tally.wrong,
        "legal_refused": diary.legal_refused,
        "illegal_tried": diary.illegal_tried,
        "illegal_named": diary.illegal_named,
        "illegal_missed": diary.illegal_missed,
        "illegal_unseen": diary.illegal_unseen,
        "first_proposal_right": round(diary.first_proposal_right, 4),
        "score": dict(zip(names, totals, strict=True)),
        "true_score": dict(zip(names, truth, strict=True)),
        "winner": [names[seat] for seat in outcome.winners] if outcome else [],
        "read_ms": shell.timings.summary("read"),
        "startup_s": round(startup, 2),
        "rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def main(argv: Sequence[str]) -> int:
    """``thoth demo``. Returns 0 if the night ended, 1 if the people gave up."""
    wish, args = _parse(argv)
    to_stderr(logging.DEBUG if args.verbose else logging.WARNING)
    for chatty in ("PIL", "luma"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(143)
    )  # by way of the end: the journal's folder goes too
    watched = not args.json and can_draw(sys.stdout)
    with (
        tempfile.TemporaryDirectory(prefix="thoth-") as folder,
        Journal(Path(folder) / "journal.db") as journal,
    ):
        if watched:
            from firmware.commands.watch import PacedClock, Watcher

            print("The table is being laid; Ctrl-C ends the night.", flush=True)
            clock: SimulatedClock = PacedClock(args.speed)
        else:
            clock = SimulatedClock()
        evening = prepare(wish, clock, journal, lines=not args.json and not watched)
        startup = _age()
        if watched:
            clock.on_advance(Watcher(evening).draw)
        code = _play(evening)
        if args.json:
            print(json.dumps(figures(evening, wish, startup)))
        else:
            print(_last_words(evening))
        if args.verbose:
            for note in evening.people.diary.notes:
                log.info("people: %s", note)
    return code


def can_draw(stream: TextIO | None) -> bool:
    """Whether a stream is a terminal that knows colours, places and the signs that pictures are drawn with."""
    if stream is None or not stream.isatty() or os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False
    try:
        "▀⣿┌".encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _play(evening: Evening) -> int:
    from hardware.simulated.people import LostPatienceError

    try:
        evening.shell.run_until(lambda: bool(evening.people.done))
    except LostPatienceError as lost:
        print(f"thoth demo: the night did not end: {lost}", file=sys.stderr)
        return 1
    finally:
        evening.shell.close()
    return 0


def _last_words(evening: Evening) -> str:
    match = evening.shell.night.match
    if match is None or (outcome := match.outcome()) is None:
        return "The game has not ended."
    names = evening.people.names
    score = ", ".join(f"{name} {total}" for name, total in zip(names, match.score().totals, strict=True))
    winners = " and ".join(names[seat] for seat in outcome.winners)
    return f"{score}: {winners} wins ({outcome.decided_by})."


def _parse(argv: Sequence[str]) -> tuple[Wish, argparse.Namespace]:
    parser = argparse.ArgumentParser(
        prog="thoth demo", description=_HELP, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--game", default="tanis", choices=tuple(PRESENT), metavar="GAME", help="default: tanis"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which night (default: 1)")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (default: the game's own)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game; may be repeated"
    )
    parser.add_argument(
        "--mistakes",
        type=float,
        default=0.0,
        metavar="P",
        help="chance per turn that somebody breaks a rule (0-1)",
    )
    parser.add_argument("--json", action="store_true", help="do not watch: the last line is one JSON object")
    parser.add_argument(
        "--size",
        metavar="WxH",
        help="the camera's picture in px (default: 1536x864; 2304x1296 for a table larger than a mat)",
    )
    parser.add_argument(
        "--gallery",
        type=Path,
        metavar="DIR",
        help="read the table by these galleries, as the setting gallery says (default: Thoth's own printed faces)",
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=6.0,
        metavar="X",
        help="how much faster than life to watch (default: 6)",
    )
    parser.add_argument("--verbose", action="store_true", help="details to stderr")
    args = parser.parse_args(list(argv))
    try:
        options = tuple((name, value) for name, value in (word.split("=", 1) for word in args.option))
        width, height = (int(side) for side in (args.size or "1536x864").split("x"))
    except ValueError:
        raise DemoError("write options as --option name=value and the size as --size 1536x864") from None
    if not 0 <= args.mistakes <= 1 or not 0 < args.speed < math.inf:
        raise DemoError("--mistakes is a chance between 0 and 1, --speed is more than 0")
    if args.seed < 0:
        raise DemoError("--seed is a whole number from 0 on: --seed 7")
    if not (SMALLEST[0] <= width <= LARGEST[0] and SMALLEST[1] <= height <= LARGEST[1]):
        raise DemoError(
            f"--size is from {SMALLEST[0]}x{SMALLEST[1]} to {LARGEST[0]}x{LARGEST[1]}: --size 1536x864"
        )
    size = (width, height) if args.size else None
    return Wish(args.game, args.seed, args.players, options, args.mistakes, size, args.gallery), args


def _age() -> float:
    """Seconds since this process began; from the kernel where it tells, so that imports count too."""
    try:
        ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, IndexError, ValueError):
        return time.process_time()
