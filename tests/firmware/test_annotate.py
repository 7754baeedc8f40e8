"""The drawing of what was read: names beside the pieces, in whatever letters they are written."""

from __future__ import annotations

import numpy as np
import pytest

from firmware.commands.annotate import drawn, lettered
from vision.reading.words import Found, Reading

PIECE = np.array([[0, 0], [100, 0], [100, 200], [0, 200]], np.float32)
GREY = 120


def _pieces(*at: tuple[int, int]) -> Reading:
    return Reading(
        tuple(Found(f"falcon-{n}", PIECE + np.array(xy, np.float32), 1.0, 0.99) for n, xy in enumerate(at)),
        (),
        {},
    )


def _within(picture: np.ndarray, x: int, y: int) -> bool:
    """Whether anything was drawn over the inside of the piece at x, y."""
    return bool((picture[y + 6 : y + 194, x + 6 : x + 94] != GREY).any())


@pytest.mark.parametrize(
    "at",
    [
        [(300, 300)],
        [(0, 0), (700, 600)],  # at the picture's edges
        [(100, 100), (210, 100), (320, 100), (430, 100)],  # a row
        [(300, 100), (300, 310), (300, 520)],  # a column, with no room between
    ],
)
def test_a_name_stands_beside_the_piece_and_hides_no_other(at: list[tuple[int, int]]) -> None:
    picture = drawn(np.full((800, 800, 3), GREY, np.uint8), _pieces(*at))
    assert [xy for xy in at if _within(picture, *xy)] == []
    dark = (picture == 20).all(-1)
    assert dark.sum() > 1000 * len(at)


def test_a_name_stands_on_the_piece_when_there_is_no_room_beside_it() -> None:
    whole = Reading((Found("falcon-1", PIECE, 1.0, 0.99),), (), {})
    picture = drawn(np.full((200, 100, 3), GREY, np.uint8), whole)
    assert (picture == 20).all(-1).sum() > 150


def test_what_is_unknown_has_its_mark_on_it() -> None:
    picture = drawn(np.full((800, 800, 3), GREY, np.uint8), Reading((), (PIECE + 300,), {}))
    assert _within(picture, 300, 300)


def test_names_in_other_letters_are_written_or_lose_their_accents() -> None:
    assert lettered("falcon-7 99%", 20)[1] == "falcon-7 99%"
    decomposed = "gru" + "\N{COMBINING DIAERESIS}" + "n"
    assert lettered("grün é", 20, ())[1] == "grun e"
    assert lettered(decomposed, 20, ())[1] == "grun"
    assert lettered("鷹 7", 20, ("no such font.ttf",))[1] == "_ 7"


def test_no_letter_is_a_box() -> None:
    for text in ("Schlange 3 grün", "Змея", "鷹", "œuvre ł ß"):
        font, written = lettered(text, 24)
        box = bytes(font.getmask("\uffff"))
        assert all(bytes(font.getmask(letter)) != box for letter in written if letter != " ")
