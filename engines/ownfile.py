"""The owner's file: numbers copied from the components, or invented for a house game, read so that every fault is named at once.

::

    house = true                    # only where the numbers are invented; else leave the line out

    [archaeology.treasures.coin]
    sell = [2, 6, 10, 18, 30]

A number with a fault is left out and named with its line; all others are used by nobody until the faults are gone, unless the caller
wants it otherwise.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engines.catalogue import Catalogue, Number, shipped
from engines.forms import how, wrong
from engines.tomllines import key_lines, lenient

LONGEST = 200_000
"""Letters; a longer text is no file of numbers."""
_TOML = "write it as key = 5, key = [1, 2] or [game.table]"


@dataclass(frozen=True, slots=True)
class CatalogueFault:
    """One thing wrong in a file of numbers: the line from 1, what is wrong, what to write instead."""

    line: int
    text: str
    remedy: str

    def __str__(self) -> str:
        # The file may hold anything; what goes to a terminal may not.
        said = f"line {self.line}: {self.text}; {self.remedy}"
        return "".join(sign if sign.isprintable() else "\ufffd" for sign in said)


@dataclass(frozen=True, slots=True)
class OwnFile:
    """What a file of numbers says: values by game and dotted path, and every fault by its line. ``lines`` says where each path stands."""

    name: str
    house: bool
    values: Mapping[str, Mapping[str, Any]]
    faults: tuple[CatalogueFault, ...]
    lines: Mapping[str, int]

    def line(self, game: str, path: str) -> int | None:
        """Where a number, or one row of it (``map.edges[3]``), is written; None when this file does not say it."""
        if path.partition("[")[0] not in self.values.get(game, {}):
            return None
        found = self.lines.get(f"{game}.{path}")
        return self._near(f"{game}.{path.partition('[')[0]}") if found is None else found

    def _near(self, path: str) -> int:
        """The line of a path, or of the nearest table around it."""
        while path not in self.lines and "." in path:
            path = path.rpartition(".")[0]
        return self.lines.get(path, 1)


def read_own(text: str, name: str) -> OwnFile:
    """The numbers a text gives, and every fault in it, sorted by line. Raises nothing, whatever the text is."""
    if len(text) > LONGEST:
        return _unreadable(name, "this is far too long for a file of numbers", "choose another file")
    try:
        document, unreadable, text = lenient(text)
        lines = key_lines(text)
        faults = [CatalogueFault(line, _short(said), _TOML) for line, said in unreadable]
        file = OwnFile(name, document.get("house") is True, {}, (), lines)
        values = {game: dict(_game(file, game, said, faults)) for game, said in document.items()}
    except RecursionError:
        return _unreadable(
            name, "brackets or dots are nested without end", "start from thoth catalog GAME --template"
        )
    return OwnFile(
        name,
        file.house,
        {game: found for game, found in values.items() if found},
        tuple(sorted(faults, key=lambda fault: (fault.line, fault.text))),
        lines,
    )


def _unreadable(name: str, text: str, remedy: str) -> OwnFile:
    return OwnFile(name, False, {}, (CatalogueFault(1, text, remedy),), {})


def _game(file: OwnFile, game: str, said: Any, faults: list[CatalogueFault]) -> Iterator[tuple[str, Any]]:
    """The sound numbers that one top-level key gives; the faults join the list."""
    from engines import games

    line = file._near(game)
    known = games()
    if game == "house":
        if not isinstance(said, bool):
            faults.append(CatalogueFault(line, "house is neither true nor false", "write house = true"))
    elif game not in known:
        near = difflib.get_close_matches(game[:200], known, n=1)
        remedy = f"did you mean [{near[0]}]?" if near else f"begin a table with one of: {', '.join(known)}"
        faults.append(CatalogueFault(line, f"there is no game '{_short(game)}'", remedy))
    elif not isinstance(said, Mapping):
        faults.append(CatalogueFault(line, f"{game} is a game and no number", f"write a table [{game}...]"))
    else:
        catalogue = shipped(game)
        for path, value in _numbers(said, catalogue):
            found = fault(catalogue, path, value)
            if found is None:
                yield path, value
            else:
                faults.append(CatalogueFault(file._near(f"{game}.{path}"), *found))


def _numbers(said: Mapping[str, Any], catalogue: Catalogue, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every dotted path a game's table gives: down to the numbers, or to where it leaves what is known."""
    for name, value in said.items():
        path = f"{at}.{name}" if at else name
        inside = any(known.startswith(f"{path}.") for known in catalogue.numbers)
        if isinstance(value, Mapping) and inside and path not in catalogue.numbers:
            yield from _numbers(value, catalogue, path)
        else:
            yield path, value


def fault(catalogue: Catalogue, path: str, value: Any) -> tuple[str, str] | None:
    """What is wrong with a value somebody gives for a number, and the remedy; None when it may stand."""
    number = catalogue.numbers.get(path)
    if number is None:
        return unknown(catalogue, path)
    if number.fixed:
        return f"{path} is part of the rules of {catalogue.game} and cannot be given", "take it out"
    said = wrong(number, value)
    return None if said is None else (f"{path} is {said}", remedy(number))


def unknown(catalogue: Catalogue, path: str) -> tuple[str, str]:
    """What to say of a path the game does not have: the text, and the nearest path it has as the remedy."""
    known = [known for known, number in catalogue.numbers.items() if not number.fixed]
    inside = [other for other in known if other.startswith(f"{path}.")]
    if inside:
        return f"{_short(path)} is a table and no number", f"give {inside[0]} instead"
    near = difflib.get_close_matches(path[:200], known, n=1, cutoff=0.5) or [
        other for other in known if other.rpartition(".")[2] == path.rpartition(".")[2]
    ]
    advice = f"did you mean {near[0]}?" if near else f"thoth catalog {catalogue.game} shows all numbers"
    return f"{catalogue.game} has no number '{_short(path)}'", advice


def remedy(number: Number) -> str:
    """What to write for this number, and from which component."""
    return f"write {how(number)}" + (f" ({number.ask})" if number.ask else "")


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
