"""The states of a night, in one table: what each key does in each, and where waiting ends.

Whatever a state does not name does nothing there. ``fault`` is the failsafe.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from firmware import keys
from firmware.keys import Key
from firmware.screens import pages
from firmware.states import lists, others, play, setup
from firmware.states.base import Night, Result

Handler = Callable[[Night], Result]


@dataclass(frozen=True, slots=True)
class State:
    """One state: what it shows, its keys, whether it follows the table at once, and after how many seconds without a
    press (``patience``, 0: never) it returns to the game by itself."""

    shows: str
    keys: Mapping[Key, Handler] = field(default_factory=dict)
    reads: bool = False
    patience: float = 0.0


def _move(by: int) -> Handler:
    def move(night: Night) -> Result:
        return replace(night, listing=night.listing.step(by)), ()

    return move


def _turn_page(by: int) -> Handler:
    def turn(night: Night) -> Result:
        return replace(night, page=(night.page + by) % max(1, pages(night))), ()

    return turn


_LIST: Mapping[Key, Handler] = {keys.UP: _move(-1), keys.DOWN: _move(1)}
_PAGES: Mapping[Key, Handler] = {keys.UP: _turn_page(-1), keys.DOWN: _turn_page(1)}
_BEFORE: Mapping[Key, Handler] = {keys.PAUSE: others.pause, keys.NO: setup.back}
_GAME: Mapping[Key, Handler] = {
    keys.MENU: lists.menu,
    keys.TAKE_BACK: lists.takeback,
    keys.SCORE: others.score,
    keys.PAUSE: others.pause,
}


def _question(shows: str) -> State:
    return State(shows, {**_LIST, **_BEFORE, keys.YES: setup.choose})


_PATIENCE = 60.0

STATES: Mapping[str, State] = {
    "game": State("which game", {**_LIST, keys.PAUSE: others.pause, keys.YES: setup.choose}),
    "players": _question("how many players"),
    "names": _question("who sits where"),
    "first": _question("who begins"),
    "option": _question("which rules, or start"),
    "setup": State(
        "what is missing on the table, or that all is ready",
        {**_PAGES, **_BEFORE, keys.YES: setup.start, keys.MENU: setup.start_anyway},
    ),
    "turn": State(
        "whose turn it is, what is due, the score; what is missing or in the way",
        {**_GAME, keys.YES: play.idle},
        reads=True,
    ),
    "proposal": State(
        "the oldest move that nobody has confirmed, and those after it, or one from the menu",
        {**_GAME, **_PAGES, keys.YES: play.confirm, keys.NO: play.reject},
        reads=True,
    ),
    "illegal": State(
        "the rule, why not, and how to put it right; then the reason in full",
        {**_GAME, **_PAGES, keys.NO: play.reject_illegal},
        reads=True,
    ),
    "ask": State(
        "what may have happened, when the table alone does not say it",
        {**_GAME, **_LIST, keys.YES: play.choose_happened, keys.NO: play.reject_happened},
        reads=True,
    ),
    "desync": State(
        "what on the table is not as the record says, and how to put it right",
        {**_GAME, **_PAGES, keys.YES: play.go_on, keys.NO: play.look_again},
        reads=True,
    ),
    "end": State(
        "the winner, the totals, what decided",
        {**_GAME, keys.YES: others.ask_new_game, keys.UP: others.score},
        reads=True,
    ),
    "menu": State(
        "every legal move, and everything else",
        {**_GAME, **_LIST, keys.YES: lists.choose, keys.NO: lists.menu_back},
        patience=_PATIENCE,
    ),
    "takeback": State(
        "the moves made, newest first",
        {**_GAME, **_LIST, keys.YES: lists.take_back, keys.NO: play.settle},
        patience=_PATIENCE,
    ),
    "correct": State(
        "what of the set-up was wrong",
        {**_GAME, **_LIST, keys.YES: lists.correct_choose, keys.NO: play.settle},
        patience=_PATIENCE,
    ),
    "corrected": State(
        "what the correction does to the record",
        {**_GAME, keys.YES: lists.correct_confirm, keys.NO: lists.correct},
        patience=_PATIENCE,
    ),
    "score": State(
        "the score item by item",
        {**_GAME, **_PAGES, keys.YES: play.settle, keys.NO: play.settle},
        patience=_PATIENCE,
    ),
    "hints": State(
        "what can be done now that is worth pointing at",
        {**_GAME, **_PAGES, keys.YES: play.settle, keys.NO: play.settle},
        patience=_PATIENCE,
    ),
    "export": State(
        "where the record of this game was written",
        {**_GAME, keys.YES: play.settle, keys.NO: play.settle},
        patience=_PATIENCE,
    ),
    "pause": State(
        "go on, help, new game, switch off",
        {**_LIST, keys.YES: others.pause_choose, keys.NO: others.resume, keys.PAUSE: others.resume},
    ),
    "stick": State(
        "what to carry to the stick",
        {**_LIST, keys.YES: others.carry, keys.NO: others.pause, keys.PAUSE: others.pause},
        patience=_PATIENCE,
    ),
    "carry": State("that it is being written", {keys.NO: others.resume}, patience=_PATIENCE),
    "notice": State(
        "something to know: a fault of the settings, what a stick brought, too little power",
        {keys.YES: others.noted, keys.NO: others.noted, keys.PAUSE: others.pause},
    ),
    "poweroff": State(
        "whether to switch off", {keys.YES: others.power_off, keys.NO: others.pause}, patience=_PATIENCE
    ),
    "newgame": State(
        "whether to begin a new game", {keys.YES: others.new_game, keys.NO: others.resume}, patience=_PATIENCE
    ),
    "help": State(
        "what the buttons do",
        {**_PAGES, keys.YES: others.resume, keys.NO: others.resume, keys.PAUSE: others.pause},
        patience=_PATIENCE,
    ),
    "fault": State(
        "an apology; the record is safe",
        {keys.YES: others.recover, keys.NO: others.recover, keys.PAUSE: others.pause},
    ),
}
