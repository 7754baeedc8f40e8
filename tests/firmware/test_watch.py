"""What is seen of a simulated table in a terminal: it fits, and no word of the display is cut off."""

from __future__ import annotations

import fcntl
import io
import os
import re
import struct
import termios
from types import SimpleNamespace

import numpy as np
import pytest

from firmware.commands.gallery import gallery_of_screens
from firmware.commands.watch import Watcher, compose
from firmware.enrolling.gallery import screens_of_enrolment
from hardware.display.screen import Screen
from hardware.display.terminal import plain_line

SHOWN = {**gallery_of_screens(), **screens_of_enrolment()}


def _watched(screen: Screen) -> SimpleNamespace:
    picture = np.zeros((864, 1536, 3), np.uint8)
    return SimpleNamespace(
        people=SimpleNamespace(screen=screen),
        camera=SimpleNamespace(preview=lambda: SimpleNamespace(picture=picture)),
    )


@pytest.mark.parametrize("size", [(80, 23), (100, 30)])
def test_the_words_of_every_screen_are_whole_below_the_table(size: tuple[int, int]) -> None:
    for name, screen in SHOWN.items():
        lines = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in compose(_watched(screen), *size)]
        assert len(lines) <= size[1] and all(len(line) <= size[0] for line in lines), name
        words = plain_line(screen).partition(" | ")[2].split()
        shown = " ".join(lines).split()
        if len(screen.choices) > 3:  # a long list: its beginning
            assert words[0] in shown and (shown[-1] == "..." or shown[-1] == words[-1]), name
        else:
            assert shown[-len(words) :] == words, name


class _Terminal(io.StringIO):
    """A terminal of (columns, rows), which keeps what is written."""

    def __init__(self, size: tuple[int, int]) -> None:
        super().__init__()
        self.pair = os.openpty()
        fcntl.ioctl(self.pair[1], termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def fileno(self) -> int:
        return self.pair[1]

    def close(self) -> None:
        for end in self.pair:
            os.close(end)
        super().close()


@pytest.mark.parametrize("size", [(0, 0), (1, 1), (4, 3)])
def test_a_terminal_without_a_size_or_with_hardly_any_shows_the_night(size: tuple[int, int]) -> None:
    screen = next(iter(SHOWN.values()))
    with _Terminal(size) as terminal:
        Watcher(_watched(screen), terminal).draw(0.0)
        assert plain_line(screen).partition(" | ")[2].split()[0] in terminal.getvalue()
