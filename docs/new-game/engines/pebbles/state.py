"""What everyone at the table can see. What nobody sees is a number, or nothing at all."""

from __future__ import annotations

from dataclasses import dataclass

from engines.catalogue import Catalogue

COLOURS = ("white", "black")


@dataclass(frozen=True, slots=True)
class Pouch:
    """What a player has: pebbles of the heap, then by colour those of the bag."""

    heap: int = 0
    white: int = 0
    black: int = 0


@dataclass(frozen=True, slots=True)
class PebblesState:
    heap: int
    pouches: tuple[Pouch, ...]
    to_move: int
    drawn: bool
    """Whether a pebble was drawn whose colour nobody has told yet."""
    most: int
    catalogue: Catalogue

    def seen(self, colour: str) -> int:
        """How many of a colour have come out of the bag."""
        return sum(getattr(pouch, colour) for pouch in self.pouches)
