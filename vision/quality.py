"""Whether a picture can be read, and if not, what is wrong with it in one word a player can act on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Layout, Zone
from vision.calibration import Calibration
from vision.locate import Check
from vision.plane import Picture, Samplings, Window
from vision.stillness import BLOCK_SIZE

DARK_CONTRAST = 28.0
"""Grey levels between a marker's white and black below which there is too little light."""
DARK = 20.0
"""Median grey level of the whole picture below which no mat is even looked for."""
BRIGHT_SHARE = 0.78
"""Share of the mat's own ground burnt out (all channels at the top) that makes a picture too bright."""
BURNT = 252
GLARE_AREA = 350.0
"""A burnt-out spot of this many mm2 within the zones is glare: about a piece's half."""
SHARP = 0.25
"""Edge steepness of the markers (see locate.Check) below which a picture is blurred."""
SOFT = 0.2
"""The steepest step of a picture relative to its contrast below which nothing in it is sharp (half a marker's edge over two pixels)."""
FADES = 12
"""Around a reflection it is this many grey levels darker; bright light on paper fades more slowly."""
PALE = 40
"""A surface this many grey levels below burnt out is nearly so itself: its grain burns out in streaks."""
STREAK = 0.5
"""Within a streak fits a disc of at most this share of the radius of a disc of its area; within a lamp's reflection a larger one."""
BORDER_REACH = 9.0
"""Width of the strip inside the mat's edge (mm) that nothing but hands and sleeves crosses."""
HAND_LENGTH = 22.0
"""Length (mm) along the strip that must be covered to call it a hand."""
COLOUR_SHIFT = 0.16
LIGHT_SHIFT = 0.9
"""Log colour or brightness this far from the strip's usual is nothing of the mat's."""
PALM = 56.0
"""A change that is solid over a square of this side (mm) is broader than pieces that come and go."""
BESIDE = 8.0
"""A card may lie so far (mm) beyond its zone, or a block reach into it."""
HAND_AREA = 2500.0
"""A change of this many mm2 that reaches the mat's edge is no piece ..."""
WRIST = 6
"""... and half of it is enough where it covers so many blocks of the edge, about 9 mm each: an arm does, a cup beside the edge does not."""


@dataclass(frozen=True, slots=True, eq=False)
class Border:
    """Points of a preview (N, 2) px along a strip just inside the mat's edge, and how far apart they are (mm)."""

    points: NDArray[np.intp]
    pitch: float
    rows: int

    @classmethod
    def of(cls, layout: Layout, calibration: Calibration, size: tuple[int, int]) -> Border:
        pitch, w, h = 3.0, layout.width, layout.height
        depths = (3.0, BORDER_REACH * 0.66, BORDER_REACH)
        strips = []
        for depth in depths:
            across = np.linspace(depth, w - depth, round(w / pitch))
            down = np.linspace(depth, h - depth, round(h / pitch))
            strips.append(
                np.concatenate(
                    [
                        np.column_stack([across, np.full_like(across, depth)]),
                        np.column_stack([np.full_like(down, w - depth), down]),
                        np.column_stack([across[::-1], np.full_like(across, h - depth)]),
                        np.column_stack([np.full_like(down, depth), down[::-1]]),
                    ]
                )
            )
        flat = np.concatenate(strips)
        at = calibration.project(np.column_stack([flat, np.zeros(len(flat))]), size)
        return cls(np.round(at).astype(np.intp), pitch, len(depths))


def covered(preview: Picture, border: Border) -> bool:
    """Whether something from outside lies across the mat's edge: a hand, a sleeve.

    The strip's own typical colour is the reference, so that light, its colour and a slow gradient do not matter; a shadow changes
    brightness but hardly colour.
    """
    height, width = preview.shape[:2]
    x, y = border.points[:, 0], border.points[:, 1]
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    if np.count_nonzero(inside) < 0.5 * len(inside):
        return False
    light = np.log(preview[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(np.float32) + 10.0)
    features = np.column_stack([light.mean(axis=1), light[:, 2] - light[:, 1], light[:, 0] - light[:, 1]])
    off = np.abs(features - np.median(features[inside], axis=0))
    strange = inside & ((np.maximum(off[:, 1], off[:, 2]) > COLOUR_SHIFT) | (off[:, 0] > LIGHT_SHIFT))
    return _runs(strange.reshape(border.rows, -1).sum(axis=0) >= 2, border.pitch)


def reaches_in(stirred: NDArray[np.bool_], mat: Ground) -> bool:
    """Whether what stirred since the mat was clean (blocks, see stillness) is a hand, be its sleeve the colour of the mat itself.

    Pieces change small areas inside the mat; a hand is broad all over, or large and in one piece with the mat's edge. Where cards are
    laid in rows and swept together again, a change may be of any size and says nothing: there a hand is told by its arm.
    """
    changed = (stirred & mat.inside).astype(np.uint8)
    if not changed.any():
        return False
    telling = np.where(mat.laid, np.uint8(0), changed)
    side = max(3, round(PALM / mat.block**0.5))
    if cv2.erode(telling, np.ones((side, side), np.uint8), borderValue=0).any():
        return True
    return crosses(stirred, mat, HAND_AREA, 2) or arm(stirred, mat)


def arm(stirred: NDArray[np.bool_], mat: Ground) -> bool:
    """Whether what stirred comes over the mat's edge as broad as an arm."""
    # Without what is narrow: a new lamp leaves a thin line along the edge.
    broad = cv2.morphologyEx(stirred.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return crosses(stirred, mat, HAND_AREA, WRIST) or crosses(broad > 0, mat, HAND_AREA / 2, WRIST)


def crosses(stirred: NDArray[np.bool_], mat: Ground, area: float, edge: int) -> bool:
    """Whether what stirred has so many mm2 where no cards are laid, and is in one piece with ``edge`` blocks of the mat's edge."""
    changed = (stirred & mat.inside).astype(np.uint8)
    telling = np.where(mat.laid, np.uint8(0), changed)
    count, labels, _, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return any(
        np.count_nonzero((labels == one) & (telling > 0)) * mat.block >= area
        and np.count_nonzero((labels == one) & mat.edge) >= edge
        for one in range(1, count)
    )


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Which blocks of a preview (see stillness) show the mat, which of them its edge, how many mm2 a block is, and which show zones in
    which cards are laid."""

    inside: NDArray[np.bool_]
    edge: NDArray[np.bool_]
    block: float
    laid: NDArray[np.bool_]

    @classmethod
    def of(cls, layout: Layout, calibration: Calibration) -> Ground:
        """The mat's outline in blocks. The size of a picture does not matter to it."""

        mask = np.zeros((BLOCK_SIZE[1], BLOCK_SIZE[0]), np.uint8)

        def filled(x: float, y: float, right: float, low: float) -> NDArray[np.bool_]:
            corners = np.array([[x, y, 0.0], [right, y, 0.0], [right, low, 0.0], [x, low, 0.0]])
            at = calibration.project(corners, (16 * BLOCK_SIZE[0], 16 * BLOCK_SIZE[1])) / 16
            one = mask.copy()
            cv2.fillConvexPoly(one, np.round(at * 16).astype(np.int32), (1,), shift=4)
            return one > 0

        def inset(by: float) -> NDArray[np.bool_]:
            return filled(by, by, layout.width - by, layout.height - by)

        inside, core, laid = inset(2.0), inset(11.0), mask > 0
        if any(zone.form in ("row", "pile") for zone in layout.zones):
            for zone in layout.zones:
                if zone.form == "squares":
                    continue  # no card is laid on a board, and figures are small
                right, low = zone.x + zone.width, zone.y + zone.height
                laid |= filled(zone.x - BESIDE, zone.y - BESIDE, right + BESIDE, low + BESIDE)
        area = layout.width * layout.height / max(1, int(np.count_nonzero(inside)))
        return cls(inside, inside & ~core, area, laid)


def _runs(ring: NDArray[np.bool_], pitch: float) -> bool:
    """Whether a hand's breadth of the ring is off in one piece."""
    need = max(2, round(HAND_LENGTH / pitch))
    run = np.convolve(np.concatenate([ring, ring[:need]]).astype(np.int32), np.ones(need, np.int32), "valid")
    return bool(np.any(run >= need - 1))


def usable(picture: object) -> bool:
    """Whether it is a picture at all, (H, W, 3) uint8, and no tiny one."""
    return (
        isinstance(picture, np.ndarray)
        and picture.dtype == np.uint8
        and picture.ndim == 3
        and picture.shape[2] == 3
        and min(picture.shape[:2]) >= 64
    )


def brightness(picture: Picture) -> str | None:
    """ "dark" or "bright" when the picture as a whole says nothing at all, mat or no mat; else None."""
    small = picture[:: max(1, picture.shape[0] // 54), :: max(1, picture.shape[1] // 96)].copy()
    # Of every preview, so values are counted, not sorted.
    if np.count_nonzero(small < round(DARK * 1.5)) > 0.97 * small.size:
        return "dark"
    if np.count_nonzero(small < BURNT) < 0.15 * small.size:
        return "bright"
    return None


def unsharp(picture: Picture) -> bool:
    """Whether a picture has contrast and no edge anywhere: so blurred that not even the mat can be found."""
    small = picture[:, :, 1]
    low, high = (float(v) for v in np.percentile(small[::4, ::4], (1, 99)))
    if high - low < 40:
        return False
    steps = np.abs(np.diff(small[::2].astype(np.int16), axis=1))
    return float(np.percentile(steps, 99.9)) < SOFT * (high - low)


def fault(
    picture: Picture, layout: Layout, calibration: Calibration, check: Check, mat: Samplings
) -> str | None:
    """What keeps a picture (about 400 px wide is enough) from being read: "dark", "bright", "blurred", "glare left|right|top|bottom|middle", or None."""
    if check.seen and check.contrast < DARK_CONTRAST:
        return "dark"
    if check.seen and check.sharpness < SHARP:
        return "blurred"
    window = Window(layout.width / 2, layout.height / 2, layout.width, layout.height, 0.0, 0.0, 0.5)
    blue, green, red = cv2.split(mat.rectify(picture, window, calibration))
    view = np.minimum(np.minimum(blue, green), red)
    burnt = view >= BURNT
    if float(np.mean(burnt)) > BRIGHT_SHARE:
        return "bright"
    spots = np.zeros(burnt.shape, np.uint8)
    for zone in layout.zones:
        part = _whole(zone)
        spots[part] = burnt[part]
    spot = _glare(spots, view)
    return None if spot is None else f"glare {side(*spot, layout)}"


def _whole(zone: Zone) -> tuple[slice, slice]:
    """A zone's pixels at 0.5 px per mm."""
    return (
        slice(round(zone.y / 2), round((zone.y + zone.height) / 2)),
        slice(round(zone.x / 2), round((zone.x + zone.width) / 2)),
    )


def _glare(spots: Picture, view: Picture) -> tuple[float, float] | None:
    """The middle (mm) of the largest burnt-out spot (0 or 1 at 0.5 px per mm) that is a reflection.

    Bright light burns the paper out over a wide area that fades slowly, and the grain of a white table in streaks; a reflection ends
    within a few centimetres all around.
    """
    count, labels, stats, centres = cv2.connectedComponentsWithStats(spots, connectivity=8)
    for worst in sorted(range(1, count), key=lambda one: -int(stats[one, cv2.CC_STAT_AREA])):
        if stats[worst, cv2.CC_STAT_AREA] * 4.0 < GLARE_AREA:
            return None
        left, top, wide, tall = (int(v) for v in stats[worst, :4])
        rows = slice(max(0, top - 14), top + tall + 14)
        columns = slice(max(0, left - 14), left + wide + 14)
        spot = (labels[rows, columns] == worst).astype(np.uint8)
        near = cv2.dilate(spot, np.ones((9, 9), np.uint8))
        ring = (cv2.dilate(spot, np.ones((25, 25), np.uint8)) > 0) & (near == 0)
        around = view[rows, columns][ring]
        if not around.size or float(np.percentile(around, 80)) >= BURNT - FADES:
            continue
        if float(np.median(around)) < BURNT - PALE or not _streak(spot):
            return float(centres[worst][0]) * 2, float(centres[worst][1]) * 2
    return None


def _streak(spot: Picture) -> bool:
    """Whether a spot (0 or 1) is narrow for its area, or ragged."""
    inner = float(
        cv2.distanceTransform(cv2.copyMakeBorder(spot, 1, 1, 1, 1, cv2.BORDER_CONSTANT), cv2.DIST_L2, 5).max()
    )
    return inner < STREAK * math.sqrt(np.count_nonzero(spot) / math.pi)


def side(x: float, y: float, layout: Layout) -> str:
    """Where on the mat a point (mm) is: left, right, top, bottom or middle."""
    across, down = x / layout.width - 0.5, y / layout.height - 0.5
    if max(abs(across), abs(down)) < 1 / 6:
        return "middle"
    if abs(across) >= abs(down):
        return "left" if across < 0 else "right"
    return "top" if down < 0 else "bottom"
