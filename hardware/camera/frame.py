"""A frame, and what every camera offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture, (height, width, 3) uint8 in BGR order, and the monotonic time in seconds at which it was exposed."""

    picture: Picture
    at: float


class CameraError(Exception):
    """The camera gives no picture. ``advice`` is for a player ("no camera: check the ribbon"), at most two lines of 21 characters."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


class Exposure(Protocol):
    """How bright, which white and how near: what a calibration stores and a camera can be set to. None: leave it to the camera."""

    @property
    def exposure_us(self) -> int | None: ...
    @property
    def gain(self) -> float | None: ...
    @property
    def colour_gains(self) -> tuple[float, float] | None:
        """(red, blue)."""
        ...

    @property
    def lens_position(self) -> float | None:
        """Dioptres (1 / distance in m); None on modules with fixed focus."""
        ...


@dataclass(frozen=True, slots=True)
class MeasuredExposure:
    """What a camera measured by itself, to be stored and set again."""

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    lens_position: float | None = None


class Camera(Protocol):
    """Two streams of one camera: a small one to watch, a large one to read.

    ``preview`` gives the newest small frame (about 384 wide, same field of view), ``capture`` a large one that was exposed at or
    after ``not_before`` (monotonic seconds). Both raise CameraError and may be called again after it.
    """

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the large stream in px."""
        ...

    def preview(self) -> Frame: ...
    def capture(self, not_before: float) -> Frame: ...
    def close(self) -> None: ...
