"""Drawing what was read into a copy of a photo."""

from __future__ import annotations

import contextlib
import errno
import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.gallery import BACK
from vision.photo import Quad
from vision.plane import Picture
from vision.reading.words import Reading

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont, ImageFont

    _Font = ImageFont | FreeTypeFont

LONGEST = 2400
"""Px of a drawing's long side."""
_KNOWN = (80, 220, 60)
_BACK = (230, 190, 60)
_UNKNOWN = (40, 130, 255)
_DARK = (20, 20, 20)
_FONTS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "NotoSansCJK-Regular.ttc",
    "Arial.ttf",
    "Arial Unicode.ttf",
    "msyh.ttc",
)
"""Fonts of Raspberry Pi OS and other systems, for names that Pillow's own cannot write."""
_LONGEST_NAME = 200
"""Bytes of a photo's name that its drawing is called by."""
_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")


class AnnotateError(Exception):
    """There is no place for drawings where they were asked for; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Drawings:
    """Where the drawing of each photo goes."""

    places: dict[str, Path]

    @classmethod
    def into(cls, out: Path, photos: Sequence[str], gallery: Path) -> Drawings:
        """A folder, made if need be; or a file when there is one photo and ``out`` is called like a picture. Raises AnnotateError when an
        input would be overwritten."""
        if out.is_dir() or out.suffix.lower() not in _SUFFIXES or str(out).endswith(os.sep):
            return cls(_in_folder(out, photos, gallery))
        if len(photos) > 1:
            raise AnnotateError(f"{out} is one file for {len(photos)} photos; give a folder: --annotate DIR")
        if _one_of(out, photos) or _inside(out, gallery):
            raise AnnotateError(
                f"{out} is one of the pictures that are read; give another file: --annotate OUT"
            )
        out.parent.mkdir(parents=True, exist_ok=True)
        return cls({photos[0]: out})

    def draw(self, photo: str, picture: Picture, reading: Reading) -> Path:
        """Write the drawing of a photo; return where. Raises OSError, which names the file, when the disk does not take it."""
        place = self.places[photo]
        done, coded = cv2.imencode(place.suffix, drawn(picture, reading))
        if not done:
            raise AnnotateError(f"{place}: the drawing cannot be written; give a folder: --annotate DIR")
        if place.exists() and not place.is_file():
            raise OSError(errno.EINVAL, "this is no ordinary file", str(place))
        try:
            place.write_bytes(coded.tobytes())
        except OSError as error:
            with contextlib.suppress(OSError):
                place.unlink()  # half a picture
            raise OSError(error.errno, error.strerror, str(place)) from error
        return place


def drawn(picture: Picture, reading: Reading) -> Picture:
    """A copy of the picture, no longer than ``LONGEST``, with outlines and names; what is not known has a broken outline and a ?."""
    scale = min(1.0, LONGEST / max(picture.shape[:2]))
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    out = (
        picture.copy()
        if scale == 1.0
        else np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    )
    width = max(1, round(max(size) / 500))
    for quad in reading.unknown:
        _outline(out, (quad + 0.5) * scale - 0.5, _UNKNOWN, width, broken=True)
    for piece in reading.pieces:
        colour = _BACK if piece.identity == BACK else _KNOWN
        _outline(out, (piece.quad + 0.5) * scale - 0.5, colour, width)
    labels = [((quad + 0.5) * scale - 0.5, "?", _UNKNOWN) for quad in reading.unknown]
    for piece in reading.pieces:
        colour = _BACK if piece.identity == BACK else _KNOWN
        text = f"{piece.identity} {100 * piece.confidence:.0f}%"
        labels.append(((piece.quad + 0.5) * scale - 0.5, text, colour))
    _labelled(out, labels)
    return out


def _outline(
    out: Picture, quad: Quad, colour: tuple[int, int, int], width: int, *, broken: bool = False
) -> None:
    """A line with a dark rim, which is seen on any ground; its first side, the face's top, is double."""
    points = [(float(x), float(y)) for x, y in quad]
    for rim, shade in ((2 * width + 1, _DARK), (width, colour)):
        for start, end in zip(points, [*points[1:], points[0]], strict=True):
            length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
            parts = max(1, round(length / (8 * width))) | 1 if broken else 1
            for part in range(0, parts, 2):
                a, b = part / parts, (part + 1) / parts
                cv2.line(
                    out,
                    _px(start[0] + a * (end[0] - start[0]), start[1] + a * (end[1] - start[1])),
                    _px(start[0] + b * (end[0] - start[0]), start[1] + b * (end[1] - start[1])),
                    shade,
                    rim,
                    cv2.LINE_AA,
                )


def _px(x: float, y: float) -> tuple[int, int]:
    """Whole px that OpenCV can draw to, however far beyond the picture a corner is."""
    return int(np.clip(round(x), -20_000, 20_000)), int(np.clip(round(y), -20_000, 20_000))


def _labelled(out: Picture, labels: Sequence[tuple[Quad, str, tuple[int, int, int]]]) -> None:
    """Each text in a dark box beside its quad, so that what is read can be seen: below, above, at a side; within the quad only where every
    place beside it would cover another piece, a text or leave the picture. What is not known says so in its own middle."""
    height, width = out.shape[:2]
    free = np.ones((height, width), np.uint8)
    for quad, _, _ in labels:
        cv2.fillConvexPoly(free, np.array([_px(x, y) for x, y in quad], np.int32), (0,))
    for quad, text, colour in labels:
        box = _boxed(out, quad, text, colour)
        high, wide = box.shape[:2]
        for x, y in _places(quad, wide, high) if len(text) > 1 else ():
            if 0 <= x <= width - wide and 0 <= y <= height - high and free[y : y + high, x : x + wide].all():
                break
        else:
            x = int(np.clip(quad[:, 0].mean() - wide / 2, 0, max(0, width - wide)))
            y = int(np.clip(quad[:, 1].mean() - high / 2, 0, max(0, height - high)))
        part = box[: height - y, : width - x]
        out[y : y + part.shape[0], x : x + part.shape[1]] = part
        free[y : y + high, x : x + wide] = 0


def _places(quad: Quad, wide: int, high: int) -> list[tuple[int, int]]:
    """Top left corners of a box of this size near a quad, the best first."""
    (left, top), (right, bottom) = quad.min(0), quad.max(0)
    room = 2 + high / 4
    middle, level = (left + right - wide) / 2, (top + bottom - high) / 2
    places = [(middle, bottom + room), (middle, top - room - high)]
    # A piece that lies askew leaves the corners of its upright box free.
    for x in (left, right - wide):
        places += [(x, bottom - high), (x, top)]
    places += [(right + room, level), (left - room - wide, level)]
    return [_px(x, y) for x, y in places]


def _boxed(out: Picture, quad: Quad, text: str, colour: tuple[int, int, int]) -> Picture:
    """The text on a dark box, in letters that fit the quad as far as they stay legible."""
    from PIL import Image, ImageDraw

    longest = max(out.shape[:2])
    sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
    wanted = 0.95 * float(max(sides)) / max(1, len(text)) * 1.9
    font, text = lettered(text, int(np.clip(wanted, longest / 110, longest / 45)))
    left, top, right, bottom = font.getbbox(text)
    box = Image.new("RGB", (int(right - left) + 6, int(bottom - top) + 6), _DARK)
    ImageDraw.Draw(box).text((3 - left, 3 - top), text, fill=colour[::-1], font=font)
    return np.ascontiguousarray(np.asarray(box, np.uint8)[..., ::-1])


def lettered(text: str, size: int, others: Sequence[str] = _FONTS) -> tuple[_Font, str]:
    """A font and what it can write of a text: Pillow's own; one of ``others``, as far as the system has them, for letters that it lacks;
    where none has them all, without accents, and a letter nobody can write is left out with a stroke in its place."""
    from PIL import ImageFont

    text = unicodedata.normalize("NFC", text)
    own = ImageFont.load_default(size)
    if all(_has(own, letter) for letter in text):
        return own, text
    for name in others:
        try:
            other = ImageFont.truetype(name, size)
        except OSError:
            continue
        if all(_has(other, letter) for letter in text):
            return other, text
    bare = (one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return own, "".join(letter if _has(own, letter) else "_" for letter in bare)


def _has(font: _Font, letter: str) -> bool:
    """Whether a font has a sign for it, rather than the box that stands for what is missing."""
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


def _in_folder(folder: Path, photos: Sequence[str], gallery: Path) -> dict[str, Path]:
    """A place for each photo's drawing: named after the photo, with a number where that is taken or is an input."""
    if folder.exists() and not folder.is_dir():
        raise AnnotateError(f"{folder} is a file that is no picture; give a folder: --annotate DIR")
    if folder.exists() and gallery.exists() and folder.samefile(gallery):
        raise AnnotateError(f"{folder} is the gallery; give another folder: --annotate DIR")
    folder.mkdir(parents=True, exist_ok=True)
    places: dict[str, Path] = {}
    taken: set[str] = set()
    for photo in dict.fromkeys(photos):
        stem, number = _short(Path(photo).stem or "photo"), 1
        while True:
            place = folder / f"{stem}-read{'' if number == 1 else f'-{number}'}.jpg"
            if place.name.lower() not in taken and not _one_of(place, photos):
                break
            number += 1
        taken.add(place.name.lower())
        places[photo] = place
    return places


def _short(stem: str) -> str:
    """As much of a name as leaves room for what is added to it: file systems take 255 bytes."""
    return os.fsdecode(os.fsencode(stem)[:_LONGEST_NAME]).encode("utf-8", "ignore").decode() or "photo"


def _one_of(place: Path, photos: Sequence[str]) -> bool:
    """Whether a place is one of the photos, by whatever path. What cannot be looked at, such as a photo whose name is too long for any
    file, is none."""
    for photo in photos if os.path.lexists(place) else ():
        with contextlib.suppress(OSError, ValueError):
            if place.samefile(photo):
                return True
    return False


def _inside(place: Path, gallery: Path) -> bool:
    return gallery.resolve() in place.resolve().parents
