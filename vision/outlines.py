"""Proposals for loose pieces: dark outlines whose size is that of something printed on a face.

Which outlines a face shows (a frame, the frame of one half, a panel's rim) is learnt from the gallery by looking at its pictures in
the same way; so touching pieces are told apart by their frames and any owner's set brings its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from engines.table import Kind, Layout
from vision.compare import FINE, Array, log_light
from vision.plane import Picture

SURROUND = 9.0
"""Side of the surroundings (mm) against which a point is dark."""
DARK = (0.10, 0.28)
"""A point is dark when its log brightness is this much below its surroundings'; the deeper step parts a printed frame from the
shadow at the piece's edge."""
TOLERANCE = 1.3
"""How far an outline's sides may be from the learnt ones, mm."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A rectangle around a dark outline: centre (px), sides (px), turn of its first side (degrees clockwise)."""

    x: float
    y: float
    width: float
    height: float
    turn: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """An outline as a kind's face shows it: sides, and where its centre is from the face's centre (mm)."""

    width: float
    height: float
    x: float
    y: float


def depths(light: Array) -> Array:
    """Log brightness (H, W) against its surroundings: negative where it is darker."""
    side = round(SURROUND * FINE) | 1
    return np.asarray(light - cv2.blur(light, (side, side), borderType=cv2.BORDER_REPLICATE), np.float32)


def closed(mask: Picture, gap: float) -> Picture:
    """The mask (H, W) of 0 and 1 with gaps of up to ``gap`` mm closed."""
    side = round(gap * FINE)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)


def outlines(depth: Array, low: float, high: float, bare: bool = False) -> list[Outline]:
    """Rectangles around dark outlines in ``depths`` (H, W) at FINE px per mm, both sides between ``low`` and ``high`` mm; on a ``bare``
    table also around light ones, for there a piece's own edge may be lighter than what it lies on."""
    masks = [(depth < -step).astype(np.uint8) for step in DARK]
    # A thin line may be broken, a border may be a row of marks: closed up a little and a lot they are outlines too.
    masks += [closed(masks[0], 1.5), closed(masks[0], 4.5)]
    if bare:
        masks.append((depth > DARK[0]).astype(np.uint8))
    contours = [
        contour
        for mask in masks
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
    ]
    found: list[Outline] = []
    for contour in contours:
        _, _, wide, tall = cv2.boundingRect(contour)
        if (
            max(wide, tall) < low * FINE
            or min(wide, tall) < low * FINE * 0.7
            or max(wide, tall) > high * FINE * 1.42
        ):
            continue
        (x, y), (width, height), turn = cv2.minAreaRect(contour)
        if min(width, height) >= low * FINE and max(width, height) <= high * FINE:
            found.append(Outline(float(x), float(y), float(width), float(height), float(turn)))
    return found


def anchors(
    layout: Layout, kind: Kind, pictures: Mapping[str, Picture], px_per_mm: float
) -> tuple[Anchor, ...]:
    """The outlines that the faces of a kind show, one for each that at least a tenth of the faces shares."""
    faces = [face for face in layout.faces if face.kind == kind.name]
    heaps: list[tuple[Anchor, set[str]]] = []
    pad = 10
    size = (round(kind.width * FINE), round(kind.height * FINE))
    for face in faces:
        small = cv2.resize(pictures[face.identity], size, interpolation=cv2.INTER_AREA)
        framed = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
        light = log_light(np.asarray(cv2.GaussianBlur(framed, (0, 0), 0.7), np.uint8))
        middle_x, middle_y = (light.shape[1] - 1) / 2, (light.shape[0] - 1) / 2
        for outline in outlines(
            depths(light), 0.4 * min(kind.width, kind.height), max(kind.width, kind.height) + 2
        ):
            lean = outline.turn % 90
            if min(lean, 90 - lean) > 4:
                continue
            upright = min(outline.turn % 180, 180 - outline.turn % 180) < 45
            w, h = (outline.width, outline.height) if upright else (outline.height, outline.width)
            if w * h < 0.2 * kind.width * kind.height * FINE * FINE:
                continue
            one = Anchor(w / FINE, h / FINE, (outline.x - middle_x) / FINE, (outline.y - middle_y) / FINE)
            for other, names in heaps:
                gap = max(
                    abs(one.width - other.width),
                    abs(one.height - other.height),
                    abs(one.x - other.x),
                    abs(one.y - other.y),
                )
                if gap < 0.7:
                    names.add(face.identity)
                    break
            else:
                heaps.append((one, {face.identity}))
    whole = Anchor(kind.width, kind.height, 0.0, 0.0)
    """The piece's own edge, dark against what it lies on or by its shadow."""
    return (whole, *(anchor for anchor, names in heaps if len(names) * 10 >= len(faces)))


def placed(found: list[Outline], known: tuple[Anchor, ...]) -> list[tuple[float, float, float]]:
    """Where faces may lie, by these outlines: (x px, y px, turn in radians clockwise), several for one outline."""
    if not found or not known:
        return []
    rows = np.array([(o.x, o.y, o.width, o.height, math.radians(o.turn)) for o in found])[:, None]
    printed = np.array([(a.width, a.height, a.x, a.y) for a in known])[None] * FINE
    poses: list[tuple[float, float, float]] = []
    for quarter in range(4):
        wide, tall = (rows[..., 2], rows[..., 3]) if quarter % 2 == 0 else (rows[..., 3], rows[..., 2])
        # The rectangle's first side lies at its turn; a face whose width runs along it is turned by that much.
        turn = np.broadcast_to(rows[..., 4] + quarter * math.pi / 2, (len(found), len(known)))
        cos, sin = np.cos(turn), np.sin(turn)
        gap = np.maximum(np.abs(wide - printed[..., 0]), np.abs(tall - printed[..., 1]))
        fits = gap <= TOLERANCE * FINE
        x = rows[..., 0] - cos * printed[..., 2] + sin * printed[..., 3]
        y = rows[..., 1] - sin * printed[..., 2] - cos * printed[..., 3]
        poses += zip(x[fits].tolist(), y[fits].tolist(), turn[fits].tolist(), strict=True)
    return poses
