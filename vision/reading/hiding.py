"""What of a frame can lie open: not what other pieces lie on, not what is beyond the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad, from_square
from vision.reading.compare import COLUMNS, ROWS, Array

_GROWN = 1.03
"""A piece on top hides a little more than itself: its thickness, its shadow."""
_LIES_OPEN = 0.9
"""From this share on a piece counts as wholly visible."""


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """A piece that hides what lies below it: its face's quad, how much of each of its cells (15, 10) can be seen (None: of all), and what it
    hides as a whole where that is more than its face. Where it cannot be seen itself it hides nothing: what lies on it may be the piece that
    is asked for."""

    quad: Quad
    cells: Array | None = None
    around: Quad | None = None

    @classmethod
    def of(cls, quad: Quad, cells: Array) -> Cover:
        return cls(quad, None if cells.mean() >= _LIES_OPEN else cells)

    @property
    def outer(self) -> Quad:
        return self.quad if self.around is None else self.around

    def hides(self, points: Array) -> NDArray[np.bool_]:
        """(n,): which points (n, 2) px it hides; what is around the face goes with the cells beside it."""
        middle = self.outer.mean(0)
        within = inside(points, np.asarray(middle + (self.outer - middle) * _GROWN, np.float32))
        if self.cells is not None and within.any():
            rows, columns = self.cells.shape
            frame = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
            at = cv2.perspectiveTransform(points[within][None], cv2.getPerspectiveTransform(self.quad, frame))
            column, row = (
                np.clip(at[0, :, axis].astype(int), 0, size - 1) for axis, size in ((0, columns), (1, rows))
            )
            within[within] = self.cells[row, column] > 0.5
        return within


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


def in_the_open(quads: NDArray[np.float32], on_top: Sequence[Cover], size: tuple[int, int]) -> Array:
    """(n, 60, 40), 0 or 1, for quads (n, 4, 2) of a photo of ``size`` (width, height): 0 where one of ``on_top`` hides it, or beyond."""
    columns, rows = COLUMNS // 2, ROWS // 2
    points = frame_points(quads, columns, rows)
    is_open: NDArray[np.bool_] = np.all((points > -0.5) & (points < np.array(size) - 0.5), axis=-1)
    lows, highs = points.min(1), points.max(1)
    for cover in on_top:
        low, high = cover.outer.min(0), cover.outer.max(0)
        edge = (_GROWN - 1) * (high - low)
        for index in np.flatnonzero((lows < high + edge).all(-1) & (highs > low - edge).all(-1)):
            is_open[index] &= ~cover.hides(points[index])
    fine = is_open.reshape(-1, rows, columns).astype(np.float32)
    return np.asarray(np.repeat(np.repeat(fine, 2, 1), 2, 2), np.float32)
