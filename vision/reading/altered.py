"""A small part of a face that shows something else: a digit, a symbol, a sign too many. The whole is alike all the same, so any one place
decides."""

from __future__ import annotations

import numpy as np

from vision.network.detail import differing
from vision.network.model import Crops
from vision.reading.compare import Array

NOWHERE = -9.0
"""Log odds of a cell that says nothing."""
_OPEN = 0.5
"""Share of a cell that must be seen for what it shows to count."""


def altered(crops: Crops, laid: Crops, visible: Array) -> Array:
    """(n,) how plainly some part of a crop shows something else than the face: log odds of 30 x 20 cells, joined so that one is enough.

    ``crops`` (n, 240, 160, 3) and the faces laid on them (`vision.network.detail.fitted`); ``visible`` (n, 15, 10): what of the face can
    be seen; other parts say nothing, nor does the rim, which the ground reaches into.
    """
    odd = differing(crops, laid)
    counts = np.repeat(np.repeat(visible > _OPEN, 2, 1), 2, 2)
    counts[:, [0, -1]] = counts[:, :, [0, -1]] = False
    odd = np.where(counts, odd, np.float32(NOWHERE))
    return np.asarray(np.log(np.exp(2 * odd).sum((1, 2))) / 2, np.float32)
