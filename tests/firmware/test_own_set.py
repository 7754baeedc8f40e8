"""An owner's numbers, played with what Thoth prints by them: the eyes know those cards, hieroglyphs and that board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engines.catalogue import house
from engines.papyrus.numbers import numbers
from engines.papyrus.zones import layout
from firmware.service import _gallery
from firmware.settings import DEFAULTS
from hardware.print.board import board_drawing
from hardware.print.faces import boards, faces, printed
from hardware.print.raster import raster
from tests.papyri import own


def test_the_eyes_know_the_set_and_the_board_that_are_printed_by_the_owners_numbers(tmp_path: Path) -> None:
    mine = own()
    table = layout(2, {}, mine)
    found = _gallery(DEFAULTS, tmp_path, table, lambda _: None, mine).pictures
    board = raster(board_drawing(numbers(mine).board), 4.0)
    assert np.array_equal(found["board"], board)
    for name, piece in faces("papyrus", mine).items():
        if name in found and not name.startswith("back"):
            assert np.array_equal(found[name], printed(piece.drawing, 4.0)), name
    # By the numbers that come with Thoth it is another set, and what is on no such card is no face of it.
    assert not np.array_equal(
        faces("papyrus")["isis"].drawing.shapes, faces("papyrus", mine)["isis"].drawing.shapes
    )
    with pytest.raises(ValueError, match="there is no art for"):
        _gallery(DEFAULTS, tmp_path, table, lambda _: None)


def test_the_board_is_that_of_the_map_it_was_laid_out_by() -> None:
    mine, theirs = own(), house("papyrus")
    for catalogue in (mine, theirs):
        drawing = board_drawing(numbers(catalogue).board)
        assert boards(layout(2, {}, catalogue), mine)["board"] == drawing
    learned = own({"map.width": 400.0, "map.height": 320.0, "map.squares": ["horus 90 85", "isis 190 85"]})
    plain = boards(layout(2, {}, learned), learned)["board"]
    assert (plain.width, plain.height) == (400.0, 320.0) and plain != board_drawing(numbers(mine).board)
