"""Random games of Tanis with every invariant checked at every state.

``python -m tests.play_random --games 10000`` plays on two processes and prints one line; it ends with 1 when an
invariant does not hold, naming the seed, so that ``--seed N --games 1`` shows it again.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from engines import games, record
from engines.game import IllegalMove, Move
from engines.referee import Match
from engines.tanis import rules
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.dig import CELLS, DIRECTIONS
from engines.tanis.moves import Excavator, Expert, Explorer, Shift, Take
from engines.tanis.state import TILES, TanisState
from tests.truth import Truth

OPTIONS = tuple(
    {"packing": packing, **more}
    for packing in ("brick", "random")
    for more in (
        {},
        {"floor_supports": "yes"},
        {"expert_on_last_tile": "yes", "explorer_may_stay": "yes"},
        {},
    )
)
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


@dataclass(frozen=True, slots=True)
class Tally:
    """What was checked."""

    games: int = 0
    moves: int = 0
    states: int = 0
    refused: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.games + other.games,
            self.moves + other.moves,
            self.states + other.states,
            self.refused + other.refused,
        )


def check_state(state: TanisState, world: TanisWorld, truth: Truth) -> None:
    """Nothing lost or doubled, and what is public is true."""
    everything = [*state.collected[0], *state.collected[1], *state.removed, *truth.tiles]
    assert sorted(everything) == sorted(TILES), "a tile was lost or doubled"
    assert set(world.lying) == set(truth.tiles)
    assert [set(tiles) for tiles in state.collected] == truth.collected
    assert set(state.removed) == truth.removed
    filled = truth.space()
    for cell, height in zip(CELLS, state.heights, strict=True):
        assert {level for column, row, level in filled if (column, row) == cell} == set(
            range(1, height + 1)
        ), "a height is wrong"
    assert state.unplaced == 0
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
    score = rules.score(state)
    assert score.totals == (truth.points(0), truth.points(1))
    assert all(
        sum(item.points for item in items) == total
        for items, total in zip(score.items, score.totals, strict=True)
    )


def check_moves(state: TanisState, truth: Truth, others: list[Move]) -> int:
    """Every legal move is accepted, every other refused without a trace; gives how many were refused."""
    legal = truth.legal()
    listed = rules.legal_moves(state)
    assert set(listed) == legal and len(listed) == len(legal), "the legal moves are not the true ones"
    before = hash(state)
    for move in listed:
        assert rules.refusal(state, move) is None
    refused = 0
    for move in others:
        if move in legal:
            continue
        refusal = rules.refusal(state, move)
        assert refusal is not None, f"{move} was accepted"
        try:
            rules.apply(state, move)
        except IllegalMove as error:
            assert error.refusal == refusal
            refused += 1
        else:
            raise AssertionError(f"{move} was applied")
    assert hash(state) == before, "a refused move left a trace"
    return refused


def play(seed: int, sample: int = 12) -> Tally:
    """One game from a seed, ``sample`` moves of the universe tried in every state. Raises AssertionError."""
    rng = random.Random(seed)
    options = OPTIONS[seed % len(OPTIONS)]
    first = rng.randrange(2)
    world = deal(seed, 2, first, options, style="random" if seed % 4 else "sensible")
    truth = Truth({tile: (*place.cells, place.level) for tile, place in world.lying.items()}, first, options)
    game = games()["tanis"]
    match = Match.begin(game, ("Ana", "Ben"), first, options)
    kept = [match.state]
    moves = refused = 0
    while True:
        for fact in world.shown(match.state):
            match = match.accept(fact)
            kept.append(match.state)
        assert match.state == world.state
        check_state(match.state, world, truth)
        refused += check_moves(match.state, truth, rng.sample(UNIVERSE, sample))
        if world.over:
            break
        assert match.outcome() is None
        ((_, (move,)),) = world.choose(rng).stages
        match = match.accept(move)
        kept.append(match.state)
        world.play(move)
        truth.play(move)
        moves += 1
    outcome = match.outcome()
    assert outcome is not None and outcome.winners == (truth.winner(),)
    assert match.states == tuple(kept)
    text = record.write(match)
    assert record.read(text) == match
    part = match.take_back(rng.randint(1, moves))
    assert record.read(record.write(part)) == part
    back = match
    for _ in range(moves):
        shorter = back.take_back()
        place = len(shorter.steps)
        assert isinstance(back.steps[place], Move) and shorter.steps == match.steps[:place]
        assert shorter.states == tuple(kept[: place + 1]), "take-back did not restore the state"
        assert shorter.accept(back.steps[place]).state == kept[place + 1]
        back = shorter
    return Tally(1, moves, len(kept), refused)


def _some(seeds: range) -> Tally:
    total = Tally()
    for seed in seeds:
        try:
            total += play(seed)
        except Exception as error:
            raise RuntimeError(f"seed {seed}: {type(error).__name__}: {error}") from error
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed")
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args()
    began = time.monotonic()
    end = chosen.seed + chosen.games
    portions = [range(at, min(at + 50, end)) for at in range(chosen.seed, end, 50)]
    total = Tally()
    with ProcessPoolExecutor(chosen.processes) as pool:
        try:
            for portion in pool.map(_some, portions):
                total += portion
        except RuntimeError as error:
            print(error, file=sys.stderr)
            pool.shutdown(cancel_futures=True)
            return 1
    seconds = time.monotonic() - began
    print(
        f"{total.games} games, {total.moves} moves, {total.states} states, {total.refused} moves refused, "
        f"every invariant held; {seconds:.0f} s on {chosen.processes} processes"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
