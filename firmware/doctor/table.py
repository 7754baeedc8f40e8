"""All checks, in the order in which they are told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """``call``: "module:function" below ``firmware.doctor``, imported only where it runs. ``seconds``: how long it may take.
    ``apart``: it loads drivers, so it has a process of its own: a driver of another build does not raise, it ends its process."""

    name: str
    call: str
    seconds: float = 5.0
    apart: bool = False
    hanging: str = "switch off and on; if it stays so, run that part alone with thoth doctor --only"
    """What to do when it does not answer in time or ends its process."""


_CARD = "the card does not answer: copy the state folder as soon as you can and take a new card"
_CAMERA = (
    "switch off and on; check the ribbon; then rpicam-hello alone shows whether the camera answers at all"
)
_BUS = "a wire of the display holds the bus: pull its plug and try again; check SDA and SCL"

CHECKS = (
    Check("settings", "contents:settings"),
    Check("versions", "software:versions", 20, True, "sudo apt full-upgrade, then install Thoth again: a library does not fit another"),
    Check("rights", "software:rights"),
    Check("camera", "devices:camera", 25, True, _CAMERA),
    Check("buttons", "devices:buttons", 8, True, "another program holds the pins: sudo systemctl stop thoth"),
    Check("display", "devices:display", 8, True, _BUS),
    Check("signals", "devices:signals", 8, True, "another program holds the pins: sudo systemctl stop thoth"),
    Check("power", "machine:power"),
    Check("heat", "machine:heat"),
    Check("memory", "machine:memory"),
    Check("clock", "machine:clock"),
    Check("disk", "machine:disk", 5, False, _CARD),
    Check("writing", "machine:writing", 10, False, _CARD),
    Check("stick", "devices:stick", 5, False, "pull the stick out and put it in again, or take another one"),
    Check("journal", "contents:journal", 15, False, _CARD),
    Check("gallery", "contents:gallery", 20, True, "show the faces again: thoth enrol GAME"),
    Check("numbers", "contents:catalogue", 10),
)  # fmt: skip
