"""Trades and the losses of a Sandstorm as the menu tells them, card by card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engines import spelling as cardwise
from engines.archaeology.causes import cause
from engines.archaeology.counts import over, too_little
from engines.archaeology.moves import Lose, Trade
from engines.archaeology.notation import title
from engines.archaeology.state import HANDS, ArchaeologyState, ordered
from engines.archaeology.turns import acting, may_skip_dig, only_ends, passed_over
from engines.game import Move
from engines.spelling import Told, Words
from engines.words import write_seat

MOVES: tuple[type[Move], ...] = (Lose, Trade)
Side = tuple[str, str]
"""TAKE or GIVE, and a face."""
TAKE, GIVE = "take", "give"


def spelled(state: ArchaeologyState, path: Words, names: Sequence[str] = ()) -> list[Told]:
    """What the menu below ``path`` says of trades, or of what a Sandstorm takes."""
    if over(state):
        return []
    if state.stage == "lose":
        return _losses(state, path)
    if state.stage == "act":
        return _trades(state, path, ("trades",))
    if state.stage != "dig" or not may_skip_dig(state) or only_ends(state):
        return []
    heir = passed_over(state)
    told = _trades(state, path, ("trades",))
    return told if heir is None else told + _trades(heir, path, (write_seat(heir.turn, names), "trades"))


def _losses(state: ArchaeologyState, path: Words) -> list[Told]:
    """The cards that a Sandstorm takes from the player it has come to."""
    seat = acting(state)
    count, place = state.held(seat) // 2, HANDS[seat]

    def following(told: tuple[str, ...]) -> Iterator[tuple[str, Words]]:
        for face in state.numbers.faces if len(told) < count else ():
            if state.hidden.possible(place, (*told, face)):
                yield face, (title(face),)

    def made(told: tuple[str, ...]) -> Lose | None:
        return Lose(seat, ordered(told)) if len(told) == count else None

    return cardwise.spelled(path, ("loses",), following, made)


def _trades(state: ArchaeologyState, path: Words, start: Words) -> list[Told]:
    """Trades: first what is taken from the marketplace, then what is given for it."""
    seat, market = state.turn, Counter(state.market)
    place, nothing = HANDS[seat], state.option("trade_for_nothing") == "yes"

    def following(told: tuple[Side, ...]) -> Iterator[tuple[Side, Words]]:
        # Only what a trade can still be made of: a list that ends in nothing leads nowhere.
        give, take = _sides(told)
        if not give:
            for face in market:
                if take.count(face) < market[face] and _payable(state, (*take, face), ()):
                    yield (TAKE, face), _words((TAKE, face), first=not take)
        for face in state.numbers.faces if take or nothing else ():
            there = len(give) < state.held(seat) and state.hidden.possible(place, (*give, face))
            if there and _payable(state, take, (*give, face)):
                yield (GIVE, face), _words((GIVE, face), first=not give)

    def made(told: tuple[Side, ...]) -> Trade | None:
        give, take = _sides(told)
        move = Trade(seat, ordered(give), ordered(take))
        return move if give and cause(state, move) is None else None

    return cardwise.spelled(path, start, following, made)


def _payable(state: ArchaeologyState, take: tuple[str, ...], give: tuple[str, ...]) -> bool:
    """Whether the player to move may hold cards that, with ``give``, are worth what is taken."""
    numbers, place, held = state.numbers, HANDS[state.turn], state.held(state.turn)
    # What may be worth anything first, then the dearest.
    faces = sorted(numbers.faces, key=lambda face: (face in numbers.trade_sure, -numbers.trade[face]))

    def paid(given: tuple[str, ...], first: int) -> bool:
        if given and not too_little(numbers, given, take):
            return True
        left = held - len(given)
        for at in range(first, len(faces) if left > 0 else 0):
            if faces[at] in numbers.trade_sure and too_little(numbers, given + (faces[at],) * left, take):
                return False  # nor would cheaper ones do
            more = (*given, faces[at])
            if state.hidden.possible(place, more) and paid(more, at):
                return True
        return False

    return paid(give, 0)


def _sides(told: tuple[Side, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    give = tuple(face for side, face in told if side == GIVE)
    return give, tuple(face for side, face in told if side == TAKE)


def _words(card: Side, first: bool) -> Words:
    """``for Mask``, ``and Coin``, ``with Shard``, ``and Shard``."""
    side, face = card
    return (f"{('for' if side == TAKE else 'with') if first else 'and'} {title(face)}",)


def spelling(move: Move) -> Words:
    """The words by which the menu tells such a move."""
    if isinstance(move, Lose):
        return cardwise.spelling(("loses",), ((title(face),) for face in move.treasures))
    assert isinstance(move, Trade)
    sides = ((TAKE, move.take), (GIVE, move.give))
    told = (_words((side, face), first=not at) for side, faces in sides for at, face in enumerate(faces))
    return cardwise.spelling(("trades",), told)
