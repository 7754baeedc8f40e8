"""How a hand looks from above: sleeve, forearm, palm, fingers, a shadow below, and what it carries."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from hardware.simulated.conditions import Conditions
from hardware.simulated.figures import draw_figure, stands
from hardware.simulated.hands import Colour, Hand
from hardware.simulated.optics import Floats, Optics
from hardware.simulated.paint import Art, Picture, fill

Capsule = tuple[tuple[float, float], tuple[float, float], float, float]
"""From, to (mm along the arm from the fingertips, mm to its left), radius at both ends."""

FINGERS: tuple[Capsule, ...] = (
    ((-2, -4), (62, -26), 7.5, 10),
    ((0, 5), (66, -9), 8, 10.5),
    ((6, 14), (66, 9), 8, 10.5),
    ((20, 22), (72, 25), 7, 9.5),
    ((6, -10), (78, -40), 9.5, 13),
)
PALM: tuple[Capsule, ...] = (
    ((70, -10), (118, -4), 38, 34),
    ((110, -4), (175, 0), 30, 29),
    ((170, 0), (600, 0), 29, 42),
)
CUFF = 215.0
"""Where the sleeve begins, mm from the fingertips."""


def draw_hand(picture: Picture, hand: Hand, optics: Optics, art: Art, conditions: Conditions) -> None:
    """Draw the hand on a finished scene: its shadow, the carried piece, then the limb itself."""
    limbs, inner, sleeve = _shapes()
    _shadow(picture, _placed(limbs, hand), hand.z, optics, conditions)
    bright = conditions.light
    if hand.carried is not None:
        from hardware.simulated.render import draw_piece, see

        below = hand.z - 8 - hand.carried.kind.thickness
        piece = replace(hand.carried, x=hand.x, y=hand.y, z=max(below, 0.0))
        if stands(piece):
            draw_figure(picture, piece, optics, conditions.lamp)
        else:
            draw_piece(picture, piece, see([piece], optics)[0], optics, art)
    for shapes, height, colour in (
        (limbs, 0.0, _lit(hand.skin, bright * 0.86)),
        (inner, 4.0, _lit(hand.skin, bright)),
        (sleeve, 6.0, _lit(hand.sleeve, bright)),
    ):
        for outline in _seen(_placed(shapes, hand), hand.z + height, optics):
            fill(picture, outline, colour)


@cache
def _shapes() -> tuple[list[Floats], list[Floats], list[Floats]]:
    """Outlines in mm along the arm and across it, from the fingertips: the limbs, their lit insides, the sleeve."""
    limbs = (*PALM, *FINGERS)
    inside = [(start, end, first * 0.72, second * 0.72) for start, end, first, second in limbs]
    sleeve: Capsule = ((CUFF, 0), (640, 0), 40, 50)
    return [_hull(one) for one in limbs], [_hull(one) for one in inside], [_hull(sleeve)]


def _hull(capsule: Capsule) -> Floats:
    """A limb's outline, (n, 2): the hull of its two round ends."""
    (a, b), (c, d), first, second = capsule
    turns = np.arange(12) * np.pi / 6
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    points = np.concatenate([ring * first + (a, b), ring * second + (c, d)]).astype(np.float32)
    return cv2.convexHull(points).reshape(-1, 2).astype(np.float64)


def _placed(shapes: list[Floats], hand: Hand) -> list[Floats]:
    """The outlines on the table, in mm."""
    angle = math.atan2(hand.elbow_y - hand.y, hand.elbow_x - hand.x)
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, sin], [-sin, cos]])
    return [shape @ turn + (hand.x, hand.y) for shape in shapes]


def _seen(shapes: list[Floats], z: float, optics: Optics) -> list[Floats]:
    """The outlines at that height in px, all projected at once."""
    flat = np.concatenate(shapes)
    seen = optics.project(np.column_stack([flat, np.full(len(flat), z)]))
    return np.split(seen, np.cumsum([len(shape) for shape in shapes])[:-1])


def _shadow(picture: Picture, shapes: list[Floats], z: float, optics: Optics, conditions: Conditions) -> None:
    """A wide soft shadow on the mat, drawn small and spread, and only where there is any."""
    small = 8 if picture.shape[1] > 800 else 4
    height, width = picture.shape[:2]
    shift = np.array(conditions.lamp) * z
    outlines = [outline / small for outline in _seen([shape + shift for shape in shapes], 0.0, optics)]
    sigma = max(0.5, z * 0.25 * optics.scale() / small)
    corners = np.concatenate(outlines)
    left, top = np.clip(
        np.floor(corners.min(0) - 3 * sigma - 1).astype(int), 0, (width // small, height // small)
    )
    right, bottom = np.clip(
        np.ceil(corners.max(0) + 3 * sigma + 1).astype(int), 0, (width // small, height // small)
    )
    if left >= right or top >= bottom:
        return
    mask = np.zeros((bottom - top, right - left), np.uint8)
    for outline in outlines:
        fill(mask, outline - (left, top), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma)
    lit = cv2.convertScaleAbs(soft, alpha=-conditions.shadow * 0.8, beta=255)
    full = cv2.resize(lit, (lit.shape[1] * small, lit.shape[0] * small), interpolation=cv2.INTER_LINEAR)
    part = picture[top * small : bottom * small, left * small : right * small]
    part[:] = cv2.multiply(part, cv2.cvtColor(full, cv2.COLOR_GRAY2BGR), scale=1 / 255)


def _lit(colour: Colour, share: float) -> Colour:
    blue, green, red = (max(0, min(255, round(part * share))) for part in colour)
    return blue, green, red
