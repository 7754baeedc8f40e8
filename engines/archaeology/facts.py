"""What a table of Archaeology shows that nobody chose: the set-up, cards of a monument that lie face up, what has been put away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from engines.archaeology.counts import left_in
from engines.archaeology.evidence import Evidence, gather
from engines.archaeology.moves import DISCARDS, DRAWN, Cards, Chamber, Cleared, Drawn, Dug, Market
from engines.archaeology.state import MARKET, ORDER, ArchaeologyState
from engines.game import Reveal
from engines.table import Table


def shown(state: ArchaeologyState, table: Table) -> Iterator[Reveal]:
    """The facts the state waits for, as far as the table shows them. One may follow from another: ask again after each."""
    evidence = gather(state, table)
    match state.stage:
        case "market":
            cards = evidence.market.came
            if len(cards) == state.hidden.size(MARKET) and not evidence.market.unread:
                yield Market(cards)
        case "chambers" | "refill":
            for chamber in sorted(set(state.queue)):
                yield from (
                    Chamber(chamber, face) for face in _treasures(evidence.chambers[chamber - 1].came)
                )
        case "drawn":
            # Somebody chose the dig in the menu: a treasure is what the table does not show.
            kinds: tuple[Dug, ...] = ("thief", "sandstorm")
            yield next((Drawn(kind) for kind in kinds if kind in evidence.discards.came), Drawn("treasure"))
        case "mine drawn":
            yield from (Cards((face,)) for face in _treasures(evidence.found.came)[:1])
        case "sphinx drawn":
            cards = _treasures(evidence.found.came)
            if len(cards) == min(state.numbers.draws, left_in(state, 1)) and not evidence.found.unread:
                yield Cards(cards)


def cleared(evidence: Evidence) -> Iterator[Cleared]:
    """What has been put away since it lay open."""
    places = (*range(len(evidence.sold)), DISCARDS, DRAWN)
    spreads = (*evidence.sold, evidence.discards, evidence.found)
    for place, spread in zip_longest(places, spreads):
        if spread.cleared:
            yield Cleared(place, spread.cleared)


def _treasures(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(card for card in cards if card in ORDER)
