"""A judge who knows where every tile lies, and shares no code with the referee.

Written from the rulebook alone and by brute force: it lists every legal step there is and looks whether any sequence of
them could have led to the table that a perfect reader sees. It says of what hands did whether it was

- ``legal``: the acts themselves follow the rules;
- ``refutable``: they do not, and no legal sequence shows the same tables;
- ``untraceable``: they do not, but a legal sequence shows the very same tables, so no referee can know.

It judges the default rulings, and the options that are given to ``Situation.start``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from engines.dealing import Act, Placed
from engines.game import Move
from engines.table import Cell
from engines.tanis.moves import Excavator, Expert, Explorer, Shift, Take
from tests.perfect_reader import TrueTable

Verdict = Literal["legal", "refutable", "untraceable"]
Stage = Literal["start", "explorer", "excavator", "first", "second"]

TILE_ZONES = ("tiles-1", "tiles-2")
CARD_ZONES = ("cards-1", "cards-2")
COLOURS = ("blue", "red")
WAYS: dict[str, Cell] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
UNFINISHED = {"explorer": "C8", "excavator": "C11", "first": "T29", "second": "T29"}
LAGGING = ("explorer", "excavator")
"""Cards that may be put away a little before or after their action; the Expert is declared by it."""


@dataclass(frozen=True)
class Situation:
    """The true table, whose turn it is and in which part of it, and the cards the record says are unused."""

    true: TrueTable
    to_move: int
    stage: Stage = "start"
    sign: str | None = None
    cards: tuple[tuple[int, int, int], tuple[int, int, int]] = ((3, 2, 1), (3, 2, 1))
    """Per seat: Explorers, Excavators, Experts."""
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def start(
        cls, placed: Iterable[Placed], first: int, options: Mapping[str, str] | None = None
    ) -> Situation:
        return cls(TrueTable.from_setup(placed), first, options=tuple(sorted((options or {}).items())))

    def option(self, name: str) -> bool:
        return (name, "yes") in self.options

    def left(self, kind: str, seat: int) -> int:
        return self.cards[seat][("explorer", "excavator", "expert").index(kind)]

    def spent(self, kind: str) -> Situation:
        """With one card of the player to move used and gone from the table."""
        index = ("explorer", "excavator", "expert").index(kind)
        hands = [list(hand) for hand in self.cards]
        hands[self.to_move][index] -= 1
        cards = (tuple(hands[0]), tuple(hands[1]))
        return replace(self, cards=cards)  # type: ignore[arg-type]


def whole(true: TrueTable) -> list[str]:
    """Tiles of the dig on which nothing lies."""
    tops = true.tops()
    return [tile for tile, lying in true.dig if all(tops[cell] == lying.level for cell in lying.cells)]


def why(now: Situation, move: Move) -> str | None:
    """The number of the rule that a move breaks, or None when it is legal."""
    if not now.true.dig:
        return "E1"
    if move.player != now.to_move:
        return UNFINISHED.get(now.stage, "G2")
    if not isinstance(move, Take):
        if now.stage != "start":
            return "T8"
        kind = (
            "expert"
            if isinstance(move, Expert)
            else "excavator"
            if isinstance(move, Excavator)
            else "explorer"
        )
        if not now.left(kind, move.player):
            return "C1"
    if isinstance(move, Explorer | Excavator) and not move.tile:
        return "T14" if isinstance(move, Explorer) else "C9"
    if isinstance(move, Expert):
        return "T28" if len(now.true.dig) < 2 and not now.option("expert_on_last_tile") else None
    assert isinstance(move, Take | Excavator | Explorer | Shift)
    if move.tile not in now.true.tiles:
        return "G4"
    if move.tile not in whole(now.true):
        return "T9"
    if isinstance(move, Take):
        return "T27" if now.stage == "second" and move.tile.split("-")[0] == now.sign else None
    if isinstance(move, Excavator):
        return "T24" if len(now.true.dig) < 2 else None
    if isinstance(move, Shift):
        return "T15"
    return _slide_fault(now, move)


def _slide_fault(now: Situation, move: Explorer) -> str | None:
    if move.steps < 1:
        return "T14"
    lying = now.true.tiles[move.tile]
    if lying.level == 1 and not now.option("floor_supports"):
        return "T18"
    others = {tile: other for tile, other in now.true.tiles.items() if tile != move.tile}
    tops: dict[Cell, int] = {}
    for other in others.values():
        for cell in other.cells:
            tops[cell] = max(tops.get(cell, 0), other.level)
    dx, dy = WAYS[move.direction]
    for step in range(1, move.steps + 1):
        cells = [(c + dx * step, r + dy * step) for c, r in lying.cells]
        if not all(0 <= c < 4 and 0 <= r < 5 for c, r in cells):
            return "T19"
        under = [tops.get(cell, 0) for cell in cells]
        if max(under) >= lying.level:
            return "T19"
        if min(under) < lying.level - 1:
            return "T17"
    return None


def step(now: Situation, move: Move) -> Situation:
    """The situation after a legal move; a played card is put away at once."""
    seat = move.player
    card = f"{COLOURS[seat]}-"
    if isinstance(move, Take):
        true = now.true.after(Act(move.tile, "dig", TILE_ZONES[seat]))
        after = replace(now, true=true, to_move=1 - seat, stage="start", sign=None)
        if now.stage != "first":
            return after
        sign = move.tile.split("-")[0]
        if any(tile.split("-")[0] != sign for tile in whole(true)):
            return replace(after, to_move=seat, stage="second", sign=sign)
        return after
    if isinstance(move, Expert):
        true = _put_away(now.true, card + "expert", seat)
        return replace(now.spent("expert"), true=true, stage="first")
    if isinstance(move, Excavator):
        true = _put_away(now.true, card + "excavator", seat).after(Act(move.tile, "dig", "removed"))
        return replace(now.spent("excavator"), true=true, stage="excavator")
    assert isinstance(move, Explorer)
    lying = now.true.tiles[move.tile]
    dx, dy = WAYS[move.direction]
    (a, b), (c, d) = lying.cells
    n = move.steps
    cells = (a + dx * n, b + dy * n), (c + dx * n, d + dy * n)
    true = _put_away(now.true, card + "explorer", seat)
    true = true.after(Act(move.tile, "dig", "dig", cells, lying.level))
    return replace(now.spent("explorer"), true=true, stage="explorer")


def _put_away(true: TrueTable, card: str, seat: int) -> TrueTable:
    zone = CARD_ZONES[seat]
    return true.after(Act(card, zone, None)) if card in true.pile(zone) else true


def judge(now: Situation, stages: Sequence[Sequence[Act]], most: int = 4) -> Verdict:
    """What to think of acts that were seen stage by stage (a settled picture after each), from a known situation.

    ``most`` bounds the steps of a legal sequence between two pictures.
    """
    if _honest(now, [act for acts in stages for act in acts]):
        return "legal"
    true = now.true
    believed = [now]
    for acts in stages:
        true = true.after(*acts)
        believed = [after for before in believed for after in _reach(before, true, most)]
        if not believed:
            return "refutable"
    return "untraceable"


def _honest(now: Situation, acts: Sequence[Act]) -> bool:
    """Whether the acts, one by one as they were done, are legal steps."""
    declared = ""  # an Explorer or Excavator that was put away and has to act before a tile is taken
    for act in acts:
        move = _meaning(now, act)
        if isinstance(move, Take) and declared == "explorer" and now.option("explorer_may_stay"):
            declared = ""
        if isinstance(move, Explorer | Excavator) and declared == type(move).__name__.lower():
            declared = ""
        if declared:
            return False
        if move == "card":
            seat = CARD_ZONES.index(act.source)
            kind = act.piece.split("-")[1]
            if seat != now.to_move or now.stage != "start" or not now.left(kind, seat):
                return False
            if kind == "expert":
                if why(now, Expert(seat)):
                    return False
                now = step(now, Expert(seat))
            else:
                declared = kind
                now = replace(now, true=now.true.after(act))
        elif not isinstance(move, Move) or why(now, move):
            return False
        else:
            now = step(now, move)
    return True


def _meaning(now: Situation, act: Act) -> Move | Literal["card"] | None:
    if act.source in CARD_ZONES and act.target is None:
        return "card"
    if act.source != "dig":
        return None
    if act.target in TILE_ZONES:
        return Take(TILE_ZONES.index(act.target), act.piece)
    if act.target == "removed":
        return Excavator(now.to_move, act.piece)
    lying = now.true.tiles.get(act.piece)
    if act.target != "dig" or lying is None or lying.level != act.level:
        return None
    (a, b), (c, d) = lying.cells
    (e, f), (g, h) = act.cells
    for way, (dx, dy) in WAYS.items():
        for steps in range(1, 5):
            if (e, f, g, h) == (a + dx * steps, b + dy * steps, c + dx * steps, d + dy * steps):
                return Explorer(now.to_move, act.piece, way, steps)  # type: ignore[arg-type]
    return Shift(now.to_move, act.piece, (e, f), (g, h))


def _reach(now: Situation, target: TrueTable, most: int) -> Iterator[Situation]:
    """Every situation that legal steps lead to and that looks like the target."""
    wanted = _look(target)
    seen: set[Situation] = set()

    def walk(here: Situation, steps: int) -> Iterator[Situation]:
        if here in seen:
            return
        seen.add(here)
        if _look(here.true) == wanted and _cards_fit(here, target):
            yield here
        if steps < most:
            for move in _moves_towards(here, target):
                yield from walk(step(here, move), steps + 1)

    yield from walk(now, 0)


def _moves_towards(here: Situation, target: TrueTable) -> Iterator[Move]:
    """The legal moves, but for those that the target's piles and cards show were not made."""
    seat = here.to_move
    goal = target.tiles
    moves: list[Move] = []
    zone = f"{COLOURS[seat]}-"
    lies = Counter(target.pile(CARD_ZONES[seat]))
    for tile in whole(here.true):
        if tile in target.pile(TILE_ZONES[seat]):
            moves.append(Take(seat, tile))
        if tile in target.pile("removed"):
            moves.append(Excavator(seat, tile))
        if here.stage != "start":
            continue
        for way in WAYS:
            for steps in range(1, 5):
                move = Explorer(seat, tile, way, steps)  # type: ignore[arg-type]
                if why(here, move):
                    break
                ends = step(here, move).true.tiles[tile]
                away = lies[zone + "explorer"] < here.left("explorer", seat)
                if goal.get(tile, ends if away else None) == ends:
                    moves.append(move)
    if lies[zone + "expert"] < here.left("expert", seat):
        moves.append(Expert(seat))
    return (move for move in moves if why(here, move) is None)


def _look(true: TrueTable) -> object:
    """What a perfect reader sees, but for the cards."""
    tops = true.tops()
    dig = []
    for tile, lying in true.dig:
        number, sign = (tops[cell] == lying.level for cell in lying.cells)
        if number or sign:
            name, _, figure = tile.partition("-")
            dig.append((lying.cells, lying.level, figure if number else "", name if sign else ""))
    return frozenset(dig), tuple(true.pile(zone) for zone in (*TILE_ZONES, "removed"))


def _cards_fit(here: Situation, target: TrueTable) -> bool:
    """Whether the cards on the table can go with a situation: Explorer and Excavator may be put away a little late, or
    a little early by the player whose turn begins."""
    for seat, zone in enumerate(CARD_ZONES):
        lies = Counter(name.split("-")[1] for name in target.pile(zone))
        if lies["expert"] != here.left("expert", seat):
            return False
        for kind in LAGGING:
            early = here.left(kind, seat) - lies[kind]
            if early > (1 if seat == here.to_move and here.stage == "start" else 0):
                return False
    return True


__all__ = ["Situation", "Verdict", "judge", "step", "whole", "why"]
