"""The paint of figures: what the owner's samples say of it, and how far a colour is from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engines.table import Figure
from vision.boards import SCALE, Board
from vision.evenlight import DIM, TINGED, Array, flattened, log_of, split
from vision.plane import Picture

FAR = 1.0
"""Distance from a sample's colour at which paint is another's."""
PALE = 1.9
"""Where it shines it may be so far from it, next to paint that is not."""
SHADING = 0.5
"""How much brighter or darker (log) than its sample paint is where it faces the lamp or away from it."""


class FigureError(Exception):
    """Figures cannot be read; the text says what is missing and what to do."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour of figures: its name, log colour (red - green, blue - green), and the darkest and brightest it is."""

    name: str
    tinge: tuple[float, float]
    low: float
    high: float
    kinds: tuple[str, ...]


def painted(view: Picture, board: Board, spots: Mapping[str, tuple[float, float]]) -> Mapping[str, Picture]:
    """Samples for a gallery out of a view of the board with figures on it (as its picture): the paint around each spot (mm), in the
    light of the board's own picture. Raises FigureError for a spot at which nothing stands."""
    log = log_of(board.picture)
    flat = flattened(view, log)
    reach = round(2.2 * SCALE)
    found = {}
    for name, (x, y) in spots.items():
        column, row = round(x * SCALE - 0.5), round(y * SCALE - 0.5)
        part = (
            slice(max(0, row - reach), row + reach + 1),
            slice(max(0, column - reach), column + reach + 1),
        )
        paint = flat[part]
        if paint.size == 0 or float(np.median(np.abs(paint - log[part]).max(axis=2))) < TINGED:
            raise FigureError(f"where {name} was clicked nothing stands on the board: click it on its body")
        found[name] = np.asarray(np.clip(np.exp(paint) - DIM, 0, 255), np.uint8)
    return found


def paints_of(figures: Sequence[Figure], samples: Mapping[str, Picture]) -> tuple[Paint, ...]:
    """One for each colour: figures of several kinds share it."""
    shared: dict[str, list[Figure]] = {}
    for figure in figures:
        shared.setdefault(figure.identity.rpartition("-")[2], []).append(figure)
    found = []
    for name, them in shared.items():
        seen = np.concatenate([samples[one.identity].reshape(-1, 3) for one in them])[:, None]
        light, red, blue = split(log_of(np.ascontiguousarray(seen)))
        low, high = (float(v) for v in np.percentile(light, (5, 95)))
        tinge = float(np.median(red)), float(np.median(blue))
        found.append(Paint(name, tinge, low - SHADING, high + SHADING, tuple(one.kind for one in them)))
    return tuple(found)


def distances(
    paints: Sequence[Paint],
    light: NDArray[np.floating[Any]],
    red: NDArray[np.floating[Any]],
    blue: NDArray[np.floating[Any]],
) -> Array:
    """How far the colour of each pixel is from each paint; 1 and more: another."""
    found = []
    for paint in paints:
        # Of dark paint little colour comes back: it may differ more.
        spread = np.float32(0.26 if paint.low > 4.1 else 0.32)
        tinge = np.hypot(red - np.float32(paint.tinge[0]), blue - np.float32(paint.tinge[1])) / spread
        off = np.maximum(np.maximum(paint.low - light, light - paint.high), 0) / np.float32(0.35)
        found.append(np.hypot(tinge, off))
    return np.asarray(found, np.float32)
