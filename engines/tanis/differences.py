"""What on the table is not as the state says, in words that fit the display, and how to put it right."""

from __future__ import annotations

from collections import Counter

from engines.game import Difference
from engines.table import Piece, Table
from engines.tanis.evidence import Evidence, Place, gather
from engines.tanis.expect import cards_left, dig_pieces, is_setup
from engines.tanis.state import DigTile, TanisState
from engines.tanis.zones import COLOURS, DIG, PILE_ZONES, cell_text

PILE_NAMES = (f"{COLOURS[0]}'s tiles", f"{COLOURS[1]}'s tiles", "removed tiles")
TOP_LAYER = 10
LINES, LETTERS = 2, 21
"""What the display has room for."""

_DIG_TEXTS: dict[Place, tuple[str, str]] = {
    "slid": ("{tile} lies elsewhere in the dig", "Put it back to {cells}"),
    "covered": ("{tile} is covered", "Uncover it: {cells}"),
    "gone": ("{tile} is not in the dig", "Put it back to {cells}"),
    "bare": ("{tile} is not in the dig", "Put it back to {cells}"),
    "unseen": ("{tile} not seen at {cells}", "Is it there? Flatten it, mind the light"),
    "doubtful": ("{tile} reads as another", "Look at {cells}: is it {tile}?"),
}


def tile_name(tile: str) -> str:
    """A tile for people: "Falcon 7"."""
    sign, _, number = tile.partition("-")
    return f"{sign.capitalize()} {number}"


def differences(state: TanisState, table: Table) -> tuple[Difference, ...]:
    """Everything on the table that is not as the state says, each with its remedy; empty when they agree.

    Both texts of a difference fit two lines of 21 characters. In the set-up (nothing revealed yet): what is missing for the start.
    Zones that were not read say nothing.
    """
    evidence = gather(state, table)
    if is_setup(state):
        return (*_setup_dig(table), *_setup_piles(table), *_cards(state, evidence, setup=True))
    return (
        *_strays(state, evidence),
        *_arrivals(state, evidence),
        *_dig(evidence),
        *_missing(evidence),
        *_cards(state, evidence, setup=False),
    )


def _setup_dig(table: Table) -> list[Difference]:
    if DIG in table.unread:
        return [Difference("Dig: cannot be read", "Clear the view of the dig box")]
    whole = [piece for piece in dig_pieces(table) if piece.identity and all(piece.seen)]
    names = Counter(piece.identity for piece in whole)
    found: list[Difference] = []
    for name, times in sorted(names.items(), key=str):
        if times > 1 and name:
            found.append(
                Difference(f"{tile_name(name)} seen {times} times", "Mind the light, or show the faces anew")
            )
    readable = len(names)
    if readable < TOP_LAYER:
        text = f"Dig: {readable} of {TOP_LAYER} tiles readable"
        found.append(Difference(text, "Fill the dig, tiles flat and face up"))
    return found


def _setup_piles(table: Table) -> list[Difference]:
    found: list[Difference] = []
    for name, zone in zip(PILE_NAMES, PILE_ZONES, strict=True):
        pieces = [piece for piece in table.within(zone) if piece.kind == "tile"]
        if pieces:
            what = tile_name(pieces[0].identity) if pieces[0].identity else "A tile"
            found.append(Difference(f"{what}: {name}", "All tiles go into the dig"))
    return found


def _strays(state: TanisState, evidence: Evidence) -> list[Difference]:
    return [
        Difference(f"{tile_name(tile)} lies in {PILE_NAMES[there]}", f"Move it to {PILE_NAMES[home]}")
        for tile, home, there in evidence.strayed
    ] + [
        Difference(f"{tile_name(tile)} is still in the dig", f"Lay it in {_home(state, tile)}, or take back")
        for tile in evidence.back
    ]


def _home(state: TanisState, tile: str) -> str:
    """Where a tile that left the dig belongs, as players call it."""
    piles = (*state.collected, state.removed)
    return next(name for name, pile in zip(PILE_NAMES, piles, strict=True) if tile in pile)


def _arrivals(state: TanisState, evidence: Evidence) -> list[Difference]:
    lay = {tile.tile: tile for tile in state.dig}
    found: list[Difference] = []
    for arrival in evidence.arrivals:
        name = arrival.options[0] if len(arrival.options) == 1 or arrival.sure else None
        tile = lay.get(name) if name else None
        remedy = f"Put it back to {_cells(tile)}" if tile else "Put it back into the dig"
        what = tile_name(name) if name else "A tile"
        found.append(Difference(f"{what} is new in {PILE_NAMES[arrival.pile]}", remedy))
    for pile in evidence.riddles:
        found.append(
            Difference(f"Unread tile: {PILE_NAMES[pile]}", "Lay it flat, face up, or mind the light")
        )
    return found


def _dig(evidence: Evidence) -> list[Difference]:
    arrived = {option for arrival in evidence.arrivals for option in arrival.options}
    found: list[Difference] = []
    for tile, place in evidence.places:
        if place in ("here", "turned", "vague") or tile.tile in arrived:
            continue
        text, remedy = _DIG_TEXTS[place]
        words = {"tile": _dig_name(tile), "cells": _cells(tile)}
        found.append(Difference(text.format(**words), remedy.format(**words)))
    return found


def _missing(evidence: Evidence) -> list[Difference]:
    return [
        Difference(
            f"{tile_name(tile)} not seen: {PILE_NAMES[pile]}", "Lay it there, flat and clear of others"
        )
        for tile, pile in evidence.missing
        if tile not in evidence.back
    ]


def _cards(state: TanisState, evidence: Evidence, *, setup: bool) -> list[Difference]:
    found: list[Difference] = []
    for seat, colour in enumerate(COLOURS):
        for card, copies in Counter(evidence.cards_away[seat]).items():
            text = f"{colour}: {copies} {card.capitalize()}"
            it, its = ("it", "its zone") if copies == 1 else ("them", "the zone")
            remedy = f"Lay {it} in {its}, face up" if setup else f"Lay {it} back to the cards"
            found.append(Difference(f"{text} missing", remedy))
        for card, copies in Counter(evidence.cards_extra[seat]).items():
            had = cards_left(state.cards[seat])[card]
            remedy = "Only the set of six takes part" if setup else "Put it away, into the box"
            found.append(Difference(f"{colour}: {had + copies} {card.capitalize()} not {had}", remedy))
    return found


def _cells(tile: DigTile) -> str:
    return "-".join(sorted(cell_text(cell) for cell in tile.cells))


def _dig_name(tile: DigTile) -> str:
    if tile.tile:
        return tile_name(tile.tile)
    return f"The {tile.number}" if tile.number else f"The {(tile.sign or 'tile').capitalize()}"


def reads(piece: Piece) -> str:
    """What a piece was read as, for people."""
    return tile_name(piece.identity) if piece.identity else "an unknown tile"
