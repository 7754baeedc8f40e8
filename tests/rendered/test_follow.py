"""Following lost pieces: what is told of them is what the reading did."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rendered.follow import costs, follow, listening
from tests.rendered.run import Reader, real
from tests.rendered.score import mark
from tests.rendered.sets import Job, scene
from vision.photo import Photo
from vision.reading.evidence import COVERED, COVERED_BIAS, log_odds
from vision.reading.reader import read
from vision.reading.words import Judged

ROOMS = ("not proposed", "no face", "refused", "given to another")


def test_costs_are_what_a_score_lacks_of_the_best() -> None:
    best = {name: term.least if term.weight < 0 else term.most for name, term in COVERED.items()}
    evidence = {**best, "visible": 0.5, "pair": 0.0, "net": 0.0}
    piece = Judged(
        0,
        np.zeros((4, 2), np.float32),
        log_odds(evidence),
        None,
        np.ones((15, 10), np.float32),
        "outline",
        evidence,
    )
    named = dict(costs(piece))
    assert list(named) == ["pair", "net"]
    top = COVERED_BIAS + sum(COVERED[name].weight * value for name, value in best.items())
    assert sum(named.values()) == pytest.approx(top - piece.score)


def test_every_lost_piece_is_followed_to_a_room() -> None:
    """A heap with strips that nobody can read; the same scene with nothing asked has nothing to follow."""
    job = Job("covered", 18)
    reader = Reader(real())
    made = scene(job.set, job.index)
    bank = reader.bank(made.deck)
    with listening() as heard:
        reading = read(Photo(made.photo), bank)
    assert heard.proposals
    assert heard.judged
    fates = mark(made.pieces, reading).fates
    lost = [fate for fate in fates if fate.kind == "enrolled" and fate.seen and fate.outcome != "right"]
    told = follow(job, 0.0, reader)
    rooms = [line for line in told if any(f": {room}: " in line for room in ROOMS)]
    assert lost
    assert len(rooms) == len(lost)
    assert follow(job, 1.01, reader)[1:] == [f"  wrong: {text}" for text in mark(made.pieces, reading).wrong]
