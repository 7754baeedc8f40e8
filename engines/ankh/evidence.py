"""What lies otherwise on an Ankh table than the state says, place by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from engines.ankh.cards import is_papyrus
from engines.ankh.effects import UNSEEN
from engines.ankh.moves import SACRIFICE
from engines.ankh.state import AnkhState
from engines.ankh.zones import BACK, PAPYRI, SACRIFICED, row
from engines.table import Piece, Table


@dataclass(frozen=True, slots=True)
class Spread:
    """What differs in a row, or in the place for sacrifices.

    ``came``: cards that are new there; ``gone``: cards of the record that were not read; ``unread``: cards more than the
    record has that cannot be told; ``left``: discards that still lie there.
    """

    came: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unread: int = 0
    left: int = 0

    @property
    def quiet(self) -> bool:
        return not (self.came or self.gone or self.unread)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that differs; ``papyrus`` is another papyrus on top than the state's, ``stray`` a mummy that lies on the papyri."""

    rows: tuple[Spread, ...]
    sacrifice: Spread
    papyrus: str | None
    stray: tuple[str, ...]
    bare: bool
    """Whether the papyri were read and none lies there."""

    @property
    def quiet(self) -> bool:
        """Whether the table is as it should be, but for discards that wait to be put away."""
        spreads = (*self.rows, self.sacrifice)
        return not (self.papyrus or self.stray or self.bare) and all(spread.quiet for spread in spreads)

    @property
    def moved(self) -> tuple[tuple[str, int, int], ...]:
        """Cards that left one row and lie in another: (card, from, to)."""
        return tuple(
            (card, source, target)
            for source, lost in enumerate(self.rows)
            for card in lost.gone
            for target, found in enumerate(self.rows)
            if target != source and card in found.came
        )


MOST_VARIANTS = 24
"""More ways than this to take what can only be told in part are not followed: such cards stay unread."""


def settled(state: AnkhState, table: Table) -> Table:
    """The table with every card that may be one of several, and one of which the record has there, taken for that one."""
    lying = state.lying or ((),) * (len(state.rows) + 1)
    places = {row(seat): (*cards, *lying[seat]) for seat, cards in enumerate(state.rows)}
    places |= {SACRIFICED: lying[SACRIFICE], PAPYRI: state.papyri[-1:]}
    waiting = {
        zone: Counter(cards) - Counter(piece.identity for piece in table.within(zone) if piece.identity)
        for zone, cards in places.items()
    }
    pieces: list[Piece] = []
    for piece in table.pieces:
        left = waiting.get(piece.zone, Counter())
        if len(piece.identities) > 1 and (mine := [one for one in piece.identities if left[one] > 0]):
            left[mine[0]] -= 1
            piece = replace(piece, identities=(mine[0],))
        pieces.append(piece)
    return replace(table, pieces=tuple(pieces))


def variants(table: Table) -> Iterator[Table]:
    """The table with every card that may be one of several taken for each of them in turn; as it is when these are too many."""
    doubtful = [at for at, piece in enumerate(table.pieces) if len(piece.identities) > 1]
    ways = product(*(table.pieces[at].identities for at in doubtful))
    listed = list(islice(ways, MOST_VARIANTS + 1))
    if len(listed) > MOST_VARIANTS:
        yield table
        return
    for way in listed:
        told = dict(zip(doubtful, way, strict=True))
        pieces = (
            replace(piece, identities=(told[at],)) if at in told else piece
            for at, piece in enumerate(table.pieces)
        )
        yield replace(table, pieces=tuple(pieces))


def gather(state: AnkhState, table: Table) -> Evidence:
    """Everything on the table that is not as the state says; zones that were not read say nothing."""
    lying = state.lying or ((),) * (len(state.rows) + 1)
    rows = tuple(_spread(table, row(seat), cards, lying[seat]) for seat, cards in enumerate(state.rows))
    top = read(table, PAPYRI)
    papyri = [card for card in top if card and is_papyrus(card)]
    now = state.papyri[-1] if state.papyri else None
    other = next((card for card in papyri if card != now), None)
    return Evidence(
        rows=rows,
        sacrifice=_spread(table, SACRIFICED, (), lying[SACRIFICE]),
        papyrus=other,
        stray=tuple(card for card in top if card and card != BACK and not is_papyrus(card)),
        bare=PAPYRI not in table.unread and not top,
    )


def read(table: Table, zone: str) -> tuple[str | None, ...]:
    """What was read of each piece in a zone; None for one that cannot be told."""
    return tuple(piece.identity for piece in table.within(zone))


def _spread(table: Table, zone: str, cards: Sequence[str], left: Sequence[str]) -> Spread:
    """A place against the record: the cards that belong there, and the discards that may still lie there."""
    if zone in table.unread:
        return Spread()
    pieces: tuple[Piece, ...] = table.within(zone)
    seen = Counter(_named(piece.identity) for piece in pieces if piece.identity)
    riddles = len(pieces) - seen.total()
    extra = seen - Counter(cards)
    old = extra & Counter(left)
    missing = Counter(cards) - seen
    # What cannot be told is first taken for what is missed, then for a discard that lies there still.
    hidden = riddles - missing.total()
    return Spread(
        came=tuple(sorted((extra - old).elements())),
        gone=() if hidden >= 0 else tuple(sorted(missing.elements()))[:-hidden],
        unread=max(0, hidden - (len(left) - old.total())),
        left=old.total() + min(max(0, hidden), len(left) - old.total()),
    )


def _named(identity: str) -> str:
    return UNSEEN if identity == BACK else identity
