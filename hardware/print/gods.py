"""Busts of gods about (0, 0), for a field of 42 x 46 mm: a head out of ``HEADS`` under a crown out of ``CROWNS``.

Gods that are known have their own; any other name gets head and crown by its letters, the same on every machine.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import partial

from hardware.print.crowns import BLUE, CROWNS, GOLD, RED, Part
from hardware.print.glyphs import falcon as standing_falcon
from hardware.print.glyphs import scarab, snake
from hardware.print.ornaments import INK, PAPER, disc, outlined, ring, rounded, shade, star
from hardware.print.shapes import (
    Area,
    Colour,
    Point,
    Shape,
    Stroke,
    curve,
    ellipse,
    mirrored,
    moved,
    rectangle,
)

SKIN: Colour = (198, 128, 82)
FAIR: Colour = (236, 190, 134)
LEAF: Colour = (104, 164, 104)
GREY: Colour = (122, 124, 134)

GROUNDS: tuple[tuple[Colour, Colour], ...] = (
    ((244, 206, 110), (116, 60, 0)),
    ((226, 128, 96), (112, 18, 18)),
    ((150, 192, 134), (20, 74, 40)),
    ((128, 182, 226), (10, 52, 110)),
    ((188, 164, 218), (66, 28, 108)),
    ((236, 172, 184), (116, 12, 56)),
    ((132, 196, 188), (4, 74, 74)),
    ((190, 186, 172), (50, 44, 40)),
)
"""Ground and deep colour of a god card."""


def _body(deep: Colour, robe: Colour = PAPER) -> tuple[Shape, ...]:
    """Shoulders with a broad collar."""
    shoulders = curve(((-5, 8), (-8, 11), (-17, 14), (-19, 23), (19, 23), (17, 14), (8, 11), (5, 8)), True, 4)
    shapes: list[Shape] = [*outlined(shoulders, robe, INK, 1.2)]
    for rx, colour in ((13.0, GOLD), (10.6, deep), (8.2, GOLD)):
        shapes.append(Area(ellipse(0, 9.6, rx, rx * 0.78, 0, 180), colour))
        shapes.append(Stroke(ellipse(0, 9.6, rx, rx * 0.78, 0, 180), 0.6, INK))
    return tuple(shapes)


def _profile(outline: tuple[Point, ...], fill: Colour, eye: Point, smooth: bool = True) -> tuple[Shape, ...]:
    """A head that looks to the right."""
    points = curve(outline, True, 5) if smooth else outline
    return (*outlined(points, fill, INK, 1.3), *_eye(*eye))


def _eye(x: float, y: float) -> tuple[Shape, ...]:
    return (
        Area(ellipse(x, y, 1.9, 1.1), PAPER),
        Stroke(ellipse(x, y, 1.9, 1.1), 0.6, INK, closed=True),
        disc(x + 0.2, y, 0.8, INK),
        Stroke(((x - 1.8, y), (x - 4.4, y + 0.3)), 0.8, INK),
    )


def _human(deep: Colour, skin: Colour, wig: Colour, beard: bool, long: bool) -> tuple[Shape, ...]:
    face = (
        (-4, -8), (5, -8), (6.6, -4), (6.4, -2.6), (9.2, 1.0), (7.4, 1.8), (8.0, 3.4), (7.2, 4.4), (7.4, 6.0), (5.4, 8.0), (2.6, 7.6), (3.4, 13), (-4, 13),
    )  # fmt: skip
    low = 17.0 if long else 11.0
    hair = (
        (6.4, -4.6),
        (5.4, -9),
        (0, -11.4),
        (-7, -9.4),
        (-10, -2),
        (-10.4, low),
        (-2.6, low),
        (-1.4, 2),
        (0.6, -3.6),
    )
    shapes: list[Shape] = []
    if beard:
        shapes += outlined(((4.4, 7.4), (7.2, 7.2), (7.6, 15.4), (4.8, 15.4)), wig, INK, 0.9)
    shapes += [*_profile(face, skin, (4.2, -1.4), smooth=False), Stroke(((5.2, 4.6), (7.6, 4.4)), 0.7, INK)]
    shapes += outlined(hair, wig, INK, 1.2)
    for y in (1, 6) if not long else (1, 6, 11):
        shapes.append(Stroke(((-9.8, y), (-2.4, y)), 0.9, GOLD))
    return tuple(shapes)


def _mummy(deep: Colour, skin: Colour) -> tuple[Shape, ...]:
    """A face in a tight cap, with a straight beard."""
    return (*_human(deep, skin, BLUE, True, False)[:-2],)


def _falcon(deep: Colour) -> tuple[Shape, ...]:
    head = (
        (-8.6, 13),
        (-9, 0),
        (-5, -8.4),
        (2, -9.6),
        (7.4, -6),
        (11.6, -0.6),
        (11.0, 4.4),
        (8.6, 2.0),
        (5.4, 3.6),
        (4.4, 13),
    )
    return (
        *_profile(head, (186, 136, 84), (4.0, -3.4)),
        Stroke(((3.4, -1.6), (1.6, 3.4), (2.6, 6.6)), 1.6, INK),
        Area(curve(((7.6, -5.6), (11.6, -0.6), (11.0, 4.4), (8.4, 1.0)), True, 4), GOLD),
        Stroke(((-8, 3), (-3, 5)), 0.8, INK),
        Stroke(((-8, 7.4), (-2, 9)), 0.8, INK),
    )


def _jackal(deep: Colour, fill: Colour = (52, 48, 58), square: bool = False) -> tuple[Shape, ...]:
    ears: tuple[tuple[Point, ...], ...] = (
        ((-5.6, -5), (-7.4, -19), (-1.4, -18), (-1.4, -6))
        if square
        else ((-6.4, -4), (-6.6, -17), (-1.8, -7)),
        ((-0.6, -6), (-0.4, -19), (5, -18), (3.4, -5)) if square else ((-1.4, -6), (1.0, -17), (3.4, -4)),
    )
    snout: tuple[Point, ...] = ((16, 6.4), (13.6, 8.4)) if square else ((15.6, 2.6), (14.6, 5.0))
    head = ((-8.6, 13), (-8.6, -1), (-4, -7), (3, -6.4), (7.4, -2.2), *snout, (6, 5.2), (3.4, 8), (4, 13))
    shapes: list[Shape] = []
    for ear in ears:
        shapes += outlined(ear, fill, INK, 1.2)
    shapes += _profile(head, fill, (3.4, -2.6), smooth=False)
    return (*shapes, Stroke(((-8, 5), (0, 6.4)), 1.0, GOLD), Stroke(((-8, 9), (2, 10.4)), 1.0, GOLD))


def _ram(deep: Colour) -> tuple[Shape, ...]:
    head = (
        (-8.6, 13),
        (-8.6, 0),
        (-4, -7.4),
        (3, -8),
        (8, -3),
        (13, 4.6),
        (11.6, 8),
        (7, 7.6),
        (4, 7),
        (3.6, 13),
    )
    horn = curve(((2, -7), (-5.6, -6), (-6.6, 2.6), (0, 6), (4.2, 2.4), (1.6, -1)), False, 5)
    return (*_profile(head, (214, 190, 150), (5.8, -2.2)), Stroke(horn, 4.2, INK), Stroke(horn, 2.6, GOLD))


def _bull(deep: Colour) -> tuple[Shape, ...]:
    head = (
        (-9, 13),
        (-9, 0),
        (-4.6, -7),
        (3, -7),
        (8, -2),
        (14.4, 3.6),
        (14, 8.4),
        (8, 9.4),
        (4.6, 8.4),
        (3.6, 13),
    )
    horns = curve(((0, -6), (-8, -8), (-9.6, -16)), False, 5)
    other = curve(((3, -6), (9.4, -9), (9, -17)), False, 5)
    return (
        *(part for line in (horns, other) for part in (Stroke(line, 3.4, INK), Stroke(line, 1.8, PAPER))),
        *_profile(head, (70, 58, 56), (4.2, -2.2)),
        disc(12.2, 4.6, 0.9, PAPER),
        Area(((-2.4, -6), (3, -6), (0.4, -1)), PAPER),
    )


def _ibis(deep: Colour) -> tuple[Shape, ...]:
    beak = curve(((3, -4), (11, -1.6), (16, 5), (17, 13)), False, 6)
    head = ((-7, 13), (-8.6, 2), (-7, -6), (-1, -9.4), (5, -7), (6, -2), (2.4, 2), (0, 7), (3, 13))
    return (
        Stroke(beak, 3.6, INK),
        *_profile(head, (236, 232, 222), (1.8, -4.0)),
        Stroke(beak[3:], 2.2, (70, 62, 60)),
        *(Stroke(((-7.6, y), (-1.6, y + 1)), 1.6, INK) for y in (3, 7, 11)),
    )


def _crocodile(deep: Colour) -> tuple[Shape, ...]:
    head = (
        (-9, 13),
        (-9, 0),
        (-5, -7.4),
        (0, -8),
        (4, -4.4),
        (14, -2.2),
        (18.6, 0),
        (18.6, 4.6),
        (6, 5.4),
        (4, 8),
        (4, 13),
    )
    teeth = tuple((4.6 + 2.0 * index, 1.6 + (1.5 if index % 2 else -0.6)) for index in range(8))
    return (
        *_profile(head, (92, 146, 92), (0.4, -4.6), smooth=False),
        Stroke(teeth, 0.9, PAPER),
        *(
            Area(((x, y), (x - 2.6, y - 2.8), (x - 3.4, y + 1.6)), (50, 92, 56))
            for x, y in ((-4, -7), (-7, -3), (-8.4, 2), (-8.4, 7))
        ),
    )


def _hippo(deep: Colour) -> tuple[Shape, ...]:
    head = (
        (-9.4, 13),
        (-10, 0),
        (-6, -7.4),
        (1, -7),
        (8, -5),
        (15, -2.4),
        (17, 4),
        (14, 9.4),
        (6, 9.6),
        (4, 13),
    )
    return (
        *outlined(ellipse(-5.6, -8.4, 2.2, 3.2), (156, 132, 150), INK, 1.1),
        *_profile(head, (156, 132, 150), (1.4, -3.0)),
        disc(14.2, -0.4, 0.9, INK),
        Stroke(curve(((16.4, 5), (10, 6.4), (6, 4.4))), 0.9, INK),
        Area(((12.6, 5.6), (14.6, 5.0), (14, 8.2)), PAPER),
    )


def _frontal(deep: Colour, fill: Colour, ears: tuple[Point, ...]) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    for ear in (ears, mirrored(ears, 0)):
        shapes += outlined(ear, fill, INK, 1.2)
    shapes += [*outlined(ellipse(0, 1, 10.2, 9.4), fill, INK, 1.3)]
    for x in (-4.2, 4.2):
        shapes += [
            Area(ellipse(x, -0.8, 2.3, 1.6), GOLD),
            Stroke(ellipse(x, -0.8, 2.3, 1.6), 0.6, INK, closed=True),
        ]
        shapes.append(Stroke(((x, -2.2), (x, 0.6)), 1.0, INK))
    shapes += [Area(((-1.8, 3.2), (1.8, 3.2), (0, 5.2)), INK), Stroke(((0, 5), (0, 6.6)), 0.7, INK)]
    shapes += [Stroke(ellipse(x, 6.0, 2.0, 1.8, 10, 170), 0.8, INK) for x in (-2, 2)]
    return tuple(shapes)


def _cat(deep: Colour) -> tuple[Shape, ...]:
    whiskers = (((4, 4.4), (13, 2.4)), ((4, 5.6), (13, 6.4)))
    return (
        *_frontal(deep, (96, 88, 92), ((-9.4, -1), (-9.6, -14.4), (-1.6, -7.6))),
        *(Stroke(one, 0.7, PAPER) for line in whiskers for one in (line, mirrored(line, 0))),
        ring(11.6, -9.0, 1.9, 0.9, GOLD),
    )


def _lion(deep: Colour) -> tuple[Shape, ...]:
    return (
        star(0, 1, 17.4, INK, 16),
        star(0, 1, 15.8, (176, 110, 44), 16),
        disc(0, 1, 11.4, (176, 110, 44)),
        *_frontal(deep, (230, 178, 96), tuple(ellipse(-8.2, -6.6, 3.4, 3.4))),
    )


def _baboon(deep: Colour) -> tuple[Shape, ...]:
    mane = curve(((0, -11), (11, -8), (14, 2), (11, 13), (-11, 13), (-14, 2), (-11, -8)), True, 4)
    return (
        *outlined(mane, (150, 138, 120), INK, 1.3),
        *(Stroke(((x, -8 + abs(x) * 0.3), (x * 1.1, -4)), 0.8, INK) for x in (-9, -5, 5, 9)),
        *outlined(ellipse(0, 3.4, 6.4, 7.2), (224, 164, 138), INK, 1.1),
        *(part for x in (-2.6, 2.6) for part in _plain_eye(x, 0.2)),
        *outlined(ellipse(0, 6.6, 3.6, 3.0), (240, 200, 176), INK, 0.8),
        disc(-1.1, 5.8, 0.6, INK),
        disc(1.1, 5.8, 0.6, INK),
        Stroke(((-2, 8), (2, 8)), 0.7, INK),
    )


def _plain_eye(x: float, y: float) -> tuple[Shape, ...]:
    return disc(x, y, 1.5, PAPER), disc(x, y, 0.8, INK)


def _dwarf(deep: Colour) -> tuple[Shape, ...]:
    """A broad bearded face with its tongue out."""
    return (
        star(0, 2, 16.4, INK, 11),
        star(0, 2, 14.8, (150, 84, 40), 11),
        *outlined(ellipse(0, 1, 11, 10), (214, 150, 98), INK, 1.2),
        *(part for x in (-4.4, 4.4) for part in (disc(x, -1.6, 2.3, PAPER), disc(x, -1.6, 1.2, INK))),
        *(Stroke(one, 1.3, INK) for one in (((1.8, -4.8), (7, -5.8)), ((-1.8, -4.8), (-7, -5.8)))),
        *outlined(ellipse(0, 2.2, 2.8, 1.7), (190, 122, 76), INK, 0.8),
        Area(ellipse(0, 5.6, 5.4, 3.4, 0, 180), INK),
        *outlined(ellipse(0, 8.0, 2.4, 3.2), RED, INK, 0.8),
    )


def _beetle(deep: Colour) -> tuple[Shape, ...]:
    """A whole beetle in place of a face."""
    return (*outlined(ellipse(0, 1, 11.4, 13.6), GOLD, INK, 1.3), *moved(scarab(INK, GOLD), 0, 1, 1.14))


def _cobra(deep: Colour) -> tuple[Shape, ...]:
    return moved(snake((36, 96, 58), GOLD), -1, 2.4, 1.5)


def _vulture(deep: Colour) -> tuple[Shape, ...]:
    neck = (
        (-9, 14),
        (-8, 4),
        (-3, 0),
        (-2, -5),
        (2, -9),
        (7, -8),
        (9.4, -4.6),
        (7, -2.6),
        (3.4, -1),
        (3.2, 6),
        (7, 14),
    )
    beak = curve(((7.6, -7), (12.4, -5), (13.4, 0), (10.4, -1.6), (7.6, -3.0)), True, 4)
    ruff = tuple((-10 + 3.4 * index, 9 + (2.6 if index % 2 else -1.2)) for index in range(6))
    return (
        *outlined(beak, GOLD, INK, 1.0),
        *_profile(neck, (226, 160, 140), (5.0, -5.2)),
        Stroke(ruff, 3.0, INK),
        Stroke(ruff, 1.7, PAPER),
    )


def _goose(deep: Colour) -> tuple[Shape, ...]:
    return _human(deep, LEAF, INK, True, False)


HEADS: Mapping[str, Part] = {
    "man": partial(_human, skin=SKIN, wig=(40, 44, 66), beard=True, long=False),
    "woman": partial(_human, skin=FAIR, wig=(34, 32, 40), beard=False, long=True),
    "queen": partial(_human, skin=FAIR, wig=BLUE, beard=False, long=True),
    "green": partial(_human, skin=LEAF, wig=(40, 44, 66), beard=True, long=False),
    "blue": partial(_human, skin=(124, 168, 206), wig=(24, 34, 70), beard=True, long=False),
    "mummy": partial(_mummy, skin=LEAF),
    "child": partial(_human, skin=FAIR, wig=(70, 42, 30), beard=False, long=False),
    "falcon": _falcon,
    "jackal": _jackal,
    "set-animal": partial(_jackal, fill=(150, 74, 56), square=True),
    "ram": _ram,
    "bull": _bull,
    "ibis": _ibis,
    "crocodile": _crocodile,
    "hippo": _hippo,
    "cat": _cat,
    "lion": _lion,
    "baboon": _baboon,
    "dwarf": _dwarf,
    "beetle": _beetle,
    "cobra": _cobra,
    "vulture": _vulture,
}


KNOWN: Mapping[str, tuple[str, str]] = {
    "horus": ("falcon", "double"),
    "anubis": ("jackal", "bare"),
    "amon-ra": ("man", "sun and plumes"),
    "amun": ("man", "plumes"),
    "ra": ("falcon", "sun"),
    "imsety": ("man", "bare"),
    "hapi": ("baboon", "bare"),
    "duamutef": ("jackal", "bare"),
    "qebsenuef": ("falcon", "bare"),
    "qebehsenuef": ("falcon", "bare"),
    "isis": ("woman", "throne"),
    "osiris": ("green", "white"),
    "seth": ("set-animal", "bare"),
    "set": ("set-animal", "bare"),
    "nephthys": ("woman", "house"),
    "thoth": ("ibis", "bare"),
    "hathor": ("woman", "horns"),
    "bastet": ("cat", "bare"),
    "sekhmet": ("lion", "sun"),
    "ptah": ("mummy", "cap"),
    "khnum": ("ram", "bare"),
    "khonsu": ("child", "lock"),
    "maat": ("queen", "feather"),
    "min": ("blue", "plumes"),
    "montu": ("falcon", "sun and plumes"),
    "mut": ("queen", "double"),
    "neith": ("queen", "arrows"),
    "nut": ("blue", "stars"),
    "geb": ("green", "goose"),
    "shu": ("man", "feather"),
    "tefnut": ("lion", "lotus"),
    "sobek": ("crocodile", "bare"),
    "atum": ("man", "double"),
    "khepri": ("beetle", "bare"),
    "bes": ("dwarf", "four feathers"),
    "taweret": ("hippo", "horns"),
    "serket": ("woman", "scorpion"),
    "wadjet": ("cobra", "red"),
    "nekhbet": ("vulture", "white"),
    "apis": ("bull", "sun"),
}


def parts(god: str) -> tuple[str, str]:
    """The names of head and crown of a god."""
    if god in KNOWN:
        return KNOWN[god]
    code = zlib.crc32(god.encode())
    heads, crowns = tuple(HEADS), tuple(CROWNS)
    return heads[code % len(heads)], crowns[code // 64 % len(crowns)]


def bust(god: str, son: bool, deep: Colour) -> tuple[Shape, ...]:
    """The god; a son of Horus is the lid of a jar."""
    head, crown = parts(god)
    above = (*HEADS[head](deep), *CROWNS[crown](deep))
    if not son:
        return (*_body(deep), *above)
    half = ((0, 1), (9.6, 1), (12.6, 7), (11.6, 15), (7.6, 23), (0, 23))
    jar = (*half, *reversed(mirrored(half, 0)))
    return (
        *moved(above, 0, -9.4, 0.86),
        *outlined(jar, (240, 226, 190), INK, 1.3),
        *outlined(rounded(-10.4, -1.4, 20.8, 3.8, 1.6), GOLD, INK, 1.1),
        *outlined(rectangle(-4.6, 6.4, 9.2, 12.4), PAPER, INK, 0.9),
        *moved(standing_falcon(INK, PAPER), 0, 12.6, 0.5),
        *(
            Stroke(one, 1.0, shade(deep, 0.2))
            for line in (((7, 8), (7.4, 16)),)
            for one in (line, mirrored(line, 0))
        ),
    )
