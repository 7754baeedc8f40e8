"""A small game of Papyrus for its tests: few places, few gods, plenty of letters; and a way to play it line by line.

Its numbers are given as the owner's own, so that the rules may count on them; ``unsure`` gives them as house numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engines.catalogue import Catalogue, override, shipped
from engines.game import IllegalMove, Move, Refusal
from engines.ownfile import read_own
from engines.papyrus import rules
from engines.papyrus.state import PapyrusState

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")
SMALL: Mapping[str, Any] = {
    "map.start": "horus",
    "map.pyramids": ["horus", "anubis", "isis", "seth"],
    "map.event_squares": ["oasis"],
    "map.edges": [
        "horus - anubis: 4 water, 2 light",
        "horus - isis: 1 nature",
        "isis - seth: 1 dark, event, 1 light",
        "isis - oasis: 1 nature",
        "oasis - anubis: 1 dark",
    ],
    "counts.gods": 9,
    "gods": [
        {"name": "Horus", "value": 6},
        {"name": "Anubis", "value": 6},
        {"name": "Isis", "value": 4},
        {"name": "Seth", "value": 4},
        {"name": "Amon-Ra", "value": 6, "pyramid": "isis"},
        {"name": "Imset", "value": 5, "pyramid": "seth", "son": True},
        {"name": "Hapi", "value": 4, "pyramid": "seth", "son": True},
        {"name": "Duamut", "value": 6, "pyramid": "seth", "son": True},
        {"name": "Kebeh", "value": 5, "pyramid": "anubis", "son": True},
    ],
    "counts.hieroglyphs": 160,
    "letters": dict.fromkeys("ABDEHIKMNOPRSTUX", 10),
    "counts.events": 4,
    "events": [
        {"name": "Flood", "effects": ["lose 2 cards"]},
        {"name": "Sun", "effects": ["points +3"]},
        {"name": "Moon", "effects": ["as agreed at the table"], "copies": 2},
    ],
}


def own(changes: Mapping[str, Any] | None = None) -> Catalogue:
    """The small game's numbers as the owner's own, with changes by path."""
    return override(shipped("papyrus"), {**SMALL, **(changes or {})}, "own", "test")


def unsure(changes: Mapping[str, Any] | None = None) -> Catalogue:
    """The same as house numbers: nothing may be refused by counting on them."""
    return override(shipped("papyrus"), {**SMALL, **(changes or {})}, "house", "test")


def events(*effects: str) -> Catalogue:
    """The small game with one kind of event card, called Event, that has these effects."""
    card = {"name": "Event", "effects": list(effects), "copies": 4}
    return own({"events": [card]})


@cache
def sample() -> Catalogue:
    """The sample that comes with Thoth, as house numbers."""
    text = (files("engines") / "papyrus" / "house.toml").read_text(encoding="utf-8")
    found = read_own(text, "house.toml")
    assert not found.faults
    return override(shipped("papyrus"), found.values["papyrus"], "house", "house.toml")


def start(
    players: int = 2,
    first: int = 0,
    catalogue: Catalogue | None = None,
    options: Mapping[str, str] | None = None,
    **more: str,
) -> PapyrusState:
    """A game by the small numbers; options as a table or by name."""
    return rules.start(players, first, {**(options or {}), **more}, own() if catalogue is None else catalogue)


def move(line: str) -> Move:
    """The move of a line like ``Ana: draw``."""
    name, colon, words = line.partition(": ")
    assert colon, line
    step = rules.parse(words, NAMES.index(name), NAMES)
    assert isinstance(step, Move)
    return step


def play(state: PapyrusState, *lines: str) -> PapyrusState:
    """The state after these lines: ``Ana: draw``, ``reveal event flood``, ``correct hand Ben 5``."""
    for line in lines:
        step = rules.parse(line, 0, NAMES) if line.startswith(("reveal ", "correct ")) else move(line)
        state = rules.apply(state, step)
    return state


def refused(state: PapyrusState, line: str) -> Refusal:
    """Why the line is refused; it must be, and ``apply`` must say the same."""
    refusal = rules.refusal(state, move(line))
    assert refusal is not None, f"{line} is allowed"
    try:
        rules.apply(state, move(line))
    except IllegalMove as error:
        assert error.refusal == refusal
        return refusal
    raise AssertionError(f"{line} is refused but can be applied")


def allowed(state: PapyrusState, line: str) -> bool:
    return rules.refusal(state, move(line)) is None


def listed(state: PapyrusState) -> set[str]:
    """The legal moves in words."""
    return {rules.format(move, NAMES) for move in rules.legal_moves(state)}


def armed(state: PapyrusState, *lines: str) -> PapyrusState:
    """The state with more movement cards in the first hand, so that it may have any: twenty."""
    return play(state, "correct hand Ana 20", *lines)


def sizes(state: PapyrusState, seat: int) -> tuple[int, int, int]:
    """Movement cards, hieroglyphs and gods of a seat."""
    hand = f"player-{seat + 1}"
    return state.cards.size(hand), state.hieroglyphs.size(hand), state.gods.size(hand)
