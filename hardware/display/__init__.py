"""The display: an OLED of 128 x 64 pixels, the same picture in a terminal or as PNG files, or several at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hardware.display.screen import Display, Screen

KINDS = ("oled", "terminal", "png", "none")
DRIVERS = ("ssd1306", "sh1106", "ssd1309")
INTERFACES = ("i2c", "spi")


@dataclass(frozen=True, slots=True)
class DisplaySettings:
    """``bus``/``address``: I2C bus number and address. ``spi_port``/``spi_device``/``data_pin``/``reset_pin`` (BCM): only for SPI.

    ``turned``: the display hangs upside down. ``dim_after``, ``sleep_after``: s without a press or a new screen (0: never).
    ``folder``: where "png" writes.
    """

    kind: str = "oled"
    driver: str = "ssd1306"
    interface: str = "i2c"
    bus: int = 1
    address: int = 0x3C
    spi_port: int = 0
    spi_device: int = 0
    data_pin: int = 24
    reset_pin: int = 25
    turned: bool = False
    brightness: int = 207
    dim_after: float = 120.0
    sleep_after: float = 1800.0
    folder: Path = Path("build/screens")


class NoDisplay:
    """Shows nothing: for a device without a display."""

    fault: str | None = None

    def show(self, screen: Screen) -> None:
        pass

    def tick(self, now: float) -> None:
        pass

    def wake(self) -> bool:
        return False

    def close(self) -> None:
        pass


class SeveralDisplays:
    """The same screens on several displays. Asleep if one of them was."""

    def __init__(self, *parts: Display) -> None:
        self._parts = parts

    @property
    def fault(self) -> str | None:
        faults = [part.fault for part in self._parts if part.fault is not None]
        return "; ".join(faults) or None

    def show(self, screen: Screen) -> None:
        for part in self._parts:
            part.show(screen)

    def tick(self, now: float) -> None:
        for part in self._parts:
            part.tick(now)

    def wake(self) -> bool:
        woken = [part.wake() for part in self._parts]  # every one of them, so no short cut
        return any(woken)

    def close(self) -> None:
        for part in self._parts:
            part.close()


def open_display(settings: DisplaySettings) -> Display:
    """The display that ``settings.kind`` names (a key of KINDS).

    Raises ValueError for a name that does not exist; a device that does not answer raises nothing: see ``Display.fault``.
    """
    if settings.kind == "oled":
        from hardware.display.oled import OledDisplay

        return OledDisplay(settings)
    if settings.kind == "terminal":
        from hardware.display.terminal import TerminalDisplay

        return TerminalDisplay()
    if settings.kind == "png":
        from hardware.display.png import PngDisplay

        return PngDisplay(settings.folder)
    if settings.kind == "none":
        return NoDisplay()
    raise ValueError(f"no display of kind {settings.kind!r}; there are: {', '.join(KINDS)}")
