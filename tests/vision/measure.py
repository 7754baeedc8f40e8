"""Measure the eyes on simulated evenings: one row per picture, one sum per condition.

    python -m tests.vision.measure [--seeds 10] [--moves 40] [--size 1536x864] [--condition NAME] [--rows FILE]

Every picture is read by eyes that have followed the evening (only what changed is read) and, now and then, by fresh ones.
``wrong`` counts parts and pieces that were reported with a certain identity that is not theirs; ``doubt`` those that were
seen and not told; ``phantom`` pieces reported where none lies.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engines.table import Table
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.reading import expected, layout
from hardware.clock import SimulatedClock
from hardware.print.faces import draw_face
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import TABLES, Conditions, Glare
from hardware.simulated.table import SimulatedTable
from vision.eyes import Eyes
from vision.gallery import Gallery

TANIS = layout(2, {})
CONDITIONS: dict[str, Callable[[Conditions, random.Random], Conditions]] = {
    "usual": lambda c, r: c,
    "dim": lambda c, r: replace(c, light=0.45),
    "bright": lambda c, r: replace(c, light=1.2),
    "warm": lambda c, r: replace(c, warmth=1.0),
    "cold": lambda c, r: replace(c, warmth=-1.0),
    "gradient": lambda c, r: replace(c, gradient=(r.choice((-0.3, 0.3)), r.choice((-0.3, 0.3)))),
    "shadows": lambda c, r: replace(c, shadow=0.65, lamp=(r.choice((-1.0, 1.0)), r.choice((-0.9, 0.9)))),
    "noisy": lambda c, r: replace(c, noise=5.0, jpeg=80),
    "soft": lambda c, r: replace(c, blur=1.2),
    "glare": lambda c, r: replace(c, glare=Glare(r.uniform(240, 350), r.uniform(120, 240), 25.0, 0.35)),
    "knocked": lambda c, r: replace(
        c, shift=(r.uniform(-6, 6), r.uniform(-6, 6)), turn=r.uniform(-1, 1), sag=r.uniform(-1, 1)
    ),
    "white table": lambda c, r: replace(c, table=TABLES[2]),
    "black table": lambda c, r: replace(c, table=TABLES[1]),
}


@dataclass
class Tally:
    """What a reading was worth."""

    right: int = 0
    doubt: int = 0
    wrong: int = 0
    phantom: int = 0
    faults: int = 0
    confused: Counter[tuple[str, str]] = field(default_factory=Counter)
    doubtful: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.right += other.right
        self.doubt += other.doubt
        self.wrong += other.wrong
        self.phantom += other.phantom
        self.faults += other.faults
        self.confused.update(other.confused)
        self.doubtful.update(other.doubtful)


def judge(seen: Table, world: TanisWorld, table: SimulatedTable) -> Tally:
    """Compare a reading with what truly lies there: parts in the dig, pieces in the free zones."""
    tally = Tally()
    labels = {face.identity: face.labels for face in TANIS.faces}
    tops: dict[tuple[int, int], tuple[str, int, int]] = {}
    for name, place in sorted(world.lying.items(), key=lambda entry: entry[1].level):
        for part, cell in enumerate(place.cells):
            tops[cell] = (name, part, place.level)
    told: dict[tuple[int, int], tuple[str, ...]] = {}
    for piece in seen.within("dig"):
        for part, cell in enumerate(piece.cells):
            if part < len(piece.seen) and piece.seen[part] and piece.identities:
                told[cell] = (str(part), *sorted({labels[name][part] for name in piece.identities}))
                truth = tops.get(cell)
                if piece.identity and truth and piece.identity != truth[0]:
                    tally.wrong += 1
                    tally.confused[truth[0], piece.identity] += 1
                if truth and world.lying[truth[0]].cells != piece.cells:
                    tally.wrong += 1
                    tally.confused[f"lie of {truth[0]}", str(piece.cells)] += 1
                if truth and truth[2] != piece.level:
                    tally.confused["level", ""] += 1
            elif not piece.identities and cell not in tops:
                tally.phantom += 1
    for cell, (name, part, _) in tops.items():
        label = labels[name][part]
        got = told.get(cell)
        if got is None:
            tally.doubt += 1
            tally.doubtful[f"dig {label}"] += 1
        elif got == (str(part), label):
            tally.right += 1
        else:
            tally.wrong += 1
            tally.confused[label, "/".join(got[1:])] += 1
    tally.phantom += sum(cell not in tops for cell in told)
    for zone in TANIS.zones:
        if zone.form == "stack":
            continue
        left = list(seen.within(zone.name))
        for body in table.within(zone.name):
            near = [p for p in left if abs(p.x - body.x) + abs(p.y - body.y) < 6]
            if not near:
                tally.doubt += 1
                tally.doubtful[f"missed {body.identity}"] += 1
                continue
            left.remove(near[0])
            if near[0].identity == body.identity:
                tally.right += 1
            elif near[0].identity is None:
                tally.doubt += 1
                tally.doubtful[f"loose {body.identity}"] += 1
            else:
                tally.wrong += 1
                tally.confused[body.identity, near[0].identity or ""] += 1
        tally.phantom += len(left)
    return tally


def gallery() -> Gallery:
    return Gallery.from_pictures(
        TANIS, {f.identity: draw_face(f, TANIS.kind(f.kind), 4.0) for f in TANIS.faces}, 4.0
    )


def evening(
    seed: int, size: tuple[int, int], condition: str, moves: int, faces: Gallery
) -> Iterator[tuple[str, float, Tally]]:
    """Play ``moves`` moves and read after each; yields (fresh or followed, ms, tally)."""
    rng = random.Random(f"measure {seed} {condition}")
    world = deal(seed, 2, 0, {})
    table = SimulatedTable(TANIS, world.setup(), seed)
    table.lay_out()
    camera = SimulatedCamera(table, SimulatedClock(), size, seed)
    camera.conditions = CONDITIONS[condition](camera.conditions, rng)
    eyes = Eyes(TANIS, faces)
    awaited = Table()
    for count in range(moves):
        picture = camera.capture(0.0).picture
        begun = time.perf_counter()
        look = eyes.read(picture, awaited)
        took = 1e3 * (time.perf_counter() - begun)
        yield "followed", took, _tally(look.table, look.fault, world, table)
        if count % 10 == 5:
            begun = time.perf_counter()
            look = Eyes(TANIS, faces).read(picture, awaited)
            yield "fresh", 1e3 * (time.perf_counter() - begun), _tally(look.table, look.fault, world, table)
        if world.over:
            return
        awaited = expected(world.state)
        intent = world.choose(rng)
        for acts, steps in intent.stages:
            for act in acts:
                table.do(act)
            for step in steps:
                world.play(step)


def _tally(seen: Table | None, fault: str | None, world: TanisWorld, table: SimulatedTable) -> Tally:
    if seen is None:
        return Tally(faults=1, confused=Counter({("fault", fault or ""): 1}))
    return judge(seen, world, table)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--moves", type=int, default=45)
    parser.add_argument("--size", default="1536x864")
    parser.add_argument("--condition", action="append")
    parser.add_argument("--rows", type=Path)
    chosen = parser.parse_args(arguments)
    width, height = (int(side) for side in chosen.size.split("x"))
    faces = gallery()
    rows: list[dict[str, object]] = []
    whole = Tally()
    for condition in chosen.condition or list(CONDITIONS):
        total = Tally()
        times: dict[str, list[float]] = {"followed": [], "fresh": []}
        for seed in range(chosen.first, chosen.first + chosen.seeds):
            for number, (way, took, tally) in enumerate(
                evening(seed, (width, height), condition, chosen.moves, faces)
            ):
                total.add(tally)
                if number:
                    times[way].append(took)
                rows.append(
                    {
                        "condition": condition,
                        "seed": seed,
                        "picture": number,
                        "way": way,
                        "ms": round(took, 1),
                    }
                    | {k: getattr(tally, k) for k in ("right", "doubt", "wrong", "phantom", "faults")}
                )
        whole.add(total)
        parts = total.right + total.doubt + total.wrong
        print(
            f"{condition:12} right {100 * total.right / max(parts, 1):7.3f} %  doubt {total.doubt:4} wrong {total.wrong:3} "
            f"phantom {total.phantom:3} unread {total.faults:3} of {parts}  ms p50 {np.median(times['followed'] or [0]):.0f} "
            f"p95 {np.percentile(times['followed'] or [0], 95):.0f}, whole {np.median(times['fresh'] or [0]):.0f}",
            flush=True,
        )
        if total.confused or total.doubtful:
            print("   ", total.confused.most_common(8), total.doubtful.most_common(8), flush=True)
    if chosen.rows and rows:
        with chosen.rows.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    parts = whole.right + whole.doubt + whole.wrong
    print(f"all: {whole.right}/{parts} right, {whole.wrong} wrong, {whole.phantom} phantoms")
    return 1 if whole.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
