"""A printed board on the table: where it lies, from one picture of it empty.

It is found by its print: once roughly, by correlation of the whole at every place and turn that can be (Lewis, Fast Normalized
Cross-Correlation, 1995), then by many small patches, each moved to where it fits. Figures that stand on it and a hand across it hide some of the patches and
change nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Layout, Zone
from vision.calibration import Calibration, Floats
from vision.plane import Picture, Window, rectify

SCALE = 2.0
"""Pixels per mm at which the picture of a board is kept."""
FINE = 1.0
"""Pixels per mm of the patches."""
COARSE = 0.25
"""Pixels per mm of the rough search."""
PATCH = 34
"""Side of a patch in mm."""
REACH = 7
"""How far around (mm) a patch is looked for."""
ALIKE = 0.62
"""A patch that correlates less is hidden, or too dim to tell."""
FOUND = 0.36
"""A board whose whole correlates less with its picture is not there."""
_LOCAL = 15.0
"""Radius (mm) of the neighbourhood against which print is bright or dark."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The picture of an empty board, (height, width, 3) uint8 BGR at ``SCALE`` px per mm, and what is looked for of it."""

    picture: Picture
    width: float
    height: float
    print: NDArray[np.float32]
    """Local contrast at ``FINE`` px per mm."""
    patches: Floats
    """Middles (N, 2) of the patches, mm from its top left corner."""

    @classmethod
    def of(cls, picture: Picture, width: float, height: float) -> Board:
        """From a picture of the empty board that is cut along its edges, of any size in px."""
        kept = np.asarray(
            cv2.resize(picture, (round(width * SCALE), round(height * SCALE)), interpolation=cv2.INTER_AREA),
            np.uint8,
        )
        size = round(width * FINE), round(height * FINE)
        print_ = contrast(np.asarray(cv2.resize(kept, size, interpolation=cv2.INTER_AREA), np.uint8), FINE)
        return cls(kept, width, height, print_, _patches(print_))


@dataclass(frozen=True, slots=True)
class Sight:
    """Where a board was seen: its middle (mm on the layout), its turn (degrees clockwise), how well it fits (-1 to 1)."""

    x: float
    y: float
    turn: float
    alike: float


def turning(corners: Sequence[tuple[float, float]]) -> float:
    """Area (px2) within four corners, negative when they run anticlockwise."""
    around = zip(corners, (*corners[1:], corners[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in around) / 2


def cut(
    photo: Picture,
    corners: Sequence[tuple[float, float]],
    width: float,
    height: float,
    points: Sequence[tuple[float, float]] = (),
) -> tuple[Picture, list[tuple[float, float]]]:
    """The board out of a photo at ``SCALE`` px per mm, by its four corners (px, clockwise from the top left), and where ``points`` (px)
    lie on it in mm."""
    seen = np.array(corners, np.float32)
    size = round(width * SCALE), round(height * SCALE)
    ends = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32) - np.float32(0.5)
    to_board = cv2.getPerspectiveTransform(seen, ends)
    finer = max(float(np.linalg.norm(seen[1] - seen[0])) / size[0], 1.0)
    soft = cv2.GaussianBlur(photo, (0, 0), 0.45 * finer) if finer > 1.3 else photo
    flat = np.asarray(cv2.warpPerspective(soft, to_board, size, flags=cv2.INTER_LINEAR), np.uint8)
    if not points:
        return flat, []
    at = cv2.perspectiveTransform(np.array([points], np.float64), to_board)[0]
    return flat, [(float(x + 0.5) / SCALE, float(y + 0.5) / SCALE) for x, y in at]


def wanted(layout: Layout) -> Mapping[str, tuple[float, float]]:
    """What a layout with boards needs beside its faces, with its size in mm: a picture of each empty board, by its zone, and of the paint
    of each figure that stands on it."""
    found: dict[str, tuple[float, float]] = {}
    for zone in layout.zones:
        if zone.form == "squares":
            found[zone.name] = zone.width, zone.height
            figures = (figure for figure in layout.figures if figure.kind in zone.kinds)
            found.update({figure.identity: (figure.width, figure.height) for figure in figures})
    return found


def contrast(view: Picture, scale: float) -> NDArray[np.float32]:
    """Log brightness against its neighbourhood, (H, W) float32: print without light."""
    light = np.log(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY).astype(np.float32) + 12.0)
    side = 2 * round(_LOCAL * scale) + 1
    return np.asarray(light - cv2.blur(light, (side, side), borderType=cv2.BORDER_REFLECT), np.float32)


def _patches(print_: NDArray[np.float32]) -> Floats:
    """Where there is enough to tell a patch's place by, along both axes."""
    half = PATCH / 2
    found = []
    for y in np.arange(half, print_.shape[0] / FINE - half + 1, PATCH * 0.75):
        for x in np.arange(half, print_.shape[1] / FINE - half + 1, PATCH * 0.75):
            part = _cut(print_, x, y, half)
            across, down = float(np.var(np.diff(part, axis=1))), float(np.var(np.diff(part, axis=0)))
            if min(across, down) > 4e-4:
                found.append((x, y))
    return np.array(found, np.float64).reshape(-1, 2)


def _cut(print_: NDArray[np.float32], x: float, y: float, half: float) -> NDArray[np.float32]:
    top, left = round((y - half) * FINE), round((x - half) * FINE)
    side = round(2 * half * FINE)
    return print_[max(0, top) : top + side, max(0, left) : left + side]


def seek(
    picture: Picture,
    calibration: Calibration,
    zone: Zone,
    board: Board,
    spare: float,
    turns: Iterable[float],
) -> Sight | None:
    """Look for the board within ``spare`` mm of its zone, at each of the turns; None when it is not there."""
    reach = float(np.hypot(board.width, board.height)) / 2
    span = 2 * (reach + spare)
    x, y = zone.x + zone.width / 2, zone.y + zone.height / 2
    best = Sight(x, y, 0.0, -1.0)
    small = (round(board.width * COARSE), round(board.height * COARSE))
    fine = np.asarray(cv2.resize(board.picture, small, interpolation=cv2.INTER_AREA), np.uint8)
    rim = round(_LOCAL * COARSE)  # there the table around the board would count as well
    wanted = contrast(fine, COARSE)[rim:-rim, rim:-rim]
    for turn in turns:
        window = Window(x, y, span, span, 0.0, turn, COARSE)
        seen = contrast(rectify(picture, window, calibration), COARSE)
        score = cv2.matchTemplate(seen, wanted, cv2.TM_CCOEFF_NORMED)
        _, peak, _, (left, top) = cv2.minMaxLoc(score)
        if peak > best.alike:
            middle = np.array([[left - rim + (small[0] - 1) / 2, top - rim + (small[1] - 1) / 2]])
            (at,) = window.to_mm(middle)
            best = Sight(float(at[0]), float(at[1]), turn, float(peak))
    return best if best.alike >= FOUND else None


def points(
    picture: Picture,
    calibration: Calibration,
    zone: Zone,
    board: Board,
    reach: float = REACH,
    most: int = 400,
) -> tuple[Floats, Floats]:
    """Places of the board, mm on the layout as if it lay exactly in its zone (N, 2), and where they truly are seen, mm on the plane by
    this calibration (N, 2). Only what is seen without doubt."""
    half, margin, side = PATCH / 2, round(reach * FINE), round(PATCH * FINE)
    high, wide = board.print.shape
    # Whole pixels: the first of the window lies ``margin`` px before the first of the board.
    window = Window(
        zone.x + wide / FINE / 2,
        zone.y + high / FINE / 2,
        (wide + 2 * margin) / FINE,
        (high + 2 * margin) / FINE,
        0.0,
        0.0,
        FINE,
    )
    seen = contrast(rectify(picture, window, calibration), FINE)
    places, moved = [], []
    for x, y in board.patches[:: max(1, len(board.patches) // most)]:
        part = _cut(board.print, x, y, half)
        # The window begins ``margin`` px before the board: a patch that did not move lies in the middle of what is cut out.
        top, left = round((y - half) * FINE), round((x - half) * FINE)
        around = seen[top : top + side + 2 * margin, left : left + side + 2 * margin]
        if around.shape[0] <= part.shape[0] + 2 or around.shape[1] <= part.shape[1] + 2:
            continue
        score = cv2.matchTemplate(around, part, cv2.TM_CCOEFF_NORMED)
        _, peak, _, (column, row) = cv2.minMaxLoc(score)
        if peak < ALIKE or not 0 < column < score.shape[1] - 1 or not 0 < row < score.shape[0] - 1:
            continue
        dx = _peak(score[row, column - 1], score[row, column], score[row, column + 1])
        dy = _peak(score[row - 1, column], score[row, column], score[row + 1, column])
        places.append((zone.x + x, zone.y + y))
        moved.append((zone.x + x + (column + dx - margin) / FINE, zone.y + y + (row + dy - margin) / FINE))
    return np.array(places, np.float64).reshape(-1, 2), np.array(moved, np.float64).reshape(-1, 2)


def _peak(before: float, at: float, after: float) -> float:
    """Where between the neighbours a parabola through three values is highest, -0.5 to 0.5."""
    bend = before - 2 * at + after
    return float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5)) if bend < -1e-9 else 0.0


def rigid(places: Floats, moved: Floats) -> tuple[float, float, float, float] | None:
    """The turn (degrees clockwise) about the origin and the shift (mm) that bring places to where they were seen, and the rms that is
    left of those that agree; None when fewer than six agree."""
    if len(places) < 6:
        return None
    fit, inside = cv2.estimateAffinePartial2D(
        places, moved, method=cv2.RANSAC, ransacReprojThreshold=1.5, maxIters=500
    )
    if fit is None or int(np.count_nonzero(inside)) < 6:
        return None
    keep = np.ravel(inside).astype(bool)
    here, there = places[keep], moved[keep]
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    angle = float(np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b)))
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    shift = there.mean(axis=0) - turn @ here.mean(axis=0)
    left = there - here @ turn.T - shift
    return (
        float(np.degrees(angle)),
        float(shift[0]),
        float(shift[1]),
        float(np.sqrt(np.mean(np.sum(left**2, 1)))),
    )
