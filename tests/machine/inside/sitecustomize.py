"""Fingers for the mock pins of an installed Thoth: loaded by its own Python in the container (PYTHONPATH), and by nothing else.

What is replaced is the metal of the buttons: a datagram "17 0.15" pulls GPIO 17 down for 0.15 s. All above the pin is what runs in the box.
The datagram "hang 0" makes the whole process hang, as a driver that never returns would.

With THOTH_SEEN in the environment, what stands on the display is also written into the runtime folder (``screen``, pickled), and how long the
stages of a look took (``timings``, JSON): for people who read a screen as it is, where ``systemctl status`` has one line of it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import pickle
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


def tell(name: str, content: bytes) -> None:
    beside = PLACE.with_name(f".{name}")
    beside.write_bytes(content)
    beside.replace(PLACE.with_name(name))


def watch() -> None:
    shell, screen, due = None, None, 0.0
    while True:
        time.sleep(0.05)
        if shell is None:
            module = sys.modules.get("firmware.shell")
            kind = getattr(module, "Shell", None)
            shell = next((one for one in gc.get_objects() if type(one) is kind), None) if kind else None
            continue
        now = getattr(shell, "screen", None)
        if now is not None and now != screen:
            screen = now
            tell("screen", pickle.dumps(now))
        if (timings := getattr(shell, "timings", None)) is not None and time.monotonic() > due:
            due = time.monotonic() + 2.0
            tell("timings", json.dumps({"read": timings.summary("read")}).encode())


if PLACE.parent.is_dir():
    threading.Thread(target=listen, daemon=True).start()
    if os.environ.get("THOTH_SEEN"):
        threading.Thread(target=watch, daemon=True).start()
