"""What lies open in a game of Archaeology, in words: for whoever plays without a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.archaeology.counts import KINDS, left_in, left_of, numbered
from engines.archaeology.moves import Dug
from engines.archaeology.notation import title
from engines.archaeology.state import ArchaeologyState
from engines.words import counted, listed, write_seat


def lines(state: ArchaeologyState, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The marketplace, the monument with its chambers, what each player has, and the dig site."""
    return tuple(_lines(state, names))


def _lines(state: ArchaeologyState, names: Sequence[str]) -> Iterator[str]:
    yield f"market: {listed(state.market)}"
    yield f"{state.monument.replace('-', ' ')}: {'; '.join(_chambers(state))}"
    for seat, sets in enumerate(state.sold):
        sold = ", ".join(title(face, count) for face, count in sets) or "nothing"
        tent = ", a tent" if state.tents[seat] else ""
        yield f"{write_seat(seat, names)}: {state.held(seat)} in hand{tent}; sold {sold}"
    if state.drawn:
        yield f"drawn: {listed(state.drawn)}"
    left = ", ".join(_left(state, kind) for kind in KINDS)
    yield (
        f"dig site: {left}; "
        f"discarded: {counted(state.thieves, 'thief', 'thieves')}, {counted(state.storms, 'sandstorm')}"
    )


def _left(state: ArchaeologyState, kind: Dug) -> str:
    """How many cards of a kind the dig site still holds: everybody at a table may count that (D5, D13)."""
    count, sure = left_of(state, kind)
    return counted(count, kind, "thieves" if kind == "thief" else "") + ("" if sure else " (not verified)")


def _chambers(state: ArchaeologyState) -> Iterator[str]:
    """Each chamber by its number: the cards that lie open, or how many lie face down."""
    if state.stage in ("market", "chambers"):
        return
    for number in numbered(state):
        cards = (
            listed(state.chambers[number - 1]) if state.chambers else counted(left_in(state, number), "card")
        )
        yield f"chamber {number}: {cards}"
