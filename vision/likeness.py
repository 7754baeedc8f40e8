"""Whether two faces can be told apart in the light at hand: what differs between them against what the camera's noise makes of one.

Twins differ in a small place, so the places that differ most count, and each may be shifted a little: two pictures of one face never lie quite
alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Array = NDArray[np.float32]

LONG = 96
"""px of a face's long side at which it is compared."""
INSET = 0.06
"""Share of the short side along the edge that is left out: ground and shadow reach in there."""
BLOCK = 8
"""px of the places that are compared one by one."""
WORST = 3
"""So many of the places that differ most count."""
SHIFT = 1
"""px by which a place may be shifted."""
COLOUR = 2.0
"""What a change of colour (log ratio of channels) counts beside one of brightness."""
FLOOR = 0.34
"""What two pictures of one face may differ by besides noise: light, edges, the grid of pixels."""
NOISY = 3.0
"""Times its noise that a place may differ."""
LIFT = 12.0
"""Grey levels added before the logarithm."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A face as it is compared: features (H, W, 3) and the noise in them (root mean square)."""

    features: Array
    noise: float


def look(picture: Picture) -> Look:
    """What is compared of an upright picture (H, W, 3) uint8 BGR."""
    border = round(INSET * min(picture.shape[:2]))
    picture = picture[border : picture.shape[0] - border, border : picture.shape[1] - border]
    high, wide = picture.shape[:2]
    scale = LONG / max(high, wide)
    size = (max(BLOCK, round(wide * scale)), max(BLOCK, round(high * scale)))
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
    logs = np.log(cv2.GaussianBlur(small, (0, 0), 0.8) + LIFT)
    bright = logs.mean(axis=2)
    bright = bright - cv2.GaussianBlur(bright, (0, 0), LONG / 4)
    red_green, blue_green = logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]
    features = np.dstack([bright, COLOUR * red_green, COLOUR * blue_green]).astype(np.float32)
    return Look(features, _noise(picture, scale))


def _noise(picture: Picture, scale: float) -> float:
    """The noise of the features, from what differs between neighbours of a picture whatever it shows (Immerkaer, CVIU 64, 1996)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rough = np.abs(cv2.filter2D(grey, -1, kernel))[1:-1, 1:-1]
    # Edges are rough as well: the quieter half of the picture tells its noise.
    sigma = float(np.median(rough)) / 0.6745 / 6
    level = max(float(np.median(grey)) + LIFT, LIFT)
    # Averaged over 1 / scale^2 pixels; pictures that were enlarged have neighbours that know each other.
    return sigma / level * min(1.0, 2 * scale)


def apart(one: Look, other: Look) -> float:
    """How clearly two faces differ: 1 is the limit below which they may be taken for each other. Of different shape: infinite."""
    if (
        abs(one.features.shape[1] - other.features.shape[1]) > 3
        or abs(one.features.shape[0] - other.features.shape[0]) > 3
    ):
        return float("inf")
    high = min(one.features.shape[0], other.features.shape[0]) // BLOCK * BLOCK
    wide = min(one.features.shape[1], other.features.shape[1]) // BLOCK * BLOCK
    first, second = one.features[:high, :wide], other.features[:high, :wide]
    best = np.full((high // BLOCK, wide // BLOCK), np.inf, np.float32)
    framed = np.pad(second, ((SHIFT, SHIFT), (SHIFT, SHIFT), (0, 0)), mode="edge")
    for down in range(2 * SHIFT + 1):
        for right in range(2 * SHIFT + 1):
            gap = first - framed[down : down + high, right : right + wide]
            square = (gap * gap).sum(axis=2)
            blocks = square.reshape(high // BLOCK, BLOCK, wide // BLOCK, BLOCK).mean(axis=(1, 3))
            best = np.minimum(best, blocks)
    worst = np.sort(best, axis=None)[-WORST:]
    differ = float(np.sqrt(worst.mean()))
    return differ / (FLOOR + NOISY * float(np.hypot(one.noise, other.noise)))


def too_alike(looks: Mapping[str, Look]) -> list[tuple[str, str, float]]:
    """Pairs that may be taken for each other, the worst first: (identity, identity, how clearly they differ)."""
    names: Sequence[str] = sorted(looks)
    found = [
        (one, other, value)
        for index, one in enumerate(names)
        for other in names[index + 1 :]
        if (value := apart(looks[one], looks[other])) < 1
    ]
    return sorted(found, key=lambda pair: pair[2])
