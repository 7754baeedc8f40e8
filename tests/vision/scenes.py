"""Small made-up pictures of a table for the eyes' tests: flat faces in their planes, warped through a camera.

This is no believable table (hardware.simulated is); it is a second, independent way to draw one, whose truth is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from engines.table import Layout
from engines.tanis.reading import layout
from hardware.print.faces import draw_face
from hardware.print.mat import draw_mat
from vision.calibration import Lens, Pose, project
from vision.gallery import Gallery
from vision.plane import Picture

TANIS: Layout = layout(2, {})
SCALE = 4.0


@lru_cache(maxsize=1)
def mat_picture() -> Picture:
    return draw_mat(TANIS, SCALE)


@lru_cache(maxsize=1)
def faces() -> dict[str, Picture]:
    return {face.identity: draw_face(face, TANIS.kind(face.kind), SCALE) for face in TANIS.faces}


@lru_cache(maxsize=1)
def gallery() -> Gallery:
    return Gallery.from_pictures(TANIS, faces(), SCALE)


@lru_cache(maxsize=8)
def _bent(lens: Lens, size: tuple[int, int]) -> np.ndarray:
    """For each pixel of a picture through the lens, where it is in one through a pinhole: (height, width, 2) float32 px."""
    width, height = size
    columns, rows = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    f, c = lens.focal * width, np.array([(width - 1) / 2, (height - 1) / 2])
    bent = np.stack([(columns - c[0]) / f, (rows - c[1]) / f], axis=-1)
    flat = bent.copy()
    for _ in range(8):
        r = np.sum(flat * flat, axis=-1, keepdims=True)
        flat = bent / (1 + lens.k1 * r + lens.k2 * r * r)
    return (flat * f + c).astype(np.float32)


@dataclass(frozen=True)
class Lying:
    """A piece where it truly lies: centre (mm), turn (degrees clockwise), height of its face (mm)."""

    identity: str
    x: float
    y: float
    turn: float = 0.0
    z: float = 4.0


@dataclass
class Scene:
    """A table, a camera and a light; ``picture`` draws it."""

    lying: list[Lying] = field(default_factory=list)
    lens: Lens = field(default_factory=lambda: Lens(0.77, -0.08, 0.02))
    pose: Pose = field(default_factory=lambda: looking_down())
    box: tuple[float, float, float] | None = (297.0, 182.0, 0.0)
    gain: float = 1.0
    noise: float = 2.0
    blur: float = 0.0
    seed: int = 0
    mat: bool = True

    def picture(self, size: tuple[int, int] = (1536, 864)) -> Picture:
        width, height = size
        plain = Lens(self.lens.focal)
        ideal = np.full((height, width, 3), (70, 90, 110), np.uint8)
        if self.mat:
            self._lay(ideal, mat_picture(), TANIS.width / 2, TANIS.height / 2, 0.0, 0.0, plain)
        if self.box is not None:
            x, y, turn = self.box
            floor = np.full((110 * 4, 88 * 4, 3), (60, 85, 105), np.uint8)
            walls = np.full((116 * 4, 94 * 4, 3), (90, 120, 150), np.uint8)
            self._lay(ideal, walls, x, y, turn, 20.0, plain)
            self._lay(ideal, floor, x, y, turn, 0.0, plain)
        for piece in sorted(self.lying, key=lambda piece: piece.z):
            self._lay(ideal, faces()[piece.identity], piece.x, piece.y, piece.turn, piece.z, plain)
        source = _bent(self.lens, size)
        seen = cv2.remap(
            ideal, source[..., 0], source[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        if self.blur:
            seen = cv2.GaussianBlur(seen, (0, 0), self.blur)
        rng = np.random.default_rng(self.seed)
        noisy = seen.astype(np.float32) * self.gain + rng.normal(0, self.noise, seen.shape).astype(np.float32)
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def _lay(
        self, ideal: Picture, face: Picture, x: float, y: float, turn: float, z: float, lens: Lens
    ) -> None:
        height, width = face.shape[:2]
        size = (ideal.shape[1], ideal.shape[0])
        w, h = width / SCALE / 2, height / SCALE / 2
        a = np.radians(turn)
        local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        at = local @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]) + (x, y)
        seen = project(np.column_stack([at, np.full(4, z)]), lens, self.pose, size).astype(np.float32)
        corners = np.array(
            [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32
        )
        way = cv2.getPerspectiveTransform(corners, seen)
        low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + 3, size)
        if np.any(high <= low):
            return
        shift = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
        shape = (int(high[0] - low[0]) * 2, int(high[1] - low[1]) * 2)
        double = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1]])
        drawn = cv2.warpPerspective(face, double @ shift @ way, shape, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), double @ shift @ way, shape)
        half = (shape[0] // 2, shape[1] // 2)
        drawn = cv2.resize(drawn, half, interpolation=cv2.INTER_AREA).astype(np.float32)
        cover = cv2.resize(mask, half, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
        part = ideal[low[1] : high[1], low[0] : high[0]]
        part[:] = np.clip(drawn + part * (1 - cover), 0, 255).astype(np.uint8)


def looking_down(
    x: float = 297.0, y: float = 215.0, height: float = 640.0, tilt: float = 0.0, roll: float = 0.0
) -> Pose:
    """A camera above (x, y) mm, looking down, tilted (rad about x) and rolled (rad)."""
    about_x = cv2.Rodrigues(np.array([tilt, 0.0, 0.0]))[0]
    about_z = cv2.Rodrigues(np.array([0.0, 0.0, roll]))[0]
    turned = about_x @ about_z
    vector = np.ravel(cv2.Rodrigues(turned)[0])
    move = -turned @ np.array([x, y, -height])
    return Pose((vector[0], vector[1], vector[2]), (move[0], move[1], move[2]))
