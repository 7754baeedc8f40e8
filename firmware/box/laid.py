"""The simulated camera of the settings: above a table on which the game that was chosen is laid out, and nobody moves it."""

from __future__ import annotations

import importlib
from collections.abc import Callable

from engines import table_games
from engines.catalogue import house, shipped
from engines.referee import Match
from firmware.states.base import Night, Plan, planned
from hardware.camera.frame import Frame
from hardware.clock import Clock
from hardware.print.faces import boards
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.table import SimulatedTable

SEED = 1


class LaidCamera:
    """Implements the Camera port. ``night()``: the night on hand, None as long as there is none; until a game is to be laid out, the one
    that it would begin with lies there."""

    def __init__(self, night: Callable[[], Night | None], clock: Clock, size: tuple[int, int]) -> None:
        self._night = night
        self._clock = clock
        self._size = size
        self._plan: Plan | None = None
        self._camera: SimulatedCamera | None = None

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def preview(self) -> Frame:
        return self._above().preview()

    def capture(self, not_before: float) -> Frame:
        return self._above().capture(not_before)

    def close(self) -> None:
        """Nothing to give back."""

    def _above(self) -> SimulatedCamera:
        """The camera above the table that is wanted now; another table is laid when another is wanted."""
        night = self._night()
        if night is not None and (night.match is not None or night.place == "setup"):
            plan = _plan(night)
            if plan != self._plan or self._camera is None:
                self._camera, self._plan = self._laid(night.match or planned(night)), plan
        if self._camera is None:
            self._camera = self._laid(_first())
        return self._camera

    def _laid(self, match: Match) -> SimulatedCamera:
        players, catalogue = len(match.names), match.catalogue
        layout = match.game.reading.layout(players, match.options, catalogue)
        deal = importlib.import_module(f"engines.{match.game.id}.dealing").deal
        world = deal(SEED, players, match.first, match.options, catalogue=catalogue)
        table = SimulatedTable(layout, world.setup(), SEED, boards(layout, catalogue))
        table.lay_out()
        return SimulatedCamera(table, self._clock, self._size, SEED)


def _plan(night: Night) -> Plan:
    """What the table is laid out by."""
    match = night.match
    if match is None:
        return night.plan
    return Plan(match.game.id, len(match.names), match.names, match.first, tuple(match.options.items()))


def _first() -> Match:
    game = next(iter(table_games().values()))
    names = tuple(f"player {seat}" for seat in range(1, min(game.players) + 1))
    lacks = game.rules.lacks(len(names), game.defaults, shipped(game.id))
    return Match.begin(game, names, 0, dict(game.defaults), catalogue=(house if lacks else shipped)(game.id))
