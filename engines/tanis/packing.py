"""How ten tiles fill a layer of the dig (T2, T3): two brick patterns that alternate, or any filling at random."""

from __future__ import annotations

import random
from functools import cache

from engines.table import Cell
from engines.tanis.dig import CELLS
from engines.tanis.state import COLUMNS, LEVELS, ROWS

Place = tuple[Cell, Cell]
"""Two cells that touch, the upper or left one first."""
Filling = frozenset[Place]

BRICKS = ("AABBC DDEEC FFGGH IIJJH", "ABBCC ADDEE FGGHH FIIJJ")
"""The two patterns of the example, drawn with the box's long side across; they share no place of a tile."""


def _drawn(pattern: str) -> Filling:
    cells: dict[str, list[Cell]] = {}
    for column, line in enumerate(pattern.split()):
        for row, letter in enumerate(line):
            cells.setdefault(letter, []).append((column, row))
    return frozenset((one, other) for one, other in map(sorted, cells.values()))


@cache
def bricks() -> tuple[Filling, Filling]:
    """The two brick patterns."""
    one, other = map(_drawn, BRICKS)
    return one, other


@cache
def fillings() -> tuple[Filling, ...]:
    """All 95 ways to fill a layer, always in the same order."""
    found: list[Filling] = []

    def fill(free: frozenset[Cell], placed: tuple[Place, ...]) -> None:
        if not free:
            found.append(frozenset(placed))
            return
        cell = min(free, key=CELLS.index)
        column, row = cell
        for other in ((column + 1, row), (column, row + 1)):
            if other in free and other[0] < COLUMNS and other[1] < ROWS:
                fill(free - {cell, other}, (*placed, (cell, other)))

    fill(frozenset(CELLS), ())
    return tuple(found)


def layers(rng: random.Random, packing: str) -> tuple[Filling, ...]:
    """Four layers from the floor up; no place stands twice in neighbouring layers (S5). Raises ValueError for an unknown packing."""
    if packing == "brick":
        pair = list(bricks())
        rng.shuffle(pair)
        return tuple(pair[level % 2] for level in range(LEVELS))
    if packing != "random":
        raise ValueError(f"packing is '{packing}': write brick or random")
    chosen = [rng.choice([filling for filling in fillings() if _neighbours(filling)])]
    while len(chosen) < LEVELS:
        chosen.append(rng.choice(_neighbours(chosen[-1])))
    return tuple(chosen)


@cache
def _neighbours(filling: Filling) -> tuple[Filling, ...]:
    """Fillings that may lie on this one or under it."""
    return tuple(other for other in fillings() if not filling & other)
