"""The OLED driver above a simulated bus and chip. P46 address, P47 bus errors, P48 which chip, P49 burn-in, P50 last message."""

from __future__ import annotations

import atexit
import errno
import gc
import subprocess
import sys
import types
from typing import Any

import pytest
from PIL import ImageChops

from hardware.clock import SimulatedClock
from hardware.display import DRIVERS, DisplaySettings, NoDisplay, SeveralDisplays, open_display
from hardware.display.draw import draw, test_picture
from hardware.display.oled import OledDisplay, answering
from hardware.display.screen import Screen
from hardware.simulated.bus import OledChip, SimulatedBus

# luma.oled reads pixels in a way that Pillow will drop in its version 14
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
test_picture.__test__ = False  # type: ignore[attr-defined]

ANA = Screen("turn", "Ana", "take a tile", (), "", "12:7")
BEN = Screen("turn", "Ben", "take a tile", ("or play a card",), "long CONFIRM: all", "12:9")
# Every errno that an I2C controller driver of the kernel is known to give, and some that it is not.
ERRNOS = [
    errno.EREMOTEIO, errno.EIO, errno.ENXIO, errno.ETIMEDOUT, errno.EAGAIN, errno.EBUSY, errno.EBADF, errno.ENODEV, errno.EPROTO,
    errno.EINVAL, errno.EOPNOTSUPP, errno.ENOMEM, errno.EINTR, errno.ENOENT, errno.EACCES, errno.EPERM, errno.EPIPE, errno.ECONNRESET,
]  # fmt: skip


class Rig:
    def __init__(self, driver: str = "ssd1306", chip: str | None = None, **settings: Any) -> None:
        self.clock = SimulatedClock()
        self.chip = OledChip(chip or driver)
        self.bus = SimulatedBus({0x3C: self.chip})
        self.settings = DisplaySettings(driver=driver, **settings)
        self.display = OledDisplay(self.settings, self.clock, self.bus.open)

    def run(self, seconds: float, step: float = 0.1) -> None:
        end = self.clock.monotonic() + seconds
        while self.clock.monotonic() < end:
            self.clock.sleep(step)
            self.display.tick(self.clock.monotonic())

    def shows(self, screen: Screen) -> bool:
        """Whether the glass shows ``screen``, shifted against burn-in or not."""
        seen = self.chip.picture()
        return any(same(seen, draw(screen, (dx, dy))) for dx in (-1, 0, 1) for dy in (0, 1))


def same(a: Any, b: Any) -> bool:
    return ImageChops.difference(a.convert("L"), b.convert("L")).getbbox() is None


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_glass_shows_exactly_what_was_drawn(driver: str) -> None:
    rig = Rig(driver)
    assert rig.display.fault is None and rig.chip.on
    for screen in (ANA, BEN, Screen("list", "Game", choices=("Ankh", "Tanis"), chosen=1), ANA):
        rig.display.show(screen)
        assert same(rig.chip.picture(), draw(screen))


@pytest.mark.parametrize("driver", DRIVERS)
def test_nothing_is_lit_before_the_first_screen(driver: str) -> None:
    """The memory of a chip holds noise at power-on; it must not be seen."""
    assert Rig(driver).chip.picture().getbbox() is None


def test_upside_down() -> None:
    rig = Rig(turned=True)
    rig.display.show(ANA)
    assert same(rig.chip.picture(), draw(ANA).rotate(180))


@pytest.mark.parametrize("driver", ["ssd1306", "ssd1309"])
def test_the_wrong_chip_shows_in_the_test_picture(driver: str) -> None:
    """P48: an SH1106 taken for another; a side of the frame is missing. With the right driver all four sides are whole."""
    chip = "sh1106"
    wrong, right = Rig(driver, chip), Rig(chip)
    for rig in (wrong, right):
        rig.display.show_test()
    assert same(right.chip.picture(), test_picture(chip, "I2C 1 0x3C"))
    edges = [
        wrong.chip.picture().crop(box)
        for box in ((0, 0, 1, 64), (127, 0, 128, 64), (0, 0, 128, 1), (0, 63, 128, 64))
    ]
    assert any(edge.convert("L").getextrema() != (255, 255) for edge in edges)


def test_equal_screens_and_pictures_are_not_sent_again() -> None:
    rig = Rig()
    rig.display.show(ANA)
    before = rig.bus.transfers
    rig.display.show(ANA)
    rig.display.show(Screen("other name, same picture", "Ana", "take a tile", (), "", "12:7"))
    assert rig.bus.transfers == before
    rig.display.show(BEN)
    assert rig.bus.transfers > before


@pytest.mark.parametrize("code", ERRNOS)
@pytest.mark.parametrize("driver", DRIVERS)
def test_one_error_of_any_kind_is_put_right_at_once(driver: str, code: int) -> None:
    """P47."""
    rig = Rig(driver)
    rig.display.show(ANA)
    rig.bus.fail(code, after=500)
    rig.display.show(BEN)
    assert rig.display.fault is None
    assert rig.shows(BEN)


@pytest.mark.parametrize("code", ERRNOS)
def test_any_error_that_stays_is_told_and_outlived(code: int) -> None:
    rig = Rig()
    rig.display.show(ANA)
    rig.bus.fail(code, after=0, times=20)
    rig.display.show(BEN)
    assert rig.display.fault and "0x3C" in rig.display.fault
    rig.run(300.0, 1.0)
    assert rig.display.fault is None
    assert rig.shows(BEN)


@pytest.mark.parametrize("driver", DRIVERS)
def test_an_error_at_any_byte_is_survived(driver: str) -> None:
    """Broken off anywhere, inside a command too: the chip then takes what follows for arguments."""
    rig = Rig(driver, dim_after=0, sleep_after=0)
    rig.display.show(ANA)
    for after in range(0, 1300, 29):
        rig.bus.fail(errno.EREMOTEIO, after=after)
        screen = BEN if after % 2 else ANA
        rig.display.show(screen)
        rig.run(1.0)
        assert rig.display.fault is None, after
        assert rig.shows(screen), after


def test_a_command_cut_in_the_middle_swallows_nothing() -> None:
    rig = Rig()
    rig.display.show(ANA)
    for head in ([0x21], [0x21, 0], [0x81], [0x22, 0], [0x29], [0x26, 0]):
        rig.chip.receive(0x00, [0xA8, 0x07])  # garbled: only eight rows are left
        rig.chip.receive(0x00, head)
        rig.bus.fail(errno.EIO)
        rig.display.show(BEN)
        assert rig.shows(BEN), head
        rig.display.show(ANA)


def test_pulled_out_and_put_back() -> None:
    rig = Rig()
    rig.display.show(ANA)
    rig.bus.unplug()
    rig.run(5.0)
    assert rig.display.fault and "GND" in rig.display.fault  # noticed without anything new to show
    rig.display.show(BEN)
    rig.run(60.0)
    rig.bus.plug()
    rig.run(31.0)
    assert rig.display.fault is None
    assert rig.shows(BEN)


def test_a_loose_wire_that_was_back_before_anybody_noticed() -> None:
    rig = Rig(dim_after=0, sleep_after=0)
    rig.display.show(ANA)
    rig.bus.unplug()
    rig.bus.plug()
    assert not rig.shows(ANA)
    rig.run(31.0)
    assert rig.shows(ANA)


def test_attempts_grow_rarer_down_to_one_in_half_a_minute() -> None:
    rig = Rig()
    rig.bus.unplug()
    opened: list[float] = []
    rig.run(5.0)
    before = rig.bus.opened
    rig.run(600.0)
    opened.append(rig.bus.opened - before)
    # Each attempt opens the bus twice: to write, and to look who answers.
    assert 600 / 30 <= opened[0] / 2 <= 30
    assert rig.bus.closed == rig.bus.opened


def test_years_without_a_display_need_no_memory() -> None:
    """luma keeps every device it ever made until Python ends; so only one is made."""
    rig = Rig()
    rig.bus.unplug()
    rig.run(100.0, 1.0)
    gc.collect()
    hooks, objects = atexit._ncallbacks(), len(gc.get_objects())
    rig.run(3000.0, 1.0)
    gc.collect()
    assert atexit._ncallbacks() == hooks
    assert len(gc.get_objects()) < objects + 200


def test_no_i2c_no_access_wrong_address_no_wire() -> None:
    """P46: each cause has its own remedy."""

    def fault(simulated: SimulatedBus, **settings: Any) -> str:
        display = OledDisplay(DisplaySettings(**settings), SimulatedClock(), simulated.open)
        display.show(ANA)
        assert display.fault is not None
        return display.fault

    bus = SimulatedBus()
    bus.missing = errno.ENOENT
    assert "raspi-config" in fault(bus)
    bus.missing = errno.EACCES
    assert "group i2c" in fault(bus)
    assert "set address = 0x3D" in fault(SimulatedBus({0x3D: OledChip()}))
    assert "check GND" in fault(SimulatedBus({}))
    assert "/dev/i2c-7" in fault(_missing(errno.ENOENT), bus=7)
    assert answering(1, SimulatedBus({0x3C: OledChip(), 0x3D: OledChip()}).open) == (0x3C, 0x3D)


def _missing(code: int) -> SimulatedBus:
    bus = SimulatedBus()
    bus.missing = code
    return bus


def test_a_display_that_was_not_there_at_the_start_is_taken_when_it_comes() -> None:
    rig_bus = _missing(errno.ENOENT)
    clock = SimulatedClock()
    display = OledDisplay(DisplaySettings(), clock, rig_bus.open)
    display.show(ANA)
    assert display.fault
    rig_bus.missing = None
    clock.sleep(1.0)
    display.tick(clock.monotonic())
    assert display.fault is None
    assert same(rig_bus.chips[0x3C].picture(), draw(ANA))


def test_a_missing_library_is_a_fault_and_not_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "luma.oled.device", None)
    display = OledDisplay(DisplaySettings(), SimulatedClock(), SimulatedBus().open)
    assert display.fault is not None and "luma" in display.fault
    display.show(ANA)
    display.wake()
    display.close()


def test_dim_then_dark_and_any_button_wakes() -> None:
    """P49."""
    rig = Rig(dim_after=60.0, sleep_after=300.0)
    rig.display.show(ANA)
    bright = rig.chip.contrast
    rig.run(61.0)
    assert rig.chip.contrast < bright and rig.chip.on
    assert rig.display.wake() is False  # it was only dim: this press counts
    assert rig.chip.contrast == bright
    rig.run(301.0)
    assert not rig.chip.on and rig.display.asleep
    assert rig.display.wake() is True
    assert rig.chip.on and rig.chip.contrast == bright and rig.shows(ANA)
    assert rig.display.wake() is False


def test_a_new_screen_wakes_and_the_same_one_does_not() -> None:
    rig = Rig(dim_after=60.0, sleep_after=300.0)
    rig.display.show(ANA)
    rig.run(301.0)
    rig.display.show(ANA)
    assert not rig.chip.on
    rig.display.show(BEN)
    assert rig.chip.on and rig.shows(BEN)


def test_never_dim_never_asleep_if_so_set() -> None:
    rig = Rig(dim_after=0.0, sleep_after=0.0)
    rig.display.show(ANA)
    bright = rig.chip.contrast
    rig.run(4000.0, 1.0)
    assert rig.chip.on and rig.chip.contrast == bright


def test_pulled_out_while_asleep_it_comes_back_asleep() -> None:
    rig = Rig(dim_after=60.0, sleep_after=120.0)
    rig.display.show(ANA)
    rig.run(130.0)
    rig.bus.unplug()
    rig.run(20.0)
    assert rig.display.fault
    rig.bus.plug()
    rig.run(40.0)
    assert rig.display.fault is None and not rig.chip.on
    assert rig.display.wake() and rig.shows(ANA)


def test_the_picture_wanders_by_a_pixel_and_stays_whole() -> None:
    rig = Rig(dim_after=0.0, sleep_after=0.0)
    rig.display.show(ANA)
    seen = set()
    for _ in range(14):
        seen.add(rig.chip.picture().tobytes())
        assert rig.shows(ANA)
        rig.run(30.0)
    assert len(seen) == 6


def test_the_last_message_stays_when_closed() -> None:
    """P50: and luma's own hook at the end of Python does not blank it either."""
    rig = Rig()
    off = Screen("poweroff", main="Good night")
    rig.display.show(off)
    rig.display.close()
    rig.display._device.cleanup()  # what luma registers for Python's end
    assert rig.chip.on and rig.shows(off)
    rig.display.show(ANA)
    rig.run(100.0)
    assert rig.shows(off) and rig.bus.closed == rig.bus.opened


def test_above_smbus2_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an ``open_bus`` of ours it is smbus2's SMBus that is opened, with the bus' number."""
    bus = SimulatedBus()
    numbers: list[int] = []

    def opened(number: int) -> SimulatedBus:
        numbers.append(number)
        return bus.open(number)

    monkeypatch.setattr("smbus2.SMBus", opened)
    display = open_display(DisplaySettings(bus=3))
    display.show(ANA)
    assert display.fault is None and set(numbers) == {3}
    assert same(bus.chips[0x3C].picture(), draw(ANA))


class FakeSpi:
    """spidev's SpiDev: what it writes reaches the chip as commands or data by the level of the data pin."""

    chip: OledChip
    data_pin: Any
    fail: OSError | None = None
    opened = 0

    def open(self, port: int, device: int) -> None:
        if FakeSpi.fail is not None:
            raise FakeSpi.fail
        FakeSpi.opened += 1

    def writebytes(self, data: list[int]) -> None:
        if FakeSpi.fail is not None:
            raise FakeSpi.fail
        FakeSpi.chip.receive(0x40 if FakeSpi.data_pin.state else 0x00, data)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("driver", DRIVERS)
def test_over_spi(monkeypatch: pytest.MonkeyPatch, driver: str) -> None:
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    module = types.ModuleType("spidev")
    module.SpiDev = FakeSpi  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    monkeypatch.setattr("hardware.buttons.gpio.pin_factory", lambda: factory)
    FakeSpi.chip, FakeSpi.data_pin, FakeSpi.fail = OledChip(driver), factory.pin(24), None
    clock = SimulatedClock()
    display = OledDisplay(DisplaySettings(driver=driver, interface="spi"), clock)
    display.show(ANA)
    assert display.fault is None
    assert same(FakeSpi.chip.picture(), draw(ANA))
    assert factory.pin(25).state  # reset is let go
    FakeSpi.fail = OSError(errno.EIO, "I/O error")
    display.show(BEN)
    assert display.fault is not None and "SPI" in display.fault
    FakeSpi.fail = None
    clock.sleep(40.0)
    display.tick(clock.monotonic())
    assert display.fault is None and same(FakeSpi.chip.picture(), draw(BEN))


def test_spi_without_its_library_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    display = OledDisplay(DisplaySettings(interface="spi"), SimulatedClock())
    assert display.fault is not None and "spidev" in display.fault


def test_names_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="ssd1306, sh1106, ssd1309"):
        OledDisplay(DisplaySettings(driver="ssd1327"), SimulatedClock(), SimulatedBus().open)
    with pytest.raises(ValueError, match="i2c, spi"):
        OledDisplay(DisplaySettings(interface="uart"), SimulatedClock(), SimulatedBus().open)
    with pytest.raises(ValueError, match="oled, terminal, png, none"):
        open_display(DisplaySettings(kind="paper"))


def test_several_displays_as_one() -> None:
    rig, other = Rig(dim_after=1.0, sleep_after=5.0), NoDisplay()
    both = SeveralDisplays(rig.display, other)
    both.show(ANA)
    assert rig.shows(ANA) and both.fault is None
    for _ in range(100):
        rig.clock.sleep(0.1)
        both.tick(rig.clock.monotonic())
    assert both.wake() and not both.wake()
    rig.bus.unplug()
    both.show(BEN)
    assert both.fault is not None
    both.close()


def test_importing_the_ports_is_light() -> None:
    code = (
        "import sys, hardware.display, hardware.buttons, hardware.clock, hardware.camera, hardware.display.letters\n"
        "print(sorted({'PIL', 'luma', 'gpiozero', 'cv2', 'numpy', 'smbus2', 'picamera2'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
