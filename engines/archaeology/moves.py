"""The moves and reveals of Archaeology: The New Expedition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engines.game import Move, Reveal

Dug = Literal["treasure", "thief", "sandstorm"]


class Dig(Move):
    """Draw the top card of the dig site; the table shows of what kind it is (``Drawn``)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Steal(Move):
    """Take a card, unseen, from the hand of ``victim`` (a seat from 0)."""

    victim: int


@dataclass(frozen=True, slots=True)
class Tent(Move):
    """Declare in a sandstorm whether the tent is used."""

    used: bool


@dataclass(frozen=True, slots=True)
class Lose(Move):
    """The cards a player gives up in a sandstorm; equal ones stand together."""

    treasures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trade(Move):
    """Cards of the hand for cards of the marketplace; equal ones stand together."""

    give: tuple[str, ...]
    take: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explore(Move):
    """Discard maps to explore the monument: a chamber by its number, from 1 (0: the Mine and the Sphinx have one only), or
    the two types named at the Sphinx."""

    chamber: int = 0
    named: tuple[str, ...] = ()


class Draw(Move):
    """Draw one more card in the Mine."""

    __slots__ = ()


class Stop(Move):
    """Stop drawing in the Mine, and keep what was drawn."""

    __slots__ = ()


class Bust(Move):
    """Put all that was drawn back into the Mine: it is worth too much."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Peek(Move):
    """Look into a chamber of the Temple right after a sale, and put all back."""

    chamber: int


@dataclass(frozen=True, slots=True)
class Sell(Move):
    """Sell a set to the museum: one or more cards, all of one type."""

    treasures: tuple[str, ...]


class End(Move):
    """End the turn."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Drawn(Reveal):
    """What kind of card was dug. Which treasure it is stays hidden."""

    kind: Dug


@dataclass(frozen=True, slots=True)
class Market(Reveal):
    """The cards dealt face up to the marketplace in the set-up; equal ones stand together."""

    treasures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chamber(Reveal):
    """The card laid face up into a chamber of the Buried Ruins: in the set-up, and in each sandstorm while the pile lasts."""

    chamber: int
    treasure: str


@dataclass(frozen=True, slots=True)
class Cards(Reveal):
    """The cards that were drawn face up from the Mine (one) or the Sphinx (five, or all there are); equal ones stand together."""

    treasures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hand(Reveal):
    """How many cards a player holds, counted at the table. As a correction it takes the place of the count so far."""

    player: int
    count: int


@dataclass(frozen=True, slots=True)
class Cleared(Reveal):
    """What lay open in a place has been put onto its pile, or taken up: so many, the oldest first. ``place`` is the seat whose sold sets
    (counted as sets) they were, or DISCARDS, or DRAWN."""

    place: int
    number: int


DISCARDS = -1
"""Where Thieves, Sandstorms and Maps lie until they are put onto the pile."""
DRAWN = -2
"""Where the cards of the Sphinx lie until they are taken or put back."""
