"""What is printed on the components of a game, as data: each number with where it comes from, and the owner's corrections.

``engines/<game>/catalog.toml`` holds the shipped numbers. A table with a ``form`` is a number; its dotted path is its name::

    [treasures.coin.sell]
    form = "numbers"
    value = [2, 5, 10, 18, 30]      # left out: missing, the owner must give it before a game that needs it
    verified = false                # printed in the rulebook, or found for this very edition
    source = "older edition"
    ask = "Coin card: the selling prices along the bottom, for 1, 2, 3 ... cards"
    low = 0                         # may be left out: what every number in it must not go below, and above (``high``)

An entry with ``fixed = true`` is a fact the rules are built on: it is shown, and cannot be given. The forms, and what fits them,
stand in ``engines/forms.py``.

The owner's file holds bare values under the game's id; it is laid over the shipped numbers and survives updates::

    [archaeology.treasures.coin]
    sell = [2, 6, 10, 18, 30]

What the owner gives counts as verified. A file whose first line is ``house = true`` holds invented numbers: they stay
unverified, and every score and record made with them says "house numbers". ``engines/<game>/house.toml`` is such a file that
comes with Thoth; ``engines/ownfile.py`` reads them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from engines.ownfile import OwnFile

Origin = Literal["shipped", "house", "own"]
MEASURES = frozenset({"length", "spots"})
"""Forms that describe the pieces and not the rules: they are no part of the fingerprint."""


class Number(NamedTuple):  # a data class with so many fields would cost every import a millisecond
    """One thing that is printed on a component. ``value`` None: nobody has found it."""

    path: str
    form: str
    value: Any
    verified: bool
    source: str
    origin: Origin = "shipped"
    ask: str = ""
    """What the owner has to type, from which component."""
    low: int | None = None
    high: int | None = None
    """The bounds of every number in it; None: those of its form."""
    fixed: bool = False
    """The rules are built on it: no owner's file can replace it."""
    example: Any = None
    """How a missing value looks, for the file that an owner fills in; it is never played by."""

    @property
    def seen(self) -> tuple[Any, bool, bool]:
        """All that the rules may look at: the value, whether it is verified, whether it is invented."""
        return self.value, self.verified, self.origin == "house"


@dataclass(frozen=True, slots=True)
class Lack:
    """A number that is missing or cannot be: its path, what is wrong, and what to type from which component.

    The path of one row (from 1) of a number made of rows is ``map.edges[3]``: its own line is then named to the owner.
    """

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
        import hashlib  # slow to import, and a game of Thoth needs a catalogue only once it is played
        import json

        self.game = game
        self.numbers = MappingProxyType(dict(numbers))
        seen = {path: number.seen for path, number in numbers.items() if number.form not in MEASURES}
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

    @property
    def unverified(self) -> tuple[str, ...]:
        """The shipped numbers the rules use that nobody has seen on a component of this edition."""
        return tuple(
            path
            for path, number in self.numbers.items()
            if number.value is not None
            and number.origin == "shipped"
            and not (number.verified or number.fixed or number.form in MEASURES)
        )

    def differing(self, base: Catalogue) -> tuple[Number, ...]:
        """The numbers that are not those of ``base``, as far as the rules can see."""
        return tuple(
            number
            for path, number in self.numbers.items()
            if number.form not in MEASURES and number.seen != base.numbers[path].seen
        )


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
    """The catalogue that comes with Thoth; a game without a catalog.toml has no numbers."""
    import tomllib

    text = _text(game, "catalog.toml")
    return Catalogue(game, {path: _number(path, entry) for path, entry in _entries(tomllib.loads(text))})


def _text(game: str, name: str) -> str:
    """One of the game's data files; a file it does not have is empty."""
    from importlib.resources import files

    try:
        return (files("engines") / game / name).read_text("utf-8")
    except FileNotFoundError:
        return ""


def _number(path: str, entry: Mapping[str, Any]) -> Number:
    return Number(
        path=path,
        form=entry["form"],
        value=entry.get("value"),
        verified=entry.get("verified", False),
        source=entry.get("source", ""),
        origin="house" if entry.get("house") else "shipped",
        ask=entry.get("ask", ""),
        low=entry.get("low"),
        high=entry.get("high"),
        fixed=entry.get("fixed", False),
        example=entry.get("example"),
    )


@cache
def house(game: str) -> Catalogue:
    """The shipped catalogue with the house set that comes with Thoth laid over it; the shipped one for a game without a set.

    Raises ValueError when the set has a fault.
    """
    from engines.ownfile import read_own

    own = read_own(_text(game, "house.toml"), "house set")
    if own.faults:
        raise ValueError(f"engines/{game}/house.toml, {own.faults[0]}")
    return laid(game, [own])


BASES = MappingProxyType({"shipped": shipped, "house": house})
"""The sets of numbers that come with Thoth, by their name in a record."""


def laid(game: str, files: Iterable[OwnFile], base: Catalogue | None = None) -> Catalogue:
    """The base (the shipped catalogue when there is none) with the sound numbers of these files laid over it, one after the other."""
    catalogue = shipped(game) if base is None else base
    for file in files:
        values = file.values.get(game)
        if values:
            catalogue = override(catalogue, values, "house" if file.house else "own", file.name)
    return catalogue


def override(catalogue: Catalogue, values: Mapping[str, Any], origin: Origin, source: str) -> Catalogue:
    """The catalogue with these values (by dotted path) laid over it. Raises KeyError for an unknown path."""
    numbers = dict(catalogue.numbers)
    for path, value in values.items():
        numbers[path] = numbers[path]._replace(
            value=value, verified=origin == "own", origin=origin, source=source
        )
    return Catalogue(catalogue.game, numbers)


def missing(catalogue: Catalogue, paths: Iterable[str]) -> tuple[Lack, ...]:
    """A lack for each of these numbers that has no value, with the words that tell the owner what to type."""
    return tuple(
        Lack(path, f"{path} is missing", catalogue.numbers[path].ask)
        for path in paths
        if catalogue[path] is None
    )


def based_on(catalogue: Catalogue) -> tuple[str, tuple[Number, ...]]:
    """The set that comes with Thoth which it is nearest to ("shipped" or "house"), and the numbers that are not of that set."""
    name, numbers = "shipped", catalogue.differing(shipped(catalogue.game))
    other = catalogue.differing(house(catalogue.game))
    # A number that is as shipped where the house set has another cannot be told as one that was given.
    if len(other) < len(numbers) and all(number.origin != "shipped" for number in other):
        name, numbers = "house", other
    return name, numbers
