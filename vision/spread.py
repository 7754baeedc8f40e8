"""Faces of one kind laid out on plain ground to be enrolled: found by their outlines, put into the order of reading, cut out upright.

On a mat the camera's place is known, so faces are told from other outlines by their size in mm and cut from the plane in which they lie;
elsewhere by their shape, by lying apart, and by being alike in size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Kind
from vision.calibration import Calibration, Floats
from vision.gallery import SCALE
from vision.mat import QUIET, Marker
from vision.photo import Photo, Quad
from vision.plane import Picture, Window, rectify
from vision.reading.outlines import outline
from vision.reading.sides import overlap, sharpened, side_lengths
from vision.registration import registered
from vision.seat import FINE, ROOM, Bands, seated

LONGEST = 720
"""px of a cut's long side that are kept at most."""
SIZE_OFF = 0.22
"""A face on a mat may be this much larger or smaller than its kind says (log of the ratio) ..."""
SHAPE_OFF = 0.16
"""... and elsewhere of that much another shape, perspective included."""
SKEWED = 2.0
"""What it costs a quad to be no parallelogram (its corners' sum, in sides)."""
ALIKE = 0.25
"""Sizes (log of the side) of faces that lie together without a mat."""
TILTED = 25.0
"""Degrees from upright at which a face counts as turned."""
SMALLEST = 36.0
"""px of the short side below which a face is too small to be enrolled."""
BURNT = 250
GLARE_SHARE = 0.012
"""Share of a face that one burnt-out spot must have to be glare, unless the ground around is burnt out as well."""
FADING = 0.7
"""Share of a spot's surroundings that must fade for it to be a reflection."""
DIM = 70.0
"""Grey level that the brightest 2 % of a face stay under when there is too little light."""
SOFT = 0.17
"""The steepest steps of a face between neighbouring px, relative to its contrast, below which it is blurred."""
ROUNDS = 2
"""How often the edges are looked for, each time from where they were found before."""
SHARPEST = 0.02
"""Reach of the search for the very edge, relative to a side."""


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """One face that lies there: ``picture`` upright BGR uint8, ``quad`` (4, 2) px from the face's top left clockwise, ``fault`` a word
    ("glare", "blurred", "small", "turned", "edge", "dim") or "", ``size`` mm (width, height) or None without a mat; ``outline`` 0-1: how sure."""

    picture: Picture
    quad: Quad
    fault: str = ""
    size: tuple[float, float] | None = None
    outline: float = 1.0

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)


def spread(
    picture: Picture,
    kind: Kind,
    calibration: Calibration | None = None,
    expected: int = 0,
    marks: Sequence[Marker] = (),
) -> tuple[Laid, ...]:
    """All faces of a kind that lie apart from each other in a picture (H, W, 3) uint8, row by row from the left.

    ``calibration``: where the mat is, if there is one. The rows are the mat's, else the picture's. ``expected``: how many should lie there
    (0: nobody knows): without a mat, of several sizes that things have, the one with so many is believed. ``marks``: the mat's markers, which are no faces.
    """
    quads, sure = _proposed(picture)
    found = (
        _on_table(picture, quads, sure, kind, expected)
        if calibration is None
        else _on_mat(picture, quads, sure, kind, calibration, marks)
    )
    return tuple(found)


def counted(
    picture: Picture,
    kind: Kind,
    calibration: Calibration | None = None,
    expected: int = 0,
    marks: Sequence[Marker] = (),
) -> tuple[tuple[float, float], ...]:
    """Where faces seem to lie, (x, y) px of their middles in no order: a quick look without cutting anything out."""
    quads, sure = _proposed(picture)
    size = (picture.shape[1], picture.shape[0])
    if calibration is None:
        chosen = _chosen_on_table(quads, sure, kind, size, expected)
    else:
        chosen, _ = _chosen_on_mat(quads, sure, kind, calibration, size, marks)
    return tuple((float(x), float(y)) for x, y in (quads[index].mean(axis=0) for index in chosen))


def _proposed(picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Quads (n, 4, 2) px drawn to the steps of the picture, and the share of their sides that shows one (n,)."""
    proposals = outline(Photo(picture)).quads
    if not proposals:
        return np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)
    quads = np.stack([proposal.quad for proposal in proposals])
    reach = np.maximum(1.5, SHARPEST * side_lengths(quads).mean(-1))
    quads, shown = sharpened(picture, quads, reach, 6.0)
    return quads, np.asarray(shown.mean(-1), np.float32)


# -- on a mat -------------------------------------------------------------------------------------------


def on_plane(
    points: NDArray[np.float32], calibration: Calibration, size: tuple[int, int], z: float
) -> Floats:
    """Where points (n, 2) px of a picture of ``size`` (width, height) lie in the plane ``z`` mm above the mat: (n, 2) mm.

    Newton's method on the projection from the pose's own centre; far from the picture it may not settle.
    """
    wanted = np.asarray(points, np.float64)
    eye = calibration.pose.eye
    at = np.tile(eye[:2], (len(wanted), 1))
    for _ in range(12):
        level = np.full((len(at), 1), z)
        here = calibration.project(np.hstack([at, level]), size)
        right = calibration.project(np.hstack([at + np.array([0.5, 0.0]), level]), size) - here
        down = calibration.project(np.hstack([at + np.array([0.0, 0.5]), level]), size) - here
        slope = np.stack([right, down], axis=-1) * 2.0
        change = np.linalg.solve(slope, (wanted - here)[..., None])[..., 0]
        at = at + np.clip(change, -300.0, 300.0)
    return np.asarray(at, np.float64)


@dataclass(frozen=True, slots=True)
class _Rectangle:
    """A candidate in mm: centre, the sides across and along, turn of the across side (degrees clockwise from the mat's right)."""

    x: float
    y: float
    width: float
    height: float
    turn: float


def _rectangle(corners: Floats) -> _Rectangle:
    """The rectangle nearest to four corners (4, 2) mm."""
    x, y = corners.mean(axis=0)
    across = (corners[1] - corners[0] + corners[2] - corners[3]) / 2
    along = (corners[3] - corners[0] + corners[2] - corners[1]) / 2
    # Both pairs of sides say how it is turned.
    way = across / np.linalg.norm(across) + np.array([along[1], -along[0]]) / np.linalg.norm(along)
    turn = float(np.degrees(np.arctan2(way[1], way[0])))
    return _Rectangle(float(x), float(y), float(np.linalg.norm(across)), float(np.linalg.norm(along)), turn)


def _upright(one: _Rectangle, kind: Kind) -> _Rectangle:
    """The same rectangle, turned so that its sides are the kind's and it stands as nearly upright as they allow."""
    turns = []
    for quarter in range(4):
        width, height = (one.width, one.height) if quarter % 2 == 0 else (one.height, one.width)
        turn = (one.turn + 90.0 * quarter + 180.0) % 360.0 - 180.0
        turns.append(replace(one, width=width, height=height, turn=turn))
    square = abs(np.log(kind.width / kind.height)) < 0.05
    fits = [t for t in turns if square or (t.width < t.height) == (kind.width < kind.height)]
    return min(fits, key=lambda t: abs(t.turn))


def _on_mat(
    picture: Picture,
    quads: NDArray[np.float32],
    sure: NDArray[np.float32],
    kind: Kind,
    calibration: Calibration,
    marks: Sequence[Marker],
) -> list[Laid]:
    size = (picture.shape[1], picture.shape[0])
    chosen, rectangles = _chosen_on_mat(quads, sure, kind, calibration, size, marks)
    if not chosen:
        return []
    placed = [rectangles[index] for index in chosen]
    for _ in range(ROUNDS):
        placed = _seated_on_mat(picture, placed, kind, calibration)
    scale = _scale(calibration, size, kind, placed)
    found = []
    for index, one in zip(chosen, placed, strict=True):
        window = Window(one.x, one.y, one.width, one.height, kind.thickness, one.turn, scale)
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (np.array(window.size) - 1.0)
        seen = calibration.project(
            np.column_stack([window.to_mm(corners), np.full(4, kind.thickness)]), size
        ).astype(np.float32)
        cut = rectify(picture, window, calibration)
        fault = "turned" if abs(one.turn) > TILTED else fault_of(cut, picture, seen)
        found.append(Laid(cut, seen, fault, (one.width, one.height), float(sure[index])))
    middles = np.array([(one.x, one.y) for one in placed])
    return [found[at] for at in reading_order(middles, kind.width, kind.height)]


def _chosen_on_mat(
    quads: NDArray[np.float32],
    sure: NDArray[np.float32],
    kind: Kind,
    calibration: Calibration,
    size: tuple[int, int],
    marks: Sequence[Marker],
) -> tuple[list[int], list[_Rectangle]]:
    """Which quads are faces by their size in mm, and all quads as rectangles."""
    flat = on_plane(quads.reshape(-1, 2), calibration, size, kind.thickness).reshape(-1, 4, 2)
    rectangles = [_upright(_rectangle(corners), kind) for corners in flat]
    nominal = np.array([[kind.width, kind.height]])
    sides = np.array([[one.width, one.height] for one in rectangles]).reshape(-1, 2)
    off = np.abs(np.log(np.maximum(sides, 1e-3) / nominal)).max(axis=1)
    free = [
        all(max(abs(one.x - mark.x), abs(one.y - mark.y)) > mark.size / 2 + QUIET for mark in marks)
        for one in rectangles
    ]
    good = np.flatnonzero((off < SIZE_OFF) & np.isfinite(off) & np.array(free, np.bool_))
    return _apart(good, quads, off + 0.1 / np.maximum(sure, 0.1)), rectangles


def _seated_on_mat(
    picture: Picture, placed: Sequence[_Rectangle], kind: Kind, calibration: Calibration
) -> list[_Rectangle]:
    """The rectangles drawn to the very edges of the faces, and all of one size."""
    x, y, z = (float(one) for one in calibration.pose.eye)
    room = (kind.width + 2 * ROOM, kind.height + 2 * ROOM)
    views = [
        rectify(picture, Window(one.x, one.y, *room, kind.thickness, one.turn, FINE), calibration)
        for one in placed
    ]
    bands = [_bands(one, kind, (x, y, z)) for one in placed]
    drawn = []
    seats = registered(views, seated(views, (kind.width, kind.height), bands))
    for one, seat in zip(placed, seats, strict=True):
        cos, sin = np.cos(np.radians(one.turn)), np.sin(np.radians(one.turn))
        right, down = float(cos * seat.x - sin * seat.y), float(sin * seat.x + cos * seat.y)
        drawn.append(_Rectangle(one.x + right, one.y + down, seat.width, seat.height, one.turn + seat.turn))
    return drawn


def _bands(one: _Rectangle, kind: Kind, eye: tuple[float, float, float]) -> Bands:
    """How much of a piece's sides the camera sees beyond its face: those that look towards the point below it."""
    share = kind.thickness / max(eye[2], 1.0)
    x, y = (eye[0] - one.x) * share, (eye[1] - one.y) * share
    cos, sin = np.cos(np.radians(one.turn)), np.sin(np.radians(one.turn))
    u, v = float(cos * x + sin * y), float(cos * y - sin * x)
    return max(0.0, -u), max(0.0, -v), max(0.0, u), max(0.0, v)


def _scale(
    calibration: Calibration, size: tuple[int, int], kind: Kind, rectangles: Sequence[_Rectangle]
) -> float:
    """px per mm of the cuts: as fine as the picture, and never coarser than a gallery."""
    x, y = np.mean([[one.x, one.y] for one in rectangles], axis=0)
    ends = calibration.project(np.array([[x, y, kind.thickness], [x + 10, y, kind.thickness]]), size)
    fine = float(np.linalg.norm(ends[1] - ends[0])) / 10
    return max(SCALE, min(fine, LONGEST / max(kind.width, kind.height)))


# -- on a table -------------------------------------------------------------------------------------------


def _on_table(
    picture: Picture,
    quads: NDArray[np.float32],
    sure: NDArray[np.float32],
    kind: Kind,
    expected: int,
) -> list[Laid]:
    best = _chosen_on_table(quads, sure, kind, (picture.shape[1], picture.shape[0]), expected)
    if not best:
        return []
    upright = [_turned(quads[index], kind) for index in best]
    for _ in range(ROUNDS):
        upright = _seated_on_table(picture, upright, kind)
    found = []
    for index, quad in zip(best, upright, strict=True):
        width = float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        height = float(np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
        long = min(max(width, height, SCALE * max(kind.width, kind.height)), LONGEST)
        scale = long / max(kind.width, kind.height)
        size = round(kind.width * scale), round(kind.height * scale)
        cut = Photo(picture).crops([quad], *size)[0]
        way = quad[1] - quad[0] + quad[2] - quad[3]
        tilt = abs(float(np.degrees(np.arctan2(way[1], way[0]))))
        fault = "turned" if tilt > TILTED else fault_of(cut, picture, quad)
        found.append(Laid(cut, quad, fault, None, float(sure[index])))
    middles = np.array([laid.centre for laid in found])
    width, height = np.median([side_lengths(laid.quad)[:2] for laid in found], axis=0)
    return [found[at] for at in reading_order(middles, float(width), float(height))]


def _chosen_on_table(
    quads: NDArray[np.float32],
    sure: NDArray[np.float32],
    kind: Kind,
    picture: tuple[int, int],
    expected: int,
) -> list[int]:
    """Which quads are faces, by their shape and by being alike in size. ``picture``: its (width, height) px."""
    sides = side_lengths(quads)
    across, along = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    shape = abs(np.log(kind.width / kind.height))
    off = np.abs(np.abs(np.log(across / along)) - shape)
    good = np.flatnonzero(off < SHAPE_OFF)
    # Seen from above a face is nearly a parallelogram: a corner that was drawn to something else makes it none.
    bent = np.linalg.norm(quads[:, 0] + quads[:, 2] - quads[:, 1] - quads[:, 3], axis=1)
    skew = SKEWED * bent / np.maximum(sides.mean(-1), 1e-3)
    length = np.log(np.sqrt(across * along))
    longest = float(max(picture))
    usual, sheet = float(np.log(0.2 * longest)), 0.4 * longest
    # The size that explains most of what lies apart; of a frame within a face and the face itself, the face.
    best: tuple[float, float] = (0.0, 0.0)
    found: list[int] = []
    for one in sorted(good, key=lambda index: -float(length[index])):
        alike = good[np.abs(length[good] - length[one]) < ALIKE]
        chosen = _apart(alike, quads, off - 0.5 * length + skew + 0.1 / np.maximum(sure, 0.1))
        count = len(chosen)
        right = float(count == expected) if expected else float(count)
        # A face is surer than what the ground shows by chance, it is larger than what is printed on it, and no sheet of paper under it.
        worth = float(np.mean(sure[chosen])) + float(np.mean(np.minimum(length[chosen], usual))) / 4
        worth -= float(np.mean(np.exp(length[chosen]) > sheet))
        if (right, worth) > best or not found:
            best, found = (right, worth), chosen
    return found


def _seated_on_table(picture: Picture, quads: Sequence[Quad], kind: Kind) -> list[Quad]:
    """The quads drawn to the very edges of the faces, each in its own plane as its corners give it."""
    wide, high = (round(side * FINE) for side in (kind.width + 2 * ROOM, kind.height + 2 * ROOM))
    flat = _corners(kind.width, kind.height)
    maps = [cv2.getPerspectiveTransform(flat, quad.astype(np.float32)) for quad in quads]
    to_mm = np.array(
        [[1 / FINE, 0, -(wide - 1) / 2 / FINE], [0, 1 / FINE, -(high - 1) / 2 / FINE], [0, 0, 1]]
    )
    views = [
        np.asarray(
            cv2.warpPerspective(
                picture, one @ to_mm, (wide, high), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            ),
            np.uint8,
        )
        for one in maps
    ]
    seats = []
    for one, seat in zip(maps, registered(views, seated(views, (kind.width, kind.height))), strict=True):
        cos, sin = np.cos(np.radians(seat.turn)), np.sin(np.radians(seat.turn))
        corners = _corners(seat.width, seat.height) @ np.array([[cos, sin], [-sin, cos]]) + (seat.x, seat.y)
        seats.append(cv2.perspectiveTransform(corners[None].astype(np.float32), one)[0])
    return [np.asarray(seat, np.float32) for seat in seats]


def _corners(width: float, height: float) -> NDArray[np.float32]:
    """Of a rectangle around the origin, from the top left clockwise (4, 2)."""
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * np.array(
        [width / 2, height / 2], np.float32
    )


def _turned(quad: Quad, kind: Kind) -> Quad:
    """The corners from the face's top left on: sides as the kind's, as nearly upright as they allow."""
    ways = [np.roll(quad, -turn, axis=0) for turn in range(4)]
    sides = [side_lengths(way) for way in ways]
    square = abs(np.log(kind.width / kind.height)) < 0.05
    fits = [
        way
        for way, side in zip(ways, sides, strict=True)
        if square or (side[0] + side[2] < side[1] + side[3]) == (kind.width < kind.height)
    ]
    return min(fits, key=lambda way: abs(float(np.arctan2(*(way[1] - way[0])[::-1]))))


# -- both -----------------------------------------------------------------------------------------------


def _apart(good: NDArray[np.intp], quads: NDArray[np.float32], cost: NDArray[np.float64]) -> list[int]:
    """The cheapest of quads that cover each other, none of which touches another."""
    chosen: list[int] = []
    for index in sorted(good, key=lambda one: float(cost[one])):
        if all(overlap(quads[index], quads[other]) < 0.05 for other in chosen):
            chosen.append(int(index))
    return chosen


def reading_order(middles: NDArray[np.float64], width: float, height: float) -> list[int]:
    """Indices of middles (n, 2) row by row, each row from the left. What lies side by side within half a ``height`` is one row, also
    when the row as a whole is askew."""
    count = len(middles)
    row = list(range(count))

    def root(index: int) -> int:
        while row[index] != index:
            index = row[index]
        return index

    for one in range(count):
        # Only the nearest neighbour to the right: a row that climbs does not run into the one above it.
        gaps = middles - middles[one]
        beside = [
            other
            for other in range(count)
            if gaps[other, 0] > 0.5 * width and abs(gaps[other, 1]) < 0.5 * height
        ]
        if beside:
            near = min(beside, key=lambda other: float(gaps[other, 0] + 2 * abs(gaps[other, 1])))
            row[root(near)] = root(one)
    rows: dict[int, list[int]] = {}
    for index in range(count):
        rows.setdefault(root(index), []).append(index)
    ordered = sorted(rows.values(), key=lambda heap: float(np.mean(middles[heap, 1])))
    return [index for heap in ordered for index in sorted(heap, key=lambda one: float(middles[one, 0]))]


def fault_of(cut: Picture, picture: Picture, quad: Quad) -> str:
    """What is wrong with the picture of one face: "edge", "small", "dim", "glare", "blurred", or "" for nothing.

    ``cut``: upright BGR uint8; ``quad``: (4, 2) px of ``picture`` from which it was cut.
    """
    high, wide = picture.shape[:2]
    if quad.min() < 1.0 or quad[:, 0].max() > wide - 2.0 or quad[:, 1].max() > high - 2.0:
        return "edge"
    sides = side_lengths(quad)
    short = float(min(sides[0] + sides[2], sides[1] + sides[3])) / 2
    if short < SMALLEST:
        return "small"
    grey = np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), np.uint8)
    if float(np.percentile(grey, 98)) < DIM:
        return "dim"
    if _glare(cut):
        return "glare"
    # As fine as the camera saw it: enlarged cuts would look soft.
    shrink = min(1.0, short / min(cut.shape[:2]))
    own = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
    rise = np.abs(np.diff(own.astype(np.float32), axis=1))
    fall = np.abs(np.diff(own.astype(np.float32), axis=0))
    steep = max(float(np.percentile(rise, 99.5)), float(np.percentile(fall, 99.5)))
    dark, light = (float(value) for value in np.percentile(grey, (0.5, 99.5)))
    return "blurred" if light - dark > 40 and steep < SOFT * (light - dark) else ""


def _glare(cut: Picture) -> bool:
    """Whether a reflection burns out a part of a face. It fades away on all sides; white paper in bright light is burnt out up to the
    ink around it."""
    lowest = cut.min(axis=2)
    burnt = (lowest >= BURNT).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(burnt, connectivity=8)
    side = max(3, round(0.04 * min(cut.shape[:2])) | 1)
    for one in range(1, count):
        if stats[one, cv2.CC_STAT_AREA] < GLARE_SHARE * burnt.size:
            continue
        spot = cv2.morphologyEx(
            (labels == one).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)
        )
        near = cv2.dilate(spot, np.ones((side, side), np.uint8))
        ring = (cv2.dilate(near, np.ones((3, 3), np.uint8)) > 0) & (near == 0)
        around = lowest[ring].astype(np.float32)
        if not around.size:
            continue
        fading = np.mean((around > BURNT - 45) & (around < BURNT - 2))
        whole = stats[one, cv2.CC_STAT_WIDTH] > 0.9 * cut.shape[1] or fading < FADING
        if not whole:
            return True
    return False
