"""Comparing what lies in a frame with faces: a cheap ranking of all of them, and a careful comparison with a few.

The careful one lets every rival explain the picture as well as light allows: a gain per channel, a smooth field of light, a smooth loss of
contrast towards white (glare, haze). What is left after that is the face's own fault. Nothing loops over hypotheses: smoothing is a
product with a banded matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
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
_INK = 0.12
"""Share by which deep ink may be off."""
_MANY = 32
"""Views prepared at once: a great gallery shall not need many times its room for a moment."""
_BLOCK = 6
"""Pictures compared at once: what they need stays in the processor's cache."""


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


@lru_cache(maxsize=8)
def _averaging(size: int, by: int) -> Array:
    """(size / by, size): product with it averages ``by`` places at a time along an axis."""
    return np.repeat(np.eye(size // by, dtype=np.float32) / np.float32(by), by, 1)


def _averaged(fields: Array, by: int) -> Array:
    """The last two axes, averaged over squares of ``by``."""
    rows, columns = fields.shape[-2:]
    return np.asarray(_averaging(rows, by) @ fields @ _averaging(columns, by).T, np.float32)


def halved(crops: Crops) -> Array:
    """(n, 120, 80, 3) uint8 to channels first (n, 3, 60, 40) float32, averaged."""
    n, height, width, _ = crops.shape
    if not n:
        return np.zeros((0, 3, height // 2, width // 2), np.float32)
    # One below the other, so that one call of OpenCV serves all.
    column = crops.reshape(n * height, width, 3).astype(np.float32)
    parts = cv2.resize(column, (width // 2, n * height // 2), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(
        parts.reshape(n, height // 2, width // 2, 3).transpose(0, 3, 1, 2), np.float32
    )


def signature(pictures: Array) -> Array:
    """What the cheap ranking looks at (n, 1800): broad grey light taken out of brightness, colour as ratios.

    ``pictures`` (n, 3, 60, 40) as of `halved`.
    """
    n = len(pictures)
    logs = np.log(pictures + np.float32(6))
    place = int(0.8 * COLUMNS * ROWS)
    logs -= np.partition(logs.reshape(n, 3, -1), place, axis=2)[:, :, place, None, None]
    grey = (logs[:, 0] + logs[:, 1] + logs[:, 2]) / np.float32(3)
    parts = np.empty((n, 3, ROWS, COLUMNS), np.float32)
    np.clip(grey - smooth(grey, COLUMNS / 8), -0.5, 0.5, out=parts[:, 0])
    np.clip(logs[:, 2] - logs[:, 1], -0.8, 0.8, out=parts[:, 1])
    np.clip(logs[:, 0] - logs[:, 1], -0.8, 0.8, out=parts[:, 2])
    parts[:, 1:] *= np.float32(0.8)
    coarse = _averaging(ROWS, 2) @ _gaussian(ROWS, 1.0)
    across = _averaging(COLUMNS, 2) @ _gaussian(COLUMNS, 1.0)
    return np.asarray((coarse @ parts @ across.T).reshape(n, -1), np.float32)


def alike(signatures: Array, faces: Array, seen: Array) -> Array:
    """Correlation (n, m) of signatures (n, 1800) with those of faces (m, 1800), over what is ``seen`` (n, 60, 40), 0-1."""
    coarse = _averaged(seen, 2).reshape(len(seen), -1)
    weights = np.tile(coarse + np.float32(1e-3), 3)
    total = weights.sum(1, keepdims=True)
    centred = signatures - (weights * signatures).sum(1, keepdims=True) / total
    weighted = weights * centred
    own = (weighted * centred).sum(1, keepdims=True)
    means = weights @ faces.T / total
    theirs = weights @ (faces * faces).T - total * means**2
    return np.asarray(
        (weighted @ faces.T) / np.sqrt((own + 1e-2) * (np.maximum(theirs, 0) + 1e-2)), np.float32
    )


@dataclass(frozen=True, slots=True, eq=False)
class Gauge:
    """What the careful comparison keeps of m views: ``pictures`` (m, 3, 60, 40) float16, references brought to one white; ``steep``
    (m, 60, 40), squared slopes; ``white`` (3,), the brightest that occurs."""

    pictures: NDArray[np.float16]
    steep: Array
    white: Array

    @classmethod
    def of(cls, crops: Crops) -> Gauge:
        blocks = [slice(start, start + _MANY) for start in range(0, len(crops), _MANY)]
        pictures = np.empty((len(crops), 3, ROWS, COLUMNS), np.float32)
        for some in blocks:
            pictures[some] = smooth(halved(crops[some]), 0.7)
        # References photographed in different light: one white for all, within what light can do.
        level = np.concatenate(
            [np.zeros((0, 3))]
            + [np.percentile(pictures[some].reshape(-1, 3, ROWS * COLUMNS), 80, axis=2) for some in blocks]
        )
        even = np.clip(np.median(level, 0) / np.maximum(level, 1), 0.75, 1.33).astype(np.float32)
        pictures *= even[:, :, None, None]
        np.clip(pictures, 0, 255, out=pictures)
        steep = np.empty((len(crops), ROWS, COLUMNS), np.float32)
        for some in blocks:
            down, across = np.gradient(pictures[some], axis=(2, 3))
            steep[some] = (down**2 + across**2).mean(1)
        white = [np.percentile(pictures[:, channel], 97) for channel in range(3)]
        return cls(pictures.astype(np.float16), steep, np.asarray(white, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """n pictures against k rivals each, cell by cell of the frame.

    ``left`` (n, k, 3, 15, 10): what light does not explain, grey levels of the face by channel, averaged over a cell so that noise and
    slight misalignment weigh little; ``counts`` (n, 15, 10): how much of a cell is looked at, 0-1; ``noise`` (n, k, 15, 10):
    standard deviation of ``left`` for the true face, larger where there is much ink;
    ``tone`` (n, k, 3): how dark ink is compared with the face's, by channel, and ``ink`` (n, k, 3) how much of it there is to tell by.
    """

    left: Array
    counts: Array
    noise: Array
    tone: Array
    ink: Array

    @classmethod
    def joined(cls, parts: Sequence[Comparison]) -> Comparison:
        """Comparisons of several blocks of pictures as one."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


def by_cell(fields: Array) -> Array:
    """(..., 60, 40) averaged to (..., 15, 10)."""
    return _averaged(fields, CELL)


def compare(
    pictures: Array, gauge: Gauge, rivals: NDArray[np.intp], seen: Array, tone: Array | None = None
) -> Comparison:
    """Each picture (n, 3, 60, 40) with the views ``rivals`` (n, k), looking only at what is ``seen`` (n, 60, 40), 0-1.

    ``tone`` (3,): how dark this photo shows ink, by channel, compared with the references; 1 when that is not known.
    """
    even = np.ones(3, np.float32) if tone is None else tone
    return Comparison.joined(
        [
            _compared(
                pictures[start : start + _BLOCK],
                gauge,
                rivals[start : start + _BLOCK],
                seen[start : start + _BLOCK] * _rim(),
                even,
            )
            for start in range(0, len(pictures), _BLOCK)
        ]
    )


@lru_cache(maxsize=1)
def _rim() -> Array:
    """(60, 40): the outermost pixels count little, the ground and rounded corners reach into them."""
    rim = np.full((ROWS, COLUMNS), 0.05, np.float32)
    rim[2:-2, 2:-2] = 1
    return rim


def _compared(
    pictures: Array, gauge: Gauge, rivals: NDArray[np.intp], seen: Array, tone: Array
) -> Comparison:
    white = gauge.white[None, None, :, None, None]
    faces = np.clip(white - tone[:, None, None] * (white - gauge.pictures[rivals]), 2, 255)
    spread = _NOISE**2 + _SLOPE * gauge.steep[rivals]
    photo = pictures[:, None]
    # Light is estimated where the rivals agree: where they differ it would explain the difference away.
    agree = smooth(faces.var(1).mean(1), 1.0)
    agree = np.asarray(((1 / (1 + agree / 6) ** 2 + 1e-3) * seen)[:, None], np.float32)
    weight = np.asarray(seen[:, None] / spread, np.float32)
    bright = (faces * faces).sum(2)
    field = smooth(agree * bright, _LIGHT) + np.float32(1e2)
    face_dark = white - faces
    depth = smooth(50 * weight * (face_dark * face_dark).sum(2), _CONTRAST) + np.float32(60)
    trust = weight
    for _ in range(2):
        both = np.einsum("nkhw,nchw,nkchw->nkc", trust, pictures, faces, optimize=True)
        own = np.einsum("nkhw,nkchw,nkchw->nkc", trust, faces, faces, optimize=True)
        gains = np.maximum(both / np.maximum(own, 1e-6), 0.05)
        even = photo / gains[:, :, :, None, None]
        light = (smooth(agree * (even * faces).sum(2), _LIGHT) + np.float32(1e2)) / field
        even = even / np.clip(light, 0.45, 2.2)[:, :, None]
        contrast = (smooth(50 * weight * ((white - even) * face_dark).sum(2), _CONTRAST) + 60) / depth
        contrast = np.clip(contrast, 0.4, 1.2)
        error = even - white + contrast[:, :, None] * face_dark
        # What is burnt out is at least as bright as the sensor says.
        error = np.where((photo >= 250) & (error < 0), 0, error)
        square = (error * error).mean(2) / spread
        trust = weight / (1 + square / 4)
    ink = np.einsum("nkhw,nkchw,nkchw->nkc", trust, face_dark, face_dark, optimize=True)
    shown = np.einsum("nkhw,nkchw,nkchw->nkc", trust, white - even, face_dark, optimize=True)
    total = by_cell(weight) + np.float32(1e-6)
    # Print and cameras render deep ink less faithfully than white.
    noise = np.hypot(
        (2.5 + 1.5 / np.maximum(gains.mean(2), 0.1))[:, :, None, None],
        _INK * by_cell(np.abs(face_dark).mean(2)),
    )
    return Comparison(
        np.asarray(by_cell(weight[:, :, None] * error) / total[:, :, None], np.float32),
        by_cell(seen),
        np.asarray(noise, np.float32),
        np.asarray(tone * shown / np.maximum(ink, 1e-6), np.float32),
        np.asarray(ink, np.float32),
    )


def widened(cells: Array) -> Array:
    """Cells (n, 15, 10) as pixels (n, 60, 40)."""
    return np.asarray(np.repeat(np.repeat(cells, CELL, 1), CELL, 2), np.float32)


def grey(pictures: Array) -> Array:
    """Brightness (n, h, w) of channels-first BGR pictures (n, 3, h, w)."""
    weights = np.array([0.114, 0.587, 0.299], np.float32)
    return np.asarray(np.tensordot(weights, pictures, (0, 1)), np.float32)
