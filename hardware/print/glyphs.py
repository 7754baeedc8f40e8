"""Numbers, signs and the pictures on the cards, as shapes about (0, 0) in mm, upright, for a field of 18 x 18 mm."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hardware.print.shapes import Area, Colour, Point, Shape, Stroke, curve, ellipse, mirrored, moved

Glyph = Callable[[Colour, Colour], tuple[Shape, ...]]
"""Draws with an ink and the colour of the ground below it."""

DIGITS: Mapping[str, tuple[tuple[Point, ...], ...]] = {
    # Lines through a box 8 wide and 12 high about (0, 0).
    "0": (ellipse(0, 0, 3.6, 6),),
    "1": (((-2.2, -3.6), (0.4, -6), (0.4, 6)), ((-2.4, 6), (3.0, 6))),
    "2": ((*ellipse(0, -2.5, 3.6, 3.5, 180, 385), (-3.8, 6), (3.9, 6)),),
    "3": (ellipse(-0.2, -3, 3.3, 3, 200, 445), ellipse(-0.2, 2.9, 3.9, 3.1, 270, 515)),
    "4": (((1.6, 6), (1.6, -6), (-4, 2.6), (4, 2.6)),),
    "5": (((3.2, -6), (-2.6, -6), (-3.1, -0.6)), ellipse(-0.2, 2.1, 3.8, 3.9, 217, 510)),
    "6": (ellipse(0, 2.3, 3.7, 3.7), curve(((2.6, -5.9), (-0.6, -4.2), (-2.9, -0.8), (-3.7, 2.3)))),
    "7": (((-3.7, -6), (3.8, -6), (-1.2, 6)), ((-1.6, 0.2), (3.2, 0.2))),
    "8": (ellipse(0, -3.2, 3.1, 2.9), ellipse(0, 2.8, 3.9, 3.2)),
    "9": (ellipse(0, -2.3, 3.7, 3.7), curve(((-2.6, 5.9), (0.6, 4.2), (2.9, 0.8), (3.7, -2.3)))),
}


def number(value: int, ink: Colour) -> tuple[Shape, ...]:
    """A number from 1 to 10; 6 and 9 have a line below. Raises ValueError for any other."""
    if not 1 <= value <= 10:
        raise ValueError(f"tiles are numbered from 1 to 10, not {value}")
    text = str(value)
    places = {1: (0.0,), 2: (-4.5, 3.6)}[len(text)]
    scale = 1.0 if len(text) == 1 else 0.88
    shapes: list[Shape] = []
    for digit, x in zip(text, places, strict=True):
        strokes = tuple(Stroke(points, 2.1, ink) for points in DIGITS[digit])
        shapes += moved(strokes, x, 0.0, scale)
    if value in (6, 9):
        shapes = [*moved(shapes, 0, -0.9, 0.92), Stroke(((-3.4, 7.5), (3.4, 7.5)), 1.1, ink)]
    return tuple(shapes)


def letter(text: str, ink: Colour) -> tuple[Shape, ...]:
    """The B of the basic cards, 5 mm high."""
    if text != "B":
        raise ValueError("only B is printed on cards")
    bows = ((-1.4, -2.4), *ellipse(0.2, -1.25, 1.4, 1.15, -90, 90), (-1.4, -0.1))
    belly = ((-1.4, -0.1), *ellipse(0.4, 1.2, 1.6, 1.3, -90, 90), (-1.4, 2.5), (-1.4, -2.4))
    return Stroke(bows, 0.8, ink), Stroke(belly, 0.8, ink)


def snake(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """A cobra with raised hood over three windings."""
    body = curve(
        (
            (-7.0, 7.0),
            (-3.0, 7.4),
            (3.8, 7.2),
            (6.4, 5.2),
            (3.6, 3.4),
            (-3.2, 3.0),
            (-5.4, 0.9),
            (-2.6, -1.2),
            (1.6, -2.0),
        )
    )
    shapes: list[Shape] = [Stroke(body, 2.3, ink), Stroke(((-7.0, 7.0), (-8.2, 5.6)), 1.2, ink)]
    hood = curve(
        ((1.2, 0.0), (-0.6, -3.4), (1.2, -6.6), (3.6, -7.8), (6.0, -6.6), (6.6, -4.2), (4.4, -1.6)), True
    )
    shapes.append(Area(hood, ink))
    shapes.append(Area(ellipse(4.3, -6.0, 0.75, 0.75), ground))
    tongue = ((6.2, -5.4), (8.2, -4.7))
    shapes += [Stroke(tongue, 0.6, ink), Stroke(((7.4, -5.0), (8.4, -5.6)), 0.5, ink)]
    shapes += [
        Stroke(((1.0, -4.6), (3.4, -3.2)), 0.55, ground),
        Stroke(((1.6, -2.9), (3.6, -1.9)), 0.55, ground),
    ]
    return tuple(shapes)


def ankh(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """The key of life: a loop, two arms, a stem."""
    loop = curve(((0, -0.6), (-3.6, -4.2), (-2.6, -7.6), (0, -8.4), (2.6, -7.6), (3.6, -4.2)), True)
    hole = curve(((0, -2.6), (-1.7, -4.7), (-1.2, -6.3), (0, -6.7), (1.2, -6.3), (1.7, -4.7)), True)
    right = ((0, -1.2), (6.6, -2.1), (6.6, 2.1), (0, 1.2))
    stem = ((-1.2, 0), (1.2, 0), (2.2, 8.2), (-2.2, 8.2))
    return (
        Area(loop, ink),
        Area(hole, ground),
        Area(right, ink),
        Area(mirrored(right, 0), ink),
        Area(stem, ink),
    )


def falcon(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """A falcon that stands and looks to the right, with the marked eye."""
    body = curve(
        (
            (0.4, -8.0),
            (3.4, -7.8),
            (5.0, -6.2),
            (6.6, -4.5),
            (4.6, -4.4),
            (4.4, -2.4),
            (4.6, 1.0),
            (3.0, 4.2),
            (0.2, 5.4),
            (-3.8, 7.6),
            (-8.0, 8.6),
            (-5.4, 4.6),
            (-3.6, 0.6),
            (-2.4, -4.4),
        ),
        True,
    )
    wing = curve(((-1.2, -2.6), (0.8, 0.2), (0.4, 3.0), (-2.6, 5.2), (-5.4, 6.9)))
    shapes: list[Shape] = [Area(body, ink), Stroke(wing, 0.75, ground)]
    shapes += [Stroke(curve(((-2.4, -0.6), (-1.0, 1.4), (-2.0, 3.6))), 0.6, ground)]
    shapes += [
        Stroke(((1.6, 5.0), (1.6, 8.2), (4.4, 8.2)), 1.2, ink),
        Stroke(((3.4, 3.6), (3.6, 8.2)), 1.2, ink),
    ]
    shapes += [Area(ellipse(2.9, -6.0, 0.95, 0.8), ground), Stroke(((2.8, -5.2), (2.2, -3.4)), 0.6, ground)]
    return tuple(shapes)


def scarab(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """A beetle from above: shell, seam, six legs."""
    shapes: list[Shape] = []
    for leg in (
        ((3.0, -3.4), (6.2, -4.8), (6.8, -8.0)),
        ((4.2, 0.4), (7.6, -0.4), (8.3, 2.2)),
        ((3.8, 4.2), (6.6, 5.2), (6.4, 8.4)),
    ):
        shapes += [Stroke(leg, 1.05, ink), Stroke(mirrored(leg, 0), 1.05, ink)]
    shapes += [Area(ellipse(0, 2.2, 5.2, 6.4), ink), Area(ellipse(0, -4.4, 4.2, 2.6), ink)]
    shapes += [Area(ellipse(0, -7.0, 2.3, 1.6), ink)]
    shapes += [Stroke(((0, -1.6), (0, 8.2)), 0.7, ground)]
    shapes += [Stroke(ellipse(0, -5.0, 5.0, 3.6, 25, 155), 0.7, ground)]
    arc = curve(((1.6, 0.6), (3.2, 2.4), (3.0, 5.4)))
    shapes += [Stroke(arc, 0.5, ground), Stroke(mirrored(arc, 0), 0.5, ground)]
    return tuple(shapes)


def explorer(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """A tile that slides: an arrow to the right out of a dashed outline."""
    head = ((2.2, -4.2), (8.6, 0), (2.2, 4.2))
    shaft = ((-3.4, -1.5), (2.4, -1.5), (2.4, 1.5), (-3.4, 1.5))
    shapes: list[Shape] = [Area(head, ink), Area(shaft, ink)]
    for y in (-7.4, -3.7, 0.0, 3.7):
        shapes.append(Stroke(((-7.2, y), (-7.2, y + 2.2)), 0.8, ink))
    for x in (-5.2, -1.6, 2.0):
        shapes += [
            Stroke(((x, -8.6), (x + 2.0, -8.6)), 0.8, ink),
            Stroke(((x, 7.6), (x + 2.0, 7.6)), 0.8, ink),
        ]
    return tuple(shapes)


def excavator(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """A spade in a heap of sand."""
    blade = curve(((-2.8, 1.0), (2.8, 1.0), (2.6, 4.6), (0, 8.0), (-2.6, 4.6)), True)
    heap = curve(((-8.4, 10.4), (-5.6, 7.2), (-2.4, 8.8), (1.4, 6.4), (5.2, 8.4), (8.4, 10.4)))
    return (
        Stroke(((0, -8.4), (0, 1.6)), 1.7, ink),
        Stroke(((-2.8, -9.6), (2.8, -9.6)), 1.7, ink),
        Area(blade, ink),
        Area(heap, ink),
    )


def expert(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """Two tiles at once, with a plus between them."""
    shapes: list[Shape] = []
    for x, y in ((-4.6, -4.2), (4.6, 3.4)):
        outline = ((x - 2.9, y - 5.2), (x + 2.9, y - 5.2), (x + 2.9, y + 5.2), (x - 2.9, y + 5.2))
        shapes += [Area(outline, ink), Stroke(((x - 1.7, y), (x + 1.7, y)), 0.6, ground)]
        shapes += [Area(ellipse(x, y - 2.6, 1.1, 1.1), ground), Area(ellipse(x, y + 2.6, 1.1, 1.1), ground)]
    shapes += [Stroke(((4.6, -8.6), (4.6, -3.6)), 1.4, ink), Stroke(((2.1, -6.1), (7.1, -6.1)), 1.4, ink)]
    return tuple(shapes)


SIGNS: Mapping[str, Glyph] = {"snake": snake, "ankh": ankh, "falcon": falcon, "scarab": scarab}
CARDS: Mapping[str, Glyph] = {"explorer": explorer, "excavator": excavator, "expert": expert}
