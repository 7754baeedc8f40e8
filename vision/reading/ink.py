"""Ink: whether the light that print takes from the paper is, place by place, what the face takes.

Blur moves light about and takes none away: smoothed in linear light, a stroke that the lens has spread still counts for what it is, so a
digit, a symbol or a filling that is another is seen however soft the photo is. What light and camera do to all of a piece is modelled as in
`tones` (a smooth light, a contrast, a little of the other channels, a slight curve: Bayesian linear regression, robust) and taken out, then
what shadows and glare with an edge leave in all channels alike (a wide median). What is left is held against what the last half pixel of
alignment, grain and print may leave, and against how much is left everywhere: a near-twin differs in one place and fits everywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.detail import strongest
from vision.network.model import HEIGHT, WIDTH
from vision.reading.compare import Array
from vision.reading.tones import design as toned

_SOFT = 1.0
"""Smoothing on top of the halving, px of 120 x 80."""
_DARK = 0.004
"""Linear light (1: full) below which nothing is told apart."""
_WHITE = 0.8
_LIGHT = (3.0, 0.5, 0.5, 0.3, 0.3, 0.3)
_CAMERA = (0.35, 0.1, 0.1, 0.1)
"""Deviations, log level, of a piece's light (level, slopes, curves) and of the camera (contrast, the two other channels, curve)."""
_OPEN = (1.0, 0.05, 0.05, 0.05)
"""The same where the contrast alone is asked for."""
_CHANNELS, _BELIEF = 0.12, 2
"""By how much cameras set the contrasts of channels apart, and as how many pieces of a photo that counts."""
_PRINT, _FURTHEST = 0.05, 0.3
"""By how much print does, and the most that a piece's channels may teach."""
_BASE, _SLOPE, _DEEP = 0.025, 0.3, 0.15
"""Log level by which a place may be off: anywhere; by the slope there, per px; by how deep its ink is."""
_RIM, _EDGE = 4, 2
"""Px beside the border that say nothing; and that are not even looked at."""
_FIT, _STEP = 6, 2
"""Every sixth place fits the light, every second is looked at."""
_WIDE = 15
"""Places across which a shadow is taken to reach."""
_USUAL = 0.4
"""What three quarters of the places of a piece that fits are off by at most."""
_OVER, _MOST_OVER = 1.5, 0.12
"""Deviations from which a place may belong to what reaches in from beyond the border; share of a face that such things may take."""
_LEAST_THING, _SOLID = 0.012, 0.7
"""Share of a face that a thing takes at least, more than a digit of a near-twin does; share of its hull that it fills."""
_FOREIGN, _INKS = 0.05, 300
"""Log level by which a thing's colour is none of the face's; so many places show the face's."""
_PRINTED = 0.25
"""Log level by which the face is other around a thing than under it, where it is print of another colour."""
_BURNT = 250
_ROUNDS = 5


@lru_cache(maxsize=1)
def _linear() -> Array:
    return np.asarray((np.arange(256) / 255.0) ** 2, np.float32)


@lru_cache(maxsize=1)
def _places() -> tuple[Array, Array]:
    """(120, 80) each: -1 to 1 across and down."""
    across, down = np.meshgrid(
        np.linspace(-1, 1, WIDTH, dtype=np.float32), np.linspace(-1, 1, HEIGHT, dtype=np.float32)
    )
    return across, down


def _light(picture: NDArray[np.uint8]) -> Array:
    """Linear light (120, 80, 3) of a picture (240, 160, 3), smoothed."""
    half = cv2.resize(cv2.LUT(picture, _linear()), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(half, (0, 0), _SOFT) + np.float32(_DARK), np.float32)


def _logs(light: Array) -> Array:
    return np.asarray(cv2.log(light) * np.float32(0.5), np.float32)


def _steep(logs: Array) -> Array:
    slopes = [cv2.Sobel(logs, cv2.CV_32F, 1 - axis, axis, ksize=3, scale=1 / 8) for axis in (0, 1)]
    return strongest(np.asarray(cv2.magnitude(*slopes), np.float32))


def _grain(crop: NDArray[np.uint8]) -> float:
    """Deviation of what is finer than print, level of 1."""
    grey = np.asarray(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)[::2], np.uint8)
    fine = cv2.absdiff(grey, cv2.blur(grey, (3, 3)))
    return float(np.bincount(fine.ravel(), minlength=256).cumsum().searchsorted(fine.size / 2)) * 1.5 / 255


def _design(face: Array, across: Array, down: Array) -> Array:
    """Design (3, n, 10) for log levels (n, 3) of a face at places (n,)."""
    return toned(face, across, down, ((face + np.float32(0.5)) ** 2).mean(1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """By which share (log level) the ink of a piece is deeper than the face's, by channel: ``mean`` (3,), ``variance`` (3,)."""

    mean: Array
    variance: Array

    def spread(self, between: float) -> tuple[float, float]:
        """(how far the channels are apart, deviations; variance of what they have apart beyond their own), when cameras set channels apart
        by a variance of ``between``."""
        weight = 1 / (self.variance + np.float32(between))
        off = weight * (self.mean - (weight * self.mean).sum() / weight.sum()) ** 2
        beyond = float((off.sum() - (weight * self.variance).sum()) / weight.sum())
        return float(np.sqrt(off.sum() / 2)), min(max(beyond, 0.0), _FURTHEST**2)


UNKNOWN = Contrast(np.zeros(3, np.float32), np.full(3, 1e3, np.float32))


def discoloured(own: Contrast, others: Sequence[Contrast]) -> float:
    """By how many deviations the ink's channels are further apart than a camera sets them: ink of another colour. What is usual is learnt
    from the ``others`` in the same photo; references in another light set channels apart in all of them."""
    shown = [other.spread(_PRINT**2)[1] for other in others]
    return own.spread((_BELIEF * _CHANNELS**2 + sum(shown)) / (_BELIEF + len(shown)))[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Log levels (120, 80, 3) of a crop and of its face, what of it counts (120, 80), and the variance (120, 80) that print, grain and
    alignment leave there."""

    shown: Array
    face: Array
    counts: NDArray[np.uint8]
    variance: Array

    def fitted(self) -> tuple[Array, Contrast]:
        """What light and camera have made of the face (3, 10), and the contrast when nothing is expected of it."""
        at = (slice(_STEP, None, _FIT), slice(_STEP, None, _FIT))
        across, down = (axis[at].ravel() for axis in _places())
        face = self.face[at].reshape(-1, 3)
        design = _design(face, across, down)
        target = np.asarray((self.shown[at].reshape(-1, 3) - face).T, np.float32)
        counts = self.counts[at].ravel() > 0
        half = np.count_nonzero(counts) // 2
        weight = counts / self.variance[at].ravel() / 2
        prior, loose = (
            np.diag(1 / np.square(np.array([*_LIGHT, *camera], np.float32))) for camera in (_CAMERA, _OPEN)
        )
        trust = np.ones_like(target)
        model = np.zeros((3, 10), np.float32)
        for _ in range(_ROUNDS):
            weighted = design * (weight * trust)[..., None]
            normal = weighted.transpose(0, 2, 1) @ design
            right = (weighted * target[..., None]).sum(1)[..., None]
            model = np.asarray(np.linalg.solve(normal + prior, right)[..., 0], np.float32)
            left = np.abs(target - (design @ model[..., None])[..., 0])
            middle = np.partition(left[:, counts], half, axis=1)[:, [half]]
            trust = np.asarray(1 / (1 + (left / np.maximum(0.03, 2 * middle)) ** 2), np.float32)
        inverse = np.linalg.inv(normal + loose)
        mean, variance = (inverse @ right)[:, 6, 0], inverse[:, 6, 6]
        known = np.maximum(1 / variance - 1 / _OPEN[0] ** 2, 1e-3)
        return model, Contrast(
            np.asarray(mean / variance / known, np.float32), np.asarray(1 / known, np.float32)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Off:
    """``cells`` (30, 20): by how many deviations each cell is off, up to about 2 for the true face; 0 beside the border, where the face cannot be
    seen, and where something lies on it. ``over`` (30, 20): where something lies on it that reaches in from beyond its border."""

    cells: Array
    over: NDArray[np.bool_]
    contrast: Contrast

    @property
    def near(self) -> NDArray[np.bool_]:
        """``over`` and the cells beside it, which its shadow may reach."""
        return np.asarray(
            cv2.dilate(np.asarray(self.over, np.uint8), np.ones((3, 3), np.uint8)) > 0, np.bool_
        )


def apart(crop: NDArray[np.uint8], laid: NDArray[np.uint8], visible: Array) -> Off:
    """How far the ink is off. ``crop`` and the face laid on it as of `vision.network.detail.fitted` (240, 160, 3); ``visible`` (15, 10):
    what of the face can be seen."""
    light = _light(crop)
    shown, face = _logs(light), np.asarray(_logs(_light(laid)) - np.log(_WHITE), np.float32)
    seen = cv2.erode(np.asarray(visible > 0.6, np.uint8), np.ones((3, 3), np.uint8))
    counts = np.zeros((HEIGHT, WIDTH), np.uint8)
    inner = (slice(_EDGE, -_EDGE), slice(_EDGE, -_EDGE))
    counts[inner] = cv2.resize(seen, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)[inner]
    cells = np.zeros((HEIGHT // 4, WIDTH // 4), np.float32)
    over = np.zeros(cells.shape, np.bool_)
    at = (slice(_EDGE, -_EDGE, _STEP), slice(_EDGE, -_EDGE, _STEP))
    there = counts[at] > 0
    fits = np.zeros_like(counts)
    fits[_RIM:-_RIM, _RIM:-_RIM] = counts[_RIM:-_RIM, _RIM:-_RIM]
    if not fits[_STEP::_FIT, _STEP::_FIT].any():
        return Off(cells, over, UNKNOWN)
    grain = _grain(crop) / np.maximum(np.sqrt(cv2.transform(light, np.full((1, 3), 1 / 3))), 0.06)
    variance = np.asarray(_BASE**2 + (_SLOPE * _steep(face)) ** 2 + grain**2, np.float32)
    model, contrast = _Pair(shown, face, fits, variance).fitted()
    across, down = (axis[at].ravel() for axis in _places())
    own = face[at]
    made = (_design(own.reshape(-1, 3), across, down) @ model[..., None])[..., 0].T.reshape(own.shape)
    left = np.asarray(shown[at] - own - made, np.float32)
    burnt = cv2.resize(
        np.asarray(crop >= _BURNT, np.uint8) * 255, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA
    )
    left[(burnt[at] > 100) & (left < 0)] = 0
    left[~there] = 0
    broad = _in_common(left)
    off = np.minimum(np.abs(left), np.abs(left - broad))
    deep = np.percentile(own[there], 90, axis=0) - own
    bounds = variance[at] + (_DEEP * np.maximum(strongest(np.asarray(deep, np.float32)), 0)) ** 2
    worst = strongest(np.asarray(off, np.float32)) / np.sqrt(bounds + broad[..., 0] ** 2) * there
    worst /= max(1.0, float(np.percentile(worst[1:-1, 1:-1][there[1:-1, 1:-1]], 75)) / _USUAL)
    outside = _reaching_in(worst > _OVER, ~there)
    lit = (_design(np.zeros_like(own).reshape(-1, 3), across, down) @ model[..., None])[..., 0].T
    lit = lit.reshape(own.shape)
    outside |= _standing(worst > _OVER, shown[at] - lit, own + made - lit)
    worst[outside] = 0
    # Two of a cell's four places have to agree.
    four = np.stack([worst[1:-1, 1:-1][row::2, column::2] for row in (0, 1) for column in (0, 1)])
    # A thick piece's side, an edge that is a little off reach into the cells beside the border.
    cells[2:-2, 2:-2] = np.partition(four, 2, axis=0)[2][1:-1, 1:-1]
    over[1:-1, 1:-1] = np.any(
        [outside[1:-1, 1:-1][row::2, column::2] for row in (0, 1) for column in (0, 1)], axis=0
    )
    return Off(cells, over, contrast)


def _reaching_in(odd: NDArray[np.bool_], hidden: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the odd places (h, w) hang together with the border or with what is hidden; none if they are too many."""
    _, labels = cv2.connectedComponents(np.asarray(odd | hidden, np.uint8), connectivity=4)
    border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1], labels[hidden]])
    outside = np.isin(labels, border[border > 0]) & ~hidden
    return outside if outside.mean() < _MOST_OVER else np.zeros_like(odd)


def _standing(odd: NDArray[np.bool_], shown: Array, face: Array) -> NDArray[np.bool_]:
    """Which of the odd places (h, w) a thing hides that stands on the piece: they are many, without gaps, no part of what is printed, and
    of a colour that is nowhere on the face. ``shown``, ``face`` (h, w, 3): log levels in one light."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(odd, np.uint8), connectivity=4)
    found = np.zeros_like(odd)
    inks = face.reshape(-1, 3)[:: max(1, odd.size // _INKS)]
    for label in range(1, count):
        size = int(stats[label, cv2.CC_STAT_AREA])
        if not _LEAST_THING < size / odd.size < _MOST_OVER:
            continue
        here = labels == label
        hull = cv2.fillConvexPoly(
            np.zeros(odd.shape, np.uint8), cv2.convexHull(np.argwhere(here)[:, ::-1].astype(np.int32)), 1
        )
        if size < _SOLID * np.count_nonzero(hull):
            continue
        around = (cv2.dilate(hull, np.ones((5, 5), np.uint8)) > 0) & (hull == 0)
        printed = np.abs(np.median(face[here], 0) - np.median(face[around], 0)).max() > _PRINTED
        if not printed and np.median(np.abs(shown[here][:, None] - inks).max(2).min(1)) > _FOREIGN:
            found |= here
    return found


def _in_common(left: Array) -> Array:
    """(h, w, 1) of what is left (h, w, 3): what all channels share over wide places, as shadows and glare do."""
    low, high = left.min(2), left.max(2)
    common = np.where(low > 0, low, np.where(high < 0, high, 0))
    levels = np.asarray(np.clip(common * 250 + 128, 0, 255), np.uint8)
    wide = np.asarray(cv2.medianBlur(levels, _WIDE), np.float32)[..., None]
    return np.asarray((wide - 128) / 250, np.float32)
