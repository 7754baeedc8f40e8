"""From tables to moves: the zones on the mat, and which moves explain a change."""

from __future__ import annotations

from engines.game import Options
from engines.table import Face, Kind, Layout, Zone
from engines.tanis.state import COLUMNS, LEVELS, NUMBERS, ROWS, SIGNS

TILE = Kind("tile", width=22.0, height=44.0, thickness=4.0, parts=("number", "sign"))
CARD = Kind("card", width=32.0, height=48.0, thickness=0.4)
COLOURS = ("blue", "red")
"""The two sets of action cards: seat 0 plays blue, seat 1 red."""
CARDS = {"explorer": 3, "excavator": 2, "expert": 1}

ZONES = (
    Zone("tiles-1", 16, 56, 226, 232, ("tile",), label="tiles"),
    Zone("cards-1", 16, 294, 226, 60, ("card",), label="cards"),
    Zone("tiles-2", 352, 56, 226, 232, ("tile",), label="tiles"),
    Zone("cards-2", 352, 294, 226, 60, ("card",), label="cards"),
    Zone(
        "dig",
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
    Zone("removed", 248, 276, 98, 78, ("tile",), label="removed"),
)


def layout(players: int, options: Options) -> Layout:
    """The Tanis mat (A2, landscape): a player's tiles and cards at the left and right, the dig in the middle."""
    tiles = tuple(
        Face(f"{sign}-{number}", "tile", (str(number), sign)) for sign in SIGNS for number in NUMBERS
    )
    cards = tuple(
        Face(f"{colour}-{card}", "card", (f"{colour}-{card}",), copies)
        for colour in COLOURS
        for card, copies in CARDS.items()
    )
    return Layout("tanis", 594.0, 420.0, (TILE, CARD), ZONES, tiles + cards)
