"""Looking at a machine from outside: files, processes, times, what was refused."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

from tests.machine.container import Container, WrongError, until

UNIT = "thoth.service"


def put(merged: Path, target: str, text: str) -> None:
    path = merged / target.lstrip("/")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def runs(box: Container, version: str) -> None:
    """Raises WrongError unless the service that runs is that version's."""
    until(lambda: box.shows("ActiveState") == "active" and box.pid, 90, lambda: box.log_of()[-500:])
    words = Path(f"/proc/{box.pid}/cmdline").read_bytes().split(b"\0")
    interpreter = words[0].decode()
    if (
        version not in interpreter
        and version not in str(Path(f"/proc/{box.pid}/exe").readlink())
        and version not in str(words)
    ):
        raise WrongError(f"{words} runs, not {version}")


def snapshot(merged: Path) -> dict[str, str]:
    """What stands in the places that an installer writes to: path to digest, link or mode."""
    found = {}
    for top in ("etc", "opt", "usr/local", "var/lib/thoth", "boot"):
        for path in sorted((merged / top).rglob("*")):
            name = str(path.relative_to(merged))
            if (
                "__pycache__" in path.parts
                or name.startswith("etc/resolv.conf")
                or name.endswith(("-wal", "-shm", "ld.so.cache"))
            ):
                continue
            if path.is_symlink():
                found[name] = str(path.readlink())
            elif path.is_file():
                found[name] = f"{path.stat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
            else:
                found[name] = f"{path.stat().st_mode:o}"
    return found


def difference(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def start_s(box: Container) -> float:
    """Seconds from the start of the unit to READY."""
    names = ("InactiveExitTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    began, ready = (int(box.shows(name)) for name in names)
    return (ready - began) / 1e6


def cpu_s(pid: int) -> float:
    """Seconds of a core that a process has used up to now."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def crowded() -> bool:
    """Whether others keep the cores busy, so that a time on the wall says nothing about us."""
    return os.getloadavg()[0] > 1.5 * (os.cpu_count() or 1)


def memory_mb(pid: int, which: str) -> float:
    line = next(
        line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith(f"{which}:")
    )
    return int(line.split()[1]) / 1024


class Peak:
    """The most memory of its own (RssAnon, MB) that a process had while the block ran, looked at five times a second. What it has of
    files (most of it the 380 libraries that the system's OpenCV is linked with) can be dropped by the kernel, and is not counted."""

    def __init__(self, box: Container) -> None:
        self._box, self.mb = box, 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        pid = self._box.pid
        while not self._end.wait(0.2):
            try:
                self.mb = max(self.mb, memory_mb(pid, "RssAnon"))
            except (OSError, StopIteration):  # that process has ended
                pid = self._box.pid

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()


def cpu_share(pid: int, seconds: float) -> float:
    """Share of one core that a process used while we looked."""
    before, began = cpu_s(pid), time.monotonic()
    time.sleep(seconds)
    return (cpu_s(pid) - before) / (time.monotonic() - began)


def within(box: Container, *words: str) -> str:
    """What a command says that runs in the service's own view of files and network as its user, "" when it says nothing."""
    as_user = ["setpriv", "--reuid=thoth", "--regid=thoth", "--init-groups", "--"]
    done = subprocess.run(
        ["nsenter", f"--target={box.pid}", "--mount", "--net", "--root", "--", *as_user, *words],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return (done.stdout + done.stderr).strip()


class Denied:
    """What the service's kernel calls were refused for want of rights while the block ran, as lines of strace."""

    def __init__(self, box: Container, place: Path) -> None:
        self._box, self._out = box, place / "strace"
        self._lines: list[str] = []

    def __enter__(self) -> list[str]:
        # From its first call on: the unit is started while strace already waits for its process.

        self._box.run("systemctl", "stop", UNIT)
        self._box.run("systemctl", "start", "--no-block", UNIT)
        until(lambda: self._box.pid, 30, "no process", 0.01)
        self._watched = self._box.pid
        self._strace = subprocess.Popen(
            [
                "strace",
                "-f",
                "-qq",
                "-Z",
                "-e",
                "signal=none",
                "-o",
                str(self._out),
                "-p",
                str(self._watched),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(lambda: self._box.shows("ActiveState") == "active", 60, lambda: self._box.log_of()[-500:])
        return self._lines

    def __exit__(self, *_: object) -> None:
        watched = self._box.pid == self._watched
        self._strace.send_signal(signal.SIGINT)
        self._strace.wait(20)
        if not watched:
            raise WrongError("the service started anew while it was watched, so the watch is worth nothing")
        self._lines += sorted(
            {
                line
                for line in self._out.read_text(errors="replace").splitlines()
                if re.search(r"= -1 (EACCES|EPERM)", line)
            }
        )
