"""Outlines, the table plane and covered pieces, on tables drawn here: what is drawn where is known to the pixel."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.reading.covered import covered
from vision.reading.ground import Ground
from vision.reading.hiding import Cover
from vision.reading.outlines import outline
from vision.reading.sides import overlap, side_lengths
from vision.reading.support import FREE, HIDDEN, MARGIN, broadened, support, taken_mask
from vision.reading.words import Outlines

Floats = NDArray[np.float64]
WIDE, TALL = 0.7, 1.0
ASPECT = WIDE / TALL


@dataclass(frozen=True)
class Table:
    """A pinhole camera that looks at a table, ``slant`` degrees from straight above, turned by ``roll``; one unit is a card's height."""

    slant: float = 0.0
    roll: float = 0.0
    far: float = 6.0
    size: tuple[int, int] = (1200, 900)
    focal: float = 1.0

    def px(self, points: Floats) -> Quad:
        slant, roll = np.radians([self.slant, self.roll])
        turn = np.array([[np.cos(roll), -np.sin(roll)], [np.sin(roll), np.cos(roll)]])
        x, y = (points @ turn.T).T
        depth = y * np.sin(slant) + self.far
        focal = self.focal * max(self.size)
        return np.stack(
            [x / depth * focal + self.size[0] / 2, y * np.cos(slant) / depth * focal + self.size[1] / 2], -1
        ).astype(np.float32)

    def card(self, x: float, y: float, turn: float, wide: float = WIDE, tall: float = TALL) -> Quad:
        way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
        down = np.array([-way[1], way[0]])
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
        return self.px(np.array([x, y]) + corners[:, :1] * wide * way + corners[:, 1:] * tall * down)


def cloth(size: tuple[int, int], seed: int, level: float = 70.0, rough: float = 9.0) -> NDArray[np.uint8]:
    """A ground with coarse and fine texture."""
    rng = np.random.default_rng(seed)
    coarse = cv2.resize(
        rng.normal(0, rough, (size[1] // 30, size[0] // 30)), size, interpolation=cv2.INTER_CUBIC
    )
    fine = cv2.GaussianBlur(rng.normal(0, 3 * rough, (size[1], size[0])), (0, 0), 1.5)
    tint = np.array([0.8, 1.1, 1.0])
    return np.clip((level + coarse + fine)[..., None] * tint, 0, 255).astype(np.uint8)


def laid(
    picture: NDArray[np.uint8],
    quad: Quad,
    seed: int,
    paper: float = 215.0,
    rounded: float = 0.05,
    rim: bool = False,
) -> NDArray[np.uint8]:
    """A card on the picture, with some marks, perhaps a rim, rounded corners and a little shadow below and right of it."""
    rng = np.random.default_rng(seed)
    tall = 300
    wide = int(tall * ASPECT)
    face = np.full((tall, wide, 3), paper, np.uint8)
    for _ in range(4):
        colour = [int(value) for value in rng.integers(20, 200, 3)]
        middle = (int(rng.integers(60, wide - 60)), int(rng.integers(70, tall - 70)))
        cv2.circle(face, middle, int(rng.integers(12, 30)), colour, -1)
    if rim:
        cv2.rectangle(face, (4, 4), (wide - 5, tall - 5), (90, 90, 90), 5)
    shape = np.zeros((tall, wide), np.uint8)
    radius = round(rounded * tall)
    cv2.rectangle(shape, (radius, 0), (wide - 1 - radius, tall - 1), 255, -1)
    cv2.rectangle(shape, (0, radius), (wide - 1, tall - 1 - radius), 255, -1)
    for x in (radius, wide - 1 - radius):
        for y in (radius, tall - 1 - radius):
            cv2.circle(shape, (x, y), radius, 255, -1)
    left, top = (max(0, int(value) - 15) for value in quad.min(0))
    right, low = (int(value) + 15 for value in quad.max(0))
    part = picture[top:low, left:right]
    size = (part.shape[1], part.shape[0])
    source = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, np.asarray(quad - (left, top), np.float32))
    mask = cv2.warpPerspective(shape, warp, size).astype(np.float32)[..., None] / 255
    shadow = cv2.GaussianBlur(np.roll(mask[..., 0], (3, 3), (0, 1)), (0, 0), 2.5)[..., None]
    seen = cv2.warpPerspective(face, warp, size, borderMode=cv2.BORDER_REPLICATE)
    ground = part * (1 - 0.5 * shadow * (1 - mask))
    whole = picture.copy()
    whole[top:low, left:right] = np.clip(ground * (1 - mask) + seen * mask, 0, 255)
    return whole


def taken(picture: NDArray[np.uint8], seed: int = 0) -> Photo:
    """As a camera takes it: a little soft, a little noise."""
    rng = np.random.default_rng(seed)
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 2.5, picture.shape)
    return Photo(np.clip(soft, 0, 255).astype(np.uint8))


def best(found: Outlines | list, quad: Quad) -> tuple[float, int, float]:
    """Overlap of the best proposal with a quad, its place in the order, and its mean corner error as a share of the mean side."""
    proposals = found.quads if isinstance(found, Outlines) else found
    every = [overlap(proposal.quad, quad) for proposal in proposals]
    if not every:
        return 0.0, -1, 9.0
    rank = int(np.argmax(every))
    side = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean()
    error = min(
        np.linalg.norm(np.roll(proposals[rank].quad, turn, 0) - quad, axis=1).mean() for turn in range(4)
    )
    return every[rank], rank, float(error / side)


SPREAD = [
    (-1.6, -0.9, 10.0),
    (0.1, -1.1, 75.0),
    (1.7, -0.8, 200.0),
    (-1.4, 0.9, 320.0),
    (0.2, 0.9, 45.0),
    (1.6, 0.8, 130.0),
]


@pytest.mark.parametrize(
    "slant, ground, paper, error",
    [
        (0.0, 70.0, 215.0, 0.01),
        (45.0, 70.0, 215.0, 0.01),
        (25.0, 205.0, 232.0, 0.02),
        (45.0, 45.0, 22.0, 0.02),
    ],
)
def test_free_pieces_are_found_with_sharp_corners(
    slant: float, ground: float, paper: float, error: float
) -> None:
    table = Table(slant, 20.0)
    picture = cloth(table.size, 1, ground, 3.0)
    quads = [table.card(*place) for place in SPREAD]
    for seed, quad in enumerate(quads):
        picture = laid(picture, quad, seed, paper)
    found = outline(taken(picture))
    marks = [best(found, quad) for quad in quads]
    assert min(mark[0] for mark in marks) > 0.92
    assert max(mark[1] for mark in marks) < 30
    assert np.median([mark[2] for mark in marks]) < error


def test_a_piece_on_a_busy_print_is_found_although_its_contour_runs_into_it() -> None:
    table = Table(15.0, 70.0)
    picture = cloth(table.size, 2)
    rng = np.random.default_rng(5)
    for _ in range(60):
        colour = [int(value) for value in rng.integers(0, 255, 3)]
        one, other = rng.integers(0, 1200, 2), rng.integers(0, 1200, 2)
        cv2.line(picture, [int(v) for v in one], [int(v) for v in other], colour, int(rng.integers(2, 14)))
    quads = [table.card(*place) for place in SPREAD]
    for seed, quad in enumerate(quads):
        picture = laid(picture, quad, seed)
    found = outline(taken(picture))
    assert [round(best(found, quad)[0], 2) for quad in quads if best(found, quad)[0] < 0.88] == []


def test_three_good_sides_are_enough() -> None:
    """A finger across one edge, a corner under another card, a corner beyond the picture."""
    table = Table(10.0, 0.0)
    picture = cloth(table.size, 3)
    finger, corner, cut = table.card(-1.4, 0.3, 5.0), table.card(0.5, -0.6, 30.0), table.card(2.55, 0.9, 50.0)
    above = table.card(1.15, -1.05, 62.0)
    for seed, quad in enumerate((finger, corner, above, cut)):
        picture = laid(picture, quad, seed)
    low = (finger[2] + finger[3]) / 2
    cv2.line(
        picture,
        [int(v) for v in low - np.array([0, 15])],
        [int(v) for v in low + np.array([-40, 300])],
        (120, 150, 215),
        44,
    )
    found = outline(taken(picture))
    assert best(found, finger)[0] > 0.85
    assert best(found, corner)[0] > 0.85
    assert best(found, cut)[0] > 0.85


@pytest.mark.parametrize("level", [0, 255])
def test_a_picture_of_one_colour_shows_nothing(level: int) -> None:
    for shape in ((900, 1200, 3), (1, 1, 3), (3, 700, 3)):
        assert outline(Photo(np.full(shape, level, np.uint8))).quads == ()


def test_tiny_pieces_in_a_large_photo() -> None:
    table = Table(20.0, 30.0, 22.0, (4000, 3000))
    picture = cloth((1000, 750), 4, 80.0)
    picture = cv2.resize(picture, table.size, interpolation=cv2.INTER_CUBIC)
    quads = [table.card(x * 3.2, y * 3.2, turn) for x, y, turn in SPREAD]
    for seed, quad in enumerate(quads):
        picture = laid(picture, quad, seed)
    found = outline(Photo(picture))
    assert min(best(found, quad)[0] for quad in quads) > 0.8


# --- the plane


def noisy(quad: Quad, rng: np.random.Generator, share: float = 0.006) -> Quad:
    return (quad + rng.normal(0, share * np.linalg.norm(quad[0] - quad[1]), (4, 2))).astype(np.float32)


@pytest.mark.parametrize("slant", [0.0, 20.0, 45.0])
@pytest.mark.parametrize("pieces, limit", [(1, 0.09), (2, 0.04), (6, 0.02)])
def test_the_plane_is_learnt_from_few_pieces(slant: float, pieces: int, limit: float) -> None:
    """Median over ten tables of how far places never seen are from where the plane has them."""
    offs = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        table = Table(slant, float(rng.uniform(0, 360)), 6.0, focal=float(rng.uniform(0.7, 1.2)))
        sure = [
            (noisy(table.card(*rng.uniform(-1.8, 1.8, 2), rng.uniform(0, 360)), rng), ASPECT, "card")
            for _ in range(pieces)
        ]
        ground = Ground.of(sure, table.size)
        assert ground is not None
        offs += [
            ground.residual(table.card(*rng.uniform(-1.8, 1.8, 2), rng.uniform(0, 360))) for _ in range(5)
        ]
    assert np.median(offs) < limit


def test_what_disagrees_is_let_go_and_sizes_are_told_apart() -> None:
    rng = np.random.default_rng(7)
    table = Table(30.0, 40.0)
    sure = [(noisy(table.card(*place), rng, 0.003), ASPECT, "card") for place in SPREAD[:5]]
    sure.append((noisy(table.card(1.6, 0.8, 20.0, 1.3, 1.3), rng, 0.003), 1.0, "tile"))
    stray = table.card(0.0, 0.0, 0.0)
    sure.append((np.asarray((stray - 300) * (1.25, 0.8) + 300, np.float32), ASPECT, "card"))
    ground = Ground.of(sure, table.size)
    assert ground is not None and ground.pieces == 6
    assert ground.sizes["tile"] / ground.sizes["card"] == pytest.approx(1.3 / np.sqrt(WIDE * TALL), rel=0.02)
    assert ground.residual(table.card(-0.5, 0.2, 77.0)) < 0.03
    assert ground.residual(table.card(-0.5, 0.2, 77.0, 0.8 * WIDE, 0.8 * TALL)) > 0.08
    assert ground.residual(table.card(0.4, 0.2, 13.0, 1.3, 1.3), 1.0, "tile") < 0.03
    assert ground.fit(table.card(0.4, 0.2, 13.0, 1.3, 1.3)).group == "tile"


def test_a_place_in_the_plane_and_back() -> None:
    rng = np.random.default_rng(8)
    table = Table(35.0, 10.0)
    ground = Ground.of([(noisy(table.card(*place), rng, 0.001), ASPECT, 0) for place in SPREAD], table.size)
    assert ground is not None
    x, y = ground.in_plane(table.card(0.3, 0.2, 0.0)).mean(0)
    quad = ground.quad_at(float(x), float(y), 33.0, ASPECT, 0)
    assert ground.residual(quad, ASPECT, 0) < 1e-4
    assert np.abs(ground.in_plane(ground.in_photo(np.array([[x, y]]))) - (x, y)).max() < 1e-3


def test_no_piece_no_plane() -> None:
    assert Ground.of([]) is None
    flat = np.array([[0, 0], [10, 0], [20, 0], [30, 0]], np.float32)
    assert Ground.of([(flat, ASPECT, 0)]) is None


# --- covered pieces


def known(table: Table, quads: list[Quad]) -> Ground:
    rng = np.random.default_rng(9)
    ground = Ground.of([(noisy(quad, rng, 0.003), ASPECT, 0) for quad in quads], table.size)
    assert ground is not None
    return ground


def covers(*quads: Quad) -> list[Cover]:
    return [Cover(quad) for quad in quads]


def test_a_heap_is_proposed_from_its_corners() -> None:
    table = Table(25.0, 15.0)
    picture = cloth(table.size, 10)
    free = table.card(-1.7, -0.9, 12.0)
    heap = [table.card(0.3, 0.1, 20.0), table.card(0.75, 0.35, 65.0), table.card(0.2, 0.55, 110.0)]
    for seed, quad in enumerate([free, *heap]):
        picture = laid(picture, quad, seed)
    found = covered(outline(taken(picture)), known(table, [free, heap[2]]), covers(free, heap[2]))
    assert best(found, heap[0])[0] > 0.85 and best(found, heap[1])[0] > 0.85
    assert len(found) <= 60
    assert max(overlap(proposal.quad, free) for proposal in found) < 0.7 if found else True


def test_a_border_that_the_owners_pictures_leave_out_hides_what_it_lies_on() -> None:
    table = Table(slant=25)
    lower, upper = table.card(0.0, -0.25, 4), table.card(0.05, 0.28, 64)
    border = broadened(upper)
    picture = laid(cloth(table.size, 6), lower, 7, rounded=0.0)
    cv2.fillConvexPoly(picture, np.rint(border).astype(np.int32), (18, 18, 18))
    outlines = outline(taken(laid(picture, upper, 8, rounded=0.0)))
    ground = Ground.of([(upper, ASPECT, 0)], table.size)
    assert ground is not None
    assert best(covered(outlines, ground, covers(upper)), lower)[0] > 0.8
    mask = taken_mask(outlines, covers(upper))
    without = np.where(mask == MARGIN, FREE, mask).astype(np.uint8)
    found, strict = (support(outlines, lower[None], one) for one in (mask, without))
    assert found.shown[0] == strict.shown[0] > 0.3
    assert found.votes[0] > strict.votes[0] + 0.02, "nothing is missed where the border may lie"
    # All around as much farther out, and no corner elsewhere.
    sides = side_lengths(np.stack([upper, border]))
    assert np.allclose(sides[1] - sides[0], (sides[1] - sides[0]).mean(), rtol=0.3)
    assert cv2.contourArea(border) > 1.25 * cv2.contourArea(upper)


def test_a_taken_piece_that_is_covered_hides_no_edge_of_what_lies_on_it() -> None:
    table = Table(0.0, 0.0)
    quad = table.card(0.0, 0.0, 0.0)
    outlines = outline(taken(laid(cloth(table.size, 3), quad, 1)))
    cells = np.ones((15, 10), np.float32)
    whole = taken_mask(outlines, [Cover(quad, cells)])
    assert np.array_equal(whole, taken_mask(outlines, covers(quad)))
    cells[:, 5:] = 0
    half = taken_mask(outlines, [Cover(quad, cells)])
    middle = (quad.mean(0) * outlines.scale).astype(int)
    side = int(0.2 * side_lengths(quad[None]).min() * outlines.scale)
    assert half[middle[1], middle[0] - side] == HIDDEN and half[middle[1], middle[0] + side] == FREE
    # Half of it, less a cell at the edge of what lies on it.
    assert np.count_nonzero(half) == pytest.approx(0.42 * np.count_nonzero(whole), rel=0.1)


def test_a_piece_half_beyond_the_picture_is_proposed_whole() -> None:
    table = Table(20.0, 0.0)
    picture = cloth(table.size, 11)
    free, cut = table.card(-0.6, 0.1, 15.0), table.card(2.9, 0.4, 80.0)
    for seed, quad in enumerate((free, cut)):
        picture = laid(picture, quad, seed)
    assert cut[:, 0].max() > table.size[0] + 30
    found = covered(outline(taken(picture)), known(table, [free]), covers(free))
    assert best(found, cut)[0] > 0.85


def test_a_row_of_which_strips_are_seen_goes_on() -> None:
    table = Table(15.0, 0.0)
    picture = cloth(table.size, 12)
    row = [table.card(-1.2 + 0.22 * step, 0.1, 4.0) for step in range(6)]
    for seed, quad in enumerate(row):
        picture = laid(picture, quad, seed, rim=True)
    found = covered(outline(taken(picture)), known(table, [row[-1]]), covers(row[-1]))
    marks = [best(found, quad)[0] for quad in row[:-1]]
    assert sum(mark > 0.85 for mark in marks) >= 4
    again = covered(outline(taken(picture)), known(table, row[3:]), covers(*row[3:]))
    assert min(best(again, quad)[0] for quad in row[:3]) > 0.85


def test_touching_tiles_are_proposed_beside_a_sure_one() -> None:
    table = Table(30.0, 25.0)
    picture = cloth(table.size, 13)
    tiles = [table.card(WIDE * x, TALL * y, 0.0) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    for seed, quad in enumerate(tiles):
        picture = laid(picture, quad, seed, rounded=0.02)
    ground = known(table, [tiles[4], tiles[1]])
    found = covered(outline(taken(picture)), ground, covers(tiles[4], tiles[1]))
    beside = [best(found, tiles[index])[0] for index in (0, 2, 3, 5, 7)]
    assert min(beside) > 0.85


def test_nothing_is_proposed_on_a_bare_table() -> None:
    table = Table(25.0, 15.0)
    free = table.card(-1.2, -0.5, 12.0)
    picture = laid(cloth(table.size, 14), free, 1)
    found = covered(outline(taken(picture)), known(table, [free]), covers(free))
    assert len(found) <= 4
