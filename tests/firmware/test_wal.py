"""A journal whose log lost a bit while nobody looked: named, set aside, and every entry saved."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.written.journal import Journal
from firmware.written.wal import FRAME, HEADER, rechained

ROOT = Path(__file__).parents[2]
KILLED = """
import os, sys
from pathlib import Path
from firmware.written.journal import Journal
journal = Journal(Path(sys.argv[1]))
journal.append((("header", "{}"),))
for number in range(20):
    journal.append((("move", f"1 take falcon-{number}"),))
os._exit(9)
"""
PAGE = 4096


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The state folder of a service that lost its power: the log was not yet written into the file."""
    folder = tmp_path_factory.mktemp("killed")
    subprocess.run([sys.executable, "-c", KILLED, str(folder / "j.db")], cwd=ROOT, check=False)
    assert (folder / "j.db-wal").stat().st_size > 20 * PAGE
    return folder


def places(length: int) -> list[int]:
    """Every kind of byte there is: header, a frame's head, pages, the last ones; and some by chance."""
    chosen = [
        0,
        9,
        16,
        24,
        HEADER,
        HEADER + 5,
        HEADER + 9,
        HEADER + 16,
        HEADER + FRAME + 1,
        length - PAGE // 2,
        length - 3,
    ]
    return chosen + [random.Random(7).randrange(length) for _ in range(7)]


@pytest.mark.parametrize("number", range(18))
def test_a_flipped_bit_in_the_log_costs_nothing_and_is_said(
    killed: Path, tmp_path: Path, number: int
) -> None:
    folder = tmp_path / "state"
    shutil.copytree(killed, folder)
    (folder / "j.db-shm").unlink(missing_ok=True)
    log = bytearray((folder / "j.db-wal").read_bytes())
    log[places(len(log))[number]] ^= 1 << number % 8
    (folder / "j.db-wal").write_bytes(log)
    with Journal(folder / "j.db") as journal:
        assert len(journal.entries()) == 21
        assert journal.notice is not None and "set aside as j.db.damaged-1, 21 entries kept" in journal.notice
        assert "lost" not in journal.notice and (journal.kept, journal.lost) == (21, 0)
        assert journal.append((("move", "1 take ankh-2"),)) == 22
    assert (folder / "j.db.damaged-1-wal").read_bytes() == bytes(log), "the damaged log is kept as it was"
    with Journal(folder / "j.db") as journal:
        assert journal.notice is None and len(journal.entries()) == 22


def test_a_sound_log_is_no_damage(killed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    shutil.copytree(killed, folder)
    with Journal(folder / "j.db") as journal:
        assert journal.notice is None and len(journal.entries()) == 21


def test_what_is_lost_for_good_is_counted(killed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    shutil.copytree(killed, folder)
    (folder / "j.db-shm").unlink(missing_ok=True)
    log = (folder / "j.db-wal").read_bytes()
    (folder / "j.db-wal").write_bytes(log[: len(log) // 2])
    with Journal(folder / "j.db") as journal:
        kept = len(journal.entries())
        assert 5 < kept < 21
        assert journal.notice is not None and journal.notice.endswith(f"the last {21 - kept} lost")
    with Journal(folder / "j.db") as journal:
        assert journal.notice is None, "said once"


def test_the_chain_made_anew_of_a_sound_log_is_that_log(killed: Path) -> None:
    log = (killed / "j.db-wal").read_bytes()
    assert rechained(log) == log
    assert rechained(b"") is None


def test_no_log_makes_it_raise() -> None:
    rng = random.Random(3)
    for _ in range(200):
        rechained(rng.randbytes(rng.randrange(3000)))
