"""Eyes that take long to be made hold nothing up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from engines.table import Layout
from firmware import texts
from firmware.box.eyesaside import NOT_YET, EyesAside
from firmware.events import Blind, Looked, Pressed, Tick
from firmware.shell import Shell
from hardware.buttons.press import Button
from hardware.print import faces
from tests.firmware.test_shell import LAYOUT, SMALL, Bench, FakeEyes, bench


def making(gate: threading.Event, eyes: Any) -> Callable[[Layout], Any]:
    def make(layout: Layout) -> Any:
        assert gate.wait(10)
        if isinstance(eyes, Exception):
            raise eyes
        return eyes

    return make


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


def aside(gate: threading.Event, eyes: Any) -> tuple[Bench, EyesAside]:
    at = bench(effects=())
    made: list[EyesAside] = []

    def make(layout: Layout) -> Any:
        made.append(EyesAside(making(gate, eyes), layout))
        return made[-1]

    at.shell.new_eyes(make)
    at.buttons.press(Button.REJECT)  # the night asks for a look
    at.run(0.5)
    return at, made[0]


def test_keys_and_time_go_on_while_eyes_are_made_and_then_the_table_is_read() -> None:
    gate = threading.Event()
    at, eyes = aside(gate, at_last := FakeEyes())
    at.run(5)
    assert len(at.events(Tick)) >= 5 and at.events(Blind)[-1].fault == NOT_YET
    assert not at.camera.captures and not at.events(Looked) and eyes.calibration is None
    at.buttons.press(Button.CONFIRM)
    at.run(0.5)
    assert at.shell.night.kept == 1 and len(at.events(Pressed)) == 2
    gate.set()
    until(lambda: eyes._making.done)
    at.run(3)
    assert at.events(Looked) and at.events(Blind)[-1].fault == ""
    assert at_last.expected and eyes.layout == LAYOUT


def test_eyes_that_cannot_be_made_are_a_fault_and_not_the_end() -> None:
    gate = threading.Event()
    at, eyes = aside(gate, RuntimeError("the gallery is gone"))
    gate.set()
    until(lambda: eyes._making.done)
    with pytest.raises(RuntimeError, match="the gallery is gone"):
        eyes.watch(SMALL, 0.0)
    shell: Shell[Any] = at.shell
    shell._failsafe = lambda: (shell.night, ())
    at.run(3)
    assert at.events(Blind)[-1].fault == "other" and len(at.events(Tick)) >= 3


def test_two_are_not_made_at_a_time() -> None:
    gate, begun = threading.Event(), []

    def make(layout: Layout) -> Any:
        begun.append(layout)
        gate.wait(10)
        return FakeEyes()

    both = [EyesAside(make, LAYOUT) for _ in range(2)]
    until(lambda: bool(begun))
    time.sleep(0.05)
    assert len(begun) == 1
    gate.set()
    until(lambda: all(one._making.done for one in both))
    assert len(begun) == 2


def test_the_players_are_asked_to_wait() -> None:
    assert 0 < len(texts.load("en")(f"blind.{NOT_YET}")) <= 21


def test_what_the_eyes_were_made_of_is_let_go() -> None:
    kept: list[int] = []

    def make(layout: Layout) -> Any:
        faces.faces("tanis")
        kept.append(faces._faces.cache_info().currsize)
        return object()

    eyes = EyesAside(make, LAYOUT)
    until(lambda: eyes._making.done)
    assert kept[0] >= 1
    assert faces._faces.cache_info().currsize == 0
