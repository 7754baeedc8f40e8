"""Reading photos without a mat: what lies there is found where it lies, what is not enrolled is refused."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.network.model import painted_over
from vision.photo import Photo, Quad
from vision.reading.align import align
from vision.reading.bank import HEIGHT, WIDTH, Bank
from vision.reading.claims import overlap, settle
from vision.reading.compare import alike, halved, signature
from vision.reading.details import shown, telling
from vision.reading.hiding import Cover, in_the_open
from vision.reading.judge import Bench
from vision.reading.layers import of_one_size, table
from vision.reading.outlines import outline
from vision.reading.reader import read
from vision.reading.tints import off, parts
from vision.reading.words import Judged, Proposal

Picture = NDArray[np.uint8]
OPEN = np.ones((15, 10), np.float32)


def face(seed: int, size: tuple[int, int] = (200, 300), sign: str = "") -> Picture:
    """A painted face of (width, height) px: coloured shapes in a light frame, and a sign."""
    rng = np.random.default_rng(seed)
    width, height = size
    picture = np.full((height, width, 3), 235, np.uint8)
    cv2.rectangle(picture, (12, 12), (width - 13, height - 13), rng.integers(90, 200, 3).tolist(), -1)
    for _ in range(14):
        at = rng.integers(25, [width - 25, height - 25]).tolist()
        cv2.circle(picture, at, int(rng.integers(8, 32)), rng.integers(20, 240, 3).tolist(), -1, cv2.LINE_AA)
    if sign:
        cv2.rectangle(picture, (60, 100), (140, 200), (240, 240, 240), -1)
        cv2.putText(picture, sign, (75, 175), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (20, 20, 20), 8, cv2.LINE_AA)
    return picture


def placed(
    centre: tuple[float, float], size: tuple[float, float], degrees: float, depth: float = 0.0
) -> Quad:
    """A quad (4, 2) from the face's top left, turned clockwise, its far side shorter by the share ``depth``."""
    width, height = size
    corners = (
        np.array([[-width, -height], [width, -height], [width, height], [-width, height]], np.float64) / 2
    )
    turn = np.radians(degrees)
    corners = corners @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners *= 1 + depth * corners[:, 1:] / height
    return (corners + centre).astype(np.float32)


def scene(pieces: list[tuple[Picture, Quad]], size: tuple[int, int] = (1200, 900), seed: int = 0) -> Picture:
    """A photo of pieces on a dark ground, later ones on top; light from one side, a little blur and noise."""
    rng = np.random.default_rng(seed)
    width, height = size
    photo = np.full((height, width, 3), (52, 60, 48), np.float32)
    for picture, quad in pieces:
        rows, columns = picture.shape[:2]
        source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, quad)
        mask = cv2.warpPerspective(np.ones((rows, columns), np.float32), warp, size)[:, :, None]
        photo = photo * (1 - mask) + cv2.warpPerspective(picture.astype(np.float32), warp, size) * mask
    photo *= np.linspace(0.75, 1.05, width)[None, :, None]
    photo = cv2.GaussianBlur(photo, (0, 0), 0.8) + rng.normal(0, 2, photo.shape)
    return np.clip(photo, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def faces() -> dict[str, Picture]:
    return {f"face {number}": face(number) for number in range(6)}


@pytest.fixture(scope="module")
def bank(faces: dict[str, Picture]) -> Bank:
    return Bank.of(faces)


def side(quad: Quad) -> float:
    return float(np.sqrt(abs(cv2.contourArea(quad))))


def test_pieces_are_named_and_placed_whichever_way_they_lie(faces: dict[str, Picture], bank: Bank) -> None:
    turns = [0, 90, 180, 35, -70, 200]
    quads = [
        placed((200 + 380 * (number % 3), 230 + 430 * (number // 3)), (180, 270), turns[number], 0.06)
        for number in range(6)
    ]
    reading = read(Photo(scene(list(zip(faces.values(), quads, strict=True)))), bank)
    assert sorted(piece.identity for piece in reading.pieces) == sorted(faces)
    for piece in reading.pieces:
        quad = quads[int(piece.identity[-1])]
        assert np.abs(piece.quad - quad).max() < 0.05 * side(quad)
        assert piece.visible > 0.9
        assert piece.confidence > 0.5
    assert reading.unknown == ()


def test_what_is_not_enrolled_is_unknown_not_something_like_it(faces: dict[str, Picture], bank: Bank) -> None:
    stranger = placed((820, 430), (180, 270), 15)
    known = placed((350, 450), (180, 270), -20)
    reading = read(Photo(scene([(faces["face 2"], known), (face(77), stranger)])), bank)
    assert [piece.identity for piece in reading.pieces] == ["face 2"]
    assert len(reading.unknown) == 1
    assert overlap(reading.unknown[0], stranger)[0] > 0.8


def test_a_twin_with_another_sign_is_refused(faces: dict[str, Picture]) -> None:
    enrolled = Bank.of({"three": face(5, sign="3"), "seven": face(6, sign="7")} | faces)
    quads = [placed((320, 430), (200, 300), 10), placed((800, 430), (200, 300), -15)]
    right = read(Photo(scene([(face(5, sign="3"), quads[0]), (face(6, sign="7"), quads[1])])), enrolled)
    assert sorted(piece.identity for piece in right.pieces) == ["seven", "three"]
    wrong = read(Photo(scene([(face(5, sign="4"), quads[0]), (face(6, sign="7"), quads[1])])), enrolled)
    assert [piece.identity for piece in wrong.pieces] == ["seven"]
    assert len(wrong.unknown) == 1


def test_a_half_covered_piece_is_read_whole(faces: dict[str, Picture], bank: Bank) -> None:
    below, above = placed((500, 400), (260, 390), 0), placed((640, 480), (260, 390), 25)
    reading = read(Photo(scene([(faces["face 0"], below), (faces["face 1"], above)])), bank)
    found = {piece.identity: piece for piece in reading.pieces}
    assert set(found) == {"face 0", "face 1"}
    assert np.abs(found["face 0"].quad - below).max() < 0.05 * side(below)
    shared, _ = cv2.intersectConvexConvex(below, above)
    assert found["face 0"].visible == pytest.approx(1 - shared / (260 * 390), abs=0.1)
    assert found["face 1"].visible > 0.9


def test_never_more_of_a_face_than_the_box_holds(faces: dict[str, Picture]) -> None:
    quads = [placed((250 + 350 * number, 430), (180, 270), 8 * number) for number in range(3)]
    photo = Photo(scene([(faces["face 3"], quad) for quad in quads]))
    assert len(read(photo, Bank.of(faces)).pieces) == 3
    reading = read(photo, Bank.of(faces, {"face 3": 2}))
    assert [piece.identity for piece in reading.pieces] == ["face 3", "face 3"]


def test_a_back_lies_there_but_is_no_face(faces: dict[str, Picture]) -> None:
    quad = placed((600, 450), (180, 270), 30)
    reading = read(Photo(scene([(face(40), quad)])), Bank.of(faces | {"back": face(40)}))
    assert reading.pieces == ()
    assert len(reading.unknown) == 1


def test_wide_faces_begin_at_their_top_left(faces: dict[str, Picture]) -> None:
    wide = face(9, (300, 200))
    quad = placed((600, 450), (300, 200), 120)
    reading = read(Photo(scene([(wide, quad)])), Bank.of(faces | {"wide": wide}))
    assert [piece.identity for piece in reading.pieces] == ["wide"]
    assert np.abs(reading.pieces[0].quad - quad).max() < 0.05 * side(quad)


@pytest.mark.parametrize("level", [0, 255])
@pytest.mark.parametrize("size", [(1, 1), (40, 30), (900, 700)])
def test_pictures_of_nothing_hold_nothing(bank: Bank, size: tuple[int, int], level: int) -> None:
    photo = np.full((size[1], size[0], 3), level, np.uint8)
    reading = read(Photo(photo), bank)
    assert reading.pieces == ()
    assert reading.unknown == ()


def test_noise_holds_nothing_and_an_empty_bank_reads_nothing(faces: dict[str, Picture], bank: Bank) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (600, 800, 3)).astype(np.uint8)
    assert read(Photo(noise), bank).pieces == ()
    quad = placed((600, 450), (180, 270), 30)
    assert read(Photo(scene([(faces["face 1"], quad)])), Bank.of({})).pieces == ()


def test_stages_are_timed(faces: dict[str, Picture], bank: Bank) -> None:
    reading = read(Photo(scene([(faces["face 1"], placed((600, 450), (180, 270), 30))])), bank)
    assert {"outlines", "features", "judge", "covered", "total"} <= set(reading.ms)
    assert reading.ms["total"] >= max(ms for stage, ms in reading.ms.items() if stage != "total")


def test_alignment_pulls_a_quad_that_is_off_onto_the_face(faces: dict[str, Picture], bank: Bank) -> None:
    quad = placed((600, 450), (200, 300), 20)
    photo = Photo(scene([(faces["face 4"], quad)]))
    start = quad + np.array([[6, -4], [-5, 5], [4, 6], [-6, -5]], np.float32)
    view = int(np.flatnonzero(bank.views.rows == bank.names.index("face 4"))[0])
    pulled = align(photo, start[None], bank.gauge.pictures[[view]].astype(np.float32))[0]
    assert np.abs(start - quad).max() > 0.02 * side(quad)
    assert np.abs(pulled - quad).max() < 0.008 * side(quad)


def test_ranking_looks_only_at_what_lies_open(bank: Bank) -> None:
    crops = bank.views.crops[:1].copy()
    crops[:, : HEIGHT // 2] = 0
    seen = np.ones((1, 60, 40), np.float32)
    seen[:, :30] = 0
    signatures = signature(halved(crops))
    blind, told = (alike(signatures, bank.signatures, mask)[0] for mask in (np.ones_like(seen), seen))
    assert told[0] > blind[0] + 0.1


def test_pieces_on_top_and_the_border_hide() -> None:
    quads = np.stack([placed((100, 100), (80, 120), 0), placed((0, 400), (80, 120), 0)])
    on_top = placed((100, 160), (300, 120), 0)
    is_open = in_the_open(quads, [Cover(on_top)], (800, 600))
    assert is_open[0, :28].all()
    assert not is_open[0, 32:].any()
    assert is_open[1].mean() == pytest.approx(0.5, abs=0.03)


def test_a_piece_hides_only_where_it_can_be_seen_itself() -> None:
    upper = placed((100, 160), (300, 120), 90)  # its top is on the right
    seen = OPEN.copy()
    seen[8:] = 0  # something lies on its lower, left half
    asked = placed((100, 160), (300, 120), 0)[None]
    whole, half = (in_the_open(asked, [Cover.of(upper, cells)], (800, 600))[0] for cells in (OPEN, seen))
    middle = slice(24, 36)
    assert not whole[middle, 14:26].any()
    assert half[middle, 14:19].all() and not half[middle, 21:26].any()


def test_what_tells_a_face_apart_may_be_hidden() -> None:
    own = np.full((3, 60, 40), 200, np.float32)
    other = own.copy()
    other[:, 8:16, 4:12] = 60  # another digit in the corner
    covered = OPEN.copy()
    covered[1:5, 0:4] = 0
    assert shown(own, np.stack([own, other]), OPEN) == pytest.approx(1.0)
    assert shown(own, np.stack([own, other]), covered) < 0.1
    assert shown(own, own[None][:0], covered) == 1.0, "no other face"
    assert shown(own, own[None], covered) == 1.0, "one that differs nowhere"


def test_details_tell_two_rivals_apart_in_any_light() -> None:
    three, four = (
        np.asarray(cv2.resize(face(5, sign=sign), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
        for sign in ("3", "4")
    )
    dim = np.linspace(0.4, 0.8, WIDTH)[None, :, None]
    photo = np.asarray(cv2.GaussianBlur(three * dim, (0, 0), 1.0), np.uint8)
    assert telling(photo, three, four, OPEN) > 0.3
    assert telling(photo, four, three, OPEN) < -0.3
    covered = OPEN.copy()
    covered[3:12] = 0
    assert abs(telling(photo, three, four, covered)) < 0.1


def test_a_fill_is_told_from_none_in_any_lamp() -> None:
    plain = np.full((HEIGHT, WIDTH, 3), 225, np.uint8)
    cv2.ellipse(plain, (40, 60), (18, 34), 0, 0, 360, (60, 40, 150), 2, cv2.LINE_AA)
    filled = plain.copy()
    cv2.ellipse(filled, (40, 60), (15, 31), 0, 0, 360, (200, 198, 212), -1)
    warm = np.linspace(0.6, 0.9, WIDTH)[None, :, None] * np.array([0.8, 0.95, 1.0])
    known = parts(plain)
    assert len(known) >= 1
    assert off(np.asarray(plain * warm, np.uint8), plain, known, OPEN) < 1
    assert off(np.asarray(filled * warm, np.uint8), plain, known, OPEN) > 2


def test_haze_over_a_dark_face_is_no_other_fill() -> None:
    dark = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
    cv2.ellipse(dark, (40, 60), (18, 34), 0, 0, 360, (8, 8, 8), -1)
    known = parts(dark)
    assert len(known) >= 1
    assert off(np.asarray(dark + 14, np.uint8), dark, known, OPEN) < 1
    lighter = dark.copy()
    cv2.ellipse(lighter, (40, 60), (18, 34), 0, 0, 360, (80, 80, 80), -1)
    assert off(lighter, dark, known, OPEN) > 2


def test_of_two_in_one_place_the_likelier_stands_and_covered_ones_beside_it(bank: Bank) -> None:
    quad, moved = placed((300, 300), (200, 300), 0), placed((380, 300), (200, 300), 0)
    hidden = OPEN.copy()
    hidden[:, 4:] = 0

    def piece(row: int, where: Quad, score: float, cells: NDArray[np.float32]) -> Judged:
        return Judged(row, where, score, None, cells, "outline")

    top, same, under = piece(0, moved, 6, OPEN), piece(1, moved + 4, 5, OPEN), piece(2, quad, 4, hidden)
    assert settle([same, under, top], bank) == [top, under]
    assert settle([piece(2, quad, 4, OPEN)], bank, [top]) == [top]
    assert settle([piece(3, quad, -1, OPEN)], bank) == []


def test_the_judge_names_the_face_of_a_given_quad(faces: dict[str, Picture], bank: Bank) -> None:
    quad = placed((600, 450), (200, 300), 20)
    photo = Photo(scene([(faces["face 4"], quad)]))
    judged = Bench(photo, bank).judge([Proposal(np.roll(quad, 1, 0), "outline")])
    best = max(judged, key=lambda piece: piece.score)
    assert bank.names[best.row] == "face 4"
    assert np.abs(best.quad - quad).max() < 0.02 * side(quad)
    assert set(best.evidence) >= {"net", "pair", "tint", "margin"}


def test_a_piece_seen_whole_stands_before_a_likelier_one_that_nothing_is_seen_to_hide(bank: Bank) -> None:
    quad, askew = placed((300, 300), (200, 300), 0), placed((300, 350), (200, 300), 0)
    hidden = OPEN.copy()
    hidden[12:] = 0
    whole = Judged(0, quad, 6.6, None, OPEN, "outline")
    partly = Judged(1, askew, 9.5, None, hidden, "features")
    assert settle([partly, whole], bank) == [whole]


def test_what_has_another_size_than_the_rest_and_no_outline_is_no_piece(
    faces: dict[str, Picture], bank: Bank
) -> None:
    quads = [placed((200 + 270 * number, 450), (200, 300), 0) for number in range(4)]
    photo = Photo(scene(list(zip(faces.values(), quads, strict=False))))
    sure = [Judged(row, quad, 5.0, None, OPEN, "outline") for row, quad in enumerate(quads)]
    within = Judged(4, placed((470, 450), (80, 120), 30), 9.0, None, OPEN, "features")
    outlines = outline(photo)
    ground = table([*sure, within], bank, photo)
    assert of_one_size([*sure, within], ground, bank, outlines) == sure
    small = placed((600, 750), (80, 120), 30)
    with_small = Photo(scene([*zip(faces.values(), quads, strict=False), (faces["face 4"], small)]))
    lone = Judged(4, small, 9.0, None, OPEN, "features")
    assert of_one_size([*sure, lone], ground, bank, outline(with_small)) == [*sure, lone], (
        "its border is seen"
    )
    assert of_one_size([within], table(sure[:2], bank, photo), bank, outlines) == [within], "two tell no size"


def test_what_is_hidden_is_painted_over_with_what_is_seen() -> None:
    crops = np.full((2, HEIGHT, WIDTH, 3), (40, 90, 160), np.uint8)
    crops[:, 60:] = (250, 250, 250)
    before = crops.copy()
    is_open = np.ones((2, 60, 40), np.float32)
    assert painted_over(crops, is_open) is crops
    is_open[1, 30:] = 0
    shown_bare = painted_over(crops, is_open)
    assert np.array_equal(crops, before), "the crops themselves stay"
    assert np.array_equal(shown_bare[0], crops[0])
    assert np.array_equal(shown_bare[1, :60], crops[1, :60])
    assert np.abs(shown_bare[1, 60:].astype(int) - (40, 90, 160)).max() <= 1
    assert np.array_equal(painted_over(crops, 0 * is_open), crops), "all hidden: nothing to paint with"
