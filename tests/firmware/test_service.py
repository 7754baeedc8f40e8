"""``thoth run`` as its owner meets it: what is missing, what is locked, what systemd hears, what a restart finds."""

from __future__ import annotations

import configparser
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware import service as service_module
from firmware.box.notify import Notifier
from firmware.notices import own_screens
from firmware.written.journal import Journal
from hardware.display.draw import fits
from tests.firmware.evenings import evening, started
from tests.firmware.test_cli import thoth

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "thoth.service"


@contextmanager
def service(folder: Path, settings: str, *more: str) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    """The service as under systemd, and the socket on which it says how it is."""
    config = folder / "thoth.toml"
    config.write_text(settings)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(folder / "notify"))
        notify.settimeout(20)
        words = [
            sys.executable,
            "-m",
            "firmware.cli",
            "run",
            "--config",
            str(config),
            "--state-dir",
            str(folder),
            *more,
        ]
        environment = {**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "30000000"}
        with subprocess.Popen(
            words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:  # fmt: skip
            try:
                yield process, notify
            finally:
                if process.poll() is None:
                    process.kill()


def hear(notify: socket.socket, word: str) -> list[str]:
    """What the service says, up to something that contains ``word``."""
    heard = [notify.recv(4096).decode()]
    while word not in heard[-1]:
        heard.append(notify.recv(4096).decode())
    return heard


NOTHING = '[camera]\nkind = "none"\n[buttons]\nkind = "none"\n'


def test_without_camera_and_buttons_it_starts_says_so_and_stops_when_asked(tmp_path: Path) -> None:
    began = time.monotonic()
    with service(tmp_path, NOTHING) as (process, notify):
        hear(notify, "READY=1")
        assert time.monotonic() - began < 3 * 3, "3 s, and the machine may be busy with other tests"
        assert "STATUS=Which game?" in hear(notify, "STATUS")[-1]
        hear(notify, "WATCHDOG=1")
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=10)
        assert process.returncode == 0
        hear(notify, "STOPPING=1")
    assert "No camera:" in out
    assert "Good night" in out.splitlines()[-1]


def test_it_resumes_at_the_last_confirmed_move(tmp_path: Path) -> None:
    night = started()
    for move in night.match.legal_moves()[:1]:
        night.do(move)
        night.confirm()
    with Journal(tmp_path / "journal.db") as journal:
        journal.append(tuple(night.written))
    with service(tmp_path, NOTHING) as (_, notify):
        status = hear(notify, "STATUS")[-1]
    assert night.screen.title in status
    assert night.screen.right in status


def test_a_damaged_journal_and_faulty_settings_are_said_and_stop_nothing(tmp_path: Path) -> None:
    (tmp_path / "journal.db").write_text("no journal at all")
    with service(tmp_path, NOTHING + "kind = 5\ncolour = 1\n") as (process, notify):
        hear(notify, "STATUS=Please note")
        process.terminate()
        out, err = process.communicate(timeout=10)
    assert "settings, line 5" in out
    assert "set aside as journal.db.damaged-1" in err
    assert "line 5" in err
    assert (tmp_path / "journal.db.damaged-1").read_text() == "no journal at all"


def test_a_journal_that_cannot_be_opened_is_waited_for_under_systemd(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.mkdir()
    with service(tmp_path, NOTHING) as (process, notify):
        hear(notify, "WATCHDOG=1")
        assert process.poll() is None
        path.rmdir()
        hear(notify, "STATUS=Which game?")


def test_two_services_on_one_folder_are_refused(tmp_path: Path) -> None:
    with service(tmp_path, NOTHING) as (_, notify):
        hear(notify, "READY=1")
        done = thoth("run", "--config", str(tmp_path / "thoth.toml"), "--state-dir", str(tmp_path))
    assert done.returncode == 2
    assert "another Thoth is running" in done.stderr


def test_a_missing_device_is_no_reason_to_stop(tmp_path: Path) -> None:
    """The default parts of a Raspberry Pi, on a machine that has none of them."""
    pi = '[camera]\nkind = "picamera2"\n[display]\ndriver = "ssd1306"\nbus = 19\n[buttons]\nkind = "gpio"\nfactory = "lgpio"\n'
    with service(tmp_path, pi) as (process, notify):
        hear(notify, "STATUS=Which game?")
        hear(notify, "WATCHDOG=1")
        assert process.poll() is None
        process.terminate()
        _, err = process.communicate(timeout=10)
    assert process.returncode == 0
    assert "Traceback" not in err
    for part in ("camera", "display", "buttons"):
        assert f"{part}: " in err


@pytest.mark.parametrize("name", own_screens())
def test_the_services_own_screens_fit(name: str) -> None:
    assert fits(own_screens()[name]) == ()


def test_export_writes_what_replay_reads(tmp_path: Path) -> None:
    nights = []
    with Journal(tmp_path / "journal.db") as journal:
        for seed in (1, 2):
            night = started(seed, names=("Zoë", "Ben"))
            night.do(night.match.legal_moves()[seed])
            night.confirm()
            journal.append(tuple(night.written))
            nights.append(night)
    state = ("--state-dir", str(tmp_path))
    done = thoth("export", *state, "--out", str(tmp_path / "game.txt"))
    assert done.returncode == 0, done.stderr
    assert thoth("replay", str(tmp_path / "game.txt")).stdout.startswith("tanis: Zoë, Ben, 1 moves")
    first = thoth("export", *state, "--night", "1").stdout
    move = nights[0].match.moves[0]
    assert f"1. Zoë: {nights[0].match.game.rules.format(move)}" in first
    assert thoth("export", *state, "--list").stdout.count("Tanis: Zoë, Ben") == 2
    assert "--list" in thoth("export", *state, "--night", "9").stderr
    assert "does not exist" in thoth("export", "--state-dir", str(tmp_path / "none")).stderr


def test_nothing_is_sent_where_no_systemd_listens(tmp_path: Path) -> None:
    for environment in ({}, {"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "soon"}):
        notifier = Notifier(environment)
        notifier.ready()
        notifier.alive()
        notifier.stopping()
        assert notifier.watchdog_s == 0


def test_the_unit_file_keeps_what_the_program_relies_on() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(UNIT)
    kept = unit["Service"]
    assert kept["Type"] == "notify"
    assert float(kept["WatchdogSec"]) >= 10, "a picture may take some seconds on a slow card"
    # lgpio makes a pipe in its working directory; everything else is written into the state folder.
    assert kept["RuntimeDirectory"] == "thoth"
    assert kept["WorkingDirectory"] == "/run/thoth"
    assert kept["StateDirectory"] == "thoth"
    assert kept["Restart"] == "on-failure"
    # A device that is missing at boot must not hold the service back.
    assert not {"Requires", "BindsTo", "Requisite"} & set(unit["Unit"])
    assert int(unit["Unit"]["StartLimitBurst"]) >= 5


def test_a_new_night_asks_first() -> None:
    assert evening().screen.name == "game"


def test_export_of_a_damaged_journal_leaves_it_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(b"this is no database" * 100)
    before = path.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "export", "--state-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "damaged" in done.stderr
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["journal.db"]


def test_a_pi_that_refuses_to_be_switched_off_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """P56."""
    before = {
        number: signal.getsignal(number)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP)
    }
    config = tmp_path / "thoth.toml"
    config.write_text('[display]\ndriver = "terminal"\n')
    asked: list[list[str]] = []

    def refuses(words: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        asked.append(words)
        return subprocess.CompletedProcess(words, 1)

    monkeypatch.setattr(service_module, "_serve", lambda *_: True)
    monkeypatch.setattr(service_module, "on_a_pi", lambda: True)
    monkeypatch.setattr("firmware.service.subprocess.run", refuses)
    try:
        assert service_module.run(config, tmp_path, None, False) == 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert asked == [["systemctl", "poweroff"]]
    assert "Still on" in capsys.readouterr().out
