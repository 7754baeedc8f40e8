"""Four loose corner markers for a table that is larger than any mat, with a sheet that says how to lay them."""

from __future__ import annotations

from pathlib import Path

from hardware.print.deck import INK, PAPERS, ruler
from hardware.print.document import Page, write_document
from hardware.print.lettering import wrapped, write
from hardware.print.mat import marker_shapes
from hardware.print.shapes import Area, Shape, Stroke, rectangle
from vision.mat import LOOSE, LOOSE_QUIET, LOOSE_SIZE, Marker

NAMES = ("far left", "far right", "near left", "near right")
WIDTH, HEIGHT = 66.0, 76.0
"""One marker with its name, as it is cut out, mm."""
_STEPS = (
    ("1 Print", "At 100 % or actual size, on matt paper. The black squares must be 50 mm wide: measure one."),
    ("2 Cut", "Along the thin lines. Leave the white round the black: the eyes need it."),
    (
        "3 Lay",
        "Each at its corner of the table you play on, upright as you read this when you sit at the near side, "
        "outside of everything that is played. Any distance will do: it is measured from the picture.",
    ),
    ("4 Keep", "Flat, in the picture, and where they are until the game is over. A dab of putty holds them."),
)


def corners_page(paper: str = "A4") -> Page:
    """The sheet: markers in the order far left, far right, near left, near right."""
    wide, high = PAPERS[paper]
    left, top = (wide - 2 * WIDTH) / 2, 16.0
    shapes: list[Shape] = []
    for index, (number, name) in enumerate(zip(LOOSE, NAMES, strict=True)):
        x, y = left + WIDTH * (index % 2), top + HEIGHT * (index // 2)
        shapes.append(Stroke(rectangle(x, y, WIDTH, HEIGHT), 0.15, INK, closed=True))
        centre = x + WIDTH / 2, y + (WIDTH - LOOSE_SIZE) / 2 + LOOSE_SIZE / 2
        shapes += marker_shapes(Marker(number, *centre, LOOSE_SIZE), LOOSE_QUIET)
        shapes += write(name, x + WIDTH / 2, y + HEIGHT - 8.4, 4.0, INK)
    y = top + 2 * HEIGHT + 14.0
    shapes += write("Corners for a large table", left, y, 4.6, INK, "left")
    y += 10.0
    for head, text in _STEPS:
        shapes += write(head, left, y, 2.9, INK, "left")
        for line in wrapped(text, 2.4, 2 * WIDTH - 22.0):
            shapes += write(line, left + 22.0, y, 2.4, INK, "left", weight=0.13)
            y += 4.8
        y += 2.6
    shapes += ruler(left, min(y + 8.0, high - 14.0), 100)
    shapes += _table(left + 108.0, min(y - 6.0, high - 30.0))
    return Page(wide, high, (), tuple(shapes))


def corners_pdf(path: Path, paper: str = "A4") -> None:
    """Write the sheet as a PDF at true scale. Raises OSError if the file cannot be written."""
    write_document([corners_page(paper)], path, "Thoth: corners for a large table")


def _table(x: float, y: float) -> tuple[Shape, ...]:
    """A table from above with the four in their places."""
    spots = ((x + 1, y + 1), (x + 20, y + 1), (x + 1, y + 14), (x + 20, y + 14))
    return (
        Stroke(rectangle(x, y, 24, 18), 0.4, INK, closed=True),
        *(Area(rectangle(left, top, 3, 3), INK) for left, top in spots),
    )
