"""Where the zones of a table without a mat and without a board lie: where its cards do.

Loose corner markers give the plane and its scale, but nobody measures where they are laid. The cards that must lie there at this moment (the
backs of the piles, what was dealt open) say where the layout is: the turn and the shift that bring most of them where they should be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engines.table import Layout, Piece, Table, Zone
from vision.area import Area
from vision.calibration import Calibration
from vision.cards import reader
from vision.cards.bank import CardBank
from vision.corners import moved
from vision.plane import Picture

Floats = NDArray[np.float64]

FEWEST = 3
"""Cards that must agree."""
MOST_OFF = 80.0
"""Mm by which people lay the whole table elsewhere than its corners say."""
LEAN = 12.0
"""Degrees by which they lay it askew."""
NEAR = 16.0
"""A card lies where it should when it is nearer than this, mm: people lay a table by eye."""
MOVED = 7.0
"""A corner marker has not moved when it is nearer than this to where it lay, mm."""
MORE = 3
"""So many pieces more than the last time must lie there before the whole table is looked over again."""
PART, OFF = 400.0, 2.0
"""Mm of the table that are looked over at once; by which the places differ at which two looks see a card."""
AGREED = 0.55
"""Share of the cards that are seen, or that are expected, that must agree."""


class Registrar:
    """Keeps the mm of one table. ``done``: they are known."""

    def __init__(self, layout: Layout, banks: Sequence[CardBank], needed: bool) -> None:
        self.done = not needed
        self._layout, self._banks = layout, banks
        self._looked_for = -1
        """How many pieces were known when the whole table was last looked over, which takes about a second."""

    def carried(self, fresh: Calibration, known: Calibration | None) -> Calibration:
        """A new calibration, in the mm that are known already where its markers lie as they lay."""
        same = carried_over(fresh, known) if self.done and known is not None else None
        self.done = same is not None
        self._looked_for = -1
        return same or fresh

    def settled(
        self, picture: Picture, calibration: Calibration, expected: Table, seen: Sequence[Piece]
    ) -> Calibration | None:
        """The calibration in the mm in which the cards lie where they are expected; None as long as too few of them agree. ``seen`` are
        the pieces that were read, wherever the corners alone say that they lie."""
        awaited = [piece for piece in expected.pieces if piece.identity is not None]
        if len(awaited) < FEWEST:
            return None
        fit = _fitted(awaited, [piece for piece in seen if piece.identity is not None])
        enough = len(seen) >= max(AGREED * len(awaited), self._looked_for + MORE)
        if fit is None and enough:
            self._looked_for = len(seen)
            fit = _fitted(awaited, self._everywhere(picture, calibration))
        if fit is None:
            return None
        self.done = True
        turn, middle, to = fit
        return moved(calibration, (float(middle[0]), float(middle[1])), (float(to[0]), float(to[1])), turn)

    def _everywhere(self, picture: Picture, calibration: Calibration) -> list[Piece]:
        """The cards of the whole table, looked over part by part: a picture of all of it at once would be the most memory that is ever needed."""
        area = Area(0.0, 0.0, self._layout.width, self._layout.height).grown(MOST_OFF)
        kinds = tuple(bank.kind.name for bank in self._banks)
        reach = max(math.hypot(bank.kind.width, bank.kind.height) for bank in self._banks) / 2
        found: list[Piece] = []
        for part in _parts(area, PART):
            seen = part.grown(reach).cut(area)
            wide, tall = seen.right - seen.left, seen.bottom - seen.top
            zone = Zone("table", seen.left, seen.top, wide, tall, kinds, "row")
            pieces = reader.look(picture, calibration, zone, self._banks).pieces
            fresh = [piece for piece in pieces if piece.identity is not None and _lies(piece, part)]
            found += [piece for piece in fresh if not any(_same(piece, other) for other in found)]
        return found


def _parts(area: Area, most: float) -> Iterator[Area]:
    """The area in equal parts, none wider or higher than ``most`` mm."""
    across = math.ceil((area.right - area.left) / most)
    down = math.ceil((area.bottom - area.top) / most)
    wide, tall = (area.right - area.left) / across, (area.bottom - area.top) / down
    for row in range(down):
        for column in range(across):
            left, top = area.left + column * wide, area.top + row * tall
            yield Area(left, top, left + wide, top + tall)


def _lies(piece: Piece, part: Area) -> bool:
    """Whether the middle of a piece lies in a part, or beside it by no more than two looks may differ."""
    near = part.grown(OFF)
    return near.left <= piece.x <= near.right and near.top <= piece.y <= near.bottom


def _same(piece: Piece, other: Piece) -> bool:
    """Whether two looks at neighbouring parts saw one and the same card."""
    return piece.identity == other.identity and math.hypot(piece.x - other.x, piece.y - other.y) < 2 * OFF


def carried_over(fresh: Calibration, known: Calibration) -> Calibration | None:
    """A new calibration in the mm of one that was registered: the markers still lie where they lay; None when they do not."""
    names = sorted(set(fresh.corners) & set(known.corners))
    if len(names) < 2:
        return None
    old = np.array([known.corners[name][:2] for name in names])
    new = np.array([fresh.corners[name][:2] for name in names])
    turn, middle, to = _rigid(old, new)
    if np.hypot(*(_put(old, turn, middle, to) - new).T).max() > MOVED:
        return None
    return moved(fresh, (float(middle[0]), float(middle[1])), (float(to[0]), float(to[1])), turn)


def _rigid(here: Floats, there: Floats) -> tuple[float, Floats, Floats]:
    """The turn (degrees) about the middle of ``here`` (n, 2), and where that middle goes, that bring them to ``there`` best."""
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    turn = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    return float(np.degrees(turn)), here.mean(axis=0), there.mean(axis=0)


def _put(points: Floats, turn: float, middle: Floats, to: Floats) -> Floats:
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray((points - middle) @ np.array([[cos, sin], [-sin, cos]]) + to)


def _fitted(awaited: Sequence[Piece], seen: Sequence[Piece]) -> tuple[float, Floats, Floats] | None:
    best: tuple[int, list[tuple[int, int]]] = 0, []
    where = np.array([(piece.x, piece.y) for piece in awaited]).reshape(-1, 2)
    found = np.array([(piece.x, piece.y) for piece in seen]).reshape(-1, 2)
    names = [piece.identity for piece in awaited]
    shown = [piece.identity for piece in seen]
    alike = np.array([[one == other for other in shown] for one in names], bool).reshape(
        len(where), len(found)
    )
    for one, other in _pairs(where, found, alike):
        turn, middle, to = _rigid(where[list(one)], found[list(other)])
        if abs(turn) > LEAN:
            continue
        pairs = _agreeing(_put(where, turn, middle, to), found, alike)
        if len(pairs) > best[0]:
            best = len(pairs), pairs
    if best[0] < FEWEST or best[0] < AGREED * min(len(where), len(found)):
        return None
    for _ in range(2):
        rows, columns = (list(side) for side in zip(*best[1], strict=True))
        fit = _rigid(where[rows], found[columns])
        best = 0, _agreeing(_put(where, *fit), found, alike)
    return fit


def _pairs(
    where: Floats, found: Floats, alike: NDArray[np.bool_]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Two expected cards and two seen ones, as far from each other as those, that may be them."""
    ones, others = np.nonzero(alike)
    near = np.hypot(*(where[ones] - found[others]).T) < MOST_OFF
    ones, others = ones[near], others[near]
    for at in range(len(ones)):
        for then in range(at + 1, len(ones)):
            if ones[at] == ones[then] or others[at] == others[then]:
                continue
            apart = float(np.hypot(*(where[ones[at]] - where[ones[then]])))
            if apart > 80 and abs(apart - float(np.hypot(*(found[others[at]] - found[others[then]])))) < NEAR:
                yield (int(ones[at]), int(ones[then])), (int(others[at]), int(others[then]))


def _agreeing(put: Floats, found: Floats, alike: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Which expected card is which seen one, each at most once."""
    apart = np.hypot(put[:, None, 0] - found[None, :, 0], put[:, None, 1] - found[None, :, 1])
    apart[~alike] = np.inf
    pairs: list[tuple[int, int]] = []
    used: set[int] = set()
    for row in np.argsort(apart.min(axis=1, initial=np.inf)):
        free = [column for column in np.argsort(apart[row]) if column not in used]
        if free and apart[row, free[0]] < NEAR:
            used.add(int(free[0]))
            pairs.append((int(row), int(free[0])))
    return pairs
