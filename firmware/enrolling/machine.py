"""An enrolment as a pure function: ``step(enrolling, event) -> (enrolling, effects)``, like a night.

No clock, no input or output, no pictures but the small ones that the display shows. The effects of one step are in the order in which
they must happen: a face is in the gallery before the display says so.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from engines.table import Layout
from firmware.enrolling import steps
from firmware.enrolling.base import Enrolling, Result, Spread, stay
from firmware.enrolling.faces import GROUND, SHOT, asked
from firmware.enrolling.screens import screen
from firmware.enrolling.table import STATES
from firmware.events import (
    Blind,
    Commit,
    Compare,
    Compared,
    Effect,
    Event,
    Exported,
    Look,
    Looked,
    Notice,
    Part,
    PowerOff,
    Pressed,
    Show,
    Signal,
    Tick,
)
from firmware.keys import Key
from firmware.texts import Texts, load

__all__ = ["Enrolling", "begin", "failsafe", "screen", "step"]

_ORDER = (Commit, Show, Signal, Look, Compare, PowerOff)


def begin(
    game: str,
    layout: Layout,
    done: Collection[str] = (),
    only: tuple[str, ...] = (),
    texts: Texts | None = None,
    picture: tuple[int, int] = (1536, 864),
) -> Result:
    """An enrolment of the faces of ``layout``, of which ``done`` are in the gallery, and what it wants done first.

    ``game``: its name for the display; ``only``: identities to be shown now, whether they are there or not; ``picture``: (width, height)
    px of the camera's large picture.
    """
    one = Enrolling(game, layout, texts or load(), picture, frozenset(done), only)
    one = steps.lay(one) if only else steps.start(one)
    return one, (Show(screen(one)), _look(one))


def failsafe(one: Enrolling, done: Collection[str]) -> Result:
    """The enrolment after a fault of the program itself: what is in the gallery counts, and CONFIRM goes on."""
    one = replace(one, place="fault", done=frozenset(done), group=None, spread=None, page=0)
    return one, (Show(screen(one)), Signal("fault"), _look(one))


def step(one: Enrolling, event: Event) -> Result:
    """The enrolment after one event, and what is to be done, in the order in which it must be done."""
    after, effects = _step(one, event)
    if (shown := screen(after)) != screen(one):
        effects = (*effects, Show(shown))
    if not any(isinstance(effect, Look) for effect in effects) and _look(after) != _look(one):
        effects = (*effects, _look(after))
    return after, tuple(sorted(effects, key=lambda effect: _ORDER.index(type(effect))))


def _step(one: Enrolling, event: Event) -> Result:
    match event:
        case Looked(table, at):
            one = replace(one, now=max(one.now, at), blind=None)
            return steps.looked(one, table) if isinstance(table, Spread) else stay(one)
        case Blind(fault, at):
            one = replace(one, now=max(one.now, at))
            if not fault:
                return replace(one, blind=None), ()
            since = one.blind[1] if one.blind is not None and one.blind[0] == fault else one.now
            return replace(one, blind=(fault, since)), ()
        case Pressed(press):
            one = replace(one, now=max(one.now, press.at))
            handler = STATES[one.place].keys.get(Key(press.button, press.long))
            return handler(one) if handler is not None else stay(one)
        case Tick(at):
            return replace(one, now=max(one.now, at)), ()
        case Compared(_, at):
            return steps.compared(replace(one, now=max(one.now, at)), event)
        case Part(name, advice, at):
            return _part(replace(one, now=max(one.now, at)), name, advice)
        case Exported():
            return stay(one)  # an enrolment writes no record
        case Notice():
            return stay(one)  # nor does it read sticks or settings anew


def _part(one: Enrolling, name: str, advice: str | None) -> Result:
    rest = tuple(part for part in one.parts if part[0] != name)
    effects: tuple[Effect, ...] = () if advice is None or name in one.away else (Signal("fault"),)
    one = replace(one, parts=rest if advice is None else (*rest, (name, advice)))
    if name == "camera" and advice is not None:
        one = replace(one, blind=None, spread=one.spread if one.place not in steps.SHOTS else None)
    return one, effects


def _look(one: Enrolling) -> Look:
    """What the camera shall look for: the faces asked for while they are laid out, else nothing."""
    if one.place in steps.SHOTS and one.group is not None:
        return Look(asked(one.group, SHOT if one.place == "taking" else GROUND), one.layout)
    return Look(None)
