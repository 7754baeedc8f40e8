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
REPEATED = 0.8
"""A group of which this share belongs to a piece that was found says nothing new."""
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
    """A face at its place: ``map`` (2, 3) from the face (sides, from its centre) to where it was seen; ``which`` comparisons say so, and
    which they are of those of this face (``own``)."""

    row: int
    map: Doubles
    votes: float
    which: Rows
    own: Rows


@dataclass(frozen=True, slots=True, eq=False)
class _Face:
    """Comparisons of one face: which of all (m,); themselves; face and seen side by side (m, 4); which belong to a piece that was found
    (m,), noted as it is found."""

    mine: Rows
    here: Comparisons
    both: Doubles
    told: NDArray[np.bool_]


def placed(comparisons: Comparisons, tolerance: Tolerance, most: int, least: float = 0.0) -> list[Placed]:
    """Faces that enough comparisons agree about, most votes first; the best ``most`` groups are looked at, as far as they have ``least``
    votes and do not say once more what a better one has said."""
    order = np.argsort(comparisons.rows, kind="stable")
    starts = np.flatnonzero(np.diff(comparisons.rows[order])) + 1
    groups: list[tuple[float, Rows, _Face]] = []
    for mine in np.split(order, starts):
        if len(mine) < tolerance.fewest:
            continue
        if len(mine) > MOST_OF_ONE:
            mine = mine[np.argsort(-comparisons.weights[mine])[:MOST_OF_ONE]]
        here = comparisons.only(mine)
        both = np.concatenate([here.face, here.seen], 1, dtype=np.float64)
        face = _Face(mine, here, both, np.zeros(len(mine), np.bool_))
        groups.extend((votes, group, face) for votes, group in _groups(here, tolerance, least))
    groups.sort(key=lambda item: -item[0])
    found: list[Placed] = []
    for _, group, face in groups[:most]:
        if face.told[group].mean() > REPEATED:
            continue
        one = _fitted(face, group, tolerance)
        if one is not None:
            found.append(one)
            face.told[one.own] = True
    return sorted(found, key=lambda one: -one.votes)


def _groups(here: Comparisons, tolerance: Tolerance, least: float) -> Iterator[tuple[float, Rows]]:
    """Comparisons of one face that mean the same place, size and turn, with ``least`` votes: (votes, which)."""
    agree = _agree(here, tolerance)
    if agree.sum(1).max() < tolerance.fewest:
        return
    heads = agree.astype(np.float32)
    sides = np.exp(here.sides)
    weights = here.weights.astype(np.float32)
    for _ in range(COPIES):
        votes = (heads @ weights) * (weights > 0)
        best = int(votes.argmax())
        which = np.flatnonzero(agree[best] & (weights > 0))
        if len(which) < tolerance.fewest or votes[best] < least:
            return
        if _enough(here.seen[which], float(sides[best]), tolerance.fewest):
            yield float(votes[best]), which
        weights[which] = 0.0


def _agree(here: Comparisons, tolerance: Tolerance) -> NDArray[np.bool_]:
    """(m, m): which comparisons of one face mean the same place, size and turn."""
    x, y = here.centres().astype(np.float32).T
    reach = (np.float32(tolerance.place) * np.exp(here.sides)) ** 2
    apart = (x[:, None] - x) ** 2
    apart += (y[:, None] - y) ** 2
    agree = apart < np.minimum(reach[:, None], reach)
    agree &= np.abs(here.sides[:, None] - here.sides) < tolerance.side
    ways = np.stack([np.cos(here.turns), np.sin(here.turns)], 1)
    agree &= ways @ ways.T > np.cos(tolerance.turn)
    return np.asarray(agree)


def _enough(seen: Floats, side: float, fewest: int) -> bool:
    """Whether so many places speak: one corner described twice counts once."""
    spots: set[tuple[float, float]] = set()
    for x, y in np.round(seen / (SAME_SPOT * side + 1e-6)).tolist():
        spots.add((x, y))
        if len(spots) >= fewest:
            return True
    return False


def _fitted(face: _Face, group: Rows, tolerance: Tolerance) -> Placed | None:
    """The face where its comparisons say, gathered again from all of them with each refinement."""
    here = face.here
    wanted = float(here.sides[group].mean())
    map_ = similarity(_spread(face.both[group], here.weights[group]), wanted, tolerance.stretch)
    for loose in (2.0, 1.0):
        side = side_of(map_)
        turn = math.atan2(map_[1, 0] - map_[0, 1], map_[0, 0] + map_[1, 1])
        off = here.face @ map_[:, :2].T + map_[:, 2] - here.seen
        near = np.hypot(off[:, 0], off[:, 1]) < max(tolerance.least, loose * tolerance.spot * side)
        near &= np.abs(here.sides - math.log(max(side, 1e-6))) < 1.5 * tolerance.side
        near &= np.cos(here.turns - turn) > math.cos(1.5 * tolerance.turn)
        held = np.flatnonzero(near)
        if not _enough(here.seen[held], side, tolerance.fewest):
            return None
        map_ = affine(_spread(face.both[held], here.weights[held]), wanted, tolerance)
    feature, weights = here.feature[held], here.weights[held]
    strongest = np.zeros(int(feature.max()) + 1)
    np.maximum.at(strongest, feature, weights)
    return Placed(int(here.rows[0]), map_, float(strongest.sum()), face.mine[held], held)


def side_of(map_: Doubles) -> float:
    """The side of the face where a map (2, 3) puts it: root of its area."""
    return math.sqrt(abs(float(map_[0, 0] * map_[1, 1] - map_[0, 1] * map_[1, 0])))


Spread = tuple[float, Doubles, Doubles]
"""Weight of points on a face and where they were seen, side by side; their mean (4,); their squares and products around it (4, 4), weighted."""


def _spread(both: Doubles, weights: Floats) -> Spread:
    total = float(weights.sum())
    mean = weights @ both / total
    away = both - mean
    return total, mean, (away * weights[:, None]).T @ away


def similarity(spread: Spread, wanted: float, stretch: float) -> Doubles:
    """Least squares similarity (2, 3) from face to what was seen (Umeyama, 1991, in the plane), its log size within ``stretch`` of
    ``wanted``."""
    total, mean, square = spread
    along, across = float(square[0, 2] + square[1, 3]) / total, float(square[0, 3] - square[1, 2]) / total
    length = max(math.hypot(along, across), 1e-9)
    size = math.log(length / (float(square[0, 0] + square[1, 1]) / total + 1e-9))
    size = math.exp(min(max(size, wanted - stretch), wanted + stretch)) / length
    turn = np.array([[along, -across], [across, along]]) * size
    return np.concatenate([turn, (mean[2:] - turn @ mean[:2])[:, None]], 1)


def affine(spread: Spread, wanted: float, tolerance: Tolerance) -> Doubles:
    """Least squares affine map (2, 3), held to the best similarity as by ``stiffness`` features at each corner: few shear nothing."""
    _, mean, square = spread
    start = similarity(spread, wanted, tolerance.stretch)
    prior = tolerance.stiffness * 0.25
    one, both, two = float(square[0, 0]) + prior, float(square[0, 1]), float(square[1, 1]) + prior
    cross = square[2:, :2] + prior * start[:, :2]
    turn = cross @ np.array([[two, -both], [-both, one]]) / (one * two - both * both)
    return np.concatenate([turn, (mean[2:] - turn @ mean[:2])[:, None]], 1)


def sized(comparisons: Comparisons, sides: Floats, tolerance: Tolerance) -> Comparisons:
    """Those whose size is about right, at exactly the size (m,) log that their face has; NaN where that is not known."""
    near = np.abs(comparisons.sides - sides) < tolerance.side
    return replace(comparisons.only(near), sides=sides[near])
