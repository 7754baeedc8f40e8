"""A few kills of ``python -m tests.kill9``; the full count is run by hand and stands in docs/measurements.md."""

from __future__ import annotations

from pathlib import Path

from tests.kill9 import Watcher, kills


def test_a_night_that_is_killed_resumes_at_the_last_acknowledged_move_or_one_later(tmp_path: Path) -> None:
    found = list(kills(tmp_path, times=5, seed=7))
    assert [kill.fault for kill in found] == [""] * 5
    assert any(kill.acknowledged > 0 for kill in found)


def test_the_watcher_counts_what_the_display_acknowledged() -> None:
    watcher = Watcher()
    proposal = {"screen": "proposal", "title": "Ana takes", "main": "Falcon 7"}
    for line in (proposal, {"press": "confirm"}):
        watcher.sees(line)
    assert watcher.acknowledged == [], "not before the display says so"
    watcher.sees({"screen": "fault", "title": "", "main": "Not saved"})
    assert watcher.acknowledged == []
    for line in (proposal, {"press": "confirm"}, {"screen": "turn", "title": "Ben", "main": ""}):
        watcher.sees(line)
    assert watcher.acknowledged == [("Ana takes", "Falcon 7")]
