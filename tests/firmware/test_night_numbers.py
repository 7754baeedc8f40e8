"""What the numbers of a night rest on: told once at the set-up, with every score, and kept in journal, record and recording."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from engines import catalogue as catalogues
from engines import record, table_games
from engines.catalogue import Catalogue, house, override, shipped
from engines.table import Table
from firmware import night as nights
from firmware import notices, numbers, service
from firmware.commands.gallery import WIDEST
from firmware.events import Blind, Look, Part
from firmware.screens import pages
from firmware.written import entries, replay
from firmware.written.recording import START, Recording
from hardware.buttons.press import Button
from hardware.display.draw import fits
from hardware.display.screen import Screen
from tests.firmware.evenings import GAMES, TEXTS, Evening, evening, legal, started

ODD = {f"odd.n{number}": number for number in range(99)}
"""Numbers that an owner could give: those of Tanis itself are all part of its rules."""


@pytest.fixture(autouse=True)
def odd(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tanis with numbers that nobody has verified, and a house set."""
    real: Any = catalogues._text
    more = {
        "catalog.toml": "".join(
            f'\n[{path}]\nform = "count"\nvalue = {value}\nsource = "test"\n' for path, value in ODD.items()
        ),
        "house.toml": "house = true\n[tanis.odd]\nn1 = 77\n",
    }
    monkeypatch.setattr(
        catalogues, "_text", lambda game, name: real(game, name) + (more[name] if game == "tanis" else "")
    )
    shipped.cache_clear()
    house.cache_clear()
    yield
    monkeypatch.undo()
    shipped.cache_clear()
    house.cache_clear()


def own() -> Catalogue:
    return override(shipped("tanis"), ODD, "own", "a test")


def doubtful() -> Catalogue:
    return shipped("tanis")


def invented() -> Catalogue:
    return house("tanis")


Gives = Callable[[], Catalogue]
NOTICES: tuple[tuple[Gives, str], ...] = (
    (own, ""),
    (invented, TEXTS("numbers.house")),
    (doubtful, TEXTS("numbers.unverified", count=99)),
)


def at_setup(catalogue: Catalogue, names: tuple[str, ...] = ("Ana", "Ben")) -> Evening:
    one = evening(1, names, {"tanis": catalogue})
    while one.screen.name != "setup":
        one.confirm()
    return one


@pytest.mark.parametrize(("gives", "notice"), NOTICES)
def test_the_set_up_says_once_what_the_numbers_rest_on(gives: Gives, notice: str) -> None:
    catalogue = gives()
    for names in (("Ana", "Ben"), WIDEST):
        one = at_setup(catalogue, names)
        assert one.look().main == TEXTS("setup.ready")
        assert fits(one.screen) == ()
        assert one.screen.lines[1:] == ((notice,) if notice else ())
        assert one.confirm().name == "turn"
        assert not notice or notice not in one.screen.lines
    blind = at_setup(catalogue)
    blind.send(Part("camera", "no camera: check the ribbon", 1.0))
    assert blind.screen.main == TEXTS("setup.blind") and fits(blind.screen) == ()
    assert (notice or TEXTS("setup.blind_long")) in blind.screen.lines


def test_house_numbers_are_said_with_every_score() -> None:
    notice = TEXTS("numbers.house")
    for catalogue in (own(), invented()):
        one = started(1, WIDEST, {"tanis": catalogue})
        assert one.match.catalogue == catalogue
        seen = set()
        for turn in range(200):
            if one.match.outcome() is not None:
                break
            if turn % 10 == 9:
                one.press(Button.UP, long=True)
                for _ in range(pages(one.night)):
                    assert fits(one.screen) == ()
                    assert (one.screen.lines[-1] == notice) == catalogue.house
                    seen |= set(one.screen.lines)
                    one.press(Button.UP)
                one.reject()
            one.do(legal(one.match, random.Random(turn)))
            one.confirm()
        assert one.screen.name == "end" and fits(one.screen) == ()
        assert (one.screen.lines[-1] == notice) == catalogue.house and len(one.screen.lines) <= 2
        # However many lines are taken away, every item of the score can be leafed to.
        one.press(Button.UP)
        seen |= {
            line for _ in range(pages(one.night)) for line in (*one.screen.lines, *one.press(Button.UP).lines)
        }
        items = [item for items in one.match.score().items for item in items]
        assert all(f"{item.text} {item.points:+d}" in seen for item in items)


def test_the_journal_keeps_the_numbers_of_a_game() -> None:
    for catalogue in (own(), invented(), doubtful()):
        one = started(2, ("Ana", "Ben"), {"tanis": catalogue})
        one.do(legal(one.match, random.Random(1)))
        one.confirm()
        header = json.loads(one.written[0][1])
        assert ("catalogue" in header) == (catalogue != shipped("tanis"))
        # Also when the owner's file is gone by now: the game goes on by the numbers it was begun with.
        again = nights.resume(GAMES, one.written, texts=TEXTS)[0]
        assert again.match == one.match and again.match is not None
        assert again.match.catalogue == catalogue
        assert record.read(record.write(again.match)) == again.match


def test_a_new_game_of_the_night_is_played_by_the_same_numbers() -> None:
    one = started(1, numbers={"tanis": invented()})
    one.press(Button.DOWN, long=True)
    one.choose(TEXTS("pause.new"))
    one.confirm()
    assert one.night.match is None
    while one.screen.name != "setup":
        one.confirm()
    one.look()
    one.confirm()
    assert one.match.house


def test_numbers_in_the_journal_that_cannot_be_are_a_damaged_entry() -> None:
    one = started(1, numbers={"tanis": invented()})
    kind, text = one.written[0]
    said = json.loads(text)
    for lines in (
        ["catalogue: house 01234567"],
        ["catalogue: borrowed"],
        ["number cards.jester: 3"],
        ["number cards.expert: 3"],
    ):
        found = entries.replay(GAMES, [(kind, json.dumps({**said, "catalogue": lines}))])
        assert found.match is None and "its numbers" in found.damage
    found = entries.replay(GAMES, [(kind, json.dumps({**said, "catalogue": 3}))])
    assert found.match is None and found.damage


def test_a_recorded_night_is_played_again_by_its_numbers(tmp_path: Path) -> None:
    one = evening(1, ("Ana", "Ben"), {"tanis": invented()})
    kept = Recording(tmp_path, 10**8, (), ("Ana", "Ben"), 1, {"tanis": invented()})
    one.watch = lambda before, event, after, effects: kept.step(event, effects)
    while one.screen.name != "setup":
        one.confirm()
    one.look()
    one.confirm()
    one.press(Button.UP, long=True)
    kept.close()
    assert replay.recording(tmp_path) == 0
    path = tmp_path / "0001" / START
    start = json.loads(path.read_text("utf-8"))
    assert start["numbers"]["tanis"][0].startswith("catalogue: house ")
    wrong: tuple[Any, ...] = (3, {"tanis": ["number x: 1"]}, {"chess": []}, {"tanis": 3}, {"tanis": [3]})
    for damaged in wrong:
        path.write_text(json.dumps({**start, "numbers": damaged}), "utf-8")
        with pytest.raises(replay.RecordingError, match="damaged"):
            replay.recording(tmp_path)


def test_its_pictures_are_read_by_the_faces_that_are_printed_by_those_numbers(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "000001-read.jpg"), np.zeros((8, 8, 3), np.uint8))
    made: list[object] = []

    class Closed:
        def read(self, picture: object, expected: object) -> Any:
            return SimpleNamespace(table=None, fault="dark")

    def make(layout: object, own: object) -> Any:
        made.append(own)
        return Closed()

    own = {"tanis": invented()}
    sight = replay._Sight(tmp_path, make, own)
    sight.follow((Look(Table(), table_games()["tanis"].reading.layout(2, {})),))
    assert sight.read("000001-read.jpg") == Blind("dark", 0.0)
    assert made == [own]


def test_the_service_takes_the_owners_file_or_says_that_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    config = tmp_path / "thoth.toml"
    assert service.own_numbers(config) == ({}, True)
    own = tmp_path / numbers.NAME
    own.write_text("[archaeology.sandstorms]\n3 = 4\n", "utf-8")
    read, sound = service.own_numbers(config)
    assert sound and list(read) == list(table_games()) and read["tanis"] == shipped("tanis")
    assert read["archaeology"]["sandstorms.3"] == 4 != shipped("archaeology")["sandstorms.3"]
    own.write_text("[tanis.odd]\nn3 = 4\n", "utf-8")
    assert service.own_numbers(config)[0]["tanis"]["odd.n3"] == 4
    own.write_text("[tanis.cards]\nexpert = 2\n", "utf-8")
    assert service.own_numbers(config) == ({}, False)
    assert "line 2: cards.expert is part of the rules" in caplog.text
    assert fits(Screen("notice", lines=tuple(notices.NUMBERS_FAULTY.split("\n")))) == ()


def test_a_record_by_house_numbers_is_judged_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for catalogue in (own(), doubtful(), invented()):
        match = started(1, numbers={"tanis": catalogue}).match
        while match.outcome() is None:
            match = match.accept(match.legal_moves()[0])
        path = tmp_path / "game.txt"
        path.write_text(record.write(match), "utf-8")
        assert replay.record(path) == 0
        assert ("house numbers" in capsys.readouterr().out) == catalogue.house
        assert replay.record(path, as_json=True) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["ok"] and found["fault"] is None and found["moves"] == len(match.moves)
    # Judged by other numbers than it was played by: that is said, with what to do.
    with pytest.raises(numbers.NumbersError, match="no numbers 'mine"):
        replay.record(path, numbers=["mine.toml"])
    assert replay.record(path, numbers=["shipped"], as_json=True) == 1
    fault = json.loads(capsys.readouterr().out)["fault"]
    assert "played by other numbers" in fault["text"] and "--numbers FILE" in fault["remedy"]
    assert replay.record(path, numbers=["house"]) == 0
