"""A USB stick, or the folder ``thoth`` on the boot partition: how files come into a box without keyboard and network, and out of it.

On a stick everything lies in its folder ``thoth``:

    thoth.toml                      settings; what they do not say stays as it was
    numbers.toml, <game>.toml       numbers printed on the owner's components, and the map of Papyrus
    names.txt                       players, one name a line
    gallery/<game>/                 a gallery (thoth enrol)
    records/, report-*.zip, ...     what Thoth was asked to write

What is sound is copied into the state folder (``brought/``), so that the stick may be pulled out; a file with a fault is left out whole,
and what stood there before stays in force. Every fault is told on the display, and all of them in ``thoth/faults.txt`` on the stick.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engines import table_games
from firmware import numbers
from firmware import settings as own_settings
from firmware.settings import NAME_LENGTH
from firmware.written import records

log = logging.getLogger("thoth")

HOME = "thoth"
"""The folder on a stick that is ours; nothing else of it is looked at."""
BROUGHT = "brought"
SETTINGS, NAMES, GALLERY, FAULTS, SEEN = "thoth.toml", "names.txt", "gallery", "faults.txt", "seen.json"
GAMES = ("tanis", "archaeology", "ankh", "papyrus")
NUMBERS = (numbers.NAME, *(f"{game}.toml" for game in GAMES))
STICKS = Path("/run/thoth/stick")
BOOT = Path("/boot/firmware/thoth")
REFUSED = ("state_dir", "stick")
"""Settings that a stick cannot change: they say where it is copied to."""
MOST_GALLERY = 200_000_000
"""Bytes; a larger folder is no gallery."""
MOST_NAMES = 24
_MOST_NAMES_FILE = 20_000
_SHOWN = 5
"""Faults that are told one by one on the display."""


@dataclass(frozen=True, slots=True)
class StickFault:
    """One thing wrong on a stick: the file, the line from 1 (0: the file as a whole), what, and what to do."""

    file: str
    line: int
    text: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        return "".join(
            sign if sign.isprintable() else "\ufffd" for sign in f"{where}: {self.text}; {self.remedy}"
        )

    @property
    def short(self) -> str:
        """For the display: where, then what."""
        where = f"{self.file} line {self.line}" if self.line else self.file
        return f"{where[:21]}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Brought:
    """What a stick brought: the kinds of things ("settings", "numbers", "names", "gallery") that are new now, and every fault."""

    new: tuple[str, ...]
    faults: tuple[StickFault, ...]

    def notices(self, quiet: bool = False) -> tuple[str, ...]:
        """What the players are told. ``quiet``: nothing when there is nothing new and no fault (the boot folder at every start)."""
        said = [fault.short for fault in self.faults[:_SHOWN]]
        if len(self.faults) > _SHOWN:
            said.append(f"{len(self.faults) - _SHOWN} more faults: see\nthoth/{FAULTS}")
        if self.new:
            said.append(f"From the stick:\n{', '.join(self.new)}")
        if not said and not quiet:
            said.append("Stick is in. Hold\nDOWN to write to it")
        return tuple(said)


def home(stick: Path) -> Path:
    """Our folder of a stick: a folder that is called so already is it itself."""
    return stick if stick.name == HOME else stick / HOME


def bring(stick: Path, state: Path, quiet: bool = False) -> Brought:
    """Copy what is new and sound on a stick into the state folder. ``quiet``: what this place said once is not taken again (the boot
    folder stands there at every start). Never raises for a fault of the stick."""
    source, target = home(stick), state / BROUGHT
    faults: list[StickFault] = []
    new: dict[str, None] = {}
    try:
        if not source.is_dir():
            return Brought((), ())
        target.mkdir(parents=True, exist_ok=True)
        seen = _seen(target) if quiet else {}
        for kind, name, judge in _FILES:
            with _named(name, faults):
                if (source / name).is_file() and _bring_file(
                    source / name, target / name, judge, faults, seen
                ):
                    new[kind] = None
        with _named(GALLERY, faults):
            if _bring_galleries(source / GALLERY, target / GALLERY, faults, seen):
                new["gallery"] = None
        if quiet:
            records.put(target / SEEN, json.dumps(seen))
    except OSError as error:
        faults.append(_of_disk(stick.name or str(stick), error))
    for fault in faults:
        log.error("%s: %s", stick, fault)
    _tell(source, faults)
    return Brought(tuple(new), tuple(faults))


@contextlib.contextmanager
def _named(name: str, faults: list[StickFault]) -> Iterator[None]:
    """A file that cannot be read is a fault of that file; the others are read all the same."""
    try:
        yield
    except OSError as error:
        faults.append(_of_disk(name, error))


def _of_disk(name: str, error: OSError) -> StickFault:
    return StickFault(name, 0, error.strerror or str(error), "copy it again, or take another stick")


def _bring_file(
    path: Path,
    target: Path,
    judge: Callable[[Path], list[StickFault]],
    faults: list[StickFault],
    seen: dict[str, str],
) -> bool:
    """Whether the file is new, and sound, and now copied."""
    data = path.read_bytes() if path.stat().st_size < 1_000_000 else b""
    mark = hashlib.sha256(data).hexdigest()
    if seen.get(path.name) == mark or (
        target.exists() and target.read_bytes() == data.removeprefix(BOM_UTF8)
    ):
        return False
    found = judge(path)
    faults += found
    if found:
        return False
    seen[path.name] = mark
    records.put(target, data.decode("utf-8-sig"))
    return True


def _judge_settings(path: Path) -> list[StickFault]:
    try:
        settings, found = own_settings.read(path)
    except own_settings.SettingsError as error:
        return [StickFault(path.name, 0, str(error), "copy it again")]
    faults = [
        StickFault(path.name, one.line, f"{one.key}: {one.text}" if one.key else one.text, one.remedy)
        for one in found
    ]
    faults += [
        StickFault(path.name, 0, f"{key}: not from a stick", "take it out")
        for key in REFUSED
        if settings[key] != own_settings.DEFAULTS[key]
    ]
    return faults


def _judge_numbers(path: Path) -> list[StickFault]:
    return [StickFault(path.name, one.line, one.text, one.remedy) for one in numbers.load(path).faults]


def _judge_names(path: Path) -> list[StickFault]:
    return names_of(path)[1]


_FILES: tuple[tuple[str, str, Callable[[Path], list[StickFault]]], ...] = (
    ("settings", SETTINGS, _judge_settings),
    *(("numbers", name, _judge_numbers) for name in NUMBERS),
    ("names", NAMES, _judge_names),
)


def names_of(path: Path) -> tuple[tuple[str, ...], list[StickFault]]:
    """The names of a file, one a line, and its faults; a file that is not there holds none."""
    try:
        with path.open("rb") as file:
            text = file.read(_MOST_NAMES_FILE).decode("utf-8-sig")
    except FileNotFoundError:
        return (), []
    except UnicodeDecodeError:
        return (), [StickFault(path.name, 0, "this is not UTF-8 text", "save the file as UTF-8")]
    found: dict[str, None] = {}
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        name = line.strip()
        if not name or name.startswith("#"):
            continue
        if len(name) > NAME_LENGTH or not name.isprintable():
            faults.append(
                StickFault(
                    path.name, number, "name too long or odd", f"write 1 to {NAME_LENGTH} letters a line"
                )
            )
        elif name in found:
            faults.append(StickFault(path.name, number, "this name was there", "write each name once"))
        else:
            found[name] = None
    if len(found) > MOST_NAMES:
        faults.append(StickFault(path.name, 0, f"more than {MOST_NAMES} names", "take some out"))
    return tuple(found)[:MOST_NAMES], faults


def _bring_galleries(source: Path, target: Path, faults: list[StickFault], seen: dict[str, str]) -> bool:
    new = False
    for folder in sorted(source.iterdir()) if source.is_dir() else ():
        name = f"{GALLERY}/{folder.name}"
        if not folder.is_dir() or folder.name.startswith("."):
            continue
        if folder.name not in GAMES:
            faults.append(
                StickFault(name, 0, "there is no such game", f"call the folder one of {', '.join(GAMES)}")
            )
            continue
        with _named(name, faults):
            new |= _bring_gallery(folder, target / folder.name, name, faults, seen)
    return new


def _bring_gallery(
    folder: Path, target: Path, name: str, faults: list[StickFault], seen: dict[str, str]
) -> bool:
    from vision.gallery import INDEX, Gallery, GalleryError

    index = folder / INDEX
    mark = hashlib.sha256(index.read_bytes()).hexdigest() if index.exists() else ""
    if mark and (
        seen.get(name) == mark
        or ((target / INDEX).exists() and (target / INDEX).read_bytes() == index.read_bytes())
    ):
        return False
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size > MOST_GALLERY:
        faults.append(StickFault(name, 0, "far too large for a gallery", "copy the gallery's folder alone"))
        return False
    try:
        found = Gallery.load(folder)
        damage = found.damage
        if not damage and (game := table_games().get(folder.name)) is not None:
            found.fitted(game.reading.layout(game.players[0], game.defaults))
    except GalleryError as error:
        damage = (str(error),)
    if damage:
        faults += [StickFault(name, 0, one, "copy the gallery again") for one in damage]
        return False
    aside, before = target.with_name(target.name + ".new"), target.with_name(target.name + ".old")
    for left in (aside, before):
        shutil.rmtree(left, ignore_errors=True)
    shutil.copytree(folder, aside)
    if target.exists():
        target.rename(before)
    aside.rename(target)
    shutil.rmtree(before, ignore_errors=True)
    seen[name] = mark
    return True


def _seen(target: Path) -> dict[str, str]:
    try:
        said = json.loads((target / SEEN).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in said.items()} if isinstance(said, dict) else {}


def _tell(source: Path, faults: list[StickFault]) -> None:
    """All faults in a file beside what they are about; a stick that may not be written has them on the display alone."""
    path = source / FAULTS
    with contextlib.suppress(OSError):
        if faults:
            records.put(path, "".join(f"{fault}\n" for fault in faults))
        elif path.exists():
            path.unlink()


class Sticks:
    """Which sticks are in. ``poll`` gives those that have come since it was last asked, each as (folder, quiet)."""

    def __init__(self, given: str, sticks: Path = STICKS, boot: Path = BOOT) -> None:
        self._given = Path(given).expanduser() if given else None
        self._sticks, self._boot = sticks, boot
        self._known: dict[Path, object] = {}

    def poll(self) -> tuple[tuple[Path, bool], ...]:
        there = self._there()
        come = tuple(
            (path, path == self._boot) for path, mark in there.items() if self._known.get(path) != mark
        )
        self._known = there
        return come

    def faults(self) -> tuple[str, ...]:
        """What to tell of sticks that came and could not be mounted: the unit that mounts them leaves a note, which is taken here."""
        found = []
        with contextlib.suppress(OSError):
            for path in sorted(self._sticks.glob("*.fault")):
                kind = path.read_text("utf-8", errors="replace").strip()[:12]
                path.unlink()
                log.error("a stick with the file system %s cannot be read", kind or "of no known kind")
                found.append(UNKNOWN)
        return tuple(found)

    @property
    def writable(self) -> Path | None:
        """The stick to write to: the one that came last; None when there is none."""
        for path in reversed(self._there()):
            if path != self._boot:
                return path
        return None

    def _there(self) -> dict[Path, object]:
        found: dict[Path, object] = {}
        for path, mounted in self._candidates():
            with contextlib.suppress(OSError):
                # The folder stands there a moment before the stick is mounted on it.
                if path.is_dir() and (not mounted or os.path.ismount(path)):
                    said = path.stat()
                    found[path] = (said.st_dev, said.st_ino)
        return found

    def _candidates(self) -> list[tuple[Path, bool]]:
        found = [(self._boot, False)]
        if self._given is not None:
            found.append((self._given, False))
        with contextlib.suppress(OSError):
            entries = [path for path in self._sticks.iterdir() if path.is_dir()]
            found += [(path, True) for path in sorted(entries, key=lambda path: path.stat().st_mtime)]
        return found


@dataclass(frozen=True, slots=True)
class Cargo:
    """Something to be written to a stick: files by their path below ``thoth/``, as text or as a file to copy, and what to say after it."""

    files: Mapping[str, str | bytes | Path]
    said: str


UNKNOWN = "stick of no known\nkind: format as FAT32"
FAILED_READING = "stick not read:\ntry another stick"
FULL, READ_ONLY, FAILED = "stick is full:\nfree some space", "stick is read-only:\nfree its switch", "not written:\ntry another stick"  # fmt: skip


def carry(stick: Path, cargo: Cargo) -> str:
    """Write to a stick, all the way onto it; what to tell the players (two lines of 21 characters). A file that is there already and the
    same is left alone."""
    import errno

    try:
        for name, what in cargo.files.items():
            _carry_one(home(stick) / name, what.read_bytes() if isinstance(what, Path) else what)
    except OSError as error:
        log.error("%s: %s", stick, error)
        return {errno.ENOSPC: FULL, errno.EROFS: READ_ONLY}.get(error.errno or 0, FAILED)
    return cargo.said


def _carry_one(path: Path, what: str | bytes) -> None:
    data = what.encode() if isinstance(what, str) else what
    if path.exists() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".new")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    handle = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
