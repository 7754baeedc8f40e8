"""Patches of one colour in a mask."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import SCALE

Mask = NDArray[np.uint8]

SMALLEST = 30.0
"""Area (mm2) below which a patch of colour is no figure."""


class Patch(NamedTuple):
    """A patch of one colour: its mask, and where on the board's picture that begins (px)."""

    left: int
    top: int
    mask: Mask

    def cut(self, whole: NDArray[Any]) -> NDArray[Any]:
        """The same part of something that is known of every pixel (..., H, W)."""
        high, wide = self.mask.shape
        return whole[..., self.top : self.top + high, self.left : self.left + wide]


def patches(shown: Mask, standing: Mask) -> Iterable[Patch]:
    """Patches of one colour, parts of which may have been cut apart by a highlight or by what stands in front."""
    near, far = (
        np.asarray(cv2.morphologyEx(shown, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
        for side in (7, 19)
    )
    joined = near | (far & standing)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    for one in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[one])
        if area < SMALLEST * SCALE**2:
            continue
        part = slice(top, top + high), slice(left, left + wide)
        mask = ((labels[part] == one) & (shown[part] > 0)).astype(np.uint8)
        if np.count_nonzero(mask) >= SMALLEST * SCALE**2:
            yield Patch(left, top, mask)


def window(mask: NDArray[np.generic], left: int, top: int, right: int, bottom: int, border: int) -> Mask:
    """A part of a mask, ``border`` where it reaches beyond."""
    result = np.full((bottom - top, right - left), border, np.uint8)
    y, x = max(0, top), max(0, left)
    part = mask[y:bottom, x:right]
    result[y - top : y - top + part.shape[0], x - left : x - left + part.shape[1]] = part
    return result
