"""Crowns of gods: each stands on (0, -9) in mm and reaches up about 14 mm. Drawn with the card's deep colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hardware.print.ornaments import INK, PAPER, disc, outlined, star
from hardware.print.shapes import Area, Colour, Shape, Stroke, curve, ellipse, mirrored, rectangle

Part = Callable[[Colour], tuple[Shape, ...]]
GOLD: Colour = (244, 196, 62)
RED: Colour = (204, 62, 48)
BLUE: Colour = (58, 108, 178)


def _sun(deep: Colour) -> tuple[Shape, ...]:
    return outlined(ellipse(0, -15.6, 6.0, 6.0), RED, INK, 1.2)


def _moon(deep: Colour) -> tuple[Shape, ...]:
    return (*outlined(ellipse(0, -15.4, 5.4, 5.4), (236, 232, 214), INK, 1.1), *_cup(7.4, -13.6))


def _cup(reach: float, y: float) -> tuple[Shape, ...]:
    line = ellipse(0, y, reach, 6.6, 0, 180)
    return Stroke(line, 3.0, INK), Stroke(line, 1.6, GOLD)


def _horns(deep: Colour) -> tuple[Shape, ...]:
    horn = curve(((1, -9.4), (8.4, -11.6), (8.6, -21.4)), False, 5)
    lines = [
        part for one in (horn, mirrored(horn, 0)) for part in (Stroke(one, 3.0, INK), Stroke(one, 1.6, PAPER))
    ]
    return (*lines, *outlined(ellipse(0, -15.6, 5.0, 5.0), RED, INK, 1.1))


def _white(deep: Colour) -> tuple[Shape, ...]:
    shape = curve(
        ((-7, -8), (-6, -13), (-3, -19), (-1.6, -22.4), (1.2, -22.4), (2.6, -19), (5.6, -12), (6.4, -7.4)),
        True,
        4,
    )
    return outlined(shape, PAPER, INK, 1.2)


def _red(deep: Colour) -> tuple[Shape, ...]:
    shape = ((-8.4, -6.4), (-9, -21.4), (-4.4, -21.4), (-3.6, -13.4), (6.4, -12.6), (6.6, -7))
    curl = curve(((-3, -14), (3, -17), (8.4, -21.6), (10, -18.4), (7.8, -18)))
    return (*outlined(shape, RED, INK, 1.2), Stroke(curl, 1.3, INK))


def _double(deep: Colour) -> tuple[Shape, ...]:
    inner = curve(((-3.4, -12), (-2.6, -18), (0, -23), (2.6, -18), (5, -12)), True, 4)
    return (*outlined(inner, PAPER, INK, 1.1), *_red(deep))


def _plumes(deep: Colour) -> tuple[Shape, ...]:
    plume = curve(((0.4, -9), (0.6, -20), (3, -23.4), (5.6, -20), (4.4, -9)), True, 4)
    shapes: list[Shape] = []
    for one in (plume, mirrored(plume, 0)):
        shapes += outlined(one, GOLD, INK, 1.1)
    shapes += [
        Stroke(one, 0.7, INK) for line in (((2.6, -10), (3, -21)),) for one in (line, mirrored(line, 0))
    ]
    return (*shapes, *outlined(ellipse(0, -11.4, 3.4, 3.4), RED, INK, 1.0))


def _feather(deep: Colour) -> tuple[Shape, ...]:
    plume = curve(((-1.6, -8.6), (-3.6, -16), (-1, -22.6), (4.8, -22), (4.6, -17), (1, -8.6)), True, 5)
    bars = (Stroke(((-1.4, y), (4, y - 1.4)), 0.7, INK) for y in (-12, -15, -18))
    return (
        *outlined(plume, PAPER, INK, 1.2),
        Stroke(((-0.4, -9), (1.4, -21)), 0.9, INK),
        *bars,
        Stroke(((-8, -7.4), (5.4, -8.2)), 1.6, GOLD),
    )


def _four(deep: Colour) -> tuple[Shape, ...]:
    """Four feathers side by side."""
    shapes: list[Shape] = []
    for x in (-6, -2, 2, 6):
        shapes += outlined(
            curve(((x * 0.6, -8.6), (x - 1.8, -19), (x * 1.1, -22.6), (x + 1.8, -19)), True, 4),
            (240, 226, 180),
            INK,
            1.0,
        )
    return tuple(shapes)


def _throne(deep: Colour) -> tuple[Shape, ...]:
    return outlined(
        ((-5, -9), (-5, -22.4), (-1, -22.4), (-1, -17), (3, -17), (3, -13), (6, -13), (6, -9)), GOLD, INK, 1.2
    )


def _house(deep: Colour) -> tuple[Shape, ...]:
    basket = Area(ellipse(0, -20.6, 6.4, 4.0, 0, 180), RED)
    return (
        *outlined(rectangle(-4.6, -17, 9.2, 8), GOLD, INK, 1.2),
        Stroke(((-2, -9.4), (-2, -13.4), (2, -13.4), (2, -9.4)), 0.9, INK),
        basket,
        Stroke((*ellipse(0, -20.6, 6.4, 4.0, 0, 180), (6.4, -20.6)), 1.0, INK),
    )


def _stars(deep: Colour) -> tuple[Shape, ...]:
    """An arch of night sky."""
    outer, inner = ellipse(0, -6, 17.4, 17, 200, 340), ellipse(0, -6, 12.4, 12, 340, 200)
    spots = ((-12, -14.4), (-6.4, -18.8), (0, -20.4), (6.4, -18.8), (12, -14.4))
    return (*outlined((*outer, *inner), (34, 44, 96), INK, 1.1), *(star(x, y, 2.0, GOLD) for x, y in spots))


def _arrows(deep: Colour) -> tuple[Shape, ...]:
    """A shield over crossed arrows."""
    arrow = ((-9, -9.6), (9, -22))
    return (
        *(Stroke(one, 1.4, INK) for one in (arrow, mirrored(arrow, 0))),
        *(
            Area(one, INK)
            for one in (((9, -22), (4.6, -21.2), (8.0, -17.6)), ((-9, -22), (-4.6, -21.2), (-8.0, -17.6)))
        ),
        *outlined(ellipse(0, -15.8, 3.4, 5.8), GOLD, INK, 1.1),
    )


def _scorpion(deep: Colour) -> tuple[Shape, ...]:
    tail = curve(((-2, -11), (-8, -12), (-9, -18), (-4, -21.6), (-2.6, -19.4)), False, 5)
    claw = curve(((4, -12), (9, -12.4), (11, -16.6)), False, 5)
    return (
        Stroke(tail, 2.0, INK),
        Stroke(claw, 1.8, INK),
        Area(((9.4, -16), (12.6, -16), (11.6, -20.4)), INK),
        *outlined(ellipse(1, -12.4, 4.4, 2.8), (150, 74, 40), INK, 1.0),
    )


def _bird(deep: Colour) -> tuple[Shape, ...]:
    """A goose on the head."""
    body = curve(
        (
            (-8, -13.4),
            (-3, -16),
            (3, -15.4),
            (5, -17),
            (4.4, -21.4),
            (7, -22.4),
            (9.8, -20.6),
            (7.6, -19.8),
            (7.4, -14),
            (3, -10.4),
            (-3, -10.4),
        ),
        True,
        4,
    )
    return (*outlined(body, PAPER, INK, 1.1), disc(6.6, -20.8, 0.6, INK))


def _lotus(deep: Colour) -> tuple[Shape, ...]:
    petal = curve(((0, -22.6), (2.4, -17), (0, -10)), False, 4)
    side = curve(((8, -19.4), (6, -13), (0, -10), (2.6, -15.6)), True, 4)
    shapes: list[Shape] = []
    for one in (side, mirrored(side, 0), (*petal, *reversed(mirrored(petal, 0)))):
        shapes += outlined(one, (236, 150, 170), INK, 1.0)
    return tuple(shapes)


def _lock(deep: Colour) -> tuple[Shape, ...]:
    """The side lock of a child under a moon."""
    lock = curve(((-8, -6), (-13, -1), (-12, 6), (-14, 9)), False, 5)
    return (Stroke(lock, 4.4, INK), Stroke(lock, 2.6, (70, 42, 30)), *_moon(deep))


def _cap(deep: Colour) -> tuple[Shape, ...]:
    """A close cap."""
    return outlined(
        curve(((7.4, -5), (5.4, -10.4), (0, -12.4), (-7, -10.6), (-10, -4), (-9.6, 2), (-4, 0)), True, 4),
        BLUE,
        INK,
        1.2,
    )


def _sun_and_plumes(deep: Colour) -> tuple[Shape, ...]:
    return (*_plumes(deep), *outlined(ellipse(0, -13.4, 4.6, 4.6), RED, INK, 1.1))


def _bare(deep: Colour) -> tuple[Shape, ...]:
    return ()


CROWNS: Mapping[str, Part] = {
    "sun": _sun,
    "moon": _moon,
    "horns": _horns,
    "white": _white,
    "red": _red,
    "double": _double,
    "plumes": _plumes,
    "feather": _feather,
    "four feathers": _four,
    "throne": _throne,
    "house": _house,
    "stars": _stars,
    "arrows": _arrows,
    "scorpion": _scorpion,
    "goose": _bird,
    "lotus": _lotus,
    "lock": _lock,
    "cap": _cap,
    "sun and plumes": _sun_and_plumes,
    "bare": _bare,
}
