"""Lists during a game: every legal move by a few presses, take-back, corrections."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engines.game import Move, Reveal
from engines.referee import Match
from firmware.chain import Finding
from firmware.events import Commit, Export, Signal
from firmware.menu import below
from firmware.states import play
from firmware.states.base import NO_LIST, Listing, Night, Plan, Result, plan_of, stay
from firmware.states.setup import option_label
from firmware.written import entries

EXTRAS = ("hints", "takeback", "score", "correct", "export", "help", "pause")
"""What the menu offers behind the moves; hints only where the game has some now."""


def words(match: Match, move: Move) -> tuple[str, ...]:
    """A move word by word, for the menu: the verb, then its object ("takes", "Falcon", "7").

    The player's name stands before the move of somebody who is not known to be to move.
    """
    verb, what = match.game.rules.phrase(move, match.names)
    who = () if move.player == match.to_move else (match.names[move.player],)
    return (*who, verb, *what.split())


def _below(match: Match, path: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Any, ...]]:
    """Labels and values of the menu below ``path``: the moves, or where the table has yet to show something, what it may be."""
    rules, spells = match.game.rules, match.game.spells
    spelling = spells() if spells else None
    told: list[tuple[tuple[str, ...], Move | Reveal | tuple[str, ...]]] = [
        (words(match, move), move)
        for move in match.legal_moves()
        if spelling is None or not isinstance(move, spelling.MOVES)
    ]
    if spelling is not None:
        told += spelling.spelled(match.state, path, match.names)
    awaited = rules.awaited(match.state)
    if len(awaited) > 1:  # One alone is but an example of what has too many forms to list.
        words_of = [rules.format(fact, match.names).replace("-", " ").split()[1:] for fact in awaited]
        told += [(tuple(said), fact) for said, fact in zip(words_of, awaited, strict=True)]
    elif awaited:
        told += getattr(rules, "forms", lambda _: ())(match.state)
    return below(told, path)


def menu(night: Night) -> Result:
    """Long CONFIRM: all legal moves, by kind, then by what they are done to; then everything else."""
    if night.match is None:
        return stay(night)
    return _menu(replace(night, picked=None), ()), ()


def _menu(night: Night, path: tuple[str, ...]) -> Night:
    assert night.match is not None
    labels, values = _below(night.match, path)
    if not path:
        rules, state = night.match.game.rules, night.match.state
        extras = EXTRAS if rules.hints(state) else EXTRAS[1:]
        labels = (*labels, *(night.texts(f"menu.{extra}") for extra in extras))
        values = (*values, *extras)
    return replace(night, place="menu", path=path, listing=Listing(labels, values), page=0)


def choose(night: Night) -> Result:
    """CONFIRM in the menu: deeper, or the move itself, or one of the other things."""
    value = night.listing.value
    if isinstance(value, tuple):
        return _menu(night, value), ()
    if isinstance(value, Move):
        return play.pick(night, value)
    if isinstance(value, Reveal):
        return play.tell(night, value)
    from firmware.states import others

    doors = {
        "hints": others.hints,
        "takeback": takeback,
        "score": others.score,
        "correct": correct,
        "export": others.export,
        "help": others.help_,
        "pause": others.pause,
    }
    return doors[value](night)


def menu_back(night: Night) -> Result:
    """REJECT in the menu: out of the group, or back to the game."""
    if night.match is not None:
        for length in range(len(night.path) - 1, -1, -1):
            if len(_below(night.match, night.path[:length])[0]) > 1 or length == 0:
                return _menu(night, night.path[:length]), ()
    return play.settle(night)


def takeback(night: Night) -> Result:
    """Long REJECT: the confirmed moves, newest first; choosing one takes it and all later ones back."""
    match = night.match
    if match is None:
        return stay(night)
    done = tuple(reversed(match.moves))
    labels: tuple[str, ...] = tuple(
        one[1] or one[0] for one in (match.game.rules.phrase(move, match.names) for move in done)
    )
    if not done:
        labels = (night.texts("takeback.nothing"),)
    values = tuple(range(1, len(done) + 1)) or (0,)
    return replace(night, place="takeback", picked=None, listing=Listing(labels, values), page=0), ()


def take_back(night: Night) -> Result:
    """CONFIRM in the list of moves: they are taken back, and the table is compared with what was before."""
    number: int = night.listing.value
    if night.match is None or number == 0:
        return play.settle(night)
    match = night.match.take_back(number)
    night = replace(
        night,
        match=match,
        chain=(),
        finding=Finding(),
        rejected=frozenset(),
        ignored=frozenset(),
        passed_over=None,
        learned=(),
        listing=NO_LIST,
        ended=False,
        checking=True,
        place="turn",
        doubt=None,
    )
    night, more = play.settle(night)
    return night, (Commit((("takeback", str(number)),)), *more, Signal("confirmed"))


def correct(night: Night) -> Result:
    """What of the set-up was wrong: who began, who sits where, an option."""
    match = night.match
    if match is None:
        return stay(night)
    options = match.game.options
    seats = (
        {"first": night.texts("correct.first"), "swap": night.texts("correct.swap")}
        if len(match.names) > 1
        else {}
    )
    labels = (
        *seats.values(),
        *(option_label(night, option, match.options) for option in options),
    )
    return replace(
        night, place="correct", listing=Listing(labels, (*seats, *options)), change=None, page=0
    ), ()


def correct_choose(night: Night) -> Result:
    """CONFIRM on what is wrong: the record is played again under the corrected set-up, and shown before it counts."""
    match = night.match
    if match is None:
        return stay(night)
    plan = plan_of(match)
    value = night.listing.value
    if value == "first":
        plan = replace(plan, first=(plan.first + 1) % plan.players)
    elif value == "swap":
        plan = replace(plan, names=(*plan.names[1:], plan.names[0]))
    else:
        chosen = dict(plan.options)
        at = value.values.index(chosen.get(value.name, value.values[0]))
        chosen[value.name] = value.values[(at + 1) % len(value.values)]
        plan = replace(plan, options=tuple(chosen.items()))
    return _try(night, match, plan), ()


def _try(night: Night, match: Match, plan: Plan) -> Night:
    after, fault = match.with_setup(names=plan.names, first=plan.first, options=dict(plan.options))
    return replace(night, place="corrected", change=(plan, after, fault), listing=NO_LIST, page=0)


def correct_confirm(night: Night) -> Result:
    """CONFIRM on a correction: it is written; moves that no longer fit are gone from the record."""
    if night.change is None:
        return play.settle(night)
    _, match, _ = night.change
    over = match.outcome() is not None
    written = (entries.header(match, "setup"), *((entries.end(match),) if over else ()))
    night = replace(
        night,
        match=match,
        chain=(),
        finding=Finding(),
        rejected=frozenset(),
        ignored=frozenset(),
        passed_over=None,
        ended=over,
        change=None,
        place="turn",
    )
    night, more = play.settle(night)
    record = (Export(),) if over else ()
    return night, (Commit(written), *more, Signal("confirmed"), *record)
