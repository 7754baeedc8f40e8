"""An OLED of 128 x 64 pixels through luma.oled, over I2C or SPI.

The bus of such a display is a few loose wires: any write can fail with any errno, in the middle of a picture too. Nothing of
that leaves this module. luma's driver is built once, on a line that can be cut: what it sends to set the chip up is kept,
and played again whenever the display answers anew, so a display that lost its power comes back by itself.
"""

from __future__ import annotations

import contextlib
import errno
import importlib
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hardware.clock import Clock, SystemClock
from hardware.display import DRIVERS, INTERFACES, DisplaySettings
from hardware.display.draw import draw, test_picture
from hardware.display.screen import Screen

if TYPE_CHECKING:
    from PIL.Image import Image

_log = logging.getLogger(__name__)

ADDRESSES = (0x3C, 0x3D)  # the two that these chips can have
_NOP, _OFF, _ON = 0xE3, 0xAE, 0xAF  # SSD1306 and SH1106 data sheets, command tables
# A chip that lost contact inside a command takes what follows for its arguments; the longest command has six.
_FLUSH = (_NOP,) * 7
_DIM = 1
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0  # s between attempts to reach a display that is gone
_HEARTBEAT = 2.0  # s; without a write a pulled plug would stay unnoticed
_REFRESH = 30.0  # s; sets a chip up again that lost power for less than a heartbeat; shifts the picture
SHIFTS = ((0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))  # against burn-in, each one pixel from the next


class OledDisplay:
    """``open_bus(number)`` gives an SMBus (default: smbus2's) and may raise OSError.

    Raises ValueError for a driver or an interface that does not exist, and nothing else, ever.
    """

    def __init__(
        self,
        settings: DisplaySettings,
        clock: Clock | None = None,
        open_bus: Callable[[int], Any] | None = None,
    ) -> None:
        for value, known in ((settings.driver, DRIVERS), (settings.interface, INTERFACES)):
            if value not in known:
                raise ValueError(f"display: {value!r} is not known; there are: {', '.join(known)}")
        self._settings = settings
        self._clock = clock if clock is not None else SystemClock()
        self._open_bus = open_bus
        self._errors = _errors(settings)
        self._line = _Line(self._errors)
        self._device: Any = None  # luma's driver; None only while its library is missing
        self._picture: Image | None = None  # what shall be seen
        self._screen: Screen | None = None
        self._sent: bytes | None = None  # what the chip holds; None: not known
        self._fault: str | None = None
        self._shift = 0
        self._dim = self._asleep = False
        now = self._clock.monotonic()
        self._active_at = self._written_at = self._refreshed_at = now
        self._next_try = now
        self._wait = _FIRST_WAIT
        self._reach(now)

    @property
    def fault(self) -> str | None:
        return self._fault

    @property
    def asleep(self) -> bool:
        return self._asleep

    def show(self, screen: Screen) -> None:
        """Show ``screen``; one that differs from the one before also lights up a dim or sleeping display."""
        if screen == self._screen:
            return
        self._screen = screen
        self._picture = draw(screen, SHIFTS[self._shift])
        self._light_up()
        self._send()

    def show_test(self) -> None:
        """Show a frame on the outermost pixels: which chip is it (SH1106 taken for SSD1306 shifts the picture by 2 px)?"""
        self._screen = None
        self._picture = test_picture(self._settings.driver, _where(self._settings))
        self._light_up()
        self._send()

    def tick(self, now: float) -> None:
        if self._fault is not None:
            if now >= self._next_try:
                self._reach(now)
            return
        idle = now - self._active_at
        if self._settings.sleep_after and idle >= self._settings.sleep_after and not self._asleep:
            if self._try(lambda: self._device.hide()):
                self._asleep = True
        elif self._settings.dim_after and idle >= self._settings.dim_after and not self._dim:
            if self._try(lambda: self._device.contrast(_DIM)):
                self._dim = True
        elif now - self._refreshed_at >= _REFRESH and not self._asleep:
            self._refresh(now)
        elif now - self._written_at >= _HEARTBEAT:
            self._try(lambda: self._line.command(_NOP))

    def wake(self) -> bool:
        was_asleep = self._asleep
        self._light_up()
        self._send()
        return was_asleep

    def close(self) -> None:
        """Let go of the bus. The last picture stays on the display on purpose: it says that Thoth is off, or why."""
        self._line.cut()
        self._fault = "the display is closed"
        self._next_try = float("inf")

    def _light_up(self) -> None:
        self._active_at = self._clock.monotonic()
        if self._dim:
            self._dim = False
            self._try(lambda: self._device.contrast(self._settings.brightness))
        if self._asleep:
            self._asleep = False
            self._try(lambda: self._device.show())

    def _send(self) -> None:
        """Put the wanted picture on the chip, unless it holds it already (I2C needs about 0.1 s for one)."""
        picture = self._picture
        if picture is None or self._fault is not None or picture.tobytes() == self._sent:
            return
        self._sent = None

        def write() -> None:
            if self._sent is None:  # setting the chip up again has sent it already
                self._device.display(picture)
                self._sent = picture.tobytes()

        self._try(write)

    def _refresh(self, now: float) -> None:
        self._refreshed_at = now
        self._shift = (self._shift + 1) % len(SHIFTS)
        if self._screen is not None:
            self._picture = draw(self._screen, SHIFTS[self._shift])
        self._try(self._set_up)

    def _try(self, write: Callable[[], object]) -> bool:
        """Run ``write``; after an error set the chip up again and try once more; then call the display lost."""
        if self._fault is not None:
            return False
        try:
            write()
        except self._errors as first:
            _log.info("display: %s, trying again", first)
            self._sent = None
            try:
                self._set_up()
                write()
            except self._errors as error:
                self._lost(error)
                return False
        self._written_at = self._clock.monotonic()
        return True

    def _lost(self, error: BaseException) -> None:
        now = self._clock.monotonic()
        self._line.cut()
        self._sent = None
        self._next_try = now + self._wait
        self._wait = min(2 * self._wait, _LONGEST_WAIT)
        fault = _explained(error, self._settings, self._open_bus)
        if fault != self._fault:
            _log.warning("display: %s", fault)
        self._fault = fault

    def _reach(self, now: float) -> None:
        """Open the bus and set the chip up, as at power-on."""
        try:
            if self._device is None:
                self._device = _driver(self._settings, self._line)
            self._line.join(open_line(self._settings, self._open_bus))
            self._set_up()
        except self._errors as error:
            self._lost(error)
            return
        if self._fault is not None:
            _log.warning("display: answers again")
        self._fault = None
        self._wait = _FIRST_WAIT
        self._refreshed_at = self._written_at = now

    def _set_up(self) -> None:
        """Everything that the chip has to know, then the picture, then light: nothing of it flickers on a chip that is on."""
        self._line.command(*_FLUSH)
        for command in self._line.set_up:
            self._line.command(*command)
        self._device.contrast(_DIM if self._dim else self._settings.brightness)
        if self._picture is None:
            self._device.clear()
        else:
            self._device.display(self._picture)
            self._sent = self._picture.tobytes()
        if not self._asleep:
            self._device.show()


class _Line:
    """luma's serial interface, with a real one behind it or, while cut, nothing.

    What luma sends while its driver is built is kept in ``set_up`` instead of being written. luma also hangs a hook on Python's end
    that blanks the display; cut, it blanks nothing.
    """

    def __init__(self, errors: tuple[type[BaseException], ...]) -> None:
        self._errors = errors
        self._behind: Any = None
        self._recording = True
        self.set_up: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        if self._recording:
            self.set_up.append(command)
        elif self._behind is not None:
            self._behind.command(*command)

    def data(self, data: Any) -> None:
        if self._behind is not None:
            self._behind.data(data)

    def cleanup(self) -> None:
        pass

    def recorded(self) -> None:
        """The driver is built: keep its settings, without the commands that turn the light off and on."""
        self._recording = False
        kept = (tuple(command[1:] if command[0] == _OFF else command) for command in self.set_up)
        self.set_up = [command for command in kept if command and command != (_ON,)]

    def join(self, behind: Any) -> None:
        self.cut()
        self._behind = behind

    def cut(self) -> None:
        behind, self._behind = self._behind, None
        if behind is not None:
            with contextlib.suppress(*self._errors):
                behind.cleanup()


def open_line(settings: DisplaySettings, open_bus: Callable[[int], Any] | None = None) -> Any:
    """luma's serial interface for ``settings``. ``open_bus(number)`` gives an SMBus (default: smbus2's).

    Raises OSError, luma's errors, or ImportError when the bus' library is missing.
    """
    if settings.interface == "spi":
        return _open_spi(settings)
    from luma.core.interface.serial import i2c

    if open_bus is None:
        from smbus2 import SMBus

        open_bus = SMBus
    bus = open_bus(settings.bus)
    line = i2c(bus=bus, address=settings.address)
    line.cleanup = bus.close  # luma leaves a bus open that it did not open itself
    return line


def answering(bus_number: int, open_bus: Callable[[int], Any] | None = None) -> tuple[int, ...]:
    """Which of the two addresses of such displays answer on an I2C bus. Raises OSError if there is no such bus."""
    if open_bus is None:
        from smbus2 import SMBus

        open_bus = SMBus
    bus = open_bus(bus_number)
    found = []
    try:
        for address in ADDRESSES:
            with contextlib.suppress(OSError):
                bus.write_i2c_block_data(address, 0x00, [_NOP])
                found.append(address)
    finally:
        bus.close()
    return tuple(found)


def _driver(settings: DisplaySettings, line: _Line) -> Any:
    device = getattr(importlib.import_module("luma.oled.device"), settings.driver)(
        line, rotate=2 if settings.turned else 0
    )
    device.persist = True
    line.recorded()
    return device


def _open_spi(settings: DisplaySettings) -> Any:
    from luma.core.interface.serial import spi
    from spidev import SpiDev

    from hardware.buttons.gpio import pin_factory

    pins = _SpiPins(pin_factory())
    try:
        return spi(
            spi=SpiDev(),
            gpio=pins,
            port=settings.spi_port,
            device=settings.spi_device,
            gpio_DC=settings.data_pin,
            gpio_RST=settings.reset_pin,
        )
    except BaseException:
        pins.cleanup([])
        raise


class _SpiPins:
    """The two extra pins of an SPI display for luma, through gpiozero: luma's own way is RPi.GPIO, which a Pi 5 does not have."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, direction: int) -> None:
        from gpiozero import DigitalOutputDevice

        self._pins[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, value: int) -> None:
        self._pins[pin].value = bool(value)

    def cleanup(self, pins: list[int]) -> None:
        for device in self._pins.values():
            device.close()
        self._pins.clear()


def _errors(settings: DisplaySettings) -> tuple[type[BaseException], ...]:
    """Everything that a bus, its library or its absence can raise."""
    kinds: tuple[type[BaseException], ...] = (OSError, ImportError)
    with contextlib.suppress(ImportError):
        kinds = (*kinds, importlib.import_module("luma.core.error").Error)
    if settings.interface == "spi":
        from gpiozero import GPIOZeroError

        from hardware.buttons.press import ButtonsError

        kinds = (*kinds, ButtonsError, GPIOZeroError)
    return kinds


def _where(settings: DisplaySettings) -> str:
    if settings.interface == "spi":
        return f"SPI {settings.spi_port}.{settings.spi_device}"
    return f"I2C {settings.bus} 0x{settings.address:02X}"


def _explained(error: BaseException, settings: DisplaySettings, open_bus: Callable[[int], Any] | None) -> str:
    """A sentence with the remedy."""
    where = f"display at {_where(settings)}"
    number = (
        error.errno if isinstance(error, OSError) and error.filename is not None else None
    )  # of opening the bus
    if isinstance(error, ImportError):
        return f"{where}: the library {error.name} is not installed; install it or set another display"
    if settings.interface == "spi":
        return f"{where}: {error}; is SPI switched on (raspi-config), are all seven wires in place?"
    if number == errno.ENOENT:
        return f"{where}: there is no /dev/i2c-{settings.bus}; switch I2C on (sudo raspi-config) or set the right bus"
    if number in (errno.EACCES, errno.EPERM):
        return f"{where}: no access to /dev/i2c-{settings.bus}; add the user to the group i2c"
    try:
        found = answering(settings.bus, open_bus)
    except (OSError, ImportError):
        found = ()
    others = [address for address in found if address != settings.address]
    if settings.address in found:
        return f"{where}: it answers but loses data ({error}); check the wires, shorten them"
    if others:
        return f"{where}: nothing there, but 0x{others[0]:02X} answers; set address = 0x{others[0]:02X}"
    return f"{where}: no answer at 0x3C or 0x3D; check GND, VCC, SDA, SCL"
