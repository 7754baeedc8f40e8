"""``thoth enrol GALLERY --from DIR``: a gallery from a folder of pictures, one for each face."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from vision.decode import PhotoError, load
from vision.enrolment import upright
from vision.gallery import INDEX, About, GalleryError, enrol, named
from vision.plane import Picture

_TOGETHER = 8
"""Faces that are written at a time."""
_SUFFIXES = (
    ".jpg",
    ".jpeg",
    ".jpe",
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
)
"""Files that are surely meant as pictures. Others are looked into, and passed over in silence when they are none."""


class EnrolError(Exception):
    """The call cannot be carried out; the text says why and what to do."""


def from_folder(folder: Path, source: Path) -> int:
    """Enrol every picture of ``source`` into the gallery ``folder``; its name without suffix is the identity.

    Returns 0 when a face was enrolled, else 1. Raises EnrolError for folders that cannot be used, GalleryError for a damaged gallery.
    """
    if not source.is_dir():
        raise EnrolError(f"{source} is no folder; give the folder with a picture of each face: --from DIR")
    if folder.exists() and not folder.is_dir():
        raise EnrolError(f"{folder} is a file; give a folder for the gallery, it may be a new one")
    if folder.exists() and folder.samefile(source):
        raise EnrolError(f"{source} is the gallery itself; give the folder with your pictures: --from DIR")
    enrolled = failed = 0
    waiting: dict[str, Picture] = {}
    about: dict[str, About] = {}
    for path, identity, error in _pictures(source):
        try:
            if error is not None:
                raise error
            face = upright(load(path).photo)
        except (PhotoError, GalleryError) as fault:
            if path.suffix.lower() in _SUFFIXES or not isinstance(fault, PhotoError):
                _tell(f"{path}: {fault}; not enrolled")
                failed += 1
            continue
        if face.doubt is not None:
            _tell(f"{path}: {face.doubt}; enrolled whole")
        waiting[identity] = face.picture
        about[identity] = About(outline=face.sure, enrolled=date.today())
        enrolled += 1
        if len(waiting) >= _TOGETHER:
            enrol(folder, waiting, about)
            waiting.clear()
    if waiting:
        enrol(folder, waiting, about)
    if not enrolled:
        _tell(
            f"{source}: no face was enrolled; put a picture of each face there, named as the face is called: falcon-7.jpg"
        )
        return 1
    print(
        f"{folder}: {enrolled} {'face' if enrolled == 1 else 'faces'} enrolled"
        + (f", {failed} not" if failed else "")
    )
    return 0


def _pictures(source: Path) -> Iterator[tuple[Path, str, GalleryError | None]]:
    """The files of a folder by name, with their identities; two of one identity are a fault of the second."""
    seen: dict[str, Path] = {}
    for path in sorted(source.iterdir(), key=lambda one: os.fsencode(one.name)):
        if path.name.startswith(".") or path.name == INDEX or path.is_dir():
            continue
        try:
            identity = named(path.stem)
        except GalleryError as error:
            yield path, "", error
            continue
        if (first := seen.get(identity)) is not None:
            yield path, identity, GalleryError(f"{first.name} is {identity} as well; rename one of them")
            continue
        seen[identity] = path
        yield path, identity, None


def _tell(text: str) -> None:
    print(text, file=sys.stderr)
