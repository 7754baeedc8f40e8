"""What cards are worth to a player who holds them, and the trade that adds most. For bots only: the rules know prices, not hopes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from engines.archaeology.causes import largest as largest_set
from engines.archaeology.counts import left_in
from engines.archaeology.moves import Trade
from engines.archaeology.numbers import MAP
from engines.archaeology.scoring import price
from engines.archaeology.state import ArchaeologyState, ordered

Hand = tuple[str, ...]

PATIENCE = 0.62
"""What a set is worth while one card is missing, compared with having it: early in the game."""
CARD = 3.4
"""What an unseen treasure is worth, on average."""
GAIN = 0.75
"""What a trade must be better for."""


class Worth:
    """What so many cards of a type are worth in a hand: the best way to sell them now, or with cards yet to come."""

    def __init__(self, state: ArchaeologyState, left: int) -> None:
        """``left``: cards in the dig site."""
        self._state = state
        self.hope = PATIENCE * min(1.0, left / (4 * state.players)) if left else 0.0
        gone = Counter(face for sets in state.sold for face, count in sets for _ in range(count))
        self._left = {face: n - gone[face] for face, n in state.numbers.copies.items()}
        self._explore = _explorable(state)
        self._known: dict[tuple[str, int], float] = {}

    def now(self, face: str, count: int) -> int:
        """The most that these cards bring when they are sold at once."""
        largest = max(1, largest_set(self._state, face)[0])
        best = [0]
        for number in range(1, count + 1):
            sizes = range(1, min(largest, number) + 1)
            best.append(max(price(self._state.numbers, face, size) + best[number - size] for size in sizes))
        return best[count]

    def of(self, face: str, count: int) -> float:
        """What the cards are worth while they are held."""
        if count <= 0:
            return 0.0
        found = self._known.get((face, count))
        if found is None:
            most = max(count, min(self._left[face], count + 3))
            found = max(
                self.now(face, number) * self.hope ** (number - count) for number in range(count, most + 1)
            )
            if face == MAP:
                found = max(found, self._explore.get(count, 0.0))
            self._known[face, count] = found
        return found

    def hand(self, held: Mapping[str, int]) -> float:
        return sum(self.of(face, count) for face, count in held.items())

    def dearest(self, held: Counter[str], cards: Hand, number: int) -> Hand:
        """So many of the cards that add most to a hand."""
        held, left, kept = Counter(held), Counter(cards), []
        for _ in range(min(number, len(cards))):
            face = max(
                sorted(+left), key=lambda face: self.of(face, held[face] + 1) - self.of(face, held[face])
            )
            kept.append(face)
            held[face] += 1
            left[face] -= 1
        return ordered(kept)

    def cheapest(self, held: Counter[str], number: int) -> Hand:
        """So many cards that are missed least."""
        held, given = Counter(held), []
        for _ in range(number):
            face = min(
                sorted(+held), key=lambda face: self.of(face, held[face]) - self.of(face, held[face] - 1)
            )
            given.append(face)
            held[face] -= 1
        return ordered(given)


def _explorable(state: ArchaeologyState) -> dict[int, float]:
    """By number of maps: what exploring with them is worth."""
    found: dict[int, float] = {}
    for maps, cards in finds(state):
        for number in range(maps, 7):
            found[number] = max(found.get(number, 0.0), CARD * cards)
    return found


def finds(state: ArchaeologyState) -> Iterator[tuple[int, float]]:
    """For each chamber that can be explored: (maps it takes, cards that are found)."""
    numbers = state.numbers
    for number, maps in enumerate(numbers.maps[state.monument], start=1):
        size = left_in(state, number)
        if size:
            limit = {"tomb": 1.6 * numbers.keep, "mine": 2.2, "sphinx": 2.0}.get(state.monument, size)
            yield maps, min(size, limit)


def best_trade(state: ArchaeologyState, player: int, held: Counter[str], worth: Worth) -> Trade | None:
    """The trade that adds most to the hand, or None when none is worth it: cards of one type, paid with what is missed least."""
    before = worth.hand(held)
    best, found = GAIN, None
    market = Counter(state.market)
    for face in sorted(market):
        for number in range(1, min(market[face], 6) + 1):
            given = _payment(state, held, face, number * state.numbers.trade[face], worth)
            if given is None:
                break
            gain = worth.hand(held - Counter(given) + Counter({face: number})) - before
            if gain > best:
                best, found = gain, Trade(player, given, (face,) * number)
    return found


def _payment(
    state: ArchaeologyState, held: Counter[str], wanted: str, price: int, worth: Worth
) -> Hand | None:
    """Cards of other types that pay the price and are missed least; None when there are too few."""
    left = Counter({face: n for face, n in held.items() if face != wanted and n > 0})
    given: list[str] = []
    trade = state.numbers.trade
    paid = 0
    while paid < price:
        if not left:
            return None
        face = min(
            sorted(left),
            key=lambda face: (
                (worth.of(face, left[face]) - worth.of(face, left[face] - 1)) / min(trade[face], price - paid)
            ),
        )
        given.append(face)
        paid += trade[face]
        left -= Counter((face,))
    for face in sorted(given, key=trade.__getitem__):
        if paid - trade[face] >= price:
            given.remove(face)
            paid -= trade[face]
    return ordered(given)
