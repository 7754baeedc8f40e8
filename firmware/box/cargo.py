"""What the players can have written to a stick: records, a fault report, measurements. What the loop knows is noted in it; all else is
gathered beside it, from a copy of the journal.

A fault report may be shown to strangers: in it players are A and B, as in a recording, and no picture is taken that a recording had
not painted over.
"""

from __future__ import annotations

import contextlib
import io
import json
import platform
import resource
import zipfile
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines import games, record
from firmware.box.light import CALIBRATION
from firmware.box.stick import Cargo
from firmware.settings import KEYS, Settings
from firmware.written import entries, records
from firmware.written.export import snapshot
from firmware.written.journal import NAME, Journal
from firmware.written.recording import aliases, anonymous

if TYPE_CHECKING:
    from firmware.night import Night
    from firmware.shell import Shell

MOST_RECORDED = 60_000_000
"""Bytes of a recording that go into a report, the newest first."""


@dataclass(frozen=True)
class Sources:
    """Where a cargo is gathered from. ``figures``, ``screen``, ``log``: what only the loop can say, as it was when this was made.
    ``recording``: the folder that is recorded into now, if one is."""

    folder: Path
    settings: Settings
    figures: dict[str, Any]
    screen: str
    log: str
    recording: Path | None = None


def cargo(what: str, sources: Sources) -> Cargo:
    """``what``: "records", "report" or "figures". Raises JournalError or OSError when it cannot be gathered."""
    path = sources.folder / NAME
    with contextlib.ExitStack() as held:
        journal = held.enter_context(snapshot(path)) if path.exists() else None
        return {"records": _records, "report": _report, "figures": _figures}[what](sources, journal)


def _records(sources: Sources, journal: Journal | None) -> Cargo:
    """The record of every night, those that were not played to their end too."""
    found: dict[str, str | bytes | Path] = {}
    for one in journal.nights() if journal is not None else ():
        match = entries.replay(games(), journal.entries(one.number)).match if journal is not None else None
        if match is not None and match.steps:
            name = records.file_name(match, one.begun, one.number)
            found[f"{records.FOLDER}/{name}"] = record.write(match, (records.begun(one.begun),))
    kept = sources.folder / records.FOLDER
    for path in sorted(kept.glob("*.txt")) if kept.is_dir() else ():
        found.setdefault(f"{records.FOLDER}/{path.name}", path)
    many = len(found)
    said = (
        f"{many} record{'' if many == 1 else 's'} written.\nPull the stick out."
        if many
        else "There is no record\nyet"
    )
    return Cargo(found, said)


def figures(shell: Shell[Night]) -> dict[str, Any]:
    """What was measured since the start: ms per stage, frames, memory."""
    return {
        "version": version(),
        "machine": platform.machine(),
        "python": platform.python_version(),
        "frames": shell.frames,
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "processor_s": round(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]), 1),
        "ms": {stage: shell.timings.summary(stage) for stage in sorted(shell.timings.kept)},
    }


def _figures(sources: Sources, journal: Journal | None) -> Cargo:
    text = json.dumps(sources.figures, indent=1)
    return Cargo({f"figures-{_stamp(journal)}.json": text}, "Measurements written.\nPull the stick out.")


def _report(sources: Sources, journal: Journal | None) -> Cargo:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("figures.json", json.dumps(sources.figures, indent=1))
        packed.writestr("settings.json", json.dumps(_settings(sources.settings), indent=1))
        found, alias = _nameless(journal)
        packed.writestr("entries.json", json.dumps(found, ensure_ascii=False))
        packed.writestr("log.txt", _without(sources.log, alias))
        packed.writestr("screen.txt", _without(sources.screen, alias))
        packed.writestr("doctor.json", json.dumps(_examined(sources), indent=1, ensure_ascii=False))
        if (calibration := sources.folder / CALIBRATION).is_file():
            packed.write(calibration, CALIBRATION)
        for path in _recorded(sources.recording):
            packed.write(path, f"recording/{path.name}")
    return Cargo(
        {f"report-{_stamp(journal)}.zip": written.getvalue()}, "Fault report written.\nPull the stick out."
    )


def _examined(sources: Sources) -> list[dict[str, str]]:
    """What the doctor says of the machine and what is kept on it. Not of the devices: the service holds them, and nothing is started beside it
    while it holds pins."""
    from firmware.doctor import apart
    from firmware.doctor.base import Facts
    from firmware.doctor.table import CHECKS

    facts = Facts(sources.settings, (), None, sources.folder, running=True)
    return [asdict(line) for check in CHECKS if not check.apart for line in apart.lines(check, facts)]


def _settings(settings: Settings) -> dict[str, object]:
    """All that differs from the defaults, without names."""
    return {
        key.name: settings[key.name]
        for key in KEYS
        if settings[key.name] != key.default and key.name != "names"
    }


def _nameless(journal: Journal | None) -> tuple[list[tuple[str, str]], dict[str, str]]:
    """The entries of the last night with letters for names, and which letter stands for whom."""
    if journal is None:
        return [], {}
    written = journal.entries()
    alias = aliases((), written)
    return anonymous(written, alias), alias


def _without(text: str, alias: dict[str, str]) -> str:
    for name in sorted(alias, key=len, reverse=True):
        text = text.replace(name, alias[name])
    return text


def _recorded(folder: Path | None) -> list[Path]:
    if folder is None or not folder.is_dir():
        return []
    files = sorted((path for path in folder.iterdir() if path.is_file()), reverse=True)
    kept, size = [], 0
    for path in sorted(files, key=lambda path: path.suffix == ".jpg"):  # the words first, they are small
        size += path.stat().st_size
        if size > MOST_RECORDED:
            break
        kept.append(path)
    return kept


def _stamp(journal: Journal | None) -> str:
    """A name that no earlier one has, even where the clock is wrong: the number of entries grows."""
    count = sum(one.entries for one in journal.nights()) if journal is not None else 0
    return f"{datetime.now():%Y%m%d-%H%M}-{count}"


def version() -> str:
    try:
        return metadata.version("thoth-tabletop")
    except metadata.PackageNotFoundError:
        return "checkout"
