"""Our own cards of Ankh: mummies that bring a gift, and the wishes of the pharaoh.

A mummy's gift is told by the picture on the card, by the pattern of its ground and by its colour; its value by the figure, by
the number of gifts at the foot, and by the mummy itself, which grows with it and wears a taller crown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from engines.ankh.cards import is_papyrus, mummy, wishes
from engines.ankh.numbers import compiled
from engines.catalogue import Catalogue
from hardware.print.glyphs import scarab
from hardware.print.lettering import figures
from hardware.print.ornaments import (
    EDGE,
    INK,
    LINEN,
    PAPER,
    PATTERNS,
    back,
    card,
    disc,
    outlined,
    plate,
    rounded,
    shade,
    star,
)
from hardware.print.pieces import Piece
from hardware.print.shapes import (
    Area,
    Colour,
    Drawing,
    Shape,
    Stroke,
    Words,
    curve,
    ellipse,
    mirrored,
    moved,
    rectangle,
)

WIDTH, HEIGHT = 63.0, 88.0
"""Ours: the size of a poker card, for which there are sleeves everywhere. The published cards' size is not known."""
KIND = "card"


class Suit(NamedTuple):
    """How a colour looks. ``gift`` draws for a field of 18 x 18 mm with an ink and the ground below it."""

    ground: Colour
    deep: Colour
    pattern: str
    gift: Callable[[Colour, Colour], tuple[Shape, ...]]
    name: str


def jackal(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """The head of Anubis from the side: tall ears, a long snout, the collar below."""
    head = (
        (-4.6, 8.4),
        (-5.2, 2.6),
        (-4.8, -1.6),
        (-4.4, -8.8),
        (-1.9, -4.4),
        (-0.9, -9.0),
        (1.2, -3.6),
        (3.4, -1.8),
        (8.6, 0.9),
        (8.8, 2.5),
        (6.8, 3.3),
        (1.6, 3.6),
        (0.6, 5.2),
        (1.0, 8.4),
    )
    return (
        Area(head, ink),
        Stroke(head, 0.8, ink, closed=True),
        Area(((0.4, -1.4), (3.4, -0.5), (1.6, 0.3)), ground),
        Stroke(((-4.6, 5.6), (0.7, 5.6)), 0.8, ground),
        Stroke(((-4.6, 7.4), (0.8, 7.4)), 0.8, ground),
        Stroke(((-3.5, -6.2), (-3.2, -3.4)), 0.6, ground),
    )


def sun(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """The sun whose rays end in points."""
    shapes: list[Shape] = [star(0, 0, 9.2, ink, 12), disc(0, 0, 5.9, ground), disc(0, 0, 4.9, ink)]
    shapes += [disc(0, 0, 1.8, ground)]
    return tuple(shapes)


def lotus(ink: Colour, ground: Colour) -> tuple[Shape, ...]:
    """A lotus in bloom on its stem."""
    middle = curve(((0, -8.8), (2.6, -3.4), (1.6, 2.4), (-1.6, 2.4), (-2.6, -3.4)), True)
    side = curve(((4.9, -7.2), (4.8, -1.6), (2.4, 2.2), (0.4, 2.6), (1.8, -3.0)), True)
    outer = curve(((9.0, -3.6), (6.8, 0.8), (3.2, 3.0), (0.4, 3.2), (3.8, -0.8)), True)
    shapes: list[Shape] = [Stroke(((0, 2), (0, 9)), 1.6, ink)]
    for petal in (outer, side):
        for one in (petal, mirrored(petal, 0)):
            shapes += [Area(one, ink), Stroke(one, 0.55, ground, closed=True)]
    shapes += [Area(middle, ink), Stroke(middle, 0.55, ground, closed=True)]
    leaf = curve(((0.6, 8.6), (3.0, 5.6), (6.4, 6.2), (3.6, 8.8)), True)
    return (*shapes, Area(leaf, ink), Area(mirrored(leaf, 0), ink))


SUITS: Mapping[str, Suit] = {
    "green": Suit((158, 206, 140), (22, 84, 46), "reeds", scarab, "Scarab"),
    "yellow": Suit((252, 222, 104), (124, 74, 0), "rays", sun, "Sun"),
    "blue": Suit((112, 168, 222), (12, 52, 118), "waves", lotus, "Lotus"),
    "red": Suit((204, 98, 80), (110, 12, 16), "bricks", jackal, "Anubis"),
}


def pieces(catalogue: Catalogue) -> Mapping[str, Piece]:
    """Every card of the deck, and ``back``. Raises MissingNumbers when the catalogue has faults."""
    numbers = compiled(catalogue)
    found: dict[str, Piece] = {}
    for name, copies in numbers.counts.items():
        if not copies:
            continue
        drawing = _papyrus(name, numbers.points) if is_papyrus(name) else _mummy(*mummy(name))
        found[name] = Piece(name, KIND, drawing, copies)
    found["back"] = Piece("back", KIND, _back(), 0, "")
    return found


def _mummy(colour: str, value: int) -> Drawing:
    suit = SUITS[colour]
    tall = (38.0, 43.0, 48.0, 53.0, 58.0)[value - 1]
    content: list[Shape] = [
        *moved(_bandaged(value, suit), 40.4, 72.5, tall / 40),
        *plate(4.6, 4.6, 18, 38, suit.deep),
        *figures(str(value), 13.6, 14.6, 14.5, suit.deep),
        *moved(suit.gift(suit.deep, PAPER), 13.6, 32.6, 0.84),
        *plate(4.6, 73.4, WIDTH - 9.2, 10.2, suit.deep),
    ]
    for place in range(5):
        x = WIDTH / 2 + (place - 2) * 10.2
        if place < value:
            content += moved(suit.gift(suit.deep, PAPER), x, 78.5, 0.5)
        else:
            content.append(disc(x, 78.5, 0.7, shade(suit.deep, 0.5)))
    return card(WIDTH, HEIGHT, suit.ground, suit.deep, content, suit.pattern, shade(suit.ground, 0.28))


def _bandaged(value: int, suit: Suit) -> tuple[Shape, ...]:
    """A mummy that stands on (0, 0), 40 mm tall with its crown, and holds its gift before it."""
    deep = suit.deep
    half = (
        (0, -33.2),
        (3.6, -32.0),
        (4.8, -28.6),
        (4.2, -25.0),
        (2.9, -23.2),
        (6.4, -21.8),
        (9.0, -19.0),
        (9.6, -14.6),
        (8.2, -8.6),
        (5.8, -3.2),
        (5.4, 0.0),
    )
    outline = curve((*half, *reversed(mirrored(half, 0)[1:])), True, 4)
    shapes: list[Shape] = [*outlined(outline, LINEN, INK, 1.0)]
    bands = shade(LINEN, -0.3)
    for y, reach in ((-30.8, 2.9), (-25.6, 3.2), (-18.6, 7.8), (-7.4, 6.6), (-4.6, 5.6), (-1.8, 4.8)):
        shapes.append(Stroke(((-reach, y - 0.7), (0, y + 0.7), (reach, y - 0.3)), 0.55, bands))
    arm = ((8.2, -18.4), (10.4, -13.4), (7.4, -11.0))
    for points in (arm, mirrored(arm, 0)):
        shapes += [Stroke(points, 4.2, INK), Stroke(points, 2.7, LINEN)]
    slit = rounded(-4.1, -29.6, 8.2, 3.0, 1.5)
    shapes += [Area(slit, INK), disc(-1.9, -28.1, 0.95, PAPER), disc(1.9, -28.1, 0.95, PAPER)]
    held = (
        disc(0, -12.4, 8.0, INK),
        disc(0, -12.4, 7.1, PAPER),
        *moved(suit.gift(deep, PAPER), 0, -12.4, 0.62),
    )
    fingers = (disc(x, -12.4, 2.0, INK) for x in (-7.8, 7.8))
    thumbs = (disc(x, -12.4, 1.2, LINEN) for x in (-7.8, 7.8))
    return (*shapes, *held, *fingers, *thumbs, *moved(_crown(value, deep, suit.ground), 0, -31.6))


def _crown(value: int, deep: Colour, bright: Colour) -> tuple[Shape, ...]:
    """From a headband to the double crown: the higher the value the taller."""
    band = rectangle(-4.5, -1.3, 9.0, 2.2)
    if value == 1:
        return (Stroke(((-4.0, -0.2), (4.0, -0.6)), 1.1, INK),)
    if value == 2:
        plume = curve(((-0.2, -1), (-1.6, -5.0), (0, -8.0), (1.6, -5.0), (0.2, -1)), True, 4)
        return (*outlined(plume, bright, INK, 0.7), *outlined(band, deep, INK, 0.6))
    if value == 3:
        cloth = ((-4.6, 0.6), (-3.6, -3.4), (0, -4.6), (3.6, -3.4), (4.6, 0.6))
        flap = ((4.4, -1.0), (8.4, 8.0), (4.4, 9.0), (4.6, 2.0))
        shapes: list[Shape] = []
        for part in (flap, mirrored(flap, 0), cloth):
            shapes += outlined(part, bright, INK, 0.8)
        shapes += [
            Stroke(((-3.4, -1.6), (3.4, -1.6)), 0.9, deep),
            Stroke(((5.6, 3.4), (7.0, 7.4)), 0.9, deep),
        ]
        shapes += [Stroke(((-5.6, 3.4), (-7.0, 7.4)), 0.9, deep)]
        return tuple(shapes)
    if value == 4:
        white = curve(
            ((-4.6, 0.4), (-3.6, -5.4), (-1.3, -9.6), (0, -11.6), (1.3, -9.6), (3.6, -5.4), (4.6, 0.4)),
            False,
            4,
        )
        return (
            *outlined(white, PAPER, INK, 0.8),
            *outlined(ellipse(0, -12.0, 1.6, 1.6), bright, INK, 0.7),
            *outlined(band, deep, INK, 0.6),
        )
    disc_and_horns = curve(((-1.4, -1), (-7.0, -5.4), (-7.4, -12.6)), False, 4)
    return (
        Stroke(disc_and_horns, 2.0, INK),
        Stroke(mirrored(disc_and_horns, 0), 2.0, INK),
        *outlined(ellipse(0, -8.4, 5.0, 5.0), bright, INK, 0.9),
        *outlined(band, deep, INK, 0.6),
    )


class Band(NamedTuple):
    """Where a gift of the wish list stands on the card, mm, and how large gift and multiplier are."""

    x: float
    y: float
    width: float
    height: float
    gift: float
    text: float


_BANDS = (
    Band(0.0, 17.4, WIDTH, 25.2, 21.6, 14.0),
    Band(0.0, 42.6, WIDTH, 21.0, 17.6, 10.5),
    Band(0.0, 63.6, WIDTH / 2, 24.4, 14.0, 6.6),
    Band(WIDTH / 2, 63.6, WIDTH / 2, 24.4, 14.0, 6.6),
)
"""From the most welcome gift to the least: the less it gives, the smaller it stands."""


def _papyrus(name: str, points: tuple[int, ...]) -> Drawing:
    """The wishes: four gifts, each with what it gives, and how many mummies are called for."""
    colours, called = wishes(name)
    scroll: Colour = (238, 216, 164)
    deep: Colour = (74, 44, 20)
    content: list[Shape] = [
        *plate(4.2, 4.0, 16.0, 12.0, deep),
        *figures(str(called), 12.2, 10.0, 9.0, deep, room=13),
    ]
    each = min(1.0, 5 / max(called, 1))
    for place in range(called):
        x = 23.4 + (place + 0.5) * 7.2 * each
        content += moved(_small_mummy(), x, 10.0, 0.9 * min(1.0, each + 0.15))
    for band, colour, gives in zip(_BANDS, colours, points, strict=True):
        content += _wish(band, SUITS[colour], gives)
        content.append(Stroke(rectangle(band.x, band.y, band.width, band.height), 0.9, deep, closed=True))
    return card(WIDTH, HEIGHT, scroll, deep, content)


def _wish(band: Band, suit: Suit, gives: int) -> tuple[Shape, ...]:
    """A gift on a light plate before its colour and pattern, and beside it what it gives for each point of value."""
    # Behind the paper edge there is nothing to see: what shows of the band is centred on.
    left, right = max(band.x, EDGE), min(band.x + band.width, WIDTH - EDGE)
    low = min(band.y + band.height, HEIGHT - EDGE)
    y, half = (band.y + low) / 2, band.gift / 2
    at = left + half + (1.8 if band.width < WIDTH else 4.4)
    return (
        Area(rectangle(band.x, band.y, band.width, band.height), suit.ground),
        *_swatch(suit, band),
        *plate(at - half, y - half, band.gift, band.gift, suit.deep),
        *moved(suit.gift(suit.deep, PAPER), at, y, (band.gift - 2.6) / 18),
        *_gives(gives, (at + half + right) / 2, y, band.text, suit.deep),
    )


def _swatch(suit: Suit, band: Band) -> tuple[Shape, ...]:
    """The suit's pattern, pushed into the band."""
    kept: list[Shape] = []
    for shape in PATTERNS[suit.pattern](band.width, band.height, shade(suit.ground, 0.28)):
        if isinstance(shape, Words):
            continue
        inside = tuple(
            (min(max(x, 0.4), band.width - 0.4) + band.x, min(max(y, 0.4), band.height - 0.4) + band.y)
            for x, y in shape.points
        )
        kept.append(replace(shape, points=inside))
    return tuple(kept)


def _gives(points: int, x: float, y: float, size: float, ink: Colour) -> tuple[Shape, ...]:
    text = "0" if points == 0 else f"×{points}" if points > 0 else f"−{-points}"
    return figures(text, x, y, size, ink, room=26 if size > 8 else 10.4)


def _small_mummy() -> tuple[Shape, ...]:
    body = curve(
        (
            (0, -6.4),
            (1.6, -5.4),
            (1.5, -3.2),
            (2.7, -1.6),
            (2.1, 2.6),
            (1.3, 6.2),
            (-1.3, 6.2),
            (-2.1, 2.6),
            (-2.7, -1.6),
            (-1.5, -3.2),
            (-1.6, -5.4),
        ),
        True,
        3,
    )
    return (
        *outlined(body, LINEN, INK, 0.55),
        Stroke(((-1.1, -4.6), (1.1, -4.6)), 0.8, INK),
        Stroke(((-1.6, 0.2), (1.6, 0.8)), 0.5, INK),
    )


def _back() -> Drawing:
    ground, ink = (176, 146, 96), (84, 54, 26)
    half = (*moved(_small_mummy(), 0, -8.0, 1.15),)
    return back(WIDTH, HEIGHT, ground, ink, "lattice", half, 18.0)
