"""The moves and reveals of Papyrus.

Cards and hieroglyphs in a move always stand in the order of ``FACES`` (movement cards) or of the alphabet, whatever order
they were laid down in: two moves that do the same are equal.

A move without fields of its own is a plain class: it inherits all that its data class has, and costs nothing to import.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from engines.game import Move, Reveal

SYMBOLS = ("water", "light", "nature", "dark")
EYE = "eye"
FACES = (*SYMBOLS, EYE)
"""What a movement card shows; ``eye`` is the Eye of Horus."""
_ORDER = {face: index for index, face in enumerate(FACES)}

Count = Literal["hand", "holder", "gods", "points", "scarabs", "skips"]
"""What a player's number can be told of: movement cards, hieroglyphs, god cards, points from events, scarabs, turns to miss."""
Pile = Literal["deck", "bag", "god-deck"]
"""What is drawn from: movement cards, hieroglyphs, god cards."""
Spread = Literal["played", "event", "name"]
"""Where things lie open until somebody puts them away: movement cards that were played, event cards, a god with its name."""
SPREADS: tuple[Spread, ...] = get_args(Spread)


def ordered(pieces: Iterable[str]) -> tuple[str, ...]:
    """Pieces in the order in which every move and every state holds them."""
    found = sorted(pieces)
    if found and found[0] in _ORDER:
        found.sort(key=lambda piece: _ORDER.get(piece, len(FACES)))
    return tuple(found)


class Draw(Move):
    """Draw two movement cards; what there is when fewer are left (Y13)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Travel(Move):
    """Move the pawn to ``place`` and pay the squares with these movement cards."""

    place: str
    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", ordered(self.cards))


@dataclass(frozen=True, slots=True)
class Win(Move):
    """Win the god of the pyramid that was reached.

    ``card``: a new god card is drawn; ``tiles``: how many hieroglyphs are drawn for those used, None for all of them (Y31).
    """

    god: str
    card: bool = True
    tiles: int | None = None


class Decline(Move):
    """Do not win here (Y27)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Lay an own hieroglyph open by the bag, then take one: ``take`` from those that lay open, or None from the bag."""

    pay: str
    take: str | None = None


class Pass(Move):
    """Do nothing (Y11)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Pieces(Move):
    pieces: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pieces", ordered(self.pieces))


class Gain(_Pieces):
    """An event: take these hieroglyphs from those that lie open."""

    __slots__ = ()


class Lose(_Pieces):
    """An event: lay down these movement cards or hieroglyphs of the own."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _Other(Move):
    other: int


class TakeFrom(_Other):
    """An event: draw unseen from the player at the seat ``other`` as many as the card says."""

    __slots__ = ()


class SwapWith(_Other):
    """An event: exchange unseen with the player at the seat ``other`` as many as the card says."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Go(Move):
    """An event: set the pawn on a place of the own choice."""

    place: str


@dataclass(frozen=True, slots=True)
class Form(Move):
    """Solo: form the name of a god in the hand; ``card``: a new god card is drawn."""

    god: str
    card: bool = True


class Buy(Move):
    """Solo: pay a movement card from the deck for a hieroglyph from the bag (Y44)."""

    __slots__ = ()


class Stop(Move):
    """Solo: give up; what gods are left count as not formed."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class EventShown(Reveal):
    """The event card that was turned up."""

    event: str


@dataclass(frozen=True, slots=True)
class Counted(Reveal):
    """How many of something a player has. As a correction it stands in place of what the moves say; without, it must agree."""

    player: int
    what: Count
    number: int


@dataclass(frozen=True, slots=True)
class Standing(Reveal):
    """Where a player's pawn stands; as a correction in place of what the moves say."""

    player: int
    place: str


@dataclass(frozen=True, slots=True)
class Left(Reveal):
    """How many are left to draw from: the movement deck, the bag, the god deck."""

    what: Pile
    number: int


@dataclass(frozen=True, slots=True)
class Lying(Reveal):
    """The hieroglyphs that lie open by the bag."""

    tiles: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", ordered(self.tiles))


@dataclass(frozen=True, slots=True)
class Cleared(Reveal):
    """What lay in this place has been put away."""

    place: Spread
