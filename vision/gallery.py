"""The gallery: what each face of the owner's own set looks like. Nothing else teaches the eyes.

An ordinary folder: one PNG per face and one TOML that names them, with the checksum of each. Names of files are lower-case ASCII whatever
the identities are, so that a gallery can be copied to any file system. A picture is written before the index that names it and never over
one that is named, so whatever breaks off the writing leaves the gallery as it was before that face.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from engines.table import Layout
from vision.boards import wanted
from vision.plane import Picture, resized, shrunk

if TYPE_CHECKING:
    from vision.reading.bank import Bank

VERSION = 2
SCALE = 4.0
"""Pixels per millimetre at which a layout's pictures are kept."""
INDEX = "gallery.toml"
BACK = "back"
"""The identity that stands for the back of all pieces."""
_PICTURED = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".heic")
LONGEST = 100
"""Letters of an identity."""
BANKED = 320
"""Px of a face's long side from which reading takes all that it needs."""


class GalleryError(Exception):
    """A gallery cannot be used; the text names what is damaged or missing, and the remedy."""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of one face beside its picture.

    ``size``: width and height of the piece in mm; ``copies``: how many are in the box; ``outline``: how sure its outline was when it was
    enrolled (0-1), None when the picture was taken whole; ``enrolled``: the day.
    """

    size: tuple[float, float] | None = None
    copies: int | None = None
    outline: float | None = None
    enrolled: date | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Gallery:
    """One upright picture per identity, (height, width, 3) uint8 BGR; at ``SCALE`` px per mm when it was made for a layout.

    ``game`` is empty when it is nobody's in particular; ``damage`` names what could not be read, file by file.
    """

    game: str
    pictures: Mapping[str, Picture]
    about: Mapping[str, About] = field(default_factory=dict)
    damage: tuple[str, ...] = ()

    @classmethod
    def from_pictures(cls, layout: Layout, pictures: Mapping[str, Picture], px_per_mm: float) -> Gallery:
        """Take one BGR uint8 picture per identity at ``px_per_mm``. Raises GalleryError when a face is missing or has another shape."""
        missing = [face.identity for face in layout.faces if face.identity not in pictures]
        if missing:
            raise GalleryError(f"no picture of {', '.join(missing[:4])}; show each face once")
        kept: dict[str, Picture] = {}
        about: dict[str, About] = {}
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
            kept[face.identity] = resized(picture, round(kind.width * SCALE), round(kind.height * SCALE))
            about[face.identity] = About(size=(kind.width, kind.height))
        for name, size in wanted(layout).items():
            if name not in pictures:
                raise GalleryError(
                    f"no picture of {name}; show the empty board, then its figures: thoth board learn"
                )
            kept[name], about[name] = pictures[name], About(size=size)
        return cls(layout.game, kept, about)

    def fitted(self, layout: Layout) -> Gallery:
        """The faces of a layout at ``SCALE`` px per mm, whatever size their pictures had. Raises GalleryError for another game, a face
        that is damaged, missing or of another shape."""
        if self.game not in ("", layout.game):
            raise GalleryError(f"this gallery is of {self.game}, not of {layout.game}; make one for it")
        if self.damage:
            raise GalleryError(self.damage[0])
        scaled: dict[str, Picture] = {}
        for face in layout.faces:
            if (picture := self.pictures.get(face.identity)) is None:
                continue
            kind = layout.kind(face.kind)
            aspect = kind.width / kind.height
            off = picture.shape[1] / picture.shape[0] / aspect
            if not 1 / 1.1 < off < 1.1:
                raise GalleryError(
                    f"{face.identity}: its picture is {picture.shape[1]} x {picture.shape[0]} px, which is no {kind.name} "
                    f"({kind.width:.0f} x {kind.height:.0f} mm); show this face again"
                )
            scaled[face.identity] = resized(picture, round(kind.width * SCALE), round(kind.height * SCALE))
        return Gallery.from_pictures(layout, {**self.pictures, **scaled}, SCALE)

    def check(self, layout: Layout) -> None:
        """Raises GalleryError when the gallery is another game's or lacks a face of this layout."""
        if self.game != layout.game:
            raise GalleryError(f"this gallery is of {self.game}, not of {layout.game}; make one for it")
        Gallery.from_pictures(layout, self.pictures, SCALE)

    def bank(self) -> Bank:
        """What reading a photo needs of it: pictures no longer than ``BANKED`` px."""
        from vision.reading.bank import Bank  # brings the network, which the nights do not need

        pictures = {name: shrunk(picture, BANKED) for name, picture in self.pictures.items()}
        copies = {name: about.copies for name, about in self.about.items() if about.copies is not None}
        return Bank.of(pictures, copies)

    def save(self, folder: Path) -> None:
        """Write all faces; faces that the folder already holds and this gallery does not are kept. Raises OSError, GalleryError."""
        enrol(folder, self.pictures, self.about, self.game)

    @classmethod
    def load(cls, folder: Path) -> Gallery:
        """Read what ``save`` wrote, every face of it. Raises GalleryError naming the file that is missing or damaged."""
        gallery = cls.salvage(folder)
        if gallery.damage:
            raise GalleryError(gallery.damage[0])
        return gallery

    @classmethod
    def salvage(cls, folder: Path, longest: int | None = None) -> Gallery:
        """Read what can be read: ``damage`` names the rest. ``longest``: px of a picture's long side that are wanted.

        Raises GalleryError when there is no index, or no face at all."""
        index = _Index.read(folder, salvage=True)
        pictures: dict[str, Picture] = {}
        damage: list[str] = list(index.damage)
        for identity, entry in index.entries.items():
            try:
                picture = _picture(folder / entry.file, entry.sha256)
                pictures[identity] = picture if longest is None else shrunk(picture, longest)
            except GalleryError as error:
                damage.append(str(error))
        if not pictures:
            raise GalleryError(damage[0] if damage else f"{folder}: this gallery holds no face; enrol some")
        about = {identity: index.entries[identity].about for identity in pictures}
        return cls(index.game, pictures, about, tuple(damage))


def named(identity: str) -> str:
    """An identity as it is kept: Unicode's composed form, no blanks around it. Raises GalleryError for what can be no name."""
    name = unicodedata.normalize("NFC", identity).strip()
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise GalleryError("its name holds bytes that are no letters; rename the file") from error
    if not name:
        raise GalleryError("it has no name; name the file as its face is called")
    if len(name) > LONGEST:
        raise GalleryError(f"its name is longer than {LONGEST} letters; give it a shorter one")
    if any(unicodedata.category(letter) in ("Cc", "Cs") for letter in name):
        raise GalleryError("its name holds control characters; rename the file")
    return name


def enrol(
    folder: Path,
    pictures: Mapping[str, Picture],
    about: Mapping[str, About] | None = None,
    game: str | None = None,
) -> None:
    """Add faces to the gallery in ``folder``, or begin one there; a face that it holds already is replaced.

    All of these faces or none are in the gallery afterwards, whenever the process ends. Raises OSError when the disk does not take them,
    GalleryError when the folder holds an index that cannot be read.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        index = _Index.read(folder) if (folder / INDEX).exists() else _Index(game or "", {})
        entries = dict(index.entries)
        taken = {entry.file for entry in entries.values()}
        old: list[str] = []
        for identity, picture in pictures.items():
            name = named(identity)
            raw = _coded(identity, picture)
            digest = hashlib.sha256(raw).hexdigest()
            known = (about or {}).get(identity, About())
            before = entries.get(name)
            if before is None or not _holds(folder / before.file, raw):
                file = next(one for one in _files(name) if one not in taken and _free(folder / one, raw))
                _write(folder / file, raw)
                taken.add(file)
                if before is not None:
                    old.append(before.file)
            else:
                file = before.file
            if before is not None and known.copies is None:
                known = replace(known, copies=before.about.copies)
            entries[name] = _Entry(file, digest, known)
        made = _Index(index.game if game is None else game, entries)
        _write(folder / INDEX, made.text().encode("utf-8"))
        for file in old:
            with contextlib.suppress(OSError):
                (folder / file).unlink()


# -- the index -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Entry:
    file: str
    sha256: str
    about: About


@dataclass(frozen=True, slots=True)
class _Index:
    game: str
    entries: Mapping[str, _Entry]
    damage: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path, *, salvage: bool = False) -> _Index:
        """The index of a folder. Raises GalleryError naming what is wrong with it as a whole; ``salvage`` loses only damaged places."""
        path = folder / INDEX
        again = f"put it right, or enrol its pictures anew: thoth enrol NEW --from {folder}"
        try:
            raw = _content(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise GalleryError(_instead(folder)) from error
        except OSError as error:
            raise GalleryError(f"{path}: {error.strerror or error}; check its rights and the disk") from error
        damage: list[str] = []
        try:
            data = tomllib.loads(raw.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            data, lost = _by_parts(raw) if salvage else ({}, [])
            if "version" not in data or not data.get("faces"):
                raise GalleryError(f"{path}: {error}; {again}") from error
            damage += [f"{path}: {one}; put it right, or enrol this face again" for one in lost]
        version, faces, game = data.get("version"), data.get("faces", {}), data.get("game", "")
        if version not in (1, VERSION) or isinstance(version, bool):
            raise GalleryError(
                f"{path}: version {version} is not {VERSION}; bring Thoth up to date, or make the gallery again"
            )
        if not isinstance(faces, dict) or not isinstance(game, str):
            raise GalleryError(f"{path}: game or faces is wrong; {again}")
        if version == 1:
            if data.get("px_per_mm") != SCALE or not game or not faces:
                raise GalleryError(
                    f"{path}: game, px_per_mm or faces is missing or wrong; make the gallery again"
                )
            faces = {name: {"picture": f"{name}.png", "sha256": digest} for name, digest in faces.items()}
        entries: dict[str, _Entry] = {}
        for name, said in faces.items():
            try:
                entries[named(name)] = _entry(said)
            except (GalleryError, TypeError, ValueError, KeyError, OverflowError) as error:
                damage.append(f"{path}: the entry of {name!r} is wrong ({error}); enrol this face again")
        return cls(game, entries, tuple(damage))

    def text(self) -> str:
        lines = [
            "# A gallery of Thoth: what each face looks like. The pictures lie beside this file.",
            f"version = {VERSION}",
        ]
        if self.game:
            lines.append(f"game = {_quoted(self.game)}")
        for name, entry in sorted(self.entries.items()):
            lines += ["", f"[faces.{_quoted(name)}]", *_lines(entry)]
        return "\n".join(lines) + "\n"


def _lines(entry: _Entry) -> Iterator[str]:
    about = entry.about
    yield f"picture = {_quoted(entry.file)}"
    yield f"sha256 = {_quoted(entry.sha256)}"
    if about.size is not None:
        yield f"size_mm = [{about.size[0]:.2f}, {about.size[1]:.2f}]"
    if about.copies is not None:
        yield f"copies = {about.copies}"
    if about.outline is not None:
        yield f"outline = {about.outline:.2f}  # how sure it was"
    if about.enrolled is not None:
        yield f"enrolled = {about.enrolled.isoformat()}"


def _by_parts(raw: bytes) -> tuple[dict[str, Any], list[str]]:
    """What can be read of an index whose text is damaged: each table by itself. And what cannot, as "line 12, [faces.snake-3], ..."."""
    data: dict[str, Any] = {}
    faces: dict[str, Any] = {}
    lost: list[str] = []
    line = 1
    for part in re.split(r"\n(?=\s*\[)|\n(?=[ \t]*\n)", raw.decode("utf-8", "replace")):
        first = line + part[: len(part) - len(part.lstrip())].count("\n")
        line += part.count("\n") + 1
        try:
            if "\ufffd" in part:
                raise ValueError("bytes that are no text")
            said = tomllib.loads(part)
            found = said.pop("faces", {})
            if not isinstance(found, dict) or not said.keys() <= {"version", "game", "px_per_mm"}:
                raise ValueError("belongs to no face")
            if twice := [name for name in found if name in faces]:
                raise ValueError(f"{twice[0]} is named twice")
        except (ValueError, RecursionError) as error:
            title = " ".join(part.strip().splitlines()[:1])[:60].encode("ascii", "backslashreplace").decode()
            lost.append(f"line {first}, {title}: {error}")
            continue
        data.update(said)
        faces.update(found)
    return {**data, "faces": faces}, lost


def _entry(said: Any) -> _Entry:
    """One face of the index. Raises TypeError, ValueError, KeyError or OverflowError for what no index holds."""
    file, digest = said["picture"], said["sha256"]
    if not isinstance(file, str) or not isinstance(digest, str):
        raise TypeError("picture and sha256 are texts")
    if file != Path(file).name or "\\" in file or file.startswith("."):
        raise ValueError(f"{file!r} is no name of a file beside it")
    size, copies, outline, enrolled = (said.get(key) for key in ("size_mm", "copies", "outline", "enrolled"))
    if size is not None and (len(size) != 2 or not all(0 < float(one) < 10_000 for one in size)):
        raise ValueError("size_mm is [width, height]")
    if copies is not None and (not isinstance(copies, int) or isinstance(copies, bool) or copies < 1):
        raise ValueError("copies is a whole number from 1 on")
    return _Entry(
        file,
        digest,
        About(
            (float(size[0]), float(size[1])) if size is not None else None,
            copies,
            float(outline) if outline is not None else None,
            enrolled if isinstance(enrolled, date) else None,
        ),
    )


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, and one control character that JSON lets through."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# -- files -----------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d|gallery")


def _files(identity: str) -> Iterator[str]:
    """Names for a face's picture, best first: readable where the identity is plain, and never two that differ in case only."""
    stem = identity
    if not _PLAIN.fullmatch(identity) or _RESERVED.fullmatch(identity):
        plain = unicodedata.normalize("NFKD", identity).encode("ascii", "ignore").decode().lower()
        plain = re.sub(r"[^a-z0-9_-]+", "-", plain).strip("-")[:40] or "face"
        stem = f"{plain}.{hashlib.sha256(identity.encode()).hexdigest()[:10]}"
    yield f"{stem}.png"
    yield from (f"{stem}.{number}.png" for number in range(2, 1_000_000))


def _free(path: Path, raw: bytes) -> bool:
    """Whether a picture may be written there: nothing is overwritten but what a broken off enrolment has left of the same picture."""
    return not os.path.lexists(path) or _holds(path, raw)


def _holds(path: Path, raw: bytes) -> bool:
    with contextlib.suppress(OSError):
        return _content(path) == raw
    return False


def _coded(identity: str, picture: Picture) -> bytes:
    done, coded = cv2.imencode(".png", picture)
    if not done:
        raise GalleryError(f"{identity}: the picture cannot be written; show this face again")
    return coded.tobytes()


def _picture(path: Path, digest: str) -> Picture:
    try:
        raw = _content(path)
    except OSError as error:
        raise GalleryError(f"{str(path)!r}: {error.strerror or error}; show this face again") from error
    if hashlib.sha256(raw).hexdigest() != digest:
        raise GalleryError(f"{path}: damaged; show this face again")
    try:
        picture: Any = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise GalleryError(f"{path}: no picture; show this face again")
    return np.asarray(picture, np.uint8)


def _content(path: Path) -> bytes:
    """The bytes of a file. Raises OSError, also for a pipe, whose reading would not end, and for names that no file can have."""
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "this is no ordinary file", str(path))
        return path.read_bytes()
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can be called so", str(path)) from error


def _write(path: Path, raw: bytes) -> None:
    """All of a file or none of it, also when the power fails. Raises OSError, which names the file, when the disk does not take it."""
    aside = path.with_name(f"{path.name}.new")
    try:
        with aside.open("wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except BaseException as error:  # also Ctrl-C
        with contextlib.suppress(OSError):
            aside.unlink()
        if isinstance(error, OSError) and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One writer at a time, where the system knows locks: two enrolments at once then lose nothing."""
    try:
        import fcntl

        held = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
        with contextlib.suppress(OSError):
            os.fsync(held)
    finally:
        os.close(held)


def _instead(folder: Path) -> str:
    """What to give, or to do, where a folder is no gallery: it may be one with galleries, or pictures, in it, or lie in a gallery."""
    above = folder.parent
    if (above / INDEX).exists():
        if above.name == folder.name:
            return f"{above} is a gallery itself; give the folder it lies in: {above.parent}"
        return (
            f"{above} is a gallery itself, but a folder with galleries is needed, one for each game; make one there: "
            f"thoth enrol GALLERIES/{folder.name} --from {above}, then give GALLERIES"
        )
    within: list[Path] = []
    if folder.is_dir():
        with contextlib.suppress(OSError):
            within = sorted(folder.iterdir())
    if galleries := [one for one in within if (one / INDEX).exists()]:
        return f"{folder} is no gallery, but there is one in it; give that: {galleries[0]}"
    if any(one.suffix.lower() in _PICTURED for one in within):
        return (
            f"{folder} has pictures but no {INDEX}, so it is no gallery; make one of them: thoth enrol NEW --from {folder}, "
            "then give NEW"
        )
    if folder.is_file():
        return f"{folder} is a file; give the folder of a gallery, such as thoth enrol makes"
    return f"{folder / INDEX} does not exist; make a gallery from a folder of pictures: thoth enrol {folder} --from PICTURES"
