"""Two percent of the random games that ``python -m tests.play_random`` plays, and that every game has all that it takes."""

from __future__ import annotations

import random
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from engines import games
from engines.game import Move, Refusal
from engines.rulebook import rulebook
from tests.invariants import Broken, Course, fits
from tests.play_random import GAMES, STATES, main, play, play_until
from tests.spaces import setting, space

SHARE = 50
GOLDEN = Path(__file__).parent.parent / "golden"
EVERY = [(game.id, players) for game in games().values() for players in game.players]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_every_invariant_holds_in_random_games(game: str, players: int) -> None:
    tally = play_until(game, players, STATES // SHARE, GAMES // SHARE, sample=3)
    assert tally.states >= STATES // SHARE and tally.finished >= GAMES // SHARE
    assert tally.tried > tally.refused > tally.tried // 20


@pytest.mark.parametrize("game", list(games()))
def test_every_game_has_all_that_it_takes(game: str) -> None:
    """What a fifth game would be told it lacks."""
    rooms = files("engines") / game
    for room in ("rules.toml", "catalog.toml"):
        assert (rooms / room).is_file(), f"engines/{game}/{room}"
    assert rulebook(game).rules
    assert (GOLDEN / f"{game}.txt").is_file(), f"tests/golden/{game}.txt"
    assert callable(import_module(f"engines.{game}.dealing").deal)
    assert callable(import_module(f"tests.oracles.{game}").pairs)
    adapter = space(game)
    assert callable(adapter.near_misses) and callable(adapter.conserved)


@pytest.mark.parametrize("game", list(games()))
def test_the_space_holds_legal_and_illegal_moves(game: str) -> None:
    """Otherwise the comparison of list and predicate would say little."""
    some = setting(games()[game], games()[game].players[-1], 0)
    deal = some.deal()
    rng = random.Random(1)
    answers = set()
    for _ in range(60):
        if deal.over:
            break
        for move in space(game).near_misses(deal.state, rng, 8):
            answers.add(some.game.rules.refusal(deal.state, move) is None)
        deal.play(deal.pick(rng))
    assert answers == {True, False}


class Careless:
    """A referee with one fault, for a game that has none."""

    def __init__(self, rules: Any, **faults: Any) -> None:
        self._rules = rules
        self.__dict__.update(faults)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def faulty(**faults: Any) -> Course:
    course = Course(setting(games()["tanis"], 2, 0), sample=6)
    course.rules = Careless(course.rules, **faults)
    return course


def test_a_fault_is_found_and_told_with_its_seed_and_state() -> None:
    rules = games()["tanis"].rules

    def forgets(state: Any) -> tuple[Move, ...]:
        return rules.legal_moves(state)[:-1]

    with pytest.raises(
        Broken, match=r"tanis, 2 players, seed 0, state \d+ .*(allowed and not listed|true ones)"
    ):
        faulty(legal_moves=forgets).run()
    with pytest.raises(Broken, match="is listed and refused"):
        faulty(refusal=lambda state, move: Refusal("T9", "No", "No.", "No")).run()
    with pytest.raises(Broken, match="is refused and applied"):
        faulty(apply=lambda state, step: state).run()
    with pytest.raises(Broken, match=r"invariants\.py"):
        faulty(due=lambda state: "anything you like to do").run()


def test_the_command_line_asks_for_a_part_and_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--game", "tanis", "--states", "10000", "--games", "50", "--share", "0.02"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("tanis, 2 players: ") and "every invariant held" in out


def test_the_same_seed_is_the_same_setting() -> None:
    for game, players in EVERY:
        assert setting(games()[game], players, 3) == setting(games()[game], players, 3)
    assert play("tanis", 2, 1) == play("tanis", 2, 1)


def test_what_fits_the_display() -> None:
    assert fits("Falcon 10 is covered by Scarab 3") and not fits("a " * 30)
    assert not fits("incomprehensibilities!")
