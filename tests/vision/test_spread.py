"""Faces laid out to be enrolled: found, in order, cut to the edge; what is wrong with one is said; twins are told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engines import table_games
from engines.table import Layout
from hardware.camera.frame import Picture
from hardware.clock import SimulatedClock
from hardware.print.faces import draw_face
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions, Glare
from hardware.simulated.enroller import laid_out
from hardware.simulated.places import Body
from hardware.simulated.table import SimulatedTable
from vision import likeness
from vision.calibration import Calibration
from vision.locate import find
from vision.mat import markers
from vision.spread import Laid, counted, on_plane, reading_order, spread

TANIS = table_games()["tanis"]
LAYOUT = TANIS.reading.layout(2, TANIS.defaults)
MARKS = markers(LAYOUT)
SNAKES = tuple(f"snake-{number}" for number in range(1, 11))
CARDS = tuple(
    f"{colour}-{card}" for colour in ("blue", "red") for card in ("explorer", "excavator", "expert")
)


def scene(
    names: Sequence[str], seed: int, layout: Layout = LAYOUT, change: dict[str, object] | None = None
) -> tuple[Picture, list[Body]]:
    """Faces laid out in rows under the simulated camera."""
    table = SimulatedTable(layout, (), seed)
    bodies = laid_out(names, layout, random.Random(seed))
    for body in bodies:
        table.place_exactly(body)
    conditions = replace(Conditions.draw(seed), **(change or {}))  # type: ignore[arg-type]
    camera = SimulatedCamera(table, SimulatedClock(), (1536, 864), seed, conditions)
    return camera.capture(0.0).picture, bodies


def mat_of(picture: Picture) -> Calibration:
    found = find(picture, markers(LAYOUT))
    assert found is not None
    return found


def off(laid: Laid, body: Body, mat: Calibration) -> tuple[float, float]:
    """How far (mm) and by how many degrees a cut is from where the face truly lies."""
    corners = on_plane(laid.quad, mat, (1536, 864), body.kind.thickness)
    x, y = corners.mean(axis=0)
    way = corners[1] - corners[0]
    turn = float(np.degrees(np.arctan2(way[1], way[0]))) - body.turn
    return float(np.hypot(x - body.x, y - body.y)), abs((turn + 180) % 360 - 180)


@pytest.mark.parametrize(("names", "seed"), [(SNAKES, 2), (SNAKES, 4), (CARDS, 3)])
def test_faces_on_the_mat_are_cut_to_the_edge_in_order(names: Sequence[str], seed: int) -> None:
    picture, bodies = scene(names, seed)
    mat = mat_of(picture)
    kind = bodies[0].kind
    assert len(counted(picture, kind, mat, 0, MARKS)) == len(names)
    laid = spread(picture, kind, mat, 0, MARKS)
    assert len(laid) == len(names)
    errors = [off(one, body, mat) for one, body in zip(laid, bodies, strict=True)]
    assert max(distance for distance, _ in errors) < 1.3, errors
    assert max(turn for _, turn in errors) < 1.5, errors
    # Whatever they are off, all of a group are off alike: what they share lies on each other.
    assert np.ptp([distance for distance, _ in errors]) < 0.3, errors
    for one in laid:
        assert one.picture.shape[1] / one.picture.shape[0] == pytest.approx(
            kind.width / kind.height, abs=0.03
        )


@pytest.mark.parametrize("seed", [2, 6])
def test_faces_on_a_plain_table_are_found_in_order(seed: int) -> None:
    picture, bodies = scene(CARDS, seed)
    laid = spread(picture, bodies[0].kind, None, len(CARDS))
    assert len(laid) == len(CARDS)
    mat = mat_of(picture)
    errors = [off(one, body, mat) for one, body in zip(laid, bodies, strict=True)]
    assert max(distance for distance, _ in errors) < 1.6 and max(turn for _, turn in errors) < 3, errors


def test_a_face_missing_and_one_too_many_are_counted() -> None:
    for names in (SNAKES[:9], (*SNAKES, "ankh-1")):
        picture, bodies = scene(names, 7)
        mat = mat_of(picture)
        assert len(counted(picture, bodies[0].kind, mat, 0, MARKS)) == len(names)
        assert len(spread(picture, bodies[0].kind, mat, 0, MARKS)) == len(names)


def test_nothing_on_the_mat_is_nothing() -> None:
    table = SimulatedTable(LAYOUT, (), 1)
    picture = SimulatedCamera(table, SimulatedClock(), (1536, 864), 1).capture(0.0).picture
    for kind in LAYOUT.kinds:
        assert spread(picture, kind, mat_of(picture), 0, MARKS) == ()
    blank = np.full((480, 640, 3), 128, np.uint8)
    assert spread(blank, LAYOUT.kinds[0]) == () and counted(blank, LAYOUT.kinds[0]) == ()


def test_a_face_that_lies_across_is_told() -> None:
    _, bodies = scene(("snake-1", "snake-2"), 2)
    table = SimulatedTable(LAYOUT, (), 2)
    table.place_exactly(bodies[0])
    table.place_exactly(replace(bodies[1], turn=90.0, x=bodies[1].x + 30))
    picture = SimulatedCamera(table, SimulatedClock(), (1536, 864), 2).capture(0.0).picture
    laid = spread(picture, bodies[0].kind, mat_of(picture), 0, MARKS)
    assert [one.fault for one in laid] == ["", "turned"]


def test_glare_on_one_face_is_told_of_that_face() -> None:
    _, bodies = scene(CARDS, 5)
    lamp = Glare(bodies[1].x, bodies[1].y, 14.0, 0.5)
    faults = []
    for change in ({}, {"glare": lamp}):
        picture, _ = scene(CARDS, 5, change=change)
        laid = spread(picture, bodies[0].kind, mat_of(picture), 0, MARKS)
        faults.append([one.fault for one in laid])
    assert faults == [[""] * 6, ["", "glare", "", "", "", ""]]


def test_blur_darkness_smallness_and_the_edge_of_the_picture_are_told() -> None:
    picture, bodies = scene(CARDS[:1], 3)
    kind = bodies[0].kind
    mat = mat_of(picture)
    assert [one.fault for one in spread(picture, kind, mat, 0, MARKS)] == [""]
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 5.0), np.uint8)
    assert [one.fault for one in spread(blurred, kind, mat, 0, MARKS)] in (["blurred"], [])
    dim = np.asarray(picture * 0.25, np.uint8)
    assert [one.fault for one in spread(dim, kind, mat, 0, MARKS)] == ["dim"]
    third = np.asarray(cv2.resize(picture, None, fx=1 / 3, fy=1 / 3, interpolation=cv2.INTER_AREA), np.uint8)
    assert [one.fault for one in spread(third, kind, mat, 0, MARKS)] == ["small"]
    at = mat.project(np.array([[bodies[0].x - 16.2, bodies[0].y, 0.0]]), (1536, 864))[0]
    cut = np.ascontiguousarray(picture[:, int(at[0]) + 2 :])
    assert [one.fault for one in spread(cut, kind, None, 1)] in (["edge"], [])


def test_rows_may_climb_and_are_read_from_the_left() -> None:
    rng = random.Random(1)
    for tilt in (-0.12, 0.0, 0.12):
        truth = [(60.0 * column, 70.0 * row + tilt * 60 * column) for row in range(3) for column in range(4)]
        order = list(range(len(truth)))
        rng.shuffle(order)
        middles = np.array([truth[index] for index in order])
        assert [order[index] for index in reading_order(middles, 40.0, 60.0)] == list(range(12)), tilt
    assert reading_order(np.zeros((0, 2)), 1.0, 1.0) == []
    assert reading_order(np.array([[5.0, 5.0]]), 1.0, 1.0) == [0]


def test_two_pictures_of_a_face_are_alike_and_no_two_faces_are() -> None:
    shots = []
    for seed in (9, 11):
        picture, bodies = scene(CARDS, seed)
        shots.append(
            [likeness.look(one.picture) for one in spread(picture, bodies[0].kind, mat_of(picture), 0, MARKS)]
        )
    for index, one in enumerate(shots[0]):
        same = likeness.apart(one, shots[1][index])
        others = [likeness.apart(one, other) for at, other in enumerate(shots[1]) if at != index]
        assert same < 1.2 < min(others), (CARDS[index], same, min(others))


def test_twins_are_told_in_the_light_at_hand() -> None:
    kind = LAYOUT.kind("tile")
    looks = {}
    for name in ("snake-3", "snake-8", "ankh-3"):
        looks[name] = likeness.look(draw_face(LAYOUT.face(name), kind, 4.0))
    assert likeness.too_alike(looks) == []
    assert [pair[:2] for pair in likeness.too_alike({**looks, "twin": looks["snake-3"]})] == [
        ("snake-3", "twin")
    ]
    rng = np.random.default_rng(1)
    dark = {}
    for name in looks:
        dim = draw_face(LAYOUT.face(name), kind, 4.0) * 0.06 + rng.normal(0, 9, (176, 88, 1))
        dark[name] = likeness.look(np.clip(dim, 0, 255).astype(np.uint8))
    assert ("snake-3", "snake-8") in [pair[:2] for pair in likeness.too_alike(dark)]
