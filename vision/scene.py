"""What stands on a board: where the board as it is seen differs from its own picture, and in whose colour.

Whole boards in floats are many megabytes: they are worked out strip by strip, and each is let go as soon as what is needed of it is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards import Board
from vision.evenlight import STRIP, Array, flattened, log_of, split_here, strangers
from vision.paints import FAR, PALE, Paint, distances
from vision.plane import Picture

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What differs from the board: for each paint the pixels that show it, where it could not be told from the board, all that
    stands there, and the view in the board's light."""

    shown: tuple[Mask, ...]
    doubtful: tuple[Mask, ...]
    standing: Mask
    colours: Array
    """Distance from each paint of every pixel at which something stands, (paints, n)."""
    places: NDArray[np.int32]
    """Which of them a pixel is, (H, W); -1: none of them."""
    tinged: Array
    """How far its colour is from that of the board, (H, W)."""
    light: Array
    """Log brightness as it is, and as it is on the empty board, each (H, W)."""
    bare: Array

    @classmethod
    def of(
        cls,
        view: Picture,
        board: Board,
        paints: Sequence[Paint],
        alike: Sequence[Mask],
        blur: float,
        hidden: Mask,
    ) -> Scene:
        """``view`` (H, W, 3): the board from straight above, ``blur`` px less sharp than its picture. ``alike``: for each paint, where the
        board itself has its colour. ``hidden``: what is known to lie on the board, about which nothing is said."""
        reference = log_of(board.picture)
        if blur >= 0.3:
            reference = np.asarray(cv2.GaussianBlur(reference, (0, 0), blur), np.float32)
        # Noise would tinge what is dark: the noisier, the more is averaged, and before the logarithm.
        smooth = min(2.2, 0.7 + 0.3 * _noise(view))
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), smooth), np.uint8)
        flat = flattened(view, reference)
        del view
        now, empty = split_here(flat), split_here(reference)
        del flat, reference
        strange = strangers(now, empty) & (hidden == 0)
        tinged = np.asarray(now[1] - empty[1], np.float32)
        np.hypot(tinged, now[2] - empty[2], out=tinged)
        bare = np.array(empty[0], np.float32)
        del empty
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
        standing = np.asarray(cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)
        # Beside what stands: what has a paint's colour on print that is as dark may be a part of it or not.
        beside = (cv2.dilate(standing, np.ones((31, 31), np.uint8)) > 0) & (standing == 0)
        colours = np.concatenate(list(_distances(paints, now, standing > 0)), axis=1)
        close = np.concatenate([strip < FAR for strip in _distances(paints, now, beside)], axis=1)
        light = np.array(now[0], np.float32)
        light[hidden > 0] = bare[hidden > 0]
        del now
        there = standing > 0
        places = np.full(standing.shape, -1, np.int32)
        places[there] = np.arange(colours.shape[1], dtype=np.int32)
        nearest = colours.argmin(axis=0)
        # Where one paint meets another, or the board, a seam looks like a third: nothing so thin is a figure.
        broad = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
        shown, doubtful = [], []
        for index in range(len(paints)):
            mine = np.zeros(standing.shape, np.uint8)
            mine[there] = (nearest == index) * (1 + (colours[index] < FAR) - (colours[index] >= PALE))
            shown.append(np.asarray(cv2.morphologyEx(_grown(mine), cv2.MORPH_OPEN, broad), np.uint8))
            maybe = alike[index] | hidden
            maybe[beside] |= close[index]
            doubtful.append(np.asarray((standing == 0) & (maybe > 0), np.uint8))
        return cls(tuple(shown), tuple(doubtful), standing, colours, places, tinged, light, bare)


def _distances(
    paints: Sequence[Paint], now: Sequence[NDArray[np.floating]], where: NDArray[np.bool_]
) -> Iterator[Array]:
    """How far the colours of a view are from each paint, (paints, n), for the pixels ``where``, strip by strip."""
    for top in range(0, len(where), STRIP):
        rows = slice(top, top + STRIP)
        yield distances(paints, *(part[rows][where[rows]] for part in now))


def _noise(view: Picture) -> float:
    """Standard deviation of the noise in grey levels, from what differs from the mean of the neighbours (Immerkaer, Fast Noise Variance
    Estimation, 1996)."""
    part = view[::2, ::2, 1].astype(np.float32)
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    return float(np.median(np.abs(cv2.filter2D(part, -1, mask)))) / 0.6745 / 6.0


def _grown(mine: Mask) -> Mask:
    """Patches of one colour: what surely is (2), with what may be (1), a highlight, as far as it is one piece with it."""
    _, labels = cv2.connectedComponents((mine > 0).astype(np.uint8), connectivity=8)
    count = np.bincount(labels[mine > 0].ravel(), minlength=int(labels.max()) + 1)
    sure = np.bincount(labels[mine == 2].ravel(), minlength=len(count))
    keep = sure > 0.4 * np.maximum(count, 1)
    keep[0] = False
    return np.asarray(keep[labels], np.uint8)
