"""Where the mat is: its markers found, the lens and the camera's pose estimated, and checked again cheaply.

Finding searches the whole picture (tens of ms) and happens once; afterwards every picture is only checked in small windows where
the markers must be (a few ms). What a hand covers counts for nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration import TYPICAL_FOCAL, Calibration, Floats, Lens, Pose, project
from vision.mat import SIZE, Marker

Picture = NDArray[np.uint8]
Corners = Mapping[int, Floats]
"""By marker id, its four corners (4, 2) px from the top left clockwise."""

SEARCH_WIDTH = 1152
NOISE = 0.2
"""What a marker's corner is worth: its standard deviation in px."""
MOVED = 0.45
"""More than this (mm, rms of the corners) and the mat or the camera has moved."""
ALIKE = 0.75
"""A marker that correlates less than this with its drawing is covered or not there."""
_AROUND = 8.0
"""So much larger (mm) than a marker is the window that is checked around it."""
_SCALE = 2.0


def grey(picture: Picture) -> Picture:
    """The brightness of a BGR picture (H, W, 3), or the picture itself when it is (H, W)."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def detect(picture: Picture, markers: Sequence[Marker]) -> dict[int, Floats]:
    """Search the whole picture for the mat's markers; corners in px, refined to a fraction of a pixel."""
    plain = grey(picture)
    height, width = plain.shape
    shrink = min(1.0, SEARCH_WIDTH / width)
    small = (
        cv2.resize(plain, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else plain
    )
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)
    quads, ids, _ = detector.detectMarkers(small)
    wanted = {marker.id for marker in markers}
    found: dict[int, Floats] = {}
    doubled: set[int] = set()
    sx, sy = width / small.shape[1], height / small.shape[0]
    for quad, number in zip(quads, np.ravel(ids) if len(quads) else (), strict=True):
        name = int(number)
        if name in found:
            doubled.add(name)
        if name in wanted:
            corners = (np.reshape(quad, (4, 2)) + 0.5) * np.array([sx, sy]) - 0.5
            found[name] = _refined(plain, corners) if shrink < 1 else corners.astype(np.float64)
    return {name: corners for name, corners in found.items() if name not in doubled}


def _refined(plain: Picture, corners: NDArray[Any]) -> Floats:
    """Corners (N, 2) px pulled onto the picture's corners, in a window of about an eighth of the marker's side."""
    side = float(np.linalg.norm(corners[1] - corners[0]))
    reach = int(np.clip(side / 10, 2, 8))
    points = corners.astype(np.float32).reshape(-1, 1, 2)
    limit = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    moved = cv2.cornerSubPix(plain, points, (reach, reach), (-1, -1), limit)
    return np.asarray(moved, np.float64).reshape(-1, 2)


def _start(
    observed: Corners, markers: Mapping[int, Marker], lens: Lens, size: tuple[int, int]
) -> Pose | None:
    """A first pose from the homography mat -> picture (Zhang, PAMI 22, 2000, section 3.1)."""
    world = np.array([corner for name in observed for corner in markers[name].corners])
    seen = np.concatenate([observed[name] for name in observed])
    sides, _ = cv2.findHomography(world, seen, cv2.RANSAC, 0.02 * size[0])
    if sides is None or not np.all(np.isfinite(sides)):
        return None
    focal = lens.focal * size[0]
    inverse = np.array(
        [[1 / focal, 0, -(size[0] - 1) / 2 / focal], [0, 1 / focal, -(size[1] - 1) / 2 / focal], [0, 0, 1]]
    )
    first, second, move = (inverse @ sides).T
    length = (np.linalg.norm(first) + np.linalg.norm(second)) / 2
    if length < 1e-12:
        return None
    sign = 1.0 if move[2] > 0 else -1.0
    first, second, move = sign * first / length, sign * second / length, sign * move / length
    left, _, right = np.linalg.svd(np.column_stack([first, second, np.cross(first, second)]))
    turned = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    vector = np.ravel(cv2.Rodrigues(turned)[0])
    return Pose(
        (float(vector[0]), float(vector[1]), float(vector[2])),
        (float(move[0]), float(move[1]), float(move[2])),
    )


def _unpack(values: Floats, lens: Lens | None) -> tuple[Lens, list[Pose]]:
    if lens is None:
        lens, values = Lens(float(values[0]), float(values[1]), float(values[2])), values[3:]
    rows = [[float(v) for v in row] for row in values.reshape(-1, 6)]
    return lens, [Pose((r[0], r[1], r[2]), (r[3], r[4], r[5])) for r in rows]


def estimate(
    observed: Sequence[Corners], markers: Sequence[Marker], size: tuple[int, int], lens: Lens | None = None
) -> Calibration | None:
    """Lens and pose from one or more pictures of the mat (one lens, a pose each; the last pose is returned).

    Levenberg-Marquardt over focal length, k1, k2 and six numbers per picture, Huber weights on the corners, and a
    weak prior on the lens, because a mat seen from straight above says little about the focal length. With ``lens``
    given only the pose is estimated. None when fewer than two markers of a picture are seen (four for the lens).
    """
    by_id = {marker.id: marker for marker in markers}
    pictures = [{name: c for name, c in one.items() if name in by_id} for one in observed]
    if not pictures or any(len(one) < (2 if lens is not None else 4) for one in pictures):
        return None
    starts = [_start(one, by_id, lens or Lens(), size) for one in pictures]
    if any(start is None for start in starts):
        return None
    worlds = [
        np.array([(*corner, 0.0) for name in one for corner in by_id[name].corners]) for one in pictures
    ]
    seen = [np.concatenate(list(one.values())) for one in pictures]
    first: list[float] = [] if lens is not None else [TYPICAL_FOCAL, 0.0, 0.0]
    for start in starts:
        assert start is not None
        first += [*start.rotation, *start.translation]
    values = np.array(first)
    noise = NOISE * size[0] / 1536 + 0.05

    def residuals(at: Floats) -> Floats:
        shape, poses = _unpack(at, lens)
        parts = [
            (project(world, shape, pose, size) - there).ravel() / noise
            for world, there, pose in zip(worlds, seen, poses, strict=True)
        ]
        if lens is None:
            parts.append(
                np.array(
                    [math.log(max(shape.focal, 0.05) / TYPICAL_FOCAL) / 0.15, shape.k1 / 0.15, shape.k2 / 0.1]
                )
            )
        return np.concatenate(parts)

    values = least_squares(residuals, values)
    shape, poses = _unpack(values, lens)
    misses = np.concatenate(
        [project(w, shape, pose, size) - there for w, there, pose in zip(worlds, seen, poses, strict=True)]
    )
    off = np.linalg.norm(misses, axis=1)
    error = float(np.sqrt(np.median(off**2)))
    eye = poses[-1].eye
    if not np.all(np.isfinite(values)) or error > 0.004 * size[0] or eye[2] < 100:
        return None
    return Calibration(shape, poses[-1], error / size[0])


def least_squares(residuals: Any, values: Floats) -> Floats:
    """Levenberg-Marquardt with Huber weights at 2.5 sigma; ``values`` (n,) is the start."""
    damping, steps = 1e-3, np.maximum(np.abs(values), 1e-2) * 1e-6
    current = residuals(values)

    def cost(r: Floats) -> float:
        big = np.abs(r)
        return float(np.sum(np.where(big < 2.5, r * r, 5 * big - 6.25)))

    best = cost(current)
    for _ in range(60):
        columns = [(residuals(values + step) - current) for step in np.diag(steps)]
        slope = np.stack(columns, axis=1) / steps
        weight = np.minimum(1.0, 2.5 / np.maximum(np.abs(current), 1e-9))[:, None]
        normal, down = slope.T @ (weight * slope), slope.T @ (weight[:, 0] * current)
        for _ in range(8):
            change = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), down)
            there = residuals(values - change)
            if cost(there) < best:
                break
            damping *= 8
        else:
            return values
        gain = best - cost(there)
        values, current, best, damping = values - change, there, cost(there), damping / 6
        if gain < 1e-6 * max(best, 1.0):
            break
    return values


@dataclass(frozen=True, slots=True)
class Check:
    """How the markers stand against the calibration: which are seen, their corners, and the rms they are off in mm."""

    seen: Mapping[int, Floats]
    off: float
    contrast: float
    """Difference between a marker's white and black, 0-255 (0 when none is seen)."""
    sharpness: float
    """How steep the markers' edges are: the share of their contrast that half a millimetre makes (0 when none is seen)."""

    @property
    def moved(self) -> bool:
        return self.off > MOVED


def drawing(marker: Marker, window: float = 0.0, scale: float = _SCALE) -> Picture:
    """The marker as it is printed, with white around: a square of ``window`` mm (0: the one that is checked) at ``scale`` px per mm."""
    window = window or marker.size + _AROUND
    side = round(marker.size * scale * 4)
    printed = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), marker.id, side
    )
    full = round(window * scale)
    pad = round(((window - marker.size) / 2) * scale * 4)
    framed = cv2.copyMakeBorder(printed, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(cv2.resize(framed, (full, full), interpolation=cv2.INTER_AREA), np.uint8)


def check(
    picture: Picture, calibration: Calibration, markers: Sequence[Marker], drawings: Mapping[int, Picture]
) -> Check:
    """Look only where the markers must be. ``drawings`` are those of ``drawing`` by id."""
    height, width = picture.shape[:2]
    size = (width, height)
    seen: dict[int, Floats] = {}
    misses: list[Floats] = []
    contrasts: list[float] = []
    steepness: list[float] = []
    for marker in markers:
        full = round((marker.size + _AROUND) * _SCALE)
        begin = 0.5 / _SCALE - (marker.size + _AROUND) / 2
        expected = calibration.project(np.array([(*corner, 0.0) for corner in marker.corners]), size)
        side = float(np.linalg.norm(expected[1] - expected[0]))
        if not np.all(np.isfinite(expected)) or side < 4:
            continue
        low = np.floor(expected.min(axis=0) - side * 0.35).astype(int)
        high = np.ceil(expected.max(axis=0) + side * 0.35).astype(int)
        if low[0] < 0 or low[1] < 0 or high[0] >= width or high[1] >= height:
            continue
        crop = grey(np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]]))
        local = expected - low
        corners = _refined(crop, local) if side >= 20 else local
        if np.max(np.linalg.norm(corners - local, axis=1)) > side * 0.25:
            corners = local
        unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], np.float32) * marker.size
        to_crop = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
        view = to_crop @ np.array([[1 / _SCALE, 0, begin], [0, 1 / _SCALE, begin], [0, 0, 1]])
        patch = cv2.warpPerspective(crop, view, (full, full), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        printed = drawings[marker.id]
        if _alike(patch, printed) < ALIKE:
            continue
        seen[marker.id] = corners + low
        misses.append((corners - local) * (marker.size / side))
        light = float(np.median(patch[printed > 250]))
        black = float(np.median(patch[printed < 5]))
        contrasts.append(light - black)
        rise = np.abs(np.diff(patch.astype(np.float32), axis=1)).max(initial=0.0)
        # A larger table is seen from farther away: there half a millimetre is less than a pixel, and no blur.
        far = max(1.0, 1.8 * marker.size / side) if marker.size > SIZE else 1.0
        steepness.append(min(1.0, far * float(rise) / max(light - black, 1.0)))
    off = float(np.sqrt(np.mean(np.concatenate(misses) ** 2) * 2)) if misses else 0.0
    return Check(
        seen,
        off,
        float(np.median(contrasts)) if contrasts else 0.0,
        float(np.median(steepness)) if steepness else 0.0,
    )


def _alike(one: NDArray[Any], other: NDArray[Any]) -> float:
    """Normalised correlation of two pictures of one size, -1 to 1."""
    a = one.astype(np.float32).ravel()
    b = other.astype(np.float32).ravel()
    a -= a.mean()
    b -= b.mean()
    return float(a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6))


def find(picture: Picture, markers: Sequence[Marker], known: Calibration | None = None) -> Calibration | None:
    """Search the whole picture for the mat and measure where the camera stands; None when there is no mat.

    A known lens is kept: only the pose is measured anew. It is measured again when it does not fit (another camera).
    """
    found = detect(picture, markers)
    size = (picture.shape[1], picture.shape[0])
    if known is not None:
        posed = estimate([found], markers, size, known.lens)
        if posed is not None and posed.error < 0.0012:
            return known.with_pose(posed.pose, posed.error)
    fresh = estimate([found], markers, size)
    if fresh is None or known is None:
        return fresh
    return Calibration(fresh.lens, fresh.pose, fresh.error, known.exposure, {}, known.pieces)
