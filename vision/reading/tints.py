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

from vision.reading.compare import Array

_FLAT = 16
"""Grey levels within a plain part's neighbourhood of 5 px."""
_RIM = 4
"""Px beside the border that are left out."""
_SMALLEST, _LARGEST = 25, 3800
"""Area of a plain part, px of the frame's 9600."""
_REACH = 23
"""Side of the square by which surroundings reach beyond a part, px."""
_FAINT, _DEEP = 0.03, 0.3
"""Log ratio by which faint ink may be off, and share by which deep ink may."""
_VEIL = 96.0
"""What haze, reflections and a sensor's floor may do to a log ratio, over the square of the level: little in the light, much in the dark."""
_BURNT = 250
_LIFT = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A plain part of a face and its plain surroundings: places in the frame, rows and columns."""

    inner: NDArray[np.uint8]
    around: NDArray[np.uint8]


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
        part = np.asarray(labels == label, np.uint8)
        wide = cv2.dilate(part, np.ones((_REACH, _REACH), np.uint8))
        around = np.asarray(wide & flat & (1 - part), np.uint8)
        if cv2.countNonZero(around) >= _SMALLEST:
            out.append(Part(part, around))
    return out


def off(crop: NDArray[np.uint8], face: NDArray[np.uint8], known: list[Part], visible: Array) -> float:
    """How far the worst of a face's plain parts is from what the photo shows there, in units of what light may do: about 1 or less for the
    true face; 0 when it has none that can be judged. Both pictures (120, 80, 3), aligned; ``visible`` (15, 10)."""
    if not known:
        return 0.0
    photo = cv2.GaussianBlur(crop, (0, 0), 0.8)
    logs = [
        cv2.log(picture.astype(np.float32) + _LIFT)
        for picture in (photo, cv2.GaussianBlur(face, (0, 0), 0.8))
    ]
    veil = _VEIL / np.square(photo.astype(np.float32) + _LIFT)
    burnt = np.asarray(photo.min(2) > _BURNT, np.uint8)
    hidden = cv2.resize(
        np.asarray(visible < 0.5, np.uint8), crop.shape[1::-1], interpolation=cv2.INTER_NEAREST
    )
    lost = np.maximum(burnt, np.asarray(hidden, np.uint8))
    worst = 0.0
    for part in known:
        if max(cv2.mean(lost, mask)[0] for mask in (part.inner, part.around)) > 0.3:
            continue
        seen, own, dark = (
            np.subtract(cv2.mean(field, part.inner)[:3], cv2.mean(field, part.around)[:3])
            for field in (*logs, veil)
        )
        bound = _FAINT + _DEEP * np.abs(own).max() + np.abs(dark).max()
        worst = max(worst, float(np.abs(seen - own).max() / bound))
    return worst
