"""Whether the table lies still, seen in the small stream: cheap enough for every frame.

The preview is reduced to blocks of mean log brightness; a change of the light as a whole (or a slow gradient over the table) is taken out before
two frames are compared, so that a cloud is not a hand.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Blocks = NDArray[np.float32]

BLOCK_SIZE = (96, 54)
"""Blocks across and down."""
STIR = 0.06
"""A block has stirred when its log brightness changed by this much more than its surroundings ..."""
STIRRED = 3
"""... and this many blocks must have, or noise would count."""
FEWEST = 150
"""Blocks without cards by which another lamp is told from what lies there."""
SETTLE = 0.35
"""Seconds without stir after which the table lies still."""
_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(32.0))
"""Lifted well above the noise: a dark table top must not flicker."""


def _planes(width: int, height: int) -> NDArray[np.float32]:
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    return np.column_stack([np.ones(width * height), x.ravel(), y.ravel()]).astype(np.float32)


def _bent(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    x, y = planes[:, 1], planes[:, 2]
    return np.column_stack([planes, x * x, x * y, y * y])


_COARSE, _FINE = _planes(16, 9), _planes(*BLOCK_SIZE)
_BENT = _bent(_FINE)
_LOOSE = np.eye(_BENT.shape[1], dtype=np.float32) * np.float32(1e-3)
_STIFF = np.diag([1e-6, 1.0, 1.0]).astype(np.float32)
_MIDDLE = len(_COARSE) // 2
CALM, LEVER = 0.005, 4.0
"""When no part of the change is larger than CALM, the plane through it is nowhere higher than LEVER times the largest part: every weight
is then at least 0.39, so the leverage of the table's corner in a fit of 16 x 9 places is at most 0.0414 / 0.39."""


def blocks(preview: Picture) -> Blocks:
    """Mean log brightness per block of a preview (H, W, 3): (54, 96) float32."""
    small = cv2.resize(preview, (BLOCK_SIZE[0] * 2, BLOCK_SIZE[1] * 2), interpolation=cv2.INTER_AREA)
    light = cv2.LUT(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), _LOG)
    return np.asarray(cv2.resize(light, BLOCK_SIZE, interpolation=cv2.INTER_AREA), np.float32)


def stir(one: Blocks, other: Blocks) -> NDArray[np.bool_]:
    """Which blocks differ between two moments, beyond a common change of light that is even or grows across the table."""
    change = one - other
    small = cv2.resize(change, (16, 9), interpolation=cv2.INTER_AREA).ravel()
    common = float(np.abs(small).max())
    if common < CALM and float(np.abs(change).max()) < STIR - LEVER * common:
        return np.zeros(change.shape, np.bool_)
    # A plane through most of the change: what a hand or a piece changed is far from it and soon counts for nothing.
    middle = np.partition(small, (_MIDDLE - 1, _MIDDLE))
    level = (middle[_MIDDLE - 1] + middle[_MIDDLE]) / np.float32(2)
    plane = np.array([level, 0.0, 0.0], np.float32)
    for _ in range(3):
        weight = 1 / (1 + ((small - _COARSE @ plane) / np.float32(STIR / 3)) ** 2)
        weighted = (_COARSE * weight[:, None]).T
        plane = np.linalg.solve(weighted @ _COARSE + _STIFF, weighted @ small)
    return np.asarray(np.abs(change - (_FINE @ plane).reshape(change.shape)) > STIR, np.bool_)


def stir_beyond_light(
    one: Blocks, other: Blocks, inside: NDArray[np.bool_], laid: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """As ``stir``, of the blocks ``inside`` alone, and what another lamp does to them is taken out as well: it falls off around a middle
    of its own. It is told by the blocks where no cards are ``laid``, as long as there are some. Slower, for rare use."""
    change = one - other
    return np.asarray((np.abs(change - _light(change, inside, laid)) > STIR) & inside, np.bool_)


def uneven(
    one: Blocks, inside: NDArray[np.bool_], laid: NDArray[np.bool_], there: NDArray[np.bool_]
) -> float:
    """How much the blocks ``there`` differ (mean, log brightness) from the bare mat around them: much where something lies on it."""
    where = there & inside & ~laid
    return float(np.abs(one - _light(one, inside, laid))[where].mean()) if where.any() else 0.0


def _light(blocks: Blocks, inside: NDArray[np.bool_], laid: NDArray[np.bool_]) -> Blocks:
    """What a lamp makes of blocks: a smooth field through most of those where nothing is laid."""
    told = inside & ~laid
    told = told if np.count_nonzero(told) >= FEWEST else inside
    here, part = _BENT[told.ravel()], blocks[told]
    light: NDArray[np.floating[Any]] = np.zeros(_BENT.shape[1], np.float32)
    light[0] = np.median(part)
    for _ in range(8):
        weight = 1 / (1 + ((part - here @ light) / np.float32(STIR / 3)) ** 2)
        weighted = (here * weight[:, None]).T
        light = np.linalg.solve(weighted @ here + _LOOSE, weighted @ part)
    return np.asarray((_BENT @ light).reshape(blocks.shape), np.float32)


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
