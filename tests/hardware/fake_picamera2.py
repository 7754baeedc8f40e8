"""A stand-in for the module picamera2, faithful in what Thoth's driver meets: the same names, the same exceptions with the same
texts, the same traps. Written after picamera2 0.3.3x (picamera2.py, request.py, job.py). Time is a SimulatedClock.

Traps kept: a request that waited is handed out at once, however old; a stalled sensor raises nothing but the time-out that was asked
for, and leaves its job in the queue, behind which ``close`` waits for ever unless the queue was flushed; a failing constructor leaves a
pipe open; every configure counts, and memory runs out after some; requests that are not released starve the camera;
controls take some frames; unknown controls raise; rows are padded.
"""

from __future__ import annotations

import concurrent.futures
import errno
import os
import sys
import threading
import types
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.clock import SimulatedClock

FRAME = 1 / 15
STANDARD_CONTROLS = {
    "AeEnable": (False, True, None),
    "ExposureTime": (0, 200_000, 20_000),
    "AnalogueGain": (0.0, 16.0, 1.0),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "FrameDurationLimits": (17_000, 200_000, None),
    "NoiseReductionMode": (0, 4, 0),
    "AfMode": (0, 2, 0),
    "LensPosition": (0.0, 15.0, 1.0),
}


@dataclass
class World:
    """What a test sets and counts."""

    clock: SimulatedClock
    cameras: int = 1
    busy: bool = False
    stalled: bool = False
    streams: int = 2
    format: str = "RGB888"
    """What libcamera makes of the format that was asked for."""
    memory: int = 8  # configures until the contiguous memory is used up
    hang_on_close: bool = False
    cancel_fails: bool = False
    stamps: bool = True
    fail_start: Exception | None = None
    controls: dict[str, Any] = field(default_factory=lambda: dict(STANDARD_CONTROLS))
    native: tuple[int, int] = (4608, 2592)
    light: float = 1.0  # of the scene; what automatic exposure works against
    configures: int = 0
    opened: int = 0
    closed: int = 0
    modes_listed: int = 0
    released: int = 0
    configs: list[dict[str, Any]] = field(default_factory=list)
    frames_made: int = 0
    scene: str = "live"
    """"frozen": the last picture with new times; "black"; "torn": the lower part of every frame is an empty buffer; "spliced": the lower half
    of large frames is from elsewhere."""
    loop: Any = None
    """(size, number of the frame) -> a picture that may be drawn on, in the place of the test scene."""
    behind: float = 0.0
    """s by which the frames' own times lie in the past."""
    frozen_at: int = 0


class CompletedRequest:
    def __init__(self, camera: Picamera2, started: float) -> None:
        self._camera = camera
        self._started = started
        self._number = camera.world.frames_made
        self._controls = dict(camera.active)
        self.ref_count = 1

    def get_metadata(self) -> dict[str, Any]:
        auto = self._controls.get("AeEnable", True) or not self._controls.get("ExposureTime")
        exposure = 30_000 / self._camera.world.light if auto else self._controls["ExposureTime"]
        if auto and self._number < 25:  # still searching
            exposure *= 1 + (25 - self._number) * 0.05
        metadata: dict[str, Any] = {
            "ExposureTime": int(exposure),
            "AnalogueGain": 2.0 if auto else self._controls["AnalogueGain"],
            "ColourGains": (1.9, 1.6)
            if self._controls.get("AwbEnable", True)
            else self._controls["ColourGains"],
            "AeLocked": not auto or self._number >= 25,
        }
        if "LensPosition" in self._camera.world.controls:
            metadata["LensPosition"] = (
                2.5 if self._controls.get("AfMode") else self._controls.get("LensPosition", 1.0)
            )
            metadata["AfState"] = 2 if self._controls.get("AfMode") else 0
        if self._camera.world.stamps:
            metadata["SensorTimestamp"] = int(
                (self._started - self._camera.world.behind + metadata["ExposureTime"] / 1e6) * 1e9
            )
        return metadata

    def make_array(self, name: str) -> Any:
        config = self._camera.camera_config.get(name)
        if config is None:
            raise RuntimeError(f"Stream {name!r} is not defined")
        world = self._camera.world
        world.frozen_at = world.frozen_at if world.scene == "frozen" and world.frozen_at else self._number
        scene = (world.loop or scene_of)(config["size"], world.frozen_at)
        if world.scene == "black":
            scene[:] = 0
        elif world.scene == "torn":
            scene[scene.shape[0] * 2 // 3 :] = (0, 135, 0)  # what zeros look like as YUV
        elif world.scene == "spliced" and name == "main":
            half = scene.shape[0] // 2
            scene[half:] = scene[half:, ::-1] // 2
        if name == "main":
            return scene if config["format"] == "RGB888" else scene[..., ::-1]
        width, height = config["size"]
        stride = config["stride"]
        planar = cv2.cvtColor(scene, cv2.COLOR_BGR2YUV_I420).reshape(-1)
        padded = np.full((height * 3 // 2, stride), 255, np.uint8)
        padded[:height, :width] = planar[: width * height].reshape(height, width)
        chroma = padded[height:].reshape(height, stride // 2)
        chroma[:, : width // 2] = planar[width * height :].reshape(height, width // 2)
        return padded

    def release(self) -> None:
        self.ref_count -= 1
        if self.ref_count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._camera.world.released += 1
        self._camera.outstanding -= 1


def scene_of(size: tuple[int, int], number: int) -> Any:
    """A picture that tells left from right, top from bottom, blue from red, and one frame from the next."""
    width, height = size
    scene = np.zeros((height, width, 3), np.uint8)
    scene[:, :, 0] = np.linspace(40, 200, width, dtype=np.uint8)[None, :]
    scene[:, :, 2] = np.linspace(60, 180, height, dtype=np.uint8)[:, None]
    scene[:, :, 1] = 50 + number % 100
    return scene


class CameraManager:
    """It knows of the cameras that were there when it was made, until it is made anew or all of its cameras are closed."""

    def __init__(self) -> None:
        self.known: int | None = None

    def cameras(self) -> int:
        self.known = Picamera2.world.cameras if self.known is None else self.known
        return self.known

    def reset(self) -> None:
        self.known = None


class Picamera2:
    world: World
    _cm = CameraManager()

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [{"Model": "imx708", "Num": n} for n in range(Picamera2._cm.cameras())]

    def __init__(self, camera_num: int = 0) -> None:
        self.notifyme_r, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
        self.notifymeread = os.fdopen(self.notifyme_r, "rb")
        self.is_open = False
        self.global_camera_info()[camera_num]["Num"]
        try:
            if self.world.busy:
                raise RuntimeError("Failed to acquire camera: Device or resource busy")
        except RuntimeError as error:
            raise RuntimeError("Camera __init__ sequence did not complete.") from error
        self.world.opened += 1
        self.world.busy = True
        self.is_open = True
        self.started = False
        self.camera_config: dict[str, Any] = {}
        self.sensor_resolution = self.world.native
        # libcamera's own camera: for more roles than it has streams it gives no configuration.
        self.camera = types.SimpleNamespace(
            generate_configuration=lambda roles: (
                types.SimpleNamespace(size=len(roles)) if len(roles) <= self.world.streams else None
            )
        )
        self.active: dict[str, Any] = {}
        self._coming: list[tuple[int, dict[str, Any]]] = []
        self._jobs: list[str] = []
        self._waiting: CompletedRequest | None = None
        self._next = 0.0
        self.outstanding = 0

    @property
    def camera_controls(self) -> dict[str, Any]:
        return self.world.controls

    @property
    def sensor_modes(self) -> list[Any]:
        self.world.modes_listed += 1
        self.world.configures += 5
        return []

    def create_video_configuration(self, main: Any = {}, lores: Any = None, **options: Any) -> dict[str, Any]:  # noqa: B006
        def stream(defaults: dict[str, Any], updates: dict[str, Any]) -> dict[str, Any]:
            for key in updates:
                if key not in ("format", "size", "stride", "preserve_ar"):
                    raise ValueError(f"Bad key {key!r}: valid stream configuration keys are ...")
            made = defaults | updates
            made["size"] = (made["size"][0] - made["size"][0] % 2, made["size"][1] - made["size"][1] % 2)
            return made

        known = {
            "raw",
            "transform",
            "colour_space",
            "buffer_count",
            "controls",
            "display",
            "encode",
            "queue",
            "sensor",
        }
        assert set(options) <= known, options
        return {
            "main": stream({"format": "XBGR8888", "size": (1280, 720)}, main),
            "lores": None if lores is None else stream({"format": "YUV420", "size": (1280, 720)}, lores),
            "raw": {},
            "queue": True,
            "buffer_count": 6,
            "controls": {},
        } | options

    def configure(self, config: dict[str, Any]) -> None:
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        self.world.configures += 1
        self.world.configs.append(config)
        if self.world.configures > self.world.memory:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        if config["lores"] is not None and config["lores"]["size"] > config["main"]["size"]:
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        assert config["main"]["format"] == "RGB888", "this double only makes BGR bytes"
        assert config["lores"] is None or self.world.streams > 1, (
            "picamera2 reaches past libcamera's list and aborts"
        )
        config["main"]["format"] = self.world.format
        config["main"]["stride"] = config["main"]["size"][0] * 3
        if config["lores"] is not None:
            config["lores"]["stride"] = (config["lores"]["size"][0] // 128 + 1) * 128
        self.camera_config = config
        self.set_controls(config["controls"])

    def stream_configuration(self, name: str = "main") -> dict[str, Any]:
        return self.camera_config[name]  # type: ignore[no-any-return]

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        if not self.camera_config:
            raise RuntimeError("Camera has not been configured")
        if self.world.fail_start is not None:
            raise self.world.fail_start
        self.started = True
        self.active = {key: value for _, controls in self._coming for key, value in controls.items()}
        self._coming = []
        self._next = self.world.clock.monotonic() + FRAME

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.world.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self._coming.append((self.world.frames_made + 6, dict(controls)))

    def capture_request(
        self, wait: Any = None, signal_function: Any = None, flush: Any = None
    ) -> CompletedRequest:
        assert wait is not None, "without a limit this never returns when the sensor stalls"
        assert self.started
        self._run()
        if self._waiting is not None:
            request, self._waiting = self._waiting, None
            return request
        if (
            self.world.stalled
            or self.outstanding >= self.camera_config["buffer_count"]
            or self._next_in() > wait
        ):
            self._jobs.append("capture")
            self.world.clock.sleep(wait)
            raise concurrent.futures.TimeoutError()
        self.world.clock.sleep(max(0.0, self._next_in()))
        self._run()
        assert self._waiting is not None
        request, self._waiting = self._waiting, None
        return request

    def cancel_all_and_flush(self) -> None:
        jobs, self._jobs = self._jobs, []
        if jobs and self.world.cancel_fails:  # a job that had just got its result
            raise concurrent.futures.InvalidStateError("FINISHED")

    def close(self) -> None:
        if not self.is_open:
            return
        if self._jobs or self.world.hang_on_close:
            threading.Event().wait()  # for ever, as the real one does behind a job that cannot finish
        self.is_open = self.started = False
        self.world.closed += 1
        self.world.busy = False
        Picamera2._cm.reset()
        self.notifymeread.close()
        os.close(self.notifyme_w)

    def _next_in(self) -> float:
        return self._next - self.world.clock.monotonic()

    def _run(self) -> None:
        """Let the sensor make the frames that are due by now; the last one stays waiting."""
        now = self.world.clock.monotonic()
        while (
            not self.world.stalled
            and self._next <= now + 1e-9
            and self.outstanding < self.camera_config["buffer_count"]
        ):
            if self._waiting is not None:
                self._waiting.release()
            self.world.frames_made += 1
            for due, controls in list(self._coming):
                if due <= self.world.frames_made:
                    self.active |= controls
                    self._coming.remove((due, controls))
            self.outstanding += 1
            self._waiting = CompletedRequest(self, self._next - FRAME)
            self._next += FRAME


def install(monkeypatch: pytest.MonkeyPatch, clock: SimulatedClock) -> World:
    """Put the double where ``import picamera2`` finds it."""
    module = types.ModuleType("picamera2")
    Picamera2._cm = CameraManager()
    Picamera2.world = World(clock)
    module.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    libcamera = types.ModuleType("libcamera")
    libcamera.StreamRole = types.SimpleNamespace(Viewfinder="Viewfinder")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return Picamera2.world
