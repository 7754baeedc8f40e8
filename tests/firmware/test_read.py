"""``thoth read``: the line of JSON, the table for people, drawings, exit codes; whatever the files are."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from firmware import cli
from firmware.commands.read import run
from hardware.print.faces import pictures
from tests.vision.lying import Taken, lying
from vision.gallery import enrol
from vision.photo import Photo
from vision.plane import Picture
from vision.reading.bank import Bank
from vision.reading.quality import ADVICE
from vision.reading.words import Found, Reading

ROOT = Path(__file__).parents[2]
KEYS = ["photo", "pieces", "unknown", "quality", "ms"]
FACES = {name: pictures("tanis", 6)[name] for name in ("snake-1", "falcon-9", "scarab-6")}
QUAD = np.array([[10, 20.04], [110.26, 20], [110, 220], [-9.5, 219]], np.float32)


def stand_in(photo: Photo, bank: Bank) -> Reading:
    """What a reader answers, without its time: two faces, one unknown, in px of the photo."""
    return Reading(
        (
            Found("snake-1", QUAD, 0.87654, 0.99999),
            Found("falcon-9", QUAD + 200, float("nan"), 1.2),
        ),
        (QUAD + 100,),
        {"outlines": 12.34, "judge": 5.0, "total": 18.0},
    )


def nothing(photo: Photo, bank: Bank) -> Reading:
    return Reading((), (), {})


def write(path: Path, picture: Picture) -> str:
    path.write_bytes(cv2.imencode(path.suffix, picture)[1].tobytes())
    return str(path)


def scene(width: int = 640, height: int = 480) -> Picture:
    coarse = np.random.default_rng(3).integers(30, 220, (12, 16, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


@pytest.fixture
def gallery(tmp_path: Path) -> Path:
    enrol(tmp_path / "gallery", FACES)
    return tmp_path / "gallery"


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_line_of_json(tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = write(tmp_path / "a photo ü.png", scene())
    assert run([photo], gallery, as_json=True, reader=stand_in) == 0
    (line,) = lines(capsys)
    assert list(line) == KEYS
    assert line["photo"] == photo
    assert line["pieces"][0] == {
        "identity": "snake-1",
        "polygon": [[10.0, 20.0], [110.3, 20.0], [110.0, 220.0], [-9.5, 219.0]],
        "visible": 0.877,
        "confidence": 1.0,
    }
    assert [line["pieces"][1][key] for key in ("visible", "confidence")] == [0.0, 1.0]
    assert line["unknown"] == [{"polygon": [[110.0, 120.0], [210.3, 120.0], [210.0, 320.0], [90.5, 319.0]]}]
    assert line["quality"] == []
    assert list(line["ms"]) == ["total", "decode", "outlines", "judge", "quality"]
    assert line["ms"]["total"] >= line["ms"]["decode"] > 0


def test_the_page_shows_what_is_printed() -> None:
    page = (ROOT / "docs" / "photos.md").read_text(encoding="utf-8")
    shown = json.loads(page.partition("```json")[2].partition("```")[0])
    assert list(shown) == KEYS
    assert list(shown["pieces"][0]) == ["identity", "polygon", "visible", "confidence"]
    assert shown["quality"] == [{"fault": "blurred", "advice": ADVICE["blurred"]}]
    table = page.rpartition("| `quality` | |")[2]
    assert set(re.findall(r"`(\w+)`", table)) == set(ADVICE)


def test_a_path_is_told_as_it_was_given(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "p.png", scene())
    monkeypatch.chdir(tmp_path)
    odd = os.fsdecode(b"bad\xff.jpg")
    (tmp_path / odd).write_bytes((tmp_path / "p.png").read_bytes())
    assert run(["./p.png", "../" + tmp_path.name + "/p.png", odd], gallery, as_json=True, reader=nothing) == 0
    assert [line["photo"] for line in lines(capsys)] == ["./p.png", f"../{tmp_path.name}/p.png", odd]


def test_what_cannot_be_read_keeps_nothing_else_from_being_read(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write(tmp_path / "good.png", scene())
    jpeg = cv2.imencode(".jpg", scene())[1].tobytes()
    (tmp_path / "cut.jpg").write_bytes(jpeg[: len(jpeg) // 2])
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.jpg").write_text("no picture at all")
    os.mkfifo(tmp_path / "pipe")
    write(tmp_path / "one.png", scene(1, 1))
    names = ["cut.jpg", "empty.jpg", "text.jpg", "pipe", "one.png", "missing.jpg", "."]
    photos = [good, *(str(tmp_path / name) for name in names), good]
    assert run(photos, gallery, as_json=True, reader=stand_in) == 1
    found = lines(capsys)
    assert [line["photo"] for line in found] == photos
    assert all(list(line)[:5] == KEYS for line in found)
    assert ["error" in line for line in found] == [False, *(True for _ in names), False]
    for line in found[1:-1]:
        assert line["pieces"] == line["unknown"] == line["quality"] == []
        assert line["error"]["fault"] and line["error"]["advice"]
        assert line["ms"]["total"] >= 0


@pytest.mark.parametrize(
    ("name", "shade", "fault"), [("black", 0, "dark"), ("white", 255, "bright"), ("grey", 120, "blank")]
)
def test_one_colour_is_read_and_said_to_show_nothing(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str], name: str, shade: int, fault: str
) -> None:
    """By the reader itself: no piece, no traceback, a word on the light."""
    photo = write(tmp_path / f"{name}.png", np.full((480, 640, 3), shade, np.uint8))
    assert run([photo], gallery, as_json=True) == 0
    (line,) = lines(capsys)
    assert line["pieces"] == [] and "error" not in line
    assert [one["fault"] for one in line["quality"]] == [fault]


def test_a_reader_that_fails_is_told_in_a_sentence(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(photo: Photo, bank: Bank) -> Reading:
        raise ZeroDivisionError("nobody expects this")

    def greedy(photo: Photo, bank: Bank) -> Reading:
        raise MemoryError

    photo = write(tmp_path / "good.png", scene())
    assert run([photo], gallery, as_json=True, reader=failing) == 1
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "--verbose" in json.loads(said.out)["error"]["advice"]
    assert run([photo], gallery, as_json=True, reader=failing, verbose=True) == 1
    assert "nobody expects this" in capsys.readouterr().err
    assert run([photo], gallery, as_json=True, reader=greedy) == 1
    assert "memory" in lines(capsys)[0]["error"]["fault"]


def test_polygons_are_in_pixels_of_the_turned_file(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of one that was decoded smaller: here, any that has more than 50,000 px."""
    monkeypatch.setattr("vision.decode.MOST_PIXELS", 50_000)
    sizes: list[tuple[int, int]] = []

    def whole(photo: Photo, bank: Bank) -> Reading:
        width, height = photo.size
        sizes.append(photo.size)
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        return Reading((Found("snake-1", corners, 1.0, 1.0),), (), {})

    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    Image.fromarray(scene(800, 600)).save(out, "JPEG", exif=exif)
    (tmp_path / "turned.jpg").write_bytes(out.getvalue())
    assert run([str(tmp_path / "turned.jpg")], gallery, as_json=True, reader=whole) == 0
    assert sizes == [(150, 200)]
    assert lines(capsys)[0]["pieces"][0]["polygon"] == [
        [-0.5, -0.5],
        [599.5, -0.5],
        [599.5, 799.5],
        [-0.5, 799.5],
    ]


def test_the_table_for_people(tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]) -> None:
    photo = write(tmp_path / "table.png", scene())
    assert run([photo, str(tmp_path / "none.jpg")], gallery, reader=stand_in) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{photo}: 2 known, 1 unknown")
    assert "falcon-9" in said[1] and "snake-1" in said[2] and "88 % visible" in said[2]
    assert said[3].split()[0] == "?"
    assert said[4] == f"{tmp_path / 'none.jpg'}: not read: there is no such file; check the path"


def test_drawings_go_to_a_folder_and_never_over_an_input(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    photos = [write(tmp_path / "t.png", scene()), write(tmp_path / "other" / "t.jpg", scene())]
    first = write(tmp_path / "t-read.jpg", scene())
    before = {path: path.read_bytes() for path in map(Path, [*photos, first])}
    assert run([*photos, first], gallery, tmp_path, as_json=True, reader=stand_in) == 0
    assert all(path.read_bytes() == raw for path, raw in before.items())
    drawn = sorted(path.name for path in tmp_path.glob("*-read*") if path not in before)
    assert drawn == ["t-read-2.jpg", "t-read-3.jpg", "t-read-read.jpg"]
    picture = cv2.imread(str(tmp_path / "t-read-2.jpg"))
    assert picture is not None and picture.shape == (480, 640, 3)
    assert float(np.abs(picture.astype(int) - scene()).mean()) > 2


def test_photos_with_long_names_are_drawn_too(tmp_path: Path, gallery: Path) -> None:
    photos = [write(tmp_path / f"{'é' * 120}{end}.png", scene()) for end in "ab"]
    wrong = ["x" * 300, f"{'y/' * 3000}z"]
    assert run([*photos, *wrong], gallery, tmp_path / "drawn", reader=stand_in) == 1
    assert len(list((tmp_path / "drawn").iterdir())) == 2


def test_a_drawing_that_cannot_be_written_keeps_nothing_from_being_read(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [write(tmp_path / f"{name}.png", scene()) for name in "abc"]
    (tmp_path / "drawn").mkdir()
    (tmp_path / "drawn" / "a-read.jpg").mkdir()
    os.mkfifo(tmp_path / "drawn" / "b-read.jpg")
    assert run(photos, gallery, tmp_path / "drawn", as_json=True, reader=stand_in) == 1
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3 and all(name in err for name in ("a-read.jpg", "b-read.jpg"))
    assert (tmp_path / "drawn" / "c-read.jpg").is_file()


def test_a_name_cannot_steer_the_terminal(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([write(tmp_path / "a\x1b[31m\n.png", scene()), "b\x07"], gallery, reader=stand_in) == 1
    out = capsys.readouterr().out
    assert "a?[31m?.png: " in out and "b?: not read" in out


def test_known_and_unknown_are_drawn_apart(tmp_path: Path, gallery: Path) -> None:
    photo = write(tmp_path / "t.png", np.full((480, 640, 3), 128, np.uint8))
    assert run([photo], gallery, tmp_path / "new" / "drawn.png", reader=stand_in) == 0
    drawn = cv2.imread(str(tmp_path / "new" / "drawn.png"))
    assert drawn is not None
    known = drawn[18:24, 40:80].reshape(-1, 3).astype(int)
    unknown = drawn[116:124, 120:200].reshape(-1, 3).astype(int)
    assert (known[:, 1] > known[:, 2] + 60).any() and not (known[:, 2] > known[:, 1] + 60).any()
    assert (unknown[:, 2] > unknown[:, 1] + 60).any() and not (unknown[:, 1] > unknown[:, 2] + 60).any()


def test_where_no_drawing_can_go(tmp_path: Path, gallery: Path) -> None:
    one, two = write(tmp_path / "1.png", scene()), write(tmp_path / "2.png", scene())
    (tmp_path / "notes").write_text("x")
    for photos, out in (
        ([one, two], tmp_path / "drawn.jpg"),
        ([one], Path(one)),
        ([one], gallery),
        ([one], gallery / "snake-1.png"),
        ([one], tmp_path / "notes"),
    ):
        kept = (gallery / "snake-1.png").read_bytes()
        assert cli.main(["read", *photos, "--gallery", str(gallery), "--annotate", str(out)]) == 2
        assert (gallery / "snake-1.png").read_bytes() == kept
    assert (tmp_path / "notes").read_text() == "x"


def test_a_damaged_gallery_is_named_and_what_is_left_of_it_used(
    tmp_path: Path, gallery: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (gallery / "snake-1.png").write_bytes(b"")
    photo = write(tmp_path / "t.png", scene())
    banks: list[Bank] = []

    def noting(photo: Photo, bank: Bank) -> Reading:
        banks.append(bank)
        return Reading((), (), {})

    assert run([photo], gallery, as_json=True, reader=noting) == 0
    assert banks[0].names == ("falcon-9", "scarab-6")
    assert "snake-1.png: damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["photo.jpg"], "thoth enrol GALLERY --from DIR"),
        (["photo.jpg", "--gallery", "nowhere"], "thoth enrol nowhere --from PICTURES"),
        (["--gallery", "nowhere"], "PHOTO"),
    ],
)
def test_bad_calls(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = cli.main(["read", *words])
    except SystemExit as stop:
        code = int(str(stop.code))
    assert code == 2
    heard = capsys.readouterr()
    assert said in heard.err and heard.out == ""


def test_a_piece_is_enrolled_and_read_from_the_command_line(tmp_path: Path) -> None:
    """The two commands of the README, each a process of its own."""
    rng = np.random.default_rng(6)
    (tmp_path / "faces").mkdir()
    large = pictures("tanis", 10)
    for name in ("snake-1", "falcon-9", "scarab-6", "ankh-4"):
        picture, _ = lying(large[name], (60, 90, 40), Taken(8.0, 12.0, 1.0, 0.7), rng)
        write(tmp_path / "faces" / f"{name}.jpg", picture)
    table, corners = lying(
        large["falcon-9"], (70, 80, 110), Taken(15.0, 70.0, 1.0, 0.3), rng, size=(1200, 900)
    )
    write(tmp_path / "table.jpg", table)

    def thoth(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "firmware.cli", *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    done = thoth("enrol", str(tmp_path / "g"), "--from", str(tmp_path / "faces"))
    assert (done.returncode, done.stderr) == (0, "")
    done = thoth("read", str(tmp_path / "table.jpg"), "--gallery", str(tmp_path / "g"), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    (piece,) = json.loads(done.stdout)["pieces"]
    assert piece["identity"] == "falcon-9"
    size = float(np.linalg.norm(corners[0] - corners[2]))
    assert float(np.abs(np.array(piece["polygon"]) - corners).max()) < 0.05 * size
    assert piece["visible"] > 0.9 and piece["confidence"] > 0.5
