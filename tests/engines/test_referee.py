"""A match under way: accept, refuse, take back, correct, replay under other settings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines import games, table_games
from engines.game import IllegalMove, WrongReveal
from engines.referee import Match
from engines.tanis.dealing import deal
from engines.tanis.moves import Excavator, Expert, Explorer, Take, Uncovered
from tests.digs import match
from tests.rules import rule


def played(seed: int, moves: int = 100, first: int = 0, **options: str) -> Match:
    table = deal(seed, 2, first, options, style="random")
    rng = random.Random(seed)
    game = match(first, **options)
    for _ in range(moves):
        for fact in table.shown(game.state):
            game = game.accept(fact)
        if table.over:
            break
        ((_, (move,)),) = table.choose(rng).stages
        game = game.accept(move)
        table.play(move)
    return game


def test_games_lists_every_game_and_those_that_are_read_from_the_table() -> None:
    assert list(games()) == ["tanis", "archaeology", "ankh", "papyrus"]
    assert all(id == game.id and game.players and game.name for id, game in games().items())
    assert list(table_games()) == list(games())
    with pytest.raises(LookupError, match="played by hand"):
        _ = replace(games()["ankh"], eyes=None).reading
    tanis = games()["tanis"]
    assert (tanis.id, tanis.name, tanis.players) == ("tanis", "Tanis", (2,))
    assert dict(tanis.defaults) == {option.name: option.values[0] for option in tanis.options}
    assert games() is games()


def test_accept_leaves_the_match_as_it_was() -> None:
    before = match()
    after = before.accept(Take(0, "falcon-7"))
    assert before.steps == () and len(before.states) == 1
    assert after.moves == (Take(0, "falcon-7"),) and after.to_move == 1
    with pytest.raises(IllegalMove) as caught:
        after.accept(Take(0, "snake-1"))
    assert caught.value.refusal == after.refusal(Take(0, "snake-1"))
    assert after.refusal(Take(1, "snake-1")) is None
    assert Take(1, "snake-1") in after.legal_moves()
    assert after.due() == "tile or card"


@pytest.mark.parametrize("seed", range(6))
def test_take_back_restores_every_earlier_state(seed: int) -> None:
    game = played(seed)
    assert game.outcome() is not None
    for count in range(1, len(game.moves) + 1):
        back = game.take_back(count)
        assert back.moves == game.moves[:-count]
        assert back.states == game.states[: len(back.steps) + 1]
        assert back.outcome() is None
    assert game.take_back(0) is game
    for count in (-1, len(game.moves) + 1):
        with pytest.raises(ValueError, match="cannot be taken back"):
            game.take_back(count)


def test_reveals_before_a_move_stay_when_it_is_taken_back() -> None:
    game = played(3, moves=2)
    back = game.take_back(1)
    last = max(index for index, step in enumerate(game.steps) if step == game.moves[-1])
    assert back.steps == game.steps[:last]
    assert isinstance(back.steps[-1], Uncovered)


def test_correct_completes_and_replaces_without_touching_moves() -> None:
    game = match().accept(Uncovered((0, 0), (1, 0), 1, "falcon")).accept(Uncovered((2, 0), (3, 0), 2, None))
    completed = game.correct(Uncovered((2, 0), (3, 0), 2, "ankh"))
    assert completed.steps[-1] == Uncovered((2, 0), (3, 0), 2, "ankh")
    corrected = completed.correct(Uncovered((0, 0), (1, 0), 7, "falcon"))
    assert corrected.steps[-1] == Uncovered((0, 0), (1, 0), 7, "falcon", correction=True)
    assert {place.tile for place in corrected.state.dig} == {"falcon-7", "ankh-2"}
    taken = corrected.accept(Take(0, "falcon-7"))
    assert taken.moves == (Take(0, "falcon-7"),)
    with pytest.raises(WrongReveal, match="already left the dig"):
        taken.correct(Uncovered((2, 0), (3, 0), 7, "falcon"))
    assert taken.steps[-1] == Take(0, "falcon-7")


@rule("T9")
def test_a_misread_tile_does_not_stop_its_true_move() -> None:
    """Falcon 1 was read as Falcon 7, and all else that shows is known: the better look makes the right move legal."""
    table = deal(8, 2, 0, {})
    *right, last = table.shown(match().state)
    truly = f"{last.sign}-{last.number}"
    buried = next(tile for tile, place in table.lying.items() if place.sign == last.sign and place.level < 4)
    misread = Uncovered(last.number_cell, last.sign_cell, table.lying[buried].number, last.sign)
    game = match()
    for fact in (*right, misread):
        game = game.accept(fact)
    refusal = game.refusal(Take(0, truly))
    assert refusal is not None and refusal.rule == "T9"
    game = game.correct(last)
    assert game.refusal(Take(0, truly)) is None and Take(0, truly) in game.legal_moves()
    assert game.refusal(Take(0, buried)) is not None
    assert game.accept(Take(0, truly)).state.unplaced == 0


def test_other_names_keep_every_move() -> None:
    game = played(1, moves=9)
    other, fault = game.with_setup(names=("Ben", "Ana"))
    assert fault is None
    assert other.names == ("Ben", "Ana") and other.steps == game.steps and other.states == game.states


def test_another_first_player_names_the_first_move_that_no_longer_fits() -> None:
    game = played(1, moves=5)
    other, fault = game.with_setup(first=1)
    assert fault is not None and fault.refusal is not None
    assert (fault.number, fault.refusal.rule) == (1, "G2")
    assert fault.step == game.moves[0] == game.steps[fault.index]
    assert other.first == 1 and other.moves == () and other.steps == game.steps[: fault.index]
    assert other.to_move == 1


@rule("T18", "T14")
def test_another_option_names_the_first_move_that_no_longer_fits() -> None:
    game = match(explorer_may_stay="yes").accept(Take(0, "ankh-1"))
    game = game.accept(Explorer(1, "ankh-2", "right", 0)).accept(Take(1, "ankh-2"))
    same, fault = game.with_setup(options={"floor_supports": "yes"})
    assert fault is None and same.options["explorer_may_stay"] == "yes"
    assert same.options["floor_supports"] == "yes" and same.moves == game.moves
    other, fault = game.with_setup(options={"explorer_may_stay": "no"})
    assert fault is not None and fault.refusal is not None
    assert (fault.index, fault.number, fault.refusal.rule) == (1, 2, "T14")
    assert other.moves == (Take(0, "ankh-1"),)


def test_a_reveal_that_no_longer_fits_is_named_too() -> None:
    game = match(expert_on_last_tile="yes").accept(Uncovered((0, 0), (1, 0), 1, "falcon"))
    wrong = Match(
        game.game,
        game.names,
        game.first,
        game.options,
        (*game.steps, Uncovered((2, 0), (3, 0), 1, "falcon")),
        (*game.states, game.state),
        game.catalogue,
    )
    other, fault = wrong.with_setup(names=("Eva", "Udo"))
    assert fault is not None and fault.refusal is None
    assert (fault.index, fault.number) == (1, 1) and "another place" in fault.text
    assert other.steps == game.steps


def test_settings_that_do_not_suit_the_game_are_named() -> None:
    tanis = games()["tanis"]
    for names, first, options, sentence in (
        (("Ana",), 0, {}, "for 2 players, not 1"),
        (("Ana", "Ana"), 0, {}, "name of their own"),
        (("Ana", ""), 0, {}, "name of their own"),
        (("Ana", "Ben"), 2, {}, "must begin"),
        (("Ana", "Ben"), 0, {"towers": "yes"}, "no option 'towers'"),
        (("Ana", "Ben"), 0, {"packing": "tower"}, "write brick or random"),
    ):
        with pytest.raises(ValueError, match=sentence):
            Match.begin(tanis, names, first, options)
    begun = Match.begin(tanis, ("Ana", "Ben"), 1, steps=(Expert(1), Take(1, "snake-1")))
    assert len(begun.states) == 3
    with pytest.raises(IllegalMove):
        Match.begin(tanis, ("Ana", "Ben"), 1, steps=(Excavator(0, "snake-1"),))


def test_matches_can_be_compared_and_hashed() -> None:
    assert played(2, moves=6) == played(2, moves=6)
    assert hash(played(2, moves=6)) == hash(played(2, moves=6))
    assert played(2, moves=6) != played(2, moves=7)
    assert match(packing="random") != match()


def test_score_and_outcome() -> None:
    game = played(4)
    outcome = game.outcome()
    assert outcome is not None
    totals = game.score().totals
    assert outcome.winners == (totals.index(max(totals)),) or totals[0] == totals[1]
