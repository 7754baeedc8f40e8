"""What can be done: the legal moves by name, all of them where they are few; and what the table may show next.

Trades and the cards lost in a storm can be far too many to list. Then canonical ones stand for them: trades of one type for
another with no card too many, and losses that give up one type first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import prod

from engines.archaeology.causes import cause, largest
from engines.archaeology.counts import (
    KINDS,
    left_in,
    may_come,
    numbered,
    over,
    too_little,
    unseen,
    worth,
)
from engines.archaeology.moves import (
    Bust,
    Cards,
    Chamber,
    Dig,
    Draw,
    Drawn,
    End,
    Explore,
    Lose,
    Market,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import FACES
from engines.archaeology.state import CHAMBERS, HANDS, MARKET, PILE, ArchaeologyState, ordered
from engines.archaeology.turns import acting, may_skip_dig, only_ends, passed_over
from engines.game import Move, Reveal

MOST = 500
"""Moves that are listed one by one."""
PAIRS = 2000
"""Pairs of cards given and taken that are looked at to find all legal trades."""

Treasures = tuple[str, ...]


def _most(state: ArchaeologyState) -> dict[str, int]:
    """By face: how many of it the hand of the player may hold."""
    place, hidden = HANDS[acting(state)], state.hidden
    held = hidden.size(place)
    counted = state.numbers.counted and not state.corrected
    left = unseen(state)
    found = {}
    for face in state.numbers.faces:
        # So many are possible, and more than ``top`` are not: mostly the first question is the last.
        sure, top = 0, min(held, left[face]) if counted else held
        ask = top
        while sure < top:
            if hidden.possible(place, (face,) * ask):
                sure = ask
            else:
                top = ask - 1
            ask = (sure + top + 1) // 2
        if sure:
            found[face] = sure
    return found


def _bound(most: Mapping[str, int], sizes: range) -> int:
    """How many sets of cards of these sizes there are at most."""
    ways = [1] + [0] * sizes[-1]
    for top in most.values():
        ways = [sum(ways[max(0, size - top) : size + 1]) for size in range(len(ways))]
    return sum(ways[size] for size in sizes)


def _hands(
    state: ArchaeologyState, most: Mapping[str, int], sizes: range, limit: int
) -> list[Treasures] | None:
    """The sets of cards of these sizes that the hand of the player may hold, in the order of FACES; None when they may be more
    than ``limit``."""
    place, hidden = HANDS[acting(state)], state.hidden
    if _bound(most, sizes) > limit:
        return None
    faces = list(most)
    found: list[Treasures] = []

    def grow(cards: Treasures, start: int) -> None:
        for at in range(start, len(faces)):
            more = (*cards, faces[at])
            if hidden.possible(place, more):
                if len(more) in sizes:
                    found.append(more)
                if len(more) < sizes[-1]:
                    grow(more, at)

    grow((), 0)
    return found


def _some_loss(state: ArchaeologyState, count: int) -> list[Treasures]:
    """For each treasure a loss that gives up as many of it as the hand may hold, and then of the next ones."""
    place, hidden, faces = HANDS[acting(state)], state.hidden, state.numbers.faces
    found: dict[Treasures, None] = {}
    for start in range(len(faces)):
        lost: Treasures = ()
        for face in (*faces[start:], *faces[:start]):
            while len(lost) < count and hidden.possible(place, (*lost, face)):
                lost = (*lost, face)
        found[ordered(lost)] = None
    return list(found)


def _losses(state: ArchaeologyState) -> tuple[list[Move], bool]:
    seat = acting(state)
    count = state.held(seat) // 2
    every = _hands(state, _most(state), range(count, count + 1), MOST)
    chosen = _some_loss(state, count) if every is None else every
    return [Lose(seat, lost) for lost in chosen], every is not None


def _parts(market: Treasures) -> list[Treasures]:
    """Every set of cards in the marketplace, the empty one included."""
    found: list[Treasures] = [()]
    for face, count in Counter(market).items():
        found = [(*cards, *(face,) * n) for n in range(count + 1) for cards in found]
    return found


def _every_trade(state: ArchaeologyState, hand: Mapping[str, int], room: int) -> list[Move] | None:
    """All legal trades, or None when they are more than there is room for, or too many to look for."""
    held, numbers = state.held(state.turn), state.numbers
    count = prod(number + 1 for number in Counter(state.market).values())
    if not held or (count == 1 and state.option("trade_for_nothing") == "no"):
        return []
    gives = _hands(state, hand, range(1, held + 1), min(MOST, PAIRS // count))
    if gives is None:
        return None
    sure = numbers.trade_sure.issuperset(numbers.faces)
    takes = [(ordered(take), worth(numbers, take)) for take in _parts(state.market)]
    if state.option("trade_for_nothing") == "no":
        del takes[0]
    found: list[Move] = []
    for give in gives:
        most = worth(numbers, give)
        for take, price in takes:
            if price <= most or not (sure or too_little(numbers, give, take)):
                found.append(Trade(state.turn, give, take))
        if len(found) > room:
            return None
    return found


def _some_trades(state: ArchaeologyState, hand: Mapping[str, int]) -> list[Move]:
    """Trades of one type for another: for each number of cards taken the fewest that pay for them."""
    seat, numbers = state.turn, state.numbers
    found: list[Move] = []
    for face, most in hand.items():
        for other, count in Counter(state.market).items():
            if other == face:
                continue
            for number in range(1, count + 1):
                price = -(-number * numbers.trade[other] // numbers.trade[face])
                if price > most:
                    break
                found.append(Trade(seat, (face,) * price, (other,) * number))
    return found


def _sales(state: ArchaeologyState, hand: Mapping[str, int]) -> list[Move]:
    found: list[Move] = []
    for face, held in hand.items():
        most, sure = largest(state, face)
        top = min(most, held) if sure else held
        found += [Sell(state.turn, (face,) * count) for count in range(1, top + 1)]
    return found


def _explorations(state: ArchaeologyState) -> list[Move]:
    seat = state.turn
    if state.explored:
        return []
    moves: list[Move]
    if state.monument == "mine":
        moves = [Explore(seat)]
    elif state.monument == "sphinx":
        pairs = [(one, other) for at, one in enumerate(FACES) for other in FACES[at + 1 :]]
        moves = [Explore(seat, 0, pair) for pair in pairs]
        if cause(state, moves[0]) is not None:
            return []
        # The order in which two types are named means nothing: each pair is listed once (see ``complete``).
        return moves
    else:
        moves = [Explore(seat, chamber) for chamber in numbered(state)]
    return [move for move in moves if cause(state, move) is None]


def _actions(state: ArchaeologyState) -> tuple[list[Move], bool]:
    seat = state.turn
    hand = _most(state)
    moves = _sales(state, hand) + _explorations(state)
    if state.may_peek:
        moves += [Peek(seat, chamber) for chamber in numbered(state) if left_in(state, chamber)]
    if cause(state, End(seat)) is None:
        moves.append(End(seat))
    trades = _every_trade(state, hand, MOST - len(moves))
    if trades is None:
        return moves + _some_trades(state, hand), False
    return moves + trades, True


@lru_cache(maxsize=8)
def listed(state: ArchaeologyState) -> tuple[tuple[Move, ...], bool]:
    """The moves, and whether these are all (cards named in another order are the same move)."""
    if over(state):
        return (), True
    seat = acting(state)
    moves: list[Move] = []
    match state.stage:
        case "dig":
            moves = [Dig(seat)]
            if may_skip_dig(state):
                if only_ends(state):
                    return (Dig(seat), End(seat)), True
                actions, every = _actions(state)
                heir = passed_over(state)
                if heir is not None:
                    others, all_others = _actions(heir)
                    actions, every = actions + others, every and all_others
                return (*moves, *actions), every
        case "steal":
            victims = (victim for victim in range(state.players) if victim != seat)
            moves = [move for move in (Steal(seat, victim) for victim in victims) if not cause(state, move)]
        case "tents":
            moves = [Tent(seat, True), Tent(seat, False)]
        case "lose":
            moves, every = _losses(state)
            return tuple(moves), every
        case "mine":
            moves = [move for move in (Draw(seat), Stop(seat), Bust(seat)) if not cause(state, move)]
        case "act":
            moves, every = _actions(state)
            return tuple(moves), every
    return tuple(moves), True


# What the table may show


def _example(state: ArchaeologyState, place: str, count: int) -> Treasures:
    """Cards that may lie in the place, as different as can be."""
    found: Treasures = ()
    for _ in range(count):
        order = sorted(FACES, key=lambda face: found.count(face))
        found = (*found, next(face for face in order if state.hidden.possible(place, (*found, face))))
    return ordered(found)


def awaited(state: ArchaeologyState) -> tuple[Reveal, ...]:
    """What the table must show before anybody can go on: one of these, or others of the same form where five cards are shown."""
    hidden = state.hidden
    match state.stage:
        case "market":
            return (Market(_example(state, MARKET, hidden.size(MARKET))),)
        case "chambers" | "refill":
            faces = [face for face in FACES if hidden.possible(PILE, (face,))]
            return tuple(Chamber(chamber, face) for chamber in sorted(set(state.queue)) for face in faces)
        case "drawn":
            return tuple(Drawn(kind) for kind in KINDS if may_come(state, kind))
        case "mine drawn":
            return tuple(Cards((face,)) for face in FACES if hidden.possible(CHAMBERS[1], (face,)))
        case "sphinx drawn":
            return (Cards(_example(state, CHAMBERS[1], min(state.numbers.draws, left_in(state, 1)))),)
    return ()


def forms(state: ArchaeologyState) -> tuple[tuple[tuple[str, ...], Reveal], ...]:
    """Several cards that are awaited together, in every form, card by card in the order of FACES: for whoever has no camera to show them to.
    Empty where ``awaited`` names every form."""
    match state.stage:
        case "market":
            word, place, count = "market", MARKET, state.hidden.size(MARKET)
        case "sphinx drawn":
            word, place = "drawn", CHAMBERS[1]
            count = min(state.numbers.draws, left_in(state, 1))
        case _:
            return ()
    left = unseen(state)
    found: list[tuple[tuple[str, ...], Reveal]] = []
    for cards in combinations_with_replacement(FACES, count):
        if all(number <= left.get(face, 0) for face, number in Counter(cards).items()) and (
            state.hidden.possible(place, cards)
        ):
            found.append(((word, *cards), Market(cards) if place == MARKET else Cards(cards)))
    return tuple(found)
