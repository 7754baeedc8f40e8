"""Moves and reveals in words: ``take 2``, ``draw``, ``reveal white``."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Move, Step
from engines.pebbles.moves import Colour, Draw, Take
from engines.pebbles.state import COLOURS


def format(step: Step, names: Sequence[str] = ()) -> str:
    """The step in the record's words, without the name of who moves. Raises TypeError for a step of another game."""
    match step:
        case Take(number=number):
            return f"take {number}"
        case Draw():
            return "draw"
        case Colour(colour=colour):
            return f"{'correct' if step.correction else 'reveal'} {colour}"
    raise TypeError(f"{step!r} is no step of Pebbles")


def parse(text: str, player: int, names: Sequence[str] = ()) -> Step:
    """The inverse of ``format``. Raises ValueError with a sentence that says what to write."""
    match text.split(" "):
        case ["take", number] if number.isascii() and number.isdigit() and str(int(number[:3])) == number:
            return Take(player, int(number))
        case ["draw"]:
            return Draw(player)
        case ["reveal" | "correct" as verb, colour] if colour in COLOURS:
            return Colour(colour, correction=verb == "correct")
    raise ValueError(f"'{text}' is no step of Pebbles: write take 2, draw, reveal white or reveal black")


def phrase(move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
    """The move for the display: (verb, object)."""
    match move:
        case Take(number=number):
            return "takes", f"{number} pebble{'s' if number != 1 else ''}"
        case Draw():
            return "draws", "a pebble"
    raise TypeError(f"{move!r} is no move of Pebbles")
