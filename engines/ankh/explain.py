"""Which moves explain a change on an Ankh table.

Every turn is one act, so a table that shows several new things was played by several players, each in turn: a small search tries them in
that order, and the rules say of each whether it is legal.
"""

from __future__ import annotations

from collections.abc import Iterator

from engines.ankh import rules
from engines.ankh.cards import is_papyrus
from engines.ankh.effects import UNSEEN
from engines.ankh.evidence import Evidence, gather, settled, variants
from engines.ankh.moves import SACRIFICE, Play, Sacrifice
from engines.ankh.state import AnkhState
from engines.game import Explanation, Move, Refusal
from engines.table import Table

MOST_MOVES = 5
"""More turns than this between two pictures is a table that lost its thread."""
CLEAR = "Clear the rows"
TURNS = "G4"
"""The rule by which the players take turns."""

Line = tuple[Move, ...]


def explain(state: AnkhState, table: Table) -> tuple[Explanation, ...]:
    """What may have happened since ``state``, likeliest first; empty when nothing fits."""
    table = settled(state, table)
    evidence = gather(state, table)
    if evidence.quiet or not state.papyri:
        return (Explanation(waiting=_waiting(evidence)),)
    # Of a card whose strip could be one of several, each is tried: what the rules cannot decide between is asked.
    found = list(dict.fromkeys(one for variant in variants(table) for one in _walk(state, variant, ())))
    legal = [moves for moves, refusal in found if refusal is None]
    if legal:
        sure = len(legal) == 1 and not _joins(state, legal[0])
        return tuple(Explanation(moves, certain=sure) for moves in legal)
    if evidence.papyrus is not None and all(refusal.rule == TURNS for _, refusal in found if refusal):
        # Other papyri may lie below the new one, by the players between: who began is asked, and nobody accused.
        begun = dict.fromkeys(moves[:1] for moves, _ in found if len(moves) > 1)
        return tuple(Explanation(moves, certain=False) for moves in begun)
    # The longest legal beginning says most; what comes after it is refused.
    refused = sorted(found, key=lambda one: -len(one[0]))
    return tuple(Explanation(moves, refusal) for moves, refusal in refused)


def _joins(state: AnkhState, moves: Line) -> bool:
    """Whether a sacrifice is told while an earlier one still lies there: its cards may belong to that one, and were laid down later."""
    return bool(state.lying and state.lying[SACRIFICE]) and any(isinstance(move, Sacrifice) for move in moves)


def _waiting(evidence: Evidence) -> str:
    return CLEAR if any(spread.left for spread in evidence.rows) else ""


def _walk(state: AnkhState, table: Table, before: Line) -> Iterator[tuple[Line, Refusal | None]]:
    """Ways to account for all that is new, each with the refusal of its last move if that is illegal."""
    evidence = gather(state, table)
    if not _plain(evidence) or _swept(state, evidence):
        return
    acts = list(_acts(state, evidence))
    if not acts:
        if before:
            yield before, None
        return
    if len(before) == MOST_MOVES:
        return
    mine = [move for move in acts if move.player == state.to_move]
    for move in mine or acts:
        refusal = rules.refusal(state, move)
        if refusal is not None:
            yield (*before, move), refusal
            continue
        yield from _walk(rules.apply(state, move), table, (*before, move))


def _swept(state: AnkhState, evidence: Evidence) -> bool:
    """Whether a whole row is gone that belongs there: one card may be overlooked, but then something else happened first."""
    return any(
        cards and len(spread.gone) == len(cards)
        for cards, spread in zip(state.rows, evidence.rows, strict=True)
    )


def _plain(evidence: Evidence) -> bool:
    """Whether what is new lies where moves put it: no card in a wrong place, none that moved, none that cannot be told."""
    spreads = (*evidence.rows, evidence.sacrifice)
    wrong = any(is_papyrus(card) or card == UNSEEN for spread in evidence.rows for card in spread.came)
    return not (
        wrong or evidence.stray or evidence.moved or evidence.bare or any(spread.unread for spread in spreads)
    )


def _acts(state: AnkhState, evidence: Evidence) -> Iterator[Move]:
    """The single acts that would account for a piece of the evidence, whoever did them."""
    for seat, spread in enumerate(evidence.rows):
        for card in dict.fromkeys(spread.came):
            yield Play(seat, card)
    if evidence.papyrus is not None:
        yield Play(state.to_move, evidence.papyrus)
    if evidence.sacrifice.came:
        cards = tuple(card for card in evidence.sacrifice.came if card != UNSEEN)
        yield Sacrifice(state.to_move, cards, len(evidence.sacrifice.came) - len(cards))
