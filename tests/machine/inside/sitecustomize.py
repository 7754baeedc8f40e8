"""Fingers for the mock pins of an installed Thoth: loaded by its own Python in the container (PYTHONPATH), and by nothing else.

What is replaced is the metal of the buttons: a datagram "17 0.15" pulls GPIO 17 down for 0.15 s. All above the pin is what runs in the box.
The datagram "hang 0" makes the whole process hang, as a driver that never returns would.
"""

from __future__ import annotations

import ctypes
import gc
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any

PLACE = Path(os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or "/nowhere") / "press"


def factory() -> Any:
    """The pins that the buttons were opened on, None as long as they are not."""
    module = sys.modules.get("gpiozero.pins.mock")
    if module is None:
        return None
    found = [one for one in gc.get_objects() if isinstance(one, module.MockFactory) and one.pins]
    return found[0] if found else None


def listen() -> None:
    PLACE.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as hears:
        hears.bind(str(PLACE))
        while True:
            number, seconds = hears.recv(64).decode().split()
            if number == "hang":
                ctypes.PyDLL(None).sleep(3600)  # a PyDLL keeps Python's lock while it is called
            pins = factory()
            if pins is not None:
                pin = pins.pin(int(number))
                pin.drive_low()
                time.sleep(float(seconds))
                pin.drive_high()
                time.sleep(0.1)  # nobody lets go and presses again sooner


if PLACE.parent.is_dir():
    threading.Thread(target=listen, daemon=True).start()
