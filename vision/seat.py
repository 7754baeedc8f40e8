"""The very edge of a face on its ground, told by colour: a shadow on the ground changes brightness and hardly colour.

Each side of a face is found by itself, from the ground inwards; what is found of all faces of a group says how large they are, and with the
size known both sides of each face say where it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane import Picture

FINE = 4.0
"""px per mm of the views that are looked at."""
ROOM = 4.0
"""mm of ground around the face in a view."""
STEP = 0.125
"""mm from one sample across a side to the next."""
PLACES = 32
"""Samples along a side."""
DEEP = 1.6
"""mm inside the expected edge that are looked at: less than what is printed on most faces' margins."""
LASTING = 0.5
"""mm for which what is no ground must go on: a line printed on the ground is thinner."""
COLOUR = 3.0
"""What a change of colour (log ratio of channels) counts beside one of brightness upwards."""
CLEAR = 0.09
"""How much of no ground a side must show beyond the noise of the ground."""
SAME = 0.9
"""Sizes that differ from a kind's by less than this (mm) are the kind's: edges are found no better, and a seam of ground does no harm."""
LEAN = 4.0
"""Degrees by which a face may be turned against its view."""

Array = NDArray[np.float32]
Bands = tuple[float, float, float, float]
"""mm of a piece's own side that show beyond its face: at the left, the top, the right, the bottom."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a face lies in its view: shift of its middle (mm), turn (degrees clockwise), sides (mm); ``sides``: how many of its four
    sides were told from the ground."""

    x: float
    y: float
    turn: float
    width: float
    height: float
    sides: int


@dataclass(frozen=True, slots=True)
class _Edge:
    """A side as found: how far out of its expected place (mm, outwards), how it leans (mm per mm, along the view's axis), or nothing."""

    out: float
    lean: float


def seated(
    views: Sequence[Picture], size: tuple[float, float], bands: Sequence[Bands] | None = None
) -> list[Seat]:
    """Where the faces lie in ``views``: BGR uint8 at FINE px per mm, each a face of about ``size`` (width, height) mm in the middle with
    ROOM mm around it. All are of one size."""
    edges = [_edges(view, size) for view in views]
    bands = bands if bands is not None else [(0.0, 0.0, 0.0, 0.0)] * len(views)
    outs = np.array(
        [
            [edge.out - band if edge is not None else np.nan for edge, band in zip(four, strip, strict=True)]
            for four, strip in zip(edges, bands, strict=True)
        ]
    ).reshape(-1, 4)
    width = _common(outs[:, 0] + outs[:, 2], size[0])
    height = _common(outs[:, 1] + outs[:, 3], size[1])
    seats = []
    for four, out in zip(edges, outs, strict=True):
        leans = [edge.lean for edge in four if edge is not None]
        turn = float(np.degrees(np.median(leans))) if leans else 0.0
        seats.append(
            Seat(
                _middle(out[0], out[2], width - size[0]),
                _middle(out[1], out[3], height - size[1]),
                turn if abs(turn) < LEAN else 0.0,
                width,
                height,
                int(np.isfinite(out).sum()),
            )
        )
    return seats


def _common(grown: NDArray[np.float64], side: float) -> float:
    """The size that most faces have, mm; ``grown``: how much larger than ``side`` each seems, not a number where it cannot be told."""
    told = grown[np.isfinite(grown)]
    if len(told) < max(1, len(grown) / 2):
        return side
    found = side + float(np.median(told))
    return side if abs(found - side) < SAME else found


def _middle(low: float, high: float, grown: float) -> float:
    """How far the middle between two sides is shifted: by what both say, by what one says with the size, or not at all."""
    said = [value for value in (grown / 2 - low, high - grown / 2) if np.isfinite(value)]
    return float(np.mean(said)) if said else 0.0


def _edges(view: Picture, size: tuple[float, float]) -> list[_Edge | None]:
    """The left, the top, the right and the bottom side."""
    soft = cv2.GaussianBlur(view, (0, 0), 0.6)
    blue, green, red = (np.log(channel.astype(np.float32) + 12.0) for channel in cv2.split(soft))
    seen = np.dstack([(blue + green + red) / 3, COLOUR * (red - green), COLOUR * (blue - green)]).astype(
        np.float32
    )
    return [_edge(seen, size, side) for side in range(4)]


def _edge(seen: Array, size: tuple[float, float], side: int) -> _Edge | None:
    axis, sign = side % 2, -1.0 if side < 2 else 1.0
    rows, columns = seen.shape[:2]
    along = np.linspace(-0.4, 0.4, PLACES, dtype=np.float32) * np.float32(size[1 - axis])
    # From the ground inwards.
    outs = np.arange(ROOM - 0.25, -DEEP, -STEP, dtype=np.float32)
    across = np.float32(sign) * (np.float32(size[axis] / 2) + outs)
    u, v = np.meshgrid(across, along)
    x, y = (u, v) if axis == 0 else (v, u)
    there = cv2.remap(
        seen,
        (x * FINE + (columns - 1) / 2).astype(np.float32),
        (y * FINE + (rows - 1) / 2).astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    ground_part = there[:, : round(1.25 / STEP)]
    ground = np.median(ground_part, axis=(0, 1))
    away = there - ground
    # Darker than the ground is its shadow; brighter, or of another colour, is no ground.
    other = np.hypot(away[..., 1], away[..., 2]) + np.maximum(away[..., 0] - 0.05, 0.0)
    noise = float(np.percentile(other[:, : ground_part.shape[1]], 90))
    inside = other[:, outs < -0.2]
    level = float(np.median(np.percentile(inside, 40, axis=1)))
    if level < noise + CLEAR:
        return None
    limit = (noise + level) / 2
    lasting = max(2, round(LASTING / STEP))
    over = other > limit
    enough = np.lib.stride_tricks.sliding_window_view(over, lasting, axis=1).all(axis=2)
    first = enough.argmax(axis=1)
    good = np.asarray(enough.max(axis=1) & (first > 0))
    if good.sum() < PLACES / 3:
        return None
    index = np.flatnonzero(good)
    before = other[index, first[index] - 1]
    behind = other[index, first[index]]
    part = np.clip((limit - before) / np.maximum(behind - before, 1e-6), 0, 1)
    out = outs[first[index] - 1] - part * STEP
    place = along[index]
    lean = _slope(place, out)
    level_out = float(np.median(out - lean * place))
    # A face turned clockwise leans one way at the left and the other at the right, likewise at the top and the bottom.
    turned = lean * sign * (-1.0 if axis == 0 else 1.0)
    return _Edge(level_out, float(turned))


def _slope(x: Array, y: Array) -> float:
    """The median slope between far points (Theil and Sen)."""
    half = len(x) // 2
    if half < 4:
        return 0.0
    return float(np.median((y[half : 2 * half] - y[:half]) / (x[half : 2 * half] - x[:half])))
