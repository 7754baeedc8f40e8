"""One picture, one upright face: tight crops stay whole, pieces on plain ground are cut out, doubt is said."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest

from hardware.print.faces import faces as drawn
from hardware.print.faces import pictures
from hardware.print.raster import raster
from tests.vision.lying import Taken, lying
from vision.enrolment import LONGEST, Enrolled, upright
from vision.photo import Photo
from vision.plane import Picture

GAMES = ("tanis", "archaeology", "ankh")
GROUNDS = ((60, 90, 40), (40, 40, 45), (120, 70, 50), (190, 170, 150), (40, 60, 130), (215, 218, 220))


def faces(px_per_mm: float, every: int = 1) -> dict[str, Picture]:
    found = {f"{game} {name}": face for game in GAMES for name, face in pictures(game, px_per_mm).items()}
    return dict(list(found.items())[::every])


def blank(seed: int) -> Picture:
    """A nearly white card with a few symbols on it, framed or not: what differs from the ground least."""
    rng = np.random.default_rng(seed)
    card = np.full((480, 320, 3), (236, 240, 242), np.uint8)
    colour = tuple(int(one) for one in rng.integers(20, 180, 3))
    for row in range(int(rng.integers(1, 4))):
        cv2.ellipse(card, (160, 110 + 120 * row), (80, 36), 0, 0, 360, colour, 6 if seed % 2 else -1)
    return card


def test_tight_crops_stay_whole() -> None:
    """All of our own faces have frames and panels; none may be cut down to one."""
    cut = {}
    for name, face in faces(5, 6).items():
        found = upright(Photo(face))
        if found.quad is not None:
            cut[name] = found.quad.round().tolist()
        assert max(found.picture.shape[:2]) == min(LONGEST, max(face.shape[:2]))
    assert not cut


@pytest.mark.parametrize("margin", [0.03, 0.05, 0.07, 0.09, 0.11])
@pytest.mark.parametrize("kind", ["line", "panel", "double"])
def test_a_printed_frame_is_no_outline(margin: float, kind: str) -> None:
    for seed in range(2):
        rng = np.random.default_rng(seed)
        card = np.full((600, 400, 3), tuple(int(one) for one in rng.integers(150, 250, 3)), np.uint8)
        ink = tuple(int(one) for one in rng.integers(0, 120, 3))
        inset = round(margin * 400)
        start, end = (inset, inset), (399 - inset, 599 - inset)
        cv2.rectangle(card, start, end, ink, -1 if kind == "panel" else 4)
        if kind == "double":
            cv2.rectangle(card, (inset + 12, inset + 12), (387 - inset, 587 - inset), ink, 3)
        card = np.clip(card + rng.normal(0, 3, card.shape), 0, 255).astype(np.uint8)
        assert upright(Photo(card)).quad is None


def test_a_printed_half_is_no_piece() -> None:
    """A tile printed on plain paper, cropped tightly: its coloured half has four clear sides and plain paper above, and is no tile."""
    for name, piece in drawn("tanis").items():
        if "-" not in name or not name.endswith(("-1", "-7")):
            continue
        face = cv2.GaussianBlur(raster(piece.drawing, 4.0), (0, 0), 0.8)
        for inset in (0, 1):
            found = upright(Photo(np.ascontiguousarray(face[inset : 176 - inset, inset : 88 - inset])))
            assert found.quad is None, name
            assert found.picture.shape[0] > 170


def judged(found: Enrolled, corners: np.ndarray, face: Picture, within: float = 0.03) -> str:
    """ "right" when every corner is ``within`` a share of the diagonal and the shape within 8 %; "wrong" when cut otherwise."""
    if found.quad is None:
        return "doubtful" if found.doubt else "whole"
    size = float(np.linalg.norm(corners[0] - corners[2]))
    near = float(np.abs(found.quad - corners).max()) < within * size
    shape = found.picture.shape[1] / found.picture.shape[0] / (face.shape[1] / face.shape[0])
    return "right" if near and 1 / 1.08 < shape < 1.08 else "wrong"


def test_pieces_on_plain_ground_are_cut_out_upright() -> None:
    rng = np.random.default_rng(11)
    some = list(faces(8, 11).values())
    counted: Counter[str] = Counter()
    for index in range(16):
        face = some[index % len(some)]
        size = (800, 600) if index % 3 else (600, 800)
        picture, corners = lying(
            face,
            GROUNDS[index % len(GROUNDS)],
            Taken.at_random(rng),
            rng,
            size=size,
            texture=0.03 * (index % 2),
        )
        counted[judged(upright(Photo(picture)), corners, face)] += 1
    assert counted["right"] >= 14, counted
    assert counted["wrong"] <= 1, counted


def test_white_cards_on_a_white_table_are_cut_out_or_doubted() -> None:
    rng = np.random.default_rng(5)
    counted: Counter[str] = Counter()
    for index in range(8):
        face = blank(index)
        picture, corners = lying(face, (226, 230, 233), Taken.at_random(rng), rng, shadow=0.25)
        counted[judged(upright(Photo(picture)), corners, face, 0.06)] += 1
    assert counted["right"] >= 4, counted
    assert counted["wrong"] <= 1, counted


def test_a_piece_laid_straight_in_the_middle_is_cut_out() -> None:
    rng = np.random.default_rng(2)
    face = pictures("tanis", 10)["snake-3"]
    picture, corners = lying(face, (60, 90, 40), Taken(0.0, 0.0, 1.0, 0.6), rng, size=(600, 800))
    assert judged(upright(Photo(picture)), corners, face) == "right"


def test_the_top_is_where_it_is_held() -> None:
    rng = np.random.default_rng(3)
    face = pictures("tanis", 10)["falcon-5"]
    for roll in (-43.0, -20.0, 0.0, 20.0, 43.0):
        picture, corners = lying(face, (50, 60, 70), Taken(5.0, roll, 1.0, 0.6), rng)
        assert judged(upright(Photo(picture)), corners, face) == "right", roll


def test_a_piece_on_a_busy_table_is_cut_out_or_named() -> None:
    rng = np.random.default_rng(8)
    face = pictures("ankh", 10)["red-3"]
    counted: Counter[str] = Counter()
    for index in range(6):
        taken = Taken(10.0, 12.0 + 4 * index, 1.0, 0.7)
        picture, corners = lying(face, (70, 100, 140), taken, rng, texture=0.15 + 0.1 * index)
        counted[judged(upright(Photo(picture)), corners, face)] += 1
    assert counted["wrong"] == 0, counted
    assert counted["right"] >= 1 and counted["doubtful"] >= 1 and counted["whole"] <= 1, counted


def test_a_busy_table_or_nothing_is_taken_whole() -> None:
    rng = np.random.default_rng(4)
    busy = rng.integers(0, 255, (60, 80, 3)).astype(np.uint8)
    for picture in (
        np.asarray(cv2.resize(busy, (800, 600), interpolation=cv2.INTER_CUBIC), np.uint8),
        np.zeros((300, 400, 3), np.uint8),
        np.full((300, 400, 3), 255, np.uint8),
        rng.integers(0, 255, (24, 24, 3)).astype(np.uint8),
        np.full((24, 2000, 3), 90, np.uint8),
    ):
        found = upright(Photo(picture))
        assert found.quad is None
        assert max(found.picture.shape) <= LONGEST


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_piece_far_away_and_an_empty_ground_are_told(ground: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(5)
    empty = np.full((1200, 900, 3), ground, np.uint8)
    far = empty.copy()
    far[500:620, 400:460] = cv2.resize(
        pictures("tanis", 6)["scarab-7"], (60, 120), interpolation=cv2.INTER_AREA
    )
    for picture in (empty, far):
        grainy = np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
        found = upright(Photo(grainy))
        assert found.quad is None
        assert found.doubt is not None and "take it from nearer" in found.doubt


def test_a_face_that_shows_little_is_not_taken_for_an_empty_ground() -> None:
    crops = [*faces(5, 4).values(), *(blank(seed) for seed in range(8))]
    assert [at for at, face in enumerate(crops) if "nearer" in (upright(Photo(face)).doubt or "")] == []
