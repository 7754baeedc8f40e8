"""The buttons: one table that the help screen, the documents and the tests read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hardware.buttons.press import Button


class Key(NamedTuple):
    """A button, held long or not."""

    button: Button
    long: bool = False


YES, NO = Key(Button.CONFIRM), Key(Button.REJECT)
UP, DOWN = Key(Button.UP), Key(Button.DOWN)
MENU, TAKE_BACK = Key(Button.CONFIRM, True), Key(Button.REJECT, True)
SCORE, PAUSE = Key(Button.UP, True), Key(Button.DOWN, True)

KEYS: Mapping[Key, str] = {
    YES: "key.yes",
    NO: "key.no",
    UP: "key.up",
    DOWN: "key.down",
    MENU: "key.menu",
    TAKE_BACK: "key.takeback",
    SCORE: "key.score",
    PAUSE: "key.pause",
}
"""What each key does, as keys of the texts. The long ones work wherever a game is on."""
