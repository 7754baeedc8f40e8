"""Quads that contours and edges of a photo show.

A piece is told from its ground by brightness, by brightness against its surroundings, by colour, or by the line around it: the photo
is split in each of these ways, and every contour that four straight sides explain is a proposal; so are the quads that straight
stretches of edges make (assembled.py). What edges bear out along the border counts, and in how many ways a quad was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.plane import Picture
from vision.reading.assembled import BEYOND, FINE, assembled, borne_out
from vision.reading.sides import (
    Floats,
    areas,
    clockwise,
    distinct,
    plausible,
    sharpened,
    side_lengths,
    straightened,
)
from vision.reading.stretches import stretches
from vision.reading.words import Outlines, Proposal

SHORTEST = 50
"""Contours of fewer points are not looked at."""
SLENDER = 0.33
"""The share of its upright box that a rectangle three times as long as wide fills at least, whichever way it is turned."""
POINTS = 120
"""A contour is thinned to so many points before lines are laid through it."""
LEVELS = (("grey", 4), ("saturation", 2), ("red", 1), ("blue", 1))
"""In how many levels each channel is split."""
STEEP = (40.0, 100.0)
FAINTEST, ROUGH, CALM = 10.0, 2.6, np.uint8(60)
"""A step (Sobel, both ways added) begins an edge when it is steeper than FAINTEST and ROUGH times its surroundings' mean, and goes on
with it above the lower of STEEP, in hundredths of that."""
WEAK = 6.0
"""A step across a side of fewer grey levels than this is noise."""
SHORTEST_STRETCH = 9.0
"""Stretches of edges shorter than this, px, are not kept."""
SAME, OUTER = 0.05, 1.0
"""Quads whose corners all lie nearer than this share of the side are one; how much an outer one of them is preferred."""
CONTINUED = 0.7
"""Votes lost by sides that go on beyond all corners."""
PLACE, OUTERMOST, BEHIND = 0.3, 5.0, 0.8
"""Quads whose corners all lie nearer than this share of the side are at one place; how much the outer ones are preferred there, as long
as they are not so many votes behind."""
MOST_PIECED, MOST_QUADS = 160, 90


@dataclass(frozen=True, slots=True)
class _Look:
    """How closely a photo is looked at: its long side, px; the least and the greatest area of a piece, shares of the picture."""

    long_side: int
    smallest: float
    largest: float


COARSE_LOOK, CLOSE_LOOK = _Look(800, 0.0006, 0.7), _Look(2000, 0.0002, 0.006)
"""Contours cost by the pixel; what is large enough to be seen from afar is not looked for from near by."""
CLOSE_FROM = 2500
"""Photos longer than this, px, may have to be looked at closely."""


@dataclass(frozen=True, slots=True, eq=False)
class _Split:
    """A mask of 0 and 1, and how far (working px) the true border lies outside the contour of a blob and of a hole."""

    mask: Picture
    blob: float = 0.5
    hole: float = -0.5


@dataclass(frozen=True, slots=True, eq=False)
class _Rough:
    """A contour that four corners may explain: those (4, 2), its points thinned (POINTS, 2), its own area and its hull's, px squared,
    how far outside it the border is, px."""

    corners: Floats
    contour: Floats
    area: float
    hull: float
    outwards: float


def _edges(grey: Picture, colours: Sequence[Picture]) -> Picture:
    """Canny edges (0 or 255) of the brightness, joined by those of the colours.

    What counts as steep depends on the surroundings: where the picture is smooth, the faint rim of a white card on a white card does;
    where it is rough, only what stands out. (A step weighs at most CALM there, so that a border does not hide a faint line beside it.)
    """
    across, down = cv2.Sobel(grey, cv2.CV_16S, 1, 0), cv2.Sobel(grey, cv2.CV_16S, 0, 1)
    steep = cv2.add(cv2.convertScaleAbs(across), cv2.convertScaleAbs(down))
    side = int(max(grey.shape[:2]) * 0.04) | 1
    around = cv2.blur(np.minimum(steep, CALM), (side, side))
    gain = np.asarray(
        STEEP[1] / np.maximum(FAINTEST + ROUGH * np.arange(256, dtype=np.float32), 1), np.float32
    )
    scale = cv2.LUT(around, gain)
    edges = cv2.Canny(
        cv2.multiply(across, scale, dtype=cv2.CV_16S), cv2.multiply(down, scale, dtype=cv2.CV_16S), *STEEP
    )
    for colour in colours:
        edges = cv2.bitwise_or(edges, cv2.Canny(colour, 40, 90))
    return np.asarray(edges, np.uint8)


def _channels(smooth: Picture) -> dict[str, Picture]:
    """Brightness, and colour as the eye opposes it: how far from grey, how red, how blue."""
    blue, green, red = cv2.split(smooth)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    highest, lowest = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    found = {
        "grey": grey,
        "saturation": cv2.subtract(highest, lowest),
        "red": cv2.addWeighted(red, 1.0, green, -1.0, 128.0),
        "blue": cv2.addWeighted(blue, 1.0, grey, -1.0, 128.0),
    }
    return {name: np.asarray(channel, np.uint8) for name, channel in found.items()}


def _above(channel: Picture, level: float) -> Picture:
    return np.asarray(cv2.threshold(channel, level, 1, cv2.THRESH_BINARY)[1], np.uint8)


def _splits(channels: dict[str, Picture], edges: Picture) -> Iterator[_Split]:
    """The ways in which the photo is split."""
    for name, count in LEVELS:
        low, high = np.percentile(channels[name][::4, ::4], [1, 99])
        if high - low < 14:
            continue
        for level in np.linspace(low, high, count + 2)[1:-1]:
            yield _Split(_above(channels[name], float(level)))
    grey = channels["grey"]
    side = int(max(grey.shape[:2]) * 0.09) | 1
    around = np.asarray(cv2.boxFilter(grey, -1, (side, side), borderType=cv2.BORDER_REPLICATE), np.uint8)
    yield _Split(_above(np.asarray(cv2.subtract(grey, around), np.uint8), 5))
    yield _Split(_above(np.asarray(cv2.subtract(around, grey), np.uint8), 5))
    yield _Split(_above(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8), 0), -1.0, 1.0)


def _rough(contour: NDArray[np.int32], area: float, outwards: float) -> _Rough | None:
    """The four corners a contour may have; None when it has more or fewer."""
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if area < 0.8 * hull_area:
        return None
    around = cv2.arcLength(hull, True)
    for coarse in (0.02, 0.035, 0.06):
        corners = cv2.approxPolyDP(hull, coarse * around, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    border = (contour if area > 0.93 * hull_area else hull).reshape(-1, 2)
    thinned = border[np.linspace(0, len(border) - 1, POINTS).astype(np.int64)]
    return _Rough(
        corners.reshape(4, 2).astype(np.float32), thinned.astype(np.float32), area, hull_area, outwards
    )


def _quads(roughs: list[_Rough]) -> tuple[Floats, Floats]:
    """Quads (n, 4, 2) that explain contours, the best first, and how well (n,), 0-1."""
    if not roughs:
        return np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)
    corners = clockwise(np.stack([rough.corners for rough in roughs]))
    outwards = np.array([rough.outwards for rough in roughs], np.float32)
    quads, good = straightened(corners, np.stack([rough.contour for rough in roughs]), outwards)
    full = np.maximum(areas(quads), 1e-3)
    own = np.array([rough.area for rough in roughs])
    hulls = np.array([rough.hull for rough in roughs])
    good &= plausible(quads) & (own > 0.8 * full) & (hulls < 1.12 * full)
    fits = np.minimum(own / full, full / own)
    order = np.flatnonzero(good)
    order = order[np.argsort(-fits[order], kind="stable")]
    return quads[order], fits[order].astype(np.float32)


def _merged(quads: Floats, fits: Floats) -> tuple[Floats, Floats]:
    """Quads that are nearly the same become one, the best: quads (n, 4, 2), and in how many ways each was found (n,)."""
    order = np.argsort(-fits, kind="stable")
    quads = quads[order]
    kept, home = distinct(quads, np.maximum(1.5, 0.03 * side_lengths(quads).mean(-1)))
    return quads[kept], np.bincount(home, minlength=len(kept)).astype(np.float32)


def _outer_first(quads: Floats, votes: Floats) -> NDArray[np.int64]:
    """Which quads remain when those that lie within a few hundredths of another are one, the outer one if it has as many votes; most
    votes first."""
    side = np.maximum(side_lengths(quads).mean(-1), 1.0)
    order = np.argsort(-(votes + OUTER * np.log(side)), kind="stable")
    kept, _ = distinct(quads[order], np.maximum(1.5, SAME * side[order]))
    order = order[kept]
    return np.asarray(order[np.argsort(-votes[order], kind="stable")], np.int64)


def _ranked(quads: Floats, ways: Floats, smooth: Picture, directions: Picture) -> tuple[Floats, Floats]:
    """Quads drawn to the steps in the picture, one a place, and their votes (n,), most first.

    Votes are the share of the border along which edges are found, a weak side counting twice; being found by contours adds a little.
    A side that goes on straight beyond its corners is rather a line of the ground's pattern.
    Of quads that lie within a few hundredths of each other the outer one is the piece, the inner ones are frames printed on it.
    """
    if not len(quads):
        return quads, ways
    quads, _ = sharpened(smooth, quads, np.maximum(1.5, 0.012 * side_lengths(quads).mean(-1)), WEAK)
    shown = borne_out(quads, directions, FINE)
    beyond = borne_out(quads, directions, BEYOND).mean(-1)
    votes = 2 * shown.mean(-1) + shown.min(-1) + 0.3 * np.log1p(ways) - CONTINUED * beyond
    order = _outer_first(quads, votes)
    first = _one_a_place(quads[order], votes[order])
    order = order[first][:MOST_QUADS]
    # The outer one of several was chosen: it may lie outside the step that it stands for.
    sharp, _ = sharpened(
        smooth, quads[order], np.maximum(1.5, 0.012 * side_lengths(quads[order]).mean(-1)), WEAK
    )
    return sharp, np.asarray(votes[order], np.float32)


def _one_a_place(quads: Floats, votes: Floats) -> NDArray[np.int64]:
    """The order in which quads are worth a look: first one of every place, the outer ones before what is printed on them, then the
    others; most votes first."""
    side = side_lengths(quads).mean(-1)
    order = np.argsort(-(votes + OUTER * np.log(np.maximum(side, 1.0))), kind="stable")
    kept, home = distinct(quads[order], PLACE * side[order])
    size = np.log(np.maximum(side[order], 1.0))
    # A frame printed on a piece is often found in more ways than the piece's own border.
    worth = np.where(
        votes[order] > votes[order][kept][home] - BEHIND, votes[order] + OUTERMOST * size, -np.inf
    )
    by_place = np.lexsort((-worth, home))
    first = order[by_place[np.searchsorted(home[by_place], np.arange(len(kept)))]]
    others = np.setdiff1d(order, first, assume_unique=True)
    return np.concatenate([first, others[np.argsort(-votes[others], kind="stable")]]).astype(np.int64)


def _contours(channels: dict[str, Picture], edges: Picture, smallest: float, largest: float) -> list[_Rough]:
    """Contours of all splits with areas between ``smallest`` and ``largest`` px squared that four corners may explain."""
    roughs: list[_Rough] = []
    for split in _splits(channels, edges):
        contours, family = cv2.findContours(split.mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        for index, contour in enumerate(contours):
            if len(contour) < SHORTEST:
                continue
            area = cv2.contourArea(contour)
            if not smallest <= area <= largest:
                continue
            _, _, wide, tall = cv2.boundingRect(contour)
            if area < SLENDER * wide * tall:
                continue
            outwards = split.hole if family[0, index, 3] >= 0 else split.blob
            found = _rough(np.asarray(contour, np.int32), area, outwards)
            if found is not None:
                roughs.append(found)
    return roughs


def _look(photo: Photo, look: _Look) -> tuple[Floats, Floats, Outlines]:
    """Quads (n, 4, 2) px of the photo and their votes (n,), as one look sees them; and its edges."""
    small, scale = photo.working(look.long_side)
    smooth = np.asarray(cv2.GaussianBlur(small, (5, 5), 0), np.uint8)
    channels = _channels(smooth)
    edges = _edges(channels["grey"], (channels["red"], channels["blue"]))
    smallest, largest = (share * edges.size for share in (look.smallest, look.largest))
    quads, ways = _merged(*_quads(_contours(channels, edges, smallest, largest)))
    straight, directions = stretches(smooth, edges, SHORTEST_STRETCH)
    pieced, shown = assembled(straight, directions, smallest, largest)
    pieced = pieced[_outer_first(pieced, 2 * shown.mean(-1))[:MOST_PIECED]]
    quads, votes = _ranked(
        np.concatenate([quads, pieced]),
        np.concatenate([ways, np.zeros(len(pieced), np.float32)]),
        smooth,
        directions,
    )
    return (
        _to_photo(quads, scale),
        votes,
        Outlines((), edges, scale, _to_photo(straight, scale), directions, smooth),
    )


def outline(photo: Photo) -> Outlines:
    """What contours and edges of the photo show: at most 90 quads, px of the photo, in the order in which they are worth a look; edges.

    0.06 to 0.09 s on one core for 2 MP. A large photo in which no piece shows is looked at again more closely, for tiny ones.
    """
    quads, votes, found = _look(photo, COARSE_LOOK)
    if max(photo.size) > CLOSE_FROM:
        seen = (votes > 2.7) & (areas(quads) > CLOSE_LOOK.largest * photo.size[0] * photo.size[1])
        if seen.sum() < 3:
            more, more_votes, found = _look(photo, CLOSE_LOOK)
            quads, votes = np.concatenate([more, quads]), np.concatenate([more_votes, votes])
            order = _outer_first(quads, votes)
            order = order[_one_a_place(quads[order], votes[order])]
            quads, votes = quads[order], votes[order]
    proposals = tuple(
        Proposal(quad, "outline", float(vote)) for quad, vote in zip(quads[:MOST_QUADS], votes, strict=False)
    )
    return replace(found, quads=proposals)


def _to_photo(points: Quad, scale: float) -> Quad:
    """From px of the smaller picture to px of the photo, centres of pixels on centres of pixels."""
    return np.asarray((points + 0.5) / scale - 0.5, np.float32)
