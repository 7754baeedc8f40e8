"""What a move does to the dig, the cards and the turn, once the rules allow it. Numbers in brackets are those of rules.toml."""

from __future__ import annotations

from bisect import insort
from dataclasses import replace
from functools import cache

from engines.tanis.dig import INDEX, changed, indices, order, slid, slide_fault
from engines.tanis.knowledge import ORDER, known, left, nameable, parts, spots, surely
from engines.tanis.moves import Explorer
from engines.tanis.state import Cards, DigTile, TanisState


@cache
def _options(pairs: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """The options that are switched on."""
    return frozenset(name for name, value in pairs if value == "yes")


def on(state: TanisState, option: str) -> bool:
    """Whether an option with the values no and yes stands at yes."""
    return option in _options(state.options)


def other_sign(state: TanisState) -> bool | None:
    """Whether a second tile for the Expert lies in sight: True, False, or None when nobody can know."""
    if any(place.sign != state.last_sign for place in surely(state)):
        return True
    return None if any(parts(tile)[0] != state.last_sign for tile in nameable(state)) else False


def ended(state: TanisState) -> TanisState:
    """The state with the turn passed on."""
    return replace(state, to_move=1 - state.to_move, stage="start", last_sign=None)


def _lift(state: TanisState, tile: str) -> tuple[tuple[int, ...], tuple[DigTile, ...], int]:
    """Heights, dig and unplaced once the tile has been lifted out."""
    place = known(state, tile)
    if place is None and not state.unplaced:
        found = spots(state, tile)
        place = found[0] if len(found) == 1 else None
    if place is None:
        return state.heights, state.dig, state.unplaced + 1
    dig = tuple(other for other in state.dig if other != place)
    if not state.unplaced:
        return changed(state.heights, indices(place), -1), dig, 0
    heights = list(state.heights)
    for index in indices(place):
        heights[index] = min(heights[index], place.level - 1)
    return tuple(heights), _resting(dig, tuple(heights)), state.unplaced


def _resting(dig: tuple[DigTile, ...], heights: tuple[int, ...]) -> tuple[DigTile, ...]:
    """Without the tiles that would hang in the air: they left unseen."""
    return tuple(place for place in dig if all(heights[INDEX[cell]] >= place.level for cell in place.cells))


def _spend(state: TanisState, kind: str) -> tuple[Cards, Cards]:
    player = state.to_move
    cards = replace(state.cards[player], **{kind: getattr(state.cards[player], kind) - 1})
    return (cards, state.cards[1]) if player == 0 else (state.cards[0], cards)


def _with(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """The tiles with one more, in the order of signs and numbers."""
    result = list(tiles)
    insort(result, tile, key=ORDER.__getitem__)
    return tuple(result)


def take(state: TanisState, tile: str) -> TanisState:
    """The tile is the player's; the turn is over, unless it was the Expert's first (C12, T29)."""
    heights, dig, unplaced = _lift(state, tile)
    mine, theirs = state.collected
    collected = (_with(mine, tile), theirs) if state.to_move == 0 else (mine, _with(theirs, tile))
    again = state.stage == "first of expert"
    return onward(
        TanisState(
            heights,
            dig,
            collected,
            state.removed,
            state.cards,
            state.first,
            state.to_move if again else 1 - state.to_move,
            "second of expert" if again else "start",
            parts(tile)[0] if again else None,
            state.options,
            unplaced,
        )
    )


def onward(state: TanisState) -> TanisState:
    """Ends a turn that nothing can follow: the dig is empty (T30), or no other sign shows for the Expert (T28)."""
    if state.stage == "start":
        return state
    if not left(state) or (state.stage == "second of expert" and other_sign(state) is False):
        return ended(state)
    return state


def excavate(state: TanisState, tile: str) -> TanisState:
    """The tile is out of the game; a take is due (C9-C11)."""
    heights, dig, unplaced = _lift(state, tile)
    return replace(
        state,
        heights=heights,
        dig=dig,
        removed=_with(state.removed, tile),
        cards=_spend(state, "excavator"),
        stage="take after excavator",
        unplaced=unplaced,
    )


def explore(state: TanisState, move: Explorer) -> TanisState:
    """The tile has been slid; a take is due (C3-C8)."""
    played = replace(state, cards=_spend(state, "explorer"), stage="take after explorer")
    if move.steps == 0:
        return played
    place = known(state, move.tile)
    if place is None and not state.unplaced:
        floor = on(state, "floor_supports")
        found = [
            spot
            for spot in spots(state, move.tile)
            if slide_fault(state.heights, indices(spot), move.direction, move.steps, floor) is None
        ]
        place = found[0] if len(found) == 1 else None
    if place is None:
        # Slid by menu from a place nobody saw: it stays on its level, so no column rises above the highest.
        highest = max(state.heights)
        return replace(played, heights=(highest,) * len(state.heights), unplaced=state.unplaced + 1)
    heights = list(state.heights)
    for index in indices(place):
        heights[index] = place.level - 1
    end = slid(place, move.direction, move.steps)
    for index in indices(end):
        heights[index] = place.level
    dig = [other for other in state.dig if other != place]
    if place.number is not None or place.sign is not None:
        sign, number = parts(move.tile)
        insort(dig, replace(end, number=number, sign=sign), key=order)
    result = tuple(heights)
    return replace(played, heights=result, dig=_resting(tuple(dig), result) if state.unplaced else tuple(dig))


def declare(state: TanisState) -> TanisState:
    """The Expert is declared; two takes are due (C12, C14)."""
    return replace(state, cards=_spend(state, "expert"), stage="first of expert")
