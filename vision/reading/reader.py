"""Reading one photo: proposed, judged, claimed; then layer by layer, with what was found so far."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Photo, Quad
from vision.reading.bank import Bank
from vision.reading.claims import overlap, settle
from vision.reading.closely import agreeing
from vision.reading.evidence import HALF_HIDDEN, SURE
from vision.reading.features import look, vote
from vision.reading.ground import Ground
from vision.reading.judge import Bench
from vision.reading.layers import FEWEST, OTHER_SIZE, Layers, of_one_size, photo_tone, table
from vision.reading.outlines import outline
from vision.reading.strangers import strangers
from vision.reading.together import begun
from vision.reading.voting import Comparisons
from vision.reading.words import Found, Judged, Outlines, Proposal, Reading

BACK = "back"
"""The identity of a piece's back: a piece that lies there, but no face."""
_WAVES = 8
"""Outlines inside others are looked at when the outer ones turned out to be no pieces, so many times."""
_SHALLOW = 3
"""Waves in which every outline is looked at; later ones have to look like a face at a glance."""
_HALVES = 5
"""So often the photo is halved beforehand."""
_WEAK = -8.0
"""Log odds above which a place is looked at again when the photo's tone is known."""
_STRONG = 4.0
"""From so many votes features are asked before outlines."""


class _Clock:
    """Milliseconds by stage; a stage that comes twice is added up."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._started = self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.ms[stage] = self.ms.get(stage, 0.0) + 1000 * (now - self._last)
        self._last = now
        self.ms["total"] = 1000 * (now - self._started)


def read(photo: Photo, bank: Bank, plane: Ground | None = None) -> Reading:
    """What lies in the photo. ``plane``: the table plane and the sizes of pieces where they are known, of a mat for example; else
    they are learnt from the pieces that are sure."""
    clock = _Clock()
    # Both look at the whole photo and need nothing of each other; what they share of it is made before.
    photo.half(max(0, min(_HALVES, int(math.log2(max(2, min(photo.size)))) - 1)))
    bank.prepare()
    looked = begun(lambda: _looked(photo, bank, plane))
    outlines = outline(photo)
    clock.lap("outlines")
    seen, found = looked()
    clock.lap("features")
    # What many features agree about is placed better than any outline of a covered piece: it comes first.
    strong = [proposal for proposal in found if proposal.votes >= _STRONG]
    judged = Bench(photo, bank).judge(strong)
    # What nothing is known to hide may be another face, laid askew: it waits for the outlines.
    sure = settle([piece for piece in judged if piece.visible >= HALF_HIDDEN], bank)
    sure = by_outlines(photo, bank, outlines, sure, [one for one in judged if one.visible < HALF_HIDDEN])
    sure = of_one_size(sure, table(sure, bank, photo), bank, outlines)
    clock.lap("judge")
    sure, ground = Layers(photo, bank, outlines, seen, plane, clock.lap).all(sure)
    sure = agreeing(sure)
    unknown = strangers(outlines, sure, bank, ground)
    clock.lap("covered")
    pieces = [piece for piece in sure if bank.names[piece.row] != BACK]
    unknown = [piece.quad for piece in sure if bank.names[piece.row] == BACK] + unknown
    return Reading(
        tuple(
            Found(bank.names[piece.row], piece.quad, piece.visible, 1 / (1 + math.exp(-piece.score)))
            for piece in pieces
        ),
        tuple(unknown),
        clock.ms,
    )


def _looked(photo: Photo, bank: Bank, plane: Ground | None) -> tuple[Comparisons, list[Proposal]]:
    """The photo's features beside those of the faces, and what they vote for."""
    seen = look(photo, bank.feature_index)
    return seen, vote(photo, bank.feature_index, ground=plane, seen=seen, least=_STRONG)


def by_outlines(
    photo: Photo, bank: Bank, outlines: Outlines, sure: list[Judged], doubted: Sequence[Judged] = ()
) -> list[Judged]:
    """Outer outlines first, together with what is ``doubted``; then the weak ones again, by the tone of the photo that the sure ones have
    shown."""
    weak: list[Judged] = []
    waiting = list(outlines.quads)
    for wave in range(_WAVES):
        now, waiting = _outermost(waiting, sure)
        if not now:
            sure = settle(doubted, bank, sure)
            break
        deep = wave >= _SHALLOW
        if deep and len(sure) >= FEWEST and (ground := table(sure, bank, photo)) is not None:
            now = [outlined for outlined in now if ground.residual(outlined.quad) < OTHER_SIZE]
        judged = Bench(photo, bank, at_a_glance=deep).judge(now)
        sure, doubted = settle([*judged, *doubted], bank, sure), ()
        weak += [piece for piece in judged if _WEAK < piece.score < SURE]
    learnt = photo_tone(sure)
    if learnt is None:
        return sure
    again: list[Proposal] = []
    for piece in sorted(weak, key=lambda one: -one.score):
        others = [known.quad for known in sure] + [proposal.quad for proposal in again]
        if not any(overlap(piece.quad, quad)[1] > 0.6 for quad in others):
            again.append(Proposal(piece.quad, piece.source, row=piece.row))
    return settle(Bench(photo, bank, tone=learnt).judge(again), bank, sure)


def _outermost(waiting: Sequence[Proposal], sure: Sequence[Judged]) -> tuple[list[Proposal], list[Proposal]]:
    """Proposals that lie in no other and not in a piece already known, one a place; and the rest."""
    free = [
        proposal
        for proposal in waiting
        if not any(overlap(proposal.quad, piece.quad)[1] > 0.8 for piece in sure)
    ]
    quads = [proposal.quad for proposal in free]
    areas = np.array([abs(cv2.contourArea(quad)) for quad in quads])
    meets = _meeting(quads)
    now: list[int] = []
    later: list[Proposal] = []
    for number, proposal in enumerate(free):
        larger = (areas > 1.6 * areas[number]) & (areas < 40 * areas[number]) & meets[number]
        inner = any(overlap(proposal.quad, quads[other])[1] > 0.9 for other in np.flatnonzero(larger))
        if inner or any(
            meets[number, other] and overlap(proposal.quad, quads[other])[0] > 0.6 for other in now
        ):
            later.append(proposal)
        else:
            now.append(number)
    return [free[number] for number in now], later


def _meeting(quads: Sequence[Quad]) -> NDArray[np.bool_]:
    """(n, n): which quads' upright boxes overlap."""
    corners = np.asarray(quads, np.float32).reshape(-1, 4, 2)
    low, high = corners.min(1), corners.max(1)
    return np.asarray((low[:, None] < high[None]).all(-1) & (low[None] < high[:, None]).all(-1))
