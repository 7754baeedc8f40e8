"""Exposure and calibration: measured once, kept, set again, and measured anew only when the light has really changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from firmware.box import parts
from firmware.box.light import Light
from firmware.settings import check
from hardware.camera.frame import CameraError, MeasuredExposure
from hardware.clock import SystemClock
from tests.firmware.test_shell import Sight, bench
from vision.calibration import Calibration, Lens, Pose

SEEN = Calibration(Lens(), Pose((0.0, 0.0, 0.0), (-297.0, -210.0, 620.0)))
FOUND = MeasuredExposure(12000, 1.5, (1.9, 1.4), 2.0)


@dataclass
class Camera:
    """Measures as often as it is asked."""

    fault: bool = False
    measured: int = 0

    def measure_exposure(self) -> MeasuredExposure:
        if self.fault:
            raise CameraError("stalled", "camera stopped:\ncheck the ribbon")
        self.measured += 1
        return FOUND


@dataclass
class Eyes:
    calibration: Calibration | None = None


def test_it_is_measured_with_the_first_reading_kept_and_set_again(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    light, camera, eyes = Light(path), Camera(), Eyes()
    assert light.exposure is None
    light.seen(eyes, camera)
    assert camera.measured == 0, "not before the eyes know the mat"
    eyes.calibration = SEEN
    light.seen(eyes, camera)
    light.seen(eyes, camera)
    assert camera.measured == 1
    again = Light(path)
    assert again.calibration is not None and again.calibration.pose == SEEN.pose
    assert again.exposure is not None
    assert (again.exposure.exposure_us, again.exposure.gain) == (12000, 1.5)
    assert (again.exposure.colour_gains, again.exposure.lens_position) == ((1.9, 1.4), 2.0)
    again.seen(eyes, camera)
    assert camera.measured == 1


def test_a_bumped_camera_keeps_its_exposure(tmp_path: Path) -> None:
    path = tmp_path / "calibration.toml"
    light = Light(path)
    light.seen(Eyes(SEEN), Camera())
    moved = SEEN.with_pose(Pose((0.0, 0.0, 0.1), SEEN.pose.translation), 0.001)
    light.seen(Eyes(moved), Camera())
    again = Light(path)
    assert again.calibration is not None and again.calibration.pose == moved.pose
    assert again.exposure is not None and again.exposure.gain == 1.5


def test_cameras_that_cannot_measure_and_disks_that_cannot_keep_are_no_fault(tmp_path: Path) -> None:
    Light(tmp_path / "missing" / "calibration.toml").seen(Eyes(SEEN), Camera())
    light = Light(tmp_path / "calibration.toml")
    light.seen(Eyes(SEEN), object())
    light.measure(object())
    light.measure(Camera(fault=True))
    assert light.exposure is None
    (tmp_path / "calibration.toml").write_text("no calibration")
    assert Light(tmp_path / "calibration.toml").calibration is None


@dataclass
class Lamp:
    measured: list[float] = field(default_factory=list)
    now: Any = None

    def seen(self, eyes: object, camera: object) -> None: ...

    def measure(self, camera: object) -> None:
        self.measured.append(self.now())


@pytest.mark.parametrize(("fault", "times"), [("dark", 2), ("bright", 2), ("hand", 0), (None, 0)])
def test_only_lasting_darkness_or_brightness_is_measured_anew_and_not_all_the_time(
    fault: str | None, times: int
) -> None:
    lamp = Lamp()
    at = bench(light=lamp)
    lamp.now = at.clock.monotonic
    at.eyes.watch = lambda preview, when: Sight(fault is None, fault)  # type: ignore[method-assign]
    at.run(80)
    assert len(lamp.measured) == times
    if times:
        assert lamp.measured[0] >= 1010
        assert lamp.measured[1] - lamp.measured[0] >= 50


def test_a_passing_shadow_is_not() -> None:
    lamp = Lamp()
    at = bench(light=lamp)
    lamp.now = at.clock.monotonic
    for _ in range(6):
        at.eyes.sights.extend([Sight(False, "dark")] * 60)
        at.run(7)
        at.eyes.sights.clear()
        at.run(1)
    assert not lamp.measured


def test_the_camera_of_the_settings_is_opened_at_the_kept_exposure(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr(
        "hardware.camera.picamera.PicameraCamera",
        lambda size, exposure, clock: opened.append((size, exposure)) or Camera(),
    )
    settings, faults = check('[camera]\nkind = "picamera2"\nwidth = 2304\nheight = 1296\n')
    assert not faults
    parts.camera(settings, SystemClock(), lambda: FOUND).open_if_due(0.0)
    assert opened == [((2304, 1296), FOUND)]
