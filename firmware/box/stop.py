"""Being told from outside: to stop (SIGTERM, SIGINT) within two seconds whatever goes on, and to reread the settings (SIGHUP)."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

GRACE, LAST = 1.0, 0.5
"""Seconds after which a wait that goes on (for a frame, for light to settle) is broken off, and after which the process just ends.
Nothing can be lost by it: what was confirmed is on the disk."""


class Overdue(BaseException):
    """The time to stop in peace is over. No Exception, so that nobody who guards against faults of drivers catches it."""


class Stop:
    """Set by the signals to stop; the loop ends at its next round."""

    def __init__(self) -> None:
        self.asked = False
        self.limited = False
        """Whether the alarm is heard that limits the time."""
        self._broken_off = False

    def __call__(self, number: int = 0, frame: FrameType | None = None) -> None:
        if not self.asked:
            self.asked = True
            if self.limited:
                signal.setitimer(signal.ITIMER_REAL, GRACE)

    def ended(self) -> None:
        """All is done that could be broken off; should the interpreter hang at its end, the alarm still ends it."""
        self._broken_off = True

    def overdue(self, number: int, frame: FrameType | None) -> None:
        """The alarm: first what waits is broken off, then there is no time for anything."""
        if self._broken_off:
            os._exit(0)
        self._broken_off = True
        signal.setitimer(signal.ITIMER_REAL, LAST)
        raise Overdue


def leave(code: int) -> None:
    """End the process here and now where a thread that may be ended at any time is still at work: it may wake in a library of C++ while the
    interpreter goes away, and that aborts the process (signal 6). What is to be done at the end is done before."""
    if any(thread.daemon for thread in threading.enumerate() if thread is not threading.main_thread()):
        atexit._run_exitfuncs()
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)


class Hangup:
    """Set by SIGHUP; ``take`` says once that it came."""

    def __init__(self) -> None:
        self._asked = False

    def __call__(self, number: int = 0, frame: FrameType | None = None) -> None:
        self._asked = True

    def take(self) -> bool:
        asked, self._asked = self._asked, False
        return asked


@contextlib.contextmanager
def listening(stop: Stop, hangup: Hangup) -> Iterator[None]:
    """With the signals connected; a stop that took too long ends the block in silence."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    signal.signal(signal.SIGALRM, stop.overdue)
    signal.signal(signal.SIGHUP, hangup)
    stop.limited = True
    with contextlib.suppress(Overdue):
        yield
    stop.ended()
