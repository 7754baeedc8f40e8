"""How people break the rules of Archaeology: what the hand does, what it means, and how it is put right.

Each maker gets the public state, the true hands and what lies where, and gives None when there is no chance for its mistake. It offers only what the
rules refuse for certain: a trade that falls short by a number nobody has verified is no mistake that anybody could prove.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from engines.archaeology import rules
from engines.archaeology.causes import largest
from engines.archaeology.moves import Explore, Lose, Sell, Trade
from engines.archaeology.numbers import MAP
from engines.archaeology.state import ArchaeologyState, ordered
from engines.archaeology.turns import acting
from engines.archaeology.zones import DISCARD, markets, room, sold
from engines.archaeology.zones import layout as planned
from engines.dealing import Act, Deed, Intent
from engines.game import Move

Hands = Sequence[tuple[str, ...]]
Zones = Mapping[str, Sequence[str]]
Maker = Callable[[ArchaeologyState, Hands, Zones, random.Random], Intent | None]


def _wrong(state: ArchaeologyState, move: Move, deeds: Sequence[Act]) -> Intent | None:
    """The intent when the rules refuse the move; undone, all lies as before."""
    refusal = rules.refusal(state, move)
    if refusal is None or not deeds:
        return None
    undo = tuple(Act(deed.piece, deed.target, deed.source) for deed in reversed(deeds))
    stage: tuple[Deed, ...] = tuple(deeds)
    return Intent(move.player, ((stage, (move,)),), refusal.rule, True, undo)


def _market(zones: Zones, cards: Sequence[str]) -> list[Act]:
    """Cards laid to the marketplace, where there is most room."""
    rows = {name: len(cards) for name, cards in zones.items() if name.startswith("market-")}
    deeds = []
    for card in cards:
        name = min(rows, key=rows.__getitem__)
        rows[name] += 1
        deeds.append(Act(card, None, name))
    return deeds


def _fits(state: ArchaeologyState, zones: Zones, seat: int, number: int) -> bool:
    """Whether a player's row has room for so many cards more."""
    zone = planned(state.players, dict(state.options)).zone(sold(seat))
    return len(zones[sold(seat)]) + number <= room(zone)


def pays_too_little(state: ArchaeologyState, hands: Hands, zones: Zones, rng: random.Random) -> Intent | None:
    """A trade in which the cards given are worth less than those taken."""
    seat = state.turn
    if state.stage != "act" or len(state.market) < 2 or not hands[seat]:
        return None
    give = (min(hands[seat], key=lambda face: (state.numbers.trade[face], face)),)
    others = sorted((face for face in state.market if face not in give), key=state.numbers.trade.__getitem__)
    take = ordered(others[-2:])
    if not take:
        return None
    deeds = _market(zones, give)
    lying = {name: list(zones[name]) for name in markets(state.players)}
    for face in take:
        name = next(name for name, cards in lying.items() if face in cards)
        lying[name].remove(face)
        deeds.append(Act(face, name, None))
    return _wrong(state, Trade(seat, give, take), deeds)


def sells_too_many(state: ArchaeologyState, hands: Hands, zones: Zones, rng: random.Random) -> Intent | None:
    """A set larger than the largest that its card has a price for."""
    seat = state.turn
    if state.stage != "act":
        return None
    for face, count in Counter(hands[seat]).items():
        most, sure = largest(state, face)
        if face != MAP and sure and count > most and _fits(state, zones, seat, count):
            cards = (face,) * count
            return _wrong(state, Sell(seat, cards), [Act(face, None, sold(seat)) for face in cards])
    return None


def sells_out_of_turn(
    state: ArchaeologyState, hands: Hands, zones: Zones, rng: random.Random
) -> Intent | None:
    """Somebody sells whose turn neither is nor comes next: for all that the table shows, the next one's may have begun."""
    if state.stage != "act":
        return None
    seats = [
        seat
        for seat in range(state.players)
        if (seat - state.turn) % state.players > 1 and hands[seat] and _fits(state, zones, seat, 1)
    ]
    if not seats:
        return None
    seat = rng.choice(seats)
    face = rng.choice(hands[seat])
    return _wrong(state, Sell(seat, (face,)), [Act(face, None, sold(seat))])


def explores_again(state: ArchaeologyState, hands: Hands, zones: Zones, rng: random.Random) -> Intent | None:
    """A second exploration in one turn: the Map is laid down."""
    seat = state.turn
    price = state.numbers.maps[state.monument]
    if state.stage != "act" or not state.explored or 1 not in price or MAP not in hands[seat]:
        return None
    single = state.monument in ("mine", "sphinx")
    named = ("shard", "scrap") if state.monument == "sphinx" else ()
    move = Explore(seat, 0 if single else price.index(1) + 1, named)
    if len(zones[DISCARD]) + 1 > room(planned(state.players, dict(state.options)).zone(DISCARD)):
        return None
    return _wrong(state, move, [Act(MAP, None, DISCARD)])


def loses_too_many(state: ArchaeologyState, hands: Hands, zones: Zones, rng: random.Random) -> Intent | None:
    """In a Sandstorm somebody lays down a card more than half. Only the last one: after that nobody else's can be meant."""
    seat = acting(state)
    if state.stage != "lose" or len(state.queue) > 1:
        return None
    cards = ordered(rng.sample(hands[seat], len(hands[seat]) // 2 + 1))
    return _wrong(state, Lose(seat, cards), _market(zones, cards))


def sells_in_a_storm(
    state: ArchaeologyState, hands: Hands, zones: Zones, rng: random.Random
) -> Intent | None:
    """A sale while cards are still to be lost."""
    seat = acting(state)
    if state.stage != "lose" or not _fits(state, zones, seat, 1):
        return None
    face = rng.choice(hands[seat])
    return _wrong(state, Sell(seat, (face,)), [Act(face, None, sold(seat))])


MISTAKES: tuple[Maker, ...] = (
    pays_too_little,
    sells_too_many,
    sells_out_of_turn,
    explores_again,
    loses_too_many,
    sells_in_a_storm,
)
"""Every kind of mistake the simulated people make."""
