"""Pieces that lie there and are none of those known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.photo import Quad
from vision.reading.bank import Bank
from vision.reading.claims import overlap
from vision.reading.ground import Ground
from vision.reading.words import Judged, Outlines

_OFF = 0.08
"""A stranger's corners are nearer than this to where the plane has them, share of its side."""


def strangers(outlines: Outlines, sure: Sequence[Judged], bank: Bank, ground: Ground | None) -> list[Quad]:
    """Outlines that look like a piece and are none of those known: of a piece's size in the plane, where that is known; else of a
    piece's shape, as far as perspective leaves it."""
    shapes = np.abs(np.log(np.asarray(bank.aspects))) if bank.aspects else np.zeros(1)
    found: list[Quad] = []
    for proposal in outlines.quads:
        quad = proposal.quad
        if proposal.votes < 2:
            continue
        if ground is not None:
            if ground.residual(quad) > _OFF:
                continue
        else:
            sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
            shape = abs(math.log(max((sides[0] + sides[2]) / max(sides[1] + sides[3], 1e-6), 1e-6)))
            if np.abs(shapes - shape).min() > 0.3 or proposal.votes < 3:
                continue
        if any(overlap(quad, piece.quad)[1] > 0.35 for piece in sure):
            continue
        if any(overlap(quad, other)[1] > 0.35 for other in found):
            continue
        found.append(quad)
    return found
