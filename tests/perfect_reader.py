"""A table of wood, so to speak: where every piece really lies, and what a perfect reader would read of it.

It knows no rules. Hands may do anything; a half shows unless something lies higher on its cell.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engines.dealing import Act, Placed
from engines.table import Cell, Piece, Table
from engines.tanis.zones import CARD_ZONES, DIG, PILE_ZONES, centre, pose

SIGNS = ("snake", "ankh", "falcon", "scarab")
NUMBERS = range(1, 11)


@dataclass(frozen=True)
class Lying:
    """A tile of the dig: the cells of its number half and its sign half, and its level (1 is the floor)."""

    cells: tuple[Cell, Cell]
    level: int


@dataclass(frozen=True)
class TrueTable:
    """Every piece where it really lies: the dig, and what lies loose in each other zone."""

    dig: tuple[tuple[str, Lying], ...]
    loose: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def from_setup(cls, placed: Iterable[Placed]) -> TrueTable:
        dig: dict[str, Lying] = {}
        loose: dict[str, list[str]] = {zone: [] for zone in (*PILE_ZONES, *CARD_ZONES)}
        for piece in placed:
            if piece.zone == DIG:
                dig[piece.identity] = Lying((piece.cells[0], piece.cells[1]), piece.level)
            else:
                loose[piece.zone].append(piece.identity)
        return cls._of(dig, loose)

    @classmethod
    def _of(cls, dig: dict[str, Lying], loose: dict[str, list[str]]) -> TrueTable:
        return cls(
            tuple(sorted(dig.items())), tuple((zone, tuple(sorted(loose[zone]))) for zone in sorted(loose))
        )

    @property
    def tiles(self) -> dict[str, Lying]:
        return dict(self.dig)

    def pile(self, zone: str) -> tuple[str, ...]:
        return dict(self.loose)[zone]

    def after(self, *acts: Act) -> TrueTable:
        """The table after hands did this. Raises KeyError or ValueError for a piece that is not where it is taken from."""
        dig, loose = self.tiles, {zone: list(pieces) for zone, pieces in self.loose}
        for act in acts:
            if act.source == DIG:
                del dig[act.piece]
            elif act.source in loose:
                loose[act.source].remove(act.piece)
            if act.target == DIG:
                dig[act.piece] = Lying((act.cells[0], act.cells[1]), act.level)
            elif act.target is not None:
                loose[act.target].append(act.piece)
        return self._of(dig, loose)

    def tops(self) -> dict[Cell, int]:
        """The level of the highest tile on each cell that has one."""
        tops: dict[Cell, int] = {}
        for _, lying in self.dig:
            for cell in lying.cells:
                tops[cell] = max(tops.get(cell, 0), lying.level)
        return tops

    def seen(self, tile: str) -> tuple[bool, bool]:
        """Which halves (number, sign) of a tile of the dig show."""
        lying, tops = self.tiles[tile], self.tops()
        return lying.level == tops[lying.cells[0]], lying.level == tops[lying.cells[1]]


def alike(tile: str, seen: tuple[bool, bool]) -> tuple[str, ...]:
    """All tiles that look like this one when only these halves of it show, sorted."""
    sign, number = tile.split("-")
    return tuple(
        sorted(
            f"{s}-{n}"
            for s in SIGNS
            for n in NUMBERS
            if (not seen[0] or str(n) == number) and (not seen[1] or s == sign)
        )
    )


def read(true: TrueTable, confidence: float = 1.0) -> Table:
    """What a perfect reader makes of the table: every piece of which anything shows, and nothing else."""
    tops = true.tops()
    pieces = []
    for tile, lying in true.dig:
        seen = (lying.level == tops[lying.cells[0]], lying.level == tops[lying.cells[1]])
        if any(seen):
            pieces.append(
                Piece(
                    alike(tile, seen),
                    "tile",
                    DIG,
                    *pose(*lying.cells),
                    lying.level,
                    lying.cells,
                    seen,
                    sum(seen) / 2,
                    confidence,
                )
            )
    for zone, names in true.loose:
        x, y = centre(zone)
        kind = "card" if zone in CARD_ZONES else "tile"
        parts = (True,) if kind == "card" else (True, True)
        for rank, name in enumerate(names):
            pieces.append(
                Piece((name,), kind, zone, x + rank - len(names) / 2, y, seen=parts, confidence=confidence)
            )
    return _sorted(pieces)


@dataclass(frozen=True)
class Faults:
    """How often a reader errs, per piece: leaves it out, cannot tell it, reads only a half, takes it for another."""

    lost: float = 0.0
    unknown: float = 0.0
    half: float = 0.0
    misread: float = 0.0


def blur(table: Table, faults: Faults, rng: random.Random) -> Table:
    """The table as a worse reader would give it. Misread tiles are as sure as the right ones: that is what hurts."""
    pieces = []
    for piece in table.pieces:
        chance = rng.random()
        if chance < faults.lost:
            continue
        chance -= faults.lost
        if chance < faults.unknown:
            pieces.append(replace(piece, identities=(), confidence=0.3))
            continue
        chance -= faults.unknown
        if chance < faults.half and piece.kind == "tile" and piece.identity:
            part = rng.randrange(2)
            pieces.append(
                replace(piece, identities=alike(piece.identity, (part == 0, part == 1)), confidence=0.6)
            )
            continue
        chance -= faults.half
        if chance < faults.misread and piece.kind == "tile" and piece.identity:
            sign, number = piece.identity.split("-")
            other = f"{sign}-{rng.choice([n for n in NUMBERS if str(n) != number])}"
            pieces.append(replace(piece, identities=(other,)))
            continue
        pieces.append(piece)
    return _sorted(pieces)


def _sorted(pieces: list[Piece]) -> Table:
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))
