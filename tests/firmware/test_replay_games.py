"""``thoth replay FILE`` for every game: one object, the numbers that were in force, and the rule that a spoiled move breaks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engines import games, record
from engines.catalogue import house, shipped
from firmware.cli import main
from firmware.written import replay

GOLDEN = Path(__file__).parent.parent / "golden"
KEYS = ["game", "players", "options", "ok", "moves", "score", "winner", "fault"]


def golden(game: str) -> str:
    return (GOLDEN / f"{game}.txt").read_text("utf-8")


@pytest.mark.parametrize("game", list(games()))
def test_a_sound_record_is_one_object(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = GOLDEN / f"{game}.txt"
    assert main(["replay", str(path), "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    match = record.read(golden(game))
    assert list(found) == KEYS
    assert (found["game"], found["ok"], found["fault"]) == (game, True, None)
    assert found["players"] == list(match.names) and found["moves"] == len(match.moves)
    assert found["options"] == dict(match.options)
    assert list(found["score"]) == found["players"]
    for name, total in zip(match.names, match.score().totals, strict=True):
        told = found["score"][name]
        assert told["total"] == total == sum(item["points"] for item in told["items"])
    outcome = match.outcome()
    assert outcome is not None and found["winner"] == [match.names[seat] for seat in outcome.winners]
    assert main(["replay", str(path)]) == 0
    said = capsys.readouterr().out
    assert ("house numbers" in said.splitlines()[0]) == match.house
    assert said.endswith(f"({outcome.decided_by})\n")


@pytest.mark.parametrize("game", list(games()))
def test_a_move_out_of_turn_is_a_fault_with_its_rule(game: str) -> None:
    text = golden(game)
    match = record.read(text)
    lines = text.split("\n")
    at = next(at for at, line in enumerate(lines) if re.match(r"1\. ", line))
    mover = match.moves[0].player
    other = match.names[(mover + 1) % len(match.names)]
    lines[at] = lines[at].replace(f"1. {match.names[mover]}:", f"1. {other}:")
    found = replay.judge("\n".join(lines))
    assert list(found) == KEYS and not found["ok"] and found["moves"] == 0
    fault = found["fault"]
    assert list(fault) == ["line", "rule", "text", "remedy"]
    assert fault["line"] == at + 1 and fault["text"] and fault["remedy"]
    assert isinstance(fault["rule"], str) and f"({fault['rule']})" in fault["text"]


@pytest.mark.parametrize("game", list(games()))
def test_a_record_is_judged_by_its_own_numbers_wherever_it_is(game: str, tmp_path: Path) -> None:
    text = golden(game)
    match = record.read(text)
    given = {one.fingerprint for one in (shipped(game), house(game))}
    assert match.catalogue.fingerprint in given or "\nnumber " in text or "\nhouse number " in text
    other = re.sub(r"^(catalogue: .*) [0-9a-f]{8}$", r"\1 00000000", text, count=1, flags=re.MULTILINE)
    assert other != text, "the record says by which numbers it was played"
    fault = replay.judge(other)["fault"]
    assert fault["line"] == 1 + other[: other.index("catalogue: ")].count("\n")
    assert "played by other numbers" in fault["text"] and "--numbers FILE" in fault["remedy"]
    # Without the fingerprint it is judged by today's numbers; without the line by the shipped ones.
    assert replay.judge(other.replace(" 00000000", ""))["ok"]


def test_a_game_that_cannot_be_played_by_the_shipped_numbers_says_what_to_do() -> None:
    text = "Thoth record 1\ngame: papyrus\nplayers: Ana, Ben\nfirst: Ana\n"
    fault = replay.judge(text)["fault"]
    assert fault["line"] == 3 and "letters is missing" in fault["text"]
    assert "--numbers FILE" in fault["remedy"] and "thoth catalog papyrus --template" in fault["remedy"]
    found = replay.judge(text, ["house"])
    assert found["ok"] and found["winner"] == []
    assert replay.judge(text.replace("first: Ana\n", "first: Ana\ncatalogue: house\n"))["ok"]
