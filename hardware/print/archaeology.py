"""Our own cards of Archaeology: treasures with their values and prices, Thief, Sandstorm, Tent, and the six monuments.

Every number on them comes from the catalogue. Each kind has its own picture, pattern and name; colour only helps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engines.archaeology.numbers import FACES, MONUMENTS, SEATS
from engines.catalogue import Catalogue, MissingNumbers, missing
from hardware.print.lettering import figures, wrapped, write
from hardware.print.monuments import SCENES
from hardware.print.ornaments import (
    INK,
    PAPER,
    back,
    banner,
    card,
    coin,
    disc,
    outlined,
    plate,
    rounded,
    shade,
)
from hardware.print.pieces import Piece
from hardware.print.shapes import Area, Colour, Drawing, Shape, Stroke, moved, rectangle
from hardware.print.treasures import FINDS

WIDTH, HEIGHT = 63.0, 88.0
"""Ours: the size of a poker card. The published cards' size is not known."""
WIDE = 126.0
"""Width of a monument: two cards side by side."""
CARD, MONUMENT, TENT = "card", "monument", "tent"


class Look(NamedTuple):
    name: str
    ground: Colour
    deep: Colour
    pattern: str


LOOKS: Mapping[str, Look] = {
    "shard": Look("Pot Shard", (238, 196, 160), (122, 50, 16), "chevrons"),
    "scrap": Look("Parchment Scrap", (214, 184, 118), (92, 58, 8), "rows"),
    "coin": Look("Coin", (160, 190, 214), (20, 56, 92), "dots"),
    "cup": Look("Broken Cup", (244, 224, 150), (18, 84, 72), "scales"),
    "talisman": Look("Talisman", (194, 174, 220), (70, 34, 110), "stars"),
    "map": Look("Map", (170, 200, 140), (40, 84, 20), "lattice"),
    "mask": Look("Pharaoh's Mask", (222, 118, 92), (110, 20, 20), "rays"),
    "tablet": Look("Broken Tablet", (122, 156, 178), (26, 46, 66), "bricks"),
    "pendant": Look("Broken Pendant", (240, 178, 188), (122, 14, 56), "reeds"),
    "thief": Look("Thief", (104, 98, 132), (30, 26, 52), "slants"),
    "sandstorm": Look("Sandstorm", (246, 226, 178), (116, 66, 10), "waves"),
    "tent": Look("Tent", (44, 66, 120), (16, 26, 60), "stars"),
}
MONUMENT_NAMES: Mapping[str, str] = {
    "great-pyramid": "Great Pyramid",
    "temple": "Temple",
    "tomb": "Tomb",
    "mine": "Mine",
    "sphinx": "Sphinx",
    "buried-ruins": "Buried Ruins",
}


def pieces(catalogue: Catalogue) -> Mapping[str, Piece]:
    """All cards and monuments, ``back`` of the cards, ``back-tent`` and ``back-monument``.

    Raises MissingNumbers when trading values or prices are not known.
    """
    needed = [f"treasures.{face}.{what}" for face in FACES for what in ("trade", "sell")]
    lacking = missing(catalogue, needed)
    if lacking:
        raise MissingNumbers(lacking)
    found: dict[str, Piece] = {}
    for face in FACES:
        copies = catalogue[f"treasures.{face}.copies"]
        trade, prices = catalogue[f"treasures.{face}.trade"], tuple(catalogue[f"treasures.{face}.sell"])
        found[face] = Piece(face, CARD, _treasure(face, trade, prices, copies), copies)
    for face, path, words in (
        ("thief", "thieves", "Steal a card from a player"),
        ("sandstorm", "sandstorms", "All lose half their cards"),
    ):
        counts = {seats: catalogue[f"{path}.{seats}"] for seats in SEATS}
        found[face] = Piece(face, CARD, _event(face, words, counts), catalogue[f"box.{path}"])
    found["tent"] = Piece("tent", TENT, _tent(), catalogue["box.tents"], "back-tent")
    for name in MONUMENTS:
        found[name] = Piece(name, MONUMENT, _monument(name, catalogue), 1, "back-monument")
    found["back"] = Piece("back", CARD, _back(WIDTH, "shard", (186, 126, 72), "lattice"), 0, "")
    found["back-tent"] = Piece("back-tent", TENT, _back(WIDTH, "tent", (92, 116, 164), "stars"), 0, "")
    found["back-monument"] = Piece(
        "back-monument", MONUMENT, _back(WIDE, "map", (150, 160, 110), "bricks"), 0, ""
    )
    return found


def _picture(
    face: str, look: Look, top: float, high: float, scale: float = 1.0, sink: float = 0.0
) -> tuple[Shape, ...]:
    """The find on a light field with the top right and left cut round."""
    field = rounded(6.4, top, WIDTH - 12.8, high, 9.0)
    return (
        *outlined(field, shade(look.ground, 0.72), look.deep, 0.9),
        *moved(FINDS[face](), WIDTH / 2, top + high / 2 + sink, scale),
    )


def _treasure(face: str, trade: int, prices: tuple[int, ...], copies: int) -> Drawing:
    look = LOOKS[face]
    content: list[Shape] = [
        *_picture(face, look, 8.4, 47.0, 1.02, 2.4),
        *coin(11.4, 11.4, 7.0, str(trade), look.deep),
        *coin(WIDTH - 11.4, 11.4, 7.0, str(trade), look.deep),
        *banner(WIDTH / 2, 59.2, 55.0, 4.2, look.name, look.deep),
        *_rarity(copies, look),
        *_prices(prices, look),
    ]
    return card(WIDTH, HEIGHT, look.ground, look.deep, content, look.pattern, shade(look.ground, -0.16))


def _rarity(copies: int, look: Look) -> tuple[Shape, ...]:
    """How many there are, on a small tab above the picture."""
    x, y = WIDTH / 2, 8.0
    return (
        *plate(x - 6.4, y - 3.2, 12.8, 6.4, look.deep, radius=3.2),
        *write(f"{copies}×", x, y, 3.2, look.deep),
    )


def _prices(prices: tuple[int, ...], look: Look) -> tuple[Shape, ...]:
    """What a set of 1, 2, 3 ... sells for: one box each, the number of cards above the price."""
    room, top, low = WIDTH - 9.6, 65.6, 84.4
    each = min(14.0, room / max(1, len(prices)))
    left = WIDTH / 2 - each * len(prices) / 2
    shapes: list[Shape] = []
    for index, price in enumerate(prices):
        x = left + each * index
        best = index == len(prices) - 1
        fill = look.deep if best else PAPER
        ink = PAPER if best else look.deep
        shapes += outlined(rectangle(x + 0.5, top, each - 1.0, low - top), fill, look.deep, 0.7)
        shapes += [Area(rectangle(x + 0.5, top, each - 1.0, 6.0), shade(look.deep, 0.2 if best else 0.12))]
        shapes += write(str(index + 1), x + each / 2, top + 3.0, 3.4, PAPER)
        shapes += figures(str(price), x + each / 2, top + 12.6, 8.0, ink, room=each - 2.2)
    return tuple(shapes)


def _event(face: str, words: str, counts: Mapping[int, int]) -> Drawing:
    """Thief and Sandstorm: what happens, and how many take part by number of players."""
    look = LOOKS[face]
    content: list[Shape] = [
        *_picture(face, look, 5.6, 49.8, 1.16),
        *banner(WIDTH / 2, 59.2, 55.0, 4.6, look.name, look.deep),
    ]
    content += [Area(rectangle(0, 65.4, WIDTH, HEIGHT - 65.4), look.deep)]
    content += write(words, WIDTH / 2, 69.4, 2.6, PAPER, room=WIDTH - 9)
    each = 13.4
    for index, (seats, number) in enumerate(counts.items()):
        x = WIDTH / 2 + (index - (len(counts) - 1) / 2) * each
        content += plate(x - each / 2 + 0.6, 73.0, each - 1.2, 11.4, look.deep)
        content += [*_pawn(x - 3.2, 76.0, look.deep), *write(str(seats), x + 0.4, 75.8, 2.7, look.deep)]
        content += figures(str(number), x + 1.4, 81.0, 4.2, look.deep, room=each - 6)
    return card(WIDTH, HEIGHT, look.ground, look.deep, content, look.pattern, shade(look.ground, -0.14))


def _pawn(x: float, y: float, ink: Colour) -> tuple[Shape, ...]:
    return disc(x, y - 1.0, 1.0, ink), Area(
        ((x - 1.5, y + 1.8), (x - 0.6, y - 0.6), (x + 0.6, y - 0.6), (x + 1.5, y + 1.8)), ink
    )


def _tent() -> Drawing:
    look = LOOKS["tent"]
    content: list[Shape] = [
        disc(49, 15, 6.6, (246, 236, 190)),
        disc(51.8, 13.2, 5.8, look.ground),
        Area(rectangle(0, 62, WIDTH, HEIGHT), (222, 184, 112)),
        Stroke(((0, 62), (WIDTH, 62)), 1.0, look.deep),
        *moved(FINDS["tent"](), WIDTH / 2, 44.0, 1.24),
        *banner(WIDTH / 2, 72.0, 46.0, 5.2, look.name, look.deep),
        *write("Shelters from one storm", WIDTH / 2, 81.2, 2.6, look.deep, room=WIDTH - 9),
    ]
    return card(WIDTH, HEIGHT, look.ground, look.deep, content, look.pattern, shade(look.ground, 0.6))


def _monument(name: str, catalogue: Catalogue) -> Drawing:
    """A scene at the left; at the right the chambers: how many cards each holds, and the maps that it costs."""
    scene = SCENES[name]
    chambers = tuple(catalogue[f"monuments.{name}.chambers"])
    maps = tuple(catalogue[f"monuments.{name}.maps"])
    deep = scene.deep
    split = 76.0
    content: list[Shape] = [*moved(scene.draw(), 39.2, 50.0)]
    content += [
        Area(rectangle(split, 0, WIDE - split, HEIGHT), PAPER),
        Stroke(((split, 0), (split, HEIGHT)), 0.9, deep),
    ]
    each = min(24.0, 78.0 / max(1, len(chambers)))
    middle = HEIGHT / 2
    for index, size in enumerate(chambers):
        y = middle + (index - (len(chambers) - 1) / 2) * each
        cost = maps[index] if index < len(maps) else 1
        radius = min(10.4, each * 0.44)
        content += [disc(split + 13.2, y, radius, deep), disc(split + 13.2, y, radius - 1.2, (176, 122, 70))]
        content += figures(str(size), split + 13.2, y, radius * 1.0, PAPER, room=radius * 1.5)
        step = min(5.4, 12.0 / max(cost, 1))
        for number in range(cost):
            x = split + 32.0 + number * step
            content += moved(FINDS["map"](), x, y, 0.3)
    content += banner(39.2, 12.6, 62.0, 5.4, MONUMENT_NAMES[name], deep)
    rule = scene.rule.format(**_words(name, catalogue))
    if rule:
        lines = wrapped(rule, 3.0, 64.0)
        for index, line in enumerate(lines):
            y = 80.6 - (len(lines) - 1 - index) * 4.8
            content += write(line, 39.2, y, 2.9, PAPER if scene.dark else deep, room=66.0)
    return card(WIDE, HEIGHT, scene.ground, deep, content, scene.pattern, shade(scene.ground, 0.25))


def _words(name: str, catalogue: Catalogue) -> Mapping[str, int]:
    prefix = f"monuments.{name}."
    return {
        path.removeprefix(prefix): number.value
        for path, number in catalogue.numbers.items()
        if path.startswith(prefix) and isinstance(number.value, int)
    }


def _back(width: float, find: str, ground: Colour, pattern: str) -> Drawing:
    half = (*moved(FINDS[find](), 0, -10.4, 0.42),)
    return back(width, HEIGHT, ground, INK, pattern, half, 21.0)
