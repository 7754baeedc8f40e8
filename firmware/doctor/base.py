"""What a check gets and gives."""

from __future__ import annotations

import fcntl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from firmware.settings import Fault, Settings

OK, WARN, FAIL = "OK", "WARN", "FAIL"
LEVELS = (OK, WARN, FAIL)


@dataclass(frozen=True, slots=True)
class Line:
    """One finding: what was looked at, how it is (one of LEVELS), in words, and what to do about it (never empty unless it is OK)."""

    about: str
    level: str
    text: str
    remedy: str = ""


Lines = Iterable[Line]


@dataclass(frozen=True, slots=True)
class Facts:
    """What checks have to know. ``state``: the state folder; ``root``: where the machine's own files begin (a test brings others);
    ``running``: whether a service holds the state folder, and with it camera and pins."""

    settings: Settings
    faults: tuple[Fault, ...]
    config: Path | None
    state: Path
    root: Path = Path("/")
    running: bool = False


def running(state: Path) -> bool:
    """Whether a service holds the lock of this state folder."""
    try:
        with (state / "lock").open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


STOP_FIRST = "stop it to look closer: sudo systemctl stop thoth, thoth doctor, sudo systemctl start thoth"
"""Remedy where the running service holds what a check would look at."""


def text_of(path: Path) -> str:
    """A small file of the kernel; empty when it is not there or may not be read."""
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
