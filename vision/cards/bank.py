"""The cards of one kind as they are compared: every face in brightness and colour, at three scales.

A face is compared in the logarithm of brightness and in how red and how blue it is against green, so that light is a term that is added
and another lamp's colour a constant (as in ``vision.changes``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Kind, Layout
from vision.changes import features
from vision.compare import Array, grid
from vision.plane import Picture

FINE = 2.0
"""Pixels per mm at which faces are told apart."""
MIDDLE = 1.0
"""Pixels per mm at which they are aligned."""
ROUGH = 0.5
"""Pixels per mm at which places are looked at first."""
SCALES = (FINE, MIDDLE, ROUGH)
DEGREES = (6, 3, 3)
"""How many terms of light are taken out of brightness, red and blue."""
KEPT = 1_000_000
"""So many bytes of the faces' designs are kept at each scale: those of four faces, or of all."""


@dataclass(frozen=True, slots=True, eq=False)
class Lit:
    """What ranking asks of the light alone where a card can be seen. ``light`` (h * w, 6) its terms, weighted; ``solve`` by their number
    the inverse (k, k) of their products; ``power`` by channel the faces' weighted squares (2 n)."""

    light: Array
    solve: Mapping[int, NDArray[np.float64]]
    power: tuple[Array, ...]

    @classmethod
    def of(cls, light: Array, squares: Array, weights: Array) -> Lit:
        total, lit = float(weights.sum()), light * weights[:, None]
        solve: dict[int, NDArray[np.float64]] = {}
        for terms in set(DEGREES):
            normal = lit[:, :terms].astype(np.float64).T @ light[:, :terms]
            solve[terms] = np.asarray(np.linalg.inv(normal + np.eye(terms) * 1e-4 * total))
        return cls(lit, solve, tuple(weights @ one for one in squares))


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """All faces at one scale: ``pictures`` (n, h, w, 3) uint8 BGR, and ``means`` (n, 3) of their features; ``across`` (w) and ``down`` (h) mm
    from the card's middle; ``light`` (h * w, 6) polynomials of second degree over the card, in [-1, 1]; ``size`` (w, h) px.

    ``both`` (3, h * w, 2 n) are the same faces by channel, first upright, then turned round; ``squares`` their squares, ``whole`` the light
    on a card that nothing covers.
    """

    scale: float
    size: tuple[int, int]
    pictures: NDArray[np.uint8]
    means: Array
    across: NDArray[np.float64]
    down: NDArray[np.float64]
    light: Array
    both: Array
    squares: Array
    whole: Lit
    designs: dict[tuple[int, bool], Array] = field(default_factory=dict)

    @classmethod
    def of(cls, pictures: list[Picture], kind: Kind, px_per_mm: float, scale: float, ranked: bool) -> Sheet:
        """``ranked``: whether all faces are to be compared at once at this scale."""
        width, height = round(kind.width * scale), round(kind.height * scale)
        small = np.empty((len(pictures), height, width, 3), np.uint8)
        means = np.empty((len(pictures), 3), np.float32)
        for row, whole in enumerate(pictures):
            blurred = cv2.GaussianBlur(whole, (0, 0), 0.45 * px_per_mm / scale + 0.2)
            small[row] = cv2.resize(blurred, (width, height), interpolation=cv2.INTER_AREA)
            means[row] = features(small[row]).reshape(-1, 3).mean(axis=0)
        offsets = grid(width, height) / np.float32(scale)
        x, y = offsets[:, 0] / (kind.width / 2), offsets[:, 1] / (kind.height / 2)
        light = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y]).astype(np.float32)
        faces = _about_means(small, means, range(len(small) if ranked else 0))
        two = np.concatenate([faces, faces[..., ::-1]])
        both = np.ascontiguousarray(two.transpose(1, 2, 0))
        squares = both * both
        uncovered = Lit.of(light, squares, np.ones(len(light), np.float32))
        exact = offsets.astype(np.float32).astype(np.float64)
        across, down = exact[:width, 0].copy(), exact[::width, 1].copy()
        return cls(scale, (width, height), small, means, across, down, light, both, squares, uncovered)

    def faces(self, rows: Sequence[int]) -> Array:
        """The features of some faces, (len(rows), 3, h * w) float32, each channel about its mean. They are made when they are asked for: those
        of a whole deck are four times as large as its pictures, and few are ever looked at closely."""
        return _about_means(self.pictures, self.means, rows)

    def design(self, row: int, sized: bool) -> Array:
        """How the brightness of a face changes with (h * w, ...) how strong it is, a mm to the right, a mm down, a radian, ``sized``: its
        size, and the terms of light."""
        known = self.designs.get((row, sized))
        if known is not None:
            return known
        width, height = self.size
        face = self.faces([row])[0, 0].reshape(height, width)
        right = np.asarray(np.gradient(face, axis=1)).ravel() * np.float32(self.scale)
        down = np.asarray(np.gradient(face, axis=0)).ravel() * np.float32(self.scale)
        u = np.tile(self.across.astype(np.float32), height)
        v = np.repeat(self.down.astype(np.float32), width)
        columns = [face.ravel(), right, down, down * u - right * v]
        if sized:
            columns.append(right * u + down * v)
        fresh = np.column_stack([*columns, self.light])
        if (len(self.designs) + 1) * fresh.nbytes > KEPT and self.designs:
            del self.designs[next(iter(self.designs))]
        self.designs[row, sized] = fresh
        return fresh


def _about_means(pictures: NDArray[np.uint8], means: Array, rows: Sequence[int]) -> Array:
    made = np.empty((len(rows), 3, pictures.shape[1] * pictures.shape[2]), np.float32)
    for at, row in enumerate(rows):
        made[at] = (features(pictures[row]).reshape(-1, 3) - means[row]).T
    return made


@dataclass(frozen=True, slots=True, eq=False)
class CardBank:
    """The faces of one kind of card: ``identities`` (n) in the order of the rows of each sheet."""

    kind: Kind
    identities: tuple[str, ...]
    sheets: Mapping[float, Sheet]

    @classmethod
    def of(cls, layout: Layout, kind: Kind, pictures: Mapping[str, Picture], px_per_mm: float) -> CardBank:
        """The faces of a kind, from pictures (BGR uint8) at ``px_per_mm``."""
        names = tuple(face.identity for face in layout.faces if face.kind == kind.name)
        mine = [pictures[name] for name in names]
        sheets = {scale: Sheet.of(mine, kind, px_per_mm, scale, scale == ROUGH) for scale in SCALES}
        return cls(kind, names, sheets)

    def outline(self, pose: NDArray[np.float64], spare: float = 0.0) -> NDArray[np.float64]:
        """The corners (4, 2) mm of a card that lies at ``pose`` (x, y mm, turn radians clockwise, size), from the face's top left."""
        x, y, turn, size = pose
        w, h = self.kind.width / 2 * size + spare, self.kind.height / 2 * size + spare
        local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
        cos, sin = np.cos(turn), np.sin(turn)
        return np.asarray(local @ np.array([[cos, sin], [-sin, cos]]) + (x, y))
