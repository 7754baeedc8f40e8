"""The three action cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.tanis import rules
from engines.tanis.dealing import TanisWorld
from engines.tanis.dig import order
from engines.tanis.moves import Excavator, Expert, Explorer, Shift, Take
from engines.tanis.state import Cards
from tests.digs import lay, refused, world
from tests.rules import rule

STREET = {
    "ankh_1": "a1-b1 1",
    "scarab_1": "a2-a3 1",
    "snake_6": "a4-a5 1",
    "ankh_2": "b2-b3 1",
    "ankh_3": "b4-b5 1",
}
"""A floor of tiles, two wide and five long; columns c and d are empty."""


def street(slider: str = "a1-a2 2", **more: str) -> TanisWorld:
    """Snake 7 lies on the street, as in the book's example: Scarab 1 under its one half, Snake 6 further on."""
    options = {name: more.pop(name) for name in list(more) if name in rules.DEFAULTS}
    return world(lay(**STREET, snake_7=slider, **more), **options)


def slides(table: TanisWorld, tile: str = "snake-7") -> set[tuple[str, int]]:
    return {
        (move.direction, move.steps)
        for move in rules.legal_moves(table.state)
        if isinstance(move, Explorer) and move.tile == tile
    }


# Explorer


@rule("C2", "C3", "C6", "T16")
def test_the_books_example() -> None:
    table = street()
    assert slides(table) == {("down", 1), ("down", 2), ("down", 3), ("right", 1)}
    halfway = rules.apply(table.state, Explorer(0, "snake-7", "down", 2))
    over = rules.apply(table.state, Explorer(0, "snake-7", "down", 3))
    place = next(place for place in halfway.dig if place.tile == "snake-7")
    assert place.cells == ((0, 2), (0, 3)) and place.level == 2
    # Exactly over Snake 6, as the book allows.
    place = next(place for place in over.dig if place.tile == "snake-7")
    assert place.cells == ((0, 3), (0, 4))
    assert refused(over, Take(0, "snake-6")).text == "Snake 6 is covered by Snake 7"


@rule("T4", "T21")
def test_a_slide_may_bury_a_tile_exactly() -> None:
    table = street()
    assert Take(0, "snake-6") in rules.legal_moves(table.state)
    table.play(Explorer(0, "snake-7", "down", 3))
    assert Take(0, "snake-6") not in rules.legal_moves(table.state)
    # It is still known what lies there, and it can be taken once it is free again.
    table.play(Take(0, "snake-7"))
    assert Take(1, "snake-6") in rules.legal_moves(table.state)


@rule("C3", "T15")
def test_a_slide_is_straight_along_either_axis_whichever_way_the_tile_lies() -> None:
    assert ("right", 1) in slides(street("a1-a2 2"))  # across its own length
    assert ("down", 4) in slides(street("a1-b1 2"))
    for cells in (((1, 1), (1, 2)), ((0, 1), (1, 1)), ((0, 1), (0, 0))):
        crooked = Shift(0, "snake-7", *cells)
        refusal = refused(street().state, crooked)
        assert (refusal.rule, refusal.kind) == ("T15", "book")
        assert refusal.text == "Slide in one straight line"


@rule("C4", "T17")
def test_no_gap_is_crossed_and_no_level_left() -> None:
    refusal = refused(street().state, Explorer(0, "snake-7", "right", 2))
    assert (refusal.rule, refusal.text) == ("T17", "Snake 7 would cross a gap")
    # Half on a tile and half over a gap is no support.
    assert refused(street("a1-b1 2").state, Explorer(0, "snake-7", "right", 1)).rule == "T17"
    # Beyond the gap lies a tile of the right height: still not.
    beyond = street("b1-b2 2", falcon_1="d1-d2 1")
    assert refused(beyond.state, Explorer(0, "snake-7", "right", 2)).rule == "T17"
    assert ("right", 1) not in slides(beyond)


@rule("C5", "T19")
def test_tiles_columns_and_walls_stop_a_slide() -> None:
    blocked = street(falcon_1="a4-b4 2")
    assert slides(blocked) == {("down", 1), ("right", 1)}
    for steps in (2, 3):
        refusal = refused(blocked.state, Explorer(0, "snake-7", "down", steps))
        assert (refusal.rule, refusal.text) == ("T19", "Snake 7 is blocked by a tile")
    for direction, steps in (("up", 1), ("left", 1), ("down", 4)):
        refusal = refused(street().state, Explorer(0, "snake-7", direction, steps))  # type: ignore[arg-type]
        assert (refusal.rule, refusal.text) == ("T19", "The box ends there")
    higher = street(falcon_1="a3-b3 2", falcon_2="a3-b3 3")
    assert refused(higher.state, Explorer(0, "snake-7", "down", 1)).rule == "T19"


@rule("C7", "T20")
def test_a_slide_may_stop_at_any_unit_and_only_its_end_counts() -> None:
    table = street()
    ends = set()
    for steps in (1, 2, 3):
        after = rules.apply(table.state, Explorer(0, "snake-7", "down", steps))
        ends.add(next(place.cells for place in after.dig if place.tile == "snake-7"))
        # What a step back would end as is the shorter slide, and that is legal.
        assert rules.refusal(table.state, Explorer(0, "snake-7", "down", steps)) is None
    assert ends == {((0, 1), (0, 2)), ((0, 2), (0, 3)), ((0, 3), (0, 4))}
    # A longer slide is refused for what stands on the way, though its end would be free.
    jump = street("b1-b2 2", falcon_1="b3-b4 2", ankh_4="c4-c5 1")
    assert refused(jump.state, Explorer(0, "snake-7", "down", 3)).rule == "T19"


@rule("C8", "T22")
def test_after_the_slide_any_visible_tile_must_be_taken() -> None:
    for tile in ("snake-7", "ankh-1", "ankh-3"):
        table = street()
        table.play(Explorer(0, "snake-7", "down", 2))
        assert rules.due(table.state) == "take a tile"
        refusal = refused(table.state, Take(1, "ankh-3"))
        assert (refusal.rule, refusal.text) == ("C8", "After the Explorer a take is due")
        table.play(Take(0, tile))
        assert table.to_move == 1


@rule("T14")
def test_an_explorer_must_slide_unless_the_option_says_otherwise() -> None:
    still = Explorer(0, "snake-7", "right", 0)
    refusal = refused(street().state, still)
    assert (refusal.rule, refusal.kind) == ("T14", "ruling")
    assert "explorer_may_stay=yes" in refusal.long
    table = street(explorer_may_stay="yes")
    assert still in rules.legal_moves(table.state)
    table.play(still)
    assert table.state.cards[0].explorer == 2 and table.state.stage == "take after explorer"
    # Where nothing can be slid, no Explorer can be played.
    assert slides(world(lay(ankh_1="a1-a2 1", ankh_2="b1-b2 1"))) == set()


@rule("T18", "T23", "C4")
def test_the_floor_is_no_tile_unless_the_option_says_otherwise() -> None:
    lonely = lay(ankh_1="a1-a2 1")
    move = Explorer(0, "ankh-1", "right", 2)
    refusal = refused(world(lonely).state, move)
    assert (refusal.rule, refusal.kind) == ("T18", "ruling")
    assert "floor_supports=yes" in refusal.long
    table = world(lonely, floor_supports="yes")
    assert len(slides(table, "ankh-1")) == 6
    table.play(move)
    table.play(Take(0, "ankh-1"))
    assert table.over
    # On the floor, too, a tile pushes nothing.
    two = world(lay(ankh_1="a1-a2 1", ankh_2="c1-c2 1"), floor_supports="yes")
    assert refused(two.state, Explorer(0, "ankh-1", "right", 2)).rule == "T19"


@rule("C2", "T9")
def test_a_covered_tile_cannot_be_slid() -> None:
    table = street()
    refusal = refused(table.state, Explorer(0, "scarab-1", "right", 1))
    assert (refusal.rule, refusal.text) == ("T9", "Scarab 1 is covered by Snake 7")
    assert refused(table.state, Shift(0, "scarab-1", (3, 3), (3, 4))).rule == "T9"


# Excavator


@rule("C9", "C10", "C11", "T24", "T25")
def test_excavating() -> None:
    table = street()
    table.play(Excavator(0, "snake-7"))
    assert "snake-7" in table.state.removed and table.state.cards[0].excavator == 1
    refusal = refused(table.state, Take(1, "ankh-3"))
    assert (refusal.rule, refusal.text) == ("C11", "After the Excavator a take is due")
    # A different tile: the removed one cannot be taken, one that it uncovered can.
    assert refused(table.state, Take(0, "snake-7")).rule == "G4"
    table.play(Take(0, "scarab-1"))
    assert table.to_move == 1 and table.state.collected == (("scarab-1",), ())
    assert rules.score(table.state).totals == (0, 0)


@rule("T24")
def test_the_last_tile_cannot_be_excavated() -> None:
    two = world(lay(ankh_1="a1-a2 1", ankh_2="a1-a2 2"))
    two.play(Excavator(0, "ankh-2"))
    two.play(Take(0, "ankh-1"))
    assert two.over
    one = world(lay(ankh_1="a1-a2 1"))
    refusal = refused(one.state, Excavator(0, "ankh-1"))
    assert (refusal.rule, refusal.text) == ("T24", "The last tile must be taken")


@rule("C9", "T9")
def test_only_a_visible_tile_can_be_excavated() -> None:
    assert refused(street().state, Excavator(0, "scarab-1")).rule == "T9"


# Expert


@rule("C12", "C14", "T26", "T29")
def test_the_expert_is_declared_first_and_takes_two() -> None:
    table = street()
    table.play(Expert(0))
    assert table.state.cards[0].expert == 0  # spent when declared
    assert rules.due(table.state) == "1st tile"
    assert refused(table.state, Take(1, "ankh-3")).rule == "T29"
    table.play(Take(0, "snake-7"))
    assert table.to_move == 0 and rules.due(table.state) == "2nd, no snake"
    refusal = refused(table.state, Take(1, "ankh-3"))
    assert (refusal.rule, refusal.text) == ("T29", "The Expert's takes come first")
    table.play(Take(0, "ankh-3"))
    assert table.to_move == 1 and table.state.collected[0] == ("snake-7", "ankh-3")
    # Declared too late: after the take the turn is over.
    late = street()
    late.play(Take(0, "snake-7"))
    assert refused(late.state, Expert(0)).rule == "G2"


@rule("C13", "T27")
def test_the_second_tile_has_another_sign_and_may_be_just_uncovered() -> None:
    table = street()
    table.play(Expert(0))
    table.play(Take(0, "snake-7"))
    refusal = refused(table.state, Take(0, "snake-6"))
    assert (refusal.rule, refusal.text) == ("T27", "2nd tile: another sign than snake")
    table.play(Take(0, "scarab-1"))  # lay under Snake 7
    assert table.to_move == 1


@rule("T28")
def test_without_another_sign_the_turn_ends_after_the_first_tile() -> None:
    table = world(lay(ankh_1="a1-a2 1", ankh_2="b1-b2 1", ankh_3="c1-c2 1"))
    table.play(Expert(0))
    table.play(Take(0, "ankh-2"))
    assert table.to_move == 1 and table.state.stage == "start"
    assert table.state.cards[0].expert == 0


@rule("T28")
def test_the_expert_needs_two_tiles_unless_the_option_says_otherwise() -> None:
    last = lay(ankh_1="a1-a2 1")
    refusal = refused(world(last).state, Expert(0))
    assert (refusal.rule, refusal.kind) == ("T28", "ruling")
    assert "expert_on_last_tile=yes" in refusal.long
    table = world(last, expert_on_last_tile="yes")
    table.play(Expert(0))
    table.play(Take(0, "ankh-1"))
    assert table.over
    # With two tiles of one sign it can be declared: what the first take shows cannot be known before.
    assert Expert(0) in rules.legal_moves(world(lay(ankh_1="a1-a2 1", ankh_2="b1-b2 1")).state)


@rule("T28")
def test_option_that_the_first_tile_must_leave_a_second() -> None:
    # Only ankhs show; Snake 7 and Ankh 5 were seen before Ankh 1 and Ankh 2 were slid over them.
    dig = lay(ankh_1="a1-a2 2", snake_7="a1-a2 1", ankh_2="c1-c2 2", ankh_5="c1-c2 1")
    for option, refuses in (("no", False), ("yes", True)):
        table = world(dig, expert_keeps_second=option)
        state = table.state
        for tile in ("snake-7", "ankh-5"):
            place = dig[tile]
            state = replace(state, dig=tuple(sorted((*state.dig, place), key=order)))
        state = rules.apply(state, Expert(0))
        assert rules.refusal(state, Take(0, "ankh-1")) is None
        refusal = rules.refusal(state, Take(0, "ankh-2"))
        assert (refusal is not None) == refuses
        if refusal:
            assert (refusal.rule, refusal.text) == ("T28", "Leave another sign for the second")
            assert Take(0, "ankh-2") not in rules.legal_moves(state)
        after = rules.apply(state, Take(0, "ankh-1"))
        assert rules.legal_moves(after) == (Take(0, "snake-7"),)


@pytest.mark.parametrize("seat", [0, 1])
@rule("T13")
def test_cards_are_counted_for_each_player(seat: int) -> None:
    cards = (Cards(), Cards(0, 0, 0)) if seat == 0 else (Cards(0, 0, 0), Cards())
    table = world(lay(**STREET, snake_7="a1-a2 2"), cards=cards, first=seat)
    kinds = {type(move) for move in rules.legal_moves(table.state)}
    assert kinds == {Take, Explorer, Excavator, Expert}
