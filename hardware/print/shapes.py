"""A drawing as a list of plain shapes in millimetres, so that one drawing gives the picture and the PDF alike."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

Point = tuple[float, float]
Colour = tuple[int, int, int]
"""Red, green, blue, 0-255."""


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points: tuple[Point, ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points with round ends and joints; ``width`` in mm."""

    points: tuple[Point, ...]
    width: float
    colour: Colour
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """One line of letters; ``size`` is the height of a capital in mm, (x, y) the middle of the baseline's left end or centre."""

    x: float
    y: float
    size: float
    text: str
    colour: Colour
    centred: bool = False


Shape = Area | Stroke | Words


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet of ``width`` x ``height`` mm, and what is drawn on it, the first shape lowest."""

    width: float
    height: float
    ground: Colour
    shapes: tuple[Shape, ...]


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def ellipse(
    x: float, y: float, rx: float, ry: float, start: float = 0.0, end: float = 360.0, turn: float = 0.0
) -> tuple[Point, ...]:
    """Points on an ellipse from ``start`` to ``end`` degrees, clockwise from the right, about every 8 degrees."""
    count = max(2, round(abs(end - start) / 8) + 1)
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    points = []
    for index in range(count):
        angle = math.radians(start + (end - start) * index / (count - 1))
        u, v = rx * math.cos(angle), ry * math.sin(angle)
        points.append((x + u * cos - v * sin, y + u * sin + v * cos))
    return tuple(points)


def curve(points: Sequence[Point], closed: bool = False, steps: int = 8) -> tuple[Point, ...]:
    """A Catmull-Rom curve through the points."""
    count = len(points)
    found: list[Point] = []
    for index in range(count if closed else count - 1):
        around = [
            points[(index + k) % count] if closed else points[min(max(index + k, 0), count - 1)]
            for k in (-1, 0, 1, 2)
        ]
        for step in range(steps):
            t = step / steps
            found.append((_spline([p[0] for p in around], t), _spline([p[1] for p in around], t)))
    if not closed:
        found.append(points[-1])
    return tuple(found)


def _spline(p: Sequence[float], t: float) -> float:
    return 0.5 * (
        2 * p[1]
        + (p[2] - p[0]) * t
        + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * t * t
        + (3 * p[1] - p[0] - 3 * p[2] + p[3]) * t**3
    )


def mirrored(points: Iterable[Point], x: float) -> tuple[Point, ...]:
    """The points seen in an upright mirror at ``x``."""
    return tuple((2 * x - px, py) for px, py in points)


def moved(shapes: Iterable[Shape], dx: float, dy: float, scale: float = 1.0) -> tuple[Shape, ...]:
    """The shapes scaled about the origin, then moved."""
    result: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Words):
            result.append(
                replace(shape, x=shape.x * scale + dx, y=shape.y * scale + dy, size=shape.size * scale)
            )
            continue
        points = tuple((x * scale + dx, y * scale + dy) for x, y in shape.points)
        if isinstance(shape, Stroke):
            result.append(replace(shape, points=points, width=shape.width * scale))
        else:
            result.append(replace(shape, points=points))
    return tuple(result)
