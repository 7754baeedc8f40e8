"""Our own letters: all different, any text, never wider than its room."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from hardware.print.hieroglyphs import SIGNS, sign
from hardware.print.lettering import figures, width, wrapped, write
from hardware.print.raster import raster
from hardware.print.shapes import Drawing, Shape, Stroke, Words, moved

BLACK, WHITE = (0, 0, 0), (255, 255, 255)
SIGNS_OF_TEXT = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+×'.,:;!?/()&%\"ÆØŁÉÈÊĚÑÄŐÅĀĂĖÇĄẠЖЩ中π−"


def drawn(shapes: tuple[Shape, ...], size: float = 20.0) -> np.ndarray:
    return raster(Drawing(size, size, WHITE, moved(shapes, size / 2, size / 2)), 4.0)


def test_no_two_signs_are_alike() -> None:
    seen = {sign: drawn(write(sign, 0, 0, 10.0, BLACK)) for sign in SIGNS_OF_TEXT}
    for one, other in itertools.combinations(seen, 2):
        alike = {one, other} in ({"-", "−"}, {"0", "O"}, {"I", "1"})
        assert alike or (np.abs(seen[one].astype(int) - seen[other]).max(2) > 100).sum() > 40, (one, other)


def test_hieroglyphs_are_all_different() -> None:
    letters = (*SIGNS, "SH", "HS", "KH", "Ö", "Ж", "Щ", "É")
    seen = {letter: drawn(sign(letter, BLACK, WHITE)) for letter in letters}
    assert len(SIGNS) == 26
    for one, other in itertools.combinations(seen, 2):
        # Two reeds against one, two strokes against one: an eighth of the ink and more.
        ink = min((seen[name] < 128).all(2).sum() for name in (one, other))
        assert ((seen[one] < 128) != (seen[other] < 128)).any(2).sum() > ink / 8, (one, other)


@pytest.mark.parametrize("text", ["", " ", "A", "PHARAOH'S MASK", "Ő" * 60, "Ж中 π", "x \t y"])
@pytest.mark.parametrize("room", [5.0, 30.0])
def test_a_text_keeps_to_its_room(text: str, room: float) -> None:
    for align in ("left", "centre", "right"):
        shapes = write(text, 0, 0, 5.0, BLACK, align, room=room)  # type: ignore[arg-type]
        across = [x for shape in shapes if isinstance(shape, Stroke) for x, _ in shape.points]
        if across:
            assert max(across) - min(across) <= room + 1e-6
            middle = {"left": min(across), "centre": (max(across) + min(across)) / 2, "right": max(across)}[
                align
            ]
            assert abs(middle) < 0.9, "it stands where it was put"


def test_small_letters_are_capitals_and_accents_stand_on_them() -> None:
    assert write("ankh", 0, 0, 5, BLACK) == write("ANKH", 0, 0, 5, BLACK)
    assert write("e\N{COMBINING ACUTE ACCENT}", 0, 0, 5, BLACK) == write("é", 0, 0, 5, BLACK)
    plain, accent = write("O", 0, 0, 5, BLACK), write("Ő", 0, 0, 5, BLACK)
    assert accent[: len(plain)] == plain and len(accent) == len(plain) + 2


def test_lines_are_wrapped_at_words() -> None:
    lines = wrapped("take 1 hieroglyph from a player", 3.0, 30.0)
    assert " ".join(lines) == "take 1 hieroglyph from a player" and len(lines) > 1
    assert all(width(line, 3.0) <= 30.0 or " " not in line for line in lines)
    assert wrapped("", 3.0, 10.0) == ()


@pytest.mark.parametrize("text", ["0", "7", "10", "999", "−5", "×2", "+30"])
def test_figures_keep_to_their_room(text: str) -> None:
    for room in (4.0, 12.0):
        shapes = figures(text, 0, 0, 10.0, BLACK, room=room)
        strokes = [shape for shape in shapes if isinstance(shape, Stroke)]
        left = min(x - shape.width / 2 for shape in strokes for x, _ in shape.points)
        right = max(x + shape.width / 2 for shape in strokes for x, _ in shape.points)
        assert right - left <= room + 1e-6 and abs(left + right) < 1e-6


def test_six_and_nine_can_be_marked() -> None:
    assert len(figures("6", 0, 0, 5, BLACK, underline=True)) == len(figures("6", 0, 0, 5, BLACK)) + 1
    assert figures("8", 0, 0, 5, BLACK, underline=True) == figures("8", 0, 0, 5, BLACK)


def test_words_of_a_font_are_not_turned() -> None:
    from hardware.print.ornaments import turned

    with pytest.raises(ValueError, match="lettering"):
        turned((Words(0, 0, 3, "x", BLACK),), 90)
