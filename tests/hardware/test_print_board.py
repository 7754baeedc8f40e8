"""The printed board of Papyrus: true to the map in force, at true scale, and told by shapes as well as by colours."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from engines.catalogue import BASES
from engines.papyrus.numbers import numbers
from engines.papyrus.plan import plan, printed
from hardware.print.board import board_drawing, board_pdf
from hardware.print.raster import raster

HOUSE = BASES["house"]("papyrus")
BOARD = numbers(HOUSE).board
PX = 2.0


def test_the_board_is_printed_at_true_scale_as_it_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "board.pdf"
    assert board_pdf(BOARD, path) == 1
    page = pypdfium2.PdfDocument(path)[0]
    size = tuple(side / 72 * 25.4 for side in page.get_size())
    there = plan(HOUSE)
    assert size == pytest.approx((there.width, there.height), abs=0.05)
    drawn = raster(board_drawing(BOARD), PX)
    seen = np.ascontiguousarray(page.render(scale=PX * 25.4 / 72).to_numpy()[:, :, :3])
    seen = np.asarray(cv2.resize(seen, drawn.shape[1::-1]), np.uint8)
    low, high = (change(drawn, np.ones((3, 3))).astype(int) for change in (cv2.erode, cv2.dilate))
    assert ((seen < low - 40) | (seen > high + 40)).any(2).mean() < 0.001


def test_the_sheets_are_as_many_as_it_says(tmp_path: Path) -> None:
    path = tmp_path / "board.pdf"
    assert board_pdf(BOARD, path, "A4") == len(pypdfium2.PdfDocument(path)) == 6


def test_squares_of_two_colours_differ_to_somebody_who_sees_none() -> None:
    grey = cv2.cvtColor(raster(board_drawing(BOARD), 4.0), cv2.COLOR_BGR2GRAY).astype(np.float32)
    _, _, measured = printed(BOARD)
    symbols: dict[str, list[np.ndarray]] = {}
    for edge, points in zip(BOARD.edges, measured.map.squares, strict=True):
        for colour, point in zip(edge.squares, points, strict=True):
            x, y = (round(4 * part) for part in measured.at(point))
            tile = grey[y - 14 : y + 15, x - 14 : x + 15]
            symbols.setdefault(colour, []).append((tile - tile.mean()) / tile.std())
    assert len(symbols) == 5
    for one, other in combinations(symbols, 2):
        # Brightness apart: symbols of one colour are alike to 0.8 and more.
        alike = max(float((a * b).mean()) for a in symbols[one][:6] for b in symbols[other][:6])
        assert alike < 0.6, (one, other)


def test_figures_stand_on_light_ground() -> None:
    grey = cv2.cvtColor(raster(board_drawing(BOARD), PX), cv2.COLOR_BGR2GRAY)
    for square in plan(HOUSE).squares:
        x, y, reach = round(PX * square.x), round(PX * square.y), round(PX * square.size * 0.22)
        assert np.median(grey[y - reach : y + reach, x - reach : x + reach]) > 170, square.name
