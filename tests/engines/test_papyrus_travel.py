"""Moving on the map of Papyrus: paths, what they cost, what pays."""

from __future__ import annotations

import pytest

from engines.papyrus import rules
from engines.papyrus.state import HANDS
from engines.papyrus.travel import roads
from tests.papyri import allowed, armed, listed, own, play, refused, sample, sizes, start
from tests.rules import rule


@rule("T5", "T6", "T7", "Y17", game="papyrus")
def test_from_horus_to_anubis_four_water_and_two_light_are_played() -> None:
    state = play(start(catalogue=sample()), "Ana: draw", "Ben: draw")
    before = sizes(state, 0)[0]
    state = play(state, "Ana: move to anubis paying 4 water, 2 light")
    assert before - sizes(state, 0)[0] == 6
    assert state.seats[0].place == "anubis"


@rule("T6", "Y20", game="papyrus")
@pytest.mark.parametrize(
    ("cards", "id"),
    [
        ("4 water, light", "T6"),
        ("2 water, 4 light", "T6"),
        ("5 water, light", "T6"),
        ("4 water, light, dark", "T6"),
        ("6 nature", "T6"),
        ("4 water, 3 light", "Y20"),
        ("4 water, 2 light, eye", "Y20"),
        ("4 water, light, eye", ""),
        ("6 eye", ""),
        ("3 water, light, 2 eye", ""),
    ],
)
def test_colour_and_number_must_match(cards: str, id: str) -> None:
    state = armed(start())
    line = f"Ana: move to anubis paying {cards}"
    if id:
        assert refused(state, line).rule == id
    else:
        assert allowed(state, line)


@rule("T5", game="papyrus")
def test_nobody_plays_more_cards_than_the_hand_has() -> None:
    refusal = refused(start(), "Ana: move to anubis paying 4 water, 2 light")
    assert refusal.rule == "T5" and "4" in refusal.text


@rule("Y15", game="papyrus")
def test_the_eye_stands_for_any_one_symbol_or_for_nothing() -> None:
    assert allowed(start(), "Ana: move to isis paying eye")
    refusal = refused(start(eye_of_horus="blank"), "Ana: move to isis paying eye")
    assert (refusal.rule, refusal.kind) == ("Y15", "house")
    assert "eye_of_horus" in refusal.long
    assert "move to isis paying eye" not in listed(start(eye_of_horus="blank"))


@rule("Y16", game="papyrus")
def test_squares_may_be_written_by_their_colour() -> None:
    edges = ["horus - anubis: 4 blue, 2 yellow", "horus - isis: black", "isis - seth: green"]
    state = armed(start(catalogue=own({"map.edges": edges, "map.event_squares": []})))
    assert allowed(state, "Ana: move to anubis paying 4 water, 2 light")
    assert allowed(state, "Ana: move to isis paying dark")


@rule("Y14", game="papyrus")
def test_played_cards_lie_open() -> None:
    state = armed(start(), "Ana: move to anubis paying 3 water, 2 light, eye")
    assert state.discards == ("water", "water", "water", "light", "light", "eye")


@rule("Y19", "Y18", game="papyrus")
def test_a_turn_goes_along_one_whole_path() -> None:
    state = armed(start())
    refusal = refused(state, "Ana: move to seth paying dark, light")
    assert (refusal.rule, refusal.kind) == ("Y19", "ruling")
    assert refused(state, "Ana: move to anubis paying 2 water").rule == "T6"


@rule("Y18", "Y23", game="papyrus")
def test_an_event_square_on_a_path_is_a_stop_or_is_passed() -> None:
    state = play(start(), "Ana: move to isis paying nature", "Ana: decline", "Ben: draw")
    assert allowed(state, "Ana: move to event-isis-seth paying dark")
    assert refused(state, "Ana: move to seth paying dark, light").rule == "Y19"
    through = play(
        start(stop_on_event_square="no"), "Ana: move to isis paying nature", "Ana: decline", "Ben: draw"
    )
    assert refused(through, "Ana: move to event-isis-seth paying dark").rule == "P1"
    arrived = play(through, "Ana: move to seth paying dark, light")
    assert arrived.stage == "arrived"
    assert play(arrived, "Ana: decline").stage == "event", (
        "an event card follows for the square that was passed"
    )


@rule("Y21", game="papyrus")
def test_pawns_share_a_place() -> None:
    state = play(
        start(), "Ana: move to isis paying nature", "Ana: decline", "Ben: move to isis paying nature"
    )
    assert [seat.place for seat in state.seats] == ["isis", "isis"]


@rule("Y22", game="papyrus")
def test_paths_lead_both_ways() -> None:
    state = play(start(), "Ana: move to isis paying nature", "Ana: decline", "Ben: draw")
    assert play(state, "Ana: move to horus paying nature").seats[0].place == "horus"
    for place, there in roads(state).ways.items():
        for target, way in there.items():
            assert roads(state).ways[target][place].cost == way.cost


@rule("Y24", game="papyrus")
def test_staying_is_no_move() -> None:
    assert refused(start(), "Ana: move to horus paying nature").rule == "Y24"


def test_every_payment_is_listed() -> None:
    state = armed(start(), "Ana: draw", "Ben: draw")
    ways = {step for step in listed(state) if step.startswith("move to anubis")}
    assert len(ways) == 5 * 3
    assert "move to anubis paying 4 water, 2 light" in ways and "move to anubis paying 6 eye" in ways


def test_what_was_seen_to_go_away_cannot_be_paid() -> None:
    cards = {"nature": 20, "water": 20, "light": 2, "dark": 20, "eye": 0}
    state = start(catalogue=own({"cards": cards}))
    state = play(
        state, "Ana: draw", "Ben: draw", "Ana: move to anubis paying 4 water, 2 light", "Ana: decline"
    )
    assert refused(state, "Ben: move to anubis paying 4 water, 2 light").rule == "P3"
    assert not state.cards.possible(HANDS[1], ("light",))


def test_hints_say_where_the_pawn_can_go() -> None:
    hints = rules.hints(start())
    assert [(hint.text, hint.pieces) for hint in hints] == [
        ("Anubis 2L 4W", ("anubis",)),
        ("Isis 1N", ("isis",)),
    ]
    long = start(catalogue=sample())
    assert all(len(hint.text) <= 21 for hint in rules.hints(long))
