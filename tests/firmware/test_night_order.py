"""What was seen before nobody confirmed it stays in its order, whatever happens on the table next."""

from __future__ import annotations

import random

import pytest

from engines.dealing import Act
from engines.tanis.moves import Excavator, Explorer, Take
from tests.firmware.evenings import Evening, legal, started, takes


def free(one: Evening) -> list[str]:
    """Tiles that the player to move may take, in a stable order."""
    head = one.night.head
    assert head is not None
    return [move.tile for move in head.legal_moves() if isinstance(move, Take)]


@pytest.mark.parametrize("seed", range(1, 6))
def test_two_tiles_removed_are_not_shared_out_between_the_players(seed: int) -> None:
    """Ana's take is not confirmed; Ben removes two tiles with one card. Ana did not remove one of them before her take."""
    one = started(seed)
    first = takes(one, 1, seed)
    tiles = free(one)[:2]
    shown = one.hands(Act("red-excavator", "cards-2", None), *(Act(tile, "dig", "removed") for tile in tiles))
    assert shown.name == "illegal" and shown.title.endswith("T8"), shown
    one.hands(Act(tiles[1], "removed", "dig", one_place(one, tiles[1]).cells, one_place(one, tiles[1]).level))
    assert [link.move for link in one.night.chain] == [*first, Excavator(1, tiles[0])]


def one_place(one: Evening, tile: str) -> Act:
    """Where a tile lay when the evening began, as an act that puts it there."""
    place = one.world.lying[tile]
    return Act(tile, None, "dig", place.cells, place.level)


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_tile_slid_back_by_somebody_does_not_undo_the_takes_after_the_slide(seed: int) -> None:
    """An Explorer and two takes are not confirmed; a hand brings the slid tile back. That is a new slide, without a card: the
    chain does not fall away and nothing is asked."""
    one = started(seed)
    rng = random.Random(seed)
    while not isinstance(slide := legal(one.match, rng, Explorer), Explorer):
        takes(one, 1, seed)
        one.confirm()
    home = one.world.lying[slide.tile]
    one.do(slide)
    held: list[Take] = []
    for seat in (slide.player, 1 - slide.player):
        held.append(Take(seat, next(tile for tile in free(one) if tile != slide.tile)))
        one.do(held[-1])
    assert [link.move for link in one.night.chain] == [slide, *held]
    shown = one.hands(Act(slide.tile, "dig", "dig", home.cells, home.level))
    assert [link.move for link in one.night.chain][:3] == [slide, *held], shown
    assert shown.name in ("illegal", "proposal")
