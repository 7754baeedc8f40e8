"""A table without a mat: its plane from four loose corner markers, and where the board lies on it.

Nobody measures where the markers lie. Their own printed size gives the scale, the four together the plane: camera and markers are
estimated in one (bundle adjustment, Triggs et al. 2000), held only by where the markers should about lie. Where the layout has a board,
its print then says exactly where everything is: the layout's mm are the board's own, however it lies on the table.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from engines.table import Layout, Zone
from vision import boards
from vision.boards import Board
from vision.calibration import TYPICAL_FOCAL, Calibration, Floats, Lens, Pose, project
from vision.locate import NOISE, Corners, detect, least_squares
from vision.mat import LOOSE_QUIET, LOOSE_SIZE, Marker, markers, needed
from vision.plane import Picture

ROUGH = 30.0
"""Standard deviation (mm) of where people lay a marker: it only decides where the layout lies while there is no board."""
FEWEST = 3
"""Markers without which the plane is not measured anew."""
WINDOW = LOOSE_SIZE + 2 * LOOSE_QUIET - 4.0
"""Side (mm) of the window in which a loose marker is checked."""
BEYOND = 130.0
"""How far from its zone (mm) a board is looked for."""
TURNS = tuple(float(turn) for turn in range(-12, 13, 1))
"""Turns at which a board lies that was laid straight; then all others are tried."""
SHIFTED = 0.8
"""Mm by which a board may seem to have moved before it has."""
BOARD_NOISE = 0.45
"""Standard deviation (px) of a place of the board in the picture."""
SURE = 12
"""Places of a board that must agree."""
POOR = 0.0016
"""Rms of all that was seen, in picture widths, above which the plane is not believed."""


def placed(calibration: Calibration | None, layout: Layout) -> tuple[Marker, ...]:
    """The loose markers where they were measured, or where they should about lie."""
    known = calibration.corners if calibration is not None else {}
    return tuple(
        Marker(marker.id, *known[marker.id][:2], marker.size, known[marker.id][2])
        if marker.id in known
        else marker
        for marker in markers(layout)
    )


def coarse(calibration: Calibration, layout: Layout, size: tuple[int, int]) -> bool:
    """Whether a picture of (width, height) px shows the table too small to be read for certain."""
    middle = np.array([layout.width / 2, layout.height / 2, 0.0])
    ends = middle + np.array([[-50.0, 0.0, 0.0], [50.0, 0.0, 0.0], [0.0, -50.0, 0.0], [0.0, 50.0, 0.0]])
    left, right, top, bottom = calibration.project(ends, size)
    scale = min(float(np.linalg.norm(right - left)), float(np.linalg.norm(bottom - top))) / 100
    return scale < needed(layout)


def find(
    picture: Picture,
    layout: Layout,
    known: Calibration | None = None,
    prints: Mapping[str, Board] | None = None,
) -> Calibration | None:
    """Measure camera, markers and board from one picture; None when there are too few markers or no board where one belongs.

    A known lens is kept as long as it fits. ``prints`` are the boards by zone; without one the markers alone say where things are.
    """
    nominal = markers(layout)
    found = detect(picture, nominal)
    if len(found) < FEWEST:
        return None
    for lens in (known.lens, None) if known is not None else (None,):
        seen = _seen(picture, layout, found, nominal, lens, prints)
        if seen is not None and known is not None:
            return Calibration(
                seen.lens, seen.pose, seen.error, known.exposure, {}, known.pieces, seen.corners
            )
        if seen is not None:
            return seen
    return None


def _seen(
    picture: Picture,
    layout: Layout,
    found: Corners,
    nominal: tuple[Marker, ...],
    lens: Lens | None,
    prints: Mapping[str, Board] | None,
) -> Calibration | None:
    """The plane by the markers, then, where there is one, by the board."""
    plane = _adjusted(found, nominal, (picture.shape[1], picture.shape[0]), lens)
    if plane is None or plane.error >= POOR:
        return None
    zone, print_ = _board(layout, prints)
    if zone is None or print_ is None:
        return plane
    return _on_board(picture, plane, found, zone, print_, lens)


def shifted(picture: Picture, calibration: Calibration, layout: Layout, prints: Mapping[str, Board]) -> bool:
    """Whether the board no longer lies where it was measured: a look at some of its print (a few ms)."""
    zone, print_ = _board(layout, prints)
    if zone is None or print_ is None:
        return False
    here, there = boards.points(picture, calibration, zone, print_, 5.0, 24)
    fit = boards.rigid(here, there)
    middle = np.array([zone.x + print_.width / 2, zone.y + print_.height / 2])
    if fit is None:  # hidden by a hand, too dark, or shoved far
        sight = boards.seek(picture, calibration, zone, print_, BEYOND, TURNS)
        # It seeks in steps of 4 mm and a degree: where the board lay it finds it there, and one step away it has been shoved.
        return sight is not None and (
            math.hypot(sight.x - middle[0], sight.y - middle[1]) > 3.0 or abs(sight.turn) > 0.5
        )
    angle, dx, dy, _ = fit
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    off = np.array([[cos, -sin], [sin, cos]]) @ middle + (dx, dy) - middle
    return float(np.hypot(*off)) > SHIFTED or abs(angle) * print_.width / 2 * math.pi / 180 > 2 * SHIFTED


def _board(layout: Layout, prints: Mapping[str, Board] | None) -> tuple[Zone | None, Board | None]:
    for zone in layout.zones:
        if zone.form == "squares" and prints is not None and zone.name in prints:
            return zone, prints[zone.name]
    return None, None


# The plane from the markers alone


def _start(found: Corners, nominal: Mapping[int, Marker], size: tuple[int, int], focal: float) -> Floats:
    """A camera straight above: pose (6) and the markers (3 each) by the similarity that brings them about where they should lie."""
    names = list(found)
    seen = np.array([found[name].mean(axis=0) for name in names])
    sides = [np.linalg.norm(np.roll(found[name], 1, axis=0) - found[name], axis=1).mean() for name in names]
    scale = float(np.mean(sides)) / nominal[names[0]].size
    wanted = np.array([(nominal[name].x, nominal[name].y) for name in names])
    a, b = wanted - wanted.mean(axis=0), seen - seen.mean(axis=0)
    angle = float(np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b)))
    cos, sin = math.cos(angle), math.sin(angle)
    turn = np.array([[cos, -sin], [sin, cos]])
    origin = seen.mean(axis=0) - scale * turn @ wanted.mean(axis=0)
    far = focal * size[0] / scale
    middle = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    move = (origin - middle) / (focal * size[0]) * far
    values = [0.0, 0.0, angle, float(move[0]), float(move[1]), far]
    for name in names:
        spot = turn.T @ (found[name].mean(axis=0) - origin) / scale
        top = turn.T @ (found[name][1] - found[name][0])
        values += [float(spot[0]), float(spot[1]), math.atan2(float(top[1]), float(top[0]))]
    return np.array(values)


def _corners_of(values: Floats, side: float) -> Floats:
    """Four corners (n * 4, 3) mm of markers (n, 3): middle and turn in rad."""
    half = side / 2
    cos, sin = np.cos(values[:, 2]) * half, np.sin(values[:, 2]) * half
    x, y = values[:, 0], values[:, 1]
    corners = np.stack(
        [
            np.stack([x - cos + sin, y - sin - cos], 1),
            np.stack([x + cos + sin, y + sin - cos], 1),
            np.stack([x + cos - sin, y + sin + cos], 1),
            np.stack([x - cos - sin, y - sin + cos], 1),
        ],
        1,
    ).reshape(-1, 2)
    return np.column_stack([corners, np.zeros(len(corners))])


def _adjusted(
    found: Corners,
    nominal: tuple[Marker, ...],
    size: tuple[int, int],
    lens: Lens | None,
    start: Floats | None = None,
    held: tuple[Floats, Floats] | None = None,
) -> Calibration | None:
    """Lens (unless given), pose and markers by least squares. ``held``: places on the layout (N, 2) mm and where they are seen (N, 2) px;
    with them the markers may lie anywhere."""
    by_id = {marker.id: marker for marker in nominal}
    names = list(found)
    seen = np.concatenate([found[name] for name in names])
    spots = np.array([(by_id[name].x, by_id[name].y) for name in names])
    noise = NOISE * size[0] / 1536 + 0.05
    if start is None:
        start = _start(found, by_id, size, (lens or Lens()).focal)
    values = start if lens is not None else np.concatenate([[TYPICAL_FOCAL, 0.0, 0.0], start])

    def unpacked(at: Floats) -> tuple[Lens, Pose, Floats]:
        shape, rest = (
            (lens, at) if lens is not None else (Lens(float(at[0]), float(at[1]), float(at[2])), at[3:])
        )
        r = [float(value) for value in rest[:6]]
        return shape, Pose((r[0], r[1], r[2]), (r[3], r[4], r[5])), rest[6:].reshape(-1, 3)

    def residuals(at: Floats) -> Floats:
        shape, pose, lying = unpacked(at)
        parts = [(project(_corners_of(lying, LOOSE_SIZE), shape, pose, size) - seen).ravel() / noise]
        if held is None:
            parts.append(((lying[:, :2] - spots) / ROUGH).ravel())
        else:
            world = np.column_stack([held[0], np.zeros(len(held[0]))])
            parts.append(
                (project(world, shape, pose, size) - held[1]).ravel() / (BOARD_NOISE * size[0] / 1536 + 0.1)
            )
        if lens is None:
            prior = [math.log(max(shape.focal, 0.05) / TYPICAL_FOCAL) / 0.1, shape.k1 / 0.15, shape.k2 / 0.1]
            parts.append(np.array(prior))
        return np.concatenate(parts)

    values = least_squares(residuals, values)
    shape, pose, lying = unpacked(values)
    misses = project(_corners_of(lying, LOOSE_SIZE), shape, pose, size) - seen
    error = float(np.sqrt(np.median(np.sum(misses**2, axis=1))))
    if not np.all(np.isfinite(values)) or pose.eye[2] < 150 or not 0.2 < shape.focal < 5:
        return None
    corners = {
        name: (float(x), float(y), float(np.degrees(turn) % 360))
        for name, (x, y, turn) in zip(names, lying, strict=True)
    }
    return Calibration(shape, pose, error / size[0], corners=corners)


# Where the board lies


def _on_board(
    picture: Picture, plane: Calibration, found: Corners, zone: Zone, board: Board, lens: Lens | None
) -> Calibration | None:
    """The calibration in the board's own mm; None when the board is not seen."""
    sight = boards.seek(picture, plane, zone, board, BEYOND, TURNS) or boards.seek(
        picture, plane, zone, board, BEYOND, (float(turn) for turn in range(13, 348, 2))
    )
    if sight is None:
        return None
    middle = zone.x + board.width / 2, zone.y + board.height / 2
    lying = moved(plane, middle, (sight.x, sight.y), sight.turn)
    reach = 12.0  # the rough search is right to a few mm in the middle, and to a degree
    for _ in range(3):
        here, there = boards.points(picture, lying, zone, board, reach)
        fit = boards.rigid(here, there)
        if fit is None or len(here) < SURE:
            return None
        angle, dx, dy, _ = fit
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        to = np.array([[cos, -sin], [sin, cos]]) @ np.array(middle) + (dx, dy)
        lying = moved(lying, middle, (float(to[0]), float(to[1])), angle)
        reach = 6.0
    return _refined(picture, lying, found, zone, board, lens)


def _refined(
    picture: Picture, lying: Calibration, found: Corners, zone: Zone, board: Board, lens: Lens | None
) -> Calibration | None:
    """Lens, pose and markers once more, held by the board's print."""
    size = (picture.shape[1], picture.shape[0])
    here, there = boards.points(picture, lying, zone, board, 5.0)
    if len(here) < SURE:
        return None
    fit, inside = cv2.findHomography(here, there, cv2.RANSAC, 1.2)
    keep = np.ravel(inside).astype(bool)
    if fit is None or int(np.count_nonzero(keep)) < SURE:
        return None
    there = there[keep]
    observed = lying.project(np.column_stack([there, np.zeros(len(there))]), size)
    names = [name for name in found if name in lying.corners]
    start = [*lying.pose.rotation, *lying.pose.translation]
    for name in names:
        x, y, turn = lying.corners[name]
        start += [x, y, math.radians(turn)]
    nominal = tuple(Marker(name, 0.0, 0.0, LOOSE_SIZE) for name in names)
    seen = {name: found[name] for name in names}
    refined = _adjusted(seen, nominal, size, lens, np.array(start), (here[keep], observed))
    return refined if refined is not None and refined.error < POOR else None


def moved(
    plane: Calibration, middle: tuple[float, float], to: tuple[float, float], turn: float
) -> Calibration:
    """The calibration in new mm: what is now ``middle`` was seen at ``to``, turned by ``turn`` degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    rotation = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    shift = np.array([to[0], to[1], 0.0]) - rotation @ np.array([middle[0], middle[1], 0.0])
    # The plane's axes with z into the table, as the camera has them: a turn about z and a shift within the plane are the same there.
    matrix = plane.pose.matrix
    vector = np.ravel(cv2.Rodrigues(matrix @ rotation)[0])
    move = matrix @ shift + np.asarray(plane.pose.translation)
    pose = Pose(
        (float(vector[0]), float(vector[1]), float(vector[2])),
        (float(move[0]), float(move[1]), float(move[2])),
    )
    corners = {}
    for name, (x, y, angle) in plane.corners.items():
        back = rotation.T @ (np.array([x, y, 0.0]) - shift)
        corners[name] = float(back[0]), float(back[1]), (angle - turn) % 360
    return replace(plane, pose=pose, corners=corners)
