"""Without a camera: what the table would have shown is told by the menu."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count

import pytest

from firmware import night as nights
from firmware.events import Pressed
from firmware.screens import screen
from hardware.buttons.press import Button, Press
from hardware.display.draw import fits
from hardware.display.screen import Screen
from tests.firmware.evenings import GAMES, TEXTS

DOWN, YES = Button.DOWN, Button.CONFIRM


@pytest.mark.parametrize("players", [2, 3])
def test_without_a_camera_the_marketplace_is_told_card_by_card(players: int) -> None:
    night, _ = nights.begin(GAMES, ("Ana", "Ben", "Clara"), 1)
    at = count(1)

    def press(button: Button = YES, long: bool = False) -> Screen:
        nonlocal night
        night, _ = nights.step(night, Pressed(Press(button, long, float(next(at)))))
        return screen(night)

    while screen(night).choices[screen(night).chosen] != "Archaeology":
        press(DOWN)
    press()
    for _ in range(players - 2):
        press(DOWN)
    while screen(night).name != "setup":
        press()
    assert press(YES, long=True).main == "show market"
    shown, rng = press(YES, long=True), random.Random(players)
    while shown.name == "menu":
        assert fits(shown) == ()
        night = replace(
            night, listing=replace(night.listing, chosen=rng.randrange(len(night.listing.labels)))
        )
        if night.listing.labels[-1] == TEXTS("menu.pause"):
            night = replace(night, listing=replace(night.listing, chosen=0))
        shown = press()
    assert night.match is not None and len(night.match.state.market) == 5
    assert shown.name == "turn" and shown.main != "show market"
