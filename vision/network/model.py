"""The learned part of reading: three small networks, run by cv2.dnn, that were trained on made-up pictures only.

All pictures are BGR uint8 crops of 80 x 120 px (width x height) in which the face fills the whole frame. The trunk turns a crop into a
map of features and two rows of numbers whose product is a similarity: good for a shortlist among hundreds of faces. The head looks at two
maps and says whether they show the same face, where the face's corners really are, and which cells of it can be seen. The pair network
looks at two *aligned* crops at once and decides what the other two cannot: near-twins. How they are trained: README.md beside this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Crops = NDArray[np.uint8]

WIDTH, HEIGHT = 80, 120
"""Size of a crop, px."""
COLUMNS, ROWS = 10, 15
"""Cells of a crop's map: one is 8 x 8 px."""
AT_ONCE = 16
"""Crops in one call of cv2.dnn: more are not quicker on one core and need more memory."""

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
    """The three networks. One instance serves one thread at a time: cv2.dnn keeps its working memory inside.

    The answer for a crop does not depend on the others in the same call.
    """

    def __init__(self, home: Path = HOME) -> None:
        """Reads the weights in ``home``; FileNotFoundError names the file that is missing."""
        self._trunk = _load(home / "trunk.onnx")
        self._head = _load(home / "head.onnx")

    def embed(self, crops: Crops) -> Features:
        """Features of crops (n, 120, 80, 3)."""
        maps, kept, weights = _run(self._trunk, {"x": _mean_normalised(crops)}, ("f", "d", "w"))
        kept = kept / (np.linalg.norm(kept, axis=1, keepdims=True) + np.float32(1e-6))
        share = _chance(weights)
        share /= share.sum((2, 3), keepdims=True) + np.float32(1e-3)
        length = int(np.prod(kept.shape[1:]))
        return Features(maps, (kept * share).reshape(-1, length), kept.reshape(-1, length))

    def relate(self, maps_a: Array, maps_b: Array) -> Relation:
        """Maps of crops and, row by row, of the faces they are to be compared with: both (n, C, 15, 10)."""
        answers, cells = _run(self._head, {"a": maps_a, "b": maps_b}, ("o", "c"))
        answers = answers.reshape(len(maps_a), 9)
        return Relation(answers[:, 0], answers[:, 1:].reshape(-1, 4, 2), _chance(cells[:, 0]))

    def compare(self, crops: Crops, faces: Crops) -> Verdict:
        """Crops aligned with their faces within about 2 % of the side, row by row: both (n, 120, 80, 3)."""
        relation = self.relate(self.embed(crops).maps, self.embed(faces).maps)
        return Verdict(relation.score, relation.cells)


@lru_cache(maxsize=1)
def shipped() -> Network:
    """The networks that come with Thoth, loaded once."""
    return Network()


def _load(path: Path) -> Any:
    """A network for cv2.dnn. OpenCV 5 has two engines; the older one is half as quick again on networks this small, and it is the
    one OpenCV 4 has, so both versions give the same answers."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: install Thoth again, or make it with `make train`")
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if classic is None:
        return cv2.dnn.readNetFromONNX(str(path))
    return cv2.dnn.readNetFromONNX(str(path), classic)


def _run(net: Any, inputs: dict[str, Array], outputs: Sequence[str]) -> list[Array]:
    """Outputs for all rows of the inputs, a block at a time."""
    count = len(next(iter(inputs.values())))
    if not count:
        empty = _run(
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


def _mean_normalised(crops: Crops) -> Array:
    """(n, 3, 120, 80) in about -1..2: the mean of a crop becomes 110 of 255, so that a dim picture looks like a bright one."""
    planes = np.asarray(crops, np.float32).transpose(0, 3, 1, 2)
    mean = np.maximum(planes.mean((1, 2, 3), keepdims=True), np.float32(8))
    return np.asarray(np.minimum(planes * (np.float32(110) / mean), 400) / 128 - 1, np.float32)
