"""An Ankh table for tests: games told line by line, each line a move of whoever is to move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.ankh import rules
from engines.ankh.state import AnkhState
from engines.catalogue import Catalogue, override, shipped
from engines.game import IllegalMove, Move, Refusal

YGBR5 = "yellow-green-blue-red-5"
NUMBER = 9
"""A number so high that no scoring comes in between."""
FILLER = "sacrifice green-1"
"""What a player does who is not the point of a test."""


def table(
    *lines: str,
    players: int = 3,
    first: int = 0,
    options: Mapping[str, str] | None = None,
    catalogue: Catalogue | None = None,
    papyrus: str = YGBR5,
) -> AnkhState:
    """The state after the first papyrus and these lines."""
    state = rules.start(players, first, options or {}, catalogue)
    return go(state, f"reveal papyrus {papyrus}", *lines)


def go(state: AnkhState, *lines: str) -> AnkhState:
    """The state after more lines."""
    for line in lines:
        state = rules.apply(state, rules.parse(line, state.to_move))
    return state


def refused(state: AnkhState, line: str, player: int | None = None) -> Refusal:
    """Why a line is refused; the state is as it was."""
    move = rules.parse(line, state.to_move if player is None else player)
    assert isinstance(move, Move)
    refusal = rules.refusal(state, move)
    assert refusal is not None, f"{line} was accepted"
    before = hash(state)
    try:
        rules.apply(state, move)
    except IllegalMove as error:
        assert error.refusal == refusal
    else:
        raise AssertionError(f"{line} was applied")
    assert hash(state) == before
    return refusal


def accepted(state: AnkhState, line: str) -> bool:
    move = rules.parse(line, state.to_move)
    assert isinstance(move, Move)
    return rules.refusal(state, move) is None


def totals(state: AnkhState) -> tuple[int, ...]:
    return rules.score(state).totals


def cut(mummies: Mapping[str, Sequence[int]], papyri: Sequence[str], hand: int = 4) -> Catalogue:
    """A small deck, counted by its owner. Colours that are left out have no mummies."""
    counts = {colour: list(mummies.get(colour, (0,) * 5)) for colour in ("green", "yellow", "blue", "red")}
    values: dict[str, Any] = {f"mummies.{colour}": numbers for colour, numbers in counts.items()}
    values |= {
        "papyri.cards": list(papyri),
        "deck.papyri": len(papyri),
        "deck.mummies": sum(map(sum, counts.values())),
        "deck.hand": hand,
    }
    return override(shipped("ankh"), values, "own", "a cut deck")


def verified() -> Catalogue:
    """The whole deck as if its owner had counted it."""
    known = shipped("ankh")
    paths = ("papyri.cards", *(f"mummies.{colour}" for colour in ("green", "yellow", "blue", "red")))
    return override(known, {path: known[path] for path in paths}, "own", "counted")
