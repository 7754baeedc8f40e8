"""The journal keeps what it acknowledged, and says so when a file was damaged."""

from __future__ import annotations

import datetime
import errno
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.written.journal import VERSION, Journal, JournalError

HEADER = ("header", '{"game": "tanis"}')


def some(count: int, start: int = 0) -> tuple[tuple[str, str], ...]:
    return tuple(("move", f"take falcon-{number} Ána") for number in range(start, start + count))


def test_what_was_appended_is_read_back_in_order_by_night(tmp_path: Path) -> None:
    with Journal(tmp_path / "state" / "journal.db") as journal:
        assert journal.entries() == ()
        assert journal.append((HEADER, *some(2))) == 3
        assert journal.append(()) == 3
        assert journal.append((HEADER, *some(1, 10))) == 5
    with Journal(tmp_path / "state" / "journal.db") as journal:
        assert journal.entries() == (HEADER, *some(1, 10))
        assert journal.entries(1) == (HEADER, *some(2))
        assert [(night.number, night.entries) for night in journal.nights()] == [(1, 3), (2, 2)]
        assert journal.append(some(1, 20)) == 6
        assert journal.notice is None


def test_it_writes_through(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_entries_are_written_all_or_none(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.db") as journal:
        journal.append(some(2))
        with pytest.raises(JournalError):
            journal.append((("move", "good"), ("move", None)))  # type: ignore[arg-type]
        assert journal.entries() == some(2)
        assert journal.append(some(1, 5)) == 3
        assert journal.entries() == some(2) + some(1, 5)


@pytest.mark.parametrize(
    ("pragma", "advice"),
    [("PRAGMA max_page_count=1", "disk full"), ("PRAGMA query_only=ON", "read-only")],
)
def test_a_full_or_readonly_disk_is_said_and_loses_nothing(tmp_path: Path, pragma: str, advice: str) -> None:
    with Journal(tmp_path / "j.db") as journal:
        journal.append(some(2))
        journal._db.execute(pragma)
        big = tuple(("move", "x" * 4000) for _ in range(50))
        with pytest.raises(JournalError) as told:
            journal.append(big)
        assert advice in told.value.advice.replace("\n", " ")
        assert all(len(line) <= 21 for line in told.value.advice.splitlines())
        assert len(told.value.advice.splitlines()) <= 2
        assert journal.entries() == some(2)
        assert journal.append(big) == 52, "it opens the file afresh after a fault"


def test_an_error_after_the_commit_reached_the_disk_is_no_error(tmp_path: Path) -> None:
    class Lying:
        """Commits, then says it failed."""

        def __init__(self, db: sqlite3.Connection) -> None:
            self.db = db

        def __getattr__(self, name: str) -> object:
            return getattr(self.db, name)

        def execute(self, sql: str, *rest: object) -> object:
            answer = self.db.execute(sql, *rest)
            if sql == "COMMIT":
                raise sqlite3.OperationalError("disk I/O error")
            return answer

    with Journal(tmp_path / "j.db") as journal:
        journal.append(some(1))
        journal._db = Lying(journal._db)  # type: ignore[assignment]
        assert journal.append(some(2, 5)) == 3
        assert journal.append(some(1, 9)) == 4
        assert journal.entries() == some(1) + some(2, 5) + some(1, 9)


def test_a_file_that_is_no_database_is_set_aside_and_said(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    path.write_text("this is a shopping list\n" * 100)
    with Journal(path) as journal:
        assert journal.notice and "j.db.damaged-1" in journal.notice
        journal.append(some(1))
    assert (tmp_path / "j.db.damaged-1").read_text().startswith("this is a shopping list")
    path.write_bytes(b"\0" * 5000)
    with Journal(path) as journal:
        assert journal.notice and "j.db.damaged-2" in journal.notice


@pytest.mark.parametrize("left", [b"", b"\0" * 4096, b"shopping list\n" * 400, None])
def test_a_file_that_is_gone_or_no_database_loses_nothing_that_its_log_holds(
    tmp_path: Path, left: bytes | None
) -> None:
    cut = tmp_path / "cut"
    cut.mkdir()
    with Journal(tmp_path / "j.db") as journal:
        journal.append((HEADER, *some(20)))
        for name in ("j.db", "j.db-wal", "j.db.last"):  # as after a power cut: nothing was closed
            shutil.copy(tmp_path / name, cut / name)
    (cut / "j.db").unlink()
    if left is not None:
        (cut / "j.db").write_bytes(left)
    with Journal(cut / "j.db") as journal:
        assert journal.notice and (journal.kept, journal.lost) == (21, 0)
        assert journal.entries() == (HEADER, *some(20))
    with Journal(cut / "j.db") as journal:
        assert journal.notice is None and journal.entries() == (HEADER, *some(20))


def test_how_many_entries_a_file_without_a_log_has_lost_is_said(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal(path) as journal:
        journal.append((HEADER, *some(20)))
    path.write_bytes(b"\0" * 5000)
    with Journal(path) as journal:
        assert (
            (journal.kept, journal.lost) == (0, 21)
            and journal.notice
            and "the last 21 lost" in journal.notice
        )


def test_another_programs_database_is_not_written_into(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    with Journal(path) as journal:
        assert journal.notice
    assert (tmp_path / "j.db.damaged-1").exists()


def test_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={VERSION + 1}")
    with pytest.raises(JournalError, match="later version"):
        Journal(path)
    assert not list(tmp_path.glob("*.damaged*"))


def test_a_folder_that_cannot_be_made_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="--state-dir"):
        Journal(tmp_path / "file" / "j.db")


def test_a_changed_row_is_found_and_what_stands_before_it_kept(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    with Journal(path) as journal:
        journal.append(some(5))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE entry SET text = 'take snake-1' WHERE sequence = 4")
    with Journal(path) as journal:
        assert journal.notice and "3 entries kept" in journal.notice
        assert journal.entries() == some(3)
        assert journal.append(some(1, 7)) == 4


def _is_beginning(part: tuple[tuple[str, str], ...], whole: tuple[tuple[str, str], ...]) -> bool:
    return whole[: len(part)] == part


def test_cut_short_at_every_byte_it_keeps_a_beginning_and_goes_on(tmp_path: Path) -> None:
    source = tmp_path / "whole.db"
    entries = some(6)
    with Journal(source) as journal:
        for number in range(6):
            journal.append(entries[number : number + 1])
        # Copies taken while it is open: the power cut comes before SQLite folds the log into the file.
        main, log = source.read_bytes(), Path(f"{source}-wal").read_bytes()
    folded = source.read_bytes()
    assert len(log) > 4096 and len(folded) > 4096
    steps = {*range(200), *range(200, 1 << 20, 251)}
    kept: set[int] = set()
    for number, (name, data) in enumerate(
        [("log", log[:n]) for n in sorted(steps) if n <= len(log)]
        + [("file", folded[:n]) for n in sorted(steps) if n <= len(folded)]
    ):
        folder = tmp_path / "cut"
        folder.mkdir()
        path = folder / "j.db"
        path.write_bytes(main if name == "log" else data)
        if name == "log":
            Path(f"{path}-wal").write_bytes(data)
        with Journal(path) as journal:
            found = journal.entries(1)
            assert _is_beginning(found, entries), (number, name, len(data))
            kept.add(len(found))
            if name == "file" and 0 < len(data) < len(folded):
                assert journal.notice, len(data)
            journal.append(some(1, 50))
        with Journal(path) as journal:
            assert journal.notice is None
        shutil.rmtree(folder)
    assert {0, 3, 6} <= kept


_WRITER = """
import sys
from pathlib import Path
from firmware.written.journal import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(100000):
    journal.append((("move", f"a {number}"), ("move", f"b {number}")))
    print(number, flush=True)
"""


@pytest.mark.parametrize("moment", range(3))
def test_killed_while_writing_it_has_all_that_was_acknowledged(tmp_path: Path, moment: int) -> None:
    path = tmp_path / "j.db"
    with subprocess.Popen([sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout
        acknowledged = -1
        for line in child.stdout:
            acknowledged = int(line)
            if acknowledged == 7 + 23 * moment:
                os.kill(child.pid, signal.SIGKILL)
    with Journal(path) as journal:
        assert journal.notice is None
        entries = journal.entries()
    count = len(entries) // 2
    assert acknowledged + 1 <= count <= acknowledged + 2
    assert entries == tuple(("move", f"{letter} {n}") for n in range(count) for letter in "ab")


def test_with_any_bytes_changed_it_keeps_a_beginning_and_says_so(tmp_path: Path) -> None:
    source = tmp_path / "whole.db"
    with Journal(source) as journal:
        for number in range(3):
            journal.append((HEADER, *some(6, 10 * number)))
    whole = source.read_bytes()
    with Journal(source) as journal:
        entries = tuple(one for night in journal.nights() for one in journal.entries(night.number))
    rng = random.Random(1)
    path = tmp_path / "cut" / "j.db"
    noticed = 0
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3, 20))):
            at = rng.randrange(len(data))
            data[at : at + 1] = bytes([rng.choice((data[at] ^ 1 << rng.randrange(8), rng.randrange(256)))])
        path.parent.mkdir()
        path.write_bytes(data)
        with Journal(path) as journal:
            nights = journal.nights()
            found = tuple(one for night in nights for one in journal.entries(night.number))
            assert _is_beginning(found, entries)
            assert found == entries or journal.notice, "lost in silence"
            assert journal.entries() == (journal.entries(nights[-1].number) if nights else ())
            assert all(datetime.datetime.fromisoformat(night.begun) for night in nights)
            noticed += journal.notice is not None
            last = journal.entries()
            journal.append(some(1, 99))
        with Journal(path) as journal:
            assert journal.notice is None
            assert journal.entries() == (*last, *some(1, 99))
        shutil.rmtree(path.parent)
    assert 40 < noticed < 400


def test_another_programs_database_with_a_high_version_is_not_taken_for_a_later_journal(
    tmp_path: Path,
) -> None:
    path = tmp_path / "j.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE shopping (what TEXT)")
        db.execute(f"PRAGMA user_version={VERSION + 7}")
    with Journal(path) as journal:
        assert journal.notice
        assert journal.append((HEADER,)) == 1


def test_a_damaged_file_that_cannot_be_set_aside_is_an_error_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j.db"
    path.write_bytes(b"no database at all" * 100)

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(JournalError) as told:
        Journal(path)
    assert told.value.advice
