"""A whole night by the four keys: from the first question to the first question of the next game, the glass showing what is meant."""

from __future__ import annotations

from pathlib import Path

from firmware.demo import Wish
from tests.keys import PHASES, night


def test_a_night_of_ankh_with_everything_that_is_pressed_for(tmp_path: Path) -> None:
    watched = night(Wish("ankh", seed=3, players=2, mistakes=0.15), tmp_path)
    evening = watched.evening
    diary, match = evening.people.diary, evening.shell.night
    assert not watched.mistaken, "the glass shows what the night means"
    assert evening.tally.wrong == 0 and diary.legal_refused == 0 and diary.illegal_missed == 0
    assert diary.taken_back > 0 and diary.illegal_named > 0
    shown = [screen.name for screen in watched.screens]
    assert shown[0] == "game" and "end" in shown and match.place == "game", "on to the next game"
    assert match.match is None and match.plan.game == "ankh", "with the last answers ready"
    assert watched.presses["questions"] <= 12
    assert sum(watched.presses.values()) <= 1.8 * len(evening.tally.written) + 12
    assert set(watched.presses) <= set(PHASES.values())
