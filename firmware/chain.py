"""The chain: moves the table shows that nobody has confirmed yet, oldest first.

Players forget to confirm. Up to four moves are held, each explained from the one before; the referee has
checked them, but none of them counts until somebody presses CONFIRM.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engines.game import Explanation, Game, IllegalMove, Move, Refusal, Reveal, Step, WrongReveal
from engines.referee import Match
from engines.table import Table

LONGEST = 4
"""Unconfirmed moves that are held; then the players are asked to confirm first."""

TWICE = 2
"""How often one fact is taken between two moves."""

Signature = tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """What stands on the display as one unconfirmed move: that move, those before it that leave no trace of their own and follow from it
    (the dig before a trade), the facts that were seen with them (in order), and the match after them."""

    steps: tuple[Step, ...]
    match: Match
    faded: bool = False
    """Whether a table was seen since on which nothing shows the move any more, while nobody had undone it."""
    grown: Link | None = None
    """The move as it was told before more was seen that may belong to it, or to the next one."""

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(step for step in self.steps if isinstance(step, Move))

    @property
    def move(self) -> Move:
        """The move that is shown."""
        return self.moves[-1]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reading the players turned down: the table it was for, and the moves from the confirmed state to it."""

    table: Signature
    path: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a table says of a match and its chain.

    ``fits``: the table is as it should be after ``links`` (``waiting`` says if more is to come). ``illegal``: ``move`` was made after
    ``links`` and ``refusal`` says why it must not. ``ask``: one of ``choices`` happened. ``lost``: nothing explains the table;
    ``turned_down`` when something did and the players rejected it. ``again``: a second look has to agree with the refusal. ``facts`` are reveals that belong to the confirmed state.
    ``kept``: the move may as well be whole already and the next one half done; so long as that is possible these links stay.
    """

    kind: Literal["fits", "illegal", "ask", "lost"] = "fits"
    links: tuple[Link, ...] = ()
    facts: tuple[Reveal, ...] = ()
    waiting: str = ""
    full: bool = False
    move: Move | None = None
    refusal: Refusal | None = None
    choices: tuple[Explanation, ...] = ()
    turned_down: bool = False
    again: bool = False
    kept: tuple[Link, ...] | None = None


def signature(table: Table) -> Signature:
    """What makes two tables the same to the players: which piece lies where, not the millimetre."""
    pieces = (
        (piece.zone, piece.cells, piece.level if piece.cells else 0, piece.kind, piece.identities)
        for piece in table.pieces
    )
    return tuple(sorted(pieces, key=repr))


def learn(match: Match, reveal: Reveal) -> Match | None:
    """The match knowing one more fact, as new or as a correction (its last step says which); None when it can be
    neither, or is known already."""
    try:
        after = match.correct(reveal)
    except WrongReveal:
        return None
    return None if after.state == match.state else after


def traceless(game: Game) -> tuple[type[Move], ...]:
    """The moves that leave no trace on the table by themselves: the reading's ``TRACELESS``."""
    found: tuple[type[Move], ...] = getattr(game.reading, "TRACELESS", ())
    return found


def link(match: Match, steps: tuple[Step, ...]) -> Link:
    """The steps (with a move among them) as a link. Raises IllegalMove."""
    kept: list[Step] = []
    for step in steps:
        if isinstance(step, Reveal):
            after = learn(match, step)
            if after is None:
                continue
            match = after
        else:
            match = match.accept(step)
        kept.append(match.steps[-1])
    return Link(tuple(kept), match)


def split(steps: tuple[Step, ...], silent: tuple[type[Move], ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Cut steps into links: every move with the facts after it and the ``silent`` moves before it; facts before the first move go with
    it."""
    part: list[Step] = []
    whole = False
    for step in steps:
        if isinstance(step, Move):
            if whole:
                yield tuple(part)
                part = []
            whole = not isinstance(step, silent)
        part.append(step)
    if part:
        yield tuple(part)


def moves(links: tuple[Link, ...]) -> tuple[Move, ...]:
    return tuple(move for one in links for move in one.moves)


def first(game: Game, found: Explanation) -> tuple[Move, ...]:
    """The moves of an explanation that are shown, and confirmed, first: the last of them stands on the display."""
    parts = split(found.steps, traceless(game))
    return tuple(step for step in next(parts, ()) if isinstance(step, Move))


def believe(match: Match, links: tuple[Link, ...], found: Explanation) -> Finding:
    """The finding when an explanation is believed: its legal moves join the links.

    ``match`` is the confirmed one; ``found`` explains what happened after ``links``.
    """
    if not found.moves:
        return Finding("fits", links, waiting=found.waiting)
    refused = found.moves[-1] if found.refusal is not None else None
    silent = traceless(match.game)
    head = links[-1].match if links else match
    for steps in split(found.steps, silent):
        if refused is not None and any(step is refused for step in steps):
            break
        # Moves that left no trace so far go with the one that follows from them.
        joins = bool(links) and all(isinstance(move, silent) for move in links[-1].moves)
        if len(links) == LONGEST and not joins:
            return Finding("fits", links, full=True)
        try:
            one = link(head, steps)
        except IllegalMove as no:
            moved = [step for step in steps if isinstance(step, Move)]
            return Finding("illegal", links, move=moved[-1], refusal=no.refusal)
        if joins:
            links, one = links[:-1], Link((*links[-1].steps, *one.steps), one.match)
        links, head = (*links, one), one.match
    if refused is not None:
        return Finding("illegal", links, move=refused, refusal=found.refusal, again=found.again)
    return Finding("fits", links, waiting=found.waiting)


def _same(step: Step, fact: Reveal) -> bool:
    """Whether a step told this fact before, as new or as a correction."""
    return isinstance(step, Reveal) and replace(step, correction=fact.correction) == fact


def _with_facts(match: Match, finding: Finding, table: Table) -> Finding:
    """What else the table shows: to the last link, or to the confirmed state when there is none."""
    links = finding.links
    head = links[-1].match if links else match
    facts = head.game.reading.reveals(head.state, table)
    if not facts:
        return finding
    if not links:
        return replace(finding, facts=facts)
    last = links[-1]
    steps, after = list(last.steps), last.match
    for fact in facts:
        # A picture that flickers between two readings may not pile up corrections.
        known = sum(_same(step, fact) for step in steps)
        learned = learn(after, fact) if known < TWICE else None
        if learned is not None:
            after = learned
            steps.append(after.steps[-1])
    return replace(finding, links=(*links[:-1], replace(last, steps=tuple(steps), match=after)))


def find(match: Match, links: tuple[Link, ...], table: Table, rejected: frozenset[Rejected]) -> Finding:
    """What the table says, tried from the end of the chain back to the confirmed state.

    A table that fits an earlier place of the chain makes the later moves fall away: the hand took them back. What only tells
    those moves again (``_retold``), or lets a move fall away whose trace had gone before (``_fading``), counts when nothing else explains the
    table. An explanation that was rejected for this very table is not offered again.
    """
    mark = signature(table)
    turned_down = False
    doubts: list[tuple[bool, Finding]] = []
    half: Finding | None = None
    accused: list[Move] = []
    if (apart := _apart(match, links, table, mark, rejected)) is not None:
        return _whole(match, apart, table)
    for kept in range(len(links), -1, -1):
        before = links[:kept]
        head = before[-1].match if before else match
        offered = head.game.reading.explain(head.state, table)
        path = moves(before)
        left = tuple(found for found in offered if not _is_rejected(path + found.moves, mark, rejected))
        if not left:
            turned_down = turned_down or bool(offered)
            continue
        # What was seen in this order stays so where there is a choice: a Thief that lay there before the sale was not dug after it.
        best = max(left, key=lambda found: _begins(found.steps, links[kept:]))
        # What would be half done from here on denies moves that were seen whole.
        again = _retold(best, links[kept:], traceless(match.game)) or bool(best.waiting and kept < len(links))
        # So does what was refused after them, when another story of the same moves would make it legal.
        story = _shown(best, traceless(match.game))
        again = again or (best.refusal is None and any(move in accused for move in story[1:]))
        rest = kept == len(links) - 1 and _kinds(story) == _kinds([one.move for one in links[kept:]])
        again = again or (half is not None and not rest)
        again = again or any(one.faded for one in links[kept:])
        if not best.certain and best.refusal is None:
            if any(found.moves for found in left):
                doubts.append((again, Finding("ask", before, choices=left)))
            turned_down = turned_down or not best.moves
            continue
        finding = believe(match, before, best)
        if finding.kind == "illegal" and finding.move is not None and kept:
            accused.append(finding.move)
        if finding.kind == "fits" and not again:
            if not (best.half and links):
                if kept == len(links) and not best.moves and not best.waiting:
                    finding = replace(finding, links=_fading(match, finding.links, table))
                if half is not None and kept < len(finding.links):
                    last = replace(finding.links[-1], grown=links[-1])
                    finding = replace(finding, links=(*finding.links[:-1], last))
                return _whole(match, finding, table)
            # Something half done after moves that nobody confirmed may be the rest of the last of them, and of no other.
            half = half or finding
        else:
            doubts.append((again, finding))
    if half is not None:
        denied = next((found for again, found in doubts if not again and found.kind == "illegal"), None)
        whole = _whole(match, half, table)
        return whole if denied is None else replace(denied, kept=whole.links)
    order = ((False, ("ask", "illegal")), (True, ("fits",)), (True, ("ask",)), (True, ("illegal",)))
    for told, kinds in order:
        for again, finding in doubts:
            if again is told and finding.kind in kinds:
                return _whole(match, finding, table) if finding.kind == "fits" else finding
    return Finding("lost", links, turned_down=turned_down)


def _begins(steps: tuple[Step, ...], fell: tuple[Link, ...]) -> int:
    """How many steps an explanation has in common with the beginning of what falls away with it."""
    told = [step for one in fell for step in one.steps]
    return next(
        (at for at, pair in enumerate(zip(steps, told, strict=False)) if pair[0] != pair[1]),
        min(len(steps), len(told)),
    )


def _apart(
    match: Match, links: tuple[Link, ...], table: Table, mark: Signature, rejected: frozenset[Rejected]
) -> Finding | None:
    """Two moves where one seemed to grow: what was seen since it was whole is a whole move by itself, the latest that the rules allow. While
    it may still be half done nothing is told apart."""
    form = links[-1].grown if links else None
    while form is not None:
        before = (*links[:-1], replace(form, grown=None))
        best = next(iter(form.match.game.reading.explain(form.match.state, table)), None)
        if best is not None and best.certain and best.refusal is None:
            if best.waiting or not best.moves or _is_rejected(moves(before) + best.moves, mark, rejected):
                return None
            finding = believe(match, before, best)
            return finding if finding.kind == "fits" and len(finding.links) > len(before) else None
        form = form.grown
    return None


def _fading(match: Match, links: tuple[Link, ...], table: Table) -> tuple[Link, ...]:
    """The links, those marked whose moves a table does not show that is as it should be after them: without the last of them, or the last
    few, it would be as it should be too (a sacrifice that was put away). What never shows is left out of it."""
    silent = traceless(match.game)
    kept = list(links)
    for number in range(len(kept) - 1, -1, -1):
        if kept[number].faded or all(isinstance(move, silent) for move in kept[number].moves):
            continue
        head = kept[number - 1].match if number else match
        offered = head.game.reading.explain(head.state, table)
        if not offered or offered[0].moves or offered[0].waiting:
            break
        kept[number] = replace(kept[number], faded=True)
    return tuple(kept)


def _retold(found: Explanation, fell: tuple[Link, ...], silent: tuple[type[Move], ...]) -> bool:
    """Whether an explanation from an earlier place of the chain tells moves again that fall away with it, and so denies
    what was seen: that they were made in this order, with nothing else before them.

    The first of them alone says less than the place after it did, also when somebody else is to have made it after something that was
    seen later. A later one may follow on others only when these are for certain another reading of the same kinds of moves. What leaves no
    trace goes with the move that is shown.
    """
    told = _shown(found, silent)
    gone = [one.move for one in fell]
    later = [move for move in found.moves[1:] if move in told]
    if gone and any(replace(one, player=gone[0].player) == gone[0] for one in later):
        return True
    for number, move in enumerate(gone):
        if move in told:
            before = told[: told.index(move)]
            if not number or not found.certain or _kinds(before) != _kinds(gone[:number]):
                return True
    return False


def _shown(found: Explanation, silent: tuple[type[Move], ...]) -> list[Move]:
    """The moves of an explanation that stand on the display, one for each link."""
    parts = ([step for step in part if isinstance(step, Move)] for part in split(found.steps, silent))
    return [moves[-1] for moves in parts if moves]


def _kinds(made: Sequence[Move]) -> list[tuple[type[Move], int]]:
    return [(type(move), move.player) for move in made]


def _whole(match: Match, finding: Finding, table: Table) -> Finding:
    """A finding that fits, with all that the table shows besides."""
    return finding if finding.full else _with_facts(match, finding, table)


def _is_rejected(path: tuple[Move, ...], mark: Signature, rejected: frozenset[Rejected]) -> bool:
    return any(no.table == mark and no.path and path[: len(no.path)] == no.path for no in rejected)
