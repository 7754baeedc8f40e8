"""What Tanis points at, and the hidden world by the words all games share."""

from __future__ import annotations

import random

from engines import games
from engines.catalogue import shipped
from engines.dealing import Deal, World
from engines.game import IllegalMove
from engines.referee import Match
from engines.tanis import rules
from engines.tanis.dealing import deal
from engines.tanis.dig import on_top
from engines.tanis.moves import Take
from engines.tanis.notation import format, parse, phrase
from engines.tanis.rules import _numbers


def test_hints_name_exactly_the_tiles_that_lie_open_and_may_be_taken() -> None:
    for seed in range(12):
        world = deal(seed, 2, seed % 2, {"expert_keeps_second": "yes" if seed % 3 else "no"}, "random")
        rng = random.Random(seed)
        while not world.over:
            hints = rules.hints(world.state)
            named = [piece for hint in hints for piece in hint.pieces]
            takes = {move.tile for move in rules.legal_moves(world.state) if isinstance(move, Take)}
            assert set(named) == takes and len(named) == len(takes)
            assert takes <= {
                tile for tile, place in world.lying.items() if on_top(world.state.heights, place)
            }
            for hint in hints:
                assert len(hint.text) <= 21
                assert {piece.split("-")[0] for piece in hint.pieces} == {hint.text.split()[0].lower()}
            world.play(world.pick(rng))
        assert rules.hints(world.state) == ()


def test_hints_name_nothing_that_nobody_has_read() -> None:
    world = deal(3, 2, 0, {})
    state = rules.start(2, 0, {})
    assert rules.hints(state) == () and len(rules.legal_moves(state)) > 40
    one, *_ = world.opening()
    (hint,) = rules.hints(rules.apply(state, one))
    (tile,) = hint.pieces
    assert world.lying[tile].number_cell == one.number_cell  # type: ignore[attr-defined]
    # After a move whose place nobody saw, the heights are bounds and nothing is sure.
    blind = rules.apply(state, Take(0, tile))
    assert blind.unplaced == 1 and rules.hints(blind) == ()


def test_numbers_are_told_in_few_letters() -> None:
    assert _numbers([7]) == "7"
    assert _numbers([1, 2, 4, 6]) == "1 2 4 6"
    assert _numbers([1, 2, 3, 5, 6]) == "1-3 5 6"
    assert _numbers([1, 3, 4, 5, 6, 9, 10]) == "1 3-6 9 10"
    for chosen in range(1, 1024):
        numbers = [number for number in range(1, 11) if chosen >> number - 1 & 1]
        told = _numbers(numbers)
        assert len(f"Falcon {told}") <= 21, told
        again = []
        for part in told.split():
            low, _, high = part.partition("-")
            again += range(int(low), int(high or low) + 1)
        assert again == numbers


def test_a_world_tells_what_it_shows_so_that_the_public_record_follows() -> None:
    for seed in range(6):
        world: World = deal(seed, 2, 1, {"packing": "random"} if seed % 2 else {}, "random")
        plain: Deal = world
        match = Match.begin(games()["tanis"], ("Ana", "Ben"), 1, {"packing": "random"} if seed % 2 else {})
        for fact in plain.opening():
            match = match.accept(fact)
        rng = random.Random(seed)
        while not plain.over:
            assert match.state == plain.state and match.to_move == plain.to_move
            assert plain.hand(0) == plain.hand(1) == ""
            move = plain.pick(rng)
            assert plain.refusal(move) is None
            match = match.accept(move)
            for fact in plain.play(move):
                match = match.accept(fact)
        outcome = match.outcome()
        assert outcome is not None and plain.winners() == outcome.winners
        assert plain.score() == match.score()


def test_a_refused_move_changes_no_world() -> None:
    world = deal(5, 2, 0, {})
    before, lying = world.state, dict(world.lying)
    hidden = next(tile for tile, place in lying.items() if place.level == 1)
    move = Take(0, hidden)
    assert world.refusal(move) is not None
    try:
        world.play(move)
    except IllegalMove as error:
        assert error.refusal == world.refusal(move)
    else:
        raise AssertionError("a buried tile was taken")
    assert world.state is before and world.lying == lying


def test_tanis_needs_no_number_and_awaits_nothing() -> None:
    catalogue = shipped("tanis")
    assert rules.lacks(2, {}, catalogue) == ()
    assert rules.start(2, 0, {}, catalogue) == rules.start(2, 0, {})
    world = deal(1, 2, 0, {}, catalogue=catalogue)
    assert rules.awaited(world.state) == () and rules.complete(world.state)
    assert all(rules.doubt(world.state, move) is None for move in rules.legal_moves(world.state))


def test_names_of_players_change_no_word() -> None:
    names = ("Ana", "take falcon-7")
    move = Take(1, "falcon-7")
    assert format(move, names) == format(move)
    assert parse(format(move, names), 1, names) == move
    assert phrase(move, names) == phrase(move)
