"""Any member of the full space of Ankh's moves, legal or not, and what must never be lost."""

from __future__ import annotations

import random
from collections import Counter

from engines.ankh import knowledge
from engines.ankh.cards import MUMMIES, any_papyri
from engines.ankh.dealing import AnkhDeal
from engines.ankh.knowledge import DISCARD, PILE, hand
from engines.ankh.moves import HandCount, Play, Sacrifice
from engines.ankh.state import AnkhState
from engines.game import Move, Reveal

ODD = ("green-6", "red-0", "green-green-blue-red-5", "green-yellow-blue-red-10", "blue-yellow-green-red-0")
"""Cards that no deck has."""
PAPYRI = tuple(sorted(any_papyri()))


def near_misses(state: AnkhState, rng: random.Random, n: int) -> list[Move]:
    """So many moves of any kind: many nearly right, some for another player or with cards that do not exist."""
    return [_any(state, rng) for _ in range(n)]


def corrections(state: AnkhState, rng: random.Random) -> list[Reveal]:
    """Somebody holds another number of cards than the moves say."""
    return [HandCount(rng.randrange(len(state.hands)), rng.randint(0, 5), correction=True)]


def _any(state: AnkhState, rng: random.Random) -> Move:
    seat = state.to_move if rng.random() < 0.9 else rng.randrange(len(state.hands) + 1)
    if rng.random() < 0.4:
        return Play(seat, _card(state, rng))
    size = rng.choice((0, 1, 2, 2, 3, 3, 4, 4, 5))
    few = [_card(state, rng) for _ in range(rng.randint(1, 3))]
    unseen = rng.randint(0, size) if rng.random() < 0.3 else 0
    return Sacrifice(seat, tuple(rng.choice(few) for _ in range(size - unseen)), unseen)


def _card(state: AnkhState, rng: random.Random) -> str:
    """Mostly a card of the deck, often one that lies open already."""
    seen = [card for row in state.rows for card in row] + list(state.discard)
    kind = rng.random()
    if kind < 0.3 and seen:
        return rng.choice(seen)
    if kind < 0.85:
        return rng.choice(list(state.numbers.counts))
    if kind < 0.9:
        return rng.choice(ODD)
    return rng.choice(PAPYRI if rng.random() < 0.5 else MUMMIES)


def conserved(state: AnkhState, deal: AnkhDeal) -> None:
    """Every card is where the state says, as far as it says; and the truth is among what it holds possible."""
    assert [list(row) for row in state.rows] == deal.rows
    assert list(state.papyri) == deal.papyri and Counter(state.discard) == Counter(deal.discard)
    assert list(state.hands) == [len(cards) for cards in deal.hands]
    assert (state.pile, state.unseen) == (len(deal.pile), len(deal.unseen))
    places = [*deal.rows, deal.papyri, deal.discard, *deal.hands, deal.pile, deal.unseen]
    assert sum(map(len, places)) == state.numbers.total
    for hidden in state.hidden:
        assert [hidden.size(hand(seat)) for seat in range(len(state.hands))] == list(state.hands)
        assert (hidden.size(PILE), hidden.size(DISCARD)) == (state.pile, state.unseen)
    for seat, cards in enumerate(deal.hands):
        assert knowledge.possible(state.numbers, state.hidden, hand(seat), cards)
    assert knowledge.possible(state.numbers, state.hidden, PILE, deal.pile[-4:])
    for seat, cards in enumerate(deal.hands):
        sure = state.hidden[-1].known(hand(seat))
        assert not Counter(dict(sure)) - Counter(cards), "what is thought to be sure is not so"
    number = int(deal.papyri[-1].split("-")[-1])
    assert all(len(row) < number for row in deal.rows), "a scoring was missed"
    assert state.totals == tuple(
        sum(earned[seat] for _, earned in state.written) for seat in range(len(state.hands))
    )
