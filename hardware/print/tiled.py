"""A mat on several sheets of small paper, to be cut and glued together: neighbours overlap, and marks say where they meet."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from engines.table import Layout
from hardware.print.deck import INK, PAPERS, ruler
from hardware.print.document import Page, Placed, write_document
from hardware.print.lettering import Align, write
from hardware.print.mat import mat_drawing
from hardware.print.shapes import Drawing, Shape, Stroke, Words
from vision.mat import QUIET, Marker, markers

MARGIN = 9.0
"""White around what is printed on a sheet, mm: no printer leaves out more."""
OVERLAP = 12.0
"""What neighbouring sheets both show, mm: one is glued on the other there."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a mat is cut into sheets of ``wide`` x ``high`` mm, each of which shows ``width`` x ``height`` mm of it."""

    columns: int
    rows: int
    wide: float
    high: float
    width: float
    height: float

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """The mat's point at the top left of what a sheet shows."""
        return column * (self.width - OVERLAP), row * (self.height - OVERLAP)


def tiling(width: float, height: float, paper: str, marks: Sequence[Marker] = ()) -> Tiling:
    """The fewest sheets of a paper, upright or across, that show a mat of ``width`` x ``height`` mm, without a seam through one of
    the ``marks`` where that takes at most a row and a column more."""
    found = []
    for wide, high in (PAPERS[paper], PAPERS[paper][::-1]):
        least = [
            max(1, math.ceil((side - OVERLAP) / (most - 2 * MARGIN - OVERLAP)))
            for side, most in ((width, wide), (height, high))
        ]
        for columns, rows in product((least[0], least[0] + 1), (least[1], least[1] + 1)):
            # All sheets show equally much, so that none holds but a strip.
            shown = (width - OVERLAP) / columns + OVERLAP, (height - OVERLAP) / rows + OVERLAP
            found.append(Tiling(columns, rows, wide, high, *shown))
    return min(found, key=lambda one: (sum(_cut(one, mark) for mark in marks), one.columns * one.rows))


def _cut(cut: Tiling, mark: Marker) -> bool:
    """Whether a seam runs through a marker or the white around it."""
    reach = mark.size / 2 + QUIET
    across = (cut.corner(column, 0)[0] for column in range(1, cut.columns))
    down = (cut.corner(0, row)[1] for row in range(1, cut.rows))
    return any(abs(mark.x - x) < reach for x in across) or any(abs(mark.y - y) < reach for y in down)


def mat_pages(layout: Layout, paper: str) -> tuple[Page, ...]:
    """The sheets row by row, from the mat's top left."""
    return sheets(lettered(mat_drawing(layout)), paper, markers(layout))


def sheets(drawing: Drawing, paper: str, marks: Sequence[Marker] = ()) -> tuple[Page, ...]:
    """A drawing without words of a font on sheets of a paper, row by row; no seam runs through one of the ``marks`` if that can be."""
    cut = tiling(drawing.width, drawing.height, paper, marks)
    pages = []
    for row in range(cut.rows):
        for column in range(cut.columns):
            x, y = cut.corner(column, row)
            left, top = (cut.wide - cut.width) / 2, (cut.high - cut.height) / 2
            window = left, top, cut.width, cut.height
            placed = Placed(drawing, left - x, top - y, window=window)
            pages.append(Page(cut.wide, cut.high, (placed,), _marks(cut, column, row, left, top)))
    return tuple(pages)


def tiled_pdf(layout: Layout, path: Path, paper: str) -> int:
    """Write the sheets as a PDF at true scale, and return how many there are. Raises OSError if the file cannot be written."""
    pages = mat_pages(layout, paper)
    write_document(pages, path, f"Thoth: mat for {layout.game} on {paper}")
    return len(pages)


def lettered(drawing: Drawing) -> Drawing:
    """The drawing with its words in our own letters, which need no font."""
    shapes: list[Shape] = []
    for shape in drawing.shapes:
        if isinstance(shape, Words):
            align: Align = "centre" if shape.centred else "left"
            middle = shape.y - shape.size / 2
            shapes += write(shape.text, shape.x, middle, shape.size, shape.colour, align, weight=0.13)
        else:
            shapes.append(shape)
    return Drawing(drawing.width, drawing.height, drawing.ground, tuple(shapes))


def _marks(cut: Tiling, column: int, row: int, left: float, top: float) -> tuple[Shape, ...]:
    """Crop marks at the corners, where the next sheets begin, and what belongs where."""
    right, low = left + cut.width, top + cut.height
    lines: list[Shape] = []
    for x, way in ((left, -1), (right, 1)):
        for y in (top, low):
            lines.append(Stroke(((x + way * 1.0, y), (x + way * 4.6, y)), 0.15, INK))
    for y, way in ((top, -1), (low, 1)):
        for x in (left, right):
            lines.append(Stroke(((x, y + way * 1.0), (x, y + way * 4.6)), 0.15, INK))
    # Where the neighbour at the right, or below, begins: its edge is laid on these.
    if column + 1 < cut.columns:
        x = right - OVERLAP
        lines += [
            Stroke(((x, top - 4.6), (x, top - 1.0)), 0.4, INK),
            Stroke(((x, low + 1.0), (x, low + 4.6)), 0.4, INK),
        ]
    if row + 1 < cut.rows:
        y = low - OVERLAP
        lines += [
            Stroke(((left - 4.6, y), (left - 1.0, y)), 0.4, INK),
            Stroke(((right + 1.0, y), (right + 4.6, y)), 0.4, INK),
        ]
    number = row * cut.columns + column + 1
    words = f"sheet {number} of {cut.columns * cut.rows}: row {row + 1}, column {column + 1}. Cut; glue the next on the thick marks"
    lines += write(words, left + 6.0, low + 4.4, 1.9, INK, "left", room=cut.width - 74.0, weight=0.13)
    return (*lines, *ruler(right - 56.0, low + 6.0, 50))
