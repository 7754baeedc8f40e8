"""What comes to a running service from outside: the watchdog, the status, the machine's complaints; and that none of it can end a night."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines import table_games
from engines.table import Layout
from firmware.box import health, parts, stick
from firmware.box.health import Health
from firmware.box.light import Light
from firmware.box.logtail import Tail
from firmware.box.parts import Keeper
from firmware.box.renewal import Renewal
from firmware.box.stop import Hangup
from firmware.commands import optics
from firmware.events import Notice, Part
from firmware.notices import SMALL_PICTURE
from firmware.settings import DEFAULTS, Settings
from firmware.written.journal import Journal
from hardware.clock import SimulatedClock
from hardware.display.screen import Screen
from tests.firmware.evenings import started


class Ear:
    """Stands where the notifier stands."""

    def __init__(self) -> None:
        self.alive_count = 0
        self.said: list[str] = []

    def alive(self) -> None:
        self.alive_count += 1

    def status(self, text: str) -> None:
        self.said.append(text)


class Opened:
    """A camera that could be opened for pictures of ``size`` px."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size

    def close(self) -> None: ...


class Shells:
    """What a renewal needs of a shell."""

    def __init__(self) -> None:
        self.night = started().night
        self.screen = Screen("turn", "Ana", right="3:1")
        self.clock = SimulatedClock()
        self.queue: list[Any] = []
        self.fresh = True
        self.renewed = 0
        self.looking: tuple[Layout | None, Keeper[Any]] = None, Keeper("camera", None)
        self.exchanged: list[Keeper[Any]] = []

    def exchange(self, **keepers: Keeper[Any]) -> None:
        self.exchanged += keepers.values()

    def attended(self, now: float) -> bool:
        return self.fresh

    def tell(self, text: str) -> None:
        self.queue.append(text)

    def remind(self) -> None: ...

    def renew(self, night: object, effects: object) -> None:
        self.renewed += 1


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(health, "look", lambda folder: Health({}, None))
    monkeypatch.setattr(stick, "STICKS", tmp_path / "sticks")
    (tmp_path / "thoth.toml").write_text("")
    with Journal(tmp_path / "journal.db") as journal:
        shell, ear, hangup = Shells(), Ear(), Hangup()
        one = Renewal(
            shell, DEFAULTS, tmp_path / "thoth.toml", tmp_path, journal, None, {}, (), 1, Light(tmp_path / "c.toml"), hangup, ear, Tail()  # type: ignore[arg-type]
        )  # fmt: skip
        one._sticks = stick.Sticks("", tmp_path / "sticks", tmp_path / "boot")
        yield one, shell, ear, hangup, tmp_path


def test_the_watchdog_is_fed_and_the_display_told_once_a_second(at: Any) -> None:
    one, shell, ear, _, _ = at
    for tick in range(50):
        one(100 + tick / 10)
    assert 5 <= ear.alive_count <= 6
    assert set(ear.said) == {"Ana | 3:1"}
    shell.fresh = False
    one(200.0)
    assert ear.alive_count <= 6, "not while a part is silent without a word"


def test_the_machines_complaints_are_parts_while_they_last_and_power_is_said_once(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, ear, _, _ = at
    found = Health({"disk": health.DISK_FULL}, True)
    monkeypatch.setattr(health, "look", lambda folder: found)
    said = one(100.0)
    assert said == (Part("disk", health.DISK_FULL, 100.0), Notice(health.LITTLE_POWER, 100.0))
    assert one(140.0) == ()
    one(141.0)
    assert "disk nearly full" in ear.said[-1] and "Too little power" in ear.said[-1]
    found = Health({}, True)
    assert one(180.0) == (Part("disk", None, 180.0),)


def test_settings_are_reread_by_a_hangup_and_only_what_changed_is_touched(at: Any) -> None:
    one, shell, _, hangup, folder = at
    exchanged: list[str] = []
    shell.exchange = lambda **keepers: exchanged.extend(keepers)
    hangup()
    assert one(100.0) == () and exchanged == [] and shell.renewed == 0
    (folder / "thoth.toml").write_text('[buttons]\nkind = "none"\n')
    hangup()
    assert one(110.0) == () and exchanged == ["buttons"] and shell.renewed == 0
    (folder / "thoth.toml").write_text('names = ["Ana"]\n[buttons]\nkind = "none"\n')
    hangup()
    assert one(120.0) == () and exchanged == ["buttons"] and shell.renewed == 1
    (folder / "thoth.toml").write_text('names = ["Ana", "Ana"]\n[display]\ndriver = "png"\n')
    hangup()
    assert [notice.text for notice in one(130.0)] == ["fault in settings:\nthe old ones hold"]
    assert exchanged == ["buttons"] and shell.renewed == 1


def test_a_table_without_a_mat_has_the_camera_opened_for_a_larger_picture(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, shell, _, _, _ = at
    taken: list[tuple[int, int]] = []
    opened = parts.camera

    def camera(settings: Settings, *_: object, mat: bool, **__: object) -> Keeper[Any]:
        taken.append(optics.picture((settings.number("camera.width"), settings.number("camera.height")), mat))
        return opened(settings, shell.clock, mat=mat)

    monkeypatch.setattr(parts, "camera", camera)
    one(100.0)
    shell.looking = table_games()["papyrus"].reading.layout(1, {}), Keeper("camera", None)
    one(102.0)
    assert taken == [] and shell.exchanged == []
    loose = table_games()["papyrus"].reading.layout(3, {})
    shell.looking = loose, Keeper("camera", None)
    assert one(104.0) == () and taken == [(2304, 1296)]
    shell.looking = loose, Keeper.of("camera", Opened((2304, 1296)))
    assert (*one(106.0), *one(108.0)) == ()
    shell.looking = loose, Keeper.of("camera", Opened((1536, 864)))  # there was no memory for more
    told = [event.text for event in (*one(110.0), *one(112.0))]
    assert told == [SMALL_PICTURE], "told once"
    shell.looking = table_games()["tanis"].reading.layout(2, {}), shell.looking[1]
    one(120.0)
    assert taken == [(2304, 1296), (1536, 864)] and len(shell.exchanged) == 2


def test_what_goes_wrong_in_here_ends_nothing_and_starves_no_watchdog(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _, ear, _, _ = at

    def broken(folder: Path) -> Health:
        raise ZeroDivisionError

    monkeypatch.setattr(health, "look", broken)
    for second in range(100, 110):
        assert one(float(second)) == ()
    assert ear.alive_count == 10
