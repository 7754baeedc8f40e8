"""What lies open in a game of Ankh, in words: for whoever plays without a table."""

from __future__ import annotations

from collections.abc import Sequence

from engines.ankh.cards import wishes
from engines.ankh.state import AnkhState
from engines.words import counted, listed, write_seat


def lines(state: AnkhState, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The papyrus that counts, each player's row and number of cards, and the piles."""
    found = []
    if state.papyri:
        colours, number = wishes(state.papyri[-1])
        told = ", ".join(
            f"{colour} x{times}" for colour, times in zip(colours, state.numbers.points, strict=True)
        )
        found.append(f"papyrus: {told}; scores at {number} mummies in a row")
    for seat, row in enumerate(state.rows):
        found.append(f"{write_seat(seat, names)}: {listed(row)} ({state.hands[seat]} in hand)")
    found.append(
        f"pile: {counted(state.pile, 'card')}; discards: {listed((*state.discard, *['unseen'] * state.unseen))}"
    )
    return tuple(found)
