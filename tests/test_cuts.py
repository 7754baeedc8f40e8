"""Power cuts are made from the emulator's log of writes: what was flushed must be there in each of them, what was not may be."""

from __future__ import annotations

import random
import sqlite3
import struct
from pathlib import Path

import pytest

from tests.machine.container import WrongError
from tests.machine.vm import cuts

SECTOR = 512
WRITE, FLUSH, FUA, DISCARD = 0, 1, 2, 4


def logged(path: Path, *entries: tuple[int, bytes, int]) -> cuts.Log:
    """A log of (sector, data, flags)."""
    made = struct.pack("<QQQI", cuts.MAGIC, cuts.VERSION, len(entries), SECTOR).ljust(SECTOR, b"\0")
    for sector, data, flags in entries:
        made += struct.pack("<QQQQ", sector, len(data) // SECTOR, flags, 0).ljust(SECTOR, b"\0")
        made += b"" if flags & DISCARD else data
    path.write_bytes(made)
    return cuts.read_log(path)


def of(letter: str) -> bytes:
    return letter.encode() * SECTOR


def after(tmp_path: Path, log: cuts.Log, entry: int, kept: str) -> str:
    first, made = tmp_path / "first", tmp_path / "made"
    first.write_bytes(of(".") * 4)
    cuts.replay(log, first, cuts.Cut(entry, kept), made, random.Random(1))
    return made.read_bytes()[::SECTOR].decode()


def test_what_was_flushed_is_kept_and_nothing_else_need_be(tmp_path: Path) -> None:
    log = logged(
        tmp_path / "log", (0, of("a"), WRITE), (0, b"", FLUSH), (1, of("b"), WRITE), (2, of("c"), FUA), (0, of("d"), WRITE)
    )  # fmt: skip
    none, everything, _ = cuts.LOSSES
    assert after(tmp_path, log, 0, everything) == "...."
    assert after(tmp_path, log, 1, none) == "...."
    assert after(tmp_path, log, 2, none) == "a..."
    assert after(tmp_path, log, 5, none) == "a.c."
    assert after(tmp_path, log, 5, everything) == "dbc."
    assert after(tmp_path, log, 4, everything) == "abc."


def test_discarded_sectors_are_empty(tmp_path: Path) -> None:
    log = logged(tmp_path / "log", (0, of("a") * 2, DISCARD), (0, b"", FLUSH))
    assert after(tmp_path, log, 2, cuts.LOSSES[0]) == "\0\0.."


def test_a_torn_end_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "log"
    whole = logged(path, (0, of("a"), WRITE), (1, of("b"), WRITE))
    path.write_bytes(path.read_bytes()[:-1])
    assert len(cuts.read_log(path).entries) == len(whole.entries) - 1 == 1
    assert whole.at(whole.entries[0].end) == 1 and whole.at(whole.entries[0].end - 1) == 0


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(bytes(4096))
    with pytest.raises(WrongError, match="no log of block writes"):
        cuts.read_log(tmp_path / "log")


def test_each_acknowledgement_is_cut_at(tmp_path: Path) -> None:
    log = logged(tmp_path / "log", *[(0, of("a"), WRITE)] * 60)
    acknowledged = [log.entries[9].end, log.entries[40].end]
    found = cuts.points(log, acknowledged, 20, random.Random(1))
    assert len(found) >= 20
    assert {10, 41} <= {cut.entry for cut in found}
    assert min(cut.entry for cut in found) == 10
    assert {cut.kept for cut in found} == set(cuts.LOSSES)


def test_a_lost_move_is_told(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.db") as database:
        database.executescript(
            "CREATE TABLE night (number INTEGER); INSERT INTO night VALUES (1);"
            "CREATE TABLE entry (night INTEGER, sequence INTEGER, kind TEXT, text TEXT);"
            "INSERT INTO entry VALUES (1, 1, 'move', '1 take S4');"
        )
    assert cuts.look(tmp_path, ["1 take S4"]) == 1
    assert cuts.look(tmp_path, []) == 1
    with pytest.raises(WrongError, match="acknowledged were"):
        cuts.look(tmp_path, ["1 take S4", "2 take S5"])
    with pytest.raises(WrongError, match="acknowledged were"):
        cuts.look(tmp_path, ["1 take S5"])
