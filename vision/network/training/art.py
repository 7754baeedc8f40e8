"""Pictures that mean nothing, for the faces that have one."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from vision.network.training.inks import ink, noise, pick
from vision.network.training.shapes import FILLS, SHAPES, paint, symbol
from vision.plane import Picture


def art(seed: int, height: int, width: int, flat: bool, details: int = 0) -> Picture:
    """A picture that means nothing: flat shapes with ink lines, or light and grain as in a painting or photograph."""
    rng = np.random.default_rng(seed)
    first, second = paint(ink(rng)), paint(ink(rng))
    slope = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    canvas = np.ascontiguousarray(np.broadcast_to(first * (1 - slope) + second * slope, (height, width, 3)))
    if not flat:
        strength = rng.uniform(8, 40)
        for octave in (3, 7, 16, 34):
            canvas = canvas + (noise(rng, height, width, width / octave) * strength)[..., None] * np.float32(
                rng.uniform(-0.2, 1, 3)
            )
            strength *= rng.uniform(0.45, 0.95)
    picture = np.asarray(np.clip(canvas, 0, 255), np.uint8)
    _things(picture, rng, int(rng.integers(3, 14)), flat)
    if not flat and rng.random() < 0.6:
        lit = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.6, 2.2)).astype(np.float32)
        lit *= 1 + 0.25 * noise(rng, height, width, width / 4)[..., None]
        lit += rng.normal(0, rng.uniform(0, 9), (height, width, 1))
        picture = np.asarray(np.clip(lit, 0, 255), np.uint8)
    if details:
        _things(picture, np.random.default_rng(details), 1, flat)
    return picture


def _things(picture: Picture, rng: Generator, count: int, inked: bool) -> None:
    height, width = picture.shape[:2]
    for _ in range(count):
        kind, colour, size = rng.integers(4), ink(rng), rng.uniform(0.06, 0.3) * width
        x, y = int(rng.uniform(0, width)), int(rng.uniform(0, height))
        if kind == 0:
            axes, lean = (int(size) + 1, int(size * rng.uniform(0.3, 1)) + 1), rng.uniform(0, 180)
            cv2.ellipse(picture, (x, y), axes, lean, 0, 360, colour, -1, cv2.LINE_AA)
            if inked:
                cv2.ellipse(picture, (x, y), axes, lean, 0, 360, (20, 20, 20), 1, cv2.LINE_AA)
        elif kind == 1:
            corners = np.c_[x + rng.normal(0, size, 5), y + rng.normal(0, size, 5)].astype(np.int32)
            cv2.fillPoly(picture, [corners], colour, cv2.LINE_AA)
            if inked:
                cv2.polylines(picture, [corners], True, (20, 20, 20), 1, cv2.LINE_AA)
        elif kind == 2:
            way = np.cumsum(np.r_[[[x, y]], rng.normal(0, size / 2, (7, 2))], 0).astype(np.int32)
            cv2.polylines(picture, [way], False, colour, int(rng.integers(1, 5)), cv2.LINE_AA)
        else:
            symbol(
                picture,
                pick(rng, SHAPES),
                pick(rng, FILLS),
                colour,
                (x, y),
                (size, size),
                rng.uniform(0, 6.28),
            )
