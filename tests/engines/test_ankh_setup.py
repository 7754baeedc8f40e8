"""Components, numbers and set-up of Ankh."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.ankh import rules
from engines.ankh.cards import COLOURS, MUMMIES, is_papyrus, wishes
from engines.ankh.dealing import deal
from engines.ankh.game import ANKH
from engines.ankh.moves import FirstPapyrus
from engines.ankh.numbers import compiled
from engines.catalogue import MissingNumbers, override, shipped
from engines.game import WrongReveal
from tests.ankh_table import FILLER, YGBR5, cut, refused, table, totals, verified
from tests.rules import rule

CATALOGUE = shipped("ankh")


@rule("P1", "M1", game="ankh")
def test_seventy_two_mummies_of_four_colours_and_five_values() -> None:
    counts = compiled(CATALOGUE).counts
    assert sum(n for card, n in counts.items() if not is_papyrus(card)) == 72
    assert {card for card in counts if not is_papyrus(card)} == set(MUMMIES) and len(MUMMIES) == 20
    assert CATALOGUE["deck.mummies"] == 72 and CATALOGUE.verified("deck.mummies")
    for line in ("play green-6", "play red-0", "sacrifice blue-1, blue-9"):
        assert refused(table(), line).rule == "P1"
    assert refused(table(), "play green-6").text == "There is no Green 6"


@rule("P2", "K25", game="ankh")
def test_eighteen_papyri_each_with_every_colour_once() -> None:
    papyri = CATALOGUE["papyri.cards"]
    assert len(papyri) == 18 == CATALOGUE["deck.papyri"] and CATALOGUE.verified("deck.papyri")
    assert all(sorted(wishes(card)[0]) == sorted(COLOURS) for card in papyri)
    assert refused(table(), "play green-green-blue-red-5").rule == "K25"
    own = table(catalogue=verified())
    assert refused(own, "play green-yellow-blue-red-5").rule == "P2"  # the owner copied others


@rule("K2", game="ankh")
def test_the_house_deck_is_named_as_such_and_keeps_the_printed_examples() -> None:
    papyri = CATALOGUE["papyri.cards"]
    assert Counter(card.rpartition("-")[2] for card in papyri) == {"3": 6, "4": 6, "5": 6}
    for place in range(4):
        assert set(Counter(card.split("-")[place] for card in papyri).values()) == {4, 5}
    assert YGBR5 in papyri
    assert "green-blue-red-yellow-5" in papyri and "yellow-red-blue-green-5" in papyri
    assert all(CATALOGUE[f"mummies.{colour}"] == [4, 4, 4, 3, 3] for colour in COLOURS)
    unknown = ["papyri.cards", *(f"mummies.{colour}" for colour in COLOURS)]
    assert CATALOGUE.house and not any(CATALOGUE.verified(path) for path in unknown)
    assert all(CATALOGUE.numbers[path].origin == "house" for path in unknown)
    assert all(number.ask for number in CATALOGUE.numbers.values())


@rule("K2", game="ankh")
def test_nothing_is_refused_by_an_invented_count_but_asked() -> None:
    state = table(*["play red-5", "play red-5", "play red-5"], papyrus="yellow-green-blue-red-9")
    move = rules.parse("play red-5", 0)
    doubt = rules.doubt(state, move)
    assert rules.refusal(state, move) is None
    assert doubt is not None and (doubt.rule, doubt.kind) == ("K2", "house")
    assert doubt.text == "Red 5: the list has 3" and "house rule" in doubt.long
    assert rules.doubt(state, rules.parse("play red-4", 0)) is None
    odd = rules.doubt(state, rules.parse("play green-yellow-blue-red-7", 0))
    assert odd is not None and odd.text == "GYBR 7: the list has none"
    assert rules.doubt(state, rules.parse("sacrifice 3 red-4", 0)) is None
    assert rules.doubt(state, rules.parse("sacrifice 4 red-4", 0)) is not None
    # What the owner has counted is refused instead, and never doubted.
    own = table(*["play red-5"] * 3, papyrus="green-blue-red-yellow-5", catalogue=verified())
    assert refused(own, "play red-5").rule == "G2"
    assert rules.doubt(own, move) is None


@rule("W3", game="ankh")
def test_a_papyrus_shows_a_number_from_one_to_nine_as_long_as_nobody_has_copied_them() -> None:
    state = table()
    assert rules.refusal(state, rules.parse("play green-yellow-blue-red-9", 0)) is None
    assert refused(state, "play green-yellow-blue-red-10").rule == "W3"
    assert refused(state, "play green-yellow-blue-red-0").rule == "W3"


@rule("P3", "K23", game="ankh")
def test_points_rows_and_discards_are_open_and_hands_are_not() -> None:
    state = table("play yellow-5", FILLER, papyrus="yellow-green-blue-red-9")
    assert state.rows == (("yellow-5",), (), ()) and state.discard == ("green-1",)
    assert state.hands == (4, 4, 4) and state.pile == 90 - 1 - 12 - 2
    # Two worlds that differ in the hands alone are one state.
    deals = [deal(seed, 2, 0, {}) for seed in range(400)]
    first = deals[0]
    twin = next(other for other in deals[1:] if other.opening() == first.opening())
    assert twin.hands != first.hands and twin.state == first.state
    assert hash(twin.state) == hash(first.state)


@rule("S1", "K1", game="ankh")
def test_any_papyrus_lies_in_the_middle_before_anything_else() -> None:
    state = rules.start(2, 0, {})
    assert rules.awaited(state) == tuple(FirstPapyrus(card) for card in CATALOGUE["papyri.cards"])
    assert rules.legal_moves(state) == () and rules.due(state) == "first papyrus"
    assert refused(state, "play green-4").rule == "S1"
    for card in CATALOGUE["papyri.cards"]:
        after = rules.apply(state, FirstPapyrus(card))
        assert after.papyri == (card,) and rules.awaited(after) == ()
        with pytest.raises(WrongReveal, match="lies there already"):
            rules.apply(after, FirstPapyrus(card))
    for wrong in ("green-4", "green-green-blue-red-5"):
        with pytest.raises(WrongReveal, match="no papyrus"):
            rules.apply(state, FirstPapyrus(wrong))
    with pytest.raises(WrongReveal, match="no papyrus"):
        rules.apply(rules.start(2, 0, {}, verified()), FirstPapyrus("green-yellow-blue-red-5"))
    openings = {deal(seed, 2, 0, {}).opening()[0] for seed in range(200)}
    assert len(openings) == 18  # chance decides


@rule("S2", "S3", game="ankh")
def test_the_rest_is_shuffled_together_and_everybody_takes_four() -> None:
    for players in (2, 3, 4, 5):
        state = table(players=players)
        assert state.hands == (4,) * players and state.pile == 89 - 4 * players
        world = deal(7, players, 0, {})
        assert [len(cards) for cards in world.hands] == [4] * players
        everything = Counter([*world.pile, *(card for cards in world.hands for card in cards), *world.papyri])
        assert everything == Counter(dict(compiled(CATALOGUE).counts))
    # Papyri and mummies lie anywhere in it.
    assert any(is_papyrus(card) for card in deal(7, 2, 0, {}).pile[:20])


@rule("G1", "K3", game="ankh")
def test_anybody_may_begin() -> None:
    for players in ANKH.players:
        for first in range(players):
            assert rules.to_move(rules.start(players, first, {})) == first
    for players, first in ((1, 0), (6, 0), (3, 3), (2, -1)):
        with pytest.raises(ValueError, match="two to five"):
            rules.start(players, first, {})
    with pytest.raises(ValueError, match="target"):
        rules.start(2, 0, {"target": "60"})


@rule("M2", "W1", game="ankh")
def test_rows_lie_before_the_players_and_one_papyrus_counts_for_all() -> None:
    state = table("play yellow-1", "play yellow-2", "play yellow-3", "play red-4")
    assert state.rows == (("yellow-1", "red-4"), ("yellow-2",), ("yellow-3",))
    assert state.papyri == (YGBR5,)
    covered = table("play yellow-1", "play red-green-blue-yellow-2", "play yellow-3", "play yellow-3")
    assert totals(covered) == (-4, 0, -3) and covered.written[0][0] == "red-green-blue-yellow-2"


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"mummies.green": None}, "mummies.green", "Green mummies"),
    ({"papyri.cards": None}, "papyri.cards", "Each papyrus"),
    ({"mummies.green": [4, 4, 4, 3]}, "mummies.green", "how many show 1"),
    ({"mummies.green": [4, 4, 4, 3, 4]}, "deck.mummies", "count the mummies"),
    ({"papyri.cards": [YGBR5] * 17}, "papyri.cards", "as often as it is there"),
    ({"papyri.cards": [YGBR5] * 17 + ["yellow-green-blue-5"]}, "papyri.cards", "each once"),
    ({"papyri.cards": [YGBR5] * 17 + ["yellow-yellow-blue-red-5"]}, "papyri.cards", "each once"),
    ({"papyri.cards": [YGBR5] * 17 + ["yellow-green-blue-red-15"]}, "papyri.cards", "1 to 14"),
    ({"papyri.points": [2, 1, 0]}, "papyri.points", "first, second"),
    ({"deck.hand": 18}, "deck.hand", "count the cards"),
]


@rule("K2", game="ankh")
@pytest.mark.parametrize(("values", "path", "remedy"), FAULTS)
def test_numbers_that_do_not_fit_are_named(values: dict[str, Any], path: str, remedy: str) -> None:
    catalogue = override(CATALOGUE, values, "own", "test")
    lacks = rules.lacks(5, {}, catalogue)
    assert path in [lack.path for lack in lacks]
    assert any(remedy in lack.remedy for lack in lacks)
    with pytest.raises(MissingNumbers) as caught:
        rules.start(5, 0, {}, catalogue)
    assert caught.value.lacks == lacks


def test_the_shipped_and_any_counted_deck_can_be_played() -> None:
    assert all(rules.lacks(players, {}, CATALOGUE) == () for players in (2, 3, 4, 5))
    small = cut({"green": (2, 2, 2, 0, 0)}, [YGBR5, YGBR5, YGBR5])
    assert rules.lacks(2, {}, small) == ()
    assert [lack.path for lack in rules.lacks(3, {}, small)] == ["deck.hand"]
    state = table(players=2, catalogue=small)
    assert state == table(players=2, catalogue=small) != table(players=2)
