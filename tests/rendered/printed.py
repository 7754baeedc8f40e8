"""Thoth's own faces as they come from a printer: the sheets of ``thoth print deck`` at 300 dpi, cut by their crop marks.

    python -m tests.rendered --printed --set easy,hard --count 12

reads the same scenes twice: with the faces as they are drawn, and with the cut ones on the table and in the gallery. Either gallery is
what ``thoth enrol --from`` makes of one mild photo of each face.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from firmware.commands.enrol import from_folder
from hardware.print.deck import GAP, MARK, Grid, deck_pdf, grid
from hardware.print.faces import faces
from hardware.print.pieces import Piece
from tests.rendered.deck import FAMILIES, Deck
from tests.rendered.deck import deck as held_deck
from tests.rendered.drawing import Picture
from tests.rendered.family import Family
from tests.rendered.own import OWN, Own
from tests.rendered.report import ASKED
from tests.rendered.run import Line, Reader, real, resume
from tests.rendered.score import Share, figures
from tests.rendered.sets import SETS, Job
from vision.gallery import BANKED, Gallery
from vision.reading.bank import Bank

DPI = 300
PX = DPI / 25.4
"""Px per mm of a sheet."""
SEARCHED = 2.0
"""A mark is looked for so far from where it should stand, mm: printers draw sheets in a little askew."""
FIRST, EACH = 800_000, 1_000
"""The scenes of the comparison have numbers of their own: so many for each family, from here on."""
WAYS = ("drawn", "printed")
Points = NDArray[np.float64]


class MissingMarkError(Exception):
    """A crop mark does not stand where it should."""


def _line(strip: Picture) -> float:
    """Where a dark line runs down through a strip, px from its left edge."""
    ink = strip.mean(0)
    ink = np.clip(np.median(ink) - ink - 10, 0, None)
    if ink.max() < 25:
        raise MissingMarkError("no crop mark where there should be one")
    return float((ink * (np.arange(len(ink)) + 0.5)).sum() / ink.sum())


def _ends(grey: Picture, places: Sequence[float], low: float, high: float) -> Points:
    """Both ends, px, of every cut that runs down: (cuts, 2, 2). ``places``: where it should run, ``low``, ``high``: the pieces' edges, mm."""
    ends = np.empty((len(places), 2, 2))
    for row, x in enumerate(places):
        columns = slice(round((x - SEARCHED) * PX), round((x + SEARCHED) * PX))
        for end, y in enumerate((low - GAP - MARK / 2, high + GAP + MARK / 2)):
            strip = grey[round((y - MARK / 5) * PX) : round((y + MARK / 5) * PX), columns]
            ends[row, end] = columns.start + _line(strip), y * PX
    return ends


def _crossing(one: Points, other: Points) -> Points:
    """Where two lines (2, 2) cross."""
    along, across = one[1] - one[0], other[1] - other[0]
    share = np.linalg.solve(np.stack([along, -across], 1), other[0] - one[0])[0]
    return np.asarray(one[0] + share * along)


def cut(page: Picture, laid: Grid, size: tuple[int, int]) -> list[Picture]:
    """The pieces of a sheet, ``size`` px (width, height) each, upright, place by place. Only the marks of the picture say where they lie.

    Raises MissingMarkError.
    """
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    xs = [laid.left + column * laid.width for column in range(laid.columns + 1)]
    ys = [laid.top + row * laid.height for row in range(laid.rows + 1)]
    down = _ends(grey, xs, ys[0], ys[-1])
    across = _ends(np.ascontiguousarray(grey.T), ys, xs[0], xs[-1])[:, :, ::-1]
    pieces = []
    # Cut at the sheet's own resolution and made smaller then: a camera sees the mean of what is printed.
    fine = round(laid.width * PX), round(laid.height * PX)
    target = np.array([(0, 0), (fine[0], 0), fine, (0, fine[1])], np.float32) - np.float32(0.5)
    for row in range(laid.rows):
        for column in range(laid.columns):
            corners = [
                _crossing(down[column + right], across[row + low])
                for right, low in ((0, 0), (1, 0), (1, 1), (0, 1))
            ]
            warp = cv2.getPerspectiveTransform(np.array(corners, np.float32) - np.float32(0.5), target)
            piece = cv2.warpPerspective(page, warp, fine, flags=cv2.INTER_LINEAR)
            piece = np.rot90(piece) if laid.turned else piece
            pieces.append(
                np.asarray(
                    cv2.resize(np.ascontiguousarray(piece), size, interpolation=cv2.INTER_AREA), np.uint8
                )
            )
    return pieces


class Sheets:
    """The printed deck of a game, one of each face, with backs. A sheet is cut when a face of it is asked for."""

    def __init__(self, game: str) -> None:
        with TemporaryDirectory() as place:
            path = Path(place) / f"{game}-deck.pdf"
            self.deck = deck_pdf(game, path, backs=True, once=True)
            self.pdf = pypdfium2.PdfDocument(path.read_bytes())
        names = {id(piece.drawing): name for name, piece in faces(game).items()}
        self.sheets = {
            number: [names[id(one.drawing)] for one in page.placed]
            for number, page in enumerate(self.deck.pages)
            if page.placed
        }
        self._cut: dict[tuple[str, tuple[int, int]], Picture] = {}

    def page(self, number: int) -> Picture:
        """A sheet as it is printed, BGR."""
        return np.ascontiguousarray(self.pdf[number].render(scale=DPI / 72).to_numpy()[:, :, :3])

    def pieces(self, number: int, page: Picture, size: tuple[int, int]) -> dict[str, Picture]:
        """The faces of sheet ``number``, cut from its picture ``page``, by name."""
        first = self.deck.pages[number].placed[0].drawing
        laid = grid(first.width, first.height, "A4")
        places = laid.places
        found = cut(page, laid, size)
        lying = self.deck.pages[number].placed
        return {
            name: found[_nearest(places, one.x, one.y)]
            for name, one in zip(self.sheets[number], lying, strict=True)
        }

    def face(self, name: str, size: tuple[int, int]) -> Picture:
        if (name, size) not in self._cut:
            number = next(number for number, held in self.sheets.items() if name in held)
            found = self.pieces(number, self.page(number), size)
            self._cut |= {(each, size): picture for each, picture in found.items()}
        return self._cut[name, size]


def _nearest(places: Sequence[tuple[float, float]], x: float, y: float) -> int:
    return min(range(len(places)), key=lambda row: abs(places[row][0] - x) + abs(places[row][1] - y))


@lru_cache(maxsize=4)
def sheets(game: str) -> Sheets:
    return Sheets(game)


def _printed(kind: type[Own]) -> type[Own]:
    """The family with what comes from the sheets in place of what is drawn; all else, its name too, is the same: so are its scenes."""

    class Printed(kind):  # type: ignore[misc, valid-type]
        def draw(self, spec: Piece) -> Picture:
            return sheets(self.game).face(spec.identity, self.canvas)

        def back(self) -> Picture:
            return sheets(self.game).face(self.all[0].back, self.canvas)

    return Printed


@contextmanager
def on_the_table(way: str) -> Iterator[None]:
    """While it lasts, Thoth's own families are as they are drawn, or as they are printed."""
    before: dict[str, type[Family]] = dict(FAMILIES)
    if way == "printed":
        FAMILIES.update({kind.name: _printed(kind) for kind in OWN})
    held_deck.cache_clear()
    try:
        yield
    finally:
        FAMILIES.update(before)
        held_deck.cache_clear()


def enrolled(references: Mapping[str, Picture]) -> Bank:
    """The gallery that ``thoth enrol GALLERY --from DIR`` makes of a picture of each face. Raises ValueError if one is not taken."""
    said = io.StringIO()
    with TemporaryDirectory() as place:
        photos, folder = Path(place) / "photos", Path(place) / "gallery"
        photos.mkdir()
        for name, picture in references.items():
            cv2.imwrite(str(photos / f"{name}.png"), picture)
        with redirect_stdout(said), redirect_stderr(said):
            from_folder(folder, photos)
        gallery = Gallery.salvage(folder, BANKED)
        if set(gallery.pictures) != set(references):
            raise ValueError(said.getvalue())
        return gallery.bank()


class Enrolling(Reader):
    """Reads by a gallery that was enrolled from a folder."""

    def __init__(self, read: Any = None, bank: Callable[[Mapping[str, Picture]], Bank] = enrolled) -> None:
        super().__init__(read or real())
        self._made: tuple[str, Bank] | None = None
        self._enrol = bank

    def bank(self, held: Deck) -> Bank:
        key = f"{held.name} {len(held.enrolled)}"
        if self._made is None or self._made[0] != key:
            self._made = (key, self._enrol(held.references()))
        return self._made[1]


def lines(jobs: Sequence[Job], version: str, processes: int = 1) -> Iterator[Line]:
    """The rows of the jobs by what is on the table now; in one process, for each would have to print for itself."""
    reader = Enrolling()
    for job in jobs:
        yield reader.line(job, version)


def jobs(name: str, count: int, start: int = 0) -> list[Job]:
    """``count`` scenes of a set for each of Thoth's own families that it has."""
    return [
        Job(name, FIRST + EACH * row + start + scene, kind.name, 0)
        for row, kind in enumerate(OWN)
        if kind.name in SETS[name].families
        for scene in range(count)
    ]


SMALL_FORM = {"tanis-tiles": ("mosaic",), "archaeology": ("hard",)}
"""What is read at every change: few enough sheets for some seconds."""


def small_form() -> list[Job]:
    return [
        Job(name, FIRST + EACH * row, kind.name, 0)
        for row, kind in enumerate(OWN)
        for name in SMALL_FORM.get(kind.name, ())
    ]


def read_both(
    wanted: Sequence[Job], out: Path, label: str, version: str, told: Callable[[str], None]
) -> dict[str, list[Line]]:
    """The rows of the jobs, drawn and printed; those of this version that are in ``out`` are not read again."""
    rows = {}
    for way in WAYS:
        with on_the_table(way):
            rows[way] = resume(wanted, out / f"{way}-{label}.csv", version, 1, told, lines)
    return rows


def beside(rows: Mapping[str, Sequence[Line]]) -> str:
    """Every figure of each set, drawn beside printed, then by family what is asked and right, and labels that are wrong."""
    told = []
    for name in dict.fromkeys(line["set"] for line in rows["printed"]):
        here = {way: [line for line in rows[way] if line["set"] == name] for way in WAYS}
        found = {way: figures(here[way]) for way in WAYS}
        told.append(f"{name}: {len(here['printed'])} photos{'':12s} drawn{'':20s} printed")
        asked = {figure: f"asked {sign} {limit:g}" for figure, sign, limit in ASKED[name]}
        for figure, value in found["drawn"].items():
            if isinstance(value, Share) and not value.whole:
                continue
            one, other = (_said(found[way][figure]) for way in WAYS)
            told.append(f"  {figure:20s} {one:24s} {other:24s} {asked.get(figure, '')}")
        for family in dict.fromkeys(line["family"] for line in here["printed"]):
            one, other = (
                _said(figures([line for line in here[way] if line["family"] == family])["asked right"])
                for way in WAYS
            )
            told.append(f"    {family:18s} {one:24s} {other:24s}")
        for way in WAYS:
            wrong = [
                f"{line['family']} {text}"
                for line in here[way]
                for text in line["labels"].split("; ")
                if text
            ]
            told += [f"    {way}, wrong: {text}" for text in wrong]
    return "\n".join(told)


def _said(figure: Share | float) -> str:
    return str(figure) if isinstance(figure, Share) else f"{figure:.3g}"
