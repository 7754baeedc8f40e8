"""Where cards of a known size may lie, by the steps along their sides: the generalised Hough transform of a rectangle (Ballard 1981).

For each of many turns the picture is turned back, so that a side is a straight run along a row or a column: a run is a mean over a box, and
a card is four runs, or, where it is covered, one whole side and the beginning of two others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.bank import MIDDLE
from vision.cards.view import Pose, View
from vision.compare import Array

BIN = 2.0
"""Degrees between two turns that are tried."""
MOST_TURNS = 7
"""So many turns are tried, those of most steps."""
STEP = (0.05, 0.30)
"""Steps of log brightness or colour between two neighbouring points: below the first they are noise, above the second all count alike."""
CORNER = 14.0
"""How much of the neighbouring sides is asked beside a whole side, mm."""
HELD = 0.42
"""Share of the sides that must show a step."""
NEAR = 1.6
"""Proposals nearer than this (mm) to a better one are it."""
LEAST_MASS = 0.2
"""Turns with less of the picture's steps than this share of the most frequent one's are not tried."""


def turns(view: View) -> list[float]:
    """The ways (degrees, within a quarter turn) in which most steps of the picture run, most first."""
    light = view.features[MIDDLE][..., 0]
    across, down = cv2.Sobel(light, cv2.CV_32F, 1, 0), cv2.Sobel(light, cv2.CV_32F, 0, 1)
    steep = np.minimum(np.hypot(across, down), 1.0)
    steep[(steep < 0.25) | (view.free[MIDDLE] == 0)] = 0
    way = np.degrees(np.arctan2(down, across)) % 90
    count = round(90 / BIN)
    bins = np.round(way / BIN).astype(np.int64) % count
    heap = np.bincount(bins.ravel(), steep.ravel(), count)
    order = np.argsort(-heap)[:MOST_TURNS]
    return [float(at) * BIN for at in order if heap[at] > LEAST_MASS * heap.max()]


def _turned(picture: Array, turn: float) -> tuple[Array, NDArray[np.float64]]:
    """The picture turned back by ``turn`` (degrees), and the way (2, 3) from its pixels to the picture's."""
    height, width = picture.shape[:2]
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    wide = int(np.ceil(abs(cos) * width + abs(sin) * height))
    tall = int(np.ceil(abs(sin) * width + abs(cos) * height))
    back = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    centre = np.array([(width - 1) / 2, (height - 1) / 2])
    back[:, 2] = centre - back[:, :2] @ np.array([(wide - 1) / 2, (tall - 1) / 2])
    there = cv2.warpAffine(
        picture,
        back,
        (wide, tall),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(there, np.float32), back


def strongest(steps: Array) -> Array:
    """The largest of three channels, whatever its sign: (H, W)."""
    first, second, third = cv2.split(cv2.absdiff(steps, np.zeros(1, np.float32)))
    return np.asarray(cv2.max(cv2.max(first, second), third), np.float32)


def _steps(picture: Array) -> tuple[Array, Array]:
    """How much of a step there is across (columns) and down (rows) at each point, 0-1."""
    found: list[Array] = []
    for axis in (1, 0):
        kernel = np.array([[-1.0, 0.0, 1.0]], np.float32)
        # One channel after the other: all three of a whole table are many megabytes.
        step = np.zeros(picture.shape[:2], np.float32)
        for channel in range(picture.shape[2]):
            one = cv2.filter2D(cv2.extractChannel(picture, channel), cv2.CV_32F, kernel if axis else kernel.T)
            cv2.max(step, cv2.absdiff(one, np.zeros(1, np.float32)), step)
        step -= STEP[0]
        step /= np.float32(STEP[1] - STEP[0])
        found.append(np.clip(step, 0, 1, out=step))
    return found[0], found[1]


def _run(steps: Array, length: int, across: bool) -> Array:
    """The mean of steps over a run of ``length`` px around each point, the best of three neighbouring runs."""
    size = (length, 1) if across else (1, length)
    mean = cv2.blur(steps, size, borderType=cv2.BORDER_CONSTANT)
    best = cv2.dilate(mean, np.ones((3, 1) if across else (1, 3), np.uint8))
    return np.asarray(best, np.float32)


def _moved(picture: Array, x: float, y: float) -> Array:
    """What lies ``x`` px to the right and ``y`` px below each point."""
    return np.asarray(
        cv2.warpAffine(
            picture,
            np.array([[1.0, 0.0, -x], [0.0, 1.0, -y]]),
            picture.shape[1::-1],
            flags=cv2.INTER_NEAREST,
            borderMode=cv2.BORDER_CONSTANT,
        ),
        np.float32,
    )


def _scores(right: Array, down: Array, w: int, h: int, part: int) -> Array:
    """How much speaks for a card of w x h px around each point: four sides, or one of them with the beginnings of its neighbours."""
    side = _run(right, h, False)
    left_side, right_side = _moved(side, -w / 2, 0), _moved(side, w / 2, 0)
    side = _run(down, w, True)
    upper, lower = _moved(side, 0, -h / 2), _moved(side, 0, h / 2)
    inner_x, inner_y = (w - part) / 2, (h - part) / 2
    best = left_side + right_side
    best *= np.float32(0.3)
    side = upper + lower
    side *= np.float32(0.2)
    best += side
    short_right = _run(down, part, True)
    for sign, side in ((-1, left_side), (1, right_side)):
        ends = _moved(short_right, sign * inner_x, -h / 2) + _moved(short_right, sign * inner_x, h / 2)
        ends *= np.float32(0.225)
        ends += side * np.float32(0.45)
        np.maximum(best, ends, out=best)
    del left_side, right_side, short_right
    short_down = _run(right, part, False)
    for sign, side in ((-1, upper), (1, lower)):
        ends = _moved(short_down, -w / 2, sign * inner_y) + _moved(short_down, w / 2, sign * inner_y)
        ends *= np.float32(0.225)
        ends += side * np.float32(0.45)
        np.maximum(best, ends, out=best)
    return best


def proposals(
    view: View, sizes: Sequence[tuple[float, float]], most: int = 60
) -> list[tuple[float, Pose, int]]:
    """Where cards of these sizes (width, height mm) may lie: (score 0-1, pose, which size), best first."""
    picture = view.features[MIDDLE]
    found: list[tuple[float, float, float, float, int]] = []
    for turn in turns(view):
        there, back = _turned(picture, turn)
        right, down = _steps(there)
        del there
        for which, (width, height) in enumerate(sizes):
            for quarter in (0, 1):
                w, h = (width, height) if quarter == 0 else (height, width)
                score = _scores(right, down, round(w * MIDDLE), round(h * MIDDLE), round(CORNER * MIDDLE))
                for strength, x, y in _peaks(score):
                    at = back @ (x, y, 1.0)
                    mm = (at + 0.5) / MIDDLE + (view.left, view.top)
                    found.append(
                        (strength, float(mm[0]), float(mm[1]), math.radians(turn + 90 * quarter), which)
                    )
    found.sort(key=lambda one: -one[0])
    kept: list[tuple[float, float, float, float, int]] = []
    for one in found:
        if len(kept) >= most:
            break
        if not any(_same(one, other) for other in kept):
            kept.append(one)
    return [(strength, np.array([x, y, way, 1.0]), which) for strength, x, y, way, which in kept]


def _same(one: tuple[float, float, float, float, int], other: tuple[float, float, float, float, int]) -> bool:
    """Whether two proposals (score, x, y, way, which size) are of one card."""
    dx, dy = one[1] - other[1], one[2] - other[2]
    return (
        abs(dx) < NEAR
        and abs(dy) < NEAR
        and one[4] == other[4]
        and math.hypot(dx, dy) < NEAR
        and abs((one[3] - other[3] + math.pi / 2) % math.pi - math.pi / 2) < 0.05
    )


def _peaks(score: Array) -> list[tuple[float, float, float]]:
    """(strength, x, y) of the points that nothing around exceeds."""
    around = cv2.dilate(score, np.ones((5, 5), np.uint8))
    ys, xs = np.nonzero((score >= around) & (score > HELD))
    order = np.argsort(-score[ys, xs])[:30]
    return [(float(score[ys[i], xs[i]]), float(xs[i]), float(ys[i])) for i in order]
