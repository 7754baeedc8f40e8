"""Comparing what lies in a frame with faces: a cheap ranking of all of them, and a careful comparison with a few.

The careful one lets every rival explain the picture as well as light allows: a gain per channel, a smooth field of light, a smooth loss of
contrast towards white (glare, haze). What is left after that is the face's own fault. Nothing loops over hypotheses: smoothing is a
product with a banded matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Crops = NDArray[np.uint8]

COLUMNS, ROWS = 40, 60
"""Comparison happens in this frame, px."""
CELL = 4
"""Side of a cell, px: 10 x 15 of them."""
_NOISE = 5.0
"""Standard deviation of a face's own print and of the camera, grey levels of 255."""
_SLOPE = 0.5
"""What half a pixel of misalignment may cost where the face is steep."""
_LIGHT, _CONTRAST = 6.0, 6.0
"""Standard deviation, px, of the fields of light and of contrast."""
_CAP = 27.0
"""A pixel that does not fit counts no more than this: behind a cover anything can be."""


@lru_cache(maxsize=16)
def _gaussian(size: int, sigma: float) -> Array:
    """(size, size): product with it smooths along an axis, weights summing to one at the border too."""
    steps = np.arange(size)
    weights = np.exp(-0.5 * ((steps[:, None] - steps[None]) / sigma) ** 2)
    return np.asarray(weights / weights.sum(1, keepdims=True), np.float32)


def smooth(fields: Array, sigma: float) -> Array:
    """Gaussian smoothing of the last two axes."""
    rows, columns = fields.shape[-2:]
    return np.asarray(_gaussian(rows, sigma) @ fields @ _gaussian(columns, sigma).T, np.float32)


def halved(crops: Crops) -> Array:
    """(n, 120, 80, 3) uint8 to channels first (n, 3, 60, 40) float32, averaged."""
    n, height, width, _ = crops.shape
    parts = crops.reshape(n, height // 2, 2, width // 2, 2, 3).astype(np.float32)
    return np.ascontiguousarray(parts.mean((2, 4)).transpose(0, 3, 1, 2))


def signature(pictures: Array) -> Array:
    """What the cheap ranking looks at (n, 7200), of length one: broad grey light taken out of brightness, colour as ratios.

    ``pictures`` (n, 3, 60, 40) as of `halved`.
    """
    n = len(pictures)
    offset = pictures + np.float32(6)
    bright = np.partition(offset.reshape(n, 3, -1), int(0.8 * COLUMNS * ROWS), axis=2)[
        :, :, int(0.8 * COLUMNS * ROWS)
    ]
    logs = np.log(offset / bright[:, :, None, None])
    grey = logs.mean(1)
    parts = np.stack(
        [
            np.clip(grey - smooth(grey, COLUMNS / 8), -0.5, 0.5),
            0.8 * np.clip(logs[:, 2] - logs[:, 1], -0.8, 0.8),
            0.8 * np.clip(logs[:, 0] - logs[:, 1], -0.8, 0.8),
        ],
        1,
    )
    flat = smooth(parts, 1.0).reshape(n, -1)
    flat = flat - flat.mean(1, keepdims=True)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-3), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Gauge:
    """What the careful comparison keeps of m views: ``pictures`` (m, 3, 60, 40), references brought to one white; ``steep``
    (m, 60, 40), squared slopes; ``white`` (3,), the brightest that occurs."""

    pictures: Array
    steep: Array
    white: Array

    @classmethod
    def of(cls, crops: Crops) -> Gauge:
        pictures = halved(crops)
        pictures = smooth(pictures, 0.7)
        # References photographed in different light: one white for all, within what light can do.
        level = np.percentile(pictures.reshape(len(pictures), 3, -1), 80, axis=2)
        even = np.clip(np.median(level, 0) / np.maximum(level, 1), 0.75, 1.33)
        pictures = np.clip(pictures * even[:, :, None, None], 0, 255).astype(np.float32)
        down, across = np.gradient(pictures, axis=(2, 3))
        white = np.percentile(pictures.transpose(0, 2, 3, 1).reshape(-1, 3), 97, axis=0)
        return cls(
            pictures,
            np.asarray((down**2 + across**2).mean(1), np.float32),
            np.asarray(white, np.float32),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """n pictures against k rivals each.

    ``misfit`` (n, k): mean capped squared residual in units of noise, over what can be seen; ``gap`` (n, k): the same between the best
    rival's model and this one; ``cells`` (n, k, 15, 10): uncapped, by cell; ``differs`` (n, k, 15, 10): between best and this one;
    ``gains`` (n, k, 3): light by channel; ``best`` (n,): the rival with the least misfit.
    """

    misfit: Array
    gap: Array
    cells: Array
    differs: Array
    gains: Array
    best: NDArray[np.intp]


def by_cell(fields: Array) -> Array:
    """(..., 60, 40) averaged to (..., 15, 10)."""
    shape = fields.shape[:-2]
    return np.asarray(
        fields.reshape(*shape, ROWS // CELL, CELL, COLUMNS // CELL, CELL).mean((-3, -1)), np.float32
    )


def compare(pictures: Array, gauge: Gauge, rivals: NDArray[np.intp], seen: Array) -> Comparison:
    """Each picture (n, 3, 60, 40) with the views ``rivals`` (n, k), looking only at what is ``seen`` (n, 60, 40), 0-1."""
    faces = gauge.pictures[rivals]
    white = gauge.white[None, None, :, None, None]
    steep = gauge.steep[rivals]
    spread = _NOISE**2 + _SLOPE * steep
    photo = pictures[:, None]
    # Light is estimated where the rivals agree: where they differ it would explain the difference away.
    agree = smooth(faces.var(1).mean(1), 1.0)
    agree = np.asarray(((1 / (1 + agree / 6) ** 2 + 1e-3) * seen)[:, None], np.float32)
    weight = seen[:, None] / spread
    trust = weight
    for _ in range(2):
        both = (trust[:, :, None] * photo * faces).sum((3, 4))
        own = (trust[:, :, None] * faces * faces).sum((3, 4))
        gains = np.maximum(both / np.maximum(own, 1e-6), 0.05)
        even = photo / gains[:, :, :, None, None]
        light = (smooth(agree * (even * faces).sum(2), _LIGHT) + 1e2) / (
            smooth(agree * (faces * faces).sum(2), _LIGHT) + 1e2
        )
        even = even / np.clip(light, 0.45, 2.2)[:, :, None]
        dark, face_dark = white - even, white - faces
        contrast = (smooth(50 * weight * (dark * face_dark).sum(2), _CONTRAST) + 60) / (
            smooth(50 * weight * (face_dark * face_dark).sum(2), _CONTRAST) + 60
        )
        model = white - np.clip(contrast, 0.4, 1.2)[:, :, None] * face_dark
        error = even - model
        # What is burnt out is at least as bright as the sensor says.
        error = np.where((photo >= 250) & (error < 0), 0, error)
        trust = weight / (1 + (error * error).mean(2) / spread / 4)
    residual = (smooth(error, 0.8) ** 2).sum(2) / spread
    total = seen.sum((1, 2))[:, None] + 1e-3
    misfit = (np.minimum(residual, _CAP) * seen[:, None]).sum((2, 3)) / total
    best = misfit.argmin(1)
    row = np.arange(len(pictures))
    between = (smooth(faces - model[row, best][:, None], 0.8) ** 2).sum(2) / spread
    gap = (np.minimum(between, _CAP) * seen[:, None]).sum((2, 3)) / total
    return Comparison(
        np.asarray(misfit, np.float32),
        np.asarray(gap, np.float32),
        by_cell(residual * seen[:, None]),
        by_cell(between * seen[:, None]),
        np.asarray(gains, np.float32),
        best,
    )


def widened(cells: Array) -> Array:
    """Cells (n, 15, 10) as pixels (n, 60, 40)."""
    return np.asarray(np.repeat(np.repeat(cells, CELL, 1), CELL, 2), np.float32)


def grey(pictures: Array) -> Array:
    """Brightness (n, h, w) of channels-first BGR pictures (n, 3, h, w)."""
    weights = np.array([0.114, 0.587, 0.299], np.float32)
    return np.asarray(np.tensordot(weights, pictures, (0, 1)), np.float32)
