"""What everyone at a Tanis table can see: frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from engines.table import Cell


COLUMNS, ROWS, LEVELS = 4, 5, 4
SIGNS = ("snake", "ankh", "falcon", "scarab")
NUMBERS = tuple(range(1, 11))
TILES = tuple(f"{sign}-{number}" for sign in SIGNS for number in NUMBERS)

Stage = Literal["start", "take after explorer", "take after excavator", "first of expert", "second of expert"]


@dataclass(frozen=True, slots=True, order=True)
class Cards:
    """A player's unused action cards."""

    explorer: int = 3
    excavator: int = 2
    expert: int = 1


@dataclass(frozen=True, slots=True)
class DigTile:
    """A tile in the dig of which something has been seen. ``level`` 1 is the floor."""

    number_cell: Cell
    sign_cell: Cell
    level: int
    number: int | None
    sign: str | None

    @property
    def tile(self) -> str | None:
        return f"{self.sign}-{self.number}" if self.sign and self.number else None

    @property
    def cells(self) -> tuple[Cell, Cell]:
        return self.number_cell, self.sign_cell


@dataclass(frozen=True, slots=True)
class TanisState:
    """Heights of the dig row by row (20 numbers, 0-4), the tiles of which something is known, and what each player has."""

    heights: tuple[int, ...]
    dig: tuple[DigTile, ...]
    """Sorted by level, then cells; also known tiles that have been covered again by a slide."""
    collected: tuple[tuple[str, ...], tuple[str, ...]]
    removed: tuple[str, ...]
    cards: tuple[Cards, Cards]
    first: int
    to_move: int
    stage: Stage
    last_sign: str | None = None
    """Sign of the Expert's first tile while the second is due."""
    options: tuple[tuple[str, str], ...] = ()
    unplaced: int = 0
    """Moves in the dig whose place nobody saw (by menu without a camera): while it is not 0, the heights are
    upper bounds and no refusal rests on them."""
