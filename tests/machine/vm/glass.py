"""Reading what stands on the display's glass: from its pixels back to text, by the display's own letters.

A person's eyes, and as strict: a line counts as read only when every lit pixel of it belongs to a letter.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hardware.display.letters import MAIN, SMALL, Letters

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = npt.NDArray[np.bool_]
_SPACE = {True: 5, False: 4}
"""Empty columns from which on a gap is a space, in the main letters and in the small ones."""
_COLUMNS = 14
"""Empty columns from which on what follows is another text (a title's right end)."""
UNREAD = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Line:
    """``y``: row of the letters' top; ``main``: in the large letters; ``dark``: dark letters on a lit bar (the chosen entry of a list)."""

    y: int
    text: str
    main: bool = False
    dark: bool = False


def read(picture: Image) -> tuple[Line, ...]:
    """The lines from the top. What is lit and no letter is a line of its own, UNREAD; dotted rules are left out."""
    lit = np.asarray(picture.convert("L")) > 127
    bar = lit.all(axis=1)  # the rows of the bar that have no letter in them; it reaches from side to side
    rows = np.flatnonzero(bar)
    lines: list[Line] = []
    if len(rows):
        top, bottom = int(rows[0]), int(rows[-1]) + 1
        lines += [Line(one.y + top, one.text, True, True) for one in _lines(~lit[top:bottom])]
        lit[top:bottom] = False
    lit[_ruled(lit)] = False
    lines += _lines(lit)
    return tuple(sorted(lines, key=lambda line: line.y))


def words(picture: Image) -> str:
    """All of it in one line, as people say aloud what they read."""
    return " ".join(line.text for line in read(picture))


def _ruled(lit: Pixels) -> Pixels:
    """Which rows are dotted rules: many lit pixels, no two side by side."""
    return np.asarray((lit.sum(axis=1) > 60) & ~(lit[:, 1:] & lit[:, :-1]).any(axis=1))


def _lines(lit: Pixels) -> list[Line]:
    """The lines of lit letters on dark ground."""
    found: list[Line] = []
    y, height = 0, len(lit)
    unread = False
    while y < height:
        if not lit[y:].any():
            break
        for letters in (MAIN, SMALL):
            tall = letters.capital + letters.below
            # A letter's cell may reach below the picture where nothing hangs below the line.
            cell = np.zeros((tall, lit.shape[1]), np.bool_)
            part = lit[y : y + tall]
            cell[: len(part)] = part
            text = _text(cell, letters)
            if text is not None:
                found.append(Line(y, text, letters is MAIN))
                y += tall
                unread = False
                break
        else:
            if lit[y].any() and not unread:
                found.append(Line(y, UNREAD))
                unread = True
            y += 1
    return found


def _text(cell: Pixels, letters: Letters) -> str | None:
    """The text whose letters are exactly what is lit in ``cell``; None when there is none, or nothing is lit."""
    columns = np.flatnonzero(cell.any(axis=0))
    if not len(columns):
        return None
    end = int(columns[-1]) + 1
    x, last = int(columns[0]), None
    text = ""
    while x < end:
        if last is not None:
            empty = x - last
            text += "  " if empty >= _COLUMNS else " " if empty >= _SPACE[letters is MAIN] else ""
        found = _letter(cell, x, letters)
        if found is None:
            return None
        sign, width = found
        text += sign
        last = x + width
        ahead = np.flatnonzero(cell[:, last:end].any(axis=0))
        x = last + int(ahead[0]) if len(ahead) else end
    return text


def _letter(cell: Pixels, x: int, letters: Letters) -> tuple[str, int] | None:
    """The widest letter that stands at ``x`` with an empty column behind it, and its width."""
    for width, signs in _bank(letters is MAIN):
        if x + width > cell.shape[1] or (x + width < cell.shape[1] and cell[:, x + width].any()):
            continue
        sign = signs.get(cell[:, x : x + width].tobytes())
        if sign is not None:
            return sign, width
    return None


@functools.cache
def _bank(main: bool) -> tuple[tuple[int, dict[bytes, str]], ...]:
    """Per width, the widest first: each letter by its pixels in a whole cell."""
    letters = MAIN if main else SMALL
    tall = letters.capital + letters.below
    by_width: dict[int, dict[bytes, str]] = {}
    for sign, glyph in letters.glyphs.items():
        pixels = np.zeros((tall, glyph.width), np.bool_)
        for y, row in enumerate(glyph.rows):
            pixels[y] = [one == "#" for one in row]
        if pixels.any():
            by_width.setdefault(glyph.width, {}).setdefault(pixels.tobytes(), sign)
    return tuple(sorted(by_width.items(), reverse=True))
