"""Winning gods: the pyramid, the name, and what is drawn anew (G1-G7, Y25-Y32, Y55); forming names alone (N4, N5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from engines.papyrus.moves import Form, Win
from engines.papyrus.notation import short
from engines.papyrus.numbers import God, Numbers
from engines.papyrus.piles import draw_gods, draw_tiles, spread, tiles_left, use_tiles
from engines.papyrus.state import HANDS, PILE, Cause, PapyrusState
from engines.words import counted


@lru_cache(maxsize=32)
def _at(numbers: Numbers) -> Mapping[str, tuple[God, ...]]:
    """The gods by their pyramid (Y28)."""
    found: dict[str, tuple[God, ...]] = {}
    for god in numbers.gods.values():
        found[god.pyramid] = (*found.get(god.pyramid, ()), god)
    return found


def winnable(state: PapyrusState, seat: int) -> tuple[God, ...]:
    """The gods of the pyramid the pawn stands on that the player may hold and be able to form, as far as everybody knows."""
    return tuple(
        god for god in _at(state.numbers).get(state.seats[seat].place, ()) if _may_have(state, seat, god)
    )


def formable(state: PapyrusState, seat: int) -> tuple[God, ...]:
    """All gods that the player may hold and be able to form (solo)."""
    return tuple(god for god in state.numbers.gods.values() if _may_have(state, seat, god))


def _may_have(state: PapyrusState, seat: int, god: God) -> bool:
    hand = HANDS[seat]
    return state.gods.possible(hand, (god.id,)) and state.hieroglyphs.possible(hand, god.letters)


def owner(state: PapyrusState, god: str) -> int | None:
    """The seat that has won the god, if any."""
    return next((seat for seat, those in enumerate(state.seats) if god in those.won), None)


def _owned(state: PapyrusState, seat: int, god: God) -> Cause | None:
    """Why the player cannot have the card and the name of this god."""
    hand, words = HANDS[seat], {"god": short(god.id)}
    arrived = state.stage == "arrived"  # only there is anything to decline
    if not state.gods.size(hand):
        return ("S6", "none", words) if arrived else ("S6", "yet", words)
    if not state.gods.possible(hand, (god.id,)):
        return ("Y55", "won", words) if owner(state, god.id) is not None else ("Y9", "elsewhere", words)
    size = state.hieroglyphs.size(hand)
    if size < len(god.letters):
        words |= {"n": str(len(god.letters)), "size": counted(size, "hieroglyph")}
        return ("Y51", "long", words) if arrived else ("Y51", "yet", words)
    if not state.hieroglyphs.possible(hand, god.letters):
        return ("Y26", "letters", words) if arrived else ("Y26", "yet", words)
    return None


def cause(state: PapyrusState, move: Win) -> Cause | None:
    """Why the god cannot be won where the pawn stands."""
    god = state.numbers.gods.get(move.god)
    if god is None:
        return "P4", "unknown", {"god": short(move.god)}
    words = {"god": short(god.id), "pyramid": short(god.pyramid)}
    if god.pyramid != state.seats[move.player].place:
        return "O2", "pyramid", words
    owned = _owned(state, move.player, god)
    if owned is not None:
        return owned
    if move.tiles is not None:
        if move.tiles > len(god.letters):
            return "G6", "many", {"n": str(len(god.letters))}
        after = drawable(state, god)
        if move.tiles > after:
            return "Y30", "dry", {"n": str(after)}
    return None


def drawable(state: PapyrusState, god: God) -> int:
    """How many hieroglyphs can be drawn once those of the name have been used (Y30)."""
    return tiles_left(state) + (0 if "used_hieroglyphs=out" in state.options else len(god.letters))


def form_cause(state: PapyrusState, move: Form) -> Cause | None:
    """Why the name cannot be formed (solo)."""
    god = state.numbers.gods.get(move.god)
    if god is None:
        return "P4", "unknown", {"god": short(move.god)}
    return _owned(state, move.player, god)


def over_counted(state: PapyrusState, seat: int, letters: Iterable[str]) -> str | None:
    """A letter of which more would have been seen than numbers that nobody has verified say there are."""
    if state.numbers.verified("letters"):
        return None
    shown = Counter(letters)
    seen = Counter(state.row) + Counter(state.heap) + shown
    for place in (PILE, *HANDS[: len(state.seats)]):
        if place != HANDS[seat]:
            seen.update(state.hieroglyphs.known(place))
    there = state.numbers.letters
    return next((letter for letter in shown if seen[letter] > there.get(letter, 0)), None)


def doubt(state: PapyrusState, move: Win | Form) -> Cause | None:
    """Why to ask before the god is won: it was won already, or letters beyond their number, by numbers nobody has verified."""
    words = {"god": short(move.god)}
    if owner(state, move.god) is not None:
        return "Y55", "again", words
    letter = over_counted(state, move.player, state.numbers.gods[move.god].letters)
    return None if letter is None else ("P6", "beyond", {"letter": letter})


def conquered(state: PapyrusState, seat: int, god: God) -> PapyrusState:
    """The god has been won: card and hieroglyphs leave the hand, a scarab is laid down (G2-G5). Nothing has been drawn yet."""
    state = use_tiles(replace(state, gods=state.gods.show(HANDS[seat], (god.id,))), seat, god.letters)
    state = spread(state, "name", (god.id, *god.letters))
    mine = state.seats[seat]
    return state.seated(seat, replace(mine, won=(*mine.won, god.id), scarabs=mine.scarabs + 1))


def won(state: PapyrusState, move: Win) -> PapyrusState:
    """The god has been won and everything drawn that the player wanted (G4, G6, Y31)."""
    god = state.numbers.gods[move.god]
    state = conquered(state, move.player, god)
    state = draw_tiles(state, move.player, len(god.letters) if move.tiles is None else move.tiles)
    return draw_gods(state, move.player, 1) if move.card else state
