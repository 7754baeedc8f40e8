"""From tables to moves: what a table of Archaeology must show, what it shows anew, and which moves explain a change.

What leaves no trace, and how it is said:

- a treasure that is dug, the end of a turn: CONFIRM while nothing has changed says both, or the end alone after something was seen of the turn; whatever else
  is seen implies the dig, and the next player's sale or Thief the end;
- a tent that is kept: CONFIRM, or whatever comes after it;
- whom a Thief robs (asked, unless there is only one), which chamber of the Tomb was explored (asked while both hold cards), which two types were named at
  the Sphinx (asked as soon as the Map lies there, before the cards are drawn);
- a look into the Temple: it changes nothing that anybody can know, and need not be said (it stands in the menu);
- how many cards a hand holds is counted by the moves, and corrected in the menu of a game played by hand;
- that the dig site has run out is seen when no card lies there and somebody goes on without a dig.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.archaeology import rules
from engines.archaeology.counts import left_in, likely_left, numbered
from engines.archaeology.differences import differences
from engines.archaeology.evidence import gather
from engines.archaeology.explain import digging, explain, learn
from engines.archaeology.facts import cleared
from engines.archaeology.moves import Cards, Dig, Draw, Drawn, End, Tent, Trade
from engines.archaeology.notation import title, told_apart
from engines.archaeology.state import PILE, ArchaeologyState
from engines.archaeology.turns import acting
from engines.archaeology.zones import (
    BACK,
    DISCARD,
    FACE_UP,
    FOUND,
    REST,
    RUINS,
    SITE,
    STRIP,
    TENT,
    chamber,
    layout,
    markets,
    museum,
    room,
    sold,
    tent,
)
from engines.game import Explanation, IllegalMove, Move, Reveal, Step, WrongReveal
from engines.table import Piece, Table, Zone

__all__ = [
    "NAMELESS",
    "TRACELESS",
    "differences",
    "expected",
    "explain",
    "idle",
    "layout",
    "remark",
    "reveals",
]

TRACELESS = (Dig, Draw, End, Tent)
"""Moves that nobody sees by themselves; a tent that is used is one of them, and is seen because it is gone."""

TWO_LINES = 40
"""Letters for which the display has room below a move."""

NAMELESS = (Trade,)
"""Moves that the table shows without showing whose they are."""


def expected(state: ArchaeologyState) -> Table:
    """What the table must show in this state, as far as it is known: each row from its left end on, what lies on top of each pile."""
    zones = {zone.name: zone for zone in layout(state.players, dict(state.options)).zones}
    pieces = [
        _piece(card, zones[name], at) for name, cards in _lying(state, zones) for at, card in enumerate(cards)
    ]
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


def _lying(state: ArchaeologyState, zones: dict[str, Zone]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """By zone: the cards in it."""
    left = state.market
    for name in markets(state.players):
        fits = room(zones[name])
        yield name, left[:fits]
        left = left[fits:]
    for seat, all_sold in enumerate(state.sold):
        at = state.piled[seat]
        yield sold(seat), tuple(face for face, count in all_sold[at:] for _ in range(count))
        yield museum(seat), (all_sold[at - 1][0],) if at else ()
        yield tent(seat), (TENT,) if state.tents[seat] else ()
    yield DISCARD, state.discards
    yield SITE, (BACK,) if likely_left(state) else ()
    if state.monument == RUINS:
        yield REST, (BACK,) if state.hidden.size(PILE) else ()
    if state.monument in FACE_UP:
        yield FOUND, (*state.drawn, *state.laid)
    for number in numbered(state):
        if state.monument == RUINS:
            yield chamber(number), state.chambers[number - 1]
        else:
            yield chamber(number), (BACK,) if left_in(state, number) else ()


def _piece(card: str, zone: Zone, at: int) -> Piece:
    kind = zone.kinds[0]
    x, y = zone.x + zone.width / 2, zone.y + zone.height / 2
    if zone.form == "row":
        across = zone.width >= zone.height
        x = zone.x + 33.5 + STRIP * at if across else x
        y = y if across else zone.y + 46.0 + STRIP * at
    return Piece((card,), kind, zone.name, x, y)


def reveals(state: ArchaeologyState, table: Table) -> tuple[Reveal, ...]:
    """Facts the table shows that the state does not know yet: the set-up, cards drawn from a monument, what was put away."""
    state, found = learn(state, table)
    facts = [fact for fact in found if isinstance(fact, Reveal)]
    for fact in cleared(gather(state, table)):
        try:
            state = rules.apply(state, fact)
        except WrongReveal:
            continue
        facts.append(fact)
    return tuple(facts)


def idle(state: ArchaeologyState) -> Explanation | None:
    """What CONFIRM on an unchanged table means: a treasure was dug and the turn is over, or the turn is over, or the tent stays."""
    seat = acting(state)
    if state.stage == "tents":
        return Explanation((Tent(seat, False),), waiting="tent kept")
    if state.stage not in ("dig", "act"):
        return None
    dug: tuple[Step, ...] | None = digging(state, False)
    if dug is None:
        return None
    after = state
    try:
        for step in (*dug, End(seat)):
            after = rules.apply(after, step)
    except (IllegalMove, WrongReveal):
        return None
    return Explanation((*dug, End(seat)), waiting="dug, done" if dug else "turn over")


def remark(steps: Sequence[Step], names: Sequence[str]) -> str:
    """What a proposal says beside its move: what was dug or drawn, whose turn is taken to be over, or which cards are meant."""
    last = steps[-1] if steps else None
    if isinstance(last, Drawn) and last.kind != "treasure":
        return f"It is a {last.kind.capitalize()}"
    if isinstance(last, Cards) and len(last.treasures) == 1:
        return f"It is: {title(last.treasures[0])}"
    moves = [step for step in steps if isinstance(step, Move)]
    ended = [names[step.player] for step in moves[:-1] if isinstance(step, End)]
    cards = told_apart(moves[-1]) if moves else ""
    after = f"after {ended[-1]}" if ended else ""
    both = ": ".join(text for text in (after, cards) if text)
    return both if len(both) <= TWO_LINES else after or cards
