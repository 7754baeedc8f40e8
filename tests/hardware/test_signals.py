"""Light and sound: the driver above simulated pins, and that they are heard when they should be."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.box import parts
from firmware.box.parts import Keeper
from firmware.events import Look, Signal
from firmware.settings import Settings, check
from hardware.clock import SimulatedClock
from hardware.signals.gpio import LIGHT_LONGER, PATTERNS, GpioSignals
from hardware.signals.port import KINDS, Signals, SignalsError
from tests.firmware.test_shell import LAYOUT, Night, bench, table

LED, BUZZER = 5, 6


class Ears:
    """Listens to a pin: when it was on, in s."""

    def __init__(self, **more: Any) -> None:
        self.clock = SimulatedClock()
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.signals = GpioSignals(LED, BUZZER, self.factory, self.clock, **more)
        self.began = self.clock.monotonic()
        self.heard: dict[int, list[tuple[float, float]]] = {LED: [], BUZZER: []}

    def level(self, pin: int) -> float:
        return float(self.factory.pin(pin).state)

    def listen(self, seconds: float, beat: float = 0.02) -> None:
        for _ in range(round(seconds / beat)):
            for pin in self.heard:
                self.heard[pin].append((self.clock.monotonic() - self.began, self.level(pin)))
            self.clock.advance(beat)
            self.signals.tick(self.clock.monotonic())

    def pulses(self, pin: int) -> list[float]:
        """How long each pulse was, in s."""
        runs = itertools.groupby(self.heard[pin], key=lambda one: one[1] > 0)
        return [len(list(run)) * 0.02 for on, run in runs if on]


def test_every_kind_has_a_pattern_and_no_two_are_alike() -> None:
    assert set(PATTERNS) == set(KINDS)
    heard = {}
    for kind in KINDS:
        ears = Ears()
        ears.signals.give(kind)
        ears.listen(8)
        heard[kind] = (len(ears.pulses(BUZZER)), round(max(ears.pulses(BUZZER)), 1))
        assert ears.pulses(BUZZER) == pytest.approx([on for on, _ in PATTERNS[kind]], abs=0.041)
        assert ears.pulses(LED) == pytest.approx([on * LIGHT_LONGER for on, _ in PATTERNS[kind]], abs=0.041)
        assert ears.level(LED) == ears.level(BUZZER) == 0
    assert len(set(heard.values())) == len(KINDS)


def test_signals_that_follow_each_other_stay_apart_and_do_not_pile_up() -> None:
    ears = Ears()
    for _ in range(50):
        ears.signals.give("illegal")
    ears.listen(12)
    assert len(ears.pulses(BUZZER)) == 9, "three of them wait at the most"
    assert ears.level(BUZZER) == 0


def test_a_loop_that_comes_late_swallows_no_pulse_and_leaves_nothing_on() -> None:
    ears = Ears()
    ears.signals.give("turn")
    changes = []
    for _ in range(12):
        ears.clock.advance(0.9)  # a picture is being read
        ears.signals.tick(ears.clock.monotonic())
        changes.append(ears.level(BUZZER))
    assert sum(changes) >= 1 and changes[-1] == 0


def test_a_kind_can_be_light_or_sound_alone_or_nothing() -> None:
    ears = Ears(ways={"confirmed": "light", "turn": "sound", "fault": "none"})
    for kind, light, sound in (("confirmed", 1, 0), ("turn", 0, 2), ("fault", 0, 0), ("illegal", 3, 3)):
        ears.heard = {LED: [], BUZZER: []}
        ears.signals.give(kind)
        ears.listen(6)
        assert (len(ears.pulses(LED)), len(ears.pulses(BUZZER))) == (light, sound), kind
    with pytest.raises(ValueError, match="no signal"):
        ears.signals.give("party")


def test_a_bare_piezo_disc_gets_a_tone() -> None:
    ears = Ears(passive=True)
    ears.signals.give("fault")
    ears.signals.tick(ears.clock.monotonic())
    assert ears.level(BUZZER) == pytest.approx(0.5)
    assert ears.factory.pin(BUZZER).frequency == 2000
    ears.listen(4)
    assert ears.level(BUZZER) == 0


def test_closed_is_dark_silent_and_gives_the_pins_back() -> None:
    ears = Ears()
    ears.signals.give("fault")
    ears.signals.tick(ears.clock.monotonic())
    assert ears.level(BUZZER) == 1
    ears.signals.close()
    assert ears.level(BUZZER) == 0
    GpioSignals(LED, BUZZER, ears.factory, ears.clock).close()


def test_a_pin_that_is_taken_is_advice_and_gives_the_other_back() -> None:
    factory = MockFactory()
    first = GpioSignals(None, BUZZER, factory)
    with pytest.raises(SignalsError) as told:
        GpioSignals(LED, BUZZER, factory)
    assert told.value.advice == f"sound: GPIO{BUZZER} is\nin use or wrong"
    first.close()
    GpioSignals(LED, BUZZER, factory).close()


def test_they_are_off_by_default_and_named_in_the_settings() -> None:
    assert not parts.signals(Settings({}), SimulatedClock()).wanted
    settings, faults = check('[signals]\nled = 5\nbuzzer = 6\nturn = "light"\n[buttons]\nfactory = "mock"\n')
    assert not faults
    keeper = parts.signals(settings, SimulatedClock())
    keeper.open_if_due(0.0)
    assert keeper.part is not None
    keeper.part.give("turn")
    keeper.close()
    _, faults = check("[signals]\nled = 17\n[buttons]\nconfirm = 17\n")
    assert "already used" in str(faults[0])
    assert not check('[signals]\nled = 17\n[buttons]\nkind = "keyboard"\n')[1]


def test_the_shell_gives_them_and_goes_on_without_them() -> None:
    class Lamp:
        def __init__(self) -> None:
            self.given: list[str] = []
            self.broken = False

        def give(self, kind: str) -> None:
            if self.broken:
                raise OSError("a wire")
            self.given.append(kind)

        def tick(self, now: float) -> None: ...
        def close(self) -> None: ...

    lamp = Lamp()

    def step(night: Night, event: object) -> tuple[Night, tuple[Any, ...]]:
        return night, (Signal("turn"),) if type(event).__name__ == "Looked" else ()

    keeper: Keeper[Signals] = Keeper("signals", lambda: lamp)
    at = bench(step=step, signals=keeper, failsafe=lambda: (Night(), ()))
    at.run(1)
    assert lamp.given == ["turn"]
    at.shell.remind()
    assert lamp.given == ["turn", "turn"]
    lamp.broken = True
    at.shell.remind()
    at.run(0.5)
    assert keeper.told == "signals stopped:\nsee the log"
    lamp.broken = False
    at.run(3)
    assert keeper.told is None
    assert Look(table("a"), LAYOUT)
