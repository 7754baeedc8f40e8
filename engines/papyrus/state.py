"""What everyone at a Papyrus table can see: frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from engines.hidden import Hidden
from engines.papyrus.events import Effect
from engines.papyrus.numbers import Numbers

PILE = "pile"
"""The place of the face-down deck, or of the bag, in each of the three ``Hidden``."""
BOX = "box"
"""God cards that were left out of a short deck (Y48); movement cards that were paid in solo."""
HANDS = ("player-1", "player-2", "player-3", "player-4", "player-5")
"""The place of a seat's movement cards, hieroglyphs and god cards in each of the three ``Hidden``."""

Stage = Literal["turn", "arrived", "event", "effect", "over"]
"""``arrived``: a god may be won or declined; ``event``: an event card is to be turned up; ``effect``: the card asks for a choice."""


@dataclass(frozen=True, slots=True)
class Seat:
    """What lies open before a player. Won gods never return to the deck (Y55)."""

    place: str
    won: tuple[str, ...] = ()
    """In the order in which they were won."""
    scarabs: int = 0
    points: int = 0
    """From events; the gods' values are not among them."""
    skips: int = 0
    """Turns to miss."""
    paid: int = 0
    """Without the board: the movement cards paid so far."""
    stopped: bool = False
    """Without the board: the player gave up."""


@dataclass(frozen=True, slots=True)
class PapyrusState:
    """The seats, the three kinds of hidden things, and what lies open on the table."""

    numbers: Numbers
    options: frozenset[str]
    """As "name=value", every option once."""
    seats: tuple[Seat, ...]
    cards: Hidden
    hieroglyphs: Hidden
    gods: Hidden
    first: int
    to_move: int
    stage: Stage = "turn"
    discards: tuple[str, ...] = ()
    """Movement cards face up, in order of FACES."""
    row: tuple[str, ...] = ()
    """Hieroglyphs that lie open by the bag."""
    heap: tuple[str, ...] = ()
    """Hieroglyphs that were used and lie aside."""
    shown: tuple[str, ...] = ()
    """Event cards since the event deck was last shuffled."""
    pending: tuple[Effect, ...] = ()
    """What the event card still does; the first is due now in the stage ``effect``."""
    final: tuple[int, ...] | None = None
    """In the final round: who still has a turn. None before it."""
    lying: tuple[tuple[str, ...], ...] = ((), (), ())
    """What nobody was seen to put away yet, by ``moves.SPREADS``: movement cards, event cards, a god with its hieroglyphs."""
    astray: tuple[tuple[int, str], ...] = ()
    """Pawns that an event has moved and nobody was seen to move yet: the seat, and where its pawn stood."""

    @property
    def alone(self) -> bool:
        """Whether it is the variant without the board, in which everybody plays alone (N1, N10)."""
        return len(self.seats) == 1 or "without_board=yes" in self.options

    def seated(self, player: int, seat: Seat) -> PapyrusState:
        """The state with what lies before one player replaced."""
        return replace(self, seats=(*self.seats[:player], seat, *self.seats[player + 1 :]))


Cause = tuple[str, str, dict[str, str]]
"""Rule, wording and words of a refusal; the texts are made only when somebody wants to read them."""
