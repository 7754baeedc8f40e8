"""The referee against a judge who knows everything and shares no code with it."""

from __future__ import annotations

import random

import pytest

from engines.dealing import Act
from engines.tanis import rules
from engines.tanis.dealing import MISTAKES, deal
from engines.tanis.moves import Take
from tests.oracle import Situation, judge, step, whole, why

RULES = {mistake.kind: mistake.rule for mistake in MISTAKES}
REFUTABLE = {mistake.kind: mistake.refutable for mistake in MISTAKES}


@pytest.mark.parametrize("seed", range(8))
def test_every_mistake_is_what_its_table_says(seed: int) -> None:
    """The oracle finds the same rule broken, and the same mistakes refutable, as the table of mistakes."""
    options = {"packing": ("brick", "random")[seed % 2], "floor_supports": ("no", "yes")[seed // 2 % 2]}
    world = deal(seed, 2, seed % 2, options, style="random")
    now = Situation.start(world.setup(), seed % 2, options)
    rng = random.Random(seed)
    judged = 0
    while not world.over:
        for kind, intent in world.chances(rng).items():
            if rng.random() < 0.5:
                continue
            ((acts, moves),) = intent.stages
            if REFUTABLE[kind]:
                before = now
                for move in moves[:-1]:
                    assert why(before, move) is None, (kind, move)
                    before = step(before, move)
                assert why(before, moves[-1]) == RULES[kind] == intent.mistake, (kind, moves)
            verdict = judge(now, [acts])
            assert verdict == ("refutable" if intent.refutable else "untraceable"), (kind, moves, acts)
            judged += 1
        intent = world.choose(rng)
        assert judge(now, [acts for acts, _ in intent.stages]) == "legal"
        for _, moves in intent.stages:
            for move in moves:
                world.play(move)
                now = step(now, move)
        assert (now.to_move, now.stage == "start") == (
            world.to_move,
            world.state.stage == "start",
        ) or world.over
    assert judged > 50
    assert not now.true.dig


@pytest.mark.parametrize("seed", range(6))
def test_referee_and_oracle_allow_the_same_moves(seed: int) -> None:
    """With everything seen, the legal moves of the referee are exactly those the oracle finds no fault with."""
    world = deal(seed, 2, 0, {"packing": "random"}, style="random")
    now = Situation.start(world.setup(), 0)
    rng = random.Random(seed)
    while not world.over:
        allowed = set(rules.legal_moves(world.state))
        for move in allowed:
            assert why(now, move) is None, move
        takes = {move.tile for move in allowed if isinstance(move, Take)}
        assert takes == {tile for tile in whole(now.true) if why(now, Take(now.to_move, tile)) is None}
        for _, moves in world.choose(rng).stages:
            for move in moves:
                world.play(move)
                now = step(now, move)


def test_what_no_table_shows_is_untraceable() -> None:
    """A tile lifted and put back leaves the table as it was; a slide over the corner and back to a straight line's end too."""
    world = deal(1, 2, 0, {})
    now = Situation.start(world.setup(), 0)
    tile = whole(now.true)[0]
    other = whole(now.true)[1]
    lying = now.true.tiles[other]
    peek = [Act(other, "dig", "dig", lying.cells, lying.level), Act(tile, "dig", "tiles-1")]
    assert judge(now, [peek]) == "untraceable"
    assert judge(now, [[Act(tile, "dig", "tiles-1")]]) == "legal"
    assert judge(now, [[Act(tile, "dig", "tiles-2")]]) == "refutable"


def test_a_card_that_does_nothing_is_refutable_unless_its_tile_may_have_slid() -> None:
    world = deal(1, 2, 0, {})
    now = Situation.start(world.setup(), 0)
    tile = whole(now.true)[0]
    take = Act(tile, "dig", "tiles-1")
    for kind in ("explorer", "excavator"):
        assert judge(now, [[Act(f"blue-{kind}", "cards-1", None)]]) == "legal"
        assert judge(now, [[Act(f"blue-{kind}", "cards-1", None), take]]) == "refutable"
        assert judge(now, [[Act(f"red-{kind}", "cards-2", None)]]) == "refutable"
    stays = Situation.start(world.setup(), 0, {"explorer_may_stay": "yes"})
    assert judge(stays, [[Act("blue-explorer", "cards-1", None), take]]) == "legal"
    removed = Act(whole(now.true)[1], "dig", "removed")
    assert judge(now, [[Act("blue-excavator", "cards-1", None), removed, take]]) == "legal"
    assert judge(now, [[Act("blue-explorer", "cards-1", None), removed, take]]) == "refutable"
