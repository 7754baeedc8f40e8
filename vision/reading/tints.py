"""Fills: how dark each plain part of a face is against what surrounds it.

Stripes seen from afar, a tint, a paler shade, a symbol too many on plain ground: such twins differ by a few percent over a small plain part,
less than lamps do over the whole piece. So every plain part is compared with its own surroundings, in the photo as in the face, and how far
both differ is measured by how much ink there is: print and cameras render deep ink less faithfully than none.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.compare import Crops

_FLAT = 16
"""Grey levels within a plain part's neighbourhood of 5 px."""
_RIM = 4
"""Px beside the border that are left out."""
_SMALLEST, _LARGEST = 25, 3800
"""Area of a plain part, px of the frame's 9600."""
_REACH = 17
"""Side of the square by which surroundings reach beyond a part, px."""
_FAINT, _DEEP = 0.03, 0.3
"""Log ratio by which faint ink may be off, and share by which deep ink may."""
_BURNT = 250
_LIFT = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A plain part of a face and its plain surroundings: places in the frame, rows and columns."""

    inner: NDArray[np.bool_]
    around: NDArray[np.bool_]


def parts(face: NDArray[np.uint8]) -> list[Part]:
    """The plain parts of a face (120, 80, 3) that plain surroundings tell from the rest, the largest plain ground left out."""
    soft = cv2.GaussianBlur(face, (0, 0), 0.8)
    square = np.ones((5, 5), np.uint8)
    spread = cv2.subtract(cv2.dilate(soft, square), cv2.erode(soft, square)).max(2)
    flat = np.zeros(spread.shape, np.uint8)
    inner = (slice(_RIM, -_RIM), slice(_RIM, -_RIM))
    flat[inner] = spread[inner] < _FLAT
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    out: list[Part] = []
    for label in range(1, count):
        if not _SMALLEST <= stats[label, cv2.CC_STAT_AREA] <= _LARGEST:
            continue
        part = labels == label
        wide = cv2.dilate(part.astype(np.uint8), np.ones((_REACH, _REACH), np.uint8))
        around = (wide > 0) & (flat > 0) & ~part
        if around.sum() >= _SMALLEST:
            out.append(Part(part, around))
    return out


def off(crop: NDArray[np.uint8], face: NDArray[np.uint8], known: list[Part]) -> float:
    """How far the worst of a face's plain parts is from what the photo shows there, in units of what light may do: about 1 or less for the
    true face; 0 when it has none that can be judged. Both pictures (120, 80, 3), aligned."""
    if not known:
        return 0.0
    photo = cv2.GaussianBlur(crop, (0, 0), 0.8).astype(np.float32)
    logs = np.log(photo + _LIFT), np.log(cv2.GaussianBlur(face, (0, 0), 0.8).astype(np.float32) + _LIFT)
    burnt = photo.min(2) > _BURNT
    worst = 0.0
    for part in known:
        if max(burnt[part.inner].mean(), burnt[part.around].mean()) > 0.3:
            continue
        seen, own = (np.median(log[part.inner], 0) - np.median(log[part.around], 0) for log in logs)
        worst = max(worst, float(np.abs(seen - own).max() / (_FAINT + _DEEP * np.abs(own).max())))
    return worst


def offs(crops: Crops, faces: Crops) -> list[float]:
    """`off` row by row."""
    return [off(crop, face, parts(face)) for crop, face in zip(crops, faces, strict=True)]
