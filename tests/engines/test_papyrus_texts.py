"""Every text of Papyrus that goes to the display fits it, and every step survives being written down."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import games
from engines.game import Move, Step
from engines.papyrus import reading, rules
from engines.papyrus.moves import (
    FACES,
    SPREADS,
    Buy,
    Cleared,
    Counted,
    Decline,
    Draw,
    EventShown,
    Form,
    Gain,
    Go,
    Left,
    Lose,
    Lying,
    Pass,
    Standing,
    Stop,
    Swap,
    SwapWith,
    TakeFrom,
    Travel,
    Win,
)
from engines.papyrus.notation import COUNTS, PILES, short
from engines.papyrus.travel import brief, roads
from engines.rulebook import rulebook
from tests.papyri import NAMES, sample, start

LONGEST_WORDS = {
    "place": short("event-horus-amon-ra"),
    "here": short("event-horus-amon-ra"),
    "god": short("qebehsenuefsonofhorus"),
    "pyramid": "Amon-Ra",
    "letter": "SHH",
    "n": "10",
    "size": "10 hieroglyphs",
    "what": "hieroglyphs",
    "cost": "10 water, 10 light, 10 nature, 10 dark",
    "short": "10W 10L 10N 10D",
    "letters": "Q E B E H S E N U E F S O N",
    "word": "QEBEHSENUEFSONOF",
}
WORDINGS = [(rule.id, name) for rule in rulebook("papyrus").rules.values() for name in rule.refusals]


@pytest.mark.parametrize(("id", "name"), WORDINGS)
def test_a_refusal_fits_the_display(id: str, name: str) -> None:
    refusal = rulebook("papyrus").refuse(id, name, LONGEST_WORDS)
    for text in (refusal.text, refusal.remedy):
        lines = textwrap.wrap(text, 21)
        assert 1 <= len(lines) <= 2, lines
        assert all(len(word) <= 21 for word in text.split())
    assert refusal.long[-1] in ".)" and "{" not in refusal.long
    kind = rulebook("papyrus").rules[id].kind
    assert refusal.kind == kind
    assert (kind != "book") == ("This rests on" in refusal.long)


def test_every_refusal_that_the_rules_give_stands_in_the_rulebook() -> None:
    folder = Path(rules.__file__).parent
    source = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py")))
    used = set(re.findall(r'"([A-Z]\d+a?)", "(\w+)"', source))
    used |= set(re.findall(r'"([A-Z]\d+)" if state.alone else "[A-Z]\d+"\), "(\w+)"', source))
    used |= {
        (id, name)
        for _, id, name in re.findall(r'"([A-Z]\d+)" if state.alone else "([A-Z]\d+)"\), "(\w+)"', source)
    }
    assert used == set(WORDINGS)


def test_a_ruling_that_can_be_switched_names_an_option_that_exists() -> None:
    values = {f"{option.name}={value}" for option in rules.OPTIONS for value in option.values}
    named = {rule.option for rule in rulebook("papyrus").rules.values() if rule.option}
    assert named <= values
    assert {name.split("=")[0] for name in named} == set(rules.DEFAULTS) - {"gods"}
    assert not named & {f"{name}={value}" for name, value in rules.DEFAULTS.items()}, (
        "the default switches nothing"
    )
    assert all(len(option.text) <= 28 for option in rules.OPTIONS)


def test_the_game_is_offered() -> None:
    game = games()["papyrus"]
    assert game.players == (1, 2, 3, 4, 5) and game.rules is rules
    assert game.reading is reading


def every_step() -> Iterator[Step]:
    yield from (Draw(0), Decline(0), Pass(0), Buy(0), Stop(0))
    for cards in ((), ("water",) * 4 + ("light",) * 2, FACES, ("eye",) * 12):
        yield Travel(0, "amon-ra", cards)
        if cards:
            yield Lose(0, cards)
    for card in (True, False):
        yield Form(0, "amon-ra", card)
        yield from (Win(0, "amon-ra", card, tiles) for tiles in (None, 0, 1, 10))
    yield from (Swap(0, "A"), Swap(0, "A", "E"), Swap(0, "SH", "A"))
    for tiles in (("A",), ("A", "A", "E"), ("SH", "Ü")):
        yield from (Gain(0, tiles), Lose(0, tiles))
    for seat in range(5):
        yield from (TakeFrom(0, seat), SwapWith(0, seat))
    yield from (Go(0, "isis"), Go(0, "event-horus-amon-ra-2"))
    for correction in (False, True):
        yield EventShown("dark-night", correction=correction)
        yield from (Left(what, number, correction=correction) for what in PILES for number in (0, 110))
        yield from (Cleared(place, correction=correction) for place in SPREADS)
        yield from (Lying(tiles, correction=correction) for tiles in ((), ("A", "A", "E"), ("SH",)))
        for seat in range(5):
            yield Standing(seat, "event-isis-seth", correction=correction)
            yield from (
                Counted(seat, what, number, correction=correction)
                for what in COUNTS
                for number in (0, 7, 110)
            )
            yield Counted(seat, "points", -12, correction=correction)


@pytest.mark.parametrize("names", [(), NAMES, ("Ana Maria", "player-1", 'x"y', "Ben", "from")])
def test_every_step_can_be_written_and_read(names: tuple[str, ...]) -> None:
    steps = list(every_step())
    written = [rules.format(step, names) for step in steps]
    assert [rules.parse(text, 0, names) for text in written] == steps
    assert len(set(written)) == len(written)


def test_the_order_of_cards_means_nothing() -> None:
    assert rules.parse("move to isis paying 2 light, 4 water", 0) == rules.parse(
        "move to isis paying 4 water, 2 light", 0
    )
    assert rules.format(rules.parse("gain 2 E, A", 0)) == "gain A, 2 E"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Draw",
        "draw 2",
        "draw ",
        "move to isis",
        "move to isis paying",
        "move to isis paying 3",
        "move to isis paying 1 water",
        "move to isis paying water, water",
        "move to isis paying water,light",
        "move to isis paying fire",
        "move to isis paying A",
        "move to Isis paying water",
        "move  to isis paying water",
        "win",
        "win Horus",
        "win horus drawing",
        "win horus drawing -1",
        "win horus drawing 03",
        "win horus with god",
        "form",
        "form horus drawing 2",
        "swap a from bag",
        "swap A",
        "swap A for",
        "swap A for bag",
        "swap ABCD from bag",
        "gain",
        "gain 0 A",
        "gain a",
        "lose water, A",
        "lose A, water",
        "take from Zoe",
        "take from player-6",
        "take from",
        "exchange Ben",
        "go isis",
        "buy 2",
        "reveal",
        "reveal event",
        "reveal event Flood",
        "reveal hand Ben",
        "reveal hand Ben many",
        "reveal hand Ben -1",
        "reveal points Ben -0",
        "reveal feet Ben 2",
        "correct pawn Ben",
        "correct deck",
        "correct deck many",
        "correct open",
        "correct open a",
        'take from "Ben',
    ],
)
def test_what_is_no_step_says_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write|written|none of|never closed|twice"):
        rules.parse(text, 0, NAMES)


def test_phrases_fit() -> None:
    for step in every_step():
        if isinstance(step, Move):
            for names in ((), NAMES):
                verb, thing = rules.phrase(step, names)
                assert verb and len(thing) <= 16
    assert rules.phrase(Travel(0, "amon-ra", ())) == ("moves to", "Amon-Ra")
    # Moves that are alike but for what is paid or drawn are told apart, also in the menu.
    paid = Travel(0, "event-isis-seth", ("nature", "dark", "dark", "eye"))
    assert rules.phrase(paid) == ("moves to", "Isis-Seth N2DE")
    assert rules.phrase(Win(0, "horus", card=False, tiles=3)) == ("wins", "Horus -god+3")
    assert rules.phrase(Win(0, "qebehsenuefsonofhorus", tiles=0)) == ("wins", "Qebehsenuefs. +0")
    assert rules.phrase(Win(0, "horus")) == ("wins", "Horus")
    assert rules.phrase(Swap(0, "A", "E")) == ("swaps", "A for E")
    assert rules.phrase(Lose(0, ("water", "water", "eye"))) == ("loses", "2 water, eye")
    assert rules.phrase(Lose(0, FACES)) == ("loses", "5 cards")
    assert rules.phrase(TakeFrom(0, 1), NAMES) == ("takes from", "Ben")


def test_what_a_way_costs_fits_the_display() -> None:
    for there in roads(start(2, catalogue=sample())).ways.values():
        assert all(len(brief(way)) <= 17 for way in there.values())


def test_what_is_no_step_of_papyrus_is_not_written() -> None:
    with pytest.raises(TypeError):
        rules.format(Move(0))
    with pytest.raises(TypeError):
        rules.phrase(Move(0))
