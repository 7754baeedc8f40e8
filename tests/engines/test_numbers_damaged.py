"""Owner's files damaged at random, for every game: never a traceback, every fault with line and remedy (``tests/damaged_numbers.py``)."""

from __future__ import annotations

import random

import pytest

from engines import games
from tests.damaged_numbers import judged, run, whole

FILES = 60


@pytest.mark.parametrize("game", list(games()))
def test_a_damaged_file_is_named_fault_by_fault_or_played_by(game: str) -> None:
    found = run(game, FILES, seed=2026)
    assert sum(found.values()) == FILES
    assert found["faults named"] > FILES // 4
    assert set(found) - {"faults named"}, "some damage leaves a file that can be read"


@pytest.mark.parametrize("game", list(games()))
def test_a_whole_file_can_be_played_by(game: str) -> None:
    for seed in range(4):
        assert judged(game, whole(game, random.Random(seed))) in ("sound", "as shipped")
