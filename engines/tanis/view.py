"""What lies open in a game of Tanis, in words: for whoever plays without a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.tanis.dig import INDEX, cell_name
from engines.tanis.knowledge import title
from engines.tanis.state import COLUMNS, LEVELS, ROWS, DigTile, TanisState
from engines.words import listed, write_seat


def lines(state: TanisState, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The dig layer by layer from the top (number half first) and as seen from above, and what each player has."""
    return tuple(_lines(state, names))


def _lines(state: TanisState, names: Sequence[str]) -> Iterator[str]:
    for level in range(LEVELS, 0, -1):
        seen = [_told(state, place) for place in state.dig if place.level == level]
        told = ", ".join(one for one in seen if one)
        if told:
            yield f"layer {level}: {told}"
    if not state.unplaced:
        yield from _picture(state)
    for seat, tiles in enumerate(state.collected):
        cards = state.cards[seat]
        left = listed(
            kind for kind in ("explorer", "excavator", "expert") for _ in range(getattr(cards, kind))
        )
        yield f"{write_seat(seat, names)}: {', '.join(map(title, tiles)) or 'no tile'}; cards: {left}"
    if state.removed:
        yield f"removed: {', '.join(map(title, state.removed))}"


def _picture(state: TanisState) -> Iterator[str]:
    """The dig from above, cell by cell: which tile is on top there, and how high it lies."""
    on_top = ["?" if height else "-" for height in state.heights]
    for place in state.dig:
        for cell in place.cells:
            if state.heights[INDEX[cell]] == place.level:
                on_top[INDEX[cell]] = f"{place.sign or '?'}-{place.number or '?'}"
    told = [f"{tile} {height or ''}" for tile, height in zip(on_top, state.heights, strict=True)]
    yield "dig from above, each tile with its layer:"
    yield ("  " + "".join(f"  {column:11}" for column in "abcd"[:COLUMNS])).rstrip()
    for row in range(ROWS):
        cells = told[row * COLUMNS : (row + 1) * COLUMNS]
        yield (f"{row + 1} " + "".join(f"  {cell:11}" for cell in cells)).rstrip()


def _told(state: TanisState, place: DigTile) -> str:
    """The tile and where it lies, as far as it shows now: nothing for one that is covered."""
    tops = [state.heights[INDEX[cell]] == place.level for cell in place.cells]
    if not any(tops):
        return ""
    sign, number = place.sign or "?", place.number or "?"
    covered = "" if all(tops) else " (half covered)"
    return f"{sign}-{number} {cell_name(place.number_cell)}-{cell_name(place.sign_cell)}{covered}"
