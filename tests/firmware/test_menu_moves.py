"""Every move that people make at a table can be told by the menu alone, for whoever has no camera or is not understood by it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engines import games
from engines.game import Move
from engines.referee import Match
from firmware.states.lists import _below, words
from tests.spaces import setting

NAMES = ("Ana", "Ben", "Clara", "Dora", "Emil")


def told(match: Match, move: Move) -> tuple[Move | None, int]:
    """The move that somebody comes to who looks for this one's words in the menu, and how many choices that took."""
    whole = match.game.spelled(move) or " ".join(words(match, move))
    rest = whole
    path: tuple[str, ...] = ()
    for choices in range(1, 20):
        labels, values = _below(match, path)
        assert len(set(labels)) == len(labels), (path, labels)
        rest = rest or whole  # Words that begin others stand among these in full.
        fitting = [at for at, label in enumerate(labels) if rest == label or rest.startswith(f"{label} ")]
        if not fitting:
            return None, choices
        best = max(fitting, key=lambda at: len(labels[at]))
        rest, value = rest[len(labels[best]) :].strip(), values[best]
        if isinstance(value, Move):
            return value, choices
        path = value
    raise AssertionError(f"{move}: the menu has no end at {path}")


@pytest.mark.parametrize(
    ("game", "players"),
    [("tanis", 2), ("ankh", 2), ("ankh", 4), ("archaeology", 3), ("papyrus", 1), ("papyrus", 3)],
)
def test_every_move_is_in_the_menu(game: str, players: int) -> None:
    """Sensible players' games, every third move: it is come to by its words, and no two lines of a menu read the same."""
    found = 0
    for seed in range(8):
        where = setting(games()[game], players, seed)
        if where.style != "sensible":
            continue
        deal, minds, rng = where.deal(), random.Random(seed), random.Random(seed)
        match = Match.begin(
            where.game, NAMES[:players], where.first, where.options, catalogue=where.catalogue
        )
        while not deal.over and found < 150 * (seed + 1):
            move = deal.pick(minds)
            if rng.random() < 0.3:
                reached, choices = told(replace(match, states=(deal.state,)), move)
                assert reached == move, (seed, move, reached, choices)
                found += 1
            deal.play(move)
    assert found > 20


@pytest.mark.parametrize(("game", "players"), [("archaeology", 2), ("ankh", 3), ("papyrus", 2)])
def test_no_way_down_the_menu_ends_in_an_empty_list(game: str, players: int) -> None:
    """Random ways down at every fourth state of random games, in which hands become empty too: each leads to something that can be chosen."""
    walked = 0
    for seed in range(4):
        where = setting(games()[game], players, seed)
        deal, minds, rng = where.deal(), random.Random(seed), random.Random(seed)
        match = Match.begin(
            where.game, NAMES[:players], where.first, where.options, catalogue=where.catalogue
        )
        for _ in range(160):
            if deal.over:
                break
            if rng.random() < 0.25:
                here, path = replace(match, states=(deal.state,)), ()
                while isinstance(path, tuple):
                    values = _below(here, path)[1]
                    assert values or not path, (seed, path)
                    if not values:
                        break
                    path = rng.choice(values)
                walked += 1
            deal.play(deal.pick(minds))
    assert walked > 40
