"""The journal replayed: the night after a power cut is the night before it, wherever the cut fell."""

from __future__ import annotations

import random

import pytest

from engines.tanis.moves import Take
from firmware import night as nights
from firmware.events import Commit, Look, Show
from firmware.night import Night
from firmware.written import entries
from hardware.buttons.press import Button
from tests.firmware.evenings import GAMES, TEXTS, Evening, legal, started

NAMES = ("Ana", "Ben")


def lively(seed: int, turns: int) -> tuple[Evening, list[tuple[int, Night]]]:
    """A night with take-backs and corrections; after each act the entries written so far and the night."""
    one = started(seed)
    rng = random.Random(seed)
    marks = [(len(one.written), one.night)]
    tables = {0: one.truth.table()}
    for _ in range(turns):
        if one.screen.name == "end":
            break
        move = legal(one.match, rng, Take if rng.random() < 0.5 else None)
        one.do(move)
        one.confirm()
        marks.append((len(one.written), one.night))
        tables[len(one.match.moves)] = one.truth.table()
    return one, marks


def resumed(written: list[tuple[str, str]]) -> Night:
    return nights.resume(GAMES, written, NAMES, texts=TEXTS)[0]


@pytest.mark.parametrize("seed", range(6))
def test_resume_at_every_confirmed_move(seed: int) -> None:
    one, marks = lively(seed, 60)
    for length, night in random.Random(seed).sample(marks, min(20, len(marks))):
        again = resumed(one.written[:length])
        assert again.match == night.match
        assert nights.screen(again).name == nights.screen(night).name


def test_resume_after_take_back_and_correction() -> None:
    one, _ = lively(7, 9)
    one.press(Button.REJECT, long=True)
    one.press(Button.DOWN)
    one.press(Button.DOWN)
    one.confirm()
    assert resumed(one.written).match == one.match
    one.confirm()
    one.press(Button.CONFIRM, long=True)
    one.choose(TEXTS("menu.correct"))
    one.choose(TEXTS("correct.first"))
    one.confirm()
    assert one.written[-1][0] == "setup"
    again = resumed(one.written)
    assert again.match == one.match


def test_resume_of_a_new_game_after_another() -> None:
    one, _ = lively(8, 5)
    one.press(Button.DOWN, long=True)
    one.choose(TEXTS("pause.new"))
    one.confirm()
    while one.screen.name != "setup":
        one.confirm()
    one.press(Button.CONFIRM, long=True)
    again = resumed(one.written)
    assert again.match is not None and again.match.moves == ()


def test_an_unconfirmed_move_is_proposed_again_after_a_power_cut() -> None:
    one, _ = lively(9, 4)
    move = legal(one.match, random.Random(1), Take)
    one.do(move)
    again, effects = nights.resume(GAMES, one.written, NAMES, texts=TEXTS)
    assert (
        isinstance(effects[-1], Look) and effects[-1].expected is not None and effects[-1].layout is not None
    )
    other = Evening(again, one.truth, one.world, now=0.0)
    other.look()
    assert other.screen.name == "proposal"
    assert other.night.chain[0].move == move


def test_a_table_that_was_cleared_away_is_said_after_a_power_cut() -> None:
    one, _ = lively(9, 4)
    one.truth.piles["tiles-1"], one.truth.piles["tiles-2"] = (
        one.truth.piles["tiles-2"],
        one.truth.piles["tiles-1"],
    )
    other = Evening(resumed(one.written), one.truth, one.world)
    other.look()
    other.look()
    assert other.screen.name == "desync"


def test_no_entries_make_a_new_night() -> None:
    night, effects = nights.resume(GAMES, (), NAMES, texts=TEXTS)
    assert nights.screen(night).name == "game"
    assert any(isinstance(effect, Show) for effect in effects)


@pytest.mark.parametrize(
    "damage",
    [
        ("move", "1 take phoenix-7"),
        ("move", "nonsense"),
        ("move", ""),
        ("reveal", "reveal z9-z8 falcon-7"),
        ("takeback", "999"),
        ("takeback", "x"),
        ("setup", "{"),
        ("setup", '{"names": []}'),
        ("header", '{"game": "chess"}'),
        ("header", "[]"),
        ("what", ""),
    ],
)
def test_a_damaged_tail_is_left_out_said_and_does_not_hide_what_comes_after(damage: tuple[str, str]) -> None:
    one, _ = lively(10, 6)
    sound = resumed(one.written).match
    torn = [*one.written, damage, ("move", "1 take snake-1")]
    night, effects = nights.resume(GAMES, torn, NAMES, texts=TEXTS)
    assert night.match == sound
    assert damage[0] in night.trouble
    assert isinstance(effects[0], Commit)
    assert TEXTS("turn.damaged") in nights.screen(night).lines
    torn += effects[0].entries
    other = Evening(night, one.truth, one.world, written=torn)
    move = legal(other.match, random.Random(2), Take)
    other.do(move)
    other.confirm()
    again, later = nights.resume(GAMES, other.written, NAMES, texts=TEXTS)
    assert again.match == other.match
    assert not any(isinstance(effect, Commit) for effect in later), "the damage is known by then"


def test_the_failsafe_apologises_and_goes_on_with_the_record() -> None:
    one, _ = lively(11, 5)
    night, _ = nights.failsafe(GAMES, one.written, NAMES, texts=TEXTS)
    other = Evening(night, one.truth, one.world)
    assert other.screen.name == "fault"
    other.look()
    other.confirm()
    assert other.screen.name == "turn"
    assert other.match == one.match


def test_the_entries_can_be_read_by_people() -> None:
    one, _ = lively(12, 3)
    words = [text for kind, text in one.written if kind == "move"]
    assert all(text.split()[0] in ("1", "2") for text in words)
    found = entries.replay(GAMES, one.written)
    assert found.damage == "" and found.kept == len(one.written)
