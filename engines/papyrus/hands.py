"""What hands do on a table of Papyrus: for each move what is laid, taken and set, and what is put away afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engines.dealing import Act, Deed, Placed, Sweep
from engines.game import Move
from engines.papyrus.moves import FACES, Form, Gain, Go, Lose, Swap, Travel, Win
from engines.papyrus.numbers import Numbers
from engines.papyrus.state import PILE, PapyrusState
from engines.papyrus.zones import (
    BACK,
    BOARD,
    CARD,
    DECK,
    EVENT,
    EVENT_BACK,
    EVENTS,
    GOD,
    GOD_BACK,
    GODS,
    LETTER,
    NAME,
    OPEN,
    PLAYED,
    SHOWN,
    TOKEN,
    WON,
    Meaning,
    identities,
    pawn,
    pyramid,
    scroll,
)

MOST_WON = 15
"""Pyramids and scarabs that a player has at hand."""


def setup(state: PapyrusState) -> tuple[Placed, ...]:
    """Pawns on the start, decks by their backs; everything else waits in hands, holders and boxes."""
    return (*_begins(state), *_waits(state))


def _begins(state: PapyrusState) -> Iterator[Placed]:
    yield Placed(BACK, DECK)
    if state.gods.size(PILE):
        yield Placed(GOD_BACK, GODS)
    if not state.alone:
        yield Placed(EVENT_BACK, EVENTS)
        for seat, mine in enumerate(state.seats):
            yield Placed(pawn(seat), BOARD, square=mine.place)


def _waits(state: PapyrusState) -> Iterator[Placed]:
    known = state.numbers
    many: Mapping[str, Mapping[str, int]] = {
        CARD.name: known.cards,
        LETTER.name: known.letters,
        EVENT.name: {event.id: event.copies for event in known.events.values()},
        GOD.name: dict.fromkeys(known.gods, 1),
    }
    for (kind, name), identity in identities(known).items():
        for _ in range(many.get(kind, {}).get(name, 0)):
            yield Placed(identity, None)
    for seat in range(len(state.seats)):
        for _ in range(MOST_WON):
            yield Placed(TOKEN, None)
            if not state.alone:
                yield Placed(pyramid(seat), None)


def acts(state: PapyrusState, move: Move) -> tuple[Deed, ...]:
    """What the hand does for a move that is made in this state; nothing for one without a trace."""
    return tuple(_acts(state, move))


def _acts(state: PapyrusState, move: Move) -> Iterator[Deed]:
    known = state.numbers
    match move:
        case Travel(player=player, place=place, cards=cards):
            yield from lay(known, PLAYED, cards)
            yield go(player, place)
        case Go(player=player, place=place):
            if place != state.seats[player].place:
                yield go(player, place)
        case Lose(pieces=pieces):
            yield from lay(known, PLAYED if pieces and pieces[0] in FACES else OPEN, pieces)
        case Gain(pieces=letters):
            yield from take(known, letters)
        case Swap(pay=pay, take=letter):
            yield from lay(known, OPEN, (pay,))
            yield from take(known, () if letter is None else (letter,))
        case Win(player=player, god=god):
            yield from win(known, player, god, known.gods[god].pyramid)
        case Form(player=player, god=god):
            yield from win(known, player, god, None)


def go(seat: int, place: str) -> Act:
    """The pawn is set on the place."""
    return Act(pawn(seat), BOARD, BOARD, square=place)


def lay(known: Numbers, zone: str, pieces: Iterable[str]) -> Iterator[Act]:
    """Movement cards or hieroglyphs are laid open."""
    names = identities(known)
    kind = CARD.name if zone == PLAYED else LETTER.name
    for piece in pieces:
        yield Act(names[Meaning(kind, piece)], None, zone)


def take(known: Numbers, letters: Iterable[str]) -> Iterator[Act]:
    """Open hieroglyphs go into a holder."""
    for letter in letters:
        yield Act(identities(known)[Meaning(LETTER.name, letter)], OPEN, None)


def win(
    known: Numbers, seat: int, god: str, place: str | None, letters: Iterable[str] | None = None
) -> Iterator[Act]:
    """The god card, its name, a pyramid on the place (alone none), a scarab."""
    yield Act(identities(known)[Meaning(GOD.name, god)], None, WON)
    yield from lay(known, NAME, known.gods[god].letters if letters is None else letters)
    if place is not None:
        yield Act(pyramid(seat), None, BOARD, square=place)
    yield Act(TOKEN, None, scroll(seat))


def backwards(deeds: Iterable[Act]) -> tuple[Act, ...]:
    """The acts that take these back, pawns apart: what was laid goes where it came from."""
    return tuple(Act(deed.piece, deed.target, deed.source, square=deed.square) for deed in [*deeds][::-1])


def shown(before: PapyrusState, after: PapyrusState, event: str) -> Iterator[Deed]:
    """An event card is turned up and what it does by itself is done: the pawn is moved, scarabs come or go."""
    yield Act(identities(before.numbers)[Meaning(EVENT.name, event)], None, SHOWN)
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if old.place != new.place:
            yield go(seat, new.place)
        for _ in range(new.scarabs - old.scarabs):
            yield Act(TOKEN, None, scroll(seat))
        for _ in range(old.scarabs - new.scarabs):
            yield Act(TOKEN, scroll(seat), None)


def tidied(zones: Iterable[str]) -> Iterator[Deed]:
    """What lies in these zones is put away."""
    for zone in zones:
        yield Sweep(zone, None)
