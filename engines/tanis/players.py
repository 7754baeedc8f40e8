"""Two ways to play Tanis from public knowledge: sensibly, and at random."""

from __future__ import annotations

import random

from engines.game import Move
from engines.tanis import rules
from engines.tanis.dig import INDEX, changed, indices, slid
from engines.tanis.knowledge import known, left, parts
from engines.tanis.moves import Excavator, Expert, Explorer, Take
from engines.tanis.scoring import groups, points
from engines.tanis.state import TanisState

DENY = 0.6
"""What a point kept from the other player is worth."""
NEAR = 0.4
"""What a tile two numbers away from a group is worth: the gap may yet be filled."""
CARD_COST = {"Explorer": 1.2, "Excavator": 1.6, "Expert": 1.0}
"""How much better a card's turn must be than a plain take, early in the game."""


def worth(tiles: tuple[str, ...], tile: str) -> float:
    """Points the tile adds to these, and a little for what it may grow into."""
    sign, number = parts(tile)
    before = after = 1
    gain = 0.0
    for name, first, last in groups(tiles):
        if name != sign:
            continue
        if last == number - 1:
            before += last - first + 1
            gain -= points(last - first + 1)
        elif first == number + 1:
            after += last - first + 1
            gain -= points(last - first + 1)
        elif last == number - 2 or first == number + 2:
            gain += NEAR
    return gain + points(before + after - 1)


def value(state: TanisState, tile: str) -> float:
    """What taking the tile is worth to the player to move: own points, and those the other cannot have."""
    player = state.to_move
    return worth(state.collected[player], tile) + DENY * worth(state.collected[1 - player], tile)


def pick(state: TanisState, rng: random.Random, style: str, prefer_card: bool = False) -> Move:
    """A legal move of the player to move. ``prefer_card``: a card whenever one can be played.

    Raises ValueError when the game is over.
    """
    moves = [move for move in rules.legal_moves(state) if move.player == state.to_move]
    if not moves:
        raise ValueError("the game is over: there is no move")
    cards = [move for move in moves if not isinstance(move, Take)]
    if style == "random":
        return _any(cards if prefer_card and cards else moves, rng)
    takes = [move for move in moves if isinstance(move, Take)]
    best = max((value(state, move.tile) for move in takes), default=0.0)
    rated = [
        (_rate(state, move, best), rng.random(), move) for move in (cards if prefer_card and cards else moves)
    ]
    return max(rated, key=lambda entry: entry[:2])[2]


def _any(moves: list[Move], rng: random.Random) -> Move:
    """Any move, each kind of move as likely as the others."""
    kinds = sorted({type(move).__name__ for move in moves})
    kind = rng.choice(kinds)
    return rng.choice([move for move in moves if type(move).__name__ == kind])


def _rate(state: TanisState, move: Move, best: float) -> float:
    """How good a move looks."""
    if isinstance(move, Take):
        return value(state, move.tile)
    # A card that is never played is worth nothing, so its price falls as the dig empties.
    price = CARD_COST[type(move).__name__] * left(state) / 40
    player = state.to_move
    if isinstance(move, Expert):
        signs: dict[str, float] = {}
        for place in state.dig:
            if place.tile and state.heights[INDEX[place.number_cell]] == place.level:
                sign = place.tile.split("-")[0]
                signs[sign] = max(signs.get(sign, 0.0), value(state, place.tile))
        return sum(sorted(signs.values())[-2:]) - price - 1.0
    if isinstance(move, Excavator):
        hurt = worth(state.collected[1 - player], move.tile)
        return best + DENY * hurt - worth(state.collected[player], move.tile) - price
    assert isinstance(move, Explorer)
    lying = known(state, move.tile)
    if lying is None or move.steps == 0:
        return best - price
    end = slid(lying, move.direction, move.steps)
    heights = changed(state.heights, indices(lying), -1)
    # What the slide lets the players see, less what it buries.
    news = sum(1 for index in indices(lying) if heights[index]) - 0.3 * sum(
        1 for index in indices(end) if index not in indices(lying)
    )
    return best + 0.5 * news - price + 0.3
