"""What the machine says of itself while the service runs: the disk, the power, the memory, the heat. Plain files of Linux, read in passing."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

LEAST_FREE = 50_000_000  # bytes; a night takes less than one million, a recording stops at its own limit
LEAST_MEMORY = 24_000_000  # bytes that can still be had; below that Linux begins to end processes
THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
"""Where a Raspberry Pi says in hexadecimal how it fares (documentation: vcgencmd get_throttled); the name of its bus differs by model."""
VOLTAGE = "sys/class/hwmon/hwmon*/in0_lcrit_alarm"
"""Where the kernel's sensor rpi_volt says 1 when the voltage is too low now."""
UNDER_VOLTAGE, THROTTLED_NOW, UNDER_VOLTAGE_SINCE = 1 << 0, 1 << 2, 1 << 16

DISK_FULL = "disk nearly full:\nfree some space"
DISK_READ_ONLY = "disk is read-only:\nswitch off and on"
LITTLE_MEMORY = "memory is short:\nswitch off and on"
LITTLE_POWER = "Too little power:\nbetter supply, cable"
ADVICE = (DISK_FULL, DISK_READ_ONLY, LITTLE_MEMORY, LITTLE_POWER)


@dataclass(frozen=True, slots=True)
class Health:
    """``faults``: part of the machine -> what to do about it, as long as it lasts. ``under_voltage``: since the start, None: not known."""

    faults: dict[str, str]
    under_voltage: bool | None


def look(folder: Path, root: Path = Path("/")) -> Health:
    """The health of the machine whose state is kept in ``folder``. Never raises: what cannot be read is no fault."""
    faults = {}
    if (advice := disk(folder)) is not None:
        faults["disk"] = advice
    free = memory(root)
    if free is not None and free < LEAST_MEMORY:
        faults["memory"] = LITTLE_MEMORY
    throttled = flags(root)
    under = None if throttled is None else bool(throttled & (UNDER_VOLTAGE | UNDER_VOLTAGE_SINCE))
    return Health(faults, under)


def disk(folder: Path) -> str | None:
    """What is wrong with the disk, for a player; None: nothing that shows."""
    try:
        said = os.statvfs(folder)
    except OSError:
        return None
    if said.f_flag & os.ST_RDONLY:
        return DISK_READ_ONLY
    return DISK_FULL if said.f_bavail * said.f_frsize < LEAST_FREE else None


def memory(root: Path = Path("/")) -> int | None:
    """Bytes that can still be had; None: not known."""
    for line in _text(root / "proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def flags(root: Path = Path("/")) -> int | None:
    """The bits in which a Raspberry Pi tells of under-voltage, throttling and heat; None where nothing tells."""
    for path in sorted(root.glob(THROTTLED)):
        with contextlib.suppress(ValueError):
            return int(_text(path).strip(), 16)
    for path in sorted(root.glob(VOLTAGE)):
        if _text(path.with_name("name")).strip() == "rpi_volt":
            return UNDER_VOLTAGE if _text(path).strip() == "1" else 0
    return None


def heat(root: Path = Path("/")) -> float | None:
    """Degrees Celsius of the processor; None: not known."""
    try:
        return int(_text(root / "sys/class/thermal/thermal_zone0/temp")) / 1000
    except ValueError:
        return None


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", errors="replace")
    except OSError:
        return ""
