"""What lies where on a table of Archaeology, and what hands do for each move: for the simulated people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engines.archaeology.numbers import Numbers
from engines.archaeology.state import ArchaeologyState
from engines.archaeology.zones import (
    BACK,
    DISCARD,
    REST,
    RUINS,
    SANDSTORM,
    SITE,
    SPENT,
    TENT,
    THIEF,
    chamber,
    layout,
    markets,
    museum,
    room,
    sold,
    tent,
)
from engines.dealing import Act, Deed, Placed, Sweep

Cards = tuple[str, ...]
SPARE = 2
"""Backs that lie beside the table: a card that is turned face down by mistake needs one."""
FULL = 3
"""Discards that lie open before somebody puts the older ones onto the pile."""


class Laid:
    """The cards that lie open or as the back of a pile, zone by zone, oldest first. Each of its deeds is noted as done."""

    def __init__(
        self, state: ArchaeologyState, market: Sequence[str], chambers: Sequence[Sequence[str]]
    ) -> None:
        """The set-up: ``chambers`` is what lies face up in the Buried Ruins."""
        plan = layout(state.players, dict(state.options))
        self._room = {zone.name: room(zone) for zone in plan.zones if zone.form == "row"}
        self.zones: dict[str, list[str]] = {zone.name: [] for zone in plan.zones}
        self._markets = markets(state.players)
        self._ruins = state.monument == RUINS
        for card in market:
            self.zones[self._market()].append(card)
        for seat in range(state.players):
            self.zones[tent(seat)].append(TENT)
        for number, cards in enumerate(chambers, start=1):
            self.zones[chamber(number)] += cards
        self._sets: list[list[int]] = [[] for _ in range(state.players)]
        """By seat: the sizes of the sets that lie in the row."""

    def setup(self, numbers: Numbers) -> tuple[Placed, ...]:
        """Everything of the box: what lies on the table, and what waits unseen."""
        placed = [Placed(card, zone) for zone, cards in self.zones.items() for card in cards]
        lying = Counter(one.identity for one in placed)
        box = Counter(dict(numbers.copies)) + Counter(
            {THIEF: numbers.thieves_box, SANDSTORM: numbers.sandstorms_box, BACK: lying[BACK] + SPARE}
        )
        return (*placed, *(Placed(card, None) for card in (box - lying).elements()))

    def _market(self) -> str:
        """The row of the marketplace with most room."""
        return min(self._markets, key=lambda name: len(self.zones[name]))

    # Deeds, noted as done

    def lay(self, zone: str, cards: Iterable[str]) -> list[Deed]:
        """Cards come from a hand or a pile."""
        deeds: list[Deed] = []
        for card in cards:
            self.zones[zone].append(card)
            deeds.append(Act(card, None, zone))
        return deeds

    def take(self, zone: str, cards: Iterable[str]) -> list[Deed]:
        deeds: list[Deed] = []
        for card in cards:
            self.zones[zone].remove(card)
            deeds.append(Act(card, zone, None))
        return deeds

    def sweep(self, zone: str) -> list[Deed]:
        if not self.zones[zone]:
            return []
        self.zones[zone].clear()
        return [Sweep(zone, None)]

    def to_market(self, cards: Iterable[str]) -> list[Deed]:
        return [deed for card in cards for deed in self.lay(self._market(), (card,))]

    def from_market(self, cards: Iterable[str]) -> list[Deed]:
        deeds: list[Deed] = []
        for card in cards:
            zone = next(name for name in self._markets if card in self.zones[name])
            deeds += self.take(zone, (card,))
        return deeds

    def sell(self, seat: int, cards: Cards) -> list[Deed]:
        self._sets[seat].append(len(cards))
        return self.lay(sold(seat), cards)

    def pile_up(self, seat: int, coming: int) -> list[Deed]:
        """Older sets go onto the player's pile until there is room for so many cards more; the newest stays as long as it can."""
        row = self.zones[sold(seat)]
        number = 0
        while self._sets[seat] and len(row) - number + coming > self._room[sold(seat)]:
            number += self._sets[seat].pop(0)
        return self._pushed(sold(seat), museum(seat), number)

    def pile_older(self, seat: int) -> list[Deed]:
        """All sets but the newest go onto the player's pile."""
        older = self._sets[seat][:-1]
        self._sets[seat] = self._sets[seat][-1:]
        return self._pushed(sold(seat), museum(seat), sum(older))

    def put_discards_away(self, coming: int = 0) -> list[Deed]:
        """All discards but the newest go onto the pile, when there are many, or too many for those that come."""
        row = self.zones[DISCARD]
        full = len(row) >= FULL if not coming else len(row) + coming > self._room[DISCARD]
        return self._pushed(DISCARD, SPENT, len(row) - 1) if full else []

    def _pushed(self, row: str, pile: str, number: int) -> list[Deed]:
        if number < 1:
            return []
        cards = tuple(self.zones[row][:number])
        del self.zones[row][:number]
        self.zones[pile] += cards
        return [Sweep(row, pile, cards)]

    def backs(self, wanted: Iterable[tuple[str, bool]]) -> Iterator[Deed]:
        """Piles that ran out, or came back: (zone, whether a card lies there)."""
        for zone, there in wanted:
            if there and not self.zones[zone]:
                yield from self.lay(zone, (BACK,))
            elif not there and self.zones[zone]:
                yield from self.take(zone, (BACK,))


def piles(
    state: ArchaeologyState, dig: int, rest: int, chambers: Sequence[int]
) -> Iterator[tuple[str, bool]]:
    """The face-down piles of a table, and whether a card is in them, by what truly lies there."""
    yield SITE, dig > 0
    if state.monument == RUINS:
        yield REST, rest > 0
        return
    for number, size in enumerate(chambers, start=1):
        yield chamber(number), size > 0
