"""The journal's entries, (kind, text): how a night writes what was decided, and how it finds back from them.

header    a game begins: game, names, who begins, options (JSON, one line); the lines of a record that say which numbers are in
          force, when they are not the shipped ones
move      "1 take falcon-7": the seat counted from 1, then the move in the record's words
reveal    a fact the table showed, or a correction of one, in the record's words
takeback  how many moves were taken back
setup     names, first player or options were corrected: the whole header again
end       the game is over, with the totals
mended    only so many of the entries before this one count: the rest was damaged
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines import record
from engines.catalogue import Catalogue, shipped
from engines.game import Game, IllegalMove, Move, Reveal, Step, WrongReveal
from engines.referee import Match
from firmware.chain import Link

Entry = tuple[str, str]


class DamagedEntryError(ValueError):
    """An entry of the journal that cannot be understood or does not follow from those before it."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """Where a journal leads: the match (None before a header), whether its end was written, and the sound entries.

    ``damage`` says what was wrong with the first entry that had to be left out, or is empty.
    """

    match: Match | None
    ended: bool
    kept: int
    damage: str = ""


def header(match: Match, kind: str = "header") -> Entry:
    text = json.dumps(
        {
            "game": match.game.id,
            "names": list(match.names),
            "first": match.first,
            "options": dict(match.options),
            **(
                {}
                if match.catalogue == shipped(match.game.id)
                else {"catalogue": record.told(match.catalogue)}
            ),
        },
        ensure_ascii=False,
    )
    return kind, text


def step(match: Match, one: Step) -> Entry:
    if isinstance(one, Move):
        return "move", f"{one.player + 1} {match.game.rules.format(one)}"
    if isinstance(one, Reveal):
        return "reveal", match.game.rules.format(one)
    raise TypeError(f"{one!r} is neither a move nor a reveal")


def link(match: Match, one: Link) -> tuple[Entry, ...]:
    """A confirmed move and what was seen with it."""
    return tuple(step(match, part) for part in one.steps)


def end(match: Match) -> Entry:
    totals = match.score().totals
    return "end", ", ".join(f"{name} {total}" for name, total in zip(match.names, totals, strict=True))


def replay(games: Mapping[str, Game], written: Sequence[Entry]) -> Replayed:
    """The match that the entries lead to. Stops before the first entry that is damaged, and says so."""
    kept: list[Entry] = []
    for entry in written:
        if entry[0] == "mended" and entry[1].isdigit():
            del kept[int(entry[1]) :]
        kept.append(entry)
    match: Match | None = None
    ended = False
    for at, (kind, text) in enumerate(kept):
        if kind == "mended":
            continue
        try:
            match = _apply(games, match, kind, text)
        except (ValueError, KeyError, TypeError, IllegalMove, WrongReveal) as fault:
            return Replayed(match, ended, at, f"entry {at + 1} ({kind} {text!r}): {fault}")
        ended = kind == "end" or (ended and kind == "reveal")
    return Replayed(match, ended, len(kept))


def _apply(games: Mapping[str, Game], match: Match | None, kind: str, text: str) -> Match:
    if kind == "header":
        said = json.loads(text)
        game = games[said["game"]]
        return Match.begin(
            game, tuple(said["names"]), said["first"], said["options"], catalogue=_numbers(game, said)
        )
    if match is None:
        raise DamagedEntryError("there is no header before it")
    if kind == "move":
        seat, _, words = text.partition(" ")
        return match.accept(match.game.rules.parse(words, int(seat) - 1))
    if kind == "reveal":
        fact = match.game.rules.parse(text, 0)
        if not isinstance(fact, Reveal):
            raise DamagedEntryError("it is not a reveal")
        return match.accept(fact)
    if kind == "takeback":
        return match.take_back(int(text))
    if kind == "setup":
        said = json.loads(text)
        names, first, options = tuple(said["names"]), said["first"], said["options"]
        return match.with_setup(names=names, first=first, options=options)[0]
    if kind == "end":
        return match
    raise DamagedEntryError("its kind is unknown")


def _numbers(game: Game, said: Mapping[str, Any]) -> Catalogue | None:
    """The numbers a header names; None: the shipped ones."""
    if "catalogue" not in said:
        return None
    try:
        return record.understood(game, map(str, said["catalogue"]))
    except record.RecordError as error:
        raise DamagedEntryError(f"its numbers: {error.text}") from error
