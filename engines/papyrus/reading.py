"""From tables to moves: what a table of Papyrus must show, what it shows anew, and which moves explain a change.

What leaves no trace, and how it is said:

- two movement cards drawn (alone: a hieroglyph bought): CONFIRM on the unchanged table;
- a god not won on arriving: CONFIRM on the unchanged table, or nothing at all: whatever the next player does says it;
- from whom an event card takes, or with whom it exchanges: a list of the others; with one other CONFIRM;
- an event that may move the pawn, and leaves it where it stands: CONFIRM;
- passing, giving up, a god or hieroglyphs not drawn anew after a win, a hieroglyph paid for one like it that lay open: the menu;
- hands, holders, decks and the bag are counted by the moves, and corrected in the menu.

A change that only the next player can have made asks whether the one before is done: the list says "draws cards", and that it was out of turn.
Cards that were played, an event card, a god with its name lie there until somebody puts them away, and count once.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.game import Explanation, Move, Reveal
from engines.papyrus import rules
from engines.papyrus.acts import whom
from engines.papyrus.differences import differences
from engines.papyrus.evidence import conquered, keepers
from engines.papyrus.explain import explain, shown
from engines.papyrus.moves import Buy, Decline, Draw, Go
from engines.papyrus.plan import points
from engines.papyrus.scoring import on_track
from engines.papyrus.state import PILE, PapyrusState
from engines.papyrus.zones import (
    BACK,
    BOARD,
    CARD,
    COLOURS,
    DECK,
    EVENT,
    EVENT_BACK,
    EVENTS,
    GOD,
    GOD_BACK,
    GODS,
    LETTER,
    OPEN,
    PAWN,
    PYRAMID,
    SCARAB,
    TOKEN,
    Meaning,
    identities,
    layout,
    pawn,
    pyramid,
    scroll,
)
from engines.table import Layout, Piece, Table, Zone

__all__ = ["TRACELESS", "differences", "expected", "explain", "hint", "idle", "layout", "reveals"]

TRACELESS: tuple[type[Move], ...] = (Decline,)
"""Moves that are told by whatever comes after them."""


def idle(state: PapyrusState) -> Explanation | None:
    """What CONFIRM on an unchanged table means; None where it means nothing."""
    player, only = state.to_move, whom(state)
    move: Move
    match state.stage:
        case "turn":
            move, words = (Buy(player), "bought 1") if state.alone else (Draw(player), "drew 2 cards")
        case "arrived":
            move, words = Decline(player), "no god won"
        case "effect" if len(only) == 1:
            move, words = only[0], "done"
        case "effect" if state.pending[0].verb == "move":
            move, words = Go(player, state.seats[player].place), "stay there"
        case _:
            return None
    return None if rules.refusal(state, move) else Explanation((move,), waiting=words)


def hint(state: PapyrusState, table: Table) -> str:
    """A scorekeeper that does not stand on the points its player has from gods and events, in 21 letters; empty when all do."""
    board = next((zone for zone in layout_of(state).zones if zone.name == BOARD), None)
    track = sorted(at for square in board.squares if (at := points(square.name)) is not None) if board else []
    if not track:
        return ""
    for seat, stands in sorted(keepers(table).items()):
        due = on_track(state, seat)
        due = due if due <= track[-1] else track[0] + (due - track[0]) % len(track)
        if seat < len(state.seats) and stands != due and due in track:
            return f"{COLOURS[seat].capitalize()} marker: to {due}"
    return ""


def reveals(state: PapyrusState, table: Table) -> tuple[Reveal, ...]:
    """Facts the table shows that the state does not know yet."""
    return shown(state, table)


def expected(state: PapyrusState) -> Table:
    """What the table must show in this state: figures on their places, open hieroglyphs, scarabs, the backs of the decks. Pieces lie somewhere in
    their zone: each is given at its centre."""
    zones = {zone.name: zone for zone in layout_of(state).zones}
    pieces = tuple(_pieces(state, zones))
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


def layout_of(state: PapyrusState) -> Layout:
    """The table on which a state is played."""
    options = dict(one.split("=", 1) for one in state.options)
    return layout(len(state.seats), options, state.numbers.catalogue)


def _pieces(state: PapyrusState, zones: dict[str, Zone]) -> Iterator[Piece]:
    yield from _decks(state, zones)
    for seat, mine in enumerate(state.seats):
        for _ in range(mine.scarabs):
            yield _lies(TOKEN, SCARAB.name, zones[scroll(seat)])
    if state.alone:
        return
    names = identities(state.numbers)
    for letter in state.row:
        yield _lies(names[Meaning(LETTER.name, letter)], LETTER.name, zones[OPEN])
    for seat, mine in enumerate(state.seats):
        yield _stands(pawn(seat), PAWN, zones[BOARD], mine.place)
    for seat, place in conquered(state):
        yield _stands(pyramid(seat), PYRAMID, zones[BOARD], place)


def _decks(state: PapyrusState, zones: dict[str, Zone]) -> Iterator[Piece]:
    if state.cards.size(PILE):
        yield _lies(BACK, CARD.name, zones[DECK])
    if state.gods.size(PILE):
        yield _lies(GOD_BACK, GOD.name, zones[GODS])
    if not state.alone:
        yield _lies(EVENT_BACK, EVENT.name, zones[EVENTS])


def _lies(identity: str, kind: str, zone: Zone) -> Piece:
    return Piece((identity,), kind, zone.name, zone.x + zone.width / 2, zone.y + zone.height / 2)


def _stands(identity: str, kind: str, board: Zone, place: str) -> Piece:
    spot = next((square for square in board.squares if square.name == place), None)
    x, y = (spot.x, spot.y) if spot else (board.x, board.y)
    return Piece((identity,), kind, board.name, x, y, square=place)
