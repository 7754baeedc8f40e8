"""A photo of printed pieces on a plain table, as somebody takes it by hand: to try the eyes without a camera and without a mat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.print.raster import Picture

Quad = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """``picture``: BGR uint8; ``pieces``: what lies in it, each with its four corners (4, 2) px, clockwise from the face's top left."""

    picture: Picture
    pieces: tuple[tuple[str, Quad], ...]


def snapshot(
    faces: Mapping[str, Picture],
    sizes: Mapping[str, tuple[float, float]],
    rng: np.random.Generator,
    size: tuple[int, int] = (1600, 1200),
    table: tuple[int, int, int] = (62, 92, 128),
) -> Snapshot:
    """Lay ``faces`` (BGR uint8; ``sizes`` mm) on a wooden ``table`` (BGR) side by side, at any turn, and take a photo of ``size``
    (width, height) px."""
    names = [str(name) for name in rng.permutation(sorted(faces))]
    pitch = 1.15 * max(float(np.hypot(*sizes[name])) for name in names)
    columns = max(1, round(np.sqrt(len(names) * size[0] / size[1])))
    rows = -(-len(names) // columns)
    camera = _camera(columns * pitch, rows * pitch, rng, size)
    picture = _table(rng, size, table)
    lying: list[tuple[str, Quad]] = []
    for place, name in enumerate(names):
        wide, high = sizes[name]
        middle = np.array([place % columns + 0.5, place // columns + 0.5]) * pitch
        turn = rng.uniform(0, 2 * np.pi)
        way = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2 @ way
        at = corners + middle + rng.uniform(-0.03, 0.03, 2) * pitch
        quad = cv2.perspectiveTransform(at[None], camera)[0].astype(np.float32)
        _shade(picture, quad)
        _lay(picture, faces[name], quad)
        lying.append((name, quad))
    return Snapshot(_taken(picture, rng), tuple(lying))


def _camera(
    width: float, height: float, rng: np.random.Generator, size: tuple[int, int]
) -> NDArray[np.float64]:
    """From mm on the table to px: a camera that looks down askew and has all of the table in view."""
    lean = np.radians(rng.uniform(12, 22))
    about = cv2.Rodrigues(np.array([lean, rng.uniform(-0.1, 0.1), rng.uniform(-0.15, 0.15)]))[0]
    table = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    space = np.column_stack([table - table.mean(axis=0), np.zeros(4)]) @ about.T
    focal, far = 0.9 * max(size), 4.0 * max(width, height)
    for _ in range(60):
        seen = focal * space[:, :2] / (space[:, 2:] + far)
        far *= float(max(np.ptp(seen[:, 0]) / size[0], np.ptp(seen[:, 1]) / size[1])) / 0.94
    seen += np.array(size) / 2 - (seen.min(axis=0) + seen.max(axis=0)) / 2
    return np.asarray(cv2.getPerspectiveTransform(table.astype(np.float32), seen.astype(np.float32)))


def _table(
    rng: np.random.Generator, size: tuple[int, int], colour: tuple[int, int, int]
) -> NDArray[np.float32]:
    grain = rng.normal(0, 1, (size[1], size[0] // 40)).astype(np.float32)
    wood = cv2.GaussianBlur(cv2.resize(grain, size, interpolation=cv2.INTER_CUBIC), (0, 0), 1.5)
    return np.asarray(np.array(colour, np.float32) * (1 + 0.07 * wood[..., None]), np.float32)


def _shade(picture: NDArray[np.float32], quad: Quad) -> None:
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 24, 0)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 24
    part = picture[top:bottom, left:right]
    cast = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(cast, np.round(quad - (left, top) + (4, 6)).astype(np.int32), (255,))
    part *= 1 - 0.35 / 255 * cv2.GaussianBlur(cast, (0, 0), 4.0).astype(np.float32)[..., None]


def _lay(picture: NDArray[np.float32], face: Picture, quad: Quad) -> None:
    left, top = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 2, 0)
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 3
    part = picture[top:bottom, left:right]
    size = (part.shape[1], part.shape[0])
    high, wide = face.shape[:2]
    finer = wide / max(1.0, float(np.linalg.norm(quad[1] - quad[0])))
    smooth = cv2.GaussianBlur(face, (0, 0), 0.45 * finer) if finer > 1.2 else face
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(source, (quad - (left, top)).astype(np.float32))
    seen = cv2.warpPerspective(smooth, warp, size, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(np.full((high, wide), 255, np.uint8), warp, size)[..., None] / 255
    part += share.astype(np.float32) * (seen - part)


def _taken(picture: NDArray[np.float32], rng: np.random.Generator) -> Picture:
    """By a warm lamp from one side, with a camera's blur and noise."""
    height, width = picture.shape[:2]
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    picture *= (1 + 0.12 * across - 0.08 * down)[..., None].astype(np.float32)
    picture *= np.array([0.9, 1.0, 1.05], np.float32)
    seen = cv2.GaussianBlur(picture, (0, 0), 0.7) + rng.normal(0, 2.0, picture.shape).astype(np.float32)
    return np.asarray(np.clip(np.rint(seen), 0, 255), np.uint8)
