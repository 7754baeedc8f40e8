"""The table of Papyrus in mm: the board with its squares, where things are laid open, scrolls and decks, and every face and figure.

With the board the table is larger than any mat: four loose corner markers stand around it. Alone a mat does. What is laid away (movement
cards, god cards and hieroglyphs that were used, event cards) lies anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engines.catalogue import Catalogue, house
from engines.game import Options
from engines.papyrus.numbers import Numbers, numbers, places
from engines.papyrus.plan import KEEPER, plan
from engines.papyrus.travel import longest
from engines.table import Face, Figure, Kind, Layout, Zone

COLOURS = ("red", "blue", "yellow", "green", "black")
"""The colour of each seat (S2)."""
CARD = Kind("card", 63.0, 88.0, 0.3)
GOD = Kind("god", 63.0, 88.0, 0.3)
EVENT = Kind("event", 63.0, 88.0, 0.3)
LETTER = Kind("letter", 26.0, 32.0, 2.0)
SCARAB = Kind("scarab", 24.0, 24.0, 2.0)
PAWN, PYRAMID = "pawn", "pyramid"
BACK, GOD_BACK, EVENT_BACK = "back", "back-god", "back-event"
TOKEN = "scarab"
BOARD, PLAYED, SHOWN, WON, NAME, OPEN = "board", "played", "event", "god", "name", "open"
DECK, GODS, EVENTS = "deck", "gods", "events"
SCARABS, MARKERS = 75, 30
STRIP = 19.0
"""How much of a card is left free when the next lies on it, mm."""
_GAP, _HIGH, _SIDE = 8.0, 98.0, 68.0
_SCROLL = 140.0, 79.0
_DECK = 93.0
_FEW, _OPEN = 90.0, 246.0
_DECKS = (
    (DECK, CARD.name, "movement cards"),
    (GODS, GOD.name, "god cards"),
    (EVENTS, EVENT.name, "event cards"),
)


def scroll(seat: int) -> str:
    """The zone of a player's scarabs."""
    return f"scroll-{seat + 1}"


def pawn(seat: int) -> str:
    return f"{PAWN}-{COLOURS[seat]}"


def pyramid(seat: int) -> str:
    return f"{PYRAMID}-{COLOURS[seat]}"


def seat_of(figure: str) -> int:
    """Whose figure it is. Raises ValueError for a colour that nobody has."""
    return COLOURS.index(figure.rpartition("-")[2])


class Meaning(NamedTuple):
    """What a face is: its kind, and the name by which the rules know it."""

    kind: str
    name: str


@lru_cache(maxsize=32)
def meanings(known: Numbers) -> Mapping[str, Meaning]:
    """Every face by its identity, as it is printed: a name that stands on two kinds of pieces is told apart by the later kind."""
    found: dict[str, Meaning] = {}
    taken: set[str] = set()
    for kind, name in _pieces(known):
        identity = name
        while identity.casefold() in taken or identity.casefold().split("-")[0] == BACK:
            identity = f"{kind}-{identity}"
        taken.add(identity.casefold())
        found[identity] = Meaning(kind, name)
    return found


@lru_cache(maxsize=32)
def identities(known: Numbers) -> Mapping[Meaning, str]:
    """The inverse of ``meanings``."""
    return {meaning: identity for identity, meaning in meanings(known).items()}


def _pieces(known: Numbers) -> Iterator[tuple[str, str]]:
    """In the order in which names are given, as for print."""
    yield from ((CARD.name, symbol) for symbol, n in known.cards.items() if n)
    yield from ((LETTER.name, letter) for letter, n in known.letters.items() if n)
    yield SCARAB.name, TOKEN
    yield from ((GOD.name, god) for god in known.gods)
    yield from ((EVENT.name, event) for event in known.events)


def alone(players: int, options: Options) -> bool:
    """Whether it is played without the board (N1, N10)."""
    return players == 1 or options.get("without_board") == "yes"


def layout(players: int, options: Options, catalogue: Catalogue | None = None) -> Layout:
    """The table by the numbers in force; None: by the sample that comes with Thoth, for what is shipped can be played by nobody."""
    catalogue = house("papyrus") if catalogue is None else catalogue
    return _layout(players, alone(players, options), catalogue, places(catalogue))


@lru_cache(maxsize=16)
def _layout(players: int, without: bool, catalogue: Catalogue, lie: tuple[str, ...]) -> Layout:
    known = numbers(catalogue)
    kinds = (CARD, GOD, EVENT, LETTER, SCARAB)
    if without:
        return Layout("papyrus", 594.0, 420.0, kinds, tuple(_mat(players)), tuple(_faces(known)))
    zones = tuple(_table(players, catalogue))
    width = max(zone.x + zone.width for zone in zones) + 10.0
    height = max(zone.y + zone.height for zone in zones) + 10.0
    standing = [(PAWN, 12.0, 24.0, 1), (PYRAMID, 14.0, 12.0, MARKERS)]
    if any(square.only for zone in zones for square in zone.squares):
        standing.append((KEEPER, 10.0, 10.0, 1))
    figures = tuple(
        Figure(f"{kind}-{colour}", kind, foot, high, copies)
        for kind, foot, high, copies in standing
        for colour in COLOURS[:players]
    )
    return Layout("papyrus", width, height, kinds, zones, tuple(_faces(known)), figures, loose=True)


def _faces(known: Numbers) -> Iterator[Face]:
    copies = {
        CARD.name: known.cards,
        LETTER.name: known.letters,
        EVENT.name: {event.id: event.copies for event in known.events.values()},
    }
    for identity, (kind, name) in meanings(known).items():
        many = SCARABS if kind == SCARAB.name else copies.get(kind, {}).get(name, 1)
        yield Face(identity, kind, (identity,), many)
    yield Face(BACK, CARD.name, (BACK,), sum(known.cards.values()))
    yield Face(GOD_BACK, GOD.name, (GOD_BACK,), len(known.gods))
    yield Face(EVENT_BACK, EVENT.name, (EVENT_BACK,), sum(event.copies for event in known.events.values()))


def _name(known: Numbers) -> float:
    """How wide the place for names is: two rows of hieroglyphs take the longest."""
    letters = max([10, *(len(god.letters) for god in known.gods.values())])
    return 10 + (LETTER.width + 2.5) * ((letters + 1) // 2)


def _table(players: int, catalogue: Catalogue) -> Iterator[Zone]:
    """As wide and as low as a camera sees: the board, below it what is played, shown and formed, at its right what lies open, then scrolls
    and decks."""
    board = plan(catalogue)
    left, top = 10.0, 10.0
    squares = tuple(replace(square, x=square.x + left, y=square.y + top) for square in board.squares)
    yield Zone(
        BOARD,
        left,
        top,
        board.width,
        board.height,
        (PAWN, PYRAMID),
        "squares",
        label="board",
        squares=squares,
    )
    below = top + board.height + _GAP
    played = CARD.width + 4 + STRIP * max(8, longest(numbers(catalogue)) + 2)
    yield Zone(PLAYED, left, below, played, _HIGH, (CARD.name,), "row", label="played cards")
    x = left + played + _GAP
    yield Zone(SHOWN, x, below, _FEW, _HIGH, (EVENT.name,), "row", label="event")
    x += _FEW + _GAP
    yield Zone(WON, x, below, _FEW, _HIGH, (GOD.name,), "row", label="god")
    x += _FEW + _GAP
    formed = max(_name(numbers(catalogue)), left + board.width - x)
    yield Zone(NAME, x, below, formed, _HIGH, (LETTER.name,), label="name")
    right, high = max(left + board.width, x + formed) + _GAP, below + _HIGH - top
    yield Zone(OPEN, right, top, _OPEN, high, (LETTER.name,), label="open hieroglyphs")
    side = right + _OPEN + _GAP
    wide, tall = _SCROLL
    for seat in range(players):
        y = top + seat * (tall + 3)
        yield Zone(scroll(seat), side, y, wide, tall, (SCARAB.name,), label=f"scroll {seat + 1}")
    # Decks lie below few scrolls, beside many.
    first = top + players * (tall + 3)
    room = first + 2 * _DECK + 4 <= top + high
    spots = (0, 0), (1, 0), (0, 1)
    for (across, down), (name, kind, label) in zip(spots, _DECKS, strict=True):
        at = side + across * (_SIDE + 4) if room else side + wide + _GAP
        y = first + down * (_DECK + 4) if room else top + (across + 2 * down) * (_DECK + 4)
        yield Zone(name, at, y, _SIDE, _DECK, (kind,), "pile", label=label)


def _mat(players: int) -> Iterator[Zone]:
    """Alone, and each for themselves: names are formed, scarabs lie on the scrolls."""
    yield Zone(WON, 16.0, 56.0, _FEW, _HIGH, (GOD.name,), "row", label="god")
    yield Zone(NAME, 16.0 + _FEW + _GAP, 56.0, 240.0, _HIGH, (LETTER.name,), label="name")
    for at, (name, kind, label) in enumerate(_DECKS[:2]):
        yield Zone(name, 354.0 + at * (_SIDE + _GAP), 56.0, _SIDE, _HIGH, (kind,), "pile", label=label)
    wide, tall = _SCROLL
    for seat in range(players):
        x, y = 16.0 + seat % 3 * (wide + 6), 164.0 + seat // 3 * (tall + 6)
        yield Zone(scroll(seat), x, y, wide, tall, (SCARAB.name,), label=f"scroll {seat + 1}")
