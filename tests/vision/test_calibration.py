"""Lens, pose and their file: measured from the mat, noticed when they no longer hold (P07, P09, P14)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.vision.scenes import TANIS, Scene, looking_down
from vision.calibration import Box, Calibration, CalibrationError, Exposure, Lens, project
from vision.locate import check, drawing, find
from vision.mat import markers

MARKERS = markers(TANIS)
DRAWINGS = {marker.id: drawing(marker) for marker in MARKERS}
GRID = np.array(
    [[x, y, z] for x in (20.0, 300.0, 580.0) for y in (20.0, 200.0, 400.0) for z in (0.0, 4.0, 16.0)]
)


def measured(scene: Scene, size: tuple[int, int]) -> Calibration:
    found = find(scene.picture(size), MARKERS)
    assert found is not None
    return found


@pytest.mark.parametrize(("size", "tilt"), [((1536, 864), 0.0), ((2304, 1296), 0.0), ((1536, 864), 0.2)])
def test_any_plane_above_the_mat_is_found_to_a_fraction_of_a_millimetre(
    size: tuple[int, int], tilt: float
) -> None:
    pose = looking_down(tilt=tilt, y=215.0 - 650 * tilt, height=660.0, roll=0.05)
    scene = Scene(pose=pose, lens=Lens(0.75, -0.1, 0.02), noise=3.0, seed=4)
    calibration = measured(scene, size)
    off = calibration.project(GRID, size) - project(GRID, scene.lens, scene.pose, size)
    assert np.abs(off).max() < 0.0007 * size[0]


def test_the_check_sees_the_markers_where_they_are_and_not_what_covers_them() -> None:
    scene = Scene(noise=3.0)
    picture = scene.picture()
    calibration = measured(scene, (1536, 864))
    seen = check(picture, calibration, MARKERS, DRAWINGS)
    assert len(seen.seen) == 6 and not seen.moved
    at = calibration.project(np.array([[30.0, 30.0, 0.0]]), (1536, 864))[0].astype(int)
    picture[at[1] - 35 : at[1] + 8, at[0] - 35 : at[0] + 35] = (120, 150, 190)
    seen = check(picture, calibration, MARKERS, DRAWINGS)
    assert len(seen.seen) == 5 and not seen.moved


@pytest.mark.parametrize(("dx", "dy", "roll"), [(1.5, 0.0, 0.0), (0.0, -8.0, 0.0), (3.0, 3.0, 0.02)])
def test_a_knock_is_noticed_and_put_right_with_the_same_lens(dx: float, dy: float, roll: float) -> None:
    scene = Scene()
    calibration = measured(scene, (1536, 864))
    knocked = replace(scene, pose=looking_down(x=297.0 + dx, y=215.0 + dy, roll=roll), seed=3)
    picture = knocked.picture()
    seen = check(picture, calibration, MARKERS, DRAWINGS)
    assert seen.moved or len(seen.seen) < 2
    again = find(picture, MARKERS, calibration)
    assert again is not None and again.lens == calibration.lens
    off = again.project(GRID, (1536, 864)) - project(GRID, knocked.lens, knocked.pose, (1536, 864))
    assert np.abs(off).max() < 1.2


def test_noise_moves_nothing() -> None:
    calibration = measured(Scene(noise=4.0), (1536, 864))
    for seed in range(1, 4):
        assert not check(Scene(noise=4.0, seed=seed).picture(), calibration, MARKERS, DRAWINGS).moved


def test_the_file_gives_back_what_was_saved(tmp_path: Path) -> None:
    calibration = measured(Scene(), (1536, 864))
    full = replace(
        calibration,
        exposure=Exposure(8000, 1.5, (1.9, 1.4), 4.2),
        boxes={"dig": Box(299.5, 180.25, -1.25)},
        pieces={"tile": (22.0, 44.1)},
    )
    path = tmp_path / "calibration.toml"
    full.save(path)
    assert Calibration.load(path) == full
    calibration.save(path)
    assert Calibration.load(path) == calibration


@pytest.mark.parametrize("damage", ["", "version = 99", "version = 1", "not toml ["])
def test_a_damaged_file_is_named_with_its_remedy(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "calibration.toml"
    path.write_text(damage, encoding="utf-8")
    with pytest.raises(CalibrationError, match="calibrate again") as caught:
        Calibration.load(path)
    assert "calibration.toml" in str(caught.value)


def test_there_is_no_mat_where_there_is_none() -> None:
    assert find(Scene(mat=False).picture(), MARKERS) is None
