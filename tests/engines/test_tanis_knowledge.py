"""What is refused, and what is not, when not everything has been seen; what a reveal may say."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines.game import IllegalMove, WrongReveal
from engines.tanis import rules
from engines.tanis.dealing import deal
from engines.tanis.moves import Excavator, Expert, Explorer, Heights, Take, Uncovered
from engines.tanis.state import TILES, TanisState
from tests.digs import lay, match, refused, world
from tests.rules import rule


def fresh() -> TanisState:
    return rules.start(2, 0, {})


@rule("T6", "S8")
def test_without_a_camera_every_tile_is_on_the_menu() -> None:
    moves = rules.legal_moves(fresh())
    assert [move for move in moves if isinstance(move, Take)] == [Take(0, tile) for tile in TILES]
    assert sum(isinstance(move, Excavator) for move in moves) == 40
    state = rules.apply(fresh(), Take(0, "falcon-7"))
    assert state.unplaced == 1
    assert Take(1, "falcon-7") not in rules.legal_moves(state)
    assert refused(state, Take(1, "falcon-7")).rule == "G4"
    assert any(isinstance(move, Explorer) for move in rules.legal_moves(state))


@rule("T12", "C1", "T27", "T28")
def test_a_whole_game_by_menu_without_a_camera() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        game = match(seed % 2)
        while game.outcome() is None:
            moves = game.legal_moves()
            assert moves and all(game.refusal(move) is None for move in moves)
            game = game.accept(rng.choice(moves))
        state = game.state
        assert sorted([*state.collected[0], *state.collected[1], *state.removed]) == sorted(TILES)


@rule("T28", "T29")
def test_nobody_is_held_to_a_second_take_that_may_be_impossible() -> None:
    state = rules.apply(rules.apply(fresh(), Expert(0)), Take(0, "snake-1"))
    assert state.stage == "second of expert"
    assert refused(state, Take(0, "snake-2")).rule == "T27"
    assert Take(0, "ankh-1") in rules.legal_moves(state)
    assert Take(1, "snake-2") in rules.legal_moves(state)
    passed = rules.apply(state, Take(1, "snake-2"))
    assert passed.to_move == 0 and passed.collected == (("snake-1",), ("snake-2",))


@rule("T5", "T9")
def test_a_half_that_shows_leaves_four_tiles_possible() -> None:
    table = world(lay(falcon_7="a1-b1 1", snake_9="c1-c2 1"))
    state = rules.start(2, 0, {})
    state = replace(
        state,
        heights=table.state.heights,
        removed=tuple(tile for tile in TILES if tile not in ("falcon-7", "snake-9", "snake-7")),
        collected=(("snake-7",), ()),
    )
    state = replace(state, removed=tuple(t for t in state.removed if t != "snake-7"))
    state = rules.apply(state, Uncovered((2, 0), (2, 1), 9, "snake"))
    state = rules.apply(state, Uncovered((0, 0), (1, 0), 7, None))
    assert rules.legal_moves(state)[:2] == (Take(0, "snake-9"), Take(0, "falcon-7"))
    after = rules.apply(state, Take(0, "falcon-7"))
    # There was only one place it could have come from.
    assert after.unplaced == 0 and after.heights[0] == after.heights[1] == 0


@rule("T9")
def test_a_tile_nobody_could_read_may_be_any_that_is_not_accounted_for() -> None:
    table = deal(4, 2, 0, {})
    state = fresh()
    *seen, last = table.shown(state)
    for fact in seen:
        state = rules.apply(state, fact)
    hidden = f"{last.sign}-{last.number}"
    takes = {move.tile for move in rules.legal_moves(state) if isinstance(move, Take)}
    assert hidden in takes and len(takes) == 40
    after = rules.apply(state, Take(0, hidden))
    assert after.unplaced == 0 and sum(after.heights) == 78
    # Once it has been read, nothing else is possible.
    state = rules.apply(state, last)
    takes = {move.tile for move in rules.legal_moves(state) if isinstance(move, Take)}
    assert len(takes) == 10


@rule("T9")
def test_counting_what_is_accounted_for() -> None:
    # Both remaining sevens are half seen and covered, so what could not be read is none of them.
    dig = lay(snake_7="a1-a2 1", ankh_7="b1-b2 1", falcon_1="a2-b2 2", scarab_3="c1-d1 1")
    table = world(dig)
    state = replace(table.state, dig=tuple(p for p in table.state.dig if p.tile != "scarab-3"))
    assert rules.refusal(state, Take(0, "scarab-3")) is None
    assert refused(state, Take(0, "snake-7")).rule == "T9"


@rule("T9", "T18")
def test_no_refusal_rests_on_heights_that_are_only_bounds() -> None:
    table = deal(6, 2, 0, {})
    state = table.state
    for place in table.state.dig[:3]:
        state = rules.apply(replace(state, dig=()), Take(state.to_move, str(place.tile)))
    assert state.unplaced == 3
    for tile in TILES:
        if tile not in state.collected[0] + state.collected[1]:
            assert rules.refusal(state, Take(state.to_move, tile)) is None
            assert rules.refusal(state, Explorer(state.to_move, tile, "right", 1)) is None
    # What needs no geometry still holds.
    assert refused(state, Take(state.to_move, state.collected[0][0])).rule == "G4"
    assert refused(state, Take(1 - state.to_move, "snake-1")).rule == "G2"
    assert refused(state, Explorer(state.to_move, "snake-1", "down", 5)).rule == "T19"


def test_a_look_at_the_whole_dig_makes_the_heights_exact_again() -> None:
    table = deal(6, 2, 0, {})
    state = fresh()
    taken = str(table.state.dig[0].tile)
    state = rules.apply(state, Take(0, taken))
    table.play(Take(0, taken))
    assert state.unplaced == 1
    state = rules.apply(state, Heights(table.state.heights))
    for fact in table.shown(state):
        state = rules.apply(state, fact)
    assert state == table.state
    with pytest.raises(WrongReveal, match="39 tiles are left, these heights hold 40"):
        rules.apply(state, Heights((4,) * 20))
    other = list(state.heights)
    low, high = other.index(3), other.index(4)
    other[low], other[high] = 4, 3
    with pytest.raises(WrongReveal, match="known to be others"):
        rules.apply(state, Heights(tuple(other)))
    assert rules.apply(state, Heights(tuple(other), correction=True)).heights == tuple(other)
    with pytest.raises(WrongReveal, match="20 cells"):
        rules.apply(state, Heights((4,) * 19))


def test_blind_moves_of_known_tiles_keep_the_rest_known() -> None:
    dig = lay(ankh_1="a1-b1 1", ankh_2="a2-b2 1", snake_7="a1-b1 2", falcon_5="c1-d1 1")
    table = world(dig)
    state = replace(table.state, unplaced=1)
    after = rules.apply(state, Explorer(0, "snake-7", "down", 1))
    assert after.heights[:8] == (1, 1, 1, 1, 2, 2, 0, 0)
    after = rules.apply(state, Take(0, "snake-7"))
    assert after.heights[:8] == (1, 1, 1, 1, 1, 1, 0, 0) and after.unplaced == 1
    # A tile known to lie below is taken: whatever was above it has gone.
    after = rules.apply(replace(state, dig=(*state.dig, dig["ankh-1"])), Take(0, "ankh-1"))
    assert after.heights[:2] == (0, 0) and "snake-7" not in {place.tile for place in after.dig}


WRONG = (
    (Uncovered((0, 0), (2, 0), 1, "ankh"), "two cells of the dig that touch"),
    (Uncovered((0, 0), (0, 0), 1, "ankh"), "two cells of the dig that touch"),
    (Uncovered((3, 0), (4, 0), 1, "ankh"), "two cells of the dig that touch"),
    (Uncovered((0, 0), (1, 0), 11, "ankh"), "No tile shows that"),
    (Uncovered((0, 0), (1, 0), 1, "cat"), "No tile shows that"),
    (Uncovered((0, 0), (1, 0), None, None), "shows a number, a sign, or both"),
    (Uncovered((0, 4), (1, 4), 1, "ankh"), "No tile is left at a5-b5"),
    (Uncovered((1, 0), (2, 0), 5, "ankh"), "b1-c1 cannot be one tile: the cells are 2 and 1 layers high"),
    (Uncovered((1, 0), (2, 0), 5, None), "half of it would lie on nothing"),
    (Uncovered((0, 0), (1, 0), 8, "snake"), "seen as something else"),
    (Uncovered((1, 0), (0, 0), 7, "snake"), "seen as something else"),
    (Uncovered((2, 1), (2, 0), 3, "falcon"), "seen as something else"),
    (Uncovered((2, 0), (3, 0), 7, "snake"), "was seen at another place"),
    (Uncovered((2, 0), (3, 0), 1, "scarab"), "has already left the dig"),
)


@pytest.mark.parametrize(("reveal", "sentence"), WRONG)
def test_a_reveal_that_cannot_be_true_is_named(reveal: Uncovered, sentence: str) -> None:
    dig = lay(snake_7="a1-b1 2", ankh_1="a1-b1 1", falcon_3="c1-c2 1", ankh_5="d1-d2 1")
    state = world(dig).state
    if "another" in sentence or "left the dig" in sentence:
        state = replace(state, dig=tuple(p for p in state.dig if p.tile not in ("falcon-3", "ankh-5")))
    before = hash(state)
    with pytest.raises(WrongReveal, match=sentence) as caught:
        rules.apply(state, reveal)
    assert hash(state) == before
    assert str(caught.value).endswith(".")


def test_a_better_look_completes_or_corrects() -> None:
    dig = lay(snake_7="a1-b1 1", falcon_3="c1-c2 1")
    state = world(dig).state
    state = replace(state, dig=(), removed=tuple(t for t in state.removed if t != "snake-1"))
    state = rules.apply(state, Uncovered((0, 0), (1, 0), 1, None))
    state = rules.apply(state, Uncovered((0, 0), (1, 0), None, "snake"))  # completes
    assert [place.tile for place in state.dig] == ["snake-1"]
    with pytest.raises(WrongReveal):
        rules.apply(state, Uncovered((0, 0), (1, 0), 7, "snake"))
    state = rules.apply(state, Uncovered((0, 0), (1, 0), 7, None, correction=True))
    assert [place.tile for place in state.dig] == ["snake-7"]
    # Seen elsewhere after all: it is not in two places.
    state = rules.apply(state, Uncovered((2, 0), (2, 1), 7, "snake", correction=True))
    assert [(place.tile, place.cells) for place in state.dig] == [("snake-7", ((2, 0), (2, 1)))]


def test_a_step_of_no_kind_is_an_error() -> None:
    from engines.game import Move, Reveal

    for step in (Move(0), Reveal()):
        with pytest.raises((TypeError, IllegalMove)):
            rules.apply(fresh(), step)
        with pytest.raises(TypeError):
            rules.format(step)
    with pytest.raises(TypeError):
        rules.phrase(Move(0))
