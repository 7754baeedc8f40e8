"""The printed deck: true scale, every piece of the box, what the pages show is what was drawn, cuts and backs where they belong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from engines.catalogue import house, override
from hardware.print.corners import corners_page, corners_pdf
from hardware.print.deck import END, GAP, MARK, PAPERS, SIDE, Deck, deck, deck_pdf, grid, ruler
from hardware.print.document import Page, Placed, document
from hardware.print.faces import GAMES, faces
from hardware.print.raster import raster
from hardware.print.shapes import Area, Drawing, Stroke, Words, rectangle
from vision.mat import LOOSE, LOOSE_SIZE

DPI = 150
PX = DPI / 25.4
"""Px per mm of a page."""


def page_picture(document: pypdfium2.PdfDocument, number: int, dpi: float = DPI) -> np.ndarray:
    """One page as BGR."""
    return np.ascontiguousarray(document[number].render(scale=dpi / 72).to_numpy()[:, :, :3])


def cut_out(page: np.ndarray, placed: Placed, size: tuple[int, int]) -> np.ndarray:
    """What the page shows of a placed piece, upright, (width, height) px."""
    x, y, (wide, high) = placed.x * PX, placed.y * PX, (side * PX for side in placed.room)
    corners = [
        (x, y),
        (x + wide, y),
        (x, y + high),
    ]  # of the room; of the piece's own top left, top right, low left:
    if placed.turned:
        corners = [(x + wide, y), (x + wide, y + high), (x, y)]
    own = [(0, 0), (size[0], 0), (0, size[1])]
    half = np.float32(0.5)  # the middle of the first px lies at (0, 0) for OpenCV
    warp = cv2.getAffineTransform(np.float32(own) - half, np.float32(corners) - half)
    return cv2.warpAffine(page, warp, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def faults(page: np.ndarray, placed: Placed) -> float:
    """Share of px in which the page differs clearly from the drawing, edges aside by a px."""
    drawn = raster(placed.drawing, PX)
    seen = cut_out(page, placed, drawn.shape[1::-1])
    low = cv2.erode(drawn, np.ones((3, 3))).astype(int) - 40
    high = cv2.dilate(drawn, np.ones((3, 3))).astype(int) + 40
    return float(((seen < low) | (seen > high)).any(2).mean())


@pytest.fixture(scope="module")
def printed(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, tuple[Deck, pypdfium2.PdfDocument]]]:
    """Each game once, one of each face, with backs."""
    folder = tmp_path_factory.mktemp("decks")
    found = {}
    for game in GAMES:
        path = folder / f"{game}.pdf"
        made = deck_pdf(game, path, backs=True, once=True)
        found[game] = made, pypdfium2.PdfDocument(path)
    yield found
    for _, opened in found.values():
        opened.close()


@pytest.mark.parametrize("game", GAMES)
def test_pages_show_what_was_drawn_at_true_scale(
    game: str, printed: dict[str, tuple[Deck, pypdfium2.PdfDocument]]
) -> None:
    made, opened = printed[game]
    assert len(opened) == len(made.pages)
    seen = set()
    for number, page in enumerate(made.pages):
        size = [side / 72 * 25.4 for side in opened[number].get_size()]
        assert size == pytest.approx(PAPERS["A4"], abs=0.05)
        picture = page_picture(opened, number)
        for placed in page.placed:
            if id(placed.drawing) not in seen:
                seen.add(id(placed.drawing))
                assert faults(picture, placed) < 0.004, (number, placed.x, placed.y)
    assert len(seen) == len(faces(game))


def test_the_comparison_sees_a_wrong_face_and_a_shift(
    printed: dict[str, tuple[Deck, pypdfium2.PdfDocument]],
) -> None:
    made, opened = printed["ankh"]
    page = made.pages[2]
    picture = page_picture(opened, 2)
    first, second = page.placed[:2]
    assert faults(picture, first) < 0.004
    assert faults(picture, Placed(second.drawing, first.x, first.y)) > 0.01
    assert faults(picture, Placed(first.drawing, first.x + 0.6, first.y)) > 0.01


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_piece_of_the_box_is_on_the_sheets(game: str, paper: str) -> None:
    known = faces(game)
    made = deck(game, paper=paper)
    names = {id(piece.drawing): name for name, piece in known.items() if piece.copies}
    laid = Counter(names[id(one.drawing)] for page in made.pages for one in page.placed)
    assert laid == {name: piece.copies for name, piece in known.items() if piece.copies}
    assert made.pieces == sum(laid.values())
    wide, high = PAPERS[paper]
    for page in made.pages:
        assert (page.width, page.height) == (wide, high)
        rooms = [(one.x, one.y, one.x + one.room[0], one.y + one.room[1]) for one in page.placed]
        for left, top, right, low in rooms:
            assert left >= SIDE and right <= wide - SIDE and top >= END and low <= high - END
        for index, (left, top, right, low) in enumerate(rooms):
            for other in rooms[index + 1 :]:
                across = min(right, other[2]) - max(left, other[0])
                down = min(low, other[3]) - max(top, other[1])
                assert across < 1e-6 or down < 1e-6, "pieces lie on each other"


def test_crop_marks_stand_at_every_cut(printed: dict[str, tuple[Deck, pypdfium2.PdfDocument]]) -> None:
    made, opened = printed["ankh"]
    placed = made.pages[2].placed
    picture = cv2.cvtColor(page_picture(opened, 2, 300), cv2.COLOR_BGR2GRAY)
    px = 300 / 25.4
    top, left = min(one.y for one in placed), min(one.x for one in placed)
    for x in {edge for one in placed for edge in (one.x, one.x + one.room[0])}:
        strip = picture[round((top - GAP - MARK / 2) * px), round((x - 1) * px) : round((x + 1) * px)]
        assert abs(int(strip.argmin()) - len(strip) / 2) <= 1.5 and strip.min() < 160
    for y in {edge for one in placed for edge in (one.y, one.y + one.room[1])}:
        strip = picture[round((y - 1) * px) : round((y + 1) * px), round((left - GAP - MARK / 2) * px)]
        assert abs(int(strip.argmin()) - len(strip) / 2) <= 1.5 and strip.min() < 160


def test_backs_lie_behind_their_faces() -> None:
    """Turned over its long side, each face has its own back behind it."""
    for game in GAMES:
        known = faces(game)
        by_drawing = {id(piece.drawing): piece for piece in known.values() if piece.copies}
        pages = deck(game, backs=True).pages
        assert len(pages) % 2 == 0 and not pages[1].placed
        for front, behind in zip(pages[2::2], pages[3::2], strict=True):
            turned = {
                (round(behind.width - one.x - one.room[0], 6), round(one.y, 6)): one for one in behind.placed
            }
            for one in front.placed:
                other = turned.pop((round(one.x, 6), round(one.y, 6)))
                assert other.drawing is known[by_drawing[id(one.drawing)].back].drawing
            assert not turned


@pytest.mark.parametrize(
    ("size", "paper", "room"),
    [
        ((63, 88), "A4", 9),
        ((88, 63), "A4", 9),
        ((126, 88), "A4", 4),
        ((26, 32), "A4", 60),
        ((63, 88), "A3", 18),
        ((196, 260), "A4", 1),
    ],
)
def test_as_many_as_there_is_room_for(size: tuple[float, float], paper: str, room: int) -> None:
    laid = grid(*size, paper)
    assert len(laid.places) == laid.columns * laid.rows == room


def test_a_piece_that_is_larger_than_the_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit on A4; take A3"):
        grid(250, 300, "A4")


def test_the_first_sheet_can_be_measured(printed: dict[str, tuple[Deck, pypdfium2.PdfDocument]]) -> None:
    _, opened = printed["papyrus"]
    picture = cv2.cvtColor(page_picture(opened, 0, 254), cv2.COLOR_BGR2GRAY) < 200
    # The longest dark runs are the line below the title and the scale: 10 px per mm at 254 dpi.
    runs = sorted(
        int(np.diff(np.flatnonzero(np.diff(np.pad(row.astype(int), 1)))).max(initial=0)) for row in picture
    )
    assert any(abs(run - 1000) <= 6 for run in runs), runs[-20:]


def test_an_owners_numbers_are_printed(tmp_path: Path) -> None:
    own = override(house("ankh"), {"mummies.red": [0, 0, 0, 0, 18]}, "own", "test")
    made = deck_pdf("ankh", tmp_path / "own.pdf", own)
    red = faces("ankh", own)["red-5"].drawing
    assert sum(one.drawing == red for page in made.pages for one in page.placed) == 18
    assert "red-1" not in faces("ankh", own)


def test_a_deck_is_small_and_asks_not_to_be_scaled(tmp_path: Path) -> None:
    path = tmp_path / "papyrus.pdf"
    deck_pdf("papyrus", path)
    raw = path.read_bytes()
    assert len(raw) < 1_500_000 and b"/PrintScaling /None" in raw
    deck_pdf("papyrus", tmp_path / "again.pdf")
    assert (tmp_path / "again.pdf").read_bytes() == raw
    assert pypdfium2.PdfDocument(path).get_metadata_dict()["Title"] == "Thoth: Papyrus, print and play"


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        deck_pdf("tanis", tmp_path / "no" / "deck.pdf")


def test_words_of_a_font_can_be_read_from_the_page() -> None:
    page = Page(50, 50, (), (Words(5, 20, 4, "a (b) \\ é", (0, 0, 0)),))
    assert pypdfium2.PdfDocument(document([page], "x"))[0].get_textpage().get_text_range() == "a (b) \\ é"
    with pytest.raises(ValueError, match="stand at the left"):
        document([Page(50, 50, (), (Words(5, 20, 4, "a", (0, 0, 0), centred=True),))], "x")


def test_a_turned_drawing_is_turned_clockwise() -> None:
    flag = Drawing(20, 30, (255, 255, 255), (Area(rectangle(0, 0, 10, 10), (255, 0, 0)),))
    opened = pypdfium2.PdfDocument(document([Page(60, 60, (Placed(flag, 10, 20, True),))], "x"))
    picture = page_picture(opened, 0, 254)
    red = np.argwhere((picture[:, :, 2] > 200) & (picture[:, :, 0] < 50))
    assert red.min(0) / 10 == pytest.approx((20, 30), abs=0.2)
    assert (red.max(0) + 1) / 10 == pytest.approx((30, 40), abs=0.2)


@pytest.mark.parametrize("paper", PAPERS)
def test_loose_corners_are_found_and_have_their_size(tmp_path: Path, paper: str) -> None:
    path = tmp_path / "corners.pdf"
    corners_pdf(path, paper)
    opened = pypdfium2.PdfDocument(path)
    assert len(opened) == 1
    picture = page_picture(opened, 0, 127)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(picture)
    assert ids is not None
    found = {int(number): quad.reshape(4, 2) / 5 for number, quad in zip(np.ravel(ids), corners, strict=True)}
    assert tuple(sorted(found)) == LOOSE
    for quad in found.values():
        sides = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1)
        assert np.abs(sides - LOOSE_SIZE).max() < 0.5
    middles = np.array([found[number].mean(0) for number in LOOSE])
    assert middles[0][0] < middles[1][0] and middles[0][1] < middles[2][1], "they lie as they are to be laid"
    assert corners_page(paper).shapes


@pytest.mark.parametrize("length", [50, 100])
def test_no_tick_of_the_line_to_measure_runs_through_its_words(length: int) -> None:
    line, *shapes = [one for one in ruler(0.0, 10.0, length) if isinstance(one, Stroke)]
    ticks, words = shapes[: length // 10 + 1], shapes[length // 10 + 1 :]
    assert line.points[1][0] - line.points[0][0] == length
    assert [tick.points[0][0] for tick in ticks] == list(range(0, length + 1, 10))
    left, right = (f(x for one in words for x, _ in one.points) for f in (min, max))
    foot = max(y for one in words for _, y in one.points)
    beneath = [tick for tick in ticks if left - 1 < tick.points[0][0] < right + 1]
    assert (beneath or length < 100) and all(foot + 0.3 < min(y for _, y in tick.points) for tick in beneath)
