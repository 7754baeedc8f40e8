"""Where faces may lie, told by local features: what is printed on a piece is found again in the photo, feature by feature.

Every feature of the photo is compared with those of all faces in one shared index; each good comparison says where the whole face would
lie (place, size, turn). Comparisons of one face that say the same are a proposal, however little of the piece can be seen. Features are
SIFT (Lowe, "Distinctive image features from scale-invariant keypoints", 2004) with Hellinger distances (Arandjelovic and Zisserman,
"Three things everyone should know to improve object retrieval", 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.plane import Picture
from vision.reading.bank import Bank
from vision.reading.claims import overlap
from vision.reading.ground import Ground
from vision.reading.hiding import inside
from vision.reading.levelled import levelled
from vision.reading.together import each
from vision.reading.voting import FEWEST, Comparisons, Floats, Placed, Rows, Tolerance, placed, side_of, sized
from vision.reading.words import Proposal

Bytes = NDArray[np.uint8]

FACE_SIDE = 320
"""Long side px at which a face's features are taken."""
FACE_FEATURES = 400
PHOTO_SIDE = 640
PHOTO_FEATURES = 1400
CONTRAST = 0.005
AXES = 40
"""Principal axes kept of the 128 of a descriptor."""
NEIGHBOURS = 4
FARTHEST = 0.55
"""Squared distance of two unit descriptors beyond which they are not the same print."""
MUCH_FARTHER = 1.7
"""A neighbour this many times as far as the nearest says nothing."""
FEWEST_IN_PHOTO = 24
AT_ONCE = 256
"""Features compared with the gallery at once: what a processor's near memory holds."""
MOST_DISTANCES = 4_000_000
"""And so many distances, with a great gallery."""
PROPOSALS = 80
IN_PHOTO_MOST = 40
"""Groups of comparisons that are looked at before the plane is level."""
LEAST_SIDE = 16.0
"""Pieces smaller than this, px of the photo, are not found by features."""
MARGIN = 40
FAST_STEP = 18
SAME_PLACE = 0.55
"""Overlap from which two quads are one place."""
PLANE_WORTH = 1.4
"""Of two quads that as many features agree about, the one in the plane of the table is the better."""
HALF = 0.5
"""Share of a face's votes that the comparisons have which mean exactly one place: with fewer, a group is not looked at."""
RIVALS = 2
"""Faces proposed for one place."""
OUTVOTED = 0.7
"""A face with less than this share of the votes of another at its place is not proposed: whoever judges the place ranks all faces anyway."""
IN_PHOTO = Tolerance(least=2.0)
IN_PLANE = Tolerance(place=0.08, side=0.25, turn=0.2, spot=0.03, stiffness=6.0, stretch=0.04, fewest=2)
SURE_VOTES = 4.0
"""From so many votes a face tells where the table is."""
KNOWN_ASPECT = 0.12
"""A face whose log aspect is within this of a size known in the plane has that size."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureIndex:
    """Local features of all faces of a bank, one row each.

    ``rows`` (n,): the face; ``points`` (n, 2): where on it, from its centre, in units of its side (root of its area); ``sizes`` (n,): log of the
    feature's diameter in the same unit; ``turns`` (n,): rad; ``descriptors`` (n, k) on ``axes`` (128, k) after ``mean`` (128,) is taken
    off; ``corners`` (faces, 4, 2): the face's corners from its top left, clockwise, in the unit of ``points``; ``aspects`` (faces,).
    """

    rows: Rows
    points: Floats
    sizes: Floats
    turns: Floats
    descriptors: Floats
    mean: Floats
    axes: Floats
    corners: Floats
    aspects: Floats

    @classmethod
    def of(cls, bank: Bank) -> FeatureIndex:
        """About 10 ms a face."""
        parts = each(lambda row: _of_face(bank.pictures[row]), range(len(bank.names)))
        corners = np.array([_corners(aspect) for aspect in bank.aspects], np.float32).reshape(-1, 4, 2)
        mean, axes = _principal([part[3] for part in parts])
        own = [(_rooted(part[3]) - mean) @ axes for part in parts]
        return cls(
            np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts]),
            np.concatenate([np.zeros((0, 2), np.float32), *(part[0] for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part[1] for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part[2] for part in parts)]),
            np.concatenate([np.zeros((0, axes.shape[1])), *own], dtype=np.float32),
            mean,
            axes,
            corners,
            np.asarray(bank.aspects, np.float32),
        )


def _corners(aspect: float) -> Floats:
    """(4, 2): a face's corners from its middle, in units of its side."""
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return np.asarray(square * [np.sqrt(aspect), 1 / np.sqrt(aspect)] / 2, np.float32)


def _of_face(picture: Picture) -> tuple[Floats, Floats, Floats, Bytes]:
    """A face's features: points (n, 2) from its middle and log diameters (n,), in units of its side; turns (n,); descriptors (n, 128)."""
    height, width = picture.shape[:2]
    scale = FACE_SIDE / max(width, height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    gray = cv2.cvtColor(cv2.resize(picture, size, interpolation=how), cv2.COLOR_BGR2GRAY)
    points, sizes, turns, descriptors = features(np.asarray(gray, np.uint8), None, FACE_FEATURES)
    unit = np.float32(np.sqrt(width * height) * scale)
    return (
        (points + np.float32(0.5)) / unit - _corners(width / height)[2],
        np.log(sizes / unit),
        turns,
        descriptors,
    )


def features(
    gray: NDArray[np.uint8], mask: NDArray[np.uint8] | None, limit: int
) -> tuple[Floats, Floats, Floats, Bytes]:
    """(points (n, 2) px, diameters (n,) px, turns (n,) rad, descriptors (n, 128)) of a gray picture, the strongest ``limit``."""
    found, described = cv2.SIFT.create(limit, 3, CONTRAST).detectAndCompute(gray, mask)
    if described is None or not len(found):
        return np.zeros((0, 2), np.float32), *(np.zeros(0, np.float32),) * 2, np.zeros((0, 128), np.uint8)
    points = np.array([key.pt for key in found], np.float32)
    sizes = np.array([key.size for key in found], np.float32)
    turns = np.deg2rad(np.array([key.angle for key in found], np.float32))
    return points, sizes, turns.astype(np.float32), described.astype(np.uint8)


def _rooted(descriptors: Bytes) -> Floats:
    """Unit descriptors whose squared distances are Hellinger's."""
    share = descriptors.astype(np.float32)
    share /= np.maximum(share.sum(1, keepdims=True), 1e-6)
    return np.sqrt(share)


def look(photo: Photo, index: FeatureIndex, taken: Sequence[Quad] = ()) -> Comparisons:
    """The photo's features outside the quads ``taken`` beside those of faces, in px of the photo: the slow part of ``vote``.

    A few ms where the photo or the gallery has hardly any features.
    """
    if len(index.rows) < FEWEST:
        return _none()
    picture, scale = photo.working(PHOTO_SIDE)
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    mask = np.full(gray.shape, 255, np.uint8)
    for quad in taken:
        cv2.fillConvexPoly(mask, np.round((quad + 0.5) * scale - 0.5).astype(np.int32), 0)
    window = _busy(gray, mask)
    if window is None:
        return _none()
    left, top, right, bottom = window
    cut = np.ascontiguousarray(mask[top:bottom, left:right])
    points, sizes, turns, descriptors = features(gray[top:bottom, left:right], cut, PHOTO_FEATURES)
    if len(points) < FEWEST:
        return _none()
    points = (points + np.array([left, top], np.float32) + 0.5) / scale - 0.5
    own = np.asarray((_rooted(descriptors) - index.mean) @ index.axes, np.float32)
    feature, found, square = _alike(own, index.descriptors)
    # What several faces share places each of them as well as ever, but tells them apart less.
    near = np.exp(-8 * square)
    shared = np.bincount(feature, near, len(own))[feature]
    return Comparisons(
        index.rows[found],
        feature,
        index.points[found],
        points[feature].astype(np.float32),
        np.log(sizes[feature] / scale) - index.sizes[found],
        turns[feature] - index.turns[found],
        ((0.3 + 0.7 * near / shared) / (1 + 4 * square)).astype(np.float32),
    )


def vote(
    photo: Photo,
    index: FeatureIndex,
    taken: Sequence[Quad] = (),
    ground: Ground | None = None,
    seen: Comparisons | None = None,
    least: float = 0.0,
) -> list[Proposal]:
    """Faces that local features find outside the quads ``taken``, best first; ``row`` is known, ``votes`` counts features that agree.

    ``ground``: the table plane when other pieces have shown it; without it the plane is learnt from faces that many features agree
    about. ``seen``: what ``look`` has found before, anywhere. ``least``: proposals with fewer votes are of no use to the caller, and some of
    them are left out.
    """
    comparisons = look(photo, index, taken) if seen is None else seen
    for quad in taken if seen is not None else ():
        comparisons = comparisons.only(~inside(comparisons.seen, quad))
    if not len(comparisons.rows):
        return []
    proposals = [
        Proposal(
            (index.corners[one.row] @ one.map[:, :2].T + one.map[:, 2]).astype(np.float32),
            "features",
            one.votes,
            one.row,
        )
        for one in placed(comparisons, IN_PHOTO, IN_PHOTO_MOST, HALF * least)
        if side_of(one.map) > LEAST_SIDE
    ]
    # A plane learnt from a piece that was misplaced would hide everything: what the features themselves show stands against it.
    planes = [ground, _ground(index, _distinct(proposals, 1), photo.size)]
    least *= HALF / PLANE_WORTH
    told = [
        _Told.of(comparisons, index, plane, IN_PHOTO_MOST, least) for plane in planes if plane is not None
    ]
    if told:
        best = max(told, key=lambda one: one.votes)
        best = _Told.of(comparisons, index, levelled(best.ground, best.there, best.pieces), PROPOSALS, least)
        proposals += best.proposals(index)
    return _distinct(sorted(proposals, key=lambda one: -one.votes), RIVALS)[:PROPOSALS]


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """What comparisons say when the table is ``ground``: ``pieces`` of known sizes, by comparisons ``there``, in its coordinates."""

    ground: Ground
    there: Comparisons
    pieces: list[Placed]
    votes: float

    @classmethod
    def of(
        cls, comparisons: Comparisons, index: FeatureIndex, ground: Ground, most: int, least: float
    ) -> _Told:
        sides = np.array([_side(ground, float(aspect)) for aspect in index.aspects], np.float32)
        comparisons = comparisons.only(ground.before_horizon(comparisons.seen))
        plane, spread, turned = _carried(ground, comparisons.seen, comparisons.turns)
        there = replace(comparisons, seen=plane, sides=comparisons.sides + spread, turns=turned)
        there = sized(there, sides[there.rows], IN_PLANE)
        pieces = placed(there, IN_PLANE, most, least)
        # Faces that share art are told by the same features: each feature counts once.
        strongest: dict[int, float] = {}
        for piece in pieces:
            for feature, weight in zip(there.feature[piece.which], there.weights[piece.which], strict=True):
                strongest[int(feature)] = max(strongest.get(int(feature), 0.0), float(weight))
        return cls(ground, there, pieces, sum(strongest.values()))

    def proposals(self, index: FeatureIndex) -> list[Proposal]:
        return [
            Proposal(
                self.ground.in_photo(index.corners[one.row] @ one.map[:, :2].T + one.map[:, 2]),
                "features",
                one.votes * PLANE_WORTH,
                one.row,
            )
            for one in self.pieces
        ]


def _ground(index: FeatureIndex, proposals: Sequence[Proposal], size: tuple[int, int]) -> Ground | None:
    """The table plane as faces show it that many features agree about."""
    sure = [one for one in proposals if one.votes >= SURE_VOTES and one.row is not None]
    shapes = [float(index.aspects[one.row]) for one in sure]
    return Ground.of(
        [
            (one.quad, shape, round(float(np.log(shape)) / KNOWN_ASPECT))
            for one, shape in zip(sure, shapes, strict=True)
        ],
        size,
    )


def _side(ground: Ground, aspect: float) -> float:
    """Log side in the plane of a face with this aspect; NaN when no known piece has its shape."""
    best, side = KNOWN_ASPECT, float("nan")
    for group, shapes in ground.aspects.items():
        for shape in shapes:
            off = min(abs(np.log(aspect / shape)), abs(np.log(aspect * shape)))
            if off < best:
                best, side = off, float(np.log(ground.sizes[group]))
    return side


def _carried(ground: Ground, points: Floats, turns: Floats) -> tuple[Floats, Floats, Floats]:
    """Points px of the photo in the plane (m, 2); how much lengths there are longer (m,) log; directions (m,) rad there."""
    lifted = points @ ground.to_plane[:, :2].T + ground.to_plane[:, 2]
    plane = lifted[:, :2] / lifted[:, 2:]
    slopes = (ground.to_plane[None, :2, :2] - plane[:, :, None] * ground.to_plane[None, 2:, :2]) / lifted[
        :, 2, None, None
    ]
    ahead = np.stack([np.cos(turns), np.sin(turns)], 1)
    there = np.einsum("mab,mb->ma", slopes, ahead)
    spread = 0.5 * np.log(np.maximum(np.abs(np.linalg.det(slopes)), 1e-12))
    return (
        plane.astype(np.float32),
        spread.astype(np.float32),
        np.arctan2(there[:, 1], there[:, 0]).astype(np.float32),
    )


def _none() -> Comparisons:
    empty, pairs, rows = np.zeros(0, np.float32), np.zeros((0, 2), np.float32), np.zeros(0, np.intp)
    return Comparisons(rows, rows, pairs, pairs, empty, empty, empty)


def _principal(parts: Sequence[Bytes]) -> tuple[Floats, Floats]:
    """(mean (128,), axes (128, k)): the directions in which the gallery's descriptors differ most. A part at a time: rooted, all of a great
    gallery's would take hundreds of megabytes."""
    count = sum(len(part) for part in parts)
    if count <= 2 * AXES:
        return np.zeros(128, np.float32), np.eye(128, dtype=np.float32)
    mean = np.sum([_rooted(part).sum(0, dtype=np.float64) for part in parts], 0) / count
    spread = np.zeros((128, 128))
    for part in parts:
        away = _rooted(part) - mean
        spread += away.T @ away
    _, vectors = np.linalg.eigh(spread)
    return mean.astype(np.float32), np.ascontiguousarray(vectors[:, ::-1][:, :AXES], np.float32)


def _busy(gray: NDArray[np.uint8], mask: NDArray[np.uint8]) -> tuple[int, int, int, int] | None:
    """The window (left, top, right, bottom) of the picture that has detail, None where there is hardly any: corners cost 1 ms, SIFT 60."""
    corners = cv2.FastFeatureDetector.create(FAST_STEP).detect(gray, mask)
    if len(corners) < FEWEST_IN_PHOTO:
        return None
    points = np.array([corner.pt for corner in corners])
    low = np.maximum(np.percentile(points, 0.5, 0) - MARGIN, 0).astype(int)
    high = np.minimum(np.percentile(points, 99.5, 0) + MARGIN, gray.shape[::-1]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _alike(own: Floats, gallery: Floats) -> tuple[Rows, Rows, Floats]:
    """(which of the photo's features, which of the gallery's, squared distance): the nearest of each, several each, because frames, backs
    and symbols are shared by many faces."""
    norms = (gallery * gallery).sum(1)
    count = min(NEIGHBOURS, len(gallery))
    nearest = np.zeros((len(own), count), np.intp)
    square = np.zeros((len(own), count), np.float32)
    at_once = min(AT_ONCE, max(1, MOST_DISTANCES // max(1, len(gallery))))
    for start in range(0, len(own), at_once):
        part = own[start : start + at_once]
        distances = part @ gallery.T
        distances *= -2
        distances += norms
        every = np.arange(len(part))
        for rank in range(count):
            best = distances.argmin(1)
            nearest[start : start + at_once, rank] = best
            square[start : start + at_once, rank] = distances[every, best]
            distances[every, best] = np.inf
    square = np.maximum(square + (own * own).sum(1)[:, None], 1e-3)
    feature, order = np.nonzero((square < FARTHEST) & (square < square[:, :1] * MUCH_FARTHER))
    return feature, nearest[feature, order], square[feature, order]


def _distinct(proposals: list[Proposal], rivals: int) -> list[Proposal]:
    """Without repetitions of one face at one place, no more than so many faces at one place; the best come first and are kept."""
    if not proposals:
        return []
    middles = np.stack([proposal.quad.mean(0) for proposal in proposals])
    reach = np.sqrt([abs(cv2.contourArea(proposal.quad)) for proposal in proposals])
    out: list[int] = []
    for number, proposal in enumerate(proposals):
        near = [other for other in out if np.abs(middles[other] - middles[number]).max() < 0.5 * reach[other]]
        here = [other for other in near if overlap(proposals[other].quad, proposal.quad)[0] > SAME_PLACE]
        if len(here) < rivals and not any(
            proposals[other].row == proposal.row or proposals[other].votes * OUTVOTED > proposal.votes
            for other in here
        ):
            out.append(number)
    return [proposals[number] for number in out]
