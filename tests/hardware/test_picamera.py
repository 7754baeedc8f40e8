"""The Pi's camera driver against a faithful stand-in for picamera2."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.camera.frame import CameraError, MeasuredExposure
from hardware.camera.picamera import (
    BROKEN,
    IN_USE,
    NO_CAMERA,
    NO_MEMORY,
    NO_SOFTWARE,
    STALLED,
    STUCK,
    UNFIT,
    PicameraCamera,
    from_yuv420,
)
from hardware.clock import SimulatedClock
from tests.hardware.fake_picamera2 import FRAME, World, install, scene_of


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock()


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, clock: SimulatedClock) -> World:
    return install(monkeypatch, clock)


def opened(clock: SimulatedClock, size: tuple[int, int] = (1536, 864), **options: Any) -> PicameraCamera:
    return PicameraCamera(size, clock=clock, patience=0.5, **options)


def advice(call: Any) -> str:
    with pytest.raises(CameraError) as raised:
        call()
    lines = raised.value.advice.split("\n")
    assert len(lines) <= 2 and all(len(line) <= 21 for line in lines), raised.value.advice
    return raised.value.advice


def test_large_frame_is_bgr_and_of_the_asked_size(world: World, clock: SimulatedClock) -> None:
    camera = opened(clock)
    frame = camera.capture(clock.monotonic())
    assert camera.size == (1536, 864)
    assert frame.picture.shape == (864, 1536, 3) and frame.picture.dtype == np.uint8
    assert np.array_equal(frame.picture, scene_of((1536, 864), world.frames_made))


@pytest.mark.parametrize("size", [(1536, 864), (2304, 1296), (1640, 1232)])
def test_small_frame_is_cropped_from_its_padded_rows(
    world: World, clock: SimulatedClock, size: tuple[int, int]
) -> None:
    camera = opened(clock, size)
    picture = camera.preview().picture
    height = round(384 * size[1] / size[0] / 2) * 2
    assert picture.shape == (height, 384, 3)
    expected = scene_of((384, height), world.frames_made).astype(int)
    assert np.abs(picture.astype(int) - expected).mean() < 3
    assert np.abs(picture[:, -1].astype(int) - expected[:, -1]).max() < 12  # no padding at the right edge


def test_a_camera_with_one_stream_gives_both_pictures(world: World, clock: SimulatedClock) -> None:
    world.streams = 1
    camera = opened(clock)
    small = camera.preview().picture
    assert small.shape == (216, 384, 3)
    expected = scene_of((384, 216), world.frames_made).astype(int)
    assert np.abs(small.astype(int) - expected).max() < 4
    assert np.array_equal(camera.capture(clock.monotonic()).picture, scene_of((1536, 864), world.frames_made))
    assert world.configs[-1]["lores"] is None


@pytest.mark.parametrize("streams", [1, 2])
def test_red_first_is_turned_round(world: World, clock: SimulatedClock, streams: int) -> None:
    world.format, world.streams = "BGR888", streams
    camera = opened(clock)
    frame = camera.capture(clock.monotonic())
    assert np.array_equal(frame.picture, scene_of((1536, 864), world.frames_made))


def test_a_camera_without_plain_colours_is_named(world: World, clock: SimulatedClock) -> None:
    world.format = "YUYV"
    assert advice(lambda: opened(clock)) == UNFIT
    assert world.closed == world.opened == 1


def test_yuv_of_the_wrong_shape_is_named() -> None:
    with pytest.raises(ValueError, match=r"\(324, 300\).*384 x 216"):
        from_yuv420(np.zeros((324, 300), np.uint8), (384, 216))


def test_frames_are_never_older_than_the_request(world: World, clock: SimulatedClock) -> None:
    """P27: the first request handed out waited since long before."""
    camera = opened(clock)
    for _ in range(20):
        clock.advance(0.37)
        asked = clock.monotonic()
        frame = camera.capture(asked)
        assert frame.at >= asked
        assert clock.monotonic() - asked < 4 * FRAME
    assert world.released >= 20


def test_a_frame_can_be_asked_for_in_the_future(world: World, clock: SimulatedClock) -> None:
    camera = opened(clock)
    later = clock.monotonic() + 2.0
    assert camera.capture(later).at >= later


def test_preview_is_fresh_and_does_not_wait_for_the_next_frame(world: World, clock: SimulatedClock) -> None:
    camera = opened(clock)
    clock.advance(1.0)
    before = clock.monotonic()
    frame = camera.preview()
    assert clock.monotonic() == before
    assert before - frame.at < 0.5


def test_without_time_stamps_frames_that_waited_are_still_skipped(
    world: World, clock: SimulatedClock
) -> None:
    world.stamps = False
    camera = opened(clock)
    clock.advance(1.0)
    made, asked = world.frames_made, clock.monotonic()
    camera.capture(asked)
    assert world.frames_made >= made + 3


def test_requests_are_given_back(world: World, clock: SimulatedClock) -> None:
    """Else the camera starves after as many frames as it has buffers."""
    camera = opened(clock)
    for _ in range(30):
        camera.capture(clock.monotonic())
        camera.preview()


def test_configured_once_and_modes_never_listed(world: World, clock: SimulatedClock) -> None:
    """P28, P29."""
    camera = opened(clock)
    for _ in range(10):
        camera.preview()
        camera.capture(clock.monotonic())
    camera.set_exposure(MeasuredExposure(10_000, 2.0, (1.5, 1.5), 3.0))
    camera.measure_exposure()
    assert (world.configures, world.modes_listed, world.opened) == (1, 0, 1)
    config = world.configs[0]
    assert config["raw"] is None and config["buffer_count"] == 4
    assert config["sensor"] == {"output_size": (2304, 1296)}


def test_a_large_picture_asks_for_the_whole_sensor(world: World, clock: SimulatedClock) -> None:
    opened(clock, (4608, 2592))
    assert world.configs[0]["sensor"] == {"output_size": (4608, 2592)}


def test_exposure_from_the_calibration_is_set_before_the_first_frame(
    world: World, clock: SimulatedClock
) -> None:
    """P30, P31."""
    camera = opened(clock, exposure=MeasuredExposure(12_345, 3.5, (1.7, 2.1), 4.25))
    controls = world.configs[0]["controls"]
    assert controls["ExposureTime"] == 12_345 and controls["AnalogueGain"] == 3.5
    assert controls["ColourGains"] == (1.7, 2.1) and controls["LensPosition"] == 4.25
    assert controls["AeEnable"] is False and controls["AwbEnable"] is False and controls["AfMode"] == 0
    assert camera.preview().at > 0


def test_fixed_focus_modules_are_not_asked_to_focus(world: World, clock: SimulatedClock) -> None:
    del world.controls["AfMode"], world.controls["LensPosition"]
    camera = opened(clock, exposure=MeasuredExposure(10_000, 2.0, (1.5, 1.5), 4.0))
    assert camera.measure_exposure().lens_position is None


def test_measuring_waits_until_it_settled_and_holds_it(world: World, clock: SimulatedClock) -> None:
    camera = opened(clock, exposure=MeasuredExposure(1_000, 1.0, (1.0, 1.0), 1.0))
    world.light = 0.5
    found = camera.measure_exposure()
    assert found == MeasuredExposure(60_000, 2.0, (1.9, 1.6), 2.5)
    for _ in range(10):
        camera.capture(clock.monotonic())
    world.light = 2.0  # a lamp goes on: what is held does not follow
    made: list[int] = []
    camera._request(clock.monotonic(), lambda request: made.append(request.get_metadata()["ExposureTime"]))
    assert made == [60_000]


def test_no_camera_names_the_ribbon(world: World, clock: SimulatedClock) -> None:
    """P26: picamera2 raises IndexError."""
    world.cameras = 0
    assert advice(lambda: opened(clock)) == NO_CAMERA


def test_a_camera_that_comes_back_is_found_though_libcamera_hears_nothing_of_it(
    world: World, clock: SimulatedClock
) -> None:
    world.cameras = 0
    assert advice(lambda: opened(clock)) == NO_CAMERA
    world.cameras = 1
    assert opened(clock).preview().picture.size


def test_in_use_is_named_and_tried_again(world: World, clock: SimulatedClock) -> None:
    """P23."""
    world.busy = True
    assert advice(lambda: opened(clock)) == IN_USE
    world.busy = False
    assert opened(clock).preview().picture.size


def test_failed_openings_leave_no_file_open(world: World, clock: SimulatedClock) -> None:
    world.busy = True
    advice(lambda: opened(clock))
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        advice(lambda: opened(clock))
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


@pytest.mark.parametrize("cancel_fails", [False, True])
def test_a_stall_is_named_closed_and_reopened(
    world: World, clock: SimulatedClock, cancel_fails: bool
) -> None:
    """P25: the frontend timed out; nothing is raised by picamera2 itself."""
    world.cancel_fails = cancel_fails
    camera = opened(clock)
    camera.preview()
    world.stalled = True
    clock.advance(1.0)
    assert advice(camera.preview) == STALLED
    assert world.closed == 1
    world.stalled = False
    assert camera.capture(clock.monotonic()).picture.size
    assert world.opened == 2


def test_a_stalled_camera_does_not_hand_out_its_last_frame(world: World, clock: SimulatedClock) -> None:
    camera = opened(clock)
    clock.advance(0.2)
    camera._camera._run()  # a frame waits in the queue
    world.stalled = True
    clock.advance(2.0)
    assert advice(camera.preview) == STALLED


def test_a_hanging_close_does_not_hang_the_night(world: World, clock: SimulatedClock) -> None:
    camera = PicameraCamera((1536, 864), clock=clock, patience=0.05)
    world.hang_on_close = True
    world.stalled = True
    assert advice(camera.preview) == STALLED
    assert advice(camera.preview) == STUCK  # not "another program"


def test_memory_that_ran_out_is_named(world: World, clock: SimulatedClock) -> None:
    world.memory = 0
    assert advice(lambda: opened(clock)) == NO_MEMORY
    assert world.closed == 1


def test_a_failing_start_closes_the_camera(world: World, clock: SimulatedClock) -> None:
    world.fail_start = RuntimeError("camera.start() failed with code -71")
    assert advice(lambda: opened(clock)) == BROKEN
    assert world.closed == 1
    world.fail_start = None
    assert opened(clock).preview().picture.size


def test_without_picamera2_the_advice_is_to_install_it(
    monkeypatch: pytest.MonkeyPatch, clock: SimulatedClock
) -> None:
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    assert advice(lambda: opened(clock)) == NO_SOFTWARE


def test_numpy_of_another_build_is_a_matter_of_installation(
    monkeypatch: pytest.MonkeyPatch, clock: SimulatedClock
) -> None:
    """P33."""
    real = builtins.__import__

    def load(name: str, *rest: Any, **options: Any) -> Any:
        if name == "picamera2":
            raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")
        return real(name, *rest, **options)

    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setattr(builtins, "__import__", load)
    assert advice(lambda: opened(clock)) == NO_SOFTWARE


def test_closing_twice_and_going_on(world: World, clock: SimulatedClock) -> None:
    camera = opened(clock)
    camera.close()
    camera.close()
    assert world.closed == 1
    assert camera.preview().picture.size  # opened again
