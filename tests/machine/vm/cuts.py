"""Power cuts, from the log of all that was written to a disk (qemu's blklogwrites, whose format is that of the kernel's dm-log-writes).

A disk may have kept any part of what was written since the last flush, and must have kept all before it. So a cut at an entry of the log is
the disk as it began, with every write up to the last flush before the cut, and of those after it none, all, or some by lot.
"""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.machine.container import WrongError
from tests.machine.people import moves_in

MAGIC, VERSION = 0x6A736677736872, 1
_FLUSH, _FUA, _DISCARD = 1, 2, 4
_SUPER = struct.Struct("<QQQI")
_ENTRY = struct.Struct("<QQQQ")
LOSSES = ("none of it", "all of it", "some of it")
"""What the disk kept of what was written since its last flush."""


@dataclass(frozen=True, slots=True)
class Entry:
    """``sector``, ``count``: where and how much, in sectors; ``data``: where in the log it lies; ``end``: of the whole entry, in bytes."""

    sector: int
    count: int
    flags: int
    data: int
    end: int

    @property
    def flush(self) -> bool:
        return bool(self.flags & _FLUSH)


@dataclass(frozen=True, slots=True)
class Log:
    path: Path
    sector: int
    entries: tuple[Entry, ...]

    def at(self, length: int) -> int:
        """How many entries were whole when the log was ``length`` bytes long."""
        return sum(1 for entry in self.entries if entry.end <= length)


@dataclass(frozen=True, slots=True)
class Cut:
    """Behind ``entry`` entries of the log; ``kept``: one of LOSSES."""

    entry: int
    kept: str


def read_log(path: Path) -> Log:
    """Raises WrongError for a file that is no such log. A last entry that is not whole is left out."""
    size = path.stat().st_size
    with path.open("rb") as log:
        magic, version, _, sector = _SUPER.unpack(log.read(_SUPER.size))
        if (magic, version) != (MAGIC, VERSION):
            raise WrongError(f"{path.name} is no log of block writes: magic {magic:#x}, version {version}")
        entries = []
        at = sector
        while at + sector <= size:
            log.seek(at)
            where, count, flags, _ = _ENTRY.unpack(log.read(_ENTRY.size))
            if not count and not flags:
                break  # room that was made ready and not used
            data = at + sector
            at = data + (0 if flags & _DISCARD else count * sector)
            if at > size:
                break
            entries.append(Entry(where, count, flags, data, at))
    return Log(path, sector, tuple(entries))


def replay(log: Log, first: Path, cut: Cut, made: Path, rng: random.Random) -> None:
    """The disk after ``cut``, at ``made``; ``first``: as it was before anything was logged."""
    shutil.copyfile(first, made)
    before = log.entries[: cut.entry]
    flushed = max((index for index, entry in enumerate(before) if entry.flush), default=-1)
    with log.path.open("rb") as source, made.open("r+b") as disk:
        for index, entry in enumerate(before):
            sure = index <= flushed or entry.flags & _FUA
            lost = cut.kept == LOSSES[0] or (cut.kept == LOSSES[2] and rng.random() < 0.5)
            if not entry.count or (not sure and lost):
                continue
            disk.seek(entry.sector * log.sector)
            if entry.flags & _DISCARD:
                disk.write(bytes(entry.count * log.sector))
            else:
                source.seek(entry.data)
                disk.write(source.read(entry.count * log.sector))


def points(log: Log, acknowledged: Sequence[int], count: int, rng: random.Random) -> list[Cut]:
    """At least ``count`` cuts where the log is long enough: at the very moment of each acknowledgement (``acknowledged``: bytes of the log by
    then), where nothing unflushed is kept, and as many again or more anywhere between the first one and the end."""
    moments = sorted({log.at(length) for length in acknowledged})
    others = sorted({*range(moments[0], len(log.entries) + 1)} - {*moments})
    more = sorted(rng.sample(others, min(len(others), max(count - len(moments), len(moments)))))
    found = [Cut(entry, LOSSES[0]) for entry in moments]
    found += [Cut(entry, LOSSES[index % 3]) for index, entry in enumerate(more)]
    return sorted(found, key=lambda cut: cut.entry)


@contextlib.contextmanager
def mounted(disk: Path, place: Path) -> Iterator[Path]:
    """The file system on ``disk``, its own journal carried out as at a boot. Raises WrongError when it cannot be mounted."""
    place.mkdir(exist_ok=True)
    done = subprocess.run(["mount", "-o", "loop", disk, place], capture_output=True, text=True, check=False)
    if done.returncode:
        raise WrongError(f"after a power cut the file system cannot be mounted: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True, capture_output=True)


def look(state: Path, acknowledged: Sequence[str]) -> int:
    """Moves in the journal below ``state``. Raises WrongError unless the database is whole and holds the ``acknowledged`` moves, in their
    order and before all others."""
    journal = state / "journal.db"
    if not journal.exists():
        raise WrongError("no journal")
    with contextlib.closing(sqlite3.connect(journal)) as database:
        (said,) = database.execute("PRAGMA integrity_check").fetchone()
    if said != "ok":
        raise WrongError(f"integrity_check: {said}")
    found = moves_in(journal)
    if found[: len(acknowledged)] != list(acknowledged):
        raise WrongError(f"acknowledged were {list(acknowledged)}, the journal holds {found}")
    return len(found)
