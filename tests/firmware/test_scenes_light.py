"""What the light does in the middle of a game, in each of the four, and what the display says of it.

| what happens | what is expected |
|---|---|
| the lamp goes out and on again | "Too dark: more light" until it is on; then the turn goes on as it was |
| a move is made in the dark | nothing is proposed nor confirmed; it is proposed as soon as there is light |
| daylight fades into lamplight while people play | no word about it, nothing proposed that was not done, every move read |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.buttons.press import Button
from hardware.simulated.hands import Script
from tests.firmware.staged import GAMES, Cast, Stage, is_turn, plain, shows

Scene = Callable[[Cast], Script]


def lamp(cast: Cast) -> Script:
    camera = cast.stage.camera
    by_day = camera.conditions
    before = cast.display
    then = cast.now
    camera.conditions = replace(by_day, light=0.06)
    yield from cast.reads("Too dark: more light")
    camera.conditions = replace(by_day, light=0.9, warmth=0.8, lamp=(-0.4, 0.5), shadow=0.4)
    yield from cast.waits(lambda screen: screen == before)
    yield from cast.rests()
    assert cast.names_since(then) == {"turn"}
    yield from cast.plays(2)


def in_the_dark(cast: Cast) -> Script:
    intent = yield from cast.turn(plain)
    camera = cast.stage.camera
    by_day = camera.conditions
    camera.conditions = replace(by_day, light=0.06)
    yield from cast.reads("Too dark: more light")
    count, then = len(cast.stage.match.moves), cast.now
    yield from cast.acts(intent)
    yield from cast.rests()
    yield from cast.presses(Button.CONFIRM)
    yield from cast.rests(8.0)  # longer than a press of CONFIRM is remembered
    assert cast.names_since(then) == {"turn"} and len(cast.stage.match.moves) == count
    camera.conditions = replace(by_day, warmth=0.8)
    yield from cast.waits(shows(cast.pending[0]))
    yield from cast.told()
    yield from cast.plays(1)


def dusk(cast: Cast) -> Script:
    camera = cast.stage.camera
    by_day = replace(
        camera.conditions, light=1.05, warmth=-0.9, gradient=(0.15, -0.1), lamp=(0.5, 0.2), shadow=0.2
    )
    then = cast.now
    for minute in range(21):
        late = minute / 20
        camera.conditions = replace(
            by_day,
            light=1.05 - 0.5 * late,
            warmth=1.8 * late - 0.9,
            gradient=(0.15 - 0.3 * late, 0.2 * late - 0.1),
            shadow=0.2 + 0.3 * late,
        )
        if minute in (7, 14):
            assert cast.names_since(then) == {"turn"}
            yield from cast.plays(1)
            then = cast.now
        yield from cast.rests(1.0)
    assert cast.names_since(then) == {"turn"} and is_turn(cast.display) and not cast.display.lines
    yield from cast.plays(1)


SCENES: tuple[Scene, ...] = (lamp, in_the_dark, dusk)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_light(scene: Scene, game: str, tmp_path: Path) -> None:
    Stage(game, scene, tmp_path).play()
