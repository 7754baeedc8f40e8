"""Who owns which pixels of a photo: of proposals that overlap, the likelier piece stands, and what it covers it explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad
from vision.reading.bank import Bank
from vision.reading.evidence import HALF_HIDDEN, SURE
from vision.reading.hiding import frame_points, inside
from vision.reading.words import Judged

LEAST_VISIBLE = 0.12
"""Share of a face below which nothing is accepted."""
_VISIBLE, _WHOLE = 3.0, 6.0
"""Log odds that a piece has before another for all of it that is seen; and for being seen whole: two of three symbols lie askew on two."""
_SHARED = 0.35
"""Share of a piece's visible cells that may belong to another."""
SAME_PLACE = 0.6
"""Intersection over union from which two quads are one place."""


def overlap(one: Quad, other: Quad) -> tuple[float, float]:
    """Intersection of two convex quads over their union, and over the smaller one."""
    low = np.maximum(one.min(0), other.min(0))
    high = np.minimum(one.max(0), other.max(0))
    if (low >= high).any():
        return 0.0, 0.0
    shared, _ = cv2.intersectConvexConvex(one, other)
    areas = abs(cv2.contourArea(one)), abs(cv2.contourArea(other))
    return shared / max(sum(areas) - shared, 1e-6), shared / max(min(areas), 1e-6)


def _visible_points(piece: Judged) -> NDArray[np.float32]:
    """(n, 2) px: middles of the cells of a piece that can be seen."""
    rows, columns = piece.cells.shape
    points = frame_points(piece.quad[None], columns, rows)[0]
    return np.asarray(points[piece.cells.ravel() > 0.5], np.float32)


def _owned(points: NDArray[np.float32], piece: Judged) -> float:
    """Share of the points that lie on visible cells of a piece."""
    within = inside(points, piece.quad)
    if not within.any():
        return 0.0
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    back = cv2.getPerspectiveTransform(piece.quad, square)
    rows, columns = piece.cells.shape
    at = cv2.perspectiveTransform(points[within][None], back)[0] * [columns, rows]
    column = np.clip(at[:, 0].astype(int), 0, columns - 1)
    row = np.clip(at[:, 1].astype(int), 0, rows - 1)
    return float((piece.cells[row, column] > 0.5).sum() / max(len(points), 1))


def _rank(piece: Judged) -> float:
    return -(piece.score + _VISIBLE * piece.visible + _WHOLE * (piece.visible >= HALF_HIDDEN))


def settle(judged: Sequence[Judged], bank: Bank, taken: Sequence[Judged] = ()) -> list[Judged]:
    """The pieces that stand, those in ``taken`` first: none in another's place, none whose visible part is another's, never more of a
    face than the box holds."""
    standing = list(taken)
    held = Counter(piece.row for piece in standing)
    for piece in sorted(judged, key=_rank):
        copies = bank.copies[piece.row]
        if (
            piece.score < SURE
            or piece.visible < LEAST_VISIBLE
            or (copies is not None and held[piece.row] >= copies)
        ):
            continue
        near = [other for other in standing if overlap(piece.quad, other.quad)[1] > 0.02]
        if any(overlap(piece.quad, other.quad)[0] > SAME_PLACE for other in near):
            continue
        points = _visible_points(piece)
        if len(points) < 4 or sum(_owned(points, other) for other in near) > _SHARED:
            continue
        standing.append(piece)
        held[piece.row] += 1
    return standing
