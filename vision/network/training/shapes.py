"""Symbols for made-up faces: outlines in a unit square, and the ways printers fill them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Colour = tuple[int, int, int]
Points = NDArray[np.float64]
"""(k, 2), in a square of -1..1."""


def paint(colour: Colour) -> NDArray[np.float32]:
    """A colour to reckon with."""
    return np.array(colour, np.float32)


FILLS = ("solid", "outline", "hatch", "dots", "thin", "tint")

_T = np.linspace(0, 2 * np.pi, 40, endpoint=False)


def _star() -> Points:
    angle = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, 0.4, 0.95)
    return np.asarray(np.c_[reach * np.cos(angle), reach * np.sin(angle)], np.float64)


def _heart(size: float) -> Points:
    return np.asarray(
        (
            np.c_[
                16 * np.sin(_T) ** 3,
                -(13 * np.cos(_T) - 5 * np.cos(2 * _T) - 2 * np.cos(3 * _T) - np.cos(4 * _T)),
            ]
            / size
        ),
        np.float64,
    )


def _wave() -> Points:
    way = np.linspace(-1, 1, 20)
    sway = 0.28 * np.sin(way * 3.2)
    return np.asarray(np.r_[np.c_[sway - 0.3, way], np.c_[sway + 0.3, way][::-1]], np.float64)


def _club() -> Points:
    reach = 0.55 + 0.4 * np.cos(3 * (_T + np.pi / 2))
    return np.asarray(np.c_[np.cos(_T) * reach, np.sin(_T) * reach], np.float64)


def _moon() -> Points:
    angle = np.linspace(0.6, 2 * np.pi - 0.6, 20)
    arc = np.c_[np.cos(angle), np.sin(angle)]
    return np.asarray(np.r_[0.85 * arc, (0.65 * arc + [0.3, 0])[::-1]], np.float64)


def _bird() -> Points:
    return np.array(
        [
            [-0.9, -0.5],
            [-0.1, -0.1],
            [0.2, -0.8],
            [0.4, -0.1],
            [0.9, 0.1],
            [0.3, 0.4],
            [0.1, 0.9],
            [-0.2, 0.3],
        ]
    )


def _eye() -> Points:
    way = np.linspace(-1, 1, 16)
    lid = 0.5 * (1 - way**2)
    return np.asarray(np.r_[np.c_[way, -lid], np.c_[way, lid][::-1]], np.float64)


_OUTLINES: Mapping[str, Callable[[], Points]] = {
    "circle": lambda: np.c_[np.cos(_T), np.sin(_T)] * 0.8,
    "oval": lambda: np.c_[0.5 * np.cos(_T), np.sin(_T)],
    "capsule": lambda: np.c_[0.42 * np.cos(_T), 0.42 * np.sin(_T) + 0.58 * np.sign(np.sin(_T))],
    "diamond": lambda: np.array([[0, -1], [0.5, 0], [0, 1], [-0.5, 0.0]]),
    "square": lambda: np.array([[-0.75, -0.75], [0.75, -0.75], [0.75, 0.75], [-0.75, 0.75]]),
    "bar": lambda: np.array([[-0.45, -0.9], [0.45, -0.9], [0.45, 0.9], [-0.45, 0.9]]),
    "triangle": lambda: np.array([[0, -0.9], [0.85, 0.7], [-0.85, 0.7]]),
    "star": _star,
    "hexagon": lambda: 0.9 * np.c_[np.cos(np.arange(6) * np.pi / 3), np.sin(np.arange(6) * np.pi / 3)],
    "cross": lambda: np.array(
        [[-0.3, -0.9], [0.3, -0.9], [0.3, -0.3], [0.9, -0.3], [0.9, 0.3], [0.3, 0.3], [0.3, 0.9], [-0.3, 0.9], [-0.3, 0.3], [-0.9, 0.3], [-0.9, -0.3], [-0.3, -0.3]]
    ),
    "heart": lambda: _heart(17),
    "spade": lambda: -_heart(19),
    "wave": _wave,
    "arrow": lambda: np.array([[0, -1], [0.7, -0.2], [0.3, -0.2], [0.3, 0.9], [-0.3, 0.9], [-0.3, -0.2], [-0.7, -0.2]]),
    "club": _club,
    "moon": _moon,
    "bird": _bird,
    "eye": _eye,
}  # fmt: skip
SHAPES = tuple(_OUTLINES)


def symbol(
    picture: Picture,
    shape: str,
    fill: str,
    colour: Colour,
    middle: tuple[float, float],
    size: tuple[float, float],
    rotation: float = 0,
    thickness: int = 2,
    pitch: int = 4,
    tint: float = 0.1,
) -> None:
    """Draw a symbol in place: ``middle`` and half ``size`` in px, ``rotation`` in radians. ``pitch`` px is the distance of stripes and
    dots, ``tint`` the strength (0-1) of a fill that is a tint."""
    cosine, sine = np.cos(rotation), np.sin(rotation)
    points = (_OUTLINES[shape]() * size) @ np.array([[cosine, sine], [-sine, cosine]]) + middle
    fixed = np.round(points * 16).astype(np.int32)
    if fill == "solid":
        cv2.fillPoly(picture, [fixed], colour, cv2.LINE_AA, 4)
        return
    if fill != "outline":
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [fixed], 255, shift=4)
        _fill(picture, mask > 0, fill, colour, pitch, tint)
    cv2.polylines(picture, [fixed], True, colour, thickness, cv2.LINE_AA, 4)


def _fill(
    picture: Picture, inside: NDArray[np.bool_], fill: str, colour: Colour, pitch: int, tint: float
) -> None:
    rows, columns = np.arange(picture.shape[0])[:, None], np.arange(picture.shape[1])[None]
    if fill == "tint":
        inside, strength = inside, tint
    elif fill == "thin":
        lines = (rows if pitch % 2 else columns) % (pitch + 1) == 0
        inside, strength = inside & lines, min(1.0, (0.15 + 0.05 * pitch) * (1 + 10 * tint))
    elif fill == "hatch":
        inside, strength = inside & (rows % pitch < max(1, int(pitch / 2.6))), 1.0
    else:
        inside, strength = inside & (rows % pitch < 2) & (columns % pitch < 2), 1.0
    picture[inside] = (picture[inside] * (1 - strength) + paint(colour) * np.float32(strength)).astype(
        np.uint8
    )
