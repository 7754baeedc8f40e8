"""Painting on a picture: smooth polygons, and flat art seen in perspective."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Layout
from hardware.print.faces import draw_face
from hardware.print.mat import draw_mat
from hardware.print.raster import raster
from hardware.print.shapes import Drawing

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""

SHIFT = 5


def u8(picture: Any) -> Picture:
    """What OpenCV returned, as the uint8 picture that it is."""
    return np.asarray(picture, np.uint8)


def fill(picture: Picture, outline: Floats, colour: Colour | int) -> None:
    """Paint a convex (n, 2) px outline with smooth edges."""
    fixed = np.round(outline * (1 << SHIFT)).astype(np.int32)
    value = colour if isinstance(colour, tuple) else (colour,)
    cv2.fillConvexPoly(picture, fixed, value, cv2.LINE_AA, SHIFT)


def fill_hard(picture: Picture, outline: Floats, value: int) -> None:
    """Paint a convex (n, 2) px outline with one value and hard edges: for maps that hold numbers, not colours."""
    fixed = np.round(outline * (1 << SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(picture, fixed, (value,), cv2.LINE_8, SHIFT)


@dataclass(frozen=True, slots=True)
class Spot:
    """A rectangle of a picture, px: from (left, top) to (right, bottom), without those."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def part(self) -> tuple[slice, slice]:
        """Its rows and columns."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    @property
    def empty(self) -> bool:
        return self.left >= self.right or self.top >= self.bottom

    def meets(self, other: Spot) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def grown(self, by: int, whole: Spot) -> Spot:
        """Larger by so many px on each side, within the whole."""
        return Spot(
            max(whole.left, self.left - by),
            max(whole.top, self.top - by),
            min(whole.right, self.right + by),
            min(whole.bottom, self.bottom + by),
        )

    def within(self, other: Spot) -> tuple[slice, slice]:
        """Its rows and columns in the picture of a larger one."""
        return (
            slice(self.top - other.top, self.bottom - other.top),
            slice(self.left - other.left, self.right - other.left),
        )


def joined(spots: Iterable[Spot]) -> list[Spot]:
    """The same places in rectangles that do not meet."""
    apart: list[Spot] = []
    for spot in spots:
        if spot.empty:
            continue
        whole = spot
        while near := [one for one in apart if one.meets(whole)]:
            apart = [one for one in apart if one not in near]
            every = [whole, *near]
            whole = Spot(
                min(one.left for one in every),
                min(one.top for one in every),
                max(one.right for one in every),
                max(one.bottom for one in every),
            )
        apart.append(whole)
    return apart


def spot_of(quad: Floats, size: tuple[int, int]) -> Spot:
    """What is painted of a picture of ``size`` (width, height) when art is pasted at ``quad``, (4, 2) px."""
    left, top = np.maximum(np.floor(quad.min(0)).astype(int) - 1, 0).tolist()
    right, bottom = np.minimum(np.ceil(quad.max(0)).astype(int) + 2, size).tolist()
    return Spot(left, top, right, bottom)


def paste(picture: Picture, quad: Floats, art: Picture) -> None:
    """Paint ``art`` (BGRA, premultiplied, a margin of one clear px) so that its corners come to ``quad``, (4, 2) px."""
    spot = spot_of(quad, picture.shape[1::-1])
    if spot.empty:
        return
    left, top, right, bottom = spot.left, spot.top, spot.right, spot.bottom
    rows, columns = art.shape[:2]
    a, b, c, d = 0.5, 0.5, columns - 1.5, rows - 1.5
    corners = np.array([[a, b], [c, b], [c, d], [a, d]], np.float32)
    warp = cv2.getPerspectiveTransform(corners, (quad - (left, top)).astype(np.float32))
    seen = cv2.warpPerspective(art, warp, (right - left, bottom - top), flags=cv2.INTER_LINEAR)
    part = picture[spot.part]
    clear = cv2.cvtColor(255 - seen[:, :, 3], cv2.COLOR_GRAY2BGR)
    part[:] = cv2.add(cv2.multiply(part, clear, scale=1 / 255), seen[:, :, :3])


class Art:
    """The faces and the mat of a layout at the sizes in which they are seen, drawn when first needed."""

    def __init__(self, layout: Layout, px_per_mm: float) -> None:
        self._layout = layout
        self._px_per_mm = math.ceil(px_per_mm * 5) / 5  # few different sizes: what was drawn serves again
        self._faces: dict[tuple[str, float], Picture] = {}
        self._drawings: dict[
            tuple[int, float], tuple[Drawing, Picture]
        ] = {}  # keeps the drawing: its id stays its own

    def face(self, identity: str, px_per_mm: float) -> Picture:
        """A face with a clear margin of one px, BGRA, at about ``px_per_mm``."""
        key = identity, px_per_mm
        if key not in self._faces:
            face = self._layout.face(identity)
            kind = self._layout.kind(face.kind)
            opaque = cv2.cvtColor(
                self._shrunk(_drawn(face, kind, self._px_per_mm, self._layout.game), px_per_mm),
                cv2.COLOR_BGR2BGRA,
            )
            self._faces[key] = u8(
                cv2.copyMakeBorder(opaque, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
            )
        return self._faces[key]

    def mat(self, px_per_mm: float) -> Picture:
        """The mat, BGR, at about ``px_per_mm``."""
        return self._shrunk(_mat(self._layout, self._px_per_mm), px_per_mm)

    def drawing(self, drawing: Drawing, px_per_mm: float) -> Picture:
        """A board or a marker with a clear margin of one px, BGRA, at about ``px_per_mm``."""
        key = id(drawing), px_per_mm
        if key not in self._drawings:
            opaque = cv2.cvtColor(raster(drawing, px_per_mm), cv2.COLOR_BGR2BGRA)
            framed = cv2.copyMakeBorder(opaque, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
            self._drawings[key] = drawing, u8(framed)
        return self._drawings[key][1]

    def _shrunk(self, picture: Picture, px_per_mm: float) -> Picture:
        share = px_per_mm / self._px_per_mm
        if share > 0.85:
            return picture
        size = max(1, round(picture.shape[1] * share)), max(1, round(picture.shape[0] * share))
        return u8(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


_drawn = lru_cache(maxsize=128)(draw_face)
_mat = lru_cache(maxsize=1)(draw_mat)
