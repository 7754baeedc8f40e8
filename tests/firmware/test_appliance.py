"""Small things a box does by itself: it reminds, it remembers names, it watches the machine, it reads sticks; none of it ends a night."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from firmware.box import health, stick
from firmware.box.logtail import LINES, OneLine, Tail
from firmware.box.notify import Notifier
from firmware.box.reminder import TIMES, Reminder
from firmware.box.roster import MOST, roster
from firmware.box.stick import Cargo, Sticks, bring, carry
from firmware.events import Notice
from firmware.written.journal import Journal
from hardware.buttons.press import Button
from hardware.display.draw import fits
from tests.firmware.evenings import evening, midgame, started


class Shells:
    """What the reminder needs of a shell."""

    def __init__(self, night: object) -> None:
        self.night = night
        self.reminded = 0

    def remind(self) -> None:
        self.reminded += 1


def test_whose_turn_it_is_gets_a_reminder_some_times_and_then_no_more() -> None:
    one = midgame(started())
    shell = Shells(one.night)
    reminder = Reminder(60)
    at = [now for now in range(2000) if reminder(shell, float(now))]  # type: ignore[arg-type]
    assert at == [60, 60 + 120, 60 + 120 + 240] and shell.reminded == TIMES == 3
    one.press(Button.UP, long=True)
    one.press(Button.REJECT)
    shell.night = one.night
    assert not reminder(shell, 2000.0)  # type: ignore[arg-type]
    assert reminder(shell, 2060.0), "a press begins it anew"  # type: ignore[arg-type]


def test_nobody_is_reminded_before_a_game_or_when_it_is_switched_off() -> None:
    for night, after in ((evening().night, 60), (midgame(started()).night, 0)):
        reminder = Reminder(after)
        assert not any(reminder(Shells(night), float(now)) for now in range(1000))  # type: ignore[arg-type]


def test_who_has_played_is_offered_again(tmp_path: Path) -> None:
    def header(*names: str) -> tuple[str, str]:
        return "header", json.dumps({"game": "tanis", "names": names})

    with Journal(tmp_path / "journal.db") as journal:
        journal.append((header("Zoë", "Player 2"),))
        journal.append((header("Ana", "Ben"), ("setup", header("Ben", "Ana")[1])))
        journal.append((("header", "damaged"),))
        journal.append((("header", '{"names": [3, "", "far too long a name", "a\\u0007"]}'),))
        assert roster(("Cleo",), journal) == ("Cleo", "Ben", "Ana", "Zoë")
        journal.append(tuple(header(f"n{number}") for number in range(40)))
        assert len(roster(("Cleo",), journal)) == MOST
        journal.close()
        assert roster(("Cleo",), journal) == ("Cleo",)


def test_the_machine_tells_of_a_full_disk_of_memory_and_of_its_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P62, P65."""
    assert health.look(tmp_path, tmp_path) == health.Health({}, None)
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text("MemAvailable:   9000 kB\n")
    throttled = tmp_path / health.THROTTLED.replace("soc*", "soc@107c000000")
    throttled.parent.mkdir(parents=True)
    throttled.write_text("50000\n")
    real = os.statvfs(tmp_path)

    class Full:
        f_flag, f_bavail, f_frsize = real.f_flag, 10, 4096

    monkeypatch.setattr(os, "statvfs", lambda path: Full)
    found = health.look(tmp_path, tmp_path)
    assert found.faults == {"disk": health.DISK_FULL, "memory": health.LITTLE_MEMORY} and found.under_voltage
    Full.f_flag = os.ST_RDONLY
    assert health.disk(tmp_path) == health.DISK_READ_ONLY
    throttled.write_text("0")
    assert health.look(tmp_path, tmp_path).under_voltage is False
    throttled.unlink()
    sensor = tmp_path / "sys/class/hwmon/hwmon1"
    sensor.mkdir(parents=True)
    (sensor / "in0_lcrit_alarm").write_text("1\n")
    assert health.look(tmp_path, tmp_path).under_voltage is None, "of another chip"
    (sensor / "name").write_text("rpi_volt\n")
    assert health.look(tmp_path, tmp_path).under_voltage is True
    for advice in health.ADVICE:
        assert all(len(line) <= 21 for line in advice.splitlines()) and len(advice.splitlines()) <= 2


def test_a_notice_waits_until_nothing_asks_and_is_put_away_by_a_press() -> None:
    one = midgame(started())
    one.press(Button.CONFIRM, long=True)
    assert one.screen.name == "menu"
    one.send(Notice("first:\nread me", one.now))
    one.send(Notice("second", one.now))
    one.send(Notice("second", one.now))
    assert one.screen.name == "menu", "a list that is being used is not taken away"
    assert one.reject().lines == ("first:", "read me")
    one.look()
    assert one.screen.name == "notice"
    assert one.confirm().lines == ("second",)
    assert one.confirm().name == "turn"
    assert not one.night.notices
    one.send(Notice("x", one.now))
    one.press(Button.DOWN, long=True)
    assert one.screen.name == "pause", "switching off is always at hand"


def test_a_notice_of_any_words_fits() -> None:
    one = started()
    for text in (
        "thoth.toml line 120\ncamera.width: 12000000000 is out of range",
        "W" * 40,
        "numbers.toml line 7\n" + "word " * 40,
    ):
        one.send(Notice(text, one.now))
        assert fits(one.screen) == (), one.screen
        one.confirm()


def home(folder: Path) -> Path:
    place = folder / "stick" / "thoth"
    place.mkdir(parents=True)
    return place


def test_sound_files_are_copied_and_faulty_ones_left_out_whole(tmp_path: Path) -> None:
    place, state = home(tmp_path), tmp_path / "state"
    (place / "thoth.toml").write_text('language = "xx"\nremind_after = 5\n')
    (place / "numbers.toml").write_text("[archaeology.sandstorms]\n3 = 4\n")
    (place / "names.txt").write_text("\ufeffZoë\n\n# a comment\nBen\n", "utf-8")
    (place / "gallery" / "chess").mkdir(parents=True)
    (place / "gallery" / "tanis").mkdir()
    (place / "gallery" / "tanis" / "gallery.toml").write_text("version = 2\n")
    came = bring(place.parent, state)
    assert came.new == ("numbers", "names")
    assert {(fault.file, fault.line) for fault in came.faults} == {
        ("thoth.toml", 1),
        ("gallery/chess", 0),
        ("gallery/tanis", 0),
    }
    assert sorted(path.name for path in (state / "brought").iterdir() if path.is_file()) == [
        "names.txt",
        "numbers.toml",
    ]
    assert (place / "faults.txt").read_text("utf-8").count("\n") == len(came.faults)
    assert stick.names_of(state / "brought" / "names.txt") == (("Zoë", "Ben"), [])
    told = came.notices()
    assert told[0].startswith("thoth.toml line 1\n") and told[-1] == "From the stick:\nnumbers, names"
    (place / "thoth.toml").write_text("remind_after = 5\n")
    assert bring(place.parent, state).new == ("settings",)
    again = bring(place.parent, state)
    assert again.new == () and {fault.file for fault in again.faults} == {"gallery/chess", "gallery/tanis"}


def test_a_gallery_is_copied_whole(tmp_path: Path) -> None:
    from engines import table_games
    from hardware.print.faces import draw_face
    from vision.gallery import Gallery

    game = table_games()["tanis"]
    layout = game.reading.layout(2, game.defaults)
    pictures = {face.identity: draw_face(face, layout.kind(face.kind), 2.0) for face in layout.faces}
    place, state = home(tmp_path), tmp_path / "state"
    folder = place / "gallery" / "tanis"
    folder.parent.mkdir()
    Gallery.from_pictures(layout, pictures, 2.0).save(folder)
    assert bring(place.parent, state).new == ("gallery",)
    assert set(Gallery.load(state / "brought" / "gallery" / "tanis").pictures) == set(pictures)
    assert bring(place.parent, state).new == ()
    # Another one takes its place whole, one that lacks a face does not.
    pictures["snake-1"] = 255 - pictures["snake-1"]
    Gallery.from_pictures(layout, pictures, 2.0).save(folder)
    assert bring(place.parent, state).new == ("gallery",)
    few = Gallery.load(folder)
    shutil.rmtree(folder)
    Gallery("tanis", {"snake-1": few.pictures["snake-1"]}).save(folder)
    came = bring(place.parent, state)
    assert came.new == () and came.faults
    assert len(Gallery.load(state / "brought" / "gallery" / "tanis").pictures) == len(pictures)
    for fault in came.faults:
        assert fault.remedy and fault.short.startswith("gallery/tanis")


def test_a_gallery_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    from engines import table_games
    from firmware import notices
    from firmware.service import make_eyes
    from firmware.settings import Settings

    game = table_games()["tanis"]
    told: list[str] = []
    settings = Settings({"gallery": str(tmp_path / "none")})
    make_eyes(settings, tmp_path, game.reading.layout(2, game.defaults), tell=told.append)
    assert told == [notices.GALLERY_FAULTY]


def test_the_boot_folder_says_a_thing_once(tmp_path: Path) -> None:
    place, state = home(tmp_path), tmp_path / "state"
    (place / "thoth.toml").write_text("remind_after = 5\n")
    assert bring(place, state, quiet=True).notices(quiet=True) == ("From the stick:\nsettings",)
    # A stick says otherwise later; at the next start the boot folder has nothing new to say.
    (tmp_path / "other" / "thoth").mkdir(parents=True)
    (tmp_path / "other" / "thoth" / "thoth.toml").write_text("remind_after = 7\n")
    assert bring(tmp_path / "other", state).new == ("settings",)
    assert bring(place, state, quiet=True).notices(quiet=True) == ()
    assert (state / "brought" / "thoth.toml").read_text() == "remind_after = 7\n"


def test_a_stick_cannot_move_the_journal_and_no_stick_raises(tmp_path: Path) -> None:
    place, state = home(tmp_path), tmp_path / "state"
    (place / "thoth.toml").write_text(f'state_dir = "{tmp_path}"\n')
    (fault,) = bring(place.parent, state).faults
    assert "state_dir" in str(fault)
    (place / "thoth.toml").write_bytes(b"\xff\xfe\0" * 50)
    (place / "names.txt").write_bytes(os.urandom(30_000))
    (place / "numbers.toml").mkdir()
    assert bring(place.parent, state).new == ()
    assert bring(tmp_path / "nowhere", state) == stick.Brought((), ())
    empty = bring(_empty(tmp_path), state)
    assert empty.notices() == ("Stick is in. Hold\nDOWN to write to it",)


def _empty(tmp_path: Path) -> Path:
    (tmp_path / "empty" / "thoth").mkdir(parents=True)
    return tmp_path / "empty"


def test_what_is_carried_is_on_the_stick_or_its_fault_is_said(tmp_path: Path) -> None:
    place = tmp_path / "stick"
    place.mkdir()
    (tmp_path / "kept.txt").write_text("a record")
    cargo = Cargo(
        {"records/a.txt": "one", "records/b.txt": tmp_path / "kept.txt", "c.zip": b"\0"}, "3 written"
    )
    assert carry(place, cargo) == "3 written"
    assert (place / "thoth/records/b.txt").read_text() == "a record"
    before = (place / "thoth/records/a.txt").stat().st_mtime_ns
    assert carry(place, cargo) == "3 written"
    assert (place / "thoth/records/a.txt").stat().st_mtime_ns == before, "what is there is not worn out"
    (place / "file").write_text("")
    assert carry(place / "file", cargo) == stick.FAILED
    assert not list(place.rglob("*.new"))


def test_sticks_are_told_when_they_come_and_a_folder_without_a_mount_is_none(tmp_path: Path) -> None:
    (tmp_path / "run" / "sda1").mkdir(parents=True)
    (tmp_path / "boot").mkdir()
    sticks = Sticks(str(tmp_path / "mine"), tmp_path / "run", tmp_path / "boot")
    assert sticks.poll() == ((tmp_path / "boot", True),)
    assert sticks.poll() == () and sticks.writable is None
    (tmp_path / "mine").mkdir()
    assert sticks.poll() == ((tmp_path / "mine", False),)
    assert sticks.writable == tmp_path / "mine"
    (tmp_path / "mine").rmdir()
    assert sticks.poll() == () and sticks.writable is None


def test_a_stick_that_cannot_be_mounted_is_told_once(tmp_path: Path) -> None:
    sticks = Sticks("", tmp_path, tmp_path / "boot")
    (tmp_path / "sdb1.fault").write_text("btrfs\n")
    assert sticks.faults() == (stick.UNKNOWN,)
    assert sticks.faults() == () and not list(tmp_path.iterdir())
    assert all(len(line) <= 21 for line in stick.UNKNOWN.splitlines())
    script = (Path(__file__).parents[2] / "systemd" / "stick").read_text()
    assert '>"$place.fault"' in script, "this is who leaves the note"


def test_the_tail_of_the_log_is_bounded() -> None:
    import logging

    tail = Tail()
    try:
        for number in range(3 * LINES):
            logging.getLogger("thoth").warning("line %d %s", number, "x" * 2000)
        lines = tail.text().splitlines()
        assert len(lines) == LINES and f"line {3 * LINES - 1} " in lines[-1] and len(lines[-1]) <= 500
    finally:
        logging.getLogger().removeHandler(tail)


def test_what_is_told_is_one_line_of_the_log_and_a_traceback_keeps_its_own() -> None:
    import logging

    form = OneLine("%(levelname)s %(name)s: %(message)s")
    said = ("thoth", logging.WARNING, "here", 1, "%s: %s", ("camera", "no camera: check\nthe ribbon"))
    assert form.format(logging.LogRecord(*said, None)) == "WARNING thoth: camera: no camera: check the ribbon"
    try:
        raise ValueError("broken")
    except ValueError as error:
        told = form.format(logging.LogRecord(*said, (ValueError, error, error.__traceback__))).splitlines()
    assert told[0].endswith("check the ribbon") and told[-1] == "ValueError: broken" and len(told) > 2


def test_who_listens_is_known() -> None:
    assert not Notifier({}).heard
    assert Notifier({"NOTIFY_SOCKET": "/nowhere"}).heard


def test_what_is_told_at_the_start_fits_and_is_bounded(tmp_path: Path) -> None:
    from firmware import notices
    from firmware.settings import check

    _, faults = check("colour = 1\n[camera]\nwidth = 12\nkind = 5\n[x]\ny = 1\n")
    told = notices.of_settings(faults)
    assert (
        len(told) == 4
        and told[0] == "settings, line 1\ncolour: there is no such setting"
        and told[-1].startswith("1 more")
    )
    (tmp_path / "journal.db").write_text("no journal")
    with Journal(tmp_path / "journal.db") as journal:
        told += notices.of_journal(journal)
    assert told[-1] == "The journal was\ndamaged: 0 entries\nkept, 0 lost"
    one = midgame(started())
    for text in told:
        one.send(Notice(text, one.now))
        assert fits(one.screen) == (), one.screen
        one.confirm()
