"""The small places where two rivals differ: a digit, a symbol. Most of a picture fits both, so only these places are asked.

Every window is compared by normalised correlation (J. P. Lewis, "Fast normalized cross-correlation", 1995) with a pixel of leeway, so neither
light nor contrast nor the last half pixel of alignment has a say.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.compare import Array, by_cell

_WINDOW = (11, 11)
"""Size of a window, px of the frame's 80 x 120."""
_RIM = 4
_BLUR = 1.2
"""References are smoothed to about what photos resolve, px."""
_LIFT = 10.0
DIFFERS = 10.0
"""Grey levels by which two faces differ in a cell that tells them apart."""
_PLAINLY, _ENOUGH = 25.0, 16
"""Grey levels by which two faces plainly differ in a cell, and so many such cells tell them apart whatever else is hidden: a tenth of a face."""
_LITTLE = 3e-4
"""Variance of log brightness that is no structure."""
_LEAST_UNLIKE = 0.05
"""1 less the correlation of two windows that show the same but for grain."""
_SHIFTS = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))


def _logs(picture: NDArray[np.uint8], blur: float) -> Array:
    """Log brightness (120, 80), smoothed, without its broad part."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    logs = cv2.log(cv2.GaussianBlur(grey, (0, 0), blur) + _LIFT)
    return np.asarray(logs - cv2.blur(logs, (31, 31)), np.float32)


def _mean(field: Array) -> Array:
    return np.asarray(cv2.blur(field, _WINDOW), np.float32)


def _alike(one: Array, other: Array) -> Array:
    """Correlation (120, 80) window by window, the best of the shifts; two plain windows agree."""
    mean = _mean(one)
    spread = np.maximum(_mean(one * one) - mean * mean, 0)
    best = np.full(one.shape, -1, np.float32)
    for across, down in _SHIFTS:
        moved = np.roll(other, (down, across), (0, 1))
        their = _mean(moved)
        theirs = np.maximum(_mean(moved * moved) - their * their, 0)
        shared = _mean(one * moved) - mean * their
        best = np.maximum(best, (shared + _LITTLE) / np.sqrt((spread + _LITTLE) * (theirs + _LITTLE)))
    return np.asarray(best, np.float32)


def telling(
    crop: NDArray[np.uint8],
    one: NDArray[np.uint8],
    other: NDArray[np.uint8],
    visible: Array,
    least: float = _LEAST_UNLIKE,
) -> float:
    """What the windows in which two faces differ most say of an aligned crop, all (120, 80, 3): up to about 1 for the first, down to
    about -1 for the second, 0 when they say nothing: where the faces are nowhere more unlike (0 to 2) than ``least``. ``visible`` (15, 10):
    what of the face can be seen."""
    first, second = _logs(one, _BLUR), _logs(other, _BLUR)
    unlike = 1 - _alike(first, second)
    unlike *= cv2.resize(visible, crop.shape[1::-1], interpolation=cv2.INTER_LINEAR) > 0.6
    unlike[:_RIM] = unlike[-_RIM:] = 0
    unlike[:, :_RIM] = unlike[:, -_RIM:] = 0
    weights = np.where(unlike > max(0.6 * float(unlike.max()), least), unlike, 0)
    if not weights.any():
        return 0.0
    photo = _logs(crop, 0.6)
    return float((weights * (_alike(photo, first) - _alike(photo, second))).sum() / weights.sum())


def shown(own: Array, others: Array, visible: Array) -> float:
    """Of what tells a face from another, how much can be seen, for the one of which least can: which share of it (a figure on the digit leaves
    two faces alike), or, where two pictures differ all over, whether enough. 1 when there is no other that differs.

    ``own`` (3, 60, 40) and ``others`` (k, 3, 60, 40) in grey levels; ``visible`` (15, 10): what of the face can be seen.
    """
    apart = np.sqrt(by_cell(((others - own) ** 2).mean(1)))[:, 1:-1, 1:-1]
    seen = visible[1:-1, 1:-1]
    # Squared: a digit counts, and not the light of another day all over the face.
    telling = np.maximum(apart - DIFFERS, 0) ** 2
    total = telling.sum((1, 2))
    differs = total > 0
    share = (telling * seen).sum((1, 2))[differs] / total[differs]
    plainly = ((apart > _PLAINLY) * seen).sum((1, 2))[differs] / _ENOUGH
    return float(np.maximum(share, np.minimum(plainly, 1)).min(initial=1.0))
