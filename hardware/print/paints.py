"""The paint of figures that families have at hand, by the end of an identity: ``pawn-red``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hardware.print.raster import Picture

Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""

PAINTS: Mapping[str, Colour] = {
    "red": (44, 40, 190),
    "blue": (158, 84, 34),
    "yellow": (44, 190, 232),
    "green": (66, 128, 44),
    "black": (38, 36, 36),
    "white": (224, 228, 232),
    "purple": (132, 54, 108),
    "orange": (36, 118, 226),
}
PLAIN: Colour = (120, 140, 150)


def paint(identity: str) -> Colour:
    return PAINTS.get(identity.rpartition("-")[2], PLAIN)


def sample(identity: str, size: int = 24) -> Picture:
    """A small picture of the paint in even light, shaded as a turned piece is, (size, size, 3) uint8 BGR."""
    tones = np.linspace(0.7, 1.1, size, dtype=np.float32)
    shaded = tones[None, :, None] * np.array(paint(identity), np.float32)
    return np.ascontiguousarray(np.broadcast_to(np.clip(shaded, 0, 255), (size, size, 3)).astype(np.uint8))
