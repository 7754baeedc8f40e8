"""What on an Ankh table is not as the state says, in words that fit the display, and how to put it right."""

from __future__ import annotations

from collections.abc import Iterator

from engines.ankh.cards import is_papyrus, title
from engines.ankh.effects import UNSEEN
from engines.ankh.evidence import Evidence, Spread, gather, read, settled
from engines.ankh.state import AnkhState
from engines.ankh.zones import BACK, PILE
from engines.game import Difference
from engines.table import Table


def differences(state: AnkhState, table: Table) -> tuple[Difference, ...]:
    """Everything on the table that is not as the state says, each with its remedy; empty when they agree. Both fit two lines of 21
    characters. Before the first papyrus: what is missing for the start."""
    evidence = gather(state, settled(state, table))
    if not state.papyri:
        return tuple(_setup(evidence, table))
    return tuple(_play(evidence))


def _name(card: str) -> str:
    return "A face-down card" if card in (BACK, UNSEEN) else title(card)


def _setup(evidence: Evidence, table: Table) -> Iterator[Difference]:
    if evidence.papyrus is None:
        yield Difference("No papyrus in the middle", "Lay one there, face up")
    for seat, spread in enumerate(evidence.rows, start=1):
        if spread.came or spread.unread:
            yield Difference(f"Row {seat}: not empty", "No mummy lies there at the start")
    if evidence.sacrifice.came or evidence.sacrifice.unread:
        yield Difference("Sacrifice: not empty", "Nothing lies there at the start")
    if PILE not in table.unread and not read(table, PILE):
        yield Difference("Draw pile not seen", "Lay the deck there, face down")


def _play(evidence: Evidence) -> Iterator[Difference]:
    moved = evidence.moved
    for card, source, target in moved:
        yield Difference(f"{title(card)} lies in row {target + 1}", f"Move it to row {source + 1}")
    for card in evidence.stray:
        yield Difference(f"{title(card)} lies on the papyri", "Mummies go into a row")
    if evidence.bare:
        yield Difference("No papyrus seen in the middle", "Lay it there, face up")
    for seat, spread in enumerate(evidence.rows):
        strays = [card for card, _, target in moved if target == seat]
        lost = [card for card, source, _ in moved if source == seat]
        yield from _row(f"row {seat + 1}", spread, strays, lost)
    if evidence.papyrus is not None:
        yield Difference(f"{title(evidence.papyrus)} is new on the papyri", "Take it back, or say the move")
    for card in evidence.sacrifice.came:
        yield Difference(f"{_name(card)} is new: sacrifice", "Take it back, or say the move")
    if evidence.sacrifice.unread:
        yield Difference("Unread card: sacrifice", "Fan the cards so that each shows")


def _row(where: str, spread: Spread, strays: list[str], lost: list[str]) -> Iterator[Difference]:
    for card in spread.came:
        if card in strays:
            continue
        if card == UNSEEN:
            yield Difference(f"Face-down card: {where}", "Turn it face up")
        elif is_papyrus(card):
            yield Difference(f"{title(card)} lies in {where}", "Lay it onto the papyri")
        else:
            yield Difference(f"{title(card)} is new in {where}", "Take it back, or say the move")
    for card in spread.gone:
        if card not in lost:
            yield Difference(f"{title(card)} not seen: {where}", "Lay it so that its strip shows")
    if spread.unread:
        yield Difference(f"Unread card: {where}", "Lay it flat, mind the light")
