"""Who owns which pixels of a photo: of proposals that overlap, the likelier piece stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np

from vision.photo import Quad
from vision.reading.bank import Bank
from vision.reading.words import Judged

SURE = 1.4
"""Log odds from which a face is accepted."""
LEAST_VISIBLE = 0.15


def overlap(one: Quad, other: Quad) -> tuple[float, float]:
    """Intersection of two convex quads over their union, and over the smaller one."""
    shared, _ = cv2.intersectConvexConvex(np.asarray(one, np.float32), np.asarray(other, np.float32))
    areas = (
        abs(cv2.contourArea(np.asarray(one, np.float32))),
        abs(cv2.contourArea(np.asarray(other, np.float32))),
    )
    return shared / max(sum(areas) - shared, 1e-6), shared / max(min(areas), 1e-6)


def settle(judged: Sequence[Judged], bank: Bank, taken: Sequence[Judged] = ()) -> list[Judged]:
    """The pieces that stand, likeliest first: none in another's place, never more of a face than the box holds."""
    standing = list(taken)
    held = Counter(piece.row for piece in standing)
    for piece in sorted(judged, key=lambda one: -(one.score + 3 * one.visible)):
        if piece.score < SURE or piece.visible < LEAST_VISIBLE:
            continue
        copies = bank.copies[piece.row]
        if copies is not None and held[piece.row] >= copies:
            continue
        places = [overlap(piece.quad, other.quad) for other in standing]
        if any(union > 0.45 or inner > 0.8 for union, inner in places):
            continue
        standing.append(piece)
        held[piece.row] += 1
    return standing
