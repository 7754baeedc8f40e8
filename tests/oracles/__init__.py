"""Exact oracles: the referee against every hidden world, in games cut to so few cards that all worlds can be listed.

``tests/oracles/<game>.py`` offers ``pairs(seed, n)``: n pairs of a state and a step, each with what the referee says and whether
some world that fits the public record allows it. A step must be refused if and only if none does. The oracles share no code
with the referees but the names of moves.

``python -m tests.oracles --game ankh --pairs 50000`` compares so many and ends with 1 at the first difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module

PAIRS = 50_000
"""The full bar for each game."""
PORTION = 500
"""Pairs that come from one run of seeds."""
STRIDE = 1_000
"""Between the first seeds of two portions; no portion needs so many games."""

Pair = tuple[str, str, bool, bool]
"""(the record so far, the step, whether it is refused, whether some world allows it)."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How many pairs were compared, how many of them refused, and the first on which the two differ."""

    pairs: int = 0
    refused: int = 0
    difference: str = ""

    def __add__(self, other: Compared) -> Compared:
        return Compared(
            self.pairs + other.pairs, self.refused + other.refused, self.difference or other.difference
        )


def pairs(game: str, seed: int, n: int) -> Iterator[Pair]:
    """n pairs of a game. Raises ModuleNotFoundError for a game without an oracle."""
    found: Iterator[Pair] = import_module(f"tests.oracles.{game}").pairs(seed, n)
    return found


def compare(game: str, portion: int, n: int = PORTION, seed: int = 0) -> Compared:
    """The first n pairs of a portion; stops at a difference."""
    first = seed + portion * STRIDE
    done = refusals = 0
    try:
        for state, step, refused, possible in pairs(game, first, n):
            done += 1
            refusals += refused
            if refused == possible:
                said = "refuses what some world allows" if refused else "allows what no world does"
                return Compared(
                    done, refusals, f"{game}, seed {first}, pair {done}: the referee {said}: {step}\n{state}"
                )
    except Exception as error:
        raise RuntimeError(f"{game}, seed {first}, after {done} pairs: {error!r}") from error
    return Compared(done, refusals)
