"""Which test tries which rule.

A test says so with ``@rule("T9", "G4")``. ``python -m tests.rules [GAME ...]`` runs every test that names a rule, lists the rules with
them, and ends with 1 when a rule has no test or none that passes, when a test names a rule that does not exist, or when a
rule cannot be cited. Its last line is ``rules: N of N``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engines import games
from engines.game import Refusal
from engines.rulebook import Rule, rulebook

HERE = Path(__file__).parent
T = TypeVar("T", bound=Callable[..., object])
LINES, WIDTH = 2, 21
"""What fits the display."""


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
    name = file.relative_to(HERE.parent).as_posix()
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


def faults(tests: Mapping[tuple[str, str], list[str]], ids: set[tuple[str, str]]) -> list[str]:
    """What is wrong: rules without a test, tests that name an unknown rule."""
    bare = [f"{game} {id}: no test names this rule" for game, id in sorted(ids - set(tests))]
    lost = [
        f"{game} {id}: there is no such rule, but {', '.join(tests[game, id])} names it"
        for game, id in sorted(set(tests) - ids)
    ]
    return bare + lost


def uncitable(game: str, entry: Rule) -> list[str]:
    """What keeps a rule from being cited: its own wordings that do not fit, or no citation at all."""
    book = rulebook(game)
    wordings = entry.refusals or {"": None}
    wrong = []
    for wording in wordings:
        refusal = book.refuse(entry.id, wording, _Anything())
        if refusal.rule != entry.id or not refusal.long or not _fits(refusal):
            wrong.append(f"{game} {entry.id}: the refusal '{wording}' does not fit the display")
    return wrong


class _Anything(dict[str, str]):
    """Words for any gap of a wording: what really stands there is tried by the game's own tests."""

    def __missing__(self, key: str) -> str:
        return ""


def _fits(refusal: Refusal) -> bool:
    from textwrap import wrap

    return all(0 < len(wrap(text, WIDTH)) <= LINES for text in (refusal.text, refusal.remedy))


class _Outcomes:
    """Collects how each test ended; a parametrised test passed when all its cases did."""

    def __init__(self) -> None:
        self.passed: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        test = report.nodeid.split("[")[0]
        if report.when == "call" or not report.passed:
            self.passed[test] = self.passed.get(test, True) and report.passed


def run(tests: set[str]) -> Mapping[str, bool]:
    """Runs the tests; whether each passed. What did not run is missing."""
    outcomes = _Outcomes()
    pytest.main(["-q", "-n", "2", "--no-header", "--tb=line", *sorted(tests)], plugins=[outcomes])
    return outcomes.passed


def every_rule() -> set[tuple[str, str]]:
    """Every (game, rule) of every game."""
    return {(game, id) for game in games() for id in rulebook(game).rules}


def main(wanted: list[str]) -> int:
    tests = named()
    chosen = wanted or list(games())
    passed = run({test for (game, _), names in tests.items() if game in chosen for test in names})
    wrong = [line for line in faults(tests, every_rule()) if line.split()[0] in chosen]
    good = count = 0
    for game in chosen:
        rules = rulebook(game).rules
        for id, entry in rules.items():
            print(f"{game} {id} [{entry.kind}] {entry.text}")
            mine = tests.get((game, id), [])
            for test in mine or ["NO TEST"]:
                print(f"    {test}{'' if passed.get(test) else '   NOT PASSED' if mine else ''}")
            faulty = [f"{game} {id}: {test} did not pass" for test in mine if not passed.get(test)]
            faulty += uncitable(game, entry)
            wrong += faulty
            good += bool(mine) and not faulty
        count += len(rules)
    print()
    for game in chosen:
        kinds = [entry.kind for entry in rulebook(game).rules.values()]
        print(
            f"{game}: {len(kinds)} numbered rules: {kinds.count('book')} of the book, "
            f"{kinds.count('ruling')} rulings, {kinds.count('house')} house rules"
        )
    print("\n".join(wrong) or "each has a passing test and can be cited")
    print(f"rules: {good} of {count}")
    return 1 if wrong or good < count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
