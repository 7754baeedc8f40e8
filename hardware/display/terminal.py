"""The same screens in a terminal, with two pixels in each sign; where there is no terminal one plain line per screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from hardware.display.draw import HEIGHT, WIDTH, draw
from hardware.display.screen import Screen

if TYPE_CHECKING:
    from PIL.Image import Image

_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
# Braille cells hold 2 x 4 pixels; bit of the code point for (column, row), Unicode 3.0, block 2800.
_DOTS = {
    (0, 0): 0x01,
    (0, 1): 0x02,
    (0, 2): 0x04,
    (1, 0): 0x08,
    (1, 1): 0x10,
    (1, 2): 0x20,
    (0, 3): 0x40,
    (1, 3): 0x80,
}
_BLOCK_COLUMNS, _BLOCK_ROWS = WIDTH + 2, HEIGHT // 2 + 3


class TerminalDisplay:
    """Draws over its own last picture, so that the display seems to stand still above what is printed elsewhere.

    ``stream`` (default: stdout) that is no terminal gets one line of plain text for each screen that differs from the one
    before. A terminal too small for half blocks (130 x 35) gets braille signs (66 x 19), a smaller one plain text.
    ``in_place`` False: each picture below the one before. ``size()`` gives (columns, rows); default: asked from the terminal.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        size: Callable[[], tuple[int, int]] | None = None,
        in_place: bool = True,
    ) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._size = size if size is not None else self._terminal_size
        self._in_place = in_place
        self._shown: Screen | None = None
        self._height = 0
        self._fault: str | None = None

    @property
    def fault(self) -> str | None:
        return self._fault

    def show(self, screen: Screen) -> None:
        if screen == self._shown:
            return
        self._shown = screen
        try:
            self._stream.write(self._text(screen))
            self._stream.flush()
            self._fault = None
        except (OSError, ValueError) as error:  # ValueError: the stream was closed under us
            self._fault = f"the terminal is gone ({error}); start again in another one"

    def tick(self, now: float) -> None:
        pass

    def wake(self) -> bool:
        return False

    def close(self) -> None:
        self._height = 0

    def _text(self, screen: Screen) -> str:
        if not self._stream.isatty():
            return plain_line(screen) + "\n"
        columns, rows = self._size()
        if columns >= _BLOCK_COLUMNS and rows >= _BLOCK_ROWS:
            lines = half_blocks(draw(screen))
        elif columns >= WIDTH // 2 + 2 and rows >= HEIGHT // 4 + 3:
            lines = braille(draw(screen))
        else:
            return plain_line(screen) + "\n"
        frame = [
            "┌" + "─" * len(lines[0]) + "┐",
            *(f"│{line}│" for line in lines),
            "└" + "─" * len(lines[0]) + "┘",
        ]
        up = f"\x1b[{self._height}A\r" if self._in_place and self._height else ""
        self._height = len(frame)
        return up + "".join(line + "\x1b[K\n" for line in frame)

    def _terminal_size(self) -> tuple[int, int]:
        try:
            size = os.get_terminal_size(self._stream.fileno())
        except (OSError, ValueError):
            return 80, 24
        return size.columns, size.lines


def half_blocks(image: Image) -> tuple[str, ...]:
    """A 1-bit picture as rows of half blocks, one sign for 1 x 2 pixels."""
    pixels = _bits(image)
    return tuple(
        "".join(_HALVES[pixels[y][x], pixels[y + 1][x]] for x in range(image.width))
        for y in range(0, image.height, 2)
    )


def braille(image: Image) -> tuple[str, ...]:
    """A 1-bit picture as rows of braille signs, one sign for 2 x 4 pixels."""
    pixels = _bits(image)
    return tuple(
        "".join(
            chr(0x2800 + sum(bit for (dx, dy), bit in _DOTS.items() if pixels[y + dy][x + dx]))
            for x in range(0, image.width, 2)
        )
        for y in range(0, image.height, 4)
    )


def plain_line(screen: Screen) -> str:
    """All texts of a screen on one line: "turn | Ana 12:7 | take a tile"."""
    heading = " ".join(text for text in (screen.title, screen.right) if text)
    choices = "  ".join(
        f"[{text}]" if index == screen.chosen else text for index, text in enumerate(screen.choices)
    )
    parts = (screen.name, heading, screen.main, choices, *screen.lines, screen.footer)
    return " | ".join(part for part in parts if part)


def _bits(image: Image) -> list[list[int]]:
    data = image.convert("L").point([0] * 128 + [1] * 128).tobytes()
    return [list(data[y * image.width : (y + 1) * image.width]) for y in range(image.height)]
