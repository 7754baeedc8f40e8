"""The draw pile of Ankh running out, and decks so small that hands do."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.ankh import rules
from engines.ankh.dealing import deal
from engines.ankh.knowledge import PILE, hand, possible
from engines.ankh.moves import Shuffled
from engines.ankh.state import AnkhState
from engines.game import WrongReveal
from tests.ankh_table import FILLER, cut, go, refused, table
from tests.rules import rule

HIGH = "yellow-green-blue-red-9"
P3, Q3 = "yellow-green-blue-red-3", "red-blue-green-yellow-3"


def small(*lines: str, options: dict[str, str] | None = None) -> AnkhState:
    """Two players with two cards each, a pile of two: green 1 to 5 once and a papyrus beside the one in the middle."""
    deck = cut({"green": (1, 1, 1, 1, 1)}, [P3, Q3], hand=2)
    return table(*lines, players=2, papyrus=P3, catalogue=deck, options=options)


@rule("E3", "K17", game="ankh")
def test_the_top_papyrus_rows_and_hands_stay_and_all_else_is_the_new_pile() -> None:
    state = small("play green-1", f"play {Q3}")
    assert state.pile == 0 and state.papyri == (P3, Q3)
    after = go(state, "play green-2")  # nothing lies discarded but the covered papyrus: it comes back
    assert after.rows == (("green-1", "green-2"), ()) and after.papyri == (Q3,)
    assert (after.hands, after.pile, after.discard) == ((2, 2), 0, ())
    # The card drawn is the papyrus that was covered: everybody knows it.
    assert possible(after.numbers, after.hidden, hand(0), (P3,))
    assert not possible(after.numbers, after.hidden, hand(1), (P3,))


@rule("E3", "K17", game="ankh")
def test_a_draw_is_finished_from_the_new_pile() -> None:
    papyrus = "sacrifice red-blue-green-yellow-4"
    state = table(*[FILLER] * 60, *[papyrus] * 15, players=3, papyrus=HIGH)
    assert state.pile == 2 and len(state.discard) == 75
    after = go(state, "sacrifice 4 red-1")
    assert after.hands == (4, 4, 4) and after.shuffles == 1
    # Two cards came from the old pile, then seventy-nine discards were shuffled and two of them drawn.
    assert (after.pile, after.discard) == (75 + 4 - 2, ())
    total = after.pile + sum(after.hands) + len(after.papyri)
    assert total == 90


@rule("K8", game="ankh")
def test_sacrificed_cards_may_come_back_at_once() -> None:
    state = small(f"sacrifice {Q3}", "play green-1")
    assert state.pile == 0 and state.discard == (Q3,)
    after = go(state, "sacrifice green-2, green-3")  # three discards are shuffled, two drawn
    assert after.hands == (2, 2) and after.pile == 1
    numbers = after.numbers
    assert possible(numbers, after.hidden, hand(0), ("green-2", "green-3"))
    assert possible(numbers, after.hidden, hand(0), (Q3, "green-3"))
    assert possible(numbers, after.hidden, PILE, (Q3,))


@rule("K26", game="ankh")
def test_discards_are_shuffled_at_once_or_when_a_card_is_needed() -> None:
    state = small("sacrifice green-1", "sacrifice green-2")
    assert state.pile == 0 and state.discard == ("green-1", "green-2")
    early = rules.apply(state, Shuffled())
    assert (early.pile, early.discard, early.shuffles) == (2, (), 1)
    late = go(state, "play green-3")
    assert (late.pile, late.discard, late.shuffles) == (1, (), 1)
    # Early: what is discarded afterwards is not in the pile. Late: it is.
    assert go(early, "sacrifice green-3").discard == ("green-3",)
    assert go(state, "sacrifice green-3").discard == ()
    assert [hint.text for hint in rules.hints(state)] == ["Shuffle the discards"]
    assert not rules.hints(early)
    # Who says what has happened by itself already is right.
    assert late.forced
    said = rules.apply(late, Shuffled())
    assert "Shuffle the discards" in [hint.text for hint in rules.hints(late)]
    assert not rules.hints(said)
    assert not said.forced and said.pile == late.pile and said.hidden == late.hidden
    with pytest.raises(WrongReveal, match="still has 1"):
        rules.apply(said, Shuffled())


@rule("K26", game="ankh")
def test_nothing_is_shuffled_while_the_pile_lasts_or_when_nothing_lies_there() -> None:
    with pytest.raises(WrongReveal, match="still has 77 cards"):
        rules.apply(table(), Shuffled())
    empty = small("play green-1", "play green-2")
    assert empty.pile == 0
    with pytest.raises(WrongReveal, match="nothing to shuffle"):
        rules.apply(empty, Shuffled())
    with pytest.raises(WrongReveal, match="still has 90"):
        rules.apply(rules.start(2, 0, {}), Shuffled())


@rule("K8", "K9", game="ankh")
def test_cards_sacrificed_face_down_are_shuffled_as_well() -> None:
    state = small("sacrifice 2 unseen", options={"sacrifices": "hidden"})
    assert (state.pile, state.unseen) == (0, 2)
    after = go(state, "sacrifice green-1, unseen")
    assert (after.unseen, after.pile, after.hands, after.shuffles) == (0, 2, (2, 2), 1)
    assert possible(after.numbers, after.hidden, PILE, ("green-1", "green-5"))


@rule("K18", game="ankh")
def test_when_nothing_can_be_shuffled_fewer_cards_are_drawn() -> None:
    state = small("play green-1", "play green-2")
    assert (state.pile, state.hands, state.discard) == (0, (2, 2), ())
    fewer = go(state, f"play {Q3}")
    assert fewer.hands == (2, 2)  # the covered papyrus comes straight back
    tall = cut({"green": (3, 3, 0, 0, 0)}, ["yellow-green-blue-red-5"], hand=2)
    drawn = table(
        *["play green-1", "play green-2"] * 2, players=2, papyrus="yellow-green-blue-red-5", catalogue=tall
    )
    assert drawn.hands == (1, 1) and drawn.pile == 0


@rule("K18", game="ankh")
def test_ninety_cards_never_run_out_at_numbers_up_to_fourteen() -> None:
    """Five rows one short of the number, the hands, and the papyrus on top leave a card for the last player's draw."""
    for number in range(1, 15):
        rows = 5 * (number - 1)
        assert rows + 5 * 4 + 1 <= 90
    assert 5 * 14 + 5 * 4 + 1 > 90


@rule("H1", game="ankh")
def test_who_has_no_card_draws_first_or_is_passed_over() -> None:
    tall = cut({"green": (4, 3, 0, 0, 0)}, ["yellow-green-blue-red-5", P3], hand=2)
    state = table(players=3, papyrus="yellow-green-blue-red-5", catalogue=tall)
    assert (state.hands, state.pile) == ((2, 2, 2), 2)
    state = go(state, "play green-1", "play green-1", "play green-1", "play green-2", "play green-2")
    assert (state.hands, state.pile, state.to_move) == ((1, 1, 1), 0, 2)
    state = go(state, "play green-1", "play green-2")
    assert (state.hands, state.to_move) == ((0, 1, 0), 1)
    # Nobody but the second player has a card: it is the papyrus, and it brings no scoring ...
    assert rules.legal_moves(state)[0] == rules.parse(f"play {P3}", 1)
    after = go(state, f"play {P3}")
    # ... but three mummies lie in the first row, so it does: all come back, and those without a card draw first.
    assert after.written and after.to_move == 2
    assert after.hands == (0, 2, 2) and sum(after.hands) + after.pile == 8


@rule("H1", game="ankh")
def test_a_player_without_cards_is_passed_over_while_nothing_can_be_drawn() -> None:
    tall = cut({"green": (4, 1, 0, 0, 0)}, ["yellow-green-blue-red-9"], hand=2)
    state = table("play green-1", "play green-1", "play green-1", players=2, papyrus=HIGH, catalogue=tall)
    assert state.hands == (1, 1) and state.pile == 0 and state.to_move == 1
    state = rules.apply(state, rules.parse("correct hand player-1 0", 0))
    assert state.hands == (0, 1) and state.pile == 1
    state = rules.apply(state, rules.parse("correct hand player-2 2", 0))
    assert state.hands == (0, 2) and state.pile == 0
    state = go(state, "play green-1")
    assert (state.hands, state.to_move) == ((0, 1), 1)
    assert refused(state, "play green-2", 0).rule == "G4"


@rule("H2", game="ankh")
def test_when_nobody_has_a_card_the_game_ends_with_what_is_written_down() -> None:
    deck = cut({"green": (2, 1, 0, 0, 0)}, ["yellow-green-blue-red-9"], hand=1)
    state = table("play green-1", "play green-1", players=2, papyrus=HIGH, catalogue=deck)
    assert rules.outcome(state) is None and state.hands == (1, 0)
    state = go(state, "play green-2")
    outcome = rules.outcome(state)
    assert state.hands == (0, 0) and outcome is not None
    assert outcome.winners == (0, 1) and outcome.decided_by == "No card left, 0 points"
    assert refused(state, "play green-1").rule == "E1" and rules.legal_moves(state) == ()


@rule("E3", "K17", game="ankh")
def test_no_card_is_lost_however_often_the_pile_is_shuffled() -> None:
    world = deal(3, 5, 0, {"target": "150"}, "random")
    import random

    rng = random.Random(3)
    while not world.over:
        world.play(world.pick(rng))
        state = world.state
        rows = sum(map(len, state.rows))
        assert rows + sum(state.hands) + state.pile + len(state.discard) + len(state.papyri) == 90
    assert world.state.shuffles >= 3
    assert Counter(world.state.discard) == Counter(world.discard)
