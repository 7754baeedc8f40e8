"""A night at the table as a pure function: ``step(night, event) -> (night, effects)``.

No clock, no input or output, no pictures: events come in, effects go out, and everything between is data. The
effects of one step are in the order in which they must happen: what is to be written comes before what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engines.catalogue import Catalogue
from engines.game import Game
from engines.table import Table
from firmware.events import (
    Blind,
    Carry,
    Commit,
    Compared,
    Effect,
    Event,
    Export,
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
from firmware.screens import screen
from firmware.states import others, play, setup
from firmware.states.base import Night, Result, stay
from firmware.states.table import STATES
from firmware.texts import Texts, load
from firmware.written import entries

__all__ = ["Night", "begin", "failsafe", "resume", "screen", "step"]

_ORDER = (Commit, Show, Signal, Look, Export, Carry, PowerOff)


def begin(
    games: Mapping[str, Game],
    roster: Sequence[str] = (),
    seed: int = 0,
    texts: Texts | None = None,
    numbers: Mapping[str, Catalogue] | None = None,
) -> Result:
    """A night that has just begun, and what it wants done first.

    ``roster`` are the names to choose from, usual players first. ``seed`` decides who begins when the players leave it to
    chance. ``numbers`` are the owner's, by game.
    """
    night = setup.begin(Night(games, tuple(roster), texts or load(), seed, numbers or {}))
    return night, (Show(screen(night)), Look(None))


def resume(
    games: Mapping[str, Game],
    written: Sequence[entries.Entry],
    roster: Sequence[str] = (),
    seed: int = 0,
    texts: Texts | None = None,
    numbers: Mapping[str, Catalogue] | None = None,
) -> Result:
    """The night that a journal's entries lead to; a new one when they hold no game.

    A damaged tail is left out, and an entry that says so is written first (``night.trouble`` names the damage for the log).
    The table is compared with the record at the first look.
    """
    night, effects = begin(games, roster, seed, texts, numbers)
    found = entries.replay(games, written)
    if found.match is None:
        return night, effects
    night = replace(night, match=found.match, ended=found.ended, place="turn", trouble=found.damage)
    night, _ = play.settle(night)
    mended: tuple[Effect, ...] = (Commit((("mended", str(found.kept)),)),) if found.damage else ()
    return night, (*mended, Show(screen(night)), Look(night.expected, night.layout))


def failsafe(
    games: Mapping[str, Game],
    written: Sequence[entries.Entry],
    roster: Sequence[str] = (),
    seed: int = 0,
    texts: Texts | None = None,
    numbers: Mapping[str, Catalogue] | None = None,
) -> Result:
    """The night after a fault of the program itself: the record as the journal has it, an apology on the display, and CONFIRM
    goes on."""
    night, effects = resume(games, written, roster, seed, texts, numbers)
    night = replace(night, place="fault")
    rest = tuple(effect for effect in effects if not isinstance(effect, Show))
    return night, _ordered((*rest, Show(screen(night)), Signal("fault")))


def step(night: Night, event: Event) -> Result:
    """The night after one event, and what is to be done, in the order in which it must be done."""
    after, effects = _step(night, event)
    return _finish(night, others.told(after), effects)


def _step(night: Night, event: Event) -> Result:
    match event:
        case Looked(table, at):
            night = replace(night, now=max(night.now, at), table=table, blind=None)
            night = replace(night, hidden=_hidden(night, table))
            if night.place == "setup":
                return setup.check(night), ()
            return play.looked(night, table) if STATES[night.place].reads else stay(night)
        case Blind(fault, at):
            night = replace(night, now=max(night.now, at))
            if not fault:
                return replace(night, blind=None), ()
            since = night.blind[1] if night.blind is not None and night.blind[0] == fault else night.now
            return replace(night, blind=(fault, since)), ()
        case Pressed(press):
            night = replace(night, now=max(night.now, press.at))
            night = replace(night, touched=night.now)
            handler = STATES[night.place].keys.get(Key(press.button, press.long))
            return handler(night) if handler is not None else stay(night)
        case Tick(at):
            night = replace(night, now=max(night.now, at))
            patience = STATES[night.place].patience
            if patience and night.now - night.touched >= patience:
                return others.resume(night)
            return play.tick(night)
        case Exported(_, _, at):
            return replace(night, now=max(night.now, at), exported=event), ()
        case Compared():
            return stay(night)  # a night compares no faces
        case Notice(text, at):
            return others.notice(replace(night, now=max(night.now, at)), text), ()
        case Part(name, advice, at):
            return _part(replace(night, now=max(night.now, at)), name, advice)


def _hidden(night: Night, table: Table) -> tuple[str, float] | None:
    """The first zone on which something stands, and since when."""
    if not table.unread:
        return None
    known = night.hidden
    return known if known is not None and known[0] in table.unread else (table.unread[0], night.now)


def _part(night: Night, name: str, advice: str | None) -> Result:
    rest = tuple(part for part in night.parts if part[0] != name)
    if advice is None:
        night = replace(night, parts=rest)
        return night, ((Look(night.expected),) if name == "camera" else ())
    effects: tuple[Effect, ...] = () if name in night.missing else (Signal("fault"),)
    if name == "camera":
        # Nothing that was seen before counts once the camera is gone: a table may have changed unseen.
        night = replace(night, table=None, blind=None)
        if night.place == "setup":
            night = setup.check(night)
        elif STATES[night.place].reads and night.picked is None:
            night, more = play.settle(night)
            effects = (*effects, *more)
    return replace(night, parts=(*rest, (name, advice))), effects


def _finish(before: Night, after: Night, effects: tuple[Effect, ...]) -> Result:
    """Add what follows from the change itself: the new screen, and a Look where another table is expected.

    A Look for the same table asks for another reading of it.
    """
    shown = screen(after)
    if shown != screen(before):
        effects = (*effects, Show(shown))
    asked = any(isinstance(effect, Look) for effect in effects)
    rest: tuple[Effect, ...] = tuple(effect for effect in effects if not isinstance(effect, Look))
    if asked or _expects(after) != _expects(before):
        rest = (*rest, Look(after.expected, after.layout))
    return after, _ordered(rest)


def _expects(night: Night) -> tuple[object, object]:
    """What the expected table depends on."""
    head = night.head
    return (head.state if head is not None else None), (night.plan if night.place == "setup" else None)


def _ordered(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    return tuple(sorted(effects, key=lambda effect: _ORDER.index(type(effect))))
