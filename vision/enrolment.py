"""From one picture to one upright face: a tight crop as it is, or a piece that lies on a plain ground, cut out.

The ground is learnt from the picture's rim, where the piece does not reach: a smooth surface of colour. What differs from it and has four
straight sides is the piece. A frame printed on a tightly cropped face looks much the same, but it is parallel to the picture's sides and
equally far from them; where both are possible the picture is taken whole and the owner is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.plane import Picture
from vision.reading.outlines import outline
from vision.reading.sides import Floats, areas, clockwise, distinct, plausible, sharpened, steps, straightened

LONGEST = 720
"""Px of a face's long side that are kept: no photo of a table shows a piece larger."""
WORKING = 640
"""Px of the long side at which the outline is looked for; its sides are fitted to a fraction of a px."""
RIM = 0.02
"""Breadth of the picture's rim that must show nothing but ground, in short sides."""
ROUGH = 7.0
"""Scatter (CIE Lab) of the rim about a smooth surface beyond which it is no plain ground."""
PLAIN = 0.9
"""Share of the rim, and of what lies outside an outline, that must be ground."""
SHADOW = 45.0
"""A shadow darkens the ground by up to so many steps of lightness and hardly changes its colour."""
LEAST, MOST = 0.04, 0.94
"""Share of the picture that a piece has."""
AGREED = 2.8
"""Votes of contours (see vision.reading.outlines) for a piece on a ground that is not plain; prints get up to two."""
SPECKS = 0.002
"""Share of the picture that dust and noise may differ from the ground."""
SYMBOL = 0.12
"""Share of the picture up to which what is not clear is a symbol on a face rather than a piece."""
FULL = 0.94
"""Share of its four-sided outline that a piece fills: corners may be rounded."""
STEP = 3.0
"""Grey levels from one sample to the next below which a side shows no edge."""
SEEN = 0.55
"""Share of each side that must show an edge."""
SQUARE = 10.0
"""Degrees by which the corners of a piece may differ from right angles, seen from straight above."""
FOCALS = (0.65, 0.85, 1.3)
FOCAL = 0.85
"""Focal length of a camera nobody has measured, in long sides of its picture: phones have 0.7-0.8 and crop, other cameras 1 or more."""
UNCLEAR = "its outline is not clear: lay it on a plain ground of another colour, or crop it to its edge"
BUSY = "it seems to lie on a ground that is not plain: lay it on a plain one, with ground on all sides, or crop it to its edge"
BARE = "hardly anything but one colour is to be seen: if a piece lies on a ground there, take it from nearer, or crop it to its edge"
FRAMED = "what looks like its outline may be a frame printed on it: leave more ground around it, or crop it to its edge"


@dataclass(frozen=True, slots=True, eq=False)
class Enrolled:
    """``picture``: the upright face, BGR uint8; ``quad``: where it was found (px of the photo), None when the picture was taken whole;
    ``sure``: of the outline, 0-1, None for a picture taken whole; ``doubt``: why that may be wrong, for the owner, else None."""

    picture: Picture
    quad: Quad | None = None
    sure: float | None = None
    doubt: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """How much every working px differs from the ground: ``off`` (h, w) in all, ``like`` (h, w) whether it may be ground, be it in shadow;
    ``noise``: the ground's own scatter."""

    off: Floats
    like: NDArray[np.bool_]
    noise: float


@dataclass(frozen=True, slots=True, eq=False)
class _Outline:
    """A quad (working px) and how much speaks for it, 0-1 each: edges along its worst side and in the mean, how much of it is filled,
    how much outside it is ground; and how steep each side is (4,), grey levels from px to px."""

    quad: Quad
    worst: float
    shown: float
    steep: Floats
    full: float
    plain: float

    @property
    def sure(self) -> float:
        return min(1.0, self.shown * self.plain)

    @property
    def clear(self) -> bool:
        return self.worst >= SEEN and self.shown >= 0.75 and self.full >= FULL and self.plain >= PLAIN


def upright(photo: Photo) -> Enrolled:
    """The face in a picture of one piece, its top where it is when the picture is held as it is, within 45 degrees."""
    small, scale = photo.working(WORKING)
    whole = Enrolled(_kept(photo.picture))
    ground = _ground(small)
    if ground is None:
        return Enrolled(whole.picture, doubt=BUSY if _laid_askew(small) else None)
    found = _outlines(small, ground)
    clear = [one for one in found if one.clear]
    if not clear:
        doubtful = any(
            max(one.worst + 0.2, one.shown) >= 0.62
            and one.full >= 0.92
            and one.plain >= 0.95
            and cv2.contourArea(one.quad) > SYMBOL * small.shape[0] * small.shape[1]
            and _printed(one.quad, small.shape[1], small.shape[0]) is not False
            for one in found
        )
        return Enrolled(whole.picture, doubt=UNCLEAR if doubtful else BARE if _bare(ground) else None)
    chosen = _chosen(clear)
    printed = _printed(chosen.quad, small.shape[1], small.shape[0])
    if printed is not None:
        return Enrolled(whole.picture, doubt=FRAMED if printed else None)
    quad = np.asarray((_turned(chosen.quad) + 0.5) / scale - 0.5, np.float32)
    return Enrolled(cut(photo, quad), quad, chosen.sure)


def cut(photo: Photo, quad: Quad) -> Picture:
    """What lies in a quad (px of the photo, from its top left clockwise), seen from straight above in its true proportions."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    wide, high = max(sides[0], sides[2]), max(sides[1], sides[3])
    aspect = true_aspect(quad, photo.size)
    if wide / high > aspect:
        high = wide / aspect
    else:
        wide = high * aspect
    shrink = min(1.0, LONGEST / max(wide, high))
    return np.asarray(
        photo.crops([quad], max(8, round(wide * shrink)), max(8, round(high * shrink)))[0], np.uint8
    )


def true_aspect(quad: Quad, size: tuple[int, int]) -> float:
    """Width / height of the rectangle that looks like ``quad`` in a picture of ``size`` (width, height) px.

    Z. Zhang, L.-w. He, "Whiteboard scanning and image enhancement", Digital Signal Processing 17 (2007), for a camera of usual focal length
    whose axis goes through the picture's middle: the focal length that a slightly tilted quad itself gives is mostly noise.
    """
    across, down = _sides(quad, size, FOCAL)
    return float(np.linalg.norm(across) / np.linalg.norm(down))


def _sides(
    quad: Quad, size: tuple[int, int], focal: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The upper and the left side of a rectangle in space (3,), up to a common factor."""
    middle = (np.array(size, np.float64) - 1) / 2
    points = (np.asarray(quad, np.float64) - middle) / (focal * max(size))
    m1, m2, m3, m4 = np.column_stack([points, np.ones(4)])[[0, 1, 3, 2]]
    k2 = np.dot(np.cross(m1, m4), m3) / np.dot(np.cross(m2, m4), m3)
    k3 = np.dot(np.cross(m1, m4), m2) / np.dot(np.cross(m3, m4), m2)
    return k2 * m2 - m1, k3 * m3 - m1


def _square(quad: Quad, size: tuple[int, int]) -> bool:
    """Whether a rectangle can look like this quad, to a camera of whatever usual focal length."""
    for focal in FOCALS:
        across, down = _sides(quad, size, focal)
        bend = abs(float(across @ down)) / float(np.linalg.norm(across) * np.linalg.norm(down))
        if bend < np.sin(np.radians(SQUARE)):
            return True
    return False


# -- the ground ------------------------------------------------------------------------------------------


def _ground(small: Picture) -> _Ground | None:
    """The ground that the picture's rim shows; None when it is not plain."""
    height, width = small.shape[:2]
    lab = cv2.cvtColor(
        cv2.GaussianBlur(small, (3, 3), 0).astype(np.float32) * np.float32(1 / 255), cv2.COLOR_BGR2Lab
    )
    rim = np.ones((height, width), bool)
    broad = max(3, round(RIM * min(height, width)))
    rim[broad:-broad, broad:-broad] = False
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = 2 * x / width - 1, 2 * y / height - 1
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1)
    known, seen = terms[rim], lab[rim]
    use = np.ones(len(seen), bool)
    for _ in range(4):
        surface, *_rest = np.linalg.lstsq(known[use], seen[use], rcond=None)
        away = np.linalg.norm(seen - known @ surface, axis=1)
        scatter = (
            1.4826 * float(np.median(away[use])) / 1.54
        )  # the median length of a 3-D normal vector is 1.54 sigma
        use = away < max(3.0 * scatter * 1.54, 4.0)
        if np.count_nonzero(use) < 0.5 * len(use):
            return None
    if scatter > ROUGH or float(np.mean(away < max(4.6 * scatter, 7.0))) < PLAIN:
        return None
    gap = np.asarray(lab - terms @ surface, np.float32)
    tint = np.linalg.norm(gap[..., 1:], axis=-1)
    loose = max(7.0, 4.6 * scatter)
    like = (tint < loose) & (gap[..., 0] < loose) & (gap[..., 0] > -SHADOW)
    return _Ground(np.asarray(np.linalg.norm(gap, axis=-1), np.float32), like, max(scatter, 0.5))


def _bare(ground: _Ground) -> bool:
    """Whether all is ground but for one small spot, if that: a piece far away, or nothing at all."""
    away = ((ground.off > max(7.0, 4.6 * ground.noise)) & ~ground.like).astype(np.uint8)
    spot = cv2.morphologyEx(away, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    spots, _ = cv2.findContours(spot, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not spots:
        return True
    largest = cv2.convexHull(max(spots, key=cv2.contourArea))
    if cv2.contourArea(largest) > LEAST * away.size:
        return False
    cv2.fillConvexPoly(away, largest, (0,))
    return float(np.mean(away)) < SPECKS


# -- the outline -----------------------------------------------------------------------------------------


def _outlines(small: Picture, ground: _Ground) -> list[_Outline]:
    """Four-sided outlines of what lies on the ground."""
    shape = small.shape[:2]
    corners: list[Floats] = []
    borders: list[Floats] = []
    filled: list[float] = []
    for mask in _masks(small, ground):
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        if not contours:
            continue
        border = max(contours, key=cv2.contourArea)
        area = cv2.contourArea(border)
        if not LEAST < area / (shape[0] * shape[1]) < MOST:
            continue
        hull = cv2.convexHull(border)
        around = cv2.arcLength(hull, True)
        for coarse in (0.02, 0.035, 0.05, 0.07):
            rough = cv2.approxPolyDP(hull, coarse * around, True)
            if len(rough) <= 4:
                break
        if len(rough) != 4:
            continue
        points = border.reshape(-1, 2)
        corners.append(rough.reshape(4, 2).astype(np.float32))
        borders.append(points[np.linspace(0, len(points) - 1, 240).astype(np.intp)].astype(np.float32))
        filled.append(float(area))
    if not corners:
        return []
    quads, good = straightened(
        clockwise(np.stack(corners)), np.stack(borders), np.full(len(corners), 0.5, np.float32)
    )
    good &= plausible(quads)
    good &= np.array([bool(ok) and _square(quad, shape[::-1]) for ok, quad in zip(good, quads, strict=True)])
    quads, own = quads[good], np.asarray(filled)[good]
    if not len(quads):
        return []
    kept, _ = distinct(quads, np.full(len(quads), 1.0, np.float32))
    quads, own = quads[kept], own[kept]
    reach = np.asarray(np.maximum(2.0, 0.008 * np.sqrt(np.abs(areas(quads)))), np.float32)
    sharp, shown = sharpened(np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8), quads, reach, STEP)
    steep = steps(small, sharp, np.ones(len(sharp), np.float32), 24, 1)[0][..., 1].mean(-1)
    return [
        _Outline(
            quad,
            float(edges.min()),
            float(edges.mean()),
            np.asarray(slope, np.float32),
            float(min(1.0, area / max(1.0, cv2.contourArea(quad)))),
            _plain(ground, quad),
        )
        for quad, edges, slope, area in zip(sharp, shown, steep, own, strict=True)
        if _inside(quad, shape)
    ]


def _chosen(clear: list[_Outline]) -> _Outline:
    """The outermost outline that is about as clear as the clearest: what lies within may be printed. But where two share a side and differ
    in another, the outer one has taken in a shadow if its own sides are less steep."""
    best = max(one.sure for one in clear)
    chosen = max((one for one in clear if one.sure >= 0.85 * best), key=lambda one: cv2.contourArea(one.quad))
    for one in sorted(clear, key=lambda one: -cv2.contourArea(one.quad)):
        size = float(np.sqrt(cv2.contourArea(chosen.quad)))
        other = min(
            (np.roll(one.quad, turn, 0) for turn in range(4)),
            key=lambda q: float(np.abs(q - chosen.quad).max()),
        )
        turn = next(turn for turn in range(4) if np.array_equal(np.roll(one.quad, turn, 0), other))
        apart = np.abs(other - chosen.quad).max(1)
        sides = np.maximum(apart, np.roll(apart, -1))
        differ = _beside(chosen.quad, other) > max(1.5, 0.012 * size)
        if not 0 < np.count_nonzero(differ) < 4 or sides.max() > 0.35 * size:
            continue
        if cv2.contourArea(one.quad) < cv2.contourArea(chosen.quad) and float(
            np.roll(one.steep, turn)[differ].min()
        ) > 1.15 * float(chosen.steep[differ].min()):
            chosen = one
    return chosen


def _beside(outer: Quad, inner: Quad) -> Floats:
    """(4,): how far the middles of the inner quad's sides are from the outer one's sides, px."""
    ways = np.roll(outer, -1, 0) - outer
    normals = (
        np.stack([-ways[:, 1], ways[:, 0]], -1) / np.maximum(np.linalg.norm(ways, axis=1), 1e-6)[:, None]
    )
    middles = (inner + np.roll(inner, -1, 0)) / 2
    return np.asarray(np.abs(((middles - outer) * normals).sum(-1)), np.float32)


def _laid_askew(small: Picture) -> bool:
    """Whether contours agree on a piece that is not parallel to the picture's sides: hardly any print on a tight crop lies so."""
    size = (small.shape[1], small.shape[0])
    return any(
        one.votes >= AGREED
        and cv2.contourArea(one.quad) > SYMBOL * size[0] * size[1]
        and _askew(one.quad) > 3.0
        and _square(one.quad, size)
        for one in outline(Photo(np.ascontiguousarray(small))).quads
    )


def _askew(quad: Quad) -> float:
    """Degrees by which its sides are off the picture's, at most."""
    ways = np.roll(quad, -1, 0) - quad
    degrees = np.degrees(np.arctan2(ways[:, 1], ways[:, 0]))
    return float(np.abs((degrees + 45) % 90 - 45).max())


def _masks(small: Picture, ground: _Ground) -> list[Picture]:
    """What may be the piece, 0 or 1: what differs from the ground by more and more; what edges enclose."""
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    most = float(np.percentile(ground.off, 95))
    least = max(2.5, 3.5 * ground.noise)
    levels = np.geomspace(least, max(least * 1.5, 0.6 * most), 6)
    masks = [(ground.off > level).astype(np.uint8) for level in levels]
    masks.append((~ground.like).astype(np.uint8))
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    for high in (20.0, 50.0):
        edges = cv2.Canny(grey, 0.5 * high, high, L2gradient=True)
        masks.append(np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)) > 0).astype(np.uint8))
    closed = []
    for mask in masks:
        mask[0, :] = mask[-1, :] = 0
        mask[:, 0] = mask[:, -1] = 0
        closed.append(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, near), np.uint8))
    return closed


def _inside(quad: Quad, shape: tuple[int, ...]) -> bool:
    """Whether ground is left on all sides, and the piece is large enough."""
    room = 0.5 * RIM * min(shape[:2])
    area = cv2.contourArea(quad) / (shape[0] * shape[1])
    return bool(
        LEAST < area < MOST
        and quad.min() > room
        and quad[:, 0].max() < shape[1] - 1 - room
        and quad[:, 1].max() < shape[0] - 1 - room
    )


def _plain(ground: _Ground, quad: Quad) -> float:
    """The share outside a quad that is ground."""
    outside = np.ones(ground.like.shape, np.uint8)
    grown = quad.mean(0) + (quad - quad.mean(0)) * 1.03
    cv2.fillConvexPoly(outside, np.round(grown * 16).astype(np.int32), (0,), shift=4)
    return float(ground.like[outside > 0].mean()) if outside.any() else 0.0


def _printed(quad: Quad, width: int, height: int) -> bool | None:
    """Whether a quad may be a frame printed on a face that fills the picture: None for no; False for surely; True for perhaps."""
    x, y = np.sort(quad[:, 0]), np.sort(quad[:, 1])
    askew = _askew(quad)
    left, right = x[:2].mean() / width, 1 - (x[2:].mean() + 1) / width
    top, bottom = y[:2].mean() / height, 1 - (y[2:].mean() + 1) / height
    widest = max(left, right, top, bottom)
    level, even = abs(left - right), abs(top - bottom)
    if askew < 1.0 and max(level, even) < 0.02 and widest < 0.12:
        return False
    if askew < 1.0 and min(level, even) < 0.02 and widest < 0.16:
        return True
    # Along three sides of a tight crop and far from the fourth: a printed half of the face (nobody lays a piece so).
    near = np.sort(
        np.array([left * width, right * width, top * height, bottom * height]) / min(width, height)
    )
    if askew < 1.5 and near[2] < 0.09 and near[2] - near[0] < 0.025:
        return True
    return True if askew < 3.0 and max(level, even) < 0.03 and widest < 0.09 else None


def _turned(quad: Quad) -> Quad:
    """The quad from the corner where its upper side begins, when the picture is held as it is."""
    across = np.roll(quad, -1, 0) - quad
    best = int(np.argmax(across[:, 0] / np.maximum(np.linalg.norm(across, axis=1), 1e-6)))
    return np.asarray(np.roll(quad, -best, 0), np.float32)


def _kept(picture: Picture) -> Picture:
    scale = LONGEST / max(picture.shape[:2])
    if scale >= 1:
        return picture
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
