"""Where faces may lie, told by local features: what is printed on a piece is found again in the photo, feature by feature.

Every feature of the photo is compared with those of all faces in one shared index; each good comparison says where the whole face would
lie (place, size, turn). Comparisons of one face that say the same are a proposal, however little of the piece can be seen. Features are
SIFT (Lowe, "Distinctive image features from scale-invariant keypoints", 2004) with Hellinger distances (Arandjelovic and Zisserman,
"Three things everyone should know to improve object retrieval", 2012).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.reading.bank import Bank
from vision.reading.words import Proposal

if TYPE_CHECKING:
    from vision.reading.ground import Ground

Floats = NDArray[np.float32]
Rows = NDArray[np.intp]

FACE_SIDE = 320
"""Long side px at which a face's features are taken."""
FACE_FEATURES = 400
PHOTO_SIDE = 640
PHOTO_FEATURES = 1400
CONTRAST = 0.025
AXES = 40
"""Principal axes kept of the 128 of a descriptor."""
NEIGHBOURS = 4
FARTHEST = 0.55
"""Squared distance of two unit descriptors beyond which they are not the same print."""
MUCH_FARTHER = 1.7
"""A neighbour this many times as far as the nearest says nothing."""
PLACE, SIZE, TURN = 0.18, 0.35, 0.3
"""Two comparisons agree when their centres are nearer than PLACE sides, log sizes than SIZE, turns (rad) than TURN."""
FEWEST = 3
FEWEST_IN_PHOTO = 24
COPIES = 24
PROPOSALS = 80
TOLERANCE = 0.035
"""How far (sides of the piece) a feature may lie from where its proposal expects it."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureIndex:
    """Local features of all faces of a bank, one row each.

    ``rows`` (n,): the face; ``points`` (n, 2): where on it, from its centre, in units of its side (root of its area); ``sizes`` (n,): log of the
    feature's diameter in the same unit; ``turns`` (n,): rad; ``descriptors`` (n, k) on ``axes`` (128, k) after ``mean`` (128,) is taken
    off; ``corners`` (faces, 4, 2): the face's corners from its top left, clockwise, in the unit of ``points``.
    """

    rows: Rows
    points: Floats
    sizes: Floats
    turns: Floats
    descriptors: Floats
    mean: Floats
    axes: Floats
    corners: Floats

    @classmethod
    def of(cls, bank: Bank) -> FeatureIndex:
        """About 10 ms a face."""
        parts: list[tuple[Floats, Floats, Floats, Floats, Rows]] = []
        corners = np.zeros((len(bank.pictures), 4, 2), np.float32)
        for row, picture in enumerate(bank.pictures):
            height, width = picture.shape[:2]
            side = float(np.sqrt(width * height))
            corners[row] = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width, height] / (2 * side)
            scale = FACE_SIDE / max(width, height)
            size = (max(1, round(width * scale)), max(1, round(height * scale)))
            how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            gray = cv2.cvtColor(cv2.resize(picture, size, interpolation=how), cv2.COLOR_BGR2GRAY)
            points, sizes, turns, descriptors = features(np.asarray(gray, np.uint8), None, FACE_FEATURES)
            points = (points + 0.5) / (side * scale) - corners[row, 2]
            parts.append(
                (
                    points,
                    np.log(sizes / (side * scale)),
                    turns,
                    descriptors,
                    np.full(len(points), row, np.intp),
                )
            )
        described = np.concatenate([np.zeros((0, 128), np.float32), *(part[3] for part in parts)])
        mean, axes = _principal(described)
        return cls(
            np.concatenate([np.zeros(0, np.intp), *(part[4] for part in parts)]),
            np.concatenate([np.zeros((0, 2), np.float32), *(part[0] for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part[1] for part in parts)]),
            np.concatenate([np.zeros(0, np.float32), *(part[2] for part in parts)]),
            np.ascontiguousarray((described - mean) @ axes, np.float32),
            mean,
            axes,
            corners,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Comparisons of a photo's features with a face's: what each says about where the whole face lies.

    ``points`` (m, 2) px of the working picture; ``feature`` (m,): which feature of the photo; ``found`` (m,): which of the index;
    ``weights`` (m,); ``centres`` (m, 2) px, ``sides`` (m,) log px and ``turns`` (m,) rad of the face that each one means.
    """

    points: Floats
    feature: Rows
    found: Rows
    rows: Rows
    weights: Floats
    centres: Floats
    sides: Floats
    turns: Floats


def features(
    gray: NDArray[np.uint8], mask: NDArray[np.uint8] | None, limit: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """(points (n, 2) px, diameters (n,) px, turns (n,) rad, unit descriptors (n, 128)) of a gray picture, the strongest ``limit``."""
    found, described = cv2.SIFT.create(limit, 3, CONTRAST).detectAndCompute(gray, mask)
    if described is None or not len(found):
        return np.zeros((0, 2), np.float32), *(np.zeros(0, np.float32),) * 2, np.zeros((0, 128), np.float32)
    points = np.array([key.pt for key in found], np.float32)
    sizes = np.array([key.size for key in found], np.float32)
    turns = np.deg2rad(np.array([key.angle for key in found], np.float32))
    described = described / np.maximum(described.sum(1, keepdims=True), 1e-6)
    return points, sizes, turns.astype(np.float32), np.sqrt(described).astype(np.float32)


def vote(
    photo: Photo, index: FeatureIndex, taken: Sequence[Quad] = (), ground: Ground | None = None
) -> list[Proposal]:
    """Faces that local features find outside the quads ``taken``, best first; ``row`` is known, ``votes`` counts features that agree.

    A few ms where the photo or the gallery has hardly any features.
    """
    if len(index.rows) < FEWEST:
        return []
    picture, scale = photo.working(PHOTO_SIDE)
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    mask = np.full(gray.shape, 255, np.uint8)
    for quad in taken:
        cv2.fillConvexPoly(mask, np.round((quad + 0.5) * scale - 0.5).astype(np.int32), 0)
    window = _busy(gray, mask)
    if window is None:
        return []
    left, top, right, bottom = window
    cut = np.ascontiguousarray(mask[top:bottom, left:right])
    points, sizes, turns, descriptors = features(gray[top:bottom, left:right], cut, PHOTO_FEATURES)
    if len(points) < FEWEST:
        return []
    points = points + np.array([left, top], np.float32)
    matches = _matches(index, points, sizes, turns, descriptors)
    proposals = [
        Proposal(((quad + 0.5) / scale - 0.5).astype(np.float32), "features", votes, row)
        for votes, row, quad in _placed(index, matches)
    ]
    return _distinct(proposals)[:PROPOSALS]


def _principal(descriptors: Floats) -> tuple[Floats, Floats]:
    """(mean (128,), axes (128, k)): the directions in which the gallery's descriptors differ most."""
    if len(descriptors) <= 2 * AXES:
        return np.zeros(128, np.float32), np.eye(128, dtype=np.float32)
    mean = descriptors.mean(0)
    _, vectors = np.linalg.eigh(np.cov((descriptors - mean).T))
    return mean.astype(np.float32), np.ascontiguousarray(vectors[:, ::-1][:, :AXES], np.float32)


def _busy(gray: NDArray[np.uint8], mask: NDArray[np.uint8]) -> tuple[int, int, int, int] | None:
    """The window (left, top, right, bottom) of the picture that has detail, None where there is hardly any: corners cost 1 ms, SIFT 60."""
    corners = cv2.FastFeatureDetector.create(18).detect(gray, mask)
    if len(corners) < FEWEST_IN_PHOTO:
        return None
    points = np.array([corner.pt for corner in corners])
    low = np.maximum(np.percentile(points, 1, 0) - 40, 0).astype(int)
    high = np.minimum(np.percentile(points, 99, 0) + 40, gray.shape[::-1]).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _matches(
    index: FeatureIndex, points: Floats, sizes: Floats, turns: Floats, descriptors: Floats
) -> Matches:
    """The nearest faces' features of each of the photo's, several each: frames, backs and symbols are shared by many faces."""
    own = (descriptors - index.mean) @ index.axes
    gallery = index.descriptors
    distances = np.asarray(-2.0 * (own @ gallery.T), np.float32)
    distances += (gallery * gallery).sum(1)[None]
    every = np.arange(len(own))
    nearest, far = [], []
    for _ in range(min(NEIGHBOURS, len(gallery))):
        best = distances.argmin(1)
        nearest.append(best)
        far.append(distances[every, best])
        distances[every, best] = 9.0
    square = np.stack(far, 1) + (own * own).sum(1)[:, None]
    square = np.maximum(square, 1e-3)
    feature, rank = np.nonzero((square < FARTHEST) & (square < square[:, :1] * MUCH_FARTHER))
    found = np.stack(nearest, 1)[feature, rank]
    sides = np.log(sizes[feature]) - index.sizes[found]
    turned = turns[feature] - index.turns[found]
    arms = -index.points[found] * np.exp(sides)[:, None]
    cosine, sine = np.cos(turned), np.sin(turned)
    centres = points[feature] + np.stack(
        [cosine * arms[:, 0] - sine * arms[:, 1], sine * arms[:, 0] + cosine * arms[:, 1]], 1
    )
    weights = 1 / (1 + 4 * square[feature, rank])
    return Matches(points[feature], feature, found, index.rows[found], weights, centres, sides, turned)


def _placed(index: FeatureIndex, matches: Matches) -> list[tuple[float, int, Floats]]:
    """(votes, row, quad px of the working picture) of every face that enough comparisons agree about, most votes first."""
    order = np.argsort(matches.rows, kind="stable")
    _, starts = np.unique(matches.rows[order], return_index=True)
    groups: list[tuple[float, Rows, Rows]] = []
    for mine in np.split(order, starts[1:]):
        for votes, group in _groups(matches, mine):
            groups.append((votes, group, mine))
    groups.sort(key=lambda item: -item[0])
    out = []
    for _, group, mine in groups[: 2 * PROPOSALS]:
        fitted = _fitted(index, matches, group, mine)
        if fitted is None:
            continue
        map_, inliers = fitted
        row = int(matches.rows[group[0]])
        quad = index.corners[row] @ map_[:, :2].T + map_[:, 2]
        out.append((float(matches.weights[inliers].sum()), row, quad.astype(np.float32)))
    return sorted(out, key=lambda item: -item[0])


def _groups(matches: Matches, mine: Rows) -> Iterator[tuple[float, Rows]]:
    """Comparisons of one face that mean the same place, size and turn: (votes, which)."""
    if len(mine) < FEWEST:
        return
    if len(mine) > FACE_FEATURES:
        mine = mine[np.argsort(-matches.weights[mine])[:FACE_FEATURES]]
    centres, sides, turns = matches.centres[mine], matches.sides[mine], matches.turns[mine]
    reach = PLACE * np.exp(np.minimum(sides[:, None], sides[None]))
    apart = centres[:, None] - centres[None]
    agree = (apart * apart).sum(2) < reach * reach
    agree &= np.abs(sides[:, None] - sides[None]) < SIZE
    agree &= np.cos(turns[:, None] - turns[None]) > np.cos(TURN)
    weights = matches.weights[mine].copy()
    for _ in range(COPIES):
        votes = (agree @ weights) * (weights > 0)
        best = int(votes.argmax())
        which = agree[best] & (weights > 0)
        if which.sum() < FEWEST:
            return
        if _spread(matches.points[mine[which]]) >= FEWEST:
            yield float(votes[best]), mine[which]
        weights[which] = 0.0


def _spread(points: Floats) -> int:
    """How many places of the photo speak: one corner described twice counts once."""
    return len({(int(x), int(y)) for x, y in points / 3})


def _fitted(
    index: FeatureIndex, matches: Matches, group: Rows, mine: Rows
) -> tuple[NDArray[np.float64], Rows] | None:
    """(map (2, 3) from the face to px, which comparisons hold it), gathered again from all of the face's with each refinement."""
    map_ = _similarity(index.points[matches.found[group]], matches.points[group], matches.weights[group])
    inliers = group
    for tolerance in (2.5 * TOLERANCE, 1.5 * TOLERANCE, TOLERANCE):
        side = float(np.sqrt(abs(np.linalg.det(map_[:, :2]))))
        turn = float(np.arctan2(map_[1, 0] - map_[0, 1], map_[0, 0] + map_[1, 1]))
        apart = index.points[matches.found[mine]] @ map_[:, :2].T + map_[:, 2] - matches.points[mine]
        near = np.hypot(apart[:, 0], apart[:, 1]) < max(2.0, tolerance * side)
        near &= np.abs(matches.sides[mine] - np.log(max(side, 1e-3))) < 1.5 * SIZE
        near &= np.cos(matches.turns[mine] - turn) > np.cos(1.5 * TURN)
        inliers = mine[near]
        if _spread(matches.points[inliers]) < FEWEST:
            return None
        face, seen = index.points[matches.found[inliers]], matches.points[inliers]
        map_ = _affine(face, seen, matches.weights[inliers])
    if np.linalg.det(map_[:, :2]) < 12.0**2:
        return None
    return map_, inliers


def _similarity(face: Floats, seen: Floats, weights: Floats) -> NDArray[np.float64]:
    """Least squares similarity (2, 3) from face to picture (Umeyama, 1991, in the plane)."""
    weights = weights / weights.sum()
    mean, middle = weights @ face, weights @ seen
    a, b = face - mean, seen - middle
    spread = float((weights * (a * a).sum(1)).sum()) + 1e-9
    along = float((weights * (a * b).sum(1)).sum()) / spread
    across = float((weights * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])).sum()) / spread
    turn = np.array([[along, -across], [across, along]])
    return np.concatenate([turn, (middle - turn @ mean)[:, None]], 1)


def _affine(face: Floats, seen: Floats, weights: Floats, prior: float = 1.5) -> NDArray[np.float64]:
    """Least squares affine map (2, 3), held to the best similarity as by ``prior`` features at each corner: few features shear nothing."""
    start = _similarity(face, seen, weights)
    mean = weights @ face / weights.sum()
    middle = start[:, :2] @ mean + start[:, 2]
    a = np.asarray(face - mean, np.float64)
    b = np.asarray(seen - middle, np.float64)
    square = (a * weights[:, None]).T @ a + prior * 0.25 * np.eye(2)
    cross = (b * weights[:, None]).T @ a + prior * 0.25 * start[:, :2]
    turn = cross @ np.linalg.inv(square)
    return np.concatenate([turn, (middle - turn @ mean)[:, None]], 1)


def _distinct(proposals: list[Proposal]) -> list[Proposal]:
    """Without repetitions of one face at one place, best kept."""
    out: list[Proposal] = []
    for proposal in proposals:
        side = float(np.sqrt(cv2.contourArea(proposal.quad)))
        if not any(
            other.row == proposal.row and float(np.abs(other.quad - proposal.quad).max()) < 0.25 * side
            for other in out
        ):
            out.append(proposal)
    return out
