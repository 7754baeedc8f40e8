"""What was measured once and holds until something moves: lens, camera pose, exposure, the box and the pieces.

The camera is a pinhole with two radial distortion terms (Brown, Photogrammetric Engineering 37, 1971) and its
principal point in the middle of the picture. Lengths are millimetres on the mat with z up from it; the focal
length is in picture widths, so that one calibration serves the small and the large stream alike.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

VERSION = 1
TYPICAL_FOCAL = 0.77
"""Focal length in picture widths of the usual camera (66 degrees wide); the mat alone hardly tells it from the distance."""


class CalibrationError(Exception):
    """A calibration file cannot be used; the text names the file, the field and the remedy."""


@dataclass(frozen=True, slots=True)
class Lens:
    """``focal`` in picture widths; ``k1`` and ``k2`` the radial distortion."""

    focal: float = TYPICAL_FOCAL
    k1: float = 0.0
    k2: float = 0.0


@dataclass(frozen=True, slots=True)
class Pose:
    """Mat to camera: a rotation vector (rad) and a translation (mm). Camera axes: x right, y down, z away."""

    rotation: tuple[float, float, float]
    translation: tuple[float, float, float]

    @property
    def matrix(self) -> Floats:
        return rotation_matrix(np.asarray(self.rotation))

    @property
    def eye(self) -> Floats:
        """Where the camera stands, mm on the mat, z up (3,)."""
        centre: Floats = -self.matrix.T @ np.asarray(self.translation)
        centre[2] = -centre[2]
        return centre


@dataclass(frozen=True, slots=True)
class Box:
    """Where the box of a stack zone stands: the centre of its floor (mm), its turn (degrees clockwise), and how far apart its
    cells are (mm; 0: not measured yet)."""

    x: float
    y: float
    turn: float
    cell: float = 0.0


@dataclass(frozen=True, slots=True)
class Exposure:
    """The camera's settings at calibration; None where the camera did not say."""

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    lens_position: float | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything the eyes measured. ``pieces`` are (width, height) in mm by kind, ``error`` the markers' rms in picture widths,
    ``corners`` where loose corner markers lie, by number: middle (mm) and turn (degrees clockwise)."""

    lens: Lens
    pose: Pose
    error: float = 0.0
    exposure: Exposure = Exposure()
    boxes: Mapping[str, Box] = field(default_factory=dict)
    pieces: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    corners: Mapping[int, tuple[float, float, float]] = field(default_factory=dict)

    def project(self, points: NDArray[Any], size: tuple[int, int]) -> Floats:
        """Where points (N, 3) in mm, z up, fall in a picture of (width, height) px: (N, 2) px."""
        return project(points, self.lens, self.pose, size)

    def with_pose(self, pose: Pose, error: float) -> Calibration:
        return replace(self, pose=pose, error=error)

    def save(self, path: Path) -> None:
        """Write the calibration as TOML, complete or not at all."""
        aside = path.with_suffix(path.suffix + ".new")
        aside.write_text(_written(self), encoding="utf-8")
        aside.replace(path)

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read what ``save`` wrote. Raises CalibrationError naming file, field and remedy."""
        remedy = "show the mat and calibrate again"
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise CalibrationError(f"{path}: {error}; {remedy}") from error
        if data.get("version") != VERSION:
            raise CalibrationError(f"{path}: version {data.get('version')} is not {VERSION}; {remedy}")
        try:
            calibration = _read(data)
        except (KeyError, TypeError, ValueError) as error:
            raise CalibrationError(f"{path}: {error!r} is missing or wrong; {remedy}") from error
        numbers = (*calibration.pose.rotation, *calibration.pose.translation, calibration.lens.focal)
        if not all(math.isfinite(number) for number in numbers) or not 0.2 < calibration.lens.focal < 5:
            raise CalibrationError(f"{path}: lens or pose is out of range; {remedy}")
        return calibration


def rotation_matrix(vector: Floats) -> Floats:
    """Rodrigues' formula: rotation vector (3,) in rad to matrix (3, 3)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned: Floats = np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross)
    return turned


def project(points: NDArray[Any], lens: Lens, pose: Pose, size: tuple[int, int]) -> Floats:
    """Points (N, 3) in mm, z up, to (N, 2) px in a picture of (width, height) px."""
    width, height = size
    # The mat's axes are x right, y down: right-handed only with z pointing into the table.
    seen = (points * np.array([1.0, 1.0, -1.0])) @ pose.matrix.T + np.asarray(pose.translation)
    flat = seen[:, :2] / np.maximum(seen[:, 2:], 1e-6)
    square = np.sum(flat * flat, axis=1, keepdims=True)
    bent = flat * (1 + lens.k1 * square + lens.k2 * square * square)
    placed: Floats = bent * (lens.focal * width) + np.array([(width - 1) / 2, (height - 1) / 2])
    return placed


def _number(value: float) -> str:
    return repr(float(value))


def _written(calibration: Calibration) -> str:
    lens, pose, exposure = calibration.lens, calibration.pose, calibration.exposure
    lines = [
        "# Measured by the eyes; delete this file to have it measured again.",
        f"version = {VERSION}",
        f"error = {_number(calibration.error)}",
        "",
        "[lens]  # focal length in picture widths, radial distortion",
        f"focal = {_number(lens.focal)}",
        f"k1 = {_number(lens.k1)}",
        f"k2 = {_number(lens.k2)}",
        "",
        "[pose]  # mat to camera: rotation vector (rad), translation (mm)",
        f"rotation = [{', '.join(map(_number, pose.rotation))}]",
        f"translation = [{', '.join(map(_number, pose.translation))}]",
        "",
        "[exposure]",
    ]
    if exposure.exposure_us is not None:
        lines.append(f"exposure_us = {int(exposure.exposure_us)}")
    if exposure.gain is not None:
        lines.append(f"gain = {_number(exposure.gain)}")
    if exposure.colour_gains is not None:
        lines.append(f"colour_gains = [{', '.join(map(_number, exposure.colour_gains))}]")
    if exposure.lens_position is not None:
        lines.append(f"lens_position = {_number(exposure.lens_position)}")
    for zone, box in sorted(calibration.boxes.items()):
        lines += ["", f"[boxes.{zone}]  # centre in mm, turn in degrees clockwise"]
        lines += [f"x = {_number(box.x)}", f"y = {_number(box.y)}", f"turn = {_number(box.turn)}"]
        if box.cell:
            lines.append(f"cell = {_number(box.cell)}  # mm from one cell to the next")
    if calibration.pieces:
        lines += ["", "[pieces]  # width and height in mm"]
        for kind, (width, height) in sorted(calibration.pieces.items()):
            lines.append(f"{kind} = [{_number(width)}, {_number(height)}]")
    if calibration.corners:
        lines += ["", "[corners]  # loose corner markers: middle in mm, turn in degrees clockwise"]
        for number, spot in sorted(calibration.corners.items()):
            lines.append(f"{number} = [{', '.join(map(_number, spot))}]")
    return "\n".join(lines) + "\n"


def _triple(values: Any) -> tuple[float, float, float]:
    x, y, z = values
    return float(x), float(y), float(z)


def _read(data: Mapping[str, Any]) -> Calibration:
    lens, pose, exposure = data["lens"], data["pose"], data.get("exposure", {})
    gains = exposure.get("colour_gains")
    return Calibration(
        Lens(float(lens["focal"]), float(lens["k1"]), float(lens["k2"])),
        Pose(_triple(pose["rotation"]), _triple(pose["translation"])),
        float(data.get("error", 0.0)),
        Exposure(
            exposure.get("exposure_us"),
            exposure.get("gain"),
            (float(gains[0]), float(gains[1])) if gains is not None else None,
            exposure.get("lens_position"),
        ),
        {
            name: Box(float(box["x"]), float(box["y"]), float(box["turn"]), float(box.get("cell", 0.0)))
            for name, box in data.get("boxes", {}).items()
        },
        {name: (float(size[0]), float(size[1])) for name, size in data.get("pieces", {}).items()},
        {int(number): _triple(spot) for number, spot in data.get("corners", {}).items()},
    )
