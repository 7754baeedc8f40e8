"""The simulated camera of the settings looks at a table on which the chosen game is laid out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engines import table_games
from engines.table import Table
from firmware import service
from firmware.box import parts
from firmware.box.laid import LaidCamera
from firmware.night import Night, begin
from firmware.settings import DEFAULTS, Settings
from firmware.states.base import Plan, planned
from hardware.clock import SimulatedClock
from vision.plane import Picture

NAMES = ("Ana", "Ben", "Cleo")


def apart(one: Picture, other: Picture) -> float:
    """Grey levels by which two pictures differ in the mean: 2 or 3 by noise alone."""
    return float(np.abs(one.astype(int) - other).mean())


def choosing(game: str, players: int) -> Night:
    """A night at the set-up of that game."""
    night = begin(table_games(), NAMES)[0]
    options = tuple(table_games()[game].defaults.items())
    return replace(night, plan=Plan(game, players, NAMES[:players], 1, options), place="setup")


@pytest.mark.parametrize(("game", "players"), [("ankh", 3), ("archaeology", 2)])
def test_the_game_that_is_chosen_lies_there_and_is_ready(game: str, players: int, tmp_path: Path) -> None:
    night = choosing(game, players)
    settings = Settings({**DEFAULTS.values, "camera.kind": "simulated"})
    keeper = parts.camera(settings, SimulatedClock(), night=lambda: night)
    keeper.open_if_due(0.0)
    assert keeper.part is not None and night.layout is not None
    frame = keeper.part.capture(0.0)
    look = service.make_eyes(settings, tmp_path, night.layout).read(frame.picture, Table())
    assert look.table is not None, look.fault
    assert night.layout.game == game
    assert planned(night).game.reading.differences(planned(night).state, look.table) == ()


def test_another_table_is_laid_for_another_game_and_the_same_one_stays() -> None:
    shown: list[Night | None] = [None]
    camera = LaidCamera(lambda: shown[0], SimulatedClock(), (640, 360))
    first = camera.capture(0.0).picture
    shown[0] = begin(table_games(), NAMES)[0]
    asking = camera._camera
    camera.preview()
    assert camera._camera is asking, "nobody has asked for a game yet"
    shown[0] = choosing("ankh", 2)
    other = camera.capture(0.0).picture
    laid = camera._camera
    assert apart(other, first) > 5
    camera.preview()
    assert camera._camera is laid
    shown[0] = replace(shown[0], match=planned(shown[0]), place="turn")
    assert apart(camera.capture(0.0).picture, other) < 4 and camera.size == (640, 360)
