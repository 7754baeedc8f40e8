"""The table plane made exact by single features: what one piece shows of it is little, what all show together is much.

Gauss-Newton over the plane alone; where each piece lies is projected out, as in Golub and Pereyra, "The differentiation of pseudo-inverses
and nonlinear least squares problems whose variables separate" (1973).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.reading.ground import Ground
from vision.reading.voting import Comparisons, Doubles, Placed

STEADY = 5
"""A piece with fewer features than these says nothing about the plane."""
SPOT = 0.015
"""How far features usually are from where they belong, sides of a piece."""
LOOSE = np.array([0.1, 0.1, 0.1, 0.03, 0.03])
"""How far the plane may be from what it is taken to be: size, stretch, shear (shares), horizon (share per side of a piece)."""
ROUNDS = 3


def levelled(ground: Ground, seen: Comparisons, pieces: Sequence[Placed]) -> Ground:
    """The plane in which the features of all pieces lie best; ``seen`` and ``pieces`` are in the coordinates of ``ground``. About 2 ms."""
    steady = [piece for piece in pieces if len(piece.which) >= STEADY]
    if not steady:
        return ground
    points = [np.asarray(seen.seen[piece.which], np.float64) for piece in steady]
    faces = [_laid(piece, seen) for piece in steady]
    weights = [seen.weights[piece.which].astype(np.float64) for piece in steady]
    middle = np.concatenate(points).mean(0)
    total = np.zeros(5)
    for _ in range(ROUNDS):
        square = np.diag(1 / LOOSE**2)
        against = -total / LOOSE**2
        for point, face, weight in zip(points, faces, weights, strict=True):
            moved, slopes = _bent(point - middle, total)
            off, slopes = _free(moved, face, slopes, weight)
            held = np.sqrt(weight / (1 + (off * off).sum(1) / (3 * SPOT) ** 2)) / SPOT
            off, slopes = off * held[:, None], slopes * held[:, None, None]
            square += np.einsum("iak,ial->kl", slopes, slopes)
            against -= np.einsum("iak,ia->k", slopes, off)
        total = total + np.linalg.solve(square, against)
    there = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    to_plane = _bend(total) @ there @ ground.to_plane
    return replace(ground, to_plane=to_plane, to_photo=np.linalg.inv(to_plane))


def _laid(piece: Placed, seen: Comparisons) -> Doubles:
    """The piece's features (n, 2) on its face, at the size that it has in the plane, around their own middle."""
    face = np.asarray(seen.face[piece.which], np.float64)
    return np.asarray(face * np.exp(float(np.median(seen.sides[piece.which]))))


def _bend(numbers: Doubles) -> Doubles:
    """The homography (3, 3) of size, stretch, shear and horizon; nothing for zeros."""
    size, stretch, shear, across, down = numbers
    affine = np.array([[np.exp(size + stretch), shear, 0], [shear, np.exp(size - stretch), 0], [0, 0, 1]])
    return np.asarray(affine @ np.array([[1, 0, 0], [0, 1, 0], [across, down, 1]]))


def _bent(points: Doubles, numbers: Doubles) -> tuple[Doubles, Doubles]:
    """(points (n, 2) after the homography of the numbers, their slopes (n, 2, 5))."""

    def through(these: Doubles) -> Doubles:
        bend = _bend(these)
        lifted = points @ bend[:, :2].T + bend[:, 2]
        return np.asarray(lifted[:, :2] / lifted[:, 2:])

    at = through(numbers)
    step = 1e-5
    return at, np.stack([(through(numbers + step * one) - at) / step for one in np.eye(5)], -1)


def _free(moved: Doubles, face: Doubles, slopes: Doubles, weight: Doubles) -> tuple[Doubles, Doubles]:
    """(how far each feature is off (n, 2), slopes (n, 2, 5)) with what shifting and turning the piece could change taken out."""
    share = weight / weight.sum()
    flat = face - share @ face
    centred = moved - share @ moved
    along = float((share * (flat * centred).sum(1)).sum())
    across = float((share * (flat[:, 0] * centred[:, 1] - flat[:, 1] * centred[:, 0])).sum())
    length = max(float(np.hypot(along, across)), 1e-12)
    laid = flat @ (np.array([[along, across], [-across, along]]) / length)
    off = centred - laid
    level = slopes - np.einsum("i,iak->ak", share, slopes)
    around = np.stack([-laid[:, 1], laid[:, 0]], 1)
    norm = float((share * (around * around).sum(1)).sum()) + 1e-12
    turning = np.einsum("i,ia,iak->k", share, around, level) / norm
    off = off - around * (float((share * (around * off).sum(1)).sum()) / norm)
    return off, level - around[:, :, None] * turning
