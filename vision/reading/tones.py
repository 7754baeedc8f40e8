"""Tones: whether every plain part of a face has the tone that light and camera would give it, judged by the rest of the face.

A shade differs by less than lamps and cameras do, but these treat all tones of a piece alike: log brightness of the photo is modelled as a
smooth light plus a contrast, a little of the other channels and a slight curve (Bayesian linear regression with what cameras are known to do
for a prior). A part's tone is foretold from all the others', with the variance that this leaves; what the photo's sure pieces have shown
makes the prior narrower.
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

Mask = NDArray[np.bool_]

_LIFT = 10.0
_LIGHT = (3.0, 0.5, 0.5, 0.3, 0.3, 0.3)
"""Deviations of a piece's light: level, slopes, curves."""
_CAMERA = (0.2, 0.08, 0.08, 0.1)
"""Deviations of contrast, of what comes from the two other channels, of the curve: between any two cameras, lamps, prints."""
_SAME_PHOTO = (0.05, 0.03, 0.03, 0.03)
"""The same within one photo."""
_PIXEL = 0.06**2
"""Variance of log brightness that print and alignment leave."""
_PART = 0.02**2
_ALONE = 24.0
"""Px (of 240 x 160) that err together."""
_STEP = 3
"""Every third place of 120 x 80 is looked at for the whole; parts are looked at wholly."""
_FLAT = 18
_SMALLEST = 10
_LEAST_TOGETHER = 30
_ONE_COLOUR = 20
_MOST = 14
_BURNT = 250
_FEWEST = 2
"""Other sure pieces from which a photo's tone is learnt."""
_SAMPLES = 150
"""Px of a part that are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is expected of contrast, other channels and curve: ``mean`` (3, 10) by channel, ``precision`` (10,), light included."""

    mean: Array
    precision: Array


def _prior(camera: Sequence[float], mean: Array | None = None) -> Prior:
    spread = np.array([*_LIGHT, *camera], np.float32)
    return Prior(
        np.zeros((3, 10), np.float32) if mean is None else mean, np.asarray(1 / spread**2, np.float32)
    )


UNKNOWN = _prior(_CAMERA)


@dataclass(frozen=True, slots=True, eq=False)
class Tones:
    """One piece's tones: ``design`` (3, n, 10) and ``target`` (3, n) of the model at n places, ``weight`` (3, n) how far each is believed,
    ``part`` (n,) in which part it lies or beside which (0: none); ``shown``: for each part its number, its places' design (3, m, 10) and
    target (3, m), px it has, and the variance (3,) that grain leaves of its mean."""

    design: Array
    target: Array
    weight: Array
    part: NDArray[np.uint8]
    shown: tuple[tuple[int, Array, Array, int, Array], ...]

    def off(self, prior: Prior = UNKNOWN) -> float:
        """By how many deviations the worst part's tone is not what the others foretell; 0 when there is no part to tell by."""
        weighted = self.design * self.weight[..., None]
        normal = weighted.transpose(0, 2, 1) @ self.design + np.diag(prior.precision)
        right = (weighted * self.target[..., None]).sum(1) + prior.mean * prior.precision
        worst = 0.0
        for number, design, target, size, grain in self.shown:
            own = self.part == number
            there = weighted[:, own]
            less = normal - there.transpose(0, 2, 1) @ self.design[:, own]
            inverse = np.linalg.inv(less)
            model = (inverse @ (right - (there * self.target[:, own, None]).sum(1))[..., None])[..., 0]
            left = target - (design @ model[..., None])[..., 0]
            mean = design.mean(1)
            foretold = ((mean[:, None] @ inverse)[:, 0] * mean).sum(1)
            known = min(max(size / 60, 1), 6)
            variance = foretold + _PIXEL / known + _PART + left.var(1) / max(1.0, size / 60) + grain
            worst = max(worst, float(np.sqrt((left.mean(1) ** 2 / variance).mean())))
        return worst

    def camera(self) -> tuple[Array, Array]:
        """What the piece alone says of contrast, other channels and curve: mean (3, 4) and covariance (3, 4, 4), its light left open."""
        weighted = self.design * self.weight[..., None]
        loose = UNKNOWN.precision.copy()
        loose[6:] *= 0.01
        normal = weighted.transpose(0, 2, 1) @ self.design + np.diag(loose)
        inverse = np.linalg.inv(normal)
        mean = (inverse @ (weighted * self.target[..., None]).sum(1)[..., None])[:, 6:, 0]
        return np.asarray(mean, np.float32), np.asarray(inverse[:, 6:, 6:], np.float32)


def of_photo(others: Sequence[tuple[Array, Array]]) -> Prior:
    """What to expect of a piece when that much is known (`Tones.camera`) of other sure pieces in its photo."""
    if len(others) < _FEWEST:
        return UNKNOWN
    between = np.diag(np.square(np.array(_SAME_PHOTO, np.float32)))
    total = np.tile(np.diag(UNKNOWN.precision[6:]), (3, 1, 1))
    sums = np.zeros((3, 4), np.float32)
    for mean, covariance in others:
        precision = np.linalg.inv(covariance + between)
        total = total + precision
        sums += (precision @ mean[..., None])[..., 0]
    pooled = np.zeros((3, 10), np.float32)
    pooled[:, 6:] = np.linalg.solve(total, sums[..., None])[..., 0]
    return _prior(_SAME_PHOTO, pooled)


def parts(face: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The plain parts of a face (240, 160, 3), numbered from 1 where they are, 0 elsewhere; what has one colour is one part."""
    soft = cv2.GaussianBlur(face, (0, 0), 0.8)
    square = np.ones((5, 5), np.uint8)
    spread = cv2.subtract(cv2.dilate(soft, square), cv2.erode(soft, square)).max(2)
    flat = np.zeros(spread.shape, np.uint8)
    flat[6:-6, 6:-6] = spread[6:-6, 6:-6] < _FLAT
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    groups: list[tuple[Array, Mask]] = []
    for label in np.argsort(-stats[1:, cv2.CC_STAT_AREA]) + 1:
        if stats[label, cv2.CC_STAT_AREA] < _SMALLEST:
            break
        here = labels == label
        colour = np.asarray(soft[here].mean(0), np.float32)
        like = [mask for other, mask in groups if np.abs(other - colour).max() < _ONE_COLOUR]
        if like:
            like[0] |= here
        else:
            groups.append((colour, here))
    out = np.zeros(flat.shape, np.uint8)
    large = [mask for _, mask in groups if np.count_nonzero(mask) >= _LEAST_TOGETHER]
    for number, mask in enumerate(large[:_MOST], 1):
        out[mask] = number
    return out


@lru_cache(maxsize=1)
def _places() -> tuple[Array, Array]:
    """(240, 160) each: -1 to 1 across and down."""
    across, down = np.meshgrid(
        np.linspace(-1, 1, 2 * WIDTH, dtype=np.float32), np.linspace(-1, 1, 2 * HEIGHT, dtype=np.float32)
    )
    return across, down


def _model(face: Array, x: Array, y: Array) -> Array:
    """Design (3, n, 10) for log tones (n, 3) of a face at places (n,)."""
    return design(face, x, y, face.mean(1, keepdims=True) ** 2)


def design(face: Array, x: Array, y: Array, curve: Array) -> Array:
    """What a photo's light and camera may make of a face, for each channel (3, n, 10): a light of second degree, the channel itself, how the
    two others differ from it, and a ``curve`` (n, 1) of the tones. ``face``: log levels (n, 3) at places (n,)."""
    light = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1)
    channels = []
    for channel in range(3):
        own = face[:, [channel]]
        others = face[:, [(channel + 1) % 3, (channel + 2) % 3]] - own
        channels.append(np.concatenate([light, own, others, curve], 1))
    return np.asarray(np.stack(channels), np.float32)


def tones(
    crop: NDArray[np.uint8], laid: NDArray[np.uint8], numbered: NDArray[np.uint8], visible: Array
) -> Tones:
    """The tones of an aligned crop against those of the face laid on it, all (240, 160, 3); ``numbered`` as of `parts`; ``visible``
    (15, 10): what of the face can be seen."""
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(_LIFT))
    softened = [cv2.GaussianBlur(picture, (0, 0), 1.2) for picture in (crop, laid)]
    is_open = cv2.resize(
        np.asarray(visible > 0.6, np.uint8), crop.shape[1::-1], interpolation=cv2.INTER_NEAREST
    ) * np.asarray(strongest(crop) < _BURNT, np.uint8)
    is_open[:8] = is_open[-8:] = 0
    is_open[:, :8] = is_open[:, -8:] = 0
    steep = strongest(cv2.morphologyEx(softened[1], cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)))
    across, down = _places()
    places = slice(_STEP, None, 2 * _STEP), slice(_STEP, None, 2 * _STEP)

    def of(where: tuple[slice, slice] | tuple[NDArray[np.intp], ...]) -> tuple[Array, Array]:
        shown, face = (table[picture[where]].reshape(-1, 3) for picture in softened)
        face = face - np.float32(4.2)
        return _model(face, across[where].ravel(), down[where].ravel()), np.asarray(
            (shown - face).T, np.float32
        )

    design, target = of(places)
    beside = cv2.dilate(numbered, np.ones((5, 5), np.uint8))[places].ravel()
    believed = (is_open[places] / (1 + (steep[places] / np.float32(24)) ** 2)).ravel().astype(np.float32)
    weight = _trust(design, target, believed)
    shown = []
    for number in range(1, int(numbered.max()) + 1):
        whole = numbered == number
        rows, columns = np.nonzero(whole & (is_open > 0))
        if len(rows) < 0.5 * np.count_nonzero(whole) or len(rows) < _SMALLEST:
            continue
        some = slice(None, None, max(1, len(rows) // _SAMPLES))
        its_design, its_target = of((rows[some], columns[some]))
        level = np.exp(its_target.mean(1) + its_design[:, :, 6].mean(1))
        shown.append((number, its_design, its_target, len(rows), np.asarray((4 / level) ** 2, np.float32)))
    return Tones(design, target, weight, np.asarray(beside, np.uint8), tuple(shown))


def _trust(design: Array, target: Array, believed: Array) -> Array:
    """(3, n) weights: what the model does not explain counts little."""
    scale = np.float32((2 * _STEP) ** 2 / (_PIXEL * 4 * _ALONE))
    trust = np.ones_like(target)
    prior = np.diag(UNKNOWN.precision)
    clear = believed > 0.3
    for _ in range(4):
        weighted = design * (believed * trust * scale)[..., None]
        normal = weighted.transpose(0, 2, 1) @ design + prior
        model = np.linalg.solve(normal, (weighted * target[..., None]).sum(1)[..., None])
        left = np.abs(target - (design @ model)[..., 0])
        middle = np.median(left[:, clear], 1, keepdims=True) if clear.any() else np.full((3, 1), 0.07)
        trust = 1 / (1 + (left / np.maximum(0.03, 1.5 * middle)) ** 2)
    return np.asarray(believed * trust * scale, np.float32)
