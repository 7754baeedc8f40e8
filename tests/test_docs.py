"""The documents: what they name exists, what they show works, what they promise is tried."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engines import games, record
from firmware import notices
from firmware.alone.byhand import Table
from firmware.alone.heading import Heading
from firmware.alone.play import _dealer
from firmware.box import health
from firmware.cli import main
from firmware.commands import wiring
from firmware.doctor.table import CHECKS
from firmware.keys import KEYS
from firmware.settings import DEFAULTS
from firmware.texts import load
from firmware.written import replay
from hardware.buttons.press import Button
from hardware.camera import picamera, watchful

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.glob("*.md")])
ROW = re.compile(r"^\| (P\d\d) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)


def pains() -> list[tuple[str, ...]]:
    return ROW.findall((DOCS / "pains.md").read_text("utf-8"))


def _tests_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_no_pain_is_missing() -> None:
    wanted = [f"P{number:02d}" for number in (*range(1, 64), 65)]
    assert [row[0] for row in pains()] == wanted
    assert all(len(pain) > 6 and len(answer) > 10 for _, pain, answer, _ in pains())


PROOFS = (
    r"`(?P<path>tests/[\w/]+\.py)::(?P<test>\w+)`",
    r"`thoth doctor --only (?P<check>[\w-]+)`",
    r"`docs/(?P<page>[\w-]+\.md)#(?P<heading>[^`]+)`",
)


def test_every_proof_that_is_named_exists() -> None:
    checks = {check.name for check in CHECKS}
    for number, _, _, proof in pains():
        named = list(re.finditer("|".join(PROOFS), proof))
        assert named, number
        assert "".join(one.group() for one in named).replace(" ", "") == proof.replace(" ", ""), number
        for one in named:
            if one["path"]:
                assert one["test"] in _tests_in(ROOT / one["path"]), f"{number}: {one.group()}"
                assert one["test"].startswith("test_") or one["path"].startswith("tests/machine/"), number
            elif one["check"]:
                assert one["check"] in checks, f"{number}: {one.group()}"
            else:
                page = (DOCS / one["page"]).read_text("utf-8")
                assert f"\n## {one['heading']}\n" in page, f"{number}: {one.group()}"


def test_the_record_of_the_page_is_one() -> None:
    (example,) = re.findall(
        r"^```\n(.*?)^```", (DOCS / "record.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    found = replay.judge(example)
    assert found["ok"], found["fault"]
    assert found["moves"] == 4
    assert record.read(record.write(record.read(example))) == record.read(example)
    page = (DOCS / "record.md").read_text("utf-8").rpartition("The JSON object holds")[2]
    for key in found:
        assert f"`{key}`" in page


def test_the_players_page_tells_every_key() -> None:
    page, texts = (DOCS / "player.md").read_text("utf-8"), load()
    for button in Button:
        short, held = (
            next(texts(what) for key, what in KEYS.items() if (key.button, key.long) == (button, long))
            for long in (False, True)
        )
        assert f"| {texts('button.' + button.value)} | {short} | {held} |" in page


def test_the_players_page_says_what_the_display_says() -> None:
    page, texts = (DOCS / "player.md").read_text("utf-8"), load()
    quoted = ["ask.who", "desync.title", "blind.hand", "menu.export", "menu.correct", "menu.hints", "pause.new", "pause.off",
              "setup.ready", "option.go", "first.random", "setup.blind"]  # fmt: skip
    for key in quoted:
        assert texts(key) in page, key
    assert texts("illegal.title", rule="").strip() in page


def test_the_wiring_page_and_its_drawing_are_those_of_the_settings() -> None:
    """P43: `make wiring` draws it anew."""
    page = (DOCS / "wiring.md").read_text("utf-8")
    found = wiring.wires(wiring.with_signals(DEFAULTS))
    assert wiring.table(found) in page
    assert (DOCS / "wiring.svg").read_text("utf-8") == wiring.svg(found)
    for button in Button:
        pin = DEFAULTS.number(f"buttons.{button.value}")
        assert (
            f"| button {button.name} | one side | {wiring.BCM[pin]} | GPIO {pin} | `buttons.{button.value}` |"
            in page
        )
    for name in ("dc", "reset"):
        assert re.search(rf"GPIO {DEFAULTS.number(f'display.{name}')} \| `display\.{name}`", page), name


def test_the_building_page_says_how_high_the_camera_hangs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["optics"]) == 0
    assert capsys.readouterr().out in (DOCS / "build.md").read_text("utf-8")


def test_the_building_page_explains_every_message_about_the_machine() -> None:
    page = (
        (DOCS / "build.md").read_text("utf-8").partition("## What the messages mean")[2].partition("\n## ")[0]
    )
    told = [
        *watchful.ADVICE, *health.ADVICE, picamera.NO_CAMERA, picamera.IN_USE, picamera.NO_MEMORY, picamera.STALLED, picamera.NO_SOFTWARE,
        notices.SETTINGS_KEPT, notices.GALLERY_FAULTY, notices.NUMBERS_FAULTY, notices.JOURNAL_DAMAGED, "UP is stuck:\nfree the button", "UP flickers:\ncheck its wires",
    ]  # fmt: skip
    for advice in told:
        # The first line tells which message it is; a page may put two of them into one row.
        assert advice.splitlines()[0].rstrip(":") in page, advice


def test_nothing_forks_while_pins_are_open() -> None:
    """P44: one process. The one command that the service ever starts switches the Pi off, after every part was closed; the doctor, a
    program of its own, opens no pin in the process that starts others. Training is for a desk: the import contract keeps it out of all that
    runs."""
    starts: list[str] = []
    training = ROOT / "vision" / "network" / "training" / "learning.py"
    for package in ("engines", "vision", "hardware", "firmware"):
        for path in sorted(set((ROOT / package).rglob("*.py")) - {training}):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom):
                    names = [node.module or ""]
                assert not any(name.split(".")[0] in ("multiprocessing", "pty") for name in names), path
                if isinstance(node, ast.Call):
                    called = ast.unparse(node.func)
                    assert called not in ("os.fork", "os.forkpty", "os.system", "os.popen"), path
                    if called.startswith("subprocess."):
                        starts.append(f"{path.name}: {ast.unparse(node.args[0])}")
    assert starts == ["apart.py: words", "service.py: ['systemctl', 'poweroff']"]
    run = (ROOT / "firmware" / "service.py").read_text("utf-8")
    assert run.index("off = _serve(") < run.index("subprocess.run(")


def test_pages_lead_to_pages_that_exist() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_command_and_option_on_a_page_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    known: dict[str, str] = {}
    for page in PAGES:
        for command, rest in re.findall(r"\bthoth (\w[\w-]*)([^\n`|]*)[\n`]", page.read_text("utf-8")):
            if command not in known:
                with pytest.raises(SystemExit) as ended:
                    main([command, "--help"])
                known[command] = capsys.readouterr().out
                assert ended.value.code == 0, f"{page.name}: thoth {command}"
            for option in re.findall(r" (--[a-z-]+)", rest.split("#")[0]):
                assert option in known[command], f"{page.name}: thoth {command} {option}"
    assert {"demo", "run", "play", "replay", "catalog", "board", "export", "print", "check-config"} <= set(
        known
    )


def test_no_page_names_the_machine_it_was_written_on() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        for path in ("/work", "/tmp", "/root", "../shared"):
            assert path not in text, f"{page.name}: {path}"


def blocks(page: str, first: str) -> list[str]:
    """The lines of the one block of a page that begins with this line."""
    text = (DOCS / page).read_text("utf-8")
    (found,) = [
        block for block in re.findall(r"^```\n(.*?)^```", text, re.M | re.S) if block.startswith(first + "\n")
    ]
    return str(found).splitlines()[1:]


def test_the_game_by_hand_of_the_page_is_played_so(tmp_path: Path) -> None:
    shown = blocks("play.md", "$ thoth play tanis --deal 7")
    typed = iter([line[2:] for line in shown if line.startswith("> ")])
    said: list[str] = []

    def ask(prompt: str) -> str:
        line = next(typed, None)
        if line is None:
            raise EOFError
        said.append(prompt + line)
        return line

    def say(text: str) -> None:
        said.extend(text.split("\n"))

    Table(Heading(games()["tanis"]), _dealer(7), tmp_path / "game.txt", 7, ask=ask, say=say).run()
    assert said[: len(shown)] == shown


def test_the_game_on_a_pipe_of_the_page_is_answered_so() -> None:
    shown = blocks("play.md", "$ thoth play tanis --deal 7 --json")
    said = "".join(f"{line[2:]}\n" for line in shown if line.startswith(">"))
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "play", "tanis", "--deal", "7", "--json"],
        cwd=ROOT, input=said, capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = done.stdout.splitlines()
    assert answers == [line for line in shown if not line.startswith(">")]
    # Each stands below the line it answers.
    asked = 0
    for line in shown[:-1]:
        asked += line.startswith(">")
        assert line.startswith(">") or json.loads(line)["line"] == asked
    page = (DOCS / "play.md").read_text("utf-8")
    for key in (*json.loads(answers[0]), *json.loads(answers[-1])["result"]):
        assert f"`{key}`" in page, key


def test_the_moves_of_the_page_are_moves_of_each_game() -> None:
    page = (DOCS / "record.md").read_text("utf-8")
    parts = re.split(r"^### (\w+)$", page.partition("## More")[0], flags=re.M)[1:]
    told = dict(zip(parts[::2], parts[1::2], strict=True))
    assert [name.lower() for name in told] == list(games())
    for name, text in told.items():
        rules = games()[name.lower()].rules
        kinds = set()
        for line in re.findall(r"^\| `([^`]+)` \|", text, re.M):
            step = rules.parse(line, 0, ("Ana", "Ben"))
            assert rules.format(step, ("Ana", "Ben")) == line
            kinds.add(type(step))
        # Every kind of step that a whole game shows is there, or is named in the words beside another.
        golden = record.read((ROOT / "tests" / "golden" / f"{name.lower()}.txt").read_text("utf-8"))
        for step in golden.steps:
            verb = rules.format(step, golden.names).split()[0]
            assert type(step) in kinds or f"`{verb}" in text, step


def test_the_play_page_tells_every_command_and_option() -> None:
    page = (DOCS / "play.md").read_text("utf-8")
    source = (ROOT / "firmware" / "alone" / "byhand.py").read_text("utf-8")
    for command in re.findall(r'^            case "(\w+)"', source, re.M):
        assert f"`{command}`" in page, command
    for option in ("players", "first", "option", "numbers", "deal", "out", "json"):
        assert f"| `--{option}" in page, option


def test_the_architecture_page_names_every_room_of_the_engines() -> None:
    page = (DOCS / "architecture.md").read_text("utf-8")
    named = {name.removesuffix(".py").rpartition("/")[2] for name in re.findall(r"`([\w/.]+)`", page)}
    for path in (ROOT / "engines").rglob("*.py"):
        assert path.stem in named or path.stem == "__init__", path
