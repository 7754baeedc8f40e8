"""A small part of a face that shows something else: a digit, a symbol, a sign too many. The whole is alike all the same, so any one place
decides."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.detail import differing
from vision.network.model import Crops
from vision.reading.compare import Array

NOWHERE = -9.0
"""Log odds of a cell that says nothing."""
_OPEN = 0.5
"""Share of a cell that must be seen for what it shows to count."""


_FITS = 1.3
"""Deviations by which ink is off on the true face, too."""
_INK = 3.0
"""Log odds that a deviation more is worth."""
_SAYS = 6.0
"""What neither shows nor ink may exceed: one alone does not decide."""
_SAME, _DOUBTED = -2.5, -1.0
"""Log odds of a cell below which ink does not matter, and from which it does."""


def odd(crops: Crops, laid: Crops, visible: Array) -> Array:
    """(n, 30, 20) log odds that a cell of a crop shows something else than the face.

    ``crops`` (n, 240, 160, 3) and the faces laid on them (`vision.network.detail.fitted`); ``visible`` (n, 15, 10): what of the face can
    be seen; other parts say nothing, nor do the cells beside them, on which what hides them casts a shadow, and the rim, which the ground
    reaches into.
    """
    counts = np.repeat(np.repeat(visible > _OPEN, 2, 1), 2, 2)
    for piece in counts:
        piece[:] = cv2.erode(np.asarray(piece, np.uint8), np.ones((3, 3), np.uint8)) > 0
    counts[:, [0, -1]] = counts[:, :, [0, -1]] = False
    shown = [uncovered(*piece) for piece in zip(crops, laid, visible, strict=True)]
    odds = differing(np.stack(shown) if shown else crops, laid)
    return np.asarray(np.where(counts, odds, np.float32(NOWHERE)), np.float32)


def uncovered(crop: NDArray[np.uint8], laid: NDArray[np.uint8], visible: Array) -> NDArray[np.uint8]:
    """The crop with the face, in its light, where something lies on it: what hides a piece shall not be taken for its light."""
    seen = cv2.resize(
        np.asarray(visible > _OPEN, np.uint8), crop.shape[1::-1], interpolation=cv2.INTER_NEAREST
    )
    if not 0 < cv2.countNonZero(seen) < seen.size:
        return crop
    light = (np.array(cv2.mean(crop, seen)[:3]) + 1) / (np.array(cv2.mean(laid, seen)[:3]) + 1)
    lit = np.clip(laid * light, 0, 255)
    return np.asarray(np.where(seen[..., None] > 0, crop, lit), np.uint8)


def altered(odds: Array) -> Array:
    """(n,) how plainly some part of a crop shows something else, of its cells' log odds (n, 30, 20): one is enough."""
    return np.asarray(np.log(np.exp(2 * odds).sum((1, 2))) / 2, np.float32)


def inked(odds: Array, off: Array) -> float:
    """The same when it is also known by how many deviations the ink of every cell is off (`vision.reading.ink.apart`), both (30, 20): what
    looks other and is of other ink at the same place is something else.
    What looks the same, or says nothing, is not so for its ink."""
    agreed = np.clip((odds - _SAME) / (_DOUBTED - _SAME), 0, 1)
    both = np.minimum(odds, _SAYS) + agreed * _INK * np.clip(off - _FITS, 0, _SAYS)
    return float(altered(both[None])[0])
