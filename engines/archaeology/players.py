"""Two ways to play Archaeology by what one player may know: sensibly, and at random.

Whoever plays sees the public state, the own hand, and remembers what was seen in chambers. Both end every game: nobody trades
or explores without an end in one turn, and once the dig site is empty the hands are sold.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from engines.archaeology.causes import ACTIONS, Cause, cause, doubtful
from engines.archaeology.causes import largest as largest_set
from engines.archaeology.counts import left_in, numbered
from engines.archaeology.moves import (
    Bust,
    Dig,
    Draw,
    End,
    Explore,
    Lose,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import MAP
from engines.archaeology.state import ArchaeologyState, ordered
from engines.archaeology.turns import acting
from engines.archaeology.worth import CARD, Hand, Worth, best_trade, finds
from engines.game import Move

TRADES = 8
"""Trades in one turn, and acts at random: then it is somebody else's turn."""
SHELTER = 6.0
"""A tent is used when this much would be lost."""


class View:
    """What a player sees besides the record, and remembers: the acts of this turn, and the chambers that were seen into."""

    def __init__(self) -> None:
        self.acts = 0
        self.seen: dict[int, Hand] = {}
        """By chamber: what the player knows to lie there."""
        self.left = 0
        """Cards in the dig site, which everybody can see."""

    def note(self, move: Move, before: ArchaeologyState) -> None:
        """Remembers an own move."""
        self.acts += isinstance(move, ACTIONS)
        if isinstance(move, Explore) and before.monument != "tomb":
            self.seen.pop(move.chamber, None)

    def inside(self, state: ArchaeologyState, chamber: int) -> Hand | None:
        """What lies in a chamber, if the player knows it: face up, or seen and nothing taken since."""
        if state.chambers:
            return state.chambers[chamber - 1]
        seen = self.seen.get(chamber, ())
        return seen if seen and len(seen) == left_in(state, chamber) else None

    def rest(self) -> None:
        """The turn is over."""
        self.acts = 0


def pick(state: ArchaeologyState, hand: Hand, view: View, rng: random.Random, style: str) -> Move:
    """A move of the player whose turn it is, who holds this hand. Raises ValueError when there is none."""
    player = acting(state)
    held = Counter(hand)
    choose = _sensible if style == "sensible" else _random
    for move in choose(state, player, held, view, rng):
        if wrong(state, move) is None:
            return move
    raise ValueError(f"there is no move in the stage '{state.stage}'")


def wrong(state: ArchaeologyState, move: Move) -> Cause | None:
    """Why a move is illegal where the numbers in force are what is printed: then what the rules only ask about is known."""
    found = cause(state, move) or doubtful(state, move)
    return found if found is None or found[0] != "A16" else None


def keep(
    state: ArchaeologyState, hand: Hand, inside: Hand, view: View, rng: random.Random, style: str
) -> Hand:
    """Which of the cards of a Tomb's chamber the explorer keeps; all of them when there are no more than allowed."""
    number = state.numbers.keep
    if len(inside) <= number:
        return inside
    if style != "sensible":
        return tuple(rng.sample(inside, number))
    return Worth(state, view.left).dearest(Counter(hand), inside, number)


# Sensibly


def _sensible(
    state: ArchaeologyState, player: int, held: Counter[str], view: View, rng: random.Random
) -> Iterator[Move]:
    """Moves from the best on; the first that is allowed is made."""
    worth = Worth(state, view.left)
    match state.stage:
        case "dig" if view.left:
            yield Dig(player)
        case "steal":
            others = [seat for seat in range(state.players) if seat != player]
            yield from (
                Steal(player, seat)
                for seat in sorted(others, key=lambda seat: (-state.held(seat), rng.random()))
            )
        case "tents":
            lost = worth.cheapest(held, held.total() // 2)
            last = state.storms >= state.numbers.sandstorms
            hurt = worth.hand(held) - worth.hand(held - Counter(lost))
            yield Tent(player, hurt >= (1 if last else SHELTER))
            yield Tent(player, False)
        case "lose":
            yield Lose(player, worth.cheapest(held, held.total() // 2))
        case "mine":
            yield from _mining(state, player)
        case _:
            yield from _acting(state, player, held, view, worth, rng)


def _mining(state: ArchaeologyState, player: int) -> Iterator[Move]:
    """Goes on while the sum is small."""
    yield Bust(player)
    spent = sum(state.numbers.trade[face] for face in state.drawn)
    if spent <= state.numbers.limit - 3:
        yield Draw(player)
    yield Stop(player)
    yield Draw(player)


def _acting(
    state: ArchaeologyState,
    player: int,
    held: Counter[str],
    view: View,
    worth: Worth,
    rng: random.Random,
) -> Iterator[Move]:
    """After the dig: look, explore, trade, sell, end."""
    if state.may_peek:
        unseen = [number for number in numbered(state) if number not in view.seen]
        yield from (Peek(player, number) for number in unseen)
    last = view.left <= state.players
    if held[MAP]:
        yield from _exploring(state, player, held, view, worth, last)
    if view.acts < TRADES:
        trade = best_trade(state, player, held, worth)
        if trade is not None:
            yield trade
    yield from _selling(state, player, held, view, worth, last)
    yield End(player)
    # The end is refused only where something must be sold first.
    yield from (Sell(player, (face,)) for face in sorted(+held))


def _exploring(
    state: ArchaeologyState, player: int, held: Counter[str], view: View, worth: Worth, last: bool
) -> Iterator[Move]:
    numbers = state.numbers
    rated: list[tuple[float, Move]] = []
    for chamber, maps in enumerate(numbers.maps[state.monument], start=1):
        size = left_in(state, chamber)
        if maps > held[MAP] or not size:
            continue
        inside = view.inside(state, chamber)
        if inside is not None:
            found = worth.dearest(held, inside, numbers.keep) if state.monument == "tomb" else inside
            gain = worth.hand(held + Counter(found)) - worth.hand(held)
        else:
            gain = CARD * next(cards for number, cards in finds(state) if number == maps)
        if state.monument == "sphinx":
            rated.append((gain, Explore(player, 0, _names(state, held, worth))))
        else:
            rated.append((gain - maps, Explore(player, 0 if state.monument == "mine" else chamber)))
    if rated:
        best, move = max(rated, key=lambda entry: entry[0])
        # More maps may open a larger chamber: whoever has few waits while there is time.
        larger = any(
            maps > held[MAP] and left_in(state, chamber)
            for chamber, maps in enumerate(numbers.maps[state.monument], start=1)
        )
        if best > 0 and (last or not larger or held[MAP] > 1):
            yield move


def _names(state: ArchaeologyState, held: Counter[str], worth: Worth) -> Hand:
    """Two types to name at the Sphinx: those of which one card more is worth most, weighed by how many are not in sight."""
    seen = Counter(state.market) + held
    for sets in state.sold:
        for face, count in sets:
            seen[face] += count

    def hoped(face: str) -> float:
        gain = worth.of(face, held[face] + 1) - worth.of(face, held[face])
        return gain * max(0, state.numbers.copies[face] - seen[face])

    rated = sorted((face for face in state.numbers.faces if face != MAP), key=hoped, reverse=True)
    return ordered(rated[:2])


def _selling(
    state: ArchaeologyState, player: int, held: Counter[str], view: View, worth: Worth, last: bool
) -> Iterator[Move]:
    """Complete sets, sets that can no longer grow, and everything at the end."""
    empty = not view.left
    for face in sorted(+held):
        count = held[face]
        largest = largest_set(state, face)[0]
        if face == MAP and not empty:
            continue
        size = min(count, largest)
        ripe = count >= largest or worth.of(face, count) <= worth.now(face, count)
        if ripe and not empty and size < largest:
            ripe = last or worth.now(face, count) >= 10
        if ripe or empty:
            yield Sell(player, (face,) * size)


# At random


def _random(
    state: ArchaeologyState, player: int, held: Counter[str], view: View, rng: random.Random
) -> Iterator[Move]:
    """Any moves in any order; in the end one that is surely allowed."""
    cards = sorted(held.elements())
    match state.stage:
        case "dig" if view.left:
            yield Dig(player)
        case "steal":
            yield from (Steal(player, seat) for seat in rng.sample(range(state.players), state.players))
        case "tents":
            yield from (Tent(player, used) for used in rng.sample((True, False), 2))
        case "lose":
            yield Lose(player, ordered(rng.sample(cards, len(cards) // 2)))
        case "mine":
            yield Bust(player)
            yield from rng.sample((Draw(player), Stop(player)), 2)
        case _:
            yield from _any_act(state, player, held, view, rng)


def _any_act(
    state: ArchaeologyState, player: int, held: Counter[str], view: View, rng: random.Random
) -> Iterator[Move]:
    cards = sorted(held.elements())
    empty = not view.left
    if state.may_peek and rng.random() < 0.5:
        yield Peek(player, rng.choice(numbered(state)))
    if view.acts < TRADES and rng.random() < (0.5 if empty else 0.7):
        kinds = ["trade", "explore", "sell"]
        rng.shuffle(kinds)
        for kind in kinds:
            if kind == "trade" and cards and state.market:
                for _ in range(6):
                    give = rng.sample(cards, rng.randint(1, min(3, len(cards))))
                    take = rng.sample(state.market, rng.randint(1, min(3, len(state.market))))
                    yield Trade(player, ordered(give), ordered(take))
            elif kind == "explore" and held[MAP]:
                yield from any_exploration(state, player, held, rng)
            elif kind == "sell" and cards:
                yield any_set(state, player, held, rng)
    if empty and cards and not state.sold_now:
        yield any_set(state, player, held, rng)
    yield End(player)
    yield from (Sell(player, (face,)) for face in rng.sample(cards, len(cards)))


def any_set(state: ArchaeologyState, player: int, held: Counter[str], rng: random.Random) -> Sell:
    """A set of any type and size."""
    face = rng.choice(sorted(+held))
    return Sell(player, (face,) * rng.randint(1, min(held[face], largest_set(state, face)[0])))


def any_exploration(
    state: ArchaeologyState, player: int, held: Counter[str], rng: random.Random
) -> Iterator[Explore]:
    """Any chamber that the maps allow, if there is one; at the Sphinx any two types."""
    numbers = state.numbers
    maps = numbers.maps[state.monument]
    affordable = [chamber for chamber, price in enumerate(maps, start=1) if price <= held[MAP]]
    if not affordable:
        return
    if state.monument == "sphinx":
        yield Explore(player, 0, ordered(rng.sample(numbers.faces, 2)))
    else:
        yield Explore(player, 0 if state.monument == "mine" else rng.choice(affordable))
