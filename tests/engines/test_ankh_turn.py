"""A turn of Ankh: a mummy, a papyrus or a sacrifice, then the refill."""

from __future__ import annotations

import pytest

from engines.ankh import rules
from engines.ankh.moves import Play, Sacrifice
from engines.game import Move
from tests.ankh_table import accepted, cut, go, refused, table, totals
from tests.rules import rule

HIGH = "yellow-green-blue-red-9"


@rule("G2", "A1", "K28", game="ankh")
def test_a_mummy_is_added_to_the_row_of_its_player() -> None:
    state = table("play yellow-5", "play red-1", "play blue-2", "play green-3", papyrus=HIGH)
    assert state.rows == (("yellow-5", "green-3"), ("red-1",), ("blue-2",))
    assert state.papyri == (HIGH,)


@rule("G2", "B1", game="ankh")
def test_a_papyrus_covers_the_one_on_top() -> None:
    state = table("play red-blue-green-yellow-9", papyrus=HIGH)
    assert state.papyri == (HIGH, "red-blue-green-yellow-9") and state.rows == ((), (), ())
    after = go(state, "play red-2", "play red-blue-green-yellow-1")
    assert totals(after) == (0, 4, 0)  # by the papyrus on top, not by the ones below


@rule("G2", game="ankh")
def test_only_cards_of_the_own_hand_are_played() -> None:
    """Two players hold two cards each of five that all lie open or in the other hand."""
    deck = cut({"green": (1, 1, 1, 0, 0)}, ["green-yellow-blue-red-3", "red-yellow-blue-green-3"], 2)
    state = table("play green-1", players=2, papyrus="green-yellow-blue-red-3", catalogue=deck)
    refusal = refused(state, "play green-1")
    assert (refusal.rule, refusal.text) == ("G2", "There are only 1 of Green 1")
    assert accepted(state, "play green-2") and accepted(state, "sacrifice green-2, green-3")
    assert refused(state, "sacrifice green-2, green-1").rule == "G2"


@rule("G3", "K4", game="ankh")
@pytest.mark.parametrize(
    "line",
    [
        "play green-4",
        "play red-blue-green-yellow-9",
        "sacrifice green-4",
        "sacrifice green-4, 2 red-1, red-2",
    ],
)
def test_after_every_action_the_hand_is_filled_up_to_four(line: str) -> None:
    state = table(papyrus=HIGH)
    after = go(state, line)
    used = 4 if "2 red-1" in line else 1
    assert after.hands == (4, 4, 4) and after.pile == state.pile - used


@rule("K4", "K5", game="ankh")
def test_also_after_a_scoring() -> None:
    state = table("play green-4", papyrus="yellow-green-blue-red-1")
    assert totals(state) == (4, 0, 0) and state.hands == (4, 4, 4)
    by_papyrus = table("play green-4", "play green-yellow-blue-red-1", papyrus=HIGH)
    assert totals(by_papyrus) == (8, 0, 0) and by_papyrus.hands == (4, 4, 4)


@rule("G4", game="ankh")
def test_the_turn_passes_clockwise() -> None:
    for players in (2, 3, 4, 5):
        state = table(players=players, first=1, papyrus=HIGH)
        seats = []
        for _ in range(2 * players):
            seats.append(state.to_move)
            assert refused(state, "play green-1", (state.to_move + 1) % players).rule == "G4"
            state = go(state, "sacrifice green-1")
        assert seats == [(1 + turn) % players for turn in range(2 * players)]
    assert refused(state, "play green-1", 9).rule == "G4"


@rule("A2", "B2", game="ankh")
def test_what_a_row_is_worth_may_change_until_the_scoring() -> None:
    state = table("play green-4", papyrus="green-blue-red-yellow-5")
    assert totals(state) == (0, 0, 0)
    state = go(state, "sacrifice red-1", "sacrifice red-1")
    assert rules.hints(state)[0].text == "Row worth 8 now"
    changed = go(state, "sacrifice red-1", "play yellow-red-blue-green-5", "sacrifice red-1")
    assert rules.hints(changed)[0].text == "Row worth -4 now"


@rule("D1", "K6", game="ankh")
def test_instead_of_playing_any_number_of_cards_is_discarded() -> None:
    state = table(papyrus=HIGH)
    for line in (
        "sacrifice red-1",
        "sacrifice 2 red-1",
        "sacrifice red-1, green-2, blue-3",
        "sacrifice 4 red-1",
    ):
        after = go(state, line)
        assert after.rows == ((), (), ()) and after.to_move == 1
        assert after.pile == state.pile - len(after.discard)
    refusal = refused(state, "sacrifice 4 red-1, green-1")
    assert (refusal.rule, refusal.text) == ("D1", "Only 4 cards are in this hand")
    # A card and a sacrifice in one turn: the second is another player's turn already.
    assert refused(go(state, "play red-1"), "sacrifice red-1", 0).rule == "G4"


@rule("X5", "D1", game="ankh")
def test_the_printed_sacrifice_of_three() -> None:
    state = table(papyrus=HIGH)
    after = go(state, "sacrifice red-1, red-2, green-3")
    assert state.pile - after.pile == 3 == len(after.discard) and after.hands == (4, 4, 4)


@rule("K6", "K7", game="ankh")
def test_nobody_may_pass_unless_the_players_want_it() -> None:
    state = table(papyrus=HIGH)
    refusal = refused(state, "sacrifice nothing")
    assert (refusal.rule, refusal.kind) == ("K7", "ruling") and "passing=yes" in refusal.long
    assert Sacrifice(0) not in rules.legal_moves(state)
    passing = table(options={"passing": "yes"}, papyrus=HIGH)
    assert Sacrifice(0) in rules.legal_moves(passing)
    after = go(passing, "sacrifice nothing")
    assert (after.to_move, after.hands, after.pile) == (1, passing.hands, passing.pile)


@rule("K7", game="ankh")
def test_a_sacrificed_papyrus_does_not_count_as_played() -> None:
    state = table("play green-4", "sacrifice green-yellow-blue-red-1", papyrus=HIGH)
    assert state.papyri == (HIGH,) and state.written == ()
    assert state.discard == ("green-yellow-blue-red-1",)


@rule("K9", game="ankh")
def test_sacrificed_cards_lie_face_up_unless_the_players_agree_otherwise() -> None:
    state = table("sacrifice green-4, red-1", papyrus=HIGH)
    assert state.discard == ("green-4", "red-1") and state.unseen == 0
    refusal = refused(state, "sacrifice 2 unseen")
    assert (refusal.rule, refusal.kind) == ("K9", "ruling") and "sacrifices=hidden" in refusal.long
    hidden = table(options={"sacrifices": "hidden"}, papyrus=HIGH)
    after = go(hidden, "sacrifice 2 unseen", "sacrifice green-4, unseen")
    assert (after.unseen, after.discard, after.hands) == (3, ("green-4",), (4, 4, 4))
    assert refused(hidden, "sacrifice 5 unseen").rule == "D1"
    assert refused(hidden, "sacrifice 3 red-1, 2 unseen").rule == "D1"
    unseen = [move for move in rules.legal_moves(hidden) if isinstance(move, Sacrifice) and move.unseen]
    assert unseen == [Sacrifice(0, (), number) for number in (1, 2, 3, 4)]


@rule("K24", game="ankh")
def test_the_order_of_a_row_makes_no_difference() -> None:
    one = table("play red-4", "sacrifice blue-1", "sacrifice blue-1", "play yellow-1", papyrus=HIGH)
    other = table("play yellow-1", "sacrifice blue-1", "sacrifice blue-1", "play red-4", papyrus=HIGH)
    for end in ("play yellow-red-blue-green-2", "play green-blue-red-yellow-1"):
        assert totals(go(one, end)) == totals(go(other, end))


def test_a_move_of_another_game_is_no_move_of_ankh() -> None:
    state = table()
    with pytest.raises(TypeError):
        rules.refusal(state, Move(0))
    with pytest.raises(TypeError):
        rules.doubt(state, Move(0))


def test_the_list_of_moves_is_canonical_where_there_are_too_many() -> None:
    state = table()
    moves = rules.legal_moves(state)
    assert not rules.complete(state) and len(moves) == 2 * 38 == len(set(moves))
    assert all(rules.refusal(state, move) is None for move in moves)
    assert isinstance(moves[0], Play) and moves[0].card == "green-1"


def test_the_list_of_moves_is_complete_where_they_are_few() -> None:
    papyri = ["green-yellow-blue-red-3", "red-yellow-blue-green-3"]
    deck = cut({"green": (3, 2, 0, 0, 0), "red": (0, 0, 0, 0, 3)}, papyri, 3)
    for hidden in ("open", "hidden"):
        state = table(
            "play green-1", players=2, papyrus=papyri[0], catalogue=deck, options={"sacrifices": hidden}
        )
        moves = rules.legal_moves(state)
        assert rules.complete(state) and len(set(moves)) == len(moves)
        cards = ("green-1", "green-2", "red-5", papyri[1])
        numbers = [(a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4)]
        every = {
            Sacrifice(1, tuple(card for card, n in zip(cards, some, strict=True) for _ in range(n)), unseen)
            for some in numbers
            for unseen in range(4)
        }
        legal = {move for move in every if rules.refusal(state, move) is None}
        assert legal == {move for move in moves if isinstance(move, Sacrifice)}


def test_hints_say_what_the_row_is_worth_and_when_one_more_scores() -> None:
    state = table(papyrus="yellow-green-blue-red-2")
    assert rules.hints(state) == ()
    state = go(state, "play yellow-4", "sacrifice red-1", "sacrifice red-1")
    assert [hint.text for hint in rules.hints(state)] == ["Row worth 8 now", "1 mummy more scores"]
    assert all(len(hint.text) <= 21 for hint in rules.hints(state))
    assert rules.due(state) == "play a card"
