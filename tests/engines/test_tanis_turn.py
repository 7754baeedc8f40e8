"""Whose turn it is, what may be taken, and when a turn is over."""

from __future__ import annotations

import pytest

from engines.game import IllegalMove
from engines.tanis import rules
from engines.tanis.dealing import deal
from engines.tanis.moves import Excavator, Expert, Explorer, Take
from engines.tanis.state import TILES
from tests.digs import lay, refused, world
from tests.rules import rule

STAIRS = lay(
    ankh_1="a1-b1 1",
    ankh_2="c1-d1 1",
    snake_3="b1-c1 2",
    scarab_4="a3-a4 1",
    falcon_5="b3-b4 1",
)
"""Snake 3 lies on halves of Ankh 1 and Ankh 2; two tiles lie open on the floor."""


@rule("G2", "G3")
def test_players_alternate() -> None:
    table = world(STAIRS)
    table.play(Take(0, "snake-3"))
    assert table.to_move == 1
    refusal = refused(table.state, Take(0, "ankh-1"))
    assert (refusal.rule, refusal.kind) == ("G2", "book")
    table.play(Take(1, "ankh-1"))
    assert table.to_move == 0


@rule("T8", "G3")
def test_a_turn_is_one_take_or_one_card() -> None:
    assert rules.due(world(STAIRS).state) == "tile or card"
    for card in (Excavator(0, "scarab-4"), Expert(0)):
        table = world(STAIRS)
        table.play(card)
        assert table.to_move == 0
        for second in (Excavator(0, "falcon-5"), Expert(0), Explorer(0, "snake-3", "down", 1)):
            assert refused(table.state, second).rule == "T8"
    # Nobody can pass: every legal move takes a tile or is followed by one.
    for move in rules.legal_moves(world(STAIRS).state):
        after = rules.apply(world(STAIRS).state, move)
        assert isinstance(move, Take) or after.to_move == 0


@rule("T8", "T30")
def test_every_game_ends() -> None:
    for seed in range(20):
        table = deal(seed, 2, 0, {}, style="random")
        import random

        rng = random.Random(seed)
        takes = 0
        while not table.over:
            ((_, (move,)),) = table.choose(rng).stages
            takes += isinstance(move, Take)
            table.play(move)
        assert takes == 40 - len(table.state.removed)


@rule("G4", "T9")
def test_a_covered_tile_is_refused_and_the_tile_above_named() -> None:
    state = world(STAIRS).state
    refusal = refused(state, Take(0, "ankh-1"))
    assert refusal.rule == "T9"
    assert refusal.text == "Ankh 1 is covered by Snake 3"
    assert refused(state, Excavator(0, "ankh-2")).rule == "T9"
    after = rules.apply(state, Take(0, "snake-3"))
    # Now nothing lies on it, though its other half has not been read yet.
    assert rules.refusal(after, Take(1, "ankh-1")) is None


@rule("T9")
def test_what_nobody_has_seen_is_refused_as_long_as_all_that_shows_is_known() -> None:
    buried = lay(ankh_1="a1-b1 1", snake_3="a1-b1 2", scarab_4="a3-a4 1")
    refusal = refused(world(buried).state, Take(0, "ankh-1"))
    assert (refusal.rule, refusal.text) == ("T9", "Ankh 1 was not fully in sight")


@rule("G5", "T10")
def test_any_level_may_be_taken_from() -> None:
    takes = {move.tile for move in rules.legal_moves(world(STAIRS).state) if isinstance(move, Take)}
    assert takes == {"snake-3", "scarab-4", "falcon-5"}


@rule("G6", "T12", "G4")
def test_a_taken_tile_lies_before_its_player_and_has_left_the_dig() -> None:
    table = world(STAIRS)
    table.play(Take(0, "scarab-4"))
    assert table.state.collected == (("scarab-4",), ())
    assert table.state.heights[8] == 0 and table.state.heights[12] == 0
    refusal = refused(table.state, Take(1, "scarab-4"))
    assert refusal.rule == "G4" and "collected" in refusal.long
    table.play(Excavator(1, "falcon-5"))
    assert "removed" in refused(table.state, Take(1, "falcon-5")).long


@rule("G7")
def test_collected_tiles_stand_by_sign_and_number() -> None:
    table = world(STAIRS, collected=(("scarab-9", "snake-8", "ankh-7"), ()))
    table.play(Take(0, "snake-3"))
    assert table.state.collected[0] == ("snake-3", "snake-8", "ankh-7", "scarab-9")


@rule("C1", "T13", "T12")
def test_each_card_is_used_once_and_by_its_owner() -> None:
    table = world(STAIRS)
    before = table.state.cards
    table.play(Excavator(0, "scarab-4"))
    assert table.state.cards[0].excavator == 1 and table.state.cards[1] == before[1]
    table.play(Take(0, "falcon-5"))
    table.play(Take(1, "snake-3"))
    table.play(Excavator(0, "ankh-1"))
    assert table.state.cards[0].excavator == 0
    from engines.tanis.state import Cards

    none = world(STAIRS, cards=(Cards(0, 0, 0), Cards()))
    for move in (Excavator(0, "snake-3"), Expert(0), Explorer(0, "snake-3", "left", 1)):
        refusal = refused(none.state, move)
        assert refusal.rule == "C1" and refusal.text.startswith("No Ex") and refusal.text.endswith("left")


@rule("E1")
def test_nothing_can_be_done_when_the_game_is_over() -> None:
    table = world(lay(snake_3="a1-a2 1"))
    table.play(Take(0, "snake-3"))
    assert table.over and rules.legal_moves(table.state) == ()
    assert rules.due(table.state) == "game over"
    for tile in TILES:
        assert refused(table.state, Take(1, tile)).rule == "E1"


@rule("T8")
def test_a_refused_move_raises_and_leaves_the_state_alone() -> None:
    state = world(STAIRS).state
    before = hash(state)
    with pytest.raises(IllegalMove) as caught:
        rules.apply(state, Take(0, "ankh-1"))
    assert caught.value.refusal == rules.refusal(state, Take(0, "ankh-1"))
    assert hash(state) == before
