"""What the kernel charges to one service: the figures of its memory cgroup, with a limit or without.

A container has no memory controller of its own where the host's is in the first version's hierarchy. There the container's process 1 is
put into a group made for it while it starts the service, and taken out again: the service, and it alone, stays.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from tests.machine.tree import CannotRunError

_ROOT = Path("/sys/fs/cgroup/memory")
_MB = 1e6


def cold(merged: Path) -> None:
    """Let the kernel forget the files of a tree, so that whoever reads them next is charged for them."""
    for top in ("usr/lib", "opt/thoth", "usr/bin"):
        for path in (merged / top).rglob("*"):
            if path.is_file() and not path.is_symlink():
                with contextlib.suppress(OSError), path.open("rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


class Ledger:
    """The group in which ``leader`` starts the service. ``high``: MB at which the kernel takes back what can be read again from files, as
    the unit's MemoryHigh does. Raises CannotRunError where there is no such hierarchy."""

    def __init__(self, leader: int, high: float | None = None) -> None:
        if not (_ROOT / "memory.limit_in_bytes").exists():
            raise CannotRunError("memory is not counted here: no memory cgroup of the first version")
        self._leader = leader
        self._group = _ROOT / f"thoth-{os.getpid()}"
        lines = Path(f"/proc/{leader}/cgroup").read_text().splitlines()
        home = next(line.split(":", 2)[2] for line in lines if line.split(":")[1] == "memory")
        self._home = _ROOT / home.lstrip("/")
        self._high = high

    def __enter__(self) -> Ledger:
        self._group.mkdir(exist_ok=True)
        if self._high is not None:
            (self._group / "memory.limit_in_bytes").write_text(str(int(self._high * _MB)))
        self._move(self._leader, self._group)
        return self

    def only(self, pid: int) -> None:
        """From now on nobody but ``pid`` is in the group."""
        for line in (self._group / "cgroup.procs").read_text().split():
            if int(line) != pid:
                self._move(int(line), self._home)

    def _move(self, pid: int, group: Path) -> None:
        with contextlib.suppress(ProcessLookupError, OSError):
            (group / "cgroup.procs").write_text(str(pid))

    def figures(self) -> dict[str, Any]:
        """MB: the most that was ever charged; now: own memory, files and of these what is mapped. Pages that had to be read again, and how
        often the limit was met."""
        stat = dict(line.split() for line in (self._group / "memory.stat").read_text().splitlines())
        number = lambda name: int((self._group / name).read_text())  # noqa: E731
        return {
            "high_mb": self._high,
            "peak_mb": round(number("memory.max_usage_in_bytes") / _MB, 1),
            "own_mb": round(int(stat["rss"]) / _MB, 1),
            "files_mb": round(int(stat["cache"]) / _MB, 1),
            "mapped_mb": round(int(stat["mapped_file"]) / _MB, 1),
            "read_again": int(stat["pgmajfault"]),
            "met": number("memory.failcnt"),
        }

    def __exit__(self, *_: object) -> None:
        for line in (self._group / "cgroup.procs").read_text().split():
            self._move(int(line), self._home)
        with contextlib.suppress(OSError):
            self._group.rmdir()
