"""The doctor: every line has its level and its remedy, nothing hangs or crashes it, and a version that does not work is found out."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engines import table_games
from firmware.doctor import apart, contents, devices, machine, run, selftest, software
from firmware.doctor.base import FAIL, LEVELS, OK, WARN, Facts, Line
from firmware.doctor.table import CHECKS, Check
from firmware.settings import DEFAULTS, Settings, check
from firmware.written.journal import Journal
from hardware.print.mat import draw_mat
from hardware.simulated.bus import OledChip, SimulatedBus
from tests.firmware.box import KEYBOARD, box
from tests.firmware.test_cli import thoth

PI = '[camera]\nkind = "picamera2"\n[display]\ndriver = "ssd1306"\nbus = 19\n[buttons]\nkind = "gpio"\nfactory = "lgpio"\n'
"""The parts of a Raspberry Pi, on a machine that has none of them."""


def facts(root: Path, text: str = "", state: Path | None = None) -> Facts:
    settings, faults = check(text)
    return Facts(settings, faults, None, state or root / "state", root)


def one(lines: object, about: str) -> Line:
    (found,) = [line for line in lines if line.about == about]  # type: ignore[attr-defined]
    return found  # type: ignore[no-any-return]


def test_without_any_of_the_hardware_every_line_explains(tmp_path: Path) -> None:
    config = tmp_path / "thoth.toml"
    config.write_text(PI + "colour = 1\n")
    began = time.monotonic()
    done = thoth("doctor", "--json", "--config", str(config), "--state-dir", str(tmp_path))
    assert done.returncode == 1, done.stderr
    assert time.monotonic() - began < 60
    told = json.loads(done.stdout)
    assert told["ok"] is False
    lines = [Line(**line) for line in told["lines"]]
    assert all(line.level in LEVELS for line in lines)
    assert all(line.remedy or line.level == OK for line in lines), "what is wrong has a remedy"
    level = {line.about: line.level for line in lines}
    for about in ("settings", "picamera2", "camera", "I2C", "buttons"):
        assert level[about] == FAIL, about
    assert {"Python", "NumPy", "OpenCV", "power", "heat", "memory", "clock", "disk", "writing", "journal", "gallery", "numbers", "LG_WD"} <= set(level)  # fmt: skip
    (asked,) = [line for line in lines if line.about == "picture"]
    assert "not asked" in asked.text
    assert "Traceback" not in done.stdout + done.stderr


def test_while_the_service_runs_it_is_left_what_it_holds(tmp_path: Path) -> None:
    with box(tmp_path) as service:
        service.hear("READY=1")
        text = KEYBOARD.replace('"keyboard"', '"gpio"').replace('"none"', '"simulated"', 1)
        (tmp_path / "other.toml").write_text(text)
        only = [word for name in ("camera", "buttons", "journal") for word in ("--only", name)]
        done = thoth(
            "doctor", "--config", str(tmp_path / "other.toml"), "--state-dir", str(service.state), *only
        )
    assert done.returncode == 0
    assert "OK   service: runs on" in done.stdout
    assert done.stdout.count("held by the service that is running") == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("import time; time.sleep(60)", "no answer within 1 s"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended its process (SIGSEGV)"),
        ("import os; os._exit(3)", "gave no answer (exit code 3)"),
        ("raise SystemExit(3)", "could not be checked: RuntimeError: SystemExit(3)"),
        ("raise KeyError('x')", "could not be checked: KeyError"),
    ],
)
def test_a_driver_that_hangs_or_crashes_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, said: str
) -> None:
    """The camera's module replaced by one that does its worst."""
    (tmp_path / "sitecustomize.py").write_text(
        f"import firmware.doctor.devices as devices\ndef camera(facts):\n    {body}\n    yield\ndevices.camera = camera\n"
    )
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}")
    (camera,) = (one for one in CHECKS if one.name == "camera")
    seconds = 1 if "sleep" in body else 20
    began = time.monotonic()
    (line,) = apart.lines(replace(camera, seconds=seconds), facts(tmp_path))
    assert line.level == FAIL and said in line.text and line.remedy
    assert time.monotonic() - began < seconds + 10


def test_a_check_in_a_thread_that_hangs_or_raises_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "disk", lambda facts: time.sleep(5))
    (line,) = apart.lines(Check("disk", "machine:disk", 0.2, hanging="take a new card"), facts(tmp_path))
    assert (line.level, line.remedy) == (FAIL, "take a new card")
    monkeypatch.setattr(machine, "disk", lambda facts: 1 / 0)
    (line,) = apart.lines(Check("disk", "machine:disk"), facts(tmp_path))
    assert line.level == FAIL and "ZeroDivisionError" in line.text


@pytest.mark.parametrize(
    ("flags", "level"), [("0\n", OK), ("1\n", FAIL), ("50005\n", FAIL), ("10000\n", WARN), ("", OK)]
)
def test_under_voltage_is_told(tmp_path: Path, flags: str, level: str) -> None:
    """P62."""
    path = tmp_path / "sys/devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text(flags)
    assert one(machine.power(facts(tmp_path)), "power").level == level


def test_heat_memory_and_errors_of_the_card_are_told(tmp_path: Path) -> None:
    (tmp_path / "sys/class/thermal/thermal_zone0").mkdir(parents=True)
    (tmp_path / "sys/class/thermal/thermal_zone0/temp").write_text("81234\n")
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/meminfo").write_text(
        "MemTotal: 400000 kB\nMemAvailable: 11000 kB\nCmaTotal: 16384 kB\nCmaFree: 100 kB\n"
    )
    (tmp_path / "sys/fs/ext4/mmcblk0p2").mkdir(parents=True)
    (tmp_path / "sys/fs/ext4/mmcblk0p2/errors_count").write_text("3\n")
    at = facts(tmp_path, '[camera]\nkind = "picamera2"\n')
    assert one(machine.heat(at), "heat").level == FAIL
    found = list(machine.memory(at))
    assert one(found, "memory").level == FAIL
    assert one(found, "camera memory").level == WARN and "cma-128" in one(found, "camera memory").remedy
    assert one(machine.disk(at), "disk errors").level == WARN
    (tmp_path / "proc/meminfo").write_text("MemTotal: 400000 kB\nCmaTotal: 49152 kB\nCmaFree: 40000 kB\n")
    told = one(machine.memory(at), "camera memory")
    assert told.level == WARN and "enough for a mat" in told.remedy and "60 MB without a mat" in told.text
    larger = facts(tmp_path, '[camera]\nkind = "picamera2"\nwidth = 2304\nheight = 1296\n')
    assert "smaller camera.width" in one(machine.memory(larger), "camera memory").remedy


def test_writing_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    state = tmp_path / "state"
    assert one(machine.writing(facts(tmp_path)), "writing").level == OK
    state.mkdir()
    assert " ms" in one(machine.writing(facts(tmp_path)), "writing").text
    assert not list(state.iterdir())
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert one(machine.writing(facts(tmp_path, state=blocked)), "writing").level == FAIL


def test_an_opencv_that_was_never_tried_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """P33, P34."""
    monkeypatch.setattr(cv2, "__version__", "4.6.0")
    line = one(software.versions(facts(tmp_path)), "OpenCV")
    assert line.level == FAIL and "4.6.0" in line.text and "Debian 13" in line.remedy
    monkeypatch.setattr(cv2, "__version__", "4.10.0")
    assert one(software.versions(facts(tmp_path)), "OpenCV").level == OK


def test_a_numpy_of_another_build_is_told_apart_from_a_missing_picamera2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P32, P33."""
    at = facts(tmp_path, '[camera]\nkind = "picamera2"\n')
    assert "system-site-packages" in one(software.versions(at), "picamera2").remedy
    (tmp_path / "picamera2.py").write_text(
        "raise ValueError('numpy.dtype size changed, may indicate binary incompatibility')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    line = one(software.versions(at), "picamera2")
    assert line.level == FAIL and "another NumPy" in line.remedy


def test_the_bus_is_scanned(tmp_path: Path) -> None:
    """P46."""
    at = facts(tmp_path, '[display]\ndriver = "ssd1306"\n')
    bus = SimulatedBus({0x3D: OledChip()})
    line = one(devices.scan(at, bus.open), "I2C")
    assert line.level == FAIL and "address = 0x3D" in line.remedy
    assert one(devices.scan(at, SimulatedBus().open), "I2C").level == OK
    bus.unplug()
    assert "GND" in one(devices.scan(at, bus.open), "I2C").remedy
    bus.missing = 2
    assert "raspi-config" in one(devices.scan(at, bus.open), "I2C").remedy


def test_the_level_of_every_button_is_told(tmp_path: Path) -> None:
    """P43."""
    at = facts(tmp_path, '[buttons]\nkind = "gpio"\nfactory = "mock"\n')
    lines = list(devices.buttons(at))
    assert [line.about for line in lines] == [
        "pins",
        "button CONFIRM",
        "button REJECT",
        "button UP",
        "button DOWN",
    ]
    assert all(line.level == OK and "open" in line.text for line in lines[1:])


def test_dark_soft_and_empty_pictures_are_told(tmp_path: Path) -> None:
    """P31."""
    game = table_games()["tanis"]
    layout = game.reading.layout(2, game.defaults)
    mat = cv2.resize(draw_mat(layout, 4.0), (1536, 1086), interpolation=cv2.INTER_AREA)
    good = {line.about: line.level for line in devices.picture(mat)}
    assert good == {"exposure": OK, "focus": OK, "mat": OK}
    soft = cv2.GaussianBlur(mat, (0, 0), 12)
    assert one(devices.picture(soft), "focus").level == WARN
    black = np.zeros((480, 640, 3), np.uint8)
    told = {line.about: line for line in devices.picture(black)}
    assert told["exposure"].level == told["mat"].level == WARN
    assert told["exposure"].text == "too dark"


def test_a_damaged_journal_is_told_and_left_where_it_is(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        journal.append((("move", "1 take falcon-1"),) * 3)
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("UPDATE entry SET text = 'x' WHERE sequence = 2")
    done = thoth("doctor", "--only", "journal", "--state-dir", str(tmp_path))
    assert "WARN journal:" in done.stdout
    assert not list(tmp_path.glob("*.damaged*"))


def test_an_unknown_check_is_named(tmp_path: Path) -> None:
    done = thoth("doctor", "--only", "weather", "--state-dir", str(tmp_path))
    assert done.returncode == 2 and "camera" in done.stderr


def test_a_version_proves_itself_in_a_few_seconds(tmp_path: Path) -> None:
    """P54."""
    done = thoth("doctor", "--self-test", "--json", "--state-dir", str(tmp_path))
    assert done.returncode == 0, done.stdout
    told = json.loads(done.stdout)
    assert [line["about"] for line in told["lines"]] == ["modules", "rules", "settings", "journal", "night"]


def test_a_version_that_cannot_be_loaded_or_read_the_journal_fails(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "sitecustomize.py").write_text("import sys\nsys.modules['sqlite3'] = None\n")
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "doctor", "--self-test", "--state-dir", str(tmp_path)],
        cwd=root, env={**os.environ, "PYTHONPATH": str(tmp_path / "bad")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    Journal(tmp_path / "journal.db").close()
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("PRAGMA user_version=99")
    at = Facts(DEFAULTS, (), None, tmp_path)
    assert dict(selftest._STEPS)["journal"](at).level == FAIL
    _, faults = check("colour = 1\n")
    assert dict(selftest._STEPS)["settings"](replace(at, faults=faults)).level == WARN


def test_a_night_that_commits_wrongly_fails_the_self_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from firmware import demo

    real = demo.Tally._move

    def lies(tally: demo.Tally, player: int, words: str) -> None:
        real(tally, player, words)
        tally.wrong = 1

    monkeypatch.setattr(demo.Tally, "_move", lies)
    line = dict(selftest._STEPS)["night"](Facts(Settings({}), (), None, tmp_path))
    assert line.level == FAIL and "1 of them wrong" in line.text


def test_fingers_at_a_terminal_are_asked_for_each_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P43: whether each one changes, and whether two are mixed up."""
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    monkeypatch.setattr("hardware.buttons.gpio.pin_factory", lambda name: factory)
    pins = {"CONFIRM": 17, "REJECT": 22, "UP": 22, "DOWN": None}
    asked = []

    def finger(text: str) -> None:
        """Presses what is asked for: with two wires mixed up, and one that leads nowhere."""
        asked.append(text.split()[1])
        if (number := pins[asked[-1]]) is not None:
            pin = factory.pin(number)
            threading.Timer(0.05, pin.drive_low).start()
            threading.Timer(0.15, pin.drive_high).start()

    at = facts(tmp_path, '[buttons]\nkind = "gpio"\nfactory = "mock"\n')
    lines = list(devices.pressed(at, finger, seconds=0.6))
    assert asked == ["CONFIRM", "REJECT", "UP", "DOWN"]
    assert [line.level for line in lines] == [OK, FAIL, OK, FAIL]
    assert "UP came" in lines[1].text and "GPIO23" in lines[3].remedy


def test_eyes_at_a_terminal_are_asked_by_which_driver_the_frame_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P48."""
    at = facts(tmp_path, '[display]\ndriver = "ssd1306"\n')
    shown: list[str] = []
    monkeypatch.setattr(devices, "framed", lambda facts, driver: shown.append(driver))
    monkeypatch.setattr("builtins.input", lambda question: "y" if question.startswith("sh1106") else "n")
    (line,) = run._look(at, asked=True)
    assert shown == ["ssd1306", "sh1106"]
    assert line.level == FAIL and line.remedy == 'write driver = "sh1106" below [display]'
    monkeypatch.setattr("builtins.input", lambda question: "n")
    assert "no driver" in next(iter(run._look(at, asked=True))).text
    assert "not asked" in next(iter(run._look(at, asked=False))).text


def test_devices_that_are_missing_or_shut_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P24: by hand it works, as the service's user it does not."""
    (tmp_path / "dev" / "dma_heap").mkdir(parents=True)
    for name in ("gpiochip0", "i2c-1", "dma_heap/system"):
        (tmp_path / "dev" / name).write_text("")
    at = facts(tmp_path, PI.replace("bus = 19", "bus = 1"))
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "i2c-1" and may(path, mode))
    lines = list(software.nodes(at))
    assert {line.about: line.level for line in lines} == {
        "device pins": OK,
        "device I2C bus": FAIL,
        "device camera": FAIL,
        "device camera memory": OK,
    }
    assert "may not be opened" in lines[1].text and "no /dev/media*" in lines[2].text
    assert not list(software.nodes(facts(tmp_path, KEYBOARD)))


def test_invented_and_missing_numbers_are_never_called_verified(tmp_path: Path) -> None:
    told = {line.text.split(":")[0]: line for line in contents.catalogue(facts(tmp_path))}
    assert told["Tanis"].level == OK
    for name in ("Ankh", "Papyrus The Game"):
        assert told[name].level == WARN and "house numbers" in told[name].text
