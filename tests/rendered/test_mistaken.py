"""Scenes in which a piece was once taken for another: plain faces, mild light, everything in sight."""

from __future__ import annotations

import numpy as np
import pytest

from tests.rendered.run import Reader, real
from tests.rendered.score import mark
from tests.rendered.sets import scene
from vision.photo import Photo
from vision.reading.judge import Bench
from vision.reading.reader import read
from vision.reading.words import Proposal


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(real())


def test_two_signs_are_not_two_of_three_with_the_third_beyond_the_card(reader: Reader) -> None:
    made = scene("easy", 28)
    marks = mark(made.pieces, read(Photo(made.photo), reader.bank(made.deck)))
    assert marks.wrong == ()
    assert [fate.outcome for fate in marks.fates if fate.kind == "enrolled"] == ["right"] * 3


def test_a_sign_on_a_card_is_no_small_card_with_one_sign(reader: Reader) -> None:
    """The seven of stars shows small aces of stars, but for their corners."""
    made = scene("easy", 18)
    marks = mark(made.pieces, read(Photo(made.photo), reader.bank(made.deck)))
    assert marks.wrong == ()
    assert all(fate.outcome == "right" for fate in marks.fates if fate.kind == "enrolled")


def test_a_card_that_is_nearly_the_same_both_ways_up_lies_as_its_middle_row_says(reader: Reader) -> None:
    made = scene("easy", 18)
    bank, photo = reader.bank(made.deck), Photo(made.photo)
    seven = next(piece for piece in made.pieces if piece.identity == "courts-24")
    row = bank.names.index("courts-24")
    for start in (0, 2):
        judged = Bench(photo, bank).judge([Proposal(np.roll(seven.quad, start, 0), "outline")])
        best = max((piece for piece in judged if piece.row == row), key=lambda piece: piece.score)
        assert best.score > 0
        assert np.abs(best.quad - seven.quad).max() < 12
