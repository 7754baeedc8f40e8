"""A recorded night: nobody in it, bounded, whole after a kill, and the same night when it is played again."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engines.dealing import Act
from engines.tanis.dealing import deal
from firmware import night as nights
from firmware.box.pace import SIMULATED
from firmware.events import Blind, Event, Looked, Part, Pressed, Tick
from firmware.service import make_eyes
from firmware.settings import DEFAULTS
from firmware.shell import Shell
from firmware.written import recording, replay, wording
from firmware.written.recording import EVENTS, START, Recording, aliases, anonymous
from hardware.buttons.press import Button, Press
from hardware.camera.frame import Frame
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.table import SimulatedTable
from tests.firmware.evenings import GAMES, Evening, evening, legal
from vision.calibration import Calibration, Lens, Pose

NAMES = ("Ana", "Maximiliana")
LAYOUT = GAMES["tanis"].reading.layout(2, {})
ABOVE = Calibration(Lens(), Pose((0.0, 0.0, 0.0), (-297.0, -210.0, 620.0)))
"""A camera straight above the middle of the mat."""


@dataclass
class Knowing:
    """Eyes that know where the mat is."""

    calibration: Calibration | None = ABOVE
    layout: Any = LAYOUT


def recorded(folder: Path, moves: int = 6, limit: int = 10**8) -> Evening:
    """A night on a true table, recorded without pictures."""
    one = evening(3, NAMES)
    kept = Recording(folder, limit, (), NAMES, 3)
    one.watch = lambda before, event, after, effects: kept.step(event, effects)
    while one.screen.name != "setup":
        one.confirm()
    one.look()
    one.confirm()
    rng = random.Random(3)
    for _ in range(moves):
        one.do(legal(one.match, rng))
        one.confirm()
    one.send(Tick(one.now + 1))
    kept.close()
    return one


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / EVENTS).read_text("utf-8").splitlines()]


def text_of(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in folder.rglob("*.json*"))


def test_the_same_night_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = recorded(tmp_path)
    assert len(one.match.moves) == 6
    assert replay.recording(tmp_path) == 0
    assert "the same night" in capsys.readouterr().out
    commits = [
        said for line in lines(tmp_path / "0001") for said in line["effects"] if said["is"] == "Commit"
    ]
    assert [kind for said in commits for kind, _ in said["entries"]] == [kind for kind, _ in one.written]


def test_nobody_is_named_in_it(tmp_path: Path) -> None:
    one = recorded(tmp_path)
    said = text_of(tmp_path)
    for name in NAMES:
        assert name in str(one.written)
        assert name not in said
    assert '"A takes"' in said or '"A plays"' in said


def test_nor_in_one_that_goes_on_from_a_journal(tmp_path: Path) -> None:
    one = recorded(tmp_path / "before", moves=2)
    written = (*one.written, ("end", "Ana 3, Maximiliana 4"), ("note", "Ana won"), ("setup", "no JSON, Ana"))
    kept = Recording(tmp_path / "after", 10**8, written, ("Zoë",), 1)
    kept.restart(written, failed=True)
    kept.close()
    for name in (*NAMES, "Zoë"):
        assert name not in text_of(tmp_path / "after")
    alias = aliases(("Zoë",), written)
    assert alias == {"Zoë": "A", "Ana": "B", "Maximiliana": "C"}
    header = json.loads(anonymous(written, alias)[0][1])
    assert header["names"] == ["B", "C"]


def test_a_resumed_night_is_played_again_from_where_it_began(tmp_path: Path) -> None:
    one = recorded(tmp_path, moves=3)
    night, _ = nights.resume(GAMES, one.written, NAMES, 3)
    kept = Recording(tmp_path, 10**8, one.written, NAMES, 3)
    again = replace(one, night=night, written=[])
    again.watch = lambda before, event, after, effects: kept.step(event, effects)
    again.look()
    again.do(again.match.legal_moves()[0])
    again.confirm()
    kept.restart((*one.written, *again.written), failed=True)
    kept.close()
    assert len(again.match.moves) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0001", "0002"]
    assert replay.recording(tmp_path) == 0
    assert replay.recording(tmp_path / "0002") == 0


def test_where_it_differs_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(tmp_path)
    path = tmp_path / "0001" / EVENTS
    told = path.read_text("utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(told) if '"move"' in line)
    told[at] = told[at].replace("take ", "steal ").replace("explorer ", "steal ").replace("expert", "steal")
    path.write_text("".join(told), "utf-8")
    assert replay.recording(tmp_path) == 1
    out = capsys.readouterr().out
    assert f"line {at + 1}: decided on" in out
    assert "1 differences" in out


def test_other_decisions_of_the_program_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded(tmp_path)
    step = nights.step

    def hasty(night: nights.Night, event: Event) -> Any:
        after, effects = step(night, event)
        return after, tuple(effect for effect in effects if type(effect).__name__ != "Signal")

    monkeypatch.setattr(nights, "step", hasty)
    assert replay.recording(tmp_path) == 1


def test_a_torn_last_line_is_dropped_and_other_damage_named(tmp_path: Path) -> None:
    recorded(tmp_path)
    part = tmp_path / "0001"
    whole = (part / EVENTS).read_bytes()
    count = whole.count(b"\n")
    last = whole[: whole.rstrip(b"\n").rindex(b"\n") + 1]
    for cut in range(len(last), len(whole)):
        (part / EVENTS).write_bytes(whole[:cut])
        if cut % 7 == 0:
            played = replay.play(part, lambda layout, _: make_eyes(DEFAULTS, Path("/nonexistent"), layout))
            assert (played.events, played.differences) == (count - 1, ())
    (part / EVENTS).write_bytes(whole[:200] + b"\xff\n" + whole[200:])
    with pytest.raises(replay.RecordingError, match=r"line \d+"):
        replay.recording(part)
    (part / START).write_text("{}")
    with pytest.raises(replay.RecordingError, match="another version"):
        replay.recording(part)
    shutil.rmtree(part)
    with pytest.raises(replay.RecordingError, match="no recording"):
        replay.recording(tmp_path)


def test_outside_the_zones_and_markers_nothing_is_left(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (432, 768, 3), dtype=np.uint8)
    open_ = recording.mask(LAYOUT, ABOVE, (768, 432))
    shown = recording.blanked(picture, open_)
    assert np.array_equal(shown[open_ > 0], picture[open_ > 0])
    assert len(np.unique(shown[open_ == 0], axis=0)) == 1
    assert 0.2 < np.mean(open_ > 0) < 0.7
    for zone in LAYOUT.zones:
        at = ABOVE.project(np.array([[zone.x + zone.width / 2, zone.y + zone.height / 2, 0.0]]), (768, 432))[
            0
        ]
        assert open_[round(at[1]), round(at[0])]
    assert not open_[:, :20].any(), "beside the mat"


def test_no_picture_is_kept_before_the_mat_is_known(tmp_path: Path) -> None:
    kept = Recording(tmp_path, 10**8, (), NAMES, 1)
    frame = Frame(np.zeros((216, 384, 3), np.uint8), 1.0)
    kept.preview(frame, still=False)
    kept.read(frame, None, None, Knowing(calibration=None))  # type: ignore[arg-type]
    kept.preview(frame, still=False)
    assert not list(tmp_path.rglob("*.jpg"))
    kept.read(frame, None, None, Knowing())  # type: ignore[arg-type]
    for at, still in ((2.0, False), (2.2, False), (4.0, True), (50.0, True)):
        kept.preview(replace(frame, at=at), still)
        kept.step(Tick(at), ())
    assert sorted(path.name[6:] for path in tmp_path.rglob("*.jpg")) == ["-read.jpg", "-seen.jpg"]
    kept.preview(replace(frame, at=63.0), still=True)
    assert len(list(tmp_path.rglob("*-seen.jpg"))) == 2


def test_it_stays_within_its_space_and_the_oldest_pictures_go_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    limit = 600_000
    for start in range(2):
        kept = Recording(tmp_path, limit, (), NAMES, 1)
        for number in range(20):
            picture = rng.integers(0, 255, (216, 384, 3), dtype=np.uint8)
            at = float(number)
            kept.read(Frame(picture, at), None, None, Knowing())  # type: ignore[arg-type]
            kept.step(Blind(f"{start} {number}", at), ())
            assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= limit
        kept.close()
    left = sorted(tmp_path.rglob("*.jpg"))
    assert len(left) >= 5
    assert left[-1].parent.name == "0002" and left[-1].name.startswith("000019")
    assert not list((tmp_path / "0001").glob("*.jpg"))
    assert len(lines(tmp_path / "0001")) == 20, "what happened is kept longer than what was seen"


def test_events_alone_stay_within_the_space_too(tmp_path: Path) -> None:
    for _ in range(3):
        kept = Recording(tmp_path, 30_000, (), NAMES, 1)
        for number in range(150):
            kept.step(Blind("x" * 100, float(number)), ())
        kept.close()
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= 30_500
    assert [path.name for path in sorted(tmp_path.iterdir())][-1] == "0003"


def test_a_disk_that_goes_away_ends_the_recording_and_not_the_night(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Recording(tmp_path / "file" / "under", 10**8, (), NAMES, 1)
    kept.step(Tick(1.0), ())
    kept = Recording(tmp_path / "gone", 10**8, (), NAMES, 1)
    shutil.rmtree(tmp_path / "gone")
    kept.read(Frame(np.zeros((216, 384, 3), np.uint8), 1.0), None, None, Knowing())  # type: ignore[arg-type]
    kept.step(Tick(1.0), ())
    kept.close()


def test_events_survive_the_way_through_json() -> None:
    table = evening().truth.table()
    for event in (
        Looked(table, 1.25),
        Blind("glare left", 2.0),
        Pressed(Press(Button.UP, True, 3.1)),
        Tick(0.1 + 0.2),
        Part("camera", "no camera:\ncheck the ribbon", 5.0),
        Part("camera", None, 5.0),
    ):
        assert wording.event(json.loads(json.dumps(wording.encode(event)))) == event
    for wrong in ({"is": "Table"}, {"is": "Tick"}, {"is": "Tick", "at": 1, "by": 2}, {"is": "open"}, 5, None):
        with pytest.raises(ValueError):
            wording.event(wrong)


# -- with pictures, by the whole machine ------------------------------------------------------------------


class Fingers:
    def __init__(self) -> None:
        self.waiting: list[Button] = []

    def poll(self, now: float) -> tuple[Press, ...]:
        pressed, self.waiting = tuple(Press(button, at=now) for button in self.waiting), []
        return pressed

    def close(self) -> None: ...


class Forgetful:
    def append(self, entries: object) -> int:
        return 1


@pytest.fixture(scope="module")
def filmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few moves under the simulated camera, recorded with pictures."""
    folder = tmp_path_factory.mktemp("filmed")
    clock, fingers = SimulatedClock(), Fingers()
    world = deal(5, 2, 0, {})
    table = SimulatedTable(LAYOUT, world.setup(), 5)
    table.lay_out()
    camera = SimulatedCamera(table, clock, (1536, 864), seed=5)
    night, effects = nights.begin(GAMES, NAMES, 5)
    kept = Recording(folder, 10**8, (), NAMES, 5)
    shell: Shell[nights.Night] = Shell(
        clock, camera, None, fingers, lambda layout: make_eyes(DEFAULTS, Path("/nonexistent"), layout),
        Forgetful(), night, effects=effects, pace=SIMULATED, recorder=kept,
    )  # fmt: skip

    def until(wanted: Any, press: Button | None = None) -> None:
        limit = clock.monotonic() + 60
        while not wanted():
            assert clock.monotonic() < limit, shell.screen
            if press is not None:
                fingers.waiting.append(press)
            shell.turn()
            clock.sleep(0.1)

    until(lambda: shell.screen is not None and shell.screen.name == "setup", Button.CONFIRM)
    until(lambda: shell.night.table is not None)
    fingers.waiting.append(Button.CONFIRM) if shell.screen.main == "Ready" else shell.queue.append(  # type: ignore[union-attr]
        Pressed(Press(Button.CONFIRM, True, clock.monotonic()))
    )
    until(lambda: shell.night.match is not None)
    rng = random.Random(5)
    for _ in range(2):
        acts, moves = world.choose(rng).stages[0]
        act: Act
        for act in acts:
            table.do(act)
        until(lambda: shell.screen is not None and shell.screen.name == "proposal")
        world.play(moves[0])
        count = len(shell.night.match.moves) if shell.night.match else 0
        until(lambda count=count: len(shell.night.match.moves) > count, Button.CONFIRM)  # type: ignore[union-attr,misc]
    kept.close()
    return folder


def test_a_filmed_night_is_read_again_from_its_pictures(filmed: Path) -> None:
    played = replay.play(filmed / "0001", lambda layout, _: make_eyes(DEFAULTS, Path("/nonexistent"), layout))
    assert played.pictures >= 3
    assert played.lost == 0
    assert played.differences == ()


def test_a_picture_that_shows_something_else_is_found(filmed: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(filmed / "0001", copy)
    pictures = sorted(copy.glob("*-read.jpg"))
    shutil.copy(pictures[-1], pictures[0])
    pictures[1].unlink()
    played = replay.play(copy, lambda layout, _: make_eyes(DEFAULTS, Path("/nonexistent"), layout))
    assert played.lost == 1
    assert any(one.what == "another table is seen" for one in played.differences)


def test_the_pictures_show_only_the_zones(filmed: Path) -> None:
    for path in (filmed / "0001").glob("*-read.jpg"):
        picture = cv2.imread(str(path))
        assert picture.shape == (864, 1536, 3)
        # The corners of the picture lie outside the mat: flat, but for what JPEG does.
        for corner in (picture[:40, :40], picture[-40:, -40:]):
            assert np.ptp(corner.reshape(-1, 3).astype(int), axis=0).max() <= 6


def test_what_trips_the_nameless_night_ends_the_recording_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Recording(tmp_path / "r", 10**8, (), NAMES, 3)

    def trip(*_: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(nights, "step", trip)
    kept.step(Tick(1.0), ())
    kept.step(Tick(2.0), ())
    kept.close()
    assert (kept.current / EVENTS).read_text() == ""


def test_a_folder_that_is_emptied_meanwhile_ends_the_recording(tmp_path: Path) -> None:
    kept = Recording(tmp_path / "r", 1000, (), NAMES, 3)
    shutil.rmtree(kept.current)
    for number in range(100):
        kept.step(Tick(float(number)), ())
    kept.close()
    assert not list((tmp_path / "r").iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_disk_that_is_full_to_the_last_ends_the_recording(tmp_path: Path) -> None:
    kept = Recording(tmp_path / "r", 10**8, (), NAMES, 3)
    assert kept._file is not None
    kept._file.close()
    kept._file = Path("/dev/full").open("w")  # noqa: SIM115 - the recording closes it
    kept.step(Tick(1.0), ())
    kept.step(Tick(2.0), ())
    kept.close()
    assert kept._file is None
