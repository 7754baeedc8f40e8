"""The table as a plane, learnt from pieces that are sure: all lie in it, and those of a group have one size.

Only what a plane and sizes leave open up to scale is estimated: where its horizon is (two numbers) and how it is foreshortened (two),
as in the metric rectification of Liebowitz and Zisserman, "Metric rectification for perspective images of planes" (CVPR 1998), here
by robust least squares over whole rectangles. One piece is enough; every further one makes it better.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad

Doubles = NDArray[np.float64]
Complex = NDArray[np.complex128]
Sure = tuple[Quad, float, Hashable]
"""A piece that is known: its quad (4, 2) px from the face's top left, width / height of its face, and the group whose size it has."""

SPREAD = 0.01
"""How far corners of a sure piece usually are from where they belong, as a share of its side."""
ASPECT_SPREAD = 0.02
"""How far the shape of an enrolled picture may be from its piece's, as a share."""
FOCAL, FOCAL_SPREAD = 0.85, 0.35
"""Focal length of cameras people have, in long sides of the picture, and its spread (natural logarithm)."""
VIEW_SPREAD = 0.03
"""How far a photo may be from what a camera without lens faults sees that looks through its middle (photos are cropped)."""
FIRST, DESCENTS = 6, 3
"""From so many pieces, the largest, the search for the plane may begin; so many of them are tried until one leads somewhere."""
AGREED = 0.08
"""A piece agrees with the plane when its worst corner is less than this from where it belongs, share of the side."""


def rectangle(aspect: float | Doubles) -> Complex:
    """Corners (..., 4) of an upright rectangle of area 1 around 0, from the top left, clockwise: x + iy."""
    width = np.sqrt(np.asarray(aspect, np.float64))
    height = 1 / width
    half = np.stack(
        [-width - 1j * height, width - 1j * height, width + 1j * height, -width + 1j * height], -1
    )
    return np.asarray(half / 2)


def mapped(homography: Doubles, points: Doubles) -> Doubles:
    """Points (..., 2) through a homography (3, 3); points behind the horizon come out far away."""
    lifted = points @ homography[:, :2].T + homography[:, 2]
    depth = lifted[..., 2:]
    return np.asarray(lifted[..., :2] / np.where(np.abs(depth) < 1e-9, 1e-9, depth))


def _shape(numbers: Doubles) -> Doubles:
    """The homography (3, 3) of a plane: foreshortening and horizon, everything a similarity could change left out."""
    stretch, shear, across, down = numbers[:4]
    affine = np.array([[np.exp(stretch), shear, 0], [0, np.exp(-stretch), 0], [0, 0, 1]])
    return np.asarray(affine @ np.array([[1, 0, 0], [0, 1, 0], [across, down, 1]]))


def _numbers(homography: Doubles) -> Doubles | None:
    """The four numbers of ``_shape`` for a homography; None when the origin lies on or behind its horizon."""
    if abs(homography[2, 2]) < 1e-9:
        return None
    homography = homography / homography[2, 2]
    across, down = homography[2, :2]
    affine = (homography @ np.linalg.inv(np.array([[1, 0, 0], [0, 1, 0], [across, down, 1.0]])))[:2, :2]
    if np.linalg.det(affine) <= 1e-12:
        return None
    upper = np.linalg.cholesky(affine.T @ affine).T
    upper = upper / np.sqrt(upper[0, 0] * upper[1, 1])
    return np.array([np.log(upper[0, 0]), upper[0, 1], across, down])


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A quad against the plane: the group whose piece lies there best, that piece's aspect as the quad's corners go round, how far the
    worst corner is off (share of the mean side), and the quad of exactly that size at that place."""

    group: Hashable
    aspect: float
    residual: float
    quad: Quad


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """The plane. ``to_plane`` and ``to_photo`` (3, 3): px of the photo to lengths in the plane and back; one unit is the square root of
    the area of a piece of the first group. ``sizes``: square root of a piece's area, by group; ``aspects``: width / height of its faces,
    by group; ``error``: how far corners of the sure pieces are off, median, share of the side; ``pieces``: how many agreed.
    """

    to_plane: Doubles
    to_photo: Doubles
    sizes: Mapping[Hashable, float]
    aspects: Mapping[Hashable, tuple[float, ...]]
    error: float
    pieces: int

    @classmethod
    def of(cls, sure: Sequence[Sure], size: tuple[int, int] | None = None) -> Ground | None:
        """The plane in which the sure pieces lie; None when there are none, or none that can be seen from above.

        ``size`` (width, height) of the photo lets the plane be held to what cameras can see, which matters when pieces are few or
        small. Pieces that do not agree with the others are let go.
        """
        usable = [(quad, aspect, group) for quad, aspect, group in sure if cv2.contourArea(quad, True) > 1.0]
        if not usable:
            return None
        return _Search.of(usable, size).ground()

    def in_plane(self, points: NDArray[np.floating]) -> Doubles:
        """(..., 2) px of the photo to the plane."""
        return mapped(self.to_plane, np.asarray(points, np.float64))

    def in_photo(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """(..., 2) in the plane to px of the photo."""
        return mapped(self.to_photo, np.asarray(points, np.float64)).astype(np.float32)

    def kinds(self) -> list[tuple[Hashable, float]]:
        """Every different size a piece may have: its group and aspect, lying and standing alike one kind."""
        found: list[tuple[Hashable, float]] = []
        for group, aspects in self.aspects.items():
            for aspect in aspects:
                upright = min(aspect, 1 / aspect)
                if not any(
                    abs(np.log(upright / other)) < 0.06
                    and abs(np.log(self.sizes[group] / self.sizes[known])) < 0.03
                    for known, other in found
                ):
                    found.append((group, upright))
        return found

    def quad_at(self, x: float, y: float, turn: float, aspect: float, group: Hashable) -> Quad:
        """The quad (4, 2) px of a piece with its middle at (x, y) in the plane, turned clockwise by ``turn`` degrees."""
        placed = rectangle(aspect) * self.sizes[group] * np.exp(1j * np.radians(turn)) + complex(x, y)
        return self.in_photo(np.stack([placed.real, placed.imag], -1))

    def fit(self, quad: Quad, aspect: float | None = None, group: Hashable | None = None) -> Fit:
        """The piece that would lie best where a quad is; its aspect and group are searched unless given."""
        groups = list(self.sizes) if group is None else [group]
        best: Fit | None = None
        corners = self.in_plane(quad)
        seen = corners[:, 0] + 1j * corners[:, 1]
        middle = seen.mean()
        for name in groups:
            known = self.aspects[name] if aspect is None else (aspect,)
            both = [way for one in known for way in ((one, 1 / one) if aspect is None else (one,))]
            for shape in both:
                flat = rectangle(shape) * self.sizes[name]
                turn = np.vdot(flat, seen - middle)
                placed = flat * turn / max(abs(turn), 1e-12) + middle
                off = float(np.abs(seen - placed).max() / self.sizes[name])
                if best is None or off < best.residual:
                    best = Fit(name, shape, off, self.in_photo(np.stack([placed.real, placed.imag], -1)))
        if best is None:
            raise ValueError("a ground without pieces has no sizes")
        return best

    def residual(self, quad: Quad, aspect: float | None = None, group: Hashable | None = None) -> float:
        """How far the worst corner of a quad is from a piece of the right size in this plane, as a share of the piece's side. Sure pieces
        stay below about 0.05; something else of any size, or not lying in the plane, is far above."""
        return self.fit(quad, aspect, group).residual

    def before_horizon(self, points: NDArray[np.floating]) -> NDArray[np.bool_]:
        """(...): which px of the photo show the table, not what is above its horizon."""
        return np.asarray(np.asarray(points, np.float64) @ self.to_plane[2, :2] + self.to_plane[2, 2] > 1e-6)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The numbers of the plane, searched in coordinates around the middle of the sure pieces, ``reach`` px long."""

    corners: Doubles
    flats: Complex
    lying: NDArray[np.bool_]
    groups: NDArray[np.int64]
    names: tuple[Hashable, ...]
    aspects: Doubles
    middle: Doubles
    reach: float
    centre: Doubles | None
    long_side: float

    @classmethod
    def of(cls, sure: Sequence[Sure], size: tuple[int, int] | None) -> _Search:
        corners = np.stack([quad for quad, _, _ in sure]).astype(np.float64)
        names = tuple(dict.fromkeys(group for _, _, group in sure))
        aspects = np.array([aspect for _, aspect, _ in sure])
        middle = corners.mean((0, 1))
        reach = float(np.abs(corners - middle).max())
        centre = None
        if size is not None:
            centre = (np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]) - middle) / reach
        return cls(
            (corners - middle) / reach,
            rectangle(aspects),
            aspects > 1,
            np.array([names.index(group) for _, _, group in sure]),
            names,
            aspects,
            middle,
            reach,
            centre,
            max(size or (1, 1)) / reach,
        )

    def placed(self, numbers: Doubles) -> tuple[Complex, Complex, Doubles, NDArray[np.bool_]]:
        """The corners in the plane and where rectangles of their groups' sizes would have them, both (n, 4); sizes by group; and which
        pieces lie before the horizon."""
        shape = _shape(numbers)
        before = ((self.corners @ shape[2, :2] + shape[2, 2]) > 0.02).all(-1)
        plane = mapped(shape, self.corners)
        seen = plane[..., 0] + 1j * plane[..., 1]
        # Stretched one way or the other: a standing and a lying picture of one piece are cut alike.
        swell = np.exp(np.where(self.lying, -1, 1) * numbers[4] / 2)[:, None]
        flats = self.flats.real * swell + 1j * self.flats.imag / swell
        middle = seen.mean(-1, keepdims=True)
        turn = (np.conj(flats) * (seen - middle)).sum(-1) / (np.abs(flats) ** 2).sum(-1)
        own = np.maximum(np.abs(turn), 1e-9)
        sizes = np.array(
            [
                np.exp(np.median(np.log(own[(self.groups == index) & before])))
                if ((self.groups == index) & before).any()
                else 1.0
                for index in range(len(self.names))
            ]
        )
        return seen, flats * (turn / own * sizes[self.groups])[:, None] + middle, sizes, before

    def residuals(self, numbers: Doubles) -> tuple[Doubles, Doubles]:
        """Of pieces (n, 8) and of what is expected of any view (m,), each in its own spread."""
        seen, fitted, sizes, before = self.placed(numbers)
        off = (seen - fitted) / sizes[self.groups][:, None] / SPREAD
        off = np.where(before[:, None], off, 1e3)
        expected = [numbers[4] / ASPECT_SPREAD]
        if self.centre is not None:
            expected.extend(self._view(numbers))
        return np.concatenate([off.real, off.imag], -1), np.asarray(expected)

    def _view(self, numbers: Doubles) -> list[float]:
        """What a camera with square pixels that looks through the middle of its picture would see of a plane: Zhang, "A flexible new
        technique for camera calibration" (2000), its two constraints, with the focal length as one more number."""
        assert self.centre is not None
        focal = self.long_side * FOCAL * np.exp(numbers[5])
        shift = np.array([[1, 0, -self.centre[0]], [0, 1, -self.centre[1]], [0, 0, focal]]) / focal
        columns = shift @ np.linalg.inv(_shape(numbers))
        one, two = columns[:, 0], columns[:, 1]
        total = one @ one + two @ two
        return [
            2 * (one @ two) / total / VIEW_SPREAD,
            (one @ one - two @ two) / total / VIEW_SPREAD,
            numbers[5] / FOCAL_SPREAD,
        ]

    def starts(self) -> list[Doubles]:
        """The plane as each of the largest pieces alone would have it."""
        flat = [np.stack([one.real, one.imag], -1) for one in self.flats]
        sizes = [abs(cv2.contourArea(quad.astype(np.float32))) for quad in self.corners]
        found: list[Doubles] = []
        for index in np.argsort(sizes)[::-1][:FIRST]:
            alone = cv2.getPerspectiveTransform(
                self.corners[index].astype(np.float32), flat[index].astype(np.float32)
            )
            numbers = _numbers(np.asarray(alone, np.float64))
            if numbers is not None:
                found.append(np.concatenate([numbers, [0.0, 0.0]]))
        found.append(np.zeros(6))
        return found

    def cost(self, numbers: Doubles) -> float:
        pieces, expected = self.residuals(numbers)
        worst = (pieces**2).mean(-1)
        return float(np.log1p(worst / 9).sum() * 9 + (expected**2).sum())

    def ground(self) -> Ground | None:
        for start in sorted(self.starts(), key=self.cost)[:DESCENTS]:
            best = _descended(start, self.residuals, self.cost)
            seen, fitted, sizes, before = self.placed(best)
            off = np.abs(seen - fitted).max(-1) / sizes[self.groups]
            agreed = before & (off < AGREED)
            if agreed.any():
                break
        else:
            return None
        normal = np.array(
            [
                [1 / self.reach, 0, -self.middle[0] / self.reach],
                [0, 1 / self.reach, -self.middle[1] / self.reach],
                [0, 0, 1],
            ]
        )
        unit = sizes[0]
        to_plane = np.diag([1 / unit, 1 / unit, 1.0]) @ _shape(best) @ normal
        swell = np.exp(np.where(self.lying, -1, 1) * best[4])
        aspects = self.aspects * swell
        return Ground(
            to_plane,
            np.linalg.inv(to_plane),
            {name: float(sizes[index] / unit) for index, name in enumerate(self.names)},
            {
                name: _different(aspects[(self.groups == index) & before])
                for index, name in enumerate(self.names)
            },
            float(np.median(off[agreed])),
            int(agreed.sum()),
        )


def _different(aspects: Doubles) -> tuple[float, ...]:
    """Aspects that are not within 4 % of another."""
    found: list[float] = []
    for aspect in sorted(aspects):
        if not found or np.log(aspect / found[-1]) > 0.04:
            found.append(float(aspect))
    return tuple(found)


def _descended(
    numbers: Doubles,
    residuals: Callable[[Doubles], tuple[Doubles, Doubles]],
    cost: Callable[[Doubles], float],
) -> Doubles:
    """Levenberg's and Marquardt's way down, pieces that do not agree weighing less (Cauchy)."""
    damping, now = 1e-2, cost(numbers)
    for _ in range(25):
        pieces, expected = residuals(numbers)
        weights = np.sqrt(1 / (1 + (pieces**2).mean(-1) / 9))[:, None]
        start = np.concatenate([(pieces * weights).ravel(), expected])
        slopes = np.empty((len(start), len(numbers)))
        for index in range(len(numbers)):
            moved = numbers.copy()
            moved[index] += 1e-5
            one, other = residuals(moved)
            slopes[:, index] = (np.concatenate([(one * weights).ravel(), other]) - start) / 1e-5
        normal, pull = slopes.T @ slopes, slopes.T @ start
        better = False
        for _ in range(6):
            trial = numbers - np.linalg.solve(
                normal + damping * np.diag(np.diag(normal)) + 1e-9 * np.eye(len(pull)), pull
            )
            value = cost(trial)
            if value < now:
                better = now - value > 1e-3 * now + 1e-3
                numbers, now, damping = trial, value, max(damping / 5, 1e-7)
                break
            damping *= 5
        if not better:
            break
    return numbers
