"""Which moves explain a change on a table of Papyrus.

Nearly every act is one move of the player to move, so a small search tries them in turn and the rules say of each whether it is legal. What
leaves no trace (cards drawn, a god not won) is put before an act that only the next player can have done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.facts import facts
from engines.game import Explanation, Move, Reveal, Step
from engines.papyrus import rules
from engines.papyrus.acts import Act, acts, misnamed_by, named_by, paid_by, whom
from engines.papyrus.evidence import ZONES, Evidence, gather
from engines.papyrus.moves import SPREADS, Buy, Cleared, Draw, EventShown, Standing
from engines.papyrus.notation import title
from engines.papyrus.state import PapyrusState
from engines.papyrus.zones import BOARD, COLOURS
from engines.table import Table

MOST_MOVES = 5
"""More moves than this between two pictures is a table that lost its thread."""
Line = tuple[Step, ...]


def explain(state: PapyrusState, table: Table) -> tuple[Explanation, ...]:
    """What may have happened since ``state``, likeliest first; empty when nothing fits."""
    evidence = gather(state, table)
    if evidence.quiet:
        return _choices(state) or (Explanation(waiting=owed(state, evidence)),)
    if not evidence.plain:
        return tuple(_guessed(state, evidence))
    found = list(_walk(state, table, (), 0))
    done = [one for one in found if one.refusal is None and not one.waiting]
    # Whoever acts out of turn may only seem to: the one before may be done. Both stand there to be chosen from.
    asked = [one for one in done if not one.certain]
    sure = [one for one in done if one.certain]
    refused = sorted(
        (one for one in found if one.refusal is not None), key=lambda one: (one.again, -len(one.moves))
    )
    if len(sure) == 1:
        return (*sure, *asked, *_late(state, table, evidence))
    if done:
        late = _late(state, table, evidence)
        return tuple(replace(one, certain=False) for one in (*sure, *asked, *late, *refused[:1]))
    waiting = sorted((one for one in found if one.waiting), key=lambda one: -len(one.moves))
    return tuple(waiting[:1] or refused)


def _guessed(state: PapyrusState, evidence: Evidence) -> Iterator[Explanation]:
    """Some cards or hieroglyphs cannot be read, and everything else fits: what they would have to be is asked."""
    played, formed = evidence.played, evidence.formed
    if not replace(evidence, played=replace(played, unread=0), formed=replace(formed, unread=0)).plain:
        return
    found: list[Move] = []
    if state.stage == "turn" and not formed.unread:
        found += paid_by(state, evidence, played.unread)
    if state.stage == "arrived" and not played.unread:
        found += named_by(state, evidence, formed.unread)
    yield from (Explanation((move,), certain=False) for move in found)
    if not found and state.stage in ("turn", "arrived"):
        for wrong in misnamed_by(state, evidence):
            yield Explanation((wrong,), rules.refusal(state, wrong), again=True)


def _late(state: PapyrusState, table: Table, evidence: Evidence) -> tuple[Explanation, ...]:
    """The player to move had drawn, and all this was done by those who follow: nobody sees who swaps hieroglyphs (alone: it had been bought). It is for players who
    turned down what is likelier."""
    drawn = Buy(state.to_move) if state.alone else Draw(state.to_move)
    told = not (evidence.paid or state.alone)
    if state.stage != "turn" or told or rules.refusal(state, drawn) is not None:
        return ()
    after = _walk(rules.apply(state, drawn), table, (drawn,), 1)
    return tuple(replace(one, certain=False) for one in after if one.refusal is None and not one.waiting)


def _choices(state: PapyrusState) -> tuple[Explanation, ...]:
    """Whom a card was taken from, or exchanged with, no table shows: where there is a choice it is asked."""
    moves = whom(state)
    return tuple(Explanation((move,), certain=False) for move in moves) if len(moves) > 1 else ()


def owed(state: PapyrusState, evidence: Evidence) -> str:
    """What a hand has yet to do, in 21 letters: a pawn that an event moves."""
    for seat in evidence.owed:
        return f"{COLOURS[seat].capitalize()} pawn: {title(state.seats[seat].place)}"[:21]
    return ""


def shown(state: PapyrusState, table: Table) -> tuple[Reveal, ...]:
    """What the table shows that the state does not know yet: the event card, what was put away, a pawn that followed its event."""
    return facts(state, _facts(state, table), rules.apply)


def _facts(state: PapyrusState, table: Table) -> Iterator[Reveal]:
    evidence = gather(state, table)
    spreads = (evidence.played, evidence.shown, evidence.formed)
    for place, zones, spread, lying in zip(SPREADS, ZONES, spreads, state.lying, strict=True):
        seen = set(zones).isdisjoint(table.unread) and (place == "name" or not state.alone)
        if lying and seen and not (spread.left or spread.unread):
            yield Cleared(place)
    if state.alone:
        return
    owed = set(evidence.owed)
    for seat, _ in state.astray:
        if BOARD not in table.unread and seat not in (*owed, *evidence.lost, *evidence.beside):
            yield Standing(seat, state.seats[seat].place)
    if state.stage == "event" and evidence.shown.came:
        yield EventShown(evidence.shown.came[0])


def _walk(state: PapyrusState, table: Table, before: Line, depth: int) -> Iterator[Explanation]:
    """Ways to account for all that is new, each with the refusal of its last move if that is illegal."""
    for fact in shown(state, table):
        if not isinstance(fact, EventShown) and not before:
            continue  # They are taken at once, whatever else has happened.
        state, before = rules.apply(state, fact), (*before, fact)
    evidence = gather(state, table)
    if evidence.still:
        if before and evidence.plain:
            yield Explanation(before)
        return
    if not evidence.plain or depth >= MOST_MOVES:
        return
    for act in acts(state, evidence):
        yield from _after(state, table, before, depth, act)


def _after(state: PapyrusState, table: Table, before: Line, depth: int, act: Act) -> Iterator[Explanation]:
    """What follows when this was done."""
    if act.waiting:
        if act.half and depth:
            return  # What came in one look with the move before belongs to it.
        yield Explanation(before, waiting=act.waiting, half=act.half)
        return
    line, now = before, state
    for step in act.before:
        line, now = (*line, step), rules.apply(now, step)
    move = act.move
    assert move is not None
    refusal = act.refusal or rules.refusal(now, move)
    line = (*line, move)
    if refusal is not None:
        yield Explanation(line, refusal, certain=act.certain, again=act.again)
        return
    for found in _walk(rules.apply(now, move), table, line, depth + 1 + len(act.before)):
        yield found if act.certain else replace(found, certain=False)
