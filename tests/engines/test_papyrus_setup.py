"""What Papyrus is made of, how it begins, and what it needs to know before it can."""

from __future__ import annotations

import pytest

from engines.catalogue import MissingNumbers, shipped
from engines.papyrus import numbers as printed
from engines.papyrus import rules
from engines.papyrus.state import BOX, HANDS, PILE
from tests.papyri import SMALL, listed, own, play, refused, sample, sizes, start, unsure
from tests.rules import rule


@rule("P1", game="papyrus")
def test_the_board_has_the_places_of_the_map_and_no_others() -> None:
    state = start()
    assert refused(state, "Ana: move to giza paying water").rule == "P1"
    assert {step.split()[2] for step in listed(state) if step.startswith("move")} == {"isis"}


@rule("P2", "P7", "P8", "S2", game="papyrus")
def test_up_to_five_sets_of_pieces_and_no_player_has_others() -> None:
    assert len(start(5, catalogue=sample()).seats) == len(HANDS) == 5
    with pytest.raises(ValueError, match="1 to 5"):
        start(6)
    mine = start(5, catalogue=sample()).seats[4]
    assert (mine.scarabs, mine.points, mine.won, mine.skips) == (0, 0, (), 0)


@rule("P3", game="papyrus")
def test_the_movement_cards_are_counted() -> None:
    catalogue = sample()
    assert catalogue["cards"] == {"light": 24, "dark": 24, "nature": 24, "water": 24, "eye": 14}
    assert catalogue.verified("cards")
    few = own({"cards": {"nature": 3, "water": 20, "light": 10, "dark": 10, "eye": 0}})
    state = play(
        start(catalogue=few),
        "Ana: move to isis paying nature",
        "Ana: decline",
        "Ben: move to isis paying nature",
        "Ben: decline",
        "Ana: move to horus paying nature",
        "Ana: decline",
    )
    refusal = refused(state, "Ben: move to horus paying nature")
    assert refusal.rule == "P3"
    assert refused(state, "Ben: move to horus paying eye").rule == "P3"
    assert not any("nature" in step or "eye" in step for step in listed(state))


@rule("P4", "P5", "P6", game="papyrus")
def test_gods_events_and_hieroglyphs_make_full_decks() -> None:
    numbers = printed.numbers(sample())
    assert len(numbers.gods) == 36
    assert sum(event.copies for event in numbers.events.values()) == 40
    assert sum(numbers.letters.values()) == 300
    assert shipped("papyrus")["counts.hieroglyphs"] == 300
    state = start(win_where_you_stand="yes")
    assert refused(state, "Ana: win ra").rule == "P4"
    assert refused(state, "Ana: swap Z from bag").rule == "P6"


@rule("S1", "S8", "Y6", game="papyrus")
def test_every_deck_lies_beside_the_board_and_anybody_may_begin() -> None:
    state = start(3, first=2)
    assert (state.cards.size(PILE), state.gods.size(PILE), state.hieroglyphs.size(PILE)) == (98, 0, 130)
    assert rules.to_move(state) == 2
    assert [
        rules.to_move(state := play(state, line)) for line in ("Cleo: draw", "Ana: draw", "Ben: draw")
    ] == [0, 1, 2]


@rule("S3", "S4", "Y2", game="papyrus")
def test_everybody_begins_on_horus_without_points() -> None:
    state = start(4, catalogue=sample())
    assert {seat.place for seat in state.seats} == {"horus"}
    assert rules.score(state).totals == (0, 0, 0, 0)
    assert all(seat.place == "isis" for seat in start(catalogue=own({"map.start": "isis"})).seats)


@rule("S5", "S6", "S7", "Y7", "Y8", "Y9", game="papyrus")
def test_four_cards_three_gods_and_ten_hieroglyphs_are_dealt_unseen() -> None:
    state = start()
    assert sizes(state, 0) == sizes(state, 1) == (4, 10, 3)
    assert state.row == state.discards == state.heap == ()
    assert not state.hieroglyphs.known(HANDS[0]) and not state.gods.known(HANDS[0])
    assert all(state.gods.possible(HANDS[1], (god,)) for god in state.numbers.gods)
    assert not state.gods.possible(HANDS[1], ("horus", "horus"))


@rule("Y48", "N7", game="papyrus")
def test_a_short_god_deck_leaves_cards_in_the_box() -> None:
    state = start(2, gods="8")
    assert (state.gods.size(PILE), state.gods.size(BOX)) == (2, 1)
    assert start(1, catalogue=sample()).gods.size(BOX) == 24
    assert start(1, catalogue=sample(), gods="all").gods.size(BOX) == 0
    assert start(2, catalogue=sample()).gods.size(BOX) == 0
    with pytest.raises(MissingNumbers, match="8 gods are too few: 3 players need 9"):
        start(3, gods="8")


@pytest.mark.parametrize("path", ["map.start", "map.pyramids", "map.edges", "events", "gods", "letters"])
def test_a_game_whose_numbers_are_missing_says_what_to_type(path: str) -> None:
    catalogue = own({path: None})
    lacks = rules.lacks(2, {}, catalogue)
    assert [lack.path for lack in lacks] == [path]
    assert lacks[0].remedy == catalogue.numbers[path].ask != ""
    with pytest.raises(MissingNumbers, match=path):
        rules.start(2, 0, {}, catalogue)
    needed = path in ("gods", "letters")
    assert bool(rules.lacks(1, {}, catalogue)) == needed
    assert bool(rules.lacks(3, {"without_board": "yes"}, catalogue)) == needed


def test_the_shipped_numbers_do_not_suffice() -> None:
    with pytest.raises(MissingNumbers):
        rules.start(2, 0, {})
    assert {lack.path for lack in rules.lacks(1, {}, shipped("papyrus"))} == {"gods", "letters"}


def test_too_few_hieroglyphs_for_so_many_players() -> None:
    few = own({"letters": dict.fromkeys("ABDEHIKMNOPRSTU", 3), "counts.hieroglyphs": 45})
    assert [lack.path for lack in rules.lacks(3, {}, few)] == []
    alone = {"without_board": "yes", "solo_hieroglyphs": "holder", "gods": "all"}
    scarce = own(
        {
            "start.hieroglyphs": 20,
            "start.gods": 1,
            "letters": dict.fromkeys("ABDEHIKMNOPRSTU", 3),
            "counts.hieroglyphs": 45,
        }
    )
    assert [lack.path for lack in rules.lacks(3, alone, scarce)] == ["letters"]
    assert not rules.lacks(3, {**alone, "solo_hieroglyphs": "none"}, scarce)


@pytest.mark.parametrize(
    ("players", "first", "options"), [(0, 0, {}), (2, 2, {}), (2, -1, {}), (2, 0, {"passing": "maybe"})]
)
def test_settings_that_cannot_be(players: int, first: int, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"begins|passing is one of"):
        rules.start(players, first, options, own())


@rule("Y1a", "O3", game="papyrus")
def test_what_horus_is_worth_and_how_it_is_spelled_are_the_owners_data() -> None:
    horus = printed.numbers(sample()).gods["horus"]
    assert horus.letters == tuple("HORUS") and horus.value == 6
    gods = [dict(god) for god in SMALL["gods"]]
    gods[0].update(value=5, letters="HOR")
    changed = printed.numbers(own({"gods": gods})).gods["horus"]
    assert (changed.letters, changed.value) == (tuple("HOR"), 5)
    assert not sample().verified("gods") and own().verified("gods") and not unsure().verified("gods")


@rule("O4", game="papyrus")
def test_letters_stand_for_hieroglyphs() -> None:
    assert start().numbers.letters.keys() == set("ABDEHIKMNOPRSTUX")


def test_states_of_equal_settings_are_equal() -> None:
    assert start() == start() and hash(start()) == hash(start())
    assert start() != start(catalogue=unsure())
    assert start() != start(eye_of_horus="blank")
