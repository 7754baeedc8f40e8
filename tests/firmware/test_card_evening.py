"""Whole nights of a card game through the simulated camera, on evenings on which things happen."""

from __future__ import annotations

from pathlib import Path

from firmware.demo import Wish, prepare
from firmware.written.journal import Journal
from hardware.clock import SimulatedClock
from hardware.simulated.mishaps import Mishaps


def test_ankh_with_a_knocked_camera_another_lamp_and_confirm_forgotten(tmp_path: Path) -> None:
    """Nobody presses CONFIRM after most moves, rules are broken, the camera is knocked, the lamp switched: the score is right, every
    broken rule is named, and nothing is written that did not happen."""
    clock = SimulatedClock()
    with Journal(tmp_path / "journal.db") as journal:
        evening = prepare(Wish(game="ankh", seed=2, players=2, mistakes=0.2, mishaps=False), clock, journal)
        evening.people._forget = 0.7
        mishaps = Mishaps(evening.table, evening.camera, clock, 3, {"camera": 1.0, "lamp": 1.0})
        evening.shell.run_until(lambda: bool(evening.people.done))
        match, diary = evening.shell.night.match, evening.people.diary
        assert match is not None and match.outcome() is not None
        assert match.score().totals == evening.world.score().totals
        assert evening.tally.wrong == 0 and diary.legal_refused == 0 and diary.illegal_missed == 0
        assert diary.illegal_named == diary.illegal_tried > 0
        assert sorted(mishaps.happened) == ["camera", "lamp"]
        assert diary.first_proposal_right >= 0.95
        evening.shell.close()
