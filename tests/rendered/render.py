"""From things on a table to a photograph of them, and to a map that says which piece each pixel shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rendered.camera import Camera
from tests.rendered.deck import Card, corners_mask
from tests.rendered.drawing import Picture
from tests.rendered.light import Look
from tests.rendered.surfaces import PX, SIDE, surface
from tests.rendered.things import Thing, box, turned

Floats = NDArray[np.float32]
Points = NDArray[np.float64]
TABLE, THING, EDGE = -1, -2, -3
"""What the map holds where no face is: the table, a thing or a hand, the side of a piece."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A piece with its face up: middle (x, y) mm, turned clockwise by degrees, the height of its face mm."""

    card: Card
    x: float
    y: float
    turn: float
    height: float

    @property
    def corners(self) -> Points:
        """(4, 2) mm, the face's top left first, clockwise."""
        return turned(box(*self.card.family.size), np.array([self.x, self.y]), self.turn)


@dataclass(slots=True, eq=False)
class Canvas:
    """A photo while it is painted: colours as printed, which piece each pixel shows, what mirrors, what glows."""

    colours: Picture
    shows: NDArray[np.int16]
    gloss: Picture
    glow: Picture


def render(
    lying: Sequence[Lying], things: Sequence[Thing], look: Look, camera: Camera, rng: np.random.Generator
) -> tuple[Picture, NDArray[np.int16]]:
    """The photo (height, width, 3) BGR and which row of ``lying`` each pixel shows (height, width), TABLE, THING or EDGE elsewhere."""
    width, height = camera.size
    canvas = Canvas(
        _ground(look, camera), np.full((height, width), TABLE, np.int16),
        np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8),
    )  # fmt: skip
    for row, piece in enumerate(lying):
        _piece(canvas, piece, row, look, camera)
    for thing in things:
        _thing(canvas, thing, look, camera)
    return _expose(canvas, look, camera, rng), canvas.shows


def _ground(look: Look, camera: Camera) -> Picture:
    texture = surface(look.table, look.variant)
    shift = np.array([[1 / PX, 0, -SIDE / PX / 2], [0, 1 / PX, -SIDE / PX / 2], [0, 0, 1]])
    to_px = camera.plane() @ shift
    middle = (SIDE / 2, SIDE / 2)
    fine = abs(float(np.linalg.det(_local(to_px, middle)))) ** 0.5
    while fine < 0.6 and texture.shape[0] > 200:
        texture = cv2.resize(texture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        to_px, fine = to_px @ np.diag([2.0, 2.0, 1.0]), fine * 2
    return np.asarray(
        cv2.warpPerspective(
            texture, to_px, camera.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        ),
        np.uint8,
    )


def _local(homography: Points, at: tuple[float, float]) -> Points:
    points = np.array([[at, (at[0] + 1, at[1]), (at[0], at[1] + 1)]])
    seen = cv2.perspectiveTransform(points, homography)[0]
    return np.asarray(seen[1:] - seen[0], np.float64)


def _window(points: Points, size: tuple[int, int], spare: float) -> tuple[int, int, int, int] | None:
    """(left, top, right, bottom) px of the part of the picture that the points reach; None beyond it."""
    low, high = np.floor(points.min(0) - spare), np.ceil(points.max(0) + spare) + 1
    x0, y0 = max(int(low[0]), 0), max(int(low[1]), 0)
    x1, y1 = min(int(high[0]), size[0]), min(int(high[1]), size[1])
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None


def _filled(outline: Points, window: tuple[int, int, int, int]) -> Picture:
    """Cover of a polygon (n, 2) px within the window, smooth at its edge."""
    x0, y0, x1, y1 = window
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillPoly(mask, [np.round((outline - (x0, y0)) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask


def _lay(
    canvas: Canvas,
    window: tuple[int, int, int, int],
    picture: Picture | tuple[int, int, int],
    mask: Picture,
    row: int,
    gloss: int = 0,
    glow: int = 0,
) -> None:
    x0, y0, x1, y1 = window
    part = canvas.colours[y0:y1, x0:x1]
    cover = mask[..., None].astype(np.float32) * np.float32(1 / 255)
    part[:] = part + (np.asarray(picture, np.float32) - part) * cover + 0.5
    inside = mask > 127
    canvas.shows[y0:y1, x0:x1][inside] = row
    canvas.gloss[y0:y1, x0:x1][inside] = gloss
    canvas.glow[y0:y1, x0:x1][inside] = glow


def _shade(
    canvas: Canvas, outline: Points, height: float, base: float, look: Look, camera: Camera, strength: float
) -> None:
    """The soft shadow that an outline (n, 2) mm, ``height`` mm above what lies below it, throws there (``base`` mm)."""
    lift = max(height, 0.5)
    shadow = camera.flat(outline + np.array(look.lamp) * lift, base)
    px = camera.scale(outline.mean(0))
    sigma = max(0.6, 0.3 * lift * px)
    window = _window(shadow, camera.size, 3 * sigma)
    if window is None:
        return
    x0, y0, x1, y1 = window
    step = max(1, int(sigma / 3))
    small = (x0, y0, x0 + math.ceil((x1 - x0) / step), y0 + math.ceil((y1 - y0) / step))
    mask = _filled((shadow - (x0, y0)) / step + (x0, y0), small)
    soft = cv2.GaussianBlur(mask, (0, 0), sigma / step)
    if step > 1:
        soft = cv2.resize(
            soft,
            (small[2] - x0) and ((small[2] - x0) * step, (small[3] - y0) * step),
            interpolation=cv2.INTER_LINEAR,
        )
    soft = soft[: y1 - y0, : x1 - x0]
    part = canvas.colours[y0:y1, x0:x1]
    # Colours are as printed (about the square root of light): half the share darkens as much.
    part[:] = part * (1 - (strength * 0.5 / 255) * soft[..., None].astype(np.float32))


@lru_cache(maxsize=32)
def _levels(card: Card) -> tuple[tuple[Picture, Picture], ...]:
    """The face and its shape, halved again and again."""
    levels = [(card.picture, corners_mask(card.family))]
    while min(levels[-1][1].shape) > 40:
        size = levels[-1][1].shape[1] // 2, levels[-1][1].shape[0] // 2
        face, shape = levels[-1]
        levels.append(
            (
                cv2.resize(face, size, interpolation=cv2.INTER_AREA),
                cv2.resize(shape, size, interpolation=cv2.INTER_AREA),
            )
        )
    return tuple(levels)


def _piece(canvas: Canvas, piece: Lying, row: int, look: Look, camera: Camera) -> None:
    family = piece.card.family
    quad = camera.flat(piece.corners, piece.height)
    foot = piece.height - family.thickness
    window = _window(quad, camera.size, 2 + family.thickness * camera.scale(piece.corners.mean(0)))
    _shade(canvas, piece.corners, family.thickness, foot, look, camera, look.shadow)
    if window is None:
        return
    if family.thickness > 1:
        below = camera.flat(piece.corners, foot)
        hull = (
            cv2.convexHull(np.concatenate([quad, below]).astype(np.float32)).reshape(-1, 2).astype(np.float64)
        )
        _lay(canvas, window, (96, 130, 150), _filled(hull, window), EDGE)
    if look.sleeves:
        spare = np.array(family.size) + 4.0
        outer = camera.flat(turned(box(*spare), np.array([piece.x, piece.y]), piece.turn), piece.height)
        wider = _window(outer, camera.size, 1)
        if wider is not None:
            x0, y0, x1, y1 = wider
            mask = _filled(outer, wider)
            _lay(canvas, wider, canvas.colours[y0:y1, x0:x1].astype(np.float32) * 0.75 + 50, mask, EDGE, 255)
            edge = [np.round((outer - (x0, y0)) * 16).astype(np.int32)]
            cv2.polylines(canvas.colours[y0:y1, x0:x1], edge, True, (205, 205, 205), 1, cv2.LINE_AA, 4)
    x0, y0, x1, y1 = window
    levels = _levels(piece.card)
    long = max(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    level = int(
        np.clip(math.floor(math.log2(max(levels[0][1].shape) / max(long, 1.0) / 0.9)), 0, len(levels) - 1)
    )
    face, shape = levels[level]
    high, wide = shape.shape
    source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, (quad - (x0, y0)).astype(np.float32))
    size = x1 - x0, y1 - y0
    seen = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(shape, warp, size, flags=cv2.INTER_LINEAR)
    if look.sleeves:
        seen = cv2.convertScaleAbs(seen, alpha=0.9, beta=17)
    _lay(canvas, window, seen, mask, row, 255 if look.sleeves else round(255 * family.gloss))


def _thing(canvas: Canvas, thing: Thing, look: Look, camera: Camera) -> None:
    top = max(layer.height for layer in thing.layers)
    for layer in thing.layers[:: max(1, len(thing.layers) // 5)]:
        _shade(
            canvas,
            layer.outline,
            layer.height,
            0.0,
            look,
            camera,
            look.shadow * thing.shadow * (0.45 if top > 3 else 1),
        )
    for layer in thing.layers:
        outline = camera.flat(layer.outline, layer.height)
        window = _window(outline, camera.size, 2)
        if window is None:
            continue
        if layer.picture is None:
            _lay(canvas, window, layer.colour, _filled(outline, window), THING, 90)
            continue
        x0, y0, x1, y1 = window
        high, wide = layer.picture.shape[:2]
        source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(source, (outline[:4] - (x0, y0)).astype(np.float32))
        seen = cv2.warpPerspective(
            layer.picture, warp, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        _lay(canvas, window, seen, _filled(outline, window), THING, 200, 255 if thing.glow else 0)


def _light(look: Look, size: tuple[int, int]) -> Floats:
    """Light that falls on the table, (rows, columns, 3), coarse."""
    width, height = size[0] // 8 + 1, size[1] // 8 + 1
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :] * (size[0] / max(size))
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * (size[1] / max(size))
    level = 1 + look.gradient[0] * 2 * x + look.gradient[1] * 2 * y - 0.35 * (x * x + y * y)
    for cx, cy, direction, dark in look.edges:
        away = (x - (cx - 0.5)) * math.cos(direction) + (y - (cy - 0.5)) * math.sin(direction)
        wave = away + 0.02 * np.sin(20 * (x * math.sin(direction) - y * math.cos(direction)))
        level = level * (1 - dark / (1 + np.exp(-np.clip(wave * 160, -30, 30))))
    return (np.maximum(level, 0.05)[..., None] * np.float32(look.balance)).astype(np.float32)


@lru_cache(maxsize=1)
def _grain() -> Floats:
    """Noise of a sensor after its own smoothing, a tile of it; mostly alike in the three colours."""
    rng = np.random.default_rng(11)
    grain = rng.standard_normal((1700, 1700, 3), np.float32)
    grain = 0.75 * grain + 0.65 * grain.mean(2, keepdims=True) * math.sqrt(3)
    soft = cv2.GaussianBlur(grain, (0, 0), 0.55)
    return np.asarray(soft / soft.std(), np.float32)


def _noise(width: int, height: int, rng: np.random.Generator) -> Floats:
    """Another part of the tile for each photo."""
    grain = _grain()
    flipped = grain[:: int(rng.choice([-1, 1])), :: int(rng.choice([-1, 1]))]
    if width > 1600 or height > 1600:
        flipped = np.tile(flipped, (height // 1600 + 1, width // 1600 + 1, 1))
    top, left = (
        int(rng.integers(flipped.shape[0] - height + 1)),
        int(rng.integers(flipped.shape[1] - width + 1)),
    )
    return np.ascontiguousarray(flipped[top : top + height, left : left + width])


def _expose(canvas: Canvas, look: Look, camera: Camera, rng: np.random.Generator) -> Picture:
    width, height = camera.size
    scale = max(1.0, max(width, height) / 1600)
    light = cv2.resize(_light(look, camera.size), (width, height), interpolation=cv2.INTER_LINEAR)
    picture = canvas.colours.astype(np.float32) * np.float32(1 / 255)
    cv2.multiply(picture, picture, picture)
    if canvas.glow.any():
        lit = canvas.glow > 0
        light[lit] = 1.1 / look.exposure
    cv2.multiply(picture, light, picture, scale=look.exposure)
    if look.glares:
        picture += _glare(look, camera.size, canvas.gloss)[..., None]
    if look.haze:
        picture += look.haze * look.exposure
    picture = cv2.GaussianBlur(picture, (0, 0), look.blur * scale**0.5)
    if look.motion:
        picture = _moved(picture, look.motion * scale**0.5, float(rng.uniform(0, math.pi)))
    np.clip(picture, 0.0, 1.0, out=picture)
    cv2.sqrt(picture, picture)
    if abs(look.curve - 1) > 0.02:
        picture += (look.curve - 1) * 0.8 * picture * (1 - picture) * (picture - 0.5)
    noise = _noise(width, height, rng)
    shown = cv2.addWeighted(picture, 255.0, noise, look.noise, 0.5)
    _, packed = cv2.imencode(
        ".jpg", np.clip(shown, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, look.jpeg]
    )
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _glare(look: Look, size: tuple[int, int], gloss: Picture) -> Floats:
    width, height = size
    x = np.linspace(0, width / max(size), width // 4, dtype=np.float32)[None, :]
    y = np.linspace(0, height / max(size), height // 4, dtype=np.float32)[:, None]
    total = np.zeros((height // 4, width // 4), np.float32)
    for cx, cy, rx, ry, strength in look.glares:
        total += strength * np.exp(-((((x - cx) / rx) ** 2 + ((y - cy * height / width) / ry) ** 2) ** 1.3))
    full = cv2.resize(total, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(full * gloss.astype(np.float32) * np.float32(1 / 255), np.float32)


def _moved(picture: Floats, length: float, direction: float) -> Floats:
    side = 2 * math.ceil(length / 2) + 1
    kernel = np.zeros((side, side), np.float32)
    middle = np.array([side // 2, side // 2], float)
    step = np.array([math.cos(direction), math.sin(direction)]) * length / 2
    ends = [tuple(np.round((middle + k * step) * 16).astype(int).tolist()) for k in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(kernel.sum(), 1e-3)), np.float32)
