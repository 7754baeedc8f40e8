"""Made-up photographs of made-up faces: what a crop of 80 x 120 px looks like after light, covers, lens and camera.

Light works on linear light, as it does in the world: cast, fall-off, shadows with soft or hard edges, reflections that add white; then the
camera's tone curve, saturation, sharpening, noise and JPEG. Everything is drawn from one generator, so a seed is a data set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.network.model import COLUMNS, HEIGHT, ROWS, WIDTH, Array, painted_over
from vision.network.training.covers import BOX, LARGE, MARGIN, SIDES, any_of, cover_by_chance
from vision.network.training.faces import FACE_HEIGHT, FACE_WIDTH
from vision.network.training.inks import hsv, ink, noise
from vision.network.training.shapes import paint
from vision.plane import Picture

_LINEAR = ((np.arange(256, dtype=np.float32) / 255) ** 2.2).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """``picture`` (120, 80, 3) BGR; ``seen`` (15, 10): visible share of each cell; ``corners`` (4, 2): where the face's corners are minus
    where the crop has them, in sides; ``blur``: what it has lost, px (deviation of a Gaussian in the crop); ``hardships``: names."""

    picture: Picture
    seen: Array
    corners: Array
    blur: float
    hardships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Care:
    """How well a picture was taken. ``jitter``: corner errors (deviation, sides) with their chances, never beyond ``limit``. ``known``:
    chance that what covers the piece is known and painted over, as reading does it."""

    jitter: tuple[float, ...]
    chances: tuple[float, ...]
    limit: float
    light: float
    covered: float
    known: float
    glare: float
    shadow: float
    sleeve: float
    scales: tuple[float, ...]
    noise: float


REFERENCE = Care((0.003, 0.008), (0.7, 0.3), 0.015, 0.6, 0, 0, 0.08, 0.15, 0.05, (1, 1, 0.8), 2)
ALIGNED = Care(
    (0.003, 0.008, 0.014),
    (0.4, 0.4, 0.2),
    0.025,
    1,
    0.32,
    0,
    0.22,
    0.25,
    0.15,
    (1, 1, 1, 0.8, 0.6, 0.45, 0.35),
    5,
)
COVERED = replace(ALIGNED, covered=0.5, known=0.6)
PROPOSED = Care(
    (0.004, 0.012, 0.03, 0.075),
    (0.25, 0.4, 0.22, 0.13),
    0.16,
    1,
    0.45,
    0,
    0.22,
    0.25,
    0.1,
    (1, 0.75, 0.55, 0.42),
    6,
)


def photographed(
    rng: Generator, face: Picture, others: Sequence[Picture], care: Care, off: float = 0
) -> Crop:
    """A crop of the face lying on some table. ``off`` > 0: the crop is out of place by about that share of its sides."""
    hardships: list[str] = []
    table = _table(rng, others)
    _lay(table, face, rng)
    is_open = np.full(table.shape[:2], 255, np.uint8)
    if rng.random() < care.covered:
        cover_by_chance(rng, table, is_open, others, care.known / 2)
        hardships.append("covered")
    seen = np.zeros_like(is_open)
    seen[MARGIN:-MARGIN, MARGIN:-MARGIN] = is_open[MARGIN:-MARGIN, MARGIN:-MARGIN]
    quad = BOX + MARGIN + _misplaced(rng, care, off) * SIDES
    scale = float(rng.choice(care.scales))
    if scale < 0.5:
        hardships.append("small")
    size = max(12, int(WIDTH * scale * 1.5)), max(18, int(HEIGHT * scale * 1.5))
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    warp = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target)
    light = _LINEAR[table]
    thinned = FACE_WIDTH / size[0]
    if thinned > 1.4:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), 0.45 * float(np.sqrt(thinned**2 - 1))), np.float32)
    crop = np.asarray(cv2.warpPerspective(light, warp, size, borderMode=cv2.BORDER_REFLECT), np.float32)
    shown = np.asarray(cv2.warpPerspective(seen, warp, size), np.uint8)
    bare = np.asarray(cv2.warpPerspective(is_open, warp, size, borderValue=255), np.uint8)
    if care.covered and rng.random() < 0.1:
        _cut(rng, crop, shown, bare)
        hardships.append("covered")
    crop = _lit(rng, crop, care, hardships)
    blur = 0.0
    if rng.random() < 0.6:
        blur = rng.uniform(0.3, 1.0 if care.light >= 1 else 0.7)
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), blur), np.float32)
    if care.light >= 1 and rng.random() < 0.1:
        length = int(rng.integers(2, 6))
        crop = _moved(rng, crop, length)
        blur = float(np.hypot(blur, length / 3.5))
        hardships.append("blurred")
    picture = _camera(rng, crop, care)
    enlarged = size[0] < WIDTH
    picture = np.asarray(
        cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR if enlarged else cv2.INTER_AREA),
        np.uint8,
    )
    if "covered" in hardships and rng.random() < care.known:
        known = _known(rng, bare)
        picture = painted_over(picture[None], known[None])[0]
        shown[cv2.resize(known, size, interpolation=cv2.INTER_NEAREST) < 0.5] = 0
    ratio = WIDTH / size[0]
    lost = float(np.hypot(blur * ratio, 0.45 * np.sqrt(max(0.0, ratio**2 - 0.4))))
    cells = np.asarray(cv2.resize(shown, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA), np.float32) / 255
    true = cv2.perspectiveTransform((BOX + MARGIN)[None], warp)[0] / np.array(size) - BOX / SIDES
    return Crop(picture, np.asarray(cells, np.float32), np.asarray(true, np.float32), lost, tuple(hardships))


def surface(rng: Generator, others: Sequence[Picture]) -> Picture:
    """Something that is no enrolled face, of a face's size: table, cloth, screen, a card's back."""
    return _SURFACES[int(rng.integers(len(_SURFACES)))](rng, others)


# What is under and around a piece


def _table(rng: Generator, others: Sequence[Picture]) -> Picture:
    table = np.empty((LARGE[1], LARGE[0], 3), np.uint8)
    table[:] = hsv(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.02, 0.95))
    kind = rng.integers(4)
    if kind == 1:
        grain = noise(rng, LARGE[1], LARGE[0], rng.uniform(2, 20)) * rng.uniform(3, 25)
        rows = np.asarray(np.clip(grain + 128, 0, 255), np.uint8)
        table = np.asarray(cv2.addWeighted(table, 1, cv2.merge([rows, rows, rows]), 1, -128), np.uint8)
    elif kind == 2:
        table = np.asarray(cv2.resize(any_of(rng, others), LARGE), np.uint8)
    return table


def _lay(table: Picture, face: Picture, rng: Generator) -> None:
    if rng.random() < 0.5:
        table[MARGIN:-MARGIN, MARGIN:-MARGIN] = face
        return
    radius = int(rng.uniform(2, 11))
    round_corners = np.zeros((FACE_HEIGHT, FACE_WIDTH), np.uint8)
    cv2.rectangle(
        round_corners, (radius, radius), (FACE_WIDTH - 1 - radius, FACE_HEIGHT - 1 - radius), 255, -1
    )
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    cv2.copyTo(face, cv2.dilate(round_corners, disc), table[MARGIN:-MARGIN, MARGIN:-MARGIN])


def _misplaced(rng: Generator, care: Care, off: float) -> NDArray[np.float64]:
    """Errors of the four corners (4, 2), in sides: shift, size, turn and each corner's own."""
    jitter = float(rng.choice(care.jitter, p=care.chances))
    square = BOX / SIDES - 0.5
    errors = rng.normal(0, jitter * 0.7, 2) + rng.normal(0, jitter * 0.6, (4, 2))
    errors = errors + rng.normal(0, jitter * 1.2) * square
    turn = rng.normal(0, jitter * 0.5)
    errors = (
        errors
        + turn * np.c_[-square[:, 1] * FACE_HEIGHT / FACE_WIDTH, square[:, 0] * FACE_WIDTH / FACE_HEIGHT]
    )
    errors = np.clip(errors, -care.limit, care.limit)
    if off:
        way = rng.uniform(0, 2 * np.pi)
        errors = errors + off * np.array([np.cos(way), np.sin(way)]) + rng.uniform(-off, off) * square
    return np.asarray(errors)


# What lies beyond the photo, and what of all this is known


def _cut(rng: Generator, crop: Array, *masks: NDArray[np.uint8]) -> None:
    """The photo ends here: beyond its edge a crop repeats it, and the masks are 0."""
    axis, share = int(rng.integers(2)), rng.uniform(0.1, 0.6)
    at_start = rng.random() < 0.5
    planes: list[NDArray[Any]] = [crop, *masks]
    for plane in planes:
        lines = plane.swapaxes(0, axis)[:: 1 if at_start else -1]
        edge = max(2, int(share * len(lines)))
        lines[:edge] = lines[edge] if plane is crop else 0


def _known(rng: Generator, bare: NDArray[np.uint8]) -> Array:
    """(60, 40), 0 or 1: what reading takes to lie open, its covers a little out of place and often a little large."""
    coarse = np.asarray(
        cv2.resize(bare, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA) > 127, np.uint8
    )
    if rng.random() < 0.5:
        coarse = np.asarray(cv2.erode(coarse, np.ones((3, 3), np.uint8)), np.uint8)
    place = np.array([[1, 0, rng.normal(0, 0.7)], [0, 1, rng.normal(0, 0.7)]], np.float32)
    moved = cv2.warpAffine(
        coarse, place, (WIDTH // 2, HEIGHT // 2), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.float32)


# What is no face


def _blank(rng: Generator, others: Sequence[Picture]) -> Picture:
    table = np.full(
        (FACE_HEIGHT, FACE_WIDTH, 3), hsv(rng.random(), rng.uniform(0, 0.7), rng.uniform(0.05, 1)), np.float32
    )
    for size in (60, 14, 3):
        table += (noise(rng, FACE_HEIGHT, FACE_WIDTH, size) * rng.uniform(0, 18))[..., None]
    return np.asarray(np.clip(table, 0, 255), np.uint8)


def _pattern(rng: Generator, others: Sequence[Picture]) -> Picture:
    """Cloth, or the back of a card: a small motif again and again."""
    motif = np.asarray(cv2.resize(any_of(rng, others), None, fx=1.0, fy=1.0), np.uint8)
    step = int(rng.integers(16, 60))
    top, left = int(rng.integers(FACE_HEIGHT - step)), int(rng.integers(FACE_WIDTH - step))
    patch = motif[top : top + step, left : left + step]
    patch = np.hstack([patch, patch[:, ::-1]]) if rng.random() < 0.5 else patch
    patch = np.vstack([patch, patch[::-1]]) if rng.random() < 0.5 else patch
    tiled = np.tile(patch, (FACE_HEIGHT // patch.shape[0] + 2, FACE_WIDTH // patch.shape[1] + 2, 1))
    down, across = int(rng.integers(patch.shape[0])), int(rng.integers(patch.shape[1]))
    cloth = tiled[down : down + FACE_HEIGHT, across : across + FACE_WIDTH].copy()
    if rng.random() < 0.5:
        cv2.rectangle(cloth, (0, 0), (FACE_WIDTH - 1, FACE_HEIGHT - 1), ink(rng), int(rng.integers(5, 20)))
    return np.ascontiguousarray(cloth)


def _checks(rng: Generator, others: Sequence[Picture]) -> Picture:
    rows, columns = np.mgrid[0:FACE_HEIGHT, 0:FACE_WIDTH].astype(np.float32)
    turn, step = rng.uniform(0, np.pi), rng.uniform(5, 60)
    way = (np.cos(turn) * columns + np.sin(turn) * rows) / step
    cross = (-np.sin(turn) * columns + np.cos(turn) * rows) / step
    first, second = paint(ink(rng)), paint(ink(rng))
    mix = 0.5 + 0.25 * (
        np.sign(np.sin(way * np.pi)) + (np.sign(np.sin(cross * np.pi)) if rng.random() < 0.5 else 0)
    )
    return np.asarray(np.clip(first * mix[..., None] + second * (1 - mix[..., None]), 0, 255), np.uint8)


def _screen(rng: Generator, others: Sequence[Picture]) -> Picture:
    screen = np.full(
        (FACE_HEIGHT, FACE_WIDTH, 3),
        hsv(rng.random(), rng.uniform(0, 0.4), float(rng.choice([0.1, 0.95]))),
        np.uint8,
    )
    for _ in range(int(rng.integers(2, 9))):
        left, top = int(rng.uniform(0, FACE_WIDTH)), int(rng.uniform(0, FACE_HEIGHT))
        cv2.rectangle(
            screen,
            (left, top),
            (left + int(rng.uniform(5, 140)), top + int(rng.uniform(3, 60))),
            ink(rng),
            -1,
        )
    for y in range(10, FACE_HEIGHT, int(rng.integers(9, 24))):
        cv2.putText(
            screen,
            "".join(chr(c) for c in rng.integers(97, 123, 14)),
            (int(rng.integers(30)), y),
            cv2.FONT_HERSHEY_PLAIN,
            0.8,
            ink(rng),
            1,
            cv2.LINE_AA,
        )
    return screen


def _part(rng: Generator, others: Sequence[Picture]) -> Picture:
    """A piece of another card, or two of them side by side."""
    first, second = any_of(rng, others), any_of(rng, others)
    share = int(rng.uniform(0.2, 0.8) * FACE_WIDTH)
    both = np.hstack([first[:, share:], second[:, :share]])
    zoom = rng.uniform(0.35, 1)
    height, width = int(FACE_HEIGHT * zoom), int(FACE_WIDTH * zoom)
    top, left = int(rng.integers(FACE_HEIGHT - height + 1)), int(rng.integers(FACE_WIDTH - width + 1))
    return np.asarray(
        cv2.resize(both[top : top + height, left : left + width], (FACE_WIDTH, FACE_HEIGHT)), np.uint8
    )


_SURFACES: tuple[Callable[[Generator, Sequence[Picture]], Picture], ...] = (
    _blank,
    _pattern,
    _checks,
    _screen,
    _part,
    _part,
)


# Light


def _lit(rng: Generator, crop: Array, care: Care, hardships: list[str]) -> Array:
    """Linear light 0-1 (h, w, 3) as lamps and windows leave it."""
    height, width = crop.shape[:2]
    rows = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    columns = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None]
    strength = care.light
    warm = rng.normal(0, 0.11 * strength)
    if rng.random() < 0.12 * strength:
        warm += rng.uniform(0.2, 0.5)
        hardships.append("cast")
    cast = np.exp(np.array([-warm, rng.normal(0, 0.04 * strength), warm]) + rng.normal(0, 0.03 * strength, 3))
    bright = np.exp(rng.uniform(-1.5, 0.15) if strength >= 1 else rng.uniform(-0.5, 0.1))
    field = bright * (
        1 + rng.uniform(-0.7, 0.7) * strength * columns + rng.uniform(-0.7, 0.7) * strength * rows
    )
    if rng.random() < care.shadow:
        for _ in range(int(rng.integers(1, 3))):
            way = rng.uniform(0, 2 * np.pi)
            beyond = np.cos(way) * columns + np.sin(way) * rows * 1.5 - rng.uniform(-0.5, 0.5)
            soft = np.exp(rng.uniform(np.log(8), np.log(100))) * (1 if strength >= 1 else 0.3)
            field = field * (
                1 - rng.uniform(0.2, 0.75) * strength / (1 + np.exp(np.clip(-beyond * soft, -30, 30)))
            )
        hardships.append("shadow")
    crop = crop * (field[..., None] * cast).astype(np.float32)
    if rng.random() < care.glare:
        for _ in range(int(rng.integers(1, 3))):
            x, y = rng.uniform(-0.6, 0.6, 2)
            long, narrow = rng.uniform(0.06, 0.5, 2)
            turn = rng.uniform(0, np.pi)
            u = (columns - x) * np.cos(turn) + (rows - y) * np.sin(turn) * 1.5
            v = -(columns - x) * np.sin(turn) + (rows - y) * np.cos(turn) * 1.5
            shine = rng.uniform(0.05, 0.6) * bright * np.exp(-((u / long) ** 2) - (v / narrow) ** 2)
            crop = crop + shine[..., None].astype(np.float32)
        hardships.append("glare")
    if rng.random() < care.sleeve:
        crop = _sleeved(rng, crop, bright)
        hardships.append("sleeve")
    return np.asarray(crop, np.float32)


def _sleeved(rng: Generator, crop: Array, bright: float) -> Array:
    """A plastic sleeve: a veil, stripes of light, an edge all around."""
    height, width = crop.shape[:2]
    veil = rng.uniform(0.01, 0.12) * bright
    bands = noise(rng, height, width, width * rng.uniform(0.15, 0.6))
    shine = veil * (1 + np.clip(bands, 0, 2) * rng.uniform(0, 1.5))
    crop = crop * rng.uniform(0.85, 0.97) + shine[..., None]
    if rng.random() < 0.5:
        edge = max(1, int(width * rng.uniform(0.01, 0.05)))
        for strip in (crop[:edge], crop[-edge:], crop[:, :edge], crop[:, -edge:]):
            strip += rng.uniform(0, 0.2) * bright
    return np.asarray(crop, np.float32)


# Camera


def _moved(rng: Generator, crop: Array, length: int) -> Array:
    kernel = np.zeros((length, length), np.float32)
    cv2.line(kernel, (0, int(rng.integers(length))), (length - 1, int(rng.integers(length))), 1.0)
    return np.asarray(cv2.filter2D(crop, -1, kernel / kernel.sum()), np.float32)


def _camera(rng: Generator, crop: Array, care: Care) -> Picture:
    """From linear light to the picture a phone makes of it."""
    strength = care.light
    # inks are not what this sensor is made for: colours run into each other, white stays white
    mix = np.eye(3) + rng.normal(0, 0.04 * strength, (3, 3)) * (rng.random() < 0.7)
    crop = np.asarray(cv2.transform(crop, (mix / mix.sum(1, keepdims=True)).astype(np.float32)), np.float32)
    if rng.random() < 0.7:  # automatic exposure finds its way back to a usable picture
        mean = max(1e-3, float(crop.mean()))
        crop = crop * (float(np.exp(rng.uniform(np.log(0.12), np.log(0.5)))) / mean) ** 0.6
    toned = np.asarray(
        cv2.pow(np.clip(crop, 0, 1), float(np.exp(rng.normal(0, 0.13 * strength))) / 2.2), np.float32
    )
    if rng.random() < 0.3:
        toned = toned + np.float32(rng.uniform(0, 0.8) * strength) * toned * (1 - toned) * (toned - 0.5) * 2
    picture = toned * 255
    if rng.random() < 0.6:
        grey = np.asarray(picture.mean(2, keepdims=True), np.float32)
        more = float(np.exp(rng.normal(0, 0.16 * strength)))
        picture = np.asarray(grey + (picture - grey) * np.float32(more), np.float32)
    if rng.random() < 0.3:
        picture = picture + np.float32(rng.uniform(0.2, 0.9)) * (
            picture - cv2.GaussianBlur(picture, (0, 0), 1.2)
        )
    if strength >= 1 and rng.random() < 0.15:
        picture = picture * np.float32(0.85) + np.float32(rng.uniform(0, 35))
    grain = 0.8 * rng.standard_normal(picture.shape[:2], np.float32)[..., None]
    grain = grain + 0.2 * rng.standard_normal((1, 1, 3), np.float32)
    picture = np.asarray(picture + grain * (0.5 + (care.noise - 0.5) * rng.random() ** 2), np.float32)
    out = np.asarray(np.clip(picture, 0, 255), np.uint8)
    if rng.random() < 0.35:
        data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))])[1]
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out
