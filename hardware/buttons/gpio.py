"""Four buttons between a GPIO pin and ground, through gpiozero.

gpiozero's own debounce is not used: on lgpio it delays every edge, on the mock factory it does nothing, and a press at power-up passes it.
The pins' edges go into a queue (they arrive in a thread of the pin library) and ``Debounce`` makes presses of them when polled.
"""

from __future__ import annotations

import importlib
import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hardware.buttons.debounce import LONG, STEADY, Debounce
from hardware.buttons.press import Button, ButtonsError, Press
from hardware.clock import Clock, SystemClock

PINS: Mapping[Button, int] = {Button.CONFIRM: 17, Button.REJECT: 27, Button.UP: 22, Button.DOWN: 23}

# Named outright: left alone, gpiozero tries one library after the other and frightens with a warning for each.
# The chip's number is never a setting: it differs between kernels (gpiochip0, gpiochip4) and the library knows it.
FACTORIES: Mapping[str, tuple[str, str]] = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory"),
    "native": ("gpiozero.pins.native", "NativeFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
}
STUCK, RESTLESS = 20.0, 3.0
"""Seconds for which a button is held, or has no steady level, until that is told."""
_RECENT = 300.0
"""Seconds; an edge's own time further from now than this is of another clock (old kernels count from 1970). A program that is held up, by the
import of OpenCV from a slow card for one, hears of edges half a minute late: taken for new ones, press and release would be one moment, which
is no press."""


def on_a_pi(root: Path = Path("/")) -> bool:
    """Whether this machine has the header's pins: the device tree or cpuinfo says so."""
    try:
        if "Raspberry Pi" in (root / "proc/device-tree/model").read_text(errors="replace"):
            return True
    except OSError:
        pass
    try:
        return "\nRevision" in (root / "proc/cpuinfo").read_text(errors="replace")
    except OSError:
        return False


def pin_factory(name: str = "auto") -> Any:
    """The gpiozero pin factory called ``name`` (a key of FACTORIES).

    "auto": what GPIOZERO_PIN_FACTORY names, else lgpio on a Raspberry Pi and the mock factory (pins that nobody presses)
    elsewhere, without a warning. Raises ButtonsError, with the remedy, when the library is missing or the pins may not be used.
    """
    if name == "auto":
        name = os.environ.get("GPIOZERO_PIN_FACTORY", "").lower() or ("lgpio" if on_a_pi() else "mock")
    if name not in FACTORIES:
        raise ButtonsError(
            f"no pin factory {name!r}; there are: auto, {', '.join(FACTORIES)}",
            "buttons: check the\nsettings",
        )
    module, maker = FACTORIES[name]
    try:
        return getattr(importlib.import_module(module), maker)()
    except ImportError as error:
        raise ButtonsError(
            f"the pin library {name} is not installed ({error}); on a Raspberry Pi: sudo apt install python3-{name}",
            f"buttons: install\npython3-{name}",
        ) from error
    except Exception as error:  # every pin library has exceptions of its own; lgpio's derives from Exception
        raise ButtonsError(
            f"the pins cannot be opened through {name} ({error}); is the user in the group gpio?",
            "buttons: no access to\nthe pins",
        ) from error


class GpioButtons:
    """Four buttons on ``pins`` (BCM numbers, pull-up inside the Pi, pressed = ground).

    ``factory``: an opened gpiozero factory. Raises ButtonsError if a pin cannot be had. Every poll also reads the level itself, so
    that an edge that the library lost does not leave a button hanging.
    """

    def __init__(
        self,
        pins: Mapping[Button, int] = PINS,
        factory: Any | None = None,
        clock: Clock | None = None,
        steady: float = STEADY,
        long: float = LONG,
    ) -> None:
        from gpiozero import InputDevice

        self._clock = clock if clock is not None else SystemClock()
        self._factory = factory if factory is not None else pin_factory()
        self._edges: deque[tuple[float, Button, bool]] = deque()
        self._debounce: dict[Button, Debounce] = {}
        self._devices: dict[Button, Any] = {}
        self._fault: str | None = None
        self._handlers: list[Callable[[float, Any], None]] = []  # gpiozero holds only weak references
        # The mock factory stamps its edges with the machine's clock even if ours is simulated.
        self._own_times = type(self._factory).__name__ != "MockFactory"
        for button, pin in pins.items():
            try:
                device = InputDevice(pin, pull_up=True, pin_factory=self._factory)
                self._devices[button] = device
                device.pin.bounce = None
                device.pin.edges = "both"
                down = not device.pin.state
                self._debounce[button] = Debounce(button, down, self._clock.monotonic(), steady, long)
                handler = self._handler(button)
                self._handlers.append(handler)
                device.pin.when_changed = handler
            except Exception as error:  # as above: lgpio.error, GPIOPinInUse, PinInvalidPin, OSError ...
                self.close()
                raise ButtonsError(
                    f"the {button.value} button cannot use GPIO{pin} ({error}); is another program using it, or is the number wrong?",
                    f"buttons: GPIO{pin} is\nin use or wrong",
                ) from error

    def poll(self, now: float) -> tuple[Press, ...]:
        while self._edges:
            at, button, down = self._edges.popleft()
            self._debounce[button].edge(at, down)
        for button, device in self._devices.items():
            down = not device.pin.state
            if down != self._debounce[button].level:
                self._debounce[button].edge(now, down)
        presses = [press for debounce in self._debounce.values() for press in debounce.poll(now)]
        self._fault = self._faulty(now)
        return tuple(sorted(presses, key=lambda press: press.at))

    @property
    def fault(self) -> str | None:
        """What is wrong with a button, for a player: two lines of 21 characters; None: nothing that shows. As of the last poll."""
        return self._fault

    def _faulty(self, now: float) -> str | None:
        for button, debounce in self._debounce.items():
            if debounce.held(now) >= STUCK:
                return f"{button.name} is stuck:\nfree the button"
            if debounce.restless(now) >= RESTLESS:
                return f"{button.name} flickers:\ncheck its wires"
        return None

    def levels(self) -> dict[Button, bool]:
        """The live level of every button; True is pressed. For the check of the wiring."""
        return {button: not device.pin.state for button, device in self._devices.items()}

    def close(self) -> None:
        for device in self._devices.values():
            device.pin.when_changed = None
            device.close()
        self._devices.clear()

    def _handler(self, button: Button) -> Callable[[float, Any], None]:
        def changed(ticks: float, state: Any) -> None:
            now = self._clock.monotonic()
            # The kernel's own time is better than ours (a busy Pi calls us late), but old kernels count from another zero.
            at = ticks if self._own_times and 0 <= now - ticks < _RECENT else now
            self._edges.append((at, button, not state))

        return changed
