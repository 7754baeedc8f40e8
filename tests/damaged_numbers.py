"""Owner's files damaged in every way a hand or a disk can: ``python -m tests.damaged_numbers --game papyrus --files 10000``.

Each must be read without a traceback: its faults with line and remedy, its sound numbers in force, a game that starts by them or says what is
missing, and a record that carries them.
"""

from __future__ import annotations

import argparse
import io
import random
import time
import traceback
from collections import Counter

from engines import games, record
from engines.catalogue import MissingNumbers, laid, shipped
from engines.forms import wrong
from engines.ownfile import read_own
from engines.referee import Match
from firmware.commands.catalog import catalog

NAMES = ("Ana", "Ben", "Clara", "David", "Emma")
SIGNS: tuple[str, ...] = (
    *"=.,[]{}\"'#\n\t\\-+_?:0179aeé \x00\x1b\u2028",
    '"""',
    "'''",
    "[[",
    "]]",
    "true",
    "nan",
    "inf",
)
SIGNS = (
    *SIGNS,
    "1_000",
    "0x1f",
    "1979-05-27",
    "9" * 5000,
    "[" * 300,
    "\r\n",
    "\\ud800",
    " = ",
    "house = true\n",
)
VALUES = (
    "0",
    "-1",
    "1",
    "5",
    "999",
    "1000000",
    '""',
    '"x"',
    "[]",
    "{}",
    "[[]]",
    "true",
    "1.5",
    "1e400",
    "[0]",
)


def whole(game: str, rng: random.Random) -> str:
    """A file with all numbers of a game: those that ship with Thoth, the house set where they are missing."""
    out = io.StringIO()
    catalog(game, ["house"], True, out)
    lines = [
        line[1:] if line.startswith("#") and not line.startswith("# ") else line
        for line in out.getvalue().split("\n")
    ]
    kept = [line for line in lines if not line.startswith("# ")]
    return ("house = true\n" if rng.random() < 0.3 else "") + "\n".join(kept) + "\n"


def damaged(text: str, rng: random.Random) -> str:
    """One fault more."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    match rng.randrange(8):
        case 0:
            place = rng.randrange(len(text) + 1)
            return text[:place] + rng.choice(SIGNS) + text[place + rng.choice((0, 0, 1, 5)) :]
        case 1:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 2:
            del lines[at]
        case 3:
            lines.insert(at, rng.choice(lines))
        case 4 if "=" in lines[at]:
            lines[at] = f"{lines[at].split('=')[0]}= {rng.choice(VALUES)}"
        case 5:
            words = lines[at].split(" ")
            words[rng.randrange(len(words))] = rng.choice(text.split() or ["x"])
            lines[at] = " ".join(words)
        case 6:
            # A number that is well formed and not the right one: this is what only the game itself can notice.
            digits = [place for place, sign in enumerate(text) if sign.isdigit()]
            place = rng.choice(digits) if digits else 0
            return f"{text[:place]}{rng.choice((0, 1, 2, 7, 50))}{text[place + 1 :]}"
        case _:
            return text[: rng.randrange(len(text) + 1)]
    return "\n".join(lines)


def judged(game: str, text: str) -> str:
    """What came of a file: the kind of answer. Raises AssertionError, or whatever the program let through."""
    file = read_own(text, "own.toml")
    lines = text.count("\n") + 1
    for fault in file.faults:
        assert 1 <= fault.line <= lines, (fault, lines)
        assert fault.text and fault.remedy and str(fault).isprintable() and len(str(fault)) < 1000, fault
    found = games()[game]
    catalogue = laid(game, [file])
    for path, value in file.values.get(game, {}).items():
        assert wrong(catalogue.numbers[path], value) is None, path
        assert 1 <= (file.line(game, path) or 0) <= lines, path
    assert record.understood(found, record.told(catalogue)) == catalogue
    begun = 0
    for players in found.players:
        lacks = found.rules.lacks(players, found.defaults, catalogue)
        for lack in lacks:
            assert lack.path and lack.text and lack.remedy and len(lack.text) < 1000, lack
            at = file.line(game, lack.path)
            assert at is None or 1 <= at <= lines, lack
        try:
            match = Match.begin(found, NAMES[:players], 0, catalogue=catalogue)
        except MissingNumbers as error:
            assert lacks and error.lacks, "it does not start, and nothing is said to lack"
            continue
        assert not lacks, lacks
        assert match.house == catalogue.house and record.read(record.write(match)) == match
        begun += 1
    if file.faults:
        return "faults named"
    if begun < len(found.players):
        return "does not fit"
    return "sound" if catalogue != shipped(game) else "as shipped"


def run(game: str, files: int, seed: int) -> Counter[str]:
    """So many damaged files; how many of each answer."""
    rng = random.Random(f"{game} {seed}")
    found: Counter[str] = Counter()
    base = ""
    for number in range(files):
        if number % 20 == 0:
            base = whole(game, rng)
        text = base
        for _ in range(rng.choice((1, 1, 2, 4))):
            text = damaged(text, rng)
        try:
            found[judged(game, text)] += 1
        except Exception as error:
            raise AssertionError(f"{game}, file {number} of seed {seed}:\n{text}") from error
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default=",".join(games()))
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for game in args.game.split(","):
        begun = time.perf_counter()
        try:
            found = run(game, args.files, args.seed)
        except AssertionError:
            traceback.print_exc()
            return 1
        took = time.perf_counter() - begun
        print(
            f"{game}: {args.files} damaged files in {took:.0f} s: {dict(sorted(found.items()))}", flush=True
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
