"""Playing again: a recorded night from its pictures and events, or the record of a game from its text."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.catalogue import Catalogue
from engines.game import IllegalMove
from engines.referee import Match
from engines.table import Layout
from firmware import night
from firmware.chain import signature
from firmware.events import Blind, Effect, Event, Look, Looked
from firmware.ports import Eyes
from firmware.settings import DEFAULTS
from firmware.written import wording
from firmware.written.recording import EVENTS, START, VERSION, begin

MakeEyes = Callable[[Layout, Mapping[str, Catalogue]], Eyes]
"""Eyes for a layout whose pieces show these numbers, by game."""

_STOPS = "from there on it cannot be played: go back to a copy of the folder"
_MOST = 4_000_000
"""Bytes; a longer file is no record of a game (that of a long night has 10 000)."""
_LONGEST = 400
"""Letters of a fault that are printed."""
_NONSENSE = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What nonsense in a recording may raise, even when it could be read as an event."""
_SHOWN = 10
"""Differences that are printed; the others are counted."""


class RecordingError(Exception):
    """The folder is no recording, or a part of it cannot be read; the sentence says which and what to do."""


@dataclass(frozen=True, slots=True)
class Differs:
    """One difference: the line of events.jsonl (from 1), what was recorded, what happened now."""

    line: int
    what: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}\n    was: {self.was}\n    now: {self.now}"


@dataclass(slots=True)
class Played:
    """What came of a replay. ``pictures``: read again; ``lost``: recorded as read, but no longer in the folder."""

    events: int = 0
    pictures: int = 0
    lost: int = 0
    torn: bool = False
    differences: tuple[Differs, ...] = ()


def recording(folder: Path, eyes: MakeEyes | None = None) -> int:
    """``thoth replay DIR``: run the nights of a recording again and print where they differ; 1 if they do."""
    parts = (
        [folder] if (folder / EVENTS).exists() else sorted(path.parent for path in folder.glob(f"*/{EVENTS}"))
    )
    if not parts:
        raise RecordingError(
            f"{folder} is no recording: it holds no {EVENTS}; give the folder of thoth run --record"
        )
    differs = False
    for part in parts:
        played = play(part, eyes or _eyes)
        name = part.name if part != folder else folder.name
        for one in played.differences[:_SHOWN]:
            print(f"{name}, {one}")
        if len(played.differences) > _SHOWN:
            print(f"{name}: and {len(played.differences) - _SHOWN} more")
        notes = f", {played.lost} pictures no longer there" if played.lost else ""
        notes += ", the last line was torn" if played.torn else ""
        verdict = f"{len(played.differences)} differences" if played.differences else "the same night"
        print(f"{name}: {played.events} events, {played.pictures} pictures read again{notes}: {verdict}")
        differs = differs or bool(played.differences)
    return 1 if differs else 0


def play(folder: Path, make_eyes: MakeEyes) -> Played:
    """One start of the service again. A picture is read anew and compared; then the night decides on what was recorded.

    Raises RecordingError for a folder that is damaged in its middle.
    """
    played = Played()
    differences: list[Differs] = []
    if not (folder / START).exists():
        raise RecordingError(
            f"{folder / START} is missing; this recording cannot be played, go back to a copy of it"
        )
    state, effects = _begin(
        folder / START, _load(folder / START, (folder / START).read_text("utf-8", "replace"))
    )
    sight = _Sight(folder, make_eyes, state.numbers)
    sight.follow(effects)
    for number, line in _lines(folder / EVENTS, played):
        if "start" in line:
            state, effects = _begin(folder / EVENTS, line["start"])
            sight = _Sight(folder, make_eyes, state.numbers)
            sight.follow(effects)
            continue
        try:
            event = wording.event(line["event"])
            recorded = line["effects"]
            played.events += 1
            if "frame" in line:
                if (seen := sight.read(str(line["frame"]))) is None:
                    played.lost += 1
                else:
                    played.pictures += 1
                    if (told := _compare(number, event, seen)) is not None:
                        differences.append(told)
            state, effects = night.step(state, event)
            decided = json.loads(json.dumps(wording.decisions(effects)))
            if decided != recorded:
                differences.append(
                    Differs(number, f"decided on {_short(event)}", _told(recorded), _told(decided))
                )
        except _NONSENSE as error:
            raise RecordingError(f"{folder / EVENTS}, line {number}: {_lacks(error)}; {_STOPS}") from error
        sight.follow(effects)
    played.differences = tuple(differences)
    return played


class _Sight:
    """The eyes of a replay: made for the mat the night looks at and the pieces printed by its ``numbers``, reading what was recorded.
    A gallery or a board of the owner's own is not in a recording."""

    def __init__(self, folder: Path, make_eyes: MakeEyes, numbers: Mapping[str, Catalogue]) -> None:
        self._folder, self._make, self.numbers = folder, make_eyes, numbers
        self._look = Look(None)
        self._layout: Layout | None = None
        self._eyes: Eyes | None = None

    def follow(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if isinstance(effect, Look):
                self._look = effect
                if effect.layout is not None and effect.layout != self._layout:
                    self._layout, self._eyes = effect.layout, None

    def read(self, name: str) -> Event | None:
        """The event that this picture gives now; None when the picture is gone or nobody looks."""
        path = self._folder / Path(name).name  # whatever is written there: nothing outside the folder
        if self._layout is None or self._look.expected is None or not path.is_file():
            return None
        import cv2
        import numpy as np

        data = np.frombuffer(path.read_bytes(), np.uint8)
        try:
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        except cv2.error:
            picture = None
        if picture is None:
            return None
        if self._eyes is None:
            self._eyes = self._make(self._layout, self.numbers)
        found = self._eyes.read(np.asarray(picture, np.uint8), self._look.expected)
        return Looked(found.table, 0.0) if found.table is not None else Blind(found.fault or "other", 0.0)


def _compare(number: int, was: Event, now: Event) -> Differs | None:
    if isinstance(was, Looked) and isinstance(now, Looked):
        before, after = set(signature(was.table)), set(signature(now.table))
        if signature(was.table) == signature(now.table):
            return None
        return Differs(number, "another table is seen", _pieces(before - after), _pieces(after - before))
    if isinstance(was, Blind) and (
        was.fault == "hand" or (isinstance(now, Blind) and was.fault == now.fault)
    ):
        return None  # a hand is not in the recording: that is what the painting over is for
    return Differs(number, "the picture is judged differently", _short(was), _short(now))


def _pieces(pieces: set[tuple[object, ...]]) -> str:
    return "; ".join(sorted(" ".join(map(str, piece)) for piece in pieces)) or "nothing else"


def _short(event: Event) -> str:
    match event:
        case Looked(table):
            return f"a table with {len(table.pieces)} pieces"
        case Blind(fault):
            return f"a picture with a fault: {fault}"
    return json.dumps(wording.encode(event), ensure_ascii=False)


def _told(decisions: list[Any]) -> str:
    return json.dumps(decisions, ensure_ascii=False)[:600]


def _begin(path: Path, start: Any) -> tuple[night.Night, tuple[Effect, ...]]:
    if not isinstance(start, Mapping):
        raise RecordingError(f"{path}: the start of the night is damaged; {_STOPS}")
    if start.get("version") != VERSION:
        raise RecordingError(f"{path} was written by another version of Thoth; replay it with that one")
    try:
        return begin(start)
    except _NONSENSE as error:
        raise RecordingError(
            f"{path}: the start of the night is damaged ({_lacks(error)}); {_STOPS}"
        ) from error


def _lacks(error: Exception) -> str:
    """What an error says, in words: a KeyError by itself holds only the name of what is missing."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error)


def _load(path: Path, text: str) -> Mapping[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path} is damaged ({error}); {_STOPS}") from error
    if not isinstance(said, dict):
        raise RecordingError(f"{path} is damaged; {_STOPS}")
    return said


def _lines(path: Path, played: Played) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The lines with their numbers; a torn last one is noted and left out."""
    lines = path.read_bytes().split(b"\n")
    for number, raw in enumerate(lines, 1):
        if not raw:
            continue
        try:
            said = json.loads(raw)
            if not isinstance(said, dict):
                raise ValueError("this is no event")
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                played.torn = True
                return
            raise RecordingError(f"{path}, line {number}: {error}; {_STOPS}") from error
        yield number, said


def _eyes(layout: Layout, numbers: Mapping[str, Catalogue]) -> Eyes:
    from firmware.service import make_eyes

    return make_eyes(DEFAULTS, Path("/nonexistent"), layout, own=numbers)


# -- the record of a game --------------------------------------------------------------------------------


def record(path: Path, *, as_json: bool = False, numbers: Sequence[str] = ()) -> int:
    """``thoth replay FILE``: check a record move by move and score it; 0 if it is sound, else 1.

    ``numbers`` (house, shipped, files) take the place of the set that comes with Thoth. As JSON a file that cannot be read is a fault
    like any other; else it raises RecordingError (far too long) or OSError. Raises firmware.numbers.NumbersError for numbers that
    cannot be used.
    """
    try:
        text = _text(path)
    except (RecordingError, OSError) as error:
        if not as_json:
            raise
        said = f"The file cannot be read: {error.strerror if isinstance(error, OSError) else 'it is far too long'}."
        found, match = _nothing(), None
        found["fault"] = {"line": 1, "rule": None, "text": said, "remedy": "Give the file of one game."}
    else:
        found, match = _judge(text, numbers)
    if as_json:
        unicode = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"
        print(json.dumps(found, ensure_ascii=not unicode))
    else:
        print(_in_words(path, found, match), end="", file=sys.stdout)
    return 0 if found["ok"] else 1


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(_MOST + 1)
    if len(data) > _MOST:
        raise RecordingError(f"{path} is far too long for the record of a game; give the file of one game")
    return data.decode("utf-8", "replace")


def _nothing() -> dict[str, Any]:
    """What is found where nothing is sound."""
    return {
        "game": None,
        "players": [],
        "options": {},
        "ok": False,
        "moves": 0,
        "score": {},
        "winner": [],
        "fault": None,
    }


def judge(text: str, numbers: Sequence[str] = ()) -> dict[str, Any]:
    """A record as one object: game, players, options, ok, moves, score, winner, fault (None or line, rule, text, remedy)."""
    return _judge(text, numbers)[0]


def _judge(text: str, numbers: Sequence[str]) -> tuple[dict[str, Any], Match | None]:
    from engines.record import RecordError, read
    from firmware.numbers import catalogue_for

    given = (lambda game: catalogue_for(game, numbers)) if numbers else None
    found = _nothing()
    try:
        match = read(text, given)
    except RecordError as error:
        cause = error.__context__
        found["fault"] = {
            "line": error.line,
            "rule": cause.refusal.rule if isinstance(cause, IllegalMove) else None,
            "text": error.text,
            "remedy": error.remedy,
        }
        try:  # what stands before the fault
            match = read("".join(f"{line}\n" for line in text.split("\n")[: error.line - 1]), given)
        except RecordError:
            return found, None
    score = match.score()
    outcome = match.outcome()
    found |= {
        "game": match.game.id,
        "players": list(match.names),
        "options": dict(match.options),
        "ok": found["fault"] is None,
        "moves": len(match.moves),
        "score": {
            name: {
                "total": sum(item.points for item in items),
                "items": [{"text": item.text, "points": item.points} for item in items],
            }
            for name, items in zip(match.names, score.items, strict=True)
        },
        "winner": [match.names[seat] for seat in outcome.winners] if outcome else [],
    }
    return found, match


def _harmless(text: str) -> str:
    """What may go to a terminal: a damaged file can hold anything, and much of it."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text[:_LONGEST])
    return shown + ("..." if len(text) > _LONGEST else "")


def _in_words(path: Path, found: Mapping[str, Any], match: Match | None) -> str:
    if (fault := found["fault"]) is not None:
        sound = f"    ({found['moves']} moves before it are sound)\n" if found["moves"] else ""
        return (
            f"{path}, line {fault['line']}: {_harmless(fault['text'])} {_harmless(fault['remedy'])}\n{sound}"
        )
    house = ", house numbers" if match is not None and match.house else ""
    lines = [f"{found['game']}: {', '.join(found['players'])}, {found['moves']} moves{house}"]
    for name, score in found["score"].items():
        lines.append(f"{name}: {score['total']}")
        lines += [f"    {item['text']}: {item['points']}" for item in score["items"]]
    outcome = match.outcome() if match is not None else None
    winners = " and ".join(found["winner"]) or "nobody"
    lines.append(f"winner: {winners} ({outcome.decided_by})" if outcome else "the game is not over")
    return "\n".join(lines) + "\n"
