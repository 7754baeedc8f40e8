"""``thoth export``: the record of a night of the journal, as a text that a person can read."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from engines import record, table_games
from firmware.settings import load
from firmware.written import entries
from firmware.written.journal import NAME, Journal


class ExportError(Exception):
    """There is nothing to export; the sentence says what to do."""


@contextlib.contextmanager
def snapshot(path: Path) -> Iterator[Journal]:
    """The journal as it is now, in a copy: the service may be writing it, and nobody who only reads may set a damaged one aside."""
    with tempfile.TemporaryDirectory(prefix="thoth-") as folder:
        for suffix in ("", "-wal"):
            if (part := path.with_name(path.name + suffix)).exists():
                shutil.copy(part, Path(folder) / part.name)
        with Journal(Path(folder) / path.name) as journal:
            yield journal


def export(
    config: Path | None,
    state_dir: Path | None,
    number: int | None,
    out: Path | None,
    *,
    list_nights: bool = False,
) -> int:
    """``thoth export``: the record of one night of the journal. Raises ExportError when there is none."""
    settings, _ = load(config)
    path = (state_dir or settings.state_dir) / NAME
    if not path.exists():
        raise ExportError(f"{path} does not exist; give the folder of the journal with --state-dir")
    with snapshot(path) as journal:
        if journal.notice:
            print(f"{path} is damaged: what can be read of it follows", file=sys.stderr)
        nights = journal.nights()
        if list_nights:
            for one in nights:
                match = entries.replay(table_games(), journal.entries(one.number)).match
                who = f"{match.game.name}: {', '.join(match.names)}" if match else "no game"
                print(f"{one.number:4d}  {one.begun[:16].replace('T', ' ')}  {who}")
            return 0
        if not nights:
            raise ExportError(f"{path} holds no night yet; play one with thoth run")
        wanted = number if number is not None else nights[-1].number
        if wanted not in {one.number for one in nights}:
            raise ExportError(f"there is no night {wanted}; thoth export --list shows those there are")
        match = entries.replay(table_games(), journal.entries(wanted)).match
    if match is None:
        raise ExportError(f"night {wanted} holds no game that can be read")
    text = record.write(match)
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, "utf-8")
        print(f"{out}: night {wanted}, {len(match.moves)} moves")
    return 0
