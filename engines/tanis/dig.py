"""The dig as a height map: 1x2 tiles on a 4x5 floor (rulings T2, T9, T15-T19).

Every layer is full when the game is set up and a slide must be supported by tiles, so every column is solid from
the floor up: a height per cell says all there is to say about what covers what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from engines.tanis.moves import Direction
from engines.tanis.state import COLUMNS, ROWS, DigTile

CELLS: tuple[Cell, ...] = tuple((column, row) for row in range(ROWS) for column in range(COLUMNS))
INDEX = {cell: index for index, cell in enumerate(CELLS)}
STEP: dict[str, Cell] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
DIRECTIONS = cast("tuple[Direction, ...]", tuple(STEP))
LONGEST = {"left": COLUMNS - 1, "right": COLUMNS - 1, "up": ROWS - 1, "down": ROWS - 1}
"""The most units any tile can be slid, whatever way it lies."""

PAIRS: tuple[tuple[int, int], ...] = tuple(
    (index, INDEX[other])
    for index, (column, row) in enumerate(CELLS)
    for other in ((column + 1, row), (column, row + 1))
    if other in INDEX
)

if TYPE_CHECKING:
    from engines.table import Cell
"""The 31 places a tile can lie at, as indices into the heights."""

NEXT = {
    name: tuple(INDEX.get((column + dx, row + dy), -1) for column, row in CELLS)
    for name, (dx, dy) in STEP.items()
}
"""For each direction and cell the next cell, -1 beyond the wall."""

Heights = tuple[int, ...]
Fault = Literal["wall", "blocked", "gap", "floor"]


def cell_name(cell: Cell) -> str:
    """The cell as people write it: column a-d, row 1-5 ("b3")."""
    return f"{'abcd'[cell[0]]}{cell[1] + 1}"


def parse_cell(text: str) -> Cell:
    """The inverse of ``cell_name``. Raises ValueError with a sentence."""
    if len(text) == 2 and text[0] in "abcd" and text[1] in "12345":
        return "abcd".index(text[0]), int(text[1]) - 1
    raise ValueError(f"'{text}' is no place in the dig: write a column a-d and a row 1-5, like b3")


def adjacent(one: Cell, other: Cell) -> bool:
    """True when a tile can lie on these two cells."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def indices(tile: DigTile) -> tuple[int, int]:
    return INDEX[tile.number_cell], INDEX[tile.sign_cell]


def order(place: DigTile) -> tuple[int, int, int]:
    """Key by which the dig is sorted: level, then the cells from the top left."""
    return place.level, INDEX[place.number_cell], INDEX[place.sign_cell]


def on_top(heights: Heights, tile: DigTile) -> bool:
    """Completely visible: no cell of the tile lies under another tile (T9)."""
    return heights[INDEX[tile.number_cell]] == tile.level == heights[INDEX[tile.sign_cell]]


def changed(heights: Heights, cells: tuple[int, int], by: int) -> Heights:
    """The heights with both cells raised or lowered."""
    result = list(heights)
    result[cells[0]] += by
    result[cells[1]] += by
    return tuple(result)


def slide_fault(
    heights: Heights, cells: tuple[int, int], direction: str, steps: int, floor_supports: bool
) -> Fault | None:
    """Why the tile on top of ``cells`` cannot be slid that far, or None when it can (C3-C6, T15-T19).

    Walked unit by unit: at every step both cells must be exactly as high as what the tile lies on. The first thing
    in the way is named, an obstacle before a gap when one half meets each.
    """
    one, other = cells
    under = heights[one] - 1
    if not under and not floor_supports:
        return "floor"
    onward = NEXT[direction]
    for _ in range(steps):
        one, other = onward[one], onward[other]
        if one < 0 or other < 0:
            return "wall"
        at_one = under if one in cells else heights[one]
        at_other = under if other in cells else heights[other]
        if at_one > under or at_other > under:
            return "blocked"
        if at_one < under or at_other < under:
            return "gap"
    return None


def slides(
    heights: Heights, cells: tuple[int, int], floor_supports: bool
) -> tuple[tuple[Direction, int], ...]:
    """Every legal slide of the tile on top of ``cells``."""
    under = heights[cells[0]] - 1
    if not under and not floor_supports:
        return ()
    found: list[tuple[Direction, int]] = []
    for direction in DIRECTIONS:
        onward = NEXT[direction]
        one, other = cells
        steps = 0
        while True:
            one, other = onward[one], onward[other]
            if one < 0 or other < 0:
                break
            if (one not in cells and heights[one] != under) or (
                other not in cells and heights[other] != under
            ):
                break
            steps += 1
            found.append((direction, steps))
    return tuple(found)


def slid(tile: DigTile, direction: str, steps: int) -> DigTile:
    """The tile at the end of a slide, on the same level."""
    dx, dy = STEP[direction]
    (a, b), (c, d) = tile.number_cell, tile.sign_cell
    return DigTile(
        (a + dx * steps, b + dy * steps),
        (c + dx * steps, d + dy * steps),
        tile.level,
        tile.number,
        tile.sign,
    )
