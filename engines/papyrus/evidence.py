"""What lies and stands otherwise on a table of Papyrus than the state says, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from engines.papyrus.numbers import Numbers
from engines.papyrus.plan import points
from engines.papyrus.state import PapyrusState
from engines.papyrus.zones import (
    BOARD,
    NAME,
    OPEN,
    PAWN,
    PLAYED,
    PYRAMID,
    SHOWN,
    WON,
    meanings,
    scroll,
    seat_of,
)
from engines.table import Piece, Table

ZONES = ((PLAYED,), (SHOWN,), (WON, NAME))
"""Where things lie until they are put away, in the order of ``SPREADS``."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What differs in a place where things are laid open: ``came`` is new there, ``unread`` cannot be told, ``left`` is still to be put
    away. ``hidden``: so many of ``left`` are not told by their faces, but by something that cannot be told lying there."""

    came: tuple[str, ...] = ()
    unread: int = 0
    left: tuple[str, ...] = ()
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that differs. Places are those of the map, things are named as the rules name them."""

    moved: tuple[tuple[int, str], ...] = ()
    """Pawns that stand on another place than the record says."""
    beside: tuple[int, ...] = ()
    """Pawns that stand on the board, but on no square."""
    lost: tuple[int, ...] = ()
    """Pawns that were not seen anywhere, though the board was read."""
    owed: tuple[int, ...] = ()
    """Pawns that an event has moved, and that still stand where they stood."""
    built: tuple[tuple[int, str], ...] = ()
    """Pyramids that are new: whose, and where."""
    missing: tuple[tuple[int, str], ...] = ()
    """Pyramids of gods that were won, where none of that colour was seen."""
    strange: int = 0
    """Figures of which not even the colour can be told."""
    perhaps: tuple[tuple[int, str], ...] = ()
    """Where something of a player's colour stands that may be a pyramid, the pawn, or one before the other."""
    played: Spread = Spread()
    shown: Spread = Spread()
    formed: Spread = Spread()
    paid: tuple[str, ...] = ()
    """Hieroglyphs that are new among those that lie open."""
    taken: tuple[str, ...] = ()
    """Hieroglyphs of the record that lie open no more."""
    unread: int = 0
    """Open hieroglyphs that cannot be told, beyond those that are missed."""
    scarabs: tuple[int | None, ...] = ()
    """How many more lie on each scroll than the record says; None: it was not read."""

    @property
    def plain(self) -> bool:
        """Whether everything that is new can be told. A figure that is not seen may stand behind another: it says nothing."""
        spreads = (self.played, self.shown, self.formed)
        hidden = len(self.lost) + len(self.missing)
        return not (
            self.beside or self.strange > hidden or self.unread or any(spread.unread for spread in spreads)
        )

    @property
    def still(self) -> bool:
        """Whether nothing is new that a move could have brought."""
        spreads = (self.played, self.shown, self.formed)
        return not (
            self.moved or self.built or self.paid or self.taken or any(spread.came for spread in spreads)
        )

    @property
    def quiet(self) -> bool:
        """Whether the table is as it should be, but for what is still to be put away and for scarabs."""
        return self.plain and self.still


def gather(state: PapyrusState, table: Table) -> Evidence:
    """Everything on the table that is not as the state says; zones that were not read say nothing."""
    spreads = [
        _spread(state.numbers, table, zones, lying)
        for zones, lying in zip(ZONES, state.lying, strict=True)
        if NAME in zones or not state.alone
    ]
    scarabs = tuple(
        None if (zone := scroll(seat)) in table.unread else len(table.within(zone)) - mine.scarabs
        for seat, mine in enumerate(state.seats)
    )
    if state.alone:
        return Evidence(formed=spreads[0], scarabs=scarabs)
    played, shown, formed = spreads
    paid, taken, unread = _open(state, table)
    pawns = _pawns(state, table)
    moved, beside, lost, owed, perhaps = pawns
    built, missing, strange = _figures(state, table, perhaps)
    return Evidence(
        moved,
        beside,
        lost,
        owed,
        built,
        missing,
        strange,
        perhaps,
        played,
        shown,
        formed,
        paid,
        taken,
        unread,
        scarabs,
    )


def conquered(state: PapyrusState) -> Counter[tuple[int, str]]:
    """How many gods each has won at each place: there stands a pyramid of that colour."""
    gods = state.numbers.gods
    return Counter((seat, gods[god].pyramid) for seat, mine in enumerate(state.seats) for god in mine.won)


@lru_cache(maxsize=8)
def _names(known: Numbers) -> dict[str, str]:
    return {identity: meaning.name for identity, meaning in meanings(known).items()}


def told(state: PapyrusState, identities: Iterable[str]) -> list[str]:
    """What faces are called by the rules; a back keeps its name."""
    names = _names(state.numbers)
    return [names.get(identity, identity) for identity in identities]


def _read(state: PapyrusState, table: Table, zone: str) -> tuple[Counter[str], int]:
    """What lies in a zone, and how many pieces there cannot be told."""
    pieces = table.within(zone)
    known = [piece.identity for piece in pieces if piece.identity is not None]
    return Counter(told(state, known)), len(pieces) - len(known)


def _spread(known: Numbers, table: Table, zones: tuple[str, ...], lying: tuple[str, ...]) -> Spread:
    if not set(zones).isdisjoint(table.unread):
        return Spread()
    names = _names(known)
    pieces = [piece for zone in zones for piece in table.within(zone)]
    seen = Counter(names.get(piece.identity, piece.identity) for piece in pieces if piece.identity)
    riddles = len(pieces) - seen.total()
    left = Counter(lying)
    old = seen & left
    # What cannot be told is first taken for what lay there before.
    hidden = min(riddles, (left - old).total())
    old_ones = (*sorted(old.elements()), *sorted((left - old).elements())[:hidden])
    return Spread(tuple(sorted((seen - old).elements())), riddles - hidden, old_ones, hidden)


def _open(state: PapyrusState, table: Table) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Hieroglyphs that came, that went, and how many cannot be told."""
    if OPEN in table.unread:
        return (), (), 0
    seen, riddles = _read(state, table, OPEN)
    row = Counter(state.row)
    came, gone = seen - row, sorted((row - seen).elements())
    hidden = min(riddles, len(gone))
    return tuple(sorted(came.elements())), tuple(gone[hidden:]), riddles - hidden


def _pawns(
    state: PapyrusState, table: Table
) -> tuple[
    tuple[tuple[int, str], ...],
    tuple[int, ...],
    tuple[int, ...],
    tuple[int, ...],
    tuple[tuple[int, str], ...],
]:
    """Pawns that moved, stand beside the squares, were not seen, and those that an event has moved but no hand; and what else of a
    colour stands where."""
    if BOARD in table.unread:
        return (), (), (), (), ()
    at: dict[int, set[str]] = {}
    doubtful: dict[int, list[str]] = {}
    for piece in _standing(table):
        if piece.kind == PAWN and piece.identity is not None:
            at.setdefault(seat_of(piece.identity), set()).add(piece.square)
        elif (seat := _whose(piece)) is not None:
            doubtful.setdefault(seat, []).append(piece.square)
    before, won = dict(state.astray), conquered(state)
    moved, beside, lost, owed = [], [], [], []
    for seat, mine in enumerate(state.seats):
        places, maybe = at.get(seat, set()), doubtful.setdefault(seat, [])
        if not places and maybe:
            # There is one pawn of each colour: what may be a pawn is it, when no other may. Where it stood it stands still.
            stood = [place for place in (mine.place, before.get(seat)) if place in maybe]
            new = [place for place in dict.fromkeys(maybe) if place and not won[seat, place]]
            if stood or len(new) == 1:
                chosen = (stood or new)[0]
                assert chosen is not None
                places = {chosen}
        if not places:
            lost.append(seat)
        elif mine.place in places:
            continue
        elif before.get(seat) in places:
            owed.append(seat)
        elif places == {""}:
            beside.append(seat)
        else:
            moved.append((seat, min(places - {""})))
    perhaps = tuple((seat, place) for seat, maybe in sorted(doubtful.items()) for place in maybe)
    return tuple(moved), tuple(beside), tuple(lost), tuple(owed), perhaps


def _standing(table: Table) -> list[Piece]:
    """What stands on the board, but for the score track."""
    return [piece for piece in table.within(BOARD) if points(piece.square) is None]


def keepers(table: Table) -> dict[int, int]:
    """Where on the score track each player's scorekeeper stands, as far as that is seen for certain."""
    if BOARD in table.unread:
        return {}
    seen = [
        (seat_of(piece.identity), at)
        for piece in table.within(BOARD)
        if (at := points(piece.square)) is not None and piece.identity is not None
    ]
    many = Counter(seat for seat, _ in seen)
    return {seat: at for seat, at in seen if many[seat] == 1}


def _whose(piece: Piece) -> int | None:
    """Whose a figure is of which only the colour is known; None when that is not known either."""
    seats = {seat_of(identity) for identity in piece.identities}
    return seats.pop() if len(seats) == 1 and len(piece.identities) > 1 else None


def _figures(
    state: PapyrusState, table: Table, perhaps: Collection[tuple[int, str]]
) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...], int]:
    """Pyramids that are new, that are missed, and how many figures cannot be told."""
    if BOARD in table.unread:
        return (), (), 0
    there = conquered(state)
    seen = Counter(
        (seat_of(piece.identity), piece.square)
        for piece in _standing(table)
        if piece.kind == PYRAMID and piece.identity is not None
    )
    riddles = sum(piece.identity is None and _whose(piece) is None for piece in _standing(table))
    built = tuple(sorted((seen - there).elements()))
    # One pyramid says of any number of gods won there that they were.
    missing = (one for one in there if not seen[one] and one not in perhaps)
    return built, tuple(sorted(missing)), riddles
