"""What of a frame can lie open: not what other pieces lie on, not what is beyond the picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad, from_square
from vision.reading.compare import COLUMNS, ROWS, Array

_GROWN = 1.03
"""A piece on top hides a little more than itself: its thickness, its shadow."""


def frame_points(quads: NDArray[np.float32], columns: int, rows: int) -> Array:
    """Where the middles of the frame's parts lie in the photo: (n, rows * columns, 2) px, row by row."""
    lifted = _unit(columns, rows) @ from_square(quads).astype(np.float32).transpose(0, 2, 1)
    depth = np.where(np.abs(lifted[..., 2:]) < 1e-6, np.float32(1e-6), lifted[..., 2:])
    return np.asarray(lifted[..., :2] / depth, np.float32)


@lru_cache(maxsize=4)
def _unit(columns: int, rows: int) -> Array:
    """(rows * columns, 3): middles of the parts of the unit square, and 1."""
    x, y = np.meshgrid((np.arange(columns) + 0.5) / columns, (np.arange(rows) + 0.5) / rows)
    return np.stack([x.ravel(), y.ravel(), np.ones(x.size)], -1).astype(np.float32)


def inside(points: Array, quad: Quad) -> NDArray[np.bool_]:
    """(...): which points (..., 2) lie in a convex clockwise quad."""
    within = np.ones(points.shape[:-1], bool)
    for corner, following in zip(quad, np.roll(quad, -1, 0), strict=True):
        way = following - corner
        within &= way[0] * (points[..., 1] - corner[1]) - way[1] * (points[..., 0] - corner[0]) >= 0
    return within


def in_the_open(quads: NDArray[np.float32], on_top: Sequence[Quad], size: tuple[int, int]) -> Array:
    """(n, 60, 40), 0 or 1, for quads (n, 4, 2) of a photo of ``size`` (width, height): 0 where a piece of ``on_top`` lies, or beyond."""
    columns, rows = COLUMNS // 2, ROWS // 2
    points = frame_points(quads, columns, rows)
    is_open: NDArray[np.bool_] = np.all((points > -0.5) & (points < np.array(size) - 0.5), axis=-1)
    lows, highs = points.min(1), points.max(1)
    for quad in on_top:
        middle = quad.mean(0)
        grown = np.asarray(middle + (quad - middle) * _GROWN, np.float32)
        for index in np.flatnonzero((lows < grown.max(0)).all(-1) & (highs > grown.min(0)).all(-1)):
            is_open[index] &= ~inside(points[index], grown)
    fine = is_open.reshape(-1, rows, columns).astype(np.float32)
    return np.asarray(np.repeat(np.repeat(fine, 2, 1), 2, 2), np.float32)
