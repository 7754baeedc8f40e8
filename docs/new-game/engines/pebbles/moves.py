"""The moves and reveals of Pebbles."""

from __future__ import annotations

from dataclasses import dataclass

from engines.game import Move, Reveal


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Take pebbles from the heap."""

    number: int


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """Draw a pebble from the bag; a Colour follows."""


@dataclass(frozen=True, slots=True)
class Colour(Reveal):
    """What was drawn."""

    colour: str
