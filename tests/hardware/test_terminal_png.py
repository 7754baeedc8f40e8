"""The same screens in a terminal, as plain lines and as PNG files."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hardware.display import DisplaySettings, open_display
from hardware.display.draw import draw
from hardware.display.png import PngDisplay
from hardware.display.screen import Screen
from hardware.display.terminal import TerminalDisplay, braille, half_blocks, plain_line

ANA = Screen("turn", "Ana", "take a tile", ("or play a card",), "hold CONFIRM: all", "12:7")
LIST = Screen("game", "Game", choices=("Ankh", "Tanis"), chosen=1)


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_half_blocks_hold_every_pixel() -> None:
    lines = half_blocks(draw(ANA))
    assert len(lines) == 32 and {len(line) for line in lines} == {128}
    back = np.zeros((64, 128), bool)
    for y, line in enumerate(lines):
        for x, sign in enumerate(line):
            back[2 * y, x] = sign in "▀█"
            back[2 * y + 1, x] = sign in "▄█"
    assert np.array_equal(back, np.asarray(draw(ANA)).astype(bool))


def test_braille_holds_every_pixel() -> None:
    """Dots 1-8 of Unicode's braille patterns, left column 1 2 3 7, right column 4 5 6 8."""
    lines = braille(draw(ANA))
    assert len(lines) == 16 and {len(line) for line in lines} == {64}
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]
    back = np.zeros((64, 128), bool)
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            for dot, (dx, dy) in enumerate(places):
                back[4 * row + dy, 2 * column + dx] = (ord(sign) - 0x2800) >> dot & 1
    assert np.array_equal(back, np.asarray(draw(ANA)).astype(bool))


@pytest.mark.parametrize(
    ("size", "sign", "height"), [((200, 60), "█", 34), ((80, 24), "⠤", 18), ((130, 35), "█", 34)]
)
def test_the_terminals_size_decides(size: tuple[int, int], sign: str, height: int) -> None:
    stream = Tty()
    display = TerminalDisplay(stream, lambda: size)
    display.show(ANA)
    text = stream.getvalue()
    assert sign in text and text.count("\n") == height and "\x1b[" + str(height) + "A" not in text
    display.show(LIST)
    assert f"\x1b[{height}A" in stream.getvalue()  # over the picture before
    before = stream.getvalue()
    display.show(LIST)
    assert stream.getvalue() == before


def test_a_tiny_terminal_gets_plain_text() -> None:
    stream = Tty()
    TerminalDisplay(stream, lambda: (40, 10)).show(ANA)
    assert stream.getvalue() == plain_line(ANA) + "\n"


def test_without_a_terminal_one_plain_line_for_each_changed_screen() -> None:
    stream = io.StringIO()
    display = TerminalDisplay(stream)
    for screen in (ANA, ANA, LIST, ANA):
        display.show(screen)
    assert stream.getvalue().splitlines() == [
        "turn | Ana 12:7 | take a tile | or play a card | hold CONFIRM: all",
        "game | Game | Ankh  [Tanis]",
        "turn | Ana 12:7 | take a tile | or play a card | hold CONFIRM: all",
    ]
    assert "\x1b" not in stream.getvalue()


def test_a_terminal_that_is_gone_is_a_fault_and_no_end() -> None:
    stream = Tty()
    display = TerminalDisplay(stream, lambda: (200, 60))
    stream.close()
    display.show(ANA)
    assert display.fault is not None
    assert display.wake() is False
    display.tick(1.0)
    display.close()


def test_png_files_one_for_each_changed_screen(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    display = open_display(DisplaySettings("png", folder=folder))
    for screen in (ANA, ANA, LIST, Screen("odd/name ü", main="x")):
        display.show(screen)
    assert [path.name for path in sorted(folder.iterdir())] == [
        "0001-turn.png",
        "0002-game.png",
        "0003-odd-name-ü.png",
    ]
    with Image.open(folder / "0001-turn.png") as image:
        assert image.size == (512, 256)
        small = np.asarray(image.convert("L").resize((128, 64), Image.Resampling.NEAREST)) > 0
    assert np.array_equal(small, np.asarray(draw(ANA)).astype(bool))
    assert display.fault is None


def test_a_folder_that_cannot_be_written_is_a_fault_and_no_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    display = PngDisplay(tmp_path / "file" / "folder")
    display.show(ANA)
    assert display.fault is not None and "cannot write" in display.fault
    (tmp_path / "file").unlink()
    display.show(ANA)
    assert display.fault is None and display.wake() is False
