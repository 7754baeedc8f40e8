"""A game by hand and the disk: a full one ends no game, and no two games share a file."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from engines import games, record
from firmware.alone.byhand import Table
from firmware.alone.heading import NAMES, Heading
from firmware.alone.play import _dealer
from firmware.written import records


def table(typed: list[str], said: list[str], out: Path | None) -> Table:
    """A game of Tanis whose lines are typed one after the other."""
    lines = iter(typed)

    def ask(_: str) -> str:
        for line in lines:
            return line
        raise EOFError

    return Table(Heading(games()["tanis"], NAMES[:2]), _dealer(7), out, 7, ask=ask, say=said.append)


def test_a_full_disk_ends_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, said, full = tmp_path / "game.txt", list[str](), [True, True, False]
    put = records.put

    def filling(path: Path, text: str) -> None:
        if full.pop(0):
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        put(path, text)

    monkeypatch.setattr(records, "put", filling)
    assert table(["expert", "undo"], said, out).run() == 0
    assert sum("cannot be written" in line and "No space" in line for line in said) == 2
    assert record.read(out.read_text("utf-8")).moves == ()  # tried again at the end
    assert any(f"The record is in {out}" in line for line in said)


def test_a_record_that_was_never_written_is_no_success(tmp_path: Path) -> None:
    said: list[str] = []
    assert table(["expert"], said, tmp_path).run() == 2
    assert not any("The record is in" in line for line in said)


def test_two_games_that_begin_at_the_same_time_share_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    both = [table(["expert"], [], None) for _ in range(2)]
    assert not list(tmp_path.iterdir()), "nothing was played yet"
    assert [one.run() for one in both] == [0, 0]
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    assert all(len(record.read(file.read_text("utf-8")).moves) == 1 for file in files)
