"""Quads, polygons and edges that contours of a photo show.

A piece is told from its ground by brightness, by brightness against its surroundings, by colour, or by the line around it: the photo
is split in each of these ways, and every contour that four straight sides explain is a proposal. The same piece is usually found in
several ways: those are its votes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.plane import Picture
from vision.reading.words import Outlines, Proposal

Points = NDArray[np.float32]

LONG_SIDE = 800
"""The photo is looked at no longer than this, px: contours cost by the pixel, and corners are made sharp afterwards."""
SMALLEST, LARGEST = 0.0012, 0.7
"""Area of a piece as a share of the picture."""
SHORTEST = 60
"""Contours of fewer points are not looked at."""
LEVELS = (("grey", 6), ("saturation", 3), ("green-red", 3), ("blue-yellow", 3))
"""In how many levels each channel is split."""
MOST_QUADS = 120


@dataclass(frozen=True, slots=True, eq=False)
class _Split:
    """A mask of 0 and 1, and how far (working px) the true border lies outside the contour of a blob and of a hole."""

    mask: Picture
    blob: float = 0.5
    hole: float = -0.5


def clockwise(quad: Points) -> Quad:
    """The corners (4, 2) in clockwise order as seen on the screen, the first kept."""
    quad = np.asarray(quad, np.float32).reshape(-1, 2)
    if cv2.contourArea(quad, True) < 0:
        quad = np.concatenate([quad[:1], quad[:0:-1]])
    return np.ascontiguousarray(quad)


def overlap(one: Quad, other: Quad) -> float:
    """Intersection over union of two convex quads."""
    shared, _ = cv2.intersectConvexConvex(one, other)
    both = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared
    return float(shared / max(both, 1e-6))


def side_lengths(quad: Quad) -> NDArray[np.float32]:
    """(4,): from each corner to the next."""
    return np.asarray(np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1), np.float32)


def _edges(grey: Picture, colours: Sequence[Picture]) -> Picture:
    """Canny edges (0 or 255) of the brightness by the photo's own contrast, joined by those of the colours."""
    across, down = cv2.Sobel(grey, cv2.CV_16S, 1, 0), cv2.Sobel(grey, cv2.CV_16S, 0, 1)
    steep = np.abs(across[::3, ::3].astype(np.int32)) + np.abs(down[::3, ::3])
    high = max(40.0, float(np.percentile(steep, 93)))
    edges = cv2.Canny(across, down, 0.35 * high, 0.8 * high)
    for colour in colours:
        edges = cv2.bitwise_or(edges, cv2.Canny(colour, 40, 90))
    return np.asarray(edges, np.uint8)


def _splits(small: Picture) -> tuple[Iterator[_Split], Picture]:
    """The ways in which the photo is split, and its edges."""
    smooth = cv2.GaussianBlur(small, (5, 5), 0)
    grey, green_red, blue_yellow = (
        np.asarray(channel, np.uint8) for channel in cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB))
    )
    saturation = np.asarray(np.ptp(smooth, axis=2), np.uint8)
    channels = {
        "grey": grey,
        "saturation": saturation,
        "green-red": green_red,
        "blue-yellow": blue_yellow,
    }
    edges = _edges(grey, (green_red, blue_yellow))

    def every() -> Iterator[_Split]:
        for name, count in LEVELS:
            low, high = np.percentile(channels[name][::4, ::4], [1, 99])
            if high - low < 14:
                continue
            for level in np.linspace(low, high, count + 2)[1:-1]:
                yield _Split(np.asarray(channels[name] > level, np.uint8))
        side = int(max(small.shape[:2]) * 0.09) | 1
        around = cv2.boxFilter(grey, -1, (side, side), borderType=cv2.BORDER_REPLICATE)
        yield _Split(np.asarray(cv2.subtract(grey, around) > 5, np.uint8))
        yield _Split(np.asarray(cv2.subtract(around, grey) > 5, np.uint8))
        yield _Split(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)) > 0, np.uint8), -1.0, 1.0)

    return every(), edges


def _crossing(points: Points, ways: Points) -> Points | None:
    """Corners (4, 2) where each of four lines (point, direction) crosses the one before it; None when two are nearly parallel."""
    before, before_way = np.roll(points, 1, 0), np.roll(ways, 1, 0)
    cross = before_way[:, 0] * ways[:, 1] - before_way[:, 1] * ways[:, 0]
    if np.abs(cross).min() < 0.2:
        return None
    gap = points - before
    along = (gap[:, 0] * ways[:, 1] - gap[:, 1] * ways[:, 0]) / cross
    return np.asarray(before + along[:, None] * before_way, np.float32)


def straightened(contour: Points, quad: Quad, outwards: float = 0.0) -> Quad | None:
    """The quad whose sides are straight lines through the contour's points (n, 2) beside the sides of ``quad`` (4, 2), moved out by
    ``outwards`` px: rounded and nicked corners do not matter. None when no such quad lies near."""
    lengths = side_lengths(quad)
    if lengths.min() < 8:
        return None
    ways = (np.roll(quad, -1, 0) - quad) / lengths[:, None]
    normals = np.stack([ways[:, 1], -ways[:, 0]], 1)
    away = contour[None] - quad[:, None]
    along = np.einsum("snk,sk->sn", away, ways) / lengths[:, None]
    aside = np.einsum("snk,sk->sn", away, normals)
    beside = (along > 0.12) & (along < 0.88) & (np.abs(aside) < np.maximum(2.5, 0.035 * lengths)[:, None])
    points, lines = quad.copy(), np.asarray(ways, np.float32)
    for side in range(4):
        if beside[side].sum() >= 5:
            fit = cv2.fitLine(contour[beside[side]], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
            lines[side] = fit[:2] if fit[:2] @ ways[side] > 0 else -fit[:2]
            points[side] = fit[2:]
    points = points + outwards * np.stack([lines[:, 1], -lines[:, 0]], 1)
    corners = _crossing(points, lines)
    if corners is None or np.abs(corners - quad).max() > 0.12 * np.linalg.norm(quad[0] - quad[2]):
        return None
    return corners


def _plausible(quad: Quad) -> bool:
    sides = side_lengths(quad)
    opposite = np.minimum(sides[:2], sides[2:]) / np.maximum(np.maximum(sides[:2], sides[2:]), 1e-6)
    return bool(cv2.isContourConvex(quad) and sides.min() > 0.3 * sides.max() and opposite.min() > 0.6)


def _quad(contour: NDArray[np.int32], area: float, outwards: float) -> tuple[float, Quad] | None:
    """The quad that explains a contour, and how well (0-1); None when none does."""
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if area < 0.8 * hull_area:
        return None
    around = cv2.arcLength(hull, True)
    for coarse in (0.02, 0.035, 0.06):
        rough = cv2.approxPolyDP(hull, coarse * around, True)
        if len(rough) <= 4:
            break
    if len(rough) != 4:
        return None
    border = contour if area > 0.93 * hull_area else hull
    quad = straightened(
        border.reshape(-1, 2).astype(np.float32), clockwise(rough.astype(np.float32)), outwards
    )
    if quad is None or not _plausible(quad):
        return None
    full = cv2.contourArea(quad)
    if area < 0.8 * full or hull_area > 1.12 * full:
        return None
    return min(area / full, full / area), quad


def _merged(quads: list[tuple[float, Quad]]) -> list[tuple[int, Quad]]:
    """Quads that are nearly the same become one, the best of them, with as many votes; most votes first."""
    quads = sorted(quads, key=lambda scored: -scored[0])
    kept: list[Quad] = []
    votes: list[int] = []
    centres = np.zeros((len(quads), 2), np.float32)
    for _, quad in quads:
        centre, reach = quad.mean(0), 0.08 * float(np.sqrt(cv2.contourArea(quad)))
        near = np.flatnonzero(np.abs(centres[: len(kept)] - centre).max(1) < reach)
        same = next((index for index in near if overlap(kept[index], quad) > 0.9), None)
        if same is not None:
            votes[same] += 1
            continue
        centres[len(kept)] = centre
        kept.append(quad)
        votes.append(1)
    return sorted(zip(votes, kept, strict=True), key=lambda counted: -counted[0])


def outline(photo: Photo) -> Outlines:
    """What contours of the photo show: quads in px of the photo, most votes first; polygons; edges. About 0.1 s for 2 MP."""
    small, scale = photo.working(LONG_SIDE)
    splits, edges = _splits(small)
    whole = small.shape[0] * small.shape[1]
    quads: list[tuple[float, Quad]] = []
    polygons: list[Points] = []
    for split in splits:
        contours, family = cv2.findContours(split.mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        for index, contour in enumerate(contours):
            if len(contour) < SHORTEST:
                continue
            area = cv2.contourArea(contour)
            if not SMALLEST * whole <= area <= LARGEST * whole:
                continue
            outwards = split.hole if family[0, index, 3] >= 0 else split.blob
            found = _quad(np.asarray(contour, np.int32), area, outwards)
            if found is not None:
                quads.append(found)
            if area < 0.5 * whole:
                rough = cv2.approxPolyDP(contour, 3.0, True).reshape(-1, 2)
                polygons.append(_to_photo(rough.astype(np.float32), scale))
    proposals = tuple(
        Proposal(_to_photo(quad, scale), "outline", float(votes))
        for votes, quad in _merged(quads)[:MOST_QUADS]
    )
    return Outlines(proposals, tuple(polygons), edges, scale)


def _to_photo(points: Points, scale: float) -> Points:
    """From px of the smaller picture to px of the photo, centres of pixels on centres of pixels."""
    return np.asarray((points + 0.5) / scale - 0.5, np.float32)
