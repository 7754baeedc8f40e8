"""How a hand looks from above: sleeve, forearm, palm, fingers, a shadow below, and what it carries."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

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
LIFTS = (0.0, 4.0, 6.0)
"""How far limbs, their lit insides and the sleeve are above the fingertips, mm."""
CUFF = 215.0
"""Where the sleeve begins, mm from the fingertips."""


def draw_hand(picture: Picture, hand: Hand, optics: Optics, art: Art, conditions: Conditions) -> None:
    """Draw the hand on a finished scene: its shadow, the carried piece, then the limb itself."""
    seen, shaded = _seen(hand, optics, conditions)
    _shadow(picture, shaded, hand.z, optics, conditions)
    bright = conditions.light
    if hand.carried is not None:
        from hardware.simulated.render import draw_piece, see

        below = hand.z - 8 - hand.carried.kind.thickness
        piece = replace(hand.carried, x=hand.x, y=hand.y, z=max(below, 0.0))
        if stands(piece):
            draw_figure(picture, piece, optics, conditions.lamp)
        else:
            draw_piece(picture, piece, see([piece], optics)[0], optics, art)
    colours = _lit(hand.skin, bright * 0.86), _lit(hand.skin, bright), _lit(hand.sleeve, bright)
    for colour, outlines in zip(colours, seen, strict=True):
        for outline in outlines:
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


def _seen(hand: Hand, optics: Optics, conditions: Conditions) -> tuple[list[list[Floats]], list[Floats]]:
    """The outlines of limbs, insides and sleeve in px, and those of the limbs' shadow on the mat; all projected at once."""
    groups = _shapes()
    angle = math.atan2(hand.elbow_y - hand.y, hand.elbow_x - hand.x)
    cos, sin = math.cos(angle), math.sin(angle)
    flat, cuts, lifts = _joined()
    placed = flat @ np.array([[cos, sin], [-sin, cos]]) + (hand.x, hand.y)
    limbs = placed[: cuts[len(groups[0]) - 1]]
    shade = limbs + np.array(conditions.lamp) * hand.z
    high = np.column_stack([placed, hand.z + lifts])
    low = np.column_stack([shade, np.zeros(len(shade))])
    seen = optics.project(np.concatenate([high, low]))
    outlines = np.split(seen, [*cuts, *(len(flat) + cuts[: len(groups[0]) - 1])])
    ordered: list[list[Floats]] = []
    for group in groups:
        ordered.append(outlines[: len(group)])
        outlines = outlines[len(group) :]
    return ordered, outlines


@cache
def _joined() -> tuple[Floats, NDArray[np.intp], Floats]:
    """All outlines of a hand in one (n, 2), where each ends, and how far (mm) above the hand each point is."""
    every = [outline for group in _shapes() for outline in group]
    lifts = [
        np.full(len(outline), lift) for group, lift in zip(_shapes(), LIFTS, strict=True) for outline in group
    ]
    return np.concatenate(every), np.cumsum([len(outline) for outline in every]), np.concatenate(lifts)


def _shadow(picture: Picture, seen: list[Floats], z: float, optics: Optics, conditions: Conditions) -> None:
    """A wide soft shadow on the mat, drawn small and spread, and only where there is any."""
    small = 8 if picture.shape[1] > 800 else 4
    height, width = picture.shape[:2]
    outlines = [outline / small for outline in seen]
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
