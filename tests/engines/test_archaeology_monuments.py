"""The six monuments of Archaeology: their set-up, exploring, and what goes on there during play."""

from __future__ import annotations

import pytest

from engines.archaeology import rules
from engines.archaeology.counts import left_in
from engines.archaeology.numbers import FACES
from engines.archaeology.state import CHAMBERS, HANDS, PILE
from tests.expeditions import (
    ANA,
    BEN,
    as_shipped,
    begin,
    doubted,
    dug,
    hands,
    move,
    play,
    refusal,
    refused,
    rule_of,
    turns,
    with_numbers,
    wrong,
)
from tests.rules import rule

RUINS = "reveal chamber 1 coin; reveal chamber 2 mask; reveal chamber 3 shard"


def _rich(monument: str, *lines: str, rounds: int = 3, **options: str) -> rules.ArchaeologyState:
    """Ana's turn after so many rounds, right after her dig."""
    return dug(turns(begin(*lines, monument=monument, **options), 2 * rounds))


def _chambers(state: rules.ArchaeologyState) -> list[int]:
    return [left_in(state, chamber) for chamber in range(1, len(state.numbers.chambers[state.monument]) + 1)]


# What goes for all of them


@rule("E1", "A45", game="archaeology")
def test_exploring_needs_maps_in_the_hand() -> None:
    state = _rich("great-pyramid", rounds=6)
    assert rule_of(state, "Ana: explore 3") == ""
    # Four of the six maps are in sight: Ana may have two, not three.
    seen = play(state, "Ana: sell map; Ana: sell map; Ana: sell map; Ana: sell map")
    assert refused(seen, "Ana: explore 3") == "E1 Not enough maps: 3"
    assert rule_of(seen, "Ana: explore 2") == ""
    one = begin("Ana: dig; reveal treasure")
    assert rule_of(one, "Ana: explore 1") == ""
    assert refused(one, "Ana: explore 2") == "E1 Not enough maps: 2"  # one card came from the dig site


@rule("E2", "A26", game="archaeology")
def test_the_monument_is_explored_once_in_a_turn() -> None:
    state = play(_rich("temple"), "Ana: explore 1")
    assert refused(state, "Ana: explore 2") == "E2 Explored already"
    assert not any("explore" in rules.format(made) for made in rules.legal_moves(state))
    after = dug(turns(play(state, "Ana: end"), 1))
    assert rules.to_move(after) == ANA and rule_of(after, "Ana: explore 2") == ""
    assert rule_of(_rich("temple"), "Ben: explore 1") == "F1"
    # A map that came this turn counts.
    fresh = begin("Ana: dig; reveal treasure; Ana: explore 1")
    assert fresh.explored and fresh.maps_gone == 1


@rule("E3", "E4", "E5", "A27", "A35", game="archaeology")
def test_maps_are_paid_exactly_and_leave_the_game() -> None:
    state = _rich("great-pyramid", rounds=6)
    after = play(state, "Ana: explore 2")
    assert after.maps_gone == 2 and hands(after) == (11 - 2 + 5, 10)
    assert "map" not in after.market
    assert after.hidden.known(HANDS[ANA]) == {}
    # Two of six maps are gone: whoever sells the others has shown them all.
    rest = play(after, *["Ana: sell map"] * 4)
    assert refused(rest, "Ana: sell map") == "L1 Nobody has so many"
    for line in ("explore", "explore 4", "explore coin, mask"):
        assert refused(state, f"Ana: {line}") == "E3 No such chamber"


@rule("E6", "A28", "A29", game="archaeology")
def test_most_chambers_are_explored_once_in_a_game() -> None:
    for monument in ("great-pyramid", "temple"):
        state = play(_rich(monument), "Ana: explore 1; Ana: end; Ben: dig; reveal treasure")
        assert refused(state, "Ben: explore 1") == "E6 Chamber is empty"
        assert rule_of(state, "Ben: explore 2") == ""


# Great Pyramid


@rule("N2", "N3", "A6", "A29", game="archaeology")
@pytest.mark.parametrize(("chamber", "maps", "found"), [(1, 1, 2), (2, 2, 5), (3, 3, 8)])
def test_great_pyramid(chamber: int, maps: int, found: int) -> None:
    state = _rich("great-pyramid")
    assert _chambers(state) == [2, 5, 8]
    after = play(state, f"Ana: explore {chamber}")
    assert after.maps_gone == maps and hands(after)[ANA] == 8 - maps + found
    assert left_in(after, chamber) == 0


# Temple


@rule("N4", "N5", game="archaeology")
def test_temple() -> None:
    state = _rich("temple")
    assert _chambers(state) == [5, 5, 5]
    after = play(state, "Ana: explore 2")
    assert _chambers(after) == [5, 0, 5] and after.maps_gone == 2
    assert hands(after)[ANA] == 8 - 2 + 5


@rule("N6", "A30", game="archaeology")
def test_the_seller_may_look_into_a_chamber_of_the_temple() -> None:
    state = _rich("temple")
    assert refused(state, "Ana: peek 1") == "N6 Sell something first"
    sold = play(state, "Ana: sell coin")
    assert [rules.format(made) for made in rules.legal_moves(sold) if "peek" in rules.format(made)] == [
        "peek 1",
        "peek 2",
        "peek 3",
    ]
    looked = play(sold, "Ana: peek 2")
    assert looked.hidden == sold.hidden and _chambers(looked) == [5, 5, 5]
    assert rule_of(looked, "Ana: peek 2") == "A51"  # one chamber for each sale
    assert rule_of(play(looked, "Ana: sell coin"), "Ana: peek 3") == ""
    assert refused(sold, "Ana: peek 4") == "N6 No such chamber"
    tomb = play(_rich("tomb"), "Ana: sell coin")
    assert refused(tomb, "Ana: peek 1") == "N6 There is no Temple" and not tomb.may_peek
    assert rule_of(play(sold, "Ana: end; Ben: dig; reveal treasure"), "Ben: peek 1") == "N6"


@rule("A30", game="archaeology")
def test_an_empty_chamber_of_the_temple_is_not_looked_into() -> None:
    state = play(_rich("temple"), "Ana: explore 1; Ana: sell coin")
    assert refused(state, "Ana: peek 1") == "A30 Chamber is empty"
    assert rule_of(state, "Ana: peek 3") == ""
    for chamber in (2, 3):
        state = dug(turns(play(state, "Ana: end"), 1))
        state = play(state, f"Ana: explore {chamber}; Ana: sell coin")
    assert _chambers(state) == [0, 0, 0]
    assert (
        refused(state, "Ana: peek 3") == "A30 Chamber is empty"
    )  # none is left: it is not that it comes too late


@rule("A51", game="archaeology")
def test_a_look_not_taken_lapses() -> None:
    sold = play(_rich("temple"), "Ana: sell coin")
    for line in ("Ana: trade coin for scrap", "Ana: explore 1"):
        after = play(sold, line)
        assert refused(after, "Ana: peek 2") == "A51 Too late to look"


# Tomb


@rule("N7", "N8", "N9", "N10", "A31", game="archaeology")
def test_tomb() -> None:
    state = _rich("tomb")
    assert _chambers(state) == [7, 8]
    after = play(state, "Ana: explore 1")
    assert _chambers(after) == [5, 8] and after.maps_gone == 1
    assert hands(after)[ANA] == 8 - 1 + 2
    assert refused(state, "Ana: explore 3") == "E3 No such chamber"
    # A chamber may be explored again, by anybody.
    again = play(after, "Ana: end; Ben: dig; reveal treasure; Ben: explore 1")
    assert _chambers(again) == [3, 8]


@rule("N11", "N12", "A28", "A31", game="archaeology")
def test_the_last_card_of_a_tomb() -> None:
    state = _rich("tomb", rounds=4)
    for left in (5, 3, 1, 0):
        player = "Ana" if rules.to_move(state) == ANA else "Ben"
        before = hands(state)[rules.to_move(state)]
        state = play(state, f"{player}: explore 1")
        assert _chambers(state) == [left, 8]
        assert hands(state)[rules.to_move(state)] == before - 1 + (2 if left else 1)
        state = dug(play(state, f"{player}: end"))
    assert refused(state, "Ana: explore 1") == "A28 Chamber is empty"


# Mine


@rule("N13", "N14", "N15", "A33", game="archaeology")
def test_mine() -> None:
    state = _rich("mine")
    assert _chambers(state) == [15]
    exploring = play(state, "Ana: explore")
    assert exploring.maps_gone == 1 and rules.due(exploring) == "show the card"
    assert refused(exploring, "Ana: draw") == "N14 Which card is it?"
    assert {rules.format(fact) for fact in rules.awaited(exploring)} == {
        f"reveal cards {face}" for face in FACES[:7] if face != "map"
    }
    one = play(exploring, "reveal cards coin")
    assert rules.due(one) == "draw or stop"
    assert [rules.format(made) for made in rules.legal_moves(one)] == ["draw", "stop"]
    assert refused(one, "Ana: end") == "N15 The Mine comes first"
    two = play(one, "Ana: draw; reveal cards shard")
    kept = play(two, "Ana: stop")
    assert kept.hidden.known(HANDS[ANA]) == {"coin": 1, "shard": 1}
    assert hands(kept)[ANA] == 8 - 1 + 2 and _chambers(kept) == [13]
    assert rule_of(kept, "Ana: draw") == rule_of(kept, "Ana: stop") == rule_of(kept, "Ana: bust") == "N14"
    assert refused(state, "Ana: explore 1") == "E3 There is one chamber"
    assert refused(state, "Ana: explore coin, mask") == "N14 Nothing is named here"
    assert rule_of(state, "Ana: draw") == "N14"


@rule("N16", "A32", "A50", game="archaeology")
def test_more_than_five_in_the_mine_gives_nothing() -> None:
    state = play(_rich("mine"), "Ana: explore; reveal cards mask")
    assert refused(state, "Ana: bust") == "N16 Worth little enough"
    five = play(state, "Ana: draw; reveal cards scrap")
    assert rule_of(five, "Ana: stop") == rule_of(five, "Ana: draw") == ""  # five is safe
    bust = play(five, "Ana: draw; reveal cards shard")
    assert rules.due(bust) == "put all back"
    assert [rules.format(made) for made in rules.legal_moves(bust)] == ["bust"]
    assert refused(bust, "Ana: stop") == refused(bust, "Ana: draw") == "N16 Worth too much"
    after = play(bust, "Ana: bust")
    assert _chambers(after) == [15] and hands(after)[ANA] == 8 - 1
    assert after.maps_gone == 1  # the map is lost all the same
    assert after.hidden.known(CHAMBERS[1]) == {"mask": 1, "scrap": 1, "shard": 1}
    assert refused(after, "Ana: explore") == "E2 Explored already"


@rule("A50", "A45", game="archaeology")
def test_what_went_back_into_the_mine_is_in_no_hand() -> None:
    state = _rich("mine", rounds=4)
    for _ in range(4):
        player = "Ana" if rules.to_move(state) == ANA else "Ben"
        state = play(state, f"{player}: sell mask") if rules.to_move(state) == BEN else state
        state = dug(play(state, f"{player}: end"))
    assert sum(pile == ("mask", 1) for pile in state.sold[BEN]) == 2
    # Two masks are sold, two go back into the Mine: nobody holds one.
    state = play(state, "Ana: explore; reveal cards mask; Ana: draw; reveal cards mask; Ana: bust")
    assert refused(state, "Ana: sell mask") == "L1 Nobody has so many"
    assert state.hidden.possible(CHAMBERS[1], ["mask", "mask"])


@rule("A32", "N17", game="archaeology")
def test_the_mine_runs_out() -> None:
    numbers = with_numbers({"monuments.mine.chambers": [2]})
    state = dug(turns(begin(monument="mine", numbers=numbers), 6))
    state = play(state, "Ana: explore; reveal cards coin; Ana: draw; reveal cards scrap")
    assert left_in(state, 1) == 0
    assert refused(state, "Ana: draw") == "A32 No card left to draw"
    state = dug(play(state, "Ana: stop; Ana: end"))
    assert refused(state, "Ben: explore") == "A32 The Mine is empty"


@rule("A52", game="archaeology")
def test_the_first_card_is_safe_while_no_card_is_worth_more_than_five() -> None:
    for face in FACES[:7]:
        if face != "map":
            state = play(_rich("mine"), f"Ana: explore; reveal cards {face}")
            assert rule_of(state, "Ana: stop") == "" and rule_of(state, "Ana: bust") == "N16"
    dear = with_numbers({"treasures.mask.trade": 6})
    state = dug(turns(begin(monument="mine", numbers=dear), 6))
    state = play(state, "Ana: explore; reveal cards mask")
    assert refused(state, "Ana: stop") == "N16 Worth too much"


def test_where_trading_values_are_not_verified_the_mine_asks() -> None:
    state = dug(turns(as_shipped(monument="mine"), 6))
    state = play(state, "Ana: explore; reveal cards talisman; Ana: draw; reveal cards coin")
    assert doubted(state, "Ana: bust") == "N16" and doubted(state, "Ana: stop") == ""
    six = play(state, "Ana: draw; reveal cards shard")
    assert doubted(six, "Ana: bust") == ""
    assert doubted(six, "Ana: draw") == doubted(six, "Ana: stop") == "N16"
    # Four scraps are surely worth four, six surely six: then there is nothing to ask.
    scraps = play(dug(turns(as_shipped(monument="mine"), 6)), "Ana: explore; reveal cards scrap")
    assert rule_of(scraps, "Ana: bust") == "N16"
    for _ in range(5):
        scraps = play(scraps, "Ana: draw; reveal cards scrap")
    assert rule_of(scraps, "Ana: stop") == "N16" and doubted(scraps, "Ana: bust") == ""


def test_the_mine_shows_what_can_lie_there() -> None:
    exploring = play(_rich("mine"), "Ana: explore")
    assert "one at a time" in wrong(exploring, "reveal cards coin, cup")
    assert "cannot lie there" in wrong(exploring, "reveal cards map")
    assert "no cards are drawn" in wrong(_rich("mine"), "reveal cards coin")


# Sphinx


@rule("N18", "N19", "N21", "N22", "A33", "A34", game="archaeology")
def test_sphinx() -> None:
    state = _rich("sphinx")
    assert _chambers(state) == [15]
    asked = play(state, "Ana: explore coin, mask")
    assert rules.due(asked) == "show the cards" and asked.named == ("coin", "mask")
    assert refused(asked, "Ana: end") == "N19 Which cards are they?"
    assert "5 cards are drawn from the Sphinx, not 4" in wrong(asked, "reveal cards 4 coin")
    assert "cannot lie there" in wrong(asked, "reveal cards 4 coin, map")
    after = play(asked, "reveal cards 2 coin, shard, cup, mask")
    assert after.hidden.known(HANDS[ANA]) == {"coin": 2, "mask": 1}
    assert after.hidden.known(CHAMBERS[1]) == {"cup": 1, "shard": 1}
    assert _chambers(after) == [12] and hands(after)[ANA] == 8 - 1 + 3
    none = play(asked, "reveal cards 3 shard, 2 scrap")
    assert hands(none)[ANA] == 8 - 1 and _chambers(none) == [15] and none.maps_gone == 1
    every = play(asked, "reveal cards 4 coin, mask")
    assert hands(every)[ANA] == 8 - 1 + 5


@rule("A34", "N19", game="archaeology")
def test_two_different_types_are_named_even_such_as_are_not_there() -> None:
    state = _rich("sphinx")
    for line in ("explore", "explore coin", "explore 2 coin", "explore coin, mask, cup"):
        assert refused(state, f"Ana: {line}") == "N19 Name two types"
    assert refused(state, "Ana: explore 1") == "E3 There is one chamber"
    assert rule_of(state, "Ana: explore tablet, pendant") == rule_of(state, "Ana: explore map, coin") == ""
    pairs = [made for made in rules.legal_moves(state) if "explore" in rules.format(made)]
    assert len(pairs) == 36


@rule("N20", "N23", "A48", game="archaeology")
def test_the_sphinx_runs_out() -> None:
    numbers = with_numbers({"monuments.sphinx.chambers": [7]})
    state = dug(turns(begin(monument="sphinx", numbers=numbers), 6))
    state = play(state, "Ana: explore coin, mask; reveal cards 4 coin, mask; Ana: end")
    state = play(dug(state), "Ben: explore cup, shard")
    assert "2 cards are drawn from the Sphinx" in wrong(state, "reveal cards 3 coin")
    state = play(state, "reveal cards cup, shard; Ben: end")
    assert left_in(state, 1) == 0
    assert refused(dug(state), "Ana: explore coin, mask") == "A48 The Sphinx is empty"


@rule("A50", game="archaeology")
def test_what_went_back_into_the_sphinx_is_known_to_lie_there() -> None:
    state = play(_rich("sphinx"), "Ana: explore coin, mask; reveal cards 5 shard; Ana: end")
    state = play(dug(state), "Ben: explore coin, mask; reveal cards 5 scrap")
    assert state.hidden.known(CHAMBERS[1]) == {"scrap": 5, "shard": 5}
    state = play(state, "Ben: end; Ana: dig; reveal treasure; Ana: explore shard, scrap")
    # At most two shards came from the pile nobody has seen yet, so at least three of the five known ones are still there.
    (example,) = rules.awaited(state)
    after = rules.apply(state, example)
    assert rules.to_move(after) == ANA


# Buried Ruins


@rule("N24", "N27", "A6", "S11", game="archaeology")
def test_buried_ruins_begin_with_three_open_cards() -> None:
    state = begin(monument="buried-ruins")
    assert rules.due(state) == "show chambers"
    assert refused(state, "Ana: dig") == "N24 Show the chambers"
    assert len(rules.awaited(state)) == 3 * 6
    state = play(state, "reveal chamber 2 mask")
    assert "chamber 1 or 3" in wrong(state, "reveal chamber 2 mask")
    assert "cannot lie there" in wrong(state, "reveal chamber 1 map")
    state = play(state, "reveal chamber 1 coin; reveal chamber 3 shard")
    assert state.chambers == (("coin",), ("mask",), ("shard",)) and state.hidden.size(PILE) == 12
    assert rules.due(state) == "dig"
    assert "only in the set-up and in a sandstorm" in wrong(state, "reveal chamber 1 coin")


@rule("N25", "A28", "A33", game="archaeology")
def test_a_map_gives_all_cards_of_a_chamber() -> None:
    state = _rich("buried-ruins", RUINS)
    after = play(state, "Ana: explore 2")
    assert after.chambers == (("coin",), (), ("shard",)) and after.maps_gone == 1
    assert after.hidden.known(HANDS[ANA]) == {"mask": 1}
    later = dug(play(after, "Ana: end"))
    assert refused(later, "Ben: explore 2") == "A28 Chamber is empty"


@rule("N26", "N27", "N28", "N29", "A14", "A28", game="archaeology")
def test_a_storm_fills_the_chambers_before_the_tents() -> None:
    state = play(_rich("buried-ruins", RUINS), "Ana: explore 2; Ana: end; Ben: dig; reveal sandstorm")
    assert rules.due(state) == "fill chambers" and rules.to_move(state) == BEN
    assert refused(state, "Ana: tent yes") == "N26 Fill the chambers"
    state = play(state, "reveal chamber 1 coin; reveal chamber 2 cup; reveal chamber 3 scrap")
    assert state.chambers == (("coin", "coin"), ("cup",), ("shard", "scrap"))
    assert state.hidden.size(PILE) == 9
    assert rules.due(state) == "use a tent?" and rules.to_move(state) == ANA
    state = play(state, "Ana: tent yes; Ben: tent yes; Ben: dig; reveal treasure")
    assert rule_of(state, "Ben: explore 2") == ""  # filled again


@rule("N30", "A14", game="archaeology")
def test_after_four_storms_the_pile_has_run_out() -> None:
    state = begin(RUINS, monument="buried-ruins")
    fill = "reveal chamber 1 coin; reveal chamber 2 cup; reveal chamber 3 scrap"
    for number in range(1, 7):
        state = play(state, "Ana: dig; reveal sandstorm")
        if number <= 4:
            assert rules.due(state) == "fill chambers"
            state = play(state, fill)
        assert state.hidden.size(PILE) == max(0, 12 - 3 * number)
        while rules.due(state) != "dig":
            state = rules.apply(state, rules.legal_moves(state)[0])
    assert [len(chamber) for chamber in state.chambers] == [5, 5, 5]


def test_nothing_is_explored_without_a_monument_of_that_kind() -> None:
    state = _rich("tomb")
    assert move(state, "Ana: explore 2") in rules.legal_moves(state)
    assert refusal(state, "Ana: explore coin, mask").rule == "E3"
