"""The parts of the device, opened by the settings; each may be missing, go away and come back."""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from firmware.box.aside import Aside
from firmware.commands import optics
from firmware.settings import BUTTON_KEYS, Settings
from hardware.camera.frame import CameraError
from hardware.clock import Clock

if TYPE_CHECKING:
    from firmware.states.base import Night
    from hardware.buttons.press import Buttons
    from hardware.camera.frame import Camera, Exposure
    from hardware.camera.watchful import Memory
    from hardware.display.screen import Display
    from hardware.signals.port import Signals

_log = logging.getLogger("thoth")

FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
"""Seconds before a part is tried again: doubled after every failure."""
REOPEN_AFTER = 3
"""Failures in a row after which a part is closed and opened anew; a driver rights small faults itself."""
OPENING = 5.0
"""Seconds after which a part that is still being opened is told to be missing. It is waited for all the same: what hangs in a
driver cannot be called off, and a second attempt beside it would only hang as well."""
SILENT = 15.0
"""Seconds without an answer after which a part that nobody calls missing is called so."""


class Closes(Protocol):
    def close(self) -> None: ...


P = TypeVar("P", bound=Closes)


class Keeper(Generic[P]):
    """Keeps one part: opens it, notes when it fails, tries it again with growing patience.

    ``part`` is None while the part is away. ``news`` holds what changed and was not told yet: advice for the player,
    or None when the part is back. ``aside``: it is opened in a thread of its own.
    """

    def __init__(self, name: str, open_part: Callable[[], P] | None, aside: bool = False) -> None:
        self.name = name
        self.news: deque[str | None] = deque()
        self._open = open_part
        self._aside = aside
        self._opening: Aside[P] | None = None
        self._opening_since = 0.0
        self._answered: float | None = None
        self._opened: P | None = None
        self._advice: str | None = None
        self._detail = ""
        self._failures = 0
        self._due = 0.0

    @classmethod
    def of(cls, name: str, part: P | Keeper[P] | None) -> Keeper[P]:
        """A keeper for a part that is already open, for one that is not wanted (None), or the keeper itself."""
        if isinstance(part, Keeper):
            return part
        keeper: Keeper[P] = Keeper(name, None)
        keeper._opened = part
        return keeper

    @property
    def wanted(self) -> bool:
        """Whether there is such a part at all, be it away or not."""
        return self._open is not None or self._opened is not None

    @property
    def part(self) -> P | None:
        return self._opened if self._due == 0.0 else None

    def open_if_due(self, now: float) -> bool:
        """Open the part, or try it again, when it is time; True when it has just been opened."""
        if now < self._due:
            return False
        self._due = 0.0
        if self._opened is not None or self._open is None:
            return False
        try:
            self._opened = self._open_aside(self._open, now) if self._aside else self._open()
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, the night goes on without the part
            self.failed(getattr(error, "advice", None) or f"no {self.name}: {error}", now, str(error))
            return False
        if self._opened is None:
            return False
        self._answered = now
        return True  # that it is back, its first answer says: many a driver opens what then gives nothing

    def _open_aside(self, open_part: Callable[[], P], now: float) -> P | None:
        """The part when its thread has opened it, None while it is busy. Raises what the driver raised."""
        if self._opening is None:
            self._opening = Aside(f"{self.name}-open", open_part)
            self._opening_since = now
        opening = self._opening
        if not opening.done:
            if now - self._opening_since >= OPENING:
                self._tell(self._silent)
            return None
        self._opening = None
        return opening.result()

    @property
    def _silent(self) -> str:
        return f"{self.name} {'do' if self.name.endswith('s') else 'does'} not\nanswer"

    @property
    def opening(self) -> bool:
        """Whether it is being opened, and nobody knows yet what will come of it."""
        return self._opening is not None and self._advice is None

    @property
    def told(self) -> str | None:
        """What was last said to be wrong with it; None: nothing."""
        return self._advice

    def attended(self, now: float) -> bool:
        """Whether the part is fresh, or the players were told that it is not. One that has been silent for too long is told so now."""
        if self.part is None or self._answered is None or self._advice is not None:
            return True
        if now - self._answered <= SILENT:
            return True
        self.failed(self._silent, now)
        return False

    def failed(self, advice: str, now: float, detail: str = "") -> None:
        """The part did not answer: tell the advice if it is new, and wait before it is tried again. ``detail``: what the driver said, for
        the log, once each time it changes."""
        if detail and detail != self._detail:
            _log.warning("%s: %s", self.name, detail)
        self._detail = detail or self._detail
        self._tell(advice)
        self._failures += 1
        self._due = now + min(FIRST_WAIT * 2 ** (self._failures - 1), LONGEST_WAIT)
        if self._failures >= REOPEN_AFTER and self._open is not None:
            self.close()

    def report(self, fault: str | None, now: float) -> None:
        """The part answered; ``fault`` is what it says of itself (a display that lost its bus goes on trying by itself)."""
        self._answered = now
        self._failures = 0
        self._detail = "" if fault is None else self._detail
        self._tell(fault)

    def close(self) -> None:
        if self._opening is not None:
            Aside(f"{self.name}-close", lambda opening=self._opening: _close_when_open(opening))  # type: ignore[misc]
            self._opening = None
        if self._opened is not None:
            with contextlib.suppress(Exception):
                self._opened.close()
            if self._open is not None:
                self._opened = None

    def _tell(self, advice: str | None) -> None:
        if advice != self._advice:
            self._advice = advice
            self.news.append(advice)


def _close_when_open(opening: Aside[P]) -> None:
    """A part that nobody wants any more, closed as soon as its driver has let go of it."""
    opening.wait(1e6)
    opening.result().close()


# -- the parts of the settings ---------------------------------------------------------------------------

NO_CAMERA = "No camera:\nmoves by menu"


def camera(
    settings: Settings,
    clock: Clock,
    exposure: Callable[[], Exposure | None] = lambda: None,
    aside: bool = False,
    mat: bool = True,
    night: Callable[[], Night | None] = lambda: None,
) -> Keeper[Camera]:
    """The camera that the settings name, not opened yet; ``exposure``: what to hold it at whenever it is opened; ``aside``: it is opened
    in a thread of its own; ``mat``: whether it looks at a mat, or at a larger table, of which it takes a larger picture as long as there
    is memory for it; ``night()``: for whose game a simulated table is laid out."""
    least = settings.number("camera.width"), settings.number("camera.height")
    size = optics.picture(least, mat)
    remembered: list[Memory] = []

    def picamera2() -> Camera:
        from hardware.camera.picamera import NO_MEMORY, PicameraCamera
        from hardware.camera.watchful import Memory, WatchfulCamera

        if not remembered:
            remembered.append(Memory())
        try:
            real = PicameraCamera(size, exposure(), clock=clock)
        except CameraError as error:
            if error.advice != NO_MEMORY or size == least:
                raise
            real = PicameraCamera(least, exposure(), clock=clock)  # The eyes say whether that will do.
        return WatchfulCamera(real, clock, settings.number("camera.frozen_after"), remembered[0])

    def folder() -> Camera:
        from hardware.camera.folder import FolderCamera

        return FolderCamera(Path(settings.text("camera.folder")).expanduser(), clock, size)

    def simulated() -> Camera:
        from firmware.box.laid import LaidCamera

        return LaidCamera(night, clock, size)

    kinds = {"picamera2": picamera2, "folder": folder, "simulated": simulated}
    kind = settings.kind("camera.kind")
    if kind == "none":
        keeper: Keeper[Camera] = Keeper("camera", None)
        keeper.news.append(NO_CAMERA)
        return keeper
    return Keeper("camera", kinds[kind], aside)


def display(settings: Settings) -> Keeper[Display]:
    """The display that the settings name, not opened yet; none: the log says what it would show."""

    driver = settings.kind("display.driver")
    if driver == "none":
        return Keeper("display", None)

    def opened() -> Display:
        from hardware.display import DRIVERS, DisplaySettings, open_display

        oled = driver in DRIVERS
        return open_display(
            DisplaySettings(
                kind="oled" if oled else driver,
                driver=driver if oled else DRIVERS[0],
                interface=settings.text("display.interface"),
                bus=settings.number("display.bus"),
                address=settings.number("display.address"),
                spi_port=settings.number("display.bus"),
                spi_device=settings.number("display.device"),
                data_pin=settings.number("display.dc"),
                reset_pin=settings.number("display.reset"),
                turned=settings.flag("display.upside_down"),
                dim_after=settings.number("display.dim_after"),
                sleep_after=settings.number("display.sleep_after"),
                folder=Path(settings.text("display.folder")).expanduser(),
            )
        )

    return Keeper("display", opened)


def buttons(settings: Settings) -> Keeper[Buttons]:
    """The buttons that the settings name, not opened yet."""

    def gpio() -> Buttons:
        from hardware.buttons.gpio import GpioButtons, pin_factory
        from hardware.buttons.press import Button

        pins = {Button(key.rpartition(".")[2]): settings.number(key) for key in BUTTON_KEYS}
        return GpioButtons(pins, pin_factory(settings.text("buttons.factory")))

    def keyboard() -> Buttons:
        from hardware.buttons.keyboard import KeyboardButtons

        return KeyboardButtons()

    kind = settings.kind("buttons.kind")
    if kind == "none":
        return Keeper("buttons", None)
    return Keeper("buttons", gpio if kind == "gpio" else keyboard)


def signals(settings: Settings, clock: Clock) -> Keeper[Signals]:
    """Light and sound on the pins that the settings name, not opened yet; without a pin there is neither."""
    led, buzzer = (settings.number(key) or None for key in ("signals.led", "signals.buzzer"))
    if led is None and buzzer is None:
        return Keeper("signals", None)

    def gpio() -> Signals:
        from hardware.buttons.gpio import pin_factory
        from hardware.signals.gpio import GpioSignals
        from hardware.signals.port import KINDS

        ways = {kind: settings.text(f"signals.{kind}") for kind in KINDS}
        factory = pin_factory(settings.text("buttons.factory"))
        return GpioSignals(led, buzzer, factory, clock, settings.flag("signals.passive"), ways)

    return Keeper("signals", gpio)
