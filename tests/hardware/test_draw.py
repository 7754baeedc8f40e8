"""Letters and layout of the 128 x 64 screens."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.display.draw import HEIGHT, WIDTH, draw, fits, layout, test_picture
from hardware.display.letters import MAIN, SMALL, Letters
from hardware.display.screen import Screen


def lit(screen: Screen, **options: Any) -> Any:
    return np.asarray(draw(screen, **options)).astype(bool)


def rows_of(picture: Any) -> tuple[int, int]:
    rows = np.flatnonzero(picture.any(axis=1))
    return int(rows[0]), int(rows[-1])


@pytest.mark.parametrize("letters", [MAIN, SMALL])
def test_every_printable_sign_that_people_write_is_drawn(letters: Letters) -> None:
    plain = string.ascii_letters + string.digits + " .,:;!?'\"-–+=/()[]&%*_<>#×·…°↑↓→←▲▼✓✗"
    assert letters.missing(plain) == ""
    assert letters.missing("äöüßéèêñåçÄÖÉÑØøæœłČčšžı’“”—") == ""
    assert letters.missing("漢\U0001f600") == "漢\U0001f600"


@pytest.mark.parametrize("letters", [MAIN, SMALL])
def test_no_two_signs_look_alike(letters: Letters) -> None:
    """O and 0, I, l and 1, 5 and S, 2 and Z: mixed up, a score would be read wrong."""
    seen: dict[Any, str] = {}
    for sign, glyph in letters.glyphs.items():
        rows = tuple(row.rstrip(".") for row in glyph.rows)
        key = (glyph.width, rows)
        assert key not in seen, f"{sign} looks like {seen[key]}"
        seen[key] = sign


@pytest.mark.parametrize("letters", [MAIN, SMALL])
def test_capitals_and_figures_have_their_full_height(letters: Letters) -> None:
    for sign in string.ascii_uppercase + string.digits:
        rows = [index for index, row in enumerate(letters.glyphs[sign].rows) if "#" in row]
        assert rows[0] == 0 and rows[-1] >= letters.capital - 1, sign
    assert MAIN.capital == 16


def test_small_lines_always_hold_21_signs() -> None:
    assert max(glyph.width for glyph in SMALL.glyphs.values()) <= 5
    for sign in SMALL.glyphs:
        if sign != " ":
            assert fits(Screen("x", lines=(sign * 21,))) == (), sign
    assert fits(Screen("x", title="W" * 21, footer="M" * 21)) == ()
    assert fits(Screen("x", lines=("W" * 22,))) == ("lines[0]",)


def test_main_letters_are_16_px_high_also_when_condensed() -> None:
    for main in ("HIT", "HEXENHAUSTIERE", "HHHHHHHHHHHHHHH"):
        assert fits(Screen("x", main=main)) == ()
        top, bottom = rows_of(lit(Screen("x", main=main)))
        assert bottom - top + 1 == 16
    assert fits(Screen("x", main="H" * 16)) == ("main",)


@pytest.mark.parametrize("sign", list(string.ascii_letters))
def test_names_of_12_letters_fit_whatever_the_letters(sign: str) -> None:
    assert fits(Screen("x", title=sign * 12, main=sign * 12, right="120:99")) == ()
    assert fits(Screen("x", choices=(sign * 12, sign * 12, sign * 12))) == ()


def test_nothing_is_lit_outside_and_all_of_it_can_be_shifted() -> None:
    screen = Screen(
        "x", "Título WWWWWWWWWW", "gjpqy", ("gjpqy" * 4, "gjpqyWWWWWWWWWWWWWWWW"), "gjpqy" * 4, "12:7"
    )
    assert fits(screen) == ()
    whole = lit(screen)
    for dx in (-1, 0, 1):
        for dy in (0, 1):
            assert lit(screen, shift=(dx, dy)).sum() == whole.sum()
    assert whole[0].any() and not whole[HEIGHT - 1].any() and not whole[:, WIDTH - 1].any()


def overlaps(screen: Screen) -> list[tuple[str, str]]:
    boxes = [
        (
            text.what,
            text.x,
            text.y,
            text.x + text.letters.width(text.text, text.gap),
            text.y + text.letters.capital + text.letters.below,
        )
        for text in layout(screen).texts
        if text.text.strip()
    ]
    return [
        (a[0], b[0])
        for i, a in enumerate(boxes)
        for b in boxes[i + 1 :]
        if a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]
    ]


words = st.text(string.ascii_letters + "0123456789 .:!?", max_size=30)


@settings(max_examples=120, deadline=None)
@given(
    title=words, main=words, lines=st.lists(words, max_size=5).map(tuple), footer=words, right=st.text("0123456789:", max_size=8),
    choices=st.lists(words, max_size=6).map(tuple), chosen=st.integers(-2, 8),
)  # fmt: skip
def test_whatever_the_texts_nothing_overlaps_or_leaves_the_screen(
    title: str,
    main: str,
    lines: tuple[str, ...],
    footer: str,
    right: str,
    choices: tuple[str, ...],
    chosen: int,
) -> None:
    screen = Screen("any", title, main, lines, footer, right, choices, chosen)
    assert draw(screen).size == (WIDTH, HEIGHT)
    assert overlaps(screen) == []
    wrong = fits(screen)
    for text in layout(screen).texts:
        assert text.x >= 0 and text.x + text.letters.width(text.text, text.gap) <= WIDTH
        assert text.y >= 0 and text.y + text.letters.capital + text.letters.below <= HEIGHT
        if text.fault is None:
            assert "…" not in text.text
        else:
            assert text.what in wrong


def test_a_long_main_text_goes_on_two_lines_when_there_is_room() -> None:
    screen = Screen("x", main="Wilhelmina Maximilian")
    texts = [text.text for text in layout(screen).texts]
    assert texts == ["Wilhelmina", "Maximilian"] and fits(screen) == ()
    assert fits(Screen("x", main="Wilhelmina Maximilian", lines=("a",))) == ("main",)


def test_what_does_not_fit_is_named_and_visibly_cut() -> None:
    screen = Screen("x", "t" * 60, "m" * 40, ("l" * 90, "b", "c"), "f" * 70, "1:0")
    assert fits(screen) == ("title", "main", "lines[0]", "footer", "lines[2]")
    assert all(text.text.endswith("…") for text in layout(screen).texts if text.fault)
    assert fits(Screen("x", main="漢字")) == ("main",)
    assert fits(Screen("x", choices=("a",), main="b", lines=("c",))) == ("main", "lines[0]")


def test_lists_show_the_chosen_in_main_letters_between_its_neighbours() -> None:
    screen = Screen("x", "Choose", choices=("Ankh", "Archaeology", "Papyrus", "Tanis"), chosen=1)
    shown = {text.text: text for text in layout(screen).texts}
    assert shown["Archaeology"].letters is MAIN and shown["Archaeology"].dark
    assert shown["Ankh"].letters is SMALL and shown["Ankh"].y < shown["Archaeology"].y < shown["Papyrus"].y
    assert "Tanis" not in shown and shown["2/4"].what == "right"
    assert shown["▲"].y == shown["Ankh"].y and shown["▼"].y == shown["Papyrus"].y
    picture = lit(screen)
    assert (
        picture[21].all() and picture[42].all() and not picture[20:43].all()
    )  # a lit bar, with dark letters in it
    ends = [layout(Screen("x", choices=screen.choices, chosen=chosen)).texts for chosen in (0, 3)]
    assert [sum(text.text in "▲▼" for text in texts) for texts in ends] == [1, 1]
    assert fits(Screen("x", choices=("a", "H" * 16), chosen=0)) == (
        "choices[1]",
    )  # tried as the chosen one too


def test_dark_letters_are_the_same_as_lit_ones() -> None:
    dark = lit(Screen("x", choices=("Falcon",)))
    light = lit(Screen("x", main="Falcon"))
    top, bottom = rows_of(light)
    assert np.array_equal(~dark[22 : 22 + bottom - top + 1, 1:127], light[top : bottom + 1, 1:127])


def test_accents_stand_above_small_letters() -> None:
    plain, accented = lit(Screen("x", main="noel")), lit(Screen("x", main="noël"))
    extra = accented & ~plain
    top, _ = rows_of(plain)
    assert extra.any() and np.flatnonzero(extra.any(axis=1)).max() < top + 16 - MAIN.small
    assert MAIN.width("ß", 1) == MAIN.width("ss", 1)


def test_the_test_picture_touches_all_four_sides() -> None:
    picture = np.asarray(test_picture("SH1106", "I2C 1 0x3C")).astype(bool)
    assert picture[0].all() and picture[-1].all() and picture[:, 0].all() and picture[:, -1].all()
    assert 0.05 < picture.mean() < 0.4


test_picture.__test__ = False  # type: ignore[attr-defined]  # a picture to test with, not a test
