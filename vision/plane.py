"""Looking at one plane of the table straight from above: undistorted and rectified in one step, only where needed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import Calibration

Picture = NDArray[np.uint8]
_STEP = 16
"""The way through lens and perspective is computed at every 16th pixel and interpolated: both are smooth."""


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of the plane z = ``height`` above the mat: centre (mm), size (mm), turn (degrees clockwise), px per mm."""

    x: float
    y: float
    width: float
    height: float
    z: float = 0.0
    turn: float = 0.0
    scale: float = 2.0

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of its picture in px."""
        return max(1, round(self.width * self.scale)), max(1, round(self.height * self.scale))

    def to_mm(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels of the window's picture (N, 2) to mm on the mat (N, 2)."""
        columns, rows = self.size
        local = (points - np.array([(columns - 1) / 2, (rows - 1) / 2])) / self.scale
        cos, sin = np.cos(np.radians(self.turn)), np.sin(np.radians(self.turn))
        return np.asarray(local @ np.array([[cos, sin], [-sin, cos]]) + np.array([self.x, self.y]))


def maps(
    window: Window, calibration: Calibration, size: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """For every pixel of the window its place in a picture of ``size`` (width, height): two (rows, columns) float32 maps."""
    columns, rows = window.size
    across, down = (columns - 1) // _STEP + 2, (rows - 1) // _STEP + 2
    x, y = np.meshgrid(np.arange(across) * float(_STEP), np.arange(down) * float(_STEP))
    flat = window.to_mm(np.column_stack([x.ravel(), y.ravel()]))
    points = np.column_stack([flat, np.full(len(flat), window.z)])
    nodes = calibration.project(points, size).reshape(down, across, 2).astype(np.float32)
    fine = cv2.warpAffine(
        nodes,
        np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]]),
        (columns, rows),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.ascontiguousarray(fine[..., 0]), np.ascontiguousarray(fine[..., 1])


@dataclass(frozen=True, slots=True, eq=False)
class Sampling:
    """How a window is seen in pictures of one size by one camera: the ``part`` (rows, columns) of the picture that shows it (None: none
    does), how much smaller that is made first, and the place of each pixel of the window in it, px."""

    part: tuple[slice, slice] | None
    factor: float
    x: NDArray[np.float32]
    y: NDArray[np.float32]

    @classmethod
    def of(cls, window: Window, calibration: Calibration, size: tuple[int, int]) -> Sampling:
        """``size``: (width, height) px of the pictures."""
        x, y = maps(window, calibration, size)
        left, top = max(0, int(np.floor(x.min())) - 2), max(0, int(np.floor(y.min())) - 2)
        right, bottom = min(size[0], int(np.ceil(x.max())) + 3), min(size[1], int(np.ceil(y.max())) + 3)
        if right <= left or bottom <= top:
            return cls(None, 1.0, x, y)
        # Several pixels of the picture under one of the window: average them first, or fine lines flicker.
        density = float(np.hypot(x[0, -1] - x[0, 0], y[0, -1] - y[0, 0])) / max(1, x.shape[1] - 1)
        factor = 1 / density if density > 1.6 else 1.0
        x -= left
        y -= top
        if factor < 1:
            wide, high = right - left, bottom - top
            x = (x + np.float32(0.5)) * np.float32(round(wide * factor) / wide) - np.float32(0.5)
            y = (y + np.float32(0.5)) * np.float32(round(high * factor) / high) - np.float32(0.5)
        return cls((slice(top, bottom), slice(left, right)), factor, x, y)

    def seen(self, picture: Picture) -> Picture:
        """The window in a picture, (rows, columns[, 3]) uint8; black where the picture does not reach."""
        if self.part is None:
            return np.zeros((*self.x.shape, *picture.shape[2:]), np.uint8)
        part = picture[self.part]
        if self.factor < 1:
            part = np.asarray(
                cv2.resize(part, None, fx=self.factor, fy=self.factor, interpolation=cv2.INTER_AREA), np.uint8
            )
        return np.asarray(
            cv2.remap(part, self.x, self.y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8
        )


def rectify(picture: Picture, window: Window, calibration: Calibration) -> Picture:
    """The window as seen from straight above, (rows, columns[, 3]) uint8; black where the picture does not reach."""
    return Sampling.of(window, calibration, (picture.shape[1], picture.shape[0])).seen(picture)


class Samplings:
    """Windows that are looked at in every picture: how they are seen is worked out anew only when lens, pose or pictures are others."""

    def __init__(self) -> None:
        self._known: dict[Window, Sampling] = {}
        self._holds_for: object = None

    def rectify(self, picture: Picture, window: Window, calibration: Calibration) -> Picture:
        """As the function of this name."""
        size = (picture.shape[1], picture.shape[0])
        holds_for = calibration.lens, calibration.pose, size
        if holds_for != self._holds_for:
            self._known, self._holds_for = {}, holds_for
        if window not in self._known:
            self._known[window] = Sampling.of(window, calibration, size)
        return self._known[window].seen(picture)


def shrunk(picture: Picture, longest: int) -> Picture:
    """The picture with its long side no longer than ``longest`` px."""
    scale = longest / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return resized(picture, max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))


def resized(picture: Picture, width: int, height: int) -> Picture:
    """The picture at another size in px."""
    if picture.shape[1::-1] == (width, height):
        return picture
    smaller = cv2.INTER_AREA if picture.shape[1] > width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, (width, height), interpolation=smaller), np.uint8)
