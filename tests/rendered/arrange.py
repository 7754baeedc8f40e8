"""How pieces lie: apart, in overlapping rows, as touching mosaics, in heaps, as many copies; lowest first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from tests.rendered.deck import Card
from tests.rendered.render import Lying

Arrangement = Callable[[np.random.Generator, Sequence[Card]], list[Lying]]


def apart(rng: np.random.Generator, cards: Sequence[Card]) -> list[Lying]:
    """A loose grid, every piece with a space around it; now and then all turned as one likes."""
    w, h = cards[0].family.size
    free = rng.random() < 0.4
    reach = math.hypot(w, h) if free else 0.0
    gap = rng.uniform(4, 25)
    pitch = (max(w, reach) + gap, max(h, reach) + gap)
    columns = max(1, round(math.sqrt(len(cards) * pitch[1] / pitch[0]) + rng.uniform(-0.4, 0.9)))
    lying = []
    for index, card in enumerate(cards):
        x = (index % columns) * pitch[0] + rng.uniform(-0.35, 0.35) * gap
        y = (index // columns) * pitch[1] + rng.uniform(-0.35, 0.35) * gap
        turn = rng.uniform(0, 360) if free else float(rng.choice([0, 0, 0, 180])) + rng.normal(0, 3)
        lying.append(Lying(card, x, y, turn, card.family.thickness))
    return lying


def rows(rng: np.random.Generator, cards: Sequence[Card]) -> list[Lying]:
    """Rows or fans in which each piece covers most of the one before, a strip of which stays visible; rows beside and below each other."""
    w, h = cards[0].family.size
    lying: list[Lying] = []
    start = 0
    left = top = deepest = 0.0
    wide = math.sqrt(len(cards) * w * h) * rng.uniform(0.9, 1.5)
    while start < len(cards):
        row = cards[start : start + int(rng.integers(2, 7))]
        start += len(row)
        along = rng.random() < 0.5
        strip = rng.uniform(0.2, 0.6)
        bend = rng.uniform(-7, 7) if rng.random() < 0.4 else 0.0
        side = 1 if rng.random() < 0.7 else -1
        base = rng.normal(0, 4)
        length = strip * (len(row) - 1) * (w if along else h)
        size = (w + length, h) if along else (w, h + length)
        if left > 0 and left + size[0] > wide:
            left, top, deepest = 0.0, top + deepest + rng.uniform(6, 25), 0.0
        for index, card in enumerate(row):
            step = strip * (index if side > 0 else len(row) - 1 - index)
            x = left + w / 2 + (step * w if along else 0.0) + rng.normal(0, 1)
            y = top + h / 2 + (0.0 if along else step * h) + rng.normal(0, 1)
            middle = index - len(row) / 2
            angle = base + bend * middle + rng.normal(0, 1)
            lying.append(
                Lying(card, x, y + abs(bend) * 0.05 * middle**2, angle, card.family.thickness * (1 + index))
            )
        left += size[0] + rng.uniform(6, 30)
        deepest = max(deepest, size[1])
    return lying


def mosaic(rng: np.random.Generator, cards: Sequence[Card]) -> list[Lying]:
    """Pieces edge to edge, with holes; square ones any way up."""
    w, h = cards[0].family.size
    columns = max(2, round(math.sqrt(len(cards) * h / w) + rng.uniform(-0.6, 0.6)))
    gap = rng.uniform(0.0, 0.7)
    lying = []
    index = 0
    cell = 0
    offset = rng.choice([0.0, 0.0, 0.5])
    while index < len(cards):
        column, line = cell % columns, cell // columns
        cell += 1
        if rng.random() < 0.12:
            continue
        card = cards[index]
        turn = float(rng.choice([0, 90, 180, 270])) if abs(w - h) < 1 else float(rng.choice([0, 0, 180]))
        x = (column + offset * (line % 2)) * (w + gap) + rng.normal(0, 0.12)
        y = line * (h + gap) + rng.normal(0, 0.12)
        lying.append(Lying(card, x, y, turn + rng.normal(0, 0.35), card.family.thickness))
        index += 1
    return lying


def heap(rng: np.random.Generator, cards: Sequence[Card]) -> list[Lying]:
    """Thrown on each other, any way round."""
    w, h = cards[0].family.size
    spread = math.sqrt(len(cards) * w * h) * rng.uniform(0.42, 0.6)
    return [
        Lying(
            card,
            rng.uniform(-1, 1) * spread,
            rng.uniform(-0.8, 0.8) * spread,
            rng.uniform(0, 360),
            card.family.thickness * (1 + 0.5 * index),
        )
        for index, card in enumerate(cards)
    ]


ARRANGEMENTS: dict[str, Arrangement] = {"apart": apart, "rows": rows, "mosaic": mosaic, "heap": heap}
