"""Versions side by side: built next to the one in use, proved, and only then switched to; and the way back.

``/opt/thoth/versions/NAME`` is a virtual environment with the program and, in ``system/``, the unit and rules that belong to it.
``/opt/thoth/current`` and ``/opt/thoth/previous`` are links into it. A name is the version and a digest of the sources, so the same
sources are the same version, and two states of a checkout never share a folder.
"""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from . import files, packages
from .host import Host, Refused

HOME = "/opt/thoth"
CURRENT, PREVIOUS = f"{HOME}/current", f"{HOME}/previous"
PACKAGES = ("engines", "vision", "hardware", "firmware")
ALONE = ("pyproject.toml", "README.md", "LICENSE")
SYSTEM = "systemd"
STATE = "/var/lib/thoth"
PROVED = ".proved"
"""In the folder of a version that was built whole and passed its self-test."""
KEPT = 3
"""Versions that stay on the card: the one in use, the one before, and one more."""
_PATIENCE = 600.0
"""Seconds for a self-test: a Pi Zero 2 W on a slow card is slow."""


def _sources(source: Path) -> Iterator[Path]:
    for name in ALONE:
        yield source / name
    for name in (*PACKAGES, SYSTEM):
        for path in sorted((source / name).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("."):
                yield path


def name_of(source: Path) -> str:
    """The version's name. Raises Refused where there is nothing to install."""
    if missing := [name for name in (*ALONE, *PACKAGES) if not (source / name).exists()]:
        raise Refused(f"{source} lacks {missing[0]}: run the installer from a whole copy of Thoth")
    version = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    digest = hashlib.sha256()
    for path in _sources(source):
        data = path.read_bytes()
        executable = os.access(path, os.X_OK)
        digest.update(f"{path.relative_to(source)} {len(data)} {executable:d}\n".encode() + data)
    return f"{version}+{digest.hexdigest()[:10]}"


def folder_of(name: str) -> str:
    return f"{HOME}/versions/{name}"


def linked(host: Host, link: str) -> str:
    """The version that a link leads to, "" for none."""
    path = host.path(link)
    return path.readlink().name if path.is_symlink() else ""


def all_of(host: Host) -> list[str]:
    """The versions that are whole, the latest proved last."""
    marks = host.path(f"{HOME}/versions").glob(f"*/{PROVED}")
    return [mark.parent.name for mark in sorted(marks, key=lambda mark: mark.stat().st_mtime)]


def build(host: Host, source: Path, name: str) -> None:
    """Make the version's folder from the sources. What a power cut left of an earlier try is made anew."""
    target = folder_of(name)
    if not host.changed(f"build Thoth {name}"):
        return
    folder = host.path(target)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _fill(host, source, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _fill(host: Host, source: Path, folder: Path) -> None:
    host.run(
        ["/usr/bin/python3", "-m", "venv", "--system-site-packages", folder], "sudo apt install python3-venv"
    )
    python = folder / "bin" / "python"
    pip: list[str | Path] = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--prefer-binary",
    ]
    again = "the Pi must be online while Thoth is installed; then run this again"
    with tempfile.TemporaryDirectory(prefix="thoth-") as place:
        # Built from a copy: a build in the checkout would leave folders there that belong to root.
        copy = Path(place) / "thoth"
        for path in _sources(source):
            to = copy / path.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to)
        bounds = Path(place) / "constraints"
        bounds.write_text(_constraints(host))
        wheel = packages.wheel(host)
        what: list[str | Path] = [f"{copy}[print]", *([wheel] if wheel else [])]
        host.run([*pip, "--constraint", bounds, *what], again, timeout=3600)
        shutil.copytree(copy / SYSTEM, folder / "system")
    _one_of_each(host, python)


def _constraints(host: Host) -> str:
    """For pip: the system's NumPy and no other, and no OpenCV at all (pip does not see that apt's is there)."""
    done = host.ask("/usr/bin/python3", "-c", "import numpy; print(numpy.__version__)")
    if done.returncode:
        raise Refused(
            f"NumPy of this system does not load; sudo apt install --reinstall python3-numpy\n{done.stderr.strip()}"
        )
    wheels = (
        "opencv-python",
        "opencv-python-headless",
        "opencv-contrib-python",
        "opencv-contrib-python-headless",
    )
    return "\n".join([f"numpy=={done.stdout.strip()}", *(f"{name}<0" for name in wheels)]) + "\n"


def _one_of_each(host: Host, python: Path) -> None:
    """Raises Refused unless OpenCV and NumPy load together, and are the system's."""
    done = host.ask(python, "-c", "import cv2, numpy; print(cv2.__file__); print(numpy.__file__)")
    if done.returncode:
        raise Refused(
            f"OpenCV and NumPy do not load together; sudo apt install --reinstall python3-opencv python3-numpy\n{done.stderr.strip()}"
        )
    own = [line for line in done.stdout.split() if Path(line).is_relative_to(python.parent.parent)]
    if own:
        raise Refused(f"a second library was installed beside the system's: {', '.join(own)}; report this")


def prove(host: Host, name: str) -> None:
    """The version's self-test, as the user it will run as, in a folder of its own. Raises Refused when it fails."""
    if host.dry:
        host.tell("would", f"let Thoth {name} prove itself")
        return
    folder = host.path(folder_of(name))
    user = pwd.getpwnam(files.USER)
    with tempfile.TemporaryDirectory(prefix="thoth-proof-") as place:
        os.chown(place, user.pw_uid, user.pw_gid)
        as_user = [
            "setpriv",
            f"--reuid={files.USER}",
            f"--regid={files.USER}",
            "--init-groups",
            "--no-new-privs",
            "--",
        ]
        # What the box holds must be readable by it; the self-test looks at a copy.
        held = host.path(STATE)
        surroundings = {
            "STATE_DIRECTORY": str(held) if held.is_dir() else place,
            "HOME": place,
            "LG_WD": place,
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        for words in (("version",), ("doctor", "--self-test")):
            host.run(
                [*as_user, folder / "bin" / "thoth", *words],
                f"Thoth {name} did not prove itself and is not used; what was in use still is",
                surroundings,
                cwd=place,
                timeout=_PATIENCE,
            )
    mark = folder / PROVED
    mark.touch()
    host.sync(folder)
    host.tell("ok", f"Thoth {name} proved itself")


def discard(host: Host, name: str) -> None:
    shutil.rmtree(host.path(folder_of(name)), ignore_errors=True)


def point(host: Host, name: str) -> None:
    """Let ``current`` lead to ``name`` and ``previous`` to what was current."""
    before = linked(host, CURRENT)
    if before == name:
        return
    if before and host.path(folder_of(before)).is_dir():
        host.link(PREVIOUS, f"versions/{before}")
    host.link(CURRENT, f"versions/{name}")


def prune(host: Host) -> None:
    """Take the oldest versions away, never the one in use or the one before."""
    held = {linked(host, CURRENT), linked(host, PREVIOUS)}
    names = all_of(host)
    spare = [name for name in names if name not in held]
    for name in spare[: max(0, len(names) - KEPT)]:
        host.remove(folder_of(name))
