"""Reading what the cards say: a card put away is a declaration, whatever else the table shows."""

from __future__ import annotations

import random

import pytest

from engines.dealing import Act
from engines.tanis import reading, rules
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.moves import Explorer, Take
from tests.perfect_reader import TrueTable, read


def after(seed: int, left: int, options: dict[str, str] | None = None) -> tuple[TanisWorld, TrueTable]:
    """A game with so many tiles left in the dig, at the start of a turn."""
    world = deal(seed, 2, 0, options or {})
    true = TrueTable.from_setup(world.setup())
    rng = random.Random(seed)
    while len(world.lying) > left:
        moves = [move for move in rules.legal_moves(world.state) if isinstance(move, Take)]
        move = rng.choice(moves)
        true = true.after(Act(move.tile, "dig", f"tiles-{move.player + 1}"))
        world.play(move)
    return world, true


def put_away(world: TanisWorld, card: str) -> Act:
    seat = world.to_move
    return Act(f"{('blue', 'red')[seat]}-{card}", f"cards-{seat + 1}", None)


@pytest.mark.parametrize("seed", range(6))
def test_the_expert_for_the_last_tile_is_refused_not_passed_over(seed: int) -> None:
    world, true = after(seed, 1)
    first, *_ = reading.explain(world.state, read(true.after(put_away(world, "expert"))))
    assert first.refusal is not None and first.refusal.rule == "T28"


def test_where_the_options_allow_it_the_expert_for_the_last_tile_is_a_move() -> None:
    world, true = after(1, 1, {"expert_on_last_tile": "yes"})
    first, *_ = reading.explain(world.state, read(true.after(put_away(world, "expert"))))
    assert first.refusal is None and len(first.moves) == 1 and first.certain


@pytest.mark.parametrize("seed", range(6))
def test_an_explorer_without_a_slide_counts_where_the_options_allow_it(seed: int) -> None:
    for options in ({"explorer_may_stay": "yes"}, {}):
        world, true = after(seed, 20 + seed, options)
        seat = world.to_move
        tile = next(move.tile for move in rules.legal_moves(world.state) if isinstance(move, Take))
        acts = put_away(world, "explorer"), Act(tile, "dig", f"tiles-{seat + 1}")
        first, *_ = reading.explain(world.state, read(true.after(*acts)))
        stays = first.moves == (Explorer(seat, tile, "right", 0), Take(seat, tile))
        assert (stays and first.certain) == bool(options), first
        if not options:
            # The tile may have been slid and then taken: the players are asked, or only the take is believed.
            assert first.refusal is None and first.moves[-1] == Take(seat, tile)
