"""What people do at the table besides their moves, in each of the four games, and what the display says of it.

| what happens | what is expected |
|---|---|
| a piece is put into a wrong zone | the display says what is wrong, nothing is written; put right, the move is proposed |
| a move is undone by the hand before anybody pressed CONFIRM | the proposal goes by itself |
| a confirmed move is taken back | the display asks; it names what is to be put back; then another move counts in its place |
| two move before the device has looked once | both are told, in the order in which they were made |
| nobody presses CONFIRM for a whole round | all wait ("1/3"), the oldest first; each counts when it is confirmed |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engines.dealing import Act, Intent
from hardware.buttons.press import Button
from hardware.simulated.hands import Script
from tests.firmware.staged import GAMES, Cast, Stage, is_turn, plain, shows, text

Scene = Callable[[Cast], Script]


@dataclass(frozen=True)
class Astray:
    """Where a piece goes that is put into a wrong zone, by the zone where it belongs, and the words that the display says of it."""

    zones: dict[str, str]
    says: tuple[str, ...]


ASTRAY = {
    "tanis": Astray({"tiles-1": "tiles-2", "tiles-2": "tiles-1"}, ("Not allowed", "other player's turn")),
    "archaeology": Astray({"sold-1": "sold-2", "sold-2": "sold-1"}, ("1/2", "DOWN: what follows")),
    "ankh": Astray({"row-1": "row-2", "row-2": "row-1"}, ("Not allowed", "Take the card back")),
    "papyrus": Astray({"open": "played"}, ("Table differs", "played cards")),
}
"""In Archaeology one card of a sale laid before the other player is their sale, told after what the player to move has laid."""


def astray(cast: Cast) -> Script:
    case = ASTRAY[cast.stage.game]
    intent = yield from cast.turn(lambda one: plain(one) and last(one).target in case.zones)
    ((deeds, moves),) = intent.stages
    put = last(intent)
    assert isinstance(put, Act) and put.target is not None
    wrong = case.zones[put.target]
    written = len(cast.stage.match.moves)
    yield from cast.hands(intent.player, *deeds[:-1], replace(put, target=wrong))
    yield from cast.reads(*case.says)
    assert len(cast.stage.match.moves) == written
    right = replace(put, source=wrong)
    yield from cast.acts(replace(intent, stages=(((right,), moves),)))
    yield from cast.waits(shows(cast.pending[0]))
    yield from cast.told()
    yield from cast.plays(1)


def undone(cast: Cast) -> Script:
    intent = yield from cast.turn(plain)
    ((deeds, _),) = intent.stages
    back = cast._backwards(deeds)
    yield from cast.hands(intent.player, *deeds)
    yield from cast.waits(lambda screen: screen.name == "proposal")
    yield from cast.hands(intent.player, *back)
    yield from cast.waits(is_turn)
    then = cast.now
    yield from cast.rests()
    assert cast.names_since(then) == {"turn"}
    yield from cast.plays(2)


def taken_back(cast: Cast) -> Script:
    intent = yield from cast.turn(plain)
    ((deeds, moves),) = intent.stages
    back = cast._backwards(deeds)
    score = cast.stage.match.score().totals
    count = len(cast.stage.match.moves)
    yield from cast.hands(intent.player, *deeds)
    yield from cast.waits(lambda screen: screen.name == "proposal")
    yield from cast.rests(3.0)
    made = cast.stage.shell.night.chain[0].move
    assert made == moves[0], cast.display
    cast.tells(made)
    yield from cast.presses(Button.CONFIRM)
    assert len(cast.stage.match.moves) == count + 1
    yield from cast.presses(Button.REJECT, long=True)
    assert cast.display.name == "takeback" and "undo last 1" in cast.display.footer
    cast.untells()
    yield from cast.presses(Button.CONFIRM)
    yield from cast.waits(lambda screen: screen.name == "desync")
    assert len(cast.stage.match.moves) == count and cast.stage.match.score().totals == score
    piece = str(deeds[-1].piece if isinstance(deeds[-1], Act) else "").split("-")[0]
    assert piece.lower() in text(cast.display).lower(), "it names what is to be put back"
    yield from cast.hands(intent.player, *back)
    yield from cast.waits(is_turn)
    yield from cast.plays(2)


def together(cast: Cast) -> Script:
    """The second hand comes in before the first has left."""
    first = yield from cast.turn(plain)
    then = cast.now
    yield from cast.acts(first)
    yield from cast.acts()
    waiting = [one for one in cast.pending if not one.implied]
    yield from cast.waits(shows(waiting[0]))
    assert cast.names_since(then) <= {"turn", "proposal", "ask"}, "nobody is accused of anything"
    yield from cast.told()
    yield from cast.plays(1)


def forgotten(cast: Cast) -> Script:
    yield from cast.turn(plain)
    before = len(cast.stage.match.moves)
    players: set[int] = set()
    for _ in range(9):
        yield from cast.acts(None)
        players |= {one.move.player for one in cast.pending}
        yield from cast.rests(2.5)
        if len(players) == 2 and not cast._midst:
            break
    assert len(cast.stage.match.moves) == before, "nothing counts that nobody confirmed"
    shown = [one for one in cast.pending if not one.implied]
    yield from cast.waits(shows(shown[0]))
    yield from cast.told()
    yield from cast.plays(1)


SCENES: tuple[Scene, ...] = (astray, undone, taken_back, together, forgotten)


def last(intent: Intent) -> Act:
    """The last piece that a hand puts down."""
    deed = intent.stages[-1][0][-1]
    assert isinstance(deed, Act)
    return deed


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_people(scene: Scene, game: str, tmp_path: Path) -> None:
    Stage(game, scene, tmp_path).play()
