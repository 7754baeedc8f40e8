"""The states of an enrolment, in one table: what each key does in each. What a state does not name does nothing there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from firmware import keys
from firmware.enrolling import steps
from firmware.enrolling.base import Enrolling, Result
from firmware.enrolling.screens import pages
from firmware.keys import Key

Handler = Callable[[Enrolling], Result]


@dataclass(frozen=True, slots=True)
class State:
    """One state: what it shows, and its keys."""

    shows: str
    keys: Mapping[Key, Handler] = field(default_factory=dict)


def _move(by: int) -> Handler:
    def move(one: Enrolling) -> Result:
        return replace(one, listing=one.listing.step(by)), ()

    return move


def _turn_page(by: int) -> Handler:
    def turn(one: Enrolling) -> Result:
        return replace(one, page=(one.page + by) % max(1, pages(one))), ()

    return turn


_LIST: Mapping[Key, Handler] = {keys.UP: _move(-1), keys.DOWN: _move(1)}
_PAGES: Mapping[Key, Handler] = {keys.UP: _turn_page(-1), keys.DOWN: _turn_page(1)}
_ALWAYS: Mapping[Key, Handler] = {keys.PAUSE: steps.pause, keys.MENU: steps.faces}

STATES: Mapping[str, State] = {
    "start": State("what is to be shown", {**_LIST, **_ALWAYS, keys.YES: steps.choose}),
    "lay": State(
        "which faces shall lie there, in which order, and how many are seen",
        {**_PAGES, **_ALWAYS, keys.YES: steps.take, keys.NO: steps.pass_over},
    ),
    "taking": State(
        "that a picture is taken as soon as all is still; what is in the way",
        {**_ALWAYS, keys.NO: steps.again},
    ),
    "count": State(
        "that not as many faces are seen as were asked for",
        {**_ALWAYS, keys.YES: steps.take, keys.NO: steps.pass_over},
    ),
    "faulty": State(
        "a face whose picture is not good, and what to do",
        {**_PAGES, **_ALWAYS, keys.YES: steps.take, keys.NO: steps.review},
    ),
    "review": State(
        "what was cut out, all of it and face by face",
        {**_PAGES, **_ALWAYS, keys.YES: steps.keep, keys.NO: steps.turn_down},
    ),
    "faces": State(
        "every face, to show one of them again",
        {**_LIST, keys.PAUSE: steps.pause, keys.YES: steps.choose_face, keys.NO: steps.faces_back},
    ),
    "pause": State(
        "go on, another way of showing, one face, stop",
        {**_LIST, keys.YES: steps.choose, keys.NO: steps.go_on, keys.PAUSE: steps.go_on},
    ),
    "checking": State("that the faces are compared"),
    "alike": State(
        "two faces that are hard to tell apart, and what would help",
        {**_PAGES, **_ALWAYS, keys.YES: steps.accept, keys.NO: steps.show_both},
    ),
    "done": State("that every face has its picture", {keys.YES: steps.finish, keys.NO: steps.restart}),
    "fault": State("an apology; what was kept is safe", {keys.YES: steps.restart, keys.NO: steps.restart}),
}
