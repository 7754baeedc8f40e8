"""``make bench``: how fast the way from a settled frame to a proposal is, and what the rest costs.

Every figure stands beside a floor measured in the same run: undistorting and rectifying the whole frame once is what any
reader that looks at the whole table has to do first; the engines stand beside their limit or the slower of two peers. Writes
build/bench.json: {name: {value, unit, floor, ratio}}.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware import demo
from firmware.events import Looked
from firmware.shell import Shell
from firmware.written.journal import Journal
from hardware.clock import SimulatedClock
from tests import bench_engines
from tests.bench_engines import quantile

ROOT = Path(__file__).parent.parent
SIZES = ((2304, 1296), (1536, 864))


@dataclass(frozen=True)
class Figure:
    """One line of the table. ``floor`` in the same unit, measured in the same run; None: there is none to compare with."""

    name: str
    value: float
    unit: str
    floor: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if not self.floor else self.value / self.floor


def median_ms(work: Callable[[], object], times: int = 15) -> float:
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return statistics.median(spent)


class Timed:
    """An evening whose looks are timed: ``proposals`` holds ms from the settled frame to the proposal on its way to the display."""

    def __init__(self, size: tuple[int, int], moves: int, seed: int = 5) -> None:
        self.proposals: list[float] = []
        self.eyes: Any = None
        self._read = 0.0
        self._moves = moves
        clock = SimulatedClock()
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
            self.evening = demo.prepare(demo.Wish(seed=seed, size=size, mishaps=False), clock, journal)
            self._wrap(self.evening.shell)
            self.evening.shell.run_until(
                lambda: len(self.evening.tally.written) >= moves or self.evening.people.done
            )
            self.frame = self.evening.camera.capture(clock.monotonic()).picture

    def _wrap(self, shell: Shell[Any]) -> None:
        make, step = shell._make_eyes, shell._step

        def eyes(layout: Any) -> Any:
            self.eyes = made = make(layout)
            read = made.read

            def timed(picture: Any, expected: Any) -> Any:
                began = time.perf_counter()
                look = read(picture, expected)
                self._read = (time.perf_counter() - began) * 1000
                return look

            made.read = timed
            return made

        def stepped(night: Any, event: Any) -> Any:
            began = time.perf_counter()
            after, effects = step(night, event)
            spent = (time.perf_counter() - began) * 1000
            if isinstance(event, Looked) and after.place == "proposal" and night.place != "proposal":
                self.proposals.append(self._read + spent)
            return after, effects

        shell._make_eyes, shell._step = eyes, stepped

    def full_read(self) -> None:
        """Read the whole table anew: the dig and all that lies in the zones."""
        self.eyes.forget()
        self.eyes.read(self.frame, self.evening.shell.night.expected)


def floor(picture: Any) -> Callable[[], object]:
    """Undistort the whole frame and rectify it: what must be done before anything can be compared anywhere in it."""
    import cv2
    import numpy as np

    height, width = picture.shape[:2]
    camera = np.array([[width * 0.9, 0, width / 2], [0, width * 0.9, height / 2], [0, 0, 1]])
    lens = np.array([-0.05, 0.01, 0, 0, 0])
    maps = cv2.initUndistortRectifyMap(camera, lens, np.eye(3), camera, (width, height), cv2.CV_16SC2)
    corners = np.float32([[0.02, 0.03], [0.97, 0.01], [0.99, 0.98], [0.01, 0.96]]) * [width, height]
    plane = cv2.getPerspectiveTransform(
        corners.astype(np.float32), np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    )
    return lambda: cv2.warpPerspective(cv2.remap(picture, *maps, cv2.INTER_LINEAR), plane, (width, height))


def eyes_figures(size: tuple[int, int], moves: int) -> Iterator[Figure]:
    timed = Timed(size, moves)
    at = f"{size[0]}x{size[1]}"
    base = median_ms(floor(timed.frame))
    yield Figure(f"floor: undistort and rectify, {at}", base, "ms")
    yield Figure(f"settled frame to proposal p50, {at}", quantile(timed.proposals, 0.5), "ms", base)
    yield Figure(f"settled frame to proposal p95, {at}", quantile(timed.proposals, 0.95), "ms", base)
    yield Figure(f"full read of the table, {at}", median_ms(timed.full_read, 5), "ms", base)
    preview = timed.evening.camera.preview().picture
    yield Figure(f"watch one preview, {at}", median_ms(lambda: timed.eyes.watch(preview, 1e6), 50), "ms")


def engine_figures() -> Iterator[Figure]:
    for name, value, unit, base in bench_engines.figures():
        yield Figure(name, value, unit, base)


def service_figures() -> Iterator[Figure]:
    from tests.footprint import measure

    seen = measure((1536, 864))
    yield Figure("thoth run: start to ready", seen.ready_s, "s", 3.0)
    yield Figure("thoth run: peak memory at 1536x864", seen.peak_mb, "MB", 150.0)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measure speed and memory; write build/bench.json.")
    parser.add_argument(
        "--moves", type=int, default=16, help="moves played per size of picture (default: 16)"
    )
    parser.add_argument(
        "--only", choices=("eyes", "engines", "service"), action="append", help="leave the others out"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench.json")
    args = parser.parse_args(argv)
    print(f"{'':52}{'value':>10} {'unit':8}{'floor':>9}{'ratio':>8}")
    chosen = args.only or ("eyes", "engines", "service")
    figures = []
    for size in SIZES if "eyes" in chosen else ():
        figures += _told(eyes_figures(size, args.moves))
    if "engines" in chosen:
        figures += _told(engine_figures())
    if "service" in chosen:
        figures += _told(service_figures())
    args.out.parent.mkdir(parents=True, exist_ok=True)
    rows = {
        one.name: {"value": round(one.value, 3), "unit": one.unit, "floor": one.floor, "ratio": one.ratio}
        for one in figures
    }
    args.out.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


def _told(figures: Iterator[Figure]) -> list[Figure]:
    told = []
    for one in figures:
        base = f"{one.floor:9.1f}{one.ratio:8.2f}" if one.floor else ""
        digits = 3 if one.value < 1 else 1
        print(f"{one.name:52}{one.value:10.{digits}f} {one.unit:8}{base}", flush=True)
        told.append(one)
    return told


if __name__ == "__main__":
    sys.exit(main())
