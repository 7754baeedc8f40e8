"""Somebody in front of the device: looks at its display, presses its buttons, waits for an answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

from hardware.buttons.press import Button
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from hardware.simulated.glances import step_in_list


class Onlooker:
    """Eyes and a finger. ``screen`` is what the display shows, None before the first."""

    def __init__(
        self, press: Callable[[Button, bool], None], clock: SimulatedClock, rng: random.Random
    ) -> None:
        self.screen: Screen | None = None
        self._press, self._clock, self._rng = press, clock, rng

    def see(self, screen: Screen) -> None:
        """The display shows this now."""
        self.screen = screen

    def _until(self, wanted: Callable[[Screen], bool], patience: float) -> Generator[float, None, bool]:
        """Look at the display until it shows what is wanted; False when patience ends."""
        start = self._clock.monotonic()
        while self.screen is None or not wanted(self.screen):
            if self._clock.monotonic() - start > patience:
                return False
            yield 0.15
        return True

    def _push(
        self, button: Button, long: bool = False, patience: float = 3.0
    ) -> Generator[float, None, bool]:
        """Press and wait for another screen; False when it stays, or when it changed under the finger before the press."""
        before = self.screen
        yield self._rng.uniform(0.35, 0.8)
        if self.screen != before:
            return False
        self._press(button, long)
        return (yield from self._changed(before, patience))

    def _changed(self, before: Screen | None, patience: float) -> Generator[float, None, bool]:
        return (yield from self._until(lambda screen: screen != before, patience))

    def _choose(self, wanted: str, name: str) -> Generator[float, None, bool]:
        """Go through a list to a line and choose it. False when the line or the list is not there (any more)."""
        for _ in range(80):
            screen = self.screen
            if screen is None or screen.name != name:
                return False
            step = step_in_list(screen, wanted)
            if step is None:
                return False
            if step == "":
                return (yield from self._push(Button.CONFIRM))
            yield self._rng.uniform(0.15, 0.3)
            self._press(Button.DOWN if step == "down" else Button.UP, False)
            yield from self._changed(screen, 2.0)
        return False
