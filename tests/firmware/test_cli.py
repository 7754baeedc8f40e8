"""The command line: it teaches, it is quick, and it never answers with a traceback."""

from __future__ import annotations

import io
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from firmware import cli
from firmware.demo import can_draw
from tests.firmware.evenings import started

ROOT = Path(__file__).parents[2]


def thoth(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "firmware.cli", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        input=stdin,
        check=False,
    )


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = "import sys, firmware.cli\ntry: firmware.cli.main(['--help'])\nexcept SystemExit: pass\nprint(sorted(sys.modules), file=sys.stderr)"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Its own work, whatever else the machine is doing.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3
    for heavy in ("cv2", "numpy", "PIL", "sqlite3", "luma", "gpiozero"):
        assert f"'{heavy}'" not in done.stderr
    for command in (
        "demo",
        "run",
        "play",
        "replay",
        "catalog",
        "board",
        "print",
        "enrol",
        "read",
        "sample",
        "check-config",
        "screens",
        "export",
        "version",
    ):
        assert f"\n  {command}" in done.stdout.replace("    ", "  ")


@pytest.mark.parametrize(
    "command",
    [
        "run",
        "play",
        "replay",
        "catalog",
        "board",
        "print",
        "enrol",
        "read",
        "sample",
        "check-config",
        "export",
    ],
)
def test_every_command_shows_examples(command: str) -> None:
    done = thoth(command, "--help")
    assert done.returncode == 0
    assert f"thoth {command} " in done.stdout.split("examples:")[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "required"),
        (("dance",), "invalid choice"),
        (("replay", "nowhere"), "nowhere does not exist"),
        (("catalog",), "which game?"),
        (("catalog", "--check", "nowhere.toml"), "nowhere.toml"),
        (("board", "--numbers", "nowhere.toml"), "nowhere.toml"),
        (("print", "mat", "tanis", "--players", "5"), "write --players 2"),
        (("enrol", "mine", "--from", ".", "--out", "other"), "thoth enrol other --from ."),
        (("enrol", "tanis", "--from", ".", "--simulated"), "--simulated is for faces shown to the camera"),
        (("enrol", "tanis", "--from", ".", "--use"), "--use is for faces shown to the camera"),
        (("enrol", "tanis", "--from", ".", "--state-dir", "."), "leave one of them out"),
        (("enrol", "tanis", "--json"), "add --simulated"),
        (("check-config",), "--example"),
        (("check-config", "nowhere.toml"), "cannot be read"),
        (("run", "--config", "nowhere.toml"), "cannot be read"),
        (("demo", "--seed", "-1"), "--seed 7"),
        (("demo", "--mistakes", "nan"), "between 0 and 1"),
        (("demo", "--speed", "nan"), "--speed is more than 0"),
        (("demo", "--speed", "inf"), "--speed is more than 0"),
        (("demo", "--players", "0"), "for 2 players, not 0"),
        (("demo", "--size", "0x0"), "from 640x360"),
        (("demo", "--size", "10x10"), "from 640x360"),
        (("demo", "--size", "9999x9999"), "from 640x360"),
        (("run", "--state-dir", "/proc/thoth"), "--state-dir"),
    ],
)
def test_a_bad_call_is_one_sentence_and_code_2(words: tuple[str, ...], told: str) -> None:
    done = thoth(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_what_nobody_foresaw_is_a_sentence_too_and_a_traceback_only_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(_: object) -> int:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(cli, "_version", breaks)
    assert cli.main(["version"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "--verbose" in said
    assert cli.main(["version", "--verbose"]) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("module", "told"), [("cv2", "python3-opencv"), ("fpdf", "[print]"), ("other", "install Thoth again")]
)
def test_a_missing_package_is_named_with_its_remedy(
    module: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def breaks(_: object) -> int:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)

    monkeypatch.setattr(cli, "_version", breaks)
    assert cli.main(["version"]) == 2
    assert told in capsys.readouterr().err


def test_check_config(tmp_path: Path) -> None:
    path = tmp_path / "thoth.toml"
    path.write_text("[camera]\nkind = 3\nwidth = 1\n")
    done = thoth("check-config", str(path))
    assert done.returncode == 1
    assert [line.split(", ")[1][:6] for line in done.stdout.splitlines()] == ["line 2", "line 3"]
    path.write_text(thoth("check-config", "--example").stdout)
    done = thoth("check-config", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}: no faults\n")


def test_print_and_screens_write_files(tmp_path: Path) -> None:
    done = thoth("print", "mat", "tanis", "--out", str(tmp_path / "mat.pdf"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mat.pdf").read_bytes().startswith(b"%PDF")
    done = thoth("screens", "tanis", "--out", str(tmp_path / "screens"))
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "screens" / "tanis").glob("*.png"))) > 30


def test_replay_of_a_record(tmp_path: Path) -> None:
    from engines import record

    night = started()
    for _ in range(3):
        night.do(night.match.legal_moves()[0])
        night.confirm()
    path = tmp_path / "game.txt"
    path.write_text(record.write(night.match), "utf-8")
    done = thoth("replay", str(path), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["game", "players", "options", "ok", "moves", "score", "winner", "fault"]
    assert (found["game"], found["players"], found["ok"], found["moves"]) == (
        "tanis",
        ["Ana", "Ben"],
        True,
        3,
    )
    totals = dict(zip(night.match.names, night.match.score().totals, strict=True))
    assert {name: score["total"] for name, score in found["score"].items()} == totals
    for score in found["score"].values():
        assert sum(item["points"] for item in score["items"]) == score["total"]
    assert found["fault"] is None

    lines = path.read_text().splitlines(keepends=True)
    taken = next(line for line in lines if line.startswith("1. "))
    again = next(number for number, line in enumerate(lines) if line.startswith("2. "))
    lines[again] = "2. " + taken[3:]
    path.write_text("".join(lines))
    done = thoth("replay", str(path), "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["ok"], found["moves"], found["fault"]["line"]) == (False, 1, again + 1)
    assert found["fault"]["rule"]
    assert found["fault"]["remedy"]
    assert f"line {again + 1}" in thoth("replay", str(path)).stdout

    path.write_text("a shopping list\n")
    done = thoth("replay", str(path), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["fault"]["line"] == 1


def test_a_closed_pipe_is_no_fault() -> None:
    done = subprocess.run(
        f"{sys.executable} -m firmware.cli check-config --example | head -1", shell=True, cwd=ROOT, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0
    assert not done.stderr


def test_a_fault_of_a_record_is_two_plain_sentences(tmp_path: Path) -> None:
    golden = (ROOT / "tests" / "golden" / "tanis.txt").read_text("utf-8")
    path = tmp_path / "game.txt"
    path.write_text(golden)
    assert thoth("replay", str(path)).stdout.splitlines()[-1] == "winner: Ben (Tie: second to play wins)"
    path.write_text(golden.replace("2. Ben: take falcon-3", "2. Ana: take falcon-3"))
    said = thoth("replay", str(path)).stdout
    assert said.count("(G2)") == 1
    assert ".;" not in said
    assert "(1 moves before it are sound)" in said


def test_damage_of_a_recording_is_said_without_a_programmers_word(tmp_path: Path) -> None:
    part = tmp_path / "0001"
    part.mkdir()
    (part / "events.jsonl").write_text("{}\n")
    assert "start.json is missing" in thoth("replay", str(tmp_path)).stderr
    start = '{"version": 1, "entries": [], "names": [], "seed": 1, "failed": false}'
    for text, told in (
        ('{"version": 1}', "'entries' is missing"),
        ("[]", "is damaged"),
        ("{no", "is damaged"),
        (start.replace("1,", "9,", 1), "another version"),
        (start, "events.jsonl, line 1: 'event' is missing"),
    ):
        (part / "start.json").write_text(text)
        done = thoth("replay", str(tmp_path))
        assert done.returncode == 2
        assert told in done.stderr, (text, done.stderr)
        assert "Error" not in done.stderr
    assert "--numbers is for" in thoth("replay", str(tmp_path), "--numbers", "house").stderr


def test_a_bracket_left_open_blames_no_sound_line_after_it(tmp_path: Path) -> None:
    path = tmp_path / "thoth.toml"
    path.write_text('names = [\n[camera\nkind = "none"\n[display]\ncolour = 1\n')
    said = thoth("check-config", str(path)).stdout
    assert "line 1:" in said
    assert "line 2:" in said
    assert 'kind = "none"' not in said


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_a_name_that_a_terminal_cannot_write_is_no_fault(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "übung 漢.toml"
    path.write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "check-config", str(path)],
        cwd=ROOT, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(b"bung ?.toml: no faults\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_stdout_is_one_sentence(unbuffered: str) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "firmware.cli", "check-config", "--example"],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("thoth: ") and done.stderr.count("\n") == 1, done.stderr


def test_without_stdout_and_stderr_nothing_breaks() -> None:
    command = f"{sys.executable} -m firmware.cli"
    for call, code in (("version", 0), ("replay nowhere", 2)):
        done = subprocess.run(f"{command} {call} >&- 2>&-", shell=True, cwd=ROOT, check=False)
        assert done.returncode == code


@pytest.mark.parametrize(
    ("terminal", "encoding", "draws"),
    [("xterm", "utf-8", True), ("dumb", "utf-8", False), ("", "utf-8", False), ("xterm", "latin-1", False)],
)
def test_only_a_terminal_that_can_draw_is_drawn_on(
    terminal: str, encoding: str, draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", terminal)
    assert can_draw(Terminal(io.BytesIO(), encoding)) is draws
    assert not can_draw(None)
