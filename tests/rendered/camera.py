"""A pinhole over a table: from mm on the table (x right, y down as seen from above, height up) to px."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """``matrix`` (3, 4) takes (x, y, height, 1) mm to homogeneous px; the middle of the first pixel is (0, 0)."""

    matrix: Points
    size: tuple[int, int]

    def project(self, points: Points) -> Points:
        """(n, 3) mm to (n, 2) px."""
        seen = np.concatenate([points, np.ones((len(points), 1))], 1) @ self.matrix.T
        result: Points = seen[:, :2] / seen[:, 2:]
        return result

    def flat(self, points: Points, height: float = 0.0) -> Points:
        """(n, 2) mm at one height to (n, 2) px."""
        return self.project(np.concatenate([points, np.full((len(points), 1), height)], 1))

    def plane(self, height: float = 0.0) -> Points:
        """(3, 3): mm in the plane at that height to px."""
        m = self.matrix
        result: Points = np.stack([m[:, 0], m[:, 1], m[:, 3] + height * m[:, 2]], 1)
        return result

    def scale(self, at: Points) -> float:
        """About how many px a mm has at a place (2,) mm."""
        around = self.flat(at + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return math.sqrt(abs(float(np.linalg.det(around[1:] - around[0]))))


def looking(
    size: tuple[int, int],
    focal: float,
    at: Points,
    distance: float,
    slant: float,
    azimuth: float,
    roll: float,
) -> Camera:
    """A camera that looks at a place (2,) mm from a distance (mm); ``slant`` 0 is straight from above, angles in degrees, ``focal`` in
    long sides of the picture."""
    s, a, r = (math.radians(angle) for angle in (slant, azimuth, roll))
    # Depth below the table counts as positive here, so that the axes are right-handed.
    back = np.array([math.sin(s) * math.cos(a), math.sin(s) * math.sin(a), -math.cos(s)])
    forward = -back
    level = np.array([-math.sin(a), math.cos(a), 0.0])
    down = np.cross(forward, level)
    right, low = level * math.cos(r) + down * math.sin(r), -level * math.sin(r) + down * math.cos(r)
    rotation = np.stack([right, low, forward])
    centre = np.array([at[0], at[1], 0.0]) + back * distance
    f = focal * max(size)
    intrinsic = np.array([[f, 0, (size[0] - 1) / 2], [0, f, (size[1] - 1) / 2], [0, 0, 1]])
    pose = np.concatenate([rotation, (-rotation @ centre)[:, None]], 1)
    matrix = intrinsic @ pose
    matrix[:, 2] *= -1
    return Camera(matrix, size)


def framing(
    size: tuple[int, int], focal: float, points: Points, fill: float, angles: tuple[float, float, float]
) -> Camera:
    """A camera at (slant, azimuth, roll) that shows the points (n, 2) mm over the share ``fill`` of the picture (more than 1: cut)."""
    at, distance = points.mean(0), 600.0
    for _ in range(6):
        camera = looking(size, focal, at, distance, *angles)
        seen = camera.flat(points)
        low, high = seen.min(0), seen.max(0)
        middle = cv2.perspectiveTransform(((low + high) / 2)[None, None], np.linalg.inv(camera.plane()))[0, 0]
        at = at + 0.8 * (middle - at)
        distance *= 1 + 0.8 * (float(((high - low) / size).max()) / fill - 1)
        distance = max(distance, 60.0)
    return looking(size, focal, at, distance, *angles)
