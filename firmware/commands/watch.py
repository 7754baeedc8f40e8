"""What somebody sees who watches ``thoth demo`` in a terminal: the table as the camera sees it, and the device's display."""

from __future__ import annotations

import os
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from hardware.clock import SimulatedClock
from hardware.display.terminal import braille, plain_line

if TYPE_CHECKING:
    from hardware.camera.frame import Picture


class Watched(Protocol):
    """What there is to be seen of an evening (``firmware.demo``) or an enrolment: a camera, a display's chip, and people who look at it."""

    people: Any
    camera: Any
    chip: Any


_EVERY = 0.15
"""Seconds of real time between two pictures."""
_OLED = (66, 18)
"""Columns and rows of the display in braille signs, with its frame."""
_WORDS = 3
"""Rows of what the display says where there is no room for the display itself: always as many, so that nothing jumps."""
_UNKNOWN = (80, 24)
"""(columns, rows) taken for a terminal that does not know its size."""
_NARROWEST = 10
"""Columns that words need at the least; a narrower terminal breaks the lines itself."""
_RESET = "\x1b[0m"


class PacedClock(SimulatedClock):
    """A simulated clock that runs ``speed`` times as fast as life: what was computed in the meantime counts as time gone by."""

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed
        self._began = time.monotonic()
        self._start = self.monotonic()

    def advance(self, seconds: float) -> None:
        super().advance(seconds)
        ahead = (self.monotonic() - self._start) / self._speed - (time.monotonic() - self._began)
        if ahead > 0:
            time.sleep(ahead)
        else:
            self._began -= ahead  # lost time is not caught up: nobody wants to see hands jump


class Watcher:
    """Draws the evening over its own last picture. ``draw(now)`` is cheap when it is not yet time for another one."""

    def __init__(self, evening: Watched, stream: TextIO | None = None) -> None:
        self._evening = evening
        self._stream = stream if stream is not None else sys.stdout
        self._next = 0.0
        self._drawing = False

    def draw(self, now: float) -> None:
        if self._drawing or time.monotonic() < self._next:
            return
        self._drawing = True
        columns, rows = _terminal_size(self._stream)
        lines = compose(self._evening, columns, rows - 1)
        if not self._next:
            self._stream.write("\x1b[2J")
        self._stream.write("\x1b[H" + "".join(line + _RESET + "\x1b[K\n" for line in lines) + "\x1b[J")
        self._stream.flush()
        self._next = time.monotonic() + _EVERY
        self._drawing = False


def compose(evening: Watched, columns: int, rows: int) -> list[str]:
    """The whole picture for a terminal of ``columns`` x ``rows``: the display below the table, beside it, or as words."""
    picture = evening.camera.preview().picture
    screen = evening.people.screen
    words = plain_line(screen).partition(" | ")[2] if screen is not None else ""
    if rows >= _OLED[1] + 14:
        display = _framed(evening)
        return [*_table(picture, columns, rows - len(display)), *display]
    if columns >= _OLED[0] + 50 and rows >= _OLED[1]:
        table = _table(picture, columns - _OLED[0] - 1, rows)
        display = _framed(evening)
        display += [""] * (len(table) - len(display))
        return [f"{left}{_RESET} {right}" for left, right in zip(table, display, strict=False)]
    lines = textwrap.wrap(words, max(columns, _NARROWEST), max_lines=_WORDS, placeholder=" ...")
    return [*_table(picture, columns, rows - _WORDS), *lines, *[""] * (_WORDS - len(lines))]


def _framed(evening: Watched) -> list[str]:
    """The display's glass in braille signs, from the bytes that the driver wrote to the chip."""
    glass = braille(evening.chip.picture())
    edge = "─" * len(glass[0])
    return [f"┌{edge}┐", *(f"│{line}│" for line in glass), f"└{edge}┘"]


def _table(picture: Picture, columns: int, rows: int) -> list[str]:
    """A BGR picture as coloured half blocks, as large as fits; each sign shows two pixels one above the other."""
    import cv2

    height, width = picture.shape[:2]
    scale = min(columns / width, 2 * rows / height)
    size = max(int(width * scale), 1), max(int(height * scale) // 2 * 2, 2)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)[..., ::-1].tolist()
    return [
        "".join(_pixel(upper, lower) for upper, lower in zip(small[y], small[y + 1], strict=True))
        for y in range(0, len(small), 2)
    ]


def _pixel(upper: list[int], lower: list[int]) -> str:
    return "\x1b[38;2;{};{};{};48;2;{};{};{}m▀".format(*upper, *lower)


def _terminal_size(stream: TextIO) -> tuple[int, int]:
    """(columns, rows). A serial console, or a pipe that plays a terminal, does not know its size and says 0 x 0."""
    try:
        size = os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return _UNKNOWN
    return size.columns or _UNKNOWN[0], size.lines or _UNKNOWN[1]
