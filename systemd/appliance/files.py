"""The files outside /opt/thoth: unit, users, rules. They belong to a version and change with it."""

from __future__ import annotations

import re
from pathlib import Path

from . import facts
from .host import Host

FILES = {
    "thoth.service": "/etc/systemd/system/thoth.service",
    "thoth-stick@.service": "/etc/systemd/system/thoth-stick@.service",
    "thoth.sysusers": "/etc/sysusers.d/thoth.conf",
    "thoth.tmpfiles": "/etc/tmpfiles.d/thoth.conf",
    "60-thoth.rules": "/etc/udev/rules.d/60-thoth.rules",
    "50-thoth.rules": "/etc/polkit-1/rules.d/50-thoth.rules",
}
"""What lies in ``systemd/`` and where the system looks for it."""
COMMAND = "/usr/local/bin/thoth"
COMMAND_TEXT = b"""#!/bin/sh
# The way back must work when the version in use does not.
case "${1-}" in
rollback) shift; exec /usr/bin/python3 /opt/thoth/current/system/install --rollback "$@" ;;
esac
exec /opt/thoth/current/bin/thoth "$@"
"""
USER = "thoth"
MODULES = "/etc/modules-load.d/thoth.conf"
BOOT = "/boot/firmware/config.txt"
_I2C = "dtparam=i2c_arm=on"


def user(host: Host, folder: Path) -> None:
    """Make the user that the service runs as, and its groups; before the rest, because a version proves itself as that user."""
    target = FILES["thoth.sysusers"]
    changed = host.write(target, (folder / "thoth.sysusers").read_bytes())
    if (changed or host.ask("getent", "passwd", USER).returncode) and not host.dry:
        host.run(["systemd-sysusers", target], "see the lines below")


def lay_out(host: Host, folder: Path) -> bool:
    """Write the files of a version's ``system`` folder to their places; True when one changed."""
    changed = False
    for name, target in FILES.items():
        if (folder / name).is_file():
            changed |= host.write(target, (folder / name).read_bytes())
        else:  # an older version that had no such file
            changed |= host.remove(target)
    changed |= host.write(COMMAND, COMMAND_TEXT, 0o755)
    return changed


def take_away(host: Host) -> None:
    for target in (*FILES.values(), COMMAND, MODULES):
        host.remove(target)


def apply(host: Host) -> None:
    """Make the system look at the files again: users, folders, rules, units."""
    if host.dry:
        return
    remedy = "see the lines below"
    host.run(["systemd-sysusers", FILES["thoth.sysusers"]], remedy)
    host.run(["systemd-tmpfiles", "--create", FILES["thoth.tmpfiles"]], remedy)
    if facts.systemd_runs(host):
        host.run(["systemctl", "daemon-reload"], remedy)
        # A container has no udev; a Pi has, and the devices that are there get their new groups at once.
        if host.ask("systemctl", "is-active", "--quiet", "systemd-udevd").returncode == 0:
            host.run(["udevadm", "control", "--reload"], remedy)
            host.run(
                [
                    "udevadm",
                    "trigger",
                    "--action=change",
                    "--subsystem-match=gpio",
                    "--subsystem-match=i2c-dev",
                    "--subsystem-match=spidev",
                    "--subsystem-match=dma_heap",
                ],
                remedy,
            )


def switch_on_i2c(text: str) -> str:
    """config.txt with I2C on: an ``off`` or a commented line is put right, else a line is added at the end, for every model."""
    wanted = re.compile(r"^[ \t]*#?[ \t]*dtparam=i2c(_arm)?=(on|off)?[ \t]*$", re.MULTILINE)
    if re.search(r"^[ \t]*dtparam=i2c(_arm)?=on[ \t]*$", text, re.MULTILINE):
        return text
    if wanted.search(text):
        return wanted.sub(_I2C, text, count=1)
    return text + ("" if text.endswith("\n") or not text else "\n") + f"[all]\n{_I2C}\n"


def bus(host: Host) -> bool:
    """Switch I2C on for the next start, on a Raspberry Pi; True when that needs a restart of the machine."""
    if not facts.pi_model(host):
        return False
    host.write(MODULES, b"# The display's bus as /dev/i2c-1.\ni2c-dev\n")
    path = host.path(BOOT)
    try:
        text = path.read_text("utf-8")
    except OSError:
        host.tell("note", f"{BOOT} cannot be read: switch I2C on with raspi-config")
        return False
    if (switched := switch_on_i2c(text)) == text:
        host.tell("ok", "I2C is on")
        return False
    return host.write(BOOT, switched.encode(), path.stat().st_mode & 0o777)
