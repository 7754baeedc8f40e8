"""What stands on the display beside a proposal: which cards are meant, and that it is another move than the one just confirmed."""

from __future__ import annotations

from collections.abc import Sequence

from engines.game import Move, Step
from engines.referee import Match


def remark(match: Match, steps: Sequence[Step]) -> str:
    """What the game's reading says of steps that are proposed, beside the move itself; "" for nothing."""
    said = getattr(match.game.reading, "remark", None)
    return "" if said is None else str(said(steps, match.names))


def alike(match: Match, move: Move) -> int:
    """How many moves in a row read as this one does, itself and those that were confirmed last: without a word of it nobody could see that
    the press for the one before was heard."""

    def read(one: Move) -> tuple[int, tuple[str, str], str]:
        return one.player, match.game.rules.phrase(one, match.names), remark(match, (one,))

    words, number = read(move), 1
    for before in reversed(match.moves):
        if read(before) != words:
            break
        number += 1
    return number
