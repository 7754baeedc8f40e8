"""Reading pieces that lie anywhere, at any turn, in a free zone: proposed, aligned, compared, accepted or not.

Proposals come from outlines, from where pieces lay before, and from the places next to pieces already read. Each is judged part by part
against the whole gallery, all at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Face, Kind, Layout, Piece, Zone
from vision.area import Area
from vision.assemble import ALIKE, sureness
from vision.calibration import Calibration
from vision.compare import (
    COARSE,
    FINE,
    Array,
    Bank,
    fit,
    flattened,
    grid,
    light_basis,
    log_light,
    sample,
    separation,
)
from vision.gallery import SCALE, Gallery
from vision.outlines import DARK, Anchor, Outline, anchors, closed, depths, outlines, placed
from vision.plane import Picture, Window, rectify

APART = 0.3
"""How much better the best label must explain a part than the runner-up."""
PROMISING = 0.5
"""Proposals whose parts correlate less than this on average are dropped before the exact comparison."""
DOUBTFUL = 1.0
"""A part whose label stands apart by less is compared with every label once more, from where it was found to lie."""
ASTRAY = 2.0
"""So far (px) may the place be wrong for another label that a piece was first aligned with."""
HOPELESS = 0.25
"""Proposals that correlate this much less than the best at their place are dropped."""
AROUND = 12.0
"""mm around a zone in which its bare ground shows."""
OBSTACLE = 0.4
"""Log brightness this far from a zone's paper is no paper (a soft shadow and slanting light stay below it)."""
PRINTED = 0.04
"""Share of dark points around a face's middle without which nothing lies there."""
OVERLAP = 0.2
"""Share of a piece that may lie under another's outline before one of the two is no piece."""
MERGED = 3
"""Light pieces that may touch on a bare table and still be told apart."""
PORTION = 512
"""Poses compared at once: their pictures fit the cache."""
BORDER = 4.0
"""Around a zone, mm, so that a piece at its edge is seen whole."""


@dataclass(frozen=True, slots=True, eq=False)
class LooseSeeker:
    """What is needed to find the pieces of one kind: made once, used for every picture."""

    bank: Bank
    anchors: tuple[Anchor, ...]
    faces: tuple[Face, ...]
    coarse: Array
    side: tuple[int, int]
    parts: tuple[NDArray[np.intp], ...]
    """For each part, which rows of the bank are its labels."""
    bare: bool
    """Whether pieces lie on the bare table and not on a mat's paper."""

    @classmethod
    def of(cls, bank: Bank, layout: Layout, gallery: Gallery) -> LooseSeeker:
        kind = bank.kind
        side = (round(kind.width * COARSE) - 2, round(kind.height / len(kind.parts) * COARSE) - 2)
        rows = tuple(
            np.array([i for i, (part, _) in enumerate(bank.labels) if part == wanted], np.intp)
            for wanted in range(len(kind.parts))
        )
        faces = tuple(face for face in layout.faces if face.kind == kind.name)
        return cls(
            bank,
            anchors(layout, kind, gallery.pictures, SCALE),
            faces,
            bank.proposals((0.0,), side),
            side,
            rows,
            layout.loose,
        )


@dataclass(frozen=True, slots=True)
class _Judged:
    """A proposal after the exact comparison: pose in px, its labels (None: not believed), how well they fit and stand apart."""

    x: float
    y: float
    turn: float
    labels: tuple[str | None, ...]
    alike: tuple[float, ...]
    apart: tuple[float, ...]

    @property
    def worth(self) -> float:
        return sum(-math.log(max(1e-3, 1 - max(a, 0.0) ** 2)) for a in self.alike)


def look(
    picture: Picture,
    calibration: Calibration,
    zone: Zone,
    seeker: LooseSeeker,
    before: Sequence[Piece] = (),
    area: Area | None = None,
    size: float = 1.0,
) -> tuple[Piece, ...]:
    """The pieces of one kind in a free zone (or in an ``area`` of it). ``before`` are pieces read there earlier, as proposals;
    ``size`` is how large the pieces are relative to the references."""
    kind = seeker.bank.kind
    part = (area or Area.of(zone)).cut(Area.of(zone)).grown(BORDER)
    if part.right - part.left < kind.width or part.bottom - part.top < kind.width:
        return ()
    window = Window(
        (part.left + part.right) / 2,
        (part.top + part.bottom) / 2,
        part.right - part.left,
        part.bottom - part.top,
        kind.thickness,
        0.0,
        FINE / size,
    )
    light = log_light(rectify(picture, window, calibration))
    depth = depths(light)
    found = outlines(
        depth, 0.35 * min(kind.width, kind.height), max(kind.width, kind.height) * 1.1, seeker.bare
    )
    poses = placed(found, seeker.anchors)
    poses += [
        (
            (p.x - part.left) * window.scale - 0.5,
            (p.y - part.top) * window.scale - 0.5,
            math.radians(p.turn),
        )
        for p in before
        if p.kind == kind.name and part.left < p.x < part.right and part.top < p.y < part.bottom
    ]
    reach = round(0.7 * kind.width * FINE)
    printed = cv2.blur((depth < -DARK[0]).astype(np.float32), (reach, reach))
    kept: list[_Judged] = []
    for _ in range(3):
        judged = _judged(light, seeker, _on_print(poses, printed), kept)
        fresh = _believed(light, seeker, _apart(kept, judged, kind))
        if not fresh:
            break
        kept += fresh
        poses = _beside(fresh, kept, kind, light.shape)
    left = _unexplained(depth, kept, kind, seeker.bare)
    kept += _believed(light, seeker, _apart(kept, _judged(light, seeker, _around(left), kept), kind))
    pieces = [piece for one in kept if (piece := _piece(one, window, zone, seeker)) is not None]
    pieces += [
        _unknown(outline, window, zone, kind)
        for outline in _unexplained(depth, kept, kind, seeker.bare)
        if _piece_sized(outline, kind)
    ]
    return tuple(piece for piece in pieces if zone.holds(piece.x, piece.y))


def obstructed(
    picture: Picture, calibration: Calibration, zone: Zone, pieces: Sequence[Piece], kinds: Sequence[Kind]
) -> bool:
    """Whether something much larger than a piece, and no piece, stands in a zone: its reading says nothing."""
    wide, high = zone.width + 2 * AROUND, zone.height + 2 * AROUND
    window = Window(zone.x + zone.width / 2, zone.y + zone.height / 2, wide, high, 2.0, 0.0, 0.5)
    light = log_light(rectify(picture, window, calibration))
    rim = round((AROUND + 2) / 2)
    within = np.zeros(light.shape, np.bool_)
    within[rim:-rim, rim:-rim] = True
    # What stands in a zone may fill most of it, but hardly the ground all around.
    ground = float(np.median(light[~within]))
    sizes = {kind.name: kind for kind in kinds}
    for piece in pieces:
        kind = sizes[piece.kind]
        at = (np.array([[piece.x, piece.y]]) - (window.x, window.y)) / 2 + np.array(light.shape[::-1]) / 2
        rect = ((float(at[0, 0]), float(at[0, 1])), ((kind.width + 9) / 2, (kind.height + 9) / 2), piece.turn)
        cv2.fillConvexPoly(light, np.round(cv2.boxPoints(rect)).astype(np.int32), (float("nan"),))
    free = np.isfinite(light) & within
    if np.count_nonzero(free) < 0.1 * np.count_nonzero(within):
        return False
    strange = (free & (np.abs(light - ground) > OBSTACLE)).astype(np.uint8)
    strange = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=8)
    largest = max(kind.width * kind.height for kind in kinds)
    return 4.0 * float(stats[1:, cv2.CC_STAT_AREA].max(initial=0)) > 1.6 * largest


def _unexplained(depth: Array, kept: Sequence[_Judged], kind: Kind, bare: bool) -> list[Outline]:
    """Rectangles around print that no piece accounts for and that is large enough to belong to one; on a bare table around light paper."""
    dark = closed(((depth > DARK[0]) if bare else (depth < -DARK[0])).astype(np.uint8), 1.5 if bare else 4.5)
    spare, most = (1.02, MERGED) if bare else (1.12, 1)
    for one in kept:
        middle = np.array([[one.x, one.y]])
        corners = middle + (_corners(one, kind) - middle) * spare
        cv2.fillConvexPoly(dark, np.round(corners).astype(np.int32), (0,))
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found: list[Outline] = []
    for contour in contours:
        (x, y), (width, height), turn = cv2.minAreaRect(contour)
        short, long = min(width, height), max(width, height)
        pieces = max(1, min(most, round(short * long / (kind.width * kind.height * FINE * FINE))))
        big = short > 0.5 * kind.width * FINE and long < (pieces + 0.5) * kind.height * FINE
        if big and cv2.contourArea(contour) > 0.25 * kind.width * kind.height * FINE * FINE:
            outline = Outline(float(x), float(y), float(width), float(height), float(turn))
            found += _shares(outline, pieces)
    return sorted(found, key=lambda outline: -outline.width * outline.height)[:6]


def _shares(outline: Outline, pieces: int) -> list[Outline]:
    """A rectangle cut across its longer side into as many."""
    along = outline.width >= outline.height
    turn = math.radians(outline.turn if along else outline.turn + 90)
    long = max(outline.width, outline.height)
    width, height = outline.width / (pieces if along else 1), outline.height / (1 if along else pieces)
    steps = [long * ((at + 0.5) / pieces - 0.5) for at in range(pieces)]
    return [
        Outline(outline.x + math.cos(turn) * by, outline.y + math.sin(turn) * by, width, height, outline.turn)
        for by in steps
    ]


def _around(left: Sequence[Outline]) -> list[tuple[float, float, float]]:
    """Poses in and around rectangles, in all four directions: a search that is thorough because it is rarely needed."""
    steps = [step * FINE for step in (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)]
    turns = [math.radians(quarter + lean) for quarter in (0, 90, 180, 270) for lean in (-5.0, 0.0, 5.0)]
    return [
        (outline.x + dx, outline.y + dy, math.radians(outline.turn) + turn)
        for outline in left
        for dx in steps
        for dy in steps
        for turn in turns
    ]


def _piece_sized(outline: Outline, kind: Kind) -> bool:
    short, long = sorted((outline.width / FINE, outline.height / FINE))
    return abs(short / kind.width - 1) < 0.15 and abs(long / kind.height - 1) < 0.12


def _unknown(outline: Outline, window: Window, zone: Zone, kind: Kind) -> Piece:
    """Something of a piece's size that shows no face of the gallery."""
    x, y = window.to_mm(np.array([[outline.x, outline.y]]))[0]
    turn = outline.turn if outline.width < outline.height else outline.turn + 90
    seen = tuple(False for _ in kind.parts)
    return Piece(
        (), kind.name, zone.name, float(x), float(y), turn % 180, seen=seen, visible=0.0, confidence=0.0
    )


def _on_print(
    poses: Sequence[tuple[float, float, float]], printed: NDArray[Any]
) -> list[tuple[float, float, float]]:
    """The poses around whose middle something is printed."""
    height, width = printed.shape
    return [
        pose
        for pose in poses
        if 0 <= pose[0] < width and 0 <= pose[1] < height and printed[int(pose[1]), int(pose[0])] > PRINTED
    ]


def _part_poses(poses: Array, kind: Kind, part: int) -> Array:
    """Where the middle of a part lies when a face lies at each pose (N, 3)."""
    count = len(kind.parts)
    down = ((part + 0.5) / count - 0.5) * kind.height * FINE
    shifted = poses.copy()
    shifted[:, 0] -= np.sin(poses[:, 2]) * down
    shifted[:, 1] += np.cos(poses[:, 2]) * down
    return shifted


def _coarse(soft: Array, seeker: LooseSeeker, poses: Array, rows: NDArray[np.intp]) -> Array:
    """How well each of the references ``rows`` fits at each pose (N, 3), seen coarsely: (N, references). In portions: a
    first look at a zone brings ten thousands of poses, and all their pictures at once would be most of the memory."""
    basis = light_basis(*seeker.side)
    cut = grid(*seeker.side) * np.float32(FINE / COARSE)
    scores = np.zeros((len(poses), len(rows)), np.float32)
    for at in range(0, len(poses), PORTION):
        seen = flattened(sample(soft, poses[at : at + PORTION], cut), basis)
        length = np.linalg.norm(seen, axis=1, keepdims=True)
        quiet = length < 0.35 * seeker.bank.contrast * math.sqrt(seen.shape[1])
        fits = seen @ seeker.coarse[rows].T / np.maximum(length, 1e-3)
        scores[at : at + PORTION] = np.where(quiet, 0.0, fits)
    return scores


def _judged(
    light: Array, seeker: LooseSeeker, poses: Sequence[tuple[float, float, float]], kept: Sequence[_Judged]
) -> list[_Judged]:
    """Compare at each pose; the promising ones exactly. Poses on pieces already kept are left out."""
    if not poses:
        return []
    kind, bank = seeker.bank.kind, seeker.bank
    where = np.array(poses, np.float32)
    where[:, 2] = (where[:, 2] + np.pi) % (2 * np.pi) - np.pi
    inside = (
        (where[:, 0] > 0)
        & (where[:, 1] > 0)
        & (where[:, 0] < light.shape[1])
        & (where[:, 1] < light.shape[0])
    )
    for one in kept:
        inside &= np.hypot(where[:, 0] - one.x, where[:, 1] - one.y) > kind.width * FINE * 0.45
    where = _thinned(where[inside])
    if not len(where):
        return []
    soft = np.asarray(cv2.GaussianBlur(light, (0, 0), FINE / COARSE / 3), np.float32)
    scores = [
        _coarse(soft, seeker, _part_poses(where, kind, part), rows) for part, rows in enumerate(seeker.parts)
    ]
    mean = np.mean([score.max(axis=1) for score in scores], axis=0)
    good = _best_here(where, mean, kind)
    if not len(good):
        return []
    where = where[good]
    # Three labels per part and pose, each aligned on its own.
    which: list[int] = []
    starts: list[Array] = []
    owner: list[tuple[int, int]] = []
    for part, rows in enumerate(seeker.parts):
        at = _part_poses(where, kind, part)
        for index in range(len(where)):
            for label in np.argsort(-scores[part][good[index]])[:3]:
                which.append(int(rows[label]))
                starts.append(at[index])
                owner.append((index, part))
    fitted = fit(light, bank, np.array(which, np.intp), np.stack(starts))
    results: list[_Judged] = []
    for index in range(len(where)):
        labels: list[str | None] = []
        alikes: list[float] = []
        aparts: list[float] = []
        places: list[tuple[float, float, float]] = []
        for part in range(len(seeker.parts)):
            mine = [i for i, key in enumerate(owner) if key == (index, part)]
            mine.sort(key=lambda i: -float(fitted.alike[i]))
            best = float(fitted.alike[mine[0]])
            apart = separation(best, float(fitted.alike[mine[1]]) if len(mine) > 1 else 0.3)
            believed = best >= ALIKE and apart >= APART and float(fitted.gain[mine[0]]) > 0.25
            labels.append(bank.labels[which[mine[0]]][1] if believed else None)
            alikes.append(best)
            aparts.append(apart)
            x, y, turn = (float(v) for v in fitted.poses[mine[0]])
            down = ((part + 0.5) / len(kind.parts) - 0.5) * kind.height * FINE
            if believed:
                places.append((x + math.sin(turn) * down, y - math.cos(turn) * down, turn))
        if places and max(math.dist(p[:2], q[:2]) for p in places for q in places) > 2.0 * FINE:
            labels = [None for _ in labels]
        if not places:
            places = [(float(where[index, 0]), float(where[index, 1]), float(where[index, 2]))]
        x, y, turn = (sum(p[i] for p in places) / len(places) for i in range(3))
        results.append(_Judged(x, y, turn, tuple(labels), tuple(alikes), tuple(aparts)))
    return results


def _believed(light: Array, seeker: LooseSeeker, found: Sequence[_Judged]) -> list[_Judged]:
    """Those that are still believed when they are looked at closely; the others lie there unexplained."""
    looked = (_closely(light, seeker, one) for one in found)
    return [one for one in looked if any(one.labels)]


def _closely(light: Array, seeker: LooseSeeker, one: _Judged) -> _Judged:
    """The same piece, with all labels of its doubtful parts aligned from here. A label like another one may have been accepted because
    the right one was not found to fit: its alignment had begun too far away."""
    kind, bank = seeker.bank.kind, seeker.bank
    labels, alike, apart = list(one.labels), list(one.alike), list(one.apart)
    pose = one.x, one.y, one.turn
    for part, rows in enumerate(seeker.parts):
        if labels[part] is None or apart[part] >= DOUBTFUL or len(rows) < 2:
            continue
        start = _part_poses(np.array([pose], np.float32), kind, part)
        rough = fit(light, bank, rows, np.repeat(start, len(rows), axis=0))
        likely = np.argsort(-rough.alike)[:3]
        steps = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)], np.float32) * np.float32(ASTRAY)
        starts = np.repeat(rough.poses[likely[:1]], len(steps), axis=0)
        starts[:, :2] += steps
        which = np.repeat(rows[likely], len(steps))
        fitted = fit(light, bank, which, np.tile(starts, (len(likely), 1)))
        best = fitted.alike.reshape(len(likely), len(steps)).max(axis=1)
        first, second = np.argsort(-best)[:2]
        at = int(first) * len(steps) + int(fitted.alike.reshape(len(likely), len(steps))[first].argmax())
        alike[part], apart[part] = float(best[first]), separation(float(best[first]), float(best[second]))
        believed = alike[part] >= ALIKE and apart[part] >= APART and float(fitted.gain[at]) > 0.25
        labels[part] = bank.labels[int(which[at])][1] if believed else None
        if believed and len(seeker.parts) == 1:
            x, y, turn = (float(value) for value in fitted.poses[at])
            pose = x, y, turn
    return _Judged(*pose, tuple(labels), tuple(alike), tuple(apart))


def _thinned(where: Array) -> Array:
    """Poses (N, 3) without those that nearly repeat an earlier one."""
    keys = np.round(where / np.array([2.0, 2.0, math.radians(5.0)], np.float32)).astype(np.int64)
    _, first = np.unique(keys, axis=0, return_index=True)
    return where[np.sort(first)]


def _best_here(where: Array, score: NDArray[np.floating], kind: Kind) -> NDArray[np.intp]:
    """The promising poses: of those that lie on one place, the best four."""
    order = np.argsort(-score)
    order = order[score[order] >= PROMISING]
    chosen: list[int] = []
    for index in order:
        near = sum(_close(where, index, other, kind) for other in chosen)
        best = max(
            (score[other] for other in chosen if _close(where, index, other, kind)), default=score[index]
        )
        if near < 4 and score[index] > best - HOPELESS:
            chosen.append(int(index))
    return np.array(chosen, np.intp)


def _close(where: Array, one: int, other: int, kind: Kind) -> bool:
    return math.dist(where[one, :2], where[other, :2]) < kind.width * FINE * 0.7


def _corners(one: _Judged, kind: Kind) -> Array:
    cos, sin = math.cos(one.turn), math.sin(one.turn)
    w, h = kind.width * FINE / 2, kind.height * FINE / 2
    local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    return np.asarray(local @ np.array([[cos, sin], [-sin, cos]]) + (one.x, one.y), np.float32)


def _apart(kept: Sequence[_Judged], judged: Sequence[_Judged], kind: Kind) -> list[_Judged]:
    """The best of the judged that lie clear of each other and of those kept: fully believed ones first."""
    size = kind.width * kind.height * FINE * FINE

    def rank(one: _Judged) -> tuple[int, float]:
        return sum(label is not None for label in one.labels), one.worth

    taken = [_corners(one, kind) for one in kept]
    fresh: list[_Judged] = []
    for one in sorted(judged, key=rank, reverse=True):
        if not any(one.labels):
            continue
        outline = _corners(one, kind)
        if all(cv2.intersectConvexConvex(outline, other)[0] < OVERLAP * size for other in taken):
            fresh.append(one)
            taken.append(outline)
    return fresh


def _beside(
    fresh: Sequence[_Judged], kept: Sequence[_Judged], kind: Kind, shape: tuple[int, ...]
) -> list[tuple[float, float, float]]:
    """Places next to pieces just read, where another may touch them."""
    poses: list[tuple[float, float, float]] = []
    for one in fresh:
        cos, sin = math.cos(one.turn), math.sin(one.turn)
        for u, v, aside_u, aside_v in ((1, 0, 0, 1), (-1, 0, 0, 1), (0, 1, 1, 0), (0, -1, 1, 0)):
            for spare, aside in ((0.2, 0.0), (0.4, 1.7), (0.4, -1.7), (2.0, 0.0), (2.2, 1.7), (2.2, -1.7)):
                du = (u * (kind.width + spare) + aside_u * aside) * FINE
                dv = (v * (kind.height + spare) + aside_v * aside) * FINE
                x, y = one.x + cos * du - sin * dv, one.y + sin * du + cos * dv
                if not (0 < x < shape[1] and 0 < y < shape[0]):
                    continue
                if any(math.hypot(x - other.x, y - other.y) < kind.width * FINE * 0.6 for other in kept):
                    continue
                poses += [(x, y, one.turn), (x, y, one.turn + math.pi)]
    return poses


def _piece(one: _Judged, window: Window, zone: Zone, seeker: LooseSeeker) -> Piece | None:
    kind = seeker.bank.kind
    known = [(part, label) for part, label in enumerate(one.labels) if label is not None]
    identities = tuple(
        sorted(
            face.identity for face in seeker.faces if all(face.labels[part] == label for part, label in known)
        )
    )
    if not known or not identities:
        return None
    x, y = window.to_mm(np.array([[one.x, one.y]]))[0]
    sure = min(sureness(one.alike[part], one.apart[part]) for part, _ in known)
    return Piece(
        identities,
        kind.name,
        zone.name,
        float(x),
        float(y),
        math.degrees(one.turn) % 360,
        seen=tuple(label is not None for label in one.labels),
        visible=len(known) / len(one.labels),
        confidence=sure,
    )
