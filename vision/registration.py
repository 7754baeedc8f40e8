"""What the faces of one group have in common - frames, borders, a printed ground - lays them on each other more exactly than their edges.

A mean picture of all others is the reference; each face is moved and turned onto it (Lucas and Kanade 1981), what it alone shows counts for
little (iteratively reweighted least squares). Faces that have nothing in common stay where their edges put them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture
from vision.seat import FINE, Seat

Array = NDArray[np.float32]

INSET = 0.5
"""mm of the face's edge that are left out: shadow and ground reach in there."""
SOFT = (0.7, 0.35)
"""mm of blur, coarse to fine; samples are as far apart."""
ROUNDS = 4
REACH = (1.6, 1.6, 7.0)
"""mm, mm and degrees by which a face may be moved from where its edges put it."""
SHARED = 0.55
"""Correlation with the others (what it alone shows counted less) from which a face has enough in common with them."""
FEWEST = 3
"""Faces that make a common picture."""


def registered(views: Sequence[Picture], seats: Sequence[Seat]) -> list[Seat]:
    """The seats, laid on each other. ``views``: BGR uint8 at ``seat.FINE`` px per mm. Their mean place in the views stays what it was."""
    if len(seats) < FEWEST:
        return list(seats)
    width, height = seats[0].width - 2 * INSET, seats[0].height - 2 * INSET
    start = np.array([(seat.x, seat.y, seat.turn) for seat in seats])
    poses = start.copy()
    for soft in SOFT:
        light = [_light(view, soft) for view in views]
        grid = _Grid.of(width, height, soft)
        for _ in range(ROUNDS):
            seen = np.stack([_sampled(one, pose, grid) for one, pose in zip(light, poses, strict=True)])
            means = (seen.sum(axis=0) - seen) / (len(poses) - 1)
            moved = poses.copy()
            for index in range(len(poses)):
                step, shared = _step(seen[index], means[index], grid)
                if shared >= SHARED:
                    moved[index] = np.clip(poses[index] + step, start[index] - REACH, start[index] + REACH)
            # The others move too: less than a whole step keeps them from running past each other.
            poses = poses + 0.7 * (moved - poses)
    changed = np.abs(poses - start).max(axis=1) > 1e-9
    if changed.sum() >= FEWEST:
        # What they have in common says nothing of where it lies on a face: that is what their edges say on the whole.
        poses[changed] -= np.median((poses - start)[changed], axis=0)
    return [
        replace(seat, x=float(x), y=float(y), turn=float(turn))
        for seat, (x, y, turn) in zip(seats, poses, strict=True)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Grid:
    """Where a face is sampled: places (rows * columns, 2) mm from its middle, ``step`` mm apart, and an orthonormal basis (n, 3) of
    their mean and slopes."""

    rows: int
    columns: int
    step: float
    places: Array
    basis: Array

    @classmethod
    def of(cls, width: float, height: float, step: float) -> _Grid:
        columns, rows = round(width / step), round(height / step)
        u, v = np.meshgrid(
            (np.arange(columns) - (columns - 1) / 2) * step, (np.arange(rows) - (rows - 1) / 2) * step
        )
        places = np.stack([u.ravel(), v.ravel()], axis=1).astype(np.float32)
        basis = np.linalg.qr(np.column_stack([np.ones(len(places)), places]))[0]
        return cls(rows, columns, step, places, np.asarray(basis, np.float32))


def _light(view: Picture, soft: float) -> Array:
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(np.log(cv2.GaussianBlur(grey, (0, 0), soft * FINE) + 10.0), np.float32)


def _sampled(light: Array, pose: NDArray[np.float64], grid: _Grid) -> Array:
    """A face as it lies at ``pose`` (mm, mm, degrees) in its view: a row of values without their mean and slope."""
    cos, sin = np.cos(np.radians(pose[2])), np.sin(np.radians(pose[2]))
    u, v = grid.places[:, 0], grid.places[:, 1]
    x = (cos * u - sin * v + pose[0]) * FINE + (light.shape[1] - 1) / 2
    y = (sin * u + cos * v + pose[1]) * FINE + (light.shape[0] - 1) / 2
    shape = (grid.rows, grid.columns)
    seen = cv2.remap(
        light,
        x.astype(np.float32).reshape(shape),
        y.astype(np.float32).reshape(shape),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).ravel()
    return np.asarray(seen - grid.basis @ (grid.basis.T @ seen), np.float32)


def _step(seen: Array, mean: Array, grid: _Grid) -> tuple[NDArray[np.float64], float]:
    """The move (mm, mm, degrees) of a face's pose that brings it nearer to the mean of the others, and how much they share."""
    slopes = np.gradient(mean.reshape(grid.rows, grid.columns), grid.step)
    down, right = slopes[0].ravel(), slopes[1].ravel()
    turn = (down * grid.places[:, 0] - right * grid.places[:, 1]) * np.float32(np.pi / 180)
    design = np.stack([right, down, turn, mean], axis=1).astype(np.float32)
    weight: Array = np.ones(len(seen), np.float32)
    factors: NDArray[np.float64] = np.zeros(4)
    for _ in range(3):
        weighed = design * weight[:, None]
        normal = (weighed.T @ design).astype(np.float64) + np.diag([1e-3, 1e-3, 1e-5, 1e-3])
        factors = np.asarray(np.linalg.solve(normal, (weighed.T @ seen).astype(np.float64)), np.float64)
        off = np.abs(seen - design @ factors.astype(np.float32))
        scale = max(1.4 * float(np.median(off)), 0.02)
        weight = np.asarray(1 / (1 + (off / np.float32(2 * scale)) ** 2), np.float32)
    shared = float(
        (weight * seen * mean).sum()
        / np.sqrt(max(float((weight * seen**2).sum() * (weight * mean**2).sum()), 1e-9))
    )
    # A face that seems moved by some way against the others lies at a pose that is too far the other way.
    step = -factors[:3] / max(float(factors[3]), 0.3)
    cap = np.array([0.5, 0.5, 1.5])
    return np.clip(step, -cap, cap), shared
