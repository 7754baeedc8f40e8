"""The moves and reveals of Tanis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engines.game import Move, Reveal

if TYPE_CHECKING:
    from engines.table import Cell

Direction = Literal["left", "right", "up", "down"]


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take a tile that is completely visible ("falcon-7")."""

    tile: str


@dataclass(frozen=True, slots=True)
class Explorer(Move):
    """Play an Explorer: slide a tile by ``steps`` units; a take must follow. No tile ("") and no steps: the card was put
    away and nothing slid, which is how that is refused by name (T14)."""

    tile: str
    direction: Direction
    steps: int


@dataclass(frozen=True, slots=True)
class Excavator(Move):
    """Play an Excavator: remove a tile from the game; a take must follow. No tile (""): the card was put away and nothing
    removed, which is how that is refused by name (C9)."""

    tile: str


class Expert(Move):
    """Declare the Expert: two takes of different signs follow."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Uncovered(Reveal):
    """What the dig shows at a place: the cell under a tile's number half, the cell under its sign half, and what can be read.

    A half that cannot be seen is None. The tile lies at the top of at least one of its cells.
    """

    number_cell: Cell
    sign_cell: Cell
    number: int | None
    sign: str | None


@dataclass(frozen=True, slots=True)
class Shift(Move):
    """A tile set down off the straight line it could be slid along, or turned. Never legal (T15): it is what a
    crooked slide is called so that it can be refused by name. The cells are those it was set down on."""

    tile: str
    number_cell: Cell
    sign_cell: Cell


@dataclass(frozen=True, slots=True)
class Heights(Reveal):
    """How many layers lie on each cell, row by row (20 numbers): a look at the whole dig after moves nobody saw.

    It must account for every tile that is left; then ``TanisState.unplaced`` is 0 again.
    """

    heights: tuple[int, ...]


def card_alone(seat: int, card: str) -> Move:
    """What a card is called that was put away and did nothing: the Expert has no act of its own."""
    if card == "expert":
        return Expert(seat)
    return Explorer(seat, "", "right", 0) if card == "explorer" else Excavator(seat, "")
