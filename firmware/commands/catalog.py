"""``thoth catalog``: what is printed on a game's components, what is missing, a file to fill in, and its check."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from engines import games
from engines.catalogue import Catalogue, Lack, Number, house, laid, shipped
from engines.forms import how
from engines.game import Game
from engines.ownfile import CatalogueFault, OwnFile
from engines.referee import settings
from firmware.commands.tomltext import assigned, in_words, table_line
from firmware.numbers import catalogue_for, load, places, shown, told

_VALUE = 30
"""Letters of a value that stands on its number's line; a longer one stands below."""
_STATES: Mapping[str, str] = {
    "missing": "Missing: a game that needs one of these cannot start until you give it",
    "unverified": "Unverified: compare them with your components, and give those that differ",
    "house": "House numbers: invented; scores and records made with them say so until you give your own",
}
"""The states that leave something to do, and what to say of them."""


def catalog(game: str, numbers: Sequence[str], template: bool, out: TextIO) -> int:
    """``thoth catalog GAME``: every number with its value, state and source, and what is to be done; or a file to fill in.

    Raises firmware.numbers.NumbersError as ``catalogue_for`` does.
    """
    found = games()[game]
    catalogue = catalogue_for(game, numbers)
    lines = tuple(_template(found, catalogue) if template else _page(found, catalogue))
    out.writelines(f"{line}\n" for line in lines)
    return 0


def check(path: Path, out: TextIO) -> int:
    """``thoth catalog --check FILE``: every fault of a file of numbers; 0 when there is none, else 1. Raises OSError."""
    file = load(path)
    faults = sorted([*file.faults, *_unfit(file)], key=lambda fault: (fault.line, fault.text))
    out.writelines(f"{path}, {fault}\n" for fault in faults)
    for game, values in file.values.items():
        counted = (
            f"{len(values)} {'house ' if file.house else ''}{'number' if len(values) == 1 else 'numbers'}"
        )
        out.write(f"{path}: {counted} for {game}; {_playable(games()[game], laid(game, [file]))}\n")
    if not faults:
        out.write(f"{path}: no faults\n")
    return 1 if faults else 0


def state(number: Number) -> str:
    """What a number rests on, in one word."""
    if number.value is None:
        return "missing"
    if number.origin != "shipped":
        return number.origin
    if number.verified:
        return "verified"
    return "fixed" if number.fixed else "unverified"


def _lacks(game: Game, catalogue: Catalogue) -> dict[int, tuple[Lack, ...]]:
    """What is missing or does not fit, by number of players, with the options at their defaults."""
    options = settings(game, {})
    return {players: game.rules.lacks(players, options, catalogue) for players in game.players}


def _all_lacks(game: Game, catalogue: Catalogue) -> Iterable[Lack]:
    return dict.fromkeys(lack for lacks in _lacks(game, catalogue).values() for lack in lacks)


def _given(catalogue: Catalogue, lack: Lack) -> bool:
    """Whether the number that a lack is about has a value: then it does not fit, else it is missing."""
    number = catalogue.numbers.get(lack.path.partition("[")[0])
    return number is None or number.value is not None


def _playable(game: Game, catalogue: Catalogue) -> str:
    able = [str(players) for players, lacks in _lacks(game, catalogue).items() if not lacks]
    if not able:
        return "the game cannot be played by them yet"
    more = f"{', '.join(able[:-1])} or {able[-1]}" if len(able) > 1 else able[0]
    return f"with them the game is for {more} {'player' if able == ['1'] else 'players'}"


def _unfit(file: OwnFile) -> Iterator[CatalogueFault]:
    """What does not fit together in a file whose numbers are all well formed. What is merely missing is no fault of the file."""
    for game in file.values:
        catalogue = laid(game, [file])
        for lack in _all_lacks(games()[game], catalogue):
            line = file.line(game, lack.path)
            if line is not None and _given(catalogue, lack):
                yield CatalogueFault(line, lack.text, lack.remedy)


# -- for reading -----------------------------------------------------------------------------------------


def _page(game: Game, catalogue: Catalogue) -> Iterator[str]:
    width = max(72, min(120, shutil.get_terminal_size((100, 24)).columns))
    states = [state(number) for number in catalogue.numbers.values()]
    counted = ", ".join(f"{states.count(one)} {one}" for one in dict.fromkeys(states))
    yield from _wrapped(
        f"{game.name}: {len(states)} numbers ({counted}); {_playable(game, catalogue)}", width
    )
    for table, numbers in _tables(catalogue.numbers.values()):
        yield from ("", table or game.id)
        for number in numbers:
            yield from _row(number, width)
    for one, title in _STATES.items():
        numbers = [number for number in catalogue.numbers.values() if state(number) == one]
        if numbers:
            yield from ("", *_wrapped(f"{title}:", width))
        for number in numbers:
            yield from _wrapped(f"{number.path}: {number.ask or number.source}", width, "  ", "      ")
    unfit = [lack for lack in _all_lacks(game, catalogue) if _given(catalogue, lack)]
    if unfit:
        yield from ("", "These do not fit together:")
    for lack in unfit:
        yield from _wrapped(told(lack), width, "  ", "      ")
    if any(not number.fixed for number in catalogue.numbers.values()):
        yield from ("", "To give your own:")
        yield f"  thoth catalog {game.id} --template > {game.id}.toml   # then fill it in"
        yield f"  thoth catalog --check {game.id}.toml"
        yield f"  thoth play {game.id} --numbers {game.id}.toml"
        yield f"Kept as {shown(places()[1])} (for the whole box: {places()[0]}) it is used without --numbers."
    if house(game.id) != shipped(game.id):
        yield from ("", "To try the game with invented numbers:", f"  thoth play {game.id} --numbers house")


def _tables(numbers: Iterable[Number]) -> Iterator[tuple[str, list[Number]]]:
    """The numbers by the table they stand in, in the order of first mention."""
    found: dict[str, list[Number]] = {}
    for number in numbers:
        found.setdefault(number.path.rpartition(".")[0], []).append(number)
    yield from found.items()


def _row(number: Number, width: int) -> Iterator[str]:
    """One number of the page: name, value, state and source; a long value stands below, entry by entry."""
    entries = in_words(number.value)
    value = ", ".join(entries) or "-"
    short = value if len(value) <= _VALUE else f"{len(entries)} entries"
    head = f"  {number.path.rpartition('.')[2]:<14} {short:<{_VALUE}} {state(number):<10} "
    yield from _wrapped(head + number.source, max(width, len(head) + 40), "", " " * len(head))
    if short != value:
        apart = number.form in ("rows", "words")
        for line in entries if apart else (value,):
            yield from _wrapped(line, width, "      ", "        ")


def _wrapped(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
        break_long_words=False,
    )


# -- for filling in --------------------------------------------------------------------------------------


def _template(game: Game, catalogue: Catalogue) -> Iterator[str]:
    """Each number that can be given, commented out, with what to type from which component."""
    numbers = [number for number in catalogue.numbers.values() if not number.fixed]
    yield f"# The numbers of {game.name}, to be copied from your own components."
    if not numbers:
        yield "# All of them stand in its rulebook: there is nothing to give."
        return
    yield "# A # with no space behind it stands before a number as it is now: take it away and write what your component says."
    yield "# A line that keeps its # changes nothing. Are the numbers invented? Then write above all tables: house = true"
    yield "# Check the file with: thoth catalog --check FILE. Play by it with: --numbers FILE, or keep it as"
    yield f"# {shown(places()[1])} (for the whole box: {places()[0]})."
    for table, inside in _tables(numbers):
        yield from ("", table_line(game.id, table))
        for number in inside:
            example = number.example if number.value is None else None
            about = f"{number.ask or number.path} ({how(number)})" if example is None else number.ask
            about = f"{about}. {state(number).capitalize()}"
            yield from _wrapped(f"{about}: {number.source}" if number.source else about, 110, "# ", "# ")
            if example is not None:
                yield "# Write it like this, with all that your components have:"
            value = number.value if example is None else example
            yield from (f"#{line.lstrip()}" for line in assigned(number.path.rpartition(".")[2], value))
