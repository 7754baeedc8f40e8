"""The four buttons on the keys of a terminal, for a desk and for the demo."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import sys
from collections.abc import Mapping
from typing import Any, TextIO

from hardware.buttons.press import Button, Press

# Bytes of a key -> button, long. A capital letter, Shift with an arrow, or "l" before any key is a long press.
KEYS: Mapping[bytes, tuple[Button, bool]] = {
    b"c": (Button.CONFIRM, False),
    b"\n": (Button.CONFIRM, False),
    b"\r": (Button.CONFIRM, False),
    b"r": (Button.REJECT, False),
    b"\x7f": (Button.REJECT, False),
    b"\x08": (Button.REJECT, False),
    b"u": (Button.UP, False),
    b"\x1b[A": (Button.UP, False),
    b"\x1bOA": (Button.UP, False),
    b"d": (Button.DOWN, False),
    b"\x1b[B": (Button.DOWN, False),
    b"\x1bOB": (Button.DOWN, False),
    b"C": (Button.CONFIRM, True),
    b"R": (Button.REJECT, True),
    b"U": (Button.UP, True),
    b"\x1b[1;2A": (Button.UP, True),
    b"D": (Button.DOWN, True),
    b"\x1b[1;2B": (Button.DOWN, True),
}
LONG_PREFIX = b"l"
_LONGEST = max(len(key) for key in KEYS)


class KeyboardButtons:
    """Reads single keys from ``stream`` (default: stdin) without waiting. Without a terminal there are no keys, and that is no fault.

    The terminal's mode is put back by ``close`` and, should nobody call it, when Python ends. Ctrl-C keeps its meaning.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._file: int | None = None
        self._before: list[Any] | None = None
        self._rest = b""
        self._prefixed = False
        stream = stream if stream is not None else sys.stdin
        try:
            import termios
            import tty
        except ImportError:  # no Unix
            return
        try:
            if stream is None or not stream.isatty():
                return
            self._file = stream.fileno()
            self._before = termios.tcgetattr(self._file)
            tty.setcbreak(self._file, termios.TCSADRAIN)
        except (OSError, ValueError, termios.error):  # closed, hung up, or no file behind it
            self._file = self._before = None
            return
        atexit.register(self.close)

    @property
    def active(self) -> bool:
        """Whether there are keys to press."""
        return self._file is not None

    def poll(self, now: float) -> tuple[Press, ...]:
        if self._file is None:
            return ()
        try:
            while select.select([self._file], [], [], 0)[0]:
                read = os.read(self._file, 64)
                if not read:  # the terminal was hung up
                    self.close()
                    break
                self._rest += read
        except OSError:
            self.close()
        return self._presses(now)

    def close(self) -> None:
        if self._file is None:
            return
        import termios

        with contextlib.suppress(termios.error, OSError):  # the terminal is gone, and its mode with it
            termios.tcsetattr(self._file, termios.TCSADRAIN, self._before or [])
        self._file = None
        atexit.unregister(self.close)

    def _presses(self, now: float) -> tuple[Press, ...]:
        presses: list[Press] = []
        while self._rest:
            for length in range(min(_LONGEST, len(self._rest)), 0, -1):
                key = self._rest[:length]
                if key in KEYS:
                    button, long = KEYS[key]
                    presses.append(Press(button, long or self._prefixed, now))
                    self._prefixed = False
                    break
            else:
                length = 1
                self._prefixed = self._rest[:1] == LONG_PREFIX
            self._rest = self._rest[length:]
        return tuple(presses)
