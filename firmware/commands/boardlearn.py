"""``thoth board learn``: an owner's board from one photo of it empty, and the paint of its figures from one photo with them.

Where things are in a photo stands in a plain text, one thing a line, in px from the photo's top left corner; ``--page`` makes a page to
click them on::

    size 600 400              mm
    corner 102 88             four: top left, top right, bottom right, bottom left, as one reads the board
    square horus 512 300
    figure pawn-red 430 310
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.catalogue import Catalogue

GAME, BOARD = "papyrus", "board"
HELP = """\
examples:
  thoth board --numbers house                  the sample map in words
  thoth board --numbers house --svg --out map.svg
  thoth board --numbers gods.toml              your own map, and every fault in it

The camera knows your own board from one photo of it, empty, taken from above in even light:
  thoth board learn board.jpg --page click.html --numbers gods.toml
                                               open the page in a browser, click what it asks for, save board.txt
  thoth board learn board.jpg --clicks board.txt --gallery mygallery/papyrus --numbers gods.toml
                                               keeps the picture, and says what to add to gods.toml
Then one photo with every figure standing on the board:
  thoth board learn figures.jpg --page click.html --figures
  thoth board learn figures.jpg --clicks figures.txt --gallery mygallery/papyrus
"""
_LONGEST = 2000
"""Px of the photo in the page."""
_LEAST = 1.2
"""Px per mm that a photo of the board must have."""
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_LINE = rf"(?:(size|corner|photo)|(square|figure)\s+(\S+))\s+{_NUMBER}[\s,]+{_NUMBER}"


class LearnError(Exception):
    """The board cannot be learned; the text says what to do."""


@dataclass(slots=True)
class Clicks:
    """What stands in a text of clicks: mm and px."""

    size: tuple[float, float] | None = None
    corners: list[tuple[float, float]] = field(default_factory=list)
    squares: dict[str, tuple[float, float]] = field(default_factory=dict)
    figures: dict[str, tuple[float, float]] = field(default_factory=dict)

    def scaled(self, by: float) -> Clicks:
        """The same in a picture that is ``by`` times as large."""
        corners = [(x * by, y * by) for x, y in self.corners]
        squares, figures = (
            {name: (x * by, y * by) for name, (x, y) in them.items()} for them in (self.squares, self.figures)
        )
        return Clicks(self.size, corners, squares, figures)


def learn(
    photo: Path,
    numbers: Sequence[str],
    page_to: Path | None,
    clicks: Path | None,
    gallery: Path | None,
    figures: bool = False,
) -> int:
    """Make the page, or learn from what was clicked. Raises LearnError, OSError."""
    from firmware.numbers import catalogue_for

    if (page_to is None) == (clicks is None):
        raise LearnError(
            f"write --page click.html to click the squares of {photo.name}, or --clicks board.txt when that is done"
        )
    catalogue = catalogue_for(GAME, numbers or _default())
    picture, scale = _photo(photo)
    if page_to is not None:
        _page(photo, picture, scale, page_to, catalogue, figures)
        return 0
    assert clicks is not None
    if gallery is None:
        raise LearnError("where shall it be kept? Write --gallery and the folder of your gallery of Papyrus")
    told = read_clicks(clicks.read_text(encoding="utf-8-sig"), clicks.name).scaled(scale)
    if told.figures:
        _paints(picture, told, gallery)
    else:
        _board(picture, told, gallery, catalogue)
    return 0


def _default() -> Sequence[str]:
    from firmware.numbers import own

    return () if own() else ("house",)


def _photo(path: Path) -> tuple[Any, float]:
    """The photo, and its scale against the file's own px."""
    from vision.decode import PhotoError, load

    try:
        decoded = load(path)
    except PhotoError as error:
        raise LearnError(f"{path}: {error}") from error
    return decoded.photo.picture, decoded.scale


def _page(photo: Path, picture: Any, scale: float, out: Path, catalogue: Catalogue, figures: bool) -> None:
    import cv2

    from engines.papyrus.numbers import numbers
    from engines.papyrus.plan import names
    from engines.papyrus.zones import PAWN, PYRAMID, layout
    from firmware.commands.boardpage import file_of, page

    high, wide = picture.shape[:2]
    shown = min(1.0, _LONGEST / max(high, wide))
    small = (
        cv2.resize(picture, None, fx=shown, fy=shown, interpolation=cv2.INTER_AREA) if shown < 1 else picture
    )
    _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 88])
    seen = [one.identity for one in layout(5, {}, catalogue).figures if one.kind in (PAWN, PYRAMID)]
    them = tuple(seen) if figures else ()
    squares = () if figures else names(numbers(catalogue).board)
    out.write_text(
        page(
            jpeg.tobytes(),
            (round(wide / scale), round(high / scale)),
            shown * scale,
            squares,
            them,
            photo.name,
        ),
        encoding="utf-8",
    )
    saved = file_of(them)
    print(f"{out}: open it in a browser, click what it asks for, save {saved}. Then:")
    print(f"  thoth board learn {photo} --clicks {saved} --gallery FOLDER")


def read_clicks(text: str, name: str) -> Clicks:
    """Raises LearnError that names the line."""
    told = Clicks()
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        found = re.fullmatch(_LINE, line)
        if not found:
            raise LearnError(
                f"{name}, line {number}: '{line[:40]}' cannot be read: write size, corner, square NAME or figure NAME, then two numbers"
            )
        at = float(found[4]), float(found[5])
        if found[1] == "size":
            told.size = at
        elif found[1] == "corner":
            told.corners.append(at)
        elif found[2] == "square":
            told.squares[found[3]] = at
        elif found[2] == "figure":
            told.figures[found[3]] = at
    if len(told.corners) != 4:
        raise LearnError(
            f"{name} has {len(told.corners)} corners: the board has 4; top left, top right, bottom right, bottom left"
        )
    if told.size is not None and not all(100 <= side <= 2000 for side in told.size):
        raise LearnError(f"{name}: the board's size is in mm, like: size 600 400")
    return told


def _board(picture: Any, told: Clicks, gallery: Path, catalogue: Catalogue) -> None:
    from engines.papyrus.numbers import numbers
    from engines.papyrus.plan import names, points, write_spot
    from vision.boards import cut, turning
    from vision.gallery import About, enrol

    if told.size is None:
        raise LearnError("how large is the board? Write a line with its mm, like: size 600 400")
    wide, high = told.size
    if turning(told.corners) < 0:
        raise LearnError("the corners run the wrong way: top left, top right, bottom right, bottom left")
    apart = min(_apart(a, b) for a, b in zip(told.corners, (*told.corners[1:], told.corners[0]), strict=True))
    if apart < _LEAST * min(wide, high):
        raise LearnError(
            "the board is too small in this photo: take one from nearer, so that it fills the picture"
        )
    kept, spots = cut(picture, told.corners, wide, high, list(told.squares.values()))
    places = dict(zip(told.squares, spots, strict=True))
    outside = [name for name, (x, y) in places.items() if not (0 <= x <= wide and 0 <= y <= high)]
    if outside:
        raise LearnError(f"{', '.join(outside[:3])} lies outside of the board's corners: click it again")
    enrol(gallery, {BOARD: kept}, {BOARD: About(size=(wide, high))}, GAME)
    print(f"{gallery}: knows your board. Write this into your file of numbers, for {GAME}:")
    print("", "[papyrus.map]", f"width = {wide:.1f}", f"height = {high:.1f}", "squares = [", sep="\n")
    print(*(f'  "{write_spot(name, x, y)}",' for name, (x, y) in places.items()), "]", "", sep="\n")
    known = names(numbers(catalogue).board)
    for title, them in (
        ("Not told yet, so no pawn is seen there", [name for name in known if name not in places]),
        ("Not on the map", [name for name in places if name not in known and points(name) is None]),
    ):
        if them:
            print(f"{title}: {', '.join(them)}")


def _apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _paints(picture: Any, told: Clicks, gallery: Path) -> None:
    from vision.boards import Board, cut
    from vision.gallery import Gallery, GalleryError, enrol
    from vision.paints import FigureError, painted

    again = "learn the empty board first: thoth board learn board.jpg --clicks board.txt --gallery FOLDER"
    try:
        known = Gallery.load(gallery)
    except GalleryError as error:
        raise LearnError(f"{error}; {again}") from error
    size = known.about[BOARD].size if BOARD in known.pictures else None
    if size is None:
        raise LearnError(f"{gallery} does not know your board: {again}")
    board = Board.of(known.pictures[BOARD], *size)
    view, spots = cut(picture, told.corners, *size, list(told.figures.values()))
    try:
        samples = painted(view, board, dict(zip(told.figures, spots, strict=True)))
    except FigureError as error:
        raise LearnError(str(error)) from error
    enrol(gallery, samples, game=GAME)
    print(f"{gallery}: knows the paint of {', '.join(samples)}")
