"""Scoring and the end of Ankh, with the printed examples."""

from __future__ import annotations

import pytest

from engines.ankh import rules
from engines.ankh.cards import points
from engines.ankh.state import AnkhState
from tests.ankh_table import FILLER, YGBR5, go, refused, table, totals
from tests.rules import rule

FACTORS = (2, 1, 0, -1)
HIGH = "yellow-green-blue-red-9"
ONE = "yellow-green-blue-red-1"
"""A papyrus under which every mummy scores at once."""


@rule("W2", "W4", game="ankh")
def test_the_four_gifts_count_double_once_nothing_and_minus() -> None:
    assert [points((f"{colour}-5",), YGBR5, FACTORS) for colour in ("yellow", "green", "blue", "red")] == [
        10,
        5,
        0,
        -5,
    ]
    assert points((), YGBR5, FACTORS) == 0


@rule("X1", "B2", game="ankh")
def test_the_printed_swap_of_green_and_red() -> None:
    before, after = "green-blue-red-yellow-5", "yellow-red-blue-green-5"
    assert (points(("green-4",), before, FACTORS), points(("red-3",), before, FACTORS)) == (8, 0)
    assert (points(("green-4",), after, FACTORS), points(("red-3",), after, FACTORS)) == (-4, 3)
    # And in play: two rows, the papyrus covered, then a scoring.
    laid = ("play green-4", "play red-3", FILLER)
    assert totals(table(*laid, "play green-blue-red-yellow-1", papyrus=HIGH)) == (8, 0, 0)
    swapped = table(*laid, "play yellow-red-blue-green-1", papyrus=before)
    assert totals(swapped) == (-4, 3, 0)


TANYA = (
    *("play red-1", "play yellow-4", "play yellow-3"),
    *("play red-1", "play green-3", "play yellow-3"),
    *("play blue-1", "play blue-5", FILLER),
    *("play blue-2", "play red-2", FILLER),
)
"""Round by round: Tanya, Tom, Julia, until Tanya lacks one mummy."""


@rule("X2", "X3", "K22", "T1", "T3", game="ankh")
def test_the_printed_scoring_tom_nine_julia_twelve() -> None:
    state = table(*TANYA)
    assert totals(state) == (0, 0, 0) and state.written == ()
    state = go(state, "play green-5")
    assert totals(state) == (-1 - 1 + 0 + 0 + 5, 9, 12)
    assert state.written == ((YGBR5, (3, 9, 12)),)


@rule("T1", "W3", game="ankh")
def test_the_mummy_that_reaches_the_number_scores_at_once() -> None:
    state = table("play green-1", "play green-1", "play green-1", papyrus="yellow-green-blue-red-2")
    assert totals(state) == (0, 0, 0)
    assert totals(go(state, "play green-2")) == (3, 1, 1)
    assert totals(go(state, "sacrifice green-2")) == (0, 0, 0)


@rule("T2", "K10", "K12", game="ankh")
def test_a_papyrus_that_asks_for_fewer_scores_at_once_by_itself() -> None:
    laid = ["play green-1", "play red-1", "play blue-1", "play green-2", FILLER, FILLER]
    state = table(*laid, "play green-3", FILLER, FILLER, papyrus="yellow-green-blue-red-5")
    assert state.rows[0] == ("green-1", "green-2", "green-3")
    for number, scores in ((1, True), (2, True), (3, True), (4, False), (5, False), (6, False)):
        after = go(state, f"play green-yellow-blue-red-{number}")
        assert bool(after.written) == scores
        assert totals(after) == ((12, -1, 0) if scores else (0, 0, 0))


@rule("X4", "T2", game="ankh")
def test_the_printed_change_of_mind_from_five_to_three() -> None:
    laid = [*["play yellow-1", FILLER, FILLER] * 2, "play blue-2", FILLER]
    state = table(*laid, papyrus=YGBR5)
    assert len(state.rows[0]) == 3 and state.written == ()
    assert totals(go(state, "play blue-green-red-yellow-3")) == (4 - 1 - 1, 0, 0)
    assert go(state, "play blue-green-red-yellow-4").written == ()


@rule("K10", "K13", game="ankh")
def test_a_row_has_no_largest_length_of_its_own() -> None:
    state = table(papyrus="yellow-green-blue-red-9")
    for _ in range(8):
        state = go(state, "play green-1", FILLER, FILLER)
    assert len(state.rows[0]) == 8
    assert totals(go(state, "play green-yellow-blue-red-9")) == (0, 0, 0)
    # Five more than the new papyrus asks for: all of them count.
    assert totals(go(state, "play green-yellow-blue-red-3")) == (16, 0, 0)


@rule("K11", "K14", "T5", game="ankh")
def test_a_papyrus_triggers_by_the_row_of_another_player_who_does_not_become_the_trigger() -> None:
    state = table(FILLER, "play green-5", FILLER, FILLER, "play green-4", papyrus=HIGH)
    assert state.to_move == 2
    state = go(state, "play green-yellow-blue-red-2")
    assert totals(state) == (0, 18, 0)
    assert state.to_move == 0  # left of the player whose card it was


@rule("T5", "K14", game="ankh")
def test_the_left_neighbour_begins_the_next_round() -> None:
    for players in (2, 3, 4, 5):
        for trigger in range(players):
            state = table(*[FILLER] * trigger, "play green-1", players=players, papyrus=ONE)
            assert len(state.written) == 1 and state.to_move == (trigger + 1) % players


@rule("T3", "K28", game="ankh")
def test_all_colours_count_for_the_length_but_only_in_one_row() -> None:
    rows = ["play red-1", "play red-2", "play red-3", "play blue-1", "play green-1", "play green-1"]
    state = table(*rows, papyrus="yellow-green-blue-red-3")
    assert state.written == ()  # six mummies, two in each row
    state = go(state, "play yellow-1")
    assert totals(state) == (-1 + 0 + 2, -2 + 1, -3 + 1)


@rule("T4", "K16", game="ankh")
def test_rows_and_covered_papyri_are_discarded_and_the_top_papyrus_stays() -> None:
    state = table("play green-1", "play red-yellow-blue-green-9", "play red-1", papyrus=HIGH)
    assert state.papyri == (HIGH, "red-yellow-blue-green-9") and state.discard == ()
    state = go(state, "play blue-yellow-green-red-1")
    assert state.papyri == ("blue-yellow-green-red-1",)
    assert state.rows == ((), (), ())
    assert set(state.discard) == {"green-1", "red-1", HIGH, "red-yellow-blue-green-9"}
    # The papyrus that stays counts for the next scoring as well.
    assert totals(go(state, "play blue-4")) == (0, 8, -1)


@rule("K5", game="ankh")
def test_the_scoring_comes_before_the_refill() -> None:
    state = table("play green-1", papyrus=ONE)
    assert state.discard == ("green-1",) and state.hands == (4, 4, 4) and state.pile == 90 - 1 - 12 - 1


@rule("K15", "P3", game="ankh")
def test_points_below_zero_are_written_down() -> None:
    state = table("play red-5", "play red-1", "play green-2", "play red-5", papyrus=ONE)
    assert totals(state) == (-10, -1, 2)
    score = rules.score(state)
    assert [[item.points for item in items] for items in score.items] == [
        [-5, 0, 0, -5],
        [0, -1, 0, 0],
        [0, 0, 2, 0],
    ]
    assert score.items[0][0].text == "Scoring 1 YGBR 1"


@rule("K27", game="ankh")
def test_hands_stay_across_a_scoring_and_nobody_draws_after_the_last() -> None:
    state = table("play green-1", papyrus=ONE)
    assert state.hands == (4, 4, 4)
    last = table(*["play yellow-5", FILLER, FILLER] * 4, "play yellow-5", papyrus=ONE)
    assert rules.outcome(last) and last.hands == (3, 4, 4)
    assert last.pile == 90 - 1 - 12 - 12


@rule("E1", "K21", game="ankh")
def test_the_game_ends_at_fifty() -> None:
    almost = table(*["play yellow-5", FILLER] * 4, "play yellow-4", FILLER, players=2, papyrus=ONE)
    assert totals(almost) == (48, 0) and rules.outcome(almost) is None
    state = go(almost, "play green-2")
    assert totals(state) == (50, 0)
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (0,) and outcome.decided_by == "50 to 0 points"
    refusal = refused(state, "play green-1")
    assert (refusal.rule, refusal.text) == ("E1", "The game is over")
    assert rules.legal_moves(state) == () and rules.due(state) == "game over" and rules.hints(state) == ()
    assert rules.outcome(go(almost, "play yellow-5")) is not None  # beyond fifty as well


@rule("E4", "K21", game="ankh")
@pytest.mark.parametrize("target", [100, 150])
def test_a_longer_game_goes_on_to_one_hundred_or_one_hundred_and_fifty(target: int) -> None:
    turns = ["play yellow-5", FILLER] * (target // 10 - 1)
    state = table(*turns, players=2, papyrus=ONE, options={"target": str(target)})
    assert totals(state) == (target - 10, 0) and rules.outcome(state) is None
    assert rules.outcome(go(state, "play yellow-4")) is None
    assert rules.outcome(go(state, "play yellow-5")) is not None


@rule("E2", "O1", "K19", game="ankh")
def test_the_most_points_win_when_several_have_passed_the_target() -> None:
    start = ["play yellow-5", "play yellow-5"] * 4
    even = table(*start, players=2, papyrus=ONE)
    assert totals(even) == (40, 40)
    laid = go(
        even, "play yellow-red-blue-green-3", "play yellow-5", "play yellow-5", "play red-3", "play red-2"
    )
    assert totals(laid) == (40, 40)
    state = go(laid, "play yellow-red-blue-green-1")
    assert totals(state) == (52, 53)  # the trigger has reached fifty and does not win
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (1,)


def _tie(option: str) -> AnkhState:
    state = table(*["play yellow-5"] * 8, players=2, papyrus=ONE, options={"tie": option})
    state = go(
        state, "play yellow-red-blue-green-3", "play yellow-5", "play yellow-5", "play red-1", "play red-1"
    )
    return go(state, "play yellow-red-blue-green-2")


@rule("K20", game="ankh")
def test_who_is_even_shares_the_win_or_plays_on() -> None:
    state = _tie("shared")
    assert totals(state) == (51, 51)
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (0, 1) and outcome.decided_by == "All at 51 points"
    on = _tie("play-on")
    assert rules.outcome(on) is None
    more = go(on, "play green-1", "play yellow-1", "play green-1")
    outcome = rules.outcome(more)
    assert totals(more) == (49, 53) and outcome is not None and outcome.winners == (1,)
    less = go(on, "play green-1", "play green-3", "play green-1")
    outcome = rules.outcome(less)
    assert totals(less) == (49, 48) and outcome is not None, (
        "one is ahead: that both fell below 50 is no matter"
    )
    assert outcome.winners == (0,) and outcome.decided_by == "49 to 48 points"
