"""Every rule of every game is named by at least one test, and every name is that of a rule."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engines.rulebook import KINDS, Rule, Rulebook, rulebook
from tests import rules
from tests.rules import rule


def test_every_rule_is_named_and_every_name_is_a_rule() -> None:
    assert rules.faults(rules.named(), rules.every_rule()) == []


def test_a_rule_without_a_test_and_a_test_without_a_rule_are_faults(tmp_path: Path) -> None:
    tests = {("tanis", "T9"): ["here"], ("tanis", "T99"): ["there"]}
    assert rules.faults(tests, {("tanis", "T9"), ("tanis", "G1")}) == [
        "tanis G1: no test names this rule",
        "tanis T99: there is no such rule, but there names it",
    ]
    with pytest.raises(ValueError, match="no rule T99"):
        rule("T99")
    with pytest.raises(ValueError, match="no rule"):
        rule()


def test_all_rulings_stand_in_the_rulebook() -> None:
    book = rulebook("tanis").rules
    assert {f"T{number}" for number in range(1, 35)} <= set(book)
    assert {entry.kind for entry in book.values()} <= set(KINDS)
    assert all(entry.text.endswith((".", ")")) and entry.section for entry in book.values())
    # What 7.0 calls a ruling is one; what an option can switch is no book rule.
    assert all(book[id].kind == "ruling" for id in ("T3", "T14", "T18", "T23", "T28"))
    assert all(entry.kind != "book" for entry in book.values() if entry.option)


def test_a_rulebook_with_a_rule_twice_is_refused() -> None:
    one = Rule("T1", "x", "book", "y.")
    with pytest.raises(ValueError, match="T1 stands twice"):
        Rulebook((one, one))


def test_the_command_lists_every_rule() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules"],
        cwd=Path(rules.__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:]
    assert "NO TEST" not in done.stdout
    assert "tanis T9 [book]" in done.stdout
    assert "test_tanis_turn::test_a_covered_tile" in done.stdout
