"""A second, slow and plain referee for Tanis that sees everything: the one the real referee is tried against.

It shares nothing with engines/tanis but the names of moves: the dig is a set of boxes in space, and a slide is tried
unit by unit by asking what stands where.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engines.game import Move
from engines.tanis.moves import Excavator, Expert, Explorer, Take

Cell = tuple[int, int]
UNIT = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
TABLE = {0: 0, 1: 0, 2: 2, 3: 4, 4: 7, 5: 10}


@dataclass
class Truth:
    """The whole game as it truly is."""

    tiles: dict[str, tuple[Cell, Cell, int]]
    """Where each tile of the dig lies: two cells and a level."""
    first: int
    options: dict[str, str]
    player: int = -1
    phase: str = "start"
    sign: str = ""
    cards: list[dict[str, int]] = field(default_factory=list)
    collected: list[set[str]] = field(default_factory=lambda: [set(), set()])
    removed: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.player < 0:
            self.player = self.first
        if not self.cards:
            self.cards = [{"explorer": 3, "excavator": 2, "expert": 1} for _ in range(2)]

    def on(self, option: str) -> bool:
        return self.options.get(option) == "yes"

    def space(self) -> dict[tuple[int, int, int], str]:
        """Which tile fills each unit of space."""
        filled: dict[tuple[int, int, int], str] = {}
        for tile, (one, other, level) in self.tiles.items():
            for column, row in (one, other):
                assert (column, row, level) not in filled, "two tiles in one place"
                filled[column, row, level] = tile
        return filled

    def free(self, tile: str, filled: dict[tuple[int, int, int], str]) -> bool:
        """Nothing lies on the tile."""
        one, other, level = self.tiles[tile]
        return not any(
            (column, row, above) in filled for column, row in (one, other) for above in range(level + 1, 6)
        )

    def slides(self, tile: str, filled: dict[tuple[int, int, int], str]) -> list[tuple[str, int]]:
        """How the tile can be slid."""
        one, other, level = self.tiles[tile]
        found = []
        for direction, (dx, dy) in UNIT.items():
            for steps in range(1, 6):
                there = [(column + dx * steps, row + dy * steps) for column, row in (one, other)]
                if not all(0 <= column < 4 and 0 <= row < 5 for column, row in there):
                    break
                if any(filled.get((*cell, level), tile) != tile for cell in there):
                    break
                if level == 1:
                    if not self.on("floor_supports"):
                        break
                elif not all((*cell, level - 1) in filled for cell in there):
                    break
                found.append((direction, steps))
        return found

    def legal(self) -> set[Move]:
        """Every legal move."""
        if not self.tiles:
            return set()
        filled = self.space()
        seen = [tile for tile in self.tiles if self.free(tile, filled)]
        me = self.player
        if self.phase == "expert2":
            return {Take(me, tile) for tile in seen if tile.split("-")[0] != self.sign}
        moves: set[Move] = {Take(me, tile) for tile in seen}
        if self.phase != "start":
            return moves
        if self.cards[me]["explorer"]:
            moves |= {
                Explorer(me, tile, direction, steps)  # type: ignore[arg-type]
                for tile in seen
                for direction, steps in self.slides(tile, filled)
            }
            if self.on("explorer_may_stay"):
                moves |= {Explorer(me, tile, "right", 0) for tile in seen}
        if self.cards[me]["excavator"] and len(self.tiles) >= 2:
            moves |= {Excavator(me, tile) for tile in seen}
        if self.cards[me]["expert"] and (len(self.tiles) >= 2 or self.on("expert_on_last_tile")):
            moves.add(Expert(me))
        return moves

    def pass_on(self) -> None:
        self.player, self.phase, self.sign = 1 - self.player, "start", ""

    def play(self, move: Move) -> None:
        """Lets a legal move happen."""
        me = move.player
        match move:
            case Take(tile=tile):
                self.collected[me].add(tile)
                del self.tiles[tile]
                if self.phase == "expert1" and self.tiles:
                    self.phase, self.sign = "expert2", tile.split("-")[0]
                    if not self.legal():
                        self.pass_on()
                else:
                    self.pass_on()
            case Excavator(tile=tile):
                self.cards[me]["excavator"] -= 1
                self.removed.add(tile)
                del self.tiles[tile]
                self.phase = "take"
            case Explorer(tile=tile, direction=direction, steps=steps):
                self.cards[me]["explorer"] -= 1
                dx, dy = UNIT[direction]
                (a, b), (c, d), level = self.tiles[tile]
                self.tiles[tile] = (
                    (a + dx * steps, b + dy * steps),
                    (c + dx * steps, d + dy * steps),
                    level,
                )
                self.phase = "take"
            case Expert():
                self.cards[me]["expert"] -= 1
                self.phase = "expert1"

    def points(self, player: int) -> int:
        """Counted number by number."""
        total = 0
        for sign in ("snake", "ankh", "falcon", "scarab"):
            run = 0
            for number in range(1, 12):
                if f"{sign}-{number}" in self.collected[player]:
                    run += 1
                else:
                    total += TABLE.get(run, 14)
                    run = 0
        return total

    def winner(self) -> int:
        one, other = self.points(0), self.points(1)
        if one == other:
            return 1 - self.first
        return 0 if one > other else 1
