"""The parts of the device, opened by the settings; each may be missing, go away and come back."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

FIRST_WAIT, LONGEST_WAIT = 1.0, 30.0
"""Seconds before a part is tried again: doubled after every failure."""
REOPEN_AFTER = 3
"""Failures in a row after which a part is closed and opened anew; a driver rights small faults itself."""


class Closes(Protocol):
    def close(self) -> None: ...


P = TypeVar("P", bound=Closes)


class Keeper(Generic[P]):
    """Keeps one part: opens it, notes when it fails, tries it again with growing patience.

    ``part`` is None while the part is away. ``news`` holds what changed and was not told yet: advice for the player,
    or None when the part is back.
    """

    def __init__(self, name: str, open_part: Callable[[], P] | None) -> None:
        self.name = name
        self.news: deque[str | None] = deque()
        self._open = open_part
        self._opened: P | None = None
        self._advice: str | None = None
        self._failures = 0
        self._due = 0.0

    @classmethod
    def of(cls, name: str, part: P | Keeper[P] | None) -> Keeper[P]:
        """A keeper for a part that is already open, for one that is not wanted (None), or the keeper itself."""
        if isinstance(part, Keeper):
            return part
        keeper: Keeper[P] = Keeper(name, None)
        keeper._opened = part
        return keeper

    @property
    def part(self) -> P | None:
        return self._opened if self._due == 0.0 else None

    def open_if_due(self, now: float) -> bool:
        """Open the part, or try it again, when it is time; True when it has just been opened."""
        if now < self._due:
            return False
        self._due = 0.0
        if self._opened is not None or self._open is None:
            return False
        try:
            self._opened = self._open()
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, the night goes on without the part
            self.failed(getattr(error, "advice", None) or f"no {self.name}: {error}", now)
            return False
        self._tell(None)
        return True

    def failed(self, advice: str, now: float) -> None:
        """The part did not answer: tell the advice if it is new, and wait before it is tried again."""
        self._tell(advice)
        self._failures += 1
        self._due = now + min(FIRST_WAIT * 2 ** (self._failures - 1), LONGEST_WAIT)
        if self._failures >= REOPEN_AFTER and self._open is not None:
            self.close()

    def report(self, fault: str | None, now: float) -> None:
        """The part answered; ``fault`` is what it says of itself (a display that lost its bus goes on trying by itself)."""
        del now
        self._failures = 0
        self._tell(fault)

    def close(self) -> None:
        if self._opened is not None:
            with contextlib.suppress(Exception):
                self._opened.close()
            if self._open is not None:
                self._opened = None

    def _tell(self, advice: str | None) -> None:
        if advice != self._advice:
            self._advice = advice
            self.news.append(advice)
