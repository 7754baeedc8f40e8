"""What is printed on the components of a game, as data: each number with where it comes from, and the owner's corrections.

``engines/<game>/catalog.toml`` holds the shipped numbers. A table with a ``form`` is a number; its dotted path is its name::

    [treasures.coin.sell]
    form = "numbers"
    value = [2, 5, 10, 18, 30]      # left out: missing, the owner must give it before a game that needs it
    verified = false                # printed in the rulebook, or found for this very edition
    source = "older edition"
    ask = "Coin card: the selling prices along the bottom, for 1, 2, 3 ... cards"

The owner's file holds bare values under the game's id; it is laid over the shipped numbers and survives updates::

    [archaeology.treasures.coin]
    sell = [2, 6, 10, 18, 30]

What the owner gives counts as verified. A file whose first line is ``house = true`` holds invented numbers: they stay
unverified, and every score and record made with them says "house numbers".
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

Origin = Literal["shipped", "house", "own"]
MEASURES = frozenset({"length"})
"""Forms that describe the pieces and not the rules: they are no part of the fingerprint."""


@dataclass(frozen=True, slots=True)
class Number:
    """One thing that is printed on a component. ``value`` None: nobody has found it."""

    path: str
    form: str
    value: Any
    verified: bool
    source: str
    origin: Origin = "shipped"
    ask: str = ""
    """What the owner has to type, from which component."""


@dataclass(frozen=True, slots=True)
class Lack:
    """A number that is missing or cannot be: where it is written, what is wrong, and what to type from which component."""

    path: str
    text: str
    remedy: str


class MissingNumbers(ValueError):  # noqa: N818 - what is the matter
    """A game cannot start by these numbers; the text tells the owner what to type."""

    def __init__(self, lacks: tuple[Lack, ...]) -> None:
        super().__init__("; ".join(f"{lack.text}: {lack.remedy}" for lack in lacks))
        self.lacks = lacks


class Catalogue:
    """The numbers in force for a game. Two are equal when all that the rules can see of them is."""

    __slots__ = ("fingerprint", "game", "numbers")

    def __init__(self, game: str, numbers: Mapping[str, Number]) -> None:
        self.game = game
        self.numbers = MappingProxyType(dict(numbers))
        seen = {
            path: [number.value, number.verified, number.origin == "house"]
            for path, number in sorted(numbers.items())
            if number.form not in MEASURES
        }
        text = json.dumps([game, seen], sort_keys=True, ensure_ascii=False)
        self.fingerprint = hashlib.sha256(text.encode()).hexdigest()[:8]

    def __getitem__(self, path: str) -> Any:
        """The value of a number; None when it is missing. Raises KeyError for a path the game does not have."""
        return self.numbers[path].value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Catalogue) and (self.game, self.fingerprint) == (
            other.game,
            other.fingerprint,
        )

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def verified(self, path: str) -> bool:
        return self.numbers[path].verified

    @property
    def house(self) -> bool:
        """Whether house numbers are among those in force."""
        return any(number.origin == "house" for number in self.numbers.values())


def _entries(table: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every table with a form, with its dotted path."""
    for name, value in table.items():
        path = f"{at}.{name}" if at else name
        if isinstance(value, dict):
            if "form" in value:
                yield path, value
            else:
                yield from _entries(value, path)


@cache
def shipped(game: str) -> Catalogue:
    """The catalogue that comes with Thoth. Raises FileNotFoundError for a game that does not exist."""
    with (files("engines") / game / "catalog.toml").open("rb") as file:
        data = tomllib.load(file)
    return Catalogue(
        game,
        {
            path: Number(
                path=path,
                form=entry["form"],
                value=entry.get("value"),
                verified=entry.get("verified", False),
                source=entry.get("source", ""),
                origin="house" if entry.get("house") else "shipped",
                ask=entry.get("ask", ""),
            )
            for path, entry in _entries(data)
        },
    )


def override(catalogue: Catalogue, values: Mapping[str, Any], origin: Origin, source: str) -> Catalogue:
    """The catalogue with these values (by dotted path) laid over it. Raises KeyError for an unknown path."""
    numbers = dict(catalogue.numbers)
    for path, value in values.items():
        numbers[path] = replace(
            numbers[path], value=value, verified=origin == "own", origin=origin, source=source
        )
    return Catalogue(catalogue.game, numbers)
