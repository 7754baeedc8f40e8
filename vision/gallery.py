"""The gallery: what each face of the owner's own set looks like. Nothing else teaches the eyes."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engines.table import Layout
from vision.plane import Picture

VERSION = 1
SCALE = 4.0
"""Pixels per millimetre at which the pictures are kept."""
INDEX = "gallery.toml"


class GalleryError(Exception):
    """A gallery cannot be used; the text names what is damaged or missing, and the remedy."""


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """One upright picture per identity, (height, width, 3) uint8 BGR at ``SCALE`` px per mm."""

    game: str
    pictures: Mapping[str, Picture]

    @classmethod
    def from_pictures(cls, layout: Layout, pictures: Mapping[str, Picture], px_per_mm: float) -> Gallery:
        """Take one BGR uint8 picture per identity at ``px_per_mm``. Raises GalleryError when a face is missing or has another shape."""
        missing = [face.identity for face in layout.faces if face.identity not in pictures]
        if missing:
            raise GalleryError(f"no picture of {', '.join(missing[:4])}; show each face once")
        kept: dict[str, Picture] = {}
        for face in layout.faces:
            kind, picture = layout.kind(face.kind), pictures[face.identity]
            if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
                raise GalleryError(f"{face.identity}: not a colour picture; show this face again")
            wide, high = picture.shape[1] / px_per_mm, picture.shape[0] / px_per_mm
            if (
                abs(wide - kind.width) > 0.06 * kind.width + 0.5
                or abs(high - kind.height) > 0.06 * kind.height + 0.5
            ):
                raise GalleryError(
                    f"{face.identity}: {wide:.0f} x {high:.0f} mm is no {kind.name} "
                    f"({kind.width:.0f} x {kind.height:.0f} mm); show this face again"
                )
            size = (round(kind.width * SCALE), round(kind.height * SCALE))
            same = picture.shape[1::-1] == size
            smaller = cv2.INTER_AREA if px_per_mm > SCALE else cv2.INTER_CUBIC
            kept[face.identity] = (
                picture if same else np.asarray(cv2.resize(picture, size, interpolation=smaller), np.uint8)
            )
        return cls(layout.game, kept)

    def save(self, folder: Path) -> None:
        """Write a picture per identity and the index, the index last: without it there is no gallery."""
        folder.mkdir(parents=True, exist_ok=True)
        lines = [
            f"version = {VERSION}",
            f'game = "{self.game}"',
            f"px_per_mm = {SCALE}",
            "",
            "[faces]  # sha256 of each picture",
        ]
        for identity, picture in sorted(self.pictures.items()):
            done, coded = cv2.imencode(".png", picture)
            if not done:
                raise GalleryError(f"{identity}: the picture cannot be written")
            raw = coded.tobytes()
            (folder / f"{identity}.png").write_bytes(raw)
            lines.append(f'"{identity}" = "{hashlib.sha256(raw).hexdigest()}"')
        aside = folder / f"{INDEX}.new"
        aside.write_text("\n".join(lines) + "\n", encoding="utf-8")
        aside.replace(folder / INDEX)

    @classmethod
    def load(cls, folder: Path) -> Gallery:
        """Read what ``save`` wrote. Raises GalleryError naming the file that is missing or damaged."""
        index = folder / INDEX
        try:
            data = tomllib.loads(index.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise GalleryError(f"{index}: {error}; make the gallery again") from error
        if data.get("version") != VERSION:
            raise GalleryError(
                f"{index}: version {data.get('version')} is not {VERSION}; make the gallery again"
            )
        faces, game = data.get("faces"), data.get("game")
        if (
            not isinstance(faces, dict)
            or not faces
            or not isinstance(game, str)
            or data.get("px_per_mm") != SCALE
        ):
            raise GalleryError(
                f"{index}: game, px_per_mm or faces is missing or wrong; make the gallery again"
            )
        pictures: dict[str, Picture] = {}
        for identity, digest in faces.items():
            path = folder / f"{identity}.png"
            if path.parent != folder:
                raise GalleryError(f"{index}: {identity!r} is no name of a face; make the gallery again")
            try:
                raw = path.read_bytes()
            except OSError as error:
                raise GalleryError(f"{path}: {error}; show this face again") from error
            if hashlib.sha256(raw).hexdigest() != digest:
                raise GalleryError(f"{path}: damaged; show this face again")
            picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
            if picture is None:
                raise GalleryError(f"{path}: no picture; show this face again")
            pictures[identity] = np.asarray(picture, np.uint8)
        return cls(game, pictures)

    def check(self, layout: Layout) -> None:
        """Raises GalleryError when the gallery is another game's or lacks a face of this layout."""
        if self.game != layout.game:
            raise GalleryError(f"this gallery is of {self.game}, not of {layout.game}; make one for it")
        Gallery.from_pictures(layout, self.pictures, SCALE)
