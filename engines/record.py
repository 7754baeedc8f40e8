r"""The record of a game as text: a person can read it, write it by hand, and mend it with any editor.

::

    Thoth record 1
    game: tanis
    players: Ana, Ben
    first: Ben
    option packing: brick
    catalogue: shipped 1a2b3c4d

    reveal a1-b1 falcon-7
    1. Ben: take falcon-7
    reveal b1-c1 ?-3
    ; Ana thought for a long time
    2. Ana: explorer snake-7 right 2
    ...
    result: Ana 20, Ben 19; Ana wins, 20 to 19 points

- The header is the first line, ``game``, ``players`` (by seat), ``first`` (who began) and one ``option`` line for each option
  that is set; options left out stand at their defaults. It ends at the first step.
- ``catalogue`` says by which numbers of the components it was played: ``shipped``, ``house`` (the house set that comes with Thoth), ``own``
  or ``own on house``, and their fingerprint; the line may be left out (shipped), the fingerprint too. Numbers of the owner's own
  follow, one ``number PATH: VALUE`` line each with the value in JSON (``house number`` when it is invented), so that the record can be judged
  on any machine.
- A move is numbered from 1 and begins with the player's name; ``reveal`` and ``correct`` lines say what the table showed. The
  words after that are the game's own (``engines/<game>/notation.py``).
- ``;`` begins a comment, on a line of its own. Empty lines mean nothing.
- ``result`` closes a finished game; it is checked against the steps. It ends with "; house numbers" when such are in force.
- A name with a comma, colon, quote or space at its ends is written in double quotes with JSON's escapes.
- Every line ends with a line feed. A last line without one was torn while it was written and is dropped: "take falcon-1" may
  be what is left of "take falcon-10". Any other damage is named with its line and the remedy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from engines.catalogue import BASES, Catalogue, MissingNumbers, based_on, override
from engines.game import Game, IllegalMove, Move, Reveal, Step, WrongReveal
from engines.referee import Match, settings

TITLE = "Thoth record 1"
MOVE = re.compile(r'([1-9][0-9]*)\. ("(?:[^"\\]|\\.)*"|[^:"]+): (\S.*)')
HEADER = re.compile(r"(game|players|first|catalogue|option \w+|(?:house )?number [\w.-]+): (.+)")
CATALOGUE = re.compile(r"(shipped|house|own|own on house)(?: ([0-9a-f]{8}))?")
HOUSE = "; house numbers"
"""What closes the result line when numbers are invented."""
NAME = r'"(?:[^"\\]|\\.)*"|[^,":; ](?:[^,":;]*[^,":; ])?'
NAMES = re.compile(rf"(?:{NAME})(?:, (?:{NAME}))*")


class RecordError(Exception):
    """A record that cannot be read: ``line`` from 1, ``text`` what is wrong, ``remedy`` what to do."""

    def __init__(self, line: int, text: str, remedy: str) -> None:
        super().__init__(f"line {line}: {text} {remedy}")
        self.line = line
        self.text = text
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Annotated:
    """A match and the comments in its record: (number of steps before it, text)."""

    match: Match
    comments: tuple[tuple[int, str], ...] = ()


def quoted(name: str) -> str:
    plain = name == name.strip() and name.isprintable() and not set(name) & set(',:";\\')
    return name if plain else json.dumps(name)


def result(match: Match) -> str | None:
    """The result line's text, or None while the game goes on."""
    outcome = match.outcome()
    if outcome is None:
        return None
    totals = ", ".join(
        f"{quoted(name)} {total}" for name, total in zip(match.names, match.score().totals, strict=True)
    )
    winners = " and ".join(quoted(match.names[seat]) for seat in outcome.winners) or "nobody"
    wins = "wins" if len(outcome.winners) < 2 else "win"
    return f"{totals}; {winners} {wins}, {outcome.decided_by}{HOUSE if match.house else ''}"


def told(catalogue: Catalogue) -> tuple[str, ...]:
    """The header's lines that say which numbers are in force."""
    base, own = based_on(catalogue)
    name = base if not own else "own" if base == "shipped" else f"own on {base}"
    return (
        f"catalogue: {name} {catalogue.fingerprint}",
        *(
            f"{'house ' if number.origin == 'house' else ''}number {number.path}: "
            f"{json.dumps(number.value, ensure_ascii=False)}"
            for number in own
        ),
    )


def write(match: Match, comments: tuple[tuple[int, str], ...] = ()) -> str:
    """The match as text. ``comments`` are (number of steps before it, text of one line).

    Raises ValueError for a comment that holds a line feed.
    """
    game = match.game
    lines = [
        TITLE,
        f"game: {game.id}",
        f"players: {', '.join(map(quoted, match.names))}",
        f"first: {quoted(match.names[match.first])}",
        *(f"option {option.name}: {match.options[option.name]}" for option in game.options),
        *told(match.catalogue),
        "",
    ]
    notes: dict[int, list[str]] = {}
    for place, text in comments:
        if not text.isprintable() or text != text.strip():
            raise ValueError("a comment is one line of text")
        notes.setdefault(place, []).append(f"; {text}".rstrip())
    number = 0
    for index, step in enumerate(match.steps):
        lines += notes.get(index, ())
        words = game.rules.format(step, match.names)
        if isinstance(step, Move):
            number += 1
            words = f"{number}. {quoted(match.names[step.player])}: {words}"
        lines.append(words)
    lines += notes.get(len(match.steps), ())
    final = result(match)
    if final is not None:
        lines.append(f"result: {final}")
    return "\n".join(lines) + "\n"


Numbers = Callable[[str], Catalogue]
"""Gives the catalogue for a game, by its id."""


def read(text: str, numbers: Numbers | None = None) -> Match:
    """The match a record holds. Raises RecordError that names the line and what to do.

    ``numbers`` take the place of the set that comes with Thoth; the record's own numbers are laid over them, and its fingerprint must still fit.
    """
    return read_annotated(text, numbers).match


def read_annotated(text: str, numbers: Numbers | None = None) -> Annotated:
    """The match and the comments a record holds. Raises RecordError."""
    lines = text.split("\n")
    lines.pop()  # What follows the last line feed: nothing, or a torn line.
    if not lines or lines[0] != TITLE:
        raise RecordError(1, "This is no record.", f"Its first line must be '{TITLE}'.")
    body = next((at for at, line in enumerate(lines[1:], start=1) if not _in_header(line)), len(lines))
    return _body(_header(lines, body, numbers), lines, body)


def _in_header(line: str) -> bool:
    return not line.strip() or line.startswith(";") or HEADER.fullmatch(line) is not None


def _header(lines: list[str], end: int, numbers: Numbers | None) -> Match:
    """The match before its first step, from the lines before ``end``."""
    from engines import games

    values: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[:end], start=1):
        found = HEADER.fullmatch(line)
        if not found:
            continue
        if found[1] in values:
            raise RecordError(number, f"'{found[1]}' stands twice.", "Take one of the two lines out.")
        values[found[1]] = (number, found[2])
    for name in ("game", "players", "first"):
        if name not in values:
            last = max((at for at, line in enumerate(lines[:end]) if HEADER.fullmatch(line)), default=0)
            after = next((at for at in range(last + 1, len(lines)) if lines[at].strip()), len(lines) - 1)
            raise RecordError(
                after + 1,
                f"The header has no '{name}'.",
                f"Write a line '{name}: ...' below the first line.",
            )
    at, id = values.pop("game")
    if id not in games():
        raise RecordError(at, f"There is no game '{id}'.", f"Write one of: {', '.join(games())}.")
    game = games()[id]
    at_players, text = values.pop("players")
    names = read_names(text)
    if names is None:
        raise RecordError(at_players, "The players cannot be read.", "Write them like: Ana, Ben.")
    at, text = values.pop("first")
    first = read_name(text)
    if first not in names:
        raise RecordError(at, f"'{first}' is none of the players.", f"Write one of: {', '.join(names)}.")
    catalogue = _catalogue(game, values, numbers)
    at_numbers = values.pop("catalogue", (at_players, ""))[0]
    options = {}
    for key, (at, value) in values.items():
        name = key.removeprefix("option ")
        try:
            settings(game, {name: value})
        except ValueError as error:
            raise RecordError(at, f"{error}.", "Correct the option or take the line out.") from None
        options[name] = value
    try:
        return Match.begin(game, names, names.index(first), options, catalogue=catalogue)
    except MissingNumbers as error:
        raise RecordError(
            at_numbers,
            f"{game.name} cannot be played by these numbers: {'; '.join(lack.text for lack in error.lacks)}.",
            f"Give them with --numbers FILE; thoth catalog {game.id} --template prints one to fill in.",
        ) from None
    except ValueError as error:
        raise RecordError(at_players, f"{error}.", "Correct the players.") from None


def _catalogue(game: Game, values: dict[str, tuple[int, str]], numbers: Numbers | None) -> Catalogue:
    """The numbers in force by the header's lines; those about single numbers are taken out of it. Raises RecordError."""
    own = {key: values.pop(key) for key in list(values) if "number " in key}
    at, text = values.get("catalogue", (0, "own" if own else "shipped"))
    said = CATALOGUE.fullmatch(text)
    if said is None:
        raise RecordError(
            at,
            f"'{text}' is no catalogue.",
            "Write shipped, house, own or own on house, or take the line out.",
        )
    if own and not said[1].startswith("own"):
        raise RecordError(
            at,
            "The record has numbers of its own.",
            f"Write catalogue: own{' on house' if said[1] == 'house' else ''}.",
        )
    base = BASES["house" if said[1].endswith("house") else "shipped"]
    catalogue = (numbers or base)(game.id)
    for key, (line, value) in own.items():
        catalogue = _number(catalogue, key, line, value)
    if said[2] and said[2] != catalogue.fingerprint:
        raise RecordError(
            at,
            f"This game was played by other numbers ({said[2]}) than these ({catalogue.fingerprint}).",
            f"Give those with --numbers FILE, or write 'catalogue: {said[1]}' to judge it by these.",
        )
    return catalogue


def understood(game: Game, lines: Iterable[str]) -> Catalogue:
    """The numbers in force by the lines that ``told`` wrote. Raises RecordError."""
    found = (HEADER.fullmatch(line) for line in lines)
    return _catalogue(game, {one[1]: (at, one[2]) for at, one in enumerate(found, start=1) if one}, None)


def _number(catalogue: Catalogue, key: str, line: int, text: str) -> Catalogue:
    """The catalogue with the number of one line in its place. Raises RecordError."""
    from engines.ownfile import fault

    house, _, path = key.rpartition("number ")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(
            line, f"The value of {path} cannot be read.", "Write it as JSON, like 4 or [1, 2]."
        ) from None
    found = fault(catalogue, path, value)
    if found is not None:
        raise RecordError(line, f"{found[0]}.", f"Correct this line: {found[1]}.")
    return override(catalogue, {path: value}, "house" if house else "own", "the record")


def read_name(text: str) -> str | None:
    """A name as it was before it was quoted, or None when the quotes are damaged."""
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return None


def read_names(text: str) -> tuple[str, ...] | None:
    """The players of the header, or None when they are damaged."""
    if not NAMES.fullmatch(text):
        return None
    names = [read_name(part) for part in re.findall(NAME, text)]
    return None if None in names else tuple(name for name in names if name is not None)


def _body(match: Match, lines: list[str], start: int) -> Annotated:
    """The steps from line ``start`` (from 0) on, each accepted by the rules; comments may stand in the header as well."""
    steps: list[Step] = []
    states: list[Any] = [match.state]
    notes = [(0, line[1:].strip()) for line in lines[:start] if line.startswith(";")]
    moves = 0
    over = False
    for number, line in enumerate(lines[start:], start=start + 1):
        if not line.strip():
            continue
        if line.startswith(";"):
            notes.append((len(steps), line[1:].strip()))
            continue
        if over:
            raise RecordError(
                number, "Something stands after the result.", "Take this line out, or the result line."
            )
        if line.startswith("result: "):
            _close(replace(match, steps=tuple(steps), states=tuple(states)), number, line)
            over = True
            continue
        step = _step(match, number, line, moves)
        moves += isinstance(step, Move)
        try:
            states.append(match.game.rules.apply(states[-1], step))
        except IllegalMove as error:
            raise RecordError(
                number,
                f"This move is not allowed: {error.refusal.long} ({error.refusal.rule})",
                "Correct this line or one before it.",
            ) from None
        except WrongReveal as error:
            raise RecordError(
                number, f"This cannot be: {error}", "Correct this line or one before it."
            ) from None
        steps.append(step)
    return Annotated(replace(match, steps=tuple(steps), states=tuple(states)), tuple(notes))


def _close(match: Match, number: int, line: str) -> None:
    """Checks the result line. Raises RecordError when it is not what the steps say."""
    final = result(match)
    if final is None:
        raise RecordError(
            number, "The game is not over yet.", "Take the result line out, or add the missing moves."
        )
    if line != f"result: {final}":
        raise RecordError(
            number, "The result is not what the moves say.", f"Write: result: {final}, or correct the moves."
        )


def _step(match: Match, number: int, line: str, moves: int) -> Step:
    """The step that a line says; ``moves`` were made before it."""
    rules = match.game.rules
    found = MOVE.fullmatch(line)
    try:
        if found is None:
            if line[0].isdigit():
                raise ValueError(f"'{line}' is no move: write '{moves + 1}. Name: ' and the move")
            step = rules.parse(line, 0, match.names)
            if not isinstance(step, Reveal):
                raise ValueError(f"a move needs its number and player: '{moves + 1}. Name: {line}'")
            return step
        if int(found[1]) != moves + 1:
            raise RecordError(
                number,
                f"Move {found[1]} stands where move {moves + 1} is due.",
                "Put the missing line in, or number the moves anew.",
            )
        player = read_name(found[2])
        if player not in match.names:
            raise RecordError(
                number, f"'{player}' is none of the players.", f"Write one of: {', '.join(match.names)}."
            )
        step = rules.parse(found[3], match.names.index(player), match.names)
        if not isinstance(step, Move):
            raise ValueError("a reveal has no number and no player: write it alone on its line")
        return step
    except ValueError as error:
        raise RecordError(number, f"This line cannot be read: {error}.", "Correct the line.") from None
