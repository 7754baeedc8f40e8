"""Comparing what is seen with the gallery: many hypotheses at once, each as one row of one matrix.

Everything is compared in log brightness, where light is a term that is added. Each comparison fits the contrast of the reference,
a smooth field of light (a polynomial of second degree) and the small shift and turn that are left, all linear for small
ones (Lucas & Kanade 1981; the light as in Hager & Belhumeur, PAMI 20, 1998). What counts is the part of the
variation that the reference explains, and how much more it explains than the next label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Kind, Layout
from vision.plane import Picture

Array = NDArray[np.float32]
Index = NDArray[np.intp]

FINE = 2.0
"""Pixels per millimetre at which labels are told apart."""
COARSE = 1.0
"""Pixels per millimetre at which they are proposed."""
AT_ONCE = 60_000
"""Pixels compared at once: enough to be one matrix, little enough to stay in the processor's cache."""
LIFT = 10.0
"""Added before the logarithm, so that noise in the dark does not count as contrast."""


def log_light(picture: Picture) -> Array:
    """Log brightness of a BGR picture, float32 (H, W)."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(LIFT))
    return np.asarray(table[grey], np.float32)


@lru_cache(maxsize=16)
def light_basis(width: int, height: int) -> Array:
    """Orthonormal polynomials of second degree over a picture: (height * width, 6)."""
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    x, y = across.ravel(), down.ravel()
    columns = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    return np.asarray(np.linalg.qr(columns)[0], np.float32)


def flattened(rows: Array, basis: Array) -> Array:
    """Rows (N, D) without their smooth light."""
    return np.asarray(rows - (rows @ basis) @ basis.T, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """What the parts of one kind of piece can show.

    ``labels`` (n) are (part, label). ``design`` (n, D, 10) holds for each the reference, the light basis, and its derivatives
    by x, y (per px) and turn (per radian) at FINE px per mm; ``solve`` (n, 10, D) is its pseudo-inverse.
    ``stack`` (n, h, w) are the references themselves, log brightness.
    """

    kind: Kind
    labels: tuple[tuple[int, str], ...]
    size: tuple[int, int]
    offsets: Array
    design: Array
    solve: Array
    stack: Array
    contrast: float
    """The least variation (root mean square of log brightness) that a part of this kind has."""

    @classmethod
    def of(cls, layout: Layout, kind: Kind, pictures: Mapping[str, Picture], px_per_mm: float) -> Bank:
        """Cut each face into its parts and average the parts that bear one label."""
        heaps: dict[tuple[int, str], list[Array]] = {}
        parts = len(kind.parts)
        width, height = round(kind.width * FINE), round(kind.height / parts * FINE)
        for face in layout.faces:
            if face.kind != kind.name:
                continue
            whole = pictures[face.identity]
            blurred = cv2.GaussianBlur(whole, (0, 0), 0.45 * px_per_mm / FINE + 0.2)
            tall = cv2.resize(blurred, (width, height * parts), interpolation=cv2.INTER_AREA)
            light = log_light(np.asarray(tall, np.uint8))
            for part, label in enumerate(face.labels):
                heaps.setdefault((part, label), []).append(light[part * height : (part + 1) * height])
        labels = tuple(sorted(heaps))
        stack = np.stack([np.mean(heaps[label], axis=0) for label in labels])
        return cls._built(kind, labels, stack.astype(np.float32))

    @classmethod
    def _built(cls, kind: Kind, labels: tuple[tuple[int, str], ...], stack: Array) -> Bank:
        count, height, width = stack.shape
        offsets = grid(width, height)
        basis = light_basis(width, height)
        right, down = np.gradient(stack, axis=2), np.gradient(stack, axis=1)
        x, y = offsets[:, 0].reshape(height, width), offsets[:, 1].reshape(height, width)
        turn = down * x - right * y
        flat = flattened(stack.reshape(count, -1), basis)
        columns = [flat] + [np.broadcast_to(column, flat.shape) for column in basis.T]
        columns += [slope.reshape(count, -1) for slope in (right, down, turn)]
        design = np.empty((count, height * width, len(columns)), np.float32)
        for at, column in enumerate(columns):
            design[..., at] = column
        # The normal equations, in double precision: a tenth of the time of a pseudo-inverse, and these are well conditioned. One after
        # the other: all of them at once are the most memory that is needed while eyes are made.
        solve = np.empty((count, len(columns), height * width), np.float32)
        for at, one in enumerate(design):
            across = one.astype(np.float64).T
            solve[at] = np.linalg.solve(across @ across.T, across)
        contrast = float(np.sqrt(np.mean(flat**2, axis=1)).min())
        return cls(kind, labels, (width, height), offsets, design, solve, stack, contrast)

    def proposals(self, turns: Sequence[float], side: tuple[int, int]) -> Array:
        """The references turned by each of ``turns`` (degrees), cut to ``side`` (width, height) px at COARSE px per mm.

        (turns * n, side) rows of unit length without smooth light, all labels of the first turn first.
        """
        step = FINE / COARSE
        soft = [cv2.GaussianBlur(one, (0, 0), step / 2) for one in self.stack]
        middle = np.array([(self.size[0] - 1) / 2, (self.size[1] - 1) / 2])
        poses = np.array([[*middle, -np.radians(turn)] for turn in turns], np.float32)
        cut = grid(*side) * np.float32(step)
        rows = np.stack([sample(np.asarray(one, np.float32), poses, cut) for one in soft], axis=1)
        flat = flattened(rows.reshape(-1, rows.shape[2]), light_basis(*side))
        return np.asarray(flat / np.linalg.norm(flat, axis=1, keepdims=True), np.float32)


def grid(width: int, height: int) -> Array:
    """Offsets of a picture's pixels from its centre, (height * width, 2) px."""
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    return np.column_stack([x.ravel(), y.ravel()]).astype(np.float32)


def sample(light: Array, poses: Array, offsets: Array) -> Array:
    """Light (H, W) read at offsets (D, 2) laid at poses (N, 3) of x px, y px, turn in radians clockwise: (N, D)."""
    cos, sin = np.cos(poses[:, 2:3]), np.sin(poses[:, 2:3])
    x = poses[:, 0:1] + cos * offsets[:, 0] - sin * offsets[:, 1]
    y = poses[:, 1:2] + sin * offsets[:, 0] + cos * offsets[:, 1]
    rows = [
        cv2.remap(
            light, x[at : at + 8192], y[at : at + 8192], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        for at in range(0, len(x), 8192)
    ]
    return np.asarray(np.concatenate(rows) if rows else np.zeros((0, len(offsets))), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How well references fit where they were laid: poses (N, 3) px and radians, the correlation (N,), the contrast relative to the
    reference (N,), and the root mean square of what was seen (N,)."""

    poses: Array
    alike: Array
    gain: Array
    variation: Array


def fit(
    light: Array, bank: Bank, which: Index, poses: Array, weights: Array | None = None, rounds: int = 3
) -> Fit:
    """Align reference ``which[i]`` near pose i and compare. ``weights`` (N, D), 0-1, say what can be seen.

    A shift of more than 3 px or a turn of more than 6 degrees from the start is not followed.
    """
    at_once = max(1, AT_ONCE // len(bank.offsets))
    if len(which) > at_once:
        parts = [
            fit(
                light,
                bank,
                which[low : low + at_once],
                poses[low : low + at_once],
                None if weights is None else weights[low : low + at_once],
                rounds,
            )
            for low in range(0, len(which), at_once)
        ]
        return Fit(
            np.concatenate([part.poses for part in parts]),
            np.concatenate([part.alike for part in parts]),
            np.concatenate([part.gain for part in parts]),
            np.concatenate([part.variation for part in parts]),
        )
    start = poses
    poses = poses.astype(np.float32).copy()
    design, solve = bank.design[which], bank.solve[which]
    limit = np.array([3.0, 3.0, np.radians(6.0)], np.float32)
    filled: Array | None = None
    for turn in range(rounds + 1):
        seen = sample(light, poses, bank.offsets)
        if weights is not None:
            # What cannot be seen is taken to be as the fit says (expectation maximisation).
            guess = filled if filled is not None else np.mean(seen, axis=1, keepdims=True)
            seen = weights * seen + (1 - weights) * guess
        factors = np.matmul(solve, seen[..., None])[..., 0]
        model = np.matmul(design, factors[..., None])[..., 0]
        if weights is not None:
            filled = model
        if turn == rounds:
            break
        gain = np.maximum(factors[:, 0:1], 0.15)
        step = np.clip(-factors[:, 7:10] / gain, -limit / 2, limit / 2)
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        poses[:, 0] += cos * step[:, 0] - sin * step[:, 1]
        poses[:, 1] += sin * step[:, 0] + cos * step[:, 1]
        poses[:, 2] += step[:, 2]
        poses = np.clip(poses, start - limit, start + limit).astype(np.float32)
    smooth = np.matmul(design[:, :, 1:7], factors[:, 1:7, None])[..., 0]
    weight = weights if weights is not None else np.float32(1.0)
    pattern = design[:, :, 0]
    left = weight * (seen - smooth)
    total = np.sum(weight * np.ones_like(seen), axis=1)
    power = np.sum(left * left, axis=1)
    alike = np.sum(left * pattern * weight, axis=1) / np.sqrt(
        np.maximum(power * np.sum(weight * pattern * pattern, axis=1), 1e-9)
    )
    variation = np.sqrt(power / np.maximum(total, 1.0))
    return Fit(poses, alike.astype(np.float32), factors[:, 0], variation.astype(np.float32))


def separation(best: float, second: float) -> float:
    """How much better the best correlation explains what is seen than the second: the log ratio of what each leaves unexplained."""
    left = max(1e-4, 1 - max(best, 0.0) ** 2)
    right = max(1e-4, 1 - max(second, 0.0) ** 2)
    return float(np.log(right / left))


@dataclass(frozen=True, slots=True)
class Guess:
    """One label that a part may show: the part, the label, turn (degrees), pose on the table (mm), and how well it fits."""

    part: int
    label: str
    turn: float
    x: float
    y: float
    alike: float
    gain: float


def ranked(guesses: Sequence[Guess]) -> tuple[Guess, ...]:
    """Best first."""
    return tuple(sorted(guesses, key=lambda guess: -guess.alike))
