"""Measure the eyes on card games, move by move and without people: what is read of each picture against what lies there.

    python -m tests.vision.measure_cards [--game ankh] [--players 2] [--seeds 3] [--moves 60]

``wrong`` counts pieces that were read as another; ``doubt`` those that were seen and not told; ``phantom`` pieces read where none lies.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

import numpy as np

from engines.table import Layout, Table
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.table import SimulatedTable
from tests.vision.laid import gallery, layout
from vision.eyes import Eyes

NEAR = 6.0
"""A piece is the one that lies there when it is nearer than this, mm (both ways added)."""


def pictures(
    game: str, players: int, seed: int, moves: int
) -> Iterator[tuple[Eyes, float, Table | None, SimulatedTable]]:
    """Play ``moves`` moves; after each the eyes, the milliseconds that they took, what they read, and the table as it is."""
    place = layout(game, players)
    options = dict(importlib.import_module(f"engines.{game}.rules").DEFAULTS)
    world = importlib.import_module(f"engines.{game}.dealing").deal(seed, players, 0, options)
    reading = importlib.import_module(f"engines.{game}.reading")
    table = SimulatedTable(place, world.setup(), seed)
    table.lay_out()
    camera = SimulatedCamera(table, SimulatedClock(), seed=seed)
    eyes, rng = Eyes(place, gallery(game, players)), random.Random(seed)
    for _ in range(moves):
        if world.over:
            return
        for deeds, steps in world.choose(rng).stages:
            for deed in deeds:
                table.do(deed)
            for step in steps:
                world.play(step)
        picture = camera.capture(0.0).picture
        begun = time.perf_counter()
        look = eyes.read(picture, reading.expected(world.state))
        yield eyes, 1e3 * (time.perf_counter() - begun), look.table, table


def judged(seen: Table | None, table: SimulatedTable, place: Layout) -> Counter[str]:
    """What a reading is worth; of a pile only the top counts."""
    if seen is None:
        return Counter(faults=1)
    counts: Counter[str] = Counter(unread=len(seen.unread))
    for zone in place.zones:
        left = list(seen.within(zone.name))
        bodies = table.within(zone.name)
        if zone.name in seen.unread:
            continue
        for body in bodies[-1:] if zone.form == "pile" else bodies:
            near = [one for one in left if abs(one.x - body.x) + abs(one.y - body.y) < NEAR]
            if not near:
                counts["missed"] += 1
                continue
            left.remove(near[0])
            name = near[0].identity
            counts["right" if name == body.identity else "doubt" if name is None else "wrong"] += 1
        counts["phantom"] += len(left)
    return counts


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="ankh")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--moves", type=int, default=60)
    chosen = parser.parse_args(arguments)
    total: Counter[str] = Counter()
    firsts: list[float] = []
    rest: list[float] = []
    for seed in range(chosen.seeds):
        for number, (eyes, took, seen, table) in enumerate(
            pictures(chosen.game, chosen.players, seed, chosen.moves)
        ):
            total.update(judged(seen, table, eyes.layout))
            (rest if number else firsts).append(took)
    print(f"{chosen.game}, {chosen.players} players: {dict(total)}")
    shares = np.percentile(rest or [0], [50, 95, 100]).round()
    print(f"ms: first look {np.median(firsts):.0f}, then p50 p95 max {shares}")
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
