"""What the made-up faces are drawn with: shapes in a unit square, letters, paintings; pictures are BGR uint8."""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Points = NDArray[np.float64]
PX_PER_MM = 6.0


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Blue, green, red 0-255 of a hue (turns), saturation and value (0-1)."""
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return round(blue * 255), round(green * 255), round(red * 255)


def shaded(colour: Colour, share: float) -> Colour:
    """The colour made darker (share < 0) or lighter (share > 0) by that share."""
    target = 255 if share > 0 else 0
    blue, green, red = (round(part + (target - part) * abs(share)) for part in colour)
    return blue, green, red


def _turns(count: int) -> NDArray[np.float64]:
    return np.linspace(0, 2 * math.pi, count, endpoint=False)


def _polar(radius: NDArray[np.float64], turns: NDArray[np.float64]) -> Points:
    return np.stack([radius * np.sin(turns), -radius * np.cos(turns)], 1)


def _leaf() -> list[Points]:
    t = np.linspace(0, 1, 24)
    wide, y = 0.62 * np.sin(math.pi * t) ** 0.9, -1 + 1.6 * t
    body = np.concatenate([np.stack([wide, y], 1), np.stack([-wide, y], 1)[::-1]])
    return [body, np.array([[-0.07, 0.4], [0.07, 0.4], [0.12, 1.0], [-0.02, 1.0]])]


def _drop() -> list[Points]:
    t = _turns(40)
    return [np.stack([0.95 * np.sin(t) * np.sin(t / 2) ** 1.5, -np.cos(t)], 1)]


def _fish() -> list[Points]:
    t = _turns(30)
    return [
        np.stack([0.72 * np.cos(t) - 0.2, 0.42 * np.sin(t)], 1),
        np.array([[0.35, 0.0], [1.0, -0.5], [0.82, 0.0], [1.0, 0.5]]),
    ]


def _bell() -> list[Points]:
    right = [
        (0.1, -0.95), (0.14, -0.8), (0.42, -0.62), (0.52, -0.2), (0.58, 0.25),
        (0.9, 0.6), (0.9, 0.72), (0.2, 0.72), (0.16, 0.95),
    ]  # fmt: skip
    return [np.array(right + [(-x, y) for x, y in right[::-1]])]


def _cup() -> list[Points]:
    right = [(0.75, -0.9), (0.7, -0.3), (0.4, 0.1), (0.12, 0.2), (0.12, 0.65), (0.5, 0.8), (0.5, 0.95)]
    return [np.array(right + [(-x, y) for x, y in right[::-1]])]


def _tower() -> list[Points]:
    right = [
        (0.16, -0.7), (0.16, -0.9), (0.4, -0.9), (0.4, -0.7), (0.64, -0.7), (0.64, -0.9), (0.85, -0.9),
        (0.85, -0.35), (0.5, -0.2), (0.56, 0.6), (0.8, 0.7), (0.8, 0.95),
    ]  # fmt: skip
    return [np.array(right + [(-x, y) for x, y in right[::-1]])]


def _key() -> list[Points]:
    t = _turns(24)
    return [
        np.stack([0.42 * np.cos(t), 0.42 * np.sin(t) - 0.52], 1),
        np.array([[-0.11, -0.2], [0.11, -0.2], [0.11, 0.95], [-0.11, 0.95]]),
        np.array([[0.1, 0.45], [0.5, 0.45], [0.5, 0.62], [0.1, 0.62]]),
        np.array([[0.1, 0.75], [0.42, 0.75], [0.42, 0.93], [0.1, 0.93]]),
    ]


def _peanut() -> list[Points]:
    t = _turns(44)
    return [_polar(0.62 + 0.34 * np.cos(2 * t), t)]


def _zigzag() -> list[Points]:
    x = np.linspace(-0.95, 0.95, 7)
    y = np.where(np.arange(7) % 2, 0.26, -0.26)
    return [np.concatenate([np.stack([x, y - 0.25], 1), np.stack([x, y + 0.25], 1)[::-1]])]


def _dome() -> list[Points]:
    t = np.linspace(-math.pi / 2, math.pi / 2, 24)
    return [
        np.concatenate(
            [np.stack([0.95 * np.sin(t), 0.45 - 1.05 * np.cos(t)], 1), [[0.95, 0.45], [-0.95, 0.45]]]
        )
    ]


SHAPES: dict[str, Callable[[], list[Points]]] = {
    "leaf": _leaf,
    "drop": _drop,
    "fish": _fish,
    "bell": _bell,
    "cup": _cup,
    "tower": _tower,
    "key": _key,
    "peanut": _peanut,
    "zigzag": _zigzag,
    "dome": _dome,
    "crown": lambda: [
        np.array([[-0.9, 0.6], [-1, -0.5], [-0.45, 0.05], [0, -0.8], [0.45, 0.05], [1, -0.5], [0.9, 0.6]])
    ],
    "bolt": lambda: [
        np.array([[0.2, -1], [-0.6, 0.15], [-0.05, 0.15], [-0.25, 1], [0.6, -0.25], [0.05, -0.25]])
    ],
    "gear": lambda: [_polar(0.76 + 0.19 * np.sign(np.sin(8 * _turns(96))), _turns(96))],
    "flower": lambda: [_polar(0.62 + 0.33 * np.cos(5 * _turns(60)), _turns(60))],
    "glass": lambda: [
        np.array([[-0.7, -0.9], [0.7, -0.9], [0.12, 0], [0.7, 0.9], [-0.7, 0.9], [-0.12, 0]])
    ],
    "chevron": lambda: [
        np.array([[-0.8, 0.35], [0, -0.7], [0.8, 0.35], [0.8, 0.85], [0, -0.15], [-0.8, 0.85]])
    ],
    "kite": lambda: [np.array([[0, -1], [0.6, -0.3], [0, 1], [-0.6, -0.3]])],
    "fir": lambda: [
        np.array(
            [[0, -1], [0.4, -0.4], [0.2, -0.4], [0.6, 0.15], [0.3, 0.15], [0.8, 0.7], [0.15, 0.7], [0.15, 1],
             [-0.15, 1], [-0.15, 0.7], [-0.8, 0.7], [-0.3, 0.15], [-0.6, 0.15], [-0.2, -0.4], [-0.4, -0.4]]
        )
    ],
}  # fmt: skip


def placed(name: str, x: float, y: float, rx: float, ry: float, turn: float = 0.0) -> list[NDArray[np.int32]]:
    """The shape's polygons in sixteenths of px: middle (x, y), half axes rx and ry px, turned clockwise by degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    rotation = np.array([[cos, sin], [-sin, cos]])
    return [
        np.round(((part * (rx, ry)) @ rotation + (x, y)) * 16).astype(np.int32) for part in SHAPES[name]()
    ]


def stamp(
    picture: Picture, name: str, colour: Colour, x: float, y: float, rx: float, ry: float, turn: float = 0.0
) -> None:
    """Fill a shape, smooth at its edge."""
    for part in placed(name, x, y, rx, ry, turn):
        cv2.fillPoly(picture, [part], colour, cv2.LINE_AA, 4)


def outline(
    picture: Picture,
    name: str,
    colour: Colour,
    at: tuple[float, float],
    radii: tuple[float, float],
    width: int,
) -> None:
    for part in placed(name, *at, *radii):
        cv2.polylines(picture, [part], True, colour, width, cv2.LINE_AA, 4)


def inside(shape: tuple[int, int], name: str, x: float, y: float, rx: float, ry: float) -> Picture:
    """255 inside the shape, (height, width) uint8."""
    mask = np.zeros(shape, np.uint8)
    for part in placed(name, x, y, rx, ry):
        cv2.fillPoly(mask, [part], 255, cv2.LINE_AA, 4)
    return mask


@lru_cache(maxsize=512)
def letters(text: str, size: int, font: int) -> Picture:
    """A line of text as coverage 0-255, cropped to its ink; ``size`` px is about a capital's height; fonts 0-3."""
    if font == 0:
        from PIL import Image, ImageDraw, ImageFont

        face = ImageFont.load_default(size=size / 0.72)
        left, top, right, bottom = ImageDraw.Draw(Image.new("L", (1, 1))).textbbox((0, 0), text, face)
        image = Image.new("L", (max(1, math.ceil(right - left)), max(1, math.ceil(bottom - top))))
        ImageDraw.Draw(image).text((-left, -top), text, fill=255, font=face)
        return np.asarray(image, np.uint8)
    kind = (cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_DUPLEX)[font - 1]
    scale, thick = size / 21.0, max(1, round(size / 9))
    (wide, high), low = cv2.getTextSize(text, kind, scale, thick)
    mask = np.zeros((high + low + 2 * thick, wide + 2 * thick), np.uint8)
    cv2.putText(mask, text, (thick, high + thick), kind, scale, 255, thick, cv2.LINE_AA)
    ys, xs = np.nonzero(mask)
    if not len(ys):
        return mask
    return np.ascontiguousarray(mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])


def write(
    picture: Picture,
    text: str,
    colour: Colour,
    at: tuple[float, float],
    size: float,
    font: int = 0,
    place: str = "centre",
    turned: bool = False,
) -> None:
    """Write with the ink's centre (or left middle) at (x, y) px; what lies beyond the picture is left out."""
    mask = letters(text, max(4, round(size)), font)
    mask = mask[::-1, ::-1] if turned else mask
    left = round(at[0] - (mask.shape[1] / 2 if place == "centre" else 0))
    paste(picture, mask, colour, left, round(at[1] - mask.shape[0] / 2))


def paste(picture: Picture, mask: Picture, colour: Colour, left: int, top: int) -> None:
    """Lay a colour on the picture where the mask covers it."""
    height, width = picture.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    cover = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    part = picture[y0:y1, x0:x1]
    part[:] = np.round(part + (np.float32(colour) - part) * cover).astype(np.uint8)


def blend(picture: Picture, mask: Picture, colour: Colour, share: float) -> None:
    """Tint the picture where the mask (its size) covers it by that share."""
    cover = mask[..., None].astype(np.float32) * (share / 255)
    picture[:] = np.round(picture + (np.float32(colour) - picture) * cover).astype(np.uint8)


def cloud(rng: np.random.Generator, height: int, width: int, octaves: Sequence[float]) -> NDArray[np.float32]:
    """Smooth noise about 0, spread about 1; ``octaves`` are lengths as shares of the width."""
    total = np.zeros((height, width), np.float32)
    for length in octaves:
        step = max(1.0, length * width)
        small = rng.standard_normal((math.ceil(height / step) + 3, math.ceil(width / step) + 3), np.float32)
        size = (math.ceil(small.shape[1] * step), math.ceil(small.shape[0] * step))
        total += cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)[:height, :width] * np.float32(
            length**0.7
        )
    return (total / (total.std() + 1e-6)).astype(np.float32)


def painting(rng: np.random.Generator, width: int, height: int, dark: float = 0.0) -> Picture:
    """A landscape with ridges, a light, some growth and one to three figures; ``dark`` 0-1 makes it a night."""
    hue = rng.random()
    sky_top = np.float32(hsv(hue, rng.uniform(0.2, 0.8), rng.uniform(0.45, 0.95)))
    sky_low = np.float32(hsv(hue + rng.normal(0, 0.12), rng.uniform(0.1, 0.6), rng.uniform(0.6, 1.0)))
    ramp = np.linspace(0, 1, height, dtype=np.float32)[:, None, None] ** rng.uniform(0.6, 1.6)
    sky = (
        sky_top * (1 - ramp)
        + sky_low * ramp
        + cloud(rng, height, width, (0.5, 0.2))[..., None] * rng.uniform(3, 16)
    )
    picture = np.clip(sky, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        at = round(rng.uniform(0.1, 0.9) * width), round(rng.uniform(0.08, 0.5) * height)
        cv2.circle(
            picture,
            at,
            round(rng.uniform(0.04, 0.14) * width),
            hsv(0.13, rng.uniform(0, 0.6), 1),
            -1,
            cv2.LINE_AA,
        )
    for layer in range(int(rng.integers(2, 5))):
        base = height * (0.35 + 0.16 * layer + rng.uniform(-0.06, 0.06))
        xs = np.linspace(0, width, 40)
        ridge = np.convolve(np.cumsum(rng.normal(0, height * 0.035, 44)), np.ones(5) / 5, "valid")
        ys = base + ridge - ridge.mean()
        points = np.concatenate([np.stack([xs, ys], 1), [[width, height], [0, height]]]).astype(np.int32)
        tone = hsv(hue + rng.normal(0.1, 0.2), rng.uniform(0.2, 0.75), rng.uniform(0.2, 0.75))
        cv2.fillPoly(picture, [points], tone, cv2.LINE_AA)
    for _ in range(int(rng.integers(2, 9))):
        x, foot = rng.uniform(0, width), rng.uniform(0.6, 1.0) * height
        tall = rng.uniform(0.08, 0.3) * height
        stamp(picture, str(rng.choice(["fir", "leaf", "tower"])), hsv(hue + rng.uniform(-0.3, 0.3), 0.6, rng.uniform(0.1, 0.6)),
              x, foot - tall / 2, tall * 0.35, tall / 2)  # fmt: skip
    for _ in range(int(rng.integers(1, 4))):
        _figure(picture, rng, width, height)
    texture = cloud(rng, height, width, (0.06, 0.02)) * rng.uniform(3, 9)
    lit = picture.astype(np.float32) * (1 - 0.72 * dark) + texture[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def _figure(picture: Picture, rng: np.random.Generator, width: int, height: int) -> None:
    """Somebody in a cloak with something in the hand."""
    x, foot = rng.uniform(0.2, 0.8) * width, rng.uniform(0.8, 1.0) * height
    tall = rng.uniform(0.3, 0.65) * height
    cloth = hsv(rng.random(), rng.uniform(0.3, 0.95), rng.uniform(0.2, 0.9))
    lean = rng.uniform(-0.12, 0.12) * tall
    body = np.array(
        [
            [x - 0.24 * tall, foot],
            [x + lean - 0.1 * tall, foot - 0.7 * tall],
            [x + lean + 0.1 * tall, foot - 0.7 * tall],
            [x + 0.22 * tall, foot],
        ]
    )
    cv2.fillPoly(picture, [np.round(body * 16).astype(np.int32)], cloth, cv2.LINE_AA, 4)
    cv2.fillPoly(
        picture,
        [np.round((body * (0.5, 1) + (0.5 * x, 0)) * 16).astype(np.int32)],
        shaded(cloth, -0.3),
        cv2.LINE_AA,
        4,
    )
    head = round(x + lean), round(foot - 0.8 * tall)
    cv2.circle(
        picture,
        head,
        max(2, round(0.11 * tall)),
        hsv(0.07, rng.uniform(0.2, 0.6), rng.uniform(0.4, 0.95)),
        -1,
        cv2.LINE_AA,
    )
    end = round(x + rng.uniform(-0.5, 0.5) * tall), round(foot - rng.uniform(0.3, 1.1) * tall)
    cv2.line(
        picture,
        (round(x), round(foot - 0.5 * tall)),
        end,
        hsv(rng.random(), 0.4, rng.uniform(0.1, 0.95)),
        max(2, round(0.04 * tall)),
        cv2.LINE_AA,
    )
    stamp(
        picture,
        str(rng.choice(list(SHAPES))),
        hsv(rng.random(), 0.7, rng.uniform(0.3, 1)),
        *end,
        0.13 * tall,
        0.13 * tall,
    )


def nightscape(rng: np.random.Generator, width: int, height: int) -> Picture:
    """A dark photograph: smoke, lamps out of focus, one lit thing with a soft edge; most of it below a fifth of white."""
    hue, other = rng.random(), rng.random()
    smoke = cloud(rng, height, width, (0.8, 0.35, 0.12, 0.05))
    base = np.float32(hsv(hue, rng.uniform(0.2, 0.8), rng.uniform(0.1, 0.2)))
    lit = base * (1 + 0.45 * smoke[..., None])
    for _ in range(int(rng.integers(2, 8))):
        spot = np.zeros((height, width), np.float32)
        at = round(rng.uniform(0, width)), round(rng.uniform(0, height))
        cv2.circle(spot, at, round(rng.uniform(0.02, 0.1) * width), 1.0, -1, cv2.LINE_AA)
        spot = cv2.GaussianBlur(spot, (0, 0), rng.uniform(0.5, 4))
        lit += spot[..., None] * np.float32(
            hsv(other + rng.normal(0, 0.1), rng.uniform(0.2, 0.9), rng.uniform(0.15, 0.6))
        )
    thing = inside((height, width), str(rng.choice(list(SHAPES))), width * rng.uniform(0.35, 0.65), height * rng.uniform(0.35, 0.7),
                   width * rng.uniform(0.2, 0.38), height * rng.uniform(0.15, 0.28))  # fmt: skip
    soft = cv2.GaussianBlur(thing, (0, 0), rng.uniform(1, 5)).astype(np.float32)[..., None] / 255
    shade = np.clip(0.6 + 0.5 * cloud(rng, height, width, (0.4, 0.08)), 0.1, 1.6)[..., None]
    lit = lit * (1 - soft) + soft * shade * np.float32(
        hsv(rng.random(), rng.uniform(0.1, 0.7), rng.uniform(0.15, 0.5))
    )
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return np.clip(lit * (1 - 0.45 * (x * x + y * y) / 2)[..., None], 0, 255).astype(np.uint8)
