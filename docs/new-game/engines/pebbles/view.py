"""What lies open in a game of Pebbles, in words: for whoever plays without a table."""

from __future__ import annotations

from collections.abc import Sequence

from engines.pebbles.state import PebblesState
from engines.words import write_seat


def lines(state: PebblesState, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The heap, and what each player has."""
    return (
        f"heap: {state.heap}",
        *(
            f"{write_seat(seat, names)}: {pouch.heap} of the heap, {pouch.white} white, {pouch.black} black"
            for seat, pouch in enumerate(state.pouches)
        ),
    )
