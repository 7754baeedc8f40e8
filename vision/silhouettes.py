"""What a standing figure covers of the board beneath it, for a camera that looks down on it."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np

from engines.table import Figure
from vision.boards import SCALE
from vision.calibration import Floats
from vision.plane import Picture

_PAWN = ((0.0, 0.5), (0.16, 0.45), (0.5, 0.24), (0.8, 0.29), (0.97, 0.14))
_PYRAMID = ((0.0, 0.56), (0.55, 0.27), (1.0, 0.03))
_LOW = ((0.0, 0.5), (1.0, 0.4))
_SHAPES = {"pawn": _PAWN, "pyramid": _PYRAMID}
"""Height and radius, as shares of a figure's height and of its foot's width: what figures of a kind have in common."""


def outline(figure: Figure, foot: tuple[float, float], eye: Floats) -> list[Floats]:
    """The convex parts of what a figure covers of the board, mm (n, 2), for a camera at ``eye`` (mm, z up): each slice is seen further
    out the higher it lies."""
    angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    discs = []
    for share, radius in _SHAPES.get(figure.kind, _LOW):
        z = share * figure.height
        away = float(eye[2]) / (float(eye[2]) - z)
        middle = eye[:2] + (np.array(foot) - eye[:2]) * away
        discs.append(middle + circle * (radius * figure.width * away))
    parts = [np.concatenate(pair) for pair in pairwise(discs)]
    return [np.asarray(cv2.convexHull(part.astype(np.float32)).reshape(-1, 2), np.float64) for part in parts]


def drawn(figure: Figure, foot: tuple[float, float], eye: Floats, side: int) -> Picture:
    """The outline as a mask of ``side`` px whose middle is the foot."""
    mask = np.zeros((side, side), np.uint8)
    for part in outline(figure, foot, eye):
        local = (part - np.array(foot)) * SCALE + (side - 1) / 2
        cv2.fillConvexPoly(mask, np.round(local * 16).astype(np.int32), (1,), cv2.LINE_8, 4)
    return mask


def reach(figure: Figure) -> int:
    """How far (px) from its foot a figure can be seen, for a camera that looks down rather than across."""
    return round((figure.width * 0.62 + figure.height * 0.7) * SCALE)
