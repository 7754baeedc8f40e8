"""A few hundred random games against the second referee; ``python -m tests.play_random`` plays ten thousand."""

from __future__ import annotations

import random

import pytest

from engines.tanis.dealing import deal
from tests.play_random import OPTIONS, UNIVERSE, check_moves, play
from tests.rules import rule
from tests.truth import Truth


@rule("T8", "T9", "T17", "T19", "T22", "T25", "T29")
@pytest.mark.parametrize("start", range(0, 240, 40))
def test_every_invariant_holds_in_random_games(start: int) -> None:
    for seed in range(start, start + 40):
        tally = play(seed, sample=6)
        assert tally.moves >= 36 and tally.refused > 0


@pytest.mark.parametrize("seed", range(4))
def test_of_all_moves_that_can_be_named_only_the_legal_ones_are_accepted(seed: int) -> None:
    options = OPTIONS[seed]
    world = deal(seed, 2, 0, options, style="random")
    rng = random.Random(seed)
    truth = Truth(
        {tile: (*place.cells, place.level) for tile, place in world.lying.items()}, 0, dict(options)
    )
    while not world.over:
        if rng.random() < 0.3:
            assert check_moves(world.state, truth, list(UNIVERSE)) > 1500
        ((_, (move,)),) = world.choose(rng).stages
        world.play(move)
        truth.play(move)
