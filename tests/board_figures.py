"""How well figures on a board are read: ``python -m tests.board_figures --seeds 40`` (many lights, cameras, tables; counts squares)."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from engines.papyrus.zones import BOARD
from engines.table import Table
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from tests.boards import LAYOUT, gallery, standing, table
from vision.eyes import Eyes

LAMPS: Mapping[str, Mapping[str, object]] = {
    "evening": {},
    "dim": {"light": 0.45, "noise": 4.5},
    "warm": {"warmth": 1.0, "light": 0.8},
    "cold": {"warmth": -1.0},
    "one side": {"gradient": (0.32, -0.2), "lamp": (0.9, 0.5)},
    "hard shadows": {"shadow": 0.6, "lamp": (-0.8, 0.7)},
    "soft lens": {"blur": 0.9, "jpeg": 80},
}


class Count(NamedTuple):
    """Squares with figures on them (right: all that stands there), and squares that are empty."""

    right: int = 0
    unknown: int = 0
    wrong: int = 0
    empty: int = 0
    blind: int = 0
    """Pictures that could not be read at all."""
    ms: tuple[float, ...] = ()


def measured(
    seeds: Iterable[int],
    lamps: Iterable[str] = tuple(LAMPS),
    size: tuple[int, int] = (2304, 1296),
    tell: bool = False,
) -> Count:
    """Every seed a table, a camera and a place of the board; each seen in each light. A square is wrong when what is said to stand
    there for certain is not what does."""
    count = Count()
    for seed in seeds:
        made, rng = table(seed), random.Random(f"shove {seed}")
        made.bump_board(BOARD, rng.uniform(-25, 25), rng.uniform(-20, 20), rng.uniform(-6, 6))
        eyes = Eyes(LAYOUT, gallery())
        for lamp in lamps:
            drawn = Conditions.draw(seed)
            camera = SimulatedCamera(made, SimulatedClock(), size, seed, replace(drawn, **LAMPS[lamp]))  # type: ignore[arg-type]
            picture = camera.capture(0).picture
            eyes.forget()
            before = time.perf_counter()
            look = eyes.read(picture, Table())
            took = 1e3 * (time.perf_counter() - before)
            if look.table is None or look.table.unread:
                count = count._replace(blind=count.blind + 1)
                if tell:
                    print(f"seed {seed}, {lamp}: {look.fault or 'blocked'}")
                continue
            one = _compared(standing(made), look.table, f"seed {seed}, {lamp}" if tell else "")
            count = Count(
                count.right + one.right,
                count.unknown + one.unknown,
                count.wrong + one.wrong,
                count.empty + one.empty,
                count.blind,
                (*count.ms, took),
            )
    return count


def _compared(true: Mapping[str, list[str]], seen: Table, where: str) -> Count:
    right = unknown = wrong = empty = 0
    for square in (*(one.name for one in LAYOUT.zone(BOARD).squares), ""):
        there = true.get(square, [])
        pieces = [piece for piece in seen.pieces if piece.square == square]
        told = sorted(piece.identity for piece in pieces if piece.identity is not None)
        if told == there and len(pieces) == len(told):
            right, empty = right + bool(there), empty + (not there)
            continue
        # Said for certain what is not so, or said that nothing more stands there when it does.
        rest = list(there)
        lies = [name for name in told if name not in rest or rest.remove(name)]  # type: ignore[func-returns-value]
        untold = [piece for piece in pieces if piece.identity is None]
        if lies or len(untold) + len(told) < len(there):
            wrong += 1
        else:
            unknown += 1
        if where:
            said = [piece.identity or "/".join(piece.identities) or "?" for piece in pieces]
            print(f"{where}: {square or 'between squares'} has {there}, seen {said}")
    return Count(right, unknown, wrong, empty)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--lamp", choices=LAMPS, action="append")
    parser.add_argument("--width", type=int, default=2304)
    asked = parser.parse_args()
    result = measured(
        range(asked.first, asked.first + asked.seeds),
        asked.lamp or tuple(LAMPS),
        (asked.width, asked.width * 9 // 16),
        True,
    )
    filled = result.right + result.unknown + result.wrong
    print(
        f"{filled} squares with figures: {100 * result.right / max(1, filled):.2f} % right, {result.unknown} asked, {result.wrong} wrong; "
        f"{result.empty} empty ones right; {result.blind} pictures not read; {np.median(result.ms):.0f} ms"
    )
