"""What happens to the table in the middle of a game, in each of the four, and what the display says of it.

| what happens | what is expected |
|---|---|
| the camera is knocked, or the mat under it is pushed | nothing is proposed; the next moves are read |
| the box, the board or whole rows are shoved | nothing is proposed; the next moves are read |
| a hand stays above the table | "Hand over the table" after ten seconds; nothing is proposed that was not done |
| a hand stays after a move | nothing counts and nobody is accused; the move is proposed when the hand has gone |
| a mug is put on a bare place | not a word |
| a mug is put on what is read | nothing is proposed or written; where it hides a piece the display says so; when it goes all is as before |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.simulated.hands import Script
from hardware.simulated.mishaps import knocked
from hardware.simulated.places import Body
from hardware.simulated.things import Mug
from tests.firmware.staged import GAMES, Cast, Stage, plain, shows, text

Scene = Callable[[Cast], Script]

BARE = {"tanis": (297.0, 86.0), "ankh": (110.0, 290.0), "papyrus": (960.0, 410.0)}
"""A place of each table (mm) where nothing lies."""

SENSELESS = {("mug_on_bare_mat", "archaeology"): "its mat has no bare place as large as a mug"}
"""Scenes that cannot be in a game, and why."""


def knock(cast: Cast) -> Script:
    yield from cast.plays(1)
    then = cast.now
    cast.stage.camera.conditions = knocked(cast.stage.camera.conditions, cast._rng)
    yield from cast.rests(13.0)
    assert cast.names_since(then) == {"turn"} and not cast.display.lines
    yield from cast.plays(2)


def shove(cast: Cast) -> Script:
    """The box of Tanis, the board of Papyrus, and all that is laid in rows and piles."""
    yield from cast.plays(2)
    then, table = cast.now, cast.stage.table
    table.bump_box(4.0, -3.0, 1.2)
    for board in table.boards_lie:
        table.bump_board(board, 6.0, -4.0, 1.5)
    for zone in table.layout.zones:
        if zone.form in ("row", "pile"):
            for body in table.within(zone.name):
                table.place_exactly(replace(body, x=body.x + 3, y=body.y - 3, turn=(body.turn + 2) % 360))
    yield from cast.rests(13.0)
    assert cast.names_since(then) == {"turn"} and not cast.display.lines
    yield from cast.plays(2)


def hand_stays(cast: Cast) -> Script:
    yield from cast.plays(1)
    then = cast.now
    body = _shown(cast)
    arm = cast.arm(0 if body.x < cast.stage.table.layout.width / 2 else 1)
    yield from arm.reach(body.x, body.y, lambda: None, 25.0)
    said = "Something stands on:" if cast.stage.table.layout.loose else "Hand over the table"
    assert any(said in text(screen) for screen in cast.since(then))
    yield from cast.rests()
    assert cast.names_since(then) == {"turn"} and not cast.display.lines
    yield from cast.plays(1)


def hand_stays_after_a_move(cast: Cast) -> Script:
    intent = yield from cast.turn(plain)
    count = len(cast.stage.match.moves)
    then = cast.now
    arm = cast.arm(intent.player)
    arm.linger = 20.0
    yield from cast.acts(intent)
    assert len(cast.stage.match.moves) == count
    assert "illegal" not in cast.names_since(then), "nobody is accused of anything"
    yield from cast.waits(shows(cast.pending[0]))
    yield from cast.told()
    yield from cast.plays(1)


def mug_on_bare_mat(cast: Cast) -> Script:
    yield from cast.plays(1)
    yield from _drink(cast, *BARE[cast.stage.game])
    assert not cast.display.lines
    yield from cast.plays(2)


def mug_on_a_piece(cast: Cast) -> Script:
    yield from cast.plays(1)
    before = cast.display
    body = _shown(cast)
    yield from _drink(cast, body.x, body.y)
    assert cast.display.name == "desync" or cast.display.lines, "what cannot be seen is said"
    yield from cast.arm(0).reach(body.x, body.y, lambda: cast.stage.table.stand(), 0.5)
    yield from cast.waits(lambda screen: screen == before)
    yield from cast.plays(2)


def _shown(cast: Cast) -> Body:
    """A piece that lies open before somebody, and that is read."""
    zones = {"tanis": "cards-1", "archaeology": "market-3", "ankh": "papyri", "papyrus": "open"}
    return cast.stage.table.within(zones[cast.stage.game])[-1]


def _drink(cast: Cast, x: float, y: float) -> Script:
    """Somebody puts a mug down; whatever the display then says, it takes nothing for a move."""
    then, table = cast.now, cast.stage.table
    yield from cast.arm(0).reach(x, y, lambda: table.stand(Mug(x, y)), 0.4)
    yield from cast.rests(17.0)
    assert cast.names_since(then) <= {"turn", "desync"}


SCENES: tuple[Scene, ...] = (
    knock,
    shove,
    hand_stays,
    hand_stays_after_a_move,
    mug_on_bare_mat,
    mug_on_a_piece,
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_table(scene: Scene, game: str, tmp_path: Path) -> None:
    if why := SENSELESS.get((scene.__name__, game)):
        assert why and game not in BARE
        return
    Stage(game, scene, tmp_path).play()
