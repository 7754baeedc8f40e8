"""A whole game on sheets of paper: every piece as often as it is in the box, at true scale, with crop marks.

The pieces of a kind lie edge to edge and share their cuts; each has an edge of plain paper colour, so that a cut that goes a little
wrong is not seen. Backs come on the page behind, mirrored for a printer that turns the sheet over its long side.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engines.catalogue import Catalogue
from hardware.print.document import Page, Placed, write_document
from hardware.print.faces import faces
from hardware.print.lettering import wrapped, write
from hardware.print.pieces import Piece
from hardware.print.shapes import Area, Colour, Shape, Stroke, rectangle

PAPERS: Mapping[str, tuple[float, float]] = {"A4": (210.0, 297.0), "A3": (297.0, 420.0)}
TITLES = {"tanis": "Tanis", "archaeology": "Archaeology", "ankh": "Ankh", "papyrus": "Papyrus"}
SIDE, END = 6.5, 14.0
"""Least margins in mm beside and above the pieces: room for the marks, and more than any printer leaves out."""
GAP, MARK = 1.2, 3.8
"""Crop marks begin so far from the pieces and are so long, mm."""
INK: Colour = (60, 50, 44)


@dataclass(frozen=True, slots=True)
class Grid:
    """How the pieces of one size lie on a page: ``columns`` x ``rows`` from (left, top) mm, each ``width`` x ``height`` mm there."""

    columns: int
    rows: int
    left: float
    top: float
    width: float
    height: float
    turned: bool

    @property
    def places(self) -> tuple[tuple[float, float], ...]:
        """Top left corners, row by row."""
        return tuple(
            (self.left + column * self.width, self.top + row * self.height)
            for row in range(self.rows)
            for column in range(self.columns)
        )


def grid(width: float, height: float, paper: str) -> Grid:
    """As many pieces of a size on a page as there is room for, upright or turned. Raises ValueError for pieces larger than the paper."""
    wide, high = PAPERS[paper]
    found = []
    for turned, (w, h) in ((False, (width, height)), (True, (height, width))):
        columns, rows = int((wide - 2 * SIDE) / w + 1e-6), int((high - 2 * END) / h + 1e-6)
        if columns and rows:
            left, top = (wide - columns * w) / 2, (high - rows * h) / 2
            found.append(Grid(columns, rows, left, top, w, h, turned))
    if not found:
        raise ValueError(f"a piece of {width:g} x {height:g} mm does not fit on {paper}; take A3")
    return max(found, key=lambda one: (one.columns * one.rows, not one.turned))


@dataclass(frozen=True, slots=True)
class Deck:
    """The pages of a deck, how many pieces they hold, and whether every second one is a back."""

    pages: tuple[Page, ...]
    pieces: int


def deck(
    game: str, catalogue: Catalogue | None = None, paper: str = "A4", backs: bool = False, once: bool = False
) -> Deck:
    """The sheets of a game, the one that explains them first. ``once``: one of each face only, to try the reading.

    Raises what ``faces`` raises, and ValueError when a piece does not fit on the paper.
    """
    known = faces(game, catalogue)
    kinds: dict[str, list[Piece]] = {}
    for piece in known.values():
        if piece.copies:
            kinds.setdefault(piece.kind, []).extend([piece] * (1 if once else piece.copies))
    sheets: list[tuple[str, Sequence[Piece], Grid]] = []
    for kind, pieces in kinds.items():
        drawing = pieces[0].drawing
        laid = grid(drawing.width, drawing.height, paper)
        each = laid.columns * laid.rows
        sheets += [(kind, pieces[start : start + each], laid) for start in range(0, len(pieces), each)]
    pages = [_explained(game, kinds, paper, backs)]
    if backs:  # the explaining sheet has an empty other side, so that faces come on odd pages
        pages.append(Page(*PAPERS[paper]))
    for number, (kind, held, laid) in enumerate(sheets, start=1):
        words = f"Thoth  {TITLES.get(game, game)}  {kind}  sheet {number} of {len(sheets)}"
        pages.append(_front(held, laid, paper, words))
        if backs:
            pages.append(_behind(held, laid, paper, known))
    return Deck(tuple(pages), sum(map(len, kinds.values())))


def deck_pdf(
    game: str,
    path: Path,
    catalogue: Catalogue | None = None,
    paper: str = "A4",
    backs: bool = False,
    once: bool = False,
) -> Deck:
    """Write the sheets of a game as a PDF at true scale. Raises what ``deck`` raises, and OSError if the file cannot be written."""
    made = deck(game, catalogue, paper, backs, once)
    write_document(made.pages, path, f"Thoth: {TITLES.get(game, game)}, print and play")
    return made


def _front(pieces: Sequence[Piece], laid: Grid, paper: str, words: str) -> Page:
    wide, high = PAPERS[paper]
    placed = tuple(
        Placed(piece.drawing, x, y, laid.turned) for piece, (x, y) in zip(pieces, laid.places, strict=False)
    )
    foot = laid.top + laid.rows * laid.height + GAP + MARK + 3.0
    shapes = (
        *_marks(laid),
        *write(words, laid.left, foot, 2.2, INK, "left"),
        *ruler(wide - laid.left - 50, foot + 1.2, 50),
    )
    return Page(wide, high, placed, shapes)


def _behind(pieces: Sequence[Piece], laid: Grid, paper: str, known: Mapping[str, Piece]) -> Page:
    """The backs of a sheet: what lies at the left in front lies at the right here."""
    wide, high = PAPERS[paper]
    placed = tuple(
        Placed(known[piece.back].drawing, wide - x - laid.width, y, laid.turned)
        for piece, (x, y) in zip(pieces, laid.places, strict=False)
    )
    return Page(wide, high, placed, _marks(laid))


def _marks(laid: Grid) -> tuple[Shape, ...]:
    """A short line at both ends of every cut."""
    right, low = laid.left + laid.columns * laid.width, laid.top + laid.rows * laid.height
    lines: list[Shape] = []
    for column in range(laid.columns + 1):
        x = laid.left + column * laid.width
        for y, way in ((laid.top, -1), (low, 1)):
            lines.append(Stroke(((x, y + way * GAP), (x, y + way * (GAP + MARK))), 0.15, INK))
    for row in range(laid.rows + 1):
        y = laid.top + row * laid.height
        for x, way in ((laid.left, -1), (right, 1)):
            lines.append(Stroke(((x + way * GAP, y), (x + way * (GAP + MARK), y)), 0.15, INK))
    return tuple(lines)


def ruler(x: float, y: float, length: int) -> tuple[Shape, ...]:
    """A line of ``length`` mm with a tick each cm, to hold a ruler against."""
    shapes: list[Shape] = [Stroke(((x, y), (x + length, y)), 0.2, INK)]
    for tick in range(0, length + 1, 10):
        tall = 2.6 if tick in (0, length) else 1.4
        shapes.append(Stroke(((x + tick, y - tall), (x + tick, y)), 0.2, INK))
    return (*shapes, *write(f"{length} mm", x + length / 2, y - 3.6, 1.8, INK))


# The sheet that explains the others


def _explained(game: str, kinds: Mapping[str, Sequence[Piece]], paper: str, backs: bool) -> Page:
    wide, high = PAPERS[paper]
    left, room = 18.0, wide - 36.0
    shapes: list[Shape] = [
        *write(f"{TITLES.get(game, game)}: print and play", left, 24.0, 7.0, INK, "left", room=room),
        Stroke(((left, 32), (left + room, 32)), 0.6, INK),
    ]
    y = 42.0
    for head, text in (*_steps(paper, backs), *_counts(kinds, paper)):
        shapes += write(head, left, y, 3.2, INK, "left")
        for line in wrapped(text, 2.6, room - 8.0):
            y += 5.4
            shapes += write(line, left + 8.0, y, 2.6, INK, "left", room=room - 8.0, weight=0.13)
        y += 9.0
    shapes += ruler(left, y + 6.0, 100)
    shapes += _scheme(left + 116.0, y - 2.0)
    return Page(wide, high, (), tuple(shapes))


def _steps(paper: str, backs: bool) -> Iterable[tuple[str, str]]:
    yield (
        "1 Print",
        f"On {paper}, in colour, at 100 % or actual size. Not fit to page. Matt paper: a gloss blinds the eyes.",
    )
    if backs:
        yield (
            "  Both sides",
            "Turn over the long side. Hold the first sheet against a light: the marks must meet within 1 mm.",
        )
    else:
        yield (
            "  One side",
            "Sleeves with an old playing card behind each face hide what is seen through thin paper.",
        )
    yield (
        "2 Measure",
        "The line below these words is 100 mm long, those on the others 50 mm. If not, print again.",
    )
    yield (
        "3 Cut",
        "Steel ruler and knife from mark to mark: all cuts along the long side first, then across. The pale edge forgives a mm.",
    )
    yield (
        "4 Thicken",
        "Cards: paper of 200 g or more, or sleeves. Tiles and tokens: glue the sheet on board of 2 to 4 mm, then cut.",
    )


def _counts(kinds: Mapping[str, Sequence[Piece]], paper: str) -> Iterable[tuple[str, str]]:
    yield "What is on the sheets", "; ".join(_counted(kind, pieces, paper) for kind, pieces in kinds.items())


def _counted(kind: str, pieces: Sequence[Piece], paper: str) -> str:
    drawing = pieces[0].drawing
    laid = grid(drawing.width, drawing.height, paper)
    sheets = -(-len(pieces) // (laid.columns * laid.rows))
    return f"{kind}: {len(pieces)} of {drawing.width:g} × {drawing.height:g} mm on {sheets} sheet{'s' if sheets > 1 else ''}"


def _scheme(x: float, y: float) -> tuple[Shape, ...]:
    """A small sheet with its cuts numbered."""
    shapes: list[Shape] = [Stroke(rectangle(x, y, 42, 46), 0.3, INK, closed=True)]
    shapes += [
        Area(rectangle(x + 7.4 + 9.4 * column, y + 6.4 + 11.4 * row, 8.6, 10.6), (226, 210, 176))
        for row in range(3)
        for column in range(3)
    ]
    for index in range(4):
        cut = x + 7 + 9.4 * index
        shapes.append(Stroke(((cut, y + 2.4), (cut, y + 43.6)), 0.25, (190, 40, 34)))
    for index in range(4):
        cut = y + 6 + 11.4 * index
        shapes.append(Stroke(((x + 3.0, cut), (x + 39.0, cut)), 0.25, (40, 90, 160)))
    return (
        *shapes,
        *write("1", x + 7, y - 2.6, 2.4, (190, 40, 34)),
        *write("2", x + 45, y + 6, 2.4, (40, 90, 160)),
    )
