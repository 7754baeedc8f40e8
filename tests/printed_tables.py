"""``python -m tests.printed_tables``: whole tables as a printer gives them, under the simulated camera, read by the real eyes.

Mat or board and corner markers come from the PDFs of ``thoth print`` at 300 dpi, on one page or on small sheets that somebody has cut and glued
together; the cards are cut from the printed deck by their crop marks. One line for each game, number of players and paper, with what is read
of the same table as it is drawn.
"""

from __future__ import annotations

import argparse
import importlib
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pypdfium2

from engines import table_games
from engines.catalogue import house
from engines.dealing import Placed
from engines.game import Game
from engines.table import Layout, Table
from firmware.commands.optics import picture
from hardware.clock import SimulatedClock
from hardware.print.board import board_pdf
from hardware.print.corners import HEIGHT, WIDTH, corners_pdf
from hardware.print.deck import PAPERS
from hardware.print.faces import boards, draw_face
from hardware.print.mat import mat_pdf
from hardware.print.shapes import Drawing
from hardware.print.tiled import Tiling, tiled_pdf, tiling
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.paint import Art, Picture, u8
from hardware.simulated.render import Renderer
from hardware.simulated.table import SimulatedTable
from tests.rendered.printed import sheets
from vision.eyes import Eyes
from vision.gallery import SCALE, Gallery
from vision.mat import LOOSE, LOOSE_QUIET, LOOSE_SIZE, markers

DPI = 300.0
WHOLE, DRAWN = "whole", "drawn"
"""On one page; and, to compare with, not printed at all."""
TILED = tuple(f"tiled-{paper}" for paper in PAPERS)
SLIP = 0.3
"""So far off (mm, either way) a sheet is glued on the one before."""
NEAR = (1536, 864)
FINE = 4.0
"""Px per mm of what is kept of a print: twice what the camera sees."""


def sheet(path: Path, number: int = 0, dpi: float = DPI) -> Picture:
    """A page as it is printed, BGR."""
    page = pypdfium2.PdfDocument(path)[number]
    return np.ascontiguousarray(page.render(scale=dpi / 72).to_numpy()[:, :, :3])


def glued(path: Path, cut: Tiling, width: float, height: float, dpi: float, rng: random.Random) -> Picture:
    """The sheets of a PDF cut and laid on each other's marks, FINE px per mm; each a little off."""
    whole = np.full((round(height * FINE), round(width * FINE), 3), 255, np.uint8)
    left, top = (cut.wide - cut.width) / 2, (cut.high - cut.height) / 2
    for number in range(cut.columns * cut.rows):
        row, column = divmod(number, cut.columns)
        page = sheet(path, number, dpi)
        page = u8(
            cv2.resize(page, (round(cut.wide * FINE), round(cut.high * FINE)), interpolation=cv2.INTER_AREA)
        )
        x, y = cut.corner(column, row)
        dx, dy = ((rng.uniform(-SLIP, SLIP) if number else 0.0) for _ in range(2))
        shift = np.array([[1, 0, (x + dx - left) * FINE], [0, 1, (y + dy - top) * FINE]])
        laid = cv2.warpAffine(page, shift, whole.shape[1::-1], flags=cv2.INTER_LINEAR)
        rows = slice(max(0, round((y + dy) * FINE)), round((y + dy + cut.height) * FINE))
        columns = slice(max(0, round((x + dx) * FINE)), round((x + dx + cut.width) * FINE))
        whole[rows, columns] = laid[rows, columns]
    return whole


def mat(layout: Layout, paper: str, dpi: float, rng: random.Random) -> Picture:
    """The printed mat of a layout, FINE px per mm."""
    with TemporaryDirectory() as place:
        path = Path(place) / "mat.pdf"
        if paper == WHOLE:
            mat_pdf(layout, path)
            size = round(layout.width * FINE), round(layout.height * FINE)
            return u8(cv2.resize(sheet(path, 0, dpi), size, interpolation=cv2.INTER_AREA))
        small = paper.removeprefix("tiled-")
        tiled_pdf(layout, path, small)
        cut = tiling(layout.width, layout.height, small, markers(layout))
        return glued(path, cut, layout.width, layout.height, dpi, rng)


def board(drawing: Drawing, paper: str, dpi: float, rng: random.Random) -> Picture:
    """The printed board of Papyrus, FINE px per mm."""
    from engines.papyrus.numbers import numbers

    with TemporaryDirectory() as place:
        path = Path(place) / "board.pdf"
        small = None if paper == WHOLE else paper.removeprefix("tiled-")
        board_pdf(numbers(house("papyrus")).board, path, small)
        if small is None:
            size = round(drawing.width * FINE), round(drawing.height * FINE)
            return u8(cv2.resize(sheet(path, 0, dpi), size, interpolation=cv2.INTER_AREA))
        cut = tiling(drawing.width, drawing.height, small)
        return glued(path, cut, drawing.width, drawing.height, dpi, rng)


@cache
def corners(dpi: float) -> dict[int, Picture]:
    """The four loose markers with their white, cut from the printed sheet, FINE px per mm."""
    with TemporaryDirectory() as place:
        path = Path(place) / "corners.pdf"
        corners_pdf(path, "A4")
        page = sheet(path, 0, dpi)
    px, side = dpi / 25.4, LOOSE_SIZE + 2 * LOOSE_QUIET
    left, top = (PAPERS["A4"][0] - 2 * WIDTH) / 2, 16.0
    found = {}
    for index, number in enumerate(LOOSE):
        x = left + WIDTH * (index % 2) + (WIDTH - side) / 2
        y = top + HEIGHT * (index // 2) + (WIDTH - side) / 2
        part = page[round(y * px) : round((y + side) * px), round(x * px) : round((x + side) * px)]
        size = round(side * FINE), round(side * FINE)
        found[number] = u8(cv2.resize(part, size, interpolation=cv2.INTER_AREA))
    return found


class PrintedArt(Art):
    """The faces and the mat, boards and markers as they come from the printer."""

    def __init__(self, table: SimulatedTable, paper: str, dpi: float, px_per_mm: float, seed: int) -> None:
        super().__init__(table.layout, px_per_mm)
        rng = random.Random(f"glue {seed}")
        self.game = table.layout.game
        self.whole = None if table.layout.loose else mat(table.layout, paper, dpi, rng)
        self.flat: dict[int, Picture] = {}
        if table.layout.loose:
            from hardware.print.mat import loose_marker

            self.flat = {id(loose_marker(number)): marker for number, marker in corners(dpi).items()}
            for drawing in table.boards.values():
                self.flat[id(drawing)] = board(drawing, paper, dpi, rng)

    def face(self, identity: str, px_per_mm: float) -> Picture:
        key = identity, px_per_mm
        if key not in self._faces:
            kind = self._layout.kind(self._layout.face(identity).kind)
            size = round(kind.width * px_per_mm), round(kind.height * px_per_mm)
            name = "back" if self.game == "tanis" and identity.startswith("back") else identity
            opaque = cv2.cvtColor(sheets(self.game).face(name, size), cv2.COLOR_BGR2BGRA)
            self._faces[key] = u8(
                cv2.copyMakeBorder(opaque, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
            )
        return self._faces[key]

    def mat(self, px_per_mm: float) -> Picture:
        assert self.whole is not None
        size = round(self._layout.width * px_per_mm), round(self._layout.height * px_per_mm)
        return u8(cv2.resize(self.whole, size, interpolation=cv2.INTER_AREA))

    def drawing(self, drawing: Drawing, px_per_mm: float) -> Picture:
        printed = self.flat[id(drawing)]
        size = round(drawing.width * px_per_mm), round(drawing.height * px_per_mm)
        opaque = cv2.cvtColor(u8(cv2.resize(printed, size, interpolation=cv2.INTER_AREA)), cv2.COLOR_BGR2BGRA)
        return u8(cv2.copyMakeBorder(opaque, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """``fault``: why the table could not be read at all; of what lies there ``right`` were told in their place, ``wrong`` told for others."""

    fault: str
    lying: int
    right: int
    wrong: int


def laid(game: Game, players: int, seed: int) -> SimulatedTable:
    """A table on a mat with something in every zone: three cards in a row, two side by side, one on a pile; a box, and a table with loose
    corners, as at the start."""
    numbers = house(game.id)
    layout = game.reading.layout(players, game.defaults, numbers)
    rng = random.Random(f"printed {game.id} {players} {seed}")
    placed: list[Placed] = []
    deal = importlib.import_module(f"engines.{game.id}.dealing").deal
    world = deal(seed, players, 0, game.defaults, catalogue=numbers)
    stacks = {zone.name for zone in layout.zones if zone.form == "stack"}
    boxed = [piece for piece in world.setup() if piece.zone in stacks]
    left = Counter({face.identity: face.copies for face in layout.faces})
    left.subtract(piece.identity for piece in boxed)
    for zone in layout.zones:
        wide = max((kind.width for kind in layout.kinds if kind.name in zone.kinds), default=0.0)
        count = {"row": 3 if zone.width > 2 * wide else 1, "free": 2, "pile": 1}.get(zone.form, 0)
        fitting = [
            face.identity for face in layout.faces if face.kind in zone.kinds and left[face.identity] > 0
        ]
        for identity in rng.sample(fitting, min(count, len(fitting))):
            placed.append(Placed(identity, zone.name))
            left[identity] -= 1  # never more than the box holds: more are never read
    if layout.loose:
        placed = [piece for piece in world.setup() if piece.zone is not None]
    else:
        placed += boxed
    table = SimulatedTable(layout, placed, seed, boards(layout, numbers))
    table.lay_out()
    return table


def read(game: Game, players: int, paper: str, seed: int = 1, dpi: float = DPI) -> Outcome:
    """Print the table, look at it, and compare what is read with what lies there; of a box the top alone is asked."""
    table = laid(game, players, seed)
    size = picture(NEAR, not table.layout.loose)
    camera = SimulatedCamera(table, SimulatedClock(), size, seed)
    scale = camera._large._optics.scale() * 1.2
    art = Art(table.layout, scale) if paper == DRAWN else PrintedArt(table, paper, dpi, scale, seed)
    camera._large = Renderer(table, art, size, seed)
    faces = {face.identity: _shown(art, table.layout, face.identity) for face in table.layout.faces}
    standing = _standing(table.layout)
    gallery = Gallery.from_pictures(table.layout, {**faces, **standing}, SCALE)
    expected = game.reading.expected(game.rules.start(players, 0, game.defaults, house(game.id)))
    hint = expected if table.layout.loose else Table()
    look = Eyes(table.layout, gallery).read(camera.capture(0.0).picture, hint)
    if look.table is None:
        return Outcome(str(look.fault), len(table.bodies), 0, 0)
    stacks = {zone.name for zone in table.layout.zones if zone.form == "stack"}
    lying = Counter((body.identity, body.zone) for body in table.bodies if body.zone not in stacks)
    seen = Counter(
        (piece.identity, piece.zone)
        for piece in look.table.pieces
        if piece.identity and piece.zone not in stacks
    )
    top = [piece for piece in look.table.pieces if piece.zone in stacks and piece.identity]
    box = {body.identity for body in table.bodies if body.zone in stacks}
    return Outcome(
        "",
        lying.total() + len(top),
        (lying & seen).total() + sum(piece.identity in box for piece in top),
        (seen - lying).total() + sum(piece.identity not in box for piece in top),
    )


def _shown(art: Art, layout: Layout, identity: str) -> Picture:
    """The face as the gallery has it."""
    if isinstance(art, PrintedArt):
        return np.ascontiguousarray(art.face(identity, SCALE)[1:-1, 1:-1, :3])
    face = layout.face(identity)
    return draw_face(face, layout.kind(face.kind), SCALE, layout.game)


def _standing(layout: Layout) -> dict[str, Picture]:
    from hardware.print.board import standing_pictures

    return dict(standing_pictures(layout, boards(layout, house(layout.game))))


def papers(layout: Layout) -> tuple[str, ...]:
    """What the largest print of a table can be printed on."""
    has_print = not layout.loose or any(zone.form == "squares" for zone in layout.zones)
    return (WHOLE, *TILED) if has_print else (WHOLE,)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.printed_tables", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--game", help="one game; without it all")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(words)
    bad = 0
    for game in table_games().values():
        for players in game.players if args.game in (None, game.id) else ():
            drawn = read(game, players, DRAWN, args.seed)
            for paper in papers(game.reading.layout(players, game.defaults, house(game.id))):
                found = read(game, players, paper, args.seed)
                bad += bool(found.fault or found.wrong or found.right < drawn.right)
                told = found.fault or f"{found.right} of {found.lying} right, {found.wrong} wrong"
                print(f"{game.id} {players} {paper}: {told}; drawn {drawn.right}", flush=True)
    return min(bad, 1)


if __name__ == "__main__":
    raise SystemExit(main())
