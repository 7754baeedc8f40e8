"""What goes wrong with the parts during a game: the real drivers above simulated devices, the words on the glass, and that it comes back by itself."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engines import table_games
from engines.table import Layout
from firmware.box import parts
from firmware.box.pace import SIMULATED
from firmware.box.parts import LONGEST_WAIT, OPENING, SILENT, Keeper
from firmware.events import Look, Show
from firmware.night import Night, screen
from firmware.settings import Settings
from firmware.shell import Shell
from firmware.written import entries, records
from firmware.written.export import snapshot
from firmware.written.journal import Journal
from hardware.buttons.gpio import RESTLESS, STUCK, GpioButtons
from hardware.buttons.press import Button
from hardware.camera.picamera import IN_USE, NO_CAMERA, STALLED
from hardware.camera.watchful import BLACK, FROZEN, STALE, TORN
from hardware.clock import SimulatedClock
from hardware.display import DisplaySettings
from hardware.display.draw import draw
from hardware.display.oled import SHIFTS, OledDisplay
from hardware.display.screen import Display, Screen
from hardware.simulated.bus import OledChip, SimulatedBus
from hardware.simulated.pins import SimulatedPins
from tests.firmware.evenings import started
from tests.firmware.test_shell import FakeEyes, Reading
from tests.hardware.fake_picamera2 import Picamera2, World, install


@dataclass
class Box:
    """A game that has begun, on the drivers of a Raspberry Pi."""

    clock: SimulatedClock
    world: World
    bus: SimulatedBus
    chip: OledChip
    pins: SimulatedPins
    shell: Shell[Night]
    journal: Journal

    def run(self, seconds: float) -> None:
        until = self.clock.monotonic() + seconds
        self.shell.run_until(lambda: self.clock.monotonic() >= until)

    def press(self, button: Button, long: bool = False) -> None:
        self.pins.press(button, long)
        self.run(2.0 if long else 0.6)

    @property
    def shown(self) -> Screen:
        """What the night shows, once the glass is known to show the same."""
        shown = screen(self.shell.night)
        assert self.chip.picture().tobytes() in {draw(shown, shift).tobytes() for shift in SHIFTS}, shown
        return shown

    def words(self) -> str:
        return " ".join((self.shown.title, self.shown.main, *self.shown.lines))

    def by_menu(self) -> int:
        """A move from the menu, confirmed. How many moves there are then."""
        self.press(Button.CONFIRM, long=True)
        for _ in range(6):
            if self.shell.night.place == "menu":
                self.press(Button.CONFIRM)
        self.press(Button.CONFIRM)
        return self.moves

    @property
    def moves(self) -> int:
        return [kind for kind, _ in self.journal.entries()].count("move")


@pytest.fixture
def at(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    clock = SimulatedClock()
    world = install(monkeypatch, clock)
    world.memory = 10_000
    one = started()
    eyes = FakeEyes()
    eyes.read = lambda picture, expected: Reading(one.truth.table())  # type: ignore[method-assign]
    chip = OledChip()
    bus = SimulatedBus({0x3C: chip})
    pins = SimulatedPins(clock)
    settings = Settings({"camera.kind": "picamera2"})
    display: Keeper[Display] = Keeper(
        "display", lambda: OledDisplay(DisplaySettings(dim_after=0, sleep_after=0), clock, bus.open)
    )
    layout: Layout | None = one.night.layout
    with Journal(tmp_path / "journal.db") as journal:
        journal.append(tuple(one.written))
        shell: Shell[Night] = Shell(
            clock,
            parts.camera(settings, clock),
            display,
            Keeper("buttons", lambda: GpioButtons(factory=pins.factory, clock=clock)),
            lambda _: eyes,
            journal,
            one.night,
            effects=(Show(one.screen), Look(one.night.expected, layout)),
            pace=SIMULATED,
            failsafe=lambda: (one.night, ()),
        )
        box = Box(clock, world, bus, chip, pins, shell, journal)
        box.run(3)
        assert box.shown.name == "turn" and not box.shell.night.parts
        yield box


def unplugged(world: World) -> Callable[[], None]:
    world.cameras = 0
    world.stalled = True

    def back() -> None:
        world.cameras, world.stalled = 1, False

    return back


def scene(name: str) -> Callable[[World], Callable[[], None]]:
    def change(world: World) -> Callable[[], None]:
        world.scene = name

        def back() -> None:
            world.scene, world.frozen_at = "live", 0

        return back

    return change


def stalled(world: World) -> Callable[[], None]:
    world.stalled = True

    def back() -> None:
        world.stalled = False

    return back


def stale(world: World) -> Callable[[], None]:
    world.behind = 30.0

    def back() -> None:
        world.behind = 0.0

    return back


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (unplugged, NO_CAMERA),
        (stalled, STALLED),
        (scene("frozen"), FROZEN),
        (scene("black"), BLACK),
        (scene("torn"), TORN),
        (stale, STALLED),
    ],
    ids=["unplugged", "stalled", "frozen", "black", "torn", "stale"],
)
def test_a_faulty_camera_is_said_the_game_goes_on_by_menu_and_it_is_taken_back(
    at: Box, fault: Callable[[World], Callable[[], None]], words: str
) -> None:
    """P25, P26, P27."""
    back = fault(at.world)
    at.run(40)
    assert words.replace("\n", " ") in at.words()
    assert at.shell.night.table is None, "what was seen before counts no more"
    assert at.by_menu() == 1
    back()
    at.run(LONGEST_WAIT + 3)
    assert not at.shell.night.parts
    assert at.shell.night.table is not None, "the table is read again"


def test_a_camera_that_another_program_holds_is_said_and_taken_when_it_is_free(at: Box) -> None:
    """P23."""
    at.world.stalled = True  # it goes away, and somebody else takes it
    at.run(8)
    held = Picamera2.__init__
    at.world.stalled = False
    at.world.busy = True

    def busy(camera: Picamera2, number: int = 0) -> None:
        at.world.busy = True
        held(camera, number)

    Picamera2.__init__ = busy  # type: ignore[method-assign]
    try:
        at.run(LONGEST_WAIT + 3)
        assert IN_USE.replace("\n", " ") in at.words()
    finally:
        Picamera2.__init__ = held  # type: ignore[method-assign]
    at.world.busy = False
    at.run(LONGEST_WAIT + 3)
    assert not at.shell.night.parts


def test_faults_that_stay_do_not_flicker_on_the_display(at: Box) -> None:
    """A camera is opened anew again and again; the same fault is not forgiven each time."""
    at.world.scene = "black"
    at.run(10)
    told: list[object] = []
    at.shell._observe = lambda before, event, after, effects: (
        told.append(event) if type(event).__name__ == "Part" else None
    )
    at.run(300)
    assert told == []


def test_one_torn_frame_is_left_out_without_a_word(at: Box) -> None:
    at.run(1)
    at.world.scene = "torn"
    real = Picamera2.capture_request
    count = []

    def once(camera: Picamera2, *arguments: Any, **more: Any) -> Any:
        count.append(1)
        if len(count) == 2:
            at.world.scene = "live"
        return real(camera, *arguments, **more)

    Picamera2.capture_request = once  # type: ignore[method-assign]
    try:
        at.run(5)
    finally:
        Picamera2.capture_request = real  # type: ignore[method-assign]
    assert not at.shell.night.parts


def test_a_large_frame_that_is_half_from_elsewhere_is_not_read(at: Box) -> None:
    at.world.scene = "spliced"
    seen = at.shell.night.table
    at.shell._owed, at.shell._fresh = True, False
    at.run(6)
    assert TORN.replace("\n", " ") in at.words()
    at.world.scene = "live"
    at.run(LONGEST_WAIT + 3)
    assert at.shell.night.table == seen and not at.shell.night.parts


def test_the_light_going_out_for_a_moment_is_no_fault_of_the_camera(at: Box) -> None:
    at.world.scene = "black"
    at.run(2)
    at.world.scene = "live"
    at.run(5)
    assert not at.shell.night.parts


def test_a_display_that_is_pulled_out_and_put_back_shows_what_is_due_and_nothing_was_confirmed(
    at: Box,
) -> None:
    """P46, P47."""
    at.bus.unplug()
    at.run(5)
    assert dict(at.shell.night.parts)["display"]
    at.press(Button.CONFIRM, long=True)
    assert at.shell.night.place == "turn", "nobody confirms what cannot be seen"
    at.bus.plug()
    at.run(LONGEST_WAIT + 3)
    assert not at.shell.night.parts
    assert at.shown.name == "turn"
    assert at.by_menu() == 1


def test_a_stuck_button_is_named_and_the_others_go_on(at: Box) -> None:
    now = at.clock.monotonic()
    at.pins.drive(Button.UP, True, now)
    at.run(STUCK + 3)
    assert at.shell.night.place == "score", "it counts as one long press and no more"
    at.press(Button.REJECT)
    assert "UP is stuck: free the button" in at.words()
    assert at.by_menu() == 1
    at.pins.drive(Button.UP, False, at.clock.monotonic())
    at.run(2)
    assert not at.shell.night.parts


def test_a_loose_wire_is_named_and_presses_nothing(at: Box) -> None:
    now = at.clock.monotonic()
    for tick in range(1000):
        at.pins.drive(Button.CONFIRM, tick % 2 == 0, now + tick * 0.01)
    before = at.shell.night.place
    at.run(RESTLESS + 2)
    assert "CONFIRM flickers: check its wires" in at.words()
    at.run(10)
    assert at.shell.night.place == before and at.moves == 0
    assert not at.shell.night.parts


def test_quick_presses_are_no_loose_wire(at: Box) -> None:
    for _ in range(20):
        at.pins.press(Button.UP)
    at.run(6)
    assert not at.shell.night.parts


def test_a_driver_that_does_not_come_back_from_opening_is_said_and_waited_for() -> None:
    import threading

    gate = threading.Event()

    class Part:
        def close(self) -> None: ...

    def slow() -> Part:
        gate.wait(10)
        return Part()

    keeper: Keeper[Part] = Keeper("camera", slow, aside=True)
    assert not keeper.open_if_due(100.0) and keeper.opening
    assert not keeper.open_if_due(100.0 + OPENING)
    assert list(keeper.news) == ["camera does not\nanswer"] and keeper.part is None
    gate.set()
    assert keeper._opening is not None and keeper._opening.wait(5)
    assert keeper.open_if_due(101.0 + OPENING)
    keeper.report(None, 101.0 + OPENING)
    assert keeper.part is not None and keeper.news[-1] is None


def test_the_watchdog_is_not_fed_for_a_part_that_is_silent_without_a_word() -> None:
    class Part:
        def close(self) -> None: ...

    keeper: Keeper[Part] = Keeper("display", Part)
    keeper.open_if_due(10.0)
    keeper.report(None, 10.0)
    assert keeper.attended(10.0 + SILENT)
    assert not keeper.attended(10.1 + SILENT), "not this time"
    assert keeper.news[-1] == "display does not\nanswer"
    assert keeper.attended(10.2 + SILENT), "now it is said"


def test_every_word_about_the_camera_fits() -> None:
    for advice in (STALE, BLACK, FROZEN, TORN):
        lines = advice.split("\n")
        assert len(lines) <= 2 and all(len(line) <= 21 for line in lines), advice


def test_a_clock_that_jumps_by_years_changes_nothing_but_dates(
    at: Box, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """P63: a Pi without a battery begins in 1970 and is set while a game is on."""
    years = iter(["1970-01-01T01:00:05+01:00", "2026-11-30T20:15:00+01:00", "2019-03-01T00:00:00+01:00"])
    for number in (1, 2, 3):
        moment = next(years)
        monkeypatch.setattr("firmware.written.journal._now", lambda moment=moment: moment)
        assert at.by_menu() == number
    played = at.shell.night.match
    assert played is not None
    with snapshot(tmp_path / "journal.db") as journal:
        assert journal.notice is None
        found = entries.replay(table_games(), journal.entries()).match
    assert found is not None and found.moves == played.moves
    nameless = records.file_name(played, "1970-01-01T01:00:05+01:00", 12)
    assert nameless == "night-0012-tanis-ana-ben.txt", (
        "a date that was never set would be another night's as well"
    )
    assert records.file_name(played, "2026-11-30T20:15:00+00:00", 12).startswith("2026-11-30-")


def test_wall_time_is_read_for_records_alone() -> None:
    """P63: whatever waits, waits by the monotonic clock."""
    root = Path(__file__).parents[2]
    read = set()
    for package in ("engines", "vision", "hardware", "firmware"):
        for path in (root / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in WALL:
                    read.add(path.relative_to(root).as_posix())
    assert read == {
        "firmware/written/journal.py",
        "firmware/alone/byhand.py",
        "firmware/box/cargo.py",
        "firmware/doctor/machine.py",
        "firmware/commands/enrol.py",
        "firmware/enrolling/album.py",
    }


WALL = ("time.time", "time.time_ns", "datetime.now", "datetime.datetime.now", "datetime.today", "date.today", "datetime.date.today", "datetime.utcnow")  # fmt: skip
