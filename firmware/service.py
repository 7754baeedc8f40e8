"""The service: one process that runs nights until it is stopped, with whatever parts are there."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from engines import table_games
from engines.catalogue import BASES, Catalogue, laid
from engines.table import Layout
from firmware import night, notices, numbers, texts
from firmware.box import parts, stick
from firmware.box.eyesaside import aside
from firmware.box.light import CALIBRATION, Light
from firmware.box.logtail import Tail, to_stderr
from firmware.box.notify import Notifier
from firmware.box.pace import Pace
from firmware.box.renewal import Renewal
from firmware.box.roster import roster
from firmware.box.stop import Hangup, Overdue, Stop, listening
from firmware.events import Effect
from firmware.notices import good_night, starting
from firmware.numbers import NumbersError
from firmware.ports import Eyes
from firmware.settings import Settings, load, on_a_pi
from firmware.shell import Shell
from firmware.written import records
from firmware.written.journal import NAME as JOURNAL
from firmware.written.journal import Journal, JournalError
from hardware.clock import Clock, SystemClock
from hardware.display.screen import Display, Screen

if TYPE_CHECKING:
    from firmware.written.recording import Recording
    from hardware.camera.frame import Camera
    from vision.gallery import Gallery

log = logging.getLogger("thoth")
T = TypeVar("T")

_READ_FIRST = 2.0
"""Seconds for which the start screen stays when it has something to say."""
_CAMERA_FIRST = 1.0
"""Seconds for which the start screen waits to hear whether there is a camera."""
_AGAIN = 2.0
_SCALE = 4.0  # px per mm of the printed set's pictures


class ServiceError(Exception):
    """The service cannot start; the sentence says what to do."""


class FolderError(ServiceError):
    """The state folder cannot be used now. ``advice``: for a player, two lines of 21 characters."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def run(config: Path | None, state_dir: Path | None, record: Path | None, verbose: bool) -> int:
    """``thoth run``. Returns when the service was stopped or the players switched it off."""
    stop, hangup = Stop(), Hangup()
    off = False
    with listening(stop, hangup):
        off = _serve(config, state_dir, record, verbose, stop, hangup)
    if off and on_a_pi():
        done = subprocess.run(["systemctl", "poweroff"], check=False)
        if done.returncode:
            log.error(
                "systemctl poweroff was refused (%d): the user thoth needs a polkit rule for it",
                done.returncode,
            )
            shown = parts.display(load(config)[0])
            shown.open_if_due(0.0)
            _say(shown, notices.still_on(), SystemClock())
            shown.close()
    return 0


def log_to_stderr(verbose: bool, settings: Settings) -> None:
    """To stderr; where the display is drawn into the same terminal, only what matters."""
    drawn = settings.kind("display.driver") == "terminal" and sys.stdout.isatty() and sys.stderr.isatty()
    level = logging.DEBUG if verbose else logging.ERROR if drawn else logging.INFO
    to_stderr(level)
    for chatty in ("PIL", "luma", "picamera2"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _serve(
    config: Path | None,
    state_dir: Path | None,
    record: Path | None,
    verbose: bool,
    stop: Stop,
    hangup: Hangup,
) -> bool:
    """One life of the service; True when the players switched it off."""
    clock, notifier = SystemClock(), Notifier()
    settings, faults = load(config)
    folder = state_dir or settings.state_dir
    brought = folder / stick.BROUGHT
    settings, faults = load(config, (brought / stick.SETTINGS,))
    log_to_stderr(verbose, settings)
    tail = Tail()
    for fault in faults:
        log.error("settings, %s", fault)
    own, sound = own_numbers(config, brought)
    record = record or _folder(settings, "recording.folder")
    display = parts.display(settings)
    with contextlib.ExitStack() as held:
        patiently = functools.partial(_patiently, display, clock, notifier, stop)
        try:
            patiently(lambda: held.enter_context(alone(folder)))
        except ServiceError as error:
            notifier.status(str(error))
            raise
        _greet(display, clock, ())
        light = Light(folder / CALIBRATION)
        camera = parts.camera(settings, clock, lambda: light.exposure, aside=True, night=lambda: shell.night)
        buttons, signals = parts.buttons(settings), parts.signals(settings, clock)
        journal = patiently(lambda: held.enter_context(Journal(folder / JOURNAL)))
        for keeper in (camera, buttons, signals):
            keeper.open_if_due(clock.monotonic())
        tongue = texts.load(settings.text("language"))
        seed = int.from_bytes(os.urandom(4))
        names = roster((*settings.names, *stick.names_of(brought / stick.NAMES)[0]), journal)
        recorder = _recorder(record, settings, journal, names, seed, own)
        state, effects = resume(journal, names, seed, tongue, numbers=own)
        shell: Shell[night.Night] = Shell(
            clock,
            camera,
            display,
            buttons,
            aside(
                functools.partial(make_eyes, settings, folder, tell=lambda text: shell.tell(text), own=own)
            ),
            journal,
            state,
            effects=(),
            pace=Pace(),
            recorder=recorder,
            light=light,
            signals=signals,
            failsafe=lambda: renewal.failsafe(),
            export=functools.partial(keep_record, folder, journal),
            carry=lambda what: renewal.carry(what),
            chores=lambda now: renewal(now),
        )
        renewal = Renewal(
            shell,
            settings,
            config,
            folder,
            journal,
            recorder,
            own,
            names,
            seed,
            light,
            hangup,
            notifier,
            tail,
        )
        held.callback(_end, shell, recorder)
        notifier.ready()
        if journal.notice:
            log.error("%s", journal.notice)
        worth_knowing = (
            *notices.of_settings(faults),
            *(() if sound else (notices.NUMBERS_FAULTY,)),
            *notices.of_journal(journal),
        )
        _await_camera(camera, clock, stop)
        told = [keeper.told for keeper in (camera, display, buttons, signals) if keeper.told is not None]
        told += [parts.NO_CAMERA] if not camera.wanted else []
        log.info("ready%s", "".join(f"; {advice!r}" for advice in told))
        _greet(display, clock, told, stop)
        patiently(lambda: shell.begin(effects))
        for text in worth_knowing:
            shell.tell(text)
        try:
            shell.run_until(lambda: stop.asked)
        finally:
            notifier.stopping()
            _farewell(display, shell.off)
        return shell.off


def _end(shell: Shell[night.Night], recorder: Recording | None) -> None:
    if recorder is not None:
        recorder.close()
    shell.close()


def _folder(settings: Settings, key: str) -> Path | None:
    return Path(settings.text(key)).expanduser() if settings.text(key) else None


def _patiently(
    display: parts.Keeper[Display], clock: Clock, notifier: Notifier, stop: Stop, attempt: Callable[[], T]
) -> T:
    """What ``attempt`` gives. Under systemd, where nobody sees an error message, the display says what is wrong with the disk until it is
    right; elsewhere JournalError and FolderError are raised."""
    while True:
        try:
            return attempt()
        except (JournalError, FolderError) as error:
            if not notifier.heard:
                raise
            log.error("%s", error)
            notifier.status(str(error))
            notifier.ready()
            _greet(display, clock, [error.advice])
            until = clock.monotonic() + _AGAIN
            while clock.monotonic() < until:
                notifier.alive()
                clock.sleep(0.5)
                if stop.asked:
                    raise Overdue from error  # there is nothing to wait for any more


def _await_camera(camera: parts.Keeper[Camera], clock: Clock, stop: Stop) -> None:
    until = clock.monotonic() + _CAMERA_FIRST
    while camera.opening and not stop.asked and clock.monotonic() < until:
        clock.sleep(0.02)
        camera.open_if_due(clock.monotonic())


def keep_record(folder: Path, journal: Journal, state: night.Night) -> tuple[str, str]:
    """Write the record of the game on hand: its file's name and "", or "" and what to do."""
    if state.match is None:
        return "", "There is no game yet"
    try:
        last = journal.nights()[-1]
        path = records.keep(folder, state.match, last.begun, last.number)
    except (records.NotWritten, JournalError) as error:
        log.error("%s", error)
        return "", error.advice
    log.info("record: %s", path)
    return path.name, ""


def resume(
    journal: Journal,
    names: tuple[str, ...],
    seed: int,
    tongue: texts.Texts,
    failed: bool = False,
    numbers: Mapping[str, Catalogue] | None = None,
) -> tuple[night.Night, tuple[Effect, ...]]:
    """The night that the journal leads to; what was damaged in it is in the log. ``failed``: after a fault of the program."""
    again = night.failsafe if failed else night.resume
    state, effects = again(table_games(), journal.entries(), names, seed, tongue, numbers)
    if state.trouble:
        log.error("%s, %s: the game goes on at the last sound entry", journal.path, state.trouble)
    return state, effects


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock: two services would write one journal. Raises ServiceError; FolderError when it is the folder's fault."""
    path = folder / "lock"
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = path.open("w")
        except OSError:
            lock = path.open(
                "r"
            )  # a disk that has become read-only can still be locked, and the journal says the rest
    except OSError as error:
        raise FolderError(
            f"{folder}: the state folder cannot be used ({error.strerror}); choose another with --state-dir",
            "cannot save: check\nthe state folder",
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


def _greet(
    display: parts.Keeper[Display], clock: Clock, told: list[str] | tuple[()], stop: Stop | None = None
) -> None:
    """The start screen: that Thoth is coming, and what is missing, one thing after the other."""
    display.open_if_due(clock.monotonic())
    for advice in told or [""]:
        _say(display, starting(advice), clock)
        until = clock.monotonic() + (_READ_FIRST if told else 0.0)
        while stop is not None and not stop.asked and clock.monotonic() < until:
            clock.sleep(0.1)


def _farewell(display: parts.Keeper[Display], off: bool) -> None:
    _say(display, good_night(off), SystemClock())


def _say(display: parts.Keeper[Display], screen: Screen, clock: Clock) -> None:
    if (shown := display.part) is not None:
        try:
            shown.show(screen)
            shown.tick(clock.monotonic())
        except Exception as error:
            log.exception("display")
            display.failed(getattr(error, "advice", "display stopped:\nsee the log"), clock.monotonic())


def own_numbers(config: Path | None, brought: Path | None = None) -> tuple[dict[str, Catalogue], bool]:
    """The owner's numbers for the games at the table, those a stick ``brought`` last, and whether their files are sound. A file with a
    fault is left out whole: a game by half of it would be neither the owner's nor the shipped one."""
    files = list(numbers.own(config.parent if config else None))
    files += [
        brought / name
        for name in (stick.NUMBERS if brought else ())
        if brought and (brought / name).is_file()
    ]
    if not files:
        return {}, True
    try:
        read = [numbers.sound(path) for path in files]
    except (NumbersError, OSError) as error:
        log.error("numbers: %s", error)
        return {}, False
    return {game: laid(game, read, BASES["shipped"](game)) for game in table_games()}, True


def make_eyes(
    settings: Settings,
    folder: Path,
    layout: Layout,
    tell: Callable[[str], None] = lambda _: None,
    own: Mapping[str, Catalogue] = MappingProxyType({}),
) -> Eyes:
    """Eyes for a layout: the owner's gallery, or the set and the board that are printed by the ``own`` numbers; the calibration of the state
    folder if there is one. ``tell``: the players, when the owner's gallery cannot be used."""
    from vision.eyes import Eyes as RealEyes

    gallery = _gallery(settings, folder, layout, tell, own.get(layout.game))
    return RealEyes(layout, gallery, Light(folder / CALIBRATION).calibration)


def _gallery(
    settings: Settings,
    folder: Path,
    layout: Layout,
    tell: Callable[[str], None],
    own: Catalogue | None = None,
) -> Gallery:
    from hardware.print.board import standing_pictures
    from hardware.print.faces import boards, drawn
    from vision.gallery import Gallery, GalleryError

    standing = dict(standing_pictures(layout, boards(layout, own)))
    named, came = _folder(settings, "gallery"), folder / stick.BROUGHT / stick.GALLERY
    for chosen in (named, came) if (came / layout.game).is_dir() else (named,):
        if chosen is None:
            continue
        try:
            found = Gallery.load(chosen / layout.game)
            standing |= {name: found.pictures[name] for name in standing if name in found.pictures}
            if standing and not any(face.identity in found.pictures for face in layout.faces):
                break  # an own board, played with the printed cards
            return replace(found, pictures={**standing, **found.pictures}).fitted(layout)
        except GalleryError as error:
            log.error("%s; using the printed set", error)
            tell(notices.GALLERY_FAULTY)
    return Gallery.from_pictures(layout, {**drawn(layout, _SCALE, own), **standing}, _SCALE)


def _recorder(
    record: Path | None,
    settings: Settings,
    journal: Journal,
    names: tuple[str, ...],
    seed: int,
    own: Mapping[str, Catalogue],
) -> Recording | None:
    if record is None:
        return None
    from firmware.written.recording import Recording

    limit = settings.number("recording.megabytes") * 1_000_000
    return Recording(record, limit, journal.entries(), names, seed, own)
