"""Of everything that can be named in Tanis only the legal moves are accepted; tests/engines/test_random.py plays many games."""

from __future__ import annotations

import random

import pytest

from engines.game import IllegalMove
from engines.tanis import rules
from engines.tanis.dealing import deal
from tests.rules import rule
from tests.spaces.tanis import OPTIONS, UNIVERSE, check_listed, witness


@rule("T8", "T9", "T17", "T19", "T22", "T25", "T29")
@pytest.mark.parametrize("seed", range(4))
def test_of_all_moves_that_can_be_named_only_the_legal_ones_are_accepted(seed: int) -> None:
    options = {"packing": ("brick", "random")[seed % 2], **OPTIONS[seed]}
    world = deal(seed, 2, 0, options, style="random")
    judge = witness(world, 0, options)
    rng = random.Random(seed)
    while not world.over:
        if rng.random() < 0.3:
            listed = rules.legal_moves(world.state)
            check_listed(listed, judge.truth)
            before = hash(world.state)
            refused = 0
            for move in UNIVERSE:
                refusal = rules.refusal(world.state, move)
                assert (refusal is None) == (move in listed), move
                if refusal is not None:
                    refused += 1
                    with pytest.raises(IllegalMove) as caught:
                        rules.apply(world.state, move)
                    assert caught.value.refusal == refusal
            assert refused > 1500 and hash(world.state) == before
        move = world.pick(rng)
        world.play(move)
        judge.play(move)
