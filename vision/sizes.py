"""How large the owner's pieces really are: each piece read with confidence is laid over its reference and stretched to fit.

The stretch is two more columns of the comparison (the derivatives by width and by height), solved as in ``compare.fit``; it is seen in the plane in
which the piece lies, so that a tile on top of the dig is no larger than one on the mat.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from engines.table import Layout, Piece
from vision.calibration import Calibration
from vision.compare import FINE, Array, Bank, grid, light_basis, log_light, sample
from vision.plane import Picture, Window, rectify

Stretch = tuple[float, float]
"""Width and height of a piece relative to the layout's."""

SURE = 0.8
"""Confidence and visible share below which a piece is not measured ..."""
EDGE = 0.5
"""Rim of a part (mm) that is left out."""
ALIKE = 0.82
"""... and correlation with the stretched reference below which the measurement does not count."""
WIDEST = 0.09
"""A set that is more than this larger or smaller is another game."""
TRIED = (1.0, 0.96, 1.04)
"""Sizes at which pieces are looked for before any has been measured."""
ENOUGH = 12
"""Parts measured after which the mean no longer changes."""
FEWEST = 4
"""Parts measured before which the layout's own size is taken."""


def measured(
    picture: Picture,
    calibration: Calibration,
    layout: Layout,
    bank: Bank,
    pieces: Sequence[Piece],
    size: float,
) -> list[Stretch]:
    """The stretch of each part of ``pieces`` (of the bank's kind) that was read with confidence. ``size``: their stretch as known so far."""
    kind, parts = bank.kind, len(bank.kind.parts)
    found: list[Stretch] = []
    for piece in pieces:
        name = piece.identity
        sure = piece.confidence >= SURE and piece.visible > SURE and all(piece.seen)
        if piece.kind != kind.name or name is None or not sure:
            continue
        window = Window(
            piece.x,
            piece.y,
            (kind.width + 8) * size,
            (kind.height + 8) * size,
            piece.level * kind.thickness,
            piece.turn,
            FINE / size,
        )
        light = log_light(rectify(picture, window, calibration))
        middle = np.array([(light.shape[1] - 1) / 2, (light.shape[0] - 1) / 2])
        for part, label in enumerate(layout.face(name).labels):
            down = ((part + 0.5) / parts - 0.5) * kind.height * FINE
            one = _stretch(light, bank, bank.labels.index((part, label)), middle + np.array([0.0, down]))
            if one is not None:
                found.append((one[0] * size, one[1] * size))
    return found


def _stretch(
    light: Array, bank: Bank, which: int, start: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> Stretch | None:
    """Gauss-Newton over shift, turn, width and height near ``start`` (px); None when the reference does not fit after all."""
    reference = bank.stack[which].astype(np.float64)
    right, down = np.gradient(reference, axis=1).ravel(), np.gradient(reference, axis=0).ravel()
    x, y = bank.offsets[:, 0].astype(np.float64), bank.offsets[:, 1].astype(np.float64)
    smooth = light_basis(*bank.size).astype(np.float64)
    flat = reference.ravel() - smooth @ (smooth.T @ reference.ravel())
    design = np.column_stack([flat, smooth, right, down, down * x - right * y, right * x, down * y])
    pose, wide, high = np.array([*start, 0.0]), 1.0, 1.0
    # The outermost half millimetre shows what lies beside the piece rather than the piece.
    inner = (np.abs(x) < bank.size[0] / 2 - EDGE * FINE) & (np.abs(y) < bank.size[1] / 2 - EDGE * FINE)
    design, offsets = design[inner], grid(*bank.size)[inner]
    flat, smooth = design[:, 0], design[:, 1:7]
    solve = np.linalg.solve(design.T @ design, design.T)
    for _ in range(5):
        laid = offsets * np.array([wide, high], np.float32)
        seen = sample(light, pose[None].astype(np.float32), laid)[0].astype(np.float64)
        factors = solve @ seen
        gain = max(float(factors[0]), 0.15)
        step = np.clip(-factors[7:12] / gain, [-1.5, -1.5, -0.05, -0.03, -0.03], [1.5, 1.5, 0.05, 0.03, 0.03])
        cos, sin = np.cos(pose[2]), np.sin(pose[2])
        pose += (cos * step[0] - sin * step[1], sin * step[0] + cos * step[1], step[2])
        wide, high = wide * (1 + float(step[3])), high * (1 + float(step[4]))
    left = seen - smooth @ factors[1:7]
    alike = float(left @ flat / max(1e-9, np.linalg.norm(left) * np.linalg.norm(flat)))
    if alike < ALIKE or max(abs(wide - 1), abs(high - 1)) > WIDEST or np.hypot(*(pose[:2] - start)) > 6:
        return None
    return wide, high


def typical(found: Sequence[Stretch]) -> Stretch:
    """The middle of the measurements: one tile read askew does not matter."""
    return median(one[0] for one in found), median(one[1] for one in found)
