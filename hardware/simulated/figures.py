"""Figures that stand on a board: how people put them on a square, and how they look: turned pawns, pyramids, beetles, with their shadows.

A figure leans away from the point below the camera, and hides what stands behind it; its colour is that of painted wood or plastic.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engines.table import Figure, Kind, Square
from hardware.print.paints import paint
from hardware.simulated.light import Blocker
from hardware.simulated.optics import Floats, Optics
from hardware.simulated.paint import Colour, Picture, fill
from hardware.simulated.places import Body, Point

_PAWN = (
    (0.0, 1.0),
    (0.1, 1.0),
    (0.15, 0.86),
    (0.25, 0.62),
    (0.42, 0.46),
    (0.58, 0.4),
    (0.62, 0.6),
    (0.66, 0.42),
    (0.72, 0.5),
    (0.83, 0.58),
    (0.93, 0.42),
    (1.0, 0.1),
)
"""Height and radius of a turned pawn, as shares of its height and of half its foot."""
_BEETLE = ((0.0, 0.92), (0.3, 1.0), (0.6, 0.86), (0.85, 0.55), (1.0, 0.2))
_PROFILES = {"pawn": _PAWN, "scarab": _BEETLE}


def kind_of(figure: Figure) -> Kind:
    """A figure as a kind of body: its foot and how high it stands; without parts, since it has no face."""
    return Kind(figure.kind, figure.width, figure.width, figure.height, ())


def stands(body: Body) -> bool:
    """Whether it is a figure, and no flat piece."""
    return not body.kind.parts


# Where people put them


def on_square(body: Body, square: Square, lying: Iterable[Body], rng: random.Random) -> Body:
    """The body where a person puts it on a square: in the middle while that is free, a pyramid onto a pyramid, else beside what
    stands there, as far inside the square as there is room."""
    there = [other for other in lying if math.hypot(other.x - square.x, other.y - square.y) < square.size]
    foot = body.kind.width
    below = [other for other in there if other.kind.name == body.kind.name == "pyramid"]
    if below:
        top = max(below, key=lambda other: other.z)
        x, y, z = top.x + rng.gauss(0, 0.5), top.y + rng.gauss(0, 0.5), top.z + 0.35 * top.kind.thickness
        return replace(body, x=x, y=y, z=z, turn=rng.uniform(0, 90), level=1, cells=(), square=square.name)
    ring = max(0.0, square.size / 2 - foot / 2)
    choices: list[tuple[float, Point]] = []
    for attempt in range(60):
        share = 0.0 if attempt == 0 else rng.uniform(0.55, 1.0) if attempt < 40 else rng.uniform(1.0, 1.35)
        angle = rng.uniform(0, 2 * math.pi)
        reach = max(ring, foot * 0.6) * share
        x = square.x + reach * math.cos(angle) + max(-1.5, min(1.5, rng.gauss(0, 0.7)))
        y = square.y + reach * math.sin(angle) + max(-1.5, min(1.5, rng.gauss(0, 0.7)))
        gap = min(
            (math.hypot(x - o.x, y - o.y) - (foot + o.kind.width) / 2 for o in there),
            default=9.0,
        )
        choices.append((min(gap, 0.8) - 0.02 * attempt, (x, y)))
        if gap >= 0.8:
            break
    x, y = max(choices)[1]
    return replace(body, x=x, y=y, z=0.0, turn=rng.uniform(0, 90), level=1, cells=(), square=square.name)


# How they look


def draw_figure(picture: Picture, body: Body, optics: Optics, lamp: tuple[float, float]) -> list[Floats]:
    """Paint a figure; ``lamp`` is how far a shadow falls per mm of height. Returns the outlines in px that it covers."""
    if body.kind.name == "pyramid":
        return _pyramid(picture, body, optics, lamp)
    profile = _PROFILES.get(body.kind.name, _PAWN)
    return _turned(picture, body, profile, optics, lamp)


def blockers(body: Body) -> tuple[Blocker, ...]:
    """What keeps the light from the table."""
    foot, height = body.kind.width / 2, body.kind.thickness
    if body.kind.name == "pyramid":
        return tuple(
            Blocker(_circle(body.x, body.y, foot * share, 8), body.z, body.z + height * (1 - share * 0.8))
            for share in (1.0, 0.5, 0.15)
        )
    return (
        Blocker(_circle(body.x, body.y, foot, 10), body.z, body.z + height * 0.15),
        Blocker(_circle(body.x, body.y, foot * 0.5, 10), body.z, body.z + height * 0.97),
    )


def _turned(
    picture: Picture,
    body: Body,
    profile: tuple[tuple[float, float], ...],
    optics: Optics,
    lamp: tuple[float, float],
) -> list[Floats]:
    """A solid of revolution as discs from its foot to its tip, each lighter on the side of the lamp."""
    foot, height, colour = body.kind.width / 2, body.kind.thickness, paint(body.identity)
    towards = (-lamp[0], -lamp[1])
    length = math.hypot(*towards) or 1.0
    towards = towards[0] / length, towards[1] / length
    heights = np.linspace(0, 1, 26)
    radii = np.interp(heights, [h for h, _ in profile], [r for _, r in profile])
    covered: list[Floats] = []
    for index, (share, radius) in enumerate(zip(heights, radii, strict=True)):
        z = body.z + float(share) * height
        after = radii[min(index + 1, len(radii) - 1)]
        flat = min(1.0, max(0.0, (radius - after) * foot / (height / 25)))  # looks up where it grows thinner
        tone = 0.62 + 0.3 * flat
        disc = _round(body.x, body.y, float(radius) * foot, z, optics)
        fill(picture, disc, _tinted(colour, tone))
        inner = float(radius) * foot
        lit = _round(
            body.x + towards[0] * inner * 0.3, body.y + towards[1] * inner * 0.3, inner * 0.62, z, optics
        )
        fill(picture, lit, _tinted(colour, tone + 0.2))
        covered.append(disc)
    shine = _round(
        body.x + towards[0] * foot * 0.16,
        body.y + towards[1] * foot * 0.16,
        foot * 0.14,
        body.z + height * 0.95,
        optics,
    )
    fill(picture, shine, _tinted(colour, 1.0, 70))
    return covered


def _pyramid(picture: Picture, body: Body, optics: Optics, lamp: tuple[float, float]) -> list[Floats]:
    colour, height, half = paint(body.identity), body.kind.thickness, body.kind.width / 2
    base = body.corners()
    tip = (body.x, body.y)
    eye = optics.position
    faces = []
    for index in range(4):
        a, b = base[index], base[(index + 1) % 4]
        outward = np.array([(a[0] + b[0]) / 2 - tip[0], (a[1] + b[1]) / 2 - tip[1]])
        outward = outward / max(float(np.linalg.norm(outward)), 1e-6)
        normal = np.array([outward[0] * height, outward[1] * height, half])
        normal = normal / np.linalg.norm(normal)
        sun = np.array([-lamp[0], -lamp[1], 1.0])
        bright = max(0.0, float(normal @ sun / np.linalg.norm(sun)))
        seen = np.array([eye[0] - a[0], eye[1] - a[1], eye[2]]) @ normal > 0
        faces.append((seen, bright, [(*a, body.z), (*b, body.z), (*tip, body.z + height)]))
    covered: list[Floats] = []
    for seen, bright, corners in sorted(faces, key=lambda face: face[0]):
        if seen:
            outline = optics.project(corners)
            fill(picture, outline, _tinted(colour, 0.5 + 0.55 * bright))
            covered.append(outline)
    return covered


def _circle(x: float, y: float, radius: float, points: int) -> tuple[Point, ...]:
    angles = [2 * math.pi * index / points for index in range(points)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def _round(x: float, y: float, radius: float, z: float, optics: Optics) -> Floats:
    return optics.project([(u, v, z) for u, v in _circle(x, y, max(radius, 0.05), 18)])


def _tinted(colour: Colour, share: float, more: int = 0) -> Colour:
    blue, green, red = (min(255, round(part * share) + more) for part in colour)
    return blue, green, red
