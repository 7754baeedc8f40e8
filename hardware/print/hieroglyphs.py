"""Signs for the letters of Papyrus, drawn after the sounds of Egyptian writing, about (0, 0) for a field of 18 x 18 mm.

A letter without a sign of its own (SH, Ö, Ж) gets one made of strokes by its code, so that no two letters share a sign.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Mapping
from typing import NamedTuple

from hardware.print.ornaments import disc, ring
from hardware.print.shapes import Area, Colour, Point, Shape, Stroke, curve, ellipse, moved

Line = tuple[Point, ...]


class Sign(NamedTuple):
    """Filled parts, lines with their width in mm, and lines in the colour of the ground."""

    areas: tuple[Line, ...] = ()
    lines: tuple[tuple[Line, float], ...] = ()
    cuts: tuple[tuple[Line, float], ...] = ()


def _zigzag(x0: float, x1: float, y: float, high: float, teeth: int) -> Line:
    step = (x1 - x0) / (2 * teeth)
    return tuple((x0 + step * index, y + (high if index % 2 else -high)) for index in range(2 * teeth + 1))


_REED = (curve(((1.2, -8.6), (3.2, -5.4), (2.6, 0.4), (-0.6, 1.4), (-0.4, -5.0)), True, 4),)
_REED_STEM: tuple[tuple[Line, float], ...] = ((((-0.4, 0), (-0.4, 8.4)), 1.5),)
_BIRD = curve(
    ((3.6, -8.2), (6.4, -7.0), (5.0, -4.8), (5.2, -1.2), (2.6, 3.0), (-3.0, 4.4), (-8.6, 7.4), (-6.4, 2.6), (-2.6, -1.4), (0.4, -4.6), (1.0, -7.6)),
    True,
    4,
)  # fmt: skip
_LEGS: tuple[tuple[Line, float], ...] = (
    (((0.2, 3.6), (0.2, 8.4), (3.0, 8.4)), 1.1),
    (((2.4, 2.6), (2.8, 6.6)), 1.1),
)

SIGNS: Mapping[str, Sign] = {
    # A vulture, a leg, a basket, a hand, two strokes, a horned snake, a jar stand, a wick, a reed, a cobra ...
    "A": Sign((_BIRD,), (*_LEGS, (((5.8, -6.6), (8.2, -5.2)), 1.2)), ((((-5.0, 4.2), (0.6, -0.6)), 0.7),)),
    "B": Sign(
        (((-3.6, -8.4), (1.4, -8.4), (1.8, 3.6), (8.0, 5.4), (8.2, 8.2), (-4.4, 8.2)),), (), ((((-3.8, 4.4), (0.6, 4.4)), 0.7),)
    ),
    "C": Sign((ellipse(0, -1.4, 8.4, 8.6, 0, 180),), ((ellipse(6.2, -3.6, 2.6, 2.8, 180, 400), 1.4),), ((((-6.4, 1.4), (6.4, 1.4)), 0.8),)),
    "D": Sign(
        (curve(((-8.6, -2.6), (0, -3.6), (6.6, -3.0), (8.8, -0.6), (7.2, 2.2), (1.0, 2.6), (-2.4, 5.8), (-4.6, 4.8), (-3.2, 2.2), (-8.6, 2.0)), True, 4),),
        (),
        ((((2.0, -1.4), (8.0, -1.0)), 0.6), (((2.0, 0.8), (7.6, 0.8)), 0.6)),
    ),
    "E": Sign((), ((((-3.4, -8), (-5.4, 8)), 2.6), (((4.8, -8), (2.8, 8)), 2.6))),
    "F": Sign(
        (),
        (
            (curve(((-8.4, 5.4), (-4.6, 2.4), (-0.6, 5.6), (3.4, 3.4), (4.0, -1.0), (6.4, -3.2))), 2.4),
            (((5.8, -3.6), (4.2, -7.6)), 1.0),
            (((6.8, -3.8), (8.2, -7.4)), 1.0),
        ),
    ),
    "G": Sign((((-6.6, 8.2), (-3.0, -8.2), (3.0, -8.2), (6.6, 8.2)),), (), ((((-2.6, 7.8), (0, 0.4), (2.6, 7.8)), 1.0), (((-3.4, -4.0), (3.4, -4.0)), 0.8))),
    "H": Sign((), ((curve(((0, -8.4), (3.2, -5.8), (-3.2, -1.8), (3.2, 2.2), (-3.2, 6.0), (-1.4, 8.4))), 1.5), (curve(((0, -8.4), (-3.2, -5.8), (3.2, -1.8), (-3.2, 2.2), (3.2, 6.0), (1.4, 8.4))), 1.5))),
    "I": Sign(_REED, _REED_STEM),
    "J": Sign(
        (curve(((1.0, -8.4), (4.6, -6.4), (4.4, -1.6), (1.0, 1.6), (-1.0, -2.4)), True, 4),),
        ((curve(((1.4, 0), (-2.0, 4.0), (-5.6, 4.6), (-6.8, 7.6), (4.4, 8.0), (8.0, 5.6))), 1.9),),
        ((((1.8, -5.2), (3.0, -5.2)), 1.0),),
    ),
    "K": Sign((ellipse(0, -3.4, 8.8, 9.6, 0, 180),), ((((-8.8, -3.4), (8.8, -3.4)), 1.8),), ((((-5.6, 0.6), (5.6, 0.6)), 0.8), (((-4.2, 3.2), (4.2, 3.2)), 0.8))),
    "L": Sign(
        (curve(((-8.8, 6.6), (-7.6, 0.2), (-1.6, -1.0), (1.0, -6.6), (5.4, -7.8), (8.0, -4.6), (6.4, -1.4), (5.4, 3.4), (8.6, 6.6)), True, 4),),
        ((((-8.2, 2.6), (-9.0, -4.4)), 1.1),),
        ((((4.6, -4.8), (5.4, -4.8)), 1.1), (((-5.6, 4.6), (2.6, 4.6)), 0.7)),
    ),
    "M": Sign(
        (curve(((-3.6, -8.0), (0, -6.8), (3.6, -8.0), (4.6, -3.8), (3.4, 2.4), (-2.6, 5.0), (-7.6, 7.6), (-5.6, 1.8), (-4.6, -3.8)), True, 4),),
        ((((0.4, 4.0), (0.4, 8.4), (3.4, 8.4)), 1.1),),
        ((ellipse(-1.9, -4.6, 1.1, 1.1), 0.7), (ellipse(1.9, -4.6, 1.1, 1.1), 0.7), (((0, -3.6), (0, -2.2)), 0.8)),
    ),
    "N": Sign((), ((_zigzag(-8.6, 8.6, -2.6, 1.9, 4), 1.8), (_zigzag(-8.6, 8.6, 3.4, 1.9, 4), 1.8))),
    "O": Sign((), ((ellipse(0, -2.0, 5.8, 5.8), 2.0), (((-3.6, 2.4), (-7.2, 8.2)), 1.9), (((3.6, 2.4), (7.2, 8.2)), 1.9))),
    "P": Sign((((-7.4, -7.4), (7.4, -7.4), (7.4, 7.4), (-7.4, 7.4)),), (), ((((-7.4, -2.6), (7.4, -2.6)), 0.9), (((-7.4, 2.6), (7.4, 2.6)), 0.9), (((-2.6, -7.4), (-2.6, 7.4)), 0.9), (((2.6, -7.4), (2.6, 7.4)), 0.9))),
    "Q": Sign((curve(((-8.6, 7.4), (-7.4, 0), (-2.0, -7.0), (3.0, -7.4), (5.4, -1.0), (8.6, 7.4)), False, 4),), (), ((((-3.0, 5.4), (0.4, -3.4), (3.4, 5.4)), 1.0),)),
    "R": Sign((curve(((-9, 0), (-4, -4.2), (4, -4.2), (9, 0), (4, 4.2), (-4, 4.2)), True, 4),), (), ((((-6.4, 0), (6.4, 0)), 1.3),)),
    "S": Sign((), ((((-2.4, 8.4), (-2.4, -5.0), *ellipse(0.6, -5.0, 3.0, 3.4, 180, 360), (3.6, 2.6)), 2.2),)),
    "T": Sign((ellipse(0, 4.6, 8.6, 10.0, 180, 360),), ()),
    "U": Sign(
        (curve(((2.2, -7.8), (5.6, -6.6), (5.4, -3.4), (6.4, 0.6), (2.6, 4.8), (-3.8, 4.4), (-6.8, 0.8), (-2.0, -0.8), (0.6, -4.0)), True, 4),),
        ((((-1.4, 4.6), (-1.4, 8.4), (1.0, 8.4)), 1.1), (((2.6, 4.4), (2.6, 8.4), (5.0, 8.4)), 1.1), (((5.2, -5.8), (7.6, -4.8)), 1.1)),
        ((((-3.6, 1.6), (2.2, 2.4)), 0.7),),
    ),
    "V": Sign((), ((curve(((-8.4, -4.6), (-4.4, -7.4), (-1.0, -2.2), (-4.6, 2.2), (0.6, 7.0), (5.6, 2.6), (8.2, 5.6))), 2.3), (((-8.2, -5.0), (-8.8, -8.6)), 1.0), (((-7.0, -6.0), (-5.6, -9.0)), 1.0))),
    "W": Sign((), ((curve(((-7.8, 8.0), (-4.4, 0.6), (1.0, -6.8), (6.0, -5.4), (6.2, -0.4), (2.0, 1.4), (-0.6, -2.4), (2.4, -4.6))), 1.9),)),
    "X": Sign((ellipse(0, 0, 8.2, 8.2),), (), ((((-7, -2.8), (7, -2.8)), 0.9), (((-7, 2.8), (7, 2.8)), 0.9), (((-4.8, -6.4), (4.8, 6.4)), 0.9), (((4.8, -6.4), (-4.8, 6.4)), 0.9))),
    "Y": Sign(
        tuple(tuple((x + dx, y) for x, y in _REED[0]) for dx in (-4.6, 3.4)),
        tuple((tuple((x + dx, y) for x, y in _REED_STEM[0][0]), 1.5) for dx in (-4.6, 3.4)),
    ),
    "Z": Sign((), ((((-8.6, 0), (8.6, 0)), 1.9), (((-1.8, -4.4), (-1.8, 4.4)), 1.9), (((2.4, -4.4), (2.4, 4.4)), 1.9))),
}  # fmt: skip


def sign(letter: str, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """The sign of a letter; two letters together (SH) show both, and anything else a sign of its own."""
    if letter in SIGNS:
        drawn = SIGNS[letter]
        return (
            *(Area(points, ink) for points in drawn.areas),
            *(Stroke(points, width, ink) for points, width in drawn.lines),
            *(Stroke(points, width, ground) for points, width in drawn.cuts),
        )
    parts = [part for part in letter if part in SIGNS]
    if len(parts) == len(letter) > 1:
        scale = 1.0 / len(parts) + 0.08
        shapes: list[Shape] = [Stroke(((-8.8, 8.8), (8.8, 8.8)), 1.0, ink)]
        for index, part in enumerate(parts):
            x = (index - (len(parts) - 1) / 2) * 18 / len(parts)
            shapes += moved(sign(part, ink, ground), x, -0.8, scale)
        return tuple(shapes)
    return _made(letter, ink, ground)


def _made(letter: str, ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """The bits of the letter's code as beads and strokes on three rows."""
    code = zlib.crc32(unicodedata.normalize("NFC", letter).encode())
    shapes: list[Shape] = [Stroke(((-8.8, -8.6), (8.8, -8.6)), 1.0, ink)]
    for row in range(3):
        for column in range(4):
            x, y = (column - 1.5) * 4.6, (row - 0.8) * 5.4
            bits = (code >> (2 * (row * 4 + column))) & 3
            if bits == 0:
                shapes.append(ring(x, y, 1.5, 0.9, ink))
            elif bits == 1:
                shapes.append(disc(x, y, 1.8, ink))
            elif bits == 2:
                shapes.append(Stroke(((x, y - 1.9), (x, y + 1.9)), 1.3, ink))
            else:
                shapes.append(Stroke(((x - 1.6, y), (x + 1.6, y)), 1.3, ink))
    return tuple(shapes)
