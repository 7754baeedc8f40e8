"""What the steps share: the container, the people in front of it, the stick."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.machine.container import Container
from tests.machine.evening import Evening
from tests.machine.looks import UNIT, put

SOURCE = "/root/thoth"
"""Where the copy of Thoth lies in the container that is installed from."""


class Trial:
    """What the steps share."""

    def __init__(self, merged: Path, place: Path) -> None:
        self.merged, self.place = merged, place
        self.box = Container(merged, place / "console.log")
        self.first = self.second = ""
        """The versions by name: the first that was installed, and its update."""
        self.peak_mb = 0.0
        self.stick = Path()
        """The loop device that stands for a USB stick."""
        self._evening: Evening | None = None

    @property
    def evening(self) -> Evening:
        assert self._evening is not None
        return self._evening

    @evening.setter
    def evening(self, evening: Evening) -> None:
        self._evening = evening

    def install(self, *options: str, code: int = 0) -> str:
        return self.box.run(f"{SOURCE}/systemd/install", *options, code=code, timeout=1800)

    def current(self) -> str:
        return Path(self.box.ask("readlink", "/opt/thoth/current")).name

    def versions(self) -> list[str]:
        """Those that lie side by side."""
        return sorted(path.name for path in (self.merged / "opt/thoth/versions").iterdir())

    def anew(self) -> None:
        """Start the service anew with the unit as it is now, and wait until the night goes on."""
        self.box.run("systemctl", "daemon-reload")
        self.box.run("systemctl", "restart", UNIT)
        self.evening.reads(lambda text: "tile" in text, "the night going on")

    def source(self, change: Callable[[Path], None] = lambda _: None) -> None:
        """Lay a copy of this checkout into the container, changed."""
        target = self.merged / SOURCE.lstrip("/")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self.place / "thoth", target)
        change(target)

    def plug(self) -> None:
        """A stick with names on it, as a loop device; the container sees it from its next boot on."""
        content = self.place / "stick"
        put(content, "thoth/names.txt", "Ana\nBen\nClara\n")
        image = self.place / "stick.img"
        run = functools.partial(subprocess.run, check=True, capture_output=True, text=True)
        run(["mke2fs", "-q", "-t", "ext4", "-d", str(content), str(image), "8M"])
        self.stick = Path(run(["losetup", "--find", "--show", str(image)]).stdout.strip())

    def unplug(self) -> None:
        if self.stick != Path():
            subprocess.run(["losetup", "--detach", str(self.stick)], check=False, capture_output=True)

    def last_words(self) -> str:
        if not self.box.leader or not Path(f"/proc/{self.box.leader}").exists():
            return ""
        return f"status: {self.box.status}\n{self.box.log_of()[-3000:]}"
