"""The small change of every notation: names, lists of pieces, the forms a line may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.words import forms_like, listed, named, quoted, read_list, read_seat, words, write_seat

KNOWN = ("coin", "mask", "map")
FORMS = "dig, swap E from bag, swap E for A, end"


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=5, unique=True))
def test_every_name_is_one_word_and_read_back(names: list[str]) -> None:
    for seat in range(len(names)):
        word = write_seat(seat, names)
        assert words(f"steal from {word}")[-1] == word
        assert names[read_seat(word, names)] == names[seat]
        assert read_seat(write_seat(seat)) == seat


def test_a_name_like_a_seat_is_quoted() -> None:
    assert quoted("player-2") == '"player-2"'
    assert read_seat("player-2", ("player-2", "Ben")) == 1
    assert read_seat('"player-2"', ("player-2", "Ben")) == 0


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("Zoe", "Zoe is none of the players: write Ana or Ben"),
        ("", "no player is named: write Ana or Ben"),
        ("player-3", "player-3 is none of the players: write Ana or Ben"),
    ],
)
def test_who_is_not_there_is_told_who_is(word: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_seat(word, ("Ana", "Ben"))


@given(st.lists(st.sampled_from(KNOWN), max_size=9))
def test_a_list_is_read_back(pieces: list[str]) -> None:
    assert sorted(read_list(listed(pieces), KNOWN)) == sorted(pieces)


@pytest.mark.parametrize("text", ["2 cup", "coin, coin", "1 coin", "02 coin", "", "coin,mask", "-2 coin"])
def test_a_list_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|none of"):
        read_list(text, KNOWN)


@pytest.mark.parametrize(
    ("text", "says"),
    [("swap E", "swap E from bag, or swap E for A"), ("fly", FORMS), ("end now", "end"), ("", FORMS)],
)
def test_a_line_that_is_nearly_right_is_told_its_own_form(text: str, says: str) -> None:
    assert forms_like(text, FORMS) == says


def test_a_seat_in_a_text_is_called_by_name() -> None:
    assert named("Tent not seen: player-2", ("Ana", "Ben")) == "Tent not seen: Ben"
    assert named("player-1, player-12", ("Ana", "Ben")) == "Ana, player-12"
    assert named("Row 1: not empty", ("Ana",)) == "Row 1: not empty"
