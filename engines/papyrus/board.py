"""The map: pyramids and event squares, the paths between them square by square, and what is wrong with one.

In the owner's file a path is a line: the two places, and the squares from the one to the other. The colours are the symbols of
the movement cards; ``event`` is an event square on the way. ``at 8 9`` may say where a place lies on the board, so many squares
from the left and from the top: then it is drawn there::

    [papyrus.map]
    start = "horus"
    pyramids = ["horus at 8 9", "anubis at 16 9", "isis at 8 3"]
    event_squares = ["oasis"]
    edges = [
      "horus - anubis: 4 water, 2 light",
      "anubis - oasis: 1 dark, event, 2 nature",
    ]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from engines.catalogue import Lack
from engines.papyrus.events import slug

COLOURS = ("light", "dark", "nature", "water")
"""The symbols of squares and movement cards."""
HUES = {"yellow": "light", "black": "dark", "green": "nature", "blue": "water"}
"""How an owner may call them by what the squares look like (Y16: yellow and blue are the rulebook's)."""
EVENT = "event"
LONGEST = 30
"""Squares of a path: more is a slip of the pen."""
EDGE_FORM = "write like horus - anubis: 4 water, 2 light"
_EDGE = r"\s*(.*?\S)\s+[-–—]\s+(.*?\S)\s*(?::(.*))?"
_SPOT = r"(.*\S)\s+at\s+(\d{1,3})[\s,]+(\d{1,3})\s*"
_SQUARES = r"(?:(\d{1,3})\s+)?([^\W\d_]+)"


class Edge(NamedTuple):
    """A path between two places; ``squares`` from ``a`` to ``b``, each a colour or ``event``."""

    a: str
    b: str
    squares: tuple[str, ...]


class Way(NamedTuple):
    """What a pawn can do from a place: reach ``target`` for ``cost`` cards of each colour, over ``events`` event squares."""

    target: str
    cost: tuple[tuple[str, int], ...]
    """(colour, number of squares), in the order of COLOURS, none of them 0."""
    events: int = 0


class Board(NamedTuple):
    """A map as it is printed."""

    start: str = ""
    pyramids: tuple[str, ...] = ()
    event_squares: tuple[str, ...] = ()
    """Event squares where paths meet: places like pyramids."""
    edges: tuple[Edge, ...] = ()
    spots: tuple[tuple[str, tuple[int, int]], ...] = ()
    """Where places lie on the board, (right, down) in squares, as far as the owner says it."""

    @property
    def places(self) -> tuple[str, ...]:
        return self.pyramids + self.event_squares


def cost(squares: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """How many movement cards of each colour the squares take (Y17); an event square takes none."""
    counted = Counter(squares)
    return tuple((colour, counted[colour]) for colour in COLOURS if counted[colour])


def split(board: Board) -> Board:
    """The map with every event square on a path as a place of its own, called ``event-horus-anubis`` (and ``-2``, ``-3``)."""
    nodes = list(board.event_squares)
    taken = set(board.places)
    edges = []
    for edge in board.edges:
        here, run, count = edge.a, [], 0
        for square in edge.squares:
            if square != EVENT:
                run.append(square)
                continue
            name = ""
            while not name or name in taken:  # the owner may have called a place so
                count += 1
                name = f"event-{edge.a}-{edge.b}" + (f"-{count}" if count > 1 else "")
            taken.add(name)
            nodes.append(name)
            edges.append(Edge(here, name, tuple(run)))
            here, run = name, []
        edges.append(Edge(here, edge.b, tuple(run)))
    return board._replace(event_squares=tuple(nodes), edges=tuple(edges))


def ways(board: Board) -> Mapping[str, tuple[Way, ...]]:
    """From each place, what can be reached by one path, in the order of the edges (Y22: both ways)."""
    found: dict[str, list[Way]] = {place: [] for place in board.places}
    for edge in board.edges:
        price, events = cost(edge.squares), edge.squares.count(EVENT)
        found[edge.a].append(Way(edge.b, price, events))
        found[edge.b].append(Way(edge.a, price, events))
    return {place: tuple(them) for place, them in found.items()}


# Reading one, with everything that is wrong with it


def read_squares(text: str) -> tuple[str, ...]:
    """The squares of a path: "4 water, 2 light". Raises ValueError that says what to write."""
    squares: list[str] = []
    for part in text.split(","):
        if not part.strip():
            continue
        found = re.fullmatch(_SQUARES, part.strip())
        if not found:
            raise ValueError(f"squares that cannot be read, '{part.strip()}': {EDGE_FORM}")
        colour = HUES.get(found[2].lower(), found[2].lower())
        if colour != EVENT and colour not in COLOURS:
            raise ValueError(f"the unknown colour '{found[2]}': write {', '.join(COLOURS)} or {EVENT}")
        number = int(found[1] or 1)
        if not 1 <= number <= LONGEST:
            raise ValueError(
                f"too many or no squares, '{part.strip()}': write from 1 to {LONGEST} of a colour"
            )
        squares += [colour] * number
    if not squares:
        raise ValueError(f"no squares: {EDGE_FORM}")
    return tuple(squares)


def squares_in_words(squares: Iterable[str]) -> str:
    """The inverse of ``read_squares``: ``4 water, 2 light``."""
    runs: list[tuple[str, int]] = []
    for square in squares:
        if runs and runs[-1][0] == square != EVENT:
            runs[-1] = square, runs[-1][1] + 1
        else:
            runs.append((square, 1))
    return ", ".join(square if square == EVENT else f"{n} {square}" for square, n in runs)


def write_edge(edge: Edge) -> str:
    """The edge as an owner writes it: ``horus - anubis: 4 water, 2 light``."""
    return f"{edge.a} - {edge.b}: {squares_in_words(edge.squares)}"


def _names(
    value: Any, path: str, what: str, spots: dict[str, tuple[int, int]], lacks: list[Lack]
) -> list[str]:
    """The names of a list, as words; where they lie and what is wrong is added to ``spots`` and ``lacks``."""
    if not isinstance(value, (list, tuple)):
        lacks.append(Lack(path, f"{path} is no list", f"write it like [{what}]"))
        return []
    names: list[str] = []
    for index, entry in enumerate(value, start=1):
        at = f"{path}[{index}]"
        spot = re.fullmatch(_SPOT, entry) if isinstance(entry, str) else None
        try:
            name = slug(spot[1] if spot else entry) if isinstance(entry, str) else ""
        except ValueError as error:
            lacks.append(Lack(at, str(error).partition(": ")[0], str(error).partition(": ")[2]))
            continue
        if not name:
            lacks.append(Lack(at, f"{at} is no name", f"write it in quotes, like {what}"))
        elif name in names:
            lacks.append(Lack(at, f"{name} stands twice in {path}", "write each place once"))
        else:
            names.append(name)
            if spot:
                spots[name] = int(spot[2]), int(spot[3])
    return names


def _edge(value: Any, at: str, places: tuple[str, ...], lacks: list[Lack]) -> Edge | None:
    found = re.fullmatch(_EDGE, value) if isinstance(value, str) else None
    if not found:
        lacks.append(Lack(at, f"{at} is no path", EDGE_FORM))
        return None
    ends = []
    for name in found[1], found[2]:
        try:
            place = slug(name)
        except ValueError as error:
            lacks.append(Lack(at, str(error).partition(": ")[0], EDGE_FORM))
            continue
        if place not in places:
            remedy = f"write {place} under map.pyramids or map.event_squares, or mend its name here"
            lacks.append(Lack(at, f"{at} leads to {place}, which is not on the map", remedy))
        ends.append(place)
    squares: tuple[str, ...] = ()
    try:
        squares = read_squares(found[3] or "")
    except ValueError as error:
        text, _, remedy = str(error).partition(": ")
        lacks.append(Lack(at, f"{at} ({found[1]} - {found[2]}) has {text}", remedy))
    if len(ends) == 2 and ends[0] == ends[1]:
        lacks.append(Lack(at, f"{at} leads from {ends[0]} to itself", "write the two places that it joins"))
        return None
    if len(ends) < 2 or not squares or not set(ends) <= set(places):
        return None
    return Edge(ends[0], ends[1], squares)


def reached(board: Board, origin: str) -> frozenset[str]:
    """The places a pawn can come to from one of them."""
    near: dict[str, set[str]] = {}
    for edge in board.edges:
        near.setdefault(edge.a, set()).add(edge.b)
        near.setdefault(edge.b, set()).add(edge.a)
    found = {origin}
    todo = list(found)
    while todo:
        fresh = near.get(todo.pop(), set()) - found
        found |= fresh
        todo += fresh
    return frozenset(found)


def read(values: Mapping[str, Any]) -> tuple[Board, tuple[Lack, ...]]:
    """The map that the numbers ``map.start``, ``map.pyramids``, ``map.event_squares`` and ``map.edges`` describe, and everything
    that is wrong with it. What cannot be read is left out of the board, so that the rest can still be drawn."""
    lacks: list[Lack] = []
    spots: dict[str, tuple[int, int]] = {}
    pyramids = _names(values["map.pyramids"], "map.pyramids", '"horus"', spots, lacks)
    squares = values["map.event_squares"]
    events = _names(() if squares is None else squares, "map.event_squares", '"oasis"', spots, lacks)
    for name in [name for name in events if name in pyramids]:
        events.remove(name)
        lacks.append(
            Lack(
                "map.event_squares",
                f"{name} is a pyramid and an event square",
                "give one of them another name",
            )
        )
    places = (*pyramids, *events)
    edges: list[Edge] = []
    listed = values["map.edges"]
    if not isinstance(listed, (list, tuple)):
        lacks.append(
            Lack("map.edges", "map.edges is no list", f"one path a line in square brackets: {EDGE_FORM}")
        )
        listed = ()
    pairs: dict[frozenset[str], int] = {}
    for index, line in enumerate(listed, start=1):
        at = f"map.edges[{index}]"
        edge = _edge(line, at, places, lacks)
        if edge is None:
            continue
        before = pairs.setdefault(frozenset(edge[:2]), index)
        if before != index:
            text = f"{at} joins {edge.a} and {edge.b}, as map.edges[{before}] does"
            lacks.append(Lack(at, text, "leave one of the two out"))
            continue
        edges.append(edge)
    start = values["map.start"]
    try:
        start = slug(start) if isinstance(start, str) else ""
    except ValueError:
        start = ""
    if start not in places:
        text = f"the map has no start: {start} is not on it" if start else "the map has no start"
        lacks.append(
            Lack("map.start", text, "map.start is the place where all pawns begin: the pyramid of Horus")
        )
        start = ""
    board = Board(start, tuple(pyramids), tuple(events), tuple(edges), tuple(sorted(spots.items())))
    origin = start or next(iter(places), "")
    there = reached(board, origin)
    for place in places:
        if place not in there:
            what = "pyramid" if place in pyramids else "event square"
            remedy = f"add a path under map.edges that leads to {place}"
            lacks.append(Lack("map.edges", f"the {what} {place} cannot be reached from {origin}", remedy))
    return board, tuple(lacks)
