"""The turn of Papyrus: whose it is, drawing, exchanging hieroglyphs, passing."""

from __future__ import annotations

import pytest

from engines.papyrus import rules
from engines.papyrus.state import HANDS, PILE
from tests.papyri import allowed, listed, move, own, play, refused, sizes, start, unsure
from tests.rules import rule


@rule("T1", "T2", "T3", game="papyrus")
def test_turns_go_round_and_each_is_one_thing() -> None:
    state = start(3, first=1)
    assert refused(state, "Ana: draw").rule == "T2"
    for line in ("Ben: draw", "Cleo: swap A from bag", "Ana: move to isis paying nature"):
        state = play(state, line)
    assert refused(state, "Ana: draw").rule == "G1"
    state = play(state, "Ana: decline")
    assert rules.to_move(state) == 1
    assert refused(state, "Ana: draw").rule == "T2"


@rule("T4", "Y12", game="papyrus")
def test_drawing_is_two_cards_and_a_hand_has_no_limit() -> None:
    state = start()
    for _ in range(20):
        state = play(state, "Ana: draw", "Ben: draw")
    assert sizes(state, 0)[0] == sizes(state, 1)[0] == 44
    assert state.cards.size(PILE) == 110 - 88


@rule("Y13", game="papyrus")
def test_the_discards_are_shuffled_when_the_deck_runs_out() -> None:
    cards = {"nature": 5, "water": 4, "light": 0, "dark": 0, "eye": 0}
    state = start(catalogue=own({"cards": cards}))
    assert state.cards.size(PILE) == 1
    state = play(state, "Ana: move to isis paying nature", "Ana: decline", "Ben: draw")
    assert state.cards.size(PILE) == 0 and state.discards == ()
    assert sizes(state, 1)[0] == 6
    refusal = refused(state, "Ana: draw")
    assert refusal.rule == "Y13" and refusal.kind == "ruling"
    state = play(state, "Ana: move to horus paying nature", "Ana: decline", "Ben: draw")
    assert sizes(state, 1)[0] == 7, "of fewer than two cards what is there is drawn"
    assert "draw" not in listed(state)


def test_cards_that_were_shuffled_can_be_in_other_hands() -> None:
    cards = {"nature": 1, "water": 8, "light": 0, "dark": 0, "eye": 0}
    state = play(start(catalogue=own({"cards": cards})), "Ana: move to isis paying nature", "Ana: decline")
    assert not state.cards.possible(HANDS[1], ("nature",)), "the only one lies open"
    state = play(state, "Ben: draw")
    assert state.cards.possible(HANDS[1], ("nature",))
    assert not state.cards.possible(HANDS[0], ("nature",))


@rule("H1", "Y34", "Y35", game="papyrus")
def test_a_hieroglyph_is_paid_openly_and_one_drawn() -> None:
    state = play(start(), "Ana: swap A from bag")
    assert state.row == ("A",)
    assert sizes(state, 0)[1] == 10 and state.hieroglyphs.size(PILE) == 139
    refusal = refused(state, "Ben: swap B for B")
    assert (refusal.rule, refusal.kind) == ("Y34", "ruling")
    assert refused(play(state, "correct holder Ben 0"), "Ben: swap A from bag").rule == "H1"


@rule("H2", game="papyrus")
def test_an_open_hieroglyph_may_be_chosen_instead() -> None:
    state = play(start(), "Ana: swap A from bag", "Ben: swap B for A")
    assert state.row == ("B",)
    assert state.hieroglyphs.known(HANDS[1]) == {"A": 1}
    assert sizes(state, 1)[1] == 10
    assert refused(state, "Ana: swap E for A").rule == "H2"
    assert allowed(state, "Ana: swap B for B"), "another B lies open"


def test_a_hieroglyph_that_must_be_elsewhere_cannot_be_paid() -> None:
    state = start(
        catalogue=own(
            {"letters": {"X": 1, **dict.fromkeys("ABDEHIKMNOPRSTU", 10)}, "counts.hieroglyphs": 151}
        )
    )
    state = play(state, "Ana: swap X from bag")
    refusal = refused(state, "Ben: swap X from bag")
    assert (refusal.rule, refusal.kind) == ("P6", "book")
    state = play(state, "Ben: swap A for X")
    assert refused(state, "Ana: swap X from bag").rule == "P6"


def test_nobody_is_refused_by_letters_that_are_not_verified() -> None:
    few = {"letters": {"X": 1, **dict.fromkeys("ABDEHIKMNOPRSTU", 10)}, "counts.hieroglyphs": 151}
    state = play(start(catalogue=unsure(few)), "Ana: swap X from bag")
    assert allowed(state, "Ben: swap X from bag")
    doubt = rules.doubt(state, move("Ben: swap X from bag"))
    assert doubt is not None and doubt.rule == "P6" and "X" in doubt.text
    assert rules.doubt(state, move("Ben: swap A from bag")) is None
    assert play(state, "Ben: swap X from bag").row == ("X", "X")


@rule("Y36", game="papyrus")
def test_with_an_empty_bag_only_an_open_hieroglyph_can_be_taken() -> None:
    letters = dict.fromkeys("ABDEHIKMNOPRSTUX", 1) | dict.fromkeys("AEISU", 2)
    catalogue = own({"letters": letters, "counts.hieroglyphs": 21})
    state = play(start(catalogue=catalogue), "Ana: swap A from bag")
    assert state.hieroglyphs.size(PILE) == 0
    assert refused(state, "Ben: swap B from bag").rule == "Y36"
    assert allowed(state, "Ben: swap B for A")


@rule("Y11", game="papyrus")
def test_a_turn_may_be_passed_after_a_question() -> None:
    state = start()
    assert allowed(state, "Ana: pass")
    doubt = rules.doubt(state, move("Ana: pass"))
    assert doubt is not None and (doubt.rule, doubt.kind) == ("Y11", "ruling")
    assert rules.to_move(play(state, "Ana: pass")) == 1
    strict = start(passing="no")
    refusal = refused(strict, "Ana: pass")
    assert refusal.rule == "Y11" and "passing" in refusal.long
    assert "pass" not in listed(strict) and "pass" in listed(state)


def test_a_turn_with_nothing_to_do_can_be_passed_even_strictly() -> None:
    cards = {"nature": 0, "water": 8, "light": 0, "dark": 0, "eye": 0}
    state = start(catalogue=own({"cards": cards}), passing="no")
    assert refused(state, "Ana: pass").rule == "Y11", "a hieroglyph can be exchanged"
    state = play(state, "correct holder Ana 0")
    assert allowed(state, "Ana: pass")
    assert rules.doubt(state, move("Ana: pass")) is None
    assert listed(state) == {"pass"}


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ("Ana: buy", "N1"),
        ("Ana: form horus", "N1"),
        ("Ana: stop", "N1"),
        ("Ana: decline", "Y27"),
        ("Ana: win horus", "Y24"),
        ("Ana: lose water", "V1"),
        ("Ana: gain A", "V1"),
        ("Ana: take from Ben", "V1"),
        ("Ana: exchange with Ben", "V1"),
        ("Ana: go to isis", "V1"),
    ],
)
def test_what_is_not_for_a_turn_is_refused(line: str, id: str) -> None:
    assert refused(start(), line).rule == id


def test_all_moves_of_a_turn_are_listed() -> None:
    state = start()
    assert rules.complete(state)
    letters = set(state.numbers.letters)
    assert listed(state) == {
        "draw",
        "pass",
        "move to isis paying nature",
        "move to isis paying eye",
        *(f"swap {letter} from bag" for letter in letters),
    }
    for letter in sorted(letters):
        state = play(state, f"{'Ana' if rules.to_move(state) == 0 else 'Ben'}: swap {letter} from bag")
    moves = rules.legal_moves(state)
    assert len({rules.format(step) for step in moves}) == len(moves) <= 500
    assert not rules.complete(state), "16 hieroglyphs times 16 open ones and the bag are not all listed"
    assert all(rules.refusal(state, step) is None for step in moves)


def test_a_refused_move_changes_nothing() -> None:
    state = start()
    before = hash(state)
    refused(state, "Ben: draw")
    assert hash(state) == before and state == start()
