"""Many quads at once: their sides as straight lines, fitted to contours and to the steps of brightness and colour beside them.

Everything here takes and gives arrays of quads (n, 4, 2), px, each clockwise on the screen.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

ROWS = 256
"""So many quads at a time are compared with all others."""
STRAIGHT = (0.12, 0.88)
"""The stretch of a side that is straight whatever the corners are like: rounded, nicked, covered."""


def clockwise(quads: Floats) -> Floats:
    """The corners in clockwise order as seen on the screen, the first kept."""
    x, y = quads[..., 0], quads[..., 1]
    turned = (x * np.roll(y, -1, -1) - np.roll(x, -1, -1) * y).sum(-1) < 0
    return np.where(turned[..., None, None], quads[..., [0, 3, 2, 1], :], quads).astype(np.float32)


def side_lengths(quads: Floats) -> Floats:
    """(n, 4): from each corner to the next."""
    return np.asarray(np.linalg.norm(np.roll(quads, -1, -2) - quads, axis=-1), np.float32)


def areas(quads: Floats) -> Floats:
    """(n,): px squared, negative when not clockwise."""
    x, y = quads[..., 0], quads[..., 1]
    return np.asarray((x * np.roll(y, -1, -1) - np.roll(x, -1, -1) * y).sum(-1) / 2, np.float32)


def convex(quads: Floats) -> Flags:
    """(n,): every corner turns clockwise by something between 17 and 163 degrees."""
    ways = np.roll(quads, -1, -2) - quads
    ways = ways / np.maximum(np.linalg.norm(ways, axis=-1, keepdims=True), 1e-6)
    before = np.roll(ways, 1, -2)
    turn = before[..., 0] * ways[..., 1] - before[..., 1] * ways[..., 0]
    return np.asarray((turn > 0.29).all(-1))


def plausible(quads: Floats) -> Flags:
    """(n,): what a rectangle no longer than three times its width looks like from any sensible place."""
    sides = side_lengths(quads)
    first, second = sides[..., :2], sides[..., 2:]
    opposite = np.minimum(first, second) / np.maximum(np.maximum(first, second), 1e-6)
    return np.asarray(convex(quads) & (sides.min(-1) > 0.3 * sides.max(-1)) & (opposite.min(-1) > 0.6))


def overlap(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads (4, 2)."""
    shared, _ = cv2.intersectConvexConvex(one, other)
    both = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared
    return float(shared / max(both, 1e-6))


def distinct(quads: Floats, reach: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which quads remain when every one is left out whose corners, whichever it begins with, are all nearer than ``reach`` (n,) px to
    those of an earlier one: their indices, and for each quad of the input the position of the one that stands for it."""
    count = len(quads)
    middles = quads.mean(1)
    turned = np.stack([np.roll(quads, turn, 1).reshape(-1, 8) for turn in range(4)], 1)
    firsts: list[NDArray[np.int64]] = []
    seconds: list[NDArray[np.int64]] = []
    for start in range(0, count, ROWS):
        # Middles of quads are never farther apart than their worst corners.
        part = middles[start : start + ROWS, None]
        close = np.abs(part[..., 0] - middles[:, 0]) < reach
        close &= np.abs(part[..., 1] - middles[:, 1]) < reach
        first, second = np.nonzero(np.triu(close, start + 1))
        first = first + start
        near = np.abs(turned[second] - turned[first, :1]).max(-1).min(-1) < reach[second]
        firsts.append(first[near])
        seconds.append(second[near])
    home = np.full(count, -1, np.int64)
    if not count:
        return np.zeros(0, np.int64), home
    later = np.concatenate(seconds)
    starts = np.searchsorted(np.concatenate(firsts), np.arange(count + 1))
    kept: list[int] = []
    for index in range(count):
        if home[index] >= 0:
            continue
        same = later[starts[index] : starts[index + 1]]
        home[same[home[same] < 0]] = len(kept)
        home[index] = len(kept)
        kept.append(index)
    return np.asarray(kept, np.int64), home


def lines(points: Floats, weights: Floats, rounds: int = 3, tight: float = 1.0) -> tuple[Floats, Floats]:
    """Straight lines through weighted points (..., m, 2), strays let go (Cauchy weights, ``tight`` px): a point on each (..., 2) and its
    way (..., 2)."""
    weighed = weights
    for left in reversed(range(rounds)):
        mass = np.maximum(weighed.sum(-1), 1e-6)[..., None]
        middle = (points * weighed[..., None]).sum(-2) / mass
        away = points - middle[..., None, :]
        x, y = away[..., 0], away[..., 1]
        double = np.arctan2(2 * (weighed * x * y).sum(-1), (weighed * (x * x - y * y)).sum(-1))
        way = np.stack([np.cos(double / 2), np.sin(double / 2)], -1)
        if left:
            aside = x * way[..., None, 1] - y * way[..., None, 0]
            weighed = weights / (1 + (aside / tight) ** 2)
    return middle.astype(np.float32), way.astype(np.float32)


def crossings(points: Floats, ways: Floats) -> tuple[Floats, Flags]:
    """Corners (n, 4, 2) where each of four lines crosses the one before it, and whether none of them are nearly parallel (n,)."""
    before, before_way = np.roll(points, 1, -2), np.roll(ways, 1, -2)
    cross = before_way[..., 0] * ways[..., 1] - before_way[..., 1] * ways[..., 0]
    good = (np.abs(cross) > 0.2).all(-1)
    gap = points - before
    along = (gap[..., 0] * ways[..., 1] - gap[..., 1] * ways[..., 0]) / np.where(
        np.abs(cross) > 1e-3, cross, 1
    )
    return np.asarray(before + along[..., None] * before_way, np.float32), np.asarray(good)


def frames(quads: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each side: its way (n, 4, 2), its normal outwards (n, 4, 2), its length (n, 4)."""
    lengths = np.maximum(side_lengths(quads), 1e-3)
    ways = (np.roll(quads, -1, -2) - quads) / lengths[..., None]
    normals = np.stack([ways[..., 1], -ways[..., 0]], -1)
    return np.asarray(ways, np.float32), np.asarray(normals, np.float32), np.asarray(lengths, np.float32)


def straightened(quads: Floats, contours: Floats, outwards: Floats) -> tuple[Floats, Flags]:
    """Quads whose sides are straight lines through the points of contours (n, m, 2) beside the sides of ``quads``, moved out by
    ``outwards`` (n,) px; and which of them stayed near (n,)."""
    ways, normals, lengths = frames(quads)
    away = contours[:, None] - quads[:, :, None]
    along = np.einsum("nsmk,nsk->nsm", away, ways) / lengths[..., None]
    aside = np.abs(np.einsum("nsmk,nsk->nsm", away, normals))
    near = np.maximum(2.5, 0.035 * lengths)[..., None]
    beside = (along > STRAIGHT[0]) & (along < STRAIGHT[1]) & (aside < near)
    points, found = lines(np.broadcast_to(contours[:, None], (*beside.shape, 2)), beside.astype(np.float32))
    enough = (beside.sum(-1) >= 4)[..., None]
    points = np.where(enough, points, quads)
    found = np.where(enough, found, ways)
    corners, good = crossings(points + outwards[:, None, None] * normals, found)
    near_by = np.abs(corners - quads).max((-1, -2)) < 0.12 * np.linalg.norm(
        quads[:, 0] - quads[:, 2], axis=-1
    )
    return corners, np.asarray(good & near_by)


def steps(picture: Picture, quads: Floats, reach: Floats, count: int, half: int) -> tuple[Floats, Floats]:
    """How steep the picture is across each side: (n, 4, count, 2 half + 1), grey levels per step and the worst colour, at ``count``
    places along the straight stretch of the side and distances from ``-reach`` to ``reach`` (n,) px outwards; and where (..., 2)."""
    ways, normals, lengths = frames(quads)
    along = np.linspace(*STRAIGHT, count, dtype=np.float32)
    base = quads[:, :, None] + (along[:, None] * lengths[..., None, None]) * ways[:, :, None]
    fine = np.arange(-half - 1, half + 2, dtype=np.float32) / half
    offsets = (fine * reach[:, None])[:, None, None, :, None] * normals[:, :, None, None]
    places = (base[:, :, :, None] + offsets).astype(np.float32)
    flat = places.reshape(len(quads) * 4, -1, 2)
    seen = np.asarray(
        cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    ).reshape(*places.shape[:-1], picture.shape[2])
    steep = np.abs(seen[..., 2:, :] - seen[..., :-2, :]).max(-1)
    return steep, places[..., 1:-1, :]


def sharpened(picture: Picture, quads: Floats, reach: Floats, weak: float) -> tuple[Floats, Floats]:
    """Quads drawn to the steepest step of brightness or colour within ``reach`` (n,) px of their sides, and which share of each side
    (n, 4) shows a step on the line found that is steeper than ``weak`` grey levels."""
    if not len(quads):
        return quads, np.zeros((0, 4), np.float32)
    half = 4
    steep, places = steps(picture, quads, reach, 16, half)
    likely = np.exp(-0.5 * (np.arange(-half, half + 1) / (0.6 * half)) ** 2).astype(np.float32)
    weighed = steep * likely
    best = weighed.argmax(-1)
    inner = np.clip(best, 1, 2 * half - 1)
    left, top, right = (
        np.take_along_axis(weighed, inner[..., None] + shift, -1)[..., 0] for shift in (-1, 0, 1)
    )
    bend = np.maximum(2 * top - left - right, 1e-3)
    fine = np.where(best == inner, np.clip(0.5 * (right - left) / bend, -0.5, 0.5), 0.0)
    zero = places[..., half, :]
    unit = places[..., half + 1, :] - zero
    points = zero + (best - half + fine)[..., None] * unit
    height = np.take_along_axis(steep, best[..., None], -1)[..., 0]
    middle, way = lines(
        points.astype(np.float32),
        np.asarray(np.minimum(height, 40.0) + 1e-3, np.float32),
        rounds=4,
        tight=0.7,
    )
    corners, good = crossings(middle, way)
    good &= np.abs(corners - quads).max((-1, -2)) < 4 * reach
    corners = np.where(good[:, None, None], corners, quads)
    aside = np.abs(
        (points - middle[..., None, :])[..., 0] * way[..., None, 1]
        - (points - middle[..., None, :])[..., 1] * way[..., None, 0]
    )
    on = (aside < np.maximum(1.0, 0.35 * reach)[:, None, None]) & (height > weak)
    return corners.astype(np.float32), on.mean(-1).astype(np.float32)
