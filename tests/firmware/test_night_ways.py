"""Take-back, corrections, missing parts, bad pictures, pause, score and end."""

from __future__ import annotations

import copy
import random
from dataclasses import replace

import pytest

from engines.table import Table
from engines.tanis.moves import Take
from firmware import night as nights
from firmware.events import Blind, Look, Looked, Part, PowerOff, Signal, Tick
from hardware.buttons.press import Button
from tests.firmware.evenings import (
    GAMES,
    TEXTS,
    evening,
    kinds,
    legal,
    midgame,
    started,
    takes,
)

UP, DOWN, YES, NO = Button.UP, Button.DOWN, Button.CONFIRM, Button.REJECT


# -- take-back, corrections


@pytest.mark.parametrize("number", [1, 2, 5])
def test_take_back_to_any_move(number: int) -> None:
    one = started()
    states = [one.match.state]
    tables = [one.truth.table()]
    for at in range(6):
        takes(one, 1, seed=at)
        one.confirm()
        states.append(one.match.state)
        tables.append(one.truth.table())
    one.press(NO, long=True)
    for _ in range(number - 1):
        one.press(DOWN)
    one.confirm()
    assert one.written[-1] == ("takeback", str(number))
    assert len(one.match.moves) == 6 - number
    assert one.screen.name == "desync"
    assert one.night.differences, "what is still to be put back is named"
    one.look()
    assert one.screen.name == "desync", "the moves that were taken back are not proposed again"
    one.look(tables[6 - number])
    assert one.screen.name == "turn"
    assert one.match.state == states[6 - number]


def test_after_a_take_back_the_players_may_go_on_with_the_table_as_it_is() -> None:
    one = started()
    (move,) = takes(one, 1)
    one.confirm()
    one.press(NO, long=True)
    one.confirm()
    assert one.screen.name == "desync"
    one.confirm()
    assert one.screen.name == "proposal"
    assert one.night.chain[0].move == move


def test_take_back_with_nothing_to_take_back() -> None:
    one = started()
    written = list(one.written)
    one.press(NO, long=True)
    assert one.screen.name == "takeback"
    one.confirm()
    assert one.screen.name == "turn"
    assert one.written == written


def test_a_wrong_first_player_is_corrected_and_the_first_misfit_named() -> None:
    one = started()
    done = takes(one, 2)
    one.confirm()
    one.confirm()
    one.press(YES, long=True)
    one.choose(TEXTS("menu.correct"))
    assert one.screen.name == "correct"
    one.choose(TEXTS("correct.first"))
    assert one.screen.name == "correct"
    assert one.screen.title == TEXTS("correct.fault", number=1)
    assert one.match.moves == tuple(done), "nothing counts before it is confirmed"
    one.reject()
    one.reject()
    assert one.match.first == 0
    one.press(YES, long=True)
    one.choose(TEXTS("menu.correct"))
    one.choose(TEXTS("correct.first"))
    one.confirm()
    assert one.written[-1][0] == "setup"
    assert one.match.first == 1
    assert one.match.moves == ()


def test_an_option_is_corrected_without_losing_a_move() -> None:
    one = started()
    takes(one, 2)
    one.confirm()
    one.confirm()
    moves = one.match.moves
    one.press(YES, long=True)
    one.choose(TEXTS("menu.correct"))
    label = next(label for label in one.screen.choices if label.startswith(TEXTS("short.floor_supports")))
    one.choose(label)
    assert one.screen.title == TEXTS("correct.fits")
    one.confirm()
    assert one.match.options["floor_supports"] == "yes"
    assert one.match.moves == moves
    assert one.screen.name == "turn"


def test_the_menu_points_at_the_tiles_that_can_be_taken() -> None:
    one = midgame(started())
    open_ = {move.tile for move in one.match.legal_moves() if isinstance(move, Take)}
    one.press(YES, long=True)
    one.choose(TEXTS("menu.hints"))
    assert one.screen.name == "hints" and one.screen.title == TEXTS("hints.tanis")
    told = {f"{line.split()[0].lower()}-{number}" for line in one.screen.lines for number in spread(line)}
    assert told == open_ and open_
    written = list(one.written)
    one.reject()
    assert one.screen.name == "turn" and one.written == written
    one.press(YES, long=True)
    one.choose(TEXTS("menu.hints"))
    one.send(Tick(one.now + 61))
    assert one.screen.name == "turn"


def spread(line: str) -> list[int]:
    """The numbers of a hint: "Falcon 3 7-9"."""
    found: list[int] = []
    for part in line.split()[1:]:
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found


def test_the_menu_points_at_nothing_that_nobody_has_read() -> None:
    one = evening()
    one.send(Part("camera", "no camera: check the ribbon", 0.0))
    while one.screen.name != "turn":
        one.confirm()
    one.press(YES, long=True)
    assert TEXTS("menu.hints") not in one.screen.choices
    assert TEXTS("menu.takeback") in one.screen.choices
    # What was on display when the last open tile went: nothing to point at, and a way back.
    one.night = replace(one.night, place="hints")
    assert one.screen.lines == (TEXTS("hints.none"),)
    assert one.reject().name == "turn"


def test_names_on_the_wrong_seats_are_swapped() -> None:
    one = started()
    takes(one, 1)
    one.confirm()
    one.press(YES, long=True)
    one.choose(TEXTS("menu.correct"))
    one.choose(TEXTS("correct.swap"))
    one.confirm()
    assert one.match.names == ("Ben", "Ana")
    assert len(one.match.moves) == 1


# -- parts, pictures, pause


def test_without_a_camera_the_night_starts_and_goes_on_by_menu() -> None:
    one = evening()
    one.send(Part("camera", "no camera: check the ribbon", 0.0))
    while one.screen.name != "setup":
        one.confirm()
    assert one.screen.main == TEXTS("setup.blind")
    one.confirm()
    assert one.screen.name == "turn"
    assert "no camera" in one.screen.lines[-1]
    one.press(YES, long=True)
    while one.screen.name == "menu":
        one.confirm()
    one.confirm()
    assert len(one.match.moves) == 1
    one.send(Part("camera", None, one.now))
    assert any(isinstance(effect, Look) for effect in one.effects)


def test_a_lost_camera_takes_its_refusal_along_and_keeps_the_chain() -> None:
    one = started()
    takes(one, 1)
    lying = copy.deepcopy(one.truth)
    one.truth.piles["tiles-2"].append(one.truth.piles["tiles-1"].pop())
    one.look()
    assert one.screen.name != "proposal"
    one.truth = lying
    one.look()
    assert one.screen.name == "proposal"
    one.send(Part("camera", "no camera: check the ribbon", one.now))
    assert one.screen.name == "proposal", "what was seen before can still be confirmed"
    assert Signal("fault") in one.effects
    one.send(Part("camera", "no camera: check the ribbon", one.now))
    assert Signal("fault") not in one.effects, "it sounds once"


def test_a_game_for_several_numbers_of_players_asks_for_the_number() -> None:
    games = {"tanis": replace(GAMES["tanis"], players=(2, 3))}
    one = evening()
    one.night = nights.begin(games, ("Ana",), texts=TEXTS)[0]
    one.confirm()
    assert one.screen.name == "players"
    one.press(DOWN)
    assert one.screen.choices[one.screen.chosen] == "3"
    one.confirm()
    names = []
    for _ in range(3):
        assert one.screen.name == "names"
        names.append(one.screen.choices[0])
        one.confirm()
    assert names == ["Ana", TEXTS("names.spare", seat=2), TEXTS("names.spare", seat=3)]
    assert one.screen.name == "first"
    for place in ("names", "names", "names", "players", "game"):
        one.reject()
        assert one.screen.name == place


def test_chance_decides_who_begins_if_asked_to() -> None:
    firsts = set()
    for seed in range(12):
        one = evening(seed)
        while one.screen.name != "first":
            one.confirm()
        one.choose(TEXTS("first.random"))
        firsts.add(one.night.plan.first)
    assert firsts == {0, 1}


def test_an_option_is_changed_before_the_start() -> None:
    one = evening()
    while one.screen.name != "option":
        one.confirm()
    label = next(label for label in one.screen.choices if label.startswith(TEXTS("short.floor_supports")))
    one.choose(label)
    assert one.screen.name == "option"
    assert one.screen.choices[one.screen.chosen].endswith("yes")
    one.choose(TEXTS("option.go"))
    one.look()
    one.confirm()
    assert one.match.options["floor_supports"] == "yes"


def test_confirm_does_not_start_before_the_table_is_right() -> None:
    one = evening()
    while one.screen.name != "setup":
        one.confirm()
    one.confirm()
    assert one.screen.name == "setup"
    one.look(Table())
    assert one.night.differences
    one.confirm()
    assert one.screen.name == "setup" and not one.written
    one.press(YES, long=True)
    assert one.screen.name != "setup"
    assert one.written[0][0] == "header"


def test_the_set_up_commits_what_the_table_shows_with_the_header() -> None:
    one = started()
    assert kinds(one)[0] == "header"
    assert kinds(one)[1:] == ["reveal"] * 10


def test_a_hand_is_not_worth_a_word_but_darkness_is() -> None:
    one = started()
    turn = one.screen
    one.send(Blind("hand", one.now))
    one.send(Tick(one.now + 2))
    assert one.screen == turn
    one.send(Blind("dark", one.now))
    assert one.screen == turn
    one.send(Tick(one.now + 4))
    assert TEXTS("blind.dark") in one.screen.lines
    one.look()
    assert one.screen == turn


def test_a_fault_without_words_is_still_said() -> None:
    one = started()
    one.send(Blind("something new", one.now))
    one.send(Tick(one.now + 2))
    assert TEXTS("blind.other") in one.screen.lines


def test_pause_help_and_power_off_and_the_way_back() -> None:
    one = started()
    takes(one, 1)
    shown = one.screen
    one.press(DOWN, long=True)
    assert one.screen.name == "pause"
    one.look(Table())
    assert one.screen.name == "pause"
    one.choose(TEXTS("pause.help"))
    assert one.screen.name == "help"
    one.reject()
    one.look()
    assert one.screen == shown
    one.press(DOWN, long=True)
    one.choose(TEXTS("pause.off"))
    assert one.screen.name == "poweroff"
    assert PowerOff() not in one.effects
    one.reject()
    one.choose(TEXTS("pause.off"))
    one.confirm()
    assert PowerOff() in one.effects


def test_pause_before_the_game_returns_to_the_same_question() -> None:
    one = evening()
    one.confirm()
    assert one.screen.name == "names"
    one.press(DOWN, long=True)
    one.confirm()
    assert one.screen.name == "names"


def test_new_game_after_the_end_and_from_the_pause() -> None:
    one = started()
    one.press(DOWN, long=True)
    one.choose(TEXTS("pause.new"))
    one.reject()
    assert one.screen.name == "turn"
    one.press(DOWN, long=True)
    one.choose(TEXTS("pause.new"))
    one.confirm()
    assert one.screen.name == "game"
    assert one.night.match is None
    assert Look(None) in one.effects


def test_who_has_played_is_asked_to_play_the_same_again() -> None:
    one = started()
    names, options = one.match.names, dict(one.match.options)
    one.press(DOWN, long=True)
    one.choose(TEXTS("pause.new"))
    one.confirm()
    pressed = 0
    while one.screen.name not in ("setup", "turn"):
        one.confirm()
        pressed += 1
    plan = one.night.plan
    assert (plan.names, {**dict(plan.options)}) == (names, options)
    assert pressed == len(names) + (4 if len(one.night.games[plan.game].players) > 1 else 3)


@pytest.mark.parametrize(("game", "players"), [(one, n) for one in GAMES for n in GAMES[one].players])
def test_the_way_to_a_game_takes_less_than_20_presses(game: str, players: int) -> None:
    """With the usual people in the usual order, one other beginner and the usual rules."""
    one = evening()
    pressed = 0

    def to(label: str) -> None:
        nonlocal pressed
        labels = one.night.listing.labels
        down = labels.index(label)
        key, times = (DOWN, down) if down <= len(labels) // 2 else (UP, len(labels) - down)
        for _ in range(times):
            one.press(key)
        one.confirm()
        pressed += times + 1

    to(GAMES[game].name)
    if len(GAMES[game].players) > 1:
        to(str(players))
    for _ in range(players):
        to(one.night.listing.labels[0])
    if players > 1:
        to(one.night.plan.names[-1])
    if one.screen.name == "option":
        to(TEXTS("option.go"))
    assert one.screen.name == "setup"
    assert pressed < 20


def test_the_score_adds_up_on_its_pages() -> None:
    one = started(3)
    rng = random.Random(3)
    while one.screen.name != "end":
        one.do(legal(one.match, rng))
        one.confirm()
    one.press(UP, long=True)
    pages: dict[str, list[str]] = {}
    totals: dict[str, str] = {}
    first = one.screen
    while True:
        pages.setdefault(one.screen.title, []).extend(one.screen.lines)
        totals[one.screen.title] = one.screen.main
        one.press(DOWN)
        if one.screen == first:
            break
    for name, total in zip(one.match.names, one.match.score().totals, strict=True):
        points = sum(int(line.rsplit(" ", 1)[1]) for line in pages[name] if "+" in line)
        assert points == total
        assert totals[name] == TEXTS("score.main", total=total)
    one.reject()
    assert one.screen.name == "end"


def test_take_back_from_the_end() -> None:
    one = started(3)
    rng = random.Random(3)
    while one.screen.name != "end":
        one.do(legal(one.match, rng))
        one.confirm()
    assert one.written[-1][0] == "end"
    one.press(NO, long=True)
    one.confirm()
    assert one.match.outcome() is None
    one.confirm()
    one.confirm()
    assert one.screen.name == "end"
    assert kinds(one).count("end") == 2


def test_a_step_does_not_change_the_night_it_was_given() -> None:
    one = started()
    before = one.night
    again, effects = nights.step(before, Looked(one.truth.table(), 99.0))
    assert nights.step(before, Looked(one.truth.table(), 99.0)) == (again, effects)
    assert one.night is before
    assert GAMES["tanis"] is one.match.game
