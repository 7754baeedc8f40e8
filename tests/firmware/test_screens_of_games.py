"""The screens that a whole game brings: each text whole in its box, whoever plays."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

import engines
from firmware.commands import played
from firmware.commands.played import NAMES, screens_of_game
from hardware.display.draw import fits
from hardware.display.screen import Screen

GAMES = tuple(engines.table_games())
KINDS = {"game", "names", "first", "option", "setup", "turn", "proposal", "illegal", "desync", "menu", "takeback", "score", "correct", "end"}  # fmt: skip


@cache
def shown(game: str) -> Mapping[str, Screen]:
    return screens_of_game(game)


@pytest.mark.parametrize("game", GAMES)
def test_every_screen_of_a_game_fits(game: str) -> None:
    wrong = {name: (fits(one), one) for name, one in shown(game).items() if fits(one)}
    assert not wrong


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_screen_is_there_with_short_names_and_with_the_widest(game: str) -> None:
    for suffix in NAMES:
        kinds = {one.name for name, one in shown(game).items() if name.endswith("widest") == bool(suffix)}
        assert kinds >= KINDS


@pytest.mark.parametrize("game", GAMES)
def test_texts_are_a_players(game: str) -> None:
    """Nobody is called by the number of a seat, nothing is spelt as in a file, no verb is said twice, no list ends in a comma."""
    for name, one in shown(game).items():
        said = [one.title, one.main, *one.lines, *one.choices, one.footer]
        for text in said:
            assert "player-" not in text.lower() and "_" not in text, (name, text)
            assert text == text.strip() and ", ," not in text and not text.startswith(","), (name, text)
        assert not one.main or one.title.split()[-1] != one.main, name
        if one.name in ("desync", "setup"):
            assert not any(
                line.endswith(",") and after[:1].islower()
                for line, after in zip(one.lines, one.lines[1:], strict=False)
            ), (name, one)


def test_an_odd_table_has_one_thing_wrong() -> None:
    import random

    game = engines.table_games()["ankh"]
    layout = game.reading.layout(2, game.defaults)
    table = game.reading.expected(game.rules.start(2, 0, game.defaults))
    for wrong in played._odd(table, layout, random.Random(1)):
        assert abs(len(wrong.pieces) - len(table.pieces)) <= 1
        for piece in wrong.pieces:
            assert piece.kind in layout.zone(piece.zone).kinds
