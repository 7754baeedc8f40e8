"""The six monuments of Archaeology as scenes about (0, 0), for a field of 70 x 62 mm."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from hardware.print.ornaments import INK, disc, outlined, rounded, shade
from hardware.print.shapes import Area, Colour, Shape, Stroke, curve, ellipse, mirrored, moved, rectangle
from hardware.print.treasures import GOLD, STONE

SAND: Colour = (228, 192, 122)
WALL: Colour = (216, 172, 100)


class Scene(NamedTuple):
    """``rule`` is filled in with the monument's own numbers."""

    draw: Callable[[], tuple[Shape, ...]]
    ground: Colour
    deep: Colour
    pattern: str
    rule: str
    dark: bool = False


def _floor(colour: Colour = SAND, y: float = 18.0) -> tuple[Shape, ...]:
    return Area(rectangle(-40, y, 80, 40), colour), Stroke(((-40, y), (40, y)), 1.2, INK)


def great_pyramid() -> tuple[Shape, ...]:
    shapes: list[Shape] = [disc(24, -20, 6.4, (232, 92, 52)), *_floor()]
    shapes += outlined(((-32, 18), (0, -25), (32, 18)), WALL, INK, 1.4)
    shapes += [Area(((0, -25), (32, 18), (7, 18)), shade(WALL, -0.28))]
    for y in (-14, -5, 4, 12):
        reach = (y + 25) * 32 / 43
        shapes.append(Stroke(((-reach, y), (reach, y)), 0.7, INK))
    shapes += outlined(((-6, 18), (-4, 8), (2, 8), (4, 18)), (60, 40, 30), INK, 1.0)
    return (*shapes, Stroke(((-32, 18), (0, -25), (32, 18)), 1.4, INK))


def temple() -> tuple[Shape, ...]:
    shapes: list[Shape] = [*_floor()]
    shapes += outlined(((-33, -10), (0, -26), (33, -10)), WALL, INK, 1.4)
    shapes += outlined(rectangle(-33, -11, 66, 5), shade(WALL, 0.3), INK, 1.2)
    for x in (-27, -13.5, 0, 13.5, 27):
        shapes += outlined(rectangle(x - 3.2, -6, 6.4, 22), shade(WALL, 0.45), INK, 1.2)
        shapes += outlined(
            ((x - 5, -6), (x + 5, -6), (x + 3.2, -1.6), (x - 3.2, -1.6)), (70, 140, 120), INK, 0.9
        )
        shapes += [Stroke(((x, 0), (x, 15)), 0.7, shade(WALL, -0.4))]
    return (
        *shapes,
        *outlined(rectangle(-35, 15, 70, 4), shade(WALL, 0.3), INK, 1.2),
        disc(0, -16.4, 3.4, (206, 62, 46)),
    )


def tomb() -> tuple[Shape, ...]:
    """A sarcophagus that stands upright between two torches."""
    half = ((0, -27), (6, -26), (9, -20), (8, -14), (13, -9), (14, 0), (10, 14), (8, 24), (0, 24))
    shapes: list[Shape] = [
        Area(rectangle(-40, 22, 80, 40), (96, 74, 62)),
        Stroke(((-40, 22), (40, 22)), 1.2, INK),
    ]
    shapes += outlined((*half, *reversed(mirrored(half, 0))), GOLD, INK, 1.5)
    face = ellipse(0, -18.6, 5, 6)
    shapes += outlined(face, (236, 196, 142), INK, 1.0)
    shapes += [
        disc(-2, -19.4, 0.9, INK),
        disc(2, -19.4, 0.9, INK),
        Stroke(((-1.6, -15.2), (1.6, -15.2)), 0.8, INK),
    ]
    for y in (1, 6, 11, 16):
        shapes.append(Stroke(((-11.6 + y * 0.14, y), (11.6 - y * 0.14, y)), 2.0, (50, 96, 160)))
    arm = ((11, -6), (0, -1), (-9, -8))
    for line in (arm, mirrored(arm, 0)):
        shapes += [Stroke(line, 4.0, INK), Stroke(line, 2.4, GOLD)]
    flame = curve(((0, -17), (3.2, -11), (2.4, -7), (-2.4, -7), (-3.2, -11)), True, 4)
    for x in (-26, 26):
        shapes += [
            Stroke(((x, -6), (x, 20)), 2.0, INK),
            *outlined(rectangle(x - 3, -7.4, 6, 4), (120, 84, 50), INK, 1.0),
        ]
        shapes += moved(outlined(flame, (250, 178, 60), INK, 0.9), x, 0)
    return tuple(shapes)


def mine() -> tuple[Shape, ...]:
    """A timbered mouth in the rock, rails and a cart."""
    rock = ((-38, 20), (-34, -8), (-24, -20), (-10, -27), (6, -24), (20, -26), (32, -12), (38, 20))
    shapes: list[Shape] = [*_floor((178, 150, 112), 20), *outlined(rock, STONE, INK, 1.4)]
    shapes += outlined((*ellipse(0, -2, 15, 15, 180, 360), (15, 20), (-15, 20)), (46, 36, 34), INK, 1.3)
    for post in (rectangle(-17, -8, 4, 28), rectangle(13, -8, 4, 28), rectangle(-20, -11.4, 40, 4.4)):
        shapes += outlined(post, (150, 100, 54), INK, 1.1)
    shapes += [Stroke(((-4, 12), (-8, 20)), 1.2, INK), Stroke(((4, 12), (8, 20)), 1.2, INK)]
    shapes += outlined(((-9, 4), (9, 4), (7, 14), (-7, 14)), (120, 126, 136), INK, 1.2)
    shapes += [disc(x, y, 2.1, GOLD) for x, y in ((-5, 3), (-1, 1.6), (3, 2.4), (6.4, 3.4))]
    shapes += [disc(x, 16, 2.6, INK) for x in (-4.6, 4.6)]
    return (
        *shapes,
        Stroke(((-30, 2), (-25, -3), (-28, -8)), 0.9, INK),
        Stroke(((24, -10), (28, -4), (25, 2)), 0.9, INK),
    )


def sphinx() -> tuple[Shape, ...]:
    body = curve(((-6, -2), (6, -4), (22, -2), (32, 6), (33, 18), (-32, 18), (-32, 12), (-14, 11)), True, 5)
    shapes: list[Shape] = [*_floor(), *outlined(body, WALL, INK, 1.4)]
    shapes += [
        Stroke(((-30, 14.6), (-8, 14.6)), 0.9, INK),
        Stroke(curve(((16, 17), (17, 9), (25, 7), (31, 12))), 1.0, INK),
    ]
    cloth = ((-10, -26), (-2, -27), (5, -22), (8, -8), (11, 4), (-1, 5), (-17, 5), (-18, -4), (-16, -20))
    shapes += outlined(cloth, GOLD, INK, 1.4)
    for y in (-19, -13, -7, -1):
        shapes += [Stroke(((-0.6 + (y + 26) * 0.1, y), (5 + (y + 22) * 0.28, y)), 1.8, (50, 96, 160))]
    face = curve(((-14, -21), (-6, -22), (-1, -17), (-1.6, -8), (-6, -2), (-11, -2.4), (-15, -8)), True, 4)
    shapes += outlined(face, (236, 196, 142), INK, 1.1)
    shapes += [
        disc(-11.2, -13.4, 1.1, INK),
        disc(-5.2, -13.4, 1.1, INK),
        Stroke(((-8.4, -12), (-9.4, -8.6), (-7.4, -8.4)), 0.8, INK),
    ]
    tail = curve(((30, 9), (34, 3), (31, -5), (33, -10)))
    return (*shapes, Stroke(((-10.6, -5.4), (-5.8, -5.4)), 0.9, INK), Stroke(tail, 2.6, INK))


def buried_ruins() -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for x, top, broken in ((-24, -10, 4.0), (-8, -24, 0.0), (9, -4, 5.0), (25, -18, 3.0)):
        outline = (
            (x - 4.4, 22),
            (x - 4.4, top),
            (x - 1, top + broken * 0.5),
            (x + 2, top - broken * 0.6),
            (x + 4.4, top + broken),
            (x + 4.4, 22),
        )
        shapes += outlined(outline, STONE, INK, 1.3)
        shapes += [Stroke(((x + dx, top + 7), (x + dx, 20)), 0.7, shade(STONE, -0.4)) for dx in (-1.6, 1.6)]
    shapes += outlined(rectangle(-14, -28, 12, 4.4), STONE, INK, 1.2)
    fallen = rounded(-3, 4, 24, 7, 2)
    shapes += outlined(
        tuple((x * 0.96 - y * 0.26 - 12, x * 0.26 + y * 0.96 + 2) for x, y in fallen),
        shade(STONE, 0.25),
        INK,
        1.2,
    )
    dune = curve(((-40, 14), (-28, 9), (-14, 15), (0, 11), (14, 17), (28, 10), (40, 14)), False, 5)
    shapes += [Area((*dune, (40, 60), (-40, 60)), SAND), Stroke(dune, 1.3, INK)]
    return (
        *shapes,
        Stroke(curve(((-30, 20), (-20, 17), (-8, 21))), 0.7, shade(SAND, -0.4)),
        Stroke(curve(((6, 22), (16, 19), (28, 22))), 0.7, shade(SAND, -0.4)),
    )


SCENES: Mapping[str, Scene] = {
    "great-pyramid": Scene(great_pyramid, (250, 212, 150), (120, 60, 14), "rays", ""),
    "temple": Scene(temple, (150, 196, 214), (20, 66, 92), "rows", "Sell and look into a chamber"),
    "tomb": Scene(tomb, (124, 94, 110), (56, 26, 44), "bricks", "Look at a chamber, keep {keep}", True),
    "mine": Scene(
        mine, (206, 200, 176), (60, 52, 34), "slants", "Draw as long as you dare: above {limit} all go back"
    ),
    "sphinx": Scene(sphinx, (244, 190, 130), (126, 44, 20), "waves", "Name two treasures, draw {draws}"),
    "buried-ruins": Scene(
        buried_ruins, (168, 150, 196), (62, 34, 92), "dots", "Pile of {pile}: a storm adds one to each"
    ),
}
