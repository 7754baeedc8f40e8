"""Two percent of the pairs that ``python -m tests.oracles`` compares."""

from __future__ import annotations

import pytest

from engines import games
from engines.tanis import knowledge
from tests.oracles import PAIRS, compare, pairs
from tests.oracles.__main__ import main

SHARE = PAIRS // 50


@pytest.mark.parametrize("game", list(games()))
def test_a_step_is_refused_if_and_only_if_no_hidden_world_allows_it(game: str) -> None:
    found = compare(game, 0, SHARE)
    assert not found.difference
    assert found.pairs == SHARE
    assert SHARE * 0.2 < found.refused < SHARE * 0.8, "both answers are tried"


@pytest.mark.parametrize("game", list(games()))
def test_the_same_seed_gives_the_same_pairs(game: str) -> None:
    assert list(pairs(game, 7, 60)) == list(pairs(game, 7, 60))


def test_a_difference_is_told_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A referee of Tanis who holds that what has not been told is not there."""
    monkeypatch.setattr(knowledge, "unread", lambda _: ())
    found = compare("tanis", 3, 500)
    assert "tanis, seed 3000, pair" in found.difference
    assert "the referee refuses what some world allows: " in found.difference
    monkeypatch.undo()
    assert main(["--game", "tanis", "--pairs", "300", "--processes", "1"]) == 0
    assert capsys.readouterr().out.startswith("tanis: 300 pairs, ")
