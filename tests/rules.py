"""Which test tries which rule.

A test says so with ``@rule("T9", "G4")``. ``python -m tests.rules [GAME ...]`` lists every rule of the games with the tests that
name it and ends with 1 when a rule has none or a test names a rule that does not exist.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from engines import games
from engines.rulebook import rulebook

HERE = Path(__file__).parent
T = TypeVar("T", bound=Callable[..., object])


def rule(*ids: str, game: str = "tanis") -> Callable[[T], T]:
    """Marks a test as trying these rules of a game. Raises ValueError at once for a rule that does not exist."""
    unknown = [id for id in ids if id not in rulebook(game).rules]
    if unknown or not ids:
        raise ValueError(f"{game} has no rule {', '.join(unknown) or 'without a number'}")

    def mark(test: T) -> T:
        return test

    return mark


def _marks(file: Path) -> Iterator[tuple[str, str, str]]:
    """(game, rule, test) for every mark in a file, found without running it."""
    name = file.relative_to(HERE.parent).with_suffix("").as_posix()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "rule":
                game = next((ast.literal_eval(word.value) for word in decorator.keywords), "tanis")
                for argument in decorator.args:
                    yield game, ast.literal_eval(argument), f"{name}::{node.name}"


def named(folder: Path = HERE) -> dict[tuple[str, str], list[str]]:
    """The tests that name each (game, rule)."""
    found: dict[tuple[str, str], list[str]] = {}
    for file in sorted(folder.rglob("test_*.py")):
        for game, id, test in _marks(file):
            found.setdefault((game, id), []).append(test)
    return found


def faults(tests: dict[tuple[str, str], list[str]], ids: set[tuple[str, str]]) -> list[str]:
    """What is wrong: rules without a test, tests that name an unknown rule."""
    bare = [f"{game} {id}: no test names this rule" for game, id in sorted(ids - set(tests))]
    lost = [
        f"{game} {id}: there is no such rule, but {', '.join(tests[game, id])} names it"
        for game, id in sorted(set(tests) - ids)
    ]
    return bare + lost


def every_rule() -> set[tuple[str, str]]:
    """Every (game, rule) of every game."""
    return {(game, id) for game in games() for id in rulebook(game).rules}


def main(wanted: list[str]) -> int:
    tests = named()
    for game in wanted or list(games()):
        for id, entry in rulebook(game).rules.items():
            print(f"{game} {id} [{entry.kind}] {entry.text}")
            for test in tests.get((game, id), ["NO TEST"]):
                print(f"    {test}")
    wrong = faults(tests, every_rule())
    print("\n".join(wrong) or f"{len(every_rule())} rules, each with a test")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
