"""Pieces that no contour shows whole: covered, cut by the edge of the photo, touching their neighbours, overlapping in a row.

The plane of the table and the sizes of pieces are known here, so little is enough: a right angle, a side of full length, or the place
beside a piece that is sure. What the edges of the photo do not bear out is left out again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad
from vision.plane import Picture
from vision.reading.ground import Doubles, Ground
from vision.reading.hiding import Cover
from vision.reading.sides import (
    Flags,
    Floats,
    clockwise,
    distinct,
    side_lengths,
    steps,
)
from vision.reading.support import FREE, Support, support, taken_mask
from vision.reading.words import Outlines, Proposal

LONGEST = 400
"""So many stretches, the longest in the plane, are put together to corners."""
SHORTEST = 0.14
"""A stretch shorter than this share of a piece's side makes no corner."""
SQUARE = 0.14
"""How far from square (cosine) two stretches at a corner may be."""
GAP = 0.12
"""How far from the corner a stretch may end, share of a piece's side."""
BEYOND = 1.07
"""How much longer than the side a stretch along it may be."""
SETTLED = 300
"""So many proposals, the best borne out, are drawn to the edges."""
BESIDE = 0.15
"""Votes that a place beside a sure piece has before anything is seen."""
LEAST_VOTES = (0.15, 0.1)
"""What the edges must say at least: of a place beside a sure piece, that has something for it already; of any other."""
ASSUMED = (0.55, 0.4, 0.3)
"""Votes from which on a proposal is taken for granted while others are looked at, time after time."""
REACH = (0.015, 0.04)
"""How far from a side its step is looked for, share of the side: beside a sure piece; anywhere else."""
MOST = 60
NEAR = 0.08
"""A proposal whose corners are all nearer than this (share of the side) to a taken piece's is that piece."""


def _box(origin: Doubles, along: Doubles, wide: float, tall: float) -> Doubles:
    """Rectangles (n, 4, 2) in the plane from a corner (n, 2), along a way (n, 2) and square to it, clockwise."""
    across = np.stack([-along[:, 1], along[:, 0]], -1)
    return np.stack(
        [origin, origin + wide * along, origin + wide * along + tall * across, origin + tall * across], 1
    )


def _stretches(outlines: Outlines, ground: Ground, longest: float) -> Doubles:
    """The photo's stretches that lie on the table and are no longer than ``longest``, (n, 2, 2) in the plane, longest first."""
    known = outlines.stretches[ground.before_horizon(outlines.stretches).all(-1)]
    plane = ground.in_plane(known)
    lengths = np.linalg.norm(plane[:, 1] - plane[:, 0], axis=-1)
    order = np.argsort(-lengths)
    order = order[(lengths[order] > SHORTEST) & (lengths[order] < longest)]
    return np.asarray(plane[order])


def _from_corners(flat: Doubles, sizes: Sequence[tuple[float, float]]) -> Doubles:
    """Rectangles (n, 4, 2) in the plane with a corner where two stretches (m, 2, 2) meet squarely."""
    flat = flat[:LONGEST]
    ways = flat[:, 1] - flat[:, 0]
    lengths = np.linalg.norm(ways, axis=-1)
    ways = ways / lengths[:, None]
    one, other = np.nonzero(np.triu(np.abs(ways @ ways.T) < SQUARE, 1))
    cross = ways[one, 0] * ways[other, 1] - ways[one, 1] * ways[other, 0]
    gap = flat[other, 0] - flat[one, 0]
    meet = (
        flat[one, 0]
        + ((gap[:, 0] * ways[other, 1] - gap[:, 1] * ways[other, 0]) / cross)[:, None] * ways[one]
    )
    found: list[Doubles] = []
    reaches, turned = [], []
    for which in (one, other):
        ends = np.linalg.norm(flat[which] - meet[:, None], axis=-1)
        far = ends.argmax(-1)
        reaches.append((ends.min(-1), ends.max(-1)))
        away = flat[which, far] - meet
        turned.append(away / np.maximum(np.linalg.norm(away, axis=-1), 1e-9)[:, None])
    near = (reaches[0][0] < GAP) & (reaches[1][0] < GAP)
    for first, second in ((0, 1), (1, 0)):
        along, beside = turned[first], turned[second]
        hand = along[:, 0] * beside[:, 1] - along[:, 1] * beside[:, 0] > 0
        # One direction for the whole piece: the longer stretch knows it better.
        squared = np.stack([beside[:, 1], -beside[:, 0]], -1)
        shares = (reaches[first][1] ** 2)[:, None], (reaches[second][1] ** 2)[:, None]
        way = along * shares[0] + squared * shares[1]
        way = way / np.maximum(np.linalg.norm(way, axis=-1), 1e-9)[:, None]
        for wide, tall in sizes:
            fits = near & hand & (reaches[first][1] < BEYOND * wide) & (reaches[second][1] < BEYOND * tall)
            found.append(_box(meet[fits], way[fits], wide, tall))
    return np.concatenate(found) if found else np.zeros((0, 4, 2))


def _from_sides(flat: Doubles, sizes: Sequence[tuple[float, float]]) -> Doubles:
    """Rectangles (n, 4, 2) in the plane on either hand of stretches (m, 2, 2) as long as a side."""
    ways = flat[:, 1] - flat[:, 0]
    lengths = np.linalg.norm(ways, axis=-1)
    ways = ways / np.maximum(lengths, 1e-9)[:, None]
    found: list[Doubles] = []
    for wide, tall in sizes:
        full = (lengths > 0.86 * wide) & (lengths < BEYOND * wide)
        middle = flat[full].mean(1)
        for way in (ways[full], -ways[full]):
            found.append(_box(middle - way * (wide / 2), way, wide, tall))
    return np.concatenate(found) if found else np.zeros((0, 4, 2))


def _beside(ground: Ground, taken: Sequence[Quad]) -> Doubles:
    """Rectangles (n, 4, 2) in the plane beside the taken ones: touching on each side, and at every step that two taken pieces lying
    alike have between them, so that rows and grids go on."""
    fits = [fit for fit in (ground.fit(quad) for quad in taken) if fit.residual < 0.12]
    if not fits:
        return np.zeros((0, 4, 2))
    known = ground.in_plane(np.stack([fit.quad for fit in fits]))
    wide, tall = known[:, 1] - known[:, 0], known[:, 3] - known[:, 0]
    found = [known + shift[:, None] for shift in (wide, -wide, tall, -tall)]
    middles = known.mean(1)
    steps_found: list[Doubles] = []
    unit = np.stack([wide, tall], -1)
    for index in range(len(known)):
        local = np.linalg.solve(unit[index], (middles - middles[index]).T).T
        alike = np.abs(np.linalg.solve(unit[index], unit) - np.eye(2)).max((-1, -2)) < 0.1
        opposite = np.abs(np.linalg.solve(unit[index], unit) + np.eye(2)).max((-1, -2)) < 0.1
        close = (np.abs(local).max(-1) < 1.7) & (np.abs(local).max(-1) > 0.04) & (alike | opposite)
        steps_found.append(local[close])
    every = np.concatenate(steps_found)
    chosen: list[Doubles] = []
    while len(every) and len(chosen) < 10:
        near = np.abs(every[:, None] - every[None]).max(-1) < 0.05
        best = int(near.sum(-1).argmax())
        chosen.append(every[near[best]].mean(0))
        every = every[~near[best]]
    for step in chosen:
        shift = step[0] * wide + step[1] * tall
        found += [known + shift[:, None], known - shift[:, None]]
    return np.concatenate(found)


def _settled(
    outlines: Outlines, ground: Ground, quads: Floats, mask: NDArray[np.uint8], share: Floats
) -> Floats:
    """Quads (n, 4, 2) px moved and turned in the plane, their size kept, to where the steps within a ``share`` (n,) of the side of their
    free sides are steepest."""
    if not len(quads):
        return quads
    plane = ground.in_plane(quads)
    small = ((quads + 0.5) * outlines.scale - 0.5).astype(np.float32)
    reach = np.maximum(1.5, share * side_lengths(small).mean(-1)).astype(np.float32)
    half = 5
    steep, places = steps(outlines.smooth, small, reach, 16, half)
    likely = np.exp(-0.5 * (np.arange(-half, half + 1) / (0.7 * half)) ** 2)
    best = (steep * likely).argmax(-1)
    height = np.take_along_axis(steep, best[..., None], -1)[..., 0]
    target = np.take_along_axis(places, best[..., None, None], -2)[..., 0, :]
    column = np.clip(np.rint(target[..., 0]), 0, mask.shape[1] - 1).astype(np.int64)
    row = np.clip(np.rint(target[..., 1]), 0, mask.shape[0] - 1).astype(np.int64)
    within = (
        (target[..., 0] > 1)
        & (target[..., 1] > 1)
        & (target[..., 0] < mask.shape[1] - 2)
        & (target[..., 1] < mask.shape[0] - 2)
    )
    weights = np.minimum(height, 40) * (within & (mask[row, column] == FREE)) + 1e-3
    aims = ground.in_plane((target + 0.5) / outlines.scale - 0.5)
    middle = plane.mean(1)
    ways = np.roll(plane, -1, 1) - plane
    ways = ways / np.linalg.norm(ways, axis=-1, keepdims=True)
    normals = np.stack([ways[..., 1], -ways[..., 0]], -1)[:, :, None]
    away = aims - plane[:, :, None]
    off = (away * normals).sum(-1)
    arm = aims - middle[:, None, None]
    turning = normals[..., 1] * arm[..., 0] - normals[..., 0] * arm[..., 1]
    slopes = np.stack(
        [np.broadcast_to(normals[..., 0], off.shape), np.broadcast_to(normals[..., 1], off.shape), turning],
        -1,
    )
    slopes, off = slopes.reshape(len(quads), -1, 3), off.reshape(len(quads), -1)
    weights = weights.reshape(off.shape)
    move = np.zeros((len(quads), 3))
    for spread in (0.05, 0.03, 0.015, 0.01):
        left = off - np.einsum("nki,ni->nk", slopes, move)
        now = weights / (1 + (left / spread) ** 2)
        normal = np.einsum("nki,nk,nkj->nij", slopes, now, slopes) + np.eye(3) * 0.5
        move = np.linalg.solve(normal, np.einsum("nki,nk->ni", slopes, now * off)[..., None])[..., 0]
    move = np.clip(move, -0.06, 0.06)
    turn = np.exp(1j * move[:, 2])[:, None]
    flat = plane - middle[:, None]
    turned = (flat[..., 0] + 1j * flat[..., 1]) * turn
    placed = np.stack([turned.real, turned.imag], -1) + middle[:, None] + move[:, None, :2]
    return ground.in_photo(placed)


def covered(outlines: Outlines, ground: Ground, taken: Sequence[Cover]) -> list[Proposal]:
    """Where further pieces may lie, given the plane and the pieces that are taken (they hide where they can be seen); best first, at most 60.

    From right angles and full sides that edges show ("corner"), and from places beside and between taken pieces ("neighbour"). Every
    quad has a piece's size in the plane and its votes say how much of its border that could be seen is there (1: all). What lies under
    pieces that are not known yet is found too: the best proposals are taken for granted in turn, and what they would hide is not asked of
    the others. So a heap is proposed at once, and again better when its upper pieces are known. Quads may reach beyond the photo.
    About 25 ms on one core, up to 70 ms when many pieces are taken.
    """
    sizes: list[tuple[float, float]] = []
    for group, aspect in ground.kinds():
        side = ground.sizes[group]
        wide, tall = side * aspect**0.5, side / aspect**0.5
        sizes += [(wide, tall)] if aspect > 0.97 else [(wide, tall), (tall, wide)]
    flat = _stretches(outlines, ground, BEYOND * max(max(pair) for pair in sizes))
    beside = _visible(outlines, ground, _beside(ground, [cover.quad for cover in taken]))
    cornered = _visible(
        outlines, ground, np.concatenate([_from_corners(flat, sizes), _from_sides(flat, sizes)])
    )
    quads = clockwise(np.concatenate([beside, cornered]))
    known = np.arange(len(quads)) < len(beside)
    mask = taken_mask(outlines, taken)
    quads, known = _worthwhile(outlines, ground, quads, known, taken, mask)
    found: list[Proposal] = []
    hidden = list(taken)
    votes = open_votes = _judged(support(outlines, quads, mask), known)
    for least in (*ASSUMED, None):
        if len(hidden) > len(taken):
            votes = _judged(support(outlines, quads, taken_mask(outlines, hidden)), known)
        if least is None:
            votes = np.maximum(votes, open_votes)
        needed = np.where(known, *LEAST_VOTES) if least is None else least
        good = np.flatnonzero((votes > needed) & _free(quads, hidden))
        good = good[np.argsort(-votes[good], kind="stable")]
        kept, _ = distinct(quads[good], NEAR * side_lengths(quads[good]).mean(-1))
        for index in good[kept]:
            if len(found) < MOST:
                source: Literal["neighbour", "corner"] = "neighbour" if known[index] else "corner"
                found.append(Proposal(quads[index], source, float(votes[index])))
                hidden.append(Cover(quads[index]))
    return found


def _worthwhile(
    outlines: Outlines, ground: Ground, quads: Floats, known: Flags, taken: Sequence[Cover], mask: Picture
) -> tuple[Floats, Flags]:
    """The quads with most border borne out, one of each place, settled; ``known`` (n,): those beside taken pieces, goes along; ``mask``: of
    those taken."""
    if not len(quads):
        return quads, known
    found = support(outlines, quads, mask)
    # What is missing may yet be found to be hidden: a full side is worth a look.
    worth = np.where((found.sides < 1) & ~known, -9.0, found.shown + 0.5 * found.votes + 0.3 * known)
    order = np.argsort(-worth, kind="stable")
    order = order[(worth[order] > -1.0) & _free(quads[order], taken)][: 8 * SETTLED]
    kept, _ = distinct(quads[order], 0.04 * side_lengths(quads[order]).mean(-1))
    order = order[kept[:SETTLED]]
    share = np.where(known[order], *REACH).astype(np.float32)
    return _settled(outlines, ground, quads[order], mask, share), known[order]


def _free(quads: Floats, taken: Sequence[Cover]) -> Flags:
    """(n,): which quads are none of the taken ones."""
    free = np.ones(len(quads), bool)
    side = side_lengths(quads).mean(-1)
    for cover in taken:
        turned = clockwise(cover.quad[None])[0]
        every = [np.abs(np.roll(turned, turn, 0) - quads).max((-1, -2)) for turn in range(4)]
        free &= np.min(every, axis=0) > NEAR * side
    return free


def _visible(outlines: Outlines, ground: Ground, plane: Doubles) -> Floats:
    """Rectangles (n, 4, 2) of the plane as quads in the photo: those of which at least a tenth or so lies in it."""
    lifted = plane @ ground.to_photo[2, :2] + ground.to_photo[2, 2]
    # Points on the table have the sign that the middle of the sure pieces has: the plane's own origin side.
    quads = ground.in_photo(plane[(lifted * np.sign(ground.to_photo[2, 2] or 1.0) > 0).all(-1)])
    height, width = outlines.edges.shape
    size = np.array([width, height]) / outlines.scale
    low, high = quads.min(1), quads.max(1)
    shared = np.clip(np.minimum(high, size) - np.maximum(low, 0), 0, None).prod(-1)
    return np.asarray(quads[shared > 0.15 * (high - low).prod(-1)], np.float32)


def _judged(found: Support, known: Flags) -> Floats:
    """Votes; far below 0 for a quad that has nothing of its own to show."""
    bare = (found.seen < 0.12) | ((found.sides < 2) & ~known)
    return np.where(bare, -9.0, found.votes + BESIDE * known).astype(np.float32)
