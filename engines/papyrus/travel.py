"""Moving on the map: which paths there are, and what pays for one (T5-T7, Y17-Y22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from engines.papyrus.board import COLOURS, EVENT, Way, split, ways
from engines.papyrus.moves import EYE, FACES, Travel, ordered
from engines.papyrus.notation import short
from engines.papyrus.numbers import Numbers
from engines.papyrus.piles import discard
from engines.papyrus.state import HANDS, Cause, PapyrusState


class Roads(NamedTuple):
    """The map as pawns walk it."""

    places: tuple[str, ...]
    events: frozenset[str]
    """Places that are event squares."""
    ways: Mapping[str, Mapping[str, Way]]
    """From a place, by target."""


@lru_cache(maxsize=32)
def _roads(numbers: Numbers, stops: bool) -> Roads:
    board = split(numbers.board) if stops else numbers.board
    return Roads(
        board.places,
        frozenset(board.event_squares),
        {place: {way.target: way for way in them} for place, them in ways(board).items()},
    )


def roads(state: PapyrusState) -> Roads:
    """The map of this game: an event square on a path is a place of its own, or is passed (Y23)."""
    return _roads(state.numbers, "stop_on_event_square=yes" in state.options)


def longest(numbers: Numbers) -> int:
    """How many cards the dearest path takes; 0 without a map."""
    return max((len(edge.squares) - edge.squares.count(EVENT) for edge in numbers.board.edges), default=0)


def _unpaid(way: Way, move: Travel, wild: bool) -> Cause | None:
    """Why these cards do not pay the path: exact colour and number, an Eye of Horus for any one (T6, Y15, Y20)."""
    squares, cards = sum(n for _, n in way.cost), len(move.cards)
    words = {"place": short(way.target), "cost": told(way), "short": brief(way), "n": str(squares)}
    if EYE in move.cards and not wild:
        return "Y15", "blank", words
    if cards > squares:
        return "Y20", "over", words
    needed = dict(way.cost)
    eyes = move.cards.count(EYE)
    for symbol in COLOURS:
        paid = move.cards.count(symbol)
        if paid > needed.get(symbol, 0):
            return "T6", "cost", words
        eyes -= needed.get(symbol, 0) - paid
    return ("T6", "cost", words) if eyes else None


def told(way: Way) -> str:
    """What a path costs, in words: "4 water, 2 light"."""
    counts = dict(way.cost)
    return ", ".join(f"{counts[face]} {face}" for face in FACES if face in counts) or "nothing"


def brief(way: Way) -> str:
    """What a path costs, in at most 17 letters: "4 water, 2 light", else "1W 4L 2N 2D"."""
    words = told(way)
    if len(words) <= 17:
        return words
    counts = dict(way.cost)
    return " ".join(f"{counts[face]}{face[0].upper()}" for face in FACES if face in counts)


def cause(state: PapyrusState, move: Travel) -> Cause | None:
    """Why the pawn may not go there for these cards."""
    here, where = state.seats[move.player].place, roads(state)
    words = {"place": short(move.place), "here": short(here)}
    if move.place not in where.places:
        return "P1", "place", words
    if move.place == here:
        return "Y24", "stay", words
    way = where.ways[here].get(move.place)
    if way is None:
        return "Y19", "path", words
    unpaid = _unpaid(way, move, "eye_of_horus=wild" in state.options)
    if unpaid is not None:
        return unpaid
    hand = HANDS[move.player]
    if state.cards.size(hand) < len(move.cards):
        return "T5", "few", {"n": str(state.cards.size(hand))}
    if not state.cards.possible(hand, move.cards):
        return "P3", "gone", {}
    return None


def travelled(state: PapyrusState, move: Travel) -> tuple[PapyrusState, bool]:
    """The cards are discarded and the pawn has arrived; whether an event square was passed or reached (V1)."""
    where, seat = roads(state), state.seats[move.player]
    event = move.place in where.events or where.ways[seat.place][move.place].events > 0
    return placed(discard(state, move.player, move.cards), move.player, move.place), event


def placed(state: PapyrusState, seat: int, place: str) -> PapyrusState:
    """The pawn of the seat stands on the place; any number may share one (Y21)."""
    state = state.seated(seat, replace(state.seats[seat], place=place))
    return replace(state, astray=tuple(one for one in state.astray if one[0] != seat))


@lru_cache(maxsize=4096)
def payments(way: Way, wild: bool) -> tuple[tuple[str, ...], ...]:
    """Every way to pay a path, the one without Eyes of Horus first."""
    found = []
    for eyes in product(*(range(n + 1 if wild else 1) for _, n in way.cost)):
        cards = [face for (face, n), less in zip(way.cost, eyes, strict=True) for face in [face] * (n - less)]
        found.append(ordered((*cards, *(EYE,) * sum(eyes))))
    return tuple(found)


def journeys(state: PapyrusState) -> list[Travel]:
    """Every move on the map that the player to move may be able to pay."""
    player, hand = state.to_move, HANDS[state.to_move]
    wild = "eye_of_horus=wild" in state.options
    return [
        Travel(player, target, cards)
        for target, way in roads(state).ways[state.seats[player].place].items()
        for cards in payments(way, wild)
        if state.cards.possible(hand, cards)
    ]
