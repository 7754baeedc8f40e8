"""Which moves explain a change.

A small search: at each node only such moves are tried as account for a piece of the evidence (a tile that came
to a pile, a tile that slid, a card put away, a tile that vanished), the rules say of each whether it is legal, and
whatever accounts for everything is ranked by what it leaves unexplained. A legal table may still be a misread
one, so nothing here decides: the ranking proposes, the players confirm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.game import Explanation, Move, Refusal, Step, WrongReveal
from engines.table import Cell, Table
from engines.tanis import rules
from engines.tanis.evidence import LIKELY_GONE, OUT, Arrival, Evidence, Sight, gather, standing
from engines.tanis.expect import NUMBER_OF, SIGN_OF, agrees, cards_left, height, on_top
from engines.tanis.knowledge import spots
from engines.tanis.moves import Direction, Excavator, Expert, Explorer, Shift, Take, Uncovered, card_alone
from engines.tanis.state import DigTile, TanisState
from engines.tanis.zones import COLOURS, inside

MOST_MOVES = 6
"""A whole action card and a few single takes; more than that between two pictures is a desync."""
MOST_NODES = 400
MOST_EXPLANATIONS = 6

WAITING = {"explorer": "Explorer: slide a tile", "excavator": "Excavator: remove a tile"}

# What an explanation costs; the cheapest comes first. Only the order of the sums matters.
PER_MOVE = 0.1
MID_TURN = 0.5  # whole turns are likelier than half ones
CARD_STILL_THERE = 0.6  # a slid or removed tile says more than a card nobody put away
CARD_UNUSED = 2.0  # but a card that was put away was put away for something
FOR_NOTHING = 1.8  # less likely than a slide nobody saw, likelier than a card that is away for no reason
OUT_OF_TURN = 0.2  # nothing but the other player's card has changed
UNDECLARED = 12.0  # two takes with the Expert still lying there: it had to be declared first
WRONG_SEAT = 12.0  # one player's card is away, the other's action seen
UNSEEN_SLIDE = 1.5  # an Explorer card was put away and the tile that slid was then taken
UNLIKELY = 12.0  # a tile exactly beneath another, which the set-up forbids
UNSURE = 3.0
UNACCOUNTED = 2.5
ILLEGAL = 10.0
TOO_CLOSE = (
    0.05  # two explanations this close with different results are both shown as possible, none as certain
)

CARD_OF: dict[type, str] = {
    Explorer: "explorer",
    Shift: "explorer",
    Excavator: "excavator",
    Expert: "expert",
}
DIRECTIONS: dict[Cell, Direction] = {(1, 0): "right", (-1, 0): "left", (0, 1): "down", (0, -1): "up"}


@dataclass(frozen=True, slots=True)
class _Node:
    state: TanisState
    arrivals: tuple[Arrival, ...]
    slid: tuple[tuple[DigTile, tuple[Cell, Cell]], ...]
    vanished: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    moves: int = 0
    cost: float = 0.0
    certain: bool = True

    @property
    def left(self) -> int:
        return len(self.arrivals) + len(self.slid)


@dataclass(frozen=True, slots=True)
class _Try:
    """A move to try, with the reveals before it and the node it leads to but for state and steps."""

    move: Move
    after: _Node
    reveals: tuple[Uncovered, ...] = ()


def explain(state: TanisState, table: Table) -> tuple[Explanation, ...]:
    """What may have happened since ``state``, likeliest first; empty when nothing fits (desync).

    Legal explanations that account for all that happened come first; an illegal one ends with the refused move.
    """
    evidence = gather(state, table)
    vanished = tuple(tile.tile for tile in evidence.vanished if tile.tile)
    root = _Node(state, evidence.arrivals, evidence.slid, vanished)
    ranked: dict[tuple[Step, ...], _Ranked] = {}
    search = _Search(state, evidence, table)
    for found in search.run(root):
        known = ranked.get(found.explanation.steps)
        if known is None or found.cost < known.cost:
            ranked[found.explanation.steps] = found
    best = sorted(ranked.values(), key=lambda found: found.cost)
    if not best:
        return ()
    first = best[0]
    rivals = any(
        other.state != first.state
        and other.cost < first.cost + TOO_CLOSE
        and other.explanation.refusal is None
        for other in best[1:]
    )
    if rivals and first.explanation.refusal is None:
        best[0] = replace(first, explanation=replace(first.explanation, certain=False))
    limit = first.cost + ILLEGAL + UNACCOUNTED
    return tuple(found.explanation for found in best if found.cost <= limit)[:MOST_EXPLANATIONS]


@dataclass(frozen=True, slots=True)
class _Ranked:
    """An explanation, what it costs, and the state it leads to."""

    cost: float
    explanation: Explanation
    state: TanisState


class _Search:
    """The search below one pair of evidence and table; ``nodes`` bounds it."""

    def __init__(self, start: TanisState, evidence: Evidence, table: Table) -> None:
        self.start = start
        self.evidence = evidence
        self.sight = Sight.of(table)
        self.nodes = 0
        self.here = {tile for tile, place in evidence.places if place in ("here", "turned", "covered")}
        self.loose = tuple(tile for tile, place in evidence.places if place in LIKELY_GONE)

    def run(self, root: _Node) -> Iterator[_Ranked]:
        if not root.left:
            yield from self.nothing(root)
        yield from self.walk(root)

    def nothing(self, root: _Node) -> Iterator[_Ranked]:
        """Nothing moved: the table is as it was, or a card says what is to come, or nothing fits."""
        evidence, seat = self.evidence, root.state.to_move
        if root.vanished:
            cost = (
                UNSURE + MID_TURN + UNACCOUNTED * (len(root.vanished) - 1) + standing(root.state, self.sight)
            )
            yield _Ranked(cost, Explanation(certain=False), root.state)
            return
        if evidence.strayed or evidence.back or evidence.riddles:
            return
        away = evidence.cards_away[seat] if root.state.stage == "start" else ()
        if evidence.drifted and "explorer" in away:
            return
        waiting = next((WAITING[card] for card in away if card in WAITING), "")
        cost = standing(root.state, self.sight) + max(map(self.unused, away), default=0.0)
        early = self.early(root.state)
        if early is not None:
            # Players who say that nobody put it away are still told that it is not there.
            waiting, cost = f"{COLOURS[1 - seat]}: no {early.capitalize()}", cost + CARD_UNUSED
            played = self.unfit(root, card_alone(1 - seat, early), OUT_OF_TURN)
            if played is not None:
                yield played
        yield _Ranked(cost, Explanation(waiting=waiting), root.state)

    def early(self, state: TanisState) -> str | None:
        """The card that the player who is not to move has put away, and nothing else was done."""
        seat = state.to_move
        begun = state.stage == "start" and bool(state.dig)
        return self.evidence.cards_gone[1 - seat] if begun and not self.evidence.cards_away[seat] else None

    def unfit(self, node: _Node, move: Move, cost: float) -> _Ranked | None:
        """A card put away for nothing, if the rules refuse it: what the table shows could not be said more plainly."""
        refusal = rules.refusal(node.state, move)
        if refusal is None:
            return None
        return _Ranked(
            node.cost + PER_MOVE * node.moves + cost,
            Explanation((*node.steps, move), refusal, again=True),
            node.state,
        )

    def walk(self, node: _Node) -> Iterator[_Ranked]:
        yield from self.for_nothing(node)
        if node.moves and not node.left:
            yield _Ranked(self.price(node), Explanation(node.steps, certain=node.certain), node.state)
        if node.moves + max(1, node.left) > MOST_MOVES:
            return
        for attempt in self.tries(node):
            self.nodes += 1
            if self.nodes > MOST_NODES:
                return
            state = node.state
            try:
                for reveal in attempt.reveals:
                    state = rules.apply(state, reveal)
            except WrongReveal:
                continue
            steps = (*node.steps, *attempt.reveals, attempt.move)
            after = replace(attempt.after, steps=steps, moves=node.moves + 1)
            refusal = rules.refusal(state, attempt.move)
            if refusal is not None:
                yield self.refused(replace(after, state=state), refusal)
            else:
                yield from self.walk(replace(after, state=rules.apply(state, attempt.move)))

    def price(self, node: _Node) -> float:
        """What a legal explanation leaves open."""
        cost = node.cost + PER_MOVE * node.moves + UNACCOUNTED * len(node.vanished)
        if not node.certain:
            cost += UNSURE
        if node.state.stage != "start":
            cost += MID_TURN
        return cost + standing(node.state, self.sight) + self.cards(node.state)

    def refused(self, node: _Node, refusal: Refusal) -> _Ranked:
        cost = node.cost + PER_MOVE * node.moves + ILLEGAL + (0.0 if node.certain else UNSURE)
        cost += UNACCOUNTED * (len(node.vanished) + 2 * node.left)
        cost += self.cards(node.state, node.steps[-1])
        alone = isinstance(node.steps[-1], Expert)  # declared by its card and by nothing else
        found = Explanation(node.steps, refusal, certain=node.certain, again=alone)
        return _Ranked(cost, found, node.state)

    def cards(self, state: TanisState, refused: Step | None = None) -> float:
        """What the cards on the table say against a state, and against a refused move that would have used one."""
        played = (getattr(refused, "player", None), CARD_OF.get(type(refused)))
        cost = 0.0
        for card in cards_left(state.cards[0]):
            over, unused = [], []
            for seat, read in enumerate(self.evidence.cards_read):
                if not read:
                    continue
                used = cards_left(self.start.cards[seat])[card] - cards_left(state.cards[seat])[card]
                used += played == (seat, card)
                away = self.evidence.cards_away[seat].count(card)
                over.append(max(0, used - away))
                unused.append(max(0, away - used))
            cost += (UNDECLARED if card == "expert" else CARD_STILL_THERE) * sum(over)
            cost += self.unused(card) * sum(unused) + (WRONG_SEAT if any(over) and any(unused) else 0.0)
        return cost

    @staticmethod
    def unused(card: str) -> float:
        """What it says against a state that a card was put away for nothing: putting away the Expert is the declaration itself."""
        return UNDECLARED if card == "expert" else CARD_UNUSED

    def tries(self, node: _Node) -> Iterator[_Try]:
        """The moves that account for something, of the player to move; of the other one only what is out of turn."""
        seat, starting = node.state.to_move, node.state.stage == "start"
        mine = [arrival for arrival in node.arrivals if arrival.pile == seat]
        away = self.evidence.cards_away
        passed = node.state.stage == "second of expert"  # the turn may have ended for want of another sign
        if starting:
            yield from self.experts(node, len(mine))
            if mine and not node.slid and "explorer" in away[seat]:
                yield from self.stays(node)
                yield from self.unseen_slides(node)
        for arrival in node.arrivals:
            if arrival.pile == 1 - seat and mine and not passed:
                continue
            yield from self.arrival(node, arrival, seat if arrival.pile == OUT else arrival.pile)
            if arrival.pile == OUT and (passed or "excavator" in away[1 - seat]):
                yield from self.arrival(node, arrival, 1 - seat)
        for tile, cells in node.slid:
            movers = (seat, 1 - seat) if passed or "explorer" in away[1 - seat] else (seat,)
            after = replace(node, slid=tuple(pair for pair in node.slid if pair[0] != tile))
            for mover in movers:
                yield _Try(slide(mover, tile, cells), after)
        for tile, identity, cells in self.evidence.drifted:
            if tile not in node.state.dig:
                continue
            number, sign = NUMBER_OF[identity], SIGN_OF[identity]
            known = replace(tile, number=number, sign=sign)
            # A half that is still covered cannot be revealed; the rules then refuse the slide.
            free = on_top(node.state, tile)
            reveals = (Uncovered(tile.number_cell, tile.sign_cell, number, sign),) if free else ()
            for mover in (seat, 1 - seat) if passed else (seat,):
                yield _Try(slide(mover, known, cells), node, reveals)
        for vanished in node.vanished:
            after = replace(node, vanished=_without(node.vanished, vanished), certain=False)
            yield _Try(Take(seat, vanished), after)
            if starting:
                yield _Try(Excavator(seat, vanished), replace(after, cost=after.cost + PER_MOVE))

    def experts(self, node: _Node, mine: int) -> Iterator[_Try]:
        seat = node.state.to_move
        declared = "expert" in self.evidence.cards_away[seat]
        if node.state.cards[seat].expert and (declared or mine + len(node.vanished) > 1):
            yield _Try(Expert(seat), node)
        if "expert" in self.evidence.cards_away[1 - seat] and not node.left:
            yield _Try(Expert(1 - seat), node)

    def stays(self, node: _Node) -> Iterator[_Try]:
        """An Explorer card was put away and a tile taken without a slide, where the options allow that: as good as saying so."""
        for arrival in node.arrivals:
            move = Explorer(node.state.to_move, arrival.options[0], "right", 0)
            if rules.refusal(node.state, move) is None:
                yield _Try(move, node)
                return

    def for_nothing(self, node: _Node) -> Iterator[_Ranked]:
        """An Explorer or Excavator was put away and a tile taken, and for certain nothing was slid or removed."""
        state, seat = node.state, node.state.to_move
        card = self.evidence.cards_gone[seat]
        if card not in WAITING or state.stage != "start" or len(node.arrivals) != 1 or self.doubtful(node):
            return
        (arrival,) = node.arrivals
        tile = arrival.options[0]
        known = any(place.tile == tile and on_top(state, place) for place in state.dig)
        slides = (Explorer(seat, tile, way, 1) for way in DIRECTIONS.values())
        unseen = card == "explorer" and any(rules.refusal(state, slide) is None for slide in slides)
        if arrival.pile == seat and arrival.sure and known and not unseen:
            played = self.unfit(node, card_alone(seat, card), FOR_NOTHING)
            if played is not None:
                yield played

    def doubtful(self, node: _Node) -> bool:
        """Whether anything but tiles that came to their piles differs, so that a slide or removal may have been overlooked."""
        evidence = self.evidence
        came = {arrival.options[0] for arrival in evidence.arrivals}
        still = all(place == "here" for tile, place in evidence.places if tile.tile not in came)
        odd = (node.slid, node.vanished, evidence.slid, evidence.drifted, evidence.riddles, evidence.strayed)
        more = (evidence.back, evidence.missing, evidence.cards_away[1 - node.state.to_move])
        return not (still and self.sight.read) or any(odd) or any(more)

    def unseen_slides(self, node: _Node) -> Iterator[_Try]:
        """An Explorer card was put away and a tile taken, but none lies elsewhere: one that was taken may have slid before."""
        after = replace(node, cost=node.cost + UNSEEN_SLIDE - UNSURE, certain=False)
        seat = node.state.to_move
        for arrival in node.arrivals:
            for way in DIRECTIONS.values():
                move = Explorer(seat, arrival.options[0], way, 1)
                if rules.refusal(node.state, move) is None:
                    yield _Try(move, after)

    def arrival(self, node: _Node, arrival: Arrival, mover: int) -> Iterator[_Try]:
        """The take or the removal that brought a tile to its pile, for each tile it may be."""
        rest = tuple(other for other in node.arrivals if other is not arrival)
        for rank, tile in enumerate(arrival.options):
            move: Move = Excavator(mover, tile) if arrival.pile == OUT else Take(mover, tile)
            for reveals, cost, sure in self.placings(node.state, tile):
                gone = {known.tile for known in node.state.dig for r in reveals if known.cells == _cells(r)}
                yield _Try(
                    move,
                    replace(
                        node,
                        arrivals=rest,
                        vanished=tuple(v for v in node.vanished if v != tile and v not in gone),
                        cost=node.cost + cost + rank * 0.5,
                        certain=node.certain and sure and rank == 0 and arrival.sure,
                    ),
                    reveals,
                )

    def placings(self, state: TanisState, tile: str) -> Iterator[tuple[tuple[Uncovered, ...], float, bool]]:
        """Where in the dig a tile may have lain: (what has to be revealed before it can leave, cost, sure)."""
        if any(known.tile == tile for known in state.dig):
            yield (), 0.0, True
            return
        number, sign = NUMBER_OF[tile], SIGN_OF[tile]
        free = spots(state, tile)
        found = [place for place in free if place not in self.here]
        halves = [place for place in found if place.number or place.sign]
        # No tile lies exactly under another but one that a slide has covered, and that one has been seen before.
        likely = halves or [place for place in found if not self.beneath(place)]
        for place in likely or found:
            reveal = Uncovered(place.number_cell, place.sign_cell, number, sign)
            cost = 0.0 if halves else 0.5 if likely else UNLIKELY
            yield (reveal,), cost, len(likely or found) == 1
        if not found:
            covered = any(known.tile is None and agrees(tile, known) for known in state.dig)
            # What lies free and could have been this tile is still there: the table says what it is instead.
            yield self.others(free), 0.3 if covered else 1.0, covered
        elif not likely:
            yield from self.half_covered(state, found, number)
        for known in self.loose:
            if known in state.dig and known.tile and on_top(state, known):
                yield (Uncovered(*known.cells, number, sign, correction=True),), 2.0, False

    def beneath(self, place: DigTile) -> bool:
        """Whether a tile at this place would have lain exactly under one that was there at the start."""
        return any(
            set(tile.cells) == set(place.cells) and tile.level == place.level + 1 for tile in self.start.dig
        )

    def others(self, places: tuple[DigTile, ...]) -> tuple[Uncovered, ...]:
        """What lies at these places of the dig, where it was read completely."""
        read = {piece.cells: piece.identity for piece in self.sight.pieces if piece.identity}
        return tuple(
            Uncovered(place.number_cell, place.sign_cell, NUMBER_OF[name], SIGN_OF[name])
            for place in places
            if (name := read.get(place.cells)) is not None and name in NUMBER_OF
        )

    def half_covered(
        self, state: TanisState, found: list[DigTile], number: int
    ) -> Iterator[tuple[tuple[Uncovered, ...], float, bool]]:
        """A tile may have been pulled out of which the moves before had uncovered only a half."""
        for place in found:
            for cell in place.cells:
                for dx, dy in DIRECTIONS:
                    other = cell[0] + dx, cell[1] + dy
                    if inside(cell, other) and height(state, other) > place.level:
                        yield (Uncovered(cell, other, number, None),), 0.5, True
                        return


def slide(seat: int, tile: DigTile, cells: tuple[Cell, Cell]) -> Move:
    """The move that brings a tile to other cells: an Explorer's slide, or a crooked one that only the refusal knows."""
    (a, b), (c, d) = tile.cells
    (e, f), (g, h) = cells
    across, down = e - a, f - b
    name = tile.tile or ""
    if (g - c, h - d) != (across, down) or (across and down):
        return Shift(seat, name, *cells)
    steps = abs(across) + abs(down)
    return Explorer(seat, name, DIRECTIONS[across // steps, down // steps], steps)


def _cells(reveal: Uncovered) -> tuple[Cell, Cell]:
    return reveal.number_cell, reveal.sign_cell


def _without(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(other for other in names if other != name)
