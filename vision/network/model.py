"""The learned part of reading: four small networks, run by cv2.dnn, that were trained on made-up pictures only.

All pictures are BGR uint8 crops of 80 x 120 px (width x height) in which the face fills the whole frame. The trunk turns a crop into a
map of features and two rows of numbers whose product is a similarity: good for a shortlist among hundreds of faces. The head looks at two
maps and says whether they show the same face, where the face's corners really are, and which cells of it can be seen. The pair network
looks at two *aligned* crops at once and decides what the other two cannot: near-twins; another one like it has learned what pieces
look like on which something lies. How they are trained: README.md beside this file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Crops = NDArray[np.uint8]
Made = TypeVar("Made")

WIDTH, HEIGHT = 80, 120
"""Size of a crop, px."""
COLUMNS, ROWS = 10, 15
"""Cells of a crop's map: one is 8 x 8 px."""
AT_ONCE = 8
"""Crops in one call of cv2.dnn: more are not quicker on one core and need more memory."""

PLANES = 12
"""What the pair network looks at, by `pair_planes`."""
LIFT = np.float32(1.1)
"""Added before a logarithm: planes begin at -1, and noise in the dark must not count as contrast."""

HOME = Path(__file__).parent


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What the trunk says of n crops.

    ``maps`` (n, C, 15, 10) is what `relate` wants; the similarity of crops to faces is ``crops.asked @ faces.kept.T``, 1 at best.
    """

    maps: Array
    asked: Array
    kept: Array


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """``score`` (n,): log odds that crop and face are the same. ``corners`` (n, 4, 2): where the face's corners are, minus where the
    crop has them, in units of the crop's sides. ``cells`` (n, 15, 10): chance that this cell of the crop shows the face."""

    score: Array
    corners: Array
    cells: Array


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """``score`` (n,): log odds that an aligned crop shows this very face (0: even). ``cells`` (n, 15, 10): chance that this cell of
    the face can be seen."""

    score: Array
    cells: Array


class Network:
    """The four networks. One instance serves one thread at a time: cv2.dnn keeps its working memory inside.

    The answer for a crop does not depend on the others in the same call.
    """

    def __init__(self, home: Path = HOME) -> None:
        """Reads the weights in ``home``; FileNotFoundError names the file that is missing."""
        self._trunk = load(home / "trunk.onnx")
        self._head = load(home / "head.onnx")
        self._pair = load(home / "pair.onnx")
        self._covered = load(home / "covered.onnx")

    def embed(self, crops: Crops) -> Features:
        """Features of crops (n, 120, 80, 3)."""
        maps, kept, weights = run(self._trunk, {"x": mean_normalised(crops)}, ("f", "d", "w"))
        kept = kept / (np.linalg.norm(kept, axis=1, keepdims=True) + np.float32(1e-6))
        share = _chance(weights)
        share /= share.sum((2, 3), keepdims=True) + np.float32(1e-3)
        length = int(np.prod(kept.shape[1:]))
        return Features(maps, (kept * share).reshape(-1, length), kept.reshape(-1, length))

    def relate(self, maps_a: Array, maps_b: Array) -> Relation:
        """Maps of crops and, row by row, of the faces they are to be compared with: both (n, C, 15, 10)."""
        answers, cells = run(self._head, {"a": maps_a, "b": maps_b}, ("o", "c"))
        answers = answers.reshape(len(maps_a), 9)
        return Relation(answers[:, 0], answers[:, 1:].reshape(-1, 4, 2), _chance(cells[:, 0]))

    def compare(self, crops: Crops, faces: Crops) -> Verdict:
        """Crops aligned with their faces within about 2 % of the side, row by row: both (n, 120, 80, 3)."""
        return _compared(self._pair, crops, faces)

    def compare_covered(self, crops: Crops, faces: Crops) -> Verdict:
        """The same for pieces on which something lies, by a network that has seen more of them; what is known to hide them is to be `painted_over`."""
        return _compared(self._covered, crops, faces)


def _compared(network: Any, crops: Crops, faces: Crops) -> Verdict:
    scores: list[Array] = [np.zeros(0, np.float32)]
    cells: list[Array] = [np.zeros((0, ROWS, COLUMNS), np.float32)]
    for start in range(0, len(crops), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        score, cell = run(network, {"planes": pair_planes(crops[some], faces[some])}, ("score", "cells"))
        scores.append(score.reshape(-1))
        cells.append(_chance(cell[:, 0]))
    return Verdict(np.concatenate(scores), np.concatenate(cells))


def per_thread(make: Callable[[], Made]) -> Callable[[], Made]:
    """A function that gives what ``make`` makes, made once in each thread: for networks and others that keep working memory inside."""
    held = threading.local()

    @wraps(make)
    def given() -> Made:
        if not hasattr(held, "made"):
            held.made = make()
        made: Made = held.made
        return made

    return given


@per_thread
def shipped() -> Network:
    """The networks that come with Thoth, loaded once for each thread that asks."""
    return Network()


def load(path: Path) -> Any:
    """A network for cv2.dnn. OpenCV 5 has two engines; the older one is half as quick again on networks this small, and it is the
    one OpenCV 4 has, so both versions give the same answers."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: install Thoth again, or make it with `make train`")
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if classic is None:
        return cv2.dnn.readNetFromONNX(str(path))
    return cv2.dnn.readNetFromONNX(str(path), classic)


def run(net: Any, inputs: dict[str, Array], outputs: Sequence[str]) -> list[Array]:
    """Outputs for all rows of the inputs, a block at a time."""
    count = len(next(iter(inputs.values())))
    if not count:
        empty = run(
            net, {name: np.zeros((1, *rows.shape[1:]), np.float32) for name, rows in inputs.items()}, outputs
        )
        return [out[:0] for out in empty]
    parts: list[list[Array]] = [[] for _ in outputs]
    for start in range(0, count, AT_ONCE):
        for name, rows in inputs.items():
            net.setInput(np.ascontiguousarray(rows[start : start + AT_ONCE], np.float32), name)
        for part, out in zip(parts, net.forward(list(outputs)), strict=True):
            part.append(np.array(out, np.float32))
    return [np.concatenate(part) for part in parts]


def _chance(log_odds: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-log_odds)), np.float32)


def painted_over(crops: Crops, is_open: Array) -> Crops:
    """Crops (n, h, w, 3) with the mean colour of what lies open in place of what does not: a network that is shown what lies on a piece takes
    it for its face. ``is_open`` (n, 60, 40), 0 or 1. The one of `compare_covered` has learned from such crops."""
    out = crops
    for row in np.flatnonzero(is_open.mean((1, 2)) < 1):
        hidden = cv2.resize(is_open[row], crops.shape[2:0:-1], interpolation=cv2.INTER_NEAREST) < 0.5
        if hidden.all():
            continue
        if out is crops:
            out = crops.copy()
        out[row][hidden] = crops[row][~hidden].mean(0)
    return out


def mean_normalised(crops: Crops) -> Array:
    """(n, 3, 120, 80) in about -1..2: the mean of a crop becomes 110 of 255, so that a dim picture looks like a bright one."""
    planes = np.asarray(crops, np.float32).transpose(0, 3, 1, 2)
    mean = np.maximum(planes.mean((1, 2, 3), keepdims=True), np.float32(8))
    return np.asarray(np.minimum(planes * (np.float32(110) / mean), 400) / 128 - 1, np.float32)


def pair_planes(crops: Crops, faces: Crops) -> Array:
    """What the pair network looks at, (n, 12, 120, 80), or as large as the crops are: crop; face; what is left of their log ratio when a smooth light is taken out; and
    that again when the contrast is taken out too, without what is wider than two cells.

    A tint of 5 % is a step of 0.05 in the third, whatever the lamp. The fourth forgives haze and tone curves, but with them a symbol that is
    only paler than its twin's: so the network sees both.
    """
    n, height, width = crops.shape[:3]
    planes = np.empty((n, PLANES, height, width), np.float32)
    logs = np.empty((n, 6, height, width), np.float32)
    cells = np.empty((n, 6, HEIGHT // 4, WIDTH // 4), np.float32)
    for row, pair in enumerate(zip(crops, faces, strict=True)):
        for picture, first in zip(pair, (0, 3), strict=True):
            levels = _normalised_levels(picture)
            below = _below(picture.transpose(2, 0, 1))
            cv2.LUT(below, levels, dst=_below(planes[row, first : first + 3]))
            cv2.LUT(below, np.log(levels + LIFT), dst=_below(logs[row, first : first + 3]))
        logs[row, :3] -= logs[row, 3:]
        cv2.resize(
            _below(logs[row]),
            (WIDTH // 4, 6 * HEIGHT // 4),
            dst=_below(cells[row]),
            interpolation=cv2.INTER_AREA,
        )
    light, contrast = _fit(cells.reshape(n, 6, -1).transpose(0, 2, 1))
    across, down = _axes(height, width)
    wide = 19 * width // WIDTH | 1
    for row in range(n):
        flat = logs[row]
        even, x, y, xx, xy, yy = light[row][:, :, None, None]
        flat -= even + y * down + yy * (down * down) + xx * (across * across)
        flat -= (x + xy * down) * across
        np.clip(4 * flat[:3], -2, 2, out=planes[row, 6:9])
        fitted = np.clip(4 * flat[:3] - (4 * contrast[row]) * flat[3:], -2, 2)
        for plane, out in zip(fitted, planes[row, 9:12], strict=True):
            cv2.subtract(plane, cv2.blur(plane, (wide, wide)), dst=out)
    return planes


def _below(planes: NDArray[Any]) -> NDArray[Any]:
    """Planes (k, h, w) below each other (k * h, w), so that one call of OpenCV serves all."""
    return planes.reshape(-1, planes.shape[2])


def _fit(cells: Array) -> tuple[Array, Array]:
    """Light and contrast by which a crop differs from its face, from log ratio and log face (n, 600, 3 + 3).

    The light (n, 6, 6) is a polynomial of second degree for each column, the contrast (n,) what the ratio then has in common with the face.
    Covers and reflections count little: least squares, weighted anew three times with Cauchy's weights (Holland & Welsch 1977).
    """
    basis = _light_basis(HEIGHT // 4, WIDTH // 4)
    ridge = np.float32(1e-3) * np.eye(basis.shape[1], dtype=np.float32)
    weight = np.ones((len(cells), basis.shape[0], 1), np.float32)
    contrast = np.zeros((len(cells), 1, 1), np.float32)
    for _ in range(3):
        weighted = (basis * weight).transpose(0, 2, 1)
        light = np.linalg.solve(weighted @ basis + ridge, weighted @ cells)
        flat = cells - basis @ light
        ratio, face = flat[:, :, :3], flat[:, :, 3:]
        common, own = ((weight * face * other).sum((1, 2), keepdims=True) for other in (ratio, face))
        contrast = np.clip(common / (own + np.float32(0.5)), -0.6, 0.6)
        left = np.abs(ratio - contrast * face).max(2, keepdims=True)
        spread = np.maximum(np.float32(1.5) * np.median(left, 1, keepdims=True), np.float32(0.03))
        weight = 1 / (1 + (left / spread) ** 2)
    return light, contrast[:, 0, 0]


def _normalised_levels(picture: Crops) -> Array:
    """What each of the 256 levels becomes, about -1..2, when the picture's mean shall be 110 of 255."""
    mean = max(8.0, sum(cv2.mean(picture)) / 3)
    levels = np.arange(256, dtype=np.float32) * np.float32(110 / mean)
    return np.asarray(np.minimum(levels, 400) / 128 - 1, np.float32)


@lru_cache(maxsize=4)
def _axes(height: int, width: int) -> tuple[Array, Array]:
    """-1 to 1 across (1, width) and down (height, 1) a picture."""
    across, down = (np.linspace(-1, 1, size, dtype=np.float32) for size in (width, height))
    return across[None], down[:, None]


@lru_cache(maxsize=2)
def _light_basis(height: int, width: int) -> Array:
    """Polynomials of second degree over a picture: (height * width, 6), each about 1 in size."""
    down, across = np.meshgrid(np.linspace(-1, 1, height), np.linspace(-1, 1, width), indexing="ij")
    x, y = across.ravel(), down.ravel()
    return np.asarray(np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y]), np.float32)
