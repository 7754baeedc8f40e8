"""Where the places and squares of a map of Papyrus are drawn: computed, the same for the same map, and without overlaps.

Lengths are in squares. Places the owner has put somewhere stay there (the whole is stretched until every path has room for its
squares). All others are laid out so that distances on paper are like distances in squares (stress majorization, Gansner, Koren
and North 2004), then moved one by one as long as that uncrosses paths or makes room.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engines.papyrus.board import Board

Point = tuple[float, float]

ROOM = 1.3
"""Half the height of a place with its name; half its width is at least as much."""
LETTER = 0.26
"""Width of a letter of a name."""
STEP = 1.06
"""From square to square along a path."""
NEAR = 1.12
"""Centres of squares of different paths are at least so far from each other."""
CLEAR = 0.75
"""Squares keep so far from where paths cross, if they can."""
EDGE = 0.62
"""The centre of a square is at least so far from the box of a place."""


class Drawn(NamedTuple):
    """A map with its places, (right, down), and for each of its edges the centres of the squares."""

    board: Board
    places: Mapping[str, Point]
    squares: tuple[tuple[Point, ...], ...]


def half(place: str) -> Point:
    """Half the width and height of the box that a place takes with its name."""
    return max(ROOM, (len(place) + 2) * LETTER / 2), ROOM


def drawn(board: Board) -> Drawn:
    """The map laid out. Never raises; when a map is so tangled that squares would lie on each other, it is stretched first."""
    spots = dict(board.spots)
    if set(board.places) <= set(spots) and len(set(spots.values())) == len(spots):
        places: dict[str, Point] = {place: spots[place] for place in board.places}
    else:
        places = _arranged(board)
    places = _stretched(board, places)
    for _ in range(16):
        squares = _settled(board, places)
        if not clashes(Drawn(board, places, squares)):
            break
        places = {place: (x * 1.06, y * 1.06) for place, (x, y) in places.items()}
    return Drawn(board, places, squares)


# Room along a path


def _leaves(place: str, dx: float, dy: float) -> float:
    """How far from a place's middle a path in this direction (of length 1) leaves its box."""
    wide, high = half(place)
    return min(wide / abs(dx) if dx else math.inf, high / abs(dy) if dy else math.inf)


def _ends(board: Board, places: Mapping[str, Point], index: int) -> tuple[float, float, float, float, float]:
    """Direction (dx, dy), length, and where the squares may begin and end along the path."""
    edge = board.edges[index]
    (x, y), (u, v) = places[edge.a], places[edge.b]
    length = math.hypot(u - x, v - y) or 1e-6
    dx, dy = (u - x) / length, (v - y) / length
    return dx, dy, length, _leaves(edge.a, dx, dy), length - _leaves(edge.b, dx, dy)


def _along(
    board: Board, places: Mapping[str, Point], index: int, shift: float = 0.5, gap: int = 0
) -> tuple[Point, ...]:
    """The centres of a path's squares, side by side: in the middle of what is free, or nearer to an end (``shift`` from 0 to 1);
    with a ``gap`` before that square, for a path that crosses there."""
    edge = board.edges[index]
    dx, dy, _, begin, end = _ends(board, places, index)
    count = len(edge.squares)
    extra = 1.3 if gap else 0.0
    step = min((end - begin - extra) / count, 1.3 * STEP)
    first = begin + step / 2 + (end - begin - extra - step * count) * shift
    x, y = places[edge.a]
    along = [first + step * k + (extra if gap and k >= gap else 0.0) for k in range(count)]
    return tuple((x + dx * at, y + dy * at) for at in along)


def _settled(board: Board, places: Mapping[str, Point]) -> tuple[tuple[Point, ...], ...]:
    """The squares of every path; where paths cross they make way for each other by sliding along their path, so that none lies
    on the crossing, where nobody could tell whose it is."""
    squares = [_along(board, places, index) for index in range(len(board.edges))]
    crossings = [_crossings(board, places, index) for index in range(len(board.edges))]
    for _ in range(2):
        for index, edge in enumerate(board.edges):
            if not _met(squares, index, crossings[index]):
                continue
            _, _, _, begin, end = _ends(board, places, index)
            choices = [_along(board, places, index, shift / 8) for shift in range(9)]
            if end - begin > len(edge.squares) * STEP + 1.3:
                choices += [
                    _along(board, places, index, shift / 4, gap)
                    for gap in range(1, len(edge.squares))
                    for shift in range(5)
                ]
            tried = []
            for number, choice in enumerate(choices):
                squares[index] = choice
                tried.append((_met(squares, index, crossings[index]), number))
            squares[index] = choices[min(tried)[1]]
    return tuple(squares)


def _crossings(board: Board, places: Mapping[str, Point], index: int) -> list[Point]:
    """Where other paths cross this one."""
    edge = board.edges[index]
    a, b = places[edge.a], places[edge.b]
    found = []
    for other in board.edges:
        c, d = places[other.a], places[other.b]
        if _cross(a, b, c, d):
            part = _side(c, d, a) / (_side(c, d, a) - _side(c, d, b))
            found.append((a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part))
    return found


def _met(squares: Sequence[tuple[Point, ...]], index: int, crossings: Sequence[Point]) -> int:
    """How many squares of other paths lie on squares of this one, and how many of this one on a crossing."""
    others = [point for other, points in enumerate(squares) if other != index for point in points]
    lying = sum(
        abs(x - u) < NEAR and abs(y - v) < NEAR and math.hypot(x - u, y - v) < NEAR
        for u, v in others
        for x, y in squares[index]
    )
    return 10 * lying + sum(math.hypot(x - u, y - v) < CLEAR for u, v in crossings for x, y in squares[index])


def _stretched(board: Board, places: Mapping[str, Point]) -> dict[str, Point]:
    """The places at a scale at which every path has room for its squares, and no two boxes meet."""
    scale = 0.05
    for index, edge in enumerate(board.edges):
        _, _, length, begin, end = _ends(board, places, index)
        scale = max(scale, (len(edge.squares) * STEP + 0.2 + length - (end - begin)) / length)
    names = list(places)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            (x, y), (u, v) = places[one], places[other]
            wide, high = half(one)[0] + half(other)[0] + 0.3, half(one)[1] + half(other)[1] + 0.3
            apart = max(abs(x - u) / wide, abs(y - v) / high, 1e-3)
            scale = max(scale, 1 / apart)
    return {place: (x * scale, y * scale) for place, (x, y) in places.items()}


def clashes(map: Drawn) -> list[str]:
    """Every overlap of the drawing, in words: squares on squares, squares on places, places on places."""
    found = []
    squares = [(index, point) for index, points in enumerate(map.squares) for point in points]
    for at, (one, (x, y)) in enumerate(squares):
        for other, (u, v) in squares[at + 1 :]:
            if abs(x - u) < NEAR and math.hypot(x - u, y - v) < (NEAR if one != other else 0.98):
                found.append(f"squares of {map.board.edges[one][:2]} and {map.board.edges[other][:2]}")
        for place, (u, v) in map.places.items():
            wide, high = half(place)
            if place in map.board.edges[one][:2]:
                wide, high = wide - 0.15, high - 0.15  # its own paths touch it at their ends
            if math.hypot(max(abs(x - u) - wide, 0), max(abs(y - v) - high, 0)) < EDGE - 0.22:
                found.append(f"a square of {map.board.edges[one][:2]} and {place}")
    names = list(map.places)
    for at, place in enumerate(names):
        for other_place in names[at + 1 :]:
            (x, y), (u, v) = map.places[place], map.places[other_place]
            (a, b), (c, d) = half(place), half(other_place)
            if abs(x - u) < a + c and abs(y - v) < b + d:
                found.append(f"{place} and {other_place}")
    return found


# Arranging places nobody has put anywhere


def _arranged(board: Board) -> dict[str, Point]:
    """Places for all, from the best of a few starts; the same map always comes out the same."""
    names = list(board.places)
    if len(names) < 2:
        return dict.fromkeys(names, (0.0, 0.0))
    rng = random.Random("papyrus")
    number = {name: index for index, name in enumerate(names)}
    links = [(number[edge.a], number[edge.b], len(edge.squares)) for edge in board.edges]
    wanted = _distances(len(names), links)
    tries = []
    for attempt in range(6):
        order = list(range(len(names)))
        if attempt:
            rng.shuffle(order)
        around = 2 * math.pi / len(names)
        radius = max(map(max, wanted)) / 2
        points = [(0.0, 0.0)] * len(names)
        for at, index in enumerate(order):
            points[index] = (radius * math.cos(around * at), radius * math.sin(around * at))
        points = _majorized(points, wanted)
        tries.append((_trouble(points, links), attempt, points))
    points = _mended(min(tries)[2], links, wanted, rng)
    return dict(zip(names, _lying(points), strict=True))


def _distances(count: int, links: Sequence[tuple[int, int, int]]) -> list[list[float]]:
    """How far places should lie from each other: by squares along the shortest way; parts that are not joined lie apart."""
    far = [[math.inf] * count for _ in range(count)]
    for index in range(count):
        far[index][index] = 0.0
    for a, b, squares in links:
        length = squares * STEP + 2 * ROOM + 0.6
        far[a][b] = far[b][a] = min(far[a][b], length)
    for via in range(count):
        row = far[via]
        for line in far:
            first = line[via]
            if first < math.inf:
                for to, rest in enumerate(row):
                    if first + rest < line[to]:
                        line[to] = first + rest
    reach = max(length for line in far for length in line if length < math.inf)
    return [[length if length < math.inf else reach * 0.7 + 4 for length in line] for line in far]


def _majorized(points: list[Point], wanted: list[list[float]]) -> list[Point]:
    """The points moved until their distances are as near to the wanted ones as they get."""
    count = range(len(points))
    for _ in range(80):
        moved = 0.0
        for i in count:
            x, y = points[i]
            sum_x = sum_y = total = 0.0
            for j in count:
                if i == j:
                    continue
                far = wanted[i][j]
                weight = 1 / (far * far)
                u, v = points[j]
                apart = math.hypot(x - u, y - v) or 1e-6
                sum_x += weight * (u + far * (x - u) / apart)
                sum_y += weight * (v + far * (y - v) / apart)
                total += weight
            points[i] = sum_x / total, sum_y / total
            moved = max(moved, abs(points[i][0] - x), abs(points[i][1] - y))
        if moved < 0.02:
            break
    return points


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _beside(point: Point, a: Point, b: Point) -> float:
    """The distance of a point from the line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy or 1e-9)
    along = min(1.0, max(0.0, along))
    return math.hypot(point[0] - a[0] - along * dx, point[1] - a[1] - along * dy)


def _trouble(
    points: Sequence[Point], links: Sequence[tuple[int, int, int]], only: int | None = None
) -> float:
    """How bad a layout is (the part that place ``only`` has in it): crossings, places too near to paths, paths too short or
    too near to each other where they meet."""
    bad = 0.0
    for at, (a, b, squares) in enumerate(links):
        mine = only is None or only in (a, b)
        pa, pb = points[a], points[b]
        if mine:
            short = squares * STEP + 2 * ROOM + 0.4 - math.hypot(pa[0] - pb[0], pa[1] - pb[1])
            bad += max(0.0, short) * 2 + abs(short) * 0.15
            for c, d, _ in links if only is not None else links[at + 1 :]:
                shared = {a, b} & {c, d}
                if len(shared) == 2:
                    continue
                if not shared:
                    bad += 30.0 * _cross(pa, pb, points[c], points[d])
                    continue
                hub = shared.pop()
                one, two = points[b if hub == a else a], points[d if hub == c else c]
                angle = _angle(points[hub], one, two)
                bad += max(0.0, 0.7 - angle) * 20
        for index, point in enumerate(points):
            if index not in (a, b) and (mine or index == only):
                bad += max(0.0, 2.4 - _beside(point, pa, pb)) * 8
    for index, (x, y) in enumerate(points):
        others = range(index) if only is None else range(len(points)) if index == only else (only,)
        for other in others:
            if other != index and only in (None, index):
                bad += max(0.0, 4.0 - math.hypot(x - points[other][0], y - points[other][1])) * 4
    return bad


def _angle(hub: Point, one: Point, two: Point) -> float:
    turn = math.atan2(one[1] - hub[1], one[0] - hub[0]) - math.atan2(two[1] - hub[1], two[0] - hub[0])
    return abs((turn + math.pi) % (2 * math.pi) - math.pi)


def _mended(
    points: list[Point],
    links: Sequence[tuple[int, int, int]],
    wanted: Sequence[Sequence[float]],
    rng: random.Random,
) -> list[Point]:
    """The points after moving one at a time whenever that makes the layout better; far at first, then ever less far."""
    size = max(map(max, wanted))
    count = len(points)
    near: list[list[int]] = [[] for _ in points]
    for a, b, _ in links:
        near[a].append(b)
        near[b].append(a)
    rounds = max(12, min(120, 400_000 // (count * (len(links) + count) + 1)))
    for step in range(rounds):
        reach = size * (0.4 * (1 - step / rounds) ** 2 + 0.015)
        for index in range(count):
            before = _trouble(points, links, index)
            if before < 0.5:
                continue
            old = points[index]
            x, y = old
            if (
                near[index] and rng.random() < 0.3
            ):  # jump to the neighbours: a place on the wrong side of a path
                x = sum(points[other][0] for other in near[index]) / len(near[index])
                y = sum(points[other][1] for other in near[index]) / len(near[index])
            points[index] = rng.gauss(x, reach), rng.gauss(y, reach)
            if _trouble(points, links, index) >= before:
                points[index] = old
    return points


def _lying(points: Sequence[Point]) -> list[Point]:
    """The points turned so that the longer side of the whole lies level, its first point in the upper left half."""
    middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    moved = [(x - middle[0], y - middle[1]) for x, y in points]
    xx, yy = sum(x * x for x, _ in moved), sum(y * y for _, y in moved)
    xy = sum(x * y for x, y in moved)
    turn = -math.atan2(2 * xy, xx - yy) / 2
    cos, sin = math.cos(turn), math.sin(turn)
    turned = [(x * cos - y * sin, x * sin + y * cos) for x, y in moved]
    flip_x, flip_y = (-1 if turned[0][0] > 0 else 1), (-1 if turned[0][1] > 0 else 1)
    return [(x * flip_x, y * flip_y) for x, y in turned]
