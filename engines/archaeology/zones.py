"""The table of Archaeology: its zones and its cards, in mm.

Cards of the marketplace, sold sets and discards lie in rows, each over the right part of the one before. A set that is confirmed may be gathered onto
its owner's pile, discards onto theirs: of a pile nobody need read more than that it is there. Two players fit on a mat (A2); more of them, and the Buried Ruins, lie on a
table of their own size with loose corners.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from engines.archaeology.numbers import faces as played
from engines.catalogue import Catalogue, shipped
from engines.game import Options
from engines.table import Face, Kind, Layout, Zone

CARD = Kind("card", width=63.0, height=88.0, thickness=0.3)
TENT_CARD = Kind("tent", width=63.0, height=88.0, thickness=0.3)
BACK, TENT, THIEF, SANDSTORM = "back", "tent", "thief", "sandstorm"
DISCARD, SPENT, FOUND, SITE, REST = "discards", "spent", "found", "site", "rest"
"""Discards in a row and the pile they are put onto; what is drawn from a monument face up; the dig site; the pile beside the Buried Ruins."""
RUINS = "buried-ruins"
FACE_UP = ("mine", "sphinx")
"""Monuments whose cards are drawn face up."""

_WIDE, _TALL = 231.0, 94.0
"""A cell of the table: a row of nine cards that overlap, or three piles."""
_THIRD = 77.0
_LONG = 166.0
"""A row of six cards; what is left of a cell beside it has room for a pile."""
_SLACK = 3.0
"""mm by which hands lay the cards of a row further apart than they need."""
_MAT = (594.0, 420.0)
_MARGIN = 40.0

Cell = tuple[float, float]
"""Top left corner."""
Form = Literal["row", "pile"]


def sold(seat: int) -> str:
    """The row in which a player lays what is sold."""
    return f"sold-{seat + 1}"


def museum(seat: int) -> str:
    """The pile of a player's sets that are confirmed."""
    return f"museum-{seat + 1}"


def tent(seat: int) -> str:
    return f"tent-{seat + 1}"


def chamber(number: int) -> str:
    """A chamber of the monument, from 1."""
    return f"chamber-{number}"


def markets(players: int) -> tuple[str, ...]:
    """The rows of the marketplace, to be filled in any order."""
    return tuple(f"market-{number}" for number in range(1, 4 if players < 4 else 5))


def layout(players: int, options: Options, catalogue: Catalogue | None = None) -> Layout:
    """The table for so many players and this monument; larger than A2, and ``loose``, where a mat has no room for it."""
    catalogue = shipped("archaeology") if catalogue is None else catalogue
    return _laid_out(players, options.get("monument", "great-pyramid"), catalogue)


@lru_cache(maxsize=16)
def _laid_out(players: int, monument: str, catalogue: Catalogue) -> Layout:
    chambers = len(catalogue[f"monuments.{monument}.chambers"])
    small = (SITE, *((REST,) if monument == RUINS else ()), *map(tent, range(players)))
    threes = [small[at : at + 3] for at in range(0, len(small), 3)]
    tall = monument == RUINS
    needed = len(markets(players)) + (2 if tall else 1) + 1 + len(threes) + players
    loose = needed > 8
    cells = _cells(needed, len(markets(players)) if tall else None) if loose else _on_mat()
    zones: list[Zone] = []
    for number, name in enumerate(markets(players), 1):
        zones.append(_zone(name, next(cells), label=f"market {number}"))
    zones += _monument(monument, chambers, next(cells))
    at = next(cells)
    zones.append(_zone(DISCARD, at, _LONG, label="discards"))
    zones.append(_zone(SPENT, at, _WIDE - _LONG, "pile", _LONG, label="old ones"))
    for names in threes:
        at = next(cells)
        zones += [
            _zone(name, at, _THIRD - 3, "pile", _THIRD * place, kind=_kind(name), label=_label(name))
            for place, name in enumerate(names)
        ]
    for seat in range(players):
        at = next(cells)
        zones.append(_zone(sold(seat), at, _LONG, label=f"sold {seat + 1}"))
        zones.append(_zone(museum(seat), at, _WIDE - _LONG, "pile", _LONG, label=f"museum {seat + 1}"))
    width, height = _MAT
    if loose:
        width, height = (
            max(zone.x + zone.width for zone in zones) + _MARGIN,
            max(zone.y + zone.height for zone in zones) + _MARGIN,
        )
    return Layout(
        "archaeology", width, height, (CARD, TENT_CARD), tuple(zones), faces(players, catalogue), loose=loose
    )


def _on_mat() -> Iterator[Cell]:
    """Four rows of two cells, between the markers of a mat."""
    for row in range(4):
        for column in range(2):
            yield 48.0 + 267.0 * column, 16.0 + 97.5 * row


def _cells(needed: int, tall: int | None) -> Iterator[Cell]:
    """Rows of three cells. ``tall``: which of them (from 0) goes on into the one below; it is at the right, in the second row."""
    rows = -(-needed // 3)
    free = [(column, row) for row in range(rows) for column in range(3)]
    if tall is not None:
        free = [cell for cell in free if cell not in ((2, 1), (2, 2))]
        free.insert(tall, (2, 1))
    for column, row in free:
        yield _MARGIN + 239.0 * column, _MARGIN + 98.0 * row


def _monument(monument: str, chambers: int, at: Cell) -> list[Zone]:
    """The chambers; piles beside a row for what is drawn, where a monument has one chamber."""
    if monument in FACE_UP:
        return [
            _zone(FOUND, at, _LONG, label="drawn"),
            _zone(chamber(1), at, _WIDE - _LONG, "pile", _LONG, label="chamber"),
        ]
    wide = _WIDE / max(3, chambers)
    form: Form = "row" if monument == RUINS else "pile"
    found = []
    for number in range(1, chambers + 1):
        zone = _zone(chamber(number), at, wide - 3, form, wide * (number - 1), label=f"chamber {number}")
        found.append(zone)
    if monument != RUINS:
        return found
    return [
        Zone(one.name, one.x, one.y, one.width, _TALL + 98.0, one.kinds, "row", label=one.label)
        for one in found
    ]


def _zone(
    name: str,
    at: Cell,
    width: float = _WIDE,
    form: Form = "row",
    right: float = 0.0,
    kind: str = "card",
    label: str = "",
) -> Zone:
    return Zone(name, at[0] + right, at[1], width, _TALL, (kind,), form, label=label)


def _kind(name: str) -> str:
    return TENT_CARD.name if name.startswith("tent-") else CARD.name


def _label(name: str) -> str:
    named = {SITE: "dig site", REST: "ruins pile"}
    return named.get(name, name.replace("-", " "))


def faces(players: int, catalogue: Catalogue) -> tuple[Face, ...]:
    """The treasures in play, Thieves, Sandstorms and Tents, and the back that the cards share."""
    copies = {face: int(catalogue[f"treasures.{face}.copies"]) for face in played(players)}
    copies |= {THIEF: int(catalogue["box.thieves"]), SANDSTORM: int(catalogue["box.sandstorms"])}
    return (
        *(Face(face, CARD.name, (face,), number) for face, number in copies.items()),
        Face(BACK, CARD.name, (BACK,), sum(copies.values())),
        Face(TENT, TENT_CARD.name, (TENT,), int(catalogue["box.tents"])),
    )


def room(zone: Zone) -> int:
    """How many cards a row has room for when of each so much shows that it can be read."""
    along = max(zone.width - CARD.width, zone.height - CARD.height) - 4 - _SLACK
    return int(along // STRIP) + 1


STRIP = 19.0
"""mm of a card that show at least in a row."""
