"""The event loop: everything that can fail around a night, with fakes for the parts and a small night of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from engines.table import Layout, Piece, Table
from firmware import events
from firmware.box.pace import SIMULATED
from firmware.box.parts import LONGEST_WAIT, Keeper
from firmware.events import Blind, Commit, Effect, Event, Look, Looked, Part, PowerOff, Pressed, Show, Tick
from firmware.shell import Shell
from firmware.written.journal import JournalError
from hardware.buttons.press import Button, Press
from hardware.camera.frame import CameraError, Frame
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen

LAYOUT = Layout("test", 100, 100, (), (), ())
SMALL = np.zeros((4, 6, 3), np.uint8)
LARGE = np.zeros((8, 12, 3), np.uint8)


def table(name: str) -> Table:
    return Table((Piece((name,), "tile", "mine", 1, 1),))


@dataclass
class FakeCamera:
    clock: SimulatedClock
    fault: str | None = None
    captures: list[float] = field(default_factory=list)
    previews: list[float] = field(default_factory=list)
    closed: int = 0
    size: tuple[int, int] = (12, 8)

    def _at(self) -> float:
        if self.fault:
            raise CameraError("broken", self.fault)
        return self.clock.monotonic()

    def preview(self) -> Frame:
        self.previews.append(self.clock.monotonic())
        return Frame(SMALL, self._at())

    def capture(self, not_before: float) -> Frame:
        self.captures.append(not_before)
        return Frame(LARGE, max(self._at(), not_before))

    def close(self) -> None:
        self.closed += 1


@dataclass
class FakeDisplay:
    shown: list[Screen] = field(default_factory=list)
    fault: str | None = None
    asleep: bool = False

    def show(self, screen: Screen) -> None:
        self.shown.append(screen)

    def tick(self, now: float) -> None: ...

    def wake(self) -> bool:
        was, self.asleep = self.asleep, False
        return was

    def close(self) -> None: ...


@dataclass
class FakeButtons:
    waiting: deque[Press] = field(default_factory=deque)

    def press(self, button: Button) -> None:
        self.waiting.append(Press(button))

    def poll(self, now: float) -> tuple[Press, ...]:
        out = tuple(replace(press, at=now) for press in self.waiting)
        self.waiting.clear()
        return out

    def close(self) -> None: ...


@dataclass(frozen=True)
class Sight:
    settled: bool = True
    fault: str | None = None
    changed: bool = False


@dataclass(frozen=True)
class Reading:
    table: Table | None
    fault: str | None = None
    ms: dict[str, float] = field(default_factory=lambda: {"locate": 1.0})


@dataclass
class FakeEyes:
    """Sees what the test puts there."""

    sights: deque[Sight] = field(default_factory=deque)
    readings: deque[Reading] = field(default_factory=deque)
    expected: list[Table] = field(default_factory=list)

    def watch(self, preview: object, at: float) -> Sight:
        return self.sights.popleft() if self.sights else Sight()

    def read(self, picture: object, expected: Table) -> Reading:
        self.expected.append(expected)
        return self.readings.popleft() if self.readings else Reading(table("a"))


@dataclass
class FakeJournal:
    written: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    fault: str | None = None

    def append(self, entries: tuple[tuple[str, str], ...]) -> int:
        if self.fault:
            raise JournalError("no", self.fault)
        self.written.append(entries)
        return len(self.written)


@dataclass(frozen=True)
class Night:
    seen: tuple[Event, ...] = ()
    kept: int = 0


def step(night: Night, event: Event) -> tuple[Night, tuple[Effect, ...]]:
    """CONFIRM commits and shows, REJECT asks for another look, UP stumbles, long DOWN switches off."""
    night = replace(night, seen=(*night.seen, event))
    match event:
        case Pressed(Press(Button.CONFIRM)):
            kept = night.kept + 1
            # Shown first on purpose: the shell must write before it shows.
            return replace(night, kept=kept), (
                Show(Screen("turn", main=str(kept))),
                Commit((("move", str(kept)),)),
            )
        case Pressed(Press(Button.REJECT)):
            return night, (Look(table("a"), LAYOUT),)
        case Pressed(Press(Button.UP)):
            raise RuntimeError("a bug")
        case Pressed(Press(Button.DOWN)):
            return night, (PowerOff(),)
        case Looked() if sum(isinstance(one, Looked) for one in night.seen) == 1:
            return night, (Look(table("b"), LAYOUT),)
    return night, ()


@dataclass
class Bench:
    clock: SimulatedClock
    camera: FakeCamera
    display: FakeDisplay
    buttons: FakeButtons
    eyes: FakeEyes
    journal: FakeJournal
    shell: Shell[Night]

    def run(self, seconds: float) -> None:
        until = self.clock.monotonic() + seconds
        self.shell.run_until(lambda: self.clock.monotonic() >= until)

    def events(self, kind: type) -> list[Any]:
        return [event for event in self.shell.night.seen if isinstance(event, kind)]


def bench(**more: Any) -> Bench:
    clock = SimulatedClock()
    parts = FakeCamera(clock), FakeDisplay(), FakeButtons(), FakeEyes(), FakeJournal()
    camera, display, buttons, eyes, journal = parts
    more = {"step": step, "pace": SIMULATED, "effects": (Look(table("a"), LAYOUT),), **more}
    shell: Shell[Night] = Shell(
        clock, more.pop("camera", camera), display, buttons, lambda _: eyes, journal, Night(), **more
    )
    return Bench(clock, camera, display, buttons, eyes, journal, shell)


def test_a_move_is_written_before_it_is_shown() -> None:
    order: list[str] = []
    at = bench()
    at.journal.append = lambda entries: order.append(f"written {entries[0][1]}") or 1  # type: ignore[method-assign,func-returns-value]
    at.display.show = lambda screen: order.append(f"shown {screen.main}")  # type: ignore[method-assign]
    at.buttons.press(Button.CONFIRM)
    at.run(0.5)
    assert order == ["written 1", "shown 1"]


def test_what_cannot_be_written_has_not_happened() -> None:
    at = bench()
    at.journal.fault = "disk full: free\nspace, try again"
    at.buttons.press(Button.CONFIRM)
    at.run(0.5)
    assert at.shell.night.kept == 0
    assert [screen.name for screen in at.display.shown] == ["fault"]
    assert at.display.shown[0].lines == ("disk full: free", "space, try again")
    at.journal.fault = None
    at.buttons.press(Button.CONFIRM)
    at.run(0.5)
    assert at.journal.written == [(("move", "1"),)]
    assert at.display.shown[-1].main == "1"


def test_a_fact_that_could_not_be_written_is_looked_at_again_and_the_screen_comes_back() -> None:
    def writes_facts(night: Night, event: Event) -> tuple[Night, tuple[Effect, ...]]:
        if isinstance(event, Looked):
            return replace(night, kept=night.kept + 1), (Commit((("reveal", "a1"),)),)
        return night, ()

    at = bench(step=writes_facts, effects=(Show(Screen("turn", "Ana")), Look(table("a"), LAYOUT)))
    at.journal.fault = "disk full: free\nspace, try again"
    at.run(5)
    assert at.shell.night.kept == 0
    assert at.display.shown[-1].main == "Not saved"
    at.journal.fault = None
    at.run(2)
    assert at.shell.night.kept == 1
    assert at.journal.written == [(("reveal", "a1"),)]
    assert at.display.shown[-1].title == "Ana"


def test_a_settled_change_is_read_once_from_a_frame_not_older_than_the_stillness() -> None:
    at = bench()
    at.run(1)
    assert len(at.camera.captures) == 1, "the first Look is carried out without a change"
    at.eyes.sights.extend([Sight(settled=False), Sight(settled=False), Sight(changed=True)])
    at.eyes.readings.append(Reading(table("moved")))
    at.run(3)
    assert len(at.camera.captures) == 2
    assert at.camera.captures[1] in at.camera.previews, "not before the picture that was still"
    looked = at.events(Looked)
    assert [event.table for event in looked] == [table("a"), table("moved")]
    assert looked[1].at >= at.camera.captures[1]
    assert at.eyes.expected[1] == table("b"), "the newest expectation is used"


def test_noise_that_looks_like_change_is_read_less_and_less_and_a_real_change_at_once() -> None:
    at = bench()
    at.run(1)
    at.eyes.sights.extend([Sight(changed=True)] * 1000)
    before = len(at.camera.captures)
    at.run(30)
    assert 4 <= len(at.camera.captures) - before <= 9
    at.eyes.sights.clear()
    at.eyes.sights.extend([Sight(settled=False), Sight(settled=False), Sight(changed=True)])
    count = len(at.camera.captures)
    at.run(1.0)
    assert len(at.camera.captures) == count + 1


def test_a_fault_of_the_picture_is_told_once_and_then_read_again() -> None:
    at = bench()
    at.run(1)
    at.eyes.sights.extend([Sight(False, "hand")] * 8)
    at.run(3)
    assert [event.fault for event in at.events(Blind)] == ["hand", ""]
    assert len(at.events(Looked)) == 2, "after the hand the table is read again even if nothing changed"


def test_a_reading_that_fails_is_tried_again() -> None:
    at = bench()
    at.eyes.readings.extend([Reading(None, "blurred"), Reading(None, "blurred")])
    at.run(3)
    assert [event.fault for event in at.events(Blind)] == ["blurred"]
    assert len(at.camera.captures) == 3
    assert len(at.events(Looked)) == 1


def test_a_second_look_takes_a_new_picture_and_a_new_expectation_does_not() -> None:
    at = bench()
    at.run(1)
    assert len(at.camera.captures) == 1
    at.buttons.press(Button.REJECT)  # expects "a" again after "b"
    at.run(1)
    assert (len(at.camera.captures), len(at.eyes.expected)) == (1, 2), (
        "nothing moved: the same picture serves"
    )
    at.shell._look = Look(table("a"), LAYOUT)
    at.buttons.press(Button.REJECT)
    at.run(1)
    assert len(at.camera.captures) == 2


def test_a_camera_that_goes_away_is_told_tried_again_and_taken_back() -> None:
    at = bench()
    at.run(1)
    at.camera.fault = "no camera:\ncheck the ribbon"
    at.run(20)
    assert [event.advice for event in at.events(Part)] == ["no camera:\ncheck the ribbon"]
    tries = [when for when in at.camera.previews if when > 1001]
    assert 3 <= len(tries) <= 8, "with growing patience"
    at.buttons.press(Button.CONFIRM)
    at.run(1)
    assert at.shell.night.kept == 1, "the night goes on by menu"
    at.camera.fault = None
    before = len(at.events(Looked))
    at.run(LONGEST_WAIT + 1)
    assert at.events(Part)[-1].advice is None
    assert len(at.events(Looked)) == before + 1


def test_a_part_that_cannot_be_opened_is_opened_later() -> None:
    clock_camera: list[FakeCamera] = []
    plugged = False

    def open_camera() -> FakeCamera:
        if not plugged:
            raise CameraError("none", "no camera:\ncheck the ribbon")
        clock_camera.append(FakeCamera(at.clock))
        return clock_camera[-1]

    at = bench(camera=Keeper("camera", open_camera))
    at.run(5)
    assert [event.advice for event in at.events(Part)] == ["no camera:\ncheck the ribbon"]
    plugged = True
    at.run(10)
    assert at.events(Part)[-1].advice is None
    assert len(at.events(Looked)) == 1


def test_a_part_that_keeps_failing_is_closed_and_opened_anew() -> None:
    cameras: list[FakeCamera] = []

    def open_camera() -> FakeCamera:
        cameras.append(FakeCamera(at.clock, "stuck" if not cameras else None))
        return cameras[-1]

    at = bench(camera=Keeper("camera", open_camera))
    at.run(30)
    assert len(cameras) == 2
    assert cameras[0].closed == 1
    assert len(at.events(Looked)) == 1


def test_a_display_that_lost_its_bus_becomes_an_event_and_the_night_goes_on() -> None:
    at = bench()
    at.display.fault = "display: check the\nfour wires"
    at.run(1)
    at.display.fault = None
    at.run(1)
    assert [event.advice for event in at.events(Part)] == ["display: check the\nfour wires", None]


def test_the_press_that_wakes_the_display_does_nothing_else() -> None:
    at = bench()
    at.display.asleep = True
    at.buttons.press(Button.CONFIRM)
    at.run(0.5)
    assert at.shell.night.kept == 0
    at.buttons.press(Button.CONFIRM)
    at.run(0.5)
    assert at.shell.night.kept == 1


def test_without_any_part_it_runs() -> None:
    clock = SimulatedClock()
    shell: Shell[Night] = Shell(
        clock, None, None, None, lambda _: FakeEyes(), FakeJournal(), Night(), step=step
    )
    shell.run_until(lambda: clock.monotonic() > 1005.5)
    assert len([event for event in shell.night.seen if isinstance(event, Tick)]) == 6


def test_switching_off_ends_the_loop_and_nothing_after_it_is_worked_on() -> None:
    at = bench()
    at.buttons.press(Button.DOWN)
    at.buttons.press(Button.CONFIRM)
    at.run(60)
    assert at.shell.off
    assert at.shell.night.kept == 0
    assert at.clock.monotonic() < 1002


def test_a_stumble_of_the_night_is_caught_and_too_many_are_not() -> None:
    def fresh() -> tuple[Night, tuple[Effect, ...]]:
        return Night(), (Show(Screen("fault", main="Sorry")),)

    at = bench(failsafe=fresh)
    for _ in range(3):
        at.buttons.press(Button.UP)
        at.run(0.5)
        assert at.display.shown[-1].main == "Sorry"
    at.buttons.press(Button.UP)
    with pytest.raises(RuntimeError, match="a bug"):
        at.run(0.5)
    strict = bench()
    strict.buttons.press(Button.UP)
    with pytest.raises(RuntimeError):
        strict.run(0.5)


def test_eyes_that_stumble_blind_the_night_for_a_while_only() -> None:
    at = bench(failsafe=lambda: (Night(), ()))
    read: Callable[..., Reading] = at.eyes.read

    def stumbles(picture: object, expected: Table) -> Reading:
        at.eyes.read = read  # type: ignore[method-assign]
        raise ZeroDivisionError

    at.eyes.read = stumbles  # type: ignore[method-assign]
    at.run(5)
    assert [event.fault for event in at.events(Blind)] == ["other"]
    assert len(at.events(Looked)) == 1


def test_times_are_kept_in_bounded_space() -> None:
    at = bench()
    at.run(2)
    assert at.shell.timings.summary("read.locate") == {"p50": 1.0, "p95": 1.0}
    for number in range(5000):
        at.shell.timings.add("x", number)
    assert len(at.shell.timings.kept["x"]) == 1000
    assert at.shell.timings.summary("x") == {"p50": 4500, "p95": 4950}
    assert at.shell.timings.summary("never") == {"p50": 0.0, "p95": 0.0}


def test_every_event_and_effect_is_known_to_the_shell() -> None:
    kinds = {Commit, Show, Look, events.Signal, events.Export, events.Compare, events.Carry, PowerOff}
    assert set(events.Effect.__args__) == kinds


def test_nobody_confirms_what_a_dark_display_does_not_show() -> None:
    at = bench()
    at.run(0.5)
    at.display.fault = "no answer at 0x3C"
    for _ in range(3):
        at.buttons.press(Button.CONFIRM)
        at.run(0.5)
    assert at.shell.night.kept == 0 and not at.journal.written
    at.display.fault = None
    at.buttons.press(Button.CONFIRM)  # it has just come back: nobody has read it yet
    at.run(0.3)
    assert at.shell.night.kept == 0
    at.run(0.5)
    at.buttons.press(Button.CONFIRM)
    at.run(0.3)
    assert at.shell.night.kept == 1


def test_a_driver_that_raises_is_a_part_that_stopped_and_comes_back() -> None:
    at = bench(failsafe=lambda: (Night(), ()))
    at.run(0.5)

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("a driver's own fault")

    polled, ticked = at.buttons.poll, at.display.tick
    at.buttons.poll = broken  # type: ignore[method-assign]
    at.display.tick = broken  # type: ignore[method-assign]
    at.run(3)
    told = [(event.name, event.advice) for event in at.events(Part)]
    assert ("buttons", "buttons stopped:\nsee the log") in told
    assert ("display", "display stopped:\nsee the log") in told
    at.buttons.poll, at.display.tick = polled, ticked  # type: ignore[method-assign]
    at.run(10)
    at.buttons.press(Button.CONFIRM)
    at.run(1)
    assert at.shell.night.kept == 1
    at.display.show = broken  # type: ignore[method-assign]
    at.buttons.press(Button.CONFIRM)
    at.run(1)
    assert at.journal.written[-1] == (("move", "2"),), (
        "what was confirmed is kept, even if it cannot be shown"
    )
