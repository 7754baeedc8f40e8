"""The record as a file for its players: from the menu, by itself at the end, and what is said when it cannot be written."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engines import games, record
from engines.referee import Match
from engines.tanis.moves import Take
from firmware import night as nights
from firmware import service
from firmware.box.pace import SIMULATED
from firmware.events import Export, Exported, Part
from firmware.settings import DEFAULTS
from firmware.shell import Shell
from firmware.written import records, replay
from firmware.written.journal import Journal
from firmware.written.recording import Recording
from firmware.written.records import NotWritten, file_name, keep
from hardware.buttons.press import Button, Press
from hardware.clock import SimulatedClock
from hardware.display.draw import fits
from hardware.display.screen import Screen
from tests.firmware.evenings import GAMES, TEXTS, Evening, evening, midgame, started

BEGUN = "2026-11-30T12:15:00+00:00"
NAMES = ("Zoë", "Jean-Luc / 2")


def asked(one: Evening) -> Evening:
    one.press(Button.CONFIRM, long=True)
    one.choose(TEXTS("menu.export"))
    return one


def ended() -> Evening:
    """A game played to its end from the menu, without a camera."""
    one = evening()
    one.send(Part("camera", "no camera: check the ribbon", 0.0))
    while one.screen.name != "turn":
        one.confirm()
    while one.night.match is None or one.match.outcome() is None:
        one.press(Button.CONFIRM, long=True)
        while one.screen.name == "menu":
            one.confirm()
        assert Export() not in one.effects, "not before the end"
        one.confirm()
    return one


def test_the_menu_asks_for_it_and_the_display_says_where_it_is() -> None:
    one = asked(midgame(started()))
    assert one.effects.count(Export()) == 1
    assert one.screen.main == TEXTS("export.doing")
    name = file_name(one.match, BEGUN)
    shown = one.send(Exported(name, "", one.now))
    assert shown.title == TEXTS("export.done")
    assert "".join(shown.lines[1:]) == name
    assert "records" in shown.lines[0]
    assert fits(shown) == ()
    assert one.confirm().name == "turn"


def test_what_hindered_it_is_said_and_the_game_goes_on() -> None:
    for advice in records.ADVICE:
        one = asked(midgame(started()))
        shown = one.send(Exported("", advice, one.now))
        assert shown.title == TEXTS("export.not")
        assert " ".join(shown.lines) == " ".join(advice.split())
        assert fits(shown) == ()
        assert one.reject().name == "turn"


def test_it_is_written_by_itself_at_the_end_and_the_winner_stays_on_display() -> None:
    one = ended()
    assert Export() in one.effects
    assert one.screen.name == "end"
    assert one.send(Exported("somewhere.txt", "", one.now)).name == "end"


def test_the_file_holds_the_record_with_date_and_names(tmp_path: Path) -> None:
    one = midgame(started(names=NAMES))
    path = keep(tmp_path, one.match, BEGUN)
    assert path.parent == tmp_path / "records"
    assert re.fullmatch(r"2026-11-30-\d{4}-tanis-zoë-jeanluc2\.txt|2026-12-01-.*", path.name)
    text = path.read_text("utf-8")
    assert "; begun 2026-" in text
    assert record.read(text) == one.match
    assert replay.judge(text)["players"] == list(NAMES)
    move = next(move for move in one.match.legal_moves() if isinstance(move, Take))
    later = keep(tmp_path, one.match.accept(move), BEGUN)
    assert later == path, "one file for one night"
    assert len(record.read(path.read_text("utf-8")).moves) == 3
    assert [file.name for file in path.parent.iterdir()] == [path.name], "nothing is left lying about"


def test_no_name_is_too_long_for_a_file(tmp_path: Path) -> None:
    match = Match.begin(games()["tanis"], ("Ω" * 500, "b" * 300), 0)
    path = keep(tmp_path, match, BEGUN)
    assert len(path.name.encode()) <= 204 and path.name.endswith("ω.txt")
    assert record.read(path.read_text("utf-8")) == match


def test_a_folder_that_cannot_be_made_is_said_in_a_players_words(tmp_path: Path) -> None:
    one = midgame(started())
    (tmp_path / "records").write_text("in the way")
    with pytest.raises(NotWritten) as caught:
        keep(tmp_path, one.match, BEGUN)
    assert caught.value.advice in records.ADVICE
    assert str(tmp_path) in str(caught.value)


def test_a_link_stays_one_and_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("an older game")
    link, pipe, folder = tmp_path / "link.txt", tmp_path / "pipe", tmp_path / "folder"
    link.symlink_to("game.txt")
    records.put(link, "a game")
    assert link.is_symlink()
    assert (tmp_path / "game.txt").read_text() == "a game"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    records.put(pipe, "a game")
    assert os.read(reader, 100) == b"a game"
    assert pipe.is_fifo()
    os.close(reader)
    folder.mkdir()
    for place in (folder, tmp_path / ("x" * 300), Path()):
        with pytest.raises(OSError):
            records.put(place, "a game")
    records.put(tmp_path / ("x" * 250), "a game")
    assert not list(tmp_path.rglob("*.new"))


def test_two_who_write_the_same_file_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    texts = [f"{letter * 50_000}\n" for letter in "ab"]
    said = "import sys; from pathlib import Path; from firmware.written.records import put\nfor _ in range(80): put(Path(sys.argv[1]), sys.argv[2])"
    writers = [subprocess.Popen([sys.executable, "-c", said, str(path), text]) for text in texts]
    try:
        while any(writer.poll() is None for writer in writers):
            if path.exists():
                assert path.read_text() in texts
    finally:
        assert [writer.wait(60) for writer in writers] == [0, 0]
    assert list(tmp_path.iterdir()) == [path]


class Fingers:
    """Buttons pressed from a list, one a round."""

    fault = None

    def __init__(self, *presses: tuple[Button, bool]) -> None:
        self.left = list(presses)

    def poll(self, now: float) -> tuple[Press, ...]:
        return (Press(*self.left.pop(0), now),) if self.left else ()

    def close(self) -> None:
        pass


class Glass:
    """A display that keeps what it was shown."""

    fault = None

    def __init__(self) -> None:
        self.shown: list[Screen] = []

    def show(self, screen: Screen) -> None:
        self.shown.append(screen)

    def tick(self, now: float) -> None:
        pass

    def wake(self) -> bool:
        return False

    def close(self) -> None:
        pass


def test_the_service_writes_it_into_its_state_folder(tmp_path: Path) -> None:
    one = midgame(started())
    with Journal(tmp_path / "journal.db") as journal:
        journal.append(tuple(one.written))
        state, effects = nights.resume(GAMES, journal.entries(), ("Ana", "Ben"), 1, TEXTS)
        clock, glass = SimulatedClock(), Glass()
        to_export = 2 * [(Button.UP, False)]
        fingers = Fingers((Button.CONFIRM, True), (Button.UP, False), *to_export, (Button.CONFIRM, False))
        shell: Shell[nights.Night] = Shell(
            clock,
            None,
            glass,
            fingers,
            lambda layout: service.make_eyes(DEFAULTS, tmp_path, layout),
            journal,
            state,
            effects=effects,
            pace=SIMULATED,
            export=lambda night: service.keep_record(tmp_path, journal, night),
        )
        until = clock.monotonic() + 3
        shell.run_until(lambda: clock.monotonic() >= until)
    (path,) = (tmp_path / "records").iterdir()
    assert record.read(path.read_text("utf-8")) == one.match
    assert "".join(glass.shown[-1].lines[1:]) == path.name


def test_a_shell_with_nowhere_to_write_says_so() -> None:
    shell: Shell[nights.Night] = Shell(
        SimulatedClock(),
        None,
        None,
        None,
        lambda _: pytest.fail("no eyes"),
        Forgetful(),
        nights.begin(GAMES)[0],
    )
    shell._carry_out(Export(), None)
    (said,) = shell.queue
    assert isinstance(said, Exported)
    assert said.fault


class Forgetful:
    def append(self, entries: tuple[tuple[str, str], ...]) -> int:
        return len(entries)


def test_a_recording_does_not_learn_the_names_from_the_file(tmp_path: Path) -> None:
    one = midgame(started())
    kept = Recording(tmp_path, 10**7, one.written, ("Ana", "Ben"), 1)
    kept.step(Exported(file_name(one.match, BEGUN), "", 5.0), ())
    kept.close()
    said = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.json*"))
    assert "Exported" in said
    assert "ana" not in said.lower().replace("tanis", "")


def test_a_damaged_journal_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    one = midgame(started())
    with Journal(tmp_path / "journal.db") as journal:
        journal.append((*one.written, ("move", "1 take no-such-tile")))
        with caplog.at_level(logging.ERROR, "thoth"):
            state, _ = service.resume(journal, (), 1, TEXTS)
    assert state.trouble
    assert "no-such-tile" in caplog.text
    assert "goes on" in caplog.text
