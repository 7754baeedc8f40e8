"""What a game played by lines shall be: given on the command line, completed by a record's header lines until the first step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from engines import record
from engines.catalogue import Catalogue, based_on, shipped
from engines.game import Game
from engines.referee import Match, settings

Verdict = Literal["accepted", "refused", "unreadable"]
NAMES = ("Ana", "Ben", "Clara", "David", "Emma")
"""Who plays when nobody says so."""


class PlayError(Exception):
    """A game cannot be played as asked; the sentence says what to write."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said to one line. ``rule`` is the number of the rule that refuses it, or that a doubt rests on."""

    verdict: Verdict
    text: str = ""
    remedy: str = ""
    rule: str | None = None


ACCEPTED = Answer("accepted")


def usual(game: Game) -> int:
    """How many play when nobody says so: three where the game allows it."""
    return 3 if 3 in game.players else game.players[0]


class Heading:
    """The settings of a game. What is None was left open: a header line may give it, once; then it is settled."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str] | None = None,
        first: str | None = None,
        options: Mapping[str, str] | None = None,
        catalogue: Catalogue | None = None,
        default: Callable[[], Catalogue] | None = None,
    ) -> None:
        """``default`` gives the numbers when neither the command line nor a header says which."""
        self.game = game
        self.names = None if names is None else tuple(names)
        self.first = first
        self.options = dict(options or {})
        self.catalogue = catalogue
        self._default = default or partial(shipped, game.id)
        self._said: dict[str, str] = {}
        """The header lines about numbers, by their key."""

    def begin(self) -> Match:
        """The match before its first step, by what is known so far.

        Raises PlayError for settings the game does not have, MissingNumbers when it cannot be played by these numbers,
        RecordError when a header's numbers do not belong together.
        """
        names = self.seats
        first = self.begins
        if first not in names:
            raise PlayError(f"{first} is none of the players: who begins is one of {', '.join(names)}")
        catalogue = self.catalogue or (
            record.understood(self.game, self._numbers()) if self._said else self._default()
        )
        return Match.begin(self.game, names, names.index(first), self.options, catalogue=catalogue)

    @property
    def seats(self) -> tuple[str, ...]:
        """Who plays, as far as it is known."""
        return self.names or NAMES[: usual(self.game)]

    @property
    def begins(self) -> str:
        """Who begins, as far as it is known."""
        return self.seats[0] if self.first is None else self.first

    def settle(self, match: Match) -> None:
        """The game has begun: nothing is open any longer."""
        self.names, self.first, self.catalogue = match.names, match.names[match.first], match.catalogue
        self.options = dict(match.options)

    def _numbers(self) -> tuple[str, ...]:
        return tuple(f"{key}: {text}" for key, text in self._said.items())

    def read(self, line: str) -> Answer | None:
        """The answer to a header line; None for a line that is none."""
        if line == record.TITLE:
            return ACCEPTED
        found = record.HEADER.fullmatch(line)
        if found is None:
            return None
        key, text = found[1], found[2]
        if key == "game":
            return _same(key, text, self.game.id, f"Start with: thoth play {text}")
        if key == "players":
            return self._players(text)
        if key == "first":
            return self._first(text)
        if key.startswith("option "):
            return self._option(key.removeprefix("option "), text)
        return self._catalogue(key, text)

    def _players(self, text: str) -> Answer:
        names = record.read_names(text)
        if names is None:
            return Answer("unreadable", "The players cannot be read.", "Write them like: Ana, Ben.")
        if self.names is not None:
            return _same("players", ", ".join(names), ", ".join(self.names), "Start with these --players.")
        if len(names) not in self.game.players or len(set(names)) != len(names) or not all(names):
            allowed = " or ".join(map(str, self.game.players))
            return Answer(
                "refused", f"{self.game.name} is for {allowed} players with different names.", "Correct them."
            )
        self.names = names
        return ACCEPTED

    def _first(self, text: str) -> Answer:
        first = record.read_name(text)
        if first not in self.seats:
            known = ", ".join(self.seats)
            return Answer("unreadable", f"'{text}' is none of the players.", f"Write one of: {known}.")
        if self.first is not None:
            return _same("first", first, self.first, f"Start with --first {first}.")
        self.first = first
        return ACCEPTED

    def _option(self, name: str, value: str) -> Answer:
        try:
            settings(self.game, {name: value})
        except ValueError as error:
            return Answer("unreadable", f"{error}.", "Correct the option or take the line out.")
        if name in self.options:
            return _same(f"option {name}", value, self.options[name], f"Start with --option {name}={value}.")
        self.options[name] = value
        return ACCEPTED

    def _catalogue(self, key: str, text: str) -> Answer:
        if self.catalogue is not None:
            return self._in_force(key, text, self.catalogue)
        said = record.CATALOGUE.fullmatch(text) if key == "catalogue" else None
        # One line alone: the fingerprint of numbers of the owner's own can be compared only when all of them are there.
        alone = f"catalogue: {said[1]}" if said and said[1].startswith("own") else f"{key}: {text}"
        try:
            record.understood(self.game, [alone])
        except record.RecordError as error:
            return Answer("refused" if said else "unreadable", error.text, error.remedy)
        self._said[key] = text
        return ACCEPTED

    def _in_force(self, key: str, text: str, catalogue: Catalogue) -> Answer:
        """Whether a line about numbers says what is in force already."""
        remedy = "Start with --numbers FILE, or take the line out."
        if key == "catalogue":
            told = record.told(catalogue)[0].partition(": ")[2]
            said = record.CATALOGUE.fullmatch(text)
            if said is None:
                return Answer("unreadable", f"'{text}' is no catalogue.", f"Write catalogue: {told}.")
            base, own = based_on(catalogue)
            name = base if not own else "own" if base == "shipped" else f"own on {base}"
            fits = catalogue.fingerprint == said[2] if said[2] else name == said[1]
            return ACCEPTED if fits else _same(key, text, told, remedy)
        path = key.rpartition("number ")[2]
        number = catalogue.numbers.get(path)
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return Answer(
                "unreadable", f"The value of {path} cannot be read.", "Write it as JSON, like 4 or [1, 2]."
            )
        if number is None:
            return Answer("unreadable", f"{self.game.name} has no number {path}.", "Take the line out.")
        now = json.dumps(number.value, ensure_ascii=False, sort_keys=True)
        return _same(key, json.dumps(value, ensure_ascii=False, sort_keys=True), now, remedy)


def _same(key: str, said: str, settled: str, remedy: str) -> Answer:
    """Accepted when a line says what is settled."""
    if said == settled:
        return ACCEPTED
    return Answer("refused", f"In this game it is '{key}: {settled}'.", remedy)


def named(text: str, game: Game) -> tuple[str, ...]:
    """The players of ``--players``: names as in a record ("Ana, Ben" or "Ana,Ben"), or how many. Raises PlayError."""
    if re.fullmatch("[0-9]{1,3}", text):
        count = int(text)
        if count not in game.players:
            raise PlayError(f"{game.name} is for {', '.join(map(str, game.players))} players, not {count}")
        return (*NAMES, *(f"Player {seat}" for seat in range(len(NAMES) + 1, count + 1)))[:count]
    spaced = re.sub(r",(?! )", ", ", text)
    names = record.read_names(text) or record.read_names(spaced)
    if names is None:
        raise PlayError("write the players like --players Ana,Ben, or how many like --players 3")
    if len(names) not in game.players:
        raise PlayError(f"{game.name} is for {', '.join(map(str, game.players))} players, not {len(names)}")
    if len(set(names)) != len(names):
        raise PlayError("every player needs a name of their own")
    return names
