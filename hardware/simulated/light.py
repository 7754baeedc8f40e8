"""Light on the simulated table: cast shadows plane by plane, dim corners, lamps, glare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.simulated.conditions import Conditions
from hardware.simulated.optics import Floats, Optics
from hardware.simulated.paint import Picture, fill_hard, u8

Point = tuple[float, float]

SIDE, RIM = 254, 255
"""What the map of planes says of things that stand upright, and of the rim of the box."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """A block that stops light: its outline in mm, from ``bottom`` to ``top`` mm above the mat."""

    outline: tuple[Point, ...]
    bottom: float
    top: float


def shade(
    planes: Picture,
    heights: dict[int, float],
    blockers: Iterable[Blocker],
    optics: Optics,
    conditions: Conditions,
    box: Floats | None,
) -> Picture:
    """How much light reaches each pixel, (height, width) uint8, 255 all.

    ``planes`` (height, width) uint8 says on which flat plane each pixel lies, ``heights`` how high that is in mm, ``box`` the
    outline of the dig box in px, (n, 2): only inside it light is lost in depth.
    """
    light = np.full(planes.shape, 255, np.uint8)
    blocks = tuple(blockers)
    whole = (slice(0, planes.shape[0]), slice(0, planes.shape[1]))
    inside = whole if box is None else _window(box, planes.shape[:2])
    for plane, z in heights.items():
        window = inside if plane else whole
        there = cv2.compare(planes[window], np.array([float(plane)]), cv2.CMP_EQ)
        higher = [block for block in blocks if block.top > z + 0.05]
        if higher and cv2.countNonZero(there):
            lit = _cast(higher, z, optics, conditions, window)
            cv2.copyTo(lit, there, light[window])
    if box is not None:
        light[inside] = _depth(
            light[inside], planes[inside], heights, optics, box - (inside[1].start, inside[0].start)
        )
    return light


def _window(outline: Floats, shape: tuple[int, ...]) -> tuple[slice, slice]:
    left, top = np.maximum(np.floor(outline.min(0)).astype(int) - 2, 0)
    right, bottom = np.minimum(np.ceil(outline.max(0)).astype(int) + 3, shape[::-1])
    return slice(int(top), int(bottom)), slice(int(left), int(right))


def _cast(
    blocks: list[Blocker], z: float, optics: Optics, conditions: Conditions, window: tuple[slice, slice]
) -> Picture:
    """The soft shadows of the blocks on the plane at height ``z``, in the window, 255 where there is none."""
    rows, columns = window
    size = columns.stop - columns.start, rows.stop - rows.start
    half = 2 if size[0] > 400 else 1
    mask = np.zeros((size[1] // half + 1, size[0] // half + 1), np.uint8)
    points = []
    for block in blocks:
        for height in (max(block.bottom, z) - z, block.top - z):
            points += [
                (x + conditions.lamp[0] * height, y + conditions.lamp[1] * height, z)
                for x, y in block.outline
            ]
    seen = ((optics.project(points) - (columns.start, rows.start)) / half).astype(np.float32)
    at = 0
    for block in blocks:
        count = 2 * len(block.outline)
        hull = cv2.convexHull(seen[at : at + count]).reshape(-1, 2)
        fill_hard(mask, hull.astype(np.float64), 255)
        at += count
    sigma = max(0.4, 1.3 * optics.scale() / half)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma)
    lit = cv2.convertScaleAbs(soft, alpha=-conditions.shadow, beta=255)
    if half > 1:
        lit = cv2.resize(lit, (mask.shape[1] * half, mask.shape[0] * half), interpolation=cv2.INTER_LINEAR)
    return u8(lit[: size[1], : size[0]])


def _depth(
    light: Picture, planes: Picture, heights: dict[int, float], optics: Optics, box: Floats
) -> Picture:
    """Less light the deeper a place lies below its surroundings."""
    table = np.zeros(256, np.uint8)
    for plane, z in heights.items():
        table[plane] = round(z * 10)
    table[SIDE], table[RIM] = 100, 200
    height = cv2.LUT(planes, table)
    around = cv2.blur(height, (max(3, round(18 * optics.scale())),) * 2)
    deep = u8(cv2.subtract(around, height))  # tenths of a mm, none below 0
    within = np.zeros(deep.shape, np.uint8)
    fill_hard(within, box, 255)
    deep = u8(cv2.bitwise_and(deep, within))
    dim = cv2.convertScaleAbs(deep, alpha=-0.4, beta=255)
    return u8(cv2.multiply(light, dim, scale=1 / 255))


class Lamp:
    """The light of one set of conditions as one camera sees it, kept small; it does not depend on what lies on the table."""

    def __init__(self, optics: Optics, conditions: Conditions, mat: tuple[float, float]) -> None:
        step = max(4, optics.size[0] // 96)
        places = optics.grid_on_mat(step)
        self._size = optics.size
        self._step = step
        x, y = places[:, :, 0] / mat[0] * 2 - 1, places[:, :, 1] / mat[1] * 2 - 1
        level = conditions.light * (1 + conditions.gradient[0] * x + conditions.gradient[1] * y)
        level = level * (1 - 0.10 * np.clip(x * x * 0.7 + y * y * 0.4, 0, 2))
        colour = np.array([1 - 0.16 * conditions.warmth, 1.0, 1 + 0.12 * conditions.warmth])
        self._gain = u8(np.clip(level[:, :, None] * colour * 128, 0, 255).astype(np.uint8))
        self._spot: Picture | None = None
        glare = conditions.glare
        if glare is not None:
            across = (places[:, :, 0] - glare.x) / glare.radius
            down = (places[:, :, 1] - glare.y) / (glare.radius * 0.7)
            bright = np.exp(-0.5 * (across**2 + down**2)) * glare.strength * 255
            self._spot = u8(np.clip(bright, 0, 255).astype(np.uint8))

    def gain(self) -> Picture:
        """What the lamp makes of each pixel, (height, width, 3) uint8, 128 = as it is: level, gradient, colour, dim corners."""
        return self._full(self._gain)

    def glare(self) -> Picture | None:
        """What the glare adds, (height, width) uint8; None without glare."""
        return None if self._spot is None else self._full(self._spot)

    def _full(self, small: Picture) -> Picture:
        rows, columns = small.shape[:2]
        full = cv2.resize(small, (columns * self._step, rows * self._step), interpolation=cv2.INTER_LINEAR)
        return u8(full[: self._size[1], : self._size[0]])
