"""Reading one photo: proposed, judged, claimed; then a second round with what the first one taught."""

from __future__ import annotations

import math
import time

import cv2

from vision.photo import Photo
from vision.reading.bank import Bank
from vision.reading.claims import overlap, settle
from vision.reading.judge import judge
from vision.reading.outlines import outline
from vision.reading.words import Found, Judged, Proposal, Reading


def read(photo: Photo, bank: Bank, plane: None = None) -> Reading:
    """What lies in the photo. ``plane``: for a table whose plane is known, later."""
    started = time.perf_counter()
    outlines = outline(photo)
    outlined = time.perf_counter()
    sure: list[Judged] = []
    waiting = list(outlines.quads)
    for _ in range(3):
        now, waiting = _outermost(waiting, sure)
        if not now:
            break
        sure = settle(judge(photo, bank, now), bank, sure)
    done = time.perf_counter()
    pieces = tuple(
        Found(bank.names[piece.row], piece.quad, piece.visible, 1 / (1 + math.exp(-piece.score)))
        for piece in sure
    )
    ms = {"outlines": outlined - started, "judge": done - outlined, "total": done - started}
    return Reading(pieces, (), {stage: 1000 * seconds for stage, seconds in ms.items()})


def _outermost(waiting: list[Proposal], sure: list[Judged]) -> tuple[list[Proposal], list[Proposal]]:
    """Proposals that lie in no other and not in a piece already known, one a place; and the rest."""
    free = [
        proposal
        for proposal in waiting
        if not any(overlap(proposal.quad, piece.quad)[1] > 0.8 for piece in sure)
    ]
    now: list[Proposal] = []
    later: list[Proposal] = []
    for proposal in free:
        area = cv2.contourArea(proposal.quad)
        inside = any(
            1.6 * area < cv2.contourArea(other.quad) < 40 * area
            and overlap(proposal.quad, other.quad)[1] > 0.9
            for other in free
        )
        if inside or any(overlap(proposal.quad, other.quad)[0] > 0.6 for other in now):
            later.append(proposal)
        else:
            now.append(proposal)
    return now, later
