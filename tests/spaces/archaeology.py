"""Archaeology for the common harness: moves of its full space, legal or not, and what must never be lost."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from engines.archaeology import rules
from engines.archaeology.dealing import SANDSTORM, THIEF, ArchaeologyDeal
from engines.archaeology.moves import (
    Bust,
    Dig,
    Draw,
    End,
    Explore,
    Hand,
    Lose,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import FACES, MAP
from engines.archaeology.state import CHAMBERS, DIG, HANDS, PILE, ArchaeologyState, ordered
from engines.game import Move, Reveal

PLAIN: tuple[type[Move], ...] = (Dig, Draw, Stop, Bust, End)


def near_misses(state: ArchaeologyState, rng: random.Random, n: int) -> list[Move]:
    """``n`` moves that somebody might name: any at all, and legal ones with one thing changed."""
    legal = rules.legal_moves(state)
    found: list[Move] = []
    for _ in range(n):
        if legal and rng.random() < 0.6:
            found.append(_changed(state, rng.choice(legal), rng))
        else:
            found.append(_any(state, rng.randrange(state.players), rng))
    return found


def corrections(state: ArchaeologyState, rng: random.Random) -> list[Reveal]:
    """Somebody holds a card more or less than the moves say."""
    seat = rng.randrange(state.players)
    return [Hand(seat, max(0, state.held(seat) + rng.choice((-1, 1, 2))), correction=True)]


def _cards(state: ArchaeologyState, rng: random.Random, most: int) -> tuple[str, ...]:
    """Some treasures, mostly of those in play and alike."""
    faces = rng.sample(FACES if rng.random() < 0.2 else state.numbers.faces, 2)
    return ordered(rng.choice(faces) for _ in range(rng.randint(0, most)))


def _any(state: ArchaeologyState, seat: int, rng: random.Random) -> Move:
    """Any move of the space: every kind as likely as the others."""
    chamber = rng.randint(0, 4)
    return rng.choice(
        (
            rng.choice(PLAIN)(seat),
            Steal(seat, rng.randint(-1, state.players)),
            Tent(seat, rng.random() < 0.5),
            Lose(seat, _cards(state, rng, 5)),
            Trade(seat, _cards(state, rng, 4), ordered(rng.sample(state.market, min(len(state.market), 2)))),
            Trade(seat, _cards(state, rng, 4), _cards(state, rng, 3)),
            Explore(seat, chamber),
            Explore(seat, 0, _cards(state, rng, 3)),
            Peek(seat, chamber),
            Sell(seat, _cards(state, rng, 6)),
            Sell(seat, (rng.choice(state.numbers.faces),) * rng.randint(1, 6)),
        )
    )


def _changed(state: ArchaeologyState, move: Move, rng: random.Random) -> Move:
    """The move with one thing changed."""
    if rng.random() < 0.2:
        return replace(move, player=rng.randrange(state.players))

    def other(cards: tuple[str, ...]) -> tuple[str, ...]:
        kept = list(cards)
        if kept and rng.random() < 0.6:
            kept.pop(rng.randrange(len(kept)))
        if rng.random() < 0.6:
            kept.append(rng.choice(state.numbers.faces))
        return ordered(kept)

    match move:
        case Trade(give=give, take=take):
            return replace(move, give=other(give)) if rng.random() < 0.5 else replace(move, take=other(take))
        case Lose(treasures=treasures) | Sell(treasures=treasures):
            return replace(move, treasures=other(treasures))
        case Explore(named=named) if named:
            return replace(move, named=other(named))
        case Explore(chamber=chamber) | Peek(chamber=chamber):
            return replace(move, chamber=max(0, chamber + rng.choice((-1, 1))))
        case Steal(victim=victim):
            return replace(move, victim=victim + rng.choice((-1, 1)))
        case Tent(used=used):
            return replace(move, used=not used)
    return rng.choice(PLAIN)(move.player)


def conserved(state: ArchaeologyState, deal: ArchaeologyDeal) -> None:
    """Every card is somewhere, the public counts are true, and what is known of hidden cards is so. Raises AssertionError.

    While the table has to show something first the deal is a step ahead: then there is nothing to compare.
    """
    if rules.awaited(state):
        return
    assert state == deal.state, "the record and the deal have parted"
    numbers = state.numbers
    cards = deal.everything()
    cards.update(state.market)
    cards.update(state.drawn)
    cards[MAP] += state.maps_gone
    for chamber in state.chambers:
        cards.update(chamber)
    for sets in state.sold:
        for face, count in sets:
            cards[face] += count
    assert cards == Counter(dict(numbers.copies)), f"cards were lost or doubled: {cards}"
    assert deal.dig.count(THIEF) == numbers.thieves - state.thieves, "a thief was lost"
    assert deal.dig.count(SANDSTORM) == numbers.sandstorms - state.storms, "a sandstorm was lost"
    for place, true in _places(deal).items():
        hidden = state.hidden
        assert hidden.size(place) == len(true), f"{place} has {len(true)} cards, not {hidden.size(place)}"
        wrong = Counter(dict(hidden.known(place))) - Counter(true)
        assert not wrong, f"{place} is said to hold {wrong}, and does not"
        assert hidden.possible(place, true), f"{place} is said not to hold what it holds"
    prices = [
        sum(numbers.prices[face][count - 1] for face, count in sets if face != MAP) for sets in state.sold
    ]
    maps = [sum(numbers.prices[MAP][0] * count for face, count in sets if face == MAP) for sets in state.sold]
    totals = tuple(price + more for price, more in zip(prices, maps, strict=True))
    assert rules.score(state).totals == totals, "the score is not what was sold"


def _places(deal: ArchaeologyDeal) -> dict[str, list[str]]:
    """What truly lies in each place that nobody sees."""
    places = {HANDS[seat]: hand for seat, hand in enumerate(deal.hands)}
    places |= {CHAMBERS[number]: cards for number, cards in enumerate(deal.chambers, start=1)}
    places[PILE] = deal.pile
    places[DIG] = [card for card in deal.dig if card not in (THIEF, SANDSTORM)]
    return places
