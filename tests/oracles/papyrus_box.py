"""What the judge of Papyrus plays with: a game cut down, what lies open, and piles of cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

Pile = tuple[str, ...]
"""Faces, sorted by name."""
World = tuple[Pile, ...]
"""The hands by seat, then the pile, then the box."""
CARDS, TILES, GODS = "cards", "tiles", "gods"
COLOURS = ("light", "dark", "nature", "water")
KINDS = {"card": CARDS, "hieroglyph": TILES, "god": GODS}
ARRIVE, EVENT = "arrive", "event"


@dataclass(frozen=True)
class Box:
    """A game that is cut down: the map, the gods, the events, how many there are of everything, and the options."""

    seats: int
    start: str
    pyramids: tuple[str, ...]
    event_squares: tuple[str, ...]
    paths: tuple[tuple[str, str, tuple[str, ...]], ...]
    """Two places and the squares between them."""
    gods: Mapping[str, tuple[str, Pile]]
    """Pyramid and letters."""
    events: Mapping[str, tuple[int, tuple[str, ...]]]
    """Copies and effects."""
    cards: Mapping[str, int]
    letters: Mapping[str, int]
    dealt: Mapping[str, int]
    options: Mapping[str, str]

    @cached_property
    def roads(self) -> Mapping[str, Mapping[str, tuple[Counter[str], bool]]]:
        """From a place, by target: the cards to pay, and whether an event square is passed."""
        found: dict[str, dict[str, tuple[Counter[str], bool]]] = {
            place: {} for place in self.pyramids + self.event_squares
        }

        def road(one: str, other: str, squares: tuple[str, ...]) -> None:
            price = Counter(square for square in squares if square in COLOURS), "event" in squares
            found.setdefault(one, {})[other] = price
            found.setdefault(other, {})[one] = price

        for one, other, squares in self.paths:
            here, rest, number = one, squares, 0
            while self.options["stop_on_event_square"] == "yes" and "event" in rest:
                at, number = rest.index("event"), number + 1
                stop = f"event-{one}-{other}" + ("" if number == 1 else f"-{number}")
                road(here, stop, rest[:at])
                here, rest = stop, rest[at + 1 :]
            road(here, other, rest)
        return found

    @cached_property
    def stops(self) -> frozenset[str]:
        """Places where an event card is drawn."""
        return frozenset(self.roads) - frozenset(self.pyramids)


@dataclass
class Table:
    """What lies open, and whose turn it is."""

    turn: int
    places: list[str]
    skips: list[int]
    stage: str = "turn"
    todo: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    row: list[str] = field(default_factory=list)
    heap: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    final: list[int] | None = None
    stopped: set[int] = field(default_factory=set)
    """Who has given up, without the board."""


def pieces(text: str) -> Pile:
    """``2 water, eye`` one by one."""
    found: list[str] = []
    for part in text.split(", ") if text != "nothing" else ():
        number, _, name = part.rpartition(" ")
        found += [name] * int(number or 1)
    return tuple(sorted(found))


def kind_of(effect: str) -> str:
    return next(kind for word, kind in KINDS.items() if word in effect)


def less(pile: Pile, taken: Pile) -> Pile | None:
    """The pile without these; None when they are not all in it."""
    left = list(pile)
    for face in taken:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


def more(pile: Pile, added: Iterable[str]) -> Pile:
    return tuple(sorted((*pile, *added)))


def put(world: World, place: int, pile: Pile) -> World:
    return (*world[:place], pile, *world[place + 1 :])
