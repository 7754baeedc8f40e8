"""Whether the table lies still, seen in the small stream: cheap enough for every frame.

The preview is reduced to blocks of mean log brightness; a change of the light as a whole (or a slow gradient over the table) is taken out before
two frames are compared, so that a cloud is not a hand.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.compare import log_light
from vision.plane import Picture

Blocks = NDArray[np.float32]

BLOCK_SIZE = (96, 54)
"""Blocks across and down."""
STIR = 0.06
"""A block has stirred when its log brightness changed by this much more than its surroundings ..."""
STIRRED = 3
"""... and this many blocks must have, or noise would count."""
SETTLE = 0.35
"""Seconds without stir after which the table lies still."""


def blocks(preview: Picture) -> Blocks:
    """Mean log brightness per block of a preview (H, W, 3): (54, 96) float32."""
    return np.asarray(cv2.resize(log_light(preview), BLOCK_SIZE, interpolation=cv2.INTER_AREA), np.float32)


def stir(one: Blocks, other: Blocks) -> NDArray[np.bool_]:
    """Which blocks differ between two moments, beyond a common change of light."""
    change = one - other
    # A tenth of the picture changed in earnest must not pass for a change of light: the median of wide neighbourhoods is the light.
    small = cv2.resize(change, (12, 9), interpolation=cv2.INTER_AREA)
    light = cv2.resize(cv2.medianBlur(small, 5), BLOCK_SIZE, interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.abs(change - light) > STIR, np.bool_)


def stirred(one: Blocks, other: Blocks) -> int:
    """How many blocks differ."""
    return int(np.count_nonzero(stir(one, other)))


class Stillness:
    """Remembers the last preview and since when nothing stirred."""

    def __init__(self) -> None:
        self._last: Blocks | None = None
        self._since: float | None = None

    def see(self, now: Blocks, at: float) -> bool:
        """True when nothing has stirred for SETTLE seconds. ``at``: monotonic seconds of the preview."""
        last, self._last = self._last, now
        if last is None or last.shape != now.shape or stirred(now, last) >= STIRRED:
            self._since = at
            return False
        if self._since is None or at < self._since:
            self._since = at
        return at - self._since >= SETTLE
