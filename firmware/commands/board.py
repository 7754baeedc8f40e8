"""``thoth board``: the map of Papyrus in words or as a drawing, and everything that is wrong with it."""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from engines.catalogue import BASES, Catalogue, Lack, laid, missing
from engines.ownfile import OwnFile
from engines.papyrus.board import COLOURS, EVENT, Board, squares_in_words
from engines.papyrus.events import write_effect
from engines.papyrus.numbers import FULL, Numbers
from engines.papyrus.numbers import numbers as compiled
from firmware.numbers import NumbersError, load, own

GAME = "papyrus"
SAMPLE = "sample map"
INVENTED = (
    "An invented map for trying the game out. Only the path from Horus to Anubis is the printed board's."
)


def board(numbers: Sequence[str], svg: bool, out: Path | None) -> int:
    """Tells the map in force in words, or draws it, to ``out`` or to the terminal; its faults follow, when it is drawn on the
    error stream. Gives 0 when the map has no fault, else 1.

    ``numbers`` are ``house``, ``shipped`` or files, as for every command; without any the owner's own file counts. Raises
    NumbersError for a file that cannot be read and for one that cannot be written.
    """
    files = _files(numbers)
    catalogue = laid(GAME, files, BASES["house" if "house" in numbers else "shipped"](GAME))
    found = compiled(catalogue)
    faults = _faults(files, catalogue, found)
    told = [*faults, *_by_line(files, found.warnings, "note: ")]
    if not found.board.places:
        print("There is no map to show.", *told, *_ways_on(), sep="\n", file=sys.stderr)
        return 1
    if svg:
        from firmware.commands.mapdrawing import draw

        heading = f"Papyrus The Game: {_title(files, catalogue)}"
        _write(draw(found.board, heading, _below(found.board, catalogue)), out)
        if told:
            print(*told, sep="\n", file=sys.stderr)
    else:
        _write("".join(f"{line}\n" for line in (*_listing(files, catalogue, found), *_checked(told))), out)
    return 1 if faults else 0


def _files(numbers: Sequence[str]) -> list[OwnFile]:
    """The files that were asked for, or the owner's own, with whatever faults they have."""
    paths = [Path(one) for one in numbers if one not in BASES] if numbers else list(own())
    files = []
    for path in paths:
        try:
            files.append(load(path))
        except OSError as error:
            raise NumbersError(
                f"{path} cannot be read ({error.strerror}): give a file, or house, or shipped"
            ) from None
    return files


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise NumbersError(f"{out} cannot be written ({error.strerror}): choose another place") from None


def _sample(catalogue: Catalogue) -> bool:
    return catalogue.numbers["map.edges"].origin == "house"


def _title(files: Sequence[OwnFile], catalogue: Catalogue) -> str:
    if not _sample(catalogue):
        return f"the map of {catalogue.numbers['map.edges'].source}"
    invented = [file.name for file in files if file.house and "map.edges" in file.values.get(GAME, {})]
    return f"invented map of {invented[-1]}" if invented else SAMPLE


def _below(board: Board, catalogue: Catalogue) -> str:
    if _sample(catalogue) and catalogue.numbers["map.edges"].source == "house set":
        return INVENTED
    return _counted(board)


def _counted(board: Board) -> str:
    pyramids, paths = len(board.pyramids), len(board.edges)
    return f"{pyramids} pyramid{'' if pyramids == 1 else 's'}, {paths} path{'' if paths == 1 else 's'}"


# What is wrong, in lines


def _faults(files: Sequence[OwnFile], catalogue: Catalogue, found: Numbers) -> list[str]:
    """What is wrong with the files themselves, then what is missing or does not fit."""
    unread = [f"{file.name}, {fault}" for file in files for fault in file.faults]
    return [*unread, *_by_line(files, (*missing(catalogue, FULL), *found.faults))]


def _by_line(files: Sequence[OwnFile], lacks: Sequence[Lack], mark: str = "") -> list[str]:
    """The lacks in words, by file and line; those that no file says stand first."""
    told = []
    for lack in lacks:
        at, where = (0, 0), ""
        for number, file in enumerate(files, start=1):
            line = file.line(GAME, lack.path)
            if line is not None:
                at, where = (number, line), f"{file.name}, line {line}: "
        told.append((at, f"{where}{mark}{lack.text}: {lack.remedy}"))
    return [text for _, text in sorted(told, key=lambda one: one[0])]


def _checked(told: Sequence[str]) -> Iterator[str]:
    yield ""
    if not told:
        yield "Checked: no faults."
        return
    yield "Checked:"
    yield from (f"  {line}" for line in told)


def _ways_on() -> tuple[str, ...]:
    return (
        "Copy your board: thoth catalog papyrus --template > papyrus.toml, fill it in, thoth board --numbers papyrus.toml",
        "or look at the sample: thoth board --numbers house",
    )


# The map in words


def _listing(files: Sequence[OwnFile], catalogue: Catalogue, found: Numbers) -> Iterator[str]:
    drawn = found.board
    # The compiled numbers may have been made from another file that says the same: the names of files are the catalogue's.
    yield f"Papyrus The Game: {_title(files, catalogue)}"
    if _below(drawn, catalogue) == INVENTED:
        yield INVENTED
    squares = Counter(square for edge in drawn.edges for square in edge.squares)
    told = ", ".join(f"{squares[colour]} {colour}" for colour in COLOURS)
    events = squares[EVENT] + len(drawn.event_squares)
    yield f"{_counted(drawn)} with {told}; {events} event square{'' if events == 1 else 's'}"
    width = max(map(len, drawn.places))
    for place in drawn.places:
        yield ""
        yield _head(found, place)
        for edge in drawn.edges:
            if place in (edge.a, edge.b):
                there = edge.b if place == edge.a else edge.a
                way = edge.squares if place == edge.a else edge.squares[::-1]
                paid = len(way) - way.count(EVENT)
                cards = f"{paid} card{'' if paid == 1 else 's'}"
                yield f"  to {there:<{width}}  {squares_in_words(way)} ({cards})"
    if found.events:
        yield ""
        yield "Events"
        for event in found.events.values():
            copies = f"{event.copies} x " if event.copies > 1 else ""
            effects = "; ".join(write_effect(effect) for effect in event.effects)
            yield from textwrap.wrap(
                f"{copies}{event.name}: {effects}", 100, initial_indent="  ", subsequent_indent="      "
            )


def _head(found: Numbers, place: str) -> str:
    """A place with what it is and whose pyramid it is: ``horus (start): Horus 6, Bes 4``."""
    what = "event square" if place in found.board.event_squares else ""
    start = "start" if place == found.board.start else ""
    marks = ", ".join(mark for mark in (start, what) if mark)
    gods = ", ".join(
        f"{god.name} {god.value}{' (son of Horus)' if god.son else ''}"
        for god in found.gods.values()
        if god.pyramid == place
    )
    return f"{place}{f' ({marks})' if marks else ''}{f': {gods}' if gods else ''}"
