"""Where a piece was lost that a reading missed: nowhere proposed, thought to be no face, judged and refused, or given to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest import mock

import numpy as np

from tests.rendered.run import Reader
from tests.rendered.scene import Truth
from tests.rendered.score import HIDDEN, SAME_PLACE, Fate, mark, overlap
from tests.rendered.sets import Job, scene
from vision.photo import Photo
from vision.reading.bank import Bank
from vision.reading.evidence import COVERED, HALF_HIDDEN, SURE, TERMS
from vision.reading.hiding import Cover
from vision.reading.judge import Bench
from vision.reading.reader import read
from vision.reading.words import Judged, Proposal, Reading

CLOSE = 0.75
"""Overlap with the truth from which a place is near enough for the face to be pulled onto it."""
_COSTLY = 0.5
"""Log odds below its best that a measurement must cost to be named."""


@dataclass(slots=True)
class Heard:
    """All that was proposed to the bench while a photo was read, and what it made of it."""

    proposals: list[Proposal] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)


@contextmanager
def listening() -> Iterator[Heard]:
    heard = Heard()
    judge = Bench.judge

    def told(bench: Bench, proposals: Sequence[Proposal]) -> list[Judged]:
        judged = judge(bench, proposals)
        heard.proposals += proposals
        heard.judged += judged
        return judged

    with mock.patch.object(Bench, "judge", told):
        yield heard


def costs(piece: Judged) -> list[tuple[str, float]]:
    """What each measurement takes from the best it could say (log odds), the dearest first."""
    terms = COVERED if piece.evidence["visible"] < HALF_HIDDEN else TERMS
    lost = [
        (name, abs(term.weight) * abs(min(max(piece.evidence[name], term.least), term.most) - best))
        for name, term in terms.items()
        if name in piece.evidence
        for best in [term.least if term.weight < 0 else term.most]
    ]
    return sorted([one for one in lost if one[1] > _COSTLY], key=lambda one: -one[1])


def _said(piece: Judged, bank: Bank, truth: Truth) -> str:
    quad = truth.quad
    dear = ", ".join(f"{name} {piece.evidence[name]:.2f} costs {cost:.1f}" for name, cost in costs(piece)[:6])
    turned = int(np.linalg.norm(quad - piece.quad[0], axis=1).argmin())
    way = f"turned by {90 * turned} degrees, " if turned and bank.names[piece.row] == truth.identity else ""
    where = f"{piece.source}, overlap {overlap(quad, piece.quad):.2f}, {way}visible {piece.evidence['visible']:.2f}"
    return f"{bank.names[piece.row]} {piece.score:+.1f} ({where}; {dear})"


def _place(piece: Truth, row: int, heard: Heard) -> str:
    """The room in which the piece was lost."""
    best = {
        source: max(
            (
                round(overlap(piece.quad, one.quad), 2)
                for one in heard.proposals
                if one.source == source and one.row in (None, row)
            ),
            default=0.0,
        )
        for source in ("outline", "features", "corner", "neighbour")
    }
    here = [one for one in heard.judged if one.row == row and overlap(piece.quad, one.quad) > SAME_PLACE]
    if any(one.score > SURE for one in here):
        room = "given to another"
    elif here:
        room = "refused"
    elif max(best.values()) >= CLOSE:
        room = "no face"
    else:
        room = "not proposed"
    return room + ": " + ", ".join(f"{source} {share:.2f}" for source, share in best.items())


def follow(job: Job, least: float, reader: Reader) -> list[str]:
    """A line for each enrolled piece of the scene, ``least`` of it visible and what tells it apart seen, that was missed or labelled wrong,
    with lines below: what its own face and the best other one got there, and what its face gets where it truly lies."""
    made = scene(job.set, job.index, job.family, job.edition)
    bank, photo = reader.bank(made.deck), Photo(made.photo)
    with listening() as heard:
        reading = read(photo, bank)
    marks = mark(made.pieces, reading)
    shown = [piece for piece in made.pieces if piece.visible >= HIDDEN]
    lines = [f"{job.set}:{job.index} {'|'.join(made.tags)}"]
    lines += [f"  wrong: {text}" for text in marks.wrong]
    covers = [Cover.of(one.quad, one.cells) for one in _stood(heard, reading, bank)]
    for piece, fate in zip(shown, marks.fates, strict=True):
        if _lost(fate, least) and piece.identity is not None:
            row = list(bank.names).index(piece.identity)
            side = float(np.linalg.norm(piece.quad - np.roll(piece.quad, -1, 0), axis=1).mean())
            lines.append(
                f"  {piece.identity} {fate.visible:.2f} of {side:.0f} px {fate.outcome}{', cut' if fate.cut else ''}: "
                + _place(piece, row, heard)
            )
            near = [one for one in heard.judged if overlap(piece.quad, one.quad) > SAME_PLACE]
            for own in (True, False):
                found = max(
                    (one for one in near if (one.row == row) == own), key=lambda one: one.score, default=None
                )
                if found is not None:
                    lines.append(f"    {'judged' if own else 'other'} {_said(found, bank, piece)}")
            others = [one for one in covers if overlap(one.quad, piece.quad) < SAME_PLACE]
            there = Bench(photo, bank, others).judge([Proposal(piece.quad, "features", 9.0, row=row)])
            there = [one for one in there if one.row == row]
            if there:
                lines.append(f"    there {_said(max(there, key=lambda one: one.score), bank, piece)}")
            else:
                lines.append("    there: no face")
    return lines


def _stood(heard: Heard, reading: Reading, bank: Bank) -> list[Judged]:
    """The judged pieces that were read in the end."""
    return [
        one
        for found in reading.pieces
        for one in heard.judged
        if bank.names[one.row] == found.identity and np.array_equal(one.quad, found.quad)
    ]


def _lost(fate: Fate, least: float) -> bool:
    return fate.kind == "enrolled" and fate.outcome != "right" and fate.seen and fate.visible >= least
