"""Quads put together from straight stretches of edges: for pieces whose contour runs into something else.

Two stretches that meet at an angle are a corner; two corners on one stretch are three sides; two corners that face each other are four.
What the edges of the photo do not bear out all around is left out again. Coordinates are px of the smaller picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture
from vision.reading.sides import Floats, areas, clockwise, frames, plausible
from vision.reading.support import allowed

Places = NDArray[np.int64]

LONGEST = 450
"""So many stretches, the longest, are put together."""
MOST_CORNERS, FACING = 4000, 400
"""So many corners, those with the longest arms, make three sides; so many are compared with each other as facing ones."""
MOST = 800
"""So many quads are looked at closely."""
BLUNT = 0.71
"""Cosine of the most pointed corner (45 degrees)."""
GAP, GAP_PX = 0.2, 4.0
"""How far before or behind the corner a stretch may end: a share of its length, and px more."""
COARSE = np.linspace(0.1, 0.9, 8, dtype=np.float32)
FINE = np.linspace(0.06, 0.94, 24, dtype=np.float32)
BEYOND = np.array([-0.17, -0.13, -0.09, -0.05, 1.05, 1.09, 1.13, 1.17], np.float32)
"""Where along a side edges are looked for; and where its line would go on."""
CROWD = 14
"""So many quads of about one size at one place are kept at first: the pattern of a cloth makes thousands."""
LEAST = 0.62
"""Share of the border along which edges must be found."""


@dataclass(frozen=True, slots=True, eq=False)
class _Corners:
    """Where two stretches meet (n, 2); which (n,), (n,); the ways (n, 2) along them from there; how far they reach (n,)."""

    meet: Floats
    one: Places
    other: Places
    along: Floats
    beside: Floats
    reach: Floats
    reach_beside: Floats

    def chosen(self, which: Places) -> _Corners:
        return _Corners(*(getattr(self, name)[which] for name in self.__slots__))


def _corners(flat: Floats) -> _Corners:
    """Every corner twice: each of its two stretches is ``one`` once."""
    ways = flat[:, 1] - flat[:, 0]
    lengths = np.maximum(np.linalg.norm(ways, axis=-1), 1e-6)
    ways = ways / lengths[:, None]
    one, other = np.nonzero(np.triu(np.abs(ways @ ways.T) < BLUNT, 1))
    cross = ways[one, 0] * ways[other, 1] - ways[one, 1] * ways[other, 0]
    gap = flat[other, 0] - flat[one, 0]
    at = (gap[:, 0] * ways[other, 1] - gap[:, 1] * ways[other, 0]) / cross
    near = np.minimum(np.abs(at), np.abs(at - lengths[one])) < GAP * lengths[one] + GAP_PX
    one, other, at = one[near], other[near], at[near]
    meet = flat[one, 0] + at[:, None] * ways[one]
    arms = []
    near = np.ones(len(meet), bool)
    for which in (one, other):
        ends = np.linalg.norm(flat[which] - meet[:, None], axis=-1)
        far = ends.argmax(-1)
        away = flat[which, far] - meet
        reach = np.maximum(ends.max(-1), 1e-6)
        near &= ends.min(-1) < GAP * lengths[which] + GAP_PX
        arms.append((away / reach[:, None], reach))
    kept = np.flatnonzero(near)
    kept = kept[np.argsort(-np.minimum(arms[0][1], arms[1][1])[kept])][:MOST_CORNERS]
    parts = [
        (meet, meet),
        (one, other),
        (other, one),
        (arms[0][0], arms[1][0]),
        (arms[1][0], arms[0][0]),
        (arms[0][1], arms[1][1]),
        (arms[1][1], arms[0][1]),
    ]
    return _Corners(*(np.concatenate([first[kept], second[kept]]) for first, second in parts))


def _three_sided(corners: _Corners) -> Floats:
    """Quads (n, 4, 2) on two corners at the ends of one stretch, closed where the one arm ends, where the other ends, and from end to
    end."""
    order = np.argsort(corners.one, kind="stable")
    corners = corners.chosen(order)
    starts = np.searchsorted(corners.one, corners.one, "left")
    stops = np.searchsorted(corners.one, corners.one, "right")
    firsts = np.repeat(np.arange(len(order)), stops - starts)
    seconds = np.arange(len(firsts)) - np.repeat(np.cumsum(stops - starts) - (stops - starts), stops - starts)
    seconds = seconds + starts[firsts]
    left, right = corners.chosen(firsts), corners.chosen(seconds)
    base = right.meet - left.meet
    length = np.maximum(np.linalg.norm(base, axis=-1), 1e-6)
    way = base / length[:, None]
    hand = [way[:, 0] * arm[:, 1] - way[:, 1] * arm[:, 0] for arm in (left.beside, right.beside)]
    good = (
        (length > 10)
        & ((way * left.along).sum(-1) > 0.9)
        & ((way * right.along).sum(-1) < -0.9)
        & (hand[0] > 0)
        & (hand[1] > 0)
        & ((left.beside * right.beside).sum(-1) > 0.8)
    )
    left, right, length = left.chosen(np.flatnonzero(good)), right.chosen(np.flatnonzero(good)), length[good]
    found = []
    alike = np.minimum(left.reach_beside, right.reach_beside) > 0.8 * np.maximum(
        left.reach_beside, right.reach_beside
    )
    for far_left, far_right, used in (
        (left.reach_beside, right.reach_beside, alike),
        (left.reach_beside, left.reach_beside, ~alike),
        (right.reach_beside, right.reach_beside, ~alike),
    ):
        quad = np.stack(
            [
                left.meet,
                right.meet,
                right.meet + far_right[:, None] * right.beside,
                left.meet + far_left[:, None] * left.beside,
            ],
            1,
        )
        found.append(quad[used])
    return np.concatenate(found).astype(np.float32)


def _facing(corners: _Corners) -> Floats:
    """Quads (n, 4, 2) on two corners that open towards each other."""
    half = len(corners.one) // 2
    some = corners.chosen(np.arange(min(FACING, half)))
    along = some.along @ some.along.T
    beside = some.beside @ some.beside.T
    swapped = some.along @ some.beside.T
    first, second = np.nonzero(np.triu((along < -0.9) & (beside < -0.9), 1))
    third, fourth = np.nonzero((swapped < -0.9) & (swapped.T < -0.9))
    first, second = np.concatenate([first, third]), np.concatenate([second, fourth])
    crossed = np.arange(len(first)) >= len(first) - len(third)
    near, far = some.chosen(first), some.chosen(second)
    far_along = np.where(crossed[:, None], far.beside, far.along)
    far_beside = np.where(crossed[:, None], far.along, far.beside)
    corners_found = []
    spans = []
    for way, other in ((near.along, far_beside), (near.beside, far_along)):
        cross = way[:, 0] * other[:, 1] - way[:, 1] * other[:, 0]
        gap = far.meet - near.meet
        span = (gap[:, 0] * other[:, 1] - gap[:, 1] * other[:, 0]) / np.where(
            np.abs(cross) < 1e-3, 1e-3, cross
        )
        spans.append(span)
        corners_found.append(near.meet + span[:, None] * way)
    good = (spans[0] > 10) & (spans[1] > 10)
    good &= (near.reach < 1.3 * spans[0]) & (near.reach_beside < 1.3 * spans[1])
    quads = np.stack([near.meet, corners_found[0], far.meet, corners_found[1]], 1)
    return clockwise(quads[good].astype(np.float32))


def borne_out(quads: Floats, directions: Picture, places: Floats) -> Floats:
    """(n, 4): share of each side along which an edge is found at ``places``; beyond the picture there is none."""
    ways, normals, lengths = frames(quads)
    points = quads[:, :, None] + places[:, None] * (lengths[..., None] * ways)[:, :, None]
    height, width = directions.shape
    column, row = np.rint(points[..., 0]).astype(np.int64), np.rint(points[..., 1]).astype(np.int64)
    inside = (column >= 0) & (row >= 0) & (column < width) & (row < height)
    column, row = np.where(inside, column, 0), np.where(inside, row, 0)
    bits = allowed(np.arctan2(normals[..., 1], normals[..., 0]).astype(np.float32))[..., None]
    return np.asarray((inside & ((directions[row, column] & bits) != 0)).mean(-1), np.float32)


def _uncrowded(quads: Floats) -> Places:
    """Indices of quads (n, 4, 2), in their order, without those that have CROWD better ones of about their size at about their place."""
    side = np.sqrt(np.abs(areas(quads)))
    size = np.floor(2 * np.log2(np.maximum(side, 1.0)))
    middle = np.floor(quads.mean(1) / (0.4 * 2 ** (size / 2))[:, None])
    _, bin_of = np.unique(np.concatenate([middle, size[:, None]], 1), axis=0, return_inverse=True)
    bin_of = bin_of.reshape(-1)
    order = np.argsort(bin_of, kind="stable")
    starts = np.searchsorted(bin_of[order], bin_of[order], "left")
    return np.asarray(np.sort(order[np.arange(len(order)) - starts < CROWD]), np.int64)


def assembled(flat: Floats, directions: Picture, smallest: float, largest: float) -> tuple[Floats, Floats]:
    """Quads (n, 4, 2) made of stretches (m, 2, 2), and which share of each side (n, 4) edges bear out; areas between ``smallest`` and
    ``largest`` px squared."""
    corners = _corners(flat[:LONGEST])
    if not len(corners.one):
        return np.zeros((0, 4, 2), np.float32), np.zeros((0, 4), np.float32)
    quads = np.concatenate([_three_sided(corners), _facing(corners)])
    area = areas(quads)
    height, width = directions.shape
    inside = ((quads > -8) & (quads < np.array([width + 8, height + 8]))).all((-1, -2))
    quads = quads[plausible(quads) & (area > smallest) & (area < largest) & inside]
    coarse = borne_out(quads, directions, COARSE)
    good = np.flatnonzero((coarse.mean(-1) > LEAST) & (np.sort(coarse, -1)[:, 1] > 0.4))
    good = good[np.argsort(-coarse[good].mean(-1), kind="stable")]
    quads = quads[good[_uncrowded(quads[good])][:MOST]]
    shown = borne_out(quads, directions, FINE)
    good = np.flatnonzero(shown.mean(-1) > LEAST)
    return quads[good], shown[good]
