"""How a hand looks from above: sleeve, forearm, palm, fingers, a shadow below, and what it carries."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from hardware.simulated.conditions import Conditions
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
    angle = math.atan2(hand.elbow_y - hand.y, hand.elbow_x - hand.x)
    shapes = [_outline(capsule, hand, angle) for capsule in (*PALM, *FINGERS)]
    _shadow(picture, shapes, hand.z, optics, conditions)
    bright = conditions.light
    if hand.carried is not None:
        from hardware.simulated.render import draw_piece, see

        below = hand.z - 8 - hand.carried.kind.thickness
        piece = replace(hand.carried, x=hand.x, y=hand.y, z=max(below, 0.0))
        draw_piece(picture, piece, see([piece], optics)[0], optics, art)
    sleeve = _outline(((CUFF, 0), (640, 0), 40, 50), hand, angle)
    ground = _lit(hand.skin, bright * 0.86)
    light = _lit(hand.skin, bright)
    for shape in shapes:
        fill(picture, _seen(shape, hand.z, optics), ground)
    for capsule in (*PALM, *FINGERS):
        (a, b), (c, d), first, second = capsule
        inner = ((a, b), (c, d), first * 0.72, second * 0.72)
        fill(picture, _seen(_outline(inner, hand, angle), hand.z + 4, optics), light)
    fill(picture, _seen(sleeve, hand.z + 6, optics), _lit(hand.sleeve, bright))


def _outline(capsule: Capsule, hand: Hand, angle: float) -> Floats:
    """A limb's outline on the table in mm, (n, 2): the hull of its two round ends."""
    (a, b), (c, d), first, second = capsule
    cos, sin = math.cos(angle), math.sin(angle)
    points = []
    for u, v, radius in ((a, b, first), (c, d, second)):
        for step in range(12):
            turn = step * math.pi / 6
            x, y = u + radius * math.cos(turn), v + radius * math.sin(turn)
            points.append((hand.x + x * cos - y * sin, hand.y + x * sin + y * cos))
    hull = cv2.convexHull(np.array(points, np.float32)).reshape(-1, 2)
    return hull.astype(np.float64)


def _seen(shape: Floats, z: float, optics: Optics) -> Floats:
    return optics.project(np.column_stack([shape, np.full(len(shape), z)]))


def _shadow(picture: Picture, shapes: list[Floats], z: float, optics: Optics, conditions: Conditions) -> None:
    """A wide soft shadow on the mat, drawn small and spread."""
    small = 8 if picture.shape[1] > 800 else 4
    height, width = picture.shape[:2]
    mask = np.zeros((height // small + 1, width // small + 1), np.uint8)
    shift = np.array(conditions.lamp) * z
    for shape in shapes:
        fill(mask, _seen(shape + shift, 0.0, optics) / small, 255)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, z * 0.25 * optics.scale() / small))
    lit = cv2.convertScaleAbs(soft, alpha=-conditions.shadow * 0.8, beta=255)
    full = cv2.resize(lit, (mask.shape[1] * small, mask.shape[0] * small), interpolation=cv2.INTER_LINEAR)
    cv2.multiply(picture, cv2.cvtColor(full[:height, :width], cv2.COLOR_GRAY2BGR), picture, scale=1 / 255)


def _lit(colour: Colour, share: float) -> Colour:
    blue, green, red = (max(0, min(255, round(part * share))) for part in colour)
    return blue, green, red
