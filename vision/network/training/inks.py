"""Colours that printers like, their shades, and smooth noise: what made-up faces are painted with."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.network.training.shapes import Colour, paint

INK = (
    (0.00, 0.80, 0.80), (0.33, 0.80, 0.55), (0.38, 0.90, 0.60), (0.77, 0.70, 0.55), (0.60, 0.85, 0.80), (0.08, 0.90, 0.95),
    (0.14, 0.90, 0.95), (0.50, 0.70, 0.70), (0.90, 0.60, 0.85), (0.00, 0.00, 0.08), (0.05, 0.60, 0.40), (0.65, 0.70, 0.35),
    (0.00, 0.00, 0.50), (0.10, 0.35, 0.75), (0.75, 0.45, 0.75),
)  # fmt: skip
"""Hue, saturation, value that printers like."""


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """A BGR colour; saturation and value are held to 0-1."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return int(blue * 255), int(green * 255), int(red * 255)


def ink(rng: Generator) -> Colour:
    hue, saturation, value = INK[rng.integers(len(INK))]
    return hsv(hue + rng.normal(0, 0.012), saturation + rng.normal(0, 0.05), value + rng.normal(0, 0.05))


def shade(colour: Colour, rng: Generator) -> Colour:
    """The same colour, 8-25 % lighter or darker, or a little to the side: what a near-twin has."""
    step = rng.uniform(0.08, 0.25) * rng.choice([-1, 1])
    mixed = paint(colour) * (1 + step) if step < 0 else paint(colour) + (255 - paint(colour)) * step
    if rng.random() < 0.4:
        mixed = mixed + rng.normal(0, 22, 3)
    blue, green, red = (int(c) for c in np.clip(mixed, 0, 255))
    return blue, green, red


def noise(rng: Generator, height: int, width: int, size: float) -> NDArray[np.float32]:
    """Smooth noise of deviation about 1 with blobs of ``size`` px."""
    small = rng.standard_normal((max(2, int(height / size)), max(2, int(width / size))), np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def seed(rng: Generator) -> int:
    return int(rng.integers(1 << 30))


def pick(rng: Generator, names: tuple[str, ...]) -> str:
    return names[int(rng.integers(len(names)))]
