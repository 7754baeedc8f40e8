"""Trading at the marketplace of Archaeology, and selling to the museum."""

from __future__ import annotations

import pytest

from engines.archaeology import rules
from engines.archaeology.moves import Sell, Trade
from engines.archaeology.numbers import FACES
from engines.archaeology.scoring import price
from engines.archaeology.state import HANDS
from engines.catalogue import shipped
from engines.game import IllegalMove
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
    seen,
    turns,
    with_numbers,
)
from tests.rules import rule


def _rich(**options: str) -> rules.ArchaeologyState:
    """Ana's third turn, with six cards in her hand."""
    return dug(turns(begin(**options), 4))


# Trade


@rule("C1", "C2", game="archaeology")
def test_actions_come_in_any_order_any_number_of_times_or_not_at_all() -> None:
    state = _rich()
    for line in ("end", "sell coin", "trade coin for scrap", "explore 1"):
        assert rule_of(state, f"Ana: {line}") == ""
    after = play(
        state, "Ana: sell coin; Ana: trade map for cup; Ana: sell coin; Ana: explore 1; Ana: sell coin"
    )
    assert rule_of(after, "Ana: end") == rule_of(after, "Ana: sell shard") == ""
    assert rule_of(after, "Ana: explore 2") == "E2"


@rule("C3", "C4", game="archaeology")
def test_a_trade_pays_with_equal_or_greater_trading_value() -> None:
    state = _rich()
    worth = {face: state.numbers.trade[face] for face in FACES[:7]}
    assert worth == {"shard": 1, "scrap": 1, "coin": 2, "cup": 2, "talisman": 3, "map": 3, "mask": 4}
    for give in FACES[:7]:
        for take in state.market:
            if give == take:
                continue
            accepted = worth[give] >= worth[take]
            assert (rule_of(state, f"Ana: trade {give} for {take}") == "") == accepted
    said = refusal(state, "Ana: trade coin, shard for talisman, scrap")
    assert (said.rule, said.text) == ("C3", "Pays 3, costs 4")
    assert refused(state, "Ana: trade coin, shard for talisman") == ""


@rule("C3", "A46", game="archaeology")
def test_the_cards_change_places() -> None:
    state = play(_rich(), "Ana: trade 2 coin for talisman, shard")
    assert state.market == ("scrap", "coin", "coin", "coin", "cup")
    assert state.hidden.known(HANDS[ANA]) == {"shard": 1, "talisman": 1}
    assert hands(state) == (7, 6)


@rule("C5", "A21", game="archaeology")
def test_what_is_paid_too_much_is_lost() -> None:
    state = play(_rich(), "Ana: trade 2 mask for shard")
    assert state.market == ("scrap", "coin", "cup", "talisman", "mask", "mask")
    assert refused(state, "Ana: trade shard for coin") == "C3 Pays 1, costs 2"


@rule("A21", game="archaeology")
def test_a_trade_has_cards_on_both_sides() -> None:
    state = _rich()
    assert refused(state, "Ana: trade nothing for shard") == "C3 Nothing is given"
    said = refusal(state, "Ana: trade shard for nothing")
    assert (said.rule, said.kind) == ("A21", "ruling") and "trade_for_nothing=yes" in said.long
    giving = _rich(trade_for_nothing="yes")
    assert refused(giving, "Ana: trade nothing for nothing") == "C3 Nothing is given"
    after = play(giving, "Ana: trade 2 shard for nothing")
    assert hands(after) == (5, 6) and after.market.count("shard") == 3


@rule("A22", game="archaeology")
def test_a_trade_may_mix_types() -> None:
    state = _rich()
    assert rule_of(state, "Ana: trade shard, coin, map for scrap, talisman, cup") == ""
    assert refused(state, "Ana: trade shard, coin for scrap, talisman") == "C3 Pays 3, costs 4"


@rule("A23", "C3", game="archaeology")
def test_only_what_lay_there_before_is_taken() -> None:
    state = _rich()
    assert refused(state, "Ana: trade mask for mask") == "A23 Mask comes too late"
    assert refused(state, "Ana: trade 2 coin for 2 coin") == "A23 Coin comes too late"
    assert refused(state, "Ana: trade coin for coin") == ""  # the coin that lay there
    assert refused(state, "Ana: trade mask for 2 shard") == "C3 Shard is not there"


@rule("C6", "A25", game="archaeology")
def test_trades_may_go_on_and_lead_back() -> None:
    state = _rich()
    first = play(state, "Ana: trade coin for cup")
    back = play(first, "Ana: trade cup for coin")
    assert back.market == state.market
    for _ in range(20):
        back = play(back, "Ana: trade coin for cup; Ana: trade cup for coin")
    assert rule_of(back, "Ana: trade coin for cup") == ""


@rule("C7", "C8", "A24", game="archaeology")
def test_the_marketplace_holds_any_number_sorted_by_type_or_none() -> None:
    giving = _rich(trade_for_nothing="yes")
    full = play(giving, "Ana: trade 3 mask, 3 coin for nothing")
    assert full.market == (
        "shard",
        "scrap",
        "coin",
        "coin",
        "coin",
        "coin",
        "cup",
        "talisman",
        "mask",
        "mask",
        "mask",
    )
    empty = play(_rich(), "Ana: trade 3 mask for shard, scrap, coin, cup, talisman")
    assert empty.market == ("mask",) * 3
    assert play(empty, "Ana: end").market == ("mask",) * 3  # nothing is refilled
    assert refused(empty, "Ana: trade coin for coin") == "A23 Coin comes too late"


@rule("A45", game="archaeology")
def test_nobody_gives_or_sells_more_than_there_is() -> None:
    state = turns(begin(market="reveal market 3 mask, 2 cup"), 6)
    state = dug(state)
    assert refused(state, "Ana: trade 2 mask for cup") == "C3 Nobody has those cards"
    assert refused(state, "Ana: sell 2 mask") == "L1 Nobody has so many"
    assert refused(state, "Ana: sell mask") == ""
    after = play(state, "Ana: sell mask; Ana: end; Ben: dig; reveal treasure")
    assert refused(after, "Ben: sell mask") == "L1 Nobody has so many"
    assert refused(after, "Ben: trade talisman for mask") == "C3 Pays 3, costs 4"
    with pytest.raises(IllegalMove, match="L1"):
        play(after, "Ben: sell mask")
    # A hand of eight cannot give nine.
    assert refused(after, "Ben: trade 9 shard for cup") == "C3 Nobody has those cards"


@rule("A45", game="archaeology")
def test_what_was_given_away_is_known_to_be_gone() -> None:
    state = _rich()
    state = play(state, "Ana: trade 6 shard for coin, talisman")
    assert hands(state) == (3, 6)
    assert refused(state, "Ana: sell 2 scrap") == "L1 Nobody has so many"
    assert refused(state, "Ana: sell scrap") == ""
    assert refused(state, "Ana: trade coin, talisman, 2 cup for shard") == "C3 Nobody has those cards"


def test_a_trade_that_only_an_unverified_value_forbids_is_asked_about() -> None:
    state = dug(turns(as_shipped(), 4))
    assert state.numbers.trade_sure == {"scrap"}
    assert doubted(state, "Ana: trade coin for talisman") == "C3"
    said = rules.doubt(state, move(state, "Ana: trade coin for talisman"))
    assert said is not None and said.text == "Pays 2, costs 3"
    assert doubted(state, "Ana: trade mask for coin") == doubted(state, "Ana: trade coin for cup") == ""
    # A scrap is surely worth 1, and no card less than that.
    assert refused(state, "Ana: trade scrap for shard, cup") == "C3 Pays 1, costs 3"
    assert doubted(state, "Ana: trade scrap for talisman") == "C3"
    # What stands on both sides cancels out.
    assert refused(state, "Ana: trade coin for coin, shard") == "C3 Pays 2, costs 3"
    assert doubted(state, "Ana: trade coin, mask for coin, talisman") == ""


# Selling


@rule("L1", "L2", "L5", "L6", "A36", game="archaeology")
def test_a_set_is_one_or_more_of_one_type() -> None:
    state = _rich()
    assert refused(state, "Ana: sell nothing") == "L1 Nothing to sell"
    assert refused(state, "Ana: sell coin, mask") == "L1 Only one type a set"
    after = play(state, "Ana: sell 2 coin; Ana: sell mask")
    assert after.sold == ((("coin", 2), ("mask", 1)), ())
    assert hands(after) == (4, 6)
    assert rules.score(after).totals == (9, 0)
    assert [(item.text, item.points) for item in rules.score(after).items[ANA]] == [
        ("2 Coins", 5),
        ("Mask", 4),
    ]


@rule("L3", "L4", "A37", game="archaeology")
@pytest.mark.parametrize(
    ("face", "prices"),
    [
        ("shard", (1, 2, 3, 4, 15)),
        ("scrap", (1, 2, 3, 10)),
        ("coin", (2, 5, 10, 18, 30)),
        ("cup", (2, 15)),
        ("talisman", (3, 7, 14, 24, 40)),
        ("map", (3,)),
        ("mask", (4, 12, 26, 50)),
    ],
)
def test_a_set_brings_the_price_for_its_size(face: str, prices: tuple[int, ...]) -> None:
    numbers = begin(numbers=shipped("archaeology")).numbers
    assert tuple(price(numbers, face, count) for count in range(1, len(prices) + 1)) == prices
    state = turns(begin(), 12)
    for count, points in enumerate(prices, start=1):
        after = rules.apply(dug(state), Sell(ANA, (face,) * count))
        assert rules.score(after).totals == (points, 0)


@rule("L8", "A36", game="archaeology")
def test_of_six_talismans_five_are_sold_as_a_set() -> None:
    state = dug(turns(begin(market="reveal market 2 shard, 2 scrap, coin"), 6))
    assert hands(state)[ANA] == 8
    said = refusal(state, "Ana: sell 6 talisman")
    assert (said.rule, said.text, said.kind) == ("L8", "At most 5 in a set", "book")
    after = play(state, "Ana: sell 5 talisman; Ana: sell talisman")
    assert after.sold[ANA] == (("talisman", 5), ("talisman", 1))
    assert rules.score(after).totals == (43, 0)
    # The rulebook says so itself: nobody has to look at the card.
    by_default = dug(turns(as_shipped(), 6))
    assert rule_of(by_default, "Ana: sell 6 talisman") == "L8"


@rule("L8", game="archaeology")
def test_a_larger_set_is_refused_only_where_the_size_is_verified() -> None:
    state = dug(turns(as_shipped(), 12))
    for face, most in (("talisman", 5), ("cup", 2), ("scrap", 4)):
        assert doubted(state, f"Ana: sell {most} {face}") == ""
        assert rule_of(state, f"Ana: sell {most + 1} {face}") == "L8"
    for face, most in (("shard", 5), ("coin", 5)):
        assert doubted(state, f"Ana: sell {most} {face}") == ""
        assert doubted(state, f"Ana: sell {most + 1} {face}") == "L8"
        assert price(state.numbers, face, most + 1) == price(state.numbers, face, most)
    own = with_numbers({"treasures.coin.sell": [2, 6, 12]}, shipped("archaeology"))
    state = dug(turns(begin(numbers=own), 12))
    assert rule_of(state, "Ana: sell 4 coin") == "L8"
    assert rules.score(play(state, "Ana: sell 3 coin")).totals == (12, 0)


@rule("L6", "L7", "L9", "L10", game="archaeology")
def test_each_sale_is_a_pile_of_its_own() -> None:
    state = dug(turns(begin(), 12))
    after = play(state, "Ana: sell 2 coin; Ana: sell 2 coin; Ana: sell coin")
    assert after.sold[ANA] == (("coin", 2), ("coin", 2), ("coin", 1))
    assert rules.score(after).totals == (5 + 5 + 2, 0)  # never the 30 of five coins in one set


@rule("A38", game="archaeology")
def test_maps_are_sold_one_at_a_time() -> None:
    state = dug(turns(begin(), 6))
    said = refusal(state, "Ana: sell 2 map")
    assert (said.rule, said.kind) == ("A38", "ruling") and "maps_sold=together" in said.long
    assert rules.score(play(state, "Ana: sell map; Ana: sell map")).totals == (6, 0)
    together = dug(turns(begin(maps_sold="together"), 6))
    after = play(together, "Ana: sell 2 map")
    assert after.sold[ANA] == (("map", 2),) and rules.score(after).totals == (6, 0)
    assert rule_of(together, "Ana: sell 7 map") == "L1"
    # An owner whose card gives a price for two maps sells two.
    own = with_numbers({"treasures.map.sell": [3, 8]})
    printed = dug(turns(begin(numbers=own), 6))
    assert rules.score(play(printed, "Ana: sell 2 map")).totals == (8, 0)
    assert rule_of(printed, "Ana: sell 3 map") == "L8"


@rule("L11", "A39", "A47", game="archaeology")
def test_sold_sets_stay_and_are_open_to_all() -> None:
    state = play(_rich(), "Ana: sell 2 cup; Ana: end")
    state = play(
        state, "Ben: dig; reveal sandstorm; Ana: tent no; Ben: tent no; Ana: lose 2 coin; Ben: lose 3 coin"
    )
    assert state.sold[ANA] == (("cup", 2),) and rules.score(state).totals == (15, 0)
    assert rules.score(state).items[BEN] == ()


@rule("F1", game="archaeology")
def test_the_turn_passes_clockwise() -> None:
    state = begin(players=5)
    order = []
    for _ in range(7):
        order.append(rules.to_move(state))
        state = turns(state, 1)
    assert order == [0, 1, 2, 3, 4, 0, 1]
    assert refused(dug(state), "Ana: sell coin") == "F1 Not your turn"


def test_a_full_set_that_everybody_knows_of_is_pointed_at() -> None:
    state = play(_rich(), "Ana: trade coin for cup")
    assert rules.hints(state) == ()
    two = play(state, "Ana: end; Ben: dig; reveal treasure; Ben: trade coin, cup for talisman; Ben: end")
    two = play(two, "Ana: dig; reveal treasure; Ana: trade coin for cup")
    (hint,) = rules.hints(two)
    assert hint.text == "Full set: 2 Cups" and hint.pieces == ("cup", "cup")
    mapped = play(two, "Ana: end; Ben: dig; reveal treasure; Ben: trade map for shard; Ben: end")
    mapped = play(mapped, "Ana: dig; reveal treasure; Ana: trade mask for map")
    assert [hint.text for hint in rules.hints(mapped)] == ["Full set: 2 Cups", "A map: explore"]
    assert [hint.text for hint in rules.hints(play(mapped, "Ana: explore 1"))] == ["Full set: 2 Cups"]


# What is listed


def test_all_moves_are_listed_where_they_are_few() -> None:
    numbers = with_numbers({"setup.hand": 1, "setup.market": 2, "treasures.shard.copies": 2}, seen())
    state = begin(
        "Ana: dig; reveal thief; Ana: steal from Ben", market="reveal market shard, coin", numbers=numbers
    )
    listed = rules.legal_moves(state)
    assert rules.complete(state) and len(set(listed)) == len(listed) <= 500
    gives = [(a, b) for i, a in enumerate(FACES) for b in FACES[i:]]
    trades = [
        Trade(ANA, give, take)
        for give in [*((face,) for face in FACES), *gives]
        for take in (("shard",), ("coin",), ("shard", "coin"))
    ]
    sales = [Sell(ANA, (face,) * count) for face in FACES for count in (1, 2, 3)]
    for made in [*trades, *sales]:
        assert (made in listed) == (rules.refusal(state, made) is None), made


def test_canonical_moves_stand_for_too_many() -> None:
    state = dug(turns(begin(players=3), 12))
    assert not rules.complete(state)
    listed = rules.legal_moves(state)
    assert 20 < len(listed) <= 500 and len(set(listed)) == len(listed)
    assert all(rules.refusal(state, made) is None for made in listed)
    assert any(isinstance(made, Trade) for made in listed)
    storm = play(begin(players=2), "Ana: dig; reveal treasure; correct hand Ben 20; Ana: end")
    storm = play(storm, "Ben: dig; reveal sandstorm; Ana: tent no; Ben: tent no")
    assert rules.complete(storm)
    storm = rules.apply(storm, rules.legal_moves(storm)[0])
    assert not rules.complete(storm) and 0 < len(rules.legal_moves(storm)) < 20
    assert all(rules.refusal(storm, made) is None for made in rules.legal_moves(storm))
