"""Pebbles for the common harness: any member of the full space of its moves, and what must never be lost."""

from __future__ import annotations

import random

from engines.game import Move
from engines.pebbles.dealing import PebblesDeal
from engines.pebbles.moves import Draw, Take
from engines.pebbles.state import COLOURS, PebblesState


def near_misses(state: PebblesState, rng: random.Random, n: int) -> list[Move]:
    """So many moves of any player, legal or not."""
    seats = range(len(state.pouches))
    return [
        rng.choice((Draw(rng.choice(seats)), Take(rng.choice(seats), rng.randint(-1, 5)))) for _ in range(n)
    ]


def conserved(state: PebblesState, deal: PebblesDeal) -> None:
    """Every pebble is in the heap, in the bag or with a player."""
    assert state.heap + sum(pouch.heap for pouch in state.pouches) == state.catalogue["heap.pebbles"]
    for colour in COLOURS:
        assert state.seen(colour) + deal.bag.count(colour) == state.catalogue[f"bag.{colour}"]
