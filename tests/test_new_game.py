"""The page for a new game: its example is laid over a copy of the project as the page says, and all of it runs there."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engines import games
from engines.game import Rules

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "new-game"
PAGE = (ROOT / "docs" / "new-game.md").read_text("utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with Pebbles in it."""
    tree = tmp_path_factory.mktemp("project")
    for package in ("engines", "tests"):
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(EXAMPLE / package, tree / package, dirs_exist_ok=True)
    for package in ("firmware", "hardware", "vision"):
        (tree / package).symlink_to(ROOT / package)
    shutil.copy(ROOT / "pyproject.toml", tree)
    registry = tree / "engines" / "__init__.py"
    text = registry.read_text("utf-8")
    (line,) = re.findall(r"^    (from engines\.pebbles\.game import PEBBLES)$", PAGE, re.MULTILINE)
    text = text.replace(
        "    from engines.tanis.game import TANIS\n",
        f"    {line}\n    from engines.tanis.game import TANIS\n",
    )
    text = re.sub(r"for game in \((\w+, )", r"for game in (PEBBLES, \1", text)
    registry.write_text(text, "utf-8")
    return tree


def run(tree: Path, *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words], cwd=tree, input=said, capture_output=True, text=True, check=False
    )


def test_its_tests_pass_and_name_every_rule(project: Path) -> None:
    done = run(project, "-m", "tests.rules", "pebbles")
    assert done.returncode == 0, done.stdout + done.stderr
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"rules: (\d+) of \1", last)


def test_the_common_harness_plays_it(project: Path) -> None:
    done = run(
        project,
        "-m",
        "tests.play_random",
        "--game",
        "pebbles",
        "--states",
        "300",
        "--games",
        "20",
        "--processes",
        "1",
    )
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        f"pebbles, {n} players" for n in (2, 3, 4)
    ]
    assert done.stdout.count("every invariant held") == 3


def test_its_golden_game_is_judged_and_played_through_the_pipe(project: Path) -> None:
    golden = project / "tests" / "golden" / "pebbles.txt"
    done = run(project, "-m", "firmware.cli", "replay", str(golden))
    assert done.returncode == 0 and "winner: Ben (8 points)" in done.stdout
    done = run(project, "-m", "firmware.cli", "play", "pebbles", "--json", said=golden.read_text("utf-8"))
    assert done.returncode == 0 and not done.stderr
    *answers, last = map(json.loads, done.stdout.splitlines())
    assert {one["verdict"] for one in answers} == {"accepted"}
    assert last["result"]["score"] == {"Ana": 4, "Ben": 8} and last["result"]["over"]


def test_its_numbers_are_shown_given_and_doubted(project: Path) -> None:
    done = run(project, "-m", "firmware.cli", "catalog", "pebbles")
    assert done.returncode == 0 and "Bag: how many white pebbles" in done.stdout
    numbers = project / "numbers.toml"
    numbers.write_text("house = true\n[pebbles.bag]\nwhite = 1\nblack = 1\n", "utf-8")
    said = "Ana: draw\nreveal white\nBen: draw\nreveal black\nClara: draw\nreveal white\n"
    done = run(
        project, "-m", "firmware.cli", "play", "pebbles", "--json", "--numbers", str(numbers), said=said
    )
    *answers, last = map(json.loads, done.stdout.splitlines())
    assert [one["rule"] for one in answers] == [None, None, None, None, "H1", None]
    assert {one["verdict"] for one in answers} == {"accepted"} and last["result"]["house"]
    numbers.write_text("[pebbles.bag]\nwhite = 1\nblack = 1\n", "utf-8")
    done = run(
        project, "-m", "firmware.cli", "play", "pebbles", "--json", "--numbers", str(numbers), said=said
    )
    *answers, last = map(json.loads, done.stdout.splitlines())
    assert [one["verdict"] for one in answers] == [*["accepted"] * 4, "refused", "refused"]


def test_the_page_names_the_rooms_and_functions_there_are() -> None:
    rooms = re.findall(r"^\| `(\w+\.\w+)` \|", PAGE, re.MULTILINE)
    assert {path.name for path in (EXAMPLE / "engines" / "pebbles").iterdir()} - {
        "__init__.py",
        "__pycache__",
    } == set(rooms)
    for game in games():
        for room in rooms:
            if room != "dealing.py":
                assert (ROOT / "engines" / game / room).exists(), f"{game}: {room}"
        assert (ROOT / "engines" / game / "dealing.py").exists()
    for name in vars(Rules):
        if not name.startswith("_"):
            assert f"`{name}" in PAGE, f"the page does not tell of {name}"


def test_the_page_names_files_that_exist() -> None:
    for name in re.findall(r"`((?:docs|engines|tests|firmware|hardware)/[\w./-]+)`", PAGE):
        if "<" not in name:
            there = EXAMPLE / name if "pebbles" in name and not name.startswith("docs") else ROOT / name
            assert there.exists(), name
