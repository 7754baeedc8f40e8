"""Whole nights with perfect eyes: nothing wrong is written, and whatever the oracle can refute is named by its rule."""

from __future__ import annotations

import pytest

from tests.perfect_nights import Evening

OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"packing": "random", "floor_supports": "yes"},
    {"expert_keeps_second": "yes", "expert_on_last_tile": "yes"},
    {"explorer_may_stay": "yes"},
)


@pytest.mark.parametrize("seed", range(9001, 9013))
def test_every_mistake_that_can_be_refuted_is_named(seed: int) -> None:
    """People who break a rule in every third turn and, in half of the nights, hardly ever confirm in time."""
    evening = Evening(seed, 0.35, OPTIONS[seed % len(OPTIONS)], forget=(0.15, 0.8)[seed // 2 % 2]).play()
    assert evening.faults() == []
    assert len(evening.world.wrong) == len(evening.diary.broken) > 3
    assert any(wrong.verdict == "refutable" for wrong in evening.world.wrong)
    assert evening.diary.first_proposal_right >= 0.95


@pytest.mark.parametrize("seed", [9021, 9022, 9023])
def test_people_who_break_no_rule_are_never_refused_or_asked(seed: int) -> None:
    evening = Evening(seed, 0.0, forget=0.5).play()
    assert evening.faults() == [] and evening.night.place == "end"
    assert list(evening.moves()) == [one.move for one in evening.diary.made]
    assert not evening.diary.asked and not evening.diary.menus
    assert evening.diary.first_proposal_right == 1.0


def test_the_judge_of_a_night_finds_its_faults() -> None:
    """A move that was never confirmed, a mistake that was named wrongly: the yardstick itself must not be blind."""
    evening = Evening(9031, 0.5).play()
    assert evening.faults() == []
    at = next(number for number, wrong in enumerate(evening.world.wrong) if wrong.verdict == "refutable")
    evening.diary.broken[at] = type(evening.diary.broken[at])(
        evening.diary.broken[at].rule, False, None, "turn"
    )
    assert any("missed" in fault for fault in evening.faults())
    evening.wrong_commits = 1
    assert "wrong commits 1" in evening.faults()
    evening.night = evening.night.__class__(evening.night.games, evening.night.roster, evening.night.texts)
    assert "wrong score" in evening.faults()
