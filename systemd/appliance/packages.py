"""What comes from the operating system's packages, and lgpio where they have none."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from . import facts
from .host import Host, Refused

PACKAGES = (
    "python3-venv",
    "python3-numpy",
    "python3-opencv",
    "python3-pil",
    "python3-spidev",
    "polkitd",
    "dbus",
)
"""Compiled for each other by the distribution: one NumPy, one OpenCV, one Pillow. polkitd lets the power-off button work."""
CAMERA = "python3-picamera2"
PINS = "python3-lgpio"
BUILD = ("gcc", "libc6-dev", "make", "python3-dev", "swig")
"""What it takes to build lgpio."""
LGPIO = "lgpio>=0.2.2,<0.3"
WHEELS = "/opt/thoth/wheels"
"""Where a built lgpio is kept for the versions to come."""
ROOM, ROOM_LARGE = 400, 1600
"""MB that must be free for a version, and for the operating system's packages too (OpenCV brings 300 others)."""
_PATIENT = ("-o", "DPkg::Lock::Timeout=600")
"""A fresh system updates itself in the background, and apt waits for its end instead of giving up."""
_ONLINE = "the Pi must be online while Thoth is installed; then run this again"


def ensure(host: Host) -> None:
    """Install what is missing; say what this system does not have. Raises Refused."""
    missing = [name for name in PACKAGES if not facts.installed(host, name)]
    lacks_camera, lacks_pins = (not facts.installed(host, name) for name in (CAMERA, PINS))
    _room(host, ROOM_LARGE if "python3-opencv" in missing else ROOM)
    pi = facts.pi_model(host)
    if missing or (lacks_camera and pi) or (lacks_pins and not wheel(host)):
        _update(host)
    if lacks_camera:
        if facts.obtainable(host, CAMERA):
            missing.append(CAMERA)
        elif pi:
            raise Refused(f"{CAMERA} is not to be had on this {pi}; use Raspberry Pi OS, not plain Debian")
        else:
            host.tell(
                "note",
                f"installed without the camera driver: this system has no {CAMERA}; moves are chosen by menu",
            )
    if lacks_pins and facts.obtainable(host, PINS):
        missing.append(PINS)
    _apt(host, missing)
    if not facts.installed(host, PINS) and not (host.dry and PINS in missing):
        _lgpio(host)


def _room(host: Host, megabytes: int) -> None:
    """Raises Refused before anything is half done for want of room."""
    if (free := shutil.disk_usage(host.root).free // 1_000_000) < megabytes:
        raise Refused(
            f"the card has {free} MB free and {megabytes} MB are needed; sudo apt clean, or take a larger card"
        )


def _update(host: Host) -> None:
    if not host.dry:
        host.run(["apt-get", "update", "-q", *_PATIENT], _ONLINE)


def _apt(host: Host, names: list[str]) -> None:
    if not names:
        host.tell("ok", "packages of the operating system")
        return
    if host.changed("install " + " ".join(names)):
        host.run(
            ["apt-get", "install", "-y", "-q", "--no-install-recommends", *_PATIENT, *names],
            _ONLINE,
            {"DEBIAN_FRONTEND": "noninteractive"},
        )


def wheel(host: Host) -> Path | None:
    """The lgpio that was built or fetched before, if it is for this Python."""
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return next(iter(sorted(host.path(WHEELS).glob(f"lgpio-*-{tag}-*.whl"))), None)


def _lgpio(host: Host) -> None:
    """A wheel of lgpio: fetched where there is one for this Python, else built."""
    if wheel(host):
        host.tell("ok", "lgpio, the pin library")
        return
    if not host.changed("get lgpio, the pin library, which this system does not have"):
        return
    folder = host.path(WHEELS)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="thoth-") as place:
        pip = _pip(host, Path(place))
        fetch = [*pip, "download", "--no-deps", "--only-binary=:all:", "--dest", folder, LGPIO]
        if host.ask(*fetch).returncode:
            lacking = [name for name in BUILD if not facts.installed(host, name)]
            _apt(host, lacking)
            # PYPI=1 makes lgpio's own setup compile its C library in, instead of linking one that is not there.
            build = [*pip, "wheel", "--no-deps", "--wheel-dir", folder, LGPIO]
            host.run(build, _ONLINE, {"PYPI": "1"}, timeout=1800)
    if wheel(host) is None:
        raise Refused("lgpio could be neither fetched nor built; see the lines above")


def _pip(host: Host, place: Path) -> list[str | Path]:
    """A pip of its own: Debian's Python has none that may be used outside an environment."""
    host.run(["/usr/bin/python3", "-m", "venv", place / "pip"], "sudo apt install python3-venv")
    return [place / "pip" / "bin" / "pip", "--disable-pip-version-check", "--no-input"]
