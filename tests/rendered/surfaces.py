"""What tables are made of: plain, wood, felt, cloth, patterned cloth, busy print; each as a picture of 512 x 512 mm."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from tests.rendered.drawing import SHAPES, Picture, cloud, hsv, painting, shaded, stamp
from tests.rendered.family import seeded

SIDE = 1280
PX = SIDE / 512
"""Px per mm of a surface."""
VARIANTS = 6
"""Different tables of a kind that one run sees."""


def _lit(base: Picture | tuple[int, int, int], *waves: tuple[np.ndarray, float]) -> Picture:
    gain = np.ones((SIDE, SIDE), np.float32)
    for wave, share in waves:
        gain *= 1 + np.float32(share) * wave
    total = cv2.multiply(np.full((SIDE, SIDE, 3), base, np.float32), cv2.merge([gain, gain, gain]))
    return np.clip(total, 0, 255).astype(np.uint8)


def _plain(rng: np.random.Generator) -> Picture:
    colour = hsv(rng.random(), rng.uniform(0, 0.5), rng.uniform(0.12, 0.85))
    return _lit(colour, (cloud(rng, SIDE, SIDE, (0.4, 0.1)), 0.015), (cloud(rng, SIDE, SIDE, (0.003,)), 0.02))


def _wood(rng: np.random.Generator, value: tuple[float, float] = (0.3, 0.8)) -> Picture:
    colour = hsv(rng.uniform(0.04, 0.11), rng.uniform(0.35, 0.75), rng.uniform(*value))
    rings = cv2.resize(cloud(rng, 80, SIDE, (0.1, 0.03, 0.01)), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    rings = np.sin(rings * 2.2 + 1.5 * cloud(rng, SIDE, SIDE, (0.7,)))
    grain = cv2.GaussianBlur(rng.standard_normal((SIDE, SIDE), np.float32), (0, 0), sigmaX=0.7, sigmaY=18)
    picture = _lit(colour, (rings.astype(np.float32), rng.uniform(0.04, 0.12)), (grain / grain.std(), 0.05))
    if rng.random() < 0.6:
        step = int(rng.uniform(70, 140) * PX)
        for x in range(step, SIDE, step):
            picture[:, x - step : x] = cv2.convertScaleAbs(
                picture[:, x - step : x], alpha=float(rng.uniform(0.88, 1.08))
            )
            cv2.line(picture, (x, 0), (x, SIDE), shaded(colour, -0.65), 3)
    return picture


def _dark_wood(rng: np.random.Generator) -> Picture:
    return _wood(rng, (0.1, 0.2))


def _felt(rng: np.random.Generator) -> Picture:
    colour = hsv(
        float(rng.choice([0.38, 0.36, 0.6, 0.98, 0.08])), rng.uniform(0.5, 0.9), rng.uniform(0.2, 0.5)
    )
    return _lit(
        colour, (cloud(rng, SIDE, SIDE, (0.004, 0.002)), 0.09), (cloud(rng, SIDE, SIDE, (0.2,)), 0.03)
    )


def _white_cloth(rng: np.random.Generator) -> Picture:
    colour = hsv(rng.uniform(0.08, 0.6), rng.uniform(0, 0.05), rng.uniform(0.9, 0.99))
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    weave = np.sin(xs * 1.3) * np.sin(ys * 1.3)
    folds = cloud(rng, SIDE, SIDE, (0.5, 0.2))
    return _lit(colour, (weave, 0.02), (folds, rng.uniform(0.01, 0.04)))


def _checked(rng: np.random.Generator) -> Picture:
    colour, other = (
        hsv(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.3, 0.9)),
        hsv(rng.random(), 0.1, 0.92),
    )
    step = rng.uniform(8, 45) * PX
    ys, xs = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    across, down = ((xs / step) % 2 < 1).astype(np.float32), ((ys / step) % 2 < 1).astype(np.float32)
    share = (
        (across + down) / 2 if rng.random() < 0.5 else across if rng.random() < 0.5 else np.abs(across - down)
    )
    base = np.float32(colour) * share[..., None] + np.float32(other) * (1 - share[..., None])
    return np.clip(base * (1 + 0.03 * cloud(rng, SIDE, SIDE, (0.003,))[..., None]), 0, 255).astype(np.uint8)


def _printed(rng: np.random.Generator) -> Picture:
    """A cloth with a repeated motif."""
    colour = hsv(rng.random(), rng.uniform(0.1, 0.7), rng.uniform(0.3, 0.95))
    picture = _lit(colour, (cloud(rng, SIDE, SIDE, (0.003,)), 0.03))
    step = rng.uniform(22, 60) * PX
    names = rng.choice(list(SHAPES), 3, replace=False)
    inks = [hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.2, 0.95)) for _ in range(3)]
    for row in range(int(SIDE / step) + 1):
        for column in range(int(SIDE / step) + 1):
            k = (row + 2 * column) % 3
            size = step * rng.uniform(0.3, 0.4)
            if rng.random() < 0.3:
                box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size * 1.1 + (
                    (column + 0.5) * step,
                    (row + 0.5) * step,
                )
                cv2.fillPoly(picture, [np.round(box).astype(np.int32)], hsv(0.1, 0.1, 0.95))
            stamp(
                picture,
                str(names[k]),
                inks[k],
                (column + 0.5) * step,
                (row + 0.5) * step,
                size,
                size,
                float(rng.uniform(-30, 30)),
            )
    return picture


def _busy(rng: np.random.Generator) -> Picture:
    """A printed board: pictures and patches in many places."""
    picture = _checked(rng) if rng.random() < 0.3 else _plain(rng)
    for _ in range(int(rng.integers(25, 60))):
        w, h = (int(rng.uniform(30, 130) * PX) for _ in range(2))
        x, y = int(rng.uniform(-w / 2, SIDE - w / 2)), int(rng.uniform(-h / 2, SIDE - h / 2))
        patch = painting(rng, w, h)
        if rng.random() < 0.4:
            patch[:] = hsv(rng.random(), rng.uniform(0.1, 0.8), rng.uniform(0.2, 0.95))
        x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + w, SIDE), min(y + h, SIDE)
        if x1 > x0 and y1 > y0:
            picture[y0:y1, x0:x1] = patch[y0 - y : y1 - y, x0 - x : x1 - x]
    return picture


SURFACES: dict[str, Callable[[np.random.Generator], Picture]] = {
    "plain": _plain,
    "wood": _wood,
    "dark wood": _dark_wood,
    "felt": _felt,
    "white cloth": _white_cloth,
    "checked cloth": _checked,
    "printed cloth": _printed,
    "busy print": _busy,
}


@lru_cache(maxsize=8)
def surface(kind: str, variant: int) -> Picture:
    """A table of that kind, (SIDE, SIDE, 3) BGR; call it in an order that asks for one table a few times in a row."""
    return SURFACES[kind](seeded("surface", kind, variant))
