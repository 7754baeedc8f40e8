"""Moves and reveals in words: for the record, and for the display.

=====================================  =============================================================
``take falcon-7``                      takes a tile
``explorer snake-7 right 2``           slides a tile; a take follows
``excavator ankh-3``                   removes a tile; a take follows
``excavator nothing``                  the card was put away and nothing removed; or ``explorer nothing right 0`` (never legal)
``expert``                             declares the Expert; two takes follow
``shift snake-7 b3-b4``                a crooked slide (never legal): where number half and sign half ended
``reveal b3-b4 falcon-7``              the dig shows: number half on b3, sign half on b4; ``?-7``, ``falcon-?``: one half
``reveal heights 44443333444422224444``  layers on each cell, row by row
``correct ...``                        as reveal, in place of what an earlier reveal said
=====================================  =============================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from engines.game import Move, Reveal, Step
from engines.tanis.dig import STEP, cell_name, parse_cell
from engines.tanis.knowledge import ORDER, title
from engines.tanis.moves import Direction, Excavator, Expert, Explorer, Heights, Shift, Take, Uncovered
from engines.tanis.state import COLUMNS, NUMBERS, ROWS, SIGNS
from engines.words import forms_like

if TYPE_CHECKING:
    from engines.table import Cell

NOTHING = "nothing"
"""In place of a tile: a card was put away and did nothing (never legal)."""
FORMS = "take TILE, explorer TILE left|right|up|down UNITS, excavator TILE, expert, shift TILE a1-a2"


def _cells(one: Cell, other: Cell) -> str:
    return f"{cell_name(one)}-{cell_name(other)}"


def format(step: Step, names: Sequence[str] = ()) -> str:
    """The step in the record's words, without the player's name (no move of Tanis names another). Raises TypeError for a step of another game."""
    match step:
        case Take(tile=tile):
            return f"take {tile}"
        case Explorer(tile=tile, direction=direction, steps=steps):
            return f"explorer {tile or NOTHING} {direction} {steps}"
        case Excavator(tile=tile):
            return f"excavator {tile or NOTHING}"
        case Expert():
            return "expert"
        case Shift(tile=tile, number_cell=one, sign_cell=other):
            return f"shift {tile} {_cells(one, other)}"
        case Uncovered(number_cell=one, sign_cell=other, number=number, sign=sign):
            verb = "correct" if step.correction else "reveal"
            shows = f"{sign or '?'}-{number or '?'}"
            return f"{verb} {_cells(one, other)} {shows}"
        case Heights(heights=heights):
            verb = "correct" if step.correction else "reveal"
            return f"{verb} heights {''.join(map(str, heights))}"
    raise TypeError(f"{step!r} is no step of Tanis")


def _tile(text: str) -> str:
    if text not in ORDER:
        raise ValueError(f"'{text}' is no tile: write sign-number, like falcon-7")
    return text


def _pair(text: str) -> tuple[Cell, Cell]:
    one, dash, other = text.partition("-")
    if not dash:
        raise ValueError(f"'{text}' is no place for a tile: write two cells, like b3-b4")
    return parse_cell(one), parse_cell(other)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or text != str(int(text)):
        raise ValueError(f"'{text}' is no number: write units like 2")
    return int(text)


def _parse_reveal(words: list[str]) -> Reveal:
    correction = words[0] == "correct"
    if len(words) != 3:
        raise ValueError("a reveal is written: reveal b3-b4 falcon-7, or reveal heights and 20 digits")
    if words[1] == "heights":
        digits = words[2]
        if len(digits) != COLUMNS * ROWS or any(digit not in "01234" for digit in digits):
            raise ValueError(f"'{digits}' are no heights: write 20 digits 0-4, row by row")
        return Heights(tuple(map(int, digits)), correction=correction)
    one, other = _pair(words[1])
    sign, dash, number = words[2].rpartition("-")
    if not dash or sign not in (*SIGNS, "?") or number not in (*map(str, NUMBERS), "?"):
        raise ValueError(f"'{words[2]}' is nothing a tile shows: write falcon-7, falcon-? or ?-7")
    return Uncovered(
        one,
        other,
        None if number == "?" else int(number),
        None if sign == "?" else sign,
        correction=correction,
    )


def parse(text: str, player: int, names: Sequence[str] = ()) -> Step:
    """The inverse of ``format``. Raises ValueError with a sentence that says what to write."""
    words = text.split(" ")
    match words:
        case ["take", tile]:
            return Take(player, _tile(tile))
        case ["explorer", "nothing", "right", "0"]:
            return Explorer(player, "", "right", 0)
        case ["explorer", tile, direction, steps]:
            if direction not in STEP:
                raise ValueError(f"'{direction}' is no direction: write left, right, up or down")
            return Explorer(player, _tile(tile), cast("Direction", direction), _whole(steps))
        case ["excavator", "nothing"]:
            return Excavator(player, "")
        case ["excavator", tile]:
            return Excavator(player, _tile(tile))
        case ["expert"]:
            return Expert(player)
        case ["shift", tile, place]:
            return Shift(player, _tile(tile), *_pair(place))
        case ["reveal" | "correct", *_]:
            return _parse_reveal(words)
    raise ValueError(f"'{text}' is no move of Tanis: write {forms_like(text, FORMS)}")


def phrase(move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
    """The move for the display: (verb, object)."""
    match move:
        case Take(tile=tile):
            return "takes", title(tile)
        case Explorer(tile="") | Excavator(tile=""):
            return "plays", type(move).__name__
        case Explorer(tile=tile, direction=direction, steps=steps):
            return "Explorer", f"{title(tile)} {direction} {steps}" if steps else f"{title(tile)} stays"
        case Excavator(tile=tile):
            return "excavates", title(tile)
        case Expert():
            return "plays", "Expert"
        case Shift(tile=tile):
            return "moves", f"{title(tile)} askew"
    raise TypeError(f"{move!r} is no move of Tanis")
