"""Whole nights of card games with perfect eyes: nothing wrong is committed, nothing legal refused, every broken rule named."""

from __future__ import annotations

import pytest

from tests.perfect_cards import Evening


@pytest.mark.parametrize("players", [2, 5])
def test_a_night_of_ankh_keeps_the_promise(players: int) -> None:
    evening = Evening("ankh", 5, players, 0.2).play()
    assert evening.faults() == []
    assert len(evening.diary.made) > 20 and evening.diary.illegal_named > 0
    assert evening.diary.first_proposal_right >= 0.98


@pytest.mark.parametrize("players", [1, 3])
def test_a_night_of_papyrus_keeps_the_promise(players: int) -> None:
    evening = Evening("papyrus", 4, players, 0.2).play()
    assert evening.faults() == []
    assert len(evening.diary.made) > 20 and evening.diary.illegal_named > 0
    assert evening.diary.first_proposal_right >= 0.95


@pytest.mark.parametrize(("players", "monument"), [(2, "great-pyramid"), (3, "sphinx"), (5, "mine")])
def test_a_night_of_archaeology_keeps_the_promise(players: int, monument: str) -> None:
    evening = Evening("archaeology", 4, players, 0.2, {"monument": monument}).play()
    assert evening.faults() == []
    assert len(evening.diary.made) > 100 and evening.diary.illegal_named > 0
    assert evening.diary.first_proposal_right >= 0.97
    assert evening.pressed < len(evening.diary.made), "less than one press for each move"


def test_whoever_looks_in_the_middle_of_an_act_is_told_the_whole_of_it() -> None:
    """Hands go back for each card: what lies there by then is half a trade, half a set, half a loss."""
    evening = Evening("archaeology", 3, 2, 0.0)
    evening.glimpses = True
    assert evening.play().faults() == []
    assert evening.glimpsed > 200 and evening.diary.first_proposal_right >= 0.97


@pytest.mark.parametrize(
    ("players", "seed"),
    [
        pytest.param(2, 7, id="a card more is taken after a trade was paid"),
        pytest.param(2, 8, id="a trade is begun while the last one is not confirmed"),
        pytest.param(4, 5, id="a card more is lost than half"),
    ],
)
def test_what_goes_on_after_a_whole_move_is_the_rest_of_it_or_the_next_one(players: int, seed: int) -> None:
    """A look in the middle of a wrong act finds a whole, lawful one; two acts that nobody confirmed look like a larger one."""
    evening = Evening("archaeology", seed, players, 0.15)
    evening.glimpses = True
    assert evening.play().faults() == []
    assert evening.diary.illegal_named == evening.diary.illegal_tried > 0
