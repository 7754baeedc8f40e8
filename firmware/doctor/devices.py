"""Camera, buttons, display, light and sound: what only the thing itself can tell."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.box import parts
from firmware.doctor.base import FAIL, OK, STOP_FIRST, WARN, Facts, Line, Lines
from firmware.settings import BUTTON_KEYS
from hardware.camera.frame import CameraError
from hardware.clock import SystemClock

if TYPE_CHECKING:
    from hardware.camera.frame import Camera, Picture

CAMERA_REMEDIES = {
    "ribbon": "switch off; push the ribbon in at both ends, its contacts towards those of the socket; then: rpicam-hello --list-cameras",
    "another": "end what uses it: sudo systemctl stop thoth, or sudo fuser -v /dev/video*",
    "installation": "sudo apt install python3-picamera2, and an environment that sees the system's packages",
    "memory": "restart; a smaller camera.width, or cma-128 in /boot/firmware/config.txt",
    "picture": "check the folder in camera.folder",
}


def camera(facts: Facts) -> Lines:
    kind = facts.settings.kind("camera.kind")
    if kind == "none":
        yield Line(
            "camera", WARN, "none is set: moves by menu", 'connect one and write kind = "auto" below [camera]'
        )
        return
    if facts.running:
        yield Line("camera", OK, f"held by the service that is running; {STOP_FIRST}")
        return
    keeper = parts.camera(facts.settings, SystemClock())
    keeper.open_if_due(0.0)
    if (opened := keeper.part) is None:
        yield from _unopened(keeper.told or "")
        return
    try:
        yield from _seen(opened)
    finally:
        keeper.close()


def _unopened(advice: str) -> Lines:
    said = advice.replace("\n", " ")
    remedy = next(
        (text for key, text in CAMERA_REMEDIES.items() if key in said),
        "switch off and on; then sudo dmesg | tail",
    )
    yield Line("camera", FAIL, said, remedy)


def _seen(opened: Camera) -> Lines:
    try:
        opened.preview()
        began = time.monotonic()
        large = opened.capture(began)
    except CameraError as error:
        yield Line("camera", FAIL, str(error), CAMERA_REMEDIES["ribbon"])
        return
    width, height = opened.size
    yield Line("camera", OK, f"{width} x {height}, a large picture in {time.monotonic() - began:.2f} s")
    yield from picture(large.picture)


def picture(large: Picture) -> Lines:
    """Exposure, focus, mat in view: told of a picture (height, width, 3) uint8 BGR."""
    from engines import table_games
    from vision import quality
    from vision.locate import detect
    from vision.mat import markers

    light = quality.brightness(large)
    advice = {
        "dark": "more light; two lamps from the sides",
        "bright": "less light, or take the lamp away from the camera",
    }
    yield Line(
        "exposure",
        WARN if light else OK,
        {None: "neither dark nor bright", "dark": "too dark", "bright": "too bright"}.get(light, str(light)),
        advice.get(light or "", "change the light") if light else "",
    )
    soft = quality.unsharp(large)
    yield Line(
        "focus",
        WARN if soft else OK,
        "nothing in the picture is sharp" if soft else "something in the picture is sharp",
        "wipe the lens; take the film off; a module without autofocus is turned at its lens until it is sharp"
        if soft
        else "",
    )
    best, name, all_ = 0, "", 1
    for game in table_games().values():
        known = markers(game.reading.layout(game.players[0], game.defaults))
        found = len(detect(large, known))
        if known and found / len(known) > best / all_:
            best, name, all_ = found, game.name, len(known)
    if not best:
        yield Line(
            "mat",
            WARN,
            "no marker of the mat in view",
            "lay the mat below the camera, whole and flat; then thoth doctor again",
        )
    else:
        level = OK if best >= all_ - 1 else WARN
        yield Line(
            "mat",
            level,
            f"{best} of {all_} markers in view (as on the mat of {name})",
            ""
            if level == OK
            else "camera higher, or nearer to the middle: all markers must be in the picture (thoth optics)",
        )


def buttons(facts: Facts) -> Lines:
    kind = facts.settings.kind("buttons.kind")
    if kind != "gpio":
        yield Line(
            "buttons",
            OK if kind == "keyboard" else WARN,
            "the keys of a terminal" if kind == "keyboard" else "none are set",
            "" if kind == "keyboard" else 'connect four and write kind = "auto" below [buttons]',
        )
        return
    if facts.running:
        yield Line("buttons", OK, f"held by the service that is running; {STOP_FIRST}")
        return
    from hardware.buttons.gpio import GpioButtons, pin_factory
    from hardware.buttons.press import Button, ButtonsError

    pins = {Button(key.rpartition(".")[2]): facts.settings.number(key) for key in BUTTON_KEYS}
    try:
        factory = pin_factory(facts.settings.text("buttons.factory"))
        held = GpioButtons(pins, factory)
    except ButtonsError as error:
        yield Line(
            "buttons",
            FAIL,
            str(error),
            "sudo apt install python3-lgpio; the user in the group gpio; the numbers in the settings as wired (thoth wiring)",
        )
        return
    try:
        yield Line("pins", OK, f"through {type(factory).__name__}")
        for button, down in held.levels().items():
            yield Line(
                f"button {button.name}",
                WARN if down else OK,
                f"GPIO{pins[button]} is {'closed' if down else 'open'}",
                "let go of it; if nobody holds it, it is stuck, or its two wires touch (use two diagonal legs)"
                if down
                else "",
            )
    finally:
        held.close()


def pressed(facts: Facts, say: Callable[[str], None], seconds: float = 10.0) -> Lines:
    """Asks for a press of each button and says which came. Only where somebody sits at a terminal."""
    from hardware.buttons.gpio import GpioButtons, pin_factory
    from hardware.buttons.press import Button

    pins = {Button(key.rpartition(".")[2]): facts.settings.number(key) for key in BUTTON_KEYS}
    held = GpioButtons(pins, pin_factory(facts.settings.text("buttons.factory")))
    try:
        for button in Button:
            say(f"press {button.name} (within {seconds:.0f} s)")
            until = time.monotonic() + seconds
            came: Button | None = None
            while came is None and time.monotonic() < until:
                time.sleep(0.02)
                came = next((press.button for press in held.poll(time.monotonic())), None)
            if came is button:
                yield Line(f"press {button.name}", OK, "came")
            elif came is None:
                yield Line(
                    f"press {button.name}",
                    FAIL,
                    "nothing came",
                    f"check its wires: GPIO{pins[button]} and ground",
                )
            else:
                yield Line(
                    f"press {button.name}",
                    FAIL,
                    f"{came.name} came",
                    f"change the two wires, or the numbers of {button.name} and {came.name} in the settings",
                )
    finally:
        held.close()


def display(facts: Facts) -> Lines:
    driver = facts.settings.kind("display.driver")
    if driver in ("terminal", "png", "none"):
        level = WARN if driver == "none" else OK
        yield Line(
            "display",
            level,
            f"{driver}: no OLED is set",
            "" if level == OK else 'write driver = "auto" below [display]',
        )
        return
    if facts.settings.text("display.interface") == "spi":
        yield from _spi(facts)
        return
    yield from scan(facts)


def scan(facts: Facts, open_bus: object = None) -> Lines:
    """Which addresses answer on the display's I2C bus."""
    from hardware.display.oled import answering

    bus, address = facts.settings.number("display.bus"), facts.settings.number("display.address")
    buses = sorted(path.name for path in (facts.root / "dev").glob("i2c-*"))
    try:
        found = answering(bus, open_bus)  # type: ignore[arg-type]
    except ImportError as error:
        yield Line("I2C", FAIL, f"the library {error.name} is not installed", "pip install smbus2")
        return
    except OSError as error:
        there = f"; there are: {', '.join(buses)}" if buses else ""
        yield Line(
            "I2C",
            FAIL,
            f"bus {bus} cannot be opened ({error.strerror}){there}",
            "sudo raspi-config, Interface Options, I2C; and the user in the group i2c; or set display.bus",
        )
        return
    names = ", ".join(f"0x{one:02X}" for one in found) or "nothing"
    if address in found:
        yield Line("I2C", OK, f"bus {bus}: {names} answers")
    elif found:
        yield Line(
            "I2C",
            FAIL,
            f"bus {bus}: {names} answers, 0x{address:02X} is set",
            f"write address = 0x{found[0]:02X} below [display]",
        )
    else:
        yield Line(
            "I2C",
            FAIL,
            f"bus {bus}: nothing answers at 0x3C or 0x3D",
            "check GND first, then VCC, SDA, SCL (docs/build.md)",
        )


def _spi(facts: Facts) -> Lines:
    path = (
        facts.root
        / f"dev/spidev{facts.settings.number('display.bus')}.{facts.settings.number('display.device')}"
    )
    if path.exists():
        yield Line("SPI", OK, f"{path} is there; whether a display hangs on it, only eyes can tell")
    else:
        yield Line(
            "SPI",
            FAIL,
            f"there is no {path}",
            "sudo raspi-config, Interface Options, SPI; or set display.bus and device",
        )


def framed(facts: Facts, driver: str) -> str | None:
    """Show the framed picture by one driver; None, or why it could not be shown."""
    from hardware.display import DisplaySettings
    from hardware.display.oled import OledDisplay

    shown = OledDisplay(
        DisplaySettings(
            driver=driver,
            interface=facts.settings.text("display.interface"),
            bus=facts.settings.number("display.bus"),
            address=facts.settings.number("display.address"),
            spi_port=facts.settings.number("display.bus"),
            spi_device=facts.settings.number("display.device"),
            data_pin=facts.settings.number("display.dc"),
            reset_pin=facts.settings.number("display.reset"),
            turned=facts.settings.flag("display.upside_down"),
        )
    )
    try:
        shown.show_test()
        return shown.fault
    finally:
        shown.close()


def signals(facts: Facts) -> Lines:
    keeper = parts.signals(facts.settings, SystemClock())
    if not keeper.wanted:
        yield Line("light and sound", OK, "none is set")
        return
    if facts.running:
        yield Line("light and sound", OK, f"held by the service that is running; {STOP_FIRST}")
        return
    keeper.open_if_due(0.0)
    try:
        if keeper.part is None:
            yield Line(
                "light and sound",
                FAIL,
                (keeper.told or "").replace("\n", " "),
                "another pin in signals.led or signals.buzzer",
            )
        else:
            keeper.part.give("turn")
            until = time.monotonic() + 1.5
            while time.monotonic() < until:
                keeper.part.tick(time.monotonic())
                time.sleep(0.02)
            yield Line("light and sound", OK, "signalled twice: seen or heard?")
    finally:
        keeper.close()


def stick(facts: Facts) -> Lines:
    from firmware.box.stick import Sticks, home

    sticks = Sticks(facts.settings.text("stick"))
    found: Path | None = sticks.writable
    if found is None:
        yield Line("stick", OK, "none is in")
        return
    place = home(found)
    faults = place / "faults.txt"
    if faults.exists():
        yield Line(
            "stick", WARN, f"{faults} tells of faults", "put its files right, pull it out and put it in again"
        )
    else:
        yield Line("stick", OK, f"{found}" + ("" if place.is_dir() else ", without a folder thoth"))
