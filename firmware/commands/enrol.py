"""``thoth enrol GALLERY --from DIR``: a gallery from a folder of pictures, one for each face."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from vision.decode import PhotoError, load
from vision.enrolment import upright
from vision.gallery import INDEX, About, Gallery, GalleryError, enrol, named
from vision.likeness import look, too_alike
from vision.plane import Picture

_TOGETHER = 8
"""Faces that are written at a time."""
_SHOWN = 6
"""Pairs of faces that are too alike, told one by one."""
_SUFFIXES = frozenset(
    [
        ".jpg",
        ".jpeg",
        ".jpe",
        ".jfif",
        ".png",
        ".webp",
        ".tif",
        ".tiff",
        ".bmp",
        ".gif",
        ".ppm",
        ".avif",
        ".heic",
        ".heif",
    ]
)
"""Files that are surely meant as pictures. Others are looked into, and passed over in silence when they are none."""


class EnrolError(Exception):
    """The call cannot be carried out; the text says why and what to do."""


def from_folder(folder: Path, source: Path, *, verbose: bool = False) -> int:
    """Enrol every picture of ``source`` into the gallery ``folder``; its name without suffix is the identity. A source that is a gallery
    gives its faces.

    Returns 0 when a face was enrolled, else 1. Raises EnrolError for folders that cannot be used, GalleryError for a damaged gallery.
    """
    if not source.is_dir():
        raise EnrolError(f"{source} is no folder; give the folder with a picture of each face: --from DIR")
    if folder.exists() and not folder.is_dir():
        raise EnrolError(f"{folder} is a file; give a folder for the gallery, it may be a new one")
    if folder.exists() and folder.samefile(source):
        raise EnrolError(f"{source} is the gallery itself; give the folder with your pictures: --from DIR")
    before = _before(folder) if (folder / INDEX).exists() else {}
    taken = _Taken()
    found = _of_gallery(source, taken) if (source / INDEX).exists() else _of_pictures(source, taken, verbose)
    waiting: dict[str, Picture] = {}
    about: dict[str, About] = {}
    enrolled: dict[str, Picture] = {}
    for identity, picture, known in found:
        waiting[identity], about[identity] = picture, replace(known, enrolled=date.today())
        enrolled[identity] = picture
        if len(waiting) >= _TOGETHER:
            enrol(folder, waiting, about)
            waiting.clear()
    if waiting:
        enrol(folder, waiting, about)
    if not enrolled:
        _tell(f"{source}: no face was enrolled; {_hint(source)}")
        return 1
    _warn_of_twins({**before, **enrolled}, set(enrolled))
    counted = f"{len(enrolled)} {'face' if len(enrolled) == 1 else 'faces'} enrolled"
    whole = f", {taken.doubtful} of them doubtful" if taken.doubtful else ""
    print(f"{folder}: {counted}{whole}{f', {taken.failed} not' if taken.failed else ''}")
    return 0


def _before(folder: Path) -> Mapping[str, Picture]:
    """What the gallery holds already. Damage is told, and is no obstacle: enrolling again is what puts it right."""
    try:
        gallery = Gallery.salvage(folder)
    except GalleryError as error:
        _tell(str(error))
        return {}
    for damage in gallery.damage:
        _tell(damage)
    return gallery.pictures


class _Taken:
    """What went wrong, counted."""

    failed = 0
    doubtful = 0


def _of_gallery(source: Path, taken: _Taken) -> Iterator[tuple[str, Picture, About]]:
    gallery = Gallery.salvage(source)
    for damage in gallery.damage:
        _tell(f"{damage}. Not enrolled")
        taken.failed += 1
    for identity, picture in gallery.pictures.items():
        yield identity, picture, gallery.about.get(identity, About())


def _of_pictures(source: Path, taken: _Taken, verbose: bool) -> Iterator[tuple[str, Picture, About]]:
    for identity, paths in _by_identity(source, taken).items():
        first: Path | None = None
        for path in paths:
            if first is not None:
                _tell(f"{path}: {first.name} is {identity} as well; not enrolled: rename one of them")
                taken.failed += 1
                continue
            try:
                face = upright(load(path).photo)
            except PhotoError as error:
                if path.suffix.lower() in _SUFFIXES:
                    _tell(f"{path}: {error}. Not enrolled")
                    taken.failed += 1
                continue
            except Exception as error:  # noqa: BLE001 - one picture must not keep the others from being enrolled
                if verbose:
                    traceback.print_exc()
                _tell(
                    f"{path}: something unexpected went wrong ({type(error).__name__}); not enrolled: take another picture of it"
                )
                taken.failed += 1
                continue
            first = path
            if face.doubt is not None:
                _tell(f"{path}: {face.doubt}. Enrolled whole")
                taken.doubtful += 1
            yield identity, face.picture, About(outline=face.sure)


def _by_identity(source: Path, taken: _Taken) -> Mapping[str, list[Path]]:
    """The files of a folder by what they are called."""
    found: dict[str, list[Path]] = {}
    for path in sorted(source.iterdir(), key=lambda one: os.fsencode(one.name)):
        if path.name.startswith(".") or path.is_dir():
            continue
        try:
            found.setdefault(named(path.stem), []).append(path)
        except GalleryError as error:
            _tell(f"{path}: {error}. Not enrolled")
            taken.failed += 1
    return found


def _warn_of_twins(faces: Mapping[str, Picture], new: set[str]) -> None:
    pairs = [
        pair
        for pair in too_alike({name: look(picture) for name, picture in faces.items()})
        if new & set(pair[:2])
    ]
    for one, other, _ in pairs[:_SHOWN]:
        _tell(f"{one} and {other} are much alike")
    if len(pairs) > _SHOWN:
        _tell(f"and {len(pairs) - _SHOWN} more pairs")
    if pairs:
        _tell(
            "Are two of them pictures of one face? Take one away. If not: photos taken near by, in even light, help to tell them apart; what "
            "cannot be told apart in a photo is left unknown"
        )


def _hint(source: Path) -> str:
    within = [path for path in source.iterdir() if path.is_dir() and any(path.iterdir())]
    if within:
        return f"give a folder with the pictures themselves, such as --from {within[0]}"
    return "put a picture of each face there, named as the face is called: falcon-7.jpg"


def _tell(text: str) -> None:
    print("".join(one if one.isprintable() else "?" for one in text), file=sys.stderr)
