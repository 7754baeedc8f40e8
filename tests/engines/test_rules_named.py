"""Every rule of every game is named by at least one test, and every name is that of a rule."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engines import games
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


def _all_pass(tests: set[str]) -> dict[str, bool]:
    return dict.fromkeys(tests, True)


def test_the_command_lists_every_rule(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules, "run", _all_pass)
    assert rules.main([]) == 0
    said = capsys.readouterr().out
    assert "NO TEST" not in said and "NOT PASSED" not in said
    assert "tanis T9 [book]" in said
    assert "tests/engines/test_tanis_turn.py::test_a_covered_tile" in said
    count = len(rules.every_rule())
    assert said.splitlines()[-1] == f"rules: {count} of {count}"


def test_a_rule_whose_test_fails_or_does_not_run_is_a_gap(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = next(test for test in rules.named()[("tanis", "T9")])

    def one_fails(tests: set[str]) -> dict[str, bool]:
        return {**_all_pass(tests), bad: False}

    monkeypatch.setattr(rules, "run", one_fails)
    assert rules.main(["tanis"]) == 1
    said = capsys.readouterr().out
    assert f"tanis T9: {bad} did not pass" in said
    monkeypatch.setattr(rules, "run", lambda tests: {})
    assert rules.main(["tanis"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"rules: 0 of {len(rulebook('tanis').rules)}"


def test_the_tests_are_really_run(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\n"
        "def test_good(): pass\n"
        "def test_bad(): assert False\n"
        "@pytest.mark.parametrize('x', [1, 2])\n"
        "def test_half(x): assert x == 1\n"
        "@pytest.mark.skip\n"
        "def test_never(): pass\n"
    )
    asked = "{'test_it.py::' + name for name in ('test_good', 'test_bad', 'test_half', 'test_never')}"
    done = subprocess.run(
        [sys.executable, "-c", f"from tests.rules import run; print('\\n', dict(run({asked})))"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(rules.__file__).parent.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ast.literal_eval(done.stdout.splitlines()[-1].strip()) == {
        "test_it.py::test_good": True,
        "test_it.py::test_bad": False,
        "test_it.py::test_half": False,
        "test_it.py::test_never": False,
    }


def test_every_rule_can_be_cited_and_fits_the_display() -> None:
    for game in games():
        for entry in rulebook(game).rules.values():
            assert rules.uncitable(game, entry) == []
    plain = rulebook("tanis").refuse("P1", "", {})
    assert (plain.rule, plain.long, plain.kind) == ("P1", rulebook("tanis").rules["P1"].text, "book")
