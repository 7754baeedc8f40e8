"""A small part of a face that shows something else: a digit, a symbol, a sign too many. The whole is alike all the same, so the worst place decides.

The face is given the photo's sharpness, what misalignment is left is taken out by smoothed optical flow (T. Kroeger et al., "Fast Optical Flow
using Dense Inverse Search", ECCV 2016), and window by window what a gain and an offset do not explain is held against how much there is to see
and how much the camera's grain may do.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.model import per_thread
from vision.reading.compare import Array

_WINDOW = 9
_SHARPNESS = (0.9, 1.3, 1.8, 2.4, 3.0)
"""Smoothing (px of the frame's 80 x 120) by which a face may have to become like the photo."""
_FLOW = 12.0
"""Flow is smoothed to this (px): it bends no digit into another."""
_FURTHEST = 7.0
_LEEWAY = 1
"""Px by which a window may still be off."""
_SUSPECT = 0.6
_RIM = 9
_BURNT = 248
_LIFT = 10.0
_SHADOW = 0.15
"""Variance (three channels of log brightness) that a grey step of 0.45 has in a window that it halves."""
_GRAIN = 4.3e-4
"""Variance of log brightness that paper and camera always have."""
_PLACES = 6
"""Suspect places that are looked at closely."""


@per_thread
def _tools() -> tuple[Any, Array, Array]:
    across, down = np.meshgrid(np.arange(80, dtype=np.float32), np.arange(120, dtype=np.float32))
    return cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM), across, down


def _mean(field: Array) -> Array:
    """Averaged over windows; the shape stays."""
    return np.asarray(cv2.blur(field, (_WINDOW, _WINDOW)), np.float32).reshape(field.shape)


def _soft(field: Array, sigma: float) -> Array:
    return np.asarray(cv2.GaussianBlur(field, (0, 0), sigma), np.float32)


def _fine(field: Array) -> Array:
    return np.asarray(field - _soft(field, 5.0), np.float32)


def _logs(picture: NDArray[np.uint8]) -> Array:
    table = np.log(np.arange(256, dtype=np.float32) + np.float32(_LIFT))
    return np.asarray(table[picture], np.float32)


def _sharp_as(photo: Array, face: Array) -> tuple[Array, float]:
    """The face's logs as sharp as the photo's, and the contrast that the photo leaves of them."""
    fine = _fine(photo)
    best: tuple[float, Array, float] | None = None
    for sigma in _SHARPNESS:
        soft = _soft(face, sigma)
        own = _fine(soft)
        gain = float((fine * own).sum() / ((own * own).sum() + 1e-3))
        left = float(((fine - gain * own) ** 2).sum())
        if best is None or left < best[0]:
            best = left, soft, gain
    assert best is not None
    return best[1], max(best[2], 0.3)


def _laid(photo: Array, face: Array) -> Array:
    """The face bent smoothly onto the photo."""
    flow, across, down = _tools()

    def plain(logs: Array) -> NDArray[np.uint8]:
        return np.asarray(np.clip(_fine(logs).mean(2) * 110 + 128, 0, 255), np.uint8)

    seen = plain(photo)
    for _ in range(2):
        found = np.asarray(flow.calc(seen, plain(face), None), np.float32)
        weight = _mean(np.asarray((_fine(face) ** 2).sum(2), np.float32)) + np.float32(1e-4)
        total = _soft(weight, _FLOW)
        steps = [
            np.clip(
                _soft(np.asarray(found[..., axis] * weight, np.float32), _FLOW) / total, -_FURTHEST, _FURTHEST
            )
            for axis in (0, 1)
        ]
        face = np.asarray(
            cv2.remap(
                face,
                np.asarray(across + steps[0], np.float32),
                np.asarray(down + steps[1], np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            ),
            np.float32,
        )
    return face


def _unlike(photo: Array, face: Array, gain: float, grain: Array) -> Array:
    """Window by window: what a gain and an offset leave unexplained of all there is to see. A grey step of what a shadow's edge may be
    counts for nothing."""
    left, spread, owns = _left(photo, face, gain, grain)
    grey, _, _ = _left(photo.mean(2, keepdims=True), face.mean(2, keepdims=True), gain, grain)
    left = left - np.minimum(3 * grey, _SHADOW)
    return np.asarray(left / (0.3 * np.maximum(spread, gain * gain * owns) + 4 * grain), np.float32)


def _left(photo: Array, face: Array, gain: float, grain: Array) -> tuple[Array, Array, Array]:
    """Variance, summed over channels: what is left of the photo's, the photo's, the face's."""
    mean, own = _mean(photo), _mean(face)
    spread = np.maximum(_mean(photo * photo) - mean * mean, 0).sum(2)
    owns = np.maximum(_mean(face * face) - own * own, 0).sum(2)
    shared = (_mean(photo * face) - mean * own).sum(2)
    local = np.clip(shared / (owns + grain), 0.35 * gain, 1.6 * gain)
    left = np.maximum(spread - 2 * local * shared + local * local * owns, 0)
    return np.asarray(left, np.float32), np.asarray(spread, np.float32), np.asarray(owns, np.float32)


def altered(crop: NDArray[np.uint8], face: NDArray[np.uint8], visible: Array) -> float:
    """How plainly the worst part of an aligned crop shows something else than the face: 0 for nearly every true face, up to about 3.

    Both pictures (120, 80, 3) BGR; ``visible`` (15, 10): what of the face can be seen; other parts say nothing.
    """
    photo = _soft(_logs(crop), _SHARPNESS[0])
    soft, gain = _sharp_as(photo, _logs(face))
    laid = _laid(photo, soft)
    plain = crop.astype(np.float32)
    noise = 2.4 * float(np.median(np.abs(plain - _soft(plain, 0.8)))) + 1
    grain = _mean(np.asarray((noise / (plain.mean(2) + _LIFT)) ** 2, np.float32)) + np.float32(_GRAIN)
    odd = _unlike(photo, laid, gain, grain)
    lost = np.asarray(crop.min(2) >= _BURNT, np.float32)
    odd *= 1 - np.minimum(1, 3 * _mean(lost))
    # No window that reaches into what lies on the face.
    bare = cv2.resize(np.asarray(visible > 0.6, np.uint8), (80, 120), interpolation=cv2.INTER_NEAREST)
    odd *= cv2.erode(bare, np.ones((_WINDOW + 4, _WINDOW + 4), np.uint8), borderValue=1)
    odd[:_RIM] = odd[-_RIM:] = 0
    odd[:, :_RIM] = odd[:, -_RIM:] = 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(odd > _SUSPECT, np.uint8))
    worst = 0.0
    wide = np.asarray(
        cv2.copyMakeBorder(laid, _LEEWAY, _LEEWAY, _LEEWAY, _LEEWAY, cv2.BORDER_REPLICATE), np.float32
    )
    reach = _WINDOW // 2 + 1
    for label in np.argsort(-stats[1:, cv2.CC_STAT_AREA])[:_PLACES] + 1:
        left, top, width, height, area = (int(value) for value in stats[label])
        if area < 4:
            continue
        rows = slice(max(0, top - reach), min(120, top + height + reach))
        columns = slice(max(0, left - reach), min(80, left + width + reach))
        here = np.asarray((labels[rows, columns] == label) & (odd[rows, columns] > 0), np.float32)
        least = np.full(here.shape, np.inf, np.float32)
        for down in range(2 * _LEEWAY + 1):
            for across in range(2 * _LEEWAY + 1):
                moved = wide[
                    rows.start + down : rows.stop + down, columns.start + across : columns.stop + across
                ]
                unlike = _unlike(photo[rows, columns], moved, gain, grain[rows, columns])
                least = np.minimum(least, unlike)
        worst = max(worst, float((least * here).max()))
    return worst
