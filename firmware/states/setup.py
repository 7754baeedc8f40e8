"""Before the first move: which game, who plays, who begins, which rules, and is everything laid out."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from engines.game import Option, Options
from engines.referee import Match
from firmware.chain import learn
from firmware.events import Commit, Look, Signal
from firmware.states.base import NO_LIST, Listing, Night, Plan, Result, lacking, plan_of, planned, stay
from firmware.written import entries

ORDER = ("game", "players", "names", "first", "option", "setup")
"""The way through; REJECT goes one back."""


def begin(night: Night) -> Night:
    """A new game, from the first question. Who has just played is asked to play the same again: every answer stands ready."""
    plan, roster = Plan(), night.roster
    if night.match is not None and night.match.game.id in night.games:
        plan = replace(plan_of(night.match), names=(), first=0)
        names = night.match.names
        roster = (*names, *(name for name in roster if name not in names))
    fresh = replace(
        Night(night.games, roster, night.texts, night.seed, night.numbers),
        plan=plan,
        now=night.now,
        touched=night.now,
        parts=night.parts,
        blind=night.blind,
        notices=night.notices,
    )
    return enter(fresh, "game")


def enter(night: Night, place: str) -> Night:
    """Stand at one of the questions, with its list ready."""
    if place == "setup":
        return check(replace(night, place=place, listing=NO_LIST, page=0))
    return replace(night, place=place, listing=_LISTS[place](night), page=0)


def _games(night: Night) -> Listing:
    ids = tuple(night.games)
    names = tuple(night.games[one].name for one in ids)
    return Listing(names, ids, ids.index(night.plan.game) if night.plan.game in ids else 0)


def _players(night: Night) -> Listing:
    counts = night.games[night.plan.game].players
    at = counts.index(night.plan.players) if night.plan.players in counts else 0
    return Listing(tuple(map(str, counts)), counts, at)


def _names(night: Night) -> Listing:
    taken = night.plan.names
    names = [name for name in night.roster if name not in taken]
    seat = len(taken) + 1
    while len(names) < night.plan.players - len(taken):
        spare = night.texts("names.spare", seat=seat)
        seat += 1
        if spare not in taken and spare not in names:
            names.append(spare)
    return Listing(tuple(names), tuple(names))


def _first(night: Night) -> Listing:
    names = night.plan.names
    return Listing((*names, night.texts("first.random")), (*range(len(names)), None), night.plan.first)


def option_label(night: Night, option: Option, chosen: Options) -> str:
    """An option and its value in the big letters: "Floor: no"."""
    value = chosen.get(option.name, option.values[0]).replace("-", " ")
    short = night.texts.get(f"short.{option.name}", "")
    return f"{short}: {value}" if short else value


def _options(night: Night) -> Listing:
    chosen = dict(night.plan.options)
    options = night.games[night.plan.game].options
    labels = tuple(option_label(night, option, chosen) for option in options)
    return Listing((night.texts("option.go"), *labels), (None, *options))


_LISTS = {"game": _games, "players": _players, "names": _names, "first": _first, "option": _options}


def choose(night: Night) -> Result:
    """CONFIRM on one of the questions."""
    return _CHOOSE[night.place](night, night.listing.value), ()


def _choose_game(night: Night, game: Any) -> Night:
    if game != night.plan.game:
        night = replace(night, plan=Plan(game))
    counts = night.games[game].players
    if len(counts) > 1:
        return enter(night, "players")
    return _choose_players(night, counts[0])


def _choose_players(night: Night, players: Any) -> Night:
    return enter(replace(night, plan=replace(night.plan, players=players, names=(), first=0)), "names")


def _choose_name(night: Night, name: Any) -> Night:
    plan = replace(night.plan, names=(*night.plan.names, name))
    night = replace(night, plan=plan)
    if len(plan.names) < plan.players:
        return enter(night, "names")
    return enter(night, "first") if _asks(night, "first") else _choose_first(night, 0)


def _choose_first(night: Night, first: Any) -> Night:
    if first is None:
        first = random.Random(night.seed).randrange(night.plan.players)
    night = replace(night, plan=replace(night.plan, first=first))
    return enter(night, "option") if night.games[night.plan.game].options else _ready_to_lay_out(night)


def _ready_to_lay_out(night: Night) -> Night:
    """To the set-up; a game that cannot be played like this stays where its options are chosen, and says why."""
    short = lacking(night)
    if not short:
        return enter(night, "setup")
    from firmware.screens import small
    from firmware.states.others import notice

    return notice(night, "\n".join(small(f"{short[0].text}.")[:4]))


def _choose_option(night: Night, option: Any) -> Night:
    if option is None:
        return _ready_to_lay_out(night)
    chosen = dict(night.plan.options)
    values = option.values
    at = values.index(chosen.get(option.name, values[0]))
    chosen[option.name] = values[(at + 1) % len(values)]
    night = replace(night, plan=replace(night.plan, options=tuple(chosen.items())))
    return replace(enter(night, "option"), listing=replace(_options(night), chosen=night.listing.chosen))


_CHOOSE = {
    "game": _choose_game,
    "players": _choose_players,
    "names": _choose_name,
    "first": _choose_first,
    "option": _choose_option,
}


def back(night: Night) -> Result:
    """REJECT: one question back, or one name."""
    plan = night.plan
    if night.place == "names" and plan.names:
        return enter(replace(night, plan=replace(plan, names=plan.names[:-1])), "names"), ()
    at = ORDER.index(night.place)
    for place in reversed(ORDER[:at]):
        if _asks(night, place):
            if place == "names":
                night = replace(night, plan=replace(plan, names=plan.names[:-1]))
            return enter(night, place), ()
    return stay(night)


def _asks(night: Night, place: str) -> bool:
    game = night.games[night.plan.game]
    asks = {"players": len(game.players) > 1, "first": night.plan.players > 1, "option": bool(game.options)}
    return asks.get(place, True)


def check(night: Night) -> Night:
    """Compare the table with what the rules ask for at the start."""
    if night.table is None:
        return replace(night, differences=())
    match = planned(night)
    wrong = match.game.reading.differences(match.state, night.table)
    return replace(night, differences=wrong, page=min(night.page, max(0, len(wrong) - 1)))


def ready(night: Night) -> bool:
    """The table was seen and nothing is missing."""
    return night.table is not None and not night.differences


def start(night: Night) -> Result:
    """CONFIRM at the set-up: begins when the table is right, or when no camera can say so."""
    if ready(night) or (night.table is None and "camera" in night.missing):
        return start_anyway(night)
    return night, (Look(night.expected),)


def start_anyway(night: Night) -> Result:
    """Begin with the table as it is (long CONFIRM); what it shows is committed with the header."""
    from firmware.states.play import settle

    match: Match = planned(night)
    written = [entries.header(match)]
    if night.table is not None:
        for reveal in match.game.reading.reveals(match.state, night.table):
            after = learn(match, reveal)
            if after is not None:
                match = after
                written.append(entries.step(match, match.steps[-1]))
    night = replace(night, match=match, chain=(), listing=NO_LIST, page=0, differences=())
    night, more = settle(night)
    return night, (Commit(tuple(written)), *more, Signal("turn"))
