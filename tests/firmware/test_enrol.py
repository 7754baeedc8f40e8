"""``thoth enrol GALLERY --from DIR``: what is enrolled, what is named, and the exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware import cli
from firmware.commands.enrol import EnrolError, from_folder
from hardware.print.faces import pictures
from tests.vision.lying import Taken, lying
from vision.gallery import About, Gallery, enrol
from vision.plane import Picture

ROOT = Path(__file__).parents[2]
FACES = pictures("tanis", 6)


def write(path: Path, picture: Picture) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())


def some(folder: Path, *names: str) -> None:
    for name in names:
        write(folder / f"{name}.png", FACES[name])


def test_a_folder_of_pictures_becomes_a_gallery(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some(tmp_path / "in", "snake-1", "falcon-9", "ankh-4", "back")
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    loaded = Gallery.load(tmp_path / "out")
    assert sorted(loaded.pictures) == ["ankh-4", "back", "falcon-9", "snake-1"]
    assert all(np.array_equal(picture, FACES[name]) for name, picture in loaded.pictures.items())
    said = capsys.readouterr()
    assert "4 faces enrolled" in said.out
    # An existing one is extended, and a face in it replaced.
    some(tmp_path / "more", "snake-2")
    write(tmp_path / "more" / "ankh-4.jpg", FACES["ankh-5"])
    assert from_folder(tmp_path / "out", tmp_path / "more") == 0
    assert len(Gallery.load(tmp_path / "out").pictures) == 5
    assert "2 faces enrolled" in capsys.readouterr().out


def test_a_piece_on_plain_ground_is_cut_out_and_a_doubtful_one_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(1)
    face = pictures("tanis", 10)["scarab-6"]
    clear, _ = lying(face, (60, 90, 40), Taken(12.0, 15.0, 1.0, 0.6), rng)
    framed = np.full((600, 400, 3), 235, np.uint8)
    cv2.rectangle(framed, (52, 52), (347, 547), (40, 60, 150), -1)
    write(tmp_path / "in" / "scarab-6.jpg", clear)
    write(tmp_path / "in" / "doubtful.png", framed)
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    loaded = Gallery.load(tmp_path / "out")
    shape = loaded.pictures["scarab-6"].shape
    assert abs(shape[1] / shape[0] - 0.5) < 0.03
    assert (loaded.about["scarab-6"].outline or 0) > 0.7
    assert loaded.about["doubtful"].outline is None
    assert np.array_equal(loaded.pictures["doubtful"], framed)
    said = capsys.readouterr().err
    assert "doubtful.png" in said and "Enrolled whole" in said
    assert "scarab-6" not in said


def test_what_cannot_be_enrolled_is_named_and_the_rest_is_enrolled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in"
    some(source, "snake-1")
    write(source / "snake-1.webp", FACES["snake-2"])
    (source / "empty.jpg").write_bytes(b"")
    (source / "cut.png").write_bytes((source / "snake-1.png").read_bytes()[:500])
    (source / "phone.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))
    (source / "notes.txt").write_text("my notes")
    (source / ".DS_Store").write_bytes(b"x")
    (source / "broken.jpg").write_bytes(b"x" * 300)
    write(source / "broken.png", FACES["ankh-1"])
    os.mkfifo(source / "pipe.jpg")
    (source / "folder.jpg").mkdir()
    assert from_folder(tmp_path / "out", source) == 0
    assert sorted(Gallery.load(tmp_path / "out").pictures) == ["broken", "snake-1"]
    said = capsys.readouterr()
    for name, why in (
        ("snake-1.webp", "rename"),
        ("empty.jpg", "empty"),
        ("cut.png", "damaged"),
        ("phone.heic", "HEIC"),
        ("broken.jpg", "no picture"),
        ("pipe.jpg", "no ordinary file"),
    ):
        assert [name in line and why in line for line in said.err.splitlines()].count(True) == 1, name
    assert "notes.txt" not in said.err and "DS_Store" not in said.err
    assert "2 faces enrolled, 6 not" in said.out


def test_nothing_to_enrol_is_said_with_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    assert from_folder(tmp_path / "out", tmp_path / "in") == 1
    assert "falcon-7.jpg" in capsys.readouterr().err
    some(tmp_path / "in" / "within", "snake-1")
    assert from_folder(tmp_path / "out", tmp_path / "in") == 1
    assert f"--from {tmp_path / 'in' / 'within'}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_bad_calls(tmp_path: Path) -> None:
    some(tmp_path / "in", "snake-1")
    (tmp_path / "file").write_text("x")
    for folder, source, said in (
        (tmp_path / "out", tmp_path / "missing", "is no folder"),
        (tmp_path / "out", tmp_path / "in" / "snake-1.png", "is no folder"),
        (tmp_path / "file", tmp_path / "in", "is a file"),
        (tmp_path / "in", tmp_path / "in", "is the gallery itself"),
    ):
        with pytest.raises(EnrolError, match=said):
            from_folder(folder, source)
    assert cli.main(["enrol", str(tmp_path / "out"), "--from", str(tmp_path / "missing")]) == 2
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong" / "gallery.toml").write_text("version = ")
    assert cli.main(["enrol", str(tmp_path / "wrong"), "--from", str(tmp_path / "in")]) == 2
    assert (tmp_path / "wrong" / "gallery.toml").read_text() == "version = "


def test_a_gallery_gives_its_faces_to_another(tmp_path: Path) -> None:
    enrol(tmp_path / "one", {"Ä/1": FACES["snake-1"]}, {"Ä/1": About(copies=3)})
    some(tmp_path / "in", "snake-2")
    assert from_folder(tmp_path / "two", tmp_path / "in") == 0
    assert from_folder(tmp_path / "two", tmp_path / "one") == 0
    loaded = Gallery.load(tmp_path / "two")
    assert sorted(loaded.pictures) == ["snake-2", "Ä/1"]
    assert loaded.about["Ä/1"].copies == 3


def test_the_same_face_twice_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some(tmp_path / "in", "snake-1", "falcon-9")
    brighter = np.clip(FACES["snake-1"] * 1.1 + 4, 0, 255).astype(np.uint8)
    write(tmp_path / "in" / "snake-one.png", brighter)
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    said = capsys.readouterr().err
    assert "snake-1 and snake-one are much alike" in said
    assert "falcon-9" not in said


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_rights_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir(mode=0)
    assert cli.main(["enrol", str(tmp_path / "out"), "--from", str(tmp_path / "in")]) == 2


def test_from_the_command_line(tmp_path: Path) -> None:
    some(tmp_path / "in", "snake-1", "falcon-9")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "firmware.cli",
            "enrol",
            str(tmp_path / "out"),
            "--from",
            str(tmp_path / "in"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 faces enrolled" in done.stdout


def test_enrolling_again_puts_a_damaged_gallery_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some(tmp_path / "in", "snake-1")
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    (tmp_path / "out" / "snake-1.png").write_bytes(b"no picture")
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    assert "snake-1.png: damaged" in capsys.readouterr().err
    assert list(Gallery.load(tmp_path / "out").pictures) == ["snake-1"]


def test_the_undamaged_faces_of_a_damaged_index_are_taken_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some(tmp_path / "in", "snake-1", "snake-2", "snake-3")
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    index = tmp_path / "out" / "gallery.toml"
    index.write_text(index.read_text().replace('picture = "snake-2.png"', 'picture = "snake'))
    assert from_folder(tmp_path / "new", tmp_path / "out") == 0
    assert "snake-2" in capsys.readouterr().err
    assert sorted(Gallery.load(tmp_path / "new").pictures) == ["snake-1", "snake-3"]


def test_a_name_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some(tmp_path / "in", "snake-1")
    write(tmp_path / "in" / "red\x1b[31m\n.png", FACES["ankh-5"])
    assert from_folder(tmp_path / "out", tmp_path / "in") == 0
    said = capsys.readouterr().err
    assert "red?[31m?.png: its name holds control characters" in said and "\x1b" not in said
