r"""The record of a game as text: a person can read it, write it by hand, and mend it with any editor.

::

    Thoth record 1
    game: tanis
    players: Ana, Ben
    first: Ben
    option packing: brick

    reveal a1-b1 falcon-7
    1. Ben: take falcon-7
    reveal b1-c1 ?-3
    ; Ana thought for a long time
    2. Ana: explorer snake-7 right 2
    ...
    result: Ana 20, Ben 19; Ana wins, 20 to 19 points

- The header is the first line, ``game``, ``players`` (by seat), ``first`` (who began) and one ``option`` line for each option
  that is set; options left out stand at their defaults. It ends at the first step.
- A move is numbered from 1 and begins with the player's name; ``reveal`` and ``correct`` lines say what the table showed. The
  words after that are the game's own (``engines/<game>/notation.py``).
- ``;`` begins a comment, on a line of its own. Empty lines mean nothing.
- ``result`` closes a finished game; it is checked against the steps.
- A name with a comma, colon, quote or space at its ends is written in double quotes with JSON's escapes.
- Every line ends with a line feed. A last line without one was torn while it was written and is dropped: "take falcon-1" may
  be what is left of "take falcon-10". Any other damage is named with its line and the remedy.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from engines.game import IllegalMove, Move, Reveal, Step, WrongReveal
from engines.referee import Match, settings

TITLE = "Thoth record 1"
MOVE = re.compile(r'([1-9][0-9]*)\. ("(?:[^"\\]|\\.)*"|[^:"]+): (\S.*)')
HEADER = re.compile(r"(game|players|first|option \w+): (.+)")
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


def _quoted(name: str) -> str:
    plain = name == name.strip() and name.isprintable() and not set(name) & set(',:";\\')
    return name if plain else json.dumps(name)


def result(match: Match) -> str | None:
    """The result line's text, or None while the game goes on."""
    outcome = match.outcome()
    if outcome is None:
        return None
    totals = ", ".join(
        f"{_quoted(name)} {total}" for name, total in zip(match.names, match.score().totals, strict=True)
    )
    winners = " and ".join(_quoted(match.names[seat]) for seat in outcome.winners)
    return f"{totals}; {winners} {'wins' if len(outcome.winners) == 1 else 'win'}, {outcome.decided_by}"


def write(match: Match, comments: tuple[tuple[int, str], ...] = ()) -> str:
    """The match as text. ``comments`` are (number of steps before it, text of one line).

    Raises ValueError for a comment that holds a line feed.
    """
    game = match.game
    lines = [
        TITLE,
        f"game: {game.id}",
        f"players: {', '.join(map(_quoted, match.names))}",
        f"first: {_quoted(match.names[match.first])}",
        *(f"option {option.name}: {match.options[option.name]}" for option in game.options),
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
        words = game.rules.format(step)
        if isinstance(step, Move):
            number += 1
            words = f"{number}. {_quoted(match.names[step.player])}: {words}"
        lines.append(words)
    lines += notes.get(len(match.steps), ())
    final = result(match)
    if final is not None:
        lines.append(f"result: {final}")
    return "\n".join(lines) + "\n"


def read(text: str) -> Match:
    """The match a record holds. Raises RecordError that names the line and what to do."""
    return read_annotated(text).match


def read_annotated(text: str) -> Annotated:
    """The match and the comments a record holds. Raises RecordError."""
    lines = text.split("\n")
    lines.pop()  # What follows the last line feed: nothing, or a torn line.
    if not lines or lines[0] != TITLE:
        raise RecordError(1, "This is no record.", f"Its first line must be '{TITLE}'.")
    body = next((at for at, line in enumerate(lines[1:], start=1) if not _in_header(line)), len(lines))
    return _body(_header(lines, body), lines, body)


def _in_header(line: str) -> bool:
    return not line.strip() or line.startswith(";") or HEADER.fullmatch(line) is not None


def _header(lines: list[str], end: int) -> Match:
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
    names = _names(text)
    if names is None:
        raise RecordError(at_players, "The players cannot be read.", "Write them like: Ana, Ben.")
    at, text = values.pop("first")
    first = _name(text)
    if first not in names:
        raise RecordError(at, f"'{first}' is none of the players.", f"Write one of: {', '.join(names)}.")
    options = {}
    for key, (at, value) in values.items():
        name = key.removeprefix("option ")
        try:
            settings(game, {name: value})
        except ValueError as error:
            raise RecordError(at, f"{error}.", "Correct the option or take the line out.") from None
        options[name] = value
    try:
        return Match.begin(game, names, names.index(first), options)
    except ValueError as error:
        raise RecordError(at_players, f"{error}.", "Correct the players.") from None


def _name(text: str) -> str | None:
    """A name as it was before it was quoted, or None when the quotes are damaged."""
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return None


def _names(text: str) -> tuple[str, ...] | None:
    """The players of the header, or None when they are damaged."""
    if not NAMES.fullmatch(text):
        return None
    names = [_name(part) for part in re.findall(NAME, text)]
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
            step = rules.parse(line, 0)
            if not isinstance(step, Reveal):
                raise ValueError(f"a move needs its number and player: '{moves + 1}. Name: {line}'")
            return step
        if int(found[1]) != moves + 1:
            raise RecordError(
                number,
                f"Move {found[1]} stands where move {moves + 1} is due.",
                "Put the missing line in, or number the moves anew.",
            )
        player = _name(found[2])
        if player not in match.names:
            raise RecordError(
                number, f"'{player}' is none of the players.", f"Write one of: {', '.join(match.names)}."
            )
        step = rules.parse(found[3], match.names.index(player))
        if not isinstance(step, Move):
            raise ValueError("a reveal has no number and no player: write it alone on its line")
        return step
    except ValueError as error:
        raise RecordError(number, f"This line cannot be read: {error}.", "Correct the line.") from None
