"""What the sold sets bring, and the winner (L2-L4, L9, O1, A43, A44)."""

from __future__ import annotations

from engines.archaeology.counts import over
from engines.archaeology.notation import title
from engines.archaeology.numbers import MAP, Numbers
from engines.archaeology.state import ArchaeologyState
from engines.game import Item, Outcome, Score


def price(numbers: Numbers, face: str, count: int) -> int:
    """What a set brings. A set larger than any price that is known brings the last one; maps have one price each (A36, A38)."""
    prices = numbers.prices[face]
    if count <= len(prices):
        return prices[count - 1]
    return count * prices[0] if face == MAP else prices[-1]


def items(state: ArchaeologyState, seat: int) -> tuple[Item, ...]:
    """One item for each pile a player has sold, in the order they were sold; they add up to the total."""
    return tuple(
        Item(title(face, count), price(state.numbers, face, count)) for face, count in state.sold[seat]
    )


def score(state: ArchaeologyState) -> Score:
    """What each seat has so far: nothing but sold sets counts (A43)."""
    return Score(tuple(items(state, seat) for seat in range(state.players)))


def outcome(state: ArchaeologyState) -> Outcome | None:
    """None while the game goes on; then the richest, in a tie those of them who sold fewer cards (A44)."""
    if not over(state):
        return None
    totals = score(state).totals
    best = max(totals)
    winners = tuple(seat for seat, total in enumerate(totals) if total == best)
    if len(winners) == 1:
        second = max(total for seat, total in enumerate(totals) if seat not in winners)
        return Outcome(winners, f"{best} to {second} points")
    if state.option("tie") == "shared":
        return Outcome(winners, "Tie: shared")
    cards = {seat: sum(count for _, count in state.sold[seat]) for seat in winners}
    fewest = min(cards.values())
    winners = tuple(seat for seat in winners if cards[seat] == fewest)
    return Outcome(winners, "Tie: fewer cards sold" if len(winners) == 1 else "Tie: shared")
