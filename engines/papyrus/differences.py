"""What on a table of Papyrus is not as the state says, in words that fit the display, and how to put it right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines.game import Difference
from engines.papyrus.evidence import Evidence, Spread, gather
from engines.papyrus.notation import title
from engines.papyrus.state import HANDS, PILE, PapyrusState
from engines.papyrus.zones import (
    BACK,
    COLOURS,
    DECK,
    EVENT_BACK,
    EVENTS,
    GOD_BACK,
    GODS,
)
from engines.table import Table

WHERE = ("played cards", "events", "god and name")
"""Where things lie open until they are put away, by ``SPREADS``."""
BACKS = (BACK, GOD_BACK, EVENT_BACK)


def differences(state: PapyrusState, table: Table) -> tuple[Difference, ...]:
    """Everything on the table that is not as the state says, each with its remedy; empty when they agree. Both fit two lines of 21
    characters. Before the first move: also which deck is missing."""
    evidence = gather(state, table)
    return (*_decks(state, table), *_figures(state, evidence), *_pieces(state, evidence))


def _begins(state: PapyrusState) -> bool:
    """Whether nothing has happened yet."""
    hands = HANDS[: len(state.seats)]
    moved = state.discards or state.row or state.heap or state.shown or state.stage != "turn"
    cards = {state.cards.size(hand) for hand in hands}
    paid = any(mine.paid or mine.won for mine in state.seats)
    return not (moved or paid or len(cards) > 1) and state.to_move == state.first


def _decks(state: PapyrusState, table: Table) -> Iterator[Difference]:
    if not _begins(state):
        return
    for zone, back, there, name in (
        (DECK, BACK, state.cards.size(PILE), "Movement deck"),
        (GODS, GOD_BACK, state.gods.size(PILE), "God deck"),
        (EVENTS, EVENT_BACK, 0 if state.alone else 1, "Event deck"),
    ):
        if zone in table.unread or not there:
            continue
        lying = [piece.identity for piece in table.within(zone)]
        if not lying:
            yield Difference(f"{name} not seen", "Lay it there, face down")
        elif back not in lying and any(lying):
            yield Difference(f"{name} lies face up", "Turn it face down")


def _colour(seat: int) -> str:
    return COLOURS[seat].capitalize()


def _figures(state: PapyrusState, evidence: Evidence) -> Iterator[Difference]:
    for seat in evidence.lost:
        yield Difference(f"{_colour(seat)} pawn not seen", _to(state, seat))
    for seat in evidence.beside:
        yield Difference(f"{_colour(seat)} pawn stands on no place", "Set it into its square")
    for seat, place in evidence.moved:
        yield Difference(f"{_colour(seat)} pawn is on {_place(place)}", _to(state, seat))
    for seat in evidence.owed:
        yield Difference(f"{_colour(seat)} pawn: the event moves it", _to(state, seat))
    for seat, place in evidence.built:
        where = _place(place) if place else "no place"
        yield Difference(f"{_colour(seat)} pyramid on {where}", "Take it away, or say what was won")
    for seat, place in evidence.missing:
        yield Difference(f"{_colour(seat)} pyramid not seen", f"Set one on {_place(place)}")
    if evidence.strange:
        yield Difference("A figure cannot be told", "Set it on its place, clear of others")


def _to(state: PapyrusState, seat: int) -> str:
    return f"Set it on {_place(state.seats[seat].place)}"


def _place(place: str) -> str:
    """A place in at most 20 letters: event squares on a path are told by the places beside them, as in a proposal."""
    told = title(place.removeprefix("event-") if place.count("-") > 1 else place)
    return told if len(told) <= 20 else f"{told[:19]}."


def _pieces(state: PapyrusState, evidence: Evidence) -> Iterator[Difference]:
    spreads = (evidence.played, evidence.shown, evidence.formed)
    for where, spread in zip(WHERE, spreads, strict=True):
        yield from _spread(where, spread)
    if evidence.taken and not evidence.paid:
        yield Difference(f"{_signs(evidence.taken)} gone: open signs", "Lay the sign you pay, or these back")
    elif evidence.taken:
        yield Difference(f"{_signs(evidence.taken)} gone: open signs", "Lay back what was not taken")
    for letter in evidence.paid:
        yield Difference(f"{letter} is new: open signs", "Take it back, or say the move")
    if evidence.unread:
        yield Difference("Unread piece: open signs", "Lay it flat, mind the light")
    for seat, more in enumerate(evidence.scarabs):
        if more:
            what = f"{abs(more)} too {'many' if more > 0 else 'few'}"
            there = state.seats[seat].scarabs
            scarabs = "1 scarab belongs" if there == 1 else f"{there} scarabs belong"
            yield Difference(f"Scroll {seat + 1}: {what}", f"{scarabs} there")


def _signs(letters: Sequence[str]) -> str:
    """Some hieroglyphs, four at most."""
    return ", ".join(letters[:4]) + (" ..." if len(letters) > 4 else "")


def _spread(where: str, spread: Spread) -> Iterator[Difference]:
    for name in spread.came:
        if name in BACKS:
            yield Difference(f"Face-down card: {where}", "Turn it face up")
        else:
            told = name.replace("-", " ").capitalize() if where == WHERE[1] else _place(name)
            yield Difference(f"{told} is new: {where}"[:42], "Take it back, or say the move")
    if spread.unread:
        yield Difference(f"Unread piece: {where}", "Does it belong there? Lay it flat")
