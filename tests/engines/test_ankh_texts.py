"""Every text of Ankh that goes to the display fits it, and every step survives being written down."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from engines.ankh import rules
from engines.ankh.cards import MUMMIES, any_papyri, title
from engines.ankh.moves import FirstPapyrus, HandCount, Play, Sacrifice, Shuffled
from engines.game import Move, Step
from engines.rulebook import rulebook
from tests.ankh_table import YGBR5
from tests.rules import rule

LONGEST_WORDS = {
    "card": "Yellow 5",
    "cards": "GYBR 5, Yellow 5",
    "count": "none",
    "held": "20",
    "number": "10",
}
WORDINGS = [(entry.id, name) for entry in rulebook("ankh").rules.values() for name in entry.refusals]


@pytest.mark.parametrize(("id", "name"), WORDINGS)
def test_a_refusal_fits_the_display(id: str, name: str) -> None:
    refusal = rulebook("ankh").refuse(id, name, LONGEST_WORDS)
    for text in (refusal.text, refusal.remedy):
        lines = textwrap.wrap(text, 21)
        assert 1 <= len(lines) <= 2, lines
        assert all(len(word) <= 21 for word in text.split())
    assert refusal.long[-1] in ".)" and "{" not in refusal.long
    kind = rulebook("ankh").rules[id].kind
    assert refusal.kind == kind
    assert (kind != "book") == ("This rests on" in refusal.long)


def test_every_refusal_that_the_rules_give_stands_in_the_rulebook() -> None:
    folder = Path(rules.__file__).parent
    source = "".join(
        (folder / name).read_text(encoding="utf-8") for name in ("rules.py", "dealing.py", "effects.py")
    )
    used = set(re.findall(r'"([A-Z]\d+)", "(\w+)"', source))
    used |= {("P1", "all"), ("P2", "all")}  # chosen by the kind of card
    assert used == set(WORDINGS)


@rule("K7", "K9", "K20", "K21", game="ankh")
def test_a_ruling_that_can_be_switched_names_an_option_that_exists() -> None:
    values = {f"{option.name}={value}" for option in rules.OPTIONS for value in option.values}
    named = {entry.option for entry in rulebook("ankh").rules.values() if entry.option}
    assert named <= values
    assert {name.split("=")[0] for name in named} == set(rules.DEFAULTS)
    assert all(len(option.text) <= 28 for option in rules.OPTIONS)


PAPYRI = sorted(any_papyri())
STEPS: tuple[Step, ...] = (
    *(Play(0, card) for card in (*MUMMIES, *PAPYRI, "green-0", "red-12")),
    *(Sacrifice(1, (card,)) for card in MUMMIES),
    Sacrifice(0, ("red-1", "green-4", "red-1", YGBR5)),
    Sacrifice(0, ("blue-1",) * 4),
    Sacrifice(0),
    *(Sacrifice(0, (), number) for number in (1, 2, 3, 4)),
    Sacrifice(0, ("red-1", "red-1"), 1),
    Sacrifice(0, (YGBR5,), 2),
    *(FirstPapyrus(card, correction=correction) for card in PAPYRI for correction in (False, True)),
    Shuffled(),
    *(HandCount(seat, number, correction=True) for seat in (0, 1, 4) for number in (0, 3, 12)),
)


@pytest.mark.parametrize(
    "names", [(), ("Ana", "Ben", "Cleo", "Dia", "Eve"), ("player-2", "a b", '"', "x:", "y")]
)
def test_every_step_can_be_written_and_read(names: tuple[str, ...]) -> None:
    for step in STEPS:
        player = step.player if isinstance(step, Move) else 0
        assert rules.parse(rules.format(step, names), player, names) == step
    assert len({rules.format(step) for step in STEPS}) == len({str(step) for step in STEPS})


def test_cards_are_written_like_this_and_may_be_read_out() -> None:
    assert rules.format(Play(0, YGBR5)) == "play yellow-green-blue-red-5"
    assert rules.format(Sacrifice(0, ("red-1", "green-4", "green-4"))) == "sacrifice 2 green-4, red-1"
    assert rules.format(Sacrifice(0, ("red-1",), 2)) == "sacrifice red-1, 2 unseen"
    assert rules.format(Sacrifice(0)) == "sacrifice nothing"
    assert rules.format(FirstPapyrus(YGBR5)) == "reveal papyrus yellow-green-blue-red-5"
    assert rules.format(FirstPapyrus(YGBR5, correction=True)) == "correct papyrus yellow-green-blue-red-5"
    assert rules.format(HandCount(1, 3, correction=True), ("Ana", "Ben")) == "correct hand Ben 3"
    assert rules.format(HandCount(1, 3, correction=True)) == "correct hand player-2 3"
    assert rules.format(Shuffled()) == "reveal shuffled"
    for text in (
        "play YGBR-5",
        "play ygbr5",
        "play papyrus YGBR 5",
        "play papyrus-yellow-green-blue-red-5",
        "play yellow green blue red 5",
        "play papyrus yellow green blue red 5",
    ):
        assert rules.parse(text, 0) == Play(0, YGBR5)
    assert rules.parse("play Green 4", 0) == rules.parse("play mummy green 4", 0) == Play(0, "green-4")
    assert rules.parse("sacrifice 2 green 4, papyrus YGBR-5", 0) == Sacrifice(
        0, ("green-4", "green-4", YGBR5)
    )
    assert rules.parse("reveal papyrus YGBR-5", 0) == FirstPapyrus(YGBR5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "play",
        "play ",
        "play green",
        "play green-",
        "play green-04",
        "play green-100",
        "play green-٤",
        "play purple-4",
        "play green-yellow-5",
        "play green-yellow-blue-5",
        "play XYZW-5",
        "play green-4 ",
        "play  green-4",
        "Play green-4",
        "play green-4, red-1",
        "sacrifice",
        "sacrifice ",
        "sacrifice green",
        "sacrifice green-4,red-1",
        "sacrifice green-4, green-4",
        "sacrifice 1 green-4",
        "sacrifice 0 green-4",
        "sacrifice 1000 green-4",
        "sacrifice ２ green-4",
        "sacrifice green-4, ",
        "sacrifice nothing, green-4",
        "sacrifice 2 cards",
        "pass",
        "reveal",
        "reveal papyrus",
        "reveal papyrus green-4",
        "reveal shuffled now",
        "reveal hand Ben 3",
        "correct",
        "correct shuffled",
        "correct hand",
        "correct hand player-2",
        "correct hand player-2 03",
        "correct hand player-2 3 4",
        "correct hand player-0 3",
        "correct hand Ben 3",
        'correct hand "Ben 3',
    ],
)
def test_what_is_no_step_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|like|closed"):
        rules.parse(text, 0)


def test_steps_of_another_game_are_not_written() -> None:
    with pytest.raises(TypeError):
        rules.format(Move(0))
    with pytest.raises(TypeError):
        rules.phrase(Move(0))


def test_phrases_fit() -> None:
    phrases = [rules.phrase(step) for step in STEPS if isinstance(step, Move)]
    assert max(len(thing) for _, thing in phrases) <= 21
    assert rules.phrase(Play(0, "green-4")) == ("plays", "Green 4")
    assert rules.phrase(Play(0, YGBR5)) == ("plays", "YGBR 5")
    assert rules.phrase(Sacrifice(0, ("red-1", "red-2"), 1)) == ("sacrifices", "3 cards")
    assert rules.phrase(Sacrifice(0, ("red-2", YGBR5, "blue-1"))) == ("sacrifices", "B1 R2 YGBR5")
    assert rules.phrase(Sacrifice(0, (YGBR5,) * 4)) == ("sacrifices", "4 cards"), (
        "too many letters for a line"
    )
    assert rules.phrase(Sacrifice(0, ("red-1",))) == ("sacrifices", "Red 1")
    assert rules.phrase(Sacrifice(0)) == ("sacrifices", "no cards")
    assert title("any text") == "any text"
