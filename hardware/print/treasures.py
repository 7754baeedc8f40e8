"""The finds of Archaeology and what happens at the dig, as shapes about (0, 0) for a field of 40 x 40 mm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from hardware.print.ornaments import INK, disc, outlined, ring, rounded, shade, star
from hardware.print.shapes import Area, Colour, Point, Shape, Stroke, curve, ellipse, mirrored, rectangle

Find = Callable[[], tuple[Shape, ...]]
CLAY: Colour = (196, 104, 62)
STRAW: Colour = (232, 208, 148)
GOLD: Colour = (244, 196, 62)
STONE: Colour = (168, 164, 156)
JADE: Colour = (64, 150, 128)
SKY: Colour = (60, 110, 178)
LINE = 1.1


def both(points: tuple[Point, ...]) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """A part and its mirror image."""
    return points, mirrored(points, 0)


def shard() -> tuple[Shape, ...]:
    """A piece out of the wall of a painted pot."""
    outline = (
        (-18, -8), (-9, -17), (-2, -14), (5, -18), (17, -10), (13, -2), (18, 7),
        (8, 9), (5, 17), (-5, 12), (-13, 17), (-12, 5), (-19, 2),
    )  # fmt: skip
    shapes: list[Shape] = [*outlined(outline, CLAY, INK, 1.4)]
    shapes.append(Area(((-15.2, -6.4), (-8.6, -13.0), (14.2, -7.6), (12.2, -3.8), (-15.6, -2.4)), STRAW))
    zigzag = tuple(
        (-13 + 4.2 * index, -9.4 + 0.3 * index if index % 2 else -5.0 + 0.1 * index) for index in range(7)
    )
    shapes += [Stroke(zigzag, 1.3, INK), Stroke(((-16.4, 1.4), (14.6, 0.4)), 1.5, INK)]
    shapes += [Stroke(((-11.4, 4.6), (16.0, 3.8)), 1.5, INK)]
    shapes += [disc(x, 8.4 + 0.2 * x, 1.4, STRAW) for x in (-8, -2.6, 2.8)]
    return tuple(shapes)


def scrap() -> tuple[Shape, ...]:
    """A torn sheet with signs on it."""
    left = ((-12, 18), (-14, 12), (-11.6, 8), (-14.6, 2), (-12, -4), (-14, -10), (-12, -18))
    right = (
        (12, -16),
        (14.6, -11),
        (11.6, -6),
        (14.4, 0),
        (11, 5),
        (14, 11),
        (9, 13),
        (11.6, 18),
        (4, 15.4),
        (-2, 18.6),
    )
    outline = (*left, (-6, -16.6), (0, -18.6), (6, -16.4), *right)
    shapes: list[Shape] = [*outlined(outline, STRAW, INK, 1.4)]
    for y in (-12.4, -5.6, 1.2, 8.0):
        shapes.append(Stroke(((-10.6, y + 3.4), (10.2, y + 3.4)), 0.5, shade(STRAW, -0.35)))
    shapes += [Stroke(((-9, -10.6), (-7, -14), (-5, -10.6)), 1.2, INK), ring(-1, -12.2, 1.8, 1.2, INK)]
    shapes += [Stroke(((4, -11), (6, -13.4), (8, -11), (10, -13.4)), 1.2, INK)]
    shapes += [Stroke(((-9, -5.6), (-5, -5.6)), 1.2, INK), Stroke(((-9, -3.6), (-5, -3.6)), 1.2, INK)]
    shapes += [star(0, -4.8, 2.5, INK), Stroke(((5, -7), (5, -3.4), (9, -3.4)), 1.2, INK)]
    shapes += [Area(((-9, 3.4), (-6.8, -1), (-4.6, 3.4)), INK), Stroke(((-1.6, -0.6), (-1.6, 3.2)), 1.2, INK)]
    shapes += [Stroke(((1.2, -0.6), (1.2, 3.2)), 1.2, INK), Stroke(((4, 2.8), (6, -0.4), (8, 2.8)), 1.2, INK)]
    shapes += [Stroke(ellipse(-7, 8.6, 2.4, 2.4, 180, 360), 1.2, INK), disc(-0.4, 8.4, 1.7, INK)]
    return (*shapes, Stroke(((3.6, 7), (8.6, 7)), 1.2, INK), Stroke(((3.6, 9.2), (8.6, 9.2)), 1.2, INK))


def coin() -> tuple[Shape, ...]:
    """A gold coin with a pyramid under the sun."""
    shapes: list[Shape] = [disc(0, 0, 18.6, INK), disc(0, 0, 17.4, GOLD)]
    for index in range(28):
        angle = 2 * math.pi * index / 28
        shapes.append(
            Stroke(
                tuple((r * math.cos(angle), r * math.sin(angle)) for r in (15.4, 17.2)),
                0.8,
                shade(GOLD, -0.5),
            )
        )
    shapes += [ring(0, 0, 14.2, 0.8, INK)]
    shapes += outlined(((-10.6, 7.4), (0, -8.2), (10.6, 7.4)), shade(GOLD, 0.45), INK, LINE)
    shapes += [Area(((0, -8.2), (10.6, 7.4), (2.4, 7.4)), shade(GOLD, -0.35))]
    shapes += [disc(7.4, -6.4, 2.5, INK), Stroke(((-11.8, 7.4), (11.8, 7.4)), LINE, INK)]
    return tuple(shapes)


def cup() -> tuple[Shape, ...]:
    """A goblet with a piece broken out of its rim."""
    bowl = curve(((13, -14), (12.6, -5), (7, 2), (2.2, 4.4)))
    outline = (
        (-13, -14), (-4.6, -14), (-2.6, -9.6), (1.6, -11.2), (3.6, -6.6), (8.2, -9.4), (9.4, -14), *bowl,
        (1.8, 12.6), (9.4, 16), (9.4, 18.4), (-9.4, 18.4), (-9.4, 16), (-1.8, 12.6), *reversed(mirrored(bowl, 0)),
    )  # fmt: skip
    shapes: list[Shape] = [*outlined(outline, JADE, INK, 1.4)]
    shapes += [
        Stroke(((-11.6, -5.2), (-3, -5.2)), 1.6, STRAW),
        Stroke(((6.4, -4.6), (11.4, -5.0)), 1.6, STRAW),
    ]
    shapes += [
        Stroke(((-10, -1.6), (9.6, -1.6)), 1.0, INK),
        Stroke(((1.6, -6.6), (-1, -1.8), (1.4, 1.6)), 0.8, INK),
    ]
    shapes += [Stroke(((-2.0, 8.2), (2.0, 8.2)), 1.4, STRAW), Stroke(((-7.6, 16.4), (7.6, 16.4)), 0.9, STRAW)]
    chip = ((11.6, 6.4), (17.0, 5.0), (16.2, 11.0), (12.4, 11.6))
    return (*shapes, *outlined(chip, JADE, INK, LINE))


def talisman() -> tuple[Shape, ...]:
    """A scarab with spread wings that carries the sun."""
    wing = curve(((3, -1), (9, -8.6), (16, -11.4), (19.4, -9.6), (17.6, -1), (12, 5.6), (5, 7.2)), True, 5)
    shapes: list[Shape] = []
    for part in both(wing):
        shapes += outlined(part, SKY, INK, 1.3)
    for index, reach in enumerate((17.4, 16.0, 12.6)):
        feather = ((4.4, 1.0 + 2.0 * index), (10, -3.4 + 3.4 * index), (reach, -6.2 + 5.0 * index))
        shapes += [Stroke(one, 1.1, GOLD) for one in both(feather)]
    shapes += [*outlined(ellipse(0, 5.4, 6.6, 8.8), GOLD, INK, 1.3)]
    shapes += [*outlined(ellipse(0, -4.6, 5.0, 3.6), GOLD, INK, 1.2), Stroke(((0, -1), (0, 14)), 0.9, INK)]
    shapes += [Stroke(ellipse(0, 0.2, 6.4, 3.4, 20, 160), 0.9, INK)]
    leg = ((4.6, 11), (9, 13.4), (9.6, 18))
    shapes += [Stroke(one, 1.3, INK) for one in both(leg)]
    return (*shapes, *outlined(ellipse(0, -13.4, 5.4, 5.4), (206, 62, 46), INK, 1.3))


def map_() -> tuple[Shape, ...]:
    """An unrolled map with a dotted way from the river to a cross."""
    sheet = rectangle(-16.6, -13, 33.2, 26)
    shapes: list[Shape] = [*outlined(sheet, STRAW, INK, 1.3)]
    for x in (-17.4, 17.4):
        shapes += outlined(rounded(x - 2.6, -15.4, 5.2, 32, 2.4), shade(STRAW, -0.28), INK, 1.3)
    river = curve(((-12, -12.4), (-9.6, -6), (-12.6, 1), (-9.4, 7), (-11, 12.4)))
    shapes += [Stroke(river, 3.0, SKY)]
    shapes += outlined(((1, -2.6), (6.4, -11), (11.8, -2.6)), GOLD, INK, LINE)
    way = curve(((-7.6, 6.4), (-3, 9), (1.6, 5.6), (0, 1.4), (3.6, 1.2), (8.4, 5.4)), False, 4)
    shapes += [Stroke((way[index], way[index + 1]), 1.3, INK) for index in range(0, len(way) - 1, 2)]
    for line in (((7, 5.4), (12.2, 10.6)), ((12.2, 5.4), (7, 10.6))):
        shapes.append(Stroke(line, 2.0, (190, 40, 34)))
    return tuple(shapes)


def mask() -> tuple[Shape, ...]:
    """A pharaoh's mask with its striped cloth."""
    cloth = (
        (0, -18.6), (8.6, -17), (13, -11), (15.4, 1), (18.4, 11.4), (17, 17.6), (6.4, 17.6), (0, 17.6),
    )  # fmt: skip
    outline = (*cloth, *reversed(mirrored(cloth, 0)))
    shapes: list[Shape] = [*outlined(outline, GOLD, INK, 1.4)]
    for line in (
        ((3, -15.8), (11.2, -11.4)), ((8.4, -8.6), (13.6, -6.0)), ((9.4, -2.8), (15, -0.6)),
        ((9, 3.2), (16.2, 5.2)), ((8.2, 9), (17.6, 10.6)), ((7.4, 14.2), (17.2, 15)),
    ):  # fmt: skip
        shapes += [Stroke(one, 2.0, SKY) for one in both(line)]
    face = curve(((0, -11.6), (6.6, -10.4), (7.8, -4), (6.6, 4), (3, 9), (0, 10)), False, 5)
    shapes += outlined((*face, *reversed(mirrored(face, 0))), shade(GOLD, 0.5), INK, 1.2)
    brow = ((1.6, -6.2), (4.2, -7.4), (7.0, -6.2))
    for one in both(brow):
        shapes.append(Stroke(one, 0.9, INK))
    for x in (-4.0, 4.0):
        shapes += [Area(ellipse(x, -3.6, 2.3, 1.4), INK), disc(x, -3.6, 0.6, (255, 255, 255))]
    shapes += [Stroke(((0, -3), (-1, 2), (1.4, 2)), 0.9, INK), Stroke(((-2.4, 5.6), (2.4, 5.6)), 1.2, INK)]
    shapes += outlined(rectangle(-1.9, 10.2, 3.8, 8.2), SKY, INK, LINE)
    snake = curve(((0, -11.4), (-1.6, -14), (1.2, -16.4), (0, -19.4)))
    return (*shapes, Stroke(snake, 2.6, INK), Stroke(snake, 1.3, (206, 62, 46)))


def tablet() -> tuple[Shape, ...]:
    """A stone with a round top, broken at its foot."""
    top = ellipse(0, -6, 13.6, 13, 180, 360)
    outline = (*top, (13.6, 6), (8.6, 10), (6.4, 6.6), (1.6, 15), (-3, 12), (-7, 18.4), (-13.6, 16))
    shapes: list[Shape] = [*outlined(outline, STONE, INK, 1.4)]
    shapes += [Stroke(ellipse(0, -6, 11, 10.4, 180, 360), 0.8, INK)]
    wings = ((1.6, -12.4), (7.6, -13), (8.6, -10.6), (2.4, -10.2))
    shapes += [disc(0, -11.8, 2.2, INK), *(Area(one, INK) for one in both(wings))]
    shapes.append(Stroke(((-11.4, -7.0), (11.4, -7.0)), 0.9, INK))
    for row, y in enumerate((-3.4, 1.4, 6.2)):
        for column, x in enumerate((-9, -4.6, -0.2, 4.2, 8.6)):
            if y > 4 and x > 4:
                continue
            figure = (row * 5 + column) % 4
            if figure == 0:
                shapes.append(Stroke(((x - 1.1, y - 1.4), (x - 1.1, y + 1.4), (x + 1.1, y + 1.4)), 0.9, INK))
            elif figure == 1:
                shapes.append(ring(x, y, 1.2, 0.9, INK))
            elif figure == 2:
                shapes.append(Area(((x - 1.6, y + 1.5), (x, y - 1.6), (x + 1.6, y + 1.5)), INK))
            else:
                shapes.append(Stroke(((x - 1.5, y), (x, y - 1.2), (x + 1.5, y)), 0.9, INK))
    stump = ((9.6, 12), (14.4, 9.6), (15.8, 16.4), (10.6, 18.4), (6.2, 16.8))
    return (*shapes, *outlined(stump, STONE, INK, 1.2), Stroke(((-11, 11.4), (-5.4, 10.4)), 0.9, INK))


def pendant() -> tuple[Shape, ...]:
    """A great stone on a necklace whose chain has parted."""
    chain = curve(((-5.6, -19), (-13.6, -13), (-14.6, -4), (-8, 4), (0, 7)), False, 5)
    other = curve(((13.0, -8.6), (13.4, -2), (8, 4), (0, 7)), False, 5)
    shapes: list[Shape] = []
    for line in (chain, other):
        shapes += [disc(x, y, 1.9, INK) for x, y in line[::3]]
        shapes += [disc(x, y, 1.0, GOLD) for x, y in line[::3]]
    shapes += [ring(10.2, -13.0, 2.2, 1.2, INK)]
    drop = curve(((0, 1.6), (7.4, 7.6), (6.2, 15.2), (0, 18.8), (-6.2, 15.2), (-7.4, 7.6)), True, 5)
    shapes += outlined(drop, GOLD, INK, 1.4)
    gem = ((0, 5), (4.8, 9.2), (3.4, 14.6), (0, 16.2), (-3.4, 14.6), (-4.8, 9.2))
    shapes += outlined(gem, (196, 44, 66), INK, LINE)
    shapes += [Area(((0, 5), (1.8, 9.6), (-1.8, 9.6)), (244, 160, 170))]
    return (*shapes, Stroke(((-4.8, 9.2), (-1.8, 9.6), (1.8, 9.6), (4.8, 9.2)), 0.7, INK))


def thief() -> tuple[Shape, ...]:
    """A hooded thief who steals away with a sack."""
    sack = curve(((-4, -8), (-13, -10), (-19, -3), (-18, 7), (-10, 10), (-3, 5)), True, 5)
    cloak = (
        (3, -18), (9, -16), (11.4, -10), (9.4, -6), (11.6, 2), (13.4, 12), (16.6, 18.6), (6, 18.6), (4, 12),
        (1.4, 18.6), (-8, 18.6), (-5, 8), (-4, -4), (-2, -13),
    )  # fmt: skip
    shapes: list[Shape] = [*outlined(sack, (196, 158, 96), INK, 1.4)]
    shapes += [Stroke(((-14, -4), (-12, -1), (-14.6, 2)), 0.9, INK), star(-11.4, 4.6, 2.6, GOLD)]
    night: Colour = (62, 58, 84)
    shapes += outlined(cloak, night, INK, 1.4)
    shapes += outlined(
        curve(((4, -14), (9, -13.4), (10, -9.6), (7.6, -6.8), (4, -8.4)), True, 4), (226, 184, 140), INK, 0.9
    )
    shapes += [Area(((3.6, -12.6), (10.2, -11.6), (10, -9.4), (3.6, -10.0)), INK)]
    shapes += [disc(6.0, -10.9, 0.75, (255, 255, 255)), disc(8.6, -10.6, 0.75, (255, 255, 255))]
    arm = ((6.4, -2), (0, 0.6), (-5.6, -6.4))
    return (
        *shapes,
        Stroke(arm, 4.2, INK),
        Stroke(arm, 2.6, shade(night, 0.3)),
        disc(-5.4, -6.8, 2.0, (226, 184, 140)),
    )


def sandstorm() -> tuple[Shape, ...]:
    """A whirl of sand, narrow below."""
    shapes: list[Shape] = []
    sand: Colour = (206, 160, 88)
    for index in range(7):
        y = -16 + 5.4 * index
        rx = 18.6 - 2.5 * index
        x = 1.8 * math.sin(index * 1.4)
        shapes += [*outlined(ellipse(x, y, rx, 3.6), shade(sand, 0.35 if index % 2 else 0.0), INK, 1.1)]
        shapes += [Stroke(ellipse(x, y - 0.4, rx * 0.66, 1.7, 10, 200), 0.9, shade(sand, -0.45))]
    for x, y in ((-15, 6), (13, 8), (-11, 14), (10, 15), (17, -1), (-18, -4)):
        shapes.append(disc(x, y, 1.2, INK))
    return tuple(shapes)


def tent() -> tuple[Shape, ...]:
    """A striped tent with a pennant."""
    roof = ((0, -12), (18.4, 8), (17, 16.4), (-17, 16.4), (-18.4, 8))
    shapes: list[Shape] = [Stroke(((0, -12), (0, -19)), 1.2, INK)]
    shapes += outlined(((0.4, -19.4), (9, -17), (0.4, -14.4)), (206, 62, 46), INK, 0.9)
    shapes += outlined(roof, (246, 238, 216), INK, 1.4)
    for part in (((0, -12), (9.4, 16.4), (4.6, 16.4)), ((0, -12), (18, 9.4), (17, 16.4), (13.6, 16.4))):
        shapes += [Area(one, SKY) for one in both(part)]
    shapes += outlined(((0, 0), (4.6, 16.4), (-4.6, 16.4)), (70, 48, 40), INK, 1.0)
    shapes += [Stroke(one, 0.9, INK) for one in both(((18.4, 8), (20, 17.4)))]
    return (*shapes, Stroke((*roof, roof[0]), 1.4, INK), Stroke(((-20, 17.6), (20, 17.6)), 1.4, INK))


FINDS: Mapping[str, Find] = {
    "shard": shard,
    "scrap": scrap,
    "coin": coin,
    "cup": cup,
    "talisman": talisman,
    "map": map_,
    "mask": mask,
    "tablet": tablet,
    "pendant": pendant,
    "thief": thief,
    "sandstorm": sandstorm,
    "tent": tent,
}
