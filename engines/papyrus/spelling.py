"""Swaps as the menu tells them: the hieroglyph that is paid, then what is taken for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engines import spelling as cardwise
from engines.game import Move
from engines.papyrus import rules
from engines.papyrus.moves import Swap
from engines.papyrus.piles import tiles_left
from engines.papyrus.state import HANDS, PapyrusState
from engines.spelling import Told, Words

MOVES: tuple[type[Move], ...] = (Swap,)
START = ("swaps",)
FROM_BAG = "from bag"


def spelled(state: PapyrusState, path: Words, names: Sequence[str] = ()) -> list[Told]:
    """What the menu below ``path`` says of swaps."""
    if state.stage != "turn" or state.alone:
        return []
    hand, row = HANDS[state.to_move], sorted(set(state.row))

    def following(told: tuple[str, ...]) -> Iterator[tuple[str, Words]]:
        if not told:
            for letter in state.numbers.letters:
                if state.hieroglyphs.possible(hand, (letter,)):
                    yield letter, (letter,)
        elif len(told) == 1:
            if tiles_left(state):
                yield FROM_BAG, (FROM_BAG,)
            for letter in row:
                yield letter, (f"for {letter}",)

    def made(told: tuple[str, ...]) -> Swap | None:
        if len(told) < 2:
            return None
        move = Swap(state.to_move, told[0], None if told[1] == FROM_BAG else told[1])
        return None if rules.refusal(state, move) else move

    return cardwise.spelled(path, START, following, made)


def spelling(move: Move) -> Words:
    """The words by which the menu tells a swap."""
    assert isinstance(move, Swap)
    return (*START, move.pay, FROM_BAG if move.take is None else f"for {move.take}")
