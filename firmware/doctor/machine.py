"""The machine: power, heat, memory, disk, clock."""

from __future__ import annotations

import contextlib
import os
import time
from datetime import datetime
from pathlib import Path

from firmware.box import health
from firmware.box.health import THROTTLED_NOW, UNDER_VOLTAGE, UNDER_VOLTAGE_SINCE
from firmware.commands import optics
from firmware.doctor.base import FAIL, OK, WARN, Facts, Line, Lines, text_of

_HOT, _WARM = 80.0, 70.0  # degrees Celsius; at 80 a Pi slows itself down
_SLOW, _VERY_SLOW = 0.25, 1.5  # s until a small file is on the disk
_CAPPED, _HOT_NOW = 1 << 1, 1 << 3
_BUFFERS = 4  # as in hardware.camera.picamera
BETTER_SUPPLY = "use the Pi's own power supply (5.1 V, 2.5-5 A by model) and a short, thick cable"


def power(facts: Facts) -> Lines:
    flags = health.flags(facts.root)
    if flags is None:
        yield Line("power", OK, "this machine does not tell of its voltage")
    elif flags & UNDER_VOLTAGE:
        yield Line("power", FAIL, "the voltage is too low now", BETTER_SUPPLY)
    elif flags & UNDER_VOLTAGE_SINCE:
        yield Line("power", WARN, "the voltage was too low since it was switched on", BETTER_SUPPLY)
    else:
        yield Line("power", OK, "the voltage was never too low since it was switched on")
    if flags is not None and flags & (THROTTLED_NOW | _CAPPED | _HOT_NOW):
        yield Line(
            "throttling", WARN, "the processor is slowed down", "give the case air, or the Pi a better supply"
        )


def heat(facts: Facts) -> Lines:
    degrees = health.heat(facts.root)
    remedy = "give the case air, or put a heat sink on the processor"
    if degrees is None:
        yield Line("heat", OK, "this machine does not tell of its heat")
    else:
        level = FAIL if degrees >= _HOT else WARN if degrees >= _WARM else OK
        yield Line("heat", level, f"{degrees:.0f} degrees", "" if level == OK else remedy)


def memory(facts: Facts) -> Lines:
    free = health.memory(facts.root)
    if free is None:
        yield Line("memory", OK, "this machine does not tell of its memory")
    elif free < health.LEAST_MEMORY:
        yield Line(
            "memory",
            FAIL,
            f"{free // 1_000_000} MB can still be had",
            "end other programs; on a Pi Zero 2 W no desktop, camera.width 1536 at the most",
        )
    else:
        level = WARN if free < 4 * health.LEAST_MEMORY else OK
        yield Line(
            "memory",
            level,
            f"{free // 1_000_000} MB can still be had",
            "" if level == OK else "end other programs",
        )
    yield from _contiguous(facts)


def _contiguous(facts: Facts) -> Lines:
    """The contiguous memory (CMA) that the camera's pictures need."""
    found = {}
    for line in text_of(facts.root / "proc/meminfo").splitlines():
        name, _, rest = line.partition(":")
        if name in ("CmaTotal", "CmaFree") and rest.split():
            found[name] = int(rest.split()[0]) * 1024
    total = found.get("CmaTotal", 0)
    if facts.settings.kind("camera.kind") != "picamera2":
        return
    asked = facts.settings.number("camera.width"), facts.settings.number("camera.height")
    need, most = (_needed(optics.picture(asked, mat)) for mat in (True, False))
    said = f"camera memory {total // 1_000_000} MB, {found.get('CmaFree', 0) // 1_000_000} MB free, about {need // 1_000_000} MB needed"
    said += f", {most // 1_000_000} MB without a mat" if most > need else ""
    if not total:
        yield Line("camera memory", OK, "this machine keeps no memory apart for the camera")
    elif total < need:
        yield Line(
            "camera memory",
            WARN,
            said,
            "write dtoverlay=vc4-kms-v3d,cma-128 into /boot/firmware/config.txt, or choose a smaller camera.width",
        )
    elif total < most:
        yield Line(
            "camera memory",
            WARN,
            said,
            "enough for a mat; for larger tables (Papyrus with its board, Archaeology of three and more) write "
            "dtoverlay=vc4-kms-v3d,cma-128 into /boot/firmware/config.txt",
        )
    else:
        yield Line("camera memory", OK, said)


def _needed(picture: tuple[int, int]) -> int:
    """Bytes of contiguous memory for large pictures of (width, height) px."""
    width, height = picture
    # Main stream in 3 bytes a pixel, the raw one of the sensor's half resolution, the small one.
    return _BUFFERS * (width * height * 3 + 2304 * 1296 * 2 + 384 * 216 * 2)


def clock(facts: Facts) -> Lines:
    year = datetime.now().year
    if year < 2026:
        yield Line(
            "clock",
            WARN,
            f"it says {year}: a Pi has no battery for its clock",
            "nothing in a game needs it; records are named by the night's number until it is set (network, or sudo date -s)",
        )
    else:
        yield Line("clock", OK, f"{datetime.now():%Y-%m-%d %H:%M}")


def disk(facts: Facts) -> Lines:
    folder = next(path for path in (facts.state, *facts.state.parents) if path.exists())
    try:
        said = os.statvfs(folder)
    except OSError as error:
        yield Line(
            "disk", FAIL, f"{folder}: {error.strerror}", "check the card; choose another state_dir if need be"
        )
        return
    free = said.f_bavail * said.f_frsize
    if said.f_flag & os.ST_RDONLY:
        yield Line(
            "disk",
            FAIL,
            f"{folder} is read-only",
            "Linux makes a faulty card read-only: switch off and on; if it comes back, copy the state folder and take a new card",
        )
        return
    level = FAIL if free < health.LEAST_FREE else WARN if free < 6 * health.LEAST_FREE else OK
    yield Line(
        "disk",
        level,
        f"{free / 1e9:.1f} GB free at {folder}",
        "" if level == OK else "delete old recordings (recording.folder) or take a larger card",
    )
    yield from _errors(facts)


def _errors(facts: Facts) -> Lines:
    """What ext4 has counted of errors of the medium since the file system was made."""
    counted = [
        (path.parent.name, text_of(path).strip())
        for path in sorted((facts.root / "sys/fs/ext4").glob("*/errors_count"))
    ]
    bad = [(name, count) for name, count in counted if count not in ("", "0")]
    for name, count in bad:
        yield Line(
            "disk errors",
            WARN,
            f"{name} has had {count} errors",
            "copy the state folder (records are in it) and take a new card",
        )
    if counted and not bad:
        yield Line("disk errors", OK, "none were counted")


def writing(facts: Facts) -> Lines:
    """Whether a small file gets onto the disk, and how fast: every confirmed move waits for that."""
    if not facts.state.exists():
        yield Line("writing", OK, f"{facts.state} will be made at the first start")
        return
    path = facts.state / f".doctor-{os.getpid()}"
    times = []
    try:
        for _ in range(5):
            began = time.monotonic()
            _put(path)
            times.append(time.monotonic() - began)
    except OSError as error:
        yield Line(
            "writing",
            FAIL,
            f"{facts.state}: {error.strerror}",
            "run the doctor as the service does: sudo -u thoth thoth doctor; else check rights and card",
        )
        return
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
    worst = max(times)
    level = FAIL if worst > _VERY_SLOW else WARN if worst > _SLOW else OK
    yield Line(
        "writing",
        level,
        f"a move is on the disk after {1000 * sorted(times)[2]:.0f} ms, at the worst {1000 * worst:.0f} ms",
        "" if level == OK else "an old or cheap card: take one of class A1",
    )


def _put(path: Path) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, b"doctor\n")
        os.fsync(handle)
    finally:
        os.close(handle)
