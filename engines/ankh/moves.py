"""The moves and reveals of Ankh. Cards are named as in ``cards.py``."""

from __future__ import annotations

from dataclasses import dataclass

from engines.game import Move, Reveal


@dataclass(frozen=True, slots=True)
class Play(Move):
    """Play a card from the hand: a mummy into the own row, a papyrus onto the papyri. The refill follows by itself."""

    card: str


@dataclass(frozen=True, slots=True)
class Sacrifice(Move):
    """Discard cards from the hand and draw as many. ``cards`` are sorted, whatever order they are given in; ``unseen`` counts
    those that were laid face down (option sacrifices=hidden)."""

    cards: tuple[str, ...] = ()
    unseen: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class FirstPapyrus(Reveal):
    """The papyrus that lies in the middle when the game begins; the hands are dealt right after."""

    card: str


class Shuffled(Reveal):
    """The discarded cards became the new draw pile as soon as the last card had been drawn, before anybody needed one (K26)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class HandCount(Reveal):
    """A player holds another number of cards than counted; always a correction."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class Cleared(Reveal):
    """What a scoring left in a row, or what was sacrificed, has been put on the discard pile: its place is empty of it.

    ``place`` is the seat whose row it is, or ``SACRIFICE``."""

    place: int


SACRIFICE = -1
"""Where sacrificed cards lie until they are put on the discard pile."""
