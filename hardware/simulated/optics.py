"""The simulated camera's lens and place: from mm above the mat to px. Nothing outside the simulation may read it."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Layout
from hardware.simulated.conditions import Conditions
from vision.mat import LOOSE_OUT, LOOSE_ROUGH, broad

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Optics:
    """A pinhole with two radial terms (Brown 1971), at (x, y, height) mm above the mat, tilted a little."""

    size: tuple[int, int]
    focal: float
    centre: tuple[float, float]
    radial: tuple[float, float]
    position: tuple[float, float, float]
    tilt: tuple[float, float]
    roll: float

    @classmethod
    def above(cls, layout: Layout, size: tuple[int, int], seed: int, conditions: Conditions) -> Optics:
        """A camera about 620 mm above the middle of the mat, for a table larger than a mat so much higher. The same seed gives the
        same camera at every size."""
        rng = random.Random(f"optics {seed}")
        width, height = size
        draw = rng.uniform
        # What of the layout's height fills the picture: its own, or what is needed to have its width in view.
        wide, tall = layout.width, layout.height
        if layout.loose:
            beside = 2 * (LOOSE_OUT + LOOSE_ROUGH + 56.0)
            wide, tall = (wide, (tall + beside) / 1.12) if broad(layout) else (wide + beside, tall)
        tall = max(tall, wide * height / width / 1.12)
        up = draw(608, 640) * max(1.0, tall / 420.0)
        focal = height / 1.12 * up / tall * draw(0.985, 1.005)
        tilt_x, tilt_y, roll = draw(-2.5, 2.5), draw(-2.5, 2.5), draw(-1.2, 1.2)
        centre = (width / 2 + draw(-0.006, 0.006) * width, height / 2 + draw(-0.006, 0.006) * width)
        radial = (draw(-0.11, 0.01), draw(-0.015, 0.02))
        # Whoever mounts a camera turns it until the mat is in the middle of the picture.
        x = layout.width / 2 + math.tan(math.radians(tilt_y)) * up + draw(-4, 4)
        y = layout.height / 2 - math.tan(math.radians(tilt_x)) * up + draw(-4, 4)
        position = (x + conditions.shift[0], y + conditions.shift[1], up)
        return cls(
            size, focal, centre, radial, position, (tilt_x + conditions.sag, tilt_y), roll + conditions.turn
        )

    @cached_property
    def rotation(self) -> Floats:
        """World (x right, y down, z away from the camera) to camera axes, (3, 3)."""
        return _euler(*self.tilt, self.roll)

    @property
    def nadir(self) -> tuple[float, float]:
        """The point of the mat right below the camera: whatever stands up leans away from it."""
        return self.position[0], self.position[1]

    def project(self, points: Sequence[Sequence[float]] | Floats) -> Floats:
        """(n, 3) mm (z up from the mat) to (n, 2) px; the middle of the first pixel is (0, 0)."""
        world = np.array(points, np.float64).reshape(-1, 3)
        world -= self.position
        world[:, 2] *= -1
        seen = world @ self.rotation.T
        xy = seen[:, :2] / seen[:, 2:]
        r2 = (xy * xy).sum(1, keepdims=True)
        xy = xy * (1 + self.radial[0] * r2 + self.radial[1] * r2 * r2)
        result: Floats = xy * self.focal + self.centre
        return result

    def scale(self, z: float = 0.0) -> float:
        """About how many px a mm has at that height."""
        return self.focal / (self.position[2] - z)

    def on_mat(self, step: int = 16) -> NDArray[np.float32]:
        """For every pixel the place on the mat that it shows, (height, width, 2) float32 mm.

        Found on every ``step``-th pixel and interpolated: the lens bends far less than a hundredth of a px between.
        """
        coarse = self.grid_on_mat(step).astype(np.float32)
        zoom = np.array([[step, 0, 0], [0, step, 0]], np.float32)
        return cv2.warpAffine(coarse, zoom, self.size, flags=cv2.INTER_LINEAR).astype(np.float32, copy=False)

    def grid_on_mat(self, step: int) -> Floats:
        """The places on the mat, in mm, that every ``step``-th pixel shows, (rows, columns, 2), one beyond the picture."""
        width, height = self.size
        across, down = width // step + 2, height // step + 2
        grid = np.stack(np.meshgrid(np.arange(across) * step, np.arange(down) * step), -1).astype(np.float64)
        bent = (grid.reshape(-1, 2) - self.centre) / self.focal
        flat = bent.copy()
        for _ in range(25):  # the inverse of the lens by repeated substitution
            r2 = (flat * flat).sum(1, keepdims=True)
            flat = bent / (1 + self.radial[0] * r2 + self.radial[1] * r2 * r2)
        rays = np.concatenate([flat, np.ones((across * down, 1))], 1) @ self.rotation
        places: Floats = rays[:, :2] * (self.position[2] / rays[:, 2:]) + self.position[:2]
        return places.reshape(down, across, 2)


def _euler(x: float, y: float, z: float) -> Floats:
    a, b, c = (math.radians(angle) for angle in (x, y, z))
    about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    about_y = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    about_z = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    result: Floats = about_z @ about_x @ about_y
    return result
