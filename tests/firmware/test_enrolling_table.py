"""Whole enrolments on the simulated table, through the real pipeline: the gallery, power cuts, full disks, pulled cameras, wrong grids."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from firmware.enrolling import album as albums
from firmware.enrolling import run
from firmware.enrolling.album import ADVICE, Album
from firmware.notices import not_kept
from firmware.settings import DEFAULTS, load
from firmware.written.journal import JournalError
from hardware.camera.frame import CameraError, Frame
from hardware.clock import SimulatedClock
from hardware.display.draw import fits
from hardware.print.faces import draw_face
from hardware.simulated import enroller
from hardware.simulated.people import LostPatienceError
from vision import likeness
from vision.gallery import Gallery, GalleryError

ROOT = Path(__file__).parents[2]
FEW = ("snake-1", "snake-4", "ankh-2", "falcon-10")


def show(folder: Path, seed: int = 1, slips: float = 0.0, only: tuple[str, ...] = FEW) -> run.Bench:
    return run.prepare("tanis", folder, SimulatedClock(), seed, slips, only)


def enrolled(bench: run.Bench, names: tuple[str, ...] = FEW) -> bool:
    """Whether these faces are in the gallery: then the evening may end, without all the others."""
    return all(name in bench.album.pictures for name in names)


def test_what_is_shown_is_what_the_gallery_holds(tmp_path: Path) -> None:
    bench = show(tmp_path / "tanis", 2)
    bench.shell.run_until(lambda: enrolled(bench))
    gallery = Gallery.load(tmp_path / "tanis")
    assert set(gallery.pictures) == set(FEW) and gallery.game == "tanis"
    layout = bench.album.layout
    for name, picture in gallery.pictures.items():
        kind = layout.kind(layout.face(name).kind)
        own = {
            other: likeness.apart(
                likeness.look(picture), likeness.look(draw_face(layout.face(other), kind, 4.0))
            )
            for other in FEW
        }
        assert min(own, key=lambda other: own[other]) == name, own
        assert gallery.about[name].size == (kind.width, kind.height)
        assert gallery.about[name].copies == 1
    assert bench.people.shown.groups == [FEW] and bench.people.shown.refused == 0
    told = run.figures(bench, 2)
    assert json.loads(json.dumps(told))["enrolled"] == len(FEW) and told["faces"] == 48


def test_every_slip_is_caught_before_anything_is_kept(tmp_path: Path) -> None:
    for seed in (3, 4):
        bench = show(tmp_path / str(seed), seed, 1.0)
        bench.shell.run_until(lambda bench=bench: enrolled(bench))  # type: ignore[misc]
        shown = bench.people.shown
        assert shown.slips and shown.caught == shown.slips, (seed, shown)
        assert shown.overruled == 0


_KILLED = """
import os, signal, sys
from pathlib import Path
from firmware.enrolling import run
from firmware.events import Commit
from hardware.clock import SimulatedClock
import vision.gallery

only, when = ("snake-1", "snake-4", "blue-expert", "red-expert"), sys.argv[2]
write, written = vision.gallery._write, []

def observe(before, event, after, effects):
    if when == "after" and any(isinstance(effect, Commit) for effect in effects):
        os.kill(os.getpid(), signal.SIGKILL)

def dies(path, raw):
    written.append(path.name)
    if when == "index" and path.name == "gallery.toml" and len(written) > 3:
        os.kill(os.getpid(), signal.SIGKILL)
    write(path, raw)

vision.gallery._write = dies
bench = run.prepare("tanis", Path(sys.argv[1]), SimulatedClock(), 2, 0.0, only, observe=observe)
bench.shell.run_until(lambda: len(bench.album.pictures) == 4)
"""


@pytest.mark.parametrize(
    ("when", "kept"), [("after", {"snake-1", "snake-4"}), ("index", {"snake-1", "snake-4"})]
)
def test_a_killed_enrolment_goes_on_at_the_first_missing_face(
    tmp_path: Path, when: str, kept: set[str]
) -> None:
    folder = tmp_path / "tanis"
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, str(folder), when],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    album = Album.open(folder, run.layout_of("tanis"))
    assert set(album.pictures) == kept and not album.damage
    bench = show(folder, 2, only=("blue-expert", "red-expert"))
    assert bench.shell.night.done == kept
    bench.shell.run_until(lambda: enrolled(bench, ("blue-expert", "red-expert")))
    assert set(Gallery.load(folder).pictures) == kept | {"blue-expert", "red-expert"}


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, tries = albums.enrol, []

    def full(*arguments: object, **more: object) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(albums, "enrol", full)
    bench = show(tmp_path / "tanis", 2)
    told = []
    see = bench.people.see

    def watch(screen: object) -> None:
        told.append(screen)
        see(screen)  # type: ignore[arg-type]

    bench.shell._display.part.__dict__["_see"] = watch  # type: ignore[union-attr]
    bench.shell.run_until(lambda: enrolled(bench))
    assert len(tries) == 3
    assert not_kept(albums.FULL) in told
    assert set(Gallery.load(tmp_path / "tanis").pictures) == set(FEW)


def test_a_disk_that_stays_full_is_told_in_the_display_s_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(albums, "enrol", full)
    monkeypatch.setattr(enroller, "DESPAIR", 40.0)
    bench = show(tmp_path / "tanis", 2)
    with pytest.raises(LostPatienceError) as lost:
        bench.shell.run_until(lambda: enrolled(bench))
    assert "Not saved" in str(lost.value) and "Screen(" not in str(lost.value)


def test_what_a_player_reads_when_a_face_is_not_kept_fits() -> None:
    for advice in ADVICE:
        assert fits(not_kept(advice)) == ()


def test_errors_of_the_disk_become_advice(tmp_path: Path) -> None:
    album = Album.open(tmp_path / "file" / "tanis", run.layout_of("tanis"))
    (tmp_path / "file").write_text("no folder")
    kind = album.layout.kind("tile")
    picture = draw_face(album.layout.face("snake-1"), kind, 4.0)
    with pytest.raises(JournalError) as error:
        album.keep({"snake-1": (picture, 1.0)})
    assert error.value.advice in ADVICE and "snake-1" not in album.pictures


class Unplugged:
    """A camera whose ribbon is out for a while."""

    def __init__(self, camera: object, clock: SimulatedClock, away: tuple[float, float]) -> None:
        self._camera, self._clock = camera, clock
        self._from, self._to = (clock.monotonic() + one for one in away)

    @property
    def size(self) -> tuple[int, int]:
        return (1536, 864)

    def _try(self) -> None:
        if self._from <= self._clock.monotonic() < self._to:
            raise CameraError("gone", "no camera:\ncheck the ribbon")

    def preview(self) -> Frame:
        self._try()
        return self._camera.preview()  # type: ignore[attr-defined, no-any-return]

    def capture(self, not_before: float) -> Frame:
        self._try()
        return self._camera.capture(not_before)  # type: ignore[attr-defined, no-any-return]

    def close(self) -> None:
        pass


def test_a_camera_that_is_pulled_and_put_back_costs_nothing(tmp_path: Path) -> None:
    bench = show(tmp_path / "tanis", 2)
    clock = bench.shell.clock
    assert isinstance(clock, SimulatedClock)
    bench.shell._camera._opened = Unplugged(bench.camera, clock, (1.0, 9.0))
    places = []
    bench.shell._observe = lambda before, event, after, effects: places.append(dict(after.parts))
    bench.shell.run_until(lambda: enrolled(bench))
    assert any("ribbon" in parts.get("camera", "") for parts in places) and places[-1] == {}
    assert set(Gallery.load(tmp_path / "tanis").pictures) == set(FEW)


def test_a_lost_picture_is_shown_again_and_another_games_gallery_is_refused(tmp_path: Path) -> None:
    layout = run.layout_of("tanis")
    album = Album.open(tmp_path / "tanis", layout)
    kinds = {name: layout.kind(layout.face(name).kind) for name in FEW}
    album.keep({name: (draw_face(layout.face(name), kinds[name], 4.0), 1.0) for name in FEW})
    (tmp_path / "tanis" / "ankh-2.png").write_bytes(b"no picture")
    again = Album.open(tmp_path / "tanis", layout)
    assert set(again.pictures) == set(FEW) - {"ankh-2"} and "ankh-2" in again.damage[0]
    for name in FEW:
        (tmp_path / "tanis" / f"{name}.png").unlink()
    assert Album.open(tmp_path / "tanis", layout).pictures == {}
    album.keep({"snake-1": (draw_face(layout.face("snake-1"), kinds["snake-1"], 4.0), 1.0)})
    index = tmp_path / "tanis" / "gallery.toml"
    with pytest.raises(GalleryError, match="another folder"):
        Album.open(tmp_path / "tanis", run.layout_of("ankh"))
    index.write_text("no index")
    with pytest.raises(GalleryError, match=r"gallery\.toml"):
        Album.open(tmp_path / "tanis", layout)


@pytest.mark.parametrize("game", ["tanis", "archaeology", "ankh", "papyrus"])
def test_every_game_has_faces_and_its_backs_are_shown_first(game: str) -> None:
    layout = run.layout_of(game)
    assert layout.faces[0].identity.startswith("back")
    assert len({face.identity for face in layout.faces}) == len(layout.faces)
    assert {face.kind for face in layout.faces} <= {kind.name for kind in layout.kinds}
    assert len({kind.name for kind in layout.kinds}) == len(layout.kinds)


def test_the_settings_learn_of_the_gallery_and_keep_everything_else(tmp_path: Path) -> None:
    line = run.setting_line(tmp_path / "galleries" / "tanis")
    assert line == f'gallery = "{tmp_path / "galleries"}"'
    assert run.setting_line(tmp_path / "elsewhere") is None
    config = tmp_path / "thoth.toml"
    assert run.use(config, line) == config
    assert load(config)[0].text("gallery") == str(tmp_path / "galleries")
    config.write_text('# mine\nnames = ["Ana"]\ngallery = "old"\n\n[camera]\nwidth = 1920\n')
    run.use(config, line)
    settings, faults = load(config)
    assert faults == () and settings.text("gallery") == str(tmp_path / "galleries")
    assert settings.names == ("Ana",) and settings.number("camera.width") == 1920
    assert config.read_text().startswith("# mine\n")
    (tmp_path / "file").write_text("")
    with pytest.raises(run.EnrolError, match="yourself"):
        run.use(tmp_path / "file" / "thoth.toml", line)


def thoth(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "firmware.cli", "enrol", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_STATE_HOME": "/nonexistent-state"},
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess",), "is no game"),
        (("tanis", "--seed", "-1", "--simulated"), "--seed"),
        (("tanis", "--face", "snake-77"), "there are: snake-7"),
        (("tanis", "--state-dir", "/tmp"), "there is no camera"),
    ],
)
def test_a_bad_call_is_one_sentence(words: tuple[str, ...], told: str) -> None:
    done = thoth(*words)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_the_end_says_how_to_read_and_to_play_by_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = run.layout_of("tanis")
    kinds = {kind.name: kind for kind in layout.kinds}
    pictures = {face.identity: draw_face(face, kinds[face.kind], 1.0, "tanis") for face in layout.faces}
    wish = run.Wish("tanis")
    assert run._farewell(wish, Album(tmp_path / "mine", layout, pictures), DEFAULTS) == 0
    said = capsys.readouterr().out.splitlines()
    assert f"  thoth read PHOTO --gallery {tmp_path / 'mine'}" in said
    assert f"  thoth enrol {tmp_path / 'mine-play' / 'tanis'} --from {tmp_path / 'mine'}" in said
    assert run._farewell(wish, Album(tmp_path / "all" / "tanis", layout, pictures), DEFAULTS) == 0
    said = capsys.readouterr().out.splitlines()
    assert f'  gallery = "{tmp_path / "all"}"' in said
    assert f"  thoth demo --gallery {tmp_path / 'all'}" in said
