"""The mat: one drawing, as a picture for the simulated table and as a PDF at true scale for the printer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2

from engines.table import Layout, Zone
from hardware.print.raster import Picture, raster
from hardware.print.shapes import Area, Colour, Drawing, Shape, Stroke, Words, rectangle
from vision.mat import LOOSE_QUIET, LOOSE_SIZE, QUIET, Marker, markers

GROUND: Colour = (232, 226, 212)
"""Light and matt: dark tile frames and cast shadows both stand out, and little ink is needed."""
LINE: Colour = (120, 104, 84)
PALE: Colour = (196, 184, 164)
WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
TITLES = {"tanis": "Tanis", "archaeology": "Archaeology", "ankh": "Ankh", "papyrus": "Papyrus"}


def draw_mat(layout: Layout, px_per_mm: float) -> Picture:
    """The mat as a picture, (height, width, 3) uint8 BGR, 1 mm = ``px_per_mm`` px."""
    return raster(mat_drawing(layout), px_per_mm)


def mat_pdf(layout: Layout, path: Path) -> None:
    """Write the mat as one PDF page at true scale, all lines as vectors. Raises OSError if the file cannot be written."""
    from hardware.print.pdf import write_pdf

    write_pdf(mat_drawing(layout), path, f"Thoth: mat for {TITLES.get(layout.game, layout.game)}")


def mat_drawing(layout: Layout) -> Drawing:
    """The mat as shapes in mm."""
    shapes: list[Shape] = []
    for zone in layout.zones:
        shapes += _zone(zone)
    for marker in markers(layout):
        shapes += marker_shapes(marker)
    shapes += _title(layout)
    shapes += _ruler(layout)
    return Drawing(layout.width, layout.height, GROUND, tuple(shapes))


def _zone(zone: Zone) -> list[Shape]:
    x, y, w, h = zone.x, zone.y, zone.width, zone.height
    if zone.form == "stack":
        # Only the corners: the box stands anywhere inside, and a line would run along its walls.
        arm = 12.0
        corners = ((x, y, 1, 1), (x + w, y, -1, 1), (x + w, y + h, -1, -1), (x, y + h, 1, -1))
        lines: list[Shape] = [
            Stroke(((cx + sx * arm, cy), (cx, cy), (cx, cy + sy * arm)), 0.6, LINE)
            for cx, cy, sx, sy in corners
        ]
    else:
        lines = [Stroke(rectangle(x, y, w, h), 0.4, PALE, closed=True)]
    if zone.label:
        lines.append(Words(x + w / 2, y - 1.2, 3.0, zone.label, LINE, centred=True))
    return lines


def marker_shapes(marker: Marker, quiet: float = QUIET) -> list[Shape]:
    """A marker on its white ground, which reaches ``quiet`` mm beyond the black."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    bits = cv2.aruco.generateImageMarker(dictionary, marker.id, 6)
    half, cell = marker.size / 2, marker.size / 6
    left, top = marker.x - half, marker.y - half
    white = rectangle(left - quiet, top - quiet, marker.size + 2 * quiet, marker.size + 2 * quiet)
    shapes: list[Shape] = [Area(white, WHITE), Area(rectangle(left, top, marker.size, marker.size), BLACK)]
    for row in range(6):
        column = 0
        while column < 6:  # neighbours as one area: no hairline between them on any printer
            run = column
            while run < 6 and bits[row, run]:
                run += 1
            if run > column:
                area = rectangle(left + column * cell, top + row * cell, (run - column) * cell, cell)
                shapes.append(Area(area, WHITE))
            column = max(run, column + 1)
        # A white cell under a white one: cover the seam, where some viewers let the black shine through.
        shapes += [
            Area(rectangle(left + column * cell, top + (row - 0.5) * cell, cell, cell), WHITE)
            for column in range(6)
            if row and bits[row, column] and bits[row - 1, column]
        ]
    return shapes


@cache
def loose_marker(number: int) -> Drawing:
    """One of the loose corner markers with the white around it, as it is cut out."""
    side = LOOSE_SIZE + 2 * LOOSE_QUIET
    shapes = marker_shapes(Marker(number, side / 2, side / 2, LOOSE_SIZE), LOOSE_QUIET)
    return Drawing(side, side, WHITE, tuple(shapes))


def _title(layout: Layout) -> list[Shape]:
    """The game's name between the upper markers, with a line of reeds under it."""
    title = TITLES.get(layout.game, layout.game)
    x, y = layout.width * 0.27, 34.0
    rule = Stroke(((x - 30, y + 5), (x + 30, y + 5)), 0.5, PALE)
    reeds = [Stroke(((x + dx, y + 4), (x + dx, y + 6)), 0.5, PALE) for dx in (-30, -15, 0, 15, 30)]
    return [Words(x, y, 9.0, title, LINE, centred=True), rule, *reeds]


def _ruler(layout: Layout) -> list[Shape]:
    """100 mm to hold a ruler against after printing."""
    x, y = layout.width * 0.73 - 50, 34.0
    shapes: list[Shape] = [Stroke(((x, y), (x + 100, y)), 0.3, PALE)]
    shapes += [
        Stroke(((x + tick, y - (3.0 if tick % 50 == 0 else 1.5)), (x + tick, y)), 0.3, PALE)
        for tick in range(0, 101, 10)
    ]
    shapes.append(Words(x + 50, y + 5, 2.6, "100 mm: print at 100 %", LINE, centred=True))
    return shapes
