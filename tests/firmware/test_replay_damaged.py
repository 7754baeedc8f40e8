"""Whatever was done to a record or a recording: a sentence with the place and the remedy, never a traceback."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines import games, record
from engines.referee import Match
from engines.tanis.dealing import deal
from firmware.cli import main
from firmware.written import replay
from firmware.written.recording import EVENTS, START
from tests.firmware.test_recording import recorded

NONSENSE: tuple[Any, ...] = (
    None,
    -1,
    10**30,
    1e308,
    float("nan"),
    "",
    "x",
    [],
    {},
    [[]],
    True,
    {"is": "Table"},
    {"is": "Screen"},
    "../../etc/passwd",
)
SIGNS = (
    *'\r\x0b\x1b\u2028\x85\x00\t";:,.?-0129 ²٣',
    "9" * 5000,
    "\\ud800",
    "\n\n",
    "falcon",
    "reveal",
    "result: ",
)


def whole_record() -> str:
    game = games()["tanis"]
    world = deal(5, 2, 0, game.defaults)
    match = Match.begin(game, ("Ana", "Bö, n"), 0, game.defaults)
    rng = random.Random(5)
    while True:
        for fact in world.shown(match.state):
            match = match.accept(fact)
        if world.over:
            return record.write(match)
        ((_, (move,)),) = world.choose(rng).stages
        match = match.accept(move)
        world.play(move)


def damaged(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            place = rng.randrange(len(text))
            return text[:place] + rng.choice(SIGNS) + text[place + rng.choice((0, 1, 3)) :]
        case 1:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 2:
            del lines[at]
        case 3:
            lines.insert(at, rng.choice(lines))
        case _:
            words = lines[at].split(" ")
            words[rng.randrange(len(words))] = rng.choice(text.split())
            lines[at] = " ".join(words)
    return "\n".join(lines)


def test_a_damaged_record_is_named_with_line_and_remedy_or_still_sound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, rng = whole_record(), random.Random(2)
    path = tmp_path / "game.txt"
    faults = 0
    for _ in range(250):
        now = damaged(text, rng)
        found = replay.judge(now)
        fault = found["fault"]
        assert found["ok"] == (fault is None)
        path.write_bytes(now.encode())
        assert replay.record(path) == (0 if found["ok"] else 1)
        said = capsys.readouterr().out
        if fault is not None:
            faults += 1
            assert 1 <= fault["line"] <= now.count("\n") + 1
            assert fault["text"] and fault["remedy"]
            assert len(said) < 1500 and all(line.isprintable() for line in said.split("\n"))
    assert faults > 100


def test_moves_before_a_fault_are_counted_whatever_signs_stand_in_comments() -> None:
    lines = whole_record().split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("5. "))
    lines[at] = "5. Ana: take the biscuits"
    lines.insert(at, "; a comment\x0bwith\u2028odd\rsigns")
    found = replay.judge("\n".join(lines))
    assert (found["moves"], found["fault"]["line"]) == (4, at + 2)


def test_a_file_without_end_is_no_record() -> None:
    with pytest.raises(replay.RecordingError, match="far too long"):
        replay.record(Path("/dev/zero"))


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/null", "nowhere/game.txt", ".", "x" * 300])
def test_as_json_a_file_that_cannot_be_read_is_one_object_too(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["replay", place, "--json"]) == 1
    said = capsys.readouterr()
    assert not said.err
    found = json.loads(said.out)
    assert set(found) == set(replay.judge(""))
    assert (found["game"], found["ok"], found["score"], found["fault"]["line"]) == (None, False, {}, 1)
    assert found["fault"]["text"] and found["fault"]["remedy"]


def test_as_json_names_survive_a_terminal_without_their_letters(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("Thoth record 1\ngame: ankh\nplayers: Zoë, Zoé\nfirst: Zoé\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "replay", str(path), "--json"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert json.loads(done.stdout)["players"] == ["Zoë", "Zoé"]


def nonsense(said: Any, rng: random.Random) -> Any:
    """One value somewhere in it is another, or gone."""
    if isinstance(said, dict) and said and rng.random() < 0.85:
        key = rng.choice(list(said))
        kept = {name: value for name, value in said.items() if name != key}
        return kept if rng.random() < 0.1 else kept | {key: nonsense(said[key], rng)}
    if isinstance(said, list) and said and rng.random() < 0.85:
        at = rng.randrange(len(said))
        middle = [] if rng.random() < 0.1 else [nonsense(said[at], rng)]
        return [*said[:at], *middle, *said[at + 1 :]]
    return rng.choice(NONSENSE)


def test_a_damaged_recording_plays_or_says_where_it_cannot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(tmp_path / "whole")
    (source,) = (path.parent for path in (tmp_path / "whole").glob(f"*/{EVENTS}"))
    events, start = (source / EVENTS).read_bytes(), (source / START).read_bytes()
    folder = tmp_path / "damaged"
    folder.mkdir()
    rng = random.Random(4)
    told = 0
    for _ in range(300):
        lines, begun = events.split(b"\n"), start
        at = rng.randrange(len(lines) - 1)
        match rng.randrange(6):
            case 0:
                begun = json.dumps(nonsense(json.loads(start), rng)).encode()
            case 1:
                data = bytearray(start)
                data[rng.randrange(len(data))] = rng.randrange(256)
                begun = bytes(data)
            case 2:
                data = bytearray(lines[at])
                data[rng.randrange(len(data))] = rng.randrange(256)
                lines[at] = bytes(data)
            case 3:
                lines.insert(at, json.dumps({"start": nonsense(json.loads(start), rng)}).encode())
            case _:
                lines[at] = json.dumps(nonsense(json.loads(lines[at]), rng)).encode()
        (folder / EVENTS).write_bytes(b"\n".join(lines))
        (folder / START).write_bytes(begun)
        try:
            assert replay.recording(folder) in (0, 1)
        except replay.RecordingError as error:
            told += 1
            assert EVENTS in str(error) or START in str(error), error
    capsys.readouterr()
    assert told > 60


@pytest.mark.parametrize("name", [EVENTS, START])
def test_brackets_without_end_are_a_fault(tmp_path: Path, name: str) -> None:
    recorded(tmp_path / "whole")
    (folder,) = (path.parent for path in (tmp_path / "whole").glob(f"*/{EVENTS}"))
    (folder / name).write_bytes(b"[" * 100_000 + b"\n")
    with pytest.raises(replay.RecordingError, match=name):
        replay.recording(folder)
