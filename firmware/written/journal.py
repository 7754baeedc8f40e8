"""The journal: what happened at the table, on disk before the display says so.

One SQLite file in WAL mode with ``synchronous=FULL``: ``append`` returns when the entries are durable, and
writes all of them or none. A night is one game's entries, from its header on; its state is the entries replayed. Every row
carries a checksum over itself and the row before it, so that damage is found where it begins; what stands
before it is kept, the damaged file is set aside under a new name, and ``notice`` says so.

Beside the file stands a note of the last entry that was acknowledged. SQLite takes the end of a damaged log for what a power cut left and
forgets it without a word; by the note that is found out, and what the log still holds is taken from it.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

NAME = "journal.db"
_PAGE = 4096  # bytes
VERSION = 1
"""Stands in the file as ``user_version``; a file of a later version is left alone."""
APPLICATION = 0x54484F54  # "THOT", so that ``file`` and other tools can tell whose database this is

_SCHEMA = """
CREATE TABLE night (number INTEGER PRIMARY KEY, begun TEXT NOT NULL);
CREATE TABLE entry (
    sequence INTEGER PRIMARY KEY,
    night INTEGER NOT NULL REFERENCES night (number),
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    written TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE INDEX entry_night ON entry (night, sequence);
"""

Entry = tuple[str, str]
"""(kind, text)"""
HEADER = "header"
"""Entries that start with one of this kind begin a new night."""


class JournalError(Exception):
    """The journal cannot be read or written. ``advice`` is for a player: at most two lines of 21 characters."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


@dataclass(frozen=True, slots=True)
class Night:
    """One night in the journal: its number from 1, when it began (wall time, ISO 8601), how many entries it has."""

    number: int
    begun: str
    entries: int


@dataclass(frozen=True, slots=True)
class _Row:
    sequence: int
    night: int
    kind: str
    text: str
    written: str
    checksum: int

    def checked(self, before: int) -> int:
        return _checksum(before, self.sequence, self.night, self.kind, self.text, self.written)


def _checksum(before: int, *fields: int | str) -> int:
    return zlib.crc32("\x1f".join(map(str, fields)).encode(), before)


def _now() -> str:
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


_BROKEN = (sqlite3.Error, UnicodeError, MemoryError)
"""What SQLite raises; what it says of a damaged file may not even be text."""
_ADVICE: tuple[tuple[str, str, str], ...] = (
    ("disk is full", "the disk is full: nothing was written; free some space", "disk full: free\nspace, try again"),
    ("readonly", "the journal may not be written: check the rights of the file and its folder", "cannot save: journal\nis read-only"),
    ("locked", "another program holds the journal: stop the other Thoth", "journal is in use:\nstop the other Thoth"),
    ("unable to open", "the journal cannot be opened: check that its folder exists and may be written", "cannot save: check\nthe state folder"),
    ("disk i/o", "the disk does not answer: check the card, then start again", "disk error: check\nthe memory card"),
)  # fmt: skip
"""What SQLite says, what that means, and what the player reads."""


_OTHER = "cannot save: see\nthe log"
ADVICE = (*(advice for _, _, advice in _ADVICE), _OTHER)
"""Everything a player may have to read about the journal."""


def _explain(path: Path, error: Exception) -> JournalError:
    said = str(error)
    for key, message, advice in _ADVICE:
        if key in said.lower():
            return JournalError(f"{path}: {message} ({said})", advice)
    return JournalError(f"{path}: {said}", _OTHER)


class Journal:
    """The journal file at ``path``; its folder is made when it is missing.

    Raises JournalError when the file can be neither opened nor set aside, or was written by a later version.
    ``notice`` is None, or a sentence about a damaged file that was set aside.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice: str | None = None
        self.kept = self.lost = 0
        """Entries that were saved from a damaged file, and those that are known to have been lost."""
        self._closed = False
        self._db: sqlite3.Connection
        self._sequence: int = 0
        self._checksum: int = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(
                f"{path.parent}: the state folder cannot be made: {error.strerror}; choose another with --state-dir",
                "cannot save: check\nthe state folder",
            ) from error
        self._open_or_set_aside()

    # -- reading ---------------------------------------------------------------------------------------

    def nights(self) -> tuple[Night, ...]:
        """All nights, oldest first."""
        with self._explained():
            rows = self._db.execute(
                "SELECT number, begun, (SELECT count(*) FROM entry WHERE night = number) FROM night ORDER BY number"
            ).fetchall()
        return tuple(Night(*row) for row in rows)

    def entries(self, night: int | None = None) -> tuple[Entry, ...]:
        """The entries of one night in the order they were written; without a number, those of the last night."""
        with self._explained():
            if night is None:
                night = self._last_night()
            rows = self._db.execute(
                "SELECT kind, text FROM entry WHERE night = ? ORDER BY sequence", (night,)
            ).fetchall()
        return tuple((kind, text) for kind, text in rows)

    def last(self, kinds: Sequence[str], most: int) -> tuple[Entry, ...]:
        """The newest entries of these kinds, of whatever night, newest first."""
        with self._explained():
            rows = self._db.execute(
                f"SELECT kind, text FROM entry WHERE kind IN ({', '.join('?' * len(kinds))}) ORDER BY sequence DESC LIMIT ?",
                (*kinds, most),
            ).fetchall()
        return tuple((kind, text) for kind, text in rows)

    # -- writing ---------------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry]) -> int:
        """Write ``entries`` to the last night (to a new one if they start with a header), all or none.

        Returns the last sequence number.

        They are on the disk when this returns. Raises JournalError when they are not; what was there before
        is untouched and the call may be repeated.
        """
        first = self._sequence + 1
        rows, checksum = [], self._checksum
        written = _now()
        try:
            if not entries:
                return self._sequence
            last = self._last_night()
            night = last + 1 if not last or entries[0][0] == HEADER else last
            for sequence, (kind, text) in enumerate(entries, first):
                checksum = _checksum(checksum, sequence, night, kind, text, written)
                rows.append((sequence, night, kind, text, written, checksum))
            self._db.execute("BEGIN IMMEDIATE")
            if night != last:
                self._db.execute("INSERT INTO night VALUES (?, ?)", (night, written))
            self._db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except _BROKEN as error:
            if not self._arrived_after_all(rows):
                raise _explain(self.path, error) from error
        self._sequence, self._checksum = first + len(rows) - 1, checksum
        _note(self.path, self._sequence)
        return self._sequence

    def close(self) -> None:
        """Close the file; more than once does no harm."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(sqlite3.Error):
                self._db.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- inside ----------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            raise _explain(self.path, error) from error

    def _last_night(self) -> int:
        row = self._db.execute("SELECT max(number) FROM night").fetchone()
        return int(row[0] or 0)

    def _arrived_after_all(self, rows: list[tuple[int, int, str, str, str, int]]) -> bool:
        # A commit that reports an error may still have reached the disk; only the file itself knows.
        with contextlib.suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        if not rows:
            return False
        try:
            self._db.close()
            self._db = _connect(self.path)
            found = self._db.execute(
                "SELECT checksum FROM entry WHERE sequence = ?", (rows[-1][0],)
            ).fetchone()
        except _BROKEN:
            return False
        return found is not None and int(found[0]) == rows[-1][-1]

    def _open_or_set_aside(self) -> None:
        try:
            existed = self.path.exists() and self.path.stat().st_size > 0
            orphaned = not existed and _has_orphaned_log(self.path)
        except OSError as error:
            raise _explain(self.path, error) from error
        if (existed and not _looks_like_sqlite(self.path)) or orphaned:
            self._save_from_log()  # SQLite would silently write over what is there
            return
        try:
            log = _log_of(self.path)
            self._db = _connect(self.path)
            version = _prepare(self._db, self.path)
        except OSError as error:
            raise _explain(self.path, error) from error
        except _BROKEN as error:
            with contextlib.suppress(sqlite3.Error, AttributeError):
                self._db.close()
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise _explain(self.path, error) from error
            self._start_anew([], lost=_noted(self.path))
            return
        if version > VERSION:
            self._db.close()
            raise JournalError(
                f"{self.path} was written by a later version of Thoth ({version}, this one knows {VERSION}): "
                "update Thoth, or move the file away",
                "journal is newer:\nupdate Thoth",
            )
        rows, whole = _sound_rows(self._db)
        lost = _noted(self.path) - len(rows) if existed else 0
        if not whole or lost > 0:
            saved = _from_log(self.path, log) if log else []
            rows = saved if len(saved) > len(rows) else rows
            self._db.close()
            if log:  # closing has written it into the file, as far as SQLite believed it
                self.path.with_name(self.path.name + "-wal").write_bytes(log)
            self._start_anew(rows, lost=max(0, _noted(self.path) - len(rows)))
        else:
            self._sequence = rows[-1].sequence if rows else 0
            self._checksum = rows[-1].checksum if rows else 0
        if not existed:
            _sync_folder(self.path.parent)

    def _save_from_log(self) -> None:
        """Start anew with what SQLite's log holds: before its first checkpoint that is everything."""
        try:
            rows = _from_log(self.path, _log_of(self.path))
        except OSError as error:
            raise _explain(self.path, error) from error
        self._start_anew(rows, lost=max(0, _noted(self.path) - len(rows)))

    def _start_anew(self, rows: list[_Row], lost: int = 0) -> None:
        """Set the damaged file aside and write what was still sound into a new one."""
        try:
            aside = _set_aside(self.path)
        except OSError as error:
            raise _explain(self.path, error) from error
        self.notice = f"the journal was damaged: set aside as {aside.name}, {len(rows)} entries kept"
        self.kept, self.lost = len(rows), lost
        if lost:
            self.notice += f", the last {lost} lost"
        try:
            self._db = _connect(self.path)
            _prepare(self._db, self.path)
            self._db.execute("BEGIN IMMEDIATE")
            begun: dict[int, str] = {}
            for row in rows:
                begun.setdefault(row.night, row.written)
            self._db.executemany("INSERT INTO night VALUES (?, ?)", sorted(begun.items()))
            self._db.executemany(
                "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)",
                [(r.sequence, r.night, r.kind, r.text, r.written, r.checksum) for r in rows],
            )
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise _explain(self.path, error) from error
        _sync_folder(self.path.parent)
        self._sequence = rows[-1].sequence if rows else 0
        self._checksum = rows[-1].checksum if rows else 0
        _note(self.path, self._sequence)


def _noting(path: Path) -> Path:
    return path.with_name(path.name + ".last")


def _note(path: Path, sequence: int) -> None:
    """Note that the entry ``sequence`` was acknowledged. Not synced: it may come late to the disk, never early, and late costs nothing."""
    with contextlib.suppress(OSError):
        _noting(path).write_text(f"{sequence}\n", "ascii")


def _noted(path: Path) -> int:
    """The last entry that is known to have been acknowledged; 0: nothing is known."""
    try:
        said = _noting(path).read_text("ascii", errors="replace").strip()
    except OSError:
        return 0
    return int(said) if said.isascii() and said.isdigit() and len(said) < 12 else 0


def _log_of(path: Path) -> bytes:
    """SQLite's log as the last process left it; empty when that ended in peace."""
    log = path.with_name(path.name + "-wal")
    return log.read_bytes() if log.exists() and _noting(path).exists() else b""


def _from_log(path: Path, log: bytes) -> list[_Row]:
    """The sound rows of the file with all of a damaged log believed."""
    from firmware.written.wal import rechained

    mended = rechained(log)
    if mended is None:
        return []
    with tempfile.TemporaryDirectory(prefix="thoth-", dir=path.parent) as folder:
        copy = Path(folder) / path.name
        try:
            if _looks_like_sqlite(path) and path.exists():
                shutil.copy(path, copy)
            else:  # pages that the log does not have stay empty; an empty file would have SQLite throw the log away
                copy.write_bytes(bytes(_PAGE))
            copy.with_name(copy.name + "-wal").write_bytes(mended)
            with contextlib.closing(_connect(copy)) as db:
                return _sound_rows(db)[0]
        except (*_BROKEN, OSError):
            return []


def _connect(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=2.0, isolation_level=None)
    db.execute("PRAGMA synchronous=FULL")  # belongs to the connection, not to the file
    return db


def _looks_like_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(512)[:16] == b"SQLite format 3\0" and path.stat().st_size >= 512
    except OSError:
        return True  # opening it will say what is wrong


def _has_orphaned_log(path: Path) -> bool:
    log = path.with_name(path.name + "-wal")
    return log.exists() and log.stat().st_size > 0


def _prepare(db: sqlite3.Connection, path: Path) -> int:
    """Set the pragmas, make the tables in a new file; return the file's version."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version and db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise sqlite3.DatabaseError(f"{path} is a database, but no journal")
    if version > VERSION:
        return version
    db.execute("PRAGMA journal_mode=WAL")
    if version == 0:
        if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise sqlite3.DatabaseError(f"{path} is a database, but no journal")
        # One transaction: a power cut leaves either an empty file or a whole journal.
        db.executescript(
            f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA application_id={APPLICATION}; PRAGMA user_version={VERSION}; COMMIT;"
        )
    return VERSION


def _is_damage(error: sqlite3.OperationalError) -> bool:
    # SQLite has many words for damage (a file format, a table, a column it does not know) and few for a world that
    # does not let it work; only those few leave the file where it is.
    return not any(key in str(error).lower() for key, _, _ in _ADVICE)


def _sound_rows(db: sqlite3.Connection) -> tuple[list[_Row], bool]:
    """The rows from the first on whose checksums hold, and whether that is all of the file."""
    rows: list[_Row] = []
    before = 0
    try:
        whole = [tuple(row) for row in db.execute("PRAGMA integrity_check(1)")] == [("ok",)]
    except _BROKEN:
        whole = False
    try:
        for fields in db.execute(
            "SELECT sequence, night, kind, text, written, checksum FROM entry NOT INDEXED ORDER BY sequence"
        ):
            row = _Row(*fields)
            if row.sequence != len(rows) + 1 or row.checksum != row.checked(before):
                return rows, False
            rows.append(row)
            before = row.checksum
        # The nights have no checksum of their own, but each begins with its first entry.
        begun: dict[int, str] = {}
        for row in rows:
            begun.setdefault(row.night, row.written)
        whole = whole and dict(db.execute("SELECT number, begun FROM night").fetchall()) == begun
    except _BROKEN:
        return rows, False
    return rows, whole


def _set_aside(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    if path.exists():
        path.rename(aside)
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    return aside


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
