"""The gallery's folder: what was saved comes back, damage is named."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pytest

from engines.table import Face, Kind, Layout
from tests.vision.scenes import TANIS
from vision.eyes import Eyes
from vision.gallery import INDEX, About, Gallery, GalleryError, enrol, named
from vision.plane import Picture

KIND = Kind("tile", 20.0, 40.0, 4.0, ("number", "sign"))
SMALL = Layout(
    "small", 594.0, 420.0, (KIND,), (), (Face("a-1", "tile", ("1", "a")), Face("b-1", "tile", ("1", "b")))
)
PICTURES = {
    name: np.random.default_rng(seed).integers(0, 255, (160, 80, 3)).astype(np.uint8)
    for seed, name in enumerate(("a-1", "b-1"))
}


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    gallery = Gallery.from_pictures(SMALL, PICTURES, 4.0)
    gallery.save(tmp_path)
    loaded = Gallery.load(tmp_path)
    assert loaded.game == "small"
    assert all(np.array_equal(loaded.pictures[name], PICTURES[name]) for name in PICTURES)
    loaded.check(SMALL)


def test_damage_names_the_file_and_the_remedy(tmp_path: Path) -> None:
    Gallery.from_pictures(SMALL, PICTURES, 4.0).save(tmp_path)
    raw = bytearray((tmp_path / "b-1.png").read_bytes())
    raw[200] ^= 1
    (tmp_path / "b-1.png").write_bytes(raw)
    with pytest.raises(GalleryError, match=r"b-1\.png: damaged; show this face again"):
        Gallery.load(tmp_path)
    (tmp_path / "b-1.png").unlink()
    with pytest.raises(GalleryError, match=r"b-1\.png"):
        Gallery.load(tmp_path)
    (tmp_path / "gallery.toml").write_text("version = 7", encoding="utf-8")
    with pytest.raises(GalleryError, match="version 7"):
        Gallery.load(tmp_path)
    (tmp_path / "gallery.toml").unlink()
    with pytest.raises(GalleryError, match=r"gallery\.toml"):
        Gallery.load(tmp_path)


def test_a_missing_or_misshapen_face_is_named() -> None:
    with pytest.raises(GalleryError, match="b-1"):
        Gallery.from_pictures(SMALL, {"a-1": PICTURES["a-1"]}, 4.0)
    with pytest.raises(GalleryError, match="no tile"):
        Gallery.from_pictures(SMALL, {**PICTURES, "b-1": PICTURES["b-1"][:100]}, 4.0)


def test_another_games_gallery_is_refused() -> None:
    with pytest.raises(GalleryError, match="small"):
        Eyes(TANIS, Gallery.from_pictures(SMALL, PICTURES, 4.0))


def test_a_gallery_of_the_first_version_still_loads(tmp_path: Path) -> None:
    lines = ["version = 1", 'game = "small"', "px_per_mm = 4.0", "[faces]"]
    for name, picture in PICTURES.items():
        raw = cv2.imencode(".png", picture)[1].tobytes()
        (tmp_path / f"{name}.png").write_bytes(raw)
        lines.append(f'"{name}" = "{hashlib.sha256(raw).hexdigest()}"')
    (tmp_path / INDEX).write_text("\n".join(lines), encoding="utf-8")
    loaded = Gallery.load(tmp_path)
    loaded.check(SMALL)
    assert all(np.array_equal(loaded.pictures[name], PICTURES[name]) for name in PICTURES)
    enrol(tmp_path, {"c-1": PICTURES["a-1"]})
    assert sorted(Gallery.load(tmp_path).pictures) == ["a-1", "b-1", "c-1"]
    assert tomllib.loads((tmp_path / INDEX).read_text(encoding="utf-8"))["version"] == 2


def plain(shade: int, wide: int = 40, high: int = 60) -> Picture:
    return np.full((high, wide, 3), shade, np.uint8)


ODD = (
    "falcon-7",
    "Falcon-7",
    "FALCON-7",
    "con",
    "nul.txt",
    "a/b\\c",
    "..",
    "Müller & Söhne 3%",
    "ραμ",
    "象",
    "two words",
    'quote"d',
    "trailing.",
    "x" * 100,
    "-",
    "gallery",
    "del\u2028ete",
)


def test_identities_may_be_called_anything(tmp_path: Path) -> None:
    """Files keep apart where upper and lower case are one, and no name of theirs is one that a file system refuses."""
    pictures = {name: plain(10 + index) for index, name in enumerate(ODD)}
    enrol(tmp_path / "one", pictures)
    files = [path.name for path in (tmp_path / "one").iterdir()]
    assert len(files) == len(ODD) + 1
    assert len({file.lower() for file in files}) == len(files)
    assert all(file.isascii() and file == file.lower() and len(file) < 100 for file in files)
    assert all(set(file) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.") for file in files)
    # As another machine would get it: copied file by file.
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    loaded = Gallery.load(tmp_path / "two").pictures
    assert set(loaded) == set(ODD)
    assert all(np.array_equal(loaded[name], pictures[name]) for name in ODD)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x00", "\udcff", "x" * 101])
def test_what_can_be_no_name_is_refused(name: str) -> None:
    with pytest.raises(GalleryError, match="name"):
        named(name)


def test_composed_and_decomposed_letters_are_one_name(tmp_path: Path) -> None:
    enrol(tmp_path, {"e\u0301toile": plain(1)})
    enrol(tmp_path, {"\u00e9toile": plain(2)})
    assert list(Gallery.load(tmp_path).pictures) == ["\u00e9toile"]


def test_what_is_known_of_a_face_comes_back(tmp_path: Path) -> None:
    about = About((20.0, 40.5), 3, 0.91, date(2026, 11, 30))
    enrol(tmp_path, {"a": plain(1), "b": plain(2)}, {"a": about}, game="small")
    loaded = Gallery.load(tmp_path)
    assert loaded.game == "small"
    assert loaded.about == {"a": about, "b": About()}
    assert dict(zip(loaded.bank().names, loaded.bank().copies, strict=True)) == {"a": 3, "b": None}


def test_a_gallery_is_extended_and_a_face_replaced(tmp_path: Path) -> None:
    enrol(tmp_path, {"a": plain(1), "b": plain(2)}, {"a": About(copies=4)})
    enrol(tmp_path, {"b": plain(3), "c": plain(4)})
    loaded = Gallery.load(tmp_path)
    assert {name: int(picture[0, 0, 0]) for name, picture in loaded.pictures.items()} == {
        "a": 1,
        "b": 3,
        "c": 4,
    }
    assert loaded.about["a"].copies == 4
    # Nothing is left of the old picture.
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".png", ".png", ".png", ".toml"]


def test_a_file_of_the_owner_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"mine")
    enrol(tmp_path, {"a": plain(1)})
    enrol(tmp_path, {"a": plain(2)})
    assert (tmp_path / "a.png").read_bytes() == b"mine"
    assert int(Gallery.load(tmp_path).pictures["a"][0, 0, 0]) == 2


def test_undamaged_faces_are_still_used_and_every_damage_is_named(tmp_path: Path) -> None:
    enrol(tmp_path, {name: plain(index) for index, name in enumerate("abcdef")})
    (tmp_path / "a.png").unlink()
    (tmp_path / "b.png").write_bytes(b"")
    (tmp_path / "c.png").write_bytes((tmp_path / "c.png").read_bytes()[:-20])
    index = (tmp_path / INDEX).read_text(encoding="utf-8")
    (tmp_path / INDEX).write_text(
        index.replace('picture = "d.png"', 'picture = "../d.png"').replace(
            'picture = "e.png"', "picture = 5"
        ),
        encoding="utf-8",
    )
    salvaged = Gallery.salvage(tmp_path)
    assert list(salvaged.pictures) == ["f"]
    for name in ("a.png", "b.png", "c.png", "'d'", "'e'"):
        assert sum(name in damage for damage in salvaged.damage) == 1, name
    assert all("again" in damage for damage in salvaged.damage)
    with pytest.raises(GalleryError):
        Gallery.load(tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        f"size_mm = [{'9' * 400}, 20]",
        f"size_mm = [{'9' * 5000}, 20]",
        f"outline = {'9' * 400}",
        'picture = "c\\u0000.png"',
        "copies",
        'copies = "',
        "\x00",
        "\xff",
        '[faces."a"]',
    ],
)
def test_a_damaged_line_of_the_index_costs_its_own_face_only(tmp_path: Path, wrong: str) -> None:
    enrol(tmp_path, {name: plain(index) for index, name in enumerate("abcde")})
    index = (tmp_path / INDEX).read_bytes()
    raw = wrong.encode("latin1")
    if wrong.startswith("picture"):
        broken = index.replace(b'picture = "c.png"', raw)
    else:
        broken = index.replace(b'picture = "c.png"', raw + b'\npicture = "c.png"')
    (tmp_path / INDEX).write_bytes(broken)
    salvaged = Gallery.salvage(tmp_path)
    assert set(salvaged.pictures) >= set("abde") and len(salvaged.damage) in (1, 2)
    assert any("c" in said and "again" in said for said in salvaged.damage)
    with pytest.raises(GalleryError):
        Gallery.load(tmp_path)


def test_a_pipe_in_a_gallery_is_damage_and_is_not_waited_for(tmp_path: Path) -> None:
    enrol(tmp_path, {"a": plain(1), "b": plain(2)})
    (tmp_path / "a.png").unlink()
    os.mkfifo(tmp_path / "a.png")
    salvaged = Gallery.salvage(tmp_path)
    assert list(salvaged.pictures) == ["b"] and "no ordinary file" in salvaged.damage[0]
    (tmp_path / INDEX).unlink()
    os.mkfifo(tmp_path / INDEX)
    with pytest.raises(GalleryError, match="no ordinary file"):
        Gallery.salvage(tmp_path)


def test_who_stops_an_enrolment_finds_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vision.gallery.os.fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        enrol(tmp_path, {"a": plain(1)})
    assert not list(tmp_path.iterdir())


def test_a_full_disk_is_named_with_the_file_and_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("vision.gallery.os.fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        enrol(tmp_path, {"a": plain(1)})
    assert str(caught.value.filename).endswith("a.png")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("version = 3", "bring Thoth up to date"),
        ("version = 2\n[faces", "put it right"),
        ("version = 2", "no face"),
        ("faces = 3\nversion = 2", "faces is wrong"),
        ("version = true", "version True"),
        ("\ud800".encode("utf-8", "surrogatepass").decode("latin1"), "put it right"),
    ],
)
def test_a_wrong_index_is_named_with_a_remedy(tmp_path: Path, index: str, said: str) -> None:
    (tmp_path / INDEX).write_text(index, encoding="latin1")
    with pytest.raises(GalleryError, match=said):
        Gallery.salvage(tmp_path)


def test_no_gallery_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(GalleryError, match=r"thoth enrol .* --from"):
        Gallery.salvage(tmp_path / "nothing")


def test_pictures_of_any_size_fit_a_layout_of_their_shape(tmp_path: Path) -> None:
    enrol(tmp_path, {name: cv2.resize(picture, (230, 470)) for name, picture in PICTURES.items()})
    fitted = Gallery.load(tmp_path).fitted(SMALL)
    fitted.check(SMALL)
    with pytest.raises(GalleryError, match="no tile"):
        Gallery("", {**PICTURES, "b-1": plain(1, 60, 60)}).fitted(SMALL)
    with pytest.raises(GalleryError, match="no picture of b-1"):
        Gallery("", {"a-1": PICTURES["a-1"]}).fitted(SMALL)
    with pytest.raises(GalleryError, match="of other, not of small"):
        Gallery("other", PICTURES).fitted(SMALL)


_ENROL_FOR_EVER = """
import sys
from pathlib import Path
import numpy as np
from vision.gallery import enrol
rng = np.random.default_rng()
print("go", flush=True)
while True:
    enrol(Path(sys.argv[1]), {f"face-{rng.integers(9)}": rng.integers(0, 255, (50, 40, 3)).astype(np.uint8) for _ in range(3)})
"""


def test_a_kill_at_any_moment_leaves_a_gallery_that_loads(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    enrol(tmp_path, {"first": plain(7)})
    for _ in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", _ENROL_FOR_EVER, str(tmp_path)],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(float(rng.uniform(0.0, 0.15)))
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        assert int(Gallery.load(tmp_path).pictures["first"][0, 0, 0]) == 7
    enrol(tmp_path, {"last": plain(9)})
    assert len(Gallery.load(tmp_path).pictures) > 2


def test_a_folder_that_is_no_gallery_says_which_is(tmp_path: Path) -> None:
    def said(folder: Path) -> str:
        with pytest.raises(GalleryError) as fault:
            Gallery.load(folder)
        return str(fault.value)

    face = np.full((80, 40, 3), 90, np.uint8)
    mine = tmp_path / "all" / "tanis"
    enrol(mine, {"snake-1": face})
    assert str(mine) in said(tmp_path / "all").partition("give that")[2]
    assert said(mine / "tanis").endswith(f"give the folder it lies in: {tmp_path / 'all'}")
    assert f"thoth enrol GALLERIES/ankh --from {mine}" in said(mine / "ankh")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "snake-1.JPG"), face)
    assert f"thoth enrol NEW --from {pictures}" in said(pictures)
    assert "is a file; give the folder" in said(pictures / "snake-1.JPG")
    assert f"thoth enrol {tmp_path / 'none'} --from" in said(tmp_path / "none")
