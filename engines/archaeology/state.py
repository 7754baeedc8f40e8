"""What everyone at a table of Archaeology can see: frozen and hashable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from engines.archaeology.numbers import FACES, Numbers
from engines.hidden import Hidden

ORDER = {face: place for place, face in enumerate(FACES)}

# The places of ``Hidden``: where cards lie that not everybody has seen.
DIG = "dig"
HANDS = tuple(f"hand-{seat}" for seat in range(1, 6))
"""By seat from 0."""
CHAMBERS = ("", *(f"chamber-{number}" for number in range(1, 10)))
"""By the chamber's number from 1; the Mine and the Sphinx have chamber 1 only. The Buried Ruins have none: theirs lie face up."""
MARKET = "market"
"""Face down only until the set-up has shown it."""
PILE = "pile"
"""The face-down pile beside the Buried Ruins, with what is laid into their chambers in the set-up."""

Stage = Literal[
    "market",  # set-up: the marketplace has to be shown
    "chambers",  # set-up: the chambers of the Buried Ruins have to be shown
    "dig",
    "drawn",  # dug: of what kind is the card?
    "refill",  # a sandstorm: one card into each chamber of the Buried Ruins
    "steal",
    "tents",  # a sandstorm: who takes shelter?
    "lose",  # a sandstorm: who loses which cards?
    "act",
    "mine drawn",  # exploring the Mine: which card is it?
    "mine",  # draw, stop or bust
    "sphinx drawn",  # exploring the Sphinx: which cards are they?
    "over",  # by the option game_end=dig
]


@cache
def _values(pairs: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    return dict(pairs)


@dataclass(frozen=True, slots=True)
class ArchaeologyState:
    """Piles, counts, and what is known of the cards nobody sees."""

    numbers: Numbers
    options: tuple[tuple[str, str], ...]
    first: int
    turn: int
    """The seat whose turn it is; in a sandstorm others act in it (``queue``)."""
    stage: Stage
    hidden: Hidden
    """Hands, dig site, chambers face down: sizes, and what may lie there."""
    tents: tuple[bool, ...]
    sold: tuple[tuple[tuple[str, int], ...], ...]
    """Per seat, in order: the sets sold as (face, number of cards)."""
    market: tuple[str, ...] = ()
    """In the order of FACES, like every tuple of treasures here."""
    chambers: tuple[tuple[str, ...], ...] = ()
    """The Buried Ruins: what lies face up in each chamber."""
    maps_gone: int = 0
    """Maps discarded to explore: they left the game."""
    thieves: int = 0
    """Thief cards that lie on the discard pile."""
    storms: int = 0
    """Sandstorm cards that lie on the discard pile."""
    queue: tuple[int, ...] = ()
    """In a sandstorm the seats that still have to declare, or to lose cards, in order; while the Buried Ruins are refilled the
    numbers of the chambers that still get a card."""
    sheltered: tuple[int, ...] = ()
    """Seats whose tent keeps this sandstorm off them."""
    dug: bool = False
    """Whether the player has dug in this turn."""
    explored: bool = False
    sold_now: bool = False
    """Whether the player has sold something in this turn."""
    may_peek: bool = False
    """The last step was a sale: in the Temple a chamber may be looked into."""
    drawn: tuple[str, ...] = ()
    """The cards that lie face up before the player who explores the Mine, in the order they were drawn."""
    named: tuple[str, ...] = ()
    """The two types named at the Sphinx."""
    passes: int = 0
    """Turns in a row without a dig in which nothing was sold or explored."""
    exhausted: bool = False
    """Players went on without a dig where only unverified counts said that a card could be left: the dig site is empty."""
    piled: tuple[int, ...] = ()
    """Per seat: how many of the sets sold were seen to have been put onto the player's pile; the others lie open."""
    discards: tuple[str, ...] = ()
    """Thieves, Sandstorms and Maps that lie open on the table, oldest first, until they were seen to be put onto the pile."""
    laid: tuple[str, ...] = ()
    """Cards of the Sphinx that were shown and not yet seen to be taken or put back."""
    corrected: bool = False
    """A hand was counted and was not what the moves say: since then nobody knows how many treasures lie in the dig site."""

    @property
    def players(self) -> int:
        return len(self.sold)

    @property
    def monument(self) -> str:
        return self.option("monument")

    def option(self, name: str) -> str:
        """The value of an option. Raises KeyError for one the game does not have."""
        return _values(self.options)[name]

    def held(self, seat: int) -> int:
        """How many cards the player holds."""
        return self.hidden.size(HANDS[seat])


def ordered(treasures: Iterable[str]) -> tuple[str, ...]:
    """The treasures in the order of FACES."""
    return tuple(sorted(treasures, key=ORDER.__getitem__))
