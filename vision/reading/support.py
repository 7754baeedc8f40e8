"""How well edges of a photo bear out where sides of a piece would be, for many quads at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad
from vision.plane import Picture
from vision.reading.hiding import Cover
from vision.reading.sides import Flags, Floats, frames
from vision.reading.stretches import WINDOWS
from vision.reading.words import Outlines

PLACES = np.linspace(0.05, 0.95, 28, dtype=np.float32)
"""Where along a side edges are looked for."""
SLACK = 0.6
"""An edge may step so many windows (of an eighth of half a turn) away from the side's own direction."""
MISSING = 0.8
"""How much border that is not there weighs against border that is."""
FREE, RIM, HIDDEN, MARGIN = 0, 1, 2, 3
BROAD = 0.08
"""How much broader than its face a piece may be all around, share of its side: a white border that the owner's pictures leave out, a sleeve."""


@dataclass(frozen=True, slots=True, eq=False)
class Support:
    """Of each quad (n,): ``shown``, which share of its border shows an edge along it; ``seen``, which share could show one: not covered
    by a piece that is taken, or by what it may have around its face, nor outside the photo; ``own``, which share shows an edge that is not the border of a taken piece;
    ``sides``, how many of its sides are mostly borne out."""

    shown: Floats
    seen: Floats
    own: Floats
    sides: NDArray[np.int64]

    @property
    def votes(self) -> Floats:
        """Edges found, less what is missing: 1 for a border that shows everywhere, below 0 when most of what could be seen is not there."""
        return np.asarray(self.shown - MISSING * (self.seen - self.shown), np.float32)


def broadened(quad: Quad) -> Quad:
    """A piece with what it may have around its face: each side ``BROAD`` of the side farther out."""
    ways = np.roll(quad, -1, 0) - quad
    ways /= np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-6)
    out = BROAD * float(np.sqrt(abs(cv2.contourArea(quad))))
    return np.asarray(quad + out * (np.roll(ways, 1, 0) - ways), np.float32)


def taken_mask(outlines: Outlines, taken: Sequence[Cover]) -> Picture:
    """(h, w) like ``outlines.edges``: HIDDEN within pieces that are taken, RIM along their borders, MARGIN around them, FREE elsewhere and
    where they cannot be seen themselves."""
    mask = np.zeros(outlines.edges.shape, np.uint8)
    drawn = []
    for cover in taken:
        small = np.asarray((cover.quad + 0.5) * outlines.scale - 0.5, np.float32)
        side = float(np.sqrt(abs(cv2.contourArea(small))))
        drawn.append((np.rint(small * 8).astype(np.int32), side, _seen_in(cover, small, mask.shape)))

    for value, width in ((MARGIN, 2 * BROAD), (HIDDEN, 0.0), (RIM, 0.04)):
        for corners, side, seen in drawn:
            own = mask if seen is None else np.zeros_like(mask)
            if width:
                cv2.polylines(own, [corners], True, value, max(3, round(width * side)), cv2.LINE_8, 3)
            else:
                cv2.fillConvexPoly(own, corners, value, cv2.LINE_8, 3)
            if seen is not None:
                mask[(own > 0) & seen] = value
    return mask


def _seen_in(cover: Cover, small: Floats, shape: tuple[int, ...]) -> Flags | None:
    """(h, w): where a cover that is itself covered can be seen, and around that; None for one that lies open. ``small``: its quad there."""
    if cover.cells is None:
        return None
    # Two cells more on each side: what is around the piece, as broad as it may be, goes with what is beside it.
    # A cell less at the edge of what lies on it: that edge can be seen.
    padded = np.pad((cover.cells > 0.5).astype(np.uint8), 2, mode="edge")
    cells = cv2.erode(padded, np.ones((3, 3), np.uint8))
    rows, columns = cover.cells.shape
    frame = np.array([[2, 2], [2 + columns, 2], [2 + columns, 2 + rows], [2, 2 + rows]], np.float32) - 0.5
    to_photo = cv2.getPerspectiveTransform(frame, small)
    return np.asarray(cv2.warpPerspective(cells, to_photo, shape[1::-1], flags=cv2.INTER_NEAREST) > 0)


def allowed(angles: Floats) -> NDArray[np.uint8]:
    """Bits of the directions in which the edges of sides step whose normals have these angles (radians)."""
    where = np.mod(np.asarray(angles, np.float64), np.pi) * (WINDOWS / np.pi)
    bits = np.zeros(where.shape, np.uint8)
    for shift in (-SLACK, 0.0, SLACK):
        bits |= (1 << np.mod(np.floor(where + shift).astype(np.int64), WINDOWS)).astype(np.uint8)
    return bits


def support(outlines: Outlines, quads: Floats, mask: Picture) -> Support:
    """What the edges say about quads (n, 4, 2), px of the photo; ``mask`` from ``taken_mask``."""
    ways, normals, lengths = frames(quads)
    points = quads[:, :, None] + PLACES[:, None] * (lengths[..., None] * ways)[:, :, None]
    points = (points + 0.5) * outlines.scale - 0.5
    height, width = outlines.edges.shape
    with np.errstate(invalid="ignore"):
        column = np.rint(np.clip(points[..., 0], -9, width + 9)).astype(np.int64)
        row = np.rint(np.clip(points[..., 1], -9, height + 9)).astype(np.int64)
    inside: Flags = (column >= 1) & (row >= 1) & (column < width - 1) & (row < height - 1)
    column, row = np.where(inside, column, 0), np.where(inside, row, 0)
    bits = allowed(np.arctan2(normals[..., 1], normals[..., 0]).astype(np.float32))[..., None]
    state = mask[row, column]
    open_ = inside & (state != HIDDEN)
    shown = open_ & ((outlines.directions[row, column] & bits) != 0)
    seen = open_ & (shown | (state != MARGIN))
    own = shown & (state != RIM)
    total = 4 * len(PLACES)
    per_side, could = shown.sum(-1), seen.sum(-1)
    borne = (per_side > 0.6 * could) & (could > 0.25 * len(PLACES)) & (own.sum(-1) > 0.15 * len(PLACES))
    return Support(
        np.asarray(shown.sum((-1, -2)) / total, np.float32),
        np.asarray(seen.sum((-1, -2)) / total, np.float32),
        np.asarray(own.sum((-1, -2)) / total, np.float32),
        borne.sum(-1).astype(np.int64),
    )
