"""A drawing as a picture."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.print.shapes import Area, Drawing, Shape, Stroke, Words

Picture = NDArray[np.uint8]

Scale = tuple[float, float]
"""Fine px per mm, across and down."""

FINE = 4
"""Each pixel is the mean of FINE x FINE: edges as smooth as a print, on every version of OpenCV (the two majors fill the px along an
edge a little differently: 0.7 % of a card's px)."""
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
    ground = np.tile(np.array(drawing.ground[::-1], np.uint8), (width * FINE, 1))  # quicker by whole rows
    # One for all strips: it is tens of megabytes.
    room = np.empty((min(STRIP, height) * FINE, width * FINE, 3), np.uint8)
    for top in range(0, height, STRIP):
        rows = min(STRIP, height - top)
        fine = room[: rows * FINE]
        fine[:] = ground
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
        _line(picture, shape, scale, top)


def _line(picture: Picture, shape: Stroke, scale: Scale, top: float) -> None:
    """A quad for each piece of the line, and a disc on every point: round ends and joints."""
    points = np.asarray(shape.points + shape.points[:1] if shape.closed else shape.points, np.float64)
    half, unit = shape.width / 2, 1 << SHIFT
    step = np.diff(points, axis=0)
    length = np.hypot(step[:, 0], step[:, 1])
    across = np.stack((-step[:, 1], step[:, 0]), 1) * (half / np.where(length > 0, length, 1.0))[:, None]
    start, end = points[:-1], points[1:]
    quads = _fixed(np.stack((start + across, end + across, end - across, start - across), 1), scale, top)
    colour = shape.colour[::-1]
    for quad in quads:
        cv2.fillPoly(picture, [quad], colour, cv2.LINE_8, SHIFT)
    radius = round(half * scale[0] * unit)
    for centre in _fixed(points, scale, top).tolist():
        cv2.circle(picture, centre, radius, colour, -1, cv2.LINE_8, SHIFT)


def _fill(picture: Picture, points: Any, colour: tuple[int, int, int], scale: Scale, top: float) -> None:
    corners = _fixed(np.asarray(points, np.float64), scale, top)
    cv2.fillPoly(picture, [corners], colour[::-1], cv2.LINE_8, SHIFT)


def _fixed(points: NDArray[np.float64], scale: Scale, top: float) -> NDArray[np.int32]:
    """Points in mm, (..., 2), as OpenCV's fixed numbers. Pixel centres lie at half pixels; fillPoly also paints the pixels its
    outline touches, hence 0.5."""
    return np.round((points * scale - (0.5, top + 0.5)) * (1 << SHIFT)).astype(np.int32)


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
