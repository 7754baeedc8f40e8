"""A night of Papyrus on the device: what it is played by, what the options are called, and a whole evening with perfect eyes."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from engines.catalogue import house, override, shipped
from engines.game import Reveal
from engines.papyrus import reading
from engines.papyrus.game import PAPYRUS
from engines.referee import Match
from firmware import night as nights
from firmware.events import Pressed
from firmware.night import Night
from firmware.screens import screen
from firmware.states import lists
from firmware.states.base import planned
from hardware.buttons.press import Button, Press
from hardware.display.draw import fits
from hardware.display.screen import Screen
from tests.firmware.evenings import TEXTS
from tests.papyri import SMALL

GAMES = {"papyrus": replace(PAPYRUS, eyes=lambda: reading)}
NAMES = ("Ana", "Ben", "Cleo")


class Device:
    """Presses and what the display shows."""

    def __init__(self, **numbers: object) -> None:
        self.night, _ = nights.begin(GAMES, NAMES, 1, numbers=dict(numbers))  # type: ignore[arg-type]
        self._at = count(1)

    def press(self, button: Button = Button.CONFIRM) -> Screen:
        self.night, _ = nights.step(self.night, Pressed(Press(button, False, float(next(self._at)))))
        return self.shown

    @property
    def shown(self) -> Screen:
        return screen(self.night)

    def choose(self, line: str) -> Screen:
        for _ in range(40):
            if self.shown.choices[self.shown.chosen] == line:
                return self.press()
            self.press(Button.DOWN)
        raise AssertionError(f"{line} is not in {self.shown.choices}")

    def to_the_options(self, players: int) -> None:
        self.choose("Papyrus The Game")
        self.choose(str(players))
        for name in NAMES[:players]:
            self.choose(name)
        if players > 1:
            self.choose("Ana")
        assert self.shown.name == "option"


def set_up(night: Night) -> bool:
    return night.place == "setup"


def test_without_numbers_of_its_own_it_is_played_by_the_sample_and_says_so() -> None:
    device = Device()
    device.to_the_options(2)
    device.choose("Start")
    assert set_up(device.night) and planned(device.night).catalogue == house("papyrus")
    assert device.night.layout is not None and device.night.layout.zone("board").squares
    own = override(shipped("papyrus"), SMALL, "own", "test")
    device = Device(papyrus=own)
    device.to_the_options(2)
    device.choose("Start")
    assert planned(device.night).catalogue == own
    assert {square.name for square in device.night.layout.zone("board").squares} > {"horus", "oasis"}  # type: ignore[union-attr]


def test_a_deck_of_gods_that_is_too_small_is_told_before_the_table_is_laid_out() -> None:
    device = Device()
    device.to_the_options(3)
    device.choose("Gods: usual")
    while device.shown.choices[device.shown.chosen] != "Gods: 8":
        device.press()
    told = device.choose("Start")
    assert told.name == "notice" and "gods are too few" in " ".join(told.lines) and fits(told) == ()
    assert device.press().name == "option"
    device.choose("Gods: 8")
    assert device.choose("Start").name == "setup"


@pytest.mark.parametrize("players", [1, 3])
def test_every_option_has_its_name_and_fits(players: int) -> None:
    device = Device()
    device.to_the_options(players)
    labels = device.shown.choices
    assert len(set(labels)) == len(labels) == len(PAPYRUS.options) + 1
    for _ in labels:
        assert fits(device.shown) == (), device.shown
        for _ in range(12):
            if device.shown.chosen == 0:
                break
            assert fits(device.press()) == (), device.shown
        device.press(Button.DOWN)


def test_an_event_that_nobody_saw_is_told_by_the_menu() -> None:
    numbers = override(shipped("papyrus"), SMALL, "own", "test")
    match = Match.begin(GAMES["papyrus"], NAMES[:2], 0, {}, catalogue=numbers)
    for line, seat in (
        ("correct hand player-1 20", 0),
        ("move to isis paying nature", 0),
        ("decline", 0),
        ("draw", 1),
    ):
        step = PAPYRUS.rules.parse(line, seat)
        match = match.correct(step) if isinstance(step, Reveal) else match.accept(step)
    match = match.accept(PAPYRUS.rules.parse("move to oasis paying nature", 0))  # type: ignore[arg-type]
    assert match.due() == "turn up event"
    device = Device()
    device.night = replace(device.night, match=match, place="turn")
    device.night, _ = nights.step(device.night, Pressed(Press(Button.CONFIRM, True, 1.0)))
    assert device.shown.choices[0] == "event" and fits(device.shown) == ()
    device.choose("event")
    assert fits(device.shown) == ()
    device.choose("sun")
    assert device.night.match is not None and device.night.match.due() == "draw/move/swap"
    assert device.night.match.score().totals == (3, 0) and device.night.match.to_move == 1


def test_alone_nobody_is_asked_who_begins_or_who_sits_where() -> None:
    one = Device()
    one.to_the_options(1)
    assert one.press(Button.REJECT).name == "names" and one.shown.choices[0] == "Ana"
    assert one.press().name == "option"
    while one.shown.name != "turn":
        one.night, _ = nights.step(one.night, Pressed(Press(Button.CONFIRM, one.shown.name == "setup", 99.0)))
    one.night, _ = lists.correct(one.night)
    assert one.shown.choices and not {TEXTS("correct.first"), TEXTS("correct.swap")} & set(one.shown.choices)
