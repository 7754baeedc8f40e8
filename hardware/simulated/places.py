"""Where people put pieces, and how exactly: slots in the free zones, cells in the dig box."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engines.table import Cell, Kind, Layout, Zone

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Body:
    """A piece as a thing: its middle (x, y) and its underside z in mm, its turn in degrees clockwise.

    ``name`` is its own even among copies ("blue-explorer#2"); ``zone`` is where it lies (None: nowhere on the mat).
    """

    name: str
    identity: str
    kind: Kind
    zone: str | None = None
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    turn: float = 0.0
    level: int = 1
    cells: tuple[Cell, ...] = ()
    square: str = ""

    def corners(self, spare: float = 0.0) -> tuple[Point, ...]:
        """The four corners in mm from the face's top left clockwise, ``spare`` mm further out."""
        w, h = self.kind.width / 2 + spare, self.kind.height / 2 + spare
        return tuple(turned(self.x, self.y, self.turn, u, v) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h)))


@dataclass(frozen=True, slots=True)
class Box:
    """The dig box where it stands: its middle in mm, its turn in degrees, the measures of its inside and its walls."""

    x: float
    y: float
    turn: float
    columns: int
    rows: int
    cell: float
    height: float
    clearance: float = 2.0
    """How much wider the inside is than its cells, in mm, in all."""
    wall: float = 3.0

    @property
    def inside(self) -> tuple[float, float]:
        return self.columns * self.cell + self.clearance, self.rows * self.cell + self.clearance

    def at(self, u: float, v: float) -> Point:
        """A point in mm from the box's middle, along its own axes, as a point on the mat."""
        return turned(self.x, self.y, self.turn, u, v)

    def outline(self, spare: float = 0.0) -> tuple[Point, ...]:
        """The inside's corners, ``spare`` mm further out, from the top left clockwise."""
        w, h = self.inside[0] / 2 + spare, self.inside[1] / 2 + spare
        return tuple(self.at(u, v) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h)))


def turned(x: float, y: float, turn: float, u: float, v: float) -> Point:
    """(u, v) turned clockwise by ``turn`` degrees and moved to (x, y)."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return x + u * cos - v * sin, y + u * sin + v * cos


def overlap(a: Sequence[Point], b: Sequence[Point]) -> bool:
    """Whether two convex outlines share an area (separating axes)."""
    for outline in (a, b):
        for (x1, y1), (x2, y2) in zip(outline, (*outline[1:], outline[0]), strict=True):
            nx, ny = y2 - y1, x1 - x2
            first = [nx * x + ny * y for x, y in a]
            second = [nx * x + ny * y for x, y in b]
            if max(first) <= min(second) + 1e-9 or max(second) <= min(first) + 1e-9:
                return False
    return True


def stand_box(zone: Zone, rng: random.Random) -> Box:
    """The box as somebody puts it into its zone: not quite in the middle, not quite straight."""
    return Box(
        zone.x + zone.width / 2 + rng.uniform(-4, 4),
        zone.y + zone.height / 2 + rng.uniform(-4, 4),
        rng.uniform(-1.8, 1.8),
        zone.columns,
        zone.rows,
        zone.cell,
        zone.wall,
    )


def in_box(body: Body, box: Box, cells: tuple[Cell, ...], level: int, rng: random.Random) -> Body:
    """The body on its cells, with the play that the box's clearance gives. Raises ValueError unless two cells adjoin."""
    if len(cells) != 2:
        raise ValueError(f"{body.name} lies on two cells, not on {cells}")
    (c1, r1), (c2, r2) = cells
    turns = {(0, 1): 0.0, (-1, 0): 90.0, (0, -1): 180.0, (1, 0): 270.0}
    if (c2 - c1, r2 - r1) not in turns:
        raise ValueError(f"the cells {cells} do not adjoin")
    u = ((c1 + c2) / 2 + 0.5 - box.columns / 2) * box.cell
    v = ((r1 + r2) / 2 + 0.5 - box.rows / 2) * box.cell
    x, y = box.at(u + _slop(rng, 0.22, 0.6), v + _slop(rng, 0.22, 0.6))
    return replace(
        body,
        x=x,
        y=y,
        z=(level - 1) * body.kind.thickness,
        turn=(box.turn + turns[c2 - c1, r2 - r1] + _slop(rng, 0.45, 1.5)) % 360,
        level=level,
        cells=cells,
    )


def in_zone(body: Body, zone: Zone, layout: Layout, others: Iterable[Body], rng: random.Random) -> Body:
    """The body where a person puts it down in a free zone, clear of the others that lie there.

    Tiles with a number and a sign go into columns by sign, in the order of their numbers, touching the next number if it
    is there; anything else goes to the first free place. Hands are sloppy: up to 2 mm and 3 degrees, now and
    then the other way up. Raises ValueError if the zone is full.
    """
    lying = list(others)
    if zone.form in ("row", "pile"):
        return _onto(body, zone, lying, rng)
    slots = _slots(body, zone, layout)
    way = 180.0 if rng.random() < 0.08 else 0.0
    for attempt in range(40):
        slop = 1.0 - attempt / 39
        for x, y, lie in slots:
            there = replace(
                body,
                x=x + slop * _slop(rng, 0.9, 2.0),
                y=y + slop * _slop(rng, 0.9, 2.0),
                z=0.0,
                turn=(way + lie + slop * _slop(rng, 1.2, 3.0)) % 360,
                level=1,
                cells=(),
            )
            if len(slots) == 1:
                there = _touching(there, lying, layout, rng)
            outline = there.corners()
            if _inside(outline, zone) and not any(overlap(outline, other.corners()) for other in lying):
                return there
    raise ValueError(f"no room for {body.name} in {zone.name}: {len(lying)} pieces lie there")


STRIP = 19.0
"""How much of a card shows (mm) when the next one of a row lies on it."""


def _onto(body: Body, zone: Zone, lying: Sequence[Body], rng: random.Random) -> Body:
    """A card on top of the others: of a pile on one heap, of a row each a strip further along the zone's longer side. Raises
    ValueError when the row is full."""
    kind, along = body.kind, 0.0
    across = zone.width >= zone.height
    room = (zone.width - kind.width if across else zone.height - kind.height) - 4
    if zone.form == "row":
        first = zone.x + kind.width / 2 if across else zone.y + kind.height / 2
        along = max((STRIP + ((b.x if across else b.y) - first - 2) for b in lying), default=0.0)
        if along > room + 2:
            raise ValueError(f"no room for {body.name} in {zone.name}: {len(lying)} pieces lie there")
        along = min(along, room)
    x = zone.x + 2 + kind.width / 2 + along if across and zone.form == "row" else zone.x + zone.width / 2
    y = zone.y + zone.height / 2 if across or zone.form == "pile" else zone.y + 2 + kind.height / 2 + along
    return replace(
        body,
        x=x + _slop(rng, 0.8, 1.8),
        y=y + _slop(rng, 0.8, 1.8),
        z=max((b.z + b.kind.thickness for b in lying), default=0.0),
        turn=_slop(rng, 1.0, 2.5) % 360,
        level=1,
        cells=(),
    )


def nudged(body: Body, others: Iterable[Body], rng: random.Random, zone: Zone) -> Body:
    """The body after a sleeve brushed it: up to 2 mm and 3 degrees away, never onto another; as it was if it cannot move."""
    lying = list(others)
    for _ in range(12):
        moved = replace(
            body,
            x=body.x + rng.uniform(-2, 2),
            y=body.y + rng.uniform(-2, 2),
            turn=(body.turn + rng.uniform(-3, 3)) % 360,
        )
        outline = moved.corners()
        if _inside(outline, zone) and not any(overlap(outline, other.corners()) for other in lying):
            return moved
    return body


def jostled(body: Body, box: Box, others: Iterable[Body], rng: random.Random) -> Body:
    """A tile on top of the dig after a finger touched it: mostly within its play, now and then up to 3 mm and 2 degrees where there
    is room; its neighbours and the walls hold it. As it was if it cannot move."""
    beside = [b for b in others if b.level == body.level and b.name != body.name]
    inside = box.outline()
    far, lean = (3.0, 2.0) if rng.random() < 0.2 else (1.0, 1.0)
    for attempt in range(12):
        share = 1.0 - attempt / 12
        moved = replace(
            body,
            x=body.x + rng.uniform(-far, far) * share,
            y=body.y + rng.uniform(-far, far) * share,
            turn=(body.turn + rng.uniform(-lean, lean) * share) % 360,
        )
        outline = moved.corners(-0.5)  # edges are rounded a little, and tiles lean on one another
        held = all(_within(corner, inside) for corner in outline)
        if held and not any(overlap(outline, other.corners(-0.5)) for other in beside):
            return moved
    return body


def _within(point: Point, outline: Sequence[Point]) -> bool:
    """Whether a point lies in a convex outline that runs clockwise (y down)."""
    x, y = point
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    return all((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) >= 0 for (x1, y1), (x2, y2) in edges)


def _slop(rng: random.Random, sigma: float, limit: float) -> float:
    return max(-limit, min(limit, rng.gauss(0, sigma)))


def _inside(outline: Iterable[Point], zone: Zone) -> bool:
    return all(zone.holds(x, y) for x, y in outline)


def _slots(body: Body, zone: Zone, layout: Layout) -> list[tuple[float, float, float]]:
    """The middles of the places that suit the body and the turn there, best first; one only for a tile with its own lane."""
    kind, labels = body.kind, layout.face(body.identity).labels
    groups = list(dict.fromkeys(face.labels[-1] for face in layout.faces if face.kind == kind.name))
    margin = 7.0
    pitch = (zone.width - 2 * margin) / len(groups)
    rows = int(zone.height // (kind.height + 0.5))
    if len(labels) == 2 and rows and pitch >= 2 * (kind.width + 2):
        order = [face.labels[0] for face in layout.faces if face.labels[-1] == labels[-1]].index(labels[0])
        lanes = int(pitch // (kind.width + 2))
        lane, row = divmod(order, rows)
        x = zone.x + margin + pitch * groups.index(labels[-1]) + pitch / lanes * (min(lane, lanes - 1) + 0.5)
        return [(x, zone.y + zone.height / rows * (row + 0.5), 0.0)]
    across = max(1, int(zone.width // (kind.width + 2.5)))
    down = max(1, int(zone.height // (kind.height + 2)))
    spare = zone.height - down * (kind.height + 2)
    lying = int(zone.width // (kind.height + 3)) if spare >= kind.width + 2 else 0
    tall = (zone.height - spare if lying else zone.height) / down
    upright = [
        (zone.x + zone.width / across * (i + 0.5), zone.y + tall * (j + 0.5), 0.0)
        for j in range(down)
        for i in range(across)
    ]
    # What does not fit upright lies across in what is left below.
    below = zone.y + zone.height - spare / 2
    return upright + [(zone.x + zone.width / lying * (i + 0.5), below, 90.0) for i in range(lying)]


def _touching(body: Body, others: Iterable[Body], layout: Layout, rng: random.Random) -> Body:
    """Pushed up or down against the tile with the next number of the same sign, if that one lies in the same lane."""
    labels = layout.face(body.identity).labels
    if len(labels) != 2 or not labels[0].isdigit():
        return body
    for other in others:
        sign, value = layout.face(other.identity).labels[-1], layout.face(other.identity).labels[0]
        if (
            sign != labels[1]
            or abs(int(value) - int(labels[0])) != 1
            or abs(other.x - body.x) > body.kind.width / 2
        ):
            continue
        side = 1 if body.y > other.y else -1
        there = replace(body, y=other.y + side * (body.kind.height - 1))
        while overlap(there.corners(), other.corners()):
            there = replace(there, y=there.y + side * 0.15)
        return replace(there, y=there.y + side * rng.uniform(0, 0.4))
    return body
