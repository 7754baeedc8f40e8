"""Every rule of Pebbles, each by a test that names it."""

from __future__ import annotations

import pytest

from engines.catalogue import MissingNumbers, override, shipped
from engines.game import IllegalMove, Move, Refusal, WrongReveal
from engines.pebbles import rules
from engines.pebbles.moves import Colour, Draw, Take
from engines.pebbles.state import PebblesState
from tests.rules import rule

WHITE, BLACK = Colour("white"), Colour("black")


def after(*steps: Move | Colour, players: int = 2, **numbers: int) -> PebblesState:
    """The state after these steps; numbers given are the owner's own."""
    given = {f"bag.{name}": number for name, number in numbers.items()}
    state = rules.start(players, 0, {}, override(shipped("pebbles"), given, "own", "a test"))
    for step in steps:
        state = rules.apply(state, step)
    return state


def refused(state: PebblesState, move: Move) -> Refusal:
    with pytest.raises(IllegalMove) as caught:
        rules.apply(state, move)
    return caught.value.refusal


@rule("P1", game="pebbles")
def test_the_heap_is_full_and_missing_numbers_are_asked_for() -> None:
    assert after().heap == 15
    with pytest.raises(MissingNumbers, match="how many white"):
        rules.start(2, 0, {}, override(shipped("pebbles"), {"bag.white": None}, "own", "a test"))


@rule("G1", "G2", game="pebbles")
def test_turns_and_numbers() -> None:
    assert refused(after(), Take(1, 1)).rule == "G1"
    assert refused(after(), Take(0, 4)).text == "Take 1 to 3, not 4"
    assert (
        refused(after(*(Take(seat % 2, 3) for seat in range(4)), Take(0, 1)), Take(1, 3)).text
        == "Only 2 left"
    )
    assert after(Take(0, 3), Take(1, 2)).to_move == 0


@rule("G3", game="pebbles")
def test_a_colour_is_shown_before_anybody_goes_on() -> None:
    state = after(Draw(0))
    assert refused(state, Take(1, 1)).rule == "G3" and rules.awaited(state) == (WHITE, BLACK)
    assert rules.apply(state, WHITE).to_move == 1
    with pytest.raises(WrongReveal):
        rules.apply(after(), WHITE)


@rule("H1", game="pebbles")
def test_an_empty_bag_is_refused_only_where_its_number_is_verified() -> None:
    drawn = (Draw(0), WHITE, Draw(1), BLACK)
    sure = after(*drawn, white=1, black=1)
    assert refused(sure, Draw(0)).rule == "H1" and Draw(0) not in rules.legal_moves(sure)
    with pytest.raises(WrongReveal, match="all white"):
        after(*drawn[:3], WHITE, white=1, black=1)
    unsure = rules.start(
        2, 0, {}, override(shipped("pebbles"), {"bag.white": 1, "bag.black": 1}, "house", "a test")
    )
    for step in drawn:
        assert isinstance(step, Colour) or rules.doubt(unsure, step) is None
        unsure = rules.apply(unsure, step)
    assert rules.refusal(unsure, Draw(0)) is None
    doubt = rules.doubt(unsure, Draw(0))
    assert doubt is not None and doubt.rule == "H1"


@rule("E1", "E2", "H2", game="pebbles")
def test_the_end() -> None:
    state = after(Draw(0), WHITE, Draw(1), BLACK, *(Take(seat % 2, 3) for seat in range(5)))
    assert refused(state, Take(1, 1)).rule == "E1"
    assert rules.score(state).totals == (12, 5)
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (0,)
    tie = after(
        *(Take(seat % 3, 3) for seat in range(3)), *(Take(seat % 3, 2) for seat in range(3)), players=3
    )
    outcome = rules.outcome(tie)
    assert outcome is not None and outcome.winners == (0, 1, 2)
