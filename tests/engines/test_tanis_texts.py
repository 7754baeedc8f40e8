"""Every text of Tanis that goes to the display fits it, and every step survives being written down."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace

import pytest

from engines.rulebook import rulebook
from engines.tanis import rules
from engines.tanis.dig import CELLS, DIRECTIONS, adjacent
from engines.tanis.moves import Excavator, Expert, Explorer, Heights, Shift, Take, Uncovered
from engines.tanis.state import SIGNS, TILES

LONGEST_WORDS = {
    "tile": "Scarab 10",
    "by": "Falcon 10",
    "card": "Excavator",
    "sign": "scarab",
    "where": "it was removed from the game",
}
WORDINGS = [(rule.id, name) for rule in rulebook("tanis").rules.values() for name in rule.refusals]


@pytest.mark.parametrize(("id", "name"), WORDINGS)
def test_a_refusal_fits_the_display(id: str, name: str) -> None:
    refusal = rulebook("tanis").refuse(id, name, LONGEST_WORDS)
    for text in (refusal.text, refusal.remedy):
        lines = textwrap.wrap(text, 21)
        assert 1 <= len(lines) <= 2, lines
        assert all(len(word) <= 21 for word in text.split())
    assert refusal.long[-1] in ".)" and "{" not in refusal.long
    kind = rulebook("tanis").rules[id].kind
    assert refusal.kind == kind
    assert (kind != "book") == ("This rests on" in refusal.long)


def test_every_refusal_that_the_rules_give_stands_in_the_rulebook() -> None:
    from pathlib import Path

    source = Path(rules.__file__).read_text(encoding="utf-8")
    used = set(re.findall(r'"([A-Z]\d+)", "(\w+)"', source))
    used |= {(id, "due") for id in rules.TAKE_DUE.values()}
    assert used == set(WORDINGS)


def test_a_ruling_that_can_be_switched_names_an_option_that_exists() -> None:
    values = {f"{option.name}={value}" for option in rules.OPTIONS for value in option.values}
    named = {rule.option for rule in rulebook("tanis").rules.values() if rule.option}
    assert named <= values
    assert {name.split("=")[0] for name in named} == set(rules.DEFAULTS) - {"expert_keeps_second"}
    assert all(len(option.text) <= 28 for option in rules.OPTIONS)


STEPS = (
    *(Take(0, tile) for tile in TILES),
    *(Excavator(0, tile) for tile in (*TILES, "")),
    Explorer(0, "", "right", 0),
    *(Explorer(0, "ankh-10", direction, steps) for direction in DIRECTIONS for steps in range(5)),
    Expert(0),
    Shift(0, "snake-7", (3, 4), (3, 3)),
    Heights((4, 3, 2, 1, 0) * 4),
    Heights((4, 3, 2, 1, 0) * 4, correction=True),
    *(
        Uncovered(one, other, number, sign, correction=correction)
        for one in CELLS
        for other in CELLS
        if adjacent(one, other)
        for number, sign in ((10, None), (None, "scarab"), (1, "falcon"))
        for correction in (False, True)
    ),
)


def test_every_step_can_be_written_and_read() -> None:
    for step in STEPS:
        assert rules.parse(rules.format(step), 0) == step
    assert len({rules.format(step) for step in STEPS}) == len(STEPS)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "take",
        "take falcon",
        "take falcon-11",
        "take  falcon-7",
        "Take falcon-7",
        "take falcon-7 ",
        "take falcon-07",
        "explorer snake-7",
        "explorer snake-7 north 1",
        "explorer snake-7 right",
        "explorer snake-7 right 01",
        "explorer snake-7 right two",
        "explorer snake-7 right -1",
        "expert now",
        "shift snake-7 b3",
        "shift snake-7 b3-e1",
        "reveal",
        "reveal a1-a2",
        "reveal a1-a2 falcon",
        "reveal a1-a2 cat-7",
        "reveal a1-a2 falcon-0",
        "reveal heights 444",
        "reveal heights 44444444444444444445",
    ],
)
def test_what_is_no_step_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|written"):
        rules.parse(text, 0)


def test_phrases_fit() -> None:
    longest = max(
        (rules.phrase(step) for step in STEPS if not isinstance(step, Heights | Uncovered)),
        key=lambda phrase: len(phrase[1]),
    )
    assert len(longest[1]) <= 21
    assert rules.phrase(Take(0, "falcon-7")) == ("takes", "Falcon 7")
    assert rules.phrase(Explorer(0, "snake-7", "right", 2)) == ("Explorer", "Snake 7 right 2")
    assert rules.phrase(Explorer(0, "snake-7", "right", 0)) == ("Explorer", "Snake 7 stays")
    assert rules.phrase(Excavator(0, "ankh-3")) == ("excavates", "Ankh 3")
    assert rules.phrase(Expert(0)) == ("plays", "Expert")
    assert rules.phrase(Shift(0, "ankh-3", (0, 0), (0, 1))) == ("moves", "Ankh 3 askew")


def test_what_is_due_fits_the_main_line() -> None:
    state = rules.start(2, 0, {})
    for stage in (
        "start",
        "take after explorer",
        "take after excavator",
        "first of expert",
        "second of expert",
    ):
        for sign in SIGNS:
            text = rules.due(replace(state, stage=stage, last_sign=sign))
            assert 0 < len(text) <= 14
