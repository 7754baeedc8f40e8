"""Made-up faces to train on: drawn from a few numbers each, so that a twin is the same numbers with one changed.

They resemble nothing in particular and everything a little: pips, courts, trading cards, quests, tiles with a number and a sign, rows of
symbols that differ by a fill, whole pictures. What matters is that the differences between twins are like those of real families: one
digit, one symbol, one shade, a few per cent of tint, one more or less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.random import Generator

from vision.network.training.inks import hsv, ink, noise, pick, seed, shade
from vision.network.training.layouts import FAMILIES, Design
from vision.network.training.shapes import FILLS, SHAPES, symbol
from vision.plane import Picture

FACE_WIDTH, FACE_HEIGHT = 160, 240
"""Size of a face as it leaves this room, px; on the way it may be square or lie on its side."""

SIGNS = "0123456789ABDJKQRTXZ"
CANVASES = {"upright": (160, 240), "square": (196, 196), "lying": (240, 160)}


def designed(rng: Generator) -> Design:
    """A new face of any family."""
    chances = np.array([family.chance for family in FAMILIES.values()])
    family = list(FAMILIES)[int(rng.choice(len(chances), p=chances / chances.sum()))]
    kind = int(rng.choice(4, p=[0.55, 0.2, 0.1, 0.15]))
    grounds = (
        hsv(0.12 + rng.normal(0, 0.03), rng.uniform(0, 0.1), rng.uniform(0.82, 1)),
        ink(rng),
        hsv(rng.random(), rng.uniform(0.1, 0.5), rng.uniform(0.5, 0.95)),
        hsv(rng.random(), rng.uniform(0, 0.5), rng.uniform(0.05, 0.3)),
    )
    return Design(
        family=family,
        canvas=str(rng.choice(list(CANVASES), p=[0.6, 0.25, 0.15])),
        ground=grounds[kind],
        ground_kind=int(rng.choice(4, p=[0.66, 0.12, 0.12, 0.1])),
        ground_seed=seed(rng),
        border=int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15])),
        border_width=float(rng.uniform(0.03, 0.08)),
        border_colour=ink(rng) if rng.random() < 0.4 else hsv(0, 0, float(rng.choice([0.06, 0.95]))),
        shape=pick(rng, SHAPES),
        fill=str(rng.choice(FILLS, p=[0.32, 0.22, 0.12, 0.05, 0.17, 0.12])),
        colour=ink(rng),
        accent=ink(rng),
        frame=ink(rng),
        count=int(rng.integers(1, 11)),
        sign=SIGNS[rng.integers(len(SIGNS))],
        font=int(rng.integers(0, 5)),
        index=bool(rng.random() < 0.5),
        size=float(rng.uniform(0.09, 0.16)),
        art=seed(rng),
        details=0,
        words=seed(rng),
        places=seed(rng),
        thickness=int(rng.integers(1, 4)),
        pitch=int(rng.integers(3, 7)),
        tint=float(rng.choice([0, 0.06, 0.1, 0.18])),
        large=float(rng.uniform(0.7, 1.1)),
        sideways=bool(rng.random() < 0.5),
        odd=-1,
        odd_shape=pick(rng, SHAPES),
        mark=0,
        turned=False,
    )


def _tinted(design: Design, rng: Generator) -> Design:
    """A faint fill comes, goes, or changes its strength: what tells striped symbols from empty ones when both are small."""
    strength = float(rng.uniform(0.04, 0.16))
    if design.fill in ("tint", "thin"):
        fill = str(rng.choice(["outline", "tint", "thin"]))
        return replace(design, fill=fill, tint=strength)
    return replace(
        design, fill=str(rng.choice(["tint", "thin", "outline"], p=[0.4, 0.4, 0.2])), tint=strength
    )


Change = Callable[[Design, Generator], Design]

CHANGES: Mapping[str, Change] = {
    "shape": lambda d, r: replace(d, shape=pick(r, SHAPES)),
    "fill": lambda d, r: replace(d, fill=str(r.choice(FILLS, p=[0.22, 0.25, 0.12, 0.03, 0.28, 0.1]))),
    "tint": lambda d, r: _tinted(d, r),
    "colour": lambda d, r: replace(d, colour=ink(r)),
    "shade": lambda d, r: replace(d, colour=shade(d.colour, r)),
    "ground": lambda d, r: replace(d, ground=shade(shade(d.ground, r), r) if r.random() < 0.7 else ink(r)),
    "frame": lambda d, r: replace(d, frame=shade(d.frame, r) if r.random() < 0.6 else ink(r)),
    "border": lambda d, r: replace(d, border_colour=ink(r), border=max(1, d.border)),
    "accent": lambda d, r: replace(d, accent=shade(d.accent, r) if r.random() < 0.5 else ink(r)),
    "count": lambda d, r: replace(d, count=int(np.clip(d.count + r.choice([-2, -1, 1, 2]), 1, 10))),
    "sign": lambda d, r: replace(d, sign=SIGNS[r.integers(len(SIGNS))]),
    "art": lambda d, r: replace(d, art=seed(r)),
    "details": lambda d, r: replace(d, details=seed(r) + 1),
    "words": lambda d, r: replace(d, words=seed(r)),
    "places": lambda d, r: replace(d, places=seed(r)),
    "odd": lambda d, r: replace(d, odd=int(r.integers(10)), odd_shape=str(r.choice([pick(r, SHAPES), "none"], p=[0.7, 0.3]))),
    "mark": lambda d, r: replace(d, mark=seed(r) + 1),
    "turned": lambda d, r: replace(d, turned=not d.turned),
}  # fmt: skip


def changed(design: Design, rng: Generator) -> tuple[Design, str]:
    """A near-twin of the design, and what was changed (one thing; now and then two, named by the last)."""
    names = (*FAMILIES[design.family].changes, "mark", "turned", "ground")
    name = ""
    for _ in range(1 if rng.random() < 0.85 else 2):
        name = pick(rng, names)
        design = CHANGES[name](design, rng)
    return design, name


def drawn(design: Design) -> Picture:
    """The face upright as the crops want it: BGR (240, 160), square and lying ones warped as reading warps them."""
    width, height = CANVASES[design.canvas]
    picture = _ground(design, width, height)
    FAMILIES[design.family].draw(picture, design)
    _border(picture, design)
    if design.mark:
        _mark(picture, design)
    if design.canvas == "lying":
        picture = np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    if picture.shape[:2] != (FACE_HEIGHT, FACE_WIDTH):
        picture = np.asarray(
            cv2.resize(picture, (FACE_WIDTH, FACE_HEIGHT), interpolation=cv2.INTER_AREA), np.uint8
        )
    return np.ascontiguousarray(picture[::-1, ::-1]) if design.turned else picture


def _ground(design: Design, width: int, height: int) -> Picture:
    rng = np.random.default_rng(design.ground_seed)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = design.ground
    if design.ground_kind == 1:
        slope = np.linspace(-1, 1, height)[:, None, None] * rng.uniform(-40, 40)
        return np.asarray(np.clip(picture + slope, 0, 255), np.uint8)
    if design.ground_kind == 2:
        grain = noise(rng, height, width, rng.uniform(2, 20)) * rng.uniform(3, 14)
        return np.asarray(np.clip(picture + grain[..., None], 0, 255), np.uint8)
    if design.ground_kind == 3:
        line = tuple(int(c) for c in np.clip(np.array(design.ground) + rng.integers(-45, 45, 3), 0, 255))
        step, lean = int(rng.integers(6, 24)), int(rng.choice([0, height]))
        for x in range(-height, width + height, step * 2):
            cv2.line(picture, (x, 0), (x + lean, height), line, max(1, step // 2))
    return picture


def _border(picture: Picture, design: Design) -> None:
    height, width = picture.shape[:2]
    edge = max(2, int(design.border_width * width))
    if design.border == 1:
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), design.border_colour, edge * 2 - 1)
    elif design.border == 2:
        cv2.rectangle(
            picture, (edge, edge), (width - edge, height - edge), design.border_colour, design.thickness
        )
    elif design.border == 3:
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), hsv(0, 0, 0.96), edge * 2 - 1)


def _mark(picture: Picture, design: Design) -> None:
    """One small thing more than the twin has."""
    rng = np.random.default_rng(design.mark)
    height, width = picture.shape[:2]
    x, y, size = rng.uniform(0.12, 0.88) * width, rng.uniform(0.1, 0.9) * height, rng.uniform(6, 18)
    symbol(
        picture,
        pick(rng, SHAPES),
        pick(rng, ("solid", "outline")),
        ink(rng),
        (x, y),
        (size, size),
        rng.uniform(0, 6.28),
    )
