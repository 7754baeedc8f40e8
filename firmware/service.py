"""The service: one process that runs nights until it is stopped, with whatever parts are there."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from engines import table_games
from engines.catalogue import Catalogue
from engines.table import Layout
from firmware import entries, night, parts, records, texts
from firmware.events import Effect
from firmware.journal import Journal, JournalError
from firmware.light import Light
from firmware.notices import JOURNAL_DAMAGED, NUMBERS_FAULTY, good_night, plain, settings_faulty, starting
from firmware.notify import Notifier
from firmware.numbers import NumbersError, catalogue_for, own
from firmware.pace import Pace
from firmware.ports import Eyes
from firmware.settings import Settings, load, on_a_pi
from firmware.shell import Shell
from hardware.clock import Clock, SystemClock
from hardware.display.screen import Display

if TYPE_CHECKING:
    from firmware.recording import Recording
    from vision.gallery import Gallery

log = logging.getLogger("thoth")

JOURNAL = "journal.db"
CALIBRATION = "calibration.toml"
_READ_FIRST = 2.0
"""Seconds for which the start screen stays when it has something to say."""
_JOURNAL_AGAIN = 5.0
_SCALE = 4.0  # px per mm of the printed set's pictures


class ServiceError(Exception):
    """The service cannot start, or an export cannot be made; the sentence says what to do."""


class Stop:
    """Set by SIGTERM and SIGINT; the loop ends at its next round."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, number: int = 0, frame: FrameType | None = None) -> None:
        self.asked = True


def run(config: Path | None, state_dir: Path | None, record: Path | None, verbose: bool) -> int:
    """``thoth run``. Returns when the service was stopped or the players switched it off."""
    stop = Stop()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, stop)
    settings, faults = load(config)
    log_to_stderr(verbose, settings)
    for fault in faults:
        log.error("settings, %s", fault)
    numbers, sound = own_numbers(config)
    folder = state_dir or settings.state_dir
    record = record or (
        Path(settings.text("recording.folder")).expanduser() if settings.text("recording.folder") else None
    )
    clock = SystemClock()
    notifier = Notifier()
    with alone(folder):
        display = parts.display(settings)
        told = (*([settings_faulty(len(faults))] if faults else []), *([] if sound else [NUMBERS_FAULTY]))
        off = _serve(settings, told, numbers, folder, record, clock, display, notifier, stop)
    if off and on_a_pi():
        done = subprocess.run(["systemctl", "poweroff"], check=False)
        if done.returncode:
            log.error(
                "systemctl poweroff was refused (%d): the user thoth needs a polkit rule for it",
                done.returncode,
            )
    return 0


def log_to_stderr(verbose: bool, settings: Settings) -> None:
    """To stderr; where the display is drawn into the same terminal, only what matters."""
    drawn = settings.kind("display.driver") == "terminal" and sys.stdout.isatty() and sys.stderr.isatty()
    level = logging.DEBUG if verbose else logging.ERROR if drawn else logging.INFO
    logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")
    for chatty in ("PIL", "luma", "picamera2"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _serve(
    settings: Settings,
    faulty: tuple[str, ...],
    numbers: Mapping[str, Catalogue],
    folder: Path,
    record: Path | None,
    clock: Clock,
    display: parts.Keeper[Display],
    notifier: Notifier,
    stop: Stop,
) -> bool:
    """One life of the service; True when the players switched it off. ``faulty``: what to say of the owner's files."""
    _greet(display, clock, ())
    light = Light(folder / CALIBRATION)
    camera = parts.camera(settings, clock, lambda: light.exposure)
    buttons = parts.buttons(settings)
    with _journal(folder, display, clock, notifier, stop) as journal:
        now = clock.monotonic()
        for keeper in (camera, buttons):
            keeper.open_if_due(now)
        missing = [keeper.news[-1] for keeper in (camera, display, buttons) if keeper.news]
        told = [advice for advice in missing if advice]
        if journal.notice:
            log.error("%s", journal.notice)
            told.insert(0, JOURNAL_DAMAGED)
        told[:0] = faulty
        tongue = texts.load(settings.text("language"))
        seed = int.from_bytes(os.urandom(4))
        recorder = _recorder(record, settings, journal, seed, numbers)
        state, effects = resume(journal, settings, seed, tongue, numbers=numbers)

        def failsafe() -> tuple[night.Night, tuple[Effect, ...]]:
            if recorder is not None:
                recorder.restart(journal.entries(), failed=True)
            return resume(journal, settings, seed, tongue, failed=True, numbers=numbers)

        shell: Shell[night.Night] = Shell(
            clock,
            camera,
            display,
            buttons,
            functools.partial(make_eyes, settings, folder),
            journal,
            state,
            effects=(),
            pace=Pace(),
            recorder=recorder,
            light=light,
            failsafe=failsafe,
            export=functools.partial(keep_record, folder, journal),
        )
        notifier.ready()
        log.info("ready%s", "".join(f"; {advice!r}" for advice in told))
        _greet(display, clock, told, stop)
        shell.begin(effects)
        beat = _Heart(shell, notifier, clock)
        try:
            shell.run_until(lambda: beat() or stop.asked)
        finally:
            notifier.stopping()
            _farewell(display, off=shell.off)
            shell.close()
            if recorder is not None:
                recorder.close()
        return shell.off


def keep_record(folder: Path, journal: Journal, state: night.Night) -> tuple[str, str]:
    """Write the record of the game on hand: its file's name and "", or "" and what to do."""
    if state.match is None:
        return "", "There is no game yet"
    try:
        path = records.keep(folder, state.match, journal.nights()[-1].begun)
    except (records.NotWritten, JournalError) as error:
        log.error("%s", error)
        return "", error.advice
    log.info("record: %s", path)
    return path.name, ""


def resume(
    journal: Journal,
    settings: Settings,
    seed: int,
    tongue: texts.Texts,
    failed: bool = False,
    numbers: Mapping[str, Catalogue] | None = None,
) -> tuple[night.Night, tuple[Effect, ...]]:
    """The night that the journal leads to; what was damaged in it is in the log. ``failed``: after a fault of the program."""
    again = night.failsafe if failed else night.resume
    state, effects = again(table_games(), journal.entries(), settings.names, seed, tongue, numbers)
    if state.trouble:
        log.error("%s, %s: the game goes on at the last sound entry", journal.path, state.trouble)
    return state, effects


class _Heart:
    """Called every round: tells systemd that the loop turns, and what stands on the display."""

    def __init__(self, shell: Shell[night.Night], notifier: Notifier, clock: Clock) -> None:
        self._shell, self._notifier, self._clock = shell, notifier, clock
        self._due = 0.0

    def __call__(self) -> bool:
        now = self._clock.monotonic()
        if now >= self._due:
            self._due = now + 1.0
            self._notifier.alive()
            if self._shell.screen is not None:
                self._notifier.status(plain(self._shell.screen))
        return False


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock: two services would write one journal. Raises ServiceError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise ServiceError(
            f"{folder}: the state folder cannot be used ({error.strerror}); choose another with --state-dir"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ServiceError(
                f"{folder}: another Thoth is running on this state folder; stop it (sudo systemctl stop thoth) "
                "or choose another with --state-dir"
            ) from error
        yield


@contextlib.contextmanager
def _journal(
    folder: Path, display: parts.Keeper[Display], clock: Clock, notifier: Notifier, stop: Stop
) -> Iterator[Journal]:
    """The journal; under systemd, where nobody sees an error message, the display says what is wrong until it is right."""
    while True:
        try:
            journal = Journal(folder / JOURNAL)
            break
        except JournalError as error:
            if "NOTIFY_SOCKET" not in os.environ:
                raise
            log.error("%s", error)
            notifier.status(str(error))
            notifier.ready()
            _greet(display, clock, [error.advice])
            until = clock.monotonic() + _JOURNAL_AGAIN
            while clock.monotonic() < until:
                notifier.alive()
                clock.sleep(0.5)
                if stop.asked:
                    raise
    with journal:
        yield journal


def _greet(
    display: parts.Keeper[Display], clock: Clock, told: list[str] | tuple[()], stop: Stop | None = None
) -> None:
    """The start screen: that Thoth is coming, and what is missing, one thing after the other."""
    display.open_if_due(clock.monotonic())
    if (shown := display.part) is None:
        return
    if not told:
        shown.show(starting())
        return
    for advice in told:
        shown.show(starting(advice))
        until = clock.monotonic() + _READ_FIRST
        while stop is not None and not stop.asked and clock.monotonic() < until:
            clock.sleep(0.1)
            shown.tick(clock.monotonic())


def _farewell(display: parts.Keeper[Display], off: bool) -> None:
    if (shown := display.part) is not None:
        shown.show(good_night(off))


def own_numbers(config: Path | None) -> tuple[dict[str, Catalogue], bool]:
    """The owner's numbers for the games at the table, and whether their files are sound. A file with a fault is left out whole: a
    game by half of it would be neither the owner's nor the shipped one."""
    found: dict[str, Catalogue] = {}
    if not own(config.parent if config else None):
        return found, True
    for game in table_games():
        try:
            found[game] = catalogue_for(game, beside=config.parent if config else None)
        except (NumbersError, OSError) as error:
            log.error("numbers: %s", error)
            return {}, False
    return found, True


def make_eyes(settings: Settings, folder: Path, layout: Layout) -> Eyes:
    """Eyes for a layout: the owner's gallery, or the printed set; the calibration of the state folder if there is one."""
    from vision.eyes import Eyes as RealEyes

    return RealEyes(layout, _gallery(settings, layout), Light(folder / CALIBRATION).calibration)


def _gallery(settings: Settings, layout: Layout) -> Gallery:
    from vision.gallery import Gallery, GalleryError

    if chosen := settings.text("gallery"):
        try:
            return Gallery.load(Path(chosen).expanduser() / layout.game).fitted(layout)
        except GalleryError as error:
            log.error("%s; using the printed set", error)
    from hardware.print.faces import draw_face

    pictures = {
        face.identity: draw_face(face, layout.kind(face.kind), _SCALE, layout.game) for face in layout.faces
    }
    return Gallery.from_pictures(layout, pictures, _SCALE)


def _recorder(
    record: Path | None, settings: Settings, journal: Journal, seed: int, numbers: Mapping[str, Catalogue]
) -> Recording | None:
    if record is None:
        return None
    from firmware.recording import Recording

    limit = settings.number("recording.megabytes") * 1_000_000
    return Recording(record, limit, journal.entries(), settings.names, seed, numbers)


@contextlib.contextmanager
def _snapshot(path: Path) -> Iterator[Journal]:
    """The journal as it is now, in a copy: the service may be writing it, and nobody who only reads may set a damaged one aside."""
    with tempfile.TemporaryDirectory(prefix="thoth-") as folder:
        for suffix in ("", "-wal"):
            if (part := path.with_name(path.name + suffix)).exists():
                shutil.copy(part, Path(folder) / part.name)
        with Journal(Path(folder) / path.name) as journal:
            yield journal


def export(
    config: Path | None,
    state_dir: Path | None,
    number: int | None,
    out: Path | None,
    *,
    list_nights: bool = False,
) -> int:
    """``thoth export``: the record of one night of the journal. Raises ServiceError when there is none."""
    from engines import record

    settings, _ = load(config)
    path = (state_dir or settings.state_dir) / JOURNAL
    if not path.exists():
        raise ServiceError(f"{path} does not exist; give the folder of the journal with --state-dir")
    with _snapshot(path) as journal:
        if journal.notice:
            print(f"{path} is damaged: what can be read of it follows", file=sys.stderr)
        nights = journal.nights()
        if list_nights:
            for one in nights:
                match = entries.replay(table_games(), journal.entries(one.number)).match
                who = f"{match.game.name}: {', '.join(match.names)}" if match else "no game"
                print(f"{one.number:4d}  {one.begun[:16].replace('T', ' ')}  {who}")
            return 0
        if not nights:
            raise ServiceError(f"{path} holds no night yet; play one with thoth run")
        wanted = number if number is not None else nights[-1].number
        if wanted not in {one.number for one in nights}:
            raise ServiceError(f"there is no night {wanted}; thoth export --list shows those there are")
        match = entries.replay(table_games(), journal.entries(wanted)).match
    if match is None:
        raise ServiceError(f"night {wanted} holds no game that can be read")
    text = record.write(match)
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, "utf-8")
        print(f"{out}: night {wanted}, {len(match.moves)} moves")
    return 0
