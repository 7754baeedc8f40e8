"""A camera that is not believed blindly: frames that are frozen, black, torn or old never reach whoever reads the table.

A driver can only say what the kernel tells it. A sensor that has stopped may go on delivering its last picture with new times, a loose
ribbon delivers bands of nothing, a buffer may be handed out half written. None of that raises anything; all of it can be seen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hardware.camera.frame import CameraError, Frame, MeasuredExposure, Picture
from hardware.clock import Clock

FROZEN = "camera is frozen:\nwait, or off and on"
BLACK = "All black: light on?\nLens uncovered?"
TORN = "camera picture torn:\ncheck the ribbon"
STALE = "camera is too slow:\nwait, or off and on"
ADVICE = (FROZEN, BLACK, TORN, STALE)

BLACK_LEVEL = 2
"""Grey value that nothing exceeds in a black frame; the noise of a sensor in a dark room does."""
BLACK_FOR = 3.0  # s; a hand over the lens is no fault
BAND = 1 / 16
"""Part of the height; that many rows of one single colour side to side are no picture of anything."""
TRIES = 3
"""Frames in a row that may be torn until it is told: one is just left out."""
_OLDEST = 2.0  # s; a small frame older than this is told, the driver skips those that merely waited
_GRID = (16, 9)
_UNLIKE = 0.45
"""Part of a picture's contrast that a large frame may differ by from the small one, averaged over blocks; noise and
another tone stay below 0.1, half a picture from elsewhere is above 0.6."""
_FLAT = 4.0  # grey values; with less contrast between its blocks a picture says nothing about another
_MOVED = 3.0  # grey values; blocks of two small frames that differ by more have seen something move


class MeasuringCamera(Protocol):
    """A camera with an exposure of its own, as ``PicameraCamera``."""

    @property
    def size(self) -> tuple[int, int]: ...
    def preview(self) -> Frame: ...
    def capture(self, not_before: float) -> Frame: ...
    def measure_exposure(self) -> MeasuredExposure: ...
    def close(self) -> None: ...


@dataclass(slots=True)
class Memory:
    """What is remembered when a camera is opened anew, so that the same fault is not forgiven each time."""

    picture: Picture | None = None
    """The last small frame."""
    since: float = 0.0
    """Since when it has been exactly the same one (monotonic s)."""
    lit: float | None = None
    """When a frame was last not black; None: never yet."""


class WatchfulCamera:
    """``camera`` with every frame looked at. ``frozen_after``: s of exactly equal small frames until they count as frozen (0: never;
    a sensor's noise makes every frame differ, a picture from a file does not)."""

    def __init__(
        self, camera: MeasuringCamera, clock: Clock, frozen_after: float = 10.0, memory: Memory | None = None
    ) -> None:
        self._camera = camera
        self._clock = clock
        self._frozen_after = frozen_after
        self._memory = memory if memory is not None else Memory()
        self._small: Picture | None = None  # the last small frame

    @property
    def size(self) -> tuple[int, int]:
        return self._camera.size

    def preview(self) -> Frame:
        frame = self._whole(self._camera.preview)
        now = self._clock.monotonic()
        if now - frame.at > _OLDEST:
            raise CameraError(f"the newest small frame is {now - frame.at:.1f} s old", STALE)
        self._mind(frame.picture, now)
        self._small = frame.picture
        return frame

    def capture(self, not_before: float) -> Frame:
        for _ in range(TRIES):
            frame = self._whole(functools.partial(self._camera.capture, not_before))
            if frame.at < not_before:
                raise CameraError(
                    f"a frame is {not_before - frame.at:.2f} s older than it was asked for", STALE
                )
            before = blocks(self._small) if self._small is not None else None
            if before is None or alike(blocks(frame.picture), before):
                return frame
            # Something may have moved in between: then the small stream shows it too, and the frame is right.
            now = blocks(self.preview().picture)
            if np.abs(now - before).max() > _MOVED:
                return frame
            not_before = max(not_before, frame.at + 1e-3)
        raise CameraError("large frames do not show what the small ones show", TORN)

    def measure_exposure(self) -> MeasuredExposure:
        return self._camera.measure_exposure()

    def close(self) -> None:
        self._camera.close()

    def _whole(self, take: Callable[[], Frame]) -> Frame:
        """The next frame that is not torn. Raises CameraError when there is none for a while."""
        for _ in range(TRIES):
            frame = take()
            if not torn(frame.picture):
                return frame
        raise CameraError(f"{TRIES} frames in a row hold a band of a single colour", TORN)

    def _mind(self, picture: Picture, now: float) -> None:
        """Raises CameraError for a picture that has been black, or exactly the same, for too long."""
        memory = self._memory
        if int(picture.max()) > BLACK_LEVEL:
            memory.lit = now
        elif memory.lit is None or now - memory.lit >= BLACK_FOR:
            raise CameraError("frames are entirely black", BLACK)
        if memory.picture is None or not np.array_equal(memory.picture, picture):
            memory.picture, memory.since = picture, now
        elif 0 < self._frozen_after <= now - memory.since:
            raise CameraError(f"the same frame for {now - memory.since:.0f} s", FROZEN)


def torn(picture: Picture) -> bool:
    """Whether a band of rows of (height, width, 3) uint8, a sixteenth of the height or more, has one single colour, white excepted
    (a lamp's glare is white), while the rest has not."""
    rows = picture[:: max(1, picture.shape[0] // 64)]
    first = rows[:, :1]
    if not (rows[:, ::16] == first).all(axis=(1, 2)).any():
        return False  # nearly always: no row is even nearly of one colour
    flat = (rows == first).all(axis=(1, 2)) & (first < 255).any(axis=(1, 2))
    if not flat.any() or flat.all():
        return False
    same = np.concatenate(([False], (first[1:] == first[:-1]).all(axis=(1, 2)))) & flat
    longest = run = 0
    for one, joined in zip(flat, same, strict=True):
        run = 0 if not one else run + 1 if joined and run else 1
        longest = max(longest, run)
    return longest >= max(3, round(BAND * len(rows)))


def blocks(picture: Picture) -> Picture:
    """The mean grey value of 16 x 9 blocks, (9, 16) float32."""
    import cv2

    small = cv2.resize(picture, _GRID, interpolation=cv2.INTER_AREA)
    return np.asarray(small.astype(np.float32).mean(axis=2))


def alike(large: Picture, small: Picture) -> bool:
    """Whether two grids of blocks show the same, up to brightness and contrast."""
    wanted = small - small.mean()
    spread = float(np.sqrt(np.mean(wanted**2)))
    if spread < _FLAT:
        return True
    found = large - large.mean()
    scale = float((found * wanted).sum()) / max(float((found**2).sum()), 1e-6)
    return float(np.sqrt(np.mean((scale * found - wanted) ** 2))) <= _UNLIKE * spread
