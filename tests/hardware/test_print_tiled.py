"""A mat on small sheets: cut and laid on each other's marks they are the mat."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from engines.tanis.reading import layout
from hardware.print.deck import PAPERS
from hardware.print.mat import mat_drawing
from hardware.print.raster import raster
from hardware.print.shapes import Words
from hardware.print.tiled import MARGIN, OVERLAP, lettered, mat_pages, tiled_pdf, tiling
from vision.mat import QUIET, markers

LAYOUT = layout(2, {})
PX = 3.0


@pytest.mark.parametrize("paper", PAPERS)
def test_the_sheets_laid_together_are_the_mat(paper: str, tmp_path: Path) -> None:
    path = tmp_path / "mat.pdf"
    count = tiled_pdf(LAYOUT, path, paper)
    opened = pypdfium2.PdfDocument(path)
    cut = tiling(LAYOUT.width, LAYOUT.height, paper, markers(LAYOUT))
    assert len(opened) == count == cut.columns * cut.rows
    size = round(LAYOUT.width * PX), round(LAYOUT.height * PX)
    mat = np.zeros((size[1], size[0], 3), np.uint8)
    for number in range(count):
        row, column = divmod(number, cut.columns)
        assert [side / 72 * 25.4 for side in opened[number].get_size()] == pytest.approx(
            (cut.wide, cut.high), abs=0.05
        )
        picture = np.ascontiguousarray(opened[number].render(scale=PX * 25.4 / 72).to_numpy()[:, :, :3])
        left, top = (cut.wide - cut.width) / 2, (cut.high - cut.height) / 2
        x, y = cut.corner(column, row)
        shift = np.float32([[1, 0, (x - left) * PX], [0, 1, (y - top) * PX]])
        laid = cv2.warpAffine(picture, shift, size, flags=cv2.INTER_LINEAR)
        rows = slice(round(y * PX) + 1, round((y + cut.height) * PX) - 1)
        columns = slice(round(x * PX) + 1, round((x + cut.width) * PX) - 1)
        mat[rows, columns] = laid[rows, columns]
    drawn = raster(lettered(mat_drawing(LAYOUT)), PX)
    low, high = (change(drawn, np.ones((3, 3))).astype(int) for change in (cv2.erode, cv2.dilate))
    wrong = ((mat < low - 40) | (mat > high + 40)).any(2)[3:-3, 3:-3]
    assert wrong.mean() < 0.001
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(mat)
    assert ids is not None
    seen = {
        int(one): (quad.reshape(4, 2) + 0.5) / PX for one, quad in zip(np.ravel(ids), corners, strict=True)
    }
    for marker in markers(LAYOUT):
        assert np.abs(seen[marker.id] - np.array(marker.corners)).max() < 0.6


@pytest.mark.parametrize("paper", PAPERS)
def test_no_seam_runs_through_a_marker_and_all_sheets_can_be_printed(paper: str) -> None:
    cut = tiling(LAYOUT.width, LAYOUT.height, paper, markers(LAYOUT))
    assert cut.width <= cut.wide - 2 * MARGIN + 1e-6 and cut.height <= cut.high - 2 * MARGIN + 1e-6
    assert cut.corner(cut.columns - 1, 0)[0] + cut.width == pytest.approx(LAYOUT.width)
    assert cut.corner(0, cut.rows - 1)[1] + cut.height == pytest.approx(LAYOUT.height)
    seams = [cut.corner(column, 0)[0] for column in range(1, cut.columns)]
    for marker in markers(LAYOUT):
        assert all(abs(marker.x - seam) >= marker.size / 2 + QUIET for seam in seams)
    assert OVERLAP >= 10, "room for glue"


def test_a_mat_that_fits_is_one_sheet() -> None:
    cut = tiling(150.0, 200.0, "A4")
    assert (cut.columns, cut.rows) == (1, 1)
    assert len(mat_pages(LAYOUT, "A3")) < len(mat_pages(LAYOUT, "A4"))


def test_words_become_lines() -> None:
    drawing = lettered(mat_drawing(LAYOUT))
    assert not any(isinstance(shape, Words) for shape in drawing.shapes)
    assert len(drawing.shapes) > len(mat_drawing(LAYOUT).shapes)
