"""Whole printed tables under the simulated camera, read back: one page, sheets glued a little wrong, loose corners."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engines import table_games
from hardware.print.deck import PAPERS
from hardware.print.mat import draw_mat
from hardware.print.tiled import tiling
from tests import printed_tables
from tests.printed_tables import FINE, WHOLE, corners, mat, papers, read
from vision.mat import LOOSE, markers

CI_DPI = 150.0
"""The whole measurement, at 300 dpi, is for `python -m tests.printed_tables`."""


@pytest.mark.parametrize(("game", "players", "paper"), [("ankh", 5, "tiled-A4"), ("archaeology", 3, WHOLE)])
def test_a_printed_table_is_read_whole(game: str, players: int, paper: str) -> None:
    chosen = table_games()[game]
    printed = read(chosen, players, paper, dpi=CI_DPI)
    assert not printed.fault and printed.wrong == 0 and printed.lying > 10
    assert printed.right == printed.lying


def test_sheets_that_are_glued_a_finger_off_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure can fail: what is so badly glued is no mat, and its pieces are not where they should be."""
    place = table_games()["ankh"].reading.layout(2, {})
    good = mat(place, "tiled-A3", 75.0, random.Random(1))
    meant = draw_mat(place, FINE)
    assert np.abs(good.astype(int) - meant).mean() < 4
    monkeypatch.setattr(printed_tables, "SLIP", 12.0)
    bad = mat(place, "tiled-A3", 75.0, random.Random(1))
    assert np.abs(bad.astype(int) - meant).mean() > 1.5 * np.abs(good.astype(int) - meant).mean()


def test_the_corners_are_cut_whole() -> None:
    found = corners(CI_DPI)
    assert tuple(found) == LOOSE
    for marker in found.values():
        edge = np.concatenate(
            [marker[:8].ravel(), marker[-8:].ravel(), marker[:, :8].ravel(), marker[:, -8:].ravel()]
        )
        assert edge.min() > 200 and marker[40:-40, 40:-40].min() < 40


def test_every_table_has_its_papers() -> None:
    for game in table_games().values():
        for players in game.players:
            layout = game.reading.layout(players, game.defaults)
            assert WHOLE in papers(layout)
            if not layout.loose:
                assert len(papers(layout)) == 3
                assert all(tiling(layout.width, layout.height, paper, markers(layout)) for paper in PAPERS)
