"""What the cards share: the cut edge, frames, patterns that tell without colour, plates for numbers and names, the backs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from hardware.print.lettering import figures, write
from hardware.print.shapes import (
    Area,
    Colour,
    Drawing,
    Point,
    Shape,
    Stroke,
    Words,
    ellipse,
    moved,
    rectangle,
)

PAPER: Colour = (250, 244, 228)
"""The edge of every card: the same everywhere, so that a cut that goes a little wrong is not seen."""
INK: Colour = (40, 28, 24)
LINEN: Colour = (244, 232, 204)
EDGE = 2.4
"""Width of the paper edge in mm."""
FRAME = 0.9


def disc(x: float, y: float, radius: float, colour: Colour) -> Area:
    return Area(ellipse(x, y, radius, radius), colour)


def ring(x: float, y: float, radius: float, width: float, colour: Colour) -> Stroke:
    return Stroke(ellipse(x, y, radius, radius)[:-1], width, colour, closed=True)


def rounded(x: float, y: float, width: float, height: float, radius: float) -> tuple[Point, ...]:
    """A rectangle with round corners."""
    r = min(radius, width / 2, height / 2)
    points: list[Point] = []
    for cx, cy, start in (
        (x + width - r, y + r, -90),
        (x + width - r, y + height - r, 0),
        (x + r, y + height - r, 90),
        (x + r, y + r, 180),
    ):
        arc = ellipse(cx, cy, r, r, start, start + 90)
        points += arc if r > 6 else (*arc[:-1:3], arc[-1])
    return tuple(points)


def outlined(points: tuple[Point, ...], fill: Colour, ink: Colour, width: float) -> tuple[Shape, ...]:
    """A filled shape with a line round it."""
    return Area(points, fill), Stroke(points, width, ink, closed=True)


def turned(shapes: Iterable[Shape], degrees: float) -> tuple[Shape, ...]:
    """The shapes turned clockwise about the origin."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    result: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Words):
            raise ValueError("words of a font cannot be turned: write them with hardware.print.lettering")
        result.append(
            replace(shape, points=tuple((x * cos - y * sin, x * sin + y * cos) for x, y in shape.points))
        )
    return tuple(result)


def flipped(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes seen in an upright mirror at x = 0."""
    return tuple(
        shape if isinstance(shape, Words) else replace(shape, points=tuple((-x, y) for x, y in shape.points))
        for shape in shapes
    )


def shade(colour: Colour, share: float) -> Colour:
    """Nearer to white (``share`` > 0) or to black (< 0)."""
    goal = 255 if share > 0 else 0
    red, green, blue = (round(part + (goal - part) * abs(share)) for part in colour)
    return red, green, blue


# Patterns: each covers a field of ``w`` x ``h`` mm and may reach over its edge; the card's paper edge is drawn after it.


def _rows(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(Stroke(((0, y), (w, y)), 0.7, ink) for y in _steps(h, 5.5))


def _reeds(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(Stroke(((x, 0), (x, h)), 0.9, ink) for x in _steps(w, 4.6))


def _rays(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    reach = w + h
    shapes: list[Shape] = []
    for index in range(20):
        a, b = (math.radians(index * 18 + add) for add in (0, 9))
        x, y = w / 2, h * 0.45
        shapes.append(
            Area(
                (
                    (x, y),
                    (x + reach * math.cos(a), y + reach * math.sin(a)),
                    (x + reach * math.cos(b), y + reach * math.sin(b)),
                ),
                ink,
            )
        )
    return tuple(shapes)


def _waves(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for y in _steps(h, 6.4):
        points = []
        across = int(w / 3) + 2
        for index in range(across):
            points.append((index * 3.0, y + (1.2 if index % 2 else -1.2)))
        shapes.append(Stroke(tuple(points), 0.9, ink))
    return tuple(shapes)


def _bricks(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for row, y in enumerate(_steps(h, 6.0)):
        shapes.append(Stroke(((0, y), (w, y)), 0.8, ink))
        shapes += [Stroke(((x, y), (x, y + 6)), 0.8, ink) for x in _steps(w, 12.0, 6.0 * (row % 2))]
    return tuple(shapes)


def _lattice(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for x in _steps(w + h, 7.0):
        shapes += [Stroke(((x, 0), (x - h, h)), 0.7, ink), Stroke(((x - h, 0), (x, h)), 0.7, ink)]
    return tuple(shapes)


def _dots(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(
        disc(x, y, 1.1, ink) for row, y in enumerate(_steps(h, 5.2)) for x in _steps(w, 7.4, 3.7 * (row % 2))
    )


def _chevrons(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(Stroke(((0, y + 9), (w / 2, y), (w, y + 9)), 1.0, ink) for y in _steps(h + 12, 6.5, -12.0))


def _stars(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(
        star(x, y, 1.9, ink) for row, y in enumerate(_steps(h, 8.2)) for x in _steps(w, 12.4, 6.2 * (row % 2))
    )


def _slants(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(Stroke(((x, 0), (x - h, h)), 1.0, ink) for x in _steps(w + h, 7.5))


def _scales(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return tuple(
        Stroke(ellipse(x, y, 4, 4, 0, 180)[::3], 0.7, ink)
        for row, y in enumerate(_steps(h, 5.0, -3.0))
        for x in _steps(w + 8, 8.0, -4.0 * (row % 2))
    )


def _plain(w: float, h: float, ink: Colour) -> tuple[Shape, ...]:
    return ()


def _steps(length: float, step: float, start: float = 0.0) -> tuple[float, ...]:
    count = max(0, math.ceil((length - start) / step))
    return tuple(start + step * (index + 0.5) for index in range(count))


PATTERNS: Mapping[str, Callable[[float, float, Colour], tuple[Shape, ...]]] = {
    "rows": _rows,
    "reeds": _reeds,
    "rays": _rays,
    "waves": _waves,
    "bricks": _bricks,
    "lattice": _lattice,
    "dots": _dots,
    "chevrons": _chevrons,
    "stars": _stars,
    "slants": _slants,
    "scales": _scales,
    "plain": _plain,
}


def star(x: float, y: float, radius: float, colour: Colour, rays: int = 5) -> Area:
    points = []
    for index in range(2 * rays):
        angle = math.pi * index / rays - math.pi / 2
        far = radius if index % 2 == 0 else radius * 0.42
        points.append((x + far * math.cos(angle), y + far * math.sin(angle)))
    return Area(tuple(points), colour)


def card(
    width: float,
    height: float,
    ground: Colour,
    ink: Colour,
    content: Iterable[Shape],
    pattern: str = "plain",
    patterned: Colour | None = None,
    edge: float = EDGE,
) -> Drawing:
    """A card: pattern on its ground, then the content, then the paper edge with a dark frame inside it."""
    texture = PATTERNS[pattern](width, height, patterned or shade(ground, -0.1))
    return Drawing(width, height, ground, (*texture, *content, *rim(width, height, ink, edge)))


def rim(width: float, height: float, ink: Colour, edge: float = EDGE) -> tuple[Shape, ...]:
    """The paper edge and the frame: drawn last, so that nothing reaches over it."""
    strips = (  # a little over the edge: there, a reader of PDFs would let what lies below shine through
        rectangle(-1, -1, width + 2, edge + 1),
        rectangle(-1, height - edge, width + 2, edge + 1),
        rectangle(-1, -1, edge + 1, height + 2),
        rectangle(width - edge, -1, edge + 1, height + 2),
    )
    frame = Stroke(rectangle(edge, edge, width - 2 * edge, height - 2 * edge), FRAME, ink, closed=True)
    return (*(Area(strip, PAPER) for strip in strips), frame)


def plate(
    x: float, y: float, width: float, height: float, ink: Colour, fill: Colour = PAPER, radius: float = 2.2
) -> tuple[Shape, ...]:
    """A light field with a dark line, (x, y) its top left: what is read stands on it."""
    return outlined(rounded(x, y, width, height, radius), fill, ink, 0.7)


def banner(
    x: float, y: float, width: float, size: float, text: str, ink: Colour, paper: Colour = PAPER
) -> tuple[Shape, ...]:
    """A name on a strip with notched ends; (x, y): its middle."""
    high = size * 2.1
    left, right, top, low = x - width / 2, x + width / 2, y - high / 2, y + high / 2
    notch = high * 0.3
    outline = (
        (left, top),
        (right, top),
        (right - notch, y),
        (right, low),
        (left, low),
        (left + notch, y),
    )
    return (
        *outlined(outline, paper, ink, 0.6),
        *write(text, x, y, size, ink, room=width - 2 * notch - 2 * size * 0.6),
    )


def coin(
    x: float, y: float, radius: float, text: str, ink: Colour, fill: Colour = PAPER
) -> tuple[Shape, ...]:
    """A number in a disc."""
    return (
        disc(x, y, radius, ink),
        disc(x, y, radius - 0.8, fill),
        *figures(text, x, y, radius * 1.05, ink, room=radius * 1.5),
    )


def back(
    width: float,
    height: float,
    ground: Colour,
    ink: Colour,
    pattern: str,
    emblem: Iterable[Shape],
    radius: float,
) -> Drawing:
    """A back: pattern and emblem, the same either way up."""
    middle = width / 2, height / 2
    emblem = tuple(emblem)
    halves = (
        *moved(emblem, *middle),
        *moved(turned(emblem, 180), *middle),
    )
    field = (disc(*middle, radius, ink), disc(*middle, radius - 1.0, shade(ground, 0.75)))
    return card(width, height, ground, ink, (*field, *halves), pattern, shade(ground, -0.18))
