"""Numbers that nobody has verified never make Thoth refuse what is right: games by other cards than those it believes in.

A whole game is played by the numbers on one set of cards, and refereed by the numbers that come with Thoth. They differ in
everything that is not verified; so every step has to be accepted, and the same sets are sold in the end.
"""

from __future__ import annotations

import random

import pytest

from engines.archaeology import rules
from engines.archaeology.dealing import deal
from engines.archaeology.numbers import FACES, MONUMENTS
from engines.catalogue import Catalogue, house, override, shipped
from engines.game import Move, Step
from tests.expeditions import seen


def _other_cards(rng: random.Random, players: int) -> Catalogue:
    """All that is not verified is different; sets may be larger or smaller, cards dearer, storms fewer or more."""
    base = shipped("archaeology")
    values: dict[str, object] = {}
    for face in FACES:
        if not base.verified(f"treasures.{face}.trade"):
            values[f"treasures.{face}.trade"] = rng.randint(1, 6)
        if not base.verified(f"treasures.{face}.sell"):
            known = f"treasures.{face}.largest"
            size = base[known] if known in base.numbers else rng.randint(1, 6)
            values[f"treasures.{face}.sell"] = sorted(rng.randint(0, 40) for _ in range(size))
    if not base.verified(f"sandstorms.{players}"):
        values[f"sandstorms.{players}"] = rng.randint(0, 6)
    return override(seen(), values, "own", "test")


def _played(seed: int, players: int, options: dict[str, str]) -> tuple[rules.ArchaeologyState, list[Step]]:
    rng = random.Random(seed)
    world = deal(seed, players, 0, options, "random" if seed % 3 else "sensible", _other_cards(rng, players))
    steps: list[Step] = [*world.opening()]
    while not world.over:
        move = world.pick(rng)
        steps.append(move)
        steps += world.play(move)
    return world.state, steps


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("monument", MONUMENTS)
def test_a_game_by_other_cards_is_accepted_step_by_step(monument: str, players: int) -> None:
    for seed in range(players, 9, 3):
        options = {"monument": monument, "game_end": "dig" if seed % 4 == 3 else "hands"}
        truth, steps = _played(seed, players, options)
        state = rules.start(players, 0, options, house("archaeology"))
        for number, made in enumerate(steps):
            if isinstance(made, Move):
                refused = rules.refusal(state, made)
                assert refused is None, (seed, number, rules.format(made), refused.long)
            state = rules.apply(state, made)
        assert (state.sold, state.market, state.tents) == (truth.sold, truth.market, truth.tents)
        assert [state.held(seat) for seat in range(players)] == [truth.held(seat) for seat in range(players)]
        # Nobody may know that the dig site is empty until somebody goes on without a dig.
        for _ in range(2):
            if rules.outcome(state) is None:
                state = rules.apply(state, rules.parse("end", rules.to_move(state)))
        assert rules.outcome(state) is not None
