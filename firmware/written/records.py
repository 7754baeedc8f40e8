"""The records of games as text files in the state folder: what players take home, and what outlives the journal."""

from __future__ import annotations

import errno
import os
from datetime import datetime
from pathlib import Path

from engines import record
from engines.referee import Match

FOLDER = "records"
_FIRST_YEAR = 2026
"""No night was played before; a clock that says so was not set."""
_LONGEST = 200
"""Bytes of a file's name: no file system takes more than 255."""
_ADVICE = {
    errno.ENOSPC: "disk full: free\nspace, try again",
    errno.EROFS: "cannot write: the\ncard is read-only",
    errno.EACCES: "cannot write: check\nthe folder's rights",
}
_OTHER = "cannot write: check\nthe state folder"
ADVICE = (*_ADVICE.values(), _OTHER)
"""Everything a player may have to read when a record could not be written."""


class NotWritten(Exception):  # noqa: N818 - what the players are told
    """A record could not be written. ``advice``: two lines of 21 characters."""

    def __init__(self, path: Path, error: OSError) -> None:
        super().__init__(f"{path}: the record was not written ({error.strerror or error})")
        self.advice = _ADVICE.get(error.errno or 0, _OTHER)


def file_name(match: Match, begun: str, number: int = 0) -> str:
    """ "2026-11-30-1823-tanis-ana-ben.txt". ``begun``: wall time of the night's beginning, ISO 8601. ``number``: of the night in the
    journal; where the clock had not been set (a Pi has no battery for one) it stands for the date, which would be another night's too."""
    moment = datetime.fromisoformat(begun).astimezone()
    when = f"{moment:%Y-%m-%d-%H%M}" if moment.year >= _FIRST_YEAR or not number else f"night-{number:04d}"
    name = "-".join((when, match.game.id, *map(_plain, match.names)))
    return name.encode()[:_LONGEST].decode(errors="ignore") + ".txt"


def begun(moment: str) -> tuple[int, str]:
    """The comment in a record that says when the night began (``moment``: ISO 8601), before its first step."""
    return 0, f"begun {datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M}"


def keep(state_dir: Path, match: Match, moment: str, number: int = 0) -> Path:
    """Write the record of a match; a later one of the same night takes its place. Raises NotWritten.

    The file is complete or as it was before, whatever happens meanwhile.
    """
    path = state_dir / FOLDER / file_name(match, moment, number)
    text = record.write(match, (begun(moment),))
    try:
        put(path, text)
    except OSError as error:
        raise NotWritten(path, error) from error
    return path


def put(path: Path, text: str) -> None:
    """Write a file so that it is complete or as it was before, whatever happens meanwhile. Raises OSError.

    Whoever writes the same file at the same time does not mix in: the last one stands. What is no file (a pipe, a device) is written to.
    """
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    path = Path(os.path.realpath(path))  # a link stays one
    aside = path.with_name(f"{path.name[:60]}.{os.getpid()}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with aside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _plain(name: str) -> str:
    """A name as part of a file's name: small letters and digits of any alphabet, everything else left out."""
    return "".join(sign for sign in name.lower() if sign.isalnum()) or "player"
