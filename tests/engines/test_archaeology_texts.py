"""Every text of Archaeology that goes to the display fits it, and every step survives being written down."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from engines import games
from engines.archaeology import causes, dealing, rules
from engines.archaeology.moves import (
    DISCARDS,
    DRAWN,
    Bust,
    Cards,
    Chamber,
    Cleared,
    Dig,
    Draw,
    Drawn,
    End,
    Explore,
    Hand,
    Lose,
    Market,
    Peek,
    Sell,
    Steal,
    Stop,
    Tent,
    Trade,
)
from engines.archaeology.notation import title
from engines.archaeology.numbers import FACES
from engines.game import Move, Reveal
from engines.rulebook import rulebook
from engines.words import write_seat
from tests.expeditions import NAMES, begin, play, step, turns
from tests.rules import rule

BOOK = rulebook("archaeology")
WORDINGS = [(rule.id, name) for rule in BOOK.rules.values() for name in rule.refusals]
LONGEST_WORDS = {"treasure": "Talisman", "count": "15", "give": "100", "take": "100"}

STEPS = (
    Dig(0),
    Draw(0),
    Stop(0),
    Bust(0),
    End(0),
    *(Steal(0, victim) for victim in range(1, 5)),
    Tent(0, True),
    Tent(0, False),
    Lose(0, ("coin", "coin", "mask")),
    Lose(0, ()),
    Trade(0, ("coin", "coin"), ("mask", "shard")),
    Trade(0, ("pendant",) * 11, ("tablet",)),
    Trade(0, ("coin",), ()),
    Trade(0, (), ("coin",)),
    Explore(0),
    *(Explore(0, chamber) for chamber in (1, 2, 3, 10)),
    Explore(0, 0, ("coin", "mask")),
    Explore(0, 0, ("coin",)),
    Explore(0, 0, ("coin", "coin")),
    *(Peek(0, chamber) for chamber in (1, 2, 3)),
    *(Sell(0, (face,) * count) for face in FACES for count in (1, 2, 12)),
    Sell(0, ()),
    Sell(0, ("coin", "mask")),
    Drawn("treasure"),
    Drawn("thief"),
    Drawn("sandstorm"),
    Market(("shard", "coin", "coin", "mask", "cup")),
    *(Chamber(chamber, face) for chamber in (1, 2, 3) for face in FACES),
    Cards(("coin",)),
    Cards(("coin",) * 5),
    Cards(()),
    Cleared(1, 2),
    Cleared(DISCARDS, 3),
    Cleared(DRAWN, 5),
    *(
        Hand(seat, count, correction=correction)
        for seat in range(5)
        for count in (0, 7, 85)
        for correction in (False, True)
    ),
)


@pytest.mark.parametrize(("id", "name"), WORDINGS)
def test_a_refusal_fits_the_display(id: str, name: str) -> None:
    refusal = BOOK.refuse(id, name, LONGEST_WORDS)
    for text in (refusal.text, refusal.remedy):
        lines = textwrap.wrap(text, 21)
        assert 1 <= len(lines) <= 2, lines
    assert refusal.long[-1] in ".)" and "{" not in refusal.long + refusal.text + refusal.remedy
    kind = BOOK.rules[id].kind
    assert refusal.kind == kind
    assert (kind != "book") == ("This rests on" in refusal.long)


def test_every_refusal_that_the_rules_give_stands_in_the_rulebook() -> None:
    source = "".join(Path(module.__file__).read_text(encoding="utf-8") for module in (causes, dealing))
    used = set(re.findall(r'"([A-Z]\d+)",\s*"(\w+)"', source))
    assert used == set(WORDINGS)


def test_a_ruling_that_can_be_switched_names_an_option_that_exists() -> None:
    values = {f"{option.name}={value}" for option in rules.OPTIONS for value in option.values[1:]}
    named = {entry.option for entry in BOOK.rules.values() if entry.option}
    assert named == {value for value in values if not value.startswith("monument=")}
    assert all(entry.kind != "book" for entry in BOOK.rules.values() if entry.option)
    assert all(len(option.text) <= 28 for option in rules.OPTIONS)


def test_all_rulings_stand_in_the_rulebook() -> None:
    assert {f"A{number}" for number in range(1, 53)} <= set(BOOK.rules)
    assert all(entry.text.endswith((".", ")")) and entry.section for entry in BOOK.rules.values())
    assert [entry.id for entry in BOOK.rules.values() if entry.kind == "house"] == ["A41"]


def test_every_step_can_be_written_and_read() -> None:
    for names in ((), NAMES):
        for made in STEPS:
            text = rules.format(made, names)
            assert rules.parse(text, 0, names) == made, text
            assert rules.format(rules.parse(text, 0, names), names) == text
    assert len({rules.format(made) for made in STEPS}) == len(STEPS)
    awkward = ("Ana Maria", "player-2", "Zoë: 5")
    for made in (Steal(0, 1), Steal(0, 2), Hand(0, 5, correction=True)):
        assert rules.parse(rules.format(made, awkward), 0, awkward) == made


@rule("A34", game="archaeology")
def test_cards_are_read_in_the_order_they_are_said() -> None:
    assert step("Ana: explore mask, coin") == Explore(0, 0, ("mask", "coin"))
    assert step("Ana: trade mask, 2 coin for shard") == Trade(0, ("mask", "coin", "coin"), ("shard",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dig deeper",
        "Dig",
        "steal",
        "steal Ben",
        "steal from",
        "steal from Zoe",
        "steal from player-9",
        "tent",
        "tent maybe",
        "lose",
        "lose 1 coin",
        "lose 2 gold",
        "lose coin, coin",
        "trade",
        "trade coin",
        "trade coin for",
        "trade coin for mask for cup",
        "trade coin mask for cup",
        "explore ",
        "explore 0",
        "explore 01",
        "explore nothing",
        "explore coin mask",
        "explore " + "9" * 5000,
        "peek",
        "peek one",
        "peek 1 2",
        "sell",
        "sell  coin",
        "sell coins",
        "sell 2000 coin",
        "reveal",
        "reveal gold",
        "reveal market",
        "reveal chamber coin",
        "reveal chamber 1 gold",
        "reveal chamber 1",
        "reveal cards",
        "reveal hand Ben",
        "reveal hand 5",
        "correct hand Ben five",
        "correct hand Ben -1",
        "end ",
        "reveal hand Ben ²",
        "reveal cleared sets Zoe 1",
        "reveal cleared Ben 1",
        "reveal cleared discards",
    ],
)
def test_what_is_no_step_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write"):
        rules.parse(text, 0, NAMES)


def test_phrases_fit() -> None:
    names = ("Ana", "Bartholomew the Second", "Cleo", "Dan", "Eve")
    for made in STEPS:
        if isinstance(made, Move):
            verb, thing = rules.phrase(made, names)
            assert 0 < len(thing) <= 16 and 0 < len(verb) <= 10, (verb, thing)
    assert rules.phrase(Sell(0, ("mask",) * 3)) == ("sells", "3 Masks")
    assert rules.phrase(Sell(0, ("mask",))) == ("sells", "Mask")
    assert rules.phrase(Trade(0, ("coin",) * 2, ("mask",))) == ("trades", "2 for Mask")
    assert rules.phrase(Trade(0, ("coin",) * 5, ("mask", "cup"))) == ("trades", "5 for 2 cards")
    assert rules.phrase(Lose(0, ("coin", "coin", "mask"))) == ("loses", "2 Coins, Mask")
    assert rules.phrase(Lose(0, ("coin", "cup", "talisman"))) == ("loses", "3 cards")
    assert rules.phrase(Steal(0, 1), NAMES) == ("steals", "from Ben")
    assert rules.phrase(Steal(0, 1)) == ("steals", "from player 2")
    assert rules.phrase(Explore(0, 0, ("talisman", "pendant"))) == ("explores", "Talism., Pendant")
    assert rules.phrase(Explore(0, 0, ("coin", "mask"))) == ("explores", "Coin, Mask")
    assert title("scrap", 4) == "4 Scraps"


def test_nothing_else_is_written_or_phrased() -> None:
    class Nap(Move):
        """No move of this game."""

    for unknown in (Nap(0), Reveal()):
        with pytest.raises(TypeError, match="no step"):
            rules.format(unknown)
    with pytest.raises(TypeError, match="no move"):
        rules.phrase(Nap(0))


def test_what_is_due_and_hinted_fits() -> None:
    state = turns(begin(players=2), 24)
    storm = play(state, "Ana: dig; reveal sandstorm; Ben: tent no; Ana: tent no")
    assert rules.due(storm) == "lose 8 cards"
    assert all(
        0 < len(text) <= 14
        for text in [*rules.DUE.values(), "lose 42 cards", "sell something", "dig or go on"]
    )
    assert all(len(f"Full set: {title(face, 5)}") <= 21 for face in FACES)


def test_the_game_is_registered_and_read_from_the_table() -> None:
    game = games()["archaeology"]
    assert game.players == (2, 3, 4, 5)
    assert write_seat(1) == "player-2"
    assert game.reading.layout(2, game.defaults).game == "archaeology"
