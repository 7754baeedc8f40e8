"""What an exploration leaves on the table: Maps among the discards, a chamber that is empty, cards that are gone from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from engines.archaeology import rules
from engines.archaeology.counts import left_in, numbered, unseen
from engines.archaeology.evidence import Evidence
from engines.archaeology.moves import Explore
from engines.archaeology.numbers import MAP
from engines.archaeology.state import ArchaeologyState
from engines.archaeology.zones import FACE_UP, RUINS
from engines.words import counted


class Visit(NamedTuple):
    """An exploration that may have been made; without a move it is not finished, and ``waiting`` says what is missing."""

    move: Explore | None = None
    certain: bool = True
    waiting: str = ""


def visits(state: ArchaeologyState, evidence: Evidence) -> Iterator[Visit]:
    """The explorations that the Maps and the chambers speak of. ``state``: right before it, after the dig."""
    maps = evidence.discards.came.count(MAP)
    monument = state.monument
    if monument in FACE_UP:
        if maps:
            yield from _face_up(state)
    elif monument == "tomb":
        if maps:
            yield from _tomb(state, evidence)
    else:
        yield from _taken(state, evidence, maps)


def _face_up(state: ArchaeologyState) -> Iterator[Visit]:
    """The Mine; the Sphinx for each two types that may have been named, those first of which most is to be hoped for."""
    seat = state.turn
    if state.monument == "mine":
        yield Visit(Explore(seat))
        return
    faces = [face for face in state.numbers.faces if face != MAP]
    left = unseen(state)
    hopes = {
        face: left[face] * state.numbers.prices[face][-1] / len(state.numbers.prices[face]) for face in faces
    }
    pairs = sorted(combinations(faces, 2), key=lambda pair: -(hopes[pair[0]] + hopes[pair[1]]))
    yield from (Visit(Explore(seat, 0, pair), certain=False) for pair in pairs)


def _tomb(state: ArchaeologyState, evidence: Evidence) -> Iterator[Visit]:
    """Nothing but the Map is seen, unless the last cards were taken."""
    keep = state.numbers.keep
    open_to = [
        number
        for number in numbered(state)
        if left_in(state, number) and (left_in(state, number) <= keep) == (number in evidence.emptied)
    ]
    moves = [Explore(state.turn, number) for number in open_to or numbered(state)]
    legal = [move for move in moves if rules.refusal(state, move) is None] or moves[:1]
    yield from (Visit(move, certain=len(legal) == 1) for move in legal)


def _taken(state: ArchaeologyState, evidence: Evidence, maps: int) -> Iterator[Visit]:
    """A chamber was emptied and paid for."""
    price = state.numbers.maps[state.monument]
    taken = (
        [number for number in numbered(state) if evidence.chambers[number - 1].gone]
        if state.monument == RUINS
        else list(evidence.emptied)
    )
    whole = [number for number in taken if state.monument != RUINS or _all(state, evidence, number)]
    if taken and not whole:
        yield Visit(waiting="Take all its cards")
    for number in whole:
        if maps >= price[number - 1]:
            yield Visit(Explore(state.turn, number))
        else:
            yield Visit(waiting=f"{counted(price[number - 1] - maps, 'map')} to pay")
    if maps and not taken:
        refused = _refused(state, maps)
        if refused is not None:
            yield Visit(refused)
            return
        fitting = [
            number for number in numbered(state) if price[number - 1] == maps and left_in(state, number)
        ]
        yield Visit(waiting=f"Take chamber {fitting[0]}" if len(fitting) == 1 else "Take a chamber")


def _all(state: ArchaeologyState, evidence: Evidence, number: int) -> bool:
    return len(evidence.chambers[number - 1].gone) == len(state.chambers[number - 1])


def _refused(state: ArchaeologyState, maps: int) -> Explore | None:
    """An exploration that so many Maps pay for, when none of those is legal."""
    price = state.numbers.maps[state.monument]
    moves = [Explore(state.turn, number) for number in numbered(state) if price[number - 1] == maps]
    if not moves or any(rules.refusal(state, move) is None for move in moves):
        return None
    return moves[0]
