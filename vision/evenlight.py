"""A view in the light of another picture of the same thing: lamp, white balance, exposure and tone curve taken out together."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Array = NDArray[np.float32]

DIM = 10.0
"""Grey levels added before the logarithm: noise of dark places counts little."""
TINGED = 0.24
"""Difference of log colour from the board that something standing there makes, and print out of place by half a mm does not ..."""
BRIGHTER = 0.28
DARKER = 1.05
"""... and of log brightness: a full shadow takes less than this."""
STRIP = 64
"""Rows of a board that are worked out at once: whole boards in floats are many megabytes."""
LOOSE = 2
"""Neighbours (px) among whose values print may lie: what registration leaves."""


def log_of(picture: Picture, exposure: NDArray[np.floating[Any]] | None = None) -> Array:
    """The logarithm of each channel of a BGR picture, that of ``exposure`` (3,) times the light added in its own measure: dark places are
    then dark in the same way however bright the picture is."""
    gains = np.ones(3) if exposure is None else exposure
    levels = np.arange(256, dtype=np.float32)[:, None]
    return np.asarray(cv2.LUT(picture, np.log(levels + (DIM * gains).astype(np.float32))[None]), np.float32)


def split(log: Array) -> tuple[NDArray[np.floating[Any]], ...]:
    """Log brightness and colour (red - green, blue - green) of a log picture."""
    blue, green, red = log[..., 0], log[..., 1], log[..., 2]
    return (blue + green + red) / np.float32(3), red - green, blue - green


def split_here(log: Array) -> tuple[NDArray[np.floating[Any]], ...]:
    """The same in the memory of the log picture (H, W, 3), which holds it instead."""
    for top in range(0, len(log), STRIP):
        rows = log[top : top + STRIP]
        rows[...] = np.stack(split(rows), axis=-1)
    return log[..., 0], log[..., 1], log[..., 2]


def _terms(shape: tuple[int, ...], step: int) -> Array:
    """The smooth fields of which light is made, at every ``step``-th pixel: (n, 6)."""
    y, x = np.mgrid[0 : shape[0] : step, 0 : shape[1] : step].astype(np.float32)
    x, y = 2 * x / shape[1] - 1, 2 * y / shape[0] - 1
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1).reshape(-1, 6)


def flattened(view: Picture, log: Array) -> Array:
    """The log of a view of the board (H, W, 3) as if it were seen in the light of the board's own picture, whose log is ``log``.

    For each channel a smooth field and a power (the camera's tone curve) by iteratively reweighted least squares: figures, shadows and hands are
    outliers.
    """
    step = 6
    raw, base = view[::step, ::step].reshape(-1, 3), log[::step, ::step].reshape(-1, 3)
    exposed = raw.astype(np.float32) / np.maximum(np.exp(base) - np.float32(DIM), 4.0)
    seen = log_of(view, np.clip(np.median(exposed, axis=0), 0.05, 4.0))
    small = seen[::step, ::step].reshape(-1, 3)
    usable = (view[::step, ::step].reshape(-1, 3).max(axis=1) < 250) & (base.min(axis=1) > np.log(DIM + 6))
    fields = _terms(view.shape, step)
    x, y = (
        np.linspace(-1, 1, view.shape[1], dtype=np.float32),
        np.linspace(-1, 1, view.shape[0], dtype=np.float32)[:, None],
    )
    # What is seen becomes the result, channel by channel.
    for channel in range(3):
        middle = np.float32(log[..., channel].mean())
        design = np.column_stack([fields, base[:, channel] - middle])
        change = small[:, channel] - base[:, channel]
        weight = usable.astype(np.float32)
        if np.count_nonzero(usable) < 50:
            continue
        solved = np.zeros(7, np.float32)
        solved[0] = np.median(change[usable])
        for _ in range(8):
            left = np.abs(change - design @ solved)
            scale = max(1.5 * float(np.median(left[usable])), 0.02)
            weight = usable / (1 + (left / (2 * scale)) ** 2) ** 2
            normal = design.T @ (weight[:, None] * design) + 1e-3 * np.eye(7, dtype=np.float32)
            normal[6, 6] += 0.02 * float(weight.sum())  # the tone curve only as far as the print shows it
            solved = np.linalg.solve(normal, design.T @ (weight * change)).astype(np.float32)
        a = [np.float32(value) for value in solved]
        for top in range(0, len(seen), STRIP):
            down, strip = y[top : top + STRIP], seen[top : top + STRIP, :, channel]
            field = a[0] + a[1] * x + a[2] * down + a[3] * x * x + a[4] * x * down + a[5] * down * down
            # seen = log + field + power * (log - middle), solved for log
            strip -= field
            strip += a[6] * middle
            strip /= 1 + a[6]
    return seen


def strangers(
    now: tuple[NDArray[np.floating[Any]], ...], board: tuple[NDArray[np.floating[Any]], ...]
) -> NDArray[np.bool_]:
    """Where the colour is that of no place of the board within ``LOOSE`` px: brightness and tinge of one and the same place."""

    def off(new: Sequence[NDArray[Any]], old: Sequence[NDArray[Any]]) -> NDArray[np.bool_]:
        light = new[0] - old[0]
        found = (light > BRIGHTER) | (light < -DARKER)
        for one, other in zip(new[1:], old[1:], strict=True):
            found |= np.abs(one - other) > TINGED
        return np.asarray(found)

    high, wide = now[0].shape
    near = sorted(product(range(-LOOSE, LOOSE + 1), repeat=2), key=lambda step: step[0] ** 2 + step[1] ** 2)
    result = np.empty((high, wide), bool)
    for top in range(0, high, STRIP):
        rows = slice(top, top + STRIP)
        result[rows] = off([one[rows] for one in now], [one[rows] for one in board])
        ys, xs = np.nonzero(result[rows])
        ys += top
        here = [one[ys, xs] for one in now]
        for dy, dx in near[1:]:
            at = np.clip(ys + dy, 0, high - 1), np.clip(xs + dx, 0, wide - 1)
            left = off(here, [one[at] for one in board])
            ys, xs, here = ys[left], xs[left], [one[left] for one in here]
        result[rows] = False
        result[ys, xs] = True
    return result
