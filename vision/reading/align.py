"""Pulling quads onto faces: Lucas-Kanade on the four corners, inverse compositional, many hypotheses at once.

S. Baker, I. Matthews, "Lucas-Kanade 20 Years On" (IJCV 2004): the face's slopes are the Jacobian, so it is worked out once and the photo is
only sampled. Light is taken out of both sides first (log brightness without its broad part) and a contrast and an offset are fitted.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, from_square
from vision.reading.compare import COLUMNS, ROWS, Array, grey, smooth
from vision.reading.hiding import frame_points

Quads = NDArray[np.float32]

_ROUNDS = ((1.4, 3), (0.7, 3))
"""Blur (px) and most steps, coarse to fine."""
_STIFF = 12.0
"""Weight of "the corners are where they were" against the picture, per pixel of the face."""
_FURTHEST = 0.085
"""Corners that want to go further than this share of the diagonal have run away: the quad stays as it was."""


@lru_cache(maxsize=1)
def _corner_weights() -> tuple[Array, Array]:
    """(2400, 4): how much each corner moves each pixel of the frame; (2400, 16): the products of every two of these."""
    across = (np.arange(COLUMNS) + 0.5) / COLUMNS
    down = (np.arange(ROWS) + 0.5) / ROWS
    x, y = np.meshgrid(across, down)
    weights = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], -1).reshape(-1, 4)
    both = (weights[:, :, None] * weights[:, None]).reshape(-1, 16)
    return np.asarray(weights, np.float32), np.asarray(both, np.float32)


def flattened(brightness: Array, sigma: float) -> Array:
    """Log brightness (n, 60, 40) of 0-255, smoothed, without its broad part: shadows and glare weigh little."""
    logs = np.log(smooth(brightness, sigma) + 12)
    return np.asarray(100 * np.clip(logs - smooth(logs, COLUMNS / 7), -0.5, 0.5), np.float32)


def _target(brightness: Array, sigma: float) -> tuple[Array, Array]:
    """n views of this brightness (n, 60, 40) as alignment sees them: flattened (n, 2400), and its slopes (n, 2, 2400) across and down,
    per px."""
    flat = flattened(brightness, sigma)
    down, across = np.gradient(flat, axis=(1, 2))
    n = len(flat)
    slopes = np.stack([across.reshape(n, -1), down.reshape(n, -1)], 1)
    return flat.reshape(n, -1), np.asarray(slopes, np.float32)


def _sampled(photo: Photo, quads: Quads) -> Array:
    """Brightness (n, 60, 40) of what lies in quads of a photo, taken from the half that is about as fine as the frame."""
    sides = np.linalg.norm(quads - np.roll(quads, -1, 1), axis=2)
    fine = np.minimum((sides[:, 0] + sides[:, 2]) / (2 * COLUMNS), (sides[:, 1] + sides[:, 3]) / (2 * ROWS))
    most = max(0, int(np.log2(max(2, min(photo.size)))) - 1)
    levels = np.clip(np.round(np.log2(np.maximum(fine, 1))), 0, most).astype(int)
    places = frame_points(quads, COLUMNS, ROWS)
    out = np.empty((len(quads), ROWS, COLUMNS), np.float32)
    for level in np.unique(levels):
        mine = np.flatnonzero(levels == level)
        # One below the other, so that one call of OpenCV serves all.
        at = ((places[mine] + np.float32(0.5)) / np.float32(2.0**level) - np.float32(0.5)).reshape(
            -1, COLUMNS, 2
        )
        seen = cv2.remap(
            photo.grey(int(level)), at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        out[mine] = np.asarray(seen).reshape(-1, ROWS, COLUMNS)
    return out


def moved(quads: Quads, shifts: Array, columns: float = 1.0, rows: float = 1.0) -> Quads:
    """Quads (n, 4, 2) whose corners go to where the frame's corners plus ``shifts`` (n, 4, 2) lie, in units of 1 / columns and
    1 / rows of the frame. A quad that would fold keeps its place."""
    frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    corners = np.ones((len(quads), 4, 3))
    corners[..., :2] = frame + shifts / np.array([columns, rows], np.float32)
    lifted = corners @ from_square(quads).transpose(0, 2, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        new = np.asarray(lifted[..., :2] / lifted[..., 2:], np.float32)
    flat = np.asarray(np.isfinite(new).all((1, 2)) & (lifted[..., 2] > 0).all(1))
    convex = [one and cv2.isContourConvex(quad) for one, quad in zip(flat, new, strict=True)]
    return np.asarray(np.where(np.array(convex, np.bool_)[:, None, None], new, quads), np.float32)


def align(
    photo: Photo,
    quads: Quads,
    faces: Array,
    seen: Array | None = None,
    rounds: slice = slice(None),
) -> Quads:
    """The quads (n, 4, 2), each pulled onto its view, ``faces`` (n, 3, 60, 40) channels first; one that runs away stays where it was.

    ``seen`` (n, 60, 40), 0-1: what of the view can be seen (all, when None).
    """
    if not len(quads):
        return quads
    start, quads = quads, quads.copy()
    given = None if seen is None else seen.reshape(len(quads), -1)
    brightness = grey(faces)
    for sigma, most in list(_ROUNDS)[rounds]:
        flats, every = _target(brightness, sigma)
        active = np.arange(len(quads))
        for _ in range(most):
            face, slopes = flats[active], every[active]
            now = flattened(_sampled(photo, quads[active]), sigma).reshape(len(active), -1)
            error, trust = _unexplained(now, face, None if given is None else given[active])
            step = np.clip(_step(slopes, error, trust), -6, 6)
            # The step carries the face onto the photo; the corners go the other way.
            shifts = np.stack([step[:, :4], step[:, 4:]], 2)
            quads[active] = moved(quads[active], -shifts, COLUMNS, ROWS)
            active = active[np.abs(step).max(1) > 0.08]
            if not len(active):
                break
    diagonal = np.linalg.norm(start[:, 0] - start[:, 2], axis=1)
    away = np.linalg.norm(quads - start, axis=2).max(1) > _FURTHEST * diagonal
    quads[away] = start[away]
    return quads


def _step(slopes: Array, error: Array, trust: Array) -> Array:
    """(n, 8) px of the frame: the Gauss-Newton step of four corners across, then down, from slopes (n, 2, px), what is unexplained (n, px)
    and how far each pixel is believed (n, px)."""
    spread, both = _corner_weights()
    n = len(slopes)
    weighted = slopes * trust[:, None]
    across, down = slopes[:, 0], slopes[:, 1]
    squares = np.stack([weighted[:, 0] * across, weighted[:, 0] * down, weighted[:, 1] * down], 1)
    xx, xy, yy = (squares.reshape(3 * n, -1) @ both).reshape(n, 3, 4, 4).transpose(1, 0, 2, 3)
    normal = np.empty((n, 8, 8), np.float32)
    normal[:, :4, :4], normal[:, :4, 4:], normal[:, 4:, :4], normal[:, 4:, 4:] = xx, xy, xy, yy
    normal += np.eye(8, dtype=np.float32) * np.float32(_STIFF * error.shape[1] / 768)
    pull = ((weighted * error[:, None]).reshape(2 * n, -1) @ spread).reshape(n, 8, 1)
    return np.asarray(np.linalg.solve(normal, pull)[:, :, 0], np.float32)


def _unexplained(now: Array, face: Array, given: Array | None) -> tuple[Array, Array]:
    """What the face does not explain (n, px) after a contrast and an offset were fitted, and how far each pixel is believed."""
    trust = np.ones_like(now) if given is None else given
    half = now.shape[1] // 2
    for _ in range(2):
        total = trust.sum(1) + 1
        centred = face - (np.einsum("np,np->n", trust, face) / total)[:, None]
        level = now - (np.einsum("np,np->n", trust, now) / total)[:, None]
        weighted = trust * centred
        contrast = (np.einsum("np,np->n", weighted, level) + 1) / (
            np.einsum("np,np->n", weighted, centred) + 1
        )
        error = level / np.maximum(contrast, 0.25)[:, None] - centred
        scale = 2 * np.partition(np.abs(error), half, axis=1)[:, half] + 4
        trust = 1 / (1 + (error / scale[:, None]) ** 2)
        if given is not None:
            trust *= given
    return np.asarray(error, np.float32), np.asarray(trust, np.float32)
