"""What lies open in a game of Tanis, in words: for whoever plays without a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.tanis.dig import INDEX, cell_name
from engines.tanis.knowledge import title
from engines.tanis.state import COLUMNS, LEVELS, DigTile, TanisState
from engines.words import listed, write_seat


def lines(state: TanisState, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The dig layer by layer from the top (number half first), its heights row by row, and what each player has."""
    return tuple(_lines(state, names))


def _lines(state: TanisState, names: Sequence[str]) -> Iterator[str]:
    for level in range(LEVELS, 0, -1):
        seen = [_told(state, place) for place in state.dig if place.level == level]
        told = ", ".join(one for one in seen if one)
        if told:
            yield f"layer {level}: {told}"
    rows = "".join(map(str, state.heights))
    if not state.unplaced:
        yield "heights: " + " ".join(rows[at : at + COLUMNS] for at in range(0, len(rows), COLUMNS))
    for seat, tiles in enumerate(state.collected):
        cards = state.cards[seat]
        left = listed(
            kind for kind in ("explorer", "excavator", "expert") for _ in range(getattr(cards, kind))
        )
        yield f"{write_seat(seat, names)}: {', '.join(map(title, tiles)) or 'no tile'}; cards: {left}"
    if state.removed:
        yield f"removed: {', '.join(map(title, state.removed))}"


def _told(state: TanisState, place: DigTile) -> str:
    """The tile and where it lies, as far as it shows now: nothing for one that is covered."""
    tops = [state.heights[INDEX[cell]] == place.level for cell in place.cells]
    if not any(tops):
        return ""
    sign, number = place.sign or "?", place.number or "?"
    covered = "" if all(tops) else " (half covered)"
    return f"{sign}-{number} {cell_name(place.number_cell)}-{cell_name(place.sign_cell)}{covered}"
