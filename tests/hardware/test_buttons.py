"""Debounce, GPIO and keyboard. P40 bounce, P41 spikes, P42 held at power-up, P37/P45 pin factories."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from gpiozero import InputDevice
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.buttons import KINDS, ButtonSettings, SeveralButtons, open_buttons
from hardware.buttons.debounce import LONG, STEADY, Debounce
from hardware.buttons.gpio import FACTORIES, PINS, GpioButtons, on_a_pi, pin_factory
from hardware.buttons.keyboard import KeyboardButtons
from hardware.buttons.press import Button, ButtonsError, Press
from hardware.clock import SimulatedClock
from hardware.simulated.pins import SimulatedPins

UP = Button.UP


def fed(edges: list[tuple[float, bool]], until: float, step: float = 0.05, down: bool = False) -> list[Press]:
    """Edges into one button, polled every ``step`` s."""
    debounce = Debounce(UP, down, 0.0)
    presses: list[Press] = []
    now, rest = 0.0, list(edges)
    while now <= until:
        while rest and rest[0][0] <= now:
            debounce.edge(*rest.pop(0))
        presses += debounce.poll(now)
        now += step
    return presses


def test_a_clean_press_is_short_and_comes_on_release() -> None:
    assert fed([(1.0, True)], 1.5) == []
    (press,) = fed([(1.0, True), (1.2, False)], 2.0)
    assert (press.button, press.long) == (UP, False)
    assert press.at == pytest.approx(1.2 + STEADY)


def test_a_long_press_comes_while_held_and_only_once() -> None:
    debounce = Debounce(UP)
    debounce.edge(1.0, True)
    assert debounce.poll(1.79) == ()
    (press,) = debounce.poll(1.81)
    assert press == Press(UP, True, 1.8)
    assert debounce.poll(5.0) == ()
    debounce.edge(5.0, False)
    assert debounce.poll(6.0) == ()


@pytest.mark.parametrize(("held", "long"), [(0.7, False), (0.79, False), (0.81, True), (3.0, True)])
@pytest.mark.parametrize("step", [0.01, 0.05, 1.0, 10.0])
def test_how_seldom_it_is_polled_does_not_matter(held: float, long: bool, step: float) -> None:
    assert [press.long for press in fed([(1.0, True), (1.0 + held, False)], 20.0, step)] == [long]


@pytest.mark.parametrize("width", [0.0001, 0.001, 0.01, 0.019])
def test_spikes_are_nothing(width: float) -> None:
    """P41."""
    edges = [edge for n in range(50) for edge in ((1 + 0.1 * n, True), (1 + 0.1 * n + width, False))]
    assert fed(edges, 10.0, 0.003) == []


@pytest.mark.parametrize("width", [0.001, 0.019])
def test_spikes_do_not_end_a_press(width: float) -> None:
    edges = [(1.0, True), (1.3, False), (1.3 + width, True), (1.5, False)]
    assert [press.long for press in fed(edges, 3.0, 0.007)] == [False]


def test_held_at_power_up_is_ignored_until_released() -> None:
    """P42."""
    assert fed([], 10.0, down=True) == []
    assert fed([(5.0, False)], 10.0, down=True) == []
    (press,) = fed([(5.0, False), (6.0, True), (6.2, False)], 10.0, down=True)
    assert press.at == pytest.approx(6.2 + STEADY)


def test_a_bouncing_release_at_power_up_is_no_press() -> None:
    edges = [(5.0, False), (5.004, True), (5.006, False), (5.009, True), (5.012, False)]
    assert fed(edges, 10.0, down=True) == []


def test_late_and_repeated_edges_are_harmless() -> None:
    debounce = Debounce(UP)
    debounce.edge(1.0, True)
    debounce.edge(1.0, True)
    debounce.edge(0.5, True)
    assert debounce.poll(1.5) == ()
    debounce.edge(1.2, False)  # reported late: counts from the last time seen
    assert debounce.poll(1.51) == ()
    assert [press.long for press in debounce.poll(1.6)] == [False]


bounces = st.lists(st.floats(0.0001, 0.015), max_size=12).filter(
    lambda gaps: sum(gaps) < 0.1 and len(gaps) % 2 == 0
)


@settings(max_examples=80, deadline=None)
@given(
    presses=st.lists(st.tuples(st.floats(0.05, 2.0), bounces, bounces, st.floats(0.15, 1.0)), max_size=6),
    step=st.floats(0.01, 0.3),
)
def test_one_press_for_each_bounce_train(
    presses: list[tuple[float, list[float], list[float], float]], step: float
) -> None:
    """P40: however the contact bounces on the way down and up, each press comes once, long if it was held so long."""
    now, edges, expected = 1.0, [], []
    for held, falling, rising, pause in presses:
        started = now
        edges.append((now, True))
        level = True
        for gap in falling:
            now += gap
            level = not level
            edges.append((now, level))
        pressed = now
        now = max(now, started) + held
        edges.append((now, False))
        released, level = now, False
        for gap in rising:
            now += gap
            level = not level
            edges.append((now, level))
        if abs(held - LONG) > 0.11:  # bounce may move a press across the border, never make two of it
            expected.append(held > LONG)
        else:
            expected.append(None)
        assert released - pressed >= 0.0499
        now += pause
    found = [press.long for press in fed(edges, now + 1.0, step)]
    assert len(found) == len(expected)
    assert all(want is None or got == want for got, want in zip(found, expected, strict=True))


@settings(max_examples=100, deadline=None)
@given(gaps=st.lists(st.floats(0.0, 0.0199), max_size=200), step=st.floats(0.01, 0.5))
def test_noise_that_never_rests_is_no_press(gaps: list[float], step: float) -> None:
    now, level, edges = 1.0, False, []
    for gap in gaps:
        level = not level
        edges.append((now, level))
        now += gap
    if level:
        edges.append((now, False))
    assert fed(edges, now + 1.0, step) == []


# -- GPIO ---------------------------------------------------------------------------------------------------


def rig(**options: Any) -> tuple[SimulatedClock, SimulatedPins, GpioButtons]:
    clock = SimulatedClock()
    pins = SimulatedPins(clock, **options)
    return clock, pins, GpioButtons(PINS, pins.factory, clock)


def poll(clock: SimulatedClock, buttons: GpioButtons, seconds: float, step: float = 0.05) -> list[Press]:
    presses: list[Press] = []
    end = clock.monotonic() + seconds
    while clock.monotonic() < end:
        clock.sleep(step)
        presses += buttons.poll(clock.monotonic())
    return presses


@pytest.mark.parametrize("seed", range(20))
def test_simulated_fingers_on_bouncing_contacts(seed: int) -> None:
    clock, pins, buttons = rig(seed=seed)
    chooser = random.Random(seed)
    wanted = [(chooser.choice(list(Button)), chooser.random() < 0.3) for _ in range(15)]
    for button, long in wanted:
        pins.press(button, long)
    found = poll(clock, buttons, 25.0, chooser.choice([0.01, 0.05, 0.4]))
    assert [(press.button, press.long) for press in found] == wanted


def test_two_buttons_at_once_are_two_presses() -> None:
    clock, pins, buttons = rig()
    now = clock.monotonic()
    for button in (Button.CONFIRM, Button.REJECT):
        pins.bounce(button, True, now + 0.1)
        pins.bounce(button, False, now + 0.3)
    found = poll(clock, buttons, 1.0)
    assert {press.button for press in found} == {Button.CONFIRM, Button.REJECT} and len(found) == 2


def test_a_button_held_at_power_up_says_nothing_until_let_go() -> None:
    clock, pins, buttons = rig(held=(Button.DOWN,))
    assert buttons.levels()[Button.DOWN] and not buttons.levels()[UP]
    assert poll(clock, buttons, 5.0) == []
    pins.drive(Button.DOWN, False, clock.monotonic())
    assert poll(clock, buttons, 1.0) == []
    pins.press(Button.DOWN)
    assert [press.button for press in poll(clock, buttons, 1.0)] == [Button.DOWN]


def test_an_edge_that_got_lost_does_not_leave_a_button_hanging() -> None:
    clock, pins, buttons = rig()
    pin = pins.factory.pin(PINS[UP])
    handler = buttons._devices[UP].pin.when_changed
    pins.drive(UP, True, clock.monotonic() + 0.01)
    assert poll(clock, buttons, 0.2) == []
    buttons._devices[UP].pin.when_changed = None  # the library is asleep
    pin.drive_high()
    assert [press.long for press in poll(clock, buttons, 0.2)] == [False]
    buttons._devices[UP].pin.when_changed = handler


def test_gpiozeros_own_debounce_is_off_and_pull_up_on() -> None:
    _, pins, _ = (parts := rig())
    for number in PINS.values():
        pin = pins.factory.pin(number)
        assert pin.bounce is None and pin.pull == "up"
    del parts


def test_a_pin_in_use_or_wrong_is_named_and_the_others_are_let_go() -> None:
    factory = MockFactory()
    taken = InputDevice(22, pull_up=True, pin_factory=factory)
    with pytest.raises(ButtonsError, match="GPIO22") as raised:
        GpioButtons(PINS, factory, SimulatedClock())
    assert all(len(line) <= 21 for line in raised.value.advice.split("\n"))
    taken.close()
    GpioButtons(PINS, factory, SimulatedClock()).close()
    with pytest.raises(ButtonsError, match="GPIO99"):
        GpioButtons({UP: 99}, factory, SimulatedClock())


def test_closing_frees_the_pins() -> None:
    _, pins, buttons = rig()
    buttons.close()
    assert buttons.poll(0.0) == ()
    GpioButtons(PINS, pins.factory, SimulatedClock())


def test_on_a_pc_the_mock_factory_is_taken_without_a_word() -> None:
    """P45: no warning, no fright."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(pin_factory("auto"), MockFactory)
    code = "from hardware.buttons import *; b = open_buttons(ButtonSettings()); print(b.poll(1.0)); b.close()"
    environment = {key: value for key, value in os.environ.items() if key != "GPIOZERO_PIN_FACTORY"}
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "()\n", "")


def test_a_pi_is_known_by_its_device_tree_or_cpuinfo(tmp_path: Path) -> None:
    assert not on_a_pi(tmp_path)
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi Zero 2 W Rev 1.0\0")
    assert on_a_pi(tmp_path)
    (tmp_path / "proc/device-tree/model").write_text("Some other board\0")
    (tmp_path / "proc/cpuinfo").write_text("processor\t: 0\n\nRevision\t: c03115\n")
    assert on_a_pi(tmp_path)


def test_on_a_pi_lgpio_is_named_outright(monkeypatch: pytest.MonkeyPatch) -> None:
    """P36: and not whatever gpiozero falls back to."""
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr("hardware.buttons.gpio.on_a_pi", lambda: True)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(ButtonsError, match="python3-lgpio"):
        pin_factory("auto")


def test_factories_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(pin_factory("mock"), MockFactory)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    assert isinstance(pin_factory("auto"), MockFactory)
    with pytest.raises(ButtonsError, match="lgpio, rpigpio"):
        pin_factory("wiring")
    assert "chip" not in repr(ButtonSettings()) and set(FACTORIES) >= {"lgpio", "mock"}  # P37


def test_a_kernel_time_is_used_and_one_of_another_clock_is_not() -> None:
    clock = SimulatedClock()
    pins = SimulatedPins(clock)
    buttons = GpioButtons({UP: 22}, pins.factory, clock)
    buttons._own_times = True
    handler = buttons._handlers[0]
    handler(clock.monotonic() - 0.3, 0)
    handler(1.7e9, 1)
    assert [at for at, _, _ in buttons._edges] == [clock.monotonic() - 0.3, clock.monotonic()]


def test_a_press_that_is_told_late_is_a_press_all_the_same() -> None:
    """Python was held up for half a minute: both edges are told in one moment, with the times that they had."""
    clock, _, buttons = rig()
    buttons._own_times = True
    clock.advance(40.0)
    handler = buttons._handlers[list(PINS).index(UP)]
    pressed = clock.monotonic() - 30.0
    handler(pressed, 0)
    handler(pressed + 0.15, 1)
    assert [(press.button, press.long) for press in poll(clock, buttons, 0.5)] == [(UP, False)]


# -- keyboard -----------------------------------------------------------------------------------------------


def pseudo_terminal() -> tuple[int, int]:
    """Both ends of a terminal. A bare chroot without devpts has none to give; the keys cannot be tried there."""
    try:
        return os.openpty()
    except OSError as error:
        pytest.skip(
            f"this machine has no pseudo terminals ({error}); mount devpts on /dev/pts to try the keys"
        )


@pytest.fixture
def terminal() -> Any:
    master, slave = pseudo_terminal()
    with os.fdopen(slave, "r") as stream:
        yield master, stream
    os.close(master)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (b"c", [(Button.CONFIRM, False)]),
        (b"\r", [(Button.CONFIRM, False)]),
        (b"r\x7f", [(Button.REJECT, False), (Button.REJECT, False)]),
        (b"\x1b[A\x1b[B", [(Button.UP, False), (Button.DOWN, False)]),
        (b"ud", [(Button.UP, False), (Button.DOWN, False)]),
        (b"CRUD", [(Button.CONFIRM, True), (Button.REJECT, True), (Button.UP, True), (Button.DOWN, True)]),
        (b"\x1b[1;2A", [(Button.UP, True)]),
        (b"lc", [(Button.CONFIRM, True)]),
        (b"l\x1b[Bc", [(Button.DOWN, True), (Button.CONFIRM, False)]),
        (b"lxc", [(Button.CONFIRM, False)]),
        (b"xyz\x1b[Z?", []),
    ],
)
def test_keys(terminal: Any, typed: bytes, expected: list[tuple[Button, bool]]) -> None:
    master, stream = terminal
    keys = KeyboardButtons(stream)
    assert keys.active
    os.write(master, typed)
    presses = keys.poll(7.0)
    assert [(press.button, press.long) for press in presses] == expected
    assert all(press.at == 7.0 for press in presses)
    assert keys.poll(8.0) == ()
    keys.close()


def test_the_terminals_mode_comes_back(terminal: Any) -> None:
    import termios

    _, stream = terminal
    before = termios.tcgetattr(stream.fileno())
    keys = KeyboardButtons(stream)
    assert termios.tcgetattr(stream.fileno())[3] & termios.ICANON == 0
    keys.close()
    assert termios.tcgetattr(stream.fileno())[3] == before[3]
    keys.close()
    assert keys.poll(1.0) == ()


def test_without_a_terminal_there_are_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "stdin"
    path.write_text("cccc")
    with path.open() as stream:
        keys = KeyboardButtons(stream)
        assert not keys.active and keys.poll(1.0) == ()
        keys.close()
    closed = path.open()
    closed.close()
    assert not KeyboardButtons(closed).active


def test_a_terminal_that_hangs_up_ends_the_keys() -> None:
    master, slave = pseudo_terminal()
    with os.fdopen(slave, "r") as stream:
        keys = KeyboardButtons(stream)
        os.close(master)
        assert keys.poll(1.0) == ()
        assert not keys.active


# -- by settings --------------------------------------------------------------------------------------------


def test_buttons_by_name() -> None:
    assert isinstance(open_buttons(ButtonSettings(factory="mock")), GpioButtons)
    assert isinstance(open_buttons(ButtonSettings("keyboard")), KeyboardButtons)
    assert open_buttons(ButtonSettings("none")).poll(1.0) == ()
    both = open_buttons(ButtonSettings("both", factory="mock"))
    assert isinstance(both, SeveralButtons)
    both.close()
    with pytest.raises(ButtonsError, match=", ".join(KINDS)):
        open_buttons(ButtonSettings("touch"))


def test_a_terminal_that_hung_up_has_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import termios

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def fileno(self) -> int:
            return 0

    def hung_up(*_: object) -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(termios, "tcgetattr", hung_up)
    keys = KeyboardButtons(Terminal())
    assert not keys.active
    assert keys.poll(0.0) == ()
    keys.close()
