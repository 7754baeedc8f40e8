"""Comparisons of single features that agree about where a whole face lies.

The same in the photo, where a face may have any size and is seen at a slant, and in the plane of the table, where its size is known: the
generalised Hough transform of Ballard (1981) as Lowe (2004) uses it, without bins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Rows = NDArray[np.intp]

FEWEST = 3
"""Fewer comparisons than these say nothing."""
COPIES = 32
"""So many pieces of one face are looked for."""
MOST_OF_ONE = 500
"""Comparisons of one face, the best, that are set against each other."""
SAME_SPOT = 0.02
"""Features nearer than this (sides of the piece) speak once."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Features seen, each beside one of a face that looks alike.

    ``rows`` (m,): the face; ``feature`` (m,): which feature was seen; ``face`` (m, 2): where on the face, from its centre, in sides
    (root of the face's area); ``seen`` (m, 2): where it was seen; ``sides`` (m,): log of the side that the face would have there;
    ``turns`` (m,): rad by which it would be turned; ``weights`` (m,).
    """

    rows: Rows
    feature: Rows
    face: Floats
    seen: Floats
    sides: Floats
    turns: Floats
    weights: Floats

    def only(self, which: Rows | NDArray[np.bool_]) -> Comparisons:
        return Comparisons(
            self.rows[which],
            self.feature[which],
            self.face[which],
            self.seen[which],
            self.sides[which],
            self.turns[which],
            self.weights[which],
        )

    def centres(self) -> Floats:
        """(m, 2): where the middle of the whole face would be."""
        arms = -self.face * np.exp(self.sides)[:, None]
        cosine, sine = np.cos(self.turns), np.sin(self.turns)
        across = cosine * arms[:, 0] - sine * arms[:, 1]
        down = sine * arms[:, 0] + cosine * arms[:, 1]
        return self.seen + np.stack([across, down], 1)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Comparisons agree when the middles they mean are nearer than ``place`` sides, log sides than ``side``, turns (rad) than ``turn``;
    a feature belongs to a face when it is nearer than ``spot`` sides, or ``least`` whatever the size, to where the face has it.
    ``stiffness``: how many features at each corner hold the face to its shape; ``stretch``: the log size may change so much. ``fewest``: fewer
    comparisons, from as many spots, say nothing."""

    place: float = 0.18
    side: float = 0.35
    turn: float = 0.3
    spot: float = 0.035
    least: float = 0.0
    stiffness: float = 1.5
    stretch: float = np.inf
    fewest: int = FEWEST


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A face at its place: ``map`` (2, 3) from the face (sides, from its centre) to where it was seen; ``which`` comparisons say so."""

    row: int
    map: Doubles
    votes: float
    which: Rows


def placed(comparisons: Comparisons, tolerance: Tolerance, most: int) -> list[Placed]:
    """Faces that enough comparisons agree about, most votes first; the best ``most`` groups are looked at."""
    order = np.argsort(comparisons.rows, kind="stable")
    starts = np.flatnonzero(np.diff(comparisons.rows[order])) + 1
    groups: list[tuple[float, Rows, Rows]] = []
    for mine in np.split(order, starts):
        if len(mine) > MOST_OF_ONE:
            mine = mine[np.argsort(-comparisons.weights[mine])[:MOST_OF_ONE]]
        groups.extend((votes, group, mine) for votes, group in _groups(comparisons, mine, tolerance))
    groups.sort(key=lambda item: -item[0])
    found = (_fitted(comparisons, group, mine, tolerance) for _, group, mine in groups[:most])
    return sorted((one for one in found if one is not None), key=lambda one: -one.votes)


def _groups(comparisons: Comparisons, mine: Rows, tolerance: Tolerance) -> Iterator[tuple[float, Rows]]:
    """Comparisons of one face that mean the same place, size and turn: (votes, which)."""
    if len(mine) < tolerance.fewest:
        return
    here = comparisons.only(mine)
    centres = here.centres()
    sides = np.exp(here.sides)
    reach = tolerance.place * np.minimum(sides[:, None], sides[None])
    apart = centres[:, None] - centres[None]
    agree = np.einsum("abk,abk->ab", apart, apart) < reach * reach
    agree &= np.abs(here.sides[:, None] - here.sides[None]) < tolerance.side
    agree &= np.cos(here.turns[:, None] - here.turns[None]) > np.cos(tolerance.turn)
    weights = here.weights.astype(np.float32)
    for _ in range(COPIES):
        votes = (agree @ weights) * (weights > 0)
        best = int(votes.argmax())
        which = agree[best] & (weights > 0)
        if which.sum() < tolerance.fewest:
            return
        if _spots(here.seen[which], float(sides[best])) >= tolerance.fewest:
            yield float(votes[best]), mine[which]
        weights[which] = 0.0


def _spots(seen: Floats, side: float) -> int:
    """How many places speak: one corner described twice counts once."""
    return len({(x, y) for x, y in np.round(seen / (SAME_SPOT * side + 1e-6)).tolist()})


def _fitted(comparisons: Comparisons, group: Rows, mine: Rows, tolerance: Tolerance) -> Placed | None:
    """The face where its comparisons say, gathered again from all of them with each refinement."""
    here = comparisons.only(mine)
    start = comparisons.only(group)
    wanted = float(start.sides.mean())
    map_ = similarity(start.face, start.seen, start.weights, wanted, tolerance.stretch)
    for loose in (2.0, 1.0):
        side = side_of(map_)
        turn = float(np.arctan2(map_[1, 0] - map_[0, 1], map_[0, 0] + map_[1, 1]))
        off = here.face @ map_[:, :2].T + map_[:, 2] - here.seen
        near = np.hypot(off[:, 0], off[:, 1]) < max(tolerance.least, loose * tolerance.spot * side)
        near &= np.abs(here.sides - np.log(max(side, 1e-6))) < 1.5 * tolerance.side
        near &= np.cos(here.turns - turn) > np.cos(1.5 * tolerance.turn)
        held = here.only(near)
        if _spots(held.seen, side) < tolerance.fewest:
            return None
        map_ = affine(held, wanted, tolerance)
    strongest = np.zeros(int(held.feature.max()) + 1)
    np.maximum.at(strongest, held.feature, held.weights)
    return Placed(int(comparisons.rows[group[0]]), map_, float(strongest.sum()), mine[near])


def side_of(map_: Doubles) -> float:
    """The side of the face where a map (2, 3) puts it: root of its area."""
    return math.sqrt(abs(float(map_[0, 0] * map_[1, 1] - map_[0, 1] * map_[1, 0])))


def similarity(face: Floats, seen: Floats, weights: Floats, wanted: float, stretch: float) -> Doubles:
    """Least squares similarity (2, 3) from face to what was seen (Umeyama, 1991, in the plane), its log size within ``stretch`` of
    ``wanted``."""
    share = weights / weights.sum()
    mean, middle = share @ face, share @ seen
    a, b = face - mean, seen - middle
    along = float((share * (a * b).sum(1)).sum())
    across = float((share * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])).sum())
    length = max(float(np.hypot(along, across)), 1e-9)
    size = length / (float((share * (a * a).sum(1)).sum()) + 1e-9)
    size = float(np.exp(np.clip(np.log(size), wanted - stretch, wanted + stretch)))
    turn = np.array([[along, -across], [across, along]]) * (size / length)
    return np.concatenate([turn, (middle - turn @ mean)[:, None]], 1)


def affine(held: Comparisons, wanted: float, tolerance: Tolerance) -> Doubles:
    """Least squares affine map (2, 3), held to the best similarity as by ``stiffness`` features at each corner: few shear nothing."""
    start = similarity(held.face, held.seen, held.weights, wanted, tolerance.stretch)
    mean = held.weights @ held.face / held.weights.sum()
    middle = start[:, :2] @ mean + start[:, 2]
    a, b = np.asarray(held.face - mean, np.float64), np.asarray(held.seen - middle, np.float64)
    prior = tolerance.stiffness * 0.25
    square = (a * held.weights[:, None]).T @ a
    one, both, two = square[0, 0] + prior, square[0, 1], square[1, 1] + prior
    cross = (b * held.weights[:, None]).T @ a + prior * start[:, :2]
    turn = cross @ np.array([[two, -both], [-both, one]]) / (one * two - both * both)
    return np.concatenate([turn, (middle - turn @ mean)[:, None]], 1)


def sized(comparisons: Comparisons, sides: Floats, tolerance: Tolerance) -> Comparisons:
    """Those whose size is about right, at exactly the size (m,) log that their face has; NaN where that is not known."""
    near = np.abs(comparisons.sides - sides) < tolerance.side
    return replace(comparisons.only(near), sides=sides[near])
