"""The variant for one player: buy hieroglyphs, form the names of gods, be worth more than was paid (N1-N9, Y43-Y50)."""

from __future__ import annotations

from dataclasses import replace

from engines.game import Move
from engines.papyrus.moves import Buy, Form, Stop
from engines.papyrus.piles import draw_gods, draw_tiles, tiles_left
from engines.papyrus.state import BOX, HANDS, PILE, Cause, PapyrusState
from engines.papyrus.winning import conquered, form_cause, formable

MOVES = (Buy, Form, Stop)


def cause(state: PapyrusState, move: Move) -> Cause | None:
    """Why the move is not allowed to somebody who plays alone."""
    match move:
        case Buy():
            if not tiles_left(state):
                return "N3", "bag", {}
            if not state.cards.size(PILE) and "solo_cards=once" in state.options:
                return "Y45", "out", {}
            return None
        case Form():
            return form_cause(state, move)
        case Stop():
            return None
    return "Y49", "unused", {}


def played(state: PapyrusState, move: Move) -> PapyrusState:
    """The state after a move that is allowed."""
    match move:
        case Buy():
            cards = state.cards
            if not cards.size(PILE):
                cards = cards.move(BOX, PILE, cards.size(BOX))
            bought = replace(state, cards=cards.move(PILE, BOX), paid=state.paid + 1)
            return draw_tiles(bought, 0, 1)
        case Form(god=god, card=card):
            state = conquered(state, 0, state.numbers.gods[god])
            state = draw_gods(state, 0, 1) if card else state
            return state if state.gods.size(HANDS[0]) else replace(state, stage="over")
    return replace(state, stage="over", stopped=True)


def legal_moves(state: PapyrusState) -> tuple[Move, ...]:
    """Buy, every name that may be formed, and giving up."""
    moves: list[Move] = [] if cause(state, buy := Buy(0)) else [buy]
    for god in formable(state, 0):
        moves += [Form(0, god.id), *([Form(0, god.id, card=False)] if state.gods.size(PILE) else ())]
    return (*moves, Stop(0))
