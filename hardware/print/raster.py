"""A drawing as a picture."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.print.shapes import Area, Drawing, Shape, Stroke, Words

Picture = NDArray[np.uint8]

Scale = tuple[float, float]
"""Fine px per mm, across and down."""

FINE = 4
"""Each pixel is the mean of FINE x FINE: edges as smooth as a print, the same on every version of OpenCV."""
STRIP = 256
"""Rows of the result that are drawn at a time, so that a whole mat needs little memory."""
SHIFT = 4


def raster(drawing: Drawing, px_per_mm: float) -> Picture:
    """The drawing as a picture, (height, width, 3) uint8 BGR, at ``px_per_mm``. The same input gives the same bytes."""
    width, height = round(drawing.width * px_per_mm), round(drawing.height * px_per_mm)
    if width < 1 or height < 1:
        raise ValueError(f"nothing can be drawn at {px_per_mm} px per mm: take 1 or more")
    result = np.empty((height, width, 3), np.uint8)
    # The sheet's edges are the picture's edges, also where the size in px had to be rounded.
    scale = width * FINE / drawing.width, height * FINE / drawing.height
    for top in range(0, height, STRIP):
        rows = min(STRIP, height - top)
        fine = np.empty((rows * FINE, width * FINE, 3), np.uint8)
        fine[:] = drawing.ground[::-1]
        for shape in drawing.shapes:
            if _meets(shape, top / px_per_mm, (top + rows) / px_per_mm):
                _draw(fine, shape, scale, float(top * FINE))
        result[top : top + rows] = cv2.resize(fine, (width, rows), interpolation=cv2.INTER_AREA)
    return result


def _meets(shape: Shape, top: float, bottom: float) -> bool:
    if isinstance(shape, Words):
        return shape.y + shape.size >= top and shape.y - 2 * shape.size <= bottom
    spare = shape.width if isinstance(shape, Stroke) else 0.5
    ys = [y for _, y in shape.points]
    return max(ys) + spare >= top and min(ys) - spare <= bottom


def _draw(picture: Picture, shape: Shape, scale: Scale, top: float) -> None:
    if isinstance(shape, Words):
        _write(picture, shape, scale, top)
    elif isinstance(shape, Area):
        _fill(picture, shape.points, shape.colour, scale, top)
    else:
        points = shape.points + shape.points[:1] if shape.closed else shape.points
        half = shape.width / 2
        for (x1, y1), (x2, y2) in pairwise(points):
            length = math.hypot(x2 - x1, y2 - y1) or 1.0
            dx, dy = -(y2 - y1) / length * half, (x2 - x1) / length * half
            quad = ((x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy))
            _fill(picture, quad, shape.colour, scale, top)
        unit = 1 << SHIFT
        for x, y in points:
            centre = round((x * scale[0] - 0.5) * unit), round((y * scale[1] - top - 0.5) * unit)
            cv2.circle(
                picture, centre, round(half * scale[0] * unit), shape.colour[::-1], -1, cv2.LINE_8, SHIFT
            )


def _fill(picture: Picture, points: Any, colour: tuple[int, int, int], scale: Scale, top: float) -> None:
    # Pixel centres lie at half pixels; fillPoly also paints the pixels its outline touches, hence 0.5.
    corners = np.asarray(points, np.float64) * scale - (0.5, top + 0.5)
    fixed = np.round(corners * (1 << SHIFT)).astype(np.int32)
    cv2.fillPoly(picture, [fixed], colour[::-1], cv2.LINE_8, SHIFT)


def _write(picture: Picture, words: Words, scale: Scale, top: float) -> None:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=words.size * scale[1] / 0.72)
    anchor = "ms" if words.centred else "ls"
    x, y = words.x * scale[0], words.y * scale[1] - top
    left, upper, right, lower = (
        round(edge)
        for edge in ImageDraw.Draw(Image.new("L", (1, 1))).textbbox((x, y), words.text, font, anchor)
    )
    rows = slice(max(upper - 2, 0), max(lower + 2, 0))
    columns = slice(max(left - 2, 0), max(right + 2, 0))
    part = picture[rows, columns]
    if part.size == 0:
        return
    image = Image.fromarray(np.ascontiguousarray(part[:, :, ::-1]))
    at = x - columns.start, y - rows.start
    ImageDraw.Draw(image).text(at, words.text, fill=words.colour, font=font, anchor=anchor)
    part[:] = np.asarray(image)[:, :, ::-1]
