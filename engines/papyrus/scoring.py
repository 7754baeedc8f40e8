"""Points, ties and the winner (C1-C6, N8, N9, Y3, Y33, Y41, Y42, Y47, Y54)."""

from __future__ import annotations

from engines.game import Item, Outcome, Score
from engines.papyrus.notation import title
from engines.papyrus.state import HANDS, PILE, PapyrusState, Seat

SCARAB = 5
SONS = (0, 0, 5, 8, 10)
"""By the number of sons of Horus; the last stands for four and more."""


def sons(state: PapyrusState, seat: Seat) -> int:
    """How many sons of Horus the player has won."""
    return sum(state.numbers.gods[god].son for god in seat.won)


def _items(state: PapyrusState, seat: Seat) -> tuple[Item, ...]:
    """One item per god, then events, scarabs and the bonus for sons (none in solo, Y50)."""
    items = [Item(title(god), state.numbers.gods[god].value) for god in seat.won]
    if seat.points:
        items.append(Item("Events", seat.points))
    if seat.scarabs:
        items.append(Item(f"{seat.scarabs} scarab{'s' if seat.scarabs > 1 else ''}", SCARAB * seat.scarabs))
    family = sons(state, seat)
    bonus = SONS[min(family, len(SONS) - 1)]
    if bonus and len(state.seats) > 1:
        items.append(Item(f"{family} sons of Horus", bonus))
    return tuple(items)


def score(state: PapyrusState) -> Score:
    """What each seat has so far."""
    return Score(tuple(_items(state, seat) for seat in state.seats))


def outcome(state: PapyrusState) -> Outcome | None:
    """None while the game goes on; then the winners. In solo nobody wins who is not worth more than was paid (N9)."""
    if state.stage != "over":
        return None
    totals = score(state).totals
    if len(state.seats) == 1:
        if state.stopped:
            return Outcome((), "given up")
        if state.gods.size(PILE) + state.gods.size(HANDS[0]):
            return Outcome((), "gods are left")
        return Outcome((0,) if totals[0] > state.paid else (), f"{totals[0]} to {state.paid} paid")
    best = max(totals)
    tied = [seat for seat, total in enumerate(totals) if total == best]
    if len(tied) == 1:
        return Outcome(tuple(tied), f"{best} points")
    family = [sons(state, seat) for seat in state.seats]
    most = max(family[seat] for seat in tied)
    tied = [seat for seat in tied if family[seat] == most]
    if len(tied) == 1:
        return Outcome(tuple(tied), "Tie: more sons of Horus")
    amon_ra = [seat for seat in tied if any(state.numbers.gods[god].amon_ra for god in state.seats[seat].won)]
    if len(amon_ra) == 1:
        return Outcome(tuple(amon_ra), "Tie: Amon-Ra")
    return Outcome(tuple(tied), f"{best} points each")
