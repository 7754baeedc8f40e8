"""What everyone at a table of Archaeology can see: frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engines.archaeology.numbers import FACES, Numbers
from engines.hidden import Hidden

ORDER = {face: place for place, face in enumerate(FACES)}

# The places of ``Hidden``: where cards lie that not everybody has seen.
DIG = "dig"
HANDS = tuple(f"hand-{seat}" for seat in range(1, 6))
"""By seat from 0."""
CHAMBERS = ("", "chamber-1", "chamber-2", "chamber-3")
"""By the chamber's number from 1; the Mine and the Sphinx have chamber 1 only."""
MARKET = "market"
"""Face down only until the set-up has shown it."""
PILE = "pile"
"""The face-down pile beside the Buried Ruins; their chambers lie face up."""

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
]


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

    @property
    def players(self) -> int:
        return len(self.sold)

    @property
    def monument(self) -> str:
        return dict(self.options)["monument"]

    def held(self, seat: int) -> int:
        """How many cards the player holds."""
        return self.hidden.size(HANDS[seat])
