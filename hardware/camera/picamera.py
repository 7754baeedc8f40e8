"""The Raspberry Pi's camera through picamera2; the only module that imports it.

How picamera2 behaves, and what is done about it:
- A request holds a main and a small stream of the same exposure. It is configured once: every configure allocates anew, and the contiguous memory runs out.
- ``capture_request`` may hand out a frame that waited since before the call; only ``SensorTimestamp`` tells (monotonic ns, the readout of the
  first row, so the exposure began ``ExposureTime`` earlier).
- When the sensor stalls nothing is raised, calls just never return: every wait has a limit, and pending jobs are flushed before closing, else closing waits behind them.
- A constructor that fails (no camera, in use) leaves a pipe open; it is closed here, for the service tries again all evening.
- A camera that has one stream only (USB, and the kernel's simulated one) must not be asked for two: picamera2 fails for want
  of a configuration. It is asked how many it has; the small picture is then the large one, shrunk.
- libcamera hears of a camera that comes back from udev alone, which a service in a network namespace of its own cannot hear; so where none is found
  picamera2's manager is made anew, which looks for itself.
- libcamera may answer with another format than was asked for, and calls that "adjusted".
- ``sensor_modes`` configures the camera once per mode and is never asked; half the sensor's resolution is a mode of every official module, with the whole field of view.
"""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, TypeVar

import numpy as np

from hardware.camera.frame import CameraError, Exposure, Frame, MeasuredExposure, Picture
from hardware.clock import Clock, SystemClock

_log = logging.getLogger(__name__)
T = TypeVar("T")

PREVIEW_WIDTH = 384  # px; height follows the large stream
FRAMES_PER_SECOND = 15
SLOWEST = 5  # frames/s in dim light: exposures up to 0.2 s
BUFFERS = 4  # per stream; picamera2's own six of 2304 x 1296 do not fit into a small Pi's contiguous memory beside others
PATIENCE = 3.0  # s without a frame until the camera counts as stalled; libcamera itself gives up after 1 s
OLDEST = 0.5  # s; a preview frame older than this waited in the queue
_MEASURE = 6.0  # s for exposure, white balance and focus to settle
_STEADY_FRAMES = 4
_LATENCY = BUFFERS + 4  # frames until new controls show: those already queued, and the sensor's own delay
BLUE_FIRST, RED_FIRST = "RGB888", "BGR888"  # libcamera's names for bytes in the order B, G, R and R, G, B

NO_SOFTWARE = "no camera software:\nsee installation"
NO_CAMERA = "no camera:\ncheck the ribbon"
IN_USE = "camera is used by\nanother program"
NO_MEMORY = "camera memory full:\nswitch off and on"
STALLED = "camera stopped:\ncheck the ribbon"
STUCK = "camera is stuck:\nswitch off and on"
BROKEN = "camera fault:\nswitch off and on"
UNFIT = "camera does not fit:\nuse a Pi camera"


class PicameraCamera:
    """``size``: (width, height) px of the large stream. ``exposure``: from the calibration; None: the camera chooses.

    Raises CameraError if the camera cannot be opened; later calls that find it closed try to open it again.
    """

    def __init__(
        self,
        size: tuple[int, int] = (2304, 1296),
        exposure: Exposure | None = None,
        number: int = 0,
        clock: Clock | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._asked_size = self._size = size
        self._small = PREVIEW_WIDTH, preview_height(size)
        self._one_stream = self._red_first = False
        self._hung = False
        self._exposure = exposure
        self._number = number
        self._clock = clock if clock is not None else SystemClock()
        self._patience = patience
        self._camera: Any = None
        self._open()

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def preview(self) -> Frame:
        """The newest frame of the small stream, BGR, ``PREVIEW_WIDTH`` px wide."""
        not_before = self._clock.monotonic() - OLDEST
        if not self._one_stream:
            return self._frame("lores", not_before)
        import cv2

        frame = self._frame("main", not_before)
        small = cv2.resize(frame.picture, self._small, interpolation=cv2.INTER_AREA)
        return Frame(np.asarray(small, np.uint8), frame.at)

    def capture(self, not_before: float) -> Frame:
        """A frame of the large stream whose exposure began at or after ``not_before`` (monotonic s)."""
        return self._frame("main", not_before)

    def set_exposure(self, exposure: Exposure | None) -> None:
        """Hold the camera at ``exposure`` (kept through re-opening), or let it choose (None). It takes some frames to take effect."""
        self._exposure = exposure
        camera = self._camera
        if camera is not None:
            self._guarded(camera.set_controls, _advertised(camera, controls_for(exposure)))

    def measure_exposure(self) -> MeasuredExposure:
        """Let the camera find exposure, white and focus by itself, then hold what it found. Takes up to 6 s.

        Raises CameraError. What had not settled by then is held as it was then: the caller's picture check has the last word.
        """
        self.set_exposure(None)
        until = self._clock.monotonic() + _MEASURE
        found: list[MeasuredExposure] = []
        while not found or self._clock.monotonic() < until:
            oldest = self._clock.monotonic() - OLDEST
            metadata, _ = self._request(oldest, lambda request: dict(request.get_metadata()))
            found.append(_measured(metadata))
            if (
                len(found) >= _LATENCY + _STEADY_FRAMES
                and _settled(metadata)
                and _alike(found[-_STEADY_FRAMES:])
            ):
                break
        self.set_exposure(found[-1])
        return found[-1]

    def close(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            self._close(camera)

    def _frame(self, stream: str, not_before: float) -> Frame:
        def picture(request: Any) -> Picture:
            array = request.make_array(stream)
            if stream == "main":
                return np.ascontiguousarray(
                    array[..., 2::-1] if self._red_first else array[..., :3], np.uint8
                )
            return from_yuv420(array, self._small)

        made, at = self._request(not_before, picture)
        return Frame(made, at)

    def _request(self, not_before: float, use: Callable[[Any], T]) -> tuple[T, float]:
        """``use`` of the first request exposed at or after ``not_before``, and when it was exposed."""
        if self._camera is None:
            self._open()
        camera = self._camera
        until = max(self._clock.monotonic(), not_before) + self._patience
        while True:
            left = until - self._clock.monotonic()
            if left <= 0:
                self.close()
                raise CameraError(f"no new frame from the camera in {self._patience} s", STALLED)
            request = self._guarded(camera.capture_request, left)
            try:
                at = self._exposed(self._guarded(request.get_metadata))
                if at >= not_before:
                    return self._guarded(use, request), at
            finally:
                if self._camera is not None:  # a closed camera has taken its requests with it
                    request.release()

    def _exposed(self, metadata: Mapping[str, Any]) -> float:
        stamp = metadata.get("SensorTimestamp")
        if stamp is None:  # not from a Pi's own camera; a frame that waited is at most two frames old
            return self._clock.monotonic() - 3 / FRAMES_PER_SECOND
        return float(stamp) / 1e9 - float(metadata.get("ExposureTime", 0)) / 1e6

    def _guarded(self, call: Callable[..., T], *arguments: object) -> T:
        """``call(*arguments)``; what picamera2 raises becomes a CameraError, and the camera is closed then."""
        try:
            return call(*arguments)
        except CameraError:
            raise
        except Exception as error:  # picamera2 raises whatever its layers do
            self.close()
            raise _explained(error) from error

    def _open(self) -> None:
        try:
            from picamera2 import Picamera2
        except Exception as error:  # also ValueError: NumPy of another build than picamera2 was made for
            raise CameraError(
                f"picamera2 cannot be loaded ({error}); on a Raspberry Pi: sudo apt install python3-picamera2, and Thoth's "
                "environment must see the system's packages",
                NO_SOFTWARE,
            ) from error
        if self._guarded(_present, Picamera2, self._number) <= self._number:
            raise CameraError(f"libcamera finds no camera {self._number}", NO_CAMERA)
        camera = Picamera2.__new__(Picamera2)
        try:
            camera.__init__(self._number)
        except Exception as error:
            _drop_pipe(camera)
            explained = _explained(error)
            if self._hung and explained.advice == IN_USE:  # it is ourselves who hold it
                explained.advice = STUCK
            raise explained from error
        try:
            self._configure(camera)
            camera.start(show_preview=False)
        except Exception as error:
            self._close(camera)
            if isinstance(error, CameraError):
                raise
            raise _explained(error) from error
        self._camera = camera

    def _configure(self, camera: Any) -> None:
        width, height = self._asked_size
        self._one_stream = _streams(camera) < 2
        small = {"size": (PREVIEW_WIDTH, preview_height(self._asked_size)), "format": "YUV420"}
        native = camera.sensor_resolution
        half = (native[0] // 2, native[1] // 2)
        config = camera.create_video_configuration(
            main={
                "size": self._asked_size,
                "format": BLUE_FIRST,
            },
            lores=None if self._one_stream else small,
            raw=None,
            sensor={"output_size": half if width <= half[0] and height <= half[1] else native},
            buffer_count=BUFFERS,
            display=None,
            encode=None,
            controls=_advertised(
                camera,
                {
                    "FrameDurationLimits": (1_000_000 // FRAMES_PER_SECOND, 1_000_000 // SLOWEST),
                    **controls_for(self._exposure),
                },
            ),
        )
        camera.configure(config)
        main = camera.stream_configuration("main")
        if main["format"] not in (BLUE_FIRST, RED_FIRST):
            raise CameraError(f"the camera gives {main['format']}, not {BLUE_FIRST} or {RED_FIRST}", UNFIT)
        self._red_first = main["format"] == RED_FIRST
        self._size = tuple(main["size"])
        if self._one_stream:
            self._small = PREVIEW_WIDTH, preview_height(self._size)
        else:
            self._small = tuple(camera.stream_configuration("lores")["size"])

    def _close(self, camera: Any) -> None:
        """Close ``camera``, waiting no longer than for a frame: after a stall picamera2 can hang in there."""

        def close() -> None:
            for step in (camera.cancel_all_and_flush, camera.close):
                try:
                    step()
                except Exception as error:  # noqa: BLE001 - it is given up anyway, whatever picamera2 raises
                    _log.warning("closing the camera: %s", error)

        thread = threading.Thread(target=close, name="camera-close", daemon=True)
        thread.start()
        thread.join(self._patience)
        if thread.is_alive():
            self._hung = True
            _log.error("closing the camera hangs; only a restart of the service or the Pi helps")


def controls_for(exposure: Exposure | None) -> dict[str, Any]:
    """libcamera's controls for ``exposure``: what it names is held, what it leaves None the camera chooses (0 = automatic)."""
    us = exposure.exposure_us if exposure is not None else None
    gain = exposure.gain if exposure is not None else None
    colours = exposure.colour_gains if exposure is not None else None
    lens = exposure.lens_position if exposure is not None else None
    controls: dict[str, Any] = {
        "AeEnable": us is None or gain is None,
        "ExposureTime": us or 0,
        "AnalogueGain": gain or 0.0,
        "AwbEnable": colours is None,
        "AfMode": 2 if lens is None else 0,  # libcamera AfModeEnum: Continuous, Manual
    }
    if colours is not None:
        controls["ColourGains"] = colours
    if lens is not None:
        controls["LensPosition"] = lens
    return controls


def preview_height(size: tuple[int, int]) -> int:
    """Height of the small stream for a large one of ``size``: same shape, even."""
    return round(PREVIEW_WIDTH * size[1] / size[0] / 2) * 2


def from_yuv420(array: Picture, size: tuple[int, int]) -> Picture:
    """A planar YUV420 picture as picamera2 hands it out, (3/2 height, stride), as BGR (height, width, 3).

    The stride may be wider than the picture: rows are padded for the hardware, those of the chroma planes by half as much. The
    conversion takes whole rows and the padding is cut off afterwards. Raises ValueError if the array is too small for ``size``.
    """
    import cv2

    width, height = size
    if array.ndim != 2 or array.shape[0] != height * 3 // 2 or array.shape[1] < width:
        raise ValueError(f"a YUV420 array of shape {array.shape} is no picture of {width} x {height}")
    whole = cv2.cvtColor(array, cv2.COLOR_YUV2BGR_I420)
    return np.ascontiguousarray(whole[:height, :width], np.uint8)


def _streams(camera: Any) -> int:
    """How many streams of one exposure the camera has: 2, or 1 where it has no second one."""
    from libcamera import StreamRole

    # libcamera gives nothing for more roles than there are streams, or a list that is shorter.
    found = camera.camera.generate_configuration([StreamRole.Viewfinder] * 2)
    return 1 if found is None else int(found.size)


def _present(picamera2: Any, number: int) -> int:
    """How many cameras there are; looked for anew where number ``number`` is not among those known."""
    known = len(picamera2.global_camera_info())
    look_anew = getattr(getattr(picamera2, "_cm", None), "reset", None)
    if known > number or look_anew is None:
        return known
    look_anew()
    return len(picamera2.global_camera_info())


def _advertised(camera: Any, controls: Mapping[str, Any]) -> dict[str, Any]:
    """Only the controls that this module has (fixed focus has no AfMode; picamera2 raises for it)."""
    known = camera.camera_controls
    return {name: value for name, value in controls.items() if name in known}


def _measured(metadata: Mapping[str, Any]) -> MeasuredExposure:
    gains = metadata.get("ColourGains")
    return MeasuredExposure(
        int(metadata["ExposureTime"]) if "ExposureTime" in metadata else None,
        float(metadata["AnalogueGain"]) if "AnalogueGain" in metadata else None,
        (float(gains[0]), float(gains[1])) if gains is not None else None,
        float(metadata["LensPosition"]) if "LensPosition" in metadata else None,
    )


def _settled(metadata: Mapping[str, Any]) -> bool:
    """Whether libcamera says that exposure (AeState 2, formerly AeLocked) and focus (AfState 2) are found; silence counts as yes."""
    exposed = metadata.get("AeState", 2) == 2 and metadata.get("AeLocked", True)
    return bool(exposed) and metadata.get("AfState", 2) in (0, 2)


def _alike(found: list[MeasuredExposure]) -> bool:
    """Whether brightness, white and focus stayed within 2 % of each other."""

    def steady(values: list[float | None]) -> bool:
        known = [value for value in values if value is not None]
        return not known or max(known) - min(known) <= 0.02 * max(abs(max(known)), 1e-6)

    light = [
        one.exposure_us * one.gain if one.exposure_us is not None and one.gain is not None else None
        for one in found
    ]
    red = [one.colour_gains[0] if one.colour_gains is not None else None for one in found]
    blue = [one.colour_gains[1] if one.colour_gains is not None else None for one in found]
    return all(steady(values) for values in (light, red, blue, [one.lens_position for one in found]))


def _drop_pipe(camera: Any) -> None:
    """Close the pipe that a constructor opened before it failed."""
    reader = getattr(camera, "notifymeread", None)
    if reader is not None:
        with contextlib.suppress(OSError):
            reader.close()
    writer = getattr(camera, "notifyme_w", None)
    if isinstance(writer, int):
        with contextlib.suppress(OSError):
            os.close(writer)


def _explained(error: BaseException) -> CameraError:
    """The CameraError for what picamera2 raised, by the whole chain of causes."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    text = "; ".join(str(one) or type(one).__name__ for one in chain)
    lower = text.lower()
    if (
        any(isinstance(one, (FutureTimeout, TimeoutError, CancelledError)) for one in chain)
        or "timed out" in lower
    ):
        return CameraError(f"the camera sends no frames ({text})", STALLED)
    if any(isinstance(one, IndexError) for one in chain) or "not found" in lower or "no cameras" in lower:
        return CameraError(f"libcamera finds no camera ({text})", NO_CAMERA)
    if "acquire" in lower or "busy" in lower or "in use" in lower:
        return CameraError(f"another program holds the camera ({text})", IN_USE)
    if "cannot allocate memory" in lower or any(isinstance(one, MemoryError) for one in chain):
        return CameraError(f"no contiguous memory for the camera ({text})", NO_MEMORY)
    return CameraError(f"the camera failed ({text})", BROKEN)
