"""Printed faces in the suite: cut where the marks are, the same faces as drawn, and read as the committed rows say."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.print.deck import grid
from hardware.print.faces import faces
from hardware.print.faces import printed as as_drawn
from tests.rendered.deck import FAMILIES, deck
from tests.rendered.drawing import PX_PER_MM, Picture
from tests.rendered.printed import (
    PX,
    MissingMarkError,
    beside,
    cut,
    enrolled,
    jobs,
    lines,
    on_the_table,
    sheets,
    small_form,
)
from tests.rendered.run import committed, kept
from tests.rendered.sets import SETS
from tests.rendered.test_small_form import losses


def likeness(one: Picture, other: Picture) -> float:
    """Correlation of two pictures after a blur of a third of a mm."""
    first, second = (cv2.GaussianBlur(each, (0, 0), 2).astype(float).ravel() for each in (one, other))
    return float(np.corrcoef(first, second)[0, 1])


def askew(page: Picture) -> Picture:
    """As a printer draws a sheet in: turned by 0.3 degrees, a mm off, 0.4 % too small."""
    middle = page.shape[1] / 2, page.shape[0] / 2
    warp = cv2.getRotationMatrix2D(middle, 0.3, 0.996)
    warp[:, 2] += (0.9 * PX, -0.6 * PX)
    return np.asarray(cv2.warpAffine(page, warp, page.shape[1::-1], borderValue=(255, 255, 255)), np.uint8)


@pytest.mark.parametrize("game", ["tanis", "archaeology"])
def test_faces_are_cut_by_their_marks_also_from_a_sheet_that_is_askew(game: str) -> None:
    printed = sheets(game)
    number = next(number for number, held in printed.sheets.items() if "back" not in held[0])
    names = printed.sheets[number]
    drawing = faces(game)[names[0]].drawing
    size = round(drawing.width * PX_PER_MM), round(drawing.height * PX_PER_MM)
    page = printed.page(number)
    for sheet in (page, askew(page)):
        found = printed.pieces(number, sheet, size)
        assert list(found) == names
        for name in names[:4]:
            meant = cv2.resize(as_drawn(faces(game)[name].drawing, PX_PER_MM), size)
            assert likeness(found[name], meant) > 0.985, name
            assert likeness(np.roll(found[name], 6, 1), meant) < 0.985, "a mm off would be seen"


def test_a_sheet_without_its_marks_is_not_cut() -> None:
    laid = grid(63, 88, "A4")
    page = np.full((round(297 * PX), round(210 * PX), 3), 255, np.uint8)
    with pytest.raises(MissingMarkError):
        cut(page, laid, (63, 88))


def test_only_the_faces_differ() -> None:
    """The same cards of the same names lie there, drawn or printed, and the suite is afterwards as it was."""
    before = dict(FAMILIES)
    own = deck("tanis-tiles", 0, 0.8)
    with on_the_table("printed"):
        other = deck("tanis-tiles", 0, 0.8)
        assert other is not own and list(other.enrolled) == list(own.enrolled)
        for name in list(own.enrolled)[:3]:
            assert other.enrolled[name].spec == own.enrolled[name].spec
            one, cut_out = own.enrolled[name].picture, other.enrolled[name].picture
            assert one.shape == cut_out.shape and not np.array_equal(one, cut_out)
            assert likeness(one, cut_out) > 0.985
    assert before == FAMILIES and deck("tanis-tiles", 0, 0.8) is not other


def test_a_face_that_cannot_be_enrolled_is_told() -> None:
    face = as_drawn(faces("ankh")["red-1"].drawing, 3.0)
    with pytest.raises(ValueError, match=r"1 face enrolled, 1 not|is red-1 as well"):
        enrolled({"red-1": face, "red-1 ": face})


def test_every_own_family_has_scenes_of_its_own() -> None:
    wanted = jobs("hard", 2)
    assert len({job.index for job in wanted}) == len(wanted)
    assert {job.family for job in wanted} == {
        name for name in SETS["hard"].families if FAMILIES[name].__module__ == "tests.rendered.own"
    }


def test_printed_faces_are_read_as_the_committed_rows_say() -> None:
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with on_the_table("printed"):
            now = list(lines(small_form(), "test"))
    finally:
        cv2.setNumThreads(threads)
    then = kept(committed("printed"))
    said = losses(now, then)
    assert not said, "\n".join(said) + "\n" + beside({"drawn": then, "printed": now})
