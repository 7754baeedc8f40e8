"""Pictures as the display shows them: small, of one bit per pixel."""

from __future__ import annotations

from PIL import Image

from hardware.camera.frame import Picture
from hardware.display.screen import Bitmap

_LOW, _HIGH = 2.0, 98.0
"""Percentiles that become black and white."""


def bitmap(picture: Picture, size: tuple[int, int]) -> Bitmap:
    """A BGR picture (H, W, 3) uint8 at ``size`` (width, height) px: its contrast stretched, dithered (Floyd and Steinberg 1976)."""
    import numpy as np

    grey = (
        Image.fromarray(np.ascontiguousarray(picture[..., ::-1]))
        .convert("L")
        .resize(size, Image.Resampling.BOX)
    )
    values = np.asarray(grey, np.float32)
    low, high = (float(one) for one in np.percentile(values, (_LOW, _HIGH)))
    stretched = np.clip((values - low) * (255.0 / max(high - low, 16.0)), 0, 255).astype(np.uint8)
    bits = np.asarray(Image.fromarray(stretched).convert("1", dither=Image.Dither.FLOYDSTEINBERG))
    return Bitmap(tuple("".join("#" if bit else "." for bit in row) for row in bits.tolist()))
