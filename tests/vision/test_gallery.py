"""The gallery's folder: what was saved comes back, damage is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engines.table import Face, Kind, Layout
from tests.vision.scenes import TANIS
from vision.eyes import Eyes
from vision.gallery import Gallery, GalleryError

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
