"""Our own pieces of Papyrus: movement cards, hieroglyphs, god and event cards, scarabs.

Names, letters, values and effects come from the catalogue, so that an owner's own gods and events are drawn as well.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engines.catalogue import Catalogue, MissingNumbers, missing
from engines.papyrus.events import Effect, write_effect
from engines.papyrus.numbers import EYE, SOLO, Event, God, Numbers, numbers
from hardware.print.events import picture
from hardware.print.glyphs import scarab
from hardware.print.gods import GROUNDS, bust
from hardware.print.hieroglyphs import sign
from hardware.print.lettering import wrapped, write
from hardware.print.ornaments import (
    INK,
    LINEN,
    PAPER,
    PATTERNS,
    back,
    banner,
    card,
    coin,
    disc,
    outlined,
    ring,
    rounded,
    shade,
    star,
)
from hardware.print.pieces import Piece
from hardware.print.shapes import (
    Area,
    Colour,
    Drawing,
    Point,
    Shape,
    Stroke,
    curve,
    ellipse,
    mirrored,
    moved,
    rectangle,
)

WIDTH, HEIGHT = 63.0, 88.0
"""Ours: the size of a poker card. The published cards' size is not known."""
TILE = 26.0, 32.0
TOKEN = 24.0
CARD, GOD, EVENT, LETTER, SCARAB = "card", "god", "event", "letter", "scarab"
SCARABS = 75


class Look(NamedTuple):
    name: str
    ground: Colour
    deep: Colour
    pattern: str


LOOKS: Mapping[str, Look] = {
    "light": Look("Light", (252, 222, 110), (128, 76, 0), "rays"),
    "dark": Look("Dark", (62, 58, 78), (18, 16, 30), "stars"),
    "nature": Look("Nature", (146, 194, 122), (18, 78, 36), "reeds"),
    "water": Look("Water", (112, 172, 222), (8, 50, 112), "waves"),
    EYE: Look("Eye of Horus", (226, 176, 150), (112, 26, 26), "bricks"),
}


def pieces(catalogue: Catalogue) -> Mapping[str, Piece]:
    """All cards, hieroglyphs by their letter, ``scarab``, and ``back``, ``back-god``, ``back-event``, ``back-letter``, ``back-scarab``.

    A god or event whose name another piece has already is called ``god-...`` or ``event-...``. Events may be missing (nobody needs
    them alone). Raises MissingNumbers when gods or letters are missing or have faults.
    """
    lacking = missing(catalogue, SOLO)
    if lacking:
        raise MissingNumbers(lacking)
    known = numbers(catalogue)
    if known.alone:
        raise MissingNumbers(known.alone)
    found: dict[str, Piece] = {}
    for piece in _all(known):
        found[_free(piece, found)] = piece
    return {
        name: piece
        if name == piece.identity
        else Piece(name, piece.kind, piece.drawing, piece.copies, piece.back)
        for name, piece in found.items()
    }


def _free(piece: Piece, taken: Mapping[str, Piece]) -> str:
    """Its name, or with its kind before it where another piece has that name (also as a file's name, in any case)."""
    names = {name.casefold() for name in taken}
    name = piece.identity
    while name.casefold() in names or (piece.copies and name.casefold().split("-")[0] == "back"):
        name = f"{piece.kind}-{name}"
    return name


def _all(known: Numbers) -> Iterator[Piece]:
    for symbol, copies in known.cards.items():
        if copies:
            yield Piece(symbol, CARD, _movement(symbol), copies)
    for letter, copies in known.letters.items():
        if copies:
            yield Piece(letter, LETTER, _letter(letter), copies, "back-letter")
    yield Piece("scarab", SCARAB, _scarab(), SCARABS, "back-scarab")
    for god in known.gods.values():
        yield Piece(god.id, GOD, _god(god), 1, "back-god")
    for event in known.events.values():
        yield Piece(event.id, EVENT, _event(event), event.copies, "back-event")
    yield Piece("back", CARD, _back((74, 112, 160), "waves", _eye_half()), 0, "")
    yield Piece("back-god", GOD, _back((196, 150, 64), "rays", _ankh_half()), 0, "")
    yield Piece("back-event", EVENT, _back((160, 84, 74), "dots", _star_half()), 0, "")
    yield Piece("back-letter", LETTER, _small_back(*TILE, (176, 140, 92), "lattice"), 0, "")
    yield Piece("back-scarab", SCARAB, _small_back(TOKEN, TOKEN, (112, 150, 134), "scales"), 0, "")


# Movement cards


def _movement(symbol: str) -> Drawing:
    look = LOOKS[symbol]
    light = symbol != "dark"
    content: list[Shape] = [
        *moved(_SCENES[symbol](), WIDTH / 2, 39.0, 1.0),
        *banner(WIDTH / 2, 76.0, 54.0, 5.4, look.name, look.deep),
    ]
    for x in (11.0, WIDTH - 11.0):
        content += [disc(x, 11.0, 6.8, look.deep), disc(x, 11.0, 6.0, PAPER)]
        content += moved(mark(symbol, look.deep), x, 11.0, 0.5)
    return card(
        WIDTH,
        HEIGHT,
        look.ground,
        look.deep,
        content,
        look.pattern,
        shade(look.ground, 0.35 if light else 0.3),
    )


def _light() -> tuple[Shape, ...]:
    deep = LOOKS["light"].deep
    gold: Colour = (246, 168, 34)
    return (
        star(0, 0, 25.0, deep, 16),
        star(0, 0, 23.2, gold, 16),
        disc(0, 0, 14.4, deep),
        disc(0, 0, 13.2, (255, 236, 150)),
        *(Stroke(ellipse(x, -1.6, 2.2, 1.4, 180, 360), 1.2, deep) for x in (-4.8, 4.8)),
        Stroke(ellipse(0, 2.2, 4.6, 4.0, 20, 160), 1.2, deep),
    )


def _dark() -> tuple[Shape, ...]:
    pale: Colour = (236, 228, 196)
    outer = ellipse(0, 0, 22, 22, 40, 320)
    inner = ellipse(8.4, 0, 17.2, 17.2, 306, 54)
    return (
        *outlined((*outer, *inner), pale, (18, 16, 30), 1.2),
        star(12, -3, 5.2, pale),
        star(20, 11, 3.4, pale),
        star(9.6, 11.6, 2.6, pale),
    )


def _nature() -> tuple[Shape, ...]:
    deep = LOOKS["nature"].deep
    trunk = curve(((-1.5, 26), (-2.8, 12), (-0.6, 0), (1.6, -8)), False, 4)
    right = curve(((4.4, -8), (3.0, 1), (1.4, 12), (3.6, 26)), False, 4)
    shapes: list[Shape] = [*outlined((*trunk, *right), (158, 106, 58), INK, 1.2)]
    shapes += [Stroke(((-2.2, y), (2.4, y - 1.4)), 0.8, INK) for y in (21, 15, 9, 3)]
    for end in ((22, -8), (20, 4), (12, -22), (-16, -9), (-15, 4), (-8, -22)):
        x, y = end
        middle = (2 + (x - 2) * 0.52, -9 + (y + 9) * 0.3 - 5)
        under = (2 + (x - 2) * 0.55, -9 + (y + 9) * 0.45 + 1.4)
        leaf = curve(((2.4, -9.4), middle, end, under), True, 5)
        shapes += outlined(leaf, (40, 128, 66), deep, 1.1)
    shapes += [
        part
        for x, y in ((-1.6, -5), (4.6, -4.6), (1.6, -3))
        for part in outlined(ellipse(x, y, 2.4, 2.4), (196, 98, 40), INK, 0.9)
    ]
    ground = curve(((-24, 28), (-12, 24.4), (0, 26), (14, 24.4), (24, 28)), False, 4)
    return (*shapes, Area((*ground, (24, 30), (-24, 30)), deep))


def _water() -> tuple[Shape, ...]:
    deep = LOOKS["water"].deep
    hull = curve(
        (
            (-23, 0),
            (-18, 7),
            (-8, 10.6),
            (8, 10.6),
            (18, 7),
            (24, -3),
            (20.6, -3.6),
            (15, 3.6),
            (-14, 3.6),
            (-20, -1),
        ),
        True,
        4,
    )
    sail = curve(((1.2, -24), (12, -19), (16, -9), (13, 1), (1.2, 0)), True, 4)
    shapes: list[Shape] = [Stroke(((0, -26), (0, 6)), 1.6, INK)]
    shapes += outlined(sail, (250, 244, 228), INK, 1.2)
    shapes += [
        Stroke(((3, -16), (13.6, -13)), 1.6, (206, 62, 46)),
        Stroke(((3, -7), (15, -6)), 1.6, (206, 62, 46)),
    ]
    shapes += outlined(hull, (178, 120, 62), INK, 1.3)
    for row, y in enumerate((14, 20, 26)):
        wave = tuple((-26 + 6.5 * index, y + (2.2 if (index + row) % 2 else -2.2)) for index in range(9))
        shapes += [Stroke(curve(wave, False, 4), 2.6, deep)]
    return tuple(shapes)


def _eye() -> tuple[Shape, ...]:
    deep: Colour = (24, 42, 92)
    lid = curve(((-24, 0), (-12, -9), (2, -11), (14, -6), (24, 0)), False, 5)
    low = curve(((24, 0), (12, 6), (0, 7.4), (-12, 5.4), (-24, 0)), False, 5)
    brow = curve(((-24, -9), (-10, -18), (6, -18), (24, -10)))
    drop = curve(((-2, 8), (-3.4, 15), (-5.4, 24)))
    spiral = curve(((5, 7.4), (9, 15), (15.6, 19), (21, 16), (20, 11), (15.6, 12.6)))
    return (
        *outlined((*lid, *low), PAPER, deep, 2.2),
        disc(0, -2.2, 7.4, deep),
        disc(0, -2.2, 5.0, (70, 140, 190)),
        disc(0, -2.2, 2.6, INK),
        Stroke(brow, 3.6, deep),
        Stroke(drop, 3.4, deep),
        Stroke(spiral, 2.6, deep),
        *(
            star(x, y, 3.0, colour, 4)
            for (x, y), colour in zip(
                ((-20, 20), (-13, 27), (20, 27), (5, 27)),
                ((252, 200, 60), (30, 26, 40), (40, 128, 66), (40, 100, 180)),
                strict=True,
            )
        ),
    )


_SCENES = {"light": _light, "dark": _dark, "nature": _nature, "water": _water, EYE: _eye}


def mark(symbol: str, ink: Colour) -> tuple[Shape, ...]:
    """The symbol for a corner, 18 x 18 mm."""
    if symbol == "light":
        return (star(0, 0, 9, ink, 8),)
    if symbol == "dark":
        return (Area((*ellipse(0, 0, 8.4, 8.4, 40, 320), *ellipse(3.4, 0, 6.6, 6.6, 306, 54)), ink),)
    if symbol == "nature":
        leaf = curve(((0, -8.8), (5.0, -3), (4.2, 3.4), (0, 6.4)), False, 4)
        return (
            Area((*leaf, *reversed(mirrored(leaf, 0))), ink),
            Stroke(((0, 0), (0, 9)), 1.6, ink),
            Stroke(((0, 4), (0, -5)), 1.1, PAPER),
        )
    if symbol == "water":
        return tuple(
            Stroke(tuple((-8 + 4 * index, y + (1.5 if index % 2 else -1.5)) for index in range(5)), 2.0, ink)
            for y in (-5.4, 0, 5.4)
        )
    eye = curve(((-8.8, 0), (0, -5.4), (8.8, 0), (0, 5.4)), True, 4)
    return Stroke(eye, 1.6, ink, closed=True), disc(0, 0, 2.9, ink), Stroke(((-1, 5), (-3, 9)), 1.6, ink)


# Hieroglyphs and scarabs


def _letter(letter: str) -> Drawing:
    """The sign above, the letter below on a dark strip: it cannot be read upside down."""
    w, h = TILE
    deep: Colour = (66, 38, 16)
    content: list[Shape] = [
        *moved(sign(letter, deep, LINEN), w / 2, 11.4, 0.92),
        Area(rectangle(0, 20.8, w, h), deep),
        *write(letter, w / 2, 25.2, 5.8, PAPER, room=w - 6, weight=0.2),
    ]
    return card(w, h, LINEN, deep, content, edge=2.0)


def _scarab() -> Drawing:
    w = TOKEN
    ground, deep = (150, 206, 190), (10, 74, 66)
    content = (ring(w / 2, w / 2, 9.6, 0.8, deep), *moved(scarab(deep, ground), w / 2, w / 2, 0.9))
    return card(w, w, ground, deep, content, edge=2.0)


# Gods


def _god(god: God) -> Drawing:
    code = zlib.crc32(god.id.encode())
    ground, deep = GROUNDS[code % len(GROUNDS)]
    texture = ("plain", "rows", "dots", "lattice", "chevrons", "stars", "scales", "slants")[code // 16 % 8]
    field = _FIELDS[code // 128 % len(_FIELDS)]
    name = god.name
    content: list[Shape] = [
        *outlined(field, shade(ground, 0.7), deep, 0.9),
        *moved(bust(god.id, god.son, deep), WIDTH / 2, 41.6, 1.06),
        *banner(26.0, 10.6, 41.0, 5.0, name, deep),
        *coin(53.4, 11.0, 7.2, str(god.value), deep),
    ]
    content += [Area(rectangle(0, 63.0, WIDTH, HEIGHT), deep)]
    content += _spelled(god.letters, deep)
    content += _home(god, deep)
    return card(WIDTH, HEIGHT, ground, deep, content, texture, shade(ground, -0.24))


_FIELDS: tuple[tuple[Point, ...], ...] = (
    (*ellipse(WIDTH / 2, 41, 25.4, 24, 180, 360), (WIDTH / 2 + 25.4, 64), (WIDTH / 2 - 25.4, 64)),
    rectangle(6.2, 18.4, WIDTH - 12.4, 46),
    ellipse(WIDTH / 2, 41, 26.2, 22.6),
    ((6.2, 64), (6.2, 33), (20, 18), (WIDTH - 20, 18), (WIDTH - 6.2, 33), (WIDTH - 6.2, 64)),
    ((3, 64), (11, 18.4), (WIDTH - 11, 18.4), (WIDTH - 3, 64)),
)
"""Outlines of the light field behind a god."""


def _spelled(letters: tuple[str, ...], deep: Colour) -> tuple[Shape, ...]:
    """The hieroglyphs that form the name, each with its letter."""
    each = min(9.0, (WIDTH - 8.0) / max(1, len(letters)))
    shapes: list[Shape] = []
    for index, letter in enumerate(letters):
        x = WIDTH / 2 + (index - (len(letters) - 1) / 2) * each
        shapes.append(Area(rectangle(x - each / 2 + 0.3, 65.0, each - 0.6, 13.0), PAPER))
        shapes += moved(sign(letter, deep, PAPER), x, 69.0, (each - 1.4) / 19)
        shapes += write(letter, x, 75.4, min(3.0, each * 0.5), deep, room=each - 1.4)
    return tuple(shapes)


def _home(god: God, deep: Colour) -> tuple[Shape, ...]:
    """The pyramid on the board that belongs to the god; a son of Horus says so."""
    pyramid = god.pyramid.replace("-", " ") if god.pyramid != god.id else god.name
    text = f"{pyramid} · son of Horus" if god.son else pyramid
    icon = (Area(((-2.6, 1.7), (0, -2.2), (2.6, 1.7)), PAPER), Stroke(((0, -2.2), (0.8, 1.7)), 0.4, deep))
    return (*moved(icon, 8.4, 81.8), *write(text, WIDTH / 2 + 3, 82.0, 2.9, PAPER, room=WIDTH - 20))


# Events


_GOOD: tuple[tuple[Colour, Colour], ...] = (
    ((246, 224, 168), (110, 58, 0)),
    ((188, 220, 214), (4, 74, 74)),
    ((214, 226, 178), (44, 76, 14)),
    ((206, 216, 240), (24, 48, 108)),
)
_BAD: tuple[tuple[Colour, Colour], ...] = (
    ((178, 108, 96), (84, 14, 16)),
    ((140, 128, 120), (38, 30, 28)),
    ((150, 112, 148), (62, 18, 66)),
    ((182, 132, 84), (78, 36, 4)),
)
"""Ground and deep colour: light for what is welcome, darker for what is not."""


def _event(event: Event) -> Drawing:
    """What happens: bad for the player on a dark ground, good on a light one."""
    code = zlib.crc32(event.id.encode())
    bad = any(_harm(effect) for effect in event.effects)
    ground, deep = (_BAD if bad else _GOOD)[code // 16 % 4]
    texture = tuple(PATTERNS)[code % (len(PATTERNS) - 1)]
    content: list[Shape] = [
        *outlined(rounded(5.4, 19.0, WIDTH - 10.8, 47.0, 5.0), shade(ground, 0.72), deep, 0.9),
        *banner(WIDTH / 2, 11.4, 55.0, 4.6, event.name, deep),
    ]
    shown = event.effects[:3]
    each = 47.0 / max(1, len(shown))
    for index, effect in enumerate(shown):
        y = 19.0 + each * (index + 0.5)
        content += moved(picture(effect, deep, shade(ground, 0.72)), WIDTH / 2, y, min(1.0, each / 42 + 0.06))
        if index:
            content.append(Stroke(((9, 19 + each * index), (WIDTH - 9, 19 + each * index)), 0.6, deep))
    content += [Area(rectangle(0, 68.0, WIDTH, HEIGHT), deep)]
    lines = [line for effect in event.effects for line in _said(effect)]
    size = min(3.5, 15.0 / max(1, len(lines)) / 1.55)
    for index, line in enumerate(lines):
        y = 76.8 + (index - (len(lines) - 1) / 2) * size * 1.6
        content += write(line, WIDTH / 2, y, size, PAPER, room=WIDTH - 9)
    return card(WIDTH, HEIGHT, ground, deep, content, texture, shade(ground, -0.22))


def _said(effect: Effect) -> tuple[str, ...]:
    return wrapped(
        write_effect(effect).replace("-", " ") if effect.where else write_effect(effect), 3.5, WIDTH - 9
    )


def _harm(effect: Effect) -> bool:
    return effect.verb in ("lose", "skip") or (effect.verb == "points" and effect.n < 0)


# Backs


def _back(ground: Colour, pattern: str, half: tuple[Shape, ...]) -> Drawing:
    return back(WIDTH, HEIGHT, ground, shade(ground, -0.62), pattern, half, 20.0)


def _small_back(width: float, height: float, ground: Colour, pattern: str) -> Drawing:
    return card(width, height, ground, shade(ground, -0.6), (), pattern, shade(ground, -0.3), edge=1.2)


def _eye_half() -> tuple[Shape, ...]:
    return moved(mark(EYE, (20, 40, 80)), 0, -9.4, 0.9)


def _ankh_half() -> tuple[Shape, ...]:
    from hardware.print.glyphs import ankh

    return moved(ankh((84, 52, 8), (240, 226, 190)), 0, -9.6, 0.9)


def _star_half() -> tuple[Shape, ...]:
    return tuple(
        star(11 * math.sin(angle), -11 * math.cos(angle), 4.2, (92, 24, 18)) for angle in (-1.0, 0.0, 1.0)
    )
