"""What else lies on a table: figures, dice, coins, pens, fingers, screens, books. Each is a stack of outlines, drawn from its foot up."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rendered.drawing import (
    SHAPES,
    Colour,
    Picture,
    hsv,
    letters,
    nightscape,
    painting,
    paste,
    shaded,
    write,
)

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """An outline (n, 2) mm at a height (mm) above the table; a ``picture`` is laid into its first four corners."""

    outline: Points
    height: float
    colour: Colour
    picture: Picture | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    kind: str
    layers: tuple[Layer, ...]
    shadow: float = 1.0
    glow: bool = field(default=False)
    """A screen: lit from within."""


def turned(points: Points, at: Points, degrees: float) -> Points:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    result: Points = points @ np.array([[cos, sin], [-sin, cos]]) + at
    return result


def ring(radius: float, count: int = 28) -> Points:
    t = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return radius * np.stack([np.cos(t), np.sin(t)], 1)


def box(width: float, height: float) -> Points:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)


def _solid(outline: Points, foot: float, top: float, colour: Colour, steps: int = 6) -> list[Layer]:
    """An upright solid: sides darker than the top."""
    sides = [
        Layer(outline, h, shaded(colour, -0.45 + 0.15 * k / steps))
        for k, h in enumerate(np.linspace(foot, top, steps))
    ]
    return [*sides, Layer(outline, top, colour)]


def figure(rng: np.random.Generator, at: Points) -> Thing:
    """A standing wooden figure, a peg or a house, 12-20 mm high."""
    colour = hsv(rng.random(), rng.uniform(0.5, 0.95), rng.uniform(0.25, 0.95))
    if rng.random() < 0.5:
        base = ring(rng.uniform(4, 7))
        tall = rng.uniform(10, 20)
        layers = [
            Layer(turned(base * (1 - 0.55 * k / 8), at, 0), tall * k / 8, shaded(colour, -0.4 + 0.04 * k))
            for k in range(9)
        ]
        layers += [
            Layer(turned(base * s, at, 0), tall + 1.5 * k, shaded(colour, -0.2 + 0.1 * k))
            for k, s in enumerate((0.55, 0.62, 0.5, 0.25))
        ]
        return Thing("figure", tuple(layers))
    name = str(rng.choice(["tower", "fir", "bell", "gear", "crown"]))
    outline = turned(SHAPES[name]()[0] * rng.uniform(5, 8), at, float(rng.uniform(0, 360)))
    return Thing("figure", tuple(_solid(outline, 0, rng.uniform(5, 10), colour)))


def die(rng: np.random.Generator, at: Points) -> Thing:
    colour = hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))
    side = rng.uniform(8, 16)
    turn = float(rng.uniform(0, 90))
    top = np.full((64, 64, 3), colour, np.uint8)
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}[
        int(rng.integers(1, 7))
    ]
    for spot in spots:
        cv2.circle(
            top,
            (14 + 18 * (spot % 3), 14 + 18 * (spot // 3)),
            6,
            shaded(colour, -0.9 if sum(colour) > 380 else 0.95),
            -1,
            cv2.LINE_AA,
        )
    base = turned(box(side, side), at, turn)
    return Thing("die", (*_solid(base, 0, side, colour), Layer(base, side, colour, top)))


def coin(rng: np.random.Generator, at: Points) -> Thing:
    colour = hsv(rng.uniform(0.06, 0.13), rng.uniform(0.1, 0.6), rng.uniform(0.45, 0.8))
    radius = rng.uniform(8, 14)
    layers = [Layer(turned(ring(radius), at, 0), h, shaded(colour, -0.4)) for h in (0.0, 1.0)]
    layers += [
        Layer(turned(ring(radius * s), at, 0), 1.8, shaded(colour, k))
        for s, k in ((1, 0.1), (0.88, -0.15), (0.82, 0.0))
    ]
    sign = turned(SHAPES[str(rng.choice(list(SHAPES)))]()[0] * radius * 0.5, at, float(rng.uniform(0, 360)))
    return Thing("coin", (*layers, Layer(sign, 1.9, shaded(colour, 0.3))))


def pen(rng: np.random.Generator, at: Points) -> Thing:
    colour = hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.8))
    turn = float(rng.uniform(0, 360))
    layers = [
        Layer(turned(box(140, 9 * w), at, turn), 9 * h, shaded(colour, k))
        for h, w, k in ((0.1, 0.6, -0.5), (0.5, 1, -0.2), (0.8, 0.7, 0.05), (1, 0.25, 0.4))
    ]
    return Thing(
        "pen", (*layers, Layer(turned(box(20, 5) + np.array([78.0, 0.0]), at, turn), 5, (60, 60, 60)))
    )


def fingers(rng: np.random.Generator, at: Points, towards: Points) -> Thing:
    """A hand that reaches in from a place out of sight and lays one to four fingertips at ``at``."""
    skin = hsv(rng.uniform(0.03, 0.08), rng.uniform(0.25, 0.6), rng.uniform(0.35, 0.9))
    away = (towards - at) / (np.linalg.norm(towards - at) + 1e-6)
    angle = math.degrees(math.atan2(away[1], away[0]))
    layers: list[Layer] = []
    palm = np.array([95.0, 0.0])
    for k in range(int(rng.integers(1, 5))):
        tip = np.array([abs(k - 1) * 9.0, (k - 1) * 19.0])
        for height, share, tone in ((2, 1.0, -0.35), (7, 0.92, -0.12), (11, 0.7, 0.04), (14, 0.4, 0.12)):
            hull = np.concatenate(
                [ring(8.2 * share) + tip, ring(9.5 * share) + (palm * 0.72 + (0, tip[1] * 0.8))]
            ).astype(np.float32)
            layers.append(
                Layer(
                    turned(cv2.convexHull(hull).reshape(-1, 2).astype(float), at, angle),
                    height,
                    shaded(skin, tone),
                )
            )
        nail = (
            np.stack([np.cos(np.linspace(0, 6.28, 16)) * 4.5, np.sin(np.linspace(0, 6.28, 16)) * 3.8], 1)
            + tip
            - (1.5, 0)
        )
        layers.append(Layer(turned(nail, at, angle), 14.5, shaded(skin, 0.35)))
    for height, share, tone in ((8, 1.0, -0.35), (22, 0.94, -0.1), (32, 0.8, 0.02), (38, 0.5, 0.06)):
        hull = np.concatenate([ring(37 * share) + palm, ring(28 * share) + np.array([600.0, 0.0])]).astype(
            np.float32
        )
        layers.append(
            Layer(
                turned(cv2.convexHull(hull).reshape(-1, 2).astype(float), at, angle),
                height,
                shaded(skin, tone),
            )
        )
    return Thing("hand", tuple(sorted(layers, key=lambda layer: layer.height)), 0.8)


def screen(rng: np.random.Generator, at: Points) -> Thing:
    """A phone or a tablet that shows pictures."""
    size = (75.0, 155.0) if rng.random() < 0.6 else (170.0, 240.0)
    turn = float(rng.uniform(0, 360))
    w, h = (round((s - 8) * 2.5) for s in size)
    shown = painting(rng, w, h) if rng.random() < 0.6 else nightscape(rng, w, h)
    if rng.random() < 0.6:
        step = w // 2
        for y in range(h // 8, h - step // 2, round(step * 1.2)):
            for x in (6, step + 3):
                patch = painting(rng, step - 9, min(step, h - y))
                shown[y : y + patch.shape[0], x : x + patch.shape[1]] = patch
        cv2.rectangle(shown, (0, 0), (w, h // 10), (245, 245, 245), -1)
        write(shown, "pictures", (30, 30, 30), (w / 2, h / 20), 14)
    layers = _solid(turned(box(*size), at, turn), 0, 8, (25, 24, 22), 4)
    return Thing(
        "screen",
        (*layers, Layer(turned(box(size[0] - 8, size[1] - 8), at, turn), 8.1, (30, 30, 30), shown)),
        glow=True,
    )


def book(rng: np.random.Generator, at: Points) -> Thing:
    """A book or a game's box with a painted cover."""
    size = (rng.uniform(110, 190), rng.uniform(150, 260))
    turn, thick = float(rng.uniform(0, 360)), rng.uniform(8, 40)
    w, h = (round(s * 2) for s in size)
    cover = painting(rng, w, h)
    if rng.random() < 0.4:
        cover[:] = hsv(rng.random(), rng.uniform(0.2, 0.9), rng.uniform(0.1, 0.7))
    title = letters(
        str(rng.choice(["Atlas", "RIVERS", "Old Maps", "TALES", "Cooking"])),
        round(h * 0.08),
        int(rng.integers(0, 4)),
    )
    paste(cover, title, (240, 240, 240), (w - title.shape[1]) // 2, round(h * 0.12))
    outline = turned(box(*size), at, turn)
    return Thing(
        "book",
        (*_solid(outline, 0, thick, hsv(0.11, 0.15, 0.85)), Layer(outline, thick, (90, 90, 90), cover)),
    )


def mug(rng: np.random.Generator, at: Points) -> Thing:
    colour = hsv(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.2, 0.95))
    radius, tall = rng.uniform(35, 45), rng.uniform(50, 90)
    layers = _solid(turned(ring(radius), at, 0), 0, tall, colour, 24)
    drink = hsv(rng.uniform(0.03, 0.1), 0.8, rng.uniform(0.08, 0.4))
    return Thing(
        "mug",
        (
            *layers,
            Layer(turned(ring(radius * 0.9), at, 0), tall, shaded(colour, -0.5)),
            Layer(turned(ring(radius * 0.84), at, 0), tall - 8, drink),
        ),
    )


def paperwork(rng: np.random.Generator, at: Points) -> Thing:
    """A sheet of paper with writing or a receipt: white, four corners, no card."""
    size = (rng.uniform(55, 150), rng.uniform(90, 210))
    w, h = (round(s * 3) for s in size)
    sheet = np.full((h, w, 3), hsv(0.12, rng.uniform(0, 0.08), rng.uniform(0.85, 0.98)), np.uint8)
    for y in range(30, h - 20, 26):
        text = "".join(str(rng.choice(list("abdeghiklmnoprstu   0125789"))) for _ in range(int(w / 13)))
        write(sheet, text.strip() or "-", (60, 50, 50), (14, y), 10, 0, "left")
    return Thing(
        "paper",
        (Layer(turned(box(*size), at, float(rng.uniform(0, 360))), 0.2, (230, 230, 230), sheet),),
        0.5,
    )


LOOSE: dict[str, Callable[[np.random.Generator, Points], Thing]] = {
    "figure": figure,
    "die": die,
    "coin": coin,
    "pen": pen,
    "screen": screen,
    "book": book,
    "mug": mug,
    "paper": paperwork,
}
