"""The game itself: what the table shows is proposed, and what the players confirm is written down."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engines.game import Difference, Explanation, IllegalMove, Move, Reveal
from engines.referee import Match
from engines.table import Table
from firmware import chain
from firmware.chain import Finding, Link, Rejected
from firmware.events import Commit, Effect, Export, Look, Signal
from firmware.states.base import NO_LIST, Listing, Night, Result, stay
from firmware.written import entries
from hardware.display.letters import MAIN

PLAY = ("turn", "proposal", "illegal", "ask", "desync", "end")
"""The places that follow from the table and the record alone."""
WIDE = 126
"""px from edge to edge of the display."""
_TOO_QUICK = 0.5
"""Seconds within which a press cannot have been meant for a proposal that has just replaced another."""
_NEXT_TURN = 1.5
"""Seconds within which nobody can have had a whole turn: CONFIRM was pressed twice."""
_HALF_DONE = 2.0
"""Seconds after which what may be the beginning of a move is taken for the rest of one that is against the rules."""
_STALE = 6.0
"""Seconds after which nobody knows any more what CONFIRM was pressed for while the table could not be seen."""


def settle(night: Night) -> Result:
    """Go to the place that the record and the table on hand ask for."""
    match = night.match
    if match is None:
        return stay(night)
    before = night
    effects: tuple[Effect, ...] = ()
    night = replace(night, listing=NO_LIST, picked=None, path=(), change=None)
    table = night.table
    if table is None or night.passed_over == chain.signature(table):
        return _place(before, replace(night, finding=_hold(night), checking=False)), effects
    if night.checking:
        wrong = match.game.reading.differences(match.state, table)
        if wrong:
            return _differs(before, night, wrong)
        night = replace(night, checking=False)
    finding = chain.find(match, night.chain, table, night.rejected)
    if finding.kind == "fits":
        if not finding.links:
            night, effects = _take_facts(replace(night, chain=()), finding.facts)
        night = replace(
            night, chain=finding.links, finding=finding, doubt=None, suspected=None, differences=()
        )
        if not finding.links and not finding.waiting:
            # The table is as the record says: what was turned down before may truly happen now.
            night = replace(night, rejected=frozenset(), ignored=frozenset())
        placed = _place(before, night)
        return placed, effects
    if finding.kind == "lost":
        return _lost(before, night, finding)
    if finding.kept is not None and finding.refusal != before.finding.refusal:
        since = night.doubt if night.doubt is not None and night.suspected == finding.refusal else night.now
        if night.now - since < _HALF_DONE:
            held = Finding("fits", finding.kept)
            night = replace(night, chain=finding.kept, finding=held, doubt=since, differences=())
            return _place(before, replace(night, suspected=finding.refusal)), ()
    if finding.again and finding.refusal not in (night.suspected, before.finding.refusal):
        return _suspect(before, night, finding)
    links = finding.links if finding.kept is None else finding.kept
    night = replace(night, chain=links, finding=finding, doubt=None, suspected=None, differences=())
    placed = _place(before, night)
    if finding.kind == "illegal" and before.finding.refusal != finding.refusal:
        effects = (Signal("illegal"),)
    return placed, effects


def _hold(night: Night) -> Finding:
    """No table speaks: what is in the chain stays, everything else is open."""
    return Finding("fits", night.chain)


def _suspect(before: Night, night: Night, finding: Finding) -> Result:
    """A piece is missing, and nothing else speaks for what would be refused: one look accuses nobody."""
    links = finding.links
    night = replace(night, chain=links, finding=Finding("fits", links), doubt=None, differences=())
    return _place(before, replace(night, suspected=finding.refusal)), (Look(night.expected),)


def _lost(before: Night, night: Night, finding: Finding) -> Result:
    """Nothing explains the table. One look is not believed; what the players already know is not said again."""
    head = night.head
    if head is None or night.table is None:
        return stay(night)
    wrong = tuple(
        one for one in head.game.reading.differences(head.state, night.table) if one not in night.ignored
    )
    if finding.turned_down or not wrong:
        night = replace(night, chain=finding.links, finding=finding, doubt=None, differences=())
        return _place(before, night), ()
    if (night.doubt is None or night.suspected is not None) and before.place != "desync":
        known = night.finding if night.finding.links == night.chain else _hold(night)
        night = replace(night, doubt=night.now, suspected=None, finding=known)
        return _place(before, night), (Look(night.expected),)
    return _differs(before, replace(night, finding=finding), wrong)


def _differs(before: Night, night: Night, wrong: tuple[Difference, ...]) -> Result:
    page = min(night.page, len(wrong) - 1) if before.place == "desync" else 0
    night = replace(night, place="desync", differences=wrong, page=page)
    return night, (() if before.place == "desync" else (Signal("fault"),))


def _place(before: Night, night: Night) -> Night:
    """The name of the place for what is known, and its list."""
    after = _placed(before, night)
    asked = _confirmable(before)
    late = asked is not None and _confirmable(after) not in (None, asked)
    return replace(after, replaced=night.now) if late else after


def _placed(before: Night, night: Night) -> Night:
    if night.finding.kind == "illegal":
        same = before.place == "illegal" and before.finding.refusal == night.finding.refusal
        return replace(night, place="illegal", page=night.page if same else 0)
    if night.finding.kind == "ask":
        choices = night.finding.choices
        if before.place == "ask" and before.finding.choices == choices:
            return replace(night, place="ask", listing=before.listing)
        return replace(night, place="ask", listing=possibilities(night, choices), page=0)
    if night.chain:
        leafing = before.place == "proposal" and before.picked is None
        same = (
            leafing
            and chain.moves(before.chain)[: night.page + 1] == chain.moves(night.chain)[: night.page + 1]
        )
        return replace(night, place="proposal", page=night.page if same else 0)
    over = night.match is not None and night.match.outcome() is not None
    return replace(night, place="end" if over else "turn", page=0)


def _confirmable(night: Night) -> object:
    """What stands on the display for CONFIRM to mean, or None where it means nothing."""
    if night.place in ("desync", "end"):
        return night.place
    if night.place == "proposal":
        shown = night.picked or (night.chain[night.page] if night.page < len(night.chain) else None)
        return shown.move if shown is not None else None
    return night.finding.choices if night.place == "ask" else None


def _too_quick(night: Night) -> bool:
    """Whether what is on display took another thing's place just now, so that a press was meant for that."""
    return 0 <= night.now - night.replaced < _TOO_QUICK


def possibilities(night: Night, choices: tuple[Explanation, ...]) -> Listing:
    """What may have happened, likeliest first. Choosing one confirms its first move: each first move stands there once."""
    match = night.match
    assert match is not None
    firsts: dict[tuple[Move, ...], Explanation] = {}
    for found in choices:
        firsts.setdefault(chain.first(match.game, found), found)
    players = {first[-1].player for first in firsts if first}
    ways = _WITH_NAMES if len(players) > 1 else _WITHOUT_NAMES
    labels: list[str] = []
    for first, found in firsts.items():
        if not first:
            labels.append(found.waiting or night.texts("ask.nothing"))
            continue
        move = first[-1]
        verb, what = match.game.rules.phrase(move, match.names)
        words = {
            "name": match.names[move.player],
            "initial": _initial(match.names, move.player),
            "seat": str(move.player + 1),
            "verb": verb,
            "short": night.texts.get(f"verb.{verb}", verb),
            "what": what,
        }
        lines = [way.format_map(words).strip() for way in ways]
        free = (line for line in lines if MAIN.width(line, 1) <= WIDE and line not in labels)
        labels.append(next(free, lines[-1]))
    return Listing(tuple(labels), tuple(firsts.values()))


def _initial(names: tuple[str, ...], seat: int) -> str:
    """The first letter of a name, or the number of the seat when it would not tell two players apart."""
    initials = [name[:1] for name in names]
    return initials[seat] if len(set(initials)) == len(names) else str(seat + 1)


_WITHOUT_NAMES = ("{verb} {what}", "{short} {what}", "{what}")
_WITH_NAMES = (
    "{name} {verb} {what}",
    "{name} {short} {what}",
    "{name} {what}",
    "{initial} {short} {what}",
    "{initial} {what}",
    "{seat} {what}",
)
"""How a line of a list is told, the first way that has room; the title names the player of the chosen line in any case."""


def _take_facts(night: Night, facts: tuple[Reveal, ...]) -> Result:
    """Facts alone need no confirmation: they are written at once, and the display stays as it is."""
    match = night.match
    assert match is not None
    known = Counter(night.learned)
    written = []
    for fact in facts:
        if known[fact] >= chain.TWICE:
            continue
        after = chain.learn(match, fact)
        if after is None:
            continue
        written.append(entries.step(after, after.steps[-1]))
        match = after
        night = replace(night, learned=(*night.learned, fact))
    if not written:
        return stay(night)
    return replace(night, match=match), (Commit(tuple(written)),)


def looked(night: Night, table: Table) -> Result:
    """A new table while the game is on display."""
    if night.place == "proposal" and night.picked is not None:
        return stay(night)
    if night.passed_over is not None and night.passed_over != chain.signature(table):
        night = replace(night, passed_over=None)
    pressed, night = night.idling, replace(night, idling=None)
    night, effects = settle(night)
    if pressed is None or pressed != night.touched or night.now - pressed > _STALE:
        return night, effects
    night, more = _pass(night)
    return night, (*effects, *more)


def unchanged(night: Night) -> Explanation | None:
    """What CONFIRM means on the table as it is, where nothing has changed and the game has a meaning for that."""
    match = night.match
    told = night.chain or night.finding.waiting or night.finding.kind != "fits" or night.doubt is not None
    if match is None or night.place != "turn" or told:
        return None
    idle = getattr(match.game.reading, "idle", None)
    found: Explanation | None = idle(match.state) if idle is not None else None
    return found


def idle(night: Night) -> Result:
    """CONFIRM while nothing is proposed: what left no trace has happened (dug a treasure, turn over). The table is looked at once more: a
    press may come before what was done on the table was seen."""
    if unchanged(night) is None or night.now - night.confirmed < _NEXT_TURN:
        return stay(night)
    if night.table is None:
        return _pass(night) if "camera" in night.missing else stay(night)
    return replace(night, idling=night.now), (Look(night.expected),)


def _pass(night: Night) -> Result:
    """What an unchanged table means is written, all of it at once."""
    match, found = night.match, unchanged(night)
    if match is None or found is None:
        return stay(night)
    return _commit(night, chain.link(match, found.steps), ())


def confirm(night: Night) -> Result:
    """CONFIRM on a proposal: the oldest move is written, with what was seen with it."""
    if night.picked is not None:
        return _commit_picked(night, night.picked)
    if not night.chain or _too_quick(night):
        return stay(night)
    if night.page:
        return _to_the_oldest(night)
    return _commit(night, night.chain[0], night.chain[1:])


def _to_the_oldest(night: Night) -> Result:
    """From a later move of the chain back to the oldest, the only one that can be confirmed."""
    return replace(night, page=0, replaced=night.now), ()


def _commit_picked(night: Night, one: Link) -> Result:
    """A move from the menu: the table is asked whether it shows it too."""
    return _commit(replace(night, picked=None, table=None), one, ())


def _commit(night: Night, one: Link, rest: tuple[Link, ...]) -> Result:
    before = night.match
    assert before is not None
    written = entries.link(before, one)
    match = one.match
    night = replace(
        night,
        match=match,
        chain=rest,
        page=0,
        rejected=frozenset(),
        learned=(),
        doubt=None,
        replaced=-1.0,
        confirmed=night.now,
        trouble="",
        finding=replace(night.finding, links=rest),
    )
    record: tuple[Effect, ...] = ()
    if match.outcome() is not None:
        written = (*written, entries.end(match))
        night = replace(night, ended=True)
        record = (Export(),)
    night, more = settle(night)
    turned = () if match.to_move == before.to_move else (Signal("turn"),)
    return night, (Commit(written), *more, Signal("confirmed"), *turned, *record)


def _turn_down(night: Night, path: tuple[Move, ...], keep: tuple[Link, ...]) -> Result:
    if night.table is None:
        return settle(replace(night, chain=keep))
    no = Rejected(chain.signature(night.table), path)
    return settle(replace(night, chain=keep, rejected=night.rejected | {no}))


def reject(night: Night) -> Result:
    """REJECT on a proposal: that move and those after it fall away, and the next reading is shown."""
    if night.picked is not None:
        return settle(replace(night, picked=None))
    if not night.chain or _too_quick(night):
        return stay(night)
    if night.page:
        return _to_the_oldest(night)
    return _turn_down(night, night.chain[0].moves, ())


def reject_illegal(night: Night) -> Result:
    """REJECT on a refusal: the players say that something else happened."""
    move = night.finding.move
    if move is None:
        return settle(night)
    return _turn_down(night, (*chain.moves(night.finding.links), move), night.chain)


def choose_happened(night: Night) -> Result:
    """CONFIRM on a question: what the players chose has happened."""
    found: Explanation = night.listing.value
    match = night.match
    if _too_quick(night):
        return stay(night)
    if match is None or not found.moves:
        return reject_happened(night)
    finding = chain.believe(match, night.chain, found)
    if finding.kind == "illegal":
        return replace(night, place="illegal", finding=finding, listing=NO_LIST, page=0), (Signal("illegal"),)
    if not night.chain:
        # The players said what happened and saw its name in full: that is the confirmation.
        return _commit(replace(night, finding=finding, place="turn"), finding.links[0], finding.links[1:])
    night = replace(night, finding=finding, chain=finding.links, listing=NO_LIST, place="turn", page=0)
    return _place(night, night), ()


def reject_happened(night: Night) -> Result:
    """REJECT on a question: none of these."""
    if night.table is None:
        return settle(night)
    mark = chain.signature(night.table)
    before = chain.moves(night.chain)
    turned = {Rejected(mark, before + found.moves) for found in night.finding.choices if found.moves}
    return settle(replace(night, rejected=night.rejected | turned))


def go_on(night: Night) -> Result:
    """CONFIRM on a difference: take the table as it is, until it changes."""
    if night.checking:
        return settle(replace(night, checking=False, differences=(), place="turn"))
    mark = chain.signature(night.table) if night.table is not None else None
    ignored = night.ignored | frozenset(night.differences)
    return settle(replace(night, passed_over=mark, ignored=ignored, differences=(), doubt=None, place="turn"))


def look_again(night: Night) -> Result:
    return night, (Look(night.expected),)


def pick(night: Night, move: Move) -> Result:
    """A move from the menu, shown once more before it counts."""
    match: Match | None = night.match
    if match is None:
        return stay(night)
    try:
        one = chain.link(match, (move,))
    except IllegalMove as no:
        finding = Finding("illegal", move=move, refusal=no.refusal)
        return replace(night, place="illegal", finding=finding, listing=NO_LIST, page=0), (Signal("illegal"),)
    return replace(night, place="proposal", picked=one, listing=NO_LIST, page=0), ()


def tell(night: Night, fact: Reveal) -> Result:
    """A fact from the menu that the table has not shown: it is written at once, like one that was seen."""
    night, effects = _take_facts(replace(night, listing=NO_LIST, place="turn", page=0, learned=()), (fact,))
    night, more = settle(night)
    return night, (*effects, *more)


def tick(night: Night) -> Result:
    """Time passes: a doubt that has not gone away is said."""
    if (
        night.doubt is not None
        and night.picked is None
        and night.place in PLAY
        and night.place != "desync"
        and night.now - night.doubt >= 2
    ):
        return settle(night)
    return stay(night)
