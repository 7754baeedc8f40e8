"""How turns follow each other, and how the game ends (T2, E1-E3, Y37-Y40, Y53)."""

from __future__ import annotations

from dataclasses import replace

from engines.papyrus.state import HANDS, PILE, PapyrusState


def last_card(state: PapyrusState, seat: int) -> PapyrusState:
    """After a god was won: the final round begins when that was the winner's last card and the deck is empty (E1, Y37)."""
    if state.final is not None or state.gods.size(PILE) or state.gods.size(HANDS[seat]):
        return state
    players = len(state.seats)
    order = tuple((state.to_move + step) % players for step in range(1, players + 1))
    return replace(state, final=tuple(other for other in order if other != seat))


def _idle(state: PapyrusState) -> bool:
    """Nobody holds a god card any more, so nobody can win anything (Y56)."""
    return not any(state.gods.size(hand) for hand in HANDS[: len(state.seats)])


def ended(state: PapyrusState) -> PapyrusState:
    """The turn is over and passes on; turns to be missed are missed, in the final round they count as taken (Y53)."""
    seats, turn = list(state.seats), state.to_move
    final = state.final
    if final is None and _idle(state):
        return replace(state, stage="over", pending=())
    while True:
        if final is None:
            turn = (turn + 1) % len(seats)
        elif final:
            turn, final = final[0], final[1:]
        else:
            return replace(state, seats=tuple(seats), stage="over", final=final, pending=())
        if not seats[turn].skips:
            return replace(state, seats=tuple(seats), stage="turn", to_move=turn, final=final, pending=())
        seats[turn] = replace(seats[turn], skips=seats[turn].skips - 1)
