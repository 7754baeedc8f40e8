"""The set-up of Archaeology, the numbers behind it, and what everybody knows before the first dig."""

from __future__ import annotations

import pytest

from engines.archaeology import rules
from engines.archaeology.counts import likely_left, maybe_left, surely_left
from engines.archaeology.numbers import FACES, MONUMENTS, SEATS, compiled, faces, lacks
from engines.archaeology.state import CHAMBERS, DIG, HANDS, MARKET, PILE
from engines.catalogue import MissingNumbers, house, override, shipped
from engines.game import IllegalMove
from tests.expeditions import (
    ANA,
    BEN,
    as_shipped,
    begin,
    hands,
    may_hold,
    move,
    play,
    refusal,
    rule_of,
    seen,
    with_numbers,
    wrong,
)
from tests.expeditions import (
    MARKET as SHOWN,
)
from tests.rules import rule

PRINTED = {
    "shard": 16,
    "scrap": 16,
    "coin": 12,
    "cup": 6,
    "talisman": 8,
    "map": 6,
    "mask": 4,
    "tablet": 12,
    "pendant": 5,
}
SIZES = {2: 50, 3: 47, 4: 56, 5: 59}
"""Cards of the dig site by number of players: treasures, maps, thieves, sandstorms."""


@rule("P1", "P2", "P3", "P4", "P5", "T1", game="archaeology")
def test_the_treasures_are_those_of_the_box() -> None:
    numbers = compiled(seen(), 5)
    assert dict(numbers.copies) == PRINTED
    assert sum(PRINTED.values()) == 85
    for face in FACES:  # each card shows its trading value, its selling prices, and how many there are
        assert numbers.trade[face] >= 1
        assert all(price >= 0 for price in numbers.prices[face]) and numbers.prices[face]
        assert shipped("archaeology").verified(f"treasures.{face}.copies")


@rule("P6", "P7", "P8", "S12", "A1", game="archaeology")
def test_the_other_cards_are_those_of_the_box() -> None:
    catalogue = shipped("archaeology")
    assert [catalogue[f"box.{name}"] for name in ("thieves", "sandstorms", "tents")] == [10, 6, 5]
    assert [catalogue[f"thieves.{players}"] for players in SEATS] == [4, 6, 8, 10]
    assert [catalogue[f"sandstorms.{players}"] for players in SEATS] == [6, 5, 4, 4]
    assert all(catalogue.verified(f"thieves.{players}") for players in SEATS)
    assert [catalogue.verified(f"sandstorms.{players}") for players in SEATS] == [True, False, False, False]
    assert len(MONUMENTS) == 6 == len(rules.OPTIONS[0].values)


@rule("S2", "S3", "S4", game="archaeology")
def test_tablets_and_pendants_stay_in_the_box_with_few_players() -> None:
    assert faces(2) == faces(3) == FACES[:7]
    assert faces(4) == FACES[:8]
    assert faces(5) == FACES
    for players in SEATS:
        state = begin(players=players)
        assert may_hold(state, ANA).split() == [face for face in faces(players) if face != "map"]


@rule("S1", "S5", "S9", "S13", "M1", "A2", game="archaeology")
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("monument", MONUMENTS)
def test_so_many_cards_lie_in_each_place(players: int, monument: str) -> None:
    state = rules.start(players, 0, {"monument": monument}, seen())
    hidden = state.hidden
    assert hands(state) == (4,) * players
    assert hidden.size(MARKET) == 5
    in_monument = sum(hidden.size(place) for place in (*CHAMBERS[1:], PILE))
    assert in_monument == 15
    treasures = sum(PRINTED[face] for face in faces(players))
    assert hidden.size(DIG) == treasures - 4 * players - 5 - 15
    thieves, storms = state.numbers.thieves, state.numbers.sandstorms
    assert hidden.size(DIG) + thieves + storms == SIZES[players]
    assert hidden.possible(DIG, ["map"] * 6) and not hidden.possible(DIG, ["map"] * 7)


@rule("S6", "A20", game="archaeology")
def test_everybody_has_a_tent_that_is_no_card_of_the_hand() -> None:
    state = begin(players=5)
    assert state.tents == (True,) * 5
    assert hands(state) == (4,) * 5


@rule("S7", "C7", game="archaeology")
def test_five_cards_lie_in_the_marketplace_before_anything_is_done() -> None:
    state = rules.start(2, 0, {}, seen())
    assert rules.due(state) == "show market"
    assert rules.legal_moves(state) == ()
    said = refusal(state, "Ana: dig")
    assert (said.rule, said.kind) == ("S7", "book")
    with pytest.raises(IllegalMove, match="S7"):
        play(state, "Ana: dig")
    assert "5 cards, not 4" in wrong(state, "reveal market 2 shard, coin, cup")
    assert "cannot lie there" in wrong(state, "reveal market 4 mask, map")
    assert "cannot lie there" in wrong(state, "reveal market 5 mask")
    assert "nobody has dug" in wrong(state, "reveal treasure")
    after = play(state, "reveal market mask, 2 shard, 2 coin")
    assert after.market == ("shard", "shard", "coin", "coin", "mask")
    assert rules.due(after) == "dig"
    assert "has been shown" in wrong(after, SHOWN)


@rule("S8", "S10", "S11", "N1", "A4", game="archaeology")
def test_one_monument_takes_part_and_the_great_pyramid_is_the_first() -> None:
    assert rules.DEFAULTS["monument"] == "great-pyramid"
    assert rules.OPTIONS[0].values == MONUMENTS
    assert {begin(monument=name, market="").monument for name in MONUMENTS} == set(MONUMENTS)
    with pytest.raises(ValueError, match="monument is one of"):
        rules.start(2, 0, {"monument": "pyramid"})


@rule("G1", "A5", game="archaeology")
def test_anybody_may_begin() -> None:
    for players in SEATS:
        for first in range(players):
            state = rules.start(players, first, {}, seen())
            assert rules.to_move(state) == first
            after = play(state, SHOWN)
            assert rules.to_move(after) == first
    for players, first in ((1, 0), (6, 0), (2, 2), (3, -1)):
        with pytest.raises(ValueError, match="two to five players"):
            rules.start(players, first, {}, seen())


@rule("A49", game="archaeology")
def test_before_the_first_dig_nobody_holds_a_map() -> None:
    storm = begin("Ana: dig", "reveal sandstorm", "Ben: tent no", "Ana: tent no")
    assert rule_of(storm, "Ben: lose map, coin") == "W7"
    assert rule_of(storm, "Ben: lose mask, coin") == ""
    thief = begin("Ana: dig", "reveal thief", "Ana: steal from Ben")
    said = refusal(thief, "Ana: explore 1")
    assert said.rule == "A49" and "map" not in may_hold(thief, ANA).split()
    assert rule_of(begin("Ana: dig", "reveal treasure"), "Ana: explore 1") == ""
    laid = "reveal chamber 1 coin; reveal chamber 2 mask; reveal chamber 3 cup"
    ruins = begin(laid, "Ana: dig; reveal thief; Ana: steal from Ben", monument="buried-ruins")
    assert rule_of(ruins, "Ana: explore 1") == "A49"


@rule("A3", game="archaeology")
def test_maps_are_treasures_like_the_others() -> None:
    state = begin("Ana: dig", "reveal treasure")
    assert rule_of(state, "Ana: sell map") == ""
    assert rule_of(state, "Ana: trade map for talisman") == ""
    after = play(state, "Ana: trade map for talisman", "Ana: end", "Ben: dig", "reveal treasure")
    assert rule_of(after, "Ben: trade mask for map") == ""


# Numbers


def test_two_and_three_play_by_what_is_shipped_and_more_need_numbers() -> None:
    for players in (2, 3):
        assert rules.lacks(players, {}, shipped("archaeology")) == ()
    four = rules.lacks(4, {}, shipped("archaeology"))
    assert [lack.path for lack in four] == ["treasures.tablet.trade", "treasures.tablet.sell"]
    assert "Broken Tablet card: the selling prices along the bottom" in four[1].remedy
    assert len(rules.lacks(5, {}, shipped("archaeology"))) == 4
    with pytest.raises(MissingNumbers, match="trading value of Tablet is not known"):
        rules.start(4, 0, {})
    for players in SEATS:
        assert rules.lacks(players, {}, house("archaeology")) == ()
    assert house("archaeology").house and not house("archaeology").verified("treasures.tablet.trade")


def test_what_is_verified_is_what_was_found_for_this_edition() -> None:
    catalogue = shipped("archaeology")
    verified = {path for path in catalogue.numbers if catalogue.verified(path)}
    unverified = {path.removeprefix("treasures.") for path in set(catalogue.numbers) - verified}
    assert unverified == {
        *(f"{face}.trade" for face in FACES if face != "scrap"),
        *(f"{face}.sell" for face in FACES if face not in ("scrap", "map")),
        *(f"sandstorms.{players}" for players in (3, 4, 5)),
    }
    assert catalogue["treasures.talisman.largest"] == 5
    assert "Coin" in catalogue.numbers["treasures.coin.sell"].source
    assert all(number.source for number in catalogue.numbers.values())
    assert all(number.ask for path, number in catalogue.numbers.items() if path not in verified)


def test_numbers_that_do_not_fit_are_named() -> None:
    base = shipped("archaeology")
    few = override(base, {"treasures.talisman.sell": [3, 7, 14]}, "house", "test")
    (lack,) = lacks(2, "tomb", few)
    assert lack.path == "treasures.talisman.sell" and "3 selling prices and sets of up to 5" in lack.text
    own = override(base, {"treasures.talisman.sell": [3, 7, 14]}, "own", "test")
    assert lacks(2, "tomb", own) == ()  # what the owner read from the card stands
    assert compiled(own, 2).largest["talisman"] == (3, True)
    for given in ({"largest": 4}, {"largest": 2, "sell": [3, 7, 14]}):
        said = {f"treasures.talisman.{key}": value for key, value in given.items()}
        both = override(base, said, "own", "test")
        (lack,) = lacks(2, "tomb", both)
        assert lack.path == "treasures.talisman.largest", "the owner's own line is named"
    none = with_numbers(
        {"treasures.shard.copies": 1, "treasures.scrap.copies": 1, "treasures.coin.copies": 1}
    )
    assert "the set-up takes 28" in lacks(2, "tomb", none)[-1].text


def test_states_of_equal_numbers_are_equal() -> None:
    one, other = begin(), begin()
    assert one == other and hash(one) == hash(other)
    assert one != begin(numbers=with_numbers({"treasures.coin.trade": 3}))
    assert one != begin(tie="shared")
    assert begin(players=3).numbers != begin(players=4).numbers


def test_counts_that_nobody_verified_forbid_nothing() -> None:
    base = override(shipped("archaeology"), {"treasures.mask.copies": 1}, "house", "test")
    state = begin("Ana: dig", "reveal treasure", numbers=base, market="reveal market 5 mask")
    assert not state.numbers.counted
    assert rule_of(state, "Ana: trade 2 mask for mask") == ""
    assert rule_of(state, "Ana: sell tablet") == "L1"  # stays in the box whatever the counts are
    assert rule_of(state, "Ana: explore 1") == ""
    # More treasures may come than the numbers say.
    few = {
        f"treasures.{face}.copies": count
        for face, count in {"shard": 6, "scrap": 6, "coin": 6, "cup": 4, "talisman": 3, "map": 1}.items()
    }
    less = override(shipped("archaeology"), few, "house", "test")
    state = begin(numbers=less, monument="tomb")
    left = state.hidden.size(DIG)
    for number in range(left + 3):
        assert maybe_left(state)
        player = "Ana" if number % 2 == 0 else "Ben"
        state = play(state, f"{player}: dig", "reveal treasure", f"{player}: end")
    assert sum(hands(state)) == 8 + left + 3 and state.hidden.size(DIG) == 0


def test_the_dig_site_is_surely_and_likely_full_at_first() -> None:
    for state in (begin(), as_shipped(players=3)):
        assert surely_left(state) and likely_left(state) and maybe_left(state)


def test_a_state_holds_nothing_hidden() -> None:
    state = begin()
    assert state.hidden.known(HANDS[ANA]) == {} == state.hidden.known(HANDS[BEN])
    assert rules.score(state).totals == (0, 0)
    assert rules.outcome(state) is None
    assert move(state, "Ana: dig") in rules.legal_moves(state)
