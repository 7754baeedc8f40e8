"""The service as a process in a world that goes wrong around it: hanging drivers, full and read-only disks, signals, sticks, no memory."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
import zipfile
from pathlib import Path

import pytest

from firmware.written.export import snapshot
from tests.firmware.box import KEYBOARD, Box, begun, box, mounts, move

HANGING = """
import threading
class Picamera2:
    @staticmethod
    def global_camera_info():
        threading.Event().wait()
"""
LIBCAMERA = """
class StreamRole:
    Viewfinder = 2
"""

STALLED = """
import os, time
from concurrent.futures import TimeoutError
class Picamera2:
    sensor_resolution = (4608, 2592)
    camera_controls = {}
    @staticmethod
    def global_camera_info():
        return [{"Num": 0}]
    def __init__(self, number):
        self.camera = self
        self.size = 2
    def generate_configuration(self, roles):
        return self
    def create_video_configuration(self, **config):
        self.config = config
        return config
    def configure(self, config): ...
    def stream_configuration(self, name):
        return self.config[name]
    def start(self, show_preview): ...
    def capture_request(self, wait):
        print("waiting", flush=True)
        time.sleep(wait)
        raise TimeoutError()
    def cancel_all_and_flush(self): ...
    def close(self):
        time.sleep(60)
"""


def driver(folder: Path, text: str) -> dict[str, str]:
    (folder / "modules").mkdir()
    (folder / "modules" / "picamera2.py").write_text(text)
    (folder / "modules" / "libcamera.py").write_text(LIBCAMERA)
    return {"PYTHONPATH": str(folder / "modules")}


REAL = KEYBOARD.replace('kind = "none"', 'kind = "picamera2"', 1)


def test_a_driver_that_hangs_delays_neither_the_start_nor_the_end(tmp_path: Path) -> None:
    with box(tmp_path, REAL, environment=driver(tmp_path, HANGING)) as one:
        assert one.hear("READY=1") < 3 * 2, "3 s, and the machine may be busy with other tests"
        begun(one, "C")  # the night goes on by menu meanwhile
        move(one)
        one.hear("WATCHDOG=1")
        assert one.stop() <= 2.0
        assert one.process.returncode == 0
    assert any("Good night" in line for line in one.shown)


def test_waiting_for_a_camera_is_broken_off_when_it_takes_too_long_to_stop(tmp_path: Path) -> None:
    """P25, and no frame ever comes."""
    with box(tmp_path, REAL, environment=driver(tmp_path, STALLED)) as one:
        one.hear("READY=1")
        one.see("waiting")
        assert one.stop() <= 2.0
        assert one.process.returncode == 0
    assert any("Good night" in line for line in one.shown)


def test_hangup_rereads_the_settings_and_keeps_the_game(tmp_path: Path) -> None:
    with box(tmp_path) as one:
        begun(one)
        move(one)
        one.see("turn | Player 2")
        one.config.write_text(
            'names = ["Ana", "Ben"]\n' + KEYBOARD.replace("terminal", "png") + f'folder = "{tmp_path}"\n'
        )
        one.process.send_signal(signal.SIGHUP)
        one.read_log("settings read anew: display.driver, display.folder, names")
        since = one.press("")
        one.config.write_text('names = ["Ana", "Ben"]\n' + KEYBOARD)
        one.process.send_signal(signal.SIGHUP)
        one.see("turn | Player 2", since=since)
        time.sleep(0.6)  # nobody reads a display that has just come on
        since = one.press("D")
        one.see("New game", since=since)
        since = one.press("dd")
        since = one.press("c")
        one.see("New game?", since=since)
        one.press("c")
        since = one.press("c")
        assert "Ana" in one.see("Player 1?", since=since)


def test_settings_that_became_faulty_change_nothing_and_are_said(tmp_path: Path) -> None:
    with box(tmp_path, 'names = ["Ana"]\n' + KEYBOARD) as one:
        begun(one)
        one.config.write_text('names = ["Eve"]\ncolour = 3\n' + KEYBOARD.replace("terminal", "none"))
        one.process.send_signal(signal.SIGHUP)
        one.see("the old ones hold")
        one.read_log("line 2: colour: there is no such setting")
        since = one.press("c")
        one.see("turn | Ana", since=since)
        one.config.unlink()
        one.process.send_signal(signal.SIGHUP)
        one.see("the old ones hold", since=since)


def test_a_second_service_says_so_and_stops(tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    with box(tmp_path) as one:
        one.hear("READY=1")
        with box(tmp_path / "second", state=one.state) as two:
            two.hear("STATUS=")
            assert two.process.wait(10) == 2
            two.read_log("another Thoth is running on this state folder; stop it")
            assert not two.shown, "the display belongs to the first"
        assert one.process.poll() is None


def test_a_full_disk_keeps_nothing_says_so_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    mounts()
    disk = tmp_path / "disk"
    disk.mkdir()
    inside = (
        "unshare",
        "-m",
        "--propagation",
        "private",
        "sh",
        "-c",
        f'mount -t tmpfs -o size=400k none {disk} && exec "$@"',
        "sh",
    )
    with box(tmp_path, state=disk / "state", before=inside) as one:
        begun(one)
        place = Path(f"/proc/{one.process.pid}/root{disk}")
        with (place / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError, match="space"):
            while True:
                filler.write(b"\0" * 4096)
        since = move(one)
        said = one.see("Not saved", since=since)
        assert "disk full: free" in said and "CONFIRM again" in said
        (place / "filler").unlink()
        since = one.press("c")
        one.see("turn | Player 2", since=since)
        with snapshot(place / "state" / "journal.db") as journal:
            assert [kind for kind, _ in journal.entries()].count("move") == 1
    assert not any("Traceback" in line for line in one.log)


def test_a_read_only_disk_at_the_start_is_said_and_waited_for(tmp_path: Path) -> None:
    mounts()
    disk = tmp_path / "disk"
    disk.mkdir()
    inside = (
        "unshare",
        "-m",
        "--propagation",
        "private",
        "sh",
        "-c",
        f'mount -t tmpfs -o ro none {disk} && exec "$@"',
        "sh",
    )
    with box(tmp_path, state=disk / "state", before=inside) as one:
        one.see("cannot save: check")
        one.hear("WATCHDOG=1")
        enter = ["nsenter", "-t", str(one.process.pid), "-m", "mount", "-o", "remount,rw", str(disk)]
        subprocess.run(enter, check=True)
        one.see("Which game?")


def test_without_memory_it_stands_still_and_then_goes_on(tmp_path: Path) -> None:
    settings = KEYBOARD.replace('kind = "none"', 'kind = "simulated"', 1)
    with box(tmp_path, settings) as one:
        one.see("Which game?")
        for answer in ("Player 1?", "Player 2?", "Who begins?", "Rules", "Lay out"):
            since = one.press("c")
            one.see(answer, since=since)
        one.see("Ready", since=since)
        with Path(f"/proc/{one.process.pid}/statm").open() as file:
            pages = int(file.read().split()[0])
        tight = pages * os.sysconf("SC_PAGE_SIZE")
        before = resource.prlimit(one.process.pid, resource.RLIMIT_AS, (tight, resource.RLIM_INFINITY))
        time.sleep(3)
        assert one.process.poll() is None, one.log[-5:]
        resource.prlimit(one.process.pid, resource.RLIMIT_AS, before)
        since = one.press("c")
        one.see("turn |", since=since)
        move(one)
        one.see("turn | Player 2", since=since)


def on_a_stick(folder: Path) -> Path:
    home = folder / "stick" / "thoth"
    home.mkdir(parents=True)
    return home


def carried(one: Box, downs: int) -> int:
    """Hold DOWN, go to the stick, choose what to carry."""
    since = one.press("D")
    one.see("pause |", since=since)
    one.press("uu")
    since = one.press("c")
    one.see("To the stick", since=since)
    one.press("d" * downs)
    return one.press("c")


def test_a_stick_brings_settings_names_and_faults_and_takes_records_home(tmp_path: Path) -> None:
    settings = f'stick = "{tmp_path}/stick"\n' + KEYBOARD
    with box(tmp_path, settings) as one:
        begun(one)
        since = carried(one, 0)
        one.see("No stick is in", since=since)
        since = one.press("c")
        one.see("turn |", since=since)
        home = on_a_stick(tmp_path)
        (home / "names.txt").write_text("Zoë\nAna\nsomebody with a long name\n", "utf-8")
        (home / "thoth.toml").write_text("remind_after = 9\n")
        one.see("names.txt line 3", since=since)
        since = one.press("c")
        one.see("From the stick: | settings", since=since)
        since = one.press("c")
        one.see("turn |", since=since)
        assert "line 3: name too long" in (home / "faults.txt").read_text("utf-8")
        move(one)
        since = carried(one, 0)
        one.see("1 record written.", since=since)
        (written,) = (home / "records").glob("*.txt")
        assert "1. Player 1:" in written.read_text("utf-8")
        since = one.press("c")
        since = carried(one, 1)
        one.see("Fault report written.", since=since)
        (report,) = home.glob("report-*.zip")
        with zipfile.ZipFile(report) as packed:
            inside = {name: packed.read(name).decode() for name in packed.namelist()}
        assert json.loads(inside["entries.json"])[0][0] == "header"
        assert json.loads(inside["figures.json"])["ms"]["commit"]["p50"] > 0
        assert {line["about"] for line in json.loads(inside["doctor.json"])} >= {
            "disk",
            "writing",
            "journal",
            "power",
        }
        assert "Player 1" not in inside["entries.json"] + inside["screen.txt"]
        assert one.stop() <= 2
    # What the stick brought is there at the next start, without it.
    (tmp_path / "stick").rename(tmp_path / "gone")
    (tmp_path / "again").mkdir()
    with box(tmp_path / "again", KEYBOARD, state=one.state) as two:
        two.hear("READY=1")
        assert (one.state / "brought" / "thoth.toml").read_text() == "remind_after = 9\n"


def test_a_stick_that_was_put_right_is_taken_and_its_report_of_faults_goes(tmp_path: Path) -> None:
    home = on_a_stick(tmp_path)
    (home / "names.txt").write_text("a\na\n")
    with box(tmp_path, f'stick = "{tmp_path}/stick"\n' + KEYBOARD) as one:
        one.see("this name was there")
        (tmp_path / "stick").rename(tmp_path / "pulled")
        time.sleep(2.2)
        (tmp_path / "pulled" / "thoth" / "names.txt").write_text("Zoë\nBen\n", "utf-8")
        (tmp_path / "pulled").rename(tmp_path / "stick")
        one.read_log("settings read anew")
        since = one.press("c")
        one.see("From the stick:", since=since)
        assert not (home / "faults.txt").exists()
        since = one.press("c")
        one.see("Which game?", since=since)
        since = one.press("c")
        assert "Zoë" in one.see("Player 1?", since=since)
