"""From tables to moves: what an Ankh table must show, what it shows anew, and which moves explain a change.

What leaves no trace, and how it is said: a hand's number of cards is counted by the moves and corrected in the menu; a papyrus like the one below it
and a sacrifice of no card are chosen in the menu; that the discards became the draw pile is seen when they are gone.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.ankh import rules
from engines.ankh.differences import differences
from engines.ankh.evidence import gather, read, settled
from engines.ankh.explain import explain
from engines.ankh.moves import SACRIFICE, Cleared, FirstPapyrus, Shuffled
from engines.ankh.state import AnkhState
from engines.ankh.zones import BACK, CARD, DISCARD, PAPYRI, PILE, SACRIFICED, layout, row
from engines.facts import facts
from engines.game import Reveal
from engines.table import Piece, Table, Zone

__all__ = ["differences", "expected", "explain", "layout", "reveals"]


def expected(state: AnkhState) -> Table:
    """What the table must show in this state: rows, the papyrus that counts, the draw pile's back. Cards lie somewhere in
    their zone: each is given at its centre."""
    zones = {zone.name: zone for zone in layout(len(state.rows), dict(state.options)).zones}
    pieces = [_piece(card, zones[row(seat)]) for seat, cards in enumerate(state.rows) for card in cards]
    pieces += [_piece(card, zones[PAPYRI]) for card in state.papyri[-1:]]
    if state.pile:
        pieces.append(_piece(BACK, zones[PILE]))
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


def _piece(card: str, zone: Zone) -> Piece:
    return Piece((card,), CARD.name, zone.name, zone.x + zone.width / 2, zone.y + zone.height / 2)


def reveals(state: AnkhState, table: Table) -> tuple[Reveal, ...]:
    """Facts the table shows that the state does not know yet: the first papyrus, discards put away, a pile made early."""
    return facts(state, _facts(state, table), rules.apply)


def _facts(state: AnkhState, table: Table) -> Iterator[Reveal]:
    evidence = gather(state, settled(state, table))
    if not state.papyri:
        if evidence.papyrus is not None:
            yield FirstPapyrus(evidence.papyrus)
        return
    for place in (*range(len(state.rows)), SACRIFICE):
        zone = SACRIFICED if place == SACRIFICE else row(place)
        spread = evidence.sacrifice if place == SACRIFICE else evidence.rows[place]
        if (
            state.lying
            and state.lying[place]
            and zone not in table.unread
            and not (spread.left or spread.unread)
        ):
            yield Cleared(place)
    # The discards are gone and a pile stands there, though the last card had been drawn.
    if (
        not state.pile
        and BACK in read(table, PILE)
        and DISCARD not in table.unread
        and not read(table, DISCARD)
    ):
        yield Shuffled()
