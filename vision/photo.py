"""One photograph as the eyes use it: the picture, smaller copies of it, and pieces of it seen straight from above."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Quad = NDArray[np.float32]
"""Four corners (4, 2), px of the photo, clockwise as seen on the screen; the centre of the top left pixel is (0, 0)."""


def from_square(quads: NDArray[np.float32]) -> NDArray[np.float64]:
    """(n, 3, 3): the homography from the unit square, corners clockwise from (0, 0), to each of quads (n, 4, 2). P. Heckbert, "Fundamentals
    of Texture Mapping and Image Warping" (1989), 2.2.3."""
    first, second, third, fourth = (np.asarray(quads[:, corner], np.float64) for corner in range(4))
    one, two, both = second - third, fourth - third, first - second + third - fourth
    span = one[:, 0] * two[:, 1] - two[:, 0] * one[:, 1]
    span = np.where(np.abs(span) < 1e-12, 1e-12, span)
    across = (both[:, 0] * two[:, 1] - two[:, 0] * both[:, 1]) / span
    down = (one[:, 0] * both[:, 1] - both[:, 0] * one[:, 1]) / span
    maps = np.empty((len(quads), 3, 3))
    maps[:, :2, 0] = second - first + across[:, None] * second
    maps[:, :2, 1] = fourth - first + down[:, None] * fourth
    maps[:, :2, 2] = first
    maps[:, 2, 0], maps[:, 2, 1], maps[:, 2, 2] = across, down, 1
    return maps


@dataclass(slots=True, eq=False)
class Photo:
    """A BGR uint8 picture (height, width, 3), already turned as its EXIF says, and its halves, made when first asked for."""

    picture: Picture
    _halves: list[Picture] = field(default_factory=list)
    _greys: dict[int, Picture] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) px."""
        return int(self.picture.shape[1]), int(self.picture.shape[0])

    def half(self, times: int) -> Picture:
        """The picture halved ``times`` times by averaging."""
        while len(self._halves) < times:
            last = self._halves[-1] if self._halves else self.picture
            width, height = max(1, last.shape[1] // 2), max(1, last.shape[0] // 2)
            self._halves.append(
                np.asarray(cv2.resize(last, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
            )
        return self._halves[times - 1] if times else self.picture

    def grey(self, times: int) -> Picture:
        """The brightness (h, w) of `half`."""
        if times not in self._greys:
            self._greys[times] = np.asarray(cv2.cvtColor(self.half(times), cv2.COLOR_BGR2GRAY), np.uint8)
        return self._greys[times]

    def working(self, long_side: int) -> tuple[Picture, float]:
        """The picture no longer than ``long_side`` px, and the scale: working px per px of the photo (1 when it is small enough)."""
        scale = min(1.0, long_side / max(self.picture.shape[:2]))
        if scale == 1.0:
            return self.picture, 1.0
        start = self.half(max(0, math.floor(-math.log2(scale))))
        size = (
            max(1, round(self.picture.shape[1] * scale)),
            max(1, round(self.picture.shape[0] * scale)),
        )
        return np.asarray(cv2.resize(start, size, interpolation=cv2.INTER_AREA), np.uint8), scale

    def crops(self, quads: Sequence[Quad], width: int, height: int) -> NDArray[np.uint8]:
        """What lies in each quad, seen straight from above: (n, height, width, 3) BGR, the quad's first corner at the top left.

        Averaged, not thinned, where the photo is finer than the crop; what lies beyond the picture repeats its edge.
        """
        out = np.empty((len(quads), height, width, 3), np.uint8)
        twice = np.array([[0, 0], [2 * width, 0], [2 * width, 2 * height], [0, 2 * height]], np.float32) - 0.5
        for row, quad in enumerate(quads):
            sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
            fine = min((sides[0] + sides[2]) / (2 * width), (sides[1] + sides[3]) / (2 * height))
            times = max(0, math.floor(math.log2(max(1.0, fine / 1.6))))
            times = min(times, int(math.log2(max(2, min(self.size)))) - 1)
            corners = (quad + 0.5) / 2**times - 0.5
            warp = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), twice)
            large = cv2.warpPerspective(
                self.half(times), warp, (2 * width, 2 * height), borderMode=cv2.BORDER_REPLICATE
            )
            out[row] = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA)
        return out
