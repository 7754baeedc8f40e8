"""End, groups, points and the tie."""

from __future__ import annotations

import pytest

from engines.tanis import rules
from engines.tanis.moves import Excavator, Expert, Explorer, Take
from engines.tanis.scoring import groups
from tests.digs import lay, world
from tests.rules import rule


def hand(**signs: str) -> tuple[str, ...]:
    """``hand(snake="1 2 5-7")``."""
    tiles = []
    for sign, numbers in signs.items():
        for run in numbers.split():
            first, _, last = run.partition("-")
            tiles += [f"{sign}-{number}" for number in range(int(first), int(last or first) + 1)]
    return tuple(tiles)


EXAMPLE = (
    hand(snake="1-2 4-6", ankh="3-7", falcon="1 4 6 9", scarab="1-2 8-9"),
    hand(snake="3 8-9", ankh="1-2 8-10", falcon="2-3 5 7-8", scarab="3-6 10"),
)
"""A split of the tiles that has the groups of the book's example; four tiles were excavated."""


@rule("X1", "G8", "E2", "E4")
def test_the_books_example_scores_20_and_19() -> None:
    table = world({}, collected=EXAMPLE)
    score = rules.score(table.state)
    assert score.totals == (20, 19)
    points = [[item.points for item in items] for items in score.items]
    assert points == [[2, 4, 10, 0, 0, 0, 0, 2, 2], [0, 2, 2, 4, 2, 0, 2, 7, 0]]
    assert len(table.state.removed) == 4
    assert score.items[0][1].text == "Snake 4-6" and score.items[0][3].text == "Falcon 1"


@rule("E3", "T33")
@pytest.mark.parametrize(
    ("size", "points"),
    [(1, 0), (2, 2), (3, 4), (4, 7), (5, 10), (6, 14), (7, 14), (8, 14), (9, 14), (10, 14)],
)
def test_points_by_size(size: int, points: int) -> None:
    table = world({}, collected=(hand(ankh=f"1-{size}"), ()))
    assert rules.score(table.state).totals == (points, 0)


@rule("T31", "E2")
def test_a_run_is_not_split_to_score_more() -> None:
    table = world({}, collected=(hand(ankh="1-8"), ()))
    assert rules.score(table.state).totals[0] == 14  # as two groups of four it would be 14 too, as 3 + 5 also
    assert len(rules.score(table.state).items[0]) == 1
    assert rules.score(world({}, collected=(hand(ankh="1-10"), ())).state).totals[0] == 14


@rule("T32")
def test_ten_and_one_do_not_meet_and_a_missing_number_parts() -> None:
    assert groups(hand(snake="1 10")) == (("snake", 1, 1), ("snake", 10, 10))
    assert groups(hand(snake="3 5")) == (("snake", 3, 3), ("snake", 5, 5))
    # Another sign does not fill the gap.
    assert groups(hand(snake="3 5", ankh="4")) == (("snake", 3, 3), ("snake", 5, 5), ("ankh", 4, 4))


@rule("E5")
def test_most_points_win() -> None:
    outcome = rules.outcome(world({}, collected=EXAMPLE).state)
    assert outcome is not None and outcome.winners == (0,)
    outcome = rules.outcome(world({}, collected=(EXAMPLE[1], EXAMPLE[0])).state)
    assert outcome is not None and outcome.winners == (1,)
    assert outcome.decided_by == "20 to 19 points"


@rule("E6", "T34", "T7")
@pytest.mark.parametrize("first", [0, 1])
def test_a_tie_goes_to_the_player_who_did_not_begin(first: int) -> None:
    table = world({}, collected=(hand(snake="1-2"), hand(ankh="5-6")), first=first)
    outcome = rules.outcome(table.state)
    assert outcome is not None and outcome.winners == (1 - first,)
    assert "Tie" in outcome.decided_by


@rule("E1", "T30")
def test_the_game_ends_with_the_last_tile_also_in_the_middle_of_a_card() -> None:
    two = lay(ankh_1="a1-a2 1", snake_2="b1-b2 1")
    for card, takes in (
        (Excavator(0, "snake-2"), ["ankh-1"]),
        (Expert(0), ["ankh-1", "snake-2"]),
    ):
        table = world(two)
        table.play(card)
        for tile in takes:
            assert rules.outcome(table.state) is None
            table.play(Take(0, tile))
        assert table.over and rules.outcome(table.state) is not None
    # The Expert's first take may be the last tile of another's sight: with one left nothing more is due.
    single = world(lay(ankh_1="a1-a2 1"), expert_on_last_tile="yes")
    single.play(Expert(0))
    single.play(Take(0, "ankh-1"))
    assert rules.outcome(single.state) is not None and single.state.stage == "start"
    sliding = world(lay(ankh_1="a1-a2 1"), floor_supports="yes")
    sliding.play(Explorer(0, "ankh-1", "down", 1))
    sliding.play(Take(0, "ankh-1"))
    assert rules.outcome(sliding.state) is not None


@rule("E4", "T30")
def test_unused_cards_give_nothing() -> None:
    table = world({}, collected=(hand(snake="1-2"), ()))
    assert table.state.cards[0].explorer == 3
    assert rules.score(table.state).totals == (2, 0)
