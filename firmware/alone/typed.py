"""What a line typed by hand was meant to say: capital letters, plurals, spaces for hyphens, the names on the cards themselves.

Only what is typed in a terminal is read so; a record and a pipe have one way to write a step.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from engines.words import quoted

_TOKEN = re.compile(r"[^\W\d_]+|\d+")
_FILLERS = frozenset(
    ("the", "an", "my", "from", "to", "at", "of", "card", "cards", "chamber", "turn", "tile")
)
_ADJECTIVES = re.compile(r"\b(pot|parchment|broken|pharaoh'?s?'?s?) (?=[a-z])")
_ARTICLES = re.compile(r"\b(the|my|an) (?=\S)")
_RUN = re.compile(r"(?:\d+ )?[^\W\d_][\w-]*(?:, (?:\d+ )?[^\W\d_][\w-]*)+")
_WORD = re.compile(r"[^\W\d_]+")
_NUMBERED = re.compile(r"\b([^\W\d_]{3,}) (?=\d+\b)")
_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def gist(line: str) -> tuple[str, ...]:
    """The words of a line without what people write differently; two lines with the same gist say the same."""
    tokens = [_singular(word) for word in _TOKEN.findall(_plain(line)) if word not in _FILLERS]
    # "1 shard" is a shard; a number that ends a line counts steps or names a chamber
    return tuple(
        word
        for at, word in enumerate(tokens)
        if word != "1" or at + 1 == len(tokens) or tokens[at + 1].isdigit()
    )


def rewritten(line: str, names: Sequence[str] = ()) -> Iterator[str]:
    """Other ways to write the line, as a record would; the first that can be read is what was meant. May repeat themselves."""
    plain = _ADJECTIVES.sub("", _ARTICLES.sub("", _plain(line)))
    plain = re.sub(r"\bchamber (?=\d)", "", re.sub(r" (turn|tile)$", "", plain))
    single = re.sub(r"\b1 (?=[^\W\d])", "", plain)  # "1 shard", but not "falcon 1 left 2"
    both = [
        form for one in (single, plain) for form in (one, _WORD.sub(lambda word: _singular(word[0]), one))
    ]
    for one in both:
        one = _RUN.sub(lambda run: _counted(run[0]), one)
        for name in names:
            told = "|".join({re.escape(name.lower()), re.escape(_singular(name.lower()))})
            one = re.sub(rf"(?<!\w)(?:{told})(?!\w)", partial(_named, name), one)
        for hyphened in (one, _NUMBERED.sub(r"\1-", one, count=1), _NUMBERED.sub(r"\1-", one)):
            yield hyphened
            yield re.sub(r"(?<![\w-])[a-z](?![\w-])", lambda letter: letter[0].upper(), hyphened)


def _named(name: str, _: re.Match[str]) -> str:
    return quoted(name)


def _plain(line: str) -> str:
    """Small letters, single spaces, numbers in digits, lists with commas."""
    line = " ".join(line.lower().replace("\u2019", "'").split()).rstrip(".!")
    line = re.sub(r" ?, ?(?:and )?| and ", ", ", line)
    return re.sub(
        rf"\b({'|'.join(_COUNTS)})\b(?= [^\W\d]|$)", lambda word: str(_COUNTS.index(word[0]) + 1), line
    )


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] not in "siuy" else word


def _counted(run: str) -> str:
    """A list in which nothing stands twice: ``coin, coin, cup`` becomes ``2 coin, cup``."""
    counts: Counter[str] = Counter()
    for part in run.split(", "):
        number, space, name = part.partition(" ")
        counts[name if space else part] += int(number) if space else 1
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counts.items())
