"""The Tanis mat: its zones, its pieces, and where in millimetres a tile of the dig lies.

The numbers of the mat stand here and nowhere else; ``engines.tanis.reading`` offers them to the rest of the house.
"""

from __future__ import annotations

from engines.catalogue import Catalogue
from engines.game import Options
from engines.table import Cell, Face, Kind, Layout, Zone
from engines.tanis.state import COLUMNS, LEVELS, NUMBERS, ROWS, SIGNS

TILE = Kind("tile", width=22.0, height=44.0, thickness=4.0, parts=("number", "sign"))
CARD = Kind("card", width=32.0, height=48.0, thickness=0.4)
COLOURS = ("blue", "red")
"""The two sets of action cards: seat 0 plays blue, seat 1 red."""
CARDS = {"explorer": 3, "excavator": 2, "expert": 1}
TILE_ZONES = ("tiles-1", "tiles-2")
CARD_ZONES = ("cards-1", "cards-2")
DIG, REMOVED = "dig", "removed"
PILE_ZONES = (*TILE_ZONES, REMOVED)
"""Where a tile goes that leaves the dig: seat 0's tiles, seat 1's tiles, out of the game."""

ZONES = (
    Zone("tiles-1", 16, 56, 218, 232, ("tile",), label="tiles"),
    Zone("cards-1", 16, 294, 226, 60, ("card",), label="cards"),
    Zone("tiles-2", 360, 56, 218, 232, ("tile",), label="tiles"),
    Zone("cards-2", 352, 294, 226, 60, ("card",), label="cards"),
    Zone(
        DIG,
        237,
        112,
        120,
        140,
        ("tile",),
        "stack",
        COLUMNS,
        ROWS,
        LEVELS,
        cell=22.0,
        wall=20.0,
        label="dig",
    ),
    Zone(REMOVED, 248, 276, 98, 78, ("tile",), label="removed"),
)
_ZONE = {zone.name: zone for zone in ZONES}

_TURNS = {(0, 1): 0.0, (-1, 0): 90.0, (0, -1): 180.0, (1, 0): 270.0}
"""Turn of a tile by the step from its number cell to its sign cell (the number half is the top)."""


def layout(players: int, options: Options, catalogue: Catalogue | None = None) -> Layout:
    """The Tanis mat (A2, landscape): a player's tiles and cards at the left and right, the dig in the middle. It is the same for all
    numbers."""
    tiles = tuple(
        Face(f"{sign}-{number}", "tile", (str(number), sign)) for sign in SIGNS for number in NUMBERS
    )
    cards = tuple(
        Face(f"{colour}-{card}", "card", (f"{colour}-{card}",), copies)
        for colour in COLOURS
        for card, copies in CARDS.items()
    )
    return Layout("tanis", 594.0, 420.0, (TILE, CARD), ZONES, tiles + cards)


def centre(zone: str) -> tuple[float, float]:
    """The middle of a zone in mm."""
    area = _ZONE[zone]
    return area.x + area.width / 2, area.y + area.height / 2


def pose(number_cell: Cell, sign_cell: Cell) -> tuple[float, float, float]:
    """Where a tile of the dig lies when the box stands in the middle of its zone: (x mm, y mm, turn degrees).

    Raises KeyError when the cells are not neighbours.
    """
    box = _ZONE[DIG]
    left = box.x + (box.width - COLUMNS * box.cell) / 2
    top = box.y + (box.height - ROWS * box.cell) / 2
    (a, b), (c, d) = number_cell, sign_cell
    return (
        left + (a + c + 1) / 2 * box.cell,
        top + (b + d + 1) / 2 * box.cell,
        _TURNS[c - a, d - b],
    )


def inside(number_cell: Cell, sign_cell: Cell) -> bool:
    """Whether both cells lie in the box and side by side."""
    (a, b), (c, d) = number_cell, sign_cell
    return (c - a, d - b) in _TURNS and all(
        0 <= column < COLUMNS and 0 <= row < ROWS for column, row in (number_cell, sign_cell)
    )


def cell_text(cell: Cell) -> str:
    """A cell as people write it: column letter, row number ("b3")."""
    return "abcdefgh"[cell[0]] + str(cell[1] + 1)
