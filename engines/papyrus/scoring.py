"""Points, ties and the winner (C1-C6, N8, N9, Y3, Y33, Y41, Y42, Y47, Y54)."""

from __future__ import annotations

from engines.game import Item, Outcome, Score
from engines.papyrus.notation import title
from engines.papyrus.state import PILE, PapyrusState, Seat

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
    if bonus and not state.alone:
        items.append(Item(f"{family} sons of Horus", bonus))
    return tuple(items)


def on_track(state: PapyrusState, seat: int) -> int:
    """The points that the scorekeeper stands on: those of gods and events; scarabs and sons are counted at the end (C1-C3)."""
    mine = state.seats[seat]
    return sum(state.numbers.gods[god].value for god in mine.won) + mine.points


def score(state: PapyrusState) -> Score:
    """What each seat has so far."""
    return Score(tuple(_items(state, seat) for seat in state.seats))


def _alone(state: PapyrusState, totals: tuple[int, ...]) -> Outcome:
    """Whoever is worth more than was paid, and by most (N9, Y47, Y48); nobody when gods are left, or to whom gives up (Y56, Y57)."""
    gains = {seat: totals[seat] - mine.paid for seat, mine in enumerate(state.seats) if not mine.stopped}
    several = len(totals) > 1
    if not gains:
        return Outcome((), "nobody went on" if several else "given up")
    if state.gods.size(PILE):
        return Outcome((), "nobody formed them all" if several else "gods are left")
    best = max(gains.values())
    winners = tuple(seat for seat, gain in gains.items() if gain == best) if best > 0 else ()
    if several:
        return Outcome(winners, f"{best} above the price" if winners else "nobody above price")
    return Outcome(winners, f"{totals[0]} to {state.seats[0].paid} paid")


def outcome(state: PapyrusState) -> Outcome | None:
    """None while the game goes on; then the winners. In solo nobody wins who is not worth more than was paid (N9)."""
    if state.stage != "over":
        return None
    totals = score(state).totals
    if state.alone:
        return _alone(state, totals)
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
