"""How people break the rules of Ankh: what the hand does, what it means, and how it is put right.

Each maker gets the public state and the true hands, and gives None when there is no chance for its mistake. Who plays a papyrus or sacrifices
out of turn cannot be told from the player whose turn it is: such mistakes no table shows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engines.ankh.cards import is_papyrus, wishes
from engines.ankh.moves import Play
from engines.ankh.state import AnkhState
from engines.ankh.zones import PAPYRI, row
from engines.dealing import Act, Intent
from engines.game import Move

Hands = Sequence[Sequence[str]]
Maker = Callable[[AnkhState, Hands, random.Random], Intent | None]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A way to break a rule, and the rule that the referee names for it."""

    kind: str
    rule: str
    make: Maker


def put(player: int, card: str) -> Act:
    """The card goes from the hand to where it is played."""
    return Act(card, None, PAPYRI if is_papyrus(card) else row(player))


def _mummies(hand: Sequence[str]) -> list[str]:
    return sorted({card for card in hand if not is_papyrus(card)})


def _wrong(player: int, acts: tuple[Act, ...], moves: tuple[Move, ...]) -> Intent:
    """The last act is the wrong one: undone, its card is in the hand again."""
    last = acts[-1]
    return Intent(player, ((acts, moves),), "G4", True, (Act(last.piece, last.target, last.source),))


def plays_out_of_turn(state: AnkhState, hands: Hands, rng: random.Random) -> Intent | None:
    """Somebody whose turn it is not lays a mummy into the own row."""
    seat = rng.choice([one for one in range(len(hands)) if one != state.to_move])
    cards = _mummies(hands[seat])
    if not cards:
        return None
    card = rng.choice(cards)
    return _wrong(seat, (put(seat, card),), (Play(seat, card),))


def plays_two(state: AnkhState, hands: Hands, rng: random.Random) -> Intent | None:
    """A player lays two mummies in one turn. The first may bring no scoring: that would be counted before anything else."""
    seat = state.to_move
    cards = _mummies(hands[seat])
    if len(cards) < 2 or len(state.rows[seat]) + 1 >= wishes(state.papyri[-1])[1]:
        return None
    one, other = rng.sample(cards, 2)
    return _wrong(seat, (put(seat, one), put(seat, other)), (Play(seat, one), Play(seat, other)))


def lays_into_another_row(state: AnkhState, hands: Hands, rng: random.Random) -> Intent | None:
    """A mummy laid into another player's row: on the table it is that player's, out of turn."""
    seat = state.to_move
    cards = _mummies(hands[seat])
    if not cards:
        return None
    card, other = rng.choice(cards), rng.choice([one for one in range(len(hands)) if one != seat])
    return _wrong(seat, (put(other, card),), (Play(other, card),))


MISTAKES = (
    Mistake("plays out of turn", "G4", plays_out_of_turn),
    Mistake("plays two mummies in one turn", "G4", plays_two),
    Mistake("lays a mummy into another player's row", "G4", lays_into_another_row),
)
"""Every kind of mistake the simulated people make."""
