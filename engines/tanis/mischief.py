"""How people break the rules of Tanis: what the hand does, what a perfect reader would call it, how it is put right.

Each maker gets the public state and how the tiles truly lie, and gives None when there is no chance for its mistake. A
tile that is set down somewhere it may not be still rests on something: on its level, flat on whatever lies lower, or flat
on the tiles in its way. A tile above one that was pulled away stays where it is, on its other half.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from engines.dealing import Act
from engines.game import Move
from engines.table import Cell
from engines.tanis.dig import CELLS, DIRECTIONS, INDEX, LONGEST, adjacent, slid
from engines.tanis.knowledge import parts
from engines.tanis.moves import Direction, Excavator, Expert, Explorer, Shift, Take, card_alone
from engines.tanis.state import LEVELS, DigTile, TanisState
from engines.tanis.zones import CARD_ZONES, COLOURS, DIG, REMOVED, TILE_ZONES

Kind = Literal["explorer", "excavator", "expert"]
Lying = dict[str, DigTile]


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake in the making. ``undo`` takes back the last move only; the moves before it are legal."""

    player: int
    acts: tuple[Act, ...]
    moves: tuple[Move, ...]
    undo: tuple[Act, ...] = ()


Maker = Callable[[TanisState, Lying, random.Random], Slip | None]


def card(player: int, kind: Kind) -> Act:
    """A card put away into the game box."""
    return Act(f"{COLOURS[player]}-{kind}", CARD_ZONES[player], None)


def _card_back(player: int, kind: Kind) -> Act:
    return Act(f"{COLOURS[player]}-{kind}", None, CARD_ZONES[player])


def _back(tile: str, place: DigTile, source: str) -> Act:
    """The tile goes back to where it lay."""
    return Act(tile, source, DIG, place.cells, place.level)


def _tops(lying: Lying, without: str | None = None) -> dict[Cell, int]:
    """How many layers truly lie on each cell (the highest tile counts)."""
    tops = dict.fromkeys(CELLS, 0)
    for tile, place in lying.items():
        if tile != without:
            for cell in place.cells:
                tops[cell] = max(tops[cell], place.level)
    return tops


def _bare(lying: Lying, places: int) -> list[str]:
    """Tiles of which so many halves (0-2) show, in a stable order."""
    tops = _tops(lying)
    return sorted(
        tile
        for tile, place in lying.items()
        if sum(tops[cell] == place.level for cell in place.cells) == places
    )


def _one(rng: random.Random, chances: list[Slip]) -> Slip | None:
    return rng.choice(chances) if chances else None


# Takes


def _take(player: int, tile: str, place: DigTile) -> Slip:
    zone = TILE_ZONES[player]
    return Slip(player, (Act(tile, DIG, zone),), (Take(player, tile),), (_back(tile, place, zone),))


def take_covered(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Takes a tile that is half covered."""
    return _one(rng, [_take(state.to_move, tile, lying[tile]) for tile in _bare(lying, 1)])


def take_two(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Takes two tiles in a turn that allows one."""
    bare = _bare(lying, 2)
    if state.stage in ("first of expert", "second of expert") or len(bare) < 2:
        return None
    one, other = rng.sample(bare, 2)
    player = state.to_move
    second = _take(player, other, lying[other])
    return Slip(
        player,
        (Act(one, DIG, TILE_ZONES[player]), *second.acts),
        (Take(player, one), *second.moves),
        second.undo,
    )


def take_same_sign(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Takes a second tile of the same sign with the Expert."""
    if state.stage != "second of expert":
        return None
    same = [tile for tile in _bare(lying, 2) if parts(tile)[0] == state.last_sign]
    return _one(rng, [_take(state.to_move, tile, lying[tile]) for tile in same])


def _by_the_other(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    player = 1 - state.to_move
    return _one(rng, [_take(player, tile, lying[tile]) for tile in _bare(lying, 2)])


def out_of_turn(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Plays again right after the own turn."""
    begun = state.collected != ((), ())
    return _by_the_other(state, lying, rng) if state.stage == "start" and begun else None


def after_excavator(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Ends the turn after excavating: the other player goes on."""
    return _by_the_other(state, lying, rng) if state.stage == "take after excavator" else None


def after_explorer(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Ends the turn after exploring: the other player goes on."""
    return _by_the_other(state, lying, rng) if state.stage == "take after explorer" else None


def after_expert(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Ends the turn before the Expert's takes are done: the other player goes on."""
    due = state.stage in ("first of expert", "second of expert")
    return _by_the_other(state, lying, rng) if due else None


def peek(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Lifts a tile, looks, puts it back where it was, and takes one as if nothing had happened: no table shows it."""
    bare = _bare(lying, 2)
    if state.stage != "start" or len(bare) < 2:
        return None
    lifted, tile = rng.sample(bare, 2)
    player = state.to_move
    place = lying[lifted]
    look = Act(lifted, DIG, DIG, place.cells, place.level)
    return Slip(player, (look, Act(tile, DIG, TILE_ZONES[player])), (Take(player, tile),))


# Cards


def excavate_spent(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Removes a tile though no Excavator is left."""
    player = state.to_move
    if state.stage != "start" or state.cards[player].excavator:
        return None
    return _one(
        rng,
        [
            Slip(
                player,
                (Act(tile, DIG, REMOVED),),
                (Excavator(player, tile),),
                (_back(tile, lying[tile], REMOVED),),
            )
            for tile in _bare(lying, 2)
        ],
    )


def excavate_two(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Removes two tiles with one Excavator."""
    player = state.to_move
    bare = _bare(lying, 2)
    if state.stage != "start" or not state.cards[player].excavator or len(bare) < 2 or len(lying) < 3:
        return None
    one, other = rng.sample(bare, 2)
    return Slip(
        player,
        (card(player, "excavator"), Act(one, DIG, REMOVED), Act(other, DIG, REMOVED)),
        (Excavator(player, one), Excavator(player, other)),
        (_back(other, lying[other], REMOVED),),
    )


def excavate_last(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Removes the last tile, so that none can be taken."""
    player = state.to_move
    if state.stage != "start" or len(lying) != 1 or not state.cards[player].excavator:
        return None
    ((tile, place),) = lying.items()
    return Slip(
        player,
        (card(player, "excavator"), Act(tile, DIG, REMOVED)),
        (Excavator(player, tile),),
        (_back(tile, place, REMOVED), _card_back(player, "excavator")),
    )


def expert_last(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Declares the Expert with one tile left."""
    player = state.to_move
    allowed = ("expert_on_last_tile", "yes") in state.options
    if state.stage != "start" or len(lying) != 1 or not state.cards[player].expert or allowed:
        return None
    return Slip(player, (card(player, "expert"),), (Expert(player),), (_card_back(player, "expert"),))


def _card_for_nothing(state: TanisState, kind: Kind, tile: str, place: DigTile) -> Slip:
    player = state.to_move
    taken = _take(player, tile, place)
    return Slip(
        player,
        (card(player, kind), *taken.acts),
        (card_alone(player, kind),),
        (*taken.undo, _card_back(player, kind)),
    )


def explore_nothing(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Puts an Explorer away and takes a tile that cannot have been slid before."""
    if not _can_explore(state) or ("explorer_may_stay", "yes") in state.options:
        return None
    fixed = [
        tile
        for tile in _bare(lying, 2)
        if (lying[tile].level == 1 and not _floor_supports(state)) or not any(_fair(lying, tile))
    ]
    return _one(rng, [_card_for_nothing(state, "explorer", tile, lying[tile]) for tile in fixed])


def excavate_nothing(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Puts an Excavator away and takes a tile without removing another."""
    if state.stage != "start" or not state.cards[state.to_move].excavator:
        return None
    return _one(rng, [_card_for_nothing(state, "excavator", tile, lying[tile]) for tile in _bare(lying, 2)])


def card_out_of_turn(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Puts a card away while it is the other player's turn."""
    player = 1 - state.to_move
    if state.stage != "start" or not lying:
        return None
    kinds: tuple[Kind, ...] = ("explorer", "excavator", "expert")
    kept = [kind for kind in kinds if getattr(state.cards[player], kind)]
    chances = [
        Slip(player, (card(player, kind),), (card_alone(player, kind),), (_card_back(player, kind),))
        for kind in kept
    ]
    return _one(rng, chances)


# Slides


def _slide(state: TanisState, lying: Lying, tile: str, end: DigTile, move: Move, spent: bool = False) -> Slip:
    """A tile slid to ``end`` (its level there may be another), with a card put away unless none is left."""
    player = state.to_move
    slide = Act(tile, DIG, DIG, end.cells, end.level)
    undo = _back(tile, lying[tile], DIG)
    if spent:
        return Slip(player, (slide,), (move,), (undo,))
    return Slip(player, (card(player, "explorer"), slide), (move,), (undo, _card_back(player, "explorer")))


def _can_explore(state: TanisState) -> bool:
    return state.stage == "start" and state.cards[state.to_move].explorer > 0


def _floor_supports(state: TanisState) -> bool:
    return ("floor_supports", "yes") in state.options


def _straight(
    lying: Lying, tile: str
) -> Iterator[tuple[Direction, int, DigTile, Literal["", "gap", "tile"], int]]:
    """Every straight way inside the box: direction, units, end, the first thing met on it, and the level the
    tile comes to lie on at its end (0 where it could not lie flat)."""
    place = lying[tile]
    tops = _tops(lying, without=tile)
    for direction in DIRECTIONS:
        met: Literal["", "gap", "tile"] = ""
        for steps in range(1, LONGEST[direction] + 1):
            end = slid(place, direction, steps)
            if any(cell not in INDEX for cell in end.cells):
                break
            under = [tops[cell] for cell in end.cells]
            if not met and max(under) >= place.level:
                met = "tile"
            elif not met and min(under) < place.level - 1:
                met = "gap"
            yield direction, steps, end, met, under[0] + 1 if under[0] == under[1] else 0


def _slides(state: TanisState, lying: Lying, rng: random.Random, met: Literal["gap", "tile"]) -> Slip | None:
    if not _can_explore(state):
        return None
    player = state.to_move
    floor = _floor_supports(state)
    chances = []
    for tile in _bare(lying, 2):
        if lying[tile].level == 1 and not floor:
            continue
        for direction, steps, end, first, level in _straight(lying, tile):
            if first == met and 0 < level <= LEVELS:
                rests = DigTile(end.number_cell, end.sign_cell, level, end.number, end.sign)
                move = Explorer(player, tile, direction, steps)
                chances.append(_slide(state, lying, tile, rests, move))
    return _one(rng, chances)


def slide_gap(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Slides a tile over a gap, or down onto a lower level."""
    return _slides(state, lying, rng, "gap")


def slide_climb(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Slides a tile over or onto tiles that stand in its way."""
    return _slides(state, lying, rng, "tile")


def slide_crooked(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Sets a tile down on its own level, but off its line or turned."""
    if not _can_explore(state):
        return None
    player = state.to_move
    chances = []
    for tile in _bare(lying, 2):
        place = lying[tile]
        tops = _tops(lying, without=tile)
        straight = {end.cells for _, _, end, _, _ in _straight(lying, tile)} | {place.cells}
        for one in CELLS:
            for other in CELLS:
                if (
                    adjacent(one, other)
                    and (one, other) not in straight
                    and tops[one] == tops[other] == place.level - 1
                ):
                    end = DigTile(one, other, place.level, place.number, place.sign)
                    chances.append(_slide(state, lying, tile, end, Shift(player, tile, one, other)))
    return _one(rng, chances)


def _fair(lying: Lying, tile: str) -> Iterator[tuple[Direction, int, DigTile]]:
    """Straight ways that meet nothing and stay on their level."""
    for direction, steps, end, met, _ in _straight(lying, tile):
        if not met:
            yield direction, steps, end


def slide_covered(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Pulls a tile out from under another that covers half of it."""
    if not _can_explore(state):
        return None
    player = state.to_move
    chances = []
    for tile in _bare(lying, 1):
        place = lying[tile]
        if place.level == 1 and not _floor_supports(state):
            continue
        tops = _tops(lying)
        covered = next(cell for cell in place.cells if tops[cell] > place.level)
        for direction, steps, end in _fair({**lying}, tile):
            if covered not in end.cells:
                chances.append(_slide(state, lying, tile, end, Explorer(player, tile, direction, steps)))
    return _one(rng, chances)


def slide_floor(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Slides a tile that lies on the floor, though the floor is no tile."""
    if not _can_explore(state) or _floor_supports(state):
        return None
    player = state.to_move
    return _one(
        rng,
        [
            _slide(state, lying, tile, end, Explorer(player, tile, direction, steps))
            for tile in _bare(lying, 2)
            if lying[tile].level == 1
            for direction, steps, end in _fair(lying, tile)
        ],
    )


def slide_spent(state: TanisState, lying: Lying, rng: random.Random) -> Slip | None:
    """Slides a tile though no Explorer is left."""
    player = state.to_move
    if state.stage != "start" or state.cards[player].explorer:
        return None
    return _one(
        rng,
        [
            _slide(state, lying, tile, end, Explorer(player, tile, direction, steps), spent=True)
            for tile in _bare(lying, 2)
            if lying[tile].level > 1 or _floor_supports(state)
            for direction, steps, end in _fair(lying, tile)
        ],
    )
