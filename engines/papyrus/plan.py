"""The board as a thing: how large it is, and where its places lie on it in mm.

An owner who has told where the squares of the own board are (``map.width``, ``map.height`` and ``map.squares``) plays on that; otherwise it
is the board that Thoth prints, laid out from the map in force.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from engines.catalogue import Catalogue
from engines.papyrus.board import Board, split
from engines.papyrus.events import slug
from engines.papyrus.maplayout import ROOM, Drawn, drawn, half
from engines.papyrus.numbers import numbers
from engines.table import Square

Point = tuple[float, float]

BROAD = 576.0
"""The printed board's width in mm where its squares can be small enough: it then fits on A2 paper."""
SMALLEST, LARGEST = 13.0, 16.0
"""A square of the printed board with its gap, mm: the foot of a pawn fits, and no more than needed."""
MARGIN = 10.0
"""Around all that is drawn on the printed board, mm."""
OWN = 36.0
"""How far from each other squares of an owner's board must be to have a diameter of so much, mm; the nearer, the smaller."""
_SPOT = r"\s*(.*?\S)\s*[:\s]\s*(\d{1,4}(?:\.\d{1,2})?)[\s,]+(\d{1,4}(?:\.\d{1,2})?)\s*"


KEEPER = "scorekeeper"
"""The kind of figure that stands on the score track."""
_TRACK = "track-"


class Plan(NamedTuple):
    """A board of ``width`` x ``height`` mm and the places on it where pawns stop, then those of its score track, in mm from its top left
    corner."""

    width: float
    height: float
    squares: tuple[Square, ...]
    own: bool
    """The owner's board; False: the one that Thoth prints."""


class Measured(NamedTuple):
    """A printed board: the map, ``unit`` mm for a square with its gap, and where the drawing's origin lies on the board, mm."""

    map: Drawn
    unit: float
    left: float
    top: float

    def at(self, point: Point) -> Point:
        """A point of the drawing in mm on the board."""
        return point[0] * self.unit + self.left, point[1] * self.unit + self.top


def plan(catalogue: Catalogue) -> Plan:
    """The board in force. A map without places gives a board without squares."""
    board = numbers(catalogue).board
    if catalogue["map.squares"] is not None and catalogue["map.width"] and catalogue["map.height"]:
        spots = read_spots(catalogue["map.squares"])
        return Plan(float(catalogue["map.width"]), float(catalogue["map.height"]), _owned(board, spots), True)
    width, height, measured = printed(board)
    return Plan(width, height, _printed_squares(measured), False)


def printed(board: Board) -> tuple[float, float, Measured]:
    """Width and height of the board that is printed for a map, in mm, and how its drawing lies on it."""
    map = drawn(board)
    boxes = [(x, y, *half(name)) for name, (x, y) in map.places.items()] or [(0.0, 0.0, ROOM, ROOM)]
    boxes += [(x, y, 0.55, 0.55) for points in map.squares for x, y in points]
    left, right = min(x - w for x, _, w, _ in boxes), max(x + w for x, _, w, _ in boxes)
    top, bottom = min(y - h for _, y, _, h in boxes), max(y + h for _, y, _, h in boxes)
    unit = min(max((BROAD - 2 * MARGIN) / (right - left), SMALLEST), LARGEST)
    width, height = (right - left) * unit + 2 * MARGIN, (bottom - top) * unit + 2 * MARGIN
    return width, height, Measured(map, unit, MARGIN - left * unit, MARGIN - top * unit)


def read_spots(lines: Iterable[str]) -> Mapping[str, Point]:
    """Where squares lie: ``horus 120 85`` is the name and mm from the board's left and top edge. Lines that say nothing of this
    kind are left out: ``wrong_spot`` tells what is wrong with them."""
    found = {}
    for line in lines:
        spot = re.fullmatch(_SPOT, line)
        if spot and wrong_spot(line) is None:
            found[slug(spot[1])] = float(spot[2]), float(spot[3])
    return found


def wrong_spot(line: str) -> str | None:
    """What is wrong with a line of ``map.squares``, or None."""
    spot = re.fullmatch(_SPOT, line)
    if not spot:
        return f"'{line}' is no square"
    try:
        slug(spot[1])
    except ValueError as error:
        return str(error).partition(": ")[0]
    return None


def write_spot(name: str, x: float, y: float) -> str:
    """A line of ``map.squares``, to half a millimetre."""
    return f"{name} {round(2 * x) / 2:g} {round(2 * y) / 2:g}"


def points(square: str) -> int | None:
    """The points that a square of the score track stands for; None: it is none."""
    told = square.removeprefix(_TRACK)
    return int(told) if told != square and told.isdecimal() else None


def names(board: Board) -> tuple[str, ...]:
    """All places where a pawn can stop, those on the way included: ``event-horus-anubis``."""
    return split(board).places


def _owned(board: Board, spots: Mapping[str, Point]) -> tuple[Square, ...]:
    known = {name: spots[name] for name in names(board) if name in spots}
    found = []
    for name, (x, y) in known.items():
        apart = min(
            (((x - u) ** 2 + (y - v) ** 2) ** 0.5 for other, (u, v) in known.items() if other != name),
            default=OWN,
        )
        found.append(Square(name, x, y, min(OWN, 0.9 * apart)))
    return (*found, *_track(spots))


def _track(spots: Mapping[str, Point]) -> tuple[Square, ...]:
    """The score track: squares between two that were told lie evenly on a straight line."""
    told = sorted((number, spot) for name, spot in spots.items() if (number := points(name)) is not None)
    found = []
    for (low, (x, y)), (high, (u, v)) in pairwise(told):
        step = (u - x) / (high - low), (v - y) / (high - low)
        size = min(OWN, 0.9 * math.hypot(*step))
        last = high == told[-1][0]
        found += [
            Square(
                f"{_TRACK}{number}", x + step[0] * (number - low), y + step[1] * (number - low), size, KEEPER
            )
            for number in range(low, high + last)
        ]
    return tuple(found)


def _printed_squares(measured: Measured) -> tuple[Square, ...]:
    map, unit = measured.map, measured.unit
    found = [Square(name, *measured.at(point), 2 * ROOM * unit) for name, point in map.places.items()]
    fresh = iter(split(map.board).event_squares[len(map.board.event_squares) :])
    for edge, points in zip(map.board.edges, map.squares, strict=True):
        for colour, point in zip(edge.squares, points, strict=True):
            if colour == "event":
                found.append(Square(next(fresh), *measured.at(point), 1.1 * unit))
    return tuple(found)
