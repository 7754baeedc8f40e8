"""Time as the devices see it: monotonic seconds, because a Pi has no clock battery and its wall clock jumps."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    def monotonic(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let time pass. Zero or less returns at once."""
        ...


class SystemClock:
    """The machine's own monotonic clock."""

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)


class SimulatedClock:
    """A clock that stands still until somebody sleeps; then time jumps at once and everybody who asked is told.

    ``call_at`` plans one call at an exact moment (an edge of a bouncing button); ``on_advance`` registers a callback that
    gets the new time in seconds after each step, in the order of registering. A step stops at every planned moment on its
    way. What is called may sleep again: time then moves further, and never back.
    """

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start
        self._callbacks: list[Callable[[float], None]] = []
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def monotonic(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Move time forward by ``seconds``. Raises ValueError for a step back."""
        if seconds < 0:
            raise ValueError(f"time does not go back ({seconds} s)")
        target = self._now + seconds
        while self._planned and self._planned[0][0] <= target:
            when, _, call = heapq.heappop(self._planned)
            self._now = max(self._now, when)
            call()
        self._now = max(self._now, target)
        for callback in tuple(self._callbacks):
            callback(self._now)

    def call_at(self, when: float, call: Callable[[], None]) -> None:
        """Call once when the clock reads ``when`` (monotonic s); a moment that is past is called at the next step."""
        self._count += 1
        heapq.heappush(self._planned, (when, self._count, call))

    def on_advance(self, callback: Callable[[float], None]) -> None:
        """Call ``callback(now)`` after every step of time."""
        self._callbacks.append(callback)
