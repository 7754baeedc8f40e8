"""A booted container: commands inside it, its units, its end."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tests.machine import tree


class WrongError(Exception):
    """What had to hold does not; the text says what was seen."""


class Container:
    """A Debian below ``merged``, booted by ``boot`` and gone after ``power_off`` or ``kill``."""

    def __init__(self, merged: Path, log: Path) -> None:
        self.merged, self._log = merged, log
        self._environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            **tree.authority(merged),
        }
        self._stores = tree.stores(merged)
        self._nspawn: subprocess.Popen[bytes] | None = None
        self.leader = 0
        """The process that is process 1 inside."""

    def boot(self, devices: tuple[str, ...] = (), patience: float = 180.0) -> None:
        """Returns when systemd says that the system is up. Raises WrongError."""
        words = [
            "systemd-nspawn",
            "--quiet",
            f"--directory={self.merged}",
            "--boot",
            "--register=no",
            "--keep-unit",
        ]
        words += [
            "--console=pipe",
            "--machine=thoth-test",
            "--resolv-conf=copy-host",
            "--link-journal=no",
            # The network is shared, so that apt and pip work; the unit still gets none, for which systemd needs this.
            "--capability=CAP_NET_ADMIN",
            *self._stores,
        ]
        words += [f"--bind={device}" for device in devices]
        with self._log.open("ab") as log:
            self._nspawn = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(lambda: self._find_leader(), patience, lambda: f"no container: {self._log.read_text()[-800:]}")
        until(
            lambda: self.ask("systemctl", "is-system-running") in ("running", "degraded"),
            patience,
            self._why_not_up,
        )

    def _why_not_up(self) -> str:
        return (
            self.ask("systemctl", "is-system-running")
            + self.ask("systemctl", "list-jobs")
            + self._log.read_text()[-800:]
        )

    def _find_leader(self) -> bool:
        assert self._nspawn is not None
        children = Path(f"/proc/{self._nspawn.pid}/task/{self._nspawn.pid}/children")
        with contextlib.suppress(OSError):
            for pid in children.read_text().split():
                if Path(f"/proc/{pid}/comm").read_text().strip() == "systemd":
                    self.leader = int(pid)
                    return True
        return False

    # -- commands ----------------------------------------------------------------------------------------

    def run(
        self,
        *words: str,
        code: int | None = 0,
        timeout: float = 900.0,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """What a command inside said (both streams). Raises WrongError for another exit code than ``code`` (None: any)."""
        done = subprocess.run(
            ["nsenter", f"--target={self.leader}", "--all", "--root", "--wd", "--", *words],
            env={**self._environment, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
        )
        if code is not None and done.returncode != code:
            raise WrongError(f"{' '.join(words)}: exit {done.returncode}, not {code}\n{done.stdout[-3000:]}")
        return done.stdout

    def ask(self, *words: str) -> str:
        """The same, whatever the exit code, without the white space around it."""
        return self.run(*words, code=None).strip()

    def shows(self, name: str, unit: str = "thoth.service") -> str:
        return self.ask("systemctl", "show", "--value", f"--property={name}", unit)

    @property
    def status(self) -> str:
        """What ``systemctl status`` says stands on the display."""
        return self.shows("StatusText")

    @property
    def pid(self) -> int:
        """The service's main process, as this machine numbers it; 0 when there is none."""
        inside = self.shows("MainPID")
        if inside in ("", "0"):
            return 0
        # A process of a container has a line NSpid: its number here, and its number there.
        for entry in Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                text = entry.read_text()
                numbers = next(
                    (line.split()[1:] for line in text.splitlines() if line.startswith("NSpid:")), []
                )
                if (
                    len(numbers) == 2
                    and numbers[1] == inside
                    and "thoth" in Path(entry.parent, "cmdline").read_text()
                ):
                    return int(numbers[0])
        return 0

    def log_of(self, unit: str = "thoth", since: str = "") -> str:
        return self.ask(
            "journalctl",
            "--no-pager",
            "--output=cat",
            f"--unit={unit}",
            *([f"--since={since}"] if since else []),
        )

    # -- the end -----------------------------------------------------------------------------------------

    def wait(self, patience: float = 30.0) -> None:
        """Until the container has switched itself off. Raises WrongError."""
        assert self._nspawn is not None
        try:
            self._nspawn.wait(patience)
        except subprocess.TimeoutExpired as error:
            raise WrongError("the container did not switch off") from error
        self._nspawn = None

    def power_off(self) -> None:
        """Orderly, as a press on its button would be; nothing happens when it is not on."""
        if self._nspawn is None:
            return
        os.kill(self.leader, 38)  # SIGRTMIN+4
        self.wait()

    def kill(self) -> None:
        """The end of a run that went wrong; nothing happens when the container is gone."""
        if self._nspawn is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.leader, 38)
            try:
                self._nspawn.wait(10)
            except subprocess.TimeoutExpired:
                self._nspawn.kill()
                self._nspawn.wait()
            self._nspawn = None


def until(true: object, patience: float, why: object = "", pause: float = 0.1) -> None:
    """Wait until ``true()``. Raises WrongError with ``why`` (a text, or a function that gives one)."""
    assert callable(true)
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            raise WrongError(f"not within {patience:.0f} s: {why() if callable(why) else why}")
        time.sleep(pause)
