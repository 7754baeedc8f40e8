"""The software: do the versions fit each other, and may the program use what it needs."""

from __future__ import annotations

import grp
import importlib
import os
import sys
from importlib import metadata

from firmware.doctor.base import FAIL, OK, WARN, Facts, Line, Lines
from firmware.settings import on_a_pi
from hardware.display import DRIVERS

OPENCV = ((4, 10), (6, 0))
"""The versions of OpenCV that Thoth is tried with: from the first on, below the second."""
_BROKEN = {"gpiozero": ("2.0.1.post1", "2.0.1.post2")}
GROUPS = ("video", "gpio", "i2c", "spi")
"""What a Raspberry Pi lets into the camera, the pins, the display."""


def versions(facts: Facts) -> Lines:
    level = OK if sys.version_info >= (3, 11) else FAIL
    said = ".".join(map(str, sys.version_info[:3]))
    yield Line(
        "Python", level, said, "" if level == OK else "Raspberry Pi OS of Debian 13 brings a newer one"
    )
    for name, package, apt in (
        ("NumPy", "numpy", "python3-numpy"),
        ("OpenCV", "cv2", "python3-opencv"),
        ("Pillow", "PIL", "python3-pil"),
        ("gpiozero", "gpiozero", "python3-gpiozero"),
        ("luma.oled", "luma.oled", ""),
    ):
        yield _one(name, package, apt)
    if facts.settings.kind("camera.kind") == "picamera2":
        yield from _camera_software()


def _one(name: str, package: str, apt: str) -> Line:
    remedy = f"sudo apt install {apt}" if apt and on_a_pi() else "pip install 'thoth-tabletop[desk]'"
    try:
        module = importlib.import_module(package)
    except Exception as error:  # noqa: BLE001 - a library of another build raises anything, also ValueError
        return Line(name, FAIL, f"cannot be loaded: {error}", remedy)
    version = _version(package, module)
    if package == "cv2":
        found = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
        if not OPENCV[0] <= found < OPENCV[1]:
            return Line(
                name,
                FAIL,
                f"{version}, tried are {_told(OPENCV[0])} up to below {_told(OPENCV[1])}",
                "Raspberry Pi OS of Debian 13 brings 4.10; Debian 12 with 4.6 is too old",
            )
        where = str(getattr(module, "__file__", ""))
        if on_a_pi() and "dist-packages" not in where:
            return Line(
                name,
                WARN,
                f"{version} is pip's own ({where})",
                "a second OpenCV beside the system's breaks picamera2: pip uninstall opencv-python opencv-python-headless",
            )
    if version in _BROKEN.get(name, ()):
        return Line(
            name,
            FAIL,
            f"{version} is broken on the Pi 5",
            "pip install 'gpiozero!=2.0.1.post1,!=2.0.1.post2'",
        )
    return Line(name, OK, version)


def _camera_software() -> Lines:
    """picamera2 was built for the NumPy of the operating system; another one shows here and nowhere else."""
    yield _loaded("libcamera", "python3-libcamera")
    yield _loaded("picamera2", "python3-picamera2")


def _loaded(module: str, package: str) -> Line:
    try:
        found = importlib.import_module(module)
    except ImportError as error:
        remedy = (
            f"sudo apt install {package}; Thoth's environment must see the system's packages "
            "(python3 -m venv --system-site-packages)"
        )
        return Line(module, FAIL, f"cannot be loaded: {error}", remedy)
    except Exception as error:  # noqa: BLE001 - "numpy.dtype size changed" comes as a ValueError
        remedy = f"another NumPy than the system's is in the way: pip uninstall numpy, or sudo apt install --reinstall {package}"
        return Line(module, FAIL, f"does not fit the NumPy that is loaded: {error}", remedy)
    return Line(module, OK, _version(module, found))


def _version(package: str, module: object) -> str:
    said = getattr(module, "__version__", "")
    if not said:
        try:
            said = metadata.version(package)
        except metadata.PackageNotFoundError:
            said = "of unknown version"
    return str(said)


def _told(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def rights(facts: Facts) -> Lines:
    """The groups that open the devices, and where lgpio may make its pipe."""
    if facts.settings.kind("buttons.kind") != "gpio" and facts.settings.kind("camera.kind") != "picamera2":
        yield Line("groups", OK, "the settings need none")
    else:
        yield from _groups()
    yield from nodes(facts)
    folder = os.environ.get("LG_WD") or "."
    if facts.settings.kind("buttons.kind") == "gpio":
        if os.access(folder, os.W_OK):
            yield Line("LG_WD", OK, f"the pin library may write into {folder}")
        else:
            yield Line(
                "LG_WD",
                FAIL,
                f"the pin library may not write into {folder}",
                "start it in a folder that may be written, or set LG_WD to one; the unit sets /run/thoth",
            )


def nodes(facts: Facts) -> Lines:
    """Whether the devices that the settings need are there, and may be opened by this user."""
    settings, wanted = facts.settings, []
    if settings.kind("buttons.kind") == "gpio" and settings.text("buttons.factory") != "mock":
        wanted.append(("pins", "gpiochip*", 'is this a Raspberry Pi? else kind = "keyboard" below [buttons]'))
    if settings.kind("display.driver") in DRIVERS:
        bus = settings.number("display.bus")
        if settings.text("display.interface") == "spi":
            wanted.append(
                ("SPI bus", f"spidev{bus}.*", "sudo raspi-config, Interface Options, SPI; then restart")
            )
        else:
            wanted.append(
                ("I2C bus", f"i2c-{bus}", "sudo raspi-config, Interface Options, I2C; then restart")
            )
    if settings.kind("camera.kind") == "picamera2":
        wanted += [
            ("camera", "media*", "push the ribbon in at both ends, then restart"),
            ("camera memory", "dma_heap/*", "Raspberry Pi OS of Debian 13 has it"),
        ]
    for name, pattern, remedy in wanted:
        found = sorted((facts.root / "dev").glob(pattern))
        shut = [path for path in found if not os.access(path, os.R_OK | os.W_OK)]
        if not found:
            yield Line(f"device {name}", FAIL, f"there is no /dev/{pattern}", remedy)
        elif shut:
            yield Line(
                f"device {name}",
                FAIL,
                f"{', '.join(path.name for path in shut)} may not be opened by this user",
                "sudo ./systemd/install puts the rights in place; or add the user to the groups above",
            )
        else:
            yield Line(f"device {name}", OK, ", ".join(path.name for path in found))


def _groups() -> Lines:
    if os.geteuid() == 0:
        yield Line(
            "groups",
            OK,
            "the doctor is root; the service's user is not: sudo -u thoth thoth doctor tells more",
        )
        return
    mine = set(os.getgroups()) | {os.getegid()}
    missing = []
    for name in GROUPS:
        try:
            wanted = grp.getgrnam(name).gr_gid
        except KeyError:
            yield Line(
                "groups",
                WARN,
                f"there is no group {name} here",
                "on Raspberry Pi OS there is; sudo groupadd adds it",
            )
            continue
        if wanted not in mine:
            missing.append(name)
    if missing:
        yield Line(
            "groups",
            FAIL,
            f"this user is not in {', '.join(missing)}",
            f"sudo usermod -aG {','.join(missing)} USER, then log in anew",
        )
    else:
        yield Line("groups", OK, ", ".join(GROUPS))
