"""A screen as data, and what every display offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Bitmap:
    """A small picture of one bit per pixel: ``rows`` from the top, "#" is lit, all of one length."""

    rows: tuple[str, ...]

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Screen:
    """What the display shall show on 128 x 64 pixels.

    ``title`` is one small line at the top, ``main`` the line in letters at least 16 px high, ``lines`` up to two
    small lines below (with ``choices`` none), ``footer`` the small line at the bottom (what the buttons do).
    ``choices`` is a list to go through with UP and DOWN; the chosen one stands in the main letters. ``right`` is a short text at the title's right
    end (the score). ``name`` says which screen this is. ``pictures``: one stands at the left with up to four ``lines`` beside it;
    several stand side by side in rows, with what ``lines`` there is room for below.
    """

    name: str
    title: str = ""
    main: str = ""
    lines: tuple[str, ...] = ()
    footer: str = ""
    right: str = ""
    choices: tuple[str, ...] = ()
    chosen: int = 0
    pictures: tuple[Bitmap, ...] = ()


class Display(Protocol):
    """Shows screens. Never raises for a fault of the device: it retries, and ``fault`` says what is wrong."""

    @property
    def fault(self) -> str | None:
        """None while the display answers, else a sentence with the remedy."""
        ...

    def show(self, screen: Screen) -> None: ...
    def tick(self, now: float) -> None:
        """Called often with monotonic seconds: re-initialise after a fault, dim, shift, sleep."""
        ...

    def wake(self) -> bool:
        """Light up again; True if the display was asleep (the press that woke it does nothing else)."""
        ...

    def close(self) -> None: ...
