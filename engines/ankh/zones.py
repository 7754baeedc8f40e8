"""The Ankh mat: its zones and its cards, in mm.

A card that is played goes into its player's row, each over the right part of the one before, or onto the papyri. What is sacrificed is
laid side by side in a place of its own (of a papyrus in a fan only part of the wishes shows) and then put on the discard pile, of which
nobody need read more than that it is there.
"""

from __future__ import annotations

from engines.ankh.cards import COLOURS, VALUES, is_papyrus
from engines.catalogue import Catalogue, shipped
from engines.game import Options
from engines.table import Face, Kind, Layout, Zone

CARD = Kind("card", width=63.0, height=88.0, thickness=0.3)
BACK = "back"
PAPYRI, SACRIFICED, DISCARD, PILE = "papyri", "sacrifice", "discard", "pile"
COPIES = 9
"""More of one card than this are in no deck, however its owner counts."""

_TALL = 100.0
_ROWS = ((16.0, 56.0), (378.0, 56.0), (16.0, 160.0), (378.0, 160.0), (16.0, 264.0))
"""Top left corners of the rows, by seat."""


def row(seat: int) -> str:
    """The zone of a player's row."""
    return f"row-{seat + 1}"


def layout(players: int, options: Options, catalogue: Catalogue | None = None) -> Layout:
    """The Ankh mat (A2, landscape): rows at both sides, the papyri and what is sacrificed between them, the piles at the lower right."""
    rows = tuple(
        Zone(row(seat), x, y, 200.0, _TALL, ("card",), "row", label=f"row {seat + 1}")
        for seat, (x, y) in enumerate(_ROWS[:players])
    )
    zones = (
        *rows,
        Zone(PAPYRI, 222.0, 56.0, 150.0, _TALL, ("card",), "pile", label="papyri"),
        Zone(SACRIFICED, 222.0, 160.0, 150.0, 204.0, ("card",), "free", label="sacrifice"),
        Zone(DISCARD, 378.0, 264.0, 98.0, _TALL, ("card",), "pile", label="discards"),
        Zone(PILE, 480.0, 264.0, 98.0, _TALL, ("card",), "pile", label="draw pile"),
    )
    return Layout("ankh", 594.0, 420.0, (CARD,), zones, faces(catalogue))


def faces(catalogue: Catalogue | None = None) -> tuple[Face, ...]:
    """Every card of the catalogue (None: the shipped one), and the back they share."""
    catalogue = shipped("ankh") if catalogue is None else catalogue
    mummies = {
        f"{colour}-{value}": number if number and catalogue.verified(f"mummies.{colour}") else COPIES
        for colour in COLOURS
        for value, number in zip(VALUES, catalogue[f"mummies.{colour}"], strict=True)
    }
    papyri = {card: catalogue["papyri.cards"].count(card) for card in catalogue["papyri.cards"]}
    known = {**mummies, **papyri}
    assert all(is_papyrus(card) for card in papyri)
    return (
        *(Face(card, "card", (card,), copies) for card, copies in known.items()),
        Face(BACK, "card", (BACK,), sum(known.values())),
    )
