"""``thoth print``: what comes out, and what is said when it cannot."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from engines import table_games
from engines.game import Game
from firmware.cli import main


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def pages(path: str) -> int:
    return len(pypdfium2.PdfDocument(path))


def test_a_deck_with_and_without_backs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "deck", "ankh"]) == 0
    said = capsys.readouterr().out
    assert "ankh-deck.pdf: 90 pieces on 10 sheets of A4" in said and "100 mm" in said
    assert pages("ankh-deck.pdf") == 11
    assert main(["print", "deck", "ankh", "--backs", "--once", "--paper", "A3", "--out", "few.pdf"]) == 0
    assert "few.pdf: 38 pieces on 3 sheets of A3" in capsys.readouterr().out
    assert pages("few.pdf") == 8


def test_the_owners_own_file_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.toml").write_text("[ankh]\nmummies.red = [18, 0, 0, 0, 0]\n")
    assert main(["print", "deck", "ankh", "--once", "--numbers", "own.toml"]) == 0
    assert "34 pieces" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "missing"), [("papyrus", "gods"), ("archaeology", "treasures.tablet.sell")])
def test_missing_numbers_say_what_to_type_and_how_to_go_on(
    game: str, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["print", "deck", game]) == 2
    said = capsys.readouterr().err
    assert f"{missing} is missing" in said
    assert f"thoth catalog {game} --template > {game}.toml" in said
    assert f"thoth print deck {game} --numbers house" in said
    assert not Path(f"{game}-deck.pdf").exists()
    assert main(["print", "deck", game, "--once", "--numbers", "house"]) == 0
    assert Path(f"{game}-deck.pdf").exists()


@pytest.mark.parametrize(
    ("game", "players"), [(game, players) for game in table_games().values() for players in game.players]
)
def test_a_mat_for_every_table_or_the_corners_of_one_that_no_mat_is_large_enough_for(
    game: Game, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = game.reading.layout(players, game.defaults)
    code = main(["print", "mat", game.id, "--players", str(players), "--paper", "A2"])
    assert code == (2 if layout.loose else 0)
    assert ("thoth print corners" in capsys.readouterr().err) == layout.loose
    assert Path(f"{game.id}-mat.pdf").exists() != layout.loose
    assert layout.loose or (layout.width <= 594.0 and layout.height <= 420.0)


def test_corners_and_mat(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "corners"]) == 0
    assert main(["print", "mat", "tanis"]) == 0
    said = capsys.readouterr().out
    assert "corners.pdf: four corner markers" in said and "tanis-mat.pdf: 594 x 420 mm" in said
    assert pages("corners.pdf") == pages("tanis-mat.pdf") == 1
    assert main(["print", "mat", "tanis", "--players", "2", "--paper", "tiled-A4"]) == 0
    assert "on 9 sheets of A4" in capsys.readouterr().out
    assert pages("tanis-mat.pdf") == 9


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "deck|mat|board|plan|corners"),
        (("deck",), "GAME"),
        (("deck", "chess"), "tanis"),
        (("deck", "ankh", "--paper", "A9"), "A4"),
        (("deck", "ankh", "--numbers", "nowhere.toml"), "there are no numbers 'nowhere.toml'"),
        (("deck", "ankh", "--out", "no/such/folder.pdf"), "check the path"),
        (("corners", "--out", "no/such/folder.pdf"), "check the path"),
        (("mat", "tanis", "--players", "3"), "Tanis is played by 2, not by 3: write --players 2"),
        (("mat", "tanis", "--players", "0"), "Tanis is played by 2, not by 0: write --players 2"),
        (
            ("mat", "tanis", "--paper", "A3"),
            "594 x 420 mm, too large for one sheet of A3: write --paper tiled-A3",
        ),
    ],
)
def test_a_bad_call_is_told_what_to_write(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(["print", *words])
    except SystemExit as left:
        code = int(left.code or 0)
    said = capsys.readouterr()
    assert code == 2 and told in said.err and "Traceback" not in said.err


def test_a_sheet_of_invented_numbers_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "deck", "archaeology", "--once", "--numbers", "house"]) == 0
    assert "invented" in capsys.readouterr().out
    assert main(["print", "deck", "tanis", "--once"]) == 0
    assert "invented" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("papyrus", "--players", "3", "--numbers", "house"), "thoth print corners"),
        (("ankh",), "thoth print mat ankh --players 5"),
        (("archaeology", "--players", "2", "--option", "monument=buried-ruins"), "789 x 468 mm"),
        (("archaeology", "--players", "2"), "594 x 420 mm"),
    ],
)
def test_a_plan_of_every_table(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "plan", *words]) == 0
    assert said in capsys.readouterr().out
    assert pages(f"{words[0]}-plan.pdf") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tanis", "--players", "3"), "write --players 2"),
        (("ankh", "--players", "0"), "write --players 2"),
        (("archaeology", "--option", "monument=moon"), "monument=great-pyramid|"),
        (("archaeology", "--option", "moon"), "there are: monument="),
    ],
)
def test_a_plan_that_cannot_be(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "plan", *words]) == 2
    assert said in capsys.readouterr().err
    assert not Path(f"{words[0]}-plan.pdf").exists()
