"""``sudo ./systemd/install``: what is done, in which order."""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from . import facts, files, packages, versions
from .host import Host, Refused

_HELP = """\
Installs Thoth as a service, or a newer Thoth beside the one in use: it is switched to only when it has proved itself.
Run it as often as you like; what is right already is left alone.

examples:
  sudo ./systemd/install                  from a bare Raspberry Pi OS (Debian 13) to a running service; also every update
  ./systemd/install --dry-run             say what would be done, and do nothing
  sudo thoth rollback                     back to the version before
  sudo ./systemd/install --uninstall      take it away; the journal and the settings stay
  sudo ./systemd/install --uninstall --purge    those too
"""
UNIT = "thoth.service"
SETTINGS = "/etc/thoth"
LOCK = "/run/lock/thoth-install"


def main(argv: Sequence[str] | None = None, root: Path = Path("/")) -> int:
    """Exit code 0: done, or nothing to do; 1: refused, with the reason on stderr."""
    parser = argparse.ArgumentParser(
        prog="install", description=_HELP, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument(
        "--no-start", action="store_true", help="do not start the service; it starts with the machine"
    )
    parser.add_argument(
        "--uninstall", action="store_true", help="take Thoth away; the journal and the settings stay"
    )
    parser.add_argument(
        "--purge", action="store_true", help="with --uninstall: the journal and the settings too"
    )
    parser.add_argument("--rollback", action="store_true", help="back to the version before")
    wish = parser.parse_args(argv)
    if wish.purge and not wish.uninstall:
        parser.error("--purge goes with --uninstall")
    host = Host(root, wish.dry_run)
    try:
        if os.geteuid() and not wish.dry_run:
            raise Refused(
                "this changes the system: run it with sudo, or with --dry-run to see what it would do"
            )
        with _alone(host):
            if wish.uninstall:
                uninstall(host, wish.purge)
            elif wish.rollback:
                rollback(host)
            else:
                install(host, Path(__file__).resolve().parents[2], start=not wish.no_start)
    except Refused as refused:
        print(f"install: {refused}", file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"install: {error.filename or ''}: {error.strerror}; check the free space and the card",
            file=sys.stderr,
        )
        return 1
    verb = "would change" if host.dry else "changed"
    print(f"{host.changes} things {verb}." if host.changes else "Nothing to change.")
    return 0


class _alone:  # noqa: N801 - used like a function
    """Two installers at once would undo each other's work."""

    def __init__(self, host: Host) -> None:
        self._path = None if host.dry else host.path(LOCK)

    def __enter__(self) -> None:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w")
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise Refused("another installer is at work; wait for it") from error

    def __exit__(self, *_: object) -> None:
        if self._path is not None:
            self._file.close()


def install(host: Host, source: Path, start: bool = True) -> None:
    """From whatever is there to the version in ``source``, running. Raises Refused; what was in use then still is."""
    host.tell("ok", facts.check_release(host) + (f" on a {pi}" if (pi := facts.pi_model(host)) else ""))
    name = versions.name_of(source)
    packages.ensure(host)
    # The user is there before the proof, which runs as it.
    files.user(host, source / versions.SYSTEM)
    if name in versions.all_of(host):
        host.tell("ok", f"Thoth {name} is built")
    else:
        versions.build(host, source, name)
        try:
            versions.prove(host, name)
        except Refused:
            versions.discard(host, name)
            raise
    reboot = files.bus(host)
    before = versions.linked(host, versions.CURRENT)
    try:
        _switch(host, name, start, source / versions.SYSTEM if host.dry else None, before)
    except Refused:
        if versions.linked(host, versions.CURRENT) not in ("", name):
            versions.discard(host, name)
        raise
    versions.prune(host)
    if reboot and not host.dry:
        host.tell("note", "I2C is switched on: restart the Pi (sudo reboot), then the display is found")
    host.tell("ok", f"Thoth {name} is in use" if not host.dry else f"Thoth {name} would be in use")


def rollback(host: Host) -> None:
    """Back to the version before; once more brings the newer one back."""
    before, now = versions.linked(host, versions.PREVIOUS), versions.linked(host, versions.CURRENT)
    if not before or before not in versions.all_of(host):
        raise Refused("there is no version before this one")
    _switch(host, before, True, None, now)
    host.tell("ok", f"Thoth {before} is in use; {now} is kept")


def uninstall(host: Host, purge: bool) -> None:
    """Take away all but the operating system's packages. The journal and the settings stay unless ``purge``."""
    if (
        facts.systemd_runs(host)
        and host.path(files.FILES["thoth.service"]).exists()
        and host.changed(f"stop and disable {UNIT}")
    ):
        host.run(["systemctl", "disable", "--now", UNIT], "see the line below")
    files.take_away(host)
    host.remove(versions.HOME)
    if not host.dry and facts.systemd_runs(host):
        host.run(["systemctl", "daemon-reload"], "see the line below")
        host.ask("systemctl", "reset-failed", UNIT)
    if purge:
        host.remove(versions.STATE)
        host.remove(SETTINGS)
        # Only now: a file that belongs to nobody would belong to the next user that is made.
        if host.ask("getent", "passwd", files.USER).returncode == 0 and host.changed(
            f"remove the user {files.USER}"
        ):
            host.run(["userdel", files.USER], "see the line below")
    else:
        kept = [place for place in (versions.STATE, SETTINGS) if host.path(place).exists()]
        if kept:
            host.tell(
                "note", f"{' and '.join(kept)} stay: the journal and the settings; --purge takes them too"
            )


def _switch(host: Host, name: str, start: bool, system: Path | None, before: str) -> None:
    """Use ``name``: its link, its files, its service. If it does not become ready, what was in use is used again; raises Refused."""
    way_back = versions.linked(host, versions.PREVIOUS)
    versions.point(host, name)
    fresh = files.lay_out(host, system or host.path(versions.folder_of(name)) / "system")
    if fresh:
        files.apply(host)
    moved = before != name
    if not facts.systemd_runs(host):
        _enable_offline(host)
        return
    if host.ask("systemctl", "is-enabled", "--quiet", UNIT).returncode and host.changed(f"enable {UNIT}"):
        host.run(["systemctl", "enable", UNIT], "see the line below")
    if not start:
        return
    active = host.ask("systemctl", "is-active", "--quiet", UNIT).returncode == 0
    if (active and not (moved or fresh)) or not host.changed(f"start {UNIT}"):
        return
    try:
        _start(host)
    except Refused as refused:
        if moved and before in versions.all_of(host):
            host.tell("note", f"Thoth {name} did not start: back to {before}")
            host.link(versions.CURRENT, f"versions/{before}")
            if way_back:
                host.link(versions.PREVIOUS, f"versions/{way_back}")
            else:
                host.remove(versions.PREVIOUS)
            files.lay_out(host, host.path(versions.folder_of(before)) / "system")
            files.apply(host)
            _start(host)
        raise refused


def _start(host: Host) -> None:
    """Start the service, or start it anew; returns when it said that it is ready. Raises Refused."""
    host.ask("systemctl", "reset-failed", UNIT)
    host.run(["systemctl", "restart", UNIT], "journalctl -u thoth says why", timeout=180)


def _enable_offline(host: Host) -> None:
    """In a chroot (an image that is being made) the unit is enabled for the first start."""
    if (
        shutil.which("systemctl")
        and host.ask("systemctl", "is-enabled", "--quiet", UNIT).returncode
        and host.changed(f"enable {UNIT}")
    ):
        host.run(["systemctl", "enable", UNIT], "see the line below")
