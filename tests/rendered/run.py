"""Read scenes of the suite with the real reader, a row per picture; what has a row already is not read again."""

from __future__ import annotations

import csv
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cached_property
from pathlib import Path

import cv2

from tests.rendered.deck import Deck, deck
from tests.rendered.score import FIELDS, mark, row
from tests.rendered.sets import RUN, SETS, Job, scene
from vision.photo import Photo
from vision.reading.bank import Bank
from vision.reading.words import Reading

ROOT = Path(__file__).parent.parent.parent
Read = Callable[[Photo, Bank], Reading]
Line = dict[str, str]


def commit(*besides: str) -> str:
    """What the eyes and the suite were made of: the last commit that touched either, marked when files differ from it. ``besides``: other
    folders that have a part in it."""

    def git(*words: str) -> str:
        return subprocess.run(
            ("git", *words), cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()

    paths = ("--", "vision", "tests/rendered", *besides)
    return (git("log", "-1", "--format=%h", *paths) or "unknown") + (
        "-dirty" if git("status", "--porcelain", *paths) else ""
    )


def ready(bank: Bank) -> float:
    """Make now what the bank would make when first asked for, as a gallery that has been read from before has it; seconds it took."""
    began = time.perf_counter()
    for name, member in vars(type(bank)).items():
        if isinstance(member, cached_property):
            getattr(bank, name)
    return time.perf_counter() - began


class Reader:
    """Reads with the bank of one deck at a time kept ready."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._held: tuple[str, Bank] | None = None

    def bank(self, held: Deck) -> Bank:
        key = f"{held.name} {len(held.enrolled)}"
        if self._held is None or self._held[0] != key:
            self._held = (key, held.bank())
            ready(self._held[1])
        return self._held[1]

    def line(self, job: Job, version: str) -> Line:
        """Render the scene, read it, mark the reading."""
        made = scene(job.set, job.index, job.family, job.edition)
        bank = self.bank(made.deck)
        began, cpu = time.perf_counter(), time.process_time()
        reading = self._read(Photo(made.photo), bank)
        ms = {
            "total": 1000 * (time.perf_counter() - began),
            **{k: v for k, v in reading.ms.items() if k != "total"},
        }
        return row(
            job.set,
            job.index,
            made,
            mark(made.pieces, reading),
            ms,
            1000 * (time.process_time() - cpu),
            version,
        )


def real() -> Read:
    from vision.reading.reader import read

    return read


def _runs(jobs: Sequence[Job]) -> list[list[Job]]:
    """Jobs that share a deck together, a few at a time."""
    runs: dict[tuple[str, int | str, int], list[Job]] = {}
    for job in jobs:
        runs.setdefault((job.set, job.family or "", job.index // RUN), []).append(job)
    return list(runs.values())


def _work(jobs: list[Job], version: str) -> list[Line]:
    cv2.setNumThreads(1)
    reader = Reader(real())
    return [reader.line(job, version) for job in jobs]


def read_all(jobs: Sequence[Job], version: str, processes: int) -> Iterator[Line]:
    """The rows of the jobs, as they come."""
    if processes == 1:
        reader = Reader(real())
        for job in jobs:
            yield reader.line(job, version)
        return
    with ProcessPoolExecutor(processes) as pool:
        waiting = [pool.submit(_work, run, version) for run in _runs(jobs)]
        for done in as_completed(waiting):
            yield from done.result()


def committed(form: str = "small") -> Path:
    """The rows of a small form that this version of OpenCV is held to: its majors differ in the last digits, and a piece near the limit
    with them."""
    return Path(__file__).parent / "results" / f"{form}-opencv{cv2.__version__.partition('.')[0]}.csv"


def kept(file: Path) -> list[Line]:
    if not file.exists():
        return []
    with file.open(newline="") as text:
        return [dict(line) for line in csv.DictReader(text)]


def resume(
    jobs: Sequence[Job],
    file: Path,
    version: str,
    processes: int,
    told: Callable[[str], None],
    reading: Callable[[Sequence[Job], str, int], Iterator[Line]] = read_all,
) -> list[Line]:
    """Rows of all jobs: those of this version that are in the file, the others read now by ``reading`` and appended one by one."""
    had = {(line["set"], int(line["index"])): line for line in kept(file) if line["commit"] == version}
    lines = [had[job.set, job.index] for job in jobs if (job.set, job.index) in had]
    todo = [job for job in jobs if (job.set, job.index) not in had]
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = not file.exists()
    with file.open("a", newline="") as text:
        writer = csv.DictWriter(text, FIELDS)
        if fresh:
            writer.writeheader()
        for count, line in enumerate(reading(todo, version, processes), 1):
            writer.writerow(line)
            text.flush()
            lines.append(line)
            if count % 20 == 0:
                told(f"{line['set']}: {count} of {len(todo)} read")
    return sorted(lines, key=lambda line: (line["set"], int(line["index"])))


def write(file: Path, lines: Sequence[Line]) -> None:
    with file.open("w", newline="") as text:
        writer = csv.DictWriter(text, FIELDS)
        writer.writeheader()
        writer.writerows(lines)


def warm(name: str) -> Deck:
    """Any deck of a set, for whoever wants to try a reader on it."""
    return deck(SETS[name].families[0], 0, SETS[name].enrolled)
