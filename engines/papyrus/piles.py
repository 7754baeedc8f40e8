"""Drawing and laying down: movement cards, hieroglyphs and god cards between the piles, the hands and the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engines.papyrus.moves import SPREADS, Spread, ordered
from engines.papyrus.state import HANDS, PILE, PapyrusState

MOST_LYING = 30
"""More pieces than this are not waited for in one place: nobody looks at the table, or somebody has put them away long since."""


def cards_left(state: PapyrusState) -> int:
    """Movement cards that can still be drawn (Y13)."""
    return state.cards.size(PILE) + len(state.discards)


def tiles_left(state: PapyrusState) -> int:
    """Hieroglyphs that can still be drawn from the bag (Y30)."""
    again = 0 if "used_hieroglyphs=out" in state.options else len(state.heap)
    return state.hieroglyphs.size(PILE) + again


def draw_cards(state: PapyrusState, seat: int, n: int) -> PapyrusState:
    """``n`` movement cards for a seat; the discards are shuffled when the deck has run out, and what is left is drawn (Y13)."""
    cards, discards = state.cards, state.discards
    now = min(n, cards.size(PILE))
    cards = cards.move(PILE, HANDS[seat], now)
    rest = min(n - now, len(discards))
    if rest:
        cards = cards.stock(PILE, "discards", discards).move(PILE, HANDS[seat], rest)
        discards = ()
    return replace(state, cards=cards, discards=discards)


def draw_tiles(state: PapyrusState, seat: int, n: int) -> PapyrusState:
    """``n`` hieroglyphs from the bag for a seat; the used ones go back when the bag has run dry, what is left is drawn (Y30)."""
    tiles, heap = state.hieroglyphs, state.heap
    now = min(n, tiles.size(PILE))
    tiles = tiles.move(PILE, HANDS[seat], now)
    rest = min(n, tiles_left(state)) - now
    if rest:
        tiles = tiles.stock(PILE, "used", heap).move(PILE, HANDS[seat], rest)
        heap = ()
    return replace(state, hieroglyphs=tiles, heap=heap)


def draw_gods(state: PapyrusState, seat: int, n: int) -> PapyrusState:
    """``n`` god cards for a seat, or what is left; won gods never come back (Y55)."""
    return replace(state, gods=state.gods.move(PILE, HANDS[seat], min(n, state.gods.size(PILE))))


def use_tiles(state: PapyrusState, seat: int, letters: Iterable[str]) -> PapyrusState:
    """A name has been formed: its hieroglyphs leave the holder (G5), aside or back into the bag (Y30)."""
    letters = tuple(letters)
    tiles = state.hieroglyphs.show(HANDS[seat], letters)
    if "used_hieroglyphs=bag" in state.options:
        return replace(state, hieroglyphs=tiles.stock(PILE, "used", letters))
    return replace(state, hieroglyphs=tiles, heap=ordered((*state.heap, *letters)))


def discard(state: PapyrusState, seat: int, faces: Iterable[str]) -> PapyrusState:
    """Movement cards go face up from the hand to the discards (Y14)."""
    faces = tuple(faces)
    state = replace(
        state, cards=state.cards.show(HANDS[seat], faces), discards=ordered((*state.discards, *faces))
    )
    return spread(state, "played", faces)


def spread(state: PapyrusState, place: Spread, pieces: Iterable[str]) -> PapyrusState:
    """The pieces lie open there until they are put away."""
    at = SPREADS.index(place)
    lying = (*state.lying[at], *pieces)[-MOST_LYING:]
    return replace(state, lying=(*state.lying[:at], lying, *state.lying[at + 1 :]))


def cleared(state: PapyrusState, place: Spread) -> PapyrusState:
    """What lay there has been put away."""
    at = SPREADS.index(place)
    return replace(state, lying=(*state.lying[:at], (), *state.lying[at + 1 :]))


def lay_open(state: PapyrusState, seat: int, letters: Iterable[str]) -> PapyrusState:
    """Hieroglyphs go from the holder to those that lie open by the bag (H1)."""
    letters = tuple(letters)
    return replace(
        state,
        hieroglyphs=state.hieroglyphs.show(HANDS[seat], letters),
        row=ordered((*state.row, *letters)),
    )


def take_open(state: PapyrusState, seat: int, letters: Iterable[str]) -> PapyrusState:
    """Open hieroglyphs go into the holder (H2)."""
    letters = tuple(letters)
    row = list(state.row)
    for letter in letters:
        row.remove(letter)
    return replace(state, hieroglyphs=state.hieroglyphs.put(HANDS[seat], letters), row=tuple(row))
