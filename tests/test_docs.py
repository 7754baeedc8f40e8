"""The documents: what they name exists, what they show works, what they promise is tried."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engines import games, record
from firmware import replay
from firmware.cli import main
from firmware.keys import KEYS
from firmware.settings import DEFAULTS
from firmware.texts import load
from hardware.buttons.press import Button

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
    wanted = [f"P{number:02d}" for number in (*range(1, 23), *range(40, 51))]
    assert [row[0] for row in pains()] == wanted
    assert all(len(pain) > 6 and len(answer) > 10 for _, pain, answer, _ in pains())


def test_every_test_that_is_named_exists() -> None:
    for number, _, _, proof in pains():
        named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", proof)
        assert named, number
        assert "".join(f"`{path}::{test}`" for path, test in named) == proof.replace(" ", ""), number
        for path, test in named:
            assert test in _tests_in(ROOT / path), f"{number}: {path}::{test}"


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


def test_the_wiring_page_names_the_pins_of_the_settings() -> None:
    """P43."""
    page = (DOCS / "wiring.md").read_text("utf-8")
    header = {17: 11, 27: 13, 22: 15, 23: 16}
    for button in Button:
        pin = DEFAULTS.number(f"buttons.{button.value}")
        row = rf"\| {button.name} \| {pin} \| {header[pin]} \| \d+ \| `buttons\.{button.value}` \|"
        assert re.search(row, page), button
    for name in ("dc", "reset"):
        assert re.search(rf"GPIO {DEFAULTS.number(f'display.{name}')} \| `display\.{name}`", page), name


def test_nothing_forks_while_pins_are_open() -> None:
    """P44: one process. The one command that is ever started switches the Pi off, after every part was closed."""
    starts: list[str] = []
    for package in ("engines", "vision", "hardware", "firmware"):
        for path in sorted((ROOT / package).rglob("*.py")):
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
    assert starts == ["service.py: ['systemctl', 'poweroff']"]
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
    assert {"demo", "run", "replay", "export", "print", "check-config"} <= set(known)


def test_no_page_names_the_machine_it_was_written_on() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        for path in ("/work", "/tmp", "/root", "../shared"):
            assert path not in text, f"{page.name}: {path}"
