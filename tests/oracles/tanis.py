"""The exact oracle of Tanis: digs of which at most twelve tiles are left, and every way they may lie.

What is hidden in Tanis lies beneath: which tile it is, on which cells, and which way round. Sometimes the table has not told
yet what was just uncovered, so that something on top is unknown as well. The judge (tests/oracle.py) shares no code with the
referee; it is asked about the move in each of those worlds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.game import Move
from engines.table import Cell
from engines.tanis import rules
from engines.tanis.dealing import TanisWorld, deal
from engines.tanis.moves import Excavator, Expert, Explorer, Take, Uncovered
from engines.tanis.state import TanisState
from tests.oracle import Situation, step, whole, why
from tests.perfect_reader import Lying, TrueTable

Pair = tuple[str, str, bool, bool]
"""(the record so far, the step, whether it is refused, whether some world allows it)."""

MOST = 12
"""Tiles left in the dig."""
WORLDS = 150
"""A dig that may lie in more ways is not asked about: one move later it may."""
ASKED = 14
"""Moves that are asked about in one state."""
WITHHELD = 0.3
"""How often one uncovered tile is told only after the questions."""
WAYS = ("left", "right", "up", "down")


@dataclass(frozen=True)
class Fact:
    """A tile of the dig of which a half or more has been seen: where it lies, and what is known of it."""

    cells: tuple[Cell, Cell]
    level: int
    number: str
    sign: str

    def fits(self, tile: str) -> bool:
        sign, number = tile.split("-")
        return self.number in ("", number) and self.sign in ("", sign)


class Game:
    """A game as the judge and as the referee sees it; the judge keeps what was ever seen of each tile."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"tanis oracle {seed}")
        self.options = {
            "packing": self.rng.choice(("brick", "random")),
            "floor_supports": self.rng.choice(("no", "yes")),
            "expert_on_last_tile": self.rng.choice(("no", "yes")),
        }
        first = self.rng.randrange(2)
        self.world: TanisWorld = deal(seed, 2, first, self.options, style="random")
        self.now = Situation.start(self.world.setup(), first, self.options)
        self.told = f"seed {seed}, {self.options}, player-{first + 1} begins"
        self.seen: dict[str, tuple[bool, bool]] = {}
        self.before = (False, False)
        """What was known before of the tile that is not told yet."""
        self._look()

    def _look(self) -> None:
        tops = self.now.true.tops()
        for tile, lying in self.now.true.dig:
            number, sign = (tops[cell] == lying.level for cell in lying.cells)
            before = self.seen.get(tile, (False, False))
            self.seen[tile] = before[0] or number, before[1] or sign

    def play(self) -> tuple[TanisState, str] | None:
        """One more move; gives the state before the last of the tiles it uncovered is told, if it uncovers one, and that tile."""
        move = self.world.pick(self.rng)
        self.told += f"; {move.player + 1}. {rules.format(move)}"
        known = dict(self.seen)
        before = rules.apply(self.world.state, move)
        facts = self.world.play(move)
        self.now = step(self.now, move)
        self._look()
        if not facts:
            return None
        for fact in facts[:-1]:
            before = rules.apply(before, fact)
        last = facts[-1]
        assert isinstance(last, Uncovered)
        cells = (last.number_cell, last.sign_cell)
        tile = next(tile for tile, lying in self.now.true.dig if lying.cells == cells and self._on_top(tile))
        self.before = known.get(tile, (False, False))
        return before, tile

    def _on_top(self, tile: str) -> bool:
        lying, tops = self.now.true.tiles[tile], self.now.true.tops()
        return any(tops[cell] == lying.level for cell in lying.cells)

    def facts(self, untold: str = "") -> list[Fact]:
        """What everybody knows of the dig; of the tile that is not told yet only what was known before."""
        found = []
        for tile, lying in self.now.true.dig:
            number, sign = self.before if tile == untold else self.seen[tile]
            if number or sign:
                name, figure = tile.split("-")
                found.append(Fact(lying.cells, lying.level, figure if number else "", name if sign else ""))
        return found


def worlds(true: TrueTable, facts: list[Fact], most: int) -> list[TrueTable] | None:
    """Every way the tiles that are left may lie, by the heights of the dig and the facts; None when there are more than ``most``."""
    heights = true.tops()
    open_cells = {(cell, level) for cell, height in heights.items() for level in range(1, height + 1)} - {
        (cell, fact.level) for fact in facts for cell in fact.cells
    }
    tiles = [tile for tile, _ in true.dig]
    found: list[TrueTable] = []
    for places in _fillings(sorted(open_cells, key=lambda place: (place[1], place[0]))):
        for names in _names(sorted([*facts, *places], key=lambda fact: -len(fact.number + fact.sign)), tiles):
            dig = {name: Lying(fact.cells, fact.level) for fact, name in names.items()}
            found.append(TrueTable(tuple(sorted(dig.items())), true.loose))
            if len(found) > most:
                return None
    return found


def _fillings(cells: list[tuple[Cell, int]]) -> Iterator[list[Fact]]:
    """Every way to lay tiles on these cells, each both ways round."""
    if not cells:
        yield []
        return
    (first, level), *others = cells
    for other, height in others:
        if height == level and abs(other[0] - first[0]) + abs(other[1] - first[1]) == 1:
            rest = [place for place in others if place != (other, height)]
            for filling in _fillings(rest):
                yield [Fact((first, other), level, "", ""), *filling]
                yield [Fact((other, first), level, "", ""), *filling]


def _names(facts: list[Fact], tiles: list[str]) -> Iterator[dict[Fact, str]]:
    """Every way to give each place one of the tiles."""
    if not facts:
        yield {}
        return
    for tile in tiles:
        if facts[0].fits(tile):
            for names in _names(facts[1:], [other for other in tiles if other != tile]):
                yield {facts[0]: tile, **names}


def candidates(game: Game) -> list[Move]:
    """Moves of the tiles that are left, most of them of such as lie on top, by the player whose turn it is or not."""
    rng, now = game.rng, game.now
    left = [tile for tile, _ in now.true.dig]
    seen = whole(now.true)
    found: list[Move] = [Expert(now.to_move)]
    for tile in left:
        found += [Take(now.to_move, tile), Excavator(now.to_move, tile)]
    for tile in (*seen, *rng.sample(left, min(len(left), 3))):
        found += [Explorer(now.to_move, tile, way, n) for way in WAYS for n in range(4)]  # type: ignore[arg-type]
    gone = [tile for zone in ("tiles-1", "tiles-2", "removed") for tile in now.true.pile(zone)]
    found += [Take(now.to_move, rng.choice(gone)), Take(1 - now.to_move, rng.choice(left))]
    true = [move for move in found if why(now, move) is None]
    others = [move for move in found if move not in true]
    return [move for some in (true, others) for move in rng.sample(some, min(len(some), ASKED // 2))]


def _asked(game: Game, state: TanisState, untold: str) -> Iterator[Pair]:
    ways = worlds(game.now.true, game.facts(untold), WORLDS)
    if ways is None:
        return
    situations = [replace(game.now, true=way) for way in ways]
    record = f"{game.told}{f'; {untold} is not told' if untold else ''}"
    for move in candidates(game):
        possible = any(why(situation, move) is None for situation in situations)
        yield (
            record,
            f"{move.player + 1}. {rules.format(move)}",
            rules.refusal(state, move) is not None,
            possible,
        )


def pairs(seed: int, n: int) -> Iterator[Pair]:
    """``n`` pairs of a record and a move, from games that players at random play to the end."""
    made = 0
    while True:
        game = Game(seed)
        seed += 1
        while not game.world.over:
            early = game.play()
            if len(game.now.true.dig) > MOST or not game.now.true.dig:
                continue
            asked: list[Pair] = []
            if early and game.now.stage == "start" and game.rng.random() < WITHHELD:
                asked += _asked(game, *early)
            for pair in [*asked, *_asked(game, game.world.state, "")]:
                yield pair
                made += 1
                if made == n:
                    return
