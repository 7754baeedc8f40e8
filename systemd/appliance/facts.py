"""What this machine is: its operating system, whether it is a Raspberry Pi, and which packages it can have."""

from __future__ import annotations

import shlex

from .host import Host, Refused

DEBIAN = 13
"""The release whose OpenCV, NumPy, libcamera and Python fit each other and Thoth."""
_TOO_OLD = "its OpenCV is 4.6 and its Python too old for the camera library of today"


def release(host: Host) -> dict[str, str]:
    """os-release(5); empty when there is none."""
    for name in ("/etc/os-release", "/usr/lib/os-release"):
        try:
            text = host.path(name).read_text("utf-8")
        except OSError:
            continue
        pairs = (
            line.partition("=") for line in text.splitlines() if "=" in line and not line.startswith("#")
        )
        return {key.strip(): "".join(shlex.split(value)) for key, _, value in pairs}
    return {}


def check_release(host: Host) -> str:
    """The system's name. Raises Refused for one on which Thoth was never tried."""
    said = release(host)
    name = said.get("PRETTY_NAME", "this system")
    number = said.get("VERSION_ID", "")
    family = {said.get("ID", ""), *said.get("ID_LIKE", "").split()}
    if not family & {"debian", "raspbian"}:
        raise Refused(f"{name} is no Debian; install Raspberry Pi OS of today (Debian {DEBIAN}, trixie)")
    if not number.isdigit():
        raise Refused(f"{name} does not say which Debian it is; Thoth was made for Debian {DEBIAN} (trixie)")
    if int(number) < DEBIAN:
        raise Refused(
            f"{name} is too old: {_TOO_OLD}. Write Raspberry Pi OS of today (Debian {DEBIAN}, trixie) to the card; "
            "an upgrade in place is not enough"
        )
    if int(number) > DEBIAN:
        raise Refused(
            f"{name} is newer than Debian {DEBIAN} (trixie), on which Thoth was tried; look for a newer Thoth"
        )
    return name


def pi_model(host: Host) -> str:
    """What the device tree calls this machine if that is a Raspberry Pi, else ""."""
    try:
        model = host.path("/proc/device-tree/model").read_bytes().rstrip(b"\0").decode(errors="replace")
    except OSError:
        return ""
    return model if "Raspberry Pi" in model else ""


def installed(host: Host, package: str) -> bool:
    done = host.ask("dpkg-query", "--show", "--showformat=${db:Status-Status}", package)
    return done.stdout.strip() == "installed"


def obtainable(host: Host, package: str) -> bool:
    """Whether apt has the package to give."""
    lines = host.ask("apt-cache", "policy", package).stdout.splitlines()
    return any(line.strip().startswith("Candidate:") and "(none)" not in line for line in lines)


def systemd_runs(host: Host) -> bool:
    """Whether systemd is process 1 here; in a chroot there is nothing to start."""
    return host.path("/run/systemd/system").is_dir()
