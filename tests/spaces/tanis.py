"""Any member of the full space of Tanis' moves, what must never be lost, and a second referee that sees everything."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from engines.game import Move
from engines.tanis import rules
from engines.tanis.dealing import TanisWorld
from engines.tanis.dig import CELLS, DIRECTIONS
from engines.tanis.moves import Excavator, Expert, Explorer, Shift, Take
from engines.tanis.state import TILES, TanisState
from tests.truth import Truth

UNIVERSE: tuple[Move, ...] = (
    Expert(0),
    Expert(1),
    *(
        move
        for player in (0, 1)
        for tile in TILES
        for move in (
            Take(player, tile),
            Excavator(player, tile),
            Shift(player, tile, (0, 0), (0, 1)),
            *(Explorer(player, tile, direction, steps) for direction in DIRECTIONS for steps in range(6)),
        )
    ),
)
"""Moves that anybody might name in any state, legal or not."""
OPTIONS: tuple[Mapping[str, str], ...] = (
    {},
    {"floor_supports": "yes"},
    {"expert_on_last_tile": "yes", "explorer_may_stay": "yes"},
    {},
)
"""Beside the packing. The second referee does not judge ``expert_keeps_second``."""


def options(players: int, rng: random.Random) -> dict[str, str]:
    return {"packing": rng.choice(("brick", "random")), **rng.choice(OPTIONS)}


def near_misses(state: TanisState, rng: random.Random, n: int) -> list[Move]:
    """So many of the universe, every third of a tile that shows and by the player to move."""
    listed = rules.legal_moves(state)
    seen = [move.tile for move in listed if isinstance(move, Take)] or list(TILES)
    found = rng.sample(UNIVERSE, n)
    for at in range(0, n, 3):
        tile = rng.choice(seen)
        slide = Explorer(state.to_move, tile, rng.choice(DIRECTIONS), rng.randint(0, 3))
        found[at] = rng.choice((Take(state.to_move, tile), Excavator(state.to_move, tile), slide))
    return found


def conserved(state: TanisState, deal: Any) -> None:
    """Every tile is in the dig, with a player or removed, and each once."""
    assert isinstance(deal, TanisWorld)
    everything = [*state.collected[0], *state.collected[1], *state.removed, *deal.lying]
    assert sorted(everything) == sorted(TILES), "a tile was lost or doubled"
    assert state.unplaced == 0


class TanisWitness:
    """Follows a game by tests/truth.py and compares everything."""

    def __init__(self, deal: TanisWorld, first: int, options: Mapping[str, str]) -> None:
        lying = {tile: (*place.cells, place.level) for tile, place in deal.lying.items()}
        self.truth = Truth(lying, first, dict(options))

    def play(self, move: Move) -> None:
        self.truth.play(move)

    def see(self, state: TanisState, deal: TanisWorld, listed: tuple[Move, ...]) -> None:
        check_state(state, deal, self.truth)
        check_listed(listed, self.truth)
        if deal.over:
            outcome = rules.outcome(state)
            assert outcome is not None and outcome.winners == (self.truth.winner(),)


def witness(deal: TanisWorld, first: int, options: Mapping[str, str]) -> TanisWitness:
    return TanisWitness(deal, first, options)


def check_listed(listed: tuple[Move, ...], truth: Truth) -> None:
    """Every legal move is listed, once, and no other."""
    legal = truth.legal()
    assert set(listed) == legal and len(listed) == len(legal), "the legal moves are not the true ones"


def check_state(state: TanisState, world: TanisWorld, truth: Truth) -> None:
    """What is public is true: piles, heights, the tiles of which something is known, cards, points."""
    assert set(world.lying) == set(truth.tiles)
    assert [set(tiles) for tiles in state.collected] == truth.collected
    assert set(state.removed) == truth.removed
    filled = truth.space()
    for cell, height in zip(CELLS, state.heights, strict=True):
        assert {level for column, row, level in filled if (column, row) == cell} == set(
            range(1, height + 1)
        ), "a height is wrong"
    seen = set()
    for place in state.dig:
        tile = filled[(*place.number_cell, place.level)]
        assert truth.tiles[tile] == (place.number_cell, place.sign_cell, place.level)
        sign, number = tile.split("-")
        assert place.number in (None, int(number)) and place.sign in (None, sign)
        if place.tile:
            seen.add(place.tile)
    assert {tile for tile in truth.tiles if truth.free(tile, filled)} <= seen
    for player, cards in enumerate(state.cards):
        assert truth.cards[player] == {
            "explorer": cards.explorer,
            "excavator": cards.excavator,
            "expert": cards.expert,
        }
    assert rules.score(state).totals == (truth.points(0), truth.points(1))
