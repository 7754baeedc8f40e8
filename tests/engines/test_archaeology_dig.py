"""The dig of Archaeology: treasure, thief, sandstorm, and the tents."""

from __future__ import annotations

import pytest

from engines.archaeology import rules
from engines.archaeology.counts import may_come
from engines.archaeology.state import DIG, HANDS
from engines.catalogue import override, shipped
from engines.game import IllegalMove, WrongReveal
from tests.expeditions import (
    ANA,
    BEN,
    CLEO,
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
    step,
    turns,
    with_numbers,
    wrong,
)
from tests.rules import rule

STORM = ("Ana: dig", "reveal sandstorm")


@rule("G2", "D1", "A7", game="archaeology")
def test_a_turn_starts_with_a_dig() -> None:
    state = begin()
    for line in ("sell coin", "trade coin for scrap", "explore 1", "end", "peek 1"):
        said = refusal(state, f"Ana: {line}")
        assert (said.rule, said.text, said.kind) == ("D1", "Dig first", "book")
    assert rules.legal_moves(state) == (move(state, "Ana: dig"),)
    assert rules.complete(state) and rules.due(state) == "dig"
    assert rule_of(state, "Ben: dig") == "F1"
    with pytest.raises(IllegalMove, match="D1"):
        play(state, "Ana: end")


@rule("D2", "D4", game="archaeology")
def test_what_was_dug_is_said_before_anything_else() -> None:
    state = begin("Ana: dig")
    assert rules.due(state) == "what was dug" and rules.legal_moves(state) == ()
    assert [rules.format(fact) for fact in rules.awaited(state)] == [
        "reveal treasure",
        "reveal thief",
        "reveal sandstorm",
    ]
    assert rule_of(state, "Ana: end") == rule_of(state, "Ben: dig") == "D4"
    after = play(state, "reveal treasure")
    assert hands(after) == (5, 4) and after.hidden.known(HANDS[ANA]) == {}
    assert rules.awaited(after) == () and rules.due(after) == "act or end"
    assert "nobody has dug" in wrong(after, "reveal treasure")
    assert "only a hand" in wrong(state, "correct treasure")


@rule("D3", game="archaeology")
def test_a_hand_has_no_limit() -> None:
    state = turns(begin(), 34)
    assert sum(hands(state)) == 42
    assert max(hands(state)) == 21


@rule("A10", game="archaeology")
def test_there_is_one_dig_in_a_turn() -> None:
    for fact in ("treasure", "thief"):
        state = begin("Ana: dig", f"reveal {fact}")
        state = play(state, "Ana: steal from Ben") if fact == "thief" else state
        assert refused(state, "Ana: dig") == "D1 Dug already"


# Thieves


@rule("D6", "D7", "D8", "A10", game="archaeology")
def test_a_thief_takes_a_card_of_an_opponent_unseen() -> None:
    state = begin("Ana: dig", "reveal thief", players=3)
    assert rules.due(state) == "steal a card"
    assert rules.legal_moves(state) == (
        move(state, "Ana: steal from Ben"),
        move(state, "Ana: steal from Cleo"),
    )
    for line in ("Ana: end", "Ana: sell coin", "Ana: dig", "Ana: tent yes"):
        assert rule_of(state, line) == "D6"
    assert refused(state, "Ana: steal from Ana") == "D6 Choose an opponent"
    assert refused(state, "Ana: steal from player-3") == ""
    assert rule_of(state, "Ben: steal from Cleo") == "F1"
    after = play(state, "Ana: steal from Cleo")
    assert hands(after) == (5, 4, 3)
    assert after.hidden.known(HANDS[ANA]) == {}
    assert refused(after, "Ana: steal from Ben") == "D6 There is no Thief"


@rule("D7", game="archaeology")
def test_a_thief_blurs_what_is_known_of_both_hands() -> None:
    # Ben took the mask from the marketplace: everybody knows that he holds it, until a thief takes one of his cards.
    state = begin(
        "Ana: dig; reveal treasure; Ana: end",
        "Ben: dig; reveal treasure; Ben: trade mask for talisman; Ben: end",
    )
    assert state.hidden.known(HANDS[BEN]) == {"talisman": 1}
    after = play(state, "Ana: dig; reveal thief; Ana: steal from Ben")
    assert after.hidden.known(HANDS[BEN]) == {} == after.hidden.known(HANDS[ANA])
    assert rule_of(after, "Ana: sell talisman") == ""


@rule("A9", "D6", game="archaeology")
def test_a_thief_needs_an_opponent_with_cards() -> None:
    # Ben loses two cards in one storm, one in the next, and sells the last.
    lines = (
        "Ana: dig; reveal treasure; Ana: end",
        "Ben: dig; reveal treasure; Ben: sell shard; Ben: sell scrap; Ben: sell coin; Ben: sell cup; Ben: sell mask; Ben: end",
        "Cleo: dig; reveal treasure; Cleo: end",
    )
    state = begin(*lines, "Ana: dig; reveal thief", players=3)
    assert hands(state) == (5, 0, 5)
    said = refusal(state, "Ana: steal from Ben")
    assert (said.rule, said.kind) == ("A9", "ruling")
    assert "the option thief_target=anyone switches it" in said.long
    assert rules.legal_moves(state) == (move(state, "Ana: steal from Cleo"),)
    anyone = begin(*lines, "Ana: dig; reveal thief", players=3, thief_target="anyone")
    after = play(anyone, "Ana: steal from Ben")
    assert hands(after) == (5, 0, 5) and rules.due(after) == "act or end"


@rule("D9", game="archaeology")
def test_a_thief_finds_nothing_when_no_opponent_holds_cards() -> None:
    state = begin(
        "Ana: dig; reveal treasure; Ana: end",
        "Ben: dig; reveal treasure; Ben: sell shard; Ben: sell scrap; Ben: sell coin; Ben: sell cup; Ben: sell mask; Ben: end",
        "Ana: dig; reveal thief",
    )
    assert state.thieves == 1 and hands(state) == (5, 0)
    assert rules.due(state) == "act or end" and rule_of(state, "Ana: end") == ""


@rule("D5", "D13", "A45", game="archaeology")
def test_thieves_and_storms_are_counted() -> None:
    state = begin()
    for number in range(4):
        assert state.thieves == number and may_come(state, "thief")
        player, other = ("Ana", "Ben") if number % 2 == 0 else ("Ben", "Ana")
        state = play(state, f"{player}: dig; reveal thief; {player}: steal from {other}; {player}: end")
    assert not may_come(state, "thief")
    assert wrong(play(state, "Ana: dig"), "reveal thief") == (
        "no thief is left in the dig site: it must be a treasure or sandstorm"
    )
    assert "thief" not in " ".join(map(rules.format, rules.awaited(play(state, "Ana: dig"))))


def test_thieves_beyond_a_number_that_nobody_verified_are_accepted_up_to_those_of_the_box() -> None:
    numbers = override(shipped("archaeology"), {"thieves.2": 1}, "house", "test")
    state = begin(numbers=numbers)
    for number in range(10):
        assert may_come(state, "thief")
        player, other = ("Ana", "Ben") if number % 2 == 0 else ("Ben", "Ana")
        state = play(state, f"{player}: dig; reveal thief; {player}: steal from {other}; {player}: end")
    assert "no thief is left" in wrong(play(state, "Ana: dig"), "reveal thief")


@rule("A11", "L11", game="archaeology")
def test_thieves_and_storms_leave_tents_and_sold_sets_alone() -> None:
    state = begin(
        "Ana: dig; reveal treasure; Ana: sell 2 coin; Ana: end",
        "Ben: dig; reveal thief; Ben: steal from Ana; Ben: end",
    )
    assert state.sold[ANA] == (("coin", 2),) and state.tents == (True, True)
    assert hands(state) == (2, 5)
    after = play(state, *STORM, "Ben: tent no; Ana: tent no; Ben: lose 2 cup; Ana: lose cup")
    assert after.sold == state.sold


# Sandstorms


@rule("D10", "D12", "W1", "W2", "A15", game="archaeology")
def test_tents_are_declared_from_the_left_of_who_drew_the_storm() -> None:
    state = begin(*STORM, players=4)
    assert state.storms == 1 and rules.due(state) == "use a tent?"
    assert rules.to_move(state) == BEN
    assert rule_of(state, "Cleo: tent yes") == rule_of(state, "Ana: tent no") == "W2"
    assert rule_of(state, "Ben: lose 2 coin") == "W1"
    assert rule_of(state, "Ana: end") == "F1"
    order = []
    while rules.due(state) == "use a tent?":
        order.append(rules.to_move(state))
        state = rules.apply(state, rules.legal_moves(state)[1])
    assert order == [1, 2, 3, 0]
    assert rule_of(play(begin(), *STORM, "Ben: tent no"), "Ben: tent yes") == "W4"


@rule("W3", "W4", game="archaeology")
def test_a_tent_is_used_once_and_saves_its_owner() -> None:
    state = begin(*STORM, "Ben: tent yes", "Ana: tent no")
    assert state.tents == (True, False)
    assert rules.to_move(state) == ANA and rules.due(state) == "lose 2 cards"
    after = play(state, "Ana: lose 2 coin")
    assert hands(after) == (2, 4)
    again = play(after, "Ana: dig; reveal sandstorm")
    assert rules.to_move(again) == ANA  # Ben has no tent left and is not asked
    assert refused(again, "Ben: tent yes") == "W4 No tent to declare"
    lost = play(again, "Ana: tent yes")
    assert lost.tents == (False, False)
    assert rules.to_move(lost) == BEN and rules.due(lost) == "lose 2 cards"
    third = play(lost, "Ben: lose 2 shard; Ana: dig; reveal sandstorm")
    assert rules.due(third) == "lose 1 card"  # nobody has a tent: nobody is asked for one


@rule("W5", "A17", game="archaeology")
@pytest.mark.parametrize(("held", "lost"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4)])
def test_half_of_the_hand_rounded_down_is_lost(held: int, lost: int) -> None:
    state = play(begin(*STORM, "Ben: tent yes", "Ana: tent no"), f"correct hand Ana {held}")
    assert rules.due(state) == f"lose {lost} card{'s' if lost > 1 else ''}"
    for count in range(1, held + 1):
        cards = "coin" if count == 1 else f"{count} coin"
        said = refused(state, f"Ana: lose {cards}")
        assert said == ("" if count == lost else f"W5 Half is lost: {lost}")
    assert rule_of(state, "Ana: lose nothing") == "W5"
    assert rule_of(state, "Ana: end") == rule_of(state, "Ana: dig") == "W5"
    assert all(len(listed.treasures) == lost for listed in rules.legal_moves(state))  # type: ignore[attr-defined]


@rule("A17", "W5", game="archaeology")
def test_with_seven_cards_three_are_lost() -> None:
    state = turns(begin(), 6)
    assert hands(state) == (7, 7)
    state = play(state, *STORM, "Ben: tent no", "Ana: tent yes")
    assert rules.due(state) == "lose 3 cards"
    assert hands(play(state, "Ben: lose coin, cup, shard")) == (7, 4)


@rule("A17", game="archaeology")
def test_nobody_is_asked_for_nothing() -> None:
    sold = "Ben: sell shard; Ben: sell scrap; Ben: sell coin; Ben: sell cup"
    state = begin("Ana: dig; reveal treasure; Ana: end", f"Ben: dig; reveal treasure; {sold}; Ben: end")
    assert hands(state) == (5, 1)
    state = play(state, *STORM, "Ben: tent no", "Ana: tent yes")
    assert rules.to_move(state) == ANA and rules.due(state) == "dig"
    assert hands(state) == (5, 1)
    assert refused(state, "Ben: lose nothing") == "F1 Not your turn"
    assert refused(state, "Ana: lose nothing") == "D1 Dig first"
    assert refused(play(state, "Ana: dig; reveal treasure"), "Ana: lose coin") == "W5 No cards are lost now"


@rule("W6", "A15", "A18", game="archaeology")
def test_cards_are_lost_in_order_and_the_drawer_is_hit_last() -> None:
    state = begin(*STORM, "Ben: tent no; Cleo: tent no; Ana: tent no", players=3)
    assert rules.to_move(state) == BEN
    assert refused(state, "Cleo: lose 2 coin") == "W6 Not your loss yet"
    order = []
    while rules.due(state) == "lose 2 cards":
        order.append(rules.to_move(state))
        state = rules.apply(state, rules.legal_moves(state)[0])
    assert order == [BEN, CLEO, ANA]
    assert hands(state) == (2, 2, 2)


@rule("D11", "W7", "W8", "A19", "A46", game="archaeology")
def test_lost_cards_are_chosen_and_lie_in_the_marketplace() -> None:
    state = turns(begin(), 4)
    state = play(state, *STORM, "Ben: tent no; Ana: tent no")
    after = play(state, "Ben: lose map, 2 mask")
    assert after.market == ("shard", "scrap", "coin", "cup", "talisman", "map", "mask", "mask")
    assert hands(after) == (6, 3)
    # Two masks are left, so nobody loses three.
    assert refused(after, "Ana: lose 3 mask") == "W7 Nobody has those cards"
    assert rule_of(after, "Ana: lose 2 mask, map") == ""
    with pytest.raises(IllegalMove, match="W7"):
        play(after, "Ana: lose 3 mask")


@rule("W9", "A12", game="archaeology")
def test_after_a_storm_the_same_player_digs_again() -> None:
    state = begin(*STORM, "Ben: tent yes; Ana: tent yes")
    assert rules.to_move(state) == ANA and rules.due(state) == "dig"
    state = play(state, *STORM, "Ben: lose 2 coin; Ana: lose 2 coin")
    assert state.storms == 2 and rules.due(state) == "dig" and rules.to_move(state) == ANA
    state = play(state, *STORM, "Ben: lose coin; Ana: lose cup", "Ana: dig; reveal treasure; Ana: end")
    assert rules.to_move(state) == BEN and hands(state) == (2, 1)


@rule("A16", game="archaeology")
def test_a_tent_may_be_wasted_but_is_asked_about() -> None:
    sold = "Ben: sell shard; Ben: sell scrap; Ben: sell coin; Ben: sell cup"
    state = begin("Ana: dig; reveal treasure; Ana: end", f"Ben: dig; reveal treasure; {sold}; Ben: end")
    state = play(state, *STORM)
    assert doubted(state, "Ben: tent yes") == "A16"
    assert doubted(state, "Ben: tent no") == ""
    for held, rule_asked in ((0, "A16"), (1, "A16"), (2, ""), (4, "")):
        counted = play(begin(), *STORM, f"correct hand Ben {held}")
        assert doubted(counted, "Ben: tent yes") == rule_asked
    # The tent protects for this storm only.
    after = play(state, "Ben: tent yes; Ana: tent yes; Ana: dig; reveal sandstorm")
    assert rules.due(after) == "lose 2 cards"
    assert rule_of(dug(begin()), "Ana: tent yes") == "W1"


# The dig site runs out


def _emptied(**values: int) -> rules.ArchaeologyState:
    """A game whose dig site holds two treasures, one thief and one sandstorm."""
    few = {"treasures.map.copies": 1, "thieves.2": 1, "sandstorms.2": 1} | values
    few |= {f"treasures.{face}.copies": 4 for face in ("shard", "scrap", "coin", "cup", "talisman", "mask")}
    return begin(numbers=with_numbers({**few, "treasures.cup.copies": 9}))


@rule("A8", game="archaeology")
def test_when_the_dig_site_is_empty_the_dig_is_left_out() -> None:
    state = _emptied()
    assert state.hidden.size(DIG) == 2
    state = play(state, "Ana: dig; reveal treasure; Ana: end", "Ben: dig; reveal treasure; Ben: end")
    assert wrong(play(state, "Ana: dig"), "reveal treasure") == (
        "no treasure is left in the dig site: it must be a thief or sandstorm"
    )
    state = play(state, "Ana: dig; reveal thief; Ana: steal from Ben; Ana: end")
    assert rules.due(state) == "dig"
    state = play(state, "Ben: dig; reveal sandstorm; Ana: tent yes; Ben: tent yes")
    # The storm was the last card: Ben goes on without a dig.
    assert rules.to_move(state) == BEN and rules.due(state) == "act or end"
    state = play(state, "Ben: end")
    assert rules.due(state) == "act or end"
    assert refused(state, "Ana: dig") == "A8 The dig site is empty"


@rule("A13", game="archaeology")
def test_after_a_storm_as_the_last_card_the_turn_goes_on() -> None:
    state = _emptied()
    state = play(state, "Ana: dig; reveal treasure; Ana: end", "Ben: dig; reveal treasure; Ben: end")
    state = play(state, "Ana: dig; reveal thief; Ana: steal from Ben; Ana: end")
    state = play(
        state, "Ben: dig; reveal sandstorm; Ana: tent no; Ben: tent no; Ana: lose 3 cup; Ben: lose 2 cup"
    )
    assert rules.due(state) == "act or end" and rules.to_move(state) == BEN
    assert rule_of(state, "Ben: sell coin") == ""
    assert rule_of(state, "Ben: dig") == "A8"


@rule("A8", "A1", game="archaeology")
def test_where_only_unverified_storms_could_be_left_both_are_accepted() -> None:
    values = {"treasures.map.copies": 1, "thieves.3": 0} | {
        f"treasures.{face}.copies": 5 for face in ("shard", "scrap", "coin", "cup", "talisman", "mask")
    }
    printed = as_shipped(players=3).numbers
    assert not printed.sandstorms_sure and printed.sandstorms == 5
    numbers = override(shipped("archaeology"), {**values, "treasures.cup.copies": 7}, "own", "test")
    state = begin(numbers=numbers, players=3, monument="sphinx")
    assert state.hidden.size(DIG) == 1
    state = play(state, "Ana: dig; reveal treasure; Ana: end")
    assert rules.due(state) == "dig or go on"
    assert doubted(state, "Ben: dig") == ""  # five storms are thought to be there
    assert doubted(state, "Ben: sell cup") == "A8"
    # Nobody ever goes beyond six, which is all the box has.
    storm = state
    for number in range(6):
        assert doubted(storm, "Ben: dig") == ("A8" if number == 5 else "")
        storm = play(storm, "Ben: dig; reveal sandstorm")
        while rules.due(storm) != "dig or go on" and rules.due(storm) != "act or end":
            storm = rules.apply(storm, rules.legal_moves(storm)[0])
    assert storm.storms == 6 and rules.due(storm) == "act or end"
    assert rule_of(storm, "Ben: dig") == "A8"
    # Whoever acts says that the dig site is empty.
    acted = play(state, "Ben: end")
    assert acted.exhausted and refused(acted, "Cleo: dig") == "A8 The dig site is empty"
    assert rules.to_move(acted) == CLEO and rules.due(acted) == "act or end"


# Counting a hand


@rule("A45", game="archaeology")
def test_a_player_may_correct_the_count_of_a_hand() -> None:
    state = dug(begin())
    assert play(state, "reveal hand Ana 5") == state == play(state, "correct hand Ana 5")
    assert wrong(state, "reveal hand Ben 5") == "it should be 4 cards: write correct hand if 5 were counted"
    after = play(state, "correct hand Ben 6")
    assert hands(after) == (5, 6) and after.corrected
    fewer = play(state, "correct hand Ben 0")
    assert hands(fewer) == (5, 0)
    assert hands(play(state, "correct hand Ben 68")) == (5, 68)
    assert "only 68 treasures" in wrong(state, "correct hand Ben 69")
    assert "only 68 treasures" in wrong(state, "correct hand Ben 500")
    with pytest.raises(WrongReveal, match="2 players"):
        rules.apply(state, step("correct hand Eve 3"))
    assert "first show" in wrong(begin(market=""), "correct hand Ana 5")
    # A card more in the hand came from nobody knows where: the dig site can no longer be counted.
    assert rule_of(play(after, "Ana: end"), "Ben: sell 6 shard") == "D1"
    assert rule_of(play(after, "Ana: end; Ben: dig; reveal treasure"), "Ben: sell 5 shard") == ""


@rule("A45", game="archaeology")
def test_a_count_that_is_corrected_in_a_storm_or_a_theft_changes_what_is_due() -> None:
    storm = begin(*STORM, "Ben: tent no; Ana: tent no")
    one = play(storm, "correct hand Ben 1")
    assert rules.to_move(one) == ANA and rules.due(one) == "lose 2 cards"
    none = play(one, "correct hand Ana 0")
    assert rules.to_move(none) == ANA and rules.due(none) == "dig"
    thief = play(begin("Ana: dig; reveal thief"), "correct hand Ben 0")
    assert rules.due(thief) == "act or end"
