"""Our own board of Papyrus: the map in force at true scale, as one picture and as sheets to be glued together.

Every square carries the symbol of its movement card, every place its name: nothing has to be told by its colour. Where figures stand the
ground is light and plain, so that people and camera see them well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from engines.papyrus.board import EVENT, Board
from engines.papyrus.maplayout import ROOM
from engines.papyrus.plan import MARGIN, Measured, printed
from engines.table import Layout, Zone
from hardware.print.lettering import width as broad
from hardware.print.lettering import write
from hardware.print.ornaments import INK, LINEN, PAPER, disc, outlined, ring, rounded, shade, turned
from hardware.print.paints import sample
from hardware.print.papyrus import LOOKS, mark
from hardware.print.raster import Picture, raster
from hardware.print.shapes import Area, Colour, Drawing, Point, Shape, Stroke, curve, moved, rectangle

SAND: Colour = (240, 222, 180)
DUNE: Colour = (226, 203, 154)
NILE: Colour = (190, 216, 226)
BANK: Colour = (196, 206, 158)
TRACK: Colour = (150, 112, 66)
RED: Colour = (158, 44, 36)
STONE: tuple[Colour, Colour] = (238, 206, 142), (218, 178, 108)


def board_drawing(board: Board) -> Drawing:
    """The board as shapes in mm."""
    width, height, measured = printed(board)
    shapes: list[Shape] = [*_land(width, height)]
    map = measured.map
    for edge in map.board.edges:
        ends = tuple(measured.at(map.places[place]) for place in edge[:2])
        shapes += [Stroke(ends, 2.6, shade(TRACK, 0.5)), Stroke(ends, 0.7, TRACK)]
    for edge, points in zip(map.board.edges, map.squares, strict=True):
        (x, y), (u, v) = map.places[edge.a], map.places[edge.b]
        turn = (math.degrees(math.atan2(v - y, u - x)) + 45) % 90 - 45
        for colour, point in zip(edge.squares, points, strict=True):
            shapes += moved(_square(colour, measured.unit, turn), *measured.at(point))
    for place in map.places:
        shapes += _place(place, measured)
    return Drawing(width, height, SAND, tuple(shapes))


def standing_pictures(layout: Layout, drawings: Mapping[str, Drawing]) -> Mapping[str, Picture]:
    """Pictures for a gallery: of each board, by its zone, and of the paint of each figure; of a board without a drawing the plain one."""
    found: dict[str, Picture] = {}
    for zone in layout.zones:
        if zone.form == "squares":
            found[zone.name] = raster(drawings.get(zone.name) or plain_board(zone), 4.0)
            found |= {one.identity: sample(one.identity) for one in layout.figures if one.kind in zone.kinds}
    return found


def plain_board(zone: Zone) -> Drawing:
    """A board of which only the squares are known: each a ring with its name, on sand with the Nile."""
    shapes: list[Shape] = [*_land(zone.width, zone.height)]
    for square in zone.squares:
        x, y, radius = square.x - zone.x, square.y - zone.y, square.size / 2
        shapes += [disc(x, y, radius, INK), disc(x, y, radius - 0.7, LINEN)]
        shapes += write(square.name, x, y + radius - 3.0, 2.2, INK, room=2 * radius - 2.0, weight=0.15)
    return Drawing(zone.width, zone.height, SAND, tuple(shapes))


def board_pdf(board: Board, path: Path, paper: str | None = None) -> int:
    """Write the board as a PDF at true scale: one page of its own size, or sheets of a paper. Gives the number of pages.

    Raises OSError if the file cannot be written.
    """
    from hardware.print.document import Page, Placed, write_document
    from hardware.print.tiled import sheets

    drawing = board_drawing(board)
    whole = (Page(drawing.width, drawing.height, (Placed(drawing, 0, 0),)),)
    pages = whole if paper is None else sheets(drawing, paper)
    write_document(pages, path, "Thoth: board for Papyrus The Game")
    return len(pages)


# The land


def _land(width: float, height: float) -> Iterator[Shape]:
    """Sand with dunes, the Nile from top to bottom, and a frame with the steps of a temple."""
    for row, y in enumerate(_steps(height, 21.0)):
        for column, x in enumerate(_steps(width, 46.0)):
            at = x + (23.0 if row % 2 else 0.0)
            if at + 30 < width:
                yield Stroke(curve(((at, y), (at + 11, y - 3.4), (at + 24, y + 1.2)), False, 5), 0.5, DUNE)
                if (row + column) % 3 == 0:
                    yield Stroke(
                        curve(((at + 7, y + 3), (at + 15, y + 0.8), (at + 24, y + 3.6)), False, 5), 0.4, DUNE
                    )
    middle = [
        (width * (0.47 + 0.055 * math.sin(index * 1.25 + 0.7)), height * index / 8) for index in range(9)
    ]
    river = curve(middle, False, 8)
    yield Stroke(river, 26.0, BANK)
    yield Stroke(river, 19.0, NILE)
    for shift in (-5.0, 0.0, 5.0):
        yield Stroke(tuple((x + shift, y) for x, y in river), 0.4, shade(NILE, -0.14))
    edge = MARGIN * 0.7
    for x, y, w, h in (
        (0.0, 0.0, width, edge),
        (0.0, height - edge, width, edge),
        (0.0, 0.0, edge, height),
        (width - edge, 0.0, edge, height),
    ):
        yield Area(rectangle(x, y, w, h), STONE[0])
    yield Stroke(rectangle(edge, edge, width - 2 * edge, height - 2 * edge), 0.6, INK, closed=True)
    yield Stroke(rectangle(1.2, 1.2, width - 2.4, height - 2.4), 0.4, STONE[1], closed=True)
    half = edge / 2
    for x in _steps(width, 12.0):
        for y in (half, height - half):
            yield from moved(_step(), x, y)
    for y in _steps(height, 12.0):
        for x in (half, width - half):
            yield from moved(turned(_step(), 90), x, y)


def _step() -> tuple[Shape, ...]:
    return (Stroke(((-4, 1.4), (-1.4, 1.4), (-1.4, -1.4), (1.4, -1.4), (1.4, 1.4), (4, 1.4)), 0.6, STONE[1]),)


def _steps(length: float, about: float) -> tuple[float, ...]:
    """Middles of equal parts, each about so long."""
    count = max(1, round(length / about))
    return tuple(length * (index + 0.5) / count for index in range(count))


# Squares and places


def _square(colour: str, unit: float, turn: float) -> tuple[Shape, ...]:
    """A square of a path about (0, 0), turned along it, its symbol upright."""
    half = unit * 0.44
    if colour == EVENT:
        plain = (
            *outlined(rounded(-half, -half, 2 * half, 2 * half, 1.6), PAPER, RED, 0.9),
            ring(0, 0, half * 0.62, half * 0.2, shade(RED, 0.6)),
            disc(0, 0, half * 0.22, shade(RED, 0.6)),
        )
        return turned(plain, turn)
    look = LOOKS[colour]
    tile = turned(outlined(rounded(-half, -half, 2 * half, 2 * half, 1.6), look.ground, INK, 0.6), turn)
    return (*tile, *moved(mark(colour, PAPER if colour == "dark" else look.deep), 0, 0, half / 14.0))


def _place(name: str, measured: Measured) -> tuple[Shape, ...]:
    x, y = measured.at(measured.map.places[name])
    radius = ROOM * measured.unit - 0.8
    event, start = name in measured.map.board.event_squares, name == measured.map.board.start
    shapes: list[Shape] = [disc(x, y, radius, INK), disc(x, y, radius - 0.7, LINEN)]
    if event:
        pale = shade(RED, 0.72)
        shapes += [ring(x, y, radius - 2.0, 1.2, RED)]
        shapes += [
            ring(x, y - 1.0, radius * 0.46, radius * 0.12, pale),
            disc(x, y - 1.0, radius * 0.18, pale),
        ]
    else:
        shapes += [
            ring(x, y, radius - 1.6, 0.5, STONE[1]),
            *moved(_pyramid(start), x, y - 1.5, radius / 20.0),
        ]
    if start:
        shapes += [ring(x, y, radius - 2.4, 1.6, RED), ring(x, y, radius - 2.4, 0.5, (250, 206, 90))]
    title = "-".join(part[:1].upper() + part[1:] for part in name.split("-"))
    size = 3.0
    room = min(broad(title, size) + 4.0, 2 * radius + 4.0)
    low = y + radius - 4.4
    plate: Colour = RED if start or event else (92, 60, 28)
    shapes += outlined(rounded(x - room / 2, low - 2.7, room, 5.4, 1.8), plate, PAPER, 0.5)
    shapes += write(title, x, low, size, PAPER, room=room - 2.4, weight=0.18)
    return tuple(shapes)


def _pyramid(start: bool) -> tuple[Shape, ...]:
    """A pale pyramid from the air, 26 mm wide: four faces round its tip, the light from the upper left."""
    h = 10.5
    corners: tuple[Point, ...] = ((-h, -h), (h, -h), (h, h), (-h, h))
    pale = tuple(
        shade(colour, 0.25 if start else 0.35) for colour in (STONE[0], STONE[0], STONE[1], STONE[1])
    )
    tints = (shade(pale[0], 0.3), pale[1], shade(pale[2], -0.06), pale[3])
    shapes: list[Shape] = [
        Area((corners[index], corners[(index + 1) % 4], (0.0, 0.0)), tint) for index, tint in enumerate(tints)
    ]
    shapes.append(Stroke(corners, 0.4, TRACK, closed=True))
    return (*shapes, *(Stroke((corner, (0.0, 0.0)), 0.3, TRACK) for corner in corners))
