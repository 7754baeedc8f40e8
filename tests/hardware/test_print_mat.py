"""The mat: the markers are where the eyes look for them, on the picture and on the printed page."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from engines import table_games
from engines.table import Layout, Table
from engines.tanis.reading import layout
from hardware.print.faces import draw_face
from hardware.print.mat import draw_mat, mat_drawing, mat_pdf
from hardware.print.shapes import Words
from vision.eyes import Eyes
from vision.gallery import SCALE, Gallery
from vision.mat import QUIET, markers

LAYOUT = layout(2, {})
MATS = [
    place
    for game in table_games().values()
    for players in game.players
    if not (place := game.reading.layout(players, game.defaults)).loose
]
"""Every mat there is: that of each game and number of players that one is large enough for."""


def printed(place: Layout, folder: Path, px_per_mm: float) -> np.ndarray:
    """The mat's page as a picture."""
    path = folder / "mat.pdf"
    mat_pdf(place, path)
    page = pypdfium2.PdfDocument(path)[0]
    return np.ascontiguousarray(page.render(scale=px_per_mm * 25.4 / 72).to_numpy()[:, :, :3])


def found(picture: np.ndarray, px_per_mm: float) -> dict[int, np.ndarray]:
    """Markers as OpenCV finds them: id to corners in mm, (4, 2)."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(picture)
    assert ids is not None
    return {
        int(number): (quad.reshape(4, 2) + 0.5) / px_per_mm
        for number, quad in zip(np.ravel(ids), corners, strict=True)
    }


def check(seen: dict[int, np.ndarray], tolerance: float) -> None:
    expected = {marker.id: np.array(marker.corners) for marker in markers(LAYOUT)}
    assert seen.keys() == expected.keys()
    for number, corners in expected.items():
        assert np.abs(seen[number] - corners).max() < tolerance, number


@pytest.mark.parametrize("px_per_mm", [2.2, 4.0])
def test_markers_on_the_picture(px_per_mm: float) -> None:
    picture = draw_mat(LAYOUT, px_per_mm)
    assert picture.shape == (round(420 * px_per_mm), round(594 * px_per_mm), 3)
    check(found(picture, px_per_mm), 0.5)


def test_pdf_is_true_to_scale_and_shows_the_same(tmp_path: Path) -> None:
    path = tmp_path / "mat.pdf"
    mat_pdf(LAYOUT, path)
    document = pypdfium2.PdfDocument(path)
    assert len(document) == 1
    width, height = (side / 72 * 25.4 for side in document[0].get_size())
    assert (width, height) == (pytest.approx(594, abs=0.05), pytest.approx(420, abs=0.05))
    picture = np.ascontiguousarray(document[0].render(scale=4 * 25.4 / 72).to_numpy()[:, :, :3])
    check(found(picture, picture.shape[1] / 594), 0.4)
    drawn = draw_mat(LAYOUT, 4.0)
    page = cv2.resize(picture, (drawn.shape[1], drawn.shape[0]), interpolation=cv2.INTER_AREA)
    differing = (np.abs(drawn.astype(int) - page).max(axis=2) > 60).mean()
    assert differing < 0.002, "one drawing, two outputs"


def test_pdf_holds_its_words_as_words(tmp_path: Path) -> None:
    path = tmp_path / "mat.pdf"
    mat_pdf(LAYOUT, path)
    text = pypdfium2.PdfDocument(path)[0].get_textpage().get_text_range()
    assert "Tanis" in text and "dig" in text and "removed" in text


@pytest.mark.parametrize("place", MATS, ids=lambda place: f"{place.game}-{len(place.zones)}")
def test_zones_are_labelled_and_markers_stand_clear(place: Layout) -> None:
    drawing = mat_drawing(place)
    labels = [shape.text for shape in drawing.shapes if isinstance(shape, Words)]
    assert {zone.label for zone in place.zones} <= set(labels)
    for marker in markers(place):
        reach = marker.size / 2 + QUIET
        assert min(marker.x, marker.y, place.width - marker.x, place.height - marker.y) >= 12
        for zone in place.zones:
            beside = abs(marker.x - (zone.x + zone.width / 2)) >= zone.width / 2 + reach
            above = abs(marker.y - (zone.y + zone.height / 2)) >= zone.height / 2 + reach
            assert beside or above, (marker.id, zone.name)


def test_pdf_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        mat_pdf(LAYOUT, tmp_path / "no" / "mat.pdf")


@pytest.mark.parametrize(("game", "players"), [("ankh", 5), ("archaeology", 2)])
def test_cards_on_the_printed_mat_are_read_in_their_zones(game: str, players: int, tmp_path: Path) -> None:
    """Printed, put under a camera, a card laid on every zone: the mat's page and the eyes mean the same places."""
    chosen = table_games()[game]
    place = chosen.reading.layout(players, chosen.defaults)
    faces = {face.identity: draw_face(face, place.kind(face.kind), SCALE, game) for face in place.faces}
    picture = printed(place, tmp_path, SCALE)
    laid: dict[str, str] = {}
    for number, zone in enumerate(place.zones):
        fitting = [face for face in place.faces if face.kind in zone.kinds]
        face = fitting[5 * number % len(fitting)]
        art = faces[face.identity]
        x, y = round((zone.x + zone.width / 2) * SCALE), round((zone.y + zone.height / 2) * SCALE)
        left, top = x - art.shape[1] // 2, y - art.shape[0] // 2
        picture[top : top + art.shape[0], left : left + art.shape[1]] = art
        laid[zone.name] = face.identity
    table = np.full((1080, 1920, 3), 60, np.uint8)
    scale = 900 / picture.shape[0]
    mat = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    table[90 : 90 + mat.shape[0], 320 : 320 + mat.shape[1]] = mat
    look = Eyes(place, Gallery.from_pictures(place, faces, SCALE)).read(table, Table())
    assert look.table is not None, look.fault
    assert {piece.zone: piece.identity for piece in look.table.pieces} == laid
