"""A LED and a buzzer on GPIO pins, through gpiozero.

gpiozero's own blinking runs in threads and by the machine's clock. Here a signal is a row of levels with the times until which each
holds, and ``tick`` sets the pins: nothing runs that could outlive the program with a buzzer on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from hardware.clock import Clock, SystemClock
from hardware.signals.port import KINDS, SignalsError

PATTERNS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "confirmed": ((0.08, 0.0),),
    "turn": ((0.08, 0.12), (0.08, 0.0)),
    "illegal": ((0.15, 0.1), (0.15, 0.1), (0.15, 0.0)),
    "fault": ((0.6, 0.2), (0.6, 0.0)),
}
"""For each kind its pulses: s on, s off. Told apart by number and length alone, so that a buzzer with one tone will do."""
LIGHT_LONGER = 4.0
"""A light is on this many times as long as a tone: an eye has to be caught first."""
_PAUSE = 0.3  # s between two signals
_LONGEST = 3  # signals that may wait; older ones are dropped
TONE = 2000.0  # Hz; where small piezo discs are loudest, 2-4 kHz
WAYS = ("both", "light", "sound", "none")


class GpioSignals:
    """``led``, ``buzzer``: BCM numbers, None: there is none. ``passive``: the buzzer needs a tone (a piezo disc), else only power.

    ``ways``: for each kind one of WAYS (default "both"). ``factory``: an opened gpiozero factory. Raises SignalsError if a pin
    cannot be had.
    """

    def __init__(
        self,
        led: int | None,
        buzzer: int | None,
        factory: Any,
        clock: Clock | None = None,
        passive: bool = False,
        ways: Mapping[str, str] | None = None,
    ) -> None:
        self._clock = clock if clock is not None else SystemClock()
        self._ways = dict(ways or {})
        self._factory = factory
        self._lines: dict[str, _Line] = {}
        for name, pin in (("light", led), ("sound", buzzer)):
            if pin is None:
                continue
            try:
                self._lines[name] = _Line(_device(name, pin, factory, passive), name)
            except Exception as error:  # every pin library has exceptions of its own
                self.close()
                raise SignalsError(
                    f"the {'LED' if name == 'light' else 'buzzer'} cannot use GPIO{pin} ({error}); is another program using it, "
                    "or is the number wrong?",
                    f"{name}: GPIO{pin} is\nin use or wrong",
                ) from error

    def give(self, kind: str) -> None:
        """Begin the signal of ``kind`` (one of KINDS), behind what still goes on. Raises ValueError for another one."""
        if kind not in KINDS:
            raise ValueError(f"no signal {kind!r}; there are: {', '.join(KINDS)}")
        way = self._ways.get(kind, "both")
        for name, line in self._lines.items():
            if way in ("both", name):
                line.add(PATTERNS[kind], self._clock.monotonic())

    def tick(self, now: float) -> None:
        for line in self._lines.values():
            line.tick(now)

    def close(self) -> None:
        """Dark and silent, and the pins given back."""
        for line in self._lines.values():
            line.close()
        self._lines.clear()


class _Line:
    """One pin and what it still has to do: (level, until when in monotonic s)."""

    def __init__(self, device: Any, name: str) -> None:
        self._device = device
        self._stretch = LIGHT_LONGER if name == "light" else 1.0
        self._plan: deque[deque[tuple[bool, float]]] = deque()
        self._until = 0.0
        self._on = False

    def add(self, pulses: tuple[tuple[float, float], ...], now: float) -> None:
        if not self._plan:
            self._until = now
        steps: deque[tuple[bool, float]] = deque()
        for on, off in pulses:
            steps.append((True, on * self._stretch))
            steps.append((False, (off or _PAUSE) * self._stretch))
        self._plan.append(steps)
        while len(self._plan) > _LONGEST:
            del self._plan[1]
        self.tick(now)

    def tick(self, now: float) -> None:
        while self._plan and now >= self._until:
            steps = self._plan[0]
            if not steps:
                self._plan.popleft()
                continue
            level, seconds = steps.popleft()
            # From the moment it is due, not from a late tick on; but a tick that is very late does not swallow a pulse.
            self._until = max(self._until, now - 0.05) + seconds
            self._set(level)
        if not self._plan and self._on:
            self._set(False)

    def _set(self, on: bool) -> None:
        if on != self._on:
            self._on = on
            self._device.value = (0.5 if self._device.pwm else 1) if on else 0

    def close(self) -> None:
        self._device.close()


class _Output:
    """gpiozero's device for a pin; ``pwm``: it gives a tone at half of its level."""

    def __init__(self, device: Any, pwm: bool) -> None:
        self._device = device
        self.pwm = pwm

    @property
    def value(self) -> float:
        return float(self._device.value)

    @value.setter
    def value(self, level: float) -> None:
        self._device.value = level

    def close(self) -> None:
        self._device.off()
        self._device.close()


def _device(name: str, pin: int, factory: Any, passive: bool) -> _Output:
    from gpiozero import DigitalOutputDevice, PWMOutputDevice

    if name == "sound" and passive:
        return _Output(PWMOutputDevice(pin, frequency=TONE, pin_factory=factory), pwm=True)
    return _Output(DigitalOutputDevice(pin, pin_factory=factory), pwm=False)
