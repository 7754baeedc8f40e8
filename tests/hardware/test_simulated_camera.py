"""The simulated camera: repeatable, true to its optics, and honest about hands, light and knocks."""

from __future__ import annotations

import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engines.tanis.dealing import deal
from engines.tanis.reading import layout
from hardware.clock import SimulatedClock
from hardware.simulated.camera import PREVIEW, SimulatedCamera
from hardware.simulated.conditions import Conditions, Glare
from hardware.simulated.hands import Arm, Hand
from hardware.simulated.optics import Optics
from hardware.simulated.places import Body
from hardware.simulated.table import SimulatedTable
from vision.mat import markers

LAYOUT = layout(2, {})
SIZE = (1536, 864)
PLAIN = Conditions(noise=0.0, jpeg=0, blur=0.0, shadow=0.0)


def table_of(seed: int = 1, full: bool = True) -> SimulatedTable:
    table = SimulatedTable(LAYOUT, deal(seed, 2, 0, {}).setup(), seed)
    if full:
        table.lay_out()
    return table


def camera_of(table: SimulatedTable, conditions: Conditions = PLAIN, seed: int = 1) -> SimulatedCamera:
    return SimulatedCamera(table, SimulatedClock(), SIZE, seed, conditions)


def found(picture: np.ndarray) -> dict[int, np.ndarray]:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 3
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    corners, ids, _ = detector.detectMarkers(picture)
    if ids is None:
        return {}
    return {int(number): quad.reshape(4, 2) for number, quad in zip(np.ravel(ids), corners, strict=True)}


def test_port_sizes_and_times() -> None:
    clock = SimulatedClock(50.0)
    camera = SimulatedCamera(table_of(full=False), clock, SIZE, 3)
    assert camera.size == SIZE
    small, large = camera.preview(), camera.capture(not_before=52.5)
    assert small.picture.shape == (PREVIEW[1], PREVIEW[0], 3) and small.at == 50.0
    assert large.picture.shape == (864, 1536, 3) and large.picture.dtype == np.uint8
    assert large.at >= 52.5 and clock.monotonic() == large.at
    camera.close()


def test_same_seed_same_bytes() -> None:
    pictures = [camera_of(table_of(), Conditions.draw(4), 4).capture(0).picture for _ in range(2)]
    assert np.array_equal(*pictures)
    other = camera_of(table_of(), Conditions.draw(4), 5).capture(0).picture
    assert not np.array_equal(pictures[0], other)


def test_two_frames_differ_by_noise_alone() -> None:
    camera = camera_of(table_of(), replace(PLAIN, noise=2.0))
    first, second = (camera.capture(0).picture.astype(int) for _ in range(2))
    assert not np.array_equal(first, second)
    assert abs(float((first - second).std()) - 2.0 * 2**0.5) < 0.5


@pytest.mark.parametrize("seed", range(6))
def test_whole_mat_in_view_and_markers_where_the_optics_put_them(seed: int) -> None:
    optics = Optics.above(LAYOUT, SIZE, seed, PLAIN)
    edge = optics.project([(x, y, 0) for x in (0, LAYOUT.width) for y in (0, LAYOUT.height)])
    assert edge.min() > 5 and (edge < np.array(SIZE) - 5).all()
    seen = found(camera_of(table_of(full=False), replace(PLAIN, blur=0.5), seed).capture(0).picture)
    off = np.array(
        [
            seen[marker.id] - optics.project([(x, y, 0) for x, y in marker.corners])
            for marker in markers(LAYOUT)
        ]
    )
    assert np.abs(off).max() < 0.45
    assert np.abs(off.mean(axis=(0, 1))).max() < 0.12, "no half pixel is lost between optics and picture"


def test_projection_is_the_inverse_of_the_view_of_the_mat() -> None:
    optics = Optics.above(LAYOUT, SIZE, 3, PLAIN)
    places = optics.on_mat()
    rng = random.Random(1)
    for _ in range(40):
        x, y = rng.randrange(SIZE[0]), rng.randrange(SIZE[1])
        seen = optics.project([(*places[y, x], 0.0)])[0]
        assert np.abs(seen - (x, y)).max() < 0.05


def test_lens_bends_straight_lines() -> None:
    bends = []
    for seed in range(20):
        optics = Optics.above(LAYOUT, SIZE, seed, PLAIN)
        a, middle, b = optics.project([(0, 20, 0), (LAYOUT.width / 2, 20, 0), (LAYOUT.width, 20, 0)])
        bends.append(abs(middle[1] - (a[1] + b[1]) / 2))
    assert max(bends) > 4 and max(bends) < 40


def test_a_tile_is_drawn_where_its_top_is_seen() -> None:
    """Its thickness counts: the top's corners, not those of its place on the mat."""
    table = table_of(full=False)
    body = Body("falcon-7", "falcon-7", LAYOUT.kind("tile"), "tiles-1", 60.0, 250.0, 0.0, 20.0)
    empty = camera_of(table).capture(0).picture.astype(int)
    table.place_exactly(body)
    shown = camera_of(table).capture(0).picture.astype(int)
    ys, xs = np.nonzero(np.abs(shown - empty).max(axis=2) > 20)
    optics = Optics.above(LAYOUT, SIZE, 1, PLAIN)
    seen = optics.project([(x, y, z) for z in (0.0, 4.0) for x, y in body.corners()])
    box = np.array([xs.min(), ys.min(), xs.max(), ys.max()])
    assert np.abs(box - [*seen.min(0), *seen.max(0)]).max() < 1.6
    top = seen[4:]
    assert np.abs(top - seen[:4]).max() > 1.0, "perspective shifts the top"


def test_a_higher_tile_hides_a_lower_one() -> None:
    table = table_of()
    camera = camera_of(table)
    before = camera.capture(0).picture.copy()
    covered = next(b for b in table.within("dig") if b.level == 1)
    table.lift(covered)
    assert np.array_equal(camera.capture(0).picture, before), (
        "nothing of the lowest layer shows under a full dig"
    )
    top = next(b for b in table.within("dig") if b.level == 4)
    table.lift(top)
    assert not np.array_equal(camera.capture(0).picture, before)


def test_walls_and_tiles_cast_soft_shadows() -> None:
    table = table_of()
    lit = camera_of(table, PLAIN).capture(0).picture.astype(int)
    dark = camera_of(table, replace(PLAIN, shadow=0.5, lamp=(0.6, 0.0))).capture(0).picture.astype(int)
    drop = (lit - dark).max(axis=2)
    assert drop.min() >= -1, "a shadow only darkens"
    assert table.box is not None
    x, y = table.box.at(table.box.inside[0] / 2 + 3 + 6, 0)  # right of the right wall
    at = np.round(Optics.above(LAYOUT, SIZE, 1, PLAIN).project([(x, y, 0)])[0]).astype(int)
    assert drop[at[1], at[0]] > 60
    levels = np.unique(drop[at[1] - 3 : at[1] + 4])
    assert len(levels) > 10, "soft, not a step"


def test_previews_show_the_same_scene() -> None:
    camera = camera_of(table_of(), PLAIN)
    large = cv2.resize(camera.capture(0).picture, PREVIEW, interpolation=cv2.INTER_AREA)
    assert np.abs(large.astype(int) - camera.preview().picture).mean() < 5


def test_a_hand_covers_what_is_below_it_and_leaves_no_trace() -> None:
    table = table_of()
    camera = camera_of(table)
    before = camera.capture(0).picture.copy()
    optics = Optics.above(LAYOUT, SIZE, 1, PLAIN)
    table.hands = (Hand(297.0, 200.0, 40.0, -300.0, 260.0, (130, 160, 206), (40, 40, 160)),)
    covered = camera.capture(0).picture
    x, y = np.round(optics.project([(230.0, 205.0, 40.0)])[0]).astype(int)
    patch = covered[y - 5 : y + 6, x - 5 : x + 6].reshape(-1, 3)
    assert np.abs(patch.mean(0) - (130, 160, 206)).max() < 25, "the palm is there"
    assert np.array_equal(covered[700:, 1200:], before[700:, 1200:]), "the other side is untouched"
    small = camera.preview().picture
    assert np.abs(small.astype(int) - cv2.resize(covered, PREVIEW, interpolation=cv2.INTER_AREA)).mean() < 6
    table.hands = ()
    assert np.array_equal(camera.capture(0).picture, before)


def test_a_carried_tile_is_seen_in_the_hand() -> None:
    table = table_of()
    camera = camera_of(table)
    tile = next(b for b in table.within("dig") if b.level == 4)
    script = Arm(table, 0, random.Random(2), 0.0)._carry  # the middle of a way
    from engines.dealing import Act

    states = []
    for _ in script(Act(tile.identity, "dig", "tiles-1")):
        if table.hands and table.hands[0].carried is not None:
            states.append(table.hands)
    table.hands = states[len(states) // 2]
    with_tile = camera.preview().picture.astype(int)
    table.hands = tuple(replace(hand, carried=None) for hand in table.hands)
    assert np.abs(with_tile - camera.preview().picture).max() > 60


def test_conditions_do_what_they_say() -> None:
    table = table_of()
    plain = camera_of(table).capture(0).picture.astype(float)
    dim = camera_of(table, replace(PLAIN, light=0.4)).capture(0).picture
    assert 0.3 < dim.mean() / plain.mean() < 0.5
    warm = camera_of(table, replace(PLAIN, warmth=1.0)).capture(0).picture.mean(axis=(0, 1))
    cold = camera_of(table, replace(PLAIN, warmth=-1.0)).capture(0).picture.mean(axis=(0, 1))
    assert warm[2] > cold[2] and warm[0] < cold[0]
    side = camera_of(table, replace(PLAIN, gradient=(0.4, 0.0))).capture(0).picture
    assert side[:, 1000:1300].mean() > side[:, 240:540].mean() * 1.1
    glare = camera_of(table, replace(PLAIN, glare=Glare(100, 200, 30, 1.0))).capture(0).picture
    x, y = np.round(Optics.above(LAYOUT, SIZE, 1, PLAIN).project([(100, 200, 0)])[0]).astype(int)
    assert glare[y, x].min() > 250
    assert np.array_equal(glare[:, 1000:], camera_of(table).capture(0).picture[:, 1000:])


def test_a_knock_moves_the_picture_in_the_middle_of_a_night() -> None:
    camera = camera_of(table_of())
    before = found(camera.capture(0).picture)
    camera.conditions = replace(PLAIN, shift=(6.0, -3.0), turn=1.5)
    after = found(camera.capture(0).picture)
    moved = [np.abs(after[number] - before[number]).max() for number in before.keys() & after.keys()]
    assert len(moved) == 6 and min(moved) > 3


@pytest.mark.parametrize("seed", range(4))
def test_evenings_that_are_drawn_can_be_read(seed: int) -> None:
    """Believable means: all markers are found, nothing is drowned or burnt out."""
    conditions = Conditions.draw(seed, glare=0.5)
    assert conditions == Conditions.draw(seed, glare=0.5)
    picture = camera_of(table_of(seed), conditions, seed).capture(0).picture
    assert len(found(picture)) == 6
    mat = picture[100:760, 300:1240]
    assert 60 < mat.mean() < 235 and (mat.min(axis=2) > 252).mean() < 0.1
