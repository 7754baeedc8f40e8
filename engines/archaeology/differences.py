"""What on a table of Archaeology is not as the state says, in words that fit the display, and how to put it right."""

from __future__ import annotations

from collections.abc import Iterator

from engines.archaeology.counts import left_in, numbered
from engines.archaeology.evidence import Evidence, Spread, gather
from engines.archaeology.notation import title
from engines.archaeology.numbers import MAP
from engines.archaeology.state import MARKET, ORDER, ArchaeologyState
from engines.archaeology.zones import BACK, REST, RUINS, SANDSTORM, THIEF
from engines.game import Difference
from engines.table import Table

WHERE = {THIEF: "discards", SANDSTORM: "discards"}
"""Where a card belongs that is no treasure."""


def differences(state: ArchaeologyState, table: Table) -> tuple[Difference, ...]:
    """Everything on the table that is not as the state says, each with its remedy; empty when they agree. Both fit two lines of 21
    characters. Before the marketplace was shown: what is missing for the start."""
    evidence = gather(state, table)
    if state.stage in ("market", "chambers"):
        return tuple(_setup(state, evidence, table))
    return tuple(_play(state, evidence))


def _setup(state: ArchaeologyState, evidence: Evidence, table: Table) -> Iterator[Difference]:
    if state.stage == "market":
        wanted = state.hidden.size(MARKET)
        cards, odd = evidence.market.came, evidence.market.unread
        if odd or len(cards) != wanted or not all(card in ORDER for card in cards):
            yield Difference(
                f"Market: {len(cards)} cards read, {wanted} needed", "Lay them so that each shows"
            )
    if state.monument == RUINS:
        for number in numbered(state):
            spread = evidence.chambers[number - 1]
            wanted = state.numbers.chambers[RUINS][number - 1]
            if spread.unread or len(spread.came) != wanted or BACK in spread.came:
                yield Difference(f"Chamber {number}: lay {wanted} card there", "Face up, all in view")
        if state.numbers.pile and REST not in table.unread and not table.within(REST):
            yield Difference("Ruins pile not seen", "Lay it there, face down")
    for number in evidence.emptied:
        yield Difference(f"Chamber {number} not seen", f"Lay {left_in(state, number)} cards, face down")
    for seat in evidence.tents:
        yield Difference(f"Tent not seen: player-{seat + 1}", "Lay one there, face up")
    if evidence.bare:
        yield Difference("Dig site not seen", "Lay the deck there, face down")
    for where, spread in _open(evidence):
        if spread.came or spread.unread:
            yield Difference(f"{where.capitalize()}: not empty", "Nothing lies there at the start")


def _open(evidence: Evidence) -> Iterator[tuple[str, Spread]]:
    """The places beside the marketplace where cards lie open, as they are called."""
    for seat, spread in enumerate(evidence.sold, start=1):
        yield f"sold {seat}", spread
    yield "discards", evidence.discards
    yield "drawn cards", evidence.found


def _play(state: ArchaeologyState, evidence: Evidence) -> Iterator[Difference]:
    places = [("market", evidence.market), *_open(evidence)]
    if state.monument == RUINS:
        places += [(f"chamber {number}", evidence.chambers[number - 1]) for number in numbered(state)]
    astray = [(card, where) for where, spread in places for card in spread.came]
    for where, spread in places:
        yield from _place(where, spread, astray, places)
    for number in evidence.emptied:
        yield Difference(f"Chamber {number} not seen", "Lay its cards there, or say the move")
    for number in evidence.filled:
        yield Difference(f"Chamber {number} is empty", "Take the card away")
    for seat in evidence.tents:
        yield Difference(f"Tent not seen: player-{seat + 1}", "Lay it there, face up")
    for seat in evidence.returned:
        yield Difference(f"player-{seat + 1} has used the tent", "Take it off the table")


def _place(
    where: str, spread: Spread, astray: list[tuple[str, str]], places: list[tuple[str, Spread]]
) -> Iterator[Difference]:
    lost = {card: other for other, one in places if other != where for card in one.gone}
    for card in dict.fromkeys(spread.came):
        if card == BACK:
            yield Difference(f"Face-down card: {where}", "Turn it face up")
        elif card in lost:
            yield Difference(f"{title(card)} lies in: {where}", f"Its place: {lost[card]}")
        elif card in WHERE and where != "discards":
            yield Difference(f"{title(card)} lies in: {where}", f"Its place: {WHERE[card]}")
        elif where == "discards" and card in ORDER and card != MAP:
            yield Difference(f"{title(card)} lies in: {where}", "No treasure lies there")
        else:
            yield Difference(f"{title(card)} is new: {where}", "Take it back, or say the move")
    for card in dict.fromkeys(spread.gone):
        if not any(other == card and place != where for other, place in astray):
            yield Difference(f"{title(card)} not seen: {where}", "Lay it so that its strip shows")
    if spread.unread:
        yield Difference(f"Unread card: {where}", "Lay it flat, mind the light")
