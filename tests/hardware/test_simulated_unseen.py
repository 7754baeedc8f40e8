"""A broken rule counts as one that nobody could see only where table and buttons have the history of a lawful night."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from engines.archaeology.moves import Dig, End, Sell, Trade
from engines.game import Move
from hardware.simulated.diary import Made
from tests.perfect_cards import Evening

WRONG = Sell(3, ("cup",))


@dataclass
class Lawful:
    """Allows the wrong move in these states alone, and moves that were seen before it if the same player made them."""

    states: frozenset[str]

    def __call__(self, state: Any, moves: Sequence[Move]) -> bool:
        *seen, last = moves
        assert last == WRONG
        return state in self.states and all(move.player == WRONG.player for move in seen)


def made(move: Move, before: str, *, bare: bool = True, confirmed: bool = False) -> Made:
    return Made(move, "", "", "", confirmed=confirmed, bare=bare, before=before)


@pytest.mark.parametrize(
    ("last", "lawful", "unseen"),
    [
        ([], {"now"}, False),
        ([made(End(3), "Dan's turn")], {"Dan's turn"}, True),
        ([made(End(3), "Dan's turn"), made(Dig(0), "Ana's turn")], {"Dan's turn"}, True),
        ([made(End(3), "Dan's turn"), made(Dig(0), "Ana's turn")], {"elsewhere"}, False),
        # A trade shows on the table, and not whose it is.
        (
            [
                made(End(3), "Dan's turn"),
                made(Dig(0), "Ana's turn"),
                made(Trade(0, ("cup",), ("coin",)), "after", bare=False),
            ],
            {"Dan's turn"},
            True,
        ),
        ([made(Trade(0, ("cup",), ("coin",)), "Ana's turn", bare=False)], {"now"}, False),
        # Somebody pressed, or laid something down: whose turn it was is known.
        ([made(End(3), "Dan's turn", confirmed=True), made(Dig(0), "Ana's turn")], {"Dan's turn"}, False),
        (
            [made(End(3), "Dan's turn"), made(Sell(0, ("cup",)), "Ana's turn", bare=False)],
            {"Dan's turn"},
            False,
        ),
    ],
)
def test_only_what_leaves_no_trace_can_be_left_out(last: list[Made], lawful: set[str], unseen: bool) -> None:
    people = Evening("archaeology", 1, 4, 0.0).people
    people._lawful = Lawful(frozenset(lawful))
    people.diary.made += last
    assert people._as_lawful(WRONG) is unseen


def test_a_sale_out_of_turn_after_a_turn_that_nobody_ended_is_like_a_lawful_one() -> None:
    evening = Evening("archaeology", 25, 4, 0.15).play()
    assert evening.faults() == []
    assert [one.rule for one in evening.diary.broken if not one.refutable] == ["F1", "F1"]
    assert evening.diary.illegal_named == evening.diary.illegal_tried - 2
