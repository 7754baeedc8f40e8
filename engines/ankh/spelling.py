"""Sacrifices as the menu tells them, card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines import spelling as cardwise
from engines.ankh import knowledge, rules
from engines.ankh.cards import title
from engines.ankh.effects import UNSEEN
from engines.ankh.knowledge import hand
from engines.ankh.moves import Sacrifice
from engines.ankh.scoring import option, outcome
from engines.ankh.state import AnkhState
from engines.game import Move
from engines.spelling import Told, Words

Cards = tuple[str, ...]
MOVES: tuple[type[Move], ...] = (Sacrifice,)
START = ("sacrifices",)
FACE_DOWN = ("face", "down")


def spelled(state: AnkhState, path: Words, names: Sequence[str] = ()) -> list[Told]:
    """What the menu below ``path`` says of sacrifices."""
    if not state.papyri or outcome(state):
        return []
    player, held = state.to_move, state.hands[state.to_move]

    def may_hold(cards: Cards) -> bool:
        return knowledge.possible(state.numbers, state.hidden, hand(player), cards)

    def following(told: Cards) -> Iterator[tuple[str, Words]]:
        known = tuple(card for card in told if card != UNSEEN)
        for card in state.numbers.counts if len(told) < held else ():
            if may_hold((*known, card)):
                yield card, _words(card)
        if len(told) < held and option(state, "sacrifices") == "hidden":
            yield UNSEEN, FACE_DOWN

    def made(told: Cards) -> Sacrifice | None:
        known = tuple(sorted(card for card in told if card != UNSEEN))
        move = Sacrifice(player, known, len(told) - len(known))
        return None if rules.refusal(state, move) else move

    return cardwise.spelled(path, START, following, made)


def _words(card: str) -> Words:
    return tuple(title(card).split())


def spelling(move: Move) -> Words:
    """The words by which the menu tells a sacrifice."""
    assert isinstance(move, Sacrifice)
    return cardwise.spelling(START, (*map(_words, move.cards), *[FACE_DOWN] * move.unseen))
