"""Every kind of part that the settings know can be asked for, and what is missing becomes advice that fits the display."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.box import parts
from firmware.box.parts import FIRST_WAIT, LONGEST_WAIT, REOPEN_AFTER, Keeper
from firmware.settings import KEYS, Settings
from hardware.camera.frame import CameraError
from hardware.camera.picamera import NO_MEMORY
from hardware.clock import SimulatedClock

CHOICES = {key.name: key.choices for key in KEYS if key.choices}


def fits(advice: str | None) -> bool:
    return (
        advice is not None
        and 1 <= len(advice.splitlines()) <= 2
        and all(len(line) <= 21 for line in advice.splitlines())
    )


@pytest.mark.parametrize("kind", [kind for kind in CHOICES["camera.kind"] if kind != "auto"])
def test_every_kind_of_camera_opens_or_says_what_to_do(kind: str, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.zeros((360, 640, 3), np.uint8))
    settings = Settings(
        {"camera.kind": kind, "camera.folder": str(tmp_path), "camera.width": 640, "camera.height": 360}
    )
    keeper = parts.camera(settings, SimulatedClock())
    keeper.open_if_due(0.0)
    if kind in ("picamera2", "none"):
        assert keeper.part is None
        assert fits(keeper.news[-1])
    else:
        assert keeper.part is not None
        assert keeper.part.capture(0.0).picture.shape == (360, 640, 3)
        assert keeper.part.preview().picture.shape[1] == 384


def test_a_larger_picture_that_there_is_no_memory_for_is_not_insisted_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[tuple[int, int]] = []

    class Small:
        def __init__(self, size: tuple[int, int], *_: object, **__: object) -> None:
            tried.append(size)
            if size[0] > 1536:
                raise CameraError("no contiguous memory", NO_MEMORY)

        def close(self) -> None: ...

    monkeypatch.setattr("hardware.camera.picamera.PicameraCamera", Small)
    for settings, sizes in (
        ({}, [(2304, 1296), (1536, 864)]),
        ({"camera.width": 1640, "camera.height": 1232}, [(2304, 1730), (1640, 1232)]),
        ({"camera.width": 4608, "camera.height": 2592}, [(4608, 2592)]),
    ):
        tried.clear()
        keeper = parts.camera(Settings({"camera.kind": "picamera2", **settings}), SimulatedClock(), mat=False)
        keeper.open_if_due(0.0)
        assert tried == sizes
        assert (keeper.part is None) == (sizes[-1][0] > 1536)


@pytest.mark.parametrize("driver", [driver for driver in CHOICES["display.driver"] if driver != "auto"])
def test_every_kind_of_display_opens_even_if_nothing_is_there(driver: str, tmp_path: Path) -> None:
    settings = Settings({"display.driver": driver, "display.bus": 22, "display.folder": str(tmp_path)})
    keeper = parts.display(settings)
    keeper.open_if_due(0.0)
    assert (keeper.part is None) == (driver == "none")
    assert not [advice for advice in keeper.news if advice]
    if keeper.part is not None:
        assert (keeper.part.fault is not None) == (driver in ("ssd1306", "sh1106", "ssd1309"))
        keeper.close()


@pytest.mark.parametrize("kind", [kind for kind in CHOICES["buttons.kind"] if kind != "auto"])
def test_every_kind_of_buttons_opens(kind: str) -> None:
    keeper = parts.buttons(Settings({"buttons.kind": kind, "buttons.factory": "mock"}))
    keeper.open_if_due(0.0)
    assert (keeper.part is None) == (kind == "none")
    if keeper.part is not None:
        assert keeper.part.poll(0.0) == ()
        keeper.close()


@pytest.mark.parametrize("factory", CHOICES["buttons.factory"])
def test_a_pin_library_that_is_missing_is_advice(factory: str) -> None:
    keeper = parts.buttons(Settings({"buttons.kind": "gpio", "buttons.factory": factory}))
    keeper.open_if_due(0.0)
    if keeper.part is None:
        assert fits(keeper.news[-1])
    else:
        keeper.close()


class Part:
    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_part_is_tried_again_with_growing_patience_and_told_only_when_it_changes() -> None:
    tries: list[float] = []
    now = 0.0

    def never() -> Part:
        tries.append(now)
        raise OSError("nothing there")

    keeper: Keeper[Part] = Keeper("lamp", never)
    for tenth in range(2000):
        now = tenth / 10
        keeper.open_if_due(now)
    gaps = [round(later - earlier, 1) for earlier, later in itertools.pairwise(tries)]
    assert gaps[0] == pytest.approx(FIRST_WAIT, abs=0.11)
    assert gaps[-1] == pytest.approx(LONGEST_WAIT, abs=0.11)
    assert gaps == sorted(gaps)
    assert list(keeper.news) == ["no lamp: nothing there"]


def test_a_part_that_answers_again_is_not_opened_anew_and_one_that_does_not_is() -> None:
    made: list[Part] = []

    def make() -> Part:
        made.append(Part())
        return made[-1]

    keeper: Keeper[Part] = Keeper("lamp", make)
    assert keeper.open_if_due(0.0)
    keeper.failed("no light", 0.0)
    assert keeper.part is None
    assert not keeper.open_if_due(0.5)
    assert not keeper.open_if_due(1.0), "the same one is tried again"
    assert keeper.part is made[0]
    keeper.report(None, 1.0)
    now = 1.0
    for _ in range(REOPEN_AFTER):
        keeper.failed("no light", now)
        now += 60
        keeper.open_if_due(now)
    assert len(made) == 2 and made[0].closed == 1
    assert keeper.part is made[1]
    assert list(keeper.news) == ["no light", None, "no light"], "open is not yet well"
    keeper.report(None, now)
    assert list(keeper.news) == ["no light", None, "no light", None]
    keeper.close()
    assert made[1].closed == 1


def test_what_a_driver_said_is_in_the_log_once(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> CameraError:
        raise CameraError("'NoneType' object has no attribute 'size'", "camera fault:\noff and on")

    keeper: Keeper[Any] = Keeper("camera", broken)
    for now in (0.0, 10.0, 100.0):
        keeper.open_if_due(now)
    assert [one for one in caplog.messages if "NoneType" in one] == [
        "camera: 'NoneType' object has no attribute 'size'"
    ]
    keeper.report(None, 101.0)
    keeper.open_if_due(200.0)
    assert len([one for one in caplog.messages if "NoneType" in one]) == 2
