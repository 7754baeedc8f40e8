"""A part of the mat as the cards' reader looks at it: rectified once, kept at three scales, with what is already accounted for."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.area import Area
from vision.calibration import Calibration
from vision.cards.bank import FINE, MIDDLE, ROUGH, SCALES, Sheet
from vision.changes import features
from vision.compare import Array
from vision.plane import Picture, Window, rectify

Pose = NDArray[np.float64]
"""Where a card lies: x, y (mm on the mat), turn (radians clockwise), how large it looks (1: as its kind says)."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """``left``, ``top`` (mm); ``features`` by scale, (H, W, 3) float32; ``free`` by scale, (H, W) uint8: 255 where nothing that is
    known lies on top, 0 where something does. ``free`` changes while the view is read, nothing else does."""

    left: float
    top: float
    features: dict[float, Array]
    free: dict[float, Picture]

    @classmethod
    def of(cls, picture: Picture, calibration: Calibration, area: Area, z: float) -> View:
        """The area of the mat, in the plane ``z`` mm above it. What the picture does not show is not free."""
        width, height = 2 * np.ceil((area.right - area.left) / 2), 2 * np.ceil((area.bottom - area.top) / 2)
        window = Window(area.left + width / 2, area.top + height / 2, width, height, z, 0.0, FINE)
        view = rectify(picture, window, calibration)
        fine = features(view)
        seen = np.where(view.any(axis=2), np.uint8(255), np.uint8(0))
        found, free = {FINE: fine}, {FINE: seen}
        for scale in (MIDDLE, ROUGH):
            size = round(width * scale), round(height * scale)
            found[scale] = np.asarray(cv2.resize(fine, size, interpolation=cv2.INTER_AREA), np.float32)
            free[scale] = np.asarray(cv2.resize(seen, size, interpolation=cv2.INTER_NEAREST), np.uint8)
        return cls(area.left, area.top, found, free)

    def px(self, points: NDArray[np.floating], scale: float) -> NDArray[np.float64]:
        """Points (n, 2) in mm as pixels of one scale."""
        return np.asarray((points - (self.left, self.top)) * scale - 0.5, np.float64)

    def take(self, outline: NDArray[np.float64]) -> None:
        """What lies below this outline (n, 2) mm cannot be seen."""
        for scale in SCALES:
            corners = np.round(self.px(outline, scale) * 16).astype(np.int32)
            cv2.fillConvexPoly(self.free[scale], corners, (0,), cv2.LINE_8, 4)

    def at(self, pose: Pose, sheet: Sheet) -> tuple[Array, Array]:
        """What is seen where a card lies: features (D, 3), and which of its points can be seen (D,) 0 or 1."""
        cos, sin = np.cos(pose[2]) * pose[3], np.sin(pose[2]) * pose[3]
        u, v, scale = sheet.across, sheet.down[:, None], sheet.scale
        xs = (((pose[0] - self.left + cos * u) - sin * v) * scale - 0.5).astype(np.float32)
        ys = (((pose[1] - self.top + sin * u) + cos * v) * scale - 0.5).astype(np.float32)
        seen = cv2.remap(
            self.features[scale], xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ).reshape(-1, 3)
        free = cv2.remap(self.free[scale], xs, ys, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
        return np.asarray(seen, np.float32), (free.ravel() > 0).astype(np.float32)
