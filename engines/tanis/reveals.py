"""What the dig shows, taken into a state: halves uncovered, and the heights after moves nobody saw."""

from __future__ import annotations

from bisect import insort
from dataclasses import replace

from engines.game import Reveal, WrongReveal
from engines.tanis.dig import INDEX, adjacent, cell_name, order
from engines.tanis.knowledge import gone, known, left, title
from engines.tanis.moves import Heights, Uncovered
from engines.tanis.state import LEVELS, NUMBERS, SIGNS, DigTile, TanisState


def learn(state: TanisState, reveal: Reveal) -> TanisState:
    """The state with the reveal added. Raises WrongReveal when it cannot be true."""
    match reveal:
        case Uncovered():
            return _uncover(state, reveal)
        case Heights():
            return _measure(state, reveal)
    raise TypeError(f"{reveal!r} is no reveal of Tanis")


def _place(state: TanisState, reveal: Uncovered) -> DigTile:
    """Where the tile lies: its level is the height of a half that shows."""
    cells = (reveal.number_cell, reveal.sign_cell)
    if any(cell not in INDEX for cell in cells) or not adjacent(*cells):
        raise WrongReveal("A tile lies on two cells of the dig that touch.")
    if reveal.number not in (None, *NUMBERS) or reveal.sign not in (None, *SIGNS):
        raise WrongReveal("No tile shows that number or sign.")
    one, other = (state.heights[INDEX[cell]] for cell in cells)
    if reveal.number is None and reveal.sign is None:
        raise WrongReveal("A reveal shows a number, a sign, or both.")
    level = one if reveal.number is not None else other
    where = f"{cell_name(cells[0])}-{cell_name(cells[1])}"
    if not level:
        raise WrongReveal(f"No tile is left at {where}.")
    if reveal.number is not None and reveal.sign is not None and one != other:
        raise WrongReveal(f"{where} cannot be one tile: the cells are {one} and {other} layers high.")
    if min(one, other) < level:
        raise WrongReveal(f"{where} cannot be one tile: half of it would lie on nothing.")
    return DigTile(reveal.number_cell, reveal.sign_cell, level, reveal.number, reveal.sign)


def _uncover(state: TanisState, reveal: Uncovered) -> TanisState:
    place = _place(state, reveal)
    dig = list(state.dig)
    cells = set(place.cells)
    for other in state.dig:
        if other.level != place.level or not cells & set(other.cells):
            continue
        same = other.cells == place.cells
        agrees = (
            same
            and other.number in (None, place.number or other.number)
            and other.sign in (None, place.sign or other.sign)
        )
        if not agrees and not reveal.correction:
            raise WrongReveal(
                f"{cell_name(place.number_cell)}-{cell_name(place.sign_cell)} was seen as something else before."
            )
        if same:
            place = replace(place, number=place.number or other.number, sign=place.sign or other.sign)
        dig.remove(other)
    tile = place.tile
    if tile is not None:
        if gone(state, tile):
            raise WrongReveal(f"{title(tile)} has already left the dig.")
        double = known(state, tile)
        if double is not None and double in dig:
            if not reveal.correction:
                raise WrongReveal(f"{title(tile)} was seen at another place of the dig.")
            dig.remove(double)
    insort(dig, place, key=order)
    return replace(state, dig=tuple(dig))


def _measure(state: TanisState, reveal: Heights) -> TanisState:
    heights = reveal.heights
    if len(heights) != len(INDEX) or not all(0 <= height <= LEVELS for height in heights):
        raise WrongReveal(f"The dig has {len(INDEX)} cells, each 0 to {LEVELS} layers high.")
    if sum(heights) != 2 * left(state):
        raise WrongReveal(f"{left(state)} tiles are left, these heights hold {sum(heights) / 2:g}.")
    if not state.unplaced and heights != state.heights and not reveal.correction:
        raise WrongReveal("The heights were known to be others.")
    dig = tuple(
        place for place in state.dig if all(heights[INDEX[cell]] >= place.level for cell in place.cells)
    )
    return replace(state, heights=heights, dig=dig, unplaced=0)
