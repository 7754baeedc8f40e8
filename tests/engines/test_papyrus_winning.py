"""Winning gods in Papyrus: where, with what, and what is drawn anew."""

from __future__ import annotations

import pytest

from engines.papyrus import rules
from engines.papyrus.state import HANDS, PILE, PapyrusState
from tests.papyri import allowed, armed, listed, move, own, play, refused, sizes, start, unsure
from tests.rules import rule


def at_isis(players: int = 2, **options: str) -> PapyrusState:
    """Ana has just come to the pyramid of Isis."""
    return play(start(players, options=options), "Ana: move to isis paying nature")


@rule("O2", "G1", game="papyrus")
def test_a_god_is_won_at_its_own_pyramid() -> None:
    state = at_isis()
    assert state.stage == "arrived" and rules.to_move(state) == 0
    assert refused(state, "Ana: win horus").rule == "O2"
    assert refused(state, "Ana: draw").rule == "G1"
    assert refused(state, "Ben: draw").rule == "T2"
    assert refused(state, "Ana: win ra").rule == "P4"
    won = play(state, "Ana: win isis")
    assert won.seats[0].won == ("isis",)
    assert rules.to_move(won) == 1


@rule("G2", "G3", "C1", "C2", "Y33", "Y4", "Y5", game="papyrus")
def test_value_and_scarab_count_at_once_and_the_god_is_remembered() -> None:
    state = play(at_isis(), "Ana: win amon-ra")
    assert [(item.text, item.points) for item in rules.score(state).items[0]] == [
        ("Amon-Ra", 6),
        ("1 scarab", 5),
    ]
    assert rules.score(state).totals == (11, 0)
    assert state.seats[0].won == ("amon-ra",) and state.seats[0].scarabs == 1


@rule("G4", "G5", "G6", game="papyrus")
def test_card_and_hieroglyphs_leave_the_hand_and_as_many_are_drawn() -> None:
    state = play(at_isis(), "Ana: win isis")
    assert sizes(state, 0) == (3, 10, 3)
    assert state.gods.size(PILE) == 2 and state.hieroglyphs.size(PILE) == 136
    assert state.heap == ("I", "I", "S", "S")
    assert not state.gods.possible(HANDS[1], ("isis",))


@rule("Y31", "G6", game="papyrus")
@pytest.mark.parametrize(
    ("words", "tiles", "gods"),
    [
        ("win isis", 10, 3),
        ("win isis without god", 10, 2),
        ("win isis drawing 0", 6, 3),
        ("win isis drawing 3", 9, 3),
        ("win isis drawing 4", 10, 3),
        ("win isis without god drawing 1", 7, 2),
    ],
)
def test_drawing_anew_is_a_choice_also_in_part(words: str, tiles: int, gods: int) -> None:
    state = at_isis()
    assert words in listed(state)
    assert sizes(play(state, f"Ana: {words}"), 0) == (3, tiles, gods)


@rule("G6", game="papyrus")
def test_no_more_are_drawn_than_were_used() -> None:
    assert refused(at_isis(), "Ana: win isis drawing 5").rule == "G6"


@rule("G7", "S6", game="papyrus")
def test_who_cannot_win_does_nothing_and_the_turn_ends() -> None:
    state = play(start(), "correct gods Ana 0", "Ana: move to isis paying nature")
    assert state.stage == "turn" and rules.to_move(state) == 1
    waiting = play(at_isis(), "correct gods Ana 0")
    assert waiting.stage == "turn", "what was awaited has become impossible"
    two = play(start(win_where_you_stand="yes"), "correct gods Ana 0")
    no = refused(two, "Ana: win horus")
    assert no.rule == "S6" and "Decline" not in no.remedy, "nobody has arrived: there is nothing to decline"


@rule("Y27", game="papyrus")
def test_winning_is_a_choice() -> None:
    state = at_isis()
    assert "decline" in listed(state)
    after = play(state, "Ana: decline")
    assert after.seats[0].won == () and rules.to_move(after) == 1
    assert refused(after, "Ben: decline").rule == "Y27"


@rule("Y25", "Y26", game="papyrus")
def test_each_letter_takes_one_hieroglyph_on_arrival() -> None:
    few = own({"letters": {**dict.fromkeys("ABDEHIKMNOPRSTUX", 10), "I": 2}, "counts.hieroglyphs": 152})
    state = play(start(catalogue=few), "Ana: swap I from bag", "Ben: move to isis paying nature")
    assert state.stage == "arrived", "amon-ra needs no I"
    refusal = refused(state, "Ben: win isis")
    assert (refusal.rule, refusal.kind) == ("Y26", "ruling")
    assert allowed(state, "Ben: win amon-ra")
    assert "win isis" not in listed(state)


@rule("Y51", game="papyrus")
def test_a_name_longer_than_the_holder_cannot_be_formed() -> None:
    state = play(start(), "correct holder Ana 4", "Ana: move to isis paying nature")
    assert allowed(state, "Ana: win isis")
    refusal = refused(state, "Ana: win amon-ra")
    assert refusal.rule == "Y51"
    assert play(start(), "correct holder Ana 3", "Ana: move to isis paying nature").stage == "turn"
    long = own(
        {
            "gods": [{"name": "Pharaohishere", "letters": "SHASHASHASH", "value": 9, "pyramid": "isis"}],
            "counts.gods": 1,
            "start.gods": 0,
        }
    )
    assert any("letters" in fault.text for fault in start(catalogue=long).numbers.warnings)


@rule("Y28", "Y29", game="papyrus")
def test_one_arrival_wins_one_god_and_others_may_win_there_too() -> None:
    state = play(at_isis(), "Ana: win isis")
    assert rules.to_move(state) == 1
    state = play(state, "Ben: move to isis paying nature", "Ben: win amon-ra")
    assert [seat.won for seat in state.seats] == [("isis",), ("amon-ra",)]


@rule("Y55", "Y9", game="papyrus")
def test_a_god_is_won_once() -> None:
    state = play(at_isis(), "Ana: win isis", "Ben: move to isis paying nature")
    assert refused(state, "Ben: win isis").rule == "Y55"
    state = play(start(catalogue=unsure()), "Ana: move to isis paying nature", "Ana: win isis")
    state = play(state, "Ben: move to isis paying nature")
    assert allowed(state, "Ben: win isis"), "nobody has verified that there is only one"
    doubt = rules.doubt(state, move("Ben: win isis"))
    assert doubt is not None and doubt.rule == "Y55"
    assert rules.doubt(state, move("Ben: win amon-ra")) is None


def test_letters_beyond_unverified_numbers_are_doubted() -> None:
    few = {"letters": {**dict.fromkeys("ABDEHIKMNOPRSTUX", 10), "I": 2}, "counts.hieroglyphs": 152}
    state = play(start(catalogue=unsure(few)), "Ana: swap I from bag", "Ben: move to isis paying nature")
    assert allowed(state, "Ben: win isis")
    doubt = rules.doubt(state, move("Ben: win isis"))
    assert doubt is not None and doubt.rule == "P6"
    assert play(state, "Ben: win isis").seats[1].won == ("isis",)


@rule("Y10", "Y24", game="papyrus")
def test_horus_is_not_won_at_the_start_unless_the_option_says_so() -> None:
    refusal = refused(start(), "Ana: win horus")
    assert (refusal.rule, refusal.kind) == ("Y24", "ruling") and "win_where_you_stand" in refusal.long
    state = start(win_where_you_stand="yes")
    assert "win horus" in listed(state)
    state = play(state, "Ana: win horus")
    assert state.seats[0].won == ("horus",) and rules.to_move(state) == 1


@rule("Y30", game="papyrus")
def test_used_hieroglyphs_refill_the_bag_or_go_back_at_once_or_are_out() -> None:
    letters = {**dict.fromkeys("ABDEHIKMNOPRSTUX", 1), **dict.fromkeys("EISU", 2), "A": 3}
    tight = {"letters": letters, "counts.hieroglyphs": sum(letters.values())}
    assert sum(letters.values()) == 22
    way = ("Ana: move to isis paying nature",)
    refill = play(start(catalogue=own(tight)), *way)
    assert refill.hieroglyphs.size(PILE) == 2
    won = play(refill, "Ana: win isis")
    assert sizes(won, 0)[1] == 10 and won.heap == () and won.hieroglyphs.size(PILE) == 2
    out = play(start(catalogue=own(tight), used_hieroglyphs="out"), *way)
    refusal = refused(out, "Ana: win isis drawing 3")
    assert refusal.rule == "Y30" and "2" in refusal.text
    won = play(out, "Ana: win isis")
    assert sizes(won, 0)[1] == 8 and won.heap == ("I", "I", "S", "S")
    assert refused(won, "Ben: swap A from bag").rule == "Y36"
    bag = play(start(catalogue=own(tight), used_hieroglyphs="bag"), *way, "Ana: win isis drawing 0")
    assert bag.heap == () and bag.hieroglyphs.size(PILE) == 6
    assert bag.hieroglyphs.known(PILE) == {"I": 2, "S": 2}


@rule("Y32", game="papyrus")
def test_there_is_no_limit_to_scarabs() -> None:
    state = play(start(), "correct scarabs Ana 40")
    assert rules.score(state).totals == (200, 0)


def test_all_ways_to_win_are_listed_and_hinted() -> None:
    state = at_isis()
    assert rules.complete(state)
    assert {hint.pieces for hint in rules.hints(state)} == {("isis",), ("amon-ra",)}
    expected = {"decline"}
    for god, letters in (("isis", 4), ("amon-ra", 6)):
        for card in ("", " without god"):
            expected |= {f"win {god}{card}", *(f"win {god}{card} drawing {n}" for n in range(letters + 1))}
    assert listed(state) == expected


def test_an_empty_god_deck_gives_nothing_and_costs_nothing() -> None:
    state = play(armed(start(3)), "Ana: move to isis paying nature", "Ana: win isis")
    assert sizes(state, 0)[2] == 2 and state.gods.size(PILE) == 0
