"""The small part in which a near-twin differs: a digit, a symbol, a tone. Looked for at twice the other networks' resolution.

The face is first made as sharp as the photo and laid on it by smoothed optical flow (T. Kroeger et al., "Fast Optical Flow using Dense
Inverse Search", ECCV 2016), so that what is left between the two is print, light and noise, or another face. What is left is
measured in 30 x 20 cells in ways that light does not reach, and a very small network says of each, by its neighbours and the whole, whether
it shows something else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.model import (
    COLUMNS,
    HEIGHT,
    HOME,
    ROWS,
    WIDTH,
    Array,
    Crops,
    load,
    pair_planes,
    per_thread,
    run,
)

FINE_WIDTH, FINE_HEIGHT = 2 * WIDTH, 2 * HEIGHT
"""Size of a crop and of a face here, px."""
FINE_COLUMNS, FINE_ROWS = 2 * COLUMNS, 2 * ROWS
_SHARPNESS = (0.6, 1.1, 1.7, 2.5, 3.5, 4.8)
"""Smoothing (px) by which a face may have to become like the photo."""
_STIFF = np.diag(np.array([0.4, 0.8, 0.8, 3, 3, 3], np.float32))
"""Weight, in well seen places, of "nothing is bent" against the flow, by degree."""
_BENDS = 2
"""Times that flow is asked for at most, each from where the last has left the face."""
_OPEN = 0.5
"""Share of a cell that must be seen for it to have a say."""
_FURTHEST = 7.0
_LIFT = 10.0


@per_thread
def _tools() -> tuple[Any, Array, Array]:
    across, down = np.meshgrid(np.arange(WIDTH, dtype=np.float32), np.arange(HEIGHT, dtype=np.float32))
    return cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM), across, down


@lru_cache(maxsize=1)
def _bend() -> tuple[Array, Array]:
    """Polynomials of second degree at every fourth place (600, 6) and everywhere (9600, 6), each about 1 in size."""
    down, across = np.meshgrid(np.linspace(-1, 1, HEIGHT), np.linspace(-1, 1, WIDTH), indexing="ij")
    full = np.stack([np.ones_like(across), across, down, across**2, across * down, down**2], 2).astype(
        np.float32
    )
    return full[2::4, 2::4].reshape(-1, 6), full.reshape(-1, 6)


def _fine(picture: NDArray[np.uint8]) -> Array:
    """Log brightness (240, 160) of a picture in colour or in grey, without its broad part."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    logs = np.asarray(cv2.log(grey.astype(np.float32) + _LIFT), np.float32)
    return np.asarray(logs - cv2.blur(cv2.blur(logs, (21, 21)), (21, 21)), np.float32)


def fitted(
    crop: NDArray[np.uint8], face: NDArray[np.uint8], visible: Array | None = None
) -> NDArray[np.uint8]:
    """A face as sharp as the crop and bent smoothly onto it: all (240, 160, 3) BGR. ``visible`` (15, 10): what of the face can be seen, all of
    it when None; other parts have no say."""
    seen, half = _fine(crop), (WIDTH, HEIGHT)
    soft = np.asarray(cv2.GaussianBlur(face, (0, 0), _SHARPNESS[2]), np.uint8)
    counts = np.asarray((np.ones((1, 1)) if visible is None else visible) > _OPEN, np.float32)
    wide = np.asarray(cv2.resize(counts, crop.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.float32)
    shift = _shift(
        *(
            np.asarray(cv2.resize(part, half, interpolation=cv2.INTER_AREA), np.float32)
            for part in (seen, _fine(soft), wide)
        )
    )
    seen *= wide
    across, down = (
        np.asarray(
            cv2.resize(2 * axis, (FINE_WIDTH, FINE_HEIGHT), interpolation=cv2.INTER_LINEAR), np.float32
        )
        for axis in shift
    )
    across += np.arange(FINE_WIDTH, dtype=np.float32)[None]
    down += np.arange(FINE_HEIGHT, dtype=np.float32)[:, None]
    laid = np.asarray(
        cv2.remap(face, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    grey = np.asarray(cv2.cvtColor(laid, cv2.COLOR_BGR2GRAY), np.uint8)
    best, sharpness = np.inf, _SHARPNESS[0]
    for sigma in _SHARPNESS:
        own = wide * _fine(np.asarray(cv2.GaussianBlur(grey, (0, 0), sigma), np.uint8))
        both, alone = cv2.sumElems(cv2.multiply(seen, own))[0], cv2.sumElems(cv2.multiply(own, own))[0]
        left = float(cv2.norm(seen, own * np.float32(both / (alone + 1e-3)), cv2.NORM_L2SQR))
        if left >= best:
            # Softer still would be further off.
            break
        best, sharpness = left, sigma
    return np.asarray(cv2.GaussianBlur(laid, (0, 0), sharpness), np.uint8)


def _shift(seen: Array, own: Array, counts: Array) -> tuple[Array, Array]:
    """By how much (px at half size) each place of the face has to be looked up elsewhere to lie on the crop: a polynomial of second
    degree, which holds what corners that are off and a bent card do, fitted to the flow where there is something to see and it ``counts``
    (120, 80). What flows otherwise than the rest counts little (Holland & Welsch 1977)."""
    flow, across, down = _tools()
    basis, whole = _bend()

    def plain(logs: Array) -> NDArray[np.uint8]:
        return np.asarray(np.clip(logs * 110 + 128, 0, 255), np.uint8)

    def fit(moved: Array) -> float:
        there = moved * counts
        return float(cv2.sumElems(cv2.multiply(seen, there))[0] / (cv2.norm(there) + 1e-3))

    target, moved, best = plain(seen), own, fit(own)
    bend = np.zeros((basis.shape[1], 2), np.float32)
    x = y = np.zeros_like(own)
    for _ in range(_BENDS):
        found = np.asarray(flow.calc(target, plain(moved), None), np.float32)
        texture = cv2.blur(moved * moved, (9, 9))[2::4, 2::4].reshape(-1, 1)
        steps = found[2::4, 2::4].reshape(-1, 2)
        trust = counts[2::4, 2::4].reshape(-1, 1) * texture / (texture + np.float32(0.004))
        weight = trust
        step = np.zeros_like(bend)
        for _ in range(4):
            weighted = basis * weight
            step = np.linalg.solve(weighted.T @ basis + _STIFF, weighted.T @ steps)
            off = np.linalg.norm(steps - basis @ step, axis=1, keepdims=True)
            spread = max(0.25, 1.5 * float(np.median(off[trust > 0.2])) if (trust > 0.2).any() else 0.25)
            weight = trust / (1 + (off / spread) ** 2)
        bend = bend + step
        across_by, down_by = (
            np.clip(whole @ bend[:, axis], -_FURTHEST, _FURTHEST).reshape(own.shape) for axis in (0, 1)
        )
        moved = np.asarray(
            cv2.remap(
                own, across + across_by, down + down_by, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
            ),
            np.float32,
        )
        # In haze and noise flow runs away; what looks less alike than before is not believed.
        if fit(moved) <= best:
            break
        x, y, best = across_by, down_by, fit(moved)
    return x, y


@per_thread
def _shipped() -> Any:
    return load(HOME / "detail.onnx")


def differing(crops: Crops, laid: Crops) -> Array:
    """Log odds (n, 30, 20) that a cell of a crop shows something else than the face that was `fitted` to it, both (n, 240, 160, 3)."""
    out = np.zeros((len(crops), FINE_ROWS, FINE_COLUMNS), np.float32)
    # One at a time: many together are not quicker and need the room of a photo.
    for row, (crop, face) in enumerate(zip(crops, laid, strict=True)):
        planes = pair_planes(crop[None], face[None])
        (odd,) = run(_shipped(), {"planes": planes, "measured": left(crop, face, planes[0])[None]}, ("odd",))
        out[row] = odd[0, 0]
    return out


MEASURES = 33
"""What is measured of a cell: 25 things of its own, 8 of the whole piece."""
_CELL = 8
_SHIFTS = ((0.0, 0.0), (0.0, 1.5), (0.0, -1.5), (1.5, 0.0), (-1.5, 0.0))
"""Px by which a window may still be off."""


def left(crop: NDArray[np.uint8], laid: NDArray[np.uint8], planes: Array) -> Array:
    """(33, 30, 20): what is left between a crop and the face laid on it when light and contrast are taken out; how steep both are there; how
    unlike their windows are, shifts allowed; what these are in the whole piece."""
    flat, even = (np.ascontiguousarray(planes[at : at + 3].transpose(1, 2, 0)) for at in (6, 9))
    soft = _soft(even, 1.3)
    odd, broad, grain = (strongest(np.abs(part)) for part in (soft, _soft(flat, 1.3), even - soft))
    shown, own = _soft(planes[0:3].mean(0), 1.3), _soft(planes[3:6].mean(0), 0.8)
    slopes = [_slope(part) for part in (own, shown)]
    inks = np.max([_slope(np.ascontiguousarray(ink)) for ink in planes[3:6]], 0)
    of_cell = [_highest(odd), _average(odd), _highest(broad), _average(broad)]
    of_cell += [
        _average(np.ascontiguousarray(part[..., channel])) for part in (flat, even) for channel in range(3)
    ]
    of_cell.append(_average(grain))
    of_cell += [measure(slope) for slope in slopes for measure in (_average, _highest)]
    of_cell += [_highest(inks), *_windows(shown, own), _average(shown), _average(own)]
    of_cell.append(_average(np.asarray(strongest(255 - crop) <= 5, np.float32)))
    cells = np.stack(of_cell).astype(np.float32)
    common = np.median(cells[[0, 1, 3, 10, 16, 18]].reshape(6, -1), 1)
    high = np.percentile(cells[[1, 3]].reshape(2, -1), 85, axis=1)
    whole = np.broadcast_to(np.concatenate([common, high])[:, None, None], (8, FINE_ROWS, FINE_COLUMNS))
    return np.concatenate([cells, whole]).astype(np.float32)


def _soft(field: Array, sigma: float) -> Array:
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)


def _highest(field: Array) -> Array:
    rows = field.reshape(FINE_ROWS, _CELL, -1).max(1)
    return np.asarray(rows.reshape(FINE_ROWS, FINE_COLUMNS, _CELL).max(2), np.float32)


def strongest(field: NDArray[Any]) -> NDArray[Any]:
    """The largest of three channels (h, w, 3): OpenCV is many times as quick at it as NumPy."""
    one, two, three = cv2.split(field)
    return np.asarray(cv2.max(cv2.max(one, two), three))


def _average(field: Array) -> Array:
    return np.asarray(cv2.resize(field, (FINE_COLUMNS, FINE_ROWS), interpolation=cv2.INTER_AREA), np.float32)


def _slope(field: Array) -> Array:
    across = cv2.Sobel(field, cv2.CV_32F, 1, 0, ksize=3, scale=0.25)
    down = cv2.Sobel(field, cv2.CV_32F, 0, 1, ksize=3, scale=0.25)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _windows(shown: Array, own: Array) -> list[Array]:
    """By cell: by how much windows of 13 px differ at the best shift and unshifted, their correlation so, and how much there is in both."""
    side = (25, 25)
    x, face = shown - cv2.blur(shown, side), own - cv2.blur(own, side)

    def over(field: Array) -> Array:
        return np.asarray(cv2.blur(field, (13, 13))[_CELL // 2 :: _CELL, _CELL // 2 :: _CELL], np.float32)

    seen, whole = np.maximum(over(x * x), 0), np.maximum(over(face * face), 0)
    gaps, likes = [], []
    for across, down in _SHIFTS:
        moved = face
        if across or down:
            step = np.array([[1, 0, across], [0, 1, down]], np.float32)
            moved = np.asarray(
                cv2.warpAffine(face, step, face.shape[::-1], borderMode=cv2.BORDER_REPLICATE), np.float32
            )
        both, theirs = over(x * moved), np.maximum(over(moved * moved), 0)
        gaps.append(np.maximum(seen - 2 * both + theirs, 0))
        likes.append((both + 1e-3) / np.sqrt((seen + 1e-3) * (theirs + 1e-3)))
    return [
        8 * np.sqrt(np.min(gaps, 0)), 8 * np.sqrt(gaps[0]), np.max(likes, 0), likes[0], 8 * np.sqrt(seen), 8 * np.sqrt(whole)
    ]  # fmt: skip
