"""Which moves explain a change on a table of Archaeology.

Most of a turn leaves no trace: the dig, the theft, the end. So a search tries the acts that do leave one, in the order in which turns allow them,
each with the moves without a trace that it follows from, and the rules say of each whether it is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import NamedTuple

from engines.archaeology import rules
from engines.archaeology.causes import largest
from engines.archaeology.counts import left_in, likely_bust, likely_left, may_come, too_little, worth
from engines.archaeology.evidence import QUIET, Evidence, gather
from engines.archaeology.exploring import Visit, visits
from engines.archaeology.facts import shown
from engines.archaeology.moves import (
    Bust,
    Cards,
    Dig,
    Draw,
    Drawn,
    Dug,
    End,
    Lose,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.numbers import MAP
from engines.archaeology.state import ORDER, ArchaeologyState, ordered
from engines.archaeology.turns import may_skip_dig
from engines.archaeology.zones import BACK, SANDSTORM, THIEF
from engines.game import Explanation, IllegalMove, Move, Refusal, Reveal, Step, WrongReveal
from engines.table import Table

MOST_ACTS = 5
"""More acts than this between two pictures is a table that lost its thread."""
MOST_WAYS = 40
SPLITS = 12
"""Ways to share out cards that several players lost at once, of which one is asked."""

Steps = tuple[Step, ...]
DUG: Mapping[str, Dug] = {SANDSTORM: "sandstorm", THIEF: "thief"}
"""Cards of the dig site that lie open, in the order in which both can come in one turn."""


class Way(NamedTuple):
    """Steps that account for what is new; ``waiting`` when more has to come before the rest means anything."""

    steps: Steps
    refusal: Refusal | None = None
    certain: bool = True
    waiting: str = ""
    again: bool = False
    firm: bool = False
    late: bool = False


class Act(NamedTuple):
    """What somebody may have done: silent moves, and the one that leaves a trace. ``waiting``: it is not finished, and says what is missing.
    ``missing``: it rests on cards that were not read. ``firm``: that it is refused is said before a legal reading is offered.
    ``late``: it is offered when all else has been turned down."""

    steps: Steps = ()
    certain: bool = True
    waiting: str = ""
    missing: bool = False
    firm: bool = False
    late: bool = False


def explain(state: ArchaeologyState, table: Table) -> tuple[Explanation, ...]:
    """What may have happened since ``state``, likeliest first; empty when nothing fits."""
    if state.stage in ("market", "chambers"):
        return (Explanation(waiting="Lay out the game"),)
    known, _ = learn(state, table)
    if known.stage != "steal" and gather(known, table).quiet:
        return (Explanation(waiting=_unfinished(known)),)
    found: dict[Steps, Way] = {}
    for way in _walk(state, table, (), 0):
        found.setdefault(way.steps, way)
        if len(found) == MOST_WAYS:
            break
    # What is done accounts for more than what is still to be finished.
    legal = sorted((way for way in found.values() if way.refusal is None), key=lambda way: bool(way.waiting))
    if legal and not legal[0].certain:
        # What is asked is what the likeliest player did; that it was another one is left out.
        legal = [way for way in legal if _mover(way) in (None, _mover(legal[0]))]
    # What accounts for most acts says most; its last one is refused.
    refused = sorted((way for way in found.values() if way.refusal), key=lambda way: -len(_seen(way)))
    return tuple(
        Explanation(way.steps, way.refusal, way.waiting, way.certain, way.again, bool(way.waiting))
        for way in sorted((*legal, *refused), key=lambda way: (not way.firm, way.late))
    )


def _seen(way: Way) -> tuple[Move, ...]:
    """The moves of which something is seen."""
    return tuple(step for step in way.steps if isinstance(step, Move) and not isinstance(step, Dig | End))


def _mover(way: Way) -> int | None:
    """Who made the first move of which something is seen."""
    return next((move.player for move in _seen(way)), None)


def _unfinished(state: ArchaeologyState) -> str:
    return "Take, or put back" if state.laid else ""


def learn(state: ArchaeologyState, table: Table) -> tuple[ArchaeologyState, Steps]:
    """The state with all that it waits for and the table shows, and these facts."""
    facts: Steps = ()
    while True:
        for fact in shown(state, table):
            try:
                state = rules.apply(state, fact)
            except WrongReveal:
                continue
            facts = (*facts, fact)
            break
        else:
            return state, facts


def _walk(state: ArchaeologyState, table: Table, before: Steps, acts: int) -> Iterator[Way]:
    """Ways to account for all that is new, each with the refusal of its last move if that is illegal."""
    state, facts = learn(state, table)
    before = (*before, *facts)
    evidence = gather(state, table)
    if evidence.quiet and state.stage != "steal":
        yield Way(before)
        return
    if not _plain(evidence) or acts == MOST_ACTS:
        return
    for act in _acts(state, evidence):
        if act.waiting:
            yield Way(_told(before), None, act.certain, act.waiting)
            continue
        after, steps, refusal, sure = _tried(state, act)
        again = bool(refusal) and act.missing
        if refusal is not None:
            yield Way((*before, *steps), refusal, True, "", again, act.firm)
            continue
        # Tents are not counted: five of them may have to be declared before the first card is lost.
        more = not isinstance(steps[-1], Tent)
        for way in _walk(after, table, (*before, *steps), acts + more):
            yield way._replace(certain=way.certain and act.certain and sure, late=way.late or act.late)


def _told(steps: Steps) -> Steps:
    """The steps up to the last move that leaves a trace: what leaves none is told with what comes next."""
    seen = [at for at, step in enumerate(steps) if not (isinstance(step, Reveal | Dig | End) or _kept(step))]
    last = max(seen, default=-1)
    storm = max((at for at, step in enumerate(steps) if step == Drawn("sandstorm")), default=-1)
    return steps[: max(last, storm) + 1]


def _kept(step: Step) -> bool:
    """Whether somebody keeps a tent."""
    return isinstance(step, Tent) and not step.used


def _tried(state: ArchaeologyState, act: Act) -> tuple[ArchaeologyState, Steps, Refusal | None, bool]:
    """The state after an act, the steps up to a refused move, its refusal, and whether nothing about the act is doubtful."""
    done: Steps = ()
    sure = True
    for step in act.steps:
        done = (*done, step)
        if isinstance(step, Move):
            refusal = rules.refusal(state, step)
            if refusal is not None:
                return state, done, refusal, sure
            doubt = rules.doubt(state, step)
            sure = sure and (doubt is None or doubt.rule in ("A8", "A16"))
        state = rules.apply(state, step)
    return state, done, None, sure


def _plain(evidence: Evidence) -> bool:
    """Whether what is new lies where moves put it, face up, and can be told."""
    odd = evidence.filled or evidence.returned
    unread = any(spread.unread or BACK in spread.came for spread in evidence.spreads)
    lost = any(spread.gone for spread in (*evidence.sold, evidence.discards))
    strange = any(
        card not in ORDER
        for spread in (evidence.market, *evidence.sold, *evidence.chambers, evidence.found)
        for card in spread.came
    )
    laid = any(card not in (THIEF, SANDSTORM, MAP) for card in evidence.discards.came)
    return not (odd or unread or lost or strange or laid)


# What somebody may have done


def _acts(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    """The acts that would account for a piece of the evidence at this stage, likeliest first."""
    match state.stage:
        case "steal":
            yield from _thefts(state)
        case "tents":
            yield from _tents(state, evidence)
        case "lose":
            yield from _losses(state, evidence)
        case "refill":
            yield Act(waiting="Fill the chambers")
        case "mine drawn":
            yield Act(waiting="Draw a card, face up")
        case "sphinx drawn":
            yield Act(waiting=f"Show {min(state.numbers.draws, left_in(state, 1))} cards")
        case "mine":
            yield from _mining(state, evidence)
        case _:
            yield from _turns(state, evidence)


def _thefts(state: ArchaeologyState) -> Iterator[Act]:
    """The Thief takes from somebody who holds cards; who holds most is likeliest."""
    others = [seat for seat in range(state.players) if seat != state.turn]
    open_to = [seat for seat in others if rules.refusal(state, Steal(state.turn, seat)) is None]
    for seat in sorted(open_to, key=lambda seat: -state.held(seat)):
        yield Act((Steal(state.turn, seat),), certain=len(open_to) == 1)


def _tents(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    """A tent that is gone was used; whoever should have declared before something else happened kept it."""
    seat = state.queue[0]
    if seat in evidence.tents:
        yield Act((Tent(seat, True),))
    elif set(state.queue) & set(evidence.tents) or not replace(evidence, tents=()).quiet:
        yield Act((Tent(seat, False),))
    else:
        yield Act((Tent(evidence.tents[0], True),))


def _losses(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    """Half of a hand has come to the marketplace, or not yet all of it, or those of several players together."""
    came, seat = evidence.market.came, state.queue[0]
    due = state.held(seat) // 2
    others = replace(evidence, market=QUIET)
    if evidence.market.gone or not others.quiet or not came:
        yield from _misplaced(state, evidence)
        return
    if len(came) < due:
        yield Act(waiting=f"{due - len(came)} more to lose")
        return
    if len(came) == due:
        yield Act((Lose(seat, came),))
        return
    sums = [due]
    for other in state.queue[1:]:
        sums.append(sums[-1] + state.held(other) // 2)
    if len(came) not in sums:
        yield Act((Lose(seat, came),))
        return
    shares = dict.fromkeys(ordered(share) for share in combinations(came, due))
    for share in list(shares)[:SPLITS]:
        yield Act((Lose(seat, share),), certain=len(shares) == 1)


def _mining(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    seat, found = state.turn, evidence.found
    if found.came:
        yield Act((Draw(seat), Cards(found.came[:1])))
    elif found.gone:
        if Counter(found.gone) != Counter(state.drawn):
            yield Act(waiting="Take all, or none")
            return
        yield Act((Bust(seat) if likely_bust(state) else Stop(seat),))
    else:
        yield from _misplaced(state, evidence)


def _misplaced(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    """What was done while something else is due: the rules say what."""
    for seat, spread in enumerate(evidence.sold):
        for face in dict.fromkeys(spread.came):
            yield Act((Sell(seat, (face,) * spread.came.count(face)),))
    if evidence.market.gone and evidence.market.came:
        yield Act((Trade(state.turn, evidence.market.came, evidence.market.gone),))
    if any(card != MAP for card in evidence.discards.came):
        yield Act((Dig(state.turn),))
    if evidence.tents:
        yield Act((Tent(evidence.tents[0], True),))


def _turns(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    """What players do in their turns, this one's first. A card from the dig site that nobody accounted for was dug in this turn, rather than in
    a later one after a treasure in this."""
    digs = [_digs(state, Drawn(kind)) for face, kind in DUG.items() if face in evidence.discards.came]
    if state.stage == "dig":
        yield from chain.from_iterable(digs)
    yield from _in_turn(state, evidence, ())
    if state.stage != "dig":
        yield from chain.from_iterable(digs)
    yield from _of_others(state, evidence)


def _in_turn(state: ArchaeologyState, evidence: Evidence, before: Steps) -> Iterator[Act]:
    """What the player whose turn it is did: each act with the dig it follows from, and ``before``."""
    dug = digging(state, evidence.bare)
    if dug is None:
        # A Thief or a Sandstorm must come: nothing else can have been dug.
        dug = ()
    ready = _after(state, dug)
    steps = (*before, *dug)
    seat = state.turn
    for visit in visits(ready, evidence):
        yield _visited(steps, visit)
    market = evidence.market
    if market.came and (market.gone or state.option("trade_for_nothing") == "yes"):
        yield Act((*steps, Trade(seat, market.came, market.gone)), missing=True)
        given, taken = (worth(state.numbers, cards) for cards in (market.came, market.gone))
        if given < taken and not too_little(state.numbers, market.came, market.gone):
            yield Act(certain=False, waiting=f"Pays {given}, costs {taken}")
    elif market.came:
        yield Act(waiting=f"Take cards: worth {worth(state.numbers, market.came)}")
    elif market.gone:
        yield Act(waiting=f"Pay: worth {worth(state.numbers, market.gone)}")
    for face in dict.fromkeys(evidence.sold[seat].came):
        yield from _sales(state, steps, seat, (face,) * evidence.sold[seat].came.count(face))


def _visited(steps: Steps, visit: Visit) -> Act:
    if visit.move is None:
        return Act(waiting=visit.waiting)
    return Act((*steps, visit.move), visit.certain)


def _sales(state: ArchaeologyState, steps: Steps, seat: int, cards: tuple[str, ...]) -> Iterator[Act]:
    """One set, or, where that is too large for one and nobody meant it so, several. Cards laid to a set that was sold in this turn may belong
    to it, and were only laid down later: that is asked, also where the two are too many for one set (but of Maps, which are sold one by one)."""
    most, _ = largest(state, cards[0])
    face, count = state.sold[seat][-1] if state.sold_now and state.sold[seat] else ("", 0)
    joins = face == cards[0] and (face != MAP or count + len(cards) <= most)
    if cards[0] != MAP or len(cards) <= most:
        yield Act((*steps, Sell(seat, cards)), certain=not joins, firm=len(cards) > most)
    if len(cards) > most:
        yield Act((*steps, Sell(seat, cards[:most])))


def _digs(state: ArchaeologyState, fact: Drawn) -> Iterator[Act]:
    seat = state.turn
    if state.stage == "act":
        after = _after(state, (End(seat),))
        if after is not state and after.stage == "dig":
            yield Act((End(seat), Dig(after.turn), fact))
        else:
            yield Act((Dig(seat),))
    elif may_come(state, fact.kind):
        yield Act((Dig(seat), fact))


def _of_others(state: ArchaeologyState, evidence: Evidence) -> Iterator[Act]:
    """What the next player did, whose turn nobody announced; what others did is not their turn."""
    ended = _ended(state, evidence.bare)
    after = _after(state, ended) if ended else state
    if ended and after.turn != state.turn and after.stage in ("dig", "act"):
        for face, kind in DUG.items():
            if face in evidence.discards.came and state.stage == "dig":
                yield Act((*ended, Dig(after.turn), Drawn(kind)), late=True)
        yield from (act for act in _in_turn(after, evidence, ended) if not act.waiting)
    for seat, spread in enumerate(evidence.sold):
        if spread.came and seat not in (state.turn, after.turn):
            face = spread.came[0]
            yield Act((Sell(seat, (face,) * spread.came.count(face)),))


def _ended(state: ArchaeologyState, bare: bool) -> Steps:
    """The turn is over, though nothing was seen of that; empty where it cannot be."""
    dug = digging(state, bare)
    if dug is None or rules.refusal(_after(state, dug), End(state.turn)) is not None:
        return ()
    return (*dug, End(state.turn))


def digging(state: ArchaeologyState, bare: bool) -> Steps | None:
    """The dig of a treasure that the turn begins with, none where it was made or may be left out; None where it cannot have been a
    treasure. ``bare``: no card was seen at the dig site. The last card may just have been dug, so the numbers in force decide first."""
    treasure = may_come(state, "treasure")
    if state.stage != "dig" or (may_skip_dig(state) and not (likely_left(state) and (treasure or not bare))):
        return ()
    return (Dig(state.turn), Drawn("treasure")) if treasure else None


def _after(state: ArchaeologyState, steps: Steps) -> ArchaeologyState:
    """The state after steps; as it was when they cannot be."""
    after = state
    for step in steps:
        try:
            after = rules.apply(after, step)
        except (IllegalMove, WrongReveal):
            return state
    return after
