"""Our own capitals as lines, so that a word is the same on the picture and in the PDF, on every machine, for any owner's names.

Every sign is drawn in a box 12 high about (0, 0) (capitals reach from -6 to 6). Accents are taken apart and set on the capital; a
sign we have not drawn becomes a frame with its code number in it, so that two of them never look alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Literal

from hardware.print.shapes import Colour, Point, Shape, Stroke, curve, ellipse

Lines = tuple[tuple[Point, ...], ...]
Align = Literal["left", "centre", "right"]

WEIGHT = 0.17
"""Width of a line by the height of a capital."""
SPACE = 3.3
"""Clear room between two signs, in the 12 high box."""


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> tuple[Point, ...]:
    """An arc with few points: small letters need no more."""
    return (
        ellipse(x, y, rx, ry, start, end)[:: 2 if abs(end - start) > 60 else 1]
        + ellipse(x, y, rx, ry, end, end)[-1:]
    )


_O = _arc(0, 0, 4.3, 6, 0, 360)
_CAPITALS: Mapping[str, Lines] = {
    "A": (((-4.2, 6), (0, -6), (4.2, 6)), ((-2.7, 2.2), (2.7, 2.2))),
    "B": (
        (
            (-3.2, 6),
            (-3.2, -6),
            *_arc(0.2, -3.1, 3.0, 2.9, -90, 90),
            (-3.2, -0.2),
        ),
        ((-3.2, -0.2), *_arc(0.4, 2.9, 3.4, 3.1, -90, 90), (-3.2, 6)),
    ),
    "C": (_arc(0.3, 0, 4.2, 6, 315, 45),),
    "D": (((-3.6, 6), (-3.6, -6), *_arc(-0.6, 0, 4.5, 6, -90, 90), (-3.6, 6)),),
    "E": (((3.2, -6), (-3, -6), (-3, 6), (3.4, 6)), ((-3, -0.2), (2.4, -0.2))),
    "F": (((3.3, -6), (-2.8, -6), (-2.8, 6)), ((-2.8, 0), (2.4, 0))),
    "G": ((*_arc(0.2, 0, 4.2, 6, 312, 28), (4.0, 0.6), (0.8, 0.6)),),
    "H": (((-3.6, -6), (-3.6, 6)), ((3.6, -6), (3.6, 6)), ((-3.6, 0), (3.6, 0))),
    "I": (((0, -6), (0, 6)),),
    "J": (((2.2, -6), (2.2, 2.4), *_arc(-0.6, 2.4, 2.8, 3.6, 0, 165)),),
    "K": (((-3.2, -6), (-3.2, 6)), ((3.6, -6), (-3.2, 1.2)), ((-0.8, -1.4), (3.8, 6))),
    "L": (((-2.6, -6), (-2.6, 6), (3.4, 6)),),
    "M": (((-4.6, 6), (-4.2, -6), (0, 3), (4.2, -6), (4.6, 6)),),
    "N": (((-3.6, 6), (-3.6, -6), (3.6, 6), (3.6, -6)),),
    "O": (_O,),
    "P": (((-3.1, 6), (-3.1, -6), *_arc(0.2, -2.7, 3.4, 3.3, -90, 90), (-3.1, 0.6)),),
    "Q": (_O, ((1.0, 2.4), (4.6, 6.8))),
    "R": (((-3.1, 6), (-3.1, -6), *_arc(0.1, -2.8, 3.4, 3.2, -90, 90), (-3.1, 0.4)), ((0.2, 0.4), (3.8, 6))),
    "S": ((*_arc(0.1, -3, 3.4, 3, 325, 90), *_arc(0, 3, 3.7, 3, -90, 150)),),
    "T": (((-4, -6), (4, -6)), ((0, -6), (0, 6))),
    "U": (((-3.6, -6), (-3.6, 2), *_arc(0, 2, 3.6, 4, 180, 0), (3.6, -6)),),
    "V": (((-4.1, -6), (0, 6), (4.1, -6)),),
    "W": (((-5.2, -6), (-2.8, 6), (0, -3.6), (2.8, 6), (5.2, -6)),),
    "X": (((-3.8, -6), (3.8, 6)), ((3.8, -6), (-3.8, 6))),
    "Y": (((-4, -6), (0, 0.4), (4, -6)), ((0, 0.4), (0, 6))),
    "Z": (((-3.6, -6), (3.6, -6), (-3.8, 6), (3.8, 6)),),
    "Æ": (
        ((-5, 6), (0, -6), (4.6, -6)),
        ((-3.2, 2.2), (0.4, 2.2)),
        ((0.4, -6), (0.4, 6), (4.8, 6)),
        ((0.4, 0), (3.8, 0)),
    ),
    "Ø": (_O, ((-3.6, 6.4), (3.6, -6.4))),
    "Ł": (((-2.6, -6), (-2.6, 6), (3.4, 6)), ((-4.4, 1.6), (0.8, -1.6))),
}
_FIGURES: Mapping[str, Lines] = {
    "0": (_arc(0, 0, 3.7, 6, 0, 360),),
    "1": (((-2.4, -3.4), (0.6, -6), (0.6, 6)),),
    "2": ((*_arc(0, -2.5, 3.6, 3.5, 180, 385), (-3.8, 6), (3.9, 6)),),
    "3": (_arc(-0.2, -3, 3.3, 3, 200, 445), _arc(-0.2, 2.9, 3.9, 3.1, 270, 515)),
    "4": (((1.6, 6), (1.6, -6), (-4, 2.6), (4, 2.6)),),
    "5": (((3.2, -6), (-2.6, -6), (-3.1, -0.6), *_arc(-0.2, 2.1, 3.8, 3.9, 217, 510)),),
    "6": (
        _arc(0, 2.3, 3.7, 3.7, 0, 360),
        curve(((2.6, -5.9), (-0.6, -4.2), (-2.9, -0.8), (-3.7, 2.3)), steps=3),
    ),
    "7": (((-3.7, -6), (3.8, -6), (-1.2, 6)),),
    "8": (_arc(0, -3.2, 3.1, 2.8, 0, 360), _arc(0, 2.8, 3.9, 3.2, 0, 360)),
    "9": (
        _arc(0, -2.3, 3.7, 3.7, 0, 360),
        curve(((-2.6, 5.9), (0.6, 4.2), (2.9, 0.8), (3.7, -2.3)), steps=3),
    ),
}
_SIGNS: Mapping[str, Lines] = {
    "-": (((-2.4, 0.4), (2.4, 0.4)),),
    "−": (((-3.4, 0.2), (3.4, 0.2)),),
    "–": (((-3.4, 0.4), (3.4, 0.4)),),
    "+": (((-3.4, 0.2), (3.4, 0.2)), ((0, -3.2), (0, 3.6))),
    "×": (((-2.7, -2.5), (2.7, 2.9)), ((2.7, -2.5), (-2.7, 2.9))),
    "'": (((0.4, -6), (-0.2, -3.4)),),
    "’": (((0.4, -6), (-0.2, -3.4)),),
    ".": (((0, 5.8), (0, 6)),),
    ",": (((0.2, 5.4), (-0.6, 7.6)),),
    ":": (((0, -1.8), (0, -1.6)), ((0, 5.8), (0, 6))),
    "!": (((0, -6), (0, 2.2)), ((0, 5.8), (0, 6))),
    "?": ((*_arc(0, -2.9, 3.3, 3.1, 185, 400), (0, 1.2), (0, 2.4)), ((0, 5.8), (0, 6))),
    ";": (((0, -1.8), (0, -1.6)), ((0.2, 5.4), (-0.6, 7.6))),
    "·": (((0, 0), (0, 0.1)),),
    '"': (((-1.2, -6), (-1.2, -3.6)), ((1.2, -6), (1.2, -3.6))),
    "%": (((-3.6, 6), (3.6, -6)), _arc(-3.4, -3.6, 2.0, 2.4, 0, 360), _arc(3.4, 3.6, 2.0, 2.4, 0, 360)),
    "/": (((-2.8, 6.6), (2.8, -6.6)),),
    "(": (_arc(2.2, 0, 3.4, 7, 250, 110),),
    ")": (_arc(-2.2, 0, 3.4, 7, -70, 70),),
    "&": (
        curve(((3.8, 6), (-2.6, -2.8), (-0.6, -6), (1.8, -3.6), (-3.4, 2.2), (-0.8, 6), (3.6, 1.2)), steps=4),
    ),
}
_MARKS: Mapping[str, Lines] = {
    "\N{COMBINING ACUTE ACCENT}": (((-0.4, -8.2), (1.6, -10.4)),),
    "\N{COMBINING GRAVE ACCENT}": (((0.4, -8.2), (-1.6, -10.4)),),
    "\N{COMBINING CIRCUMFLEX ACCENT}": (((-2, -8.2), (0, -10.2), (2, -8.2)),),
    "\N{COMBINING CARON}": (((-2, -10.2), (0, -8.2), (2, -10.2)),),
    "\N{COMBINING TILDE}": (((-2.4, -8.6), (-1, -9.8), (0.8, -8.6), (2.2, -9.8)),),
    "\N{COMBINING DIAERESIS}": (((-1.9, -9), (-1.9, -9.1)), ((1.9, -9), (1.9, -9.1))),
    "\N{COMBINING DOUBLE ACUTE ACCENT}": (((-1.9, -8.2), (-0.7, -10.4)), ((1.1, -8.2), (2.3, -10.4))),
    "\N{COMBINING RING ABOVE}": (_arc(0, -9, 1.4, 1.4, 0, 360),),
    "\N{COMBINING MACRON}": (((-2, -9), (2, -9)),),
    "\N{COMBINING BREVE}": (_arc(0, -10.2, 2, 1.9, 180, 0),),
    "\N{COMBINING DOT ABOVE}": (((0, -9), (0, -9.1)),),
    "\N{COMBINING CEDILLA}": (((0.2, 6), (0.8, 8.2), (-1, 9)),),
    "\N{COMBINING OGONEK}": (((2.6, 6), (1.8, 8), (3.4, 9)),),
    "\N{COMBINING DOT BELOW}": (((0, 9), (0, 9.1)),),
}
_KNOWN = {**_CAPITALS, **_FIGURES, **_SIGNS}


def width(text: str, size: float) -> float:
    """Width in mm of the text with capitals ``size`` mm high, without the thickness of its lines."""
    spans = [_span(sign) for sign in _signs(text)]
    if not spans:
        return 0.0
    return (sum(right - left for left, right in spans) + SPACE * (len(spans) - 1)) * size / 12


def write(
    text: str,
    x: float,
    y: float,
    size: float,
    ink: Colour,
    align: Align = "centre",
    room: float | None = None,
    weight: float = WEIGHT,
) -> tuple[Shape, ...]:
    """One line of capitals; ``size``: mm, the height of a capital; (x, y): the middle of its height, at the left, centre or right.

    With ``room`` (mm) a text that is too long is set narrower, then smaller.
    """
    wide = width(text, size)
    squeeze = 1.0
    if room is not None and wide > room > 0:
        squeeze = max(room / wide, 0.72)
        size *= min(1.0, room / (wide * squeeze))
        wide = width(text, size) * squeeze
    unit = size / 12
    at = x - {"left": 0.0, "centre": 0.5, "right": 1.0}[align] * wide
    shapes: list[Shape] = []
    for sign in _signs(text):
        left, right = _span(sign)
        for line in _lines(sign):
            points = tuple((at + (px - left) * unit * squeeze, y + py * unit) for px, py in line)
            shapes.append(Stroke(points, weight * size * (1.0 if sign[0] in _KNOWN else 0.35), ink))
        at += (right - left + SPACE) * unit * squeeze
    return tuple(shapes)


def wrapped(text: str, size: float, room: float) -> tuple[str, ...]:
    """The words of a text in lines no wider than ``room`` mm where words allow it."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


@cache
def _signs(text: str) -> tuple[str, ...]:
    """The text as capitals, each with its accents behind it."""
    found: list[str] = []
    for sign in unicodedata.normalize("NFD", text.upper()):
        if found and unicodedata.combining(sign):
            found[-1] += sign
        else:
            found.append(sign)
    return tuple(found)


@cache
def _lines(sign: str) -> Lines:
    base, marks = sign[0], sign[1:]
    if base.isspace():
        return ()
    if base not in _KNOWN or any(mark not in _MARKS for mark in marks):
        return _numbered(sign)
    return _KNOWN[base] + tuple(line for mark in marks for line in _MARKS[mark])


@cache
def _span(sign: str) -> tuple[float, float]:
    lines = _lines(sign[0] if sign[0] in _KNOWN and all(mark in _MARKS for mark in sign[1:]) else sign)
    if not lines:
        return -1.2, 1.2
    across = [x for line in lines for x, _ in line]
    return min(across), max(across)


def _numbered(sign: str) -> Lines:
    """A frame with the sign's code number, two figures a row."""
    code = "".join(f"{ord(part):04X}" for part in sign)
    lines: list[tuple[Point, ...]] = [((-5, -6.4), (5, -6.4), (5, 6.4), (-5, 6.4), (-5, -6.4))]
    rows = (len(code) + 1) // 2
    high = 11.0 / rows
    for index, figure in enumerate(code):
        x, y = (-2.2, 2.2)[index % 2], -5.5 + high * (index // 2 + 0.5)
        lines += [tuple((x + px * 0.36, y + py * high / 17) for px, py in line) for line in _KNOWN[figure]]
    return tuple(lines)


BIG: Mapping[str, Lines] = {
    # Figures with smooth round parts and a foot under the 1, for values that are read from afar.
    **_FIGURES,
    "0": (ellipse(0, 0, 3.7, 6),),
    "1": (((-2.4, -3.6), (0.5, -6), (0.5, 6)), ((-2.4, 6), (3.2, 6))),
    "2": ((*ellipse(0, -2.5, 3.6, 3.5, 180, 385), (-3.8, 6), (3.9, 6)),),
    "3": (ellipse(-0.2, -3, 3.3, 3, 200, 445), ellipse(-0.2, 2.9, 3.9, 3.1, 270, 515)),
    "5": (((3.2, -6), (-2.6, -6), (-3.1, -0.6), *ellipse(-0.2, 2.1, 3.8, 3.9, 217, 510)),),
    "6": (ellipse(0, 2.3, 3.7, 3.7), curve(((2.6, -5.9), (-0.6, -4.2), (-2.9, -0.8), (-3.7, 2.3)))),
    "8": (ellipse(0, -3.2, 3.1, 2.8), ellipse(0, 2.8, 3.9, 3.2)),
    "9": (ellipse(0, -2.3, 3.7, 3.7), curve(((-2.6, 5.9), (0.6, 4.2), (2.9, 0.8), (3.7, -2.3)))),
}


def figures(
    text: str,
    x: float,
    y: float,
    size: float,
    ink: Colour,
    room: float | None = None,
    underline: bool = False,
) -> tuple[Shape, ...]:
    """A number in heavy figures ``size`` mm high about (x, y); ``room`` mm it may be wide. ``underline`` marks 6 and 9."""
    spans = {sign: _ends(BIG.get(sign) or _lines(sign)) for sign in text}
    gap, weight = 2.9, 0.18
    wide = sum(spans[sign][1] - spans[sign][0] for sign in text) + gap * (len(text) - 1)
    if room is not None and wide * size / 12 > room - weight * size:
        size = room / (wide / 12 + weight)
    unit = size / 12
    at = x - wide * unit / 2
    shapes: list[Shape] = []
    for sign in text:
        left, right = spans[sign]
        for line in BIG.get(sign) or _lines(sign):
            points = tuple((at + (px - left) * unit, y + py * unit) for px, py in line)
            shapes.append(Stroke(points, weight * size, ink))
        at += (right - left + gap) * unit
    if underline and text in ("6", "9"):
        shapes.append(
            Stroke(((x - 3.4 * unit, y + 9.2 * unit), (x + 3.4 * unit, y + 9.2 * unit)), 1.2 * unit, ink)
        )
    return tuple(shapes)


def _ends(lines: Lines) -> tuple[float, float]:
    across = [x for line in lines for x, _ in line]
    return min(across, default=-1.0), max(across, default=1.0)
