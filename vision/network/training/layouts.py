"""Families of made-up faces: how each is laid out, and in what its near-twins may differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from vision.network.training.art import art
from vision.network.training.inks import ink, noise, pick
from vision.network.training.shapes import FILLS, SHAPES, Colour, symbol
from vision.plane import Picture

PLACES: Mapping[int, tuple[tuple[float, float], ...]] = {
    1: ((0.5, 0.5),),
    2: ((0.5, 0.3), (0.5, 0.7)),
    3: ((0.5, 0.22), (0.5, 0.5), (0.5, 0.78)),
    4: ((0.3, 0.25), (0.7, 0.25), (0.3, 0.75), (0.7, 0.75)),
    5: ((0.3, 0.25), (0.7, 0.25), (0.5, 0.5), (0.3, 0.75), (0.7, 0.75)),
    6: ((0.3, 0.22), (0.7, 0.22), (0.3, 0.5), (0.7, 0.5), (0.3, 0.78), (0.7, 0.78)),
    7: ((0.3, 0.22), (0.7, 0.22), (0.3, 0.5), (0.7, 0.5), (0.3, 0.78), (0.7, 0.78), (0.5, 0.36)),
    8: ((0.3, 0.2), (0.7, 0.2), (0.3, 0.4), (0.7, 0.4), (0.3, 0.6), (0.7, 0.6), (0.3, 0.8), (0.7, 0.8)),
    9: ((0.3, 0.2), (0.7, 0.2), (0.3, 0.4), (0.7, 0.4), (0.3, 0.6), (0.7, 0.6), (0.3, 0.8), (0.7, 0.8), (0.5, 0.5)),
    10: ((0.3, 0.15), (0.7, 0.15), (0.5, 0.27), (0.3, 0.38), (0.7, 0.38), (0.3, 0.62), (0.7, 0.62), (0.5, 0.73), (0.3, 0.85), (0.7, 0.85)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Design:
    """Everything a face is drawn from. Seeds stand for pictures; ``odd`` is the one symbol that differs from its fellows, if any;
    ``turned``: lies the wrong way up."""

    family: str
    canvas: str
    ground: Colour
    ground_kind: int
    ground_seed: int
    border: int
    border_width: float
    border_colour: Colour
    shape: str
    fill: str
    colour: Colour
    accent: Colour
    frame: Colour
    count: int
    sign: str
    font: int
    index: bool
    size: float
    art: int
    details: int
    words: int
    places: int
    thickness: int
    pitch: int
    tint: float
    large: float
    sideways: bool
    odd: int
    odd_shape: str
    mark: int
    turned: bool


def _legible(design: Design) -> Colour:
    """The colour of symbols; never one that drowns in the ground."""
    if np.abs(np.array(design.colour) - np.array(design.ground)).max() >= 60:
        return design.colour
    blue, green, red = (255 - c for c in design.ground)
    return blue, green, red


def _write(
    picture: Picture, text: str, x: float, y: float, size: float, colour: Colour, weight: int, font: int
) -> None:
    """Text with its middle at (x, y)."""
    (width, height), _ = cv2.getTextSize(text, font, size, weight)
    cv2.putText(
        picture, text, (int(x - width / 2), int(y + height / 2)), font, size, colour, weight, cv2.LINE_AA
    )


def _lines(picture: Picture, rng: Generator, box: tuple[int, int, int, int], colour: Colour) -> None:
    """Small print in a box (left, top, right, bottom)."""
    left, top, right, bottom = box
    for y in range(top + 8, bottom - 2, 9):
        x, end = left + 3.0, left + (right - left) * rng.uniform(0.5, 1)
        while x < end:
            letters = "".join(chr(c) for c in rng.integers(97, 123, int(rng.integers(2, 6))))
            cv2.putText(picture, letters, (int(x), y), cv2.FONT_HERSHEY_SIMPLEX, 0.24, colour, 1, cv2.LINE_AA)
            x += len(letters) * 4.2 + 4


def _placed(
    picture: Picture,
    design: Design,
    places: tuple[tuple[float, float], ...],
    size: tuple[float, float],
    rotation: float,
) -> None:
    """Symbols at places, one of them odd."""
    height, width = picture.shape[:2]
    colour = _legible(design)
    for number, (x, y) in enumerate(places):
        odd = design.odd % len(places) == number if design.odd >= 0 else False
        if odd and design.odd_shape == "none":
            continue
        symbol(
            picture, design.odd_shape if odd else design.shape, design.fill, colour, (x * width, y * height), size,
            rotation, design.thickness, design.pitch, design.tint,
        )  # fmt: skip


def _inset(picture: Picture, inside: Picture, left: int, top: int) -> None:
    picture[top : top + inside.shape[0], left : left + inside.shape[1]] = inside


def _mirrored(picture: Picture) -> None:
    """The lower half is the upper one turned, as on playing cards."""
    half = picture.shape[0] // 2
    picture[-half:] = picture[:half][::-1, ::-1].copy()


def _corner(picture: Picture, design: Design) -> None:
    """The index of a playing card."""
    width, height = picture.shape[1], picture.shape[0]
    colour = _legible(design)
    _write(picture, design.sign, width * 0.09, height * 0.07, 0.7, colour, 2, design.font)
    symbol(picture, design.shape, "solid", colour, (width * 0.09, height * 0.15), (8, 8))


def _pips(picture: Picture, design: Design) -> None:
    size = design.size * picture.shape[1]
    places = tuple((x, 0.08 + 0.84 * y) for x, y in PLACES[design.count])
    _placed(picture, design, places, (size, size), 0)
    if design.index:
        _corner(picture, design)
        _mirrored(picture)


def _row(picture: Picture, design: Design) -> None:
    """One to three large symbols: only count, shape, fill and colour differ."""
    height, width = picture.shape[:2]
    count = (design.count - 1) % 3 + 1
    places = tuple((0.5, 0.5 + (k - (count - 1) / 2) * 0.27) for k in range(count))
    narrow = 0.8 if design.sideways else 1.0
    size = (height * 0.135 * design.large * narrow, width * 0.36 * design.large)
    _placed(picture, design, places, size, np.pi / 2)


def _digit(picture: Picture, design: Design) -> None:
    height, width = picture.shape[:2]
    colour = _legible(design)
    _write(
        picture,
        design.sign,
        width / 2,
        height * 0.45,
        3.6 * design.large,
        colour,
        5 + design.thickness,
        design.font,
    )
    if design.index:
        size = design.size * width
        symbol(
            picture,
            design.shape,
            design.fill,
            colour,
            (width / 2, height * 0.82),
            (size, size),
            0,
            design.thickness,
            design.pitch,
            design.tint,
        )


def _tile(picture: Picture, design: Design) -> None:
    """Nearly blank: a number on one half, a sign on the other, both small."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(design.places)
    colour = _legible(design)
    across = rng.uniform(0.25, 0.75)
    _write(
        picture,
        design.sign,
        width * across,
        height * rng.uniform(0.15, 0.35),
        rng.uniform(0.8, 2.0) * design.large,
        colour,
        1 + design.thickness,
        design.font,
    )
    size = width * rng.uniform(0.08, 0.22)
    place = (width * rng.uniform(0.25, 0.75), height * rng.uniform(0.6, 0.85))
    symbol(
        picture,
        design.shape,
        design.fill,
        colour,
        place,
        (size, size),
        0,
        design.thickness,
        design.pitch,
        design.tint,
    )
    if design.sideways:
        cv2.line(
            picture,
            (int(width * 0.1), height // 2),
            (int(width * 0.9), height // 2),
            design.accent,
            1,
            cv2.LINE_AA,
        )


def _court(picture: Picture, design: Design) -> None:
    height, width = picture.shape[:2]
    left, top = int(width * 0.14), int(height * 0.08)
    _inset(
        picture,
        art(design.art, int(height * 0.42), int(width * 0.72), design.index, design.details),
        left,
        top,
    )
    _corner(picture, design)
    symbol(picture, design.shape, "solid", _legible(design), (width * 0.18, height * 0.25), (16, 16))
    _mirrored(picture)


def _trading(picture: Picture, design: Design) -> None:
    """Title, picture, box of words on a coloured frame."""
    height, width = picture.shape[:2]
    edge = int(0.06 * width)
    cv2.rectangle(picture, (0, 0), (width, height), design.border_colour, -1)
    cv2.rectangle(picture, (edge, edge), (width - edge, height - edge), design.frame, -1)
    rng = np.random.default_rng(design.ground_seed)
    inner = picture[edge : height - edge, edge : width - edge]
    grain = noise(rng, inner.shape[0], inner.shape[1], 5) * rng.uniform(0, 14)
    inner[:] = np.clip(inner + grain[..., None], 0, 255)
    left, right = int(width * 0.13), int(width * 0.87)
    _inset(
        picture,
        art(design.art, int(height * 0.4), right - left, False, design.details),
        left,
        int(height * 0.12),
    )
    box = (left, int(height * 0.6), right, int(height * 0.92))
    light = tuple(int(c) for c in np.clip(np.array(design.frame) + 80, 0, 255))
    cv2.rectangle(picture, box[:2], box[2:], light, -1)
    _lines(picture, np.random.default_rng(design.words), box, (20, 20, 20))
    title = (left, int(height * 0.04), left + (right - left) // 2, int(height * 0.12))
    _lines(picture, np.random.default_rng(design.art + 1), title, (240, 240, 240))


def _quest(picture: Picture, design: Design) -> None:
    """An icon, a number in a disc, lines of words."""
    height, width = picture.shape[:2]
    colour = _legible(design)
    size = width * 0.2 * design.large
    symbol(
        picture,
        design.shape,
        design.fill,
        colour,
        (width / 2, height * 0.33),
        (size, size),
        0,
        design.thickness,
        design.pitch,
        design.tint,
    )
    middle = (int(width * (0.18 if design.sideways else 0.82)), int(height * 0.13))
    cv2.circle(picture, middle, int(width * 0.11), design.accent, -1, cv2.LINE_AA)
    light = sum(design.accent) > 330
    _write(picture, design.sign, *middle, 0.7, (15, 15, 15) if light else (245, 245, 245), 2, design.font)
    _lines(
        picture,
        np.random.default_rng(design.words),
        (int(width * 0.1), int(height * 0.58), int(width * 0.9), int(height * 0.92)),
        colour,
    )


def _single(picture: Picture, design: Design) -> None:
    width = picture.shape[1]
    size = width * 0.28 * design.large
    place = (0.5, 0.3 + 0.4 * (design.places % 97) / 97)
    _placed(picture, design, (place,), (size, size), 0)
    if design.index:
        _corner(picture, design)


def _scattered(picture: Picture, design: Design) -> None:
    height, width = picture.shape[:2]
    rng = np.random.default_rng(design.places)
    colour = _legible(design)
    for number in range(design.count):
        own, base = rng.random() < 0.6, design.size * width * rng.uniform(0.6, 1.8)
        shape, fill = (design.shape if own else pick(rng, SHAPES)), pick(rng, FILLS)
        hue = colour if rng.random() < 0.6 else ink(rng)
        place, lean = (rng.uniform(0.12, 0.88) * width, rng.uniform(0.1, 0.9) * height), rng.uniform(0, 6.28)
        if design.odd >= 0 and design.odd % design.count == number:
            if design.odd_shape == "none":
                continue
            shape = design.odd_shape
        symbol(
            picture, shape, fill, hue, place, (base, base), lean, design.thickness, design.pitch, design.tint
        )


def _paths(picture: Picture, design: Design) -> None:
    """A landscape tile: ways from side to side, fields, a few signs."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(design.places)
    ends = ((width // 2, 0), (width, height // 2), (width // 2, height), (0, height // 2))
    for start in rng.permutation(4)[: int(rng.integers(1, 5))]:
        kind, end = rng.integers(3), ends[int(start)]
        if kind == 0:
            cv2.circle(picture, end, int(width * rng.uniform(0.2, 0.45)), design.accent, -1, cv2.LINE_AA)
        else:
            cv2.line(
                picture,
                end,
                (width // 2, height // 2),
                design.frame,
                int(width * rng.uniform(0.06, 0.16)),
                cv2.LINE_AA,
            )
    size = design.size * width
    _placed(picture, design, PLACES[(design.count - 1) % 4 + 1], (size * 0.8, size * 0.8), 0)


def _whole(picture: Picture, design: Design) -> None:
    height, width = picture.shape[:2]
    picture[:] = art(design.art, height, width, design.index, design.details)
    if design.sideways:
        _write(picture, design.sign, width * 0.12, height * 0.1, 0.9, (250, 250, 250), 2, design.font)


@dataclass(frozen=True, slots=True)
class Family:
    """How a family is drawn, how often it is made, and what its twins may differ in (more often what is named twice)."""

    draw: Callable[[Picture, Design], None]
    chance: float
    changes: tuple[str, ...]


FAMILIES: Mapping[str, Family] = {
    "pips": Family(_pips, 2, ("shape", "fill", "colour", "shade", "count", "count", "sign", "odd", "odd")),
    "row": Family(
        _row, 4, ("shape", "fill", "fill", "tint", "tint", "colour", "shade", "count", "count", "odd")
    ),
    "digit": Family(_digit, 1.5, ("sign", "sign", "colour", "shade", "shape")),
    "tile": Family(_tile, 2, ("sign", "sign", "sign", "shape", "shape", "fill", "shade")),
    "court": Family(_court, 1.5, ("art", "details", "sign", "sign", "colour", "shape")),
    "trading": Family(_trading, 2, ("art", "art", "details", "details", "words", "frame")),
    "quest": Family(_quest, 1.5, ("shape", "sign", "sign", "words", "accent", "fill", "shade")),
    "single": Family(_single, 2, ("shape", "fill", "fill", "tint", "colour", "shade", "sign")),
    "scattered": Family(_scattered, 1, ("places", "colour", "shade", "count", "odd", "odd", "shape")),
    "paths": Family(_paths, 1, ("places", "count", "odd", "accent", "frame", "shape")),
    "whole": Family(_whole, 1.5, ("art", "details", "details", "details", "sign")),
}
