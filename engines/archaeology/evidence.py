"""What lies otherwise on a table of Archaeology than the state says, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engines.archaeology.counts import left_in, numbered
from engines.archaeology.state import ORDER, ArchaeologyState
from engines.archaeology.zones import (
    DISCARD,
    FACE_UP,
    FOUND,
    RUINS,
    SITE,
    SPENT,
    chamber,
    markets,
    museum,
    sold,
    tent,
)
from engines.table import Table

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """What differs in a place where cards lie open.

    ``came``: cards more than the record has; ``gone``: cards of the record that were not read; ``unread``: cards that cannot be told and stand
    for none of these. ``back`` among them is a card that lies face down. ``cleared``: how many of the oldest (sets, or cards) have been put
    away, which is no difference.
    """

    came: Cards = ()
    gone: Cards = ()
    unread: int = 0
    cleared: int = 0

    @property
    def quiet(self) -> bool:
        return not (self.came or self.gone or self.unread)


QUIET = Spread()


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that differs. ``chambers`` and ``sold`` by their number from 1 and by seat; ``emptied`` and ``filled`` are chambers of
    which the record says otherwise; ``tents``: seats whose tent is gone; ``returned``: seats that have a tent which was used."""

    market: Spread
    sold: tuple[Spread, ...]
    discards: Spread
    found: Spread
    chambers: tuple[Spread, ...]
    emptied: tuple[int, ...]
    filled: tuple[int, ...]
    tents: tuple[int, ...]
    returned: tuple[int, ...]
    bare: bool
    """Whether the dig site was read and no card lies there."""

    @property
    def spreads(self) -> tuple[Spread, ...]:
        return (self.market, *self.sold, self.discards, self.found, *self.chambers)

    @property
    def quiet(self) -> bool:
        """Whether all that can be told is as the state says. Cards that are still to be put away are no difference."""
        odd = self.emptied or self.filled or self.tents or self.returned
        return not odd and all(spread.quiet for spread in self.spreads)


def sets(state: ArchaeologyState, seat: int) -> tuple[Cards, ...]:
    """A player's sets that lie open by all that was seen, oldest first."""
    return tuple((face,) * count for face, count in state.sold[seat][state.piled[seat] :])


def gather(state: ArchaeologyState, table: Table) -> Evidence:
    """Everything on the table that is not as the state says; zones that were not read say nothing."""
    seats, numbers = range(state.players), numbered(state)
    tents = {seat: _bare(table, tent(seat)) for seat in seats}
    faced = state.monument == RUINS
    piles = {} if faced else {at: _bare(table, chamber(at)) for at in numbers}
    return Evidence(
        market=_spread(table, markets(len(seats)), state.market),
        sold=tuple(_put_away(table, sold(seat), museum(seat), sets(state, seat)) for seat in seats),
        discards=_put_away(table, DISCARD, SPENT, tuple((card,) for card in state.discards)),
        found=_found(state, table),
        chambers=tuple(
            _spread(table, (chamber(at),), state.chambers[at - 1]) if faced else QUIET for at in numbers
        ),
        emptied=tuple(at for at, bare in piles.items() if bare and left_in(state, at)),
        filled=tuple(at for at, bare in piles.items() if bare is False and not left_in(state, at)),
        tents=tuple(seat for seat, bare in tents.items() if bare and state.tents[seat]),
        returned=tuple(seat for seat, bare in tents.items() if bare is False and not state.tents[seat]),
        bare=_bare(table, SITE) is True,
    )


def _bare(table: Table, zone: str) -> bool | None:
    """Whether nothing lies in a zone; None when it was not read."""
    return None if zone in table.unread else not table.within(zone)


def _seen(table: Table, zones: Iterable[str]) -> tuple[Counter[str], int] | None:
    """The cards read in some zones together, and how many cannot be told; None when one of the zones was not read."""
    zones = tuple(zones)
    if any(zone in table.unread for zone in zones):
        return None
    pieces = [piece for zone in zones for piece in table.within(zone)]
    seen = Counter(piece.identity for piece in pieces if piece.identity)
    return seen, len(pieces) - seen.total()


def _spread(table: Table, zones: Iterable[str], cards: Iterable[str]) -> Spread:
    """Places of which the cards count together, against the record."""
    found = _seen(table, zones)
    return QUIET if found is None else _against(*found, Counter(cards))


def _against(seen: Counter[str], riddles: int, wanted: Counter[str]) -> Spread:
    extra, missing = seen - wanted, wanted - seen
    # What cannot be told is first taken for what is missed.
    gone = missing.total() - riddles
    if gone <= 0:
        return Spread(came=_sorted(extra), unread=-gone)
    if riddles and len(missing) > 1:
        return Spread(came=_sorted(extra), unread=riddles)  # which of them are gone nobody can say
    return Spread(came=_sorted(extra), gone=_sorted(missing)[:gone])


def _put_away(table: Table, zone: str, pile: str, lying: tuple[Cards, ...]) -> Spread:
    """A row whose oldest cards may have been put onto a pile meanwhile: whole sets, and none of them left behind."""
    found = _seen(table, (zone,))
    if found is None:
        return QUIET
    seen, riddles = found
    whole = _against(seen, riddles, _count(lying))
    if not whole.gone or _bare(table, pile):
        return whole
    for number in range(1, len(lying) + 1):
        rest = _against(seen, riddles, _count(lying[number:]))
        if not rest.gone and not _count(lying[:number]) & Counter(rest.came):
            return Spread(rest.came, (), rest.unread, number)
    return whole


def _found(state: ArchaeologyState, table: Table) -> Spread:
    """What lies face up before who explores the Mine or the Sphinx. Cards of the Sphinx are taken away in any order."""
    found = _seen(table, (FOUND,)) if state.monument in FACE_UP else None
    if found is None:
        return QUIET
    if not state.laid:
        return _against(*found, Counter(state.drawn))
    seen, riddles = found
    left = _against(seen, riddles, Counter(state.laid))
    cleared = 0 if seen.total() + riddles else len(state.laid)
    return Spread(left.came, (), left.unread, cleared)


def _count(cards: Iterable[Cards]) -> Counter[str]:
    return Counter(card for one in cards for card in one)


def _sorted(cards: Counter[str]) -> Cards:
    """In the order of FACES, then whatever else there is."""
    return tuple(sorted(cards.elements(), key=lambda card: (ORDER.get(card, len(ORDER)), card)))
