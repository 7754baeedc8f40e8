"""The end of a game of Archaeology: an empty dig site, passes, money and ties."""

from __future__ import annotations

import pytest

from engines.archaeology import rules
from engines.archaeology.state import DIG
from engines.catalogue import Catalogue, override, shipped
from engines.game import IllegalMove
from tests.expeditions import (
    ANA,
    BEN,
    CLEO,
    begin,
    doubted,
    dug,
    hands,
    play,
    refusal,
    refused,
    rule_of,
    turns,
    with_numbers,
)
from tests.rules import rule

FEW = {
    "treasures.map.copies": 1,
    **{f"treasures.{face}.copies": 9 for face in ("shard", "scrap", "coin", "cup", "talisman", "mask")},
}


def _numbers(players: int, base: Catalogue | None = None) -> Catalogue:
    """A dig site of one treasure for each player and one more, and nothing else: all others lie in the Sphinx."""
    sphinx = 6 * 9 + 1 - 4 * players - 5 - (players + 1)
    values = {
        **FEW,
        f"thieves.{players}": 0,
        "monuments.sphinx.chambers": [sphinx],
        **({} if base else {f"sandstorms.{players}": 0}),
    }
    return with_numbers(values, base)


def _last(players: int = 2, **options: str) -> rules.ArchaeologyState:
    """Everybody has dug once, and Ana has just dug the last card: she holds six, the others five."""
    state = begin(players=players, numbers=_numbers(players), monument="sphinx", **options)
    assert state.hidden.size(DIG) == players + 1
    state = dug(turns(state, players))
    assert hands(state) == (6, *(5,) * (players - 1))
    return state


def _settled(state: rules.ArchaeologyState) -> rules.ArchaeologyState:
    """A sandstorm is over: everybody does the first thing that is allowed."""
    while rules.due(state) not in ("dig", "dig or go on", "act or end"):
        state = rules.apply(state, rules.legal_moves(state)[0])
    return state


@rule("A40", game="archaeology")
def test_the_game_goes_on_without_digs_until_all_hands_are_empty() -> None:
    state = play(_last(), "Ana: end")
    assert rules.due(state) == "act or end" and rules.to_move(state) == BEN
    for line in ("sell coin", "trade coin for scrap", "end"):
        assert rule_of(state, f"Ben: {line}") == ""
    state = play(state, "Ben: sell 5 coin; Ben: end; Ana: sell 2 cup; Ana: sell 2 cup; Ana: sell mask")
    assert rules.outcome(state) is None and hands(state) == (1, 0)
    over = play(state, "Ana: sell map")
    outcome = rules.outcome(over)
    assert outcome is not None and outcome.winners == (ANA,) and outcome.decided_by == "37 to 30 points"
    assert rules.due(over) == "game over" and rules.legal_moves(over) == () and rules.complete(over)
    for line in ("Ana: end", "Ana: peek 1", "Ben: dig", "Ana: dig"):
        said = refusal(over, line)
        assert (said.rule, said.kind) == ("A40", "ruling") and "game_end=dig" in said.long


@rule("A40", game="archaeology")
def test_by_option_the_game_ends_with_the_turn_that_empties_the_dig_site() -> None:
    state = _last(game_end="dig")
    assert rules.outcome(state) is None
    state = play(state, "Ana: sell 2 cup")
    over = play(state, "Ana: end")
    outcome = rules.outcome(over)
    assert outcome is not None and outcome.winners == (ANA,) and outcome.decided_by == "15 to 0 points"
    assert rule_of(over, "Ben: sell coin") == "A40" and rules.due(over) == "game over"
    # Where storms that nobody verified could be left, nobody acts without a dig: it would be over.
    unsure = begin(players=3, numbers=_numbers(3, shipped("archaeology")), monument="sphinx", game_end="dig")
    unsure = turns(unsure, 4)
    assert rules.due(unsure) == "dig or go on" and rule_of(unsure, "Ben: sell coin") == "D1"
    assert [rules.format(made) for made in rules.legal_moves(unsure)] == ["dig", "end"]
    assert rules.outcome(play(unsure, "Ben: end")) is not None
    # But after a sandstorm that may have been the last card the turn goes on.
    storm = _settled(play(unsure, "Ben: dig; reveal sandstorm"))
    assert rules.due(storm) == "dig or go on" and rule_of(storm, "Ben: sell coin") == ""


@rule("A41", game="archaeology")
def test_after_a_round_of_passes_somebody_must_sell() -> None:
    state = play(_last(players=3), "Ana: end; Ben: end; Cleo: end")
    # Ana dug in her turn, so two have passed so far.
    state = play(state, "Ana: end")
    assert state.passes == 3 and rules.due(state) == "sell something"
    said = refusal(state, "Ben: end")
    assert (said.rule, said.kind) == ("A41", "house") and "full_passes=free" in said.long
    assert "This rests on a house rule" in said.long
    assert not any(rules.format(made) == "end" for made in rules.legal_moves(state))
    # Anything may be done, but the turn ends only after a sale.
    traded = play(state, "Ben: trade coin for scrap")
    assert refused(traded, "Ben: end") == "A41 Sell something first"
    explored = play(traded, "Ben: explore coin, mask; reveal cards 5 shard")
    assert rule_of(explored, "Ben: end") == "A41"
    sold = play(explored, "Ben: sell cup; Ben: end")
    assert sold.passes == 0 and rule_of(sold, "Cleo: end") == ""
    with pytest.raises(IllegalMove, match="A41"):
        play(state, "Ben: end")
    free = play(_last(players=3, full_passes="free"), "Ana: end; Ben: end; Cleo: end; Ana: end; Ben: end")
    assert free.passes == 4 and rule_of(free, "Cleo: end") == ""


@rule("A41", game="archaeology")
def test_a_dig_a_sale_and_an_exploration_are_no_pass() -> None:
    assert play(_last(), "Ana: end").passes == 0
    one = play(_last(), "Ana: end; Ben: trade coin for scrap; Ben: end")
    assert one.passes == 1
    assert play(one, "Ana: sell coin; Ana: end").passes == 0
    explored = play(one, "Ana: explore coin, mask; reveal cards 5 shard; Ana: end")
    assert explored.passes == 0


@rule("A41", "A42", game="archaeology")
def test_only_players_with_cards_are_counted_and_asked() -> None:
    state = play(_last(players=3), "Ana: end; Ben: sell 5 coin; Ben: end; Cleo: end")
    assert hands(state) == (6, 0, 5)
    state = play(state, "Ana: end")
    assert rules.to_move(state) == CLEO  # Ben has no cards
    assert refused(state, "Cleo: end") == "A41 Sell something first"
    state = play(state, "Cleo: sell 4 mask; Cleo: sell shard; Cleo: end")
    assert rules.to_move(state) == ANA
    state = play(state, "Ana: end")
    assert rules.to_move(state) == ANA and rule_of(state, "Ana: end") == "A41"
    # The last card has to be sold as well.
    one = play(state, "Ana: sell 5 shard; Ana: end; Ana: end")
    assert hands(one) == (1, 0, 0) and one.passes == 1
    assert refused(one, "Ana: end") == "A41 Sell something first"
    # Somebody who gave all cards away has nothing to sell.
    giving = play(_last(trade_for_nothing="yes"), "Ana: end; Ben: end; Ana: end")
    assert rule_of(giving, "Ben: end") == "A41"
    assert rule_of(play(giving, "Ben: trade 5 coin for nothing"), "Ben: end") == ""


@rule("A42", game="archaeology")
def test_while_cards_can_be_dug_nobody_is_passed_over() -> None:
    state = begin(
        "Ana: dig; reveal treasure; Ana: sell 5 shard; Ana: end; Ben: dig; reveal treasure; Ben: end"
    )
    assert hands(state) == (0, 5) and rules.to_move(state) == ANA and rules.due(state) == "dig"


@rule("A43", "L2", game="archaeology")
def test_only_sold_sets_count() -> None:
    state = play(_last(game_end="dig"), "Ana: sell coin; Ana: end")
    assert hands(state) == (5, 5) and state.tents == (True, True) and state.market
    assert rules.score(state).totals == (2, 0)


@rule("O1", "L2", game="archaeology")
def test_the_richest_wins() -> None:
    state = play(_last(players=3), "Ana: sell 5 shard; Ana: sell map; Ana: end")
    state = play(state, "Ben: sell 4 mask; Ben: sell mask; Ben: end; Cleo: sell 5 coin")
    outcome = rules.outcome(state)
    assert rules.score(state).totals == (18, 54, 30)
    assert outcome is not None and outcome.winners == (BEN,) and outcome.decided_by == "54 to 30 points"


def _tied(**options: str) -> rules.ArchaeologyState:
    """Both have 15: Ana by three cards, Ben by five."""
    state = play(_last(**options), "Ana: trade 4 mask for talisman; Ana: end")
    assert hands(state) == (3, 5)
    state = play(
        state,
        "Ben: sell map; Ben: sell talisman; Ben: sell talisman; Ben: sell talisman; Ben: sell talisman",
    )
    return play(state, "Ben: end; Ana: sell 2 mask; Ana: sell talisman")


@rule("A44", "A39", game="archaeology")
def test_in_a_tie_fewer_cards_sold_win() -> None:
    state = _tied()
    assert rules.score(state).totals == (15, 15)
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (ANA,)
    assert outcome.decided_by == "Tie: fewer cards sold"
    outcome = rules.outcome(_tied(tie="shared"))
    assert outcome is not None and outcome.winners == (ANA, BEN) and outcome.decided_by == "Tie: shared"


@rule("A44", game="archaeology")
def test_a_tie_in_cards_too_is_shared() -> None:
    state = play(_last(), "Ana: trade 2 mask for coin; Ana: end; Ben: sell 4 coin; Ben: sell map; Ben: end")
    state = play(state, "Ana: sell 4 coin; Ana: sell talisman")
    assert rules.score(state).totals == (21, 21)
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.winners == (ANA, BEN) and outcome.decided_by == "Tie: shared"


@rule("A8", "A40", game="archaeology")
def test_where_a_storm_could_be_left_somebody_says_that_there_is_none() -> None:
    numbers = override(_numbers(3, shipped("archaeology")), {"sandstorms.3": 2}, "house", "test")
    state = turns(begin(players=3, numbers=numbers, monument="sphinx"), 3)
    state = play(dug(state), "Ana: sell 5 shard; Ana: sell map; Ana: end")
    assert hands(state) == (0, 5, 5)
    state = _settled(play(state, "Ben: dig; reveal sandstorm"))
    state = _settled(play(state, "Ben: dig; reveal sandstorm"))
    # Both storms that were thought to be there have come: a third would be asked about, going on is not.
    assert rules.to_move(state) == BEN and rules.due(state) == "dig or go on"
    assert doubted(state, "Ben: dig") == "A8" and doubted(state, "Ben: end") == ""
    # Ana holds nothing, yet there could be a storm for her to dig; whoever goes on says that there is none.
    assert rules.to_move(play(state, "Ben: dig; reveal sandstorm")) == CLEO
    gone = play(state, "Ben: end")
    assert gone.exhausted and rules.to_move(gone) == CLEO and rules.due(gone) == "act or end"
    # Once all hands are empty as well, that ends the game.
    empty = play(state, "correct hand Ben 0", "correct hand Cleo 0")
    assert rules.outcome(empty) is None and rules.due(empty) == "dig or go on"
    assert rules.outcome(play(empty, "Ben: end")) is not None


@rule("A42", game="archaeology")
def test_where_nobody_can_know_whether_a_dig_is_due_the_next_player_with_cards_may_go_on() -> None:
    unsure = turns(begin(players=3, numbers=_numbers(3, shipped("archaeology")), monument="sphinx"), 1)
    unsure = play(dug(unsure), "Ben: sell 5 shard; Ben: end; Cleo: dig; reveal treasure; Cleo: end")
    unsure = play(dug(unsure), "Ana: end")
    # Ben holds nothing. A storm could be left for him to dig; if none is, the turn is Cleo's.
    assert rules.to_move(unsure) == BEN and rules.due(unsure) == "dig or go on"
    assert (
        rule_of(unsure, "Ben: dig") == rule_of(unsure, "Ben: end") == rule_of(unsure, "Cleo: sell coin") == ""
    )
    assert rule_of(unsure, "Ana: sell coin") == rule_of(unsure, "Cleo: dig") == "F1"
    assert doubted(unsure, "Cleo: sell coin") == "A8"
    listed = {(made.player, rules.format(made)) for made in rules.legal_moves(unsure)}
    assert {(BEN, "dig"), (BEN, "end"), (CLEO, "end"), (CLEO, "sell coin")} <= listed
    after = play(unsure, "Cleo: end")
    assert after.exhausted and rules.to_move(after) == ANA and after.passes == 1
    # A player with no cards who goes on does not pass.
    assert play(unsure, "Ben: end").passes == 0
    # After a sandstorm it is still Ben's turn, whatever is left.
    storm = _settled(play(unsure, "Ben: dig; reveal sandstorm"))
    assert rules.to_move(storm) == BEN and rule_of(storm, "Cleo: sell coin") == "F1"
    assert rule_of(storm, "Ben: end") == ""
