"""The service as a process of its own, as under systemd, with a hand on its keys and an eye on its display."""

from __future__ import annotations

import contextlib
import os
import pty
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEYBOARD = '[camera]\nkind = "none"\n[buttons]\nkind = "keyboard"\n[display]\ndriver = "terminal"\n'
"""No camera; the keys of a terminal; the display as one line per screen."""


class Box:
    """A service in ``folder``: ``press`` keys, ``see`` the display (one line per screen), ``hear`` what systemd hears."""

    def __init__(
        self,
        folder: Path,
        settings: str = KEYBOARD,
        state: Path | None = None,
        before: Sequence[str] = (),
        environment: dict[str, str] | None = None,
        systemd: bool = True,
    ) -> None:
        self.folder, self.config = folder, folder / "thoth.toml"
        self.state = state or folder / "state"
        self.config.write_text(settings)
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notify.bind(str(folder / "notify"))
        self.began = time.monotonic()
        mouth, ear = pty.openpty()
        self._hand = mouth
        told = {"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "30000000"} if systemd else {}
        words = [*before, sys.executable, "-m", "firmware.cli", "run", "--config", str(self.config), "--state-dir", str(self.state)]  # fmt: skip
        self.process = subprocess.Popen(
            words, cwd=ROOT, env={**os.environ, **told, **(environment or {})}, stdin=ear, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
        )  # fmt: skip
        os.close(ear)
        self.shown: list[str] = []
        self.log: list[str] = []
        self._new: queue.Queue[str] = queue.Queue()
        self._threads = [threading.Thread(target=self._listen, args=pair, daemon=True) for pair in ((self.process.stdout, self.shown), (self.process.stderr, self.log))]  # fmt: skip
        for thread in self._threads:
            thread.start()

    def _listen(self, stream: Iterator[str], kept: list[str]) -> None:
        for line in stream:
            kept.append(line.rstrip("\n"))
            self._new.put(kept[-1])

    def hear(self, word: str, seconds: float = 20) -> float:
        """Until systemd hears ``word``; how long after the start that was, in s."""
        self.notify.settimeout(seconds)
        heard = []
        try:
            while True:
                heard.append(self.notify.recv(4096).decode())
                if word in heard[-1]:
                    return time.monotonic() - self.began
        except TimeoutError:
            raise AssertionError(f"{word!r} is not in {heard}; log: {self.log[-8:]}") from None

    def see(self, word: str, seconds: float = 20, since: int = 0) -> str:
        """Until the display (a line of it) holds ``word``; lines before number ``since`` do not count."""
        return self._await(self.shown, word, seconds, since)

    def read_log(self, word: str, seconds: float = 20) -> str:
        return self._await(self.log, word, seconds, 0)

    def _await(self, lines: list[str], word: str, seconds: float, since: int) -> str:
        until = time.monotonic() + seconds
        while True:
            for line in lines[since:]:
                if word in line:
                    return line
            left = until - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{word!r} was not seen in {lines[since:][-12:]}; log: {self.log[-12:]}")
            with contextlib.suppress(queue.Empty):
                self._new.get(timeout=min(left, 0.2))

    def press(self, keys: str) -> int:
        """Press keys (c r u d; capital: held). The number of lines shown before: what comes after it is the answer."""
        before = len(self.shown)
        os.write(self._hand, keys.encode())
        return before

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Ask it to stop; the seconds it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(10)
        return time.monotonic() - began

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(2)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.notify.close()
        os.close(self._hand)


@contextlib.contextmanager
def box(folder: Path, settings: str = KEYBOARD, **more: object) -> Iterator[Box]:
    one = Box(folder, settings, **more)  # type: ignore[arg-type]
    try:
        yield one
    finally:
        one.close()


def begun(one: Box, start: str = "c") -> None:
    """Through the questions of a new game of Tanis, to its first turn."""
    one.see("Which game?")
    for answer in ("Player 1?", "Player 2?", "Who begins?", "Rules", "Lay out", "turn |"):
        since = one.press("c" if answer != "turn |" else start)
        one.see(answer, since=since)


def move(one: Box) -> int:
    """The first move of the menu, confirmed; what came before it on the display does not count."""
    since = one.press("C")
    one.see("menu |", since=since)
    while True:
        since = one.press("c")
        shown = one.see(" | ", since=since)
        if shown.startswith("proposal"):
            return one.press("c")


def mounts() -> None:
    """Skips where file systems cannot be mounted (a test machine without root)."""
    done = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip() or done.returncode}")
