"""Local features find painted faces: many copies, covered, edge to edge, cut by the picture's edge, upside down; and nothing in nothing."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.reading.bank import Bank
from vision.reading.claims import overlap
from vision.reading.features import FeatureIndex, look, vote
from vision.reading.ground import Ground
from vision.reading.words import Proposal

Picture = NDArray[np.uint8]
WIDTH, HEIGHT = 200, 300
SIZE = (1200, 900)


def painted(seed: int, width: int = WIDTH, height: int = HEIGHT) -> Picture:
    """A face with a frame that all faces share and a picture of its own."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 215, (height // 40, width // 40, 3)).astype(np.uint8)
    face = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(28):
        colour = [int(value) for value in rng.integers(0, 255, 3)]
        x, y = (int(value) for value in rng.uniform(0.1, 0.9, 2) * (width, height))
        radius = int(rng.uniform(4, 22))
        if rng.random() < 0.5:
            cv2.circle(face, (x, y), radius, colour, -1, cv2.LINE_AA)
        else:
            points = np.array([x, y]) + rng.normal(0, radius, (4, 2))
            cv2.fillPoly(face, [points.astype(np.int32)], colour, cv2.LINE_AA)
    cv2.rectangle(face, (6, 6), (width - 7, height - 7), (225, 225, 225), 5)
    cv2.circle(face, (22, 22), 11, (30, 30, 160), -1, cv2.LINE_AA)
    return np.asarray(face, np.uint8)


FACES = {f"face {number}": painted(number) for number in range(12)}
SEEN = np.array([[1.0, 0.14, -40], [-0.05, 0.92, 60], [0.0, 0.00022, 1]])
"""The table as the camera sees it: turned, slanted, farther away at the bottom."""


class Table:
    """Faces laid on a table and photographed."""

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        width, height = SIZE
        grain = rng.normal(0, 5, (height, width)).astype(np.float32)
        self.picture: Picture = np.clip(np.array([70, 95, 120]) + grain[..., None], 0, 255).astype(np.uint8)
        self.truth: list[tuple[str, Quad]] = []

    def lay(self, name: str, x: float, y: float, turn: float, faces: dict[str, Picture] = FACES) -> None:
        """A face with its middle at (x, y), turned by degrees, on top of what lies there."""
        face = faces[name]
        height, width = face.shape[:2]
        angle = np.radians(turn)
        cosine, sine = np.cos(angle), np.sin(angle)
        back = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1]])
        laid = np.array([[cosine, -sine, x], [sine, cosine, y], [0, 0, 1]])
        whole = SEEN @ laid @ back
        corners = np.array(
            [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]]
        )
        quad = cv2.perspectiveTransform(corners[None].astype(np.float32), whole)[0]
        seen = cv2.warpPerspective(face, whole, SIZE, flags=cv2.INTER_AREA)
        mask = cv2.fillConvexPoly(np.zeros(SIZE[::-1], np.uint8), np.round(quad).astype(np.int32), 1)
        self.picture[mask > 0] = seen[mask > 0]
        self.truth.append((name, np.asarray(quad, np.float32)))

    def photo(self) -> Photo:
        rng = np.random.default_rng(8)
        dim = cv2.GaussianBlur(self.picture, (0, 0), 0.8) * np.linspace(0.55, 0.95, SIZE[0])[None, :, None]
        return Photo(np.clip(dim + rng.normal(0, 3, dim.shape), 0, 255).astype(np.uint8))


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.of(FACES)


@pytest.fixture(scope="module")
def index(bank: Bank) -> FeatureIndex:
    return FeatureIndex.of(bank)


def place(found: list[Proposal], bank: Bank, name: str, quad: Quad) -> float:
    """How well the best proposal of this face lies on the quad, corner by corner (share of the side); large where there is none."""
    side = np.sqrt(abs(cv2.contourArea(quad)))
    off = [
        float(np.linalg.norm(one.quad - quad, axis=1).max() / side)
        for one in found
        if one.row is not None and bank.names[one.row] == name
    ]
    return min(off, default=9.0)


def test_every_copy_of_a_face_is_found_the_right_way_up(bank: Bank, index: FeatureIndex) -> None:
    table = Table()
    for number in range(6):
        table.lay(
            "face 3", 180 + 330 * (number % 3), 230 + 380 * (number // 3), 180.0 * (number % 2) + 8 * number
        )
    found = vote(table.photo(), index)
    assert [place(found, bank, name, quad) < 0.08 for name, quad in table.truth] == [True] * 6


def test_a_row_of_covered_cards(bank: Bank, index: FeatureIndex) -> None:
    table = Table()
    for number in range(6):
        table.lay(f"face {number}", 160 + 90 * number, 240, 4)
        table.lay(f"face {number + 6}", 900 - 90 * number, 620, 176)
    found = vote(table.photo(), index)
    right = [place(found, bank, name, quad) < 0.12 for name, quad in table.truth]
    assert sum(right) >= 11


def test_the_table_plane_places_what_shows_little(bank: Bank, index: FeatureIndex) -> None:
    table = Table()
    table.lay("face 0", 400, 300, 0)
    table.lay("face 1", 440, 330, 30)
    table.lay("face 2", 350, 300, 100)
    table.lay("face 5", 800, 500, 70)
    photo = table.photo()
    quads = [quad for _, quad in table.truth]
    ground = Ground.of([(quad, WIDTH / HEIGHT, 0) for quad in quads[2:]], photo.size)
    assert ground is not None
    found = vote(photo, index, quads[2:], ground)
    assert place(found, bank, *table.truth[1]) < 0.06
    assert ground.residual(found[0].quad) < 0.1


def test_tiles_edge_to_edge_with_figures_on_them() -> None:
    faces = {f"tile {number}": painted(100 + number, 160, 160) for number in range(12)}
    bank = Bank.of(faces)
    table = Table()
    for number in range(20):
        x, y = 200 + 161 * (number % 5), 160 + 161 * (number // 5)
        table.lay(f"tile {number % 12}", x, y, 90 * (number % 4), faces)
    for _, quad in table.truth[::3]:
        x, y = (int(value) for value in quad.mean(0))
        cv2.circle(table.picture, (x + 20, y), 26, (40, 40, 200), -1, cv2.LINE_AA)
    found = vote(table.photo(), FeatureIndex.of(bank))
    right = [place(found, bank, name, quad) < 0.1 for name, quad in table.truth]
    assert sum(right) >= 19


def test_a_piece_cut_by_the_edge_is_told_whole(bank: Bank, index: FeatureIndex) -> None:
    table = Table()
    table.lay("face 4", 80, 450, 20)
    table.lay("face 9", 1180, 300, 200)
    found = vote(table.photo(), index)
    assert [place(found, bank, name, quad) < 0.12 for name, quad in table.truth] == [True, True]


def test_what_is_taken_is_not_proposed_again(bank: Bank, index: FeatureIndex) -> None:
    table = Table()
    table.lay("face 1", 300, 300, 10)
    table.lay("face 2", 800, 400, 95)
    photo = table.photo()
    taken = [table.truth[0][1]]
    found = vote(photo, index, taken)
    assert place(found, bank, *table.truth[1]) < 0.08
    assert not any(overlap(one.quad, taken[0])[0] > 0.5 for one in found)


def test_looking_first_and_voting_later_is_the_same(bank: Bank, index: FeatureIndex) -> None:
    table = Table()
    table.lay("face 6", 500, 400, 33)
    photo = table.photo()
    at_once = vote(photo, index)
    later = vote(photo, index, seen=look(photo, index))
    assert [one.row for one in at_once] == [one.row for one in later]
    assert at_once and all((a.quad == b.quad).all() for a, b in zip(at_once, later, strict=True))


def test_faces_that_are_not_there_get_fewer_votes(bank: Bank) -> None:
    """Six faces of the twelve are enrolled; the table shows the other six, which share frame and mark with them."""
    some = Bank.of({name: face for name, face in FACES.items() if int(name.split()[1]) < 6})
    table = Table()
    for number in range(6):
        table.lay(f"face {number + 6}", 180 + 330 * (number % 3), 230 + 380 * (number // 3), 25 * number)
    strangers = vote(table.photo(), FeatureIndex.of(some))
    known = vote(table.photo(), FeatureIndex.of(bank))
    best = sorted((one.votes for one in known), reverse=True)[5]
    assert max((one.votes for one in strangers), default=0) < 0.6 * best


def test_nothing_has_no_features(index: FeatureIndex) -> None:
    blank = Bank.of({"white": np.full((300, 200, 3), 250, np.uint8), "black": np.zeros((9, 5, 3), np.uint8)})
    nothing = FeatureIndex.of(blank)
    table = Table()
    table.lay("face 0", 500, 400, 0)
    assert vote(table.photo(), nothing) == []
    assert vote(Photo(np.full((600, 800, 3), 127, np.uint8)), index) == []
    assert vote(Photo(np.zeros((1, 1, 3), np.uint8)), index) == []
    assert FeatureIndex.of(Bank.of({})).rows.size == 0
    everything = [np.array([[0, 0], [1200, 0], [1200, 900], [0, 900]], np.float32)]
    assert vote(table.photo(), index, everything) == []
