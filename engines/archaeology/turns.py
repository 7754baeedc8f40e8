"""Whose turn it is, and what happens where nobody can know whether a dig is due (A8, A42)."""

from __future__ import annotations

from dataclasses import replace

from engines.archaeology.counts import from_left, maybe_left, surely_left
from engines.archaeology.moves import Dig
from engines.archaeology.state import ArchaeologyState
from engines.game import Move


def begin(state: ArchaeologyState, seat: int) -> ArchaeologyState:
    """The turn of a player: a dig while a card may be left (D1, A8)."""
    return replace(
        state,
        turn=seat,
        stage="dig" if maybe_left(state) else "act",
        dug=False,
        explored=False,
        sold_now=False,
    )


def acting(state: ArchaeologyState) -> int:
    """The seat that has to do something now."""
    return state.queue[0] if state.stage in ("tents", "lose") else state.turn


def may_skip_dig(state: ArchaeologyState) -> bool:
    """Whether the player may go on without a dig: only unverified counts say that a card is left (A8)."""
    return state.stage == "dig" and not surely_left(state)


def only_ends(state: ArchaeologyState) -> bool:
    """Whether who goes on without a dig can do no more than end: the game ends with the dig site (an option), and nothing was
    dug in this turn; after a sandstorm the turn goes on (A13)."""
    return state.option("game_end") == "dig" and not state.dug


def passed_over(state: ArchaeologyState) -> ArchaeologyState | None:
    """Where the player may go on without a dig and holds no cards, the dig site may be empty and the turn with the next who
    holds some (A42): the state if so. None where the turn is as it stands."""
    if state.dug or not may_skip_dig(state) or state.held(state.turn) or only_ends(state):
        return None
    heir = next((seat for seat in from_left(state) if state.held(seat)), None)
    return None if heir is None else begin(replace(state, exhausted=True), heir)


def judged_in(state: ArchaeologyState, move: Move) -> ArchaeologyState:
    """The state in which a move is judged: as it stands, or with the turn passed on to who makes it (A42)."""
    if state.stage != "dig" or move.player == state.turn or isinstance(move, Dig):
        return state
    after = passed_over(state)
    return after if after is not None and after.turn == move.player else state
