"""Four buttons of real metal, simulated: gpiozero's mock pins, driven by a simulated clock with bounce at every contact.

The unmodified GPIO driver and its debounce run above these pins; nothing but levels and times goes through them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from hardware.buttons.gpio import PINS
from hardware.buttons.press import Button
from hardware.clock import SimulatedClock

SHORT_HELD = 0.12  # s
LONG_HELD = 1.1  # s
_BOUNCE = 0.008  # s; cheap push buttons settle within 1-6 ms, worn ones take longer


class SimulatedPins:
    """``factory`` goes to GpioButtons; ``press`` plays the finger. ``held``: buttons that are down at power-up."""

    def __init__(
        self,
        clock: SimulatedClock,
        pins: Mapping[Button, int] = PINS,
        seed: int = 0,
        held: tuple[Button, ...] = (),
    ) -> None:
        from gpiozero.pins.mock import MockFactory

        self.factory: Any = MockFactory(pin_class=_contact_pin())
        self._clock = clock
        self._random = random.Random(seed)
        self._pins: dict[Button, Any] = {button: self.factory.pin(pin) for button, pin in pins.items()}
        self._free_at = clock.monotonic()
        for button, pin in self._pins.items():
            pin.pull = "up"
            if button in held:
                pin.touch(True)

    def press(self, button: Button, long: bool = False) -> float:
        """Press and let go, beginning now or when the finger is free again; gives the time of the release in monotonic s."""
        start = max(self._clock.monotonic(), self._free_at)
        end = start + (LONG_HELD if long else SHORT_HELD)
        self.bounce(button, True, start)
        self.bounce(button, False, end)
        self._free_at = end + 2 * _BOUNCE + 0.04
        return end

    def bounce(self, button: Button, down: bool, at: float) -> None:
        """Plan a change of level at ``at`` with a random train of bounces behind it that ends at the new level."""
        edges = sorted(self._random.uniform(0.0, _BOUNCE) for _ in range(2 * self._random.randint(0, 6)))
        for index, offset in enumerate((0.0, *edges)):
            self.drive(button, down if index % 2 == 0 else not down, at + offset)

    def drive(self, button: Button, down: bool, at: float) -> None:
        """Plan one clean change of level at ``at``."""
        self._clock.call_at(at, lambda: self._pins[button].touch(down))

    def level(self, button: Button) -> bool:
        """Whether the button's contact is closed now."""
        return not self._pins[button].state


def _contact_pin() -> Any:
    """The class of a mock pin with a contact to ground on it: closed, it is stronger than any pull-up."""
    from gpiozero.pins.mock import MockPin

    class ContactPin(MockPin):  # type: ignore[misc]
        closed = False

        def touch(self, closed: bool) -> None:
            self.closed = closed
            (self.drive_low if closed else self.drive_high)()

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self.closed:
                self.drive_low()

    return ContactPin
