"""A table without a mat: its plane from loose corners that lie anyhow, the board found by its print, and found again when it was shoved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engines.papyrus.zones import BOARD
from engines.table import Layout, Table
from firmware.written.recording import blanked, mask
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.loose import lay_corners
from hardware.simulated.optics import Optics
from hardware.simulated.table import SimulatedTable
from tests.boards import LAYOUT, gallery, standing, table
from vision import corners
from vision.boards import Board
from vision.calibration import Calibration
from vision.eyes import Eyes
from vision.mat import LOOSE_ROUGH, LOOSE_SIZE, markers
from vision.plane import Picture

SIZE = (1536, 864)
ZONE = LAYOUT.zone(BOARD)
PRINTS = {BOARD: Board.of(gallery().pictures[BOARD], ZONE.width, ZONE.height)}
WIDE = Layout("wide", 900.0, 520.0, (), (), (), (), True)
"""A large table without a board."""


def taken(made: SimulatedTable, seed: int, **other: object) -> tuple[Picture, SimulatedCamera]:
    camera = SimulatedCamera(made, SimulatedClock(), SIZE, seed)
    camera.conditions = replace(camera.conditions, **other)  # type: ignore[arg-type]
    return camera.capture(0).picture, camera


def off(
    calibration: Calibration, camera: SimulatedCamera, made: SimulatedTable, seed: int, z: float
) -> float:
    """How far (mm) at most a point ``z`` above a square of the board is from where it truly is seen."""
    optics = Optics.above(made.layout, SIZE, seed, camera.conditions)
    lies = made.boards_lie[BOARD]
    true = optics.project([(*lies.at(ZONE, one.x, one.y), z) for one in ZONE.squares])
    seen = calibration.project(np.array([[one.x, one.y, z] for one in ZONE.squares]), SIZE)
    return float(np.linalg.norm(true - seen, axis=1).max()) / optics.scale()


@pytest.mark.parametrize(("seed", "turn"), [(0, 3.0), (2, 181.0)])
def test_the_board_is_found_wherever_it_and_the_corners_lie(seed: int, turn: float) -> None:
    made = table(seed)
    made.bump_board(BOARD, 22.0, -14.0, turn)
    picture, camera = taken(made, seed)
    found = corners.find(picture, LAYOUT, None, PRINTS)
    assert found is not None
    assert off(found, camera, made, seed, 0.0) < 0.8
    assert off(found, camera, made, seed, 25.0) < 2.5
    assert set(found.corners) == {marker.id for marker in made.corners}


def test_the_markers_printed_size_gives_the_scale_of_a_table_without_a_board() -> None:
    for seed in range(2):
        made = SimulatedTable(WIDE, (), seed)
        picture, _ = taken(made, seed)
        found = corners.find(picture, WIDE)
        assert found is not None
        true = {marker.id: (marker.x, marker.y) for marker in made.corners}
        for one in true:
            for other in true:
                apart = np.hypot(*np.subtract(true[one], true[other]))
                seen = np.hypot(*np.subtract(found.corners[one][:2], found.corners[other][:2]))
                assert abs(seen - apart) < 4.0 + 0.004 * apart
        # Where the layout lies nobody can say better than it was laid.
        assert all(
            np.hypot(found.corners[marker.id][0] - marker.x, found.corners[marker.id][1] - marker.y)
            < 1.5 * LOOSE_ROUGH
            for marker in markers(WIDE)
        )


def test_three_corners_are_enough_and_two_are_not() -> None:
    made = table(3)
    made.corners = made.corners[:3]
    picture, camera = taken(made, 3)
    found = corners.find(picture, LAYOUT, None, PRINTS)
    assert found is not None and off(found, camera, made, 3, 0.0) < 1.0
    made.corners = made.corners[:2]
    assert corners.find(taken(made, 3)[0], LAYOUT, None, PRINTS) is None


def test_without_the_board_nothing_is_taken_for_it() -> None:
    bare = SimulatedTable(replace(LAYOUT, zones=()), (), 4)
    assert corners.find(taken(bare, 4)[0], LAYOUT, None, PRINTS) is None


def test_people_lay_the_corners_beside_what_is_played_on() -> None:
    for seed in range(20):
        for marker, spot in zip(lay_corners(LAYOUT, seed), markers(LAYOUT), strict=True):
            assert marker.id == spot.id and marker.size == LOOSE_SIZE
            assert max(abs(marker.x - spot.x), abs(marker.y - spot.y)) <= LOOSE_ROUGH


def test_what_was_measured_is_written_down_and_read_back(tmp_path: Path) -> None:
    picture = SimulatedCamera(table(5), SimulatedClock(), (2304, 1296), 5).capture(0).picture
    found = corners.find(picture, LAYOUT, None, PRINTS)
    assert found is not None
    found.save(tmp_path / "calibration.toml")
    again = Calibration.load(tmp_path / "calibration.toml")
    assert again.corners == found.corners and again.pose == found.pose
    eyes = Eyes(LAYOUT, gallery(), again)
    look = eyes.read(picture, Table())
    assert look.table is not None and "find" not in look.ms  # nothing was searched for


def test_the_eyes_read_the_board_and_find_it_again_when_it_was_shoved() -> None:
    made = table(6)
    eyes = Eyes(LAYOUT, gallery())
    camera = SimulatedCamera(made, SimulatedClock(), (2304, 1296), 6, Conditions())

    def seen() -> tuple[dict[str, list[str]], bool]:
        look = eyes.read(camera.capture(0).picture, Table())
        assert look.table is not None, look.fault
        found: dict[str, list[str]] = {}
        for piece in look.table.pieces:
            found.setdefault(piece.square, []).append(piece.identity or "?")
        return {square: sorted(them) for square, them in found.items()}, "find" in look.ms

    assert seen() == (standing(made), True)
    assert seen() == (standing(made), False)
    for shove in ((2.5, 1.0, 0.0), (-30.0, 12.0, -6.0)):
        made.bump_board(BOARD, *shove)
        assert seen() == (standing(made), True), shove
    body = made.find("pawn-blue", BOARD)
    made.put(made.lift(body), BOARD, square="seth")
    assert seen() == (standing(made), False)


def test_a_recording_keeps_the_corners_where_they_lie_and_can_be_read_again() -> None:
    made = table(6)
    picture, _ = taken(made, 6)
    found = corners.find(picture, LAYOUT, None, PRINTS)
    assert found is not None
    kept = blanked(picture, mask(LAYOUT, found, SIZE))
    assert np.mean((kept == kept[0, 0]).all(axis=2)) > 0.5  # the table around is painted over
    again = corners.find(kept, LAYOUT, None, PRINTS)
    assert again is not None and set(again.corners) == set(found.corners)


def test_a_table_without_a_mat_is_not_read_in_a_picture_that_is_too_coarse() -> None:
    made = table(4)
    for size, fault in (((1536, 864), "coarse"), ((2304, 1296), None)):
        camera = SimulatedCamera(made, SimulatedClock(), size, 6, Conditions())
        look = Eyes(LAYOUT, gallery()).read(camera.capture(0).picture, Table())
        assert look.fault == fault and (look.table is None) == (fault is not None)
