"""What the table's public knowledge leaves possible: where in the dig a tile may lie completely visible.

Nothing here guesses. A tile may be named when no fact that everyone saw rules it out, and only then.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from engines.tanis.dig import CELLS, INDEX, PAIRS, on_top
from engines.tanis.state import TILES, DigTile, TanisState

ORDER = {tile: index for index, tile in enumerate(TILES)}


@cache
def parts(tile: str) -> tuple[str, int]:
    """Sign and number of a tile ("falcon-7")."""
    sign, number = tile.rsplit("-", 1)
    return sign, int(number)


@cache
def title(tile: str) -> str:
    """The tile as people say it ("Falcon 7")."""
    sign, number = parts(tile)
    return f"{sign.capitalize()} {number}"


def left(state: TanisState) -> int:
    """Tiles still in the dig."""
    mine, theirs = state.collected
    return len(TILES) - len(mine) - len(theirs) - len(state.removed)


def gone(state: TanisState, tile: str) -> bool:
    """True when the tile has left the dig."""
    return tile in state.removed or tile in state.collected[0] or tile in state.collected[1]


def known(state: TanisState, tile: str) -> DigTile | None:
    """Where the tile lies, when both its halves have been seen."""
    sign, number = parts(tile)
    for place in state.dig:
        if place.number == number and place.sign == sign:
            return place
    return None


def deduced(state: TanisState, tile: str) -> DigTile | None:
    """The half-seen place that can only be this tile, because all others with that half are accounted for."""
    free = [other for other in TILES if not gone(state, other) and known(state, other) is None]
    for place in state.dig:
        if place.tile is None and tile == _only(
            other
            for other in free
            if place.number in (None, parts(other)[1]) and place.sign in (None, parts(other)[0])
        ):
            return place
    return None


def _only(tiles: Iterable[str]) -> str | None:
    """The one tile there is, or None."""
    found = list(tiles)
    return found[0] if len(found) == 1 else None


def unread(state: TanisState) -> tuple[DigTile, ...]:
    """Places on top where a tile lies of which not everything has been read: halves that show but are not known yet.

    A place of which nothing is known has neither number nor sign, and its two cells stand in no order.
    """
    heights = state.heights
    tops = [height > 0 for height in heights]
    found = []
    for place in state.dig:
        one, other = INDEX[place.number_cell], INDEX[place.sign_cell]
        if heights[one] == place.level:
            tops[one] = False
        if heights[other] == place.level:
            tops[other] = False
            if heights[one] == place.level and place.tile is None:
                found.append(place)
    if True in tops:
        found += [
            DigTile(CELLS[one], CELLS[other], heights[one], None, None)
            for one, other in PAIRS
            if tops[one] and tops[other] and heights[one] == heights[other]
        ]
    return tuple(found)


def elsewhere(state: TanisState, sign: str, number: int) -> bool:
    """True when the tile must be one of the half-known ones that are partly covered: all others that share its half are
    accounted for."""
    for half in ("number", "sign"):
        value = number if half == "number" else sign
        places = sum(
            1
            for place in state.dig
            if place.tile is None and getattr(place, half) == value and not on_top(state.heights, place)
        )
        if not places:
            continue
        free = sum(
            1
            for tile in TILES
            if parts(tile)[half == "number"] == value and not gone(state, tile) and known(state, tile) is None
        )
        if places >= free:
            return True
    return False


def spots(state: TanisState, tile: str) -> tuple[DigTile, ...]:
    """Where the tile may lie completely visible (heights taken as exact); empty when it surely does not."""
    place = known(state, tile)
    if place is not None:
        return (place,) if on_top(state.heights, place) else ()
    candidates = unread(state)
    if not candidates or gone(state, tile):
        return ()
    sign, number = parts(tile)
    fitting = tuple(
        place for place in candidates if place.number in (None, number) and place.sign in (None, sign)
    )
    return () if not fitting or elsewhere(state, sign, number) else fitting


def surely(state: TanisState) -> tuple[DigTile, ...]:
    """The tiles that everyone sees completely and could name."""
    if state.unplaced:
        return ()
    heights = state.heights
    return tuple(
        place
        for place in state.dig
        if place.number is not None
        and place.sign is not None
        and heights[INDEX[place.number_cell]] == place.level == heights[INDEX[place.sign_cell]]
    )


def nameable(state: TanisState) -> tuple[str, ...]:
    """Every tile that may lie completely visible, in the order of the signs and numbers."""
    if state.unplaced:
        return tuple(tile for tile in TILES if not gone(state, tile))
    if unread(state):
        return tuple(tile for tile in TILES if not gone(state, tile) and spots(state, tile))
    return tuple(sorted((f"{place.sign}-{place.number}" for place in surely(state)), key=ORDER.__getitem__))
