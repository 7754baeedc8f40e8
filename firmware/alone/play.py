"""``thoth play``: a game without a camera, by hand in a terminal or line by line on a pipe."""

from __future__ import annotations

import contextlib
import importlib
import json
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, BinaryIO

from engines import games, record
from engines.catalogue import MissingNumbers
from engines.dealing import Deal
from engines.referee import Match, settings
from firmware.alone.heading import Answer, Heading, PlayError, named
from firmware.alone.sitting import Sitting, harmless
from firmware.numbers import catalogue_for, refusal

LONGEST = 256 * 1024
"""Bytes of a line; a longer one is unreadable, and its rest is passed over."""


MOST = 1_000_000
"""Bytes of a record that is gone on with."""
DEALT = re.compile("dealt from seed ([0-9]{1,18})")
"""The comment of a record whose cards were dealt."""


@dataclass(frozen=True)
class Wish:
    """The game that was asked for; what is None was left open."""

    game: str
    """Its name, or the file of a record to go on with."""
    players: str | None = None
    options: Sequence[str] = ()
    first: str | None = None
    numbers: Sequence[str] = ()
    deal: int | None = None
    json: bool = False
    out: Path | None = None


def run(wish: Wish) -> int:
    """``thoth play``. Returns 0, or 2 when the game cannot be played by these numbers. Raises PlayError for a wish that cannot be."""
    game = games().get(wish.game.lower())
    if game is None and is_file(wish.game):
        return _go_on(wish)
    if game is None and (Path(wish.game).suffix or Path(wish.game).name != wish.game):
        raise PlayError(f"no record can be read at '{harmless(wish.game)}'; check the path")
    if game is None:
        raise PlayError(f"there is no game '{harmless(wish.game)}'; there is {', '.join(games())}")
    heading = Heading(
        game,
        None if wish.players is None else named(wish.players, game),
        wish.first,
        _options(wish.options),
        catalogue_for(game.id, wish.numbers) if wish.numbers else None,
        partial(catalogue_for, game.id),
    )
    if heading.first is not None and heading.names is not None and heading.first not in heading.names:
        raise PlayError(f"--first is one of the players: {', '.join(heading.names)}")
    try:
        settings(game, heading.options)
    except ValueError as error:
        raise PlayError(f"{error}; write it like --option name=value") from None
    signal.signal(signal.SIGTERM, _ended)  # by way of the end: the record is written
    try:
        if wish.json or sys.stdin is None or not sys.stdin.isatty():
            return Pipe(heading, wish).run()
        from firmware.alone.byhand import Table

        if wish.out is not None and is_file(wish.out):
            raise PlayError(
                f"{wish.out} is there already: go on with it (thoth play {wish.out}), or give another name"
            )
        return Table(heading, _dealer(wish.deal), wish.out, wish.deal).run()
    except MissingNumbers as missing:
        print(f"thoth: {refusal(game, missing)}", file=sys.stderr)
        return 2


def _go_on(wish: Wish) -> int:
    """Go on by hand from a record; it is written on. Raises PlayError, RecordError for a file that is no sound record."""
    if wish.players or wish.options or wish.first or wish.deal is not None:
        raise PlayError("a record says by itself who plays and how: leave out all but --numbers and --out")
    if wish.json or sys.stdin is None or not sys.stdin.isatty():
        raise PlayError("a record is gone on with in a terminal; on a pipe: thoth play GAME --json < FILE")
    from firmware.alone.byhand import Table

    path = Path(wish.game)
    with path.open("rb") as file:
        text = file.read(MOST).decode("utf-8", "replace")
    numbers = partial(catalogue_for, numbers=wish.numbers) if wish.numbers else None
    kept = record.read_annotated(text, numbers)
    match = kept.match
    told = next((found for _, note in kept.comments if (found := DEALT.fullmatch(note))), None)
    seed = int(told[1]) if told else None
    heading = Heading(match.game, match.names, match.names[match.first], match.options, match.catalogue)
    table = Table(heading, _dealer(seed), wish.out or path, seed)
    table.go_on(match.steps, tuple(note for note in kept.comments if not DEALT.fullmatch(note[1])))
    signal.signal(signal.SIGTERM, _ended)
    return table.run()


def _ended(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _options(said: Sequence[str]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for one in said:
        name, equals, value = one.partition("=")
        if not equals:
            raise PlayError(f"write options as --option name=value, not '{harmless(one)}'")
        if chosen.setdefault(name, value) != value:
            raise PlayError(f"option {harmless(name)} is given twice, with different values")
    return chosen


def _dealer(seed: int | None) -> Any:
    """Deals the hidden world of a match from a seed; None without one."""
    if seed is None:
        return None

    def deal(match: Match) -> Deal:
        module = importlib.import_module(f"engines.{match.game.id}.dealing")
        dealt: Deal = module.deal(
            seed, len(match.names), match.first, match.options, catalogue=match.catalogue
        )
        return dealt

    return deal


def result(match: Match) -> dict[str, Any]:
    """The end of the input as one object: game, players, score, winner, over, house; and how many moves stand."""
    outcome = match.outcome()
    return {
        "game": match.game.id,
        "players": list(match.names),
        "moves": len(match.moves),
        "score": dict(zip(match.names, match.score().totals, strict=True)),
        "winner": [match.names[seat] for seat in outcome.winners] if outcome else [],
        "over": outcome is not None,
        "house": match.house,
    }


def in_words(match: Match) -> str:
    """The end of the input as a line: the record's result, or where the game stands."""
    final = record.result(match)
    if final is not None:
        return f"result: {final}"
    totals = ", ".join(f"{name} {total}" for name, total in result(match)["score"].items())
    return f"not over: {totals}{record.HOUSE if match.house else ''}"


class Pipe:
    """Lines come in, answers go out, each at once."""

    def __init__(self, heading: Heading, wish: Wish) -> None:
        self._heading, self._wish = heading, wish
        self._sitting: Sitting | None = None
        self._comments: list[tuple[int, str]] = []
        self._unicode = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "") == "utf8"

    def run(self) -> int:
        """Until the input ends. Raises MissingNumbers and PlayError when the game cannot begin."""
        try:
            for number, line in lines(sys.stdin.buffer if sys.stdin is not None else None):
                self._line(number, line)
            sitting = self._ended()
        finally:
            kept = self._keep()
        match = sitting.match
        print(self._json({"result": result(match)}) if self._wish.json else in_words(match), flush=True)
        return 0 if kept else 2

    def _keep(self) -> bool:
        """Whether the record is where it was wished; if not, why is said, and what was played is answered all the same."""
        try:
            if self._sitting is not None:
                keep(self._sitting, self._wish)
        except OSError as error:
            where = f"{error.filename or self._wish.out}: {error.strerror or error}"
            with contextlib.suppress(OSError, ValueError):  # nobody is left to be told
                print(f"thoth: {where}; check the path, its rights and the free space", file=sys.stderr)
            return False
        return True

    def _ended(self) -> Sitting:
        try:
            return self._begun()
        except record.RecordError as error:
            raise PlayError(f"{error.text} {error.remedy}") from None

    def _begun(self) -> Sitting:
        """The game by what is known of it so far; its first step settles that."""
        if self._sitting is None:
            self._sitting = Sitting(self._heading, _dealer(self._wish.deal))
            self._sitting.comments += self._comments
            if self._sitting.shown and not self._wish.json:
                print(f"the table shows: {'; '.join(map(self._sitting.words, self._sitting.shown))}")
        return self._sitting

    def _line(self, number: int, line: str | None) -> None:
        if line is None:
            self._say(number, Answer("unreadable", "This line is far too long.", "Write one step per line."))
            return
        line = line.strip()
        if self._sitting is None or not self._sitting.played:
            if line.startswith(";"):
                if (note := line[1:].strip()).isprintable():
                    self._comments.append((0, note))
                return
            answer = self._heading.read(line)
            if answer is not None:
                if answer.verdict == "accepted":
                    self._sitting = None  # the game is another one now
                self._say(number, answer)
                return
        if line:
            try:
                answer = self._begun().answer(line)
            except (
                record.RecordError
            ) as error:  # numbers of the header that do not belong together: no game yet
                answer = Answer("refused", error.text, error.remedy)
            if not line.startswith(";"):
                self._say(number, answer)

    def _say(self, number: int, answer: Answer) -> None:
        if answer.verdict != "accepted":  # it may repeat what the line held
            answer = replace(answer, text=harmless(answer.text), remedy=harmless(answer.remedy))
        if not self._wish.json:
            rule = f" ({answer.rule})" if answer.rule else ""
            text = "; ".join(f"{answer.text} {answer.remedy}".strip().split("\n"))
            print(f"line {number}: {answer.verdict}{rule}{': ' + text if text else ''}", flush=True)
            return
        sitting = self._sitting
        print(
            self._json(
                {
                    "line": number,
                    "verdict": answer.verdict,
                    "rule": answer.rule,
                    "text": answer.text,
                    "remedy": answer.remedy,
                    "to_move": sitting.to_move if sitting else self._heading.begins,
                    "score": sitting.score if sitting else dict.fromkeys(self._heading.seats, 0),
                    "over": sitting is not None and sitting.outcome is not None,
                }
            ),
            flush=True,
        )

    def _json(self, said: Any) -> str:
        return json.dumps(said, ensure_ascii=not self._unicode)


def lines(stream: BinaryIO | None) -> Iterator[tuple[int, str | None]]:
    """The lines of a stream with their numbers from 1, whatever bytes they hold; None for one that is far too long."""
    number = 0
    while stream is not None and (data := stream.readline(LONGEST)):
        number += 1
        whole = True
        while len(data) == LONGEST and not data.endswith(b"\n"):
            whole = False
            data = stream.readline(LONGEST)
        yield number, data.decode("utf-8", "replace").removeprefix("\ufeff") if whole else None


def is_file(path: str | Path) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # too long for a path, or not one at all
        return False


def keep(sitting: Sitting, wish: Wish) -> None:
    """Write the record so far where it was wished, if anywhere."""
    if wish.out is not None:
        from firmware.written.records import put

        seed = () if wish.deal is None else ((0, f"dealt from seed {wish.deal}"),)
        put(wish.out, record.write(sitting.match, (*seed, *sitting.comments)))
