"""What happens on real evenings besides the game: somebody knocks the camera, shoves the box, switches a lamp on or off."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedTable

CHANCES = {"camera": 0.2, "box": 0.2, "lamp": 0.25}
"""Probability per night of each mishap."""
SPAN = (60.0, 420.0)
"""When in a night (s) they happen."""


class Mishaps:
    """A night's mishaps, drawn beforehand; each waits for a moment without hands above the table.

    ``happened`` names them as they come. ``chances`` in place of CHANCES makes them rarer or certain.
    """

    def __init__(
        self,
        table: SimulatedTable,
        camera: SimulatedCamera,
        clock: SimulatedClock,
        seed: int,
        chances: dict[str, float] | None = None,
    ) -> None:
        self._table, self._camera = table, camera
        self._rng = random.Random(f"mishaps {seed}")
        self.happened: list[str] = []
        chances = CHANCES if chances is None else chances
        drawn = [
            (self._rng.uniform(*SPAN), name) for name in sorted(chances) if self._rng.random() < chances[name]
        ]
        start = clock.monotonic()
        self._due = sorted((start + at, name) for at, name in drawn)
        self._ways: dict[str, Callable[[], None]] = {
            "camera": self._knock,
            "box": self._bump,
            "lamp": self._switch,
        }
        clock.on_advance(self._advance)

    def _advance(self, now: float) -> None:
        if self._due and self._due[0][0] <= now and not self._table.hands:
            _, name = self._due.pop(0)
            self._ways[name]()
            self.happened.append(name)

    def _knock(self) -> None:
        self._camera.conditions = knocked(self._camera.conditions, self._rng)

    def _bump(self) -> None:
        dx, dy = way(self._rng, 2.0, 4.0)
        self._table.bump_box(dx, dy, self._rng.uniform(-1.2, 1.2))

    def _switch(self) -> None:
        self._camera.conditions = switched(self._camera.conditions, self._rng)


def way(rng: random.Random, least: float, most: float) -> tuple[float, float]:
    """A step in any direction, ``least`` to ``most`` mm long."""
    turn, far = rng.uniform(0, 2 * math.pi), rng.uniform(least, most)
    return far * math.cos(turn), far * math.sin(turn)


def knocked(conditions: Conditions, rng: random.Random) -> Conditions:
    """The camera (or the mat under it) moved by 3 to 15 mm and turned by up to 3 degrees."""
    dx, dy = way(rng, 3.0, 15.0)
    return replace(
        conditions,
        shift=(conditions.shift[0] + dx, conditions.shift[1] + dy),
        turn=conditions.turn + rng.uniform(-3.0, 3.0),
    )


def switched(conditions: Conditions, rng: random.Random) -> Conditions:
    """Another lamp: dimmer or brighter, colder or warmer, shadows the other way, all still good to read by."""
    return replace(
        conditions,
        light=min(
            1.15, max(0.5, conditions.light * rng.choice((rng.uniform(0.55, 0.8), rng.uniform(1.1, 1.3))))
        ),
        warmth=rng.uniform(-0.9, 0.9),
        gradient=(rng.uniform(-0.15, 0.15), rng.uniform(-0.12, 0.12)),
        lamp=(rng.uniform(-0.6, 0.6), rng.uniform(-0.5, 0.5)),
        shadow=rng.uniform(0.2, 0.5),
    )
