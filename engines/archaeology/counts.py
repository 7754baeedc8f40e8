"""What can be counted at the table: the cards left in the dig site, the worth of cards, who still plays.

A number that nobody has verified never makes a move illegal: where one is needed there are two answers, *surely* and *maybe*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engines.archaeology.moves import Dug
from engines.archaeology.numbers import MAP, Numbers
from engines.archaeology.state import CHAMBERS, DIG, PILE, ArchaeologyState

KINDS: tuple[Dug, ...] = ("treasure", "thief", "sandstorm")


def _counted(state: ArchaeologyState, kind: Dug) -> tuple[int, bool, int]:
    """Cards of this kind left in the dig site by the numbers in force, whether that is sure, and how many there could be."""
    numbers = state.numbers
    if kind == "treasure":
        left = state.hidden.size(DIG)
        return left, numbers.counted and not state.corrected, numbers.treasures
    if kind == "thief":
        return numbers.thieves - state.thieves, numbers.thieves_sure, numbers.thieves_box - state.thieves
    return (
        numbers.sandstorms - state.storms,
        numbers.sandstorms_sure,
        numbers.sandstorms_box - state.storms,
    )


def may_come(state: ArchaeologyState, kind: Dug) -> bool:
    """Whether the next card of the dig site may be one of this kind."""
    left, sure, most = _counted(state, kind)
    return not state.exhausted and (left if sure else most) > 0


def maybe_left(state: ArchaeologyState) -> bool:
    """Whether a card may be left in the dig site."""
    return any(may_come(state, kind) for kind in KINDS)


def surely_left(state: ArchaeologyState) -> bool:
    """Whether a card is left in the dig site for all that is verified."""
    return any(sure and left > 0 for left, sure, _ in (_counted(state, kind) for kind in KINDS))


def likely_left(state: ArchaeologyState) -> bool:
    """Whether a card is left in the dig site by the numbers in force."""
    return not state.exhausted and any(_counted(state, kind)[0] > 0 for kind in KINDS)


def left_of(state: ArchaeologyState, kind: Dug) -> tuple[int, bool]:
    """Cards of this kind left in the dig site by the numbers in force, and whether that is sure (D5, D13)."""
    if state.exhausted:
        return 0, True
    left, sure, _ = _counted(state, kind)
    return max(0, left), sure


def untouched(state: ArchaeologyState) -> bool:
    """Whether no treasure has come from the dig site yet: then nobody holds a map (A49)."""
    numbers = state.numbers
    counts = numbers.chambers[state.monument]
    laid = sum(counts) + (numbers.pile if state.monument == "buried-ruins" else 0)
    dealt = numbers.hand * state.players + numbers.market + laid
    return numbers.counted and state.hidden.size(DIG) == numbers.treasures - dealt


def unseen(state: ArchaeologyState) -> Mapping[str, int]:
    """By face: how many do not lie face up, by the numbers in force."""
    left = dict(state.numbers.copies)
    left[MAP] -= state.maps_gone
    for pile in (state.market, state.drawn, *state.chambers):
        for face in pile:
            left[face] -= 1
    for sets in state.sold:
        for face, count in sets:
            left[face] -= count
    return left


# Chambers


def left_in(state: ArchaeologyState, chamber: int) -> int:
    """How many cards lie in a chamber (from 1)."""
    if state.monument == "buried-ruins":
        return len(state.chambers[chamber - 1])
    return state.hidden.size(CHAMBERS[chamber])


def numbered(state: ArchaeologyState) -> range:
    """The numbers of the monument's chambers."""
    return range(1, len(state.numbers.chambers[state.monument]) + 1)


def refilled(state: ArchaeologyState) -> tuple[int, ...]:
    """The chambers of the Buried Ruins that get a card in a sandstorm: none once the pile has run out (A14)."""
    if state.monument != "buried-ruins":
        return ()
    return tuple(numbered(state))[: state.hidden.size(PILE)]


# Worth


def worth(numbers: Numbers, treasures: Iterable[str]) -> int:
    """The trading value of cards in play, by the numbers in force."""
    return sum(numbers.trade[face] for face in treasures)


def least(numbers: Numbers, treasures: Iterable[str]) -> int:
    """What the cards are worth at least: an unverified trading value counts as 1."""
    return sum(numbers.trade[face] if face in numbers.trade_sure else 1 for face in treasures)


def too_little(numbers: Numbers, give: tuple[str, ...], take: tuple[str, ...]) -> bool:
    """Whether a trade falls short whatever unverified trading values really are. What stands on both sides cancels out."""
    balance = 0
    for face in {*give, *take}:
        more = give.count(face) - take.count(face)
        if face in numbers.trade_sure:
            balance += more * numbers.trade[face]
        elif more > 0:
            return False
        else:
            balance += more
    return balance < 0


def surely_bust(state: ArchaeologyState) -> bool:
    """Whether the cards drawn in the Mine are worth too much for all that is verified."""
    return least(state.numbers, state.drawn) > state.numbers.limit


def likely_bust(state: ArchaeologyState) -> bool:
    return worth(state.numbers, state.drawn) > state.numbers.limit


def surely_safe(state: ArchaeologyState) -> bool:
    return not likely_bust(state) and all(face in state.numbers.trade_sure for face in state.drawn)


# Players


def from_left(state: ArchaeologyState) -> tuple[int, ...]:
    """All seats in the order of a sandstorm: from the left of the player whose turn it is, who comes last (W2)."""
    return tuple((state.turn + step) % state.players for step in range(1, state.players + 1))


def holders(state: ArchaeologyState) -> int:
    """How many players hold cards."""
    return sum(state.held(seat) > 0 for seat in range(state.players))


def over(state: ArchaeologyState) -> bool:
    """Whether the game has ended (A40). While a card may be left that nobody can count, somebody first has to go on without a
    dig, which says that the dig site is empty."""
    if state.stage == "over":
        return True
    return state.stage in ("dig", "act") and not maybe_left(state) and not holders(state)


def must_sell(state: ArchaeologyState) -> bool:
    """Whether a full round of passes lies behind, so that this turn cannot end without a sale (A41)."""
    return (
        state.option("full_passes") == "sell"
        and not (state.dug or state.sold_now)
        and holders(state) <= state.passes
        and state.held(state.turn) > 0
    )
