"""Records, boards and files of numbers, damaged in every way a hand or a disk can: ``python -m tests.damaged --count 10000``.

None may bring anything but the errors that are meant for it: never a traceback, always the line and a remedy. And what is
accepted in spite of the damage means what it says: a record is replayed step by step, every line of it is a step, and its
own rewritten text is the same match. Files of numbers are damaged by tests/damaged_numbers.py; this adds the map as data
and as a drawing, and records. ``--count`` is for each kind and game.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from itertools import repeat
from pathlib import Path
from xml.etree import ElementTree

from engines import games, record
from engines.catalogue import laid
from engines.ownfile import read_own
from engines.papyrus.numbers import numbers as compiled
from engines.referee import Match
from firmware.commands.board import board
from firmware.written.replay import judge
from tests import damaged_numbers
from tests.invariants import NAMES
from tests.spaces import Setting, setting

COUNT = 10_000
PORTION = 100
SIGNS: tuple[str, ...] = (
    *"0123456789.,:;?-_ \t\"'\\[]{}()aAzZéẞ\u2028\x00\x1b\ud800",
    '"Ana"',
    "\\u0041",
    "  ",
    "\r",
    "9" * 4400,
    "-1",
    "1.",
    "player-1",
    "player-9",
    "nothing",
    "null",
    "[" * 2000,
)
LINES: tuple[str, ...] = (
    "",
    ";",
    "; a comment",
    "game: tanis",
    "game: chess",
    "players: Ana",
    "players: Ana, Ana",
    "players: ",
    "first: Ben",
    "option packing: random",
    "option nothing: yes",
    "catalogue: shipped 00000000",
    "catalogue: own",
    "catalogue: house",
    "number thieves.2: 99",
    "number dig.columns: 9",
    "house number thieves.2: 99",
    "number x: {",
    "correct hand player-1 3",
    "reveal thief",
    "reveal",
    "1. Ana:",
    "1. Ana: take",
    "result: Ana 0, Ben 0; Ana wins, 1 to 0 points",
    "result: ",
    "Thoth record 1",
)
EXTRA = ("; a note that fits anywhere", "", "   ")


@cache
def record_text(game: str, seed: int) -> str:
    """A sound record of a game that was left somewhere."""
    rng = random.Random(f"record {game} {seed}")
    some: Setting = setting(games()[game], rng.choice(games()[game].players), seed)
    deal = some.deal()
    names = NAMES[: some.players]
    match = Match.begin(some.game, names, some.first, some.options, deal.opening(), some.catalogue)
    for _ in range(rng.choice((3, 12, 40, 90))):
        if deal.over:
            break
        move = deal.pick(rng)
        match = match.accept(move)
        for fact in deal.play(move):
            match = match.accept(fact)
    notes = ((rng.randint(0, len(match.steps)), "it rained"),)
    return record.write(match, notes)


def damage(text: str, rng: random.Random) -> str:
    """One fault more."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    header = lines.index("") if "" in lines else len(lines)
    if rng.random() < 0.2:
        at = rng.randrange(max(1, min(header, len(lines))))
    match rng.randrange(12):
        case 0:
            place = rng.randrange(len(text) + 1)
            return text[:place] + rng.choice(SIGNS) + text[place + rng.choice((0, 0, 1, 4)) :]
        case 1:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 2:
            del lines[at]
        case 3:
            lines.insert(rng.randrange(len(lines) + 1), lines[at])
        case 4:
            lines.insert(at, rng.choice(LINES))
        case 5 | 6:
            words = lines[at].split(" ")
            words[rng.randrange(len(words))] = rng.choice(text.split() or ["x"])
            lines[at] = " ".join(words)
        case 7:
            digits = [place for place, sign in enumerate(text) if sign.isdigit()]
            place = rng.choice(digits) if digits else 0
            return f"{text[:place]}{rng.choice((0, 1, 2, 3, 9, 99))}{text[place + 1 :]}"
        case 8:
            lines.insert(at, rng.choice(EXTRA))
        case 9:
            words = lines[at].split(" ")
            del words[rng.randrange(len(words))]
            lines[at] = " ".join(words)
        case 10:
            return text[: rng.randrange(len(text) + 1)]
        case 11:
            kept = [line for line in lines if rng.random() > 0.05]
            return "\n".join(kept)
    return "\n".join(lines)


def told(line: int, text: str, remedy: str, lines: int) -> None:
    """A fault has a line that is there, and says what is wrong and what to do."""
    assert 1 <= line <= lines + 1, (line, lines)
    assert text.strip() and remedy.strip(), (text, remedy)


def record_judged(text: str) -> str:
    """What came of a record. Raises AssertionError, or whatever the program let through."""
    lines = text.count("\n") + 1
    found = judge(text)
    assert json.loads(json.dumps(found)) == found
    try:
        match = record.read(text)
    except record.RecordError as error:
        assert not found["ok"] and found["fault"]["line"] == error.line
        told(error.line, error.text, error.remedy, lines)
        return "fault named"
    assert found["ok"] and found["moves"] == len(match.moves)
    steps = [
        line
        for line in text.split("\n")[:-1][1:]
        if line.strip() and not line.startswith((";", "result: ")) and not record.HEADER.fullmatch(line)
    ]
    assert len(steps) == len(match.steps), "a line was not taken for what it says"
    state = match.states[0]
    for step, line, after in zip(match.steps, steps, match.states[1:], strict=True):
        state = match.game.rules.apply(state, step)
        assert state == after and hash(state) == hash(after), line
    again = record.write(match)
    assert record.read(again) == match and record.write(record.read(again)) == again
    return "accepted"


def records(game: str, seed: int, count: int) -> Counter[str]:
    """So many damaged records of a game; how many of each answer."""
    rng = random.Random(f"records {game} {seed}")
    found: Counter[str] = Counter()
    for number in range(count):
        text = record_text(game, rng.randrange(24))
        for _ in range(rng.choice((1, 1, 2, 4))):
            text = damage(text, rng)
        try:
            found[record_judged(text)] += 1
        except Exception as error:
            raise AssertionError(f"{game}, record {number} of seed {seed}: {error!r}\n{text!r}") from error
    return found


def numbers(game: str, seed: int, count: int) -> Counter[str]:
    return damaged_numbers.run(game, count, seed)


@cache
def sample() -> str:
    """The sample map in the owner's file format, and nothing else of the house set."""
    text = Path(__file__).parent.parent.joinpath("engines/papyrus/house.toml").read_text("utf-8")
    return text[text.index("[papyrus.map]") : text.index("[papyrus]")]


def board_judged(text: str, folder: Path) -> str:
    """What came of a map: every fault has a place and a remedy, and what can be drawn is drawn."""
    lines = text.count("\n") + 1
    own = read_own(text, "own.toml")
    for fault in own.faults:
        told(fault.line, fault.text, fault.remedy, lines)
    found = compiled(laid("papyrus", [own]))
    for lack in (*found.faults, *found.warnings):
        at = own.line("papyrus", lack.path)
        told(1 if at is None else at, lack.text, lack.remedy, lines)
    places = set(found.board.places)
    assert all({edge.a, edge.b} <= places and edge.squares for edge in found.board.edges)
    assert found.board.start in places or any(lack.path == "map.start" for lack in found.faults) or not places
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    errors = io.StringIO()
    answers = []
    for svg in (True, False):
        out = folder / "drawing"
        out.unlink(missing_ok=True)
        with redirect_stderr(errors), redirect_stdout(io.StringIO()):
            answers.append(board([str(path)], svg, out))
        if out.exists():
            drawn = out.read_text("utf-8")
            assert drawn.isprintable() or set("".join(drawn.split("\n"))).isdisjoint("\x00\x1b")
            if svg:
                ElementTree.fromstring(drawn)
    assert answers[0] == answers[1]
    assert answers[0] == 0 or own.faults or found.faults or not places or "missing" in errors.getvalue()
    if own.faults:
        return "file with faults"
    return "sound" if not found.faults and places else "faults of the map named"


def boards(game: str, seed: int, count: int) -> Counter[str]:
    """So many damaged maps."""
    rng = random.Random(f"boards {seed}")
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            text = sample()
            for _ in range(rng.choice((1, 1, 2, 4))):
                text = rng.choice((damage, damaged_numbers.damaged))(text, rng)
            text = text.encode("utf-8", "replace").decode("utf-8")
            try:
                found[board_judged(text, Path(folder))] += 1
            except Exception as error:
                raise AssertionError(f"map {number} of seed {seed}: {error!r}\n{text!r}") from error
    return found


KINDS: dict[str, Callable[[str, int, int], Counter[str]]] = {
    "records": records,
    "numbers": numbers,
    "boards": boards,
}


def kinds() -> list[tuple[str, str]]:
    """(kind, game) of everything that can be damaged."""
    return [(kind, game) for kind in KINDS for game in games() if kind != "boards" or game == "papyrus"]


def portion(kind: str, game: str, seed: int, count: int) -> Counter[str] | str:
    """A part of them; the fault in words when there is one."""
    try:
        return KINDS[kind](game, seed, count)
    except AssertionError as error:
        return f"{kind}: {error}"


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.damaged", description=(__doc__ or "").split(": ")[0]
    )
    parser.add_argument("--count", type=int, default=COUNT, help="for each kind and game")
    parser.add_argument("--kind", choices=list(KINDS), help="one kind; without it all")
    parser.add_argument("--game", choices=list(games()), help="one game; without it all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    chosen = parser.parse_args(words)
    parts = [min(PORTION, chosen.count - at) for at in range(0, chosen.count, PORTION)]
    seeds = range(chosen.seed, chosen.seed + math.ceil(chosen.count / PORTION))
    with ProcessPoolExecutor(chosen.processes) as pool:
        for kind, game in kinds():
            if chosen.kind not in (None, kind) or chosen.game not in (None, game):
                continue
            began = time.monotonic()
            total: Counter[str] = Counter()
            for result in pool.map(portion, repeat(kind), repeat(game), seeds, parts):
                if isinstance(result, str):
                    print(result, file=sys.stderr)
                    pool.shutdown(cancel_futures=True)
                    return 1
                total += result
            answers = ", ".join(f"{n} {answer}" for answer, n in sorted(total.items()))
            print(
                f"{kind} of {game}: {total.total()} damaged, {answers}; never a traceback; "
                f"{time.monotonic() - began:.0f} s on {chosen.processes} processes",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
