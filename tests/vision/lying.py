"""Pictures of one piece lying on a plain ground, with what a hand-held camera adds; every corner known."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

Grid = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Taken:
    """How a picture is taken: tilt and roll in degrees, focal length in long sides, share of the picture that the piece reaches across."""

    tilt: float
    roll: float
    focal: float
    share: float
    off: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def at_random(cls, rng: np.random.Generator) -> Taken:
        return cls(
            rng.uniform(0, 32),
            rng.uniform(-40, 40),
            rng.uniform(0.7, 1.4),
            rng.uniform(0.4, 0.75),
            (rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3)),
        )


def lying(
    face: Picture,
    ground: tuple[int, int, int],
    taken: Taken,
    rng: np.random.Generator,
    *,
    size: tuple[int, int] = (800, 600),
    texture: float = 0.0,
    shadow: float = 0.3,
    rounded: float = 0.03,
) -> tuple[Picture, Grid]:
    """The picture (height, width, 3) BGR and the piece's corners (4, 2) px from its top left, clockwise."""
    width, height = size
    quad = _corners(face.shape[1] / face.shape[0], taken, size, rng)
    high, wide = face.shape[:2]
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(source, quad)
    finer = max(1.0, wide / float(np.linalg.norm(quad[1] - quad[0])))
    smooth = cv2.GaussianBlur(face, (0, 0), 0.4 * finer) if finer > 1.2 else face
    seen = cv2.warpPerspective(smooth.astype(np.float32), warp, size, borderMode=cv2.BORDER_REPLICATE)
    mask = _mask(wide, high, round(rounded * min(wide, high)))
    alpha = cv2.warpPerspective(mask, warp, size).astype(np.float32)[..., None] / 255
    table = np.full((height, width, 3), ground, np.float32)
    if texture:
        grain = cv2.resize(rng.normal(0, 1, (height // 2, width // 16)).astype(np.float32), size)
        table *= 1 + texture * grain[..., None]
    cast = cv2.GaussianBlur(alpha[..., 0], (0, 0), float(rng.uniform(2, 7)))
    across, down = rng.uniform(-4, 4, 2)
    cast = cv2.warpAffine(cast, np.array([[1, 0, across], [0, 1, down]], np.float32), size)
    picture = table * (1 - shadow * cast[..., None]) * (1 - alpha) + seen * alpha
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = 1 + rng.uniform(-0.2, 0.2) * x + rng.uniform(-0.2, 0.2) * y
    picture *= light[..., None] * np.array([rng.uniform(0.88, 1.08), 1, rng.uniform(0.92, 1.1)])
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.7) + rng.normal(0, 2.0, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), quad


def _corners(aspect: float, taken: Taken, size: tuple[int, int], rng: np.random.Generator) -> Grid:
    width, height = size
    half = np.array([min(1.0, aspect), min(1.0, 1 / aspect)]) / 2
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    roll, way = np.radians(taken.roll), rng.uniform(0, 2 * np.pi)
    flat = flat @ np.array([[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]])
    lean = cv2.Rodrigues(np.array([np.cos(way), np.sin(way), 0.0]) * np.radians(taken.tilt))[0]
    space = np.column_stack([flat, np.zeros(4)]) @ lean.T
    focal, far = taken.focal * max(size), 2.0
    for _ in range(40):
        points = space + np.array([0, 0, far])
        seen = focal * points[:, :2] / points[:, 2:]
        reach = max(np.ptp(seen[:, 0]) / width, np.ptp(seen[:, 1]) / height)
        far = max(0.8, far * reach / taken.share)
    room = (np.array(size) - np.ptp(seen, axis=0)) * np.array(taken.off)
    points = space + np.array([*(room * far / focal), far])
    seen = focal * points[:, :2] / points[:, 2:] + np.array(size) / 2
    return np.asarray(seen, np.float32)


def _mask(wide: int, high: int, radius: int) -> Picture:
    mask = np.zeros((high, wide), np.uint8)
    cv2.rectangle(mask, (radius, 0), (wide - radius - 1, high - 1), (255,), -1)
    cv2.rectangle(mask, (0, radius), (wide - 1, high - radius - 1), (255,), -1)
    for x in (radius, wide - 1 - radius):
        for y in (radius, high - 1 - radius):
            cv2.circle(mask, (x, y), radius, (255,), -1)
    return mask
