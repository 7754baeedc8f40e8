"""What does not belong to the game and stands on the table all the same: a mug, a glass of juice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2

from hardware.simulated.light import Blocker
from hardware.simulated.optics import Floats, Optics
from hardware.simulated.paint import Colour, Picture, fill

WALL = 4.0
"""mm between the outside of a mug and what is in it."""


@dataclass(frozen=True, slots=True)
class Mug:
    """A mug of something to drink, standing upright: the middle of its foot (x, y), radius and height in mm."""

    x: float
    y: float
    radius: float = 40.0
    height: float = 95.0
    colour: Colour = (60, 40, 170)
    drink: Colour = (18, 34, 52)


def blockers(mug: Mug) -> tuple[Blocker, ...]:
    """What of it stops light."""
    return (Blocker(_ring(mug, mug.radius), 0.0, mug.height),)


def draw_mug(picture: Picture, mug: Mug, optics: Optics) -> list[Floats]:
    """Draw it as seen from above: its side leans away from the point below the camera. Returns its outline in px."""
    foot, rim = (_seen(_ring(mug, mug.radius), z, optics) for z in (0.0, mug.height))
    side = cv2.convexHull(_both(foot, rim)).reshape(-1, 2).astype(float)
    blue, green, red = mug.colour
    fill(picture, side, (blue * 3 // 4, green * 3 // 4, red * 3 // 4))
    fill(picture, rim, mug.colour)
    fill(picture, _seen(_ring(mug, mug.radius - WALL), mug.height - 12.0, optics), mug.drink)
    return [side]


def _ring(mug: Mug, radius: float) -> tuple[tuple[float, float], ...]:
    turns = (2 * math.pi * step / 28 for step in range(28))
    return tuple((mug.x + radius * math.cos(turn), mug.y + radius * math.sin(turn)) for turn in turns)


def _seen(ring: tuple[tuple[float, float], ...], z: float, optics: Optics) -> Floats:
    return optics.project([(x, y, z) for x, y in ring])


def _both(one: Floats, other: Floats) -> cv2.typing.MatLike:
    return cv2.vconcat([one.astype("float32"), other.astype("float32")])
