"""A few minutes of the long night, so that it can be believed when it is played whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import longnight


def test_minutes_with_faults_lose_no_move_and_leave_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = longnight.night(5, 0.07, 20, tmp_path, monkeypatch)
    assert figures["lost"] == [] and figures["left"] == []
    assert figures["moves"] >= 6
    assert sum(figures["faults"].values()) >= 3
    assert figures["restarts"] >= 1


def test_a_lost_move_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(longnight.Evening, "append", lambda at, written: 0)
    figures = longnight.night(5, 0.06, 20, tmp_path, monkeypatch)
    assert any("the journal has" in said for said in figures["lost"])


def test_memory_that_grows_is_told_from_games_of_different_size() -> None:
    sizes = {"a": 100.0, "b": 140.0}
    games = [name for _ in range(8) for name in ("a", "a", "b")]
    level = [longnight.Sample(1000 * at, sizes[game], 1, game) for at, game in enumerate(games)]
    grows = [one._replace(mb=one.mb + one.frames * 2e-4) for one in level]
    assert abs(longnight.slope(level)) < 1e-6
    assert abs(longnight.slope(grows) - 2.0) < 1e-6
