"""The variant for one player: buy hieroglyphs, form the names of gods, be worth more than was paid (N1-N9, Y43-Y50).

Several play it on the same decks, each by themselves, one thing a turn (N10, Y48)."""

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
    player = state.to_move
    mine = state.seats[player]
    match move:
        case Buy():
            cards = state.cards
            if not cards.size(PILE):
                cards = cards.move(BOX, PILE, cards.size(BOX))
            bought = replace(state, cards=cards.move(PILE, BOX))
            return _onward(draw_tiles(bought.seated(player, replace(mine, paid=mine.paid + 1)), player, 1))
        case Form(god=god, card=card):
            state = conquered(state, player, state.numbers.gods[god])
            return _onward(draw_gods(state, player, 1) if card else state)
    return _onward(state.seated(player, replace(mine, stopped=True)))


def _onward(state: PapyrusState) -> PapyrusState:
    """The next who has gods to form is to move; the game is over when nobody has (N6, Y50, Y56)."""
    players = len(state.seats)
    for step in range(1, players + 1):
        seat = (state.to_move + step) % players
        if state.gods.size(HANDS[seat]) and not state.seats[seat].stopped:
            return replace(state, to_move=seat)
    return replace(state, stage="over")


def legal_moves(state: PapyrusState) -> tuple[Move, ...]:
    """Buy, every name that may be formed, and giving up."""
    player = state.to_move
    moves: list[Move] = [] if cause(state, buy := Buy(player)) else [buy]
    for god in formable(state, player):
        moves.append(Form(player, god.id))
        moves.append(Form(player, god.id, card=False))
    return (*moves, Stop(player))
