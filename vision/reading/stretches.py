"""Straight stretches of edges: what is left of a side when a contour does not close.

Edge pixels whose steps point the same way and that touch are one stretch, as in Burns, Hanson and Riseman, "Extracting straight lines"
(PAMI 1986): windows of direction overlap, and every pixel speaks for the longer of the two stretches it is in.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture
from vision.reading.sides import Floats

WINDOWS = 8
"""Directions (of half a turn) are looked at in so many windows, each twice as wide as the step to the next."""
MOST = 600


def _directions(smooth: Picture, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Floats:
    """Direction of the steepest colour's step at each pixel, in windows: 0 to WINDOWS is half a turn."""
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_16S, 1, 0), np.int16)[rows, columns].astype(np.int32)
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_16S, 0, 1), np.int16)[rows, columns].astype(np.int32)
    steepest = (across**2 + down**2).argmax(-1)[:, None]
    x = np.take_along_axis(across, steepest, -1)[:, 0]
    y = np.take_along_axis(down, steepest, -1)[:, 0]
    return np.asarray(np.mod(np.arctan2(y, x), np.pi) * (WINDOWS / np.pi), np.float32)


def _spread(bits: Picture) -> Picture:
    """Every pixel's bits also in its eight neighbours."""
    wide = bits.copy()
    wide[:, 1:] |= bits[:, :-1]
    wide[:, :-1] |= bits[:, 1:]
    both = wide.copy()
    both[1:] |= wide[:-1]
    both[:-1] |= wide[1:]
    return both


def stretches(smooth: Picture, edges: Picture, shortest: float) -> tuple[Floats, Picture]:
    """Straight stretches (n, 2, 2), px, longest first, of at least ``shortest`` px, of the edges (h, w) of a smoothed BGR picture; and
    the edges' directions (h, w): bit k is set where an edge within a pixel steps in the k-th eighth of half a turn."""
    rows, columns = np.nonzero(edges)
    if not len(rows):
        return np.zeros((0, 2, 2), np.float32), np.zeros(edges.shape, np.uint8)
    bins = np.minimum(_directions(smooth, rows, columns).astype(np.int64), WINDOWS - 1)
    bits = np.zeros(edges.shape, np.uint8)
    bits[rows, columns] = 1 << bins
    labels, total = _labelled(edges.shape, rows, columns, bins)
    return _straight(labels, total, rows, columns, shortest), _spread(bits)


def _labelled(
    shape: tuple[int, ...], rows: NDArray[np.int64], columns: NDArray[np.int64], bins: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int]:
    """(2, n): the two stretches each edge pixel is in, one for each window its direction is in; and how many stretches there are."""
    labels = np.zeros((2, len(rows)), np.int64)
    total = 0
    for window in range(WINDOWS):
        inside = np.flatnonzero((bins == window) | (bins == (window + 1) % WINDOWS))
        mask = np.zeros(shape, np.uint8)
        mask[rows[inside], columns[inside]] = 1
        count, found = cv2.connectedComponents(mask, connectivity=8, ltype=cv2.CV_32S)
        own = np.asarray(found)[rows[inside], columns[inside]].astype(np.int64) + total
        first = bins[inside] == window
        labels[0, inside[first]], labels[1, inside[~first]] = own[first], own[~first]
        total += count
    return labels, total


def _straight(
    labels: NDArray[np.int64],
    total: int,
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    shortest: float,
) -> Floats:
    """The stretches that are long, thin and most of whose pixels are in no longer one: (n, 2, 2), longest first."""
    every = labels.ravel()
    x, y = np.tile(columns, 2).astype(np.float64), np.tile(rows, 2).astype(np.float64)
    mass = np.bincount(every, minlength=total)
    longer = np.where(mass[labels[0]] >= mass[labels[1]], labels[0], labels[1])
    votes = np.bincount(longer, minlength=total)
    safe = np.maximum(mass, 1)
    mean_x, mean_y = (np.bincount(every, weights=one, minlength=total) / safe for one in (x, y))
    xx = np.bincount(every, weights=x * x, minlength=total) / safe - mean_x**2
    yy = np.bincount(every, weights=y * y, minlength=total) / safe - mean_y**2
    xy = np.bincount(every, weights=x * y, minlength=total) / safe - mean_x * mean_y
    spread = np.sqrt(np.maximum((xx - yy) ** 2 / 4 + xy**2, 0))
    length = np.sqrt(12 * np.maximum((xx + yy) / 2 + spread, 0))
    thick = np.sqrt(np.maximum((xx + yy) / 2 - spread, 0))
    keep = np.flatnonzero((length >= shortest) & (thick < 0.8 + 0.006 * length) & (votes > 0.5 * mass))
    keep = keep[np.argsort(-length[keep], kind="stable")][:MOST]
    turn = np.arctan2(2 * xy[keep], xx[keep] - yy[keep]) / 2
    half = np.stack([np.cos(turn), np.sin(turn)], -1) * length[keep, None] / 2
    middle = np.stack([mean_x[keep], mean_y[keep]], -1)
    return np.stack([middle - half, middle + half], 1).astype(np.float32)
