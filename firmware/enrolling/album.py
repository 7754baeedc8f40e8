"""The gallery as an enrolment writes it: every face at once, whole or not at all, before the display says so."""

from __future__ import annotations

import errno
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from engines.table import Layout
from firmware.enrolling.eyes import EnrollingEyes
from firmware.enrolling.gallery import HALF, fitted
from firmware.enrolling.thumbs import bitmap
from firmware.events import Pair
from firmware.written.journal import Entry, JournalError
from hardware.camera.frame import Picture
from vision import likeness
from vision.gallery import INDEX, About, Gallery, GalleryError, enrol

log = logging.getLogger("thoth")

FULL = "disk full: free\nspace, try again"
NOT_ALLOWED = "cannot save: check\nthe gallery folder"
BROKEN = "cannot save: see\nthe log"
ADVICE = (FULL, NOT_ALLOWED, BROKEN)
"""Everything a player may have to read when a face could not be kept."""
_PICTURES_LOST = ("show this face again", "enrol some")
"""How errors end when the index is sound and no picture is."""
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass
class Album:
    """The gallery in ``folder``: the faces of ``layout`` that it holds, and how many were written this time."""

    folder: Path
    layout: Layout
    pictures: dict[str, Picture] = field(default_factory=dict)
    damage: tuple[str, ...] = ()
    written: int = 0

    @classmethod
    def open(cls, folder: Path, layout: Layout) -> Album:
        """What the folder holds of the layout's faces; a face whose picture is damaged is shown again. Raises GalleryError when the
        folder holds another game's gallery or an index that cannot be read."""
        if not (folder / INDEX).exists():
            return cls(folder, layout)
        try:
            gallery = Gallery.salvage(folder)
        except GalleryError as error:
            if not str(error).endswith(_PICTURES_LOST):
                raise
            return cls(folder, layout, damage=(str(error),))
        if gallery.game not in ("", layout.game):
            raise GalleryError(
                f"{folder} is a gallery of {gallery.game}, not of {layout.game}; give another folder with --out"
            )
        names = {face.identity for face in layout.faces}
        kept = {name: picture for name, picture in gallery.pictures.items() if name in names}
        return cls(folder, layout, kept, gallery.damage)

    def keep(self, cuts: Mapping[str, tuple[Picture, float]]) -> None:
        """Write faces with how sure their outlines are, all or none. Raises JournalError with what to do."""
        about = {}
        for name, (_, sure) in cuts.items():
            face = self.layout.face(name)
            kind = self.layout.kind(face.kind)
            about[name] = About(
                (kind.width, kind.height), face.copies, round(min(max(sure, 0.0), 1.0), 2), date.today()
            )
        pictures = {name: picture for name, (picture, _) in cuts.items()}
        try:
            enrol(self.folder, pictures, about, self.layout.game)
        except OSError as error:
            advice = FULL if error.errno in _FULL else NOT_ALLOWED
            raise JournalError(
                f"{self.folder}: {error.strerror or error}; free some space, or check the folder's rights",
                advice,
            ) from error
        except GalleryError as error:
            raise JournalError(str(error), BROKEN) from error
        self.pictures.update(pictures)
        self.written += len(pictures)

    def pairs(self) -> tuple[Pair, ...]:
        """Faces that are too alike for the light in which they were shown, the worst first."""
        found: list[tuple[float, str, str]] = []
        for kind in self.layout.kinds:
            names = {face.identity for face in self.layout.faces if face.kind == kind.name}
            looks = {name: likeness.look(picture) for name, picture in self.pictures.items() if name in names}
            found += [(apart, one, other) for one, other, apart in likeness.too_alike(looks)]
        return tuple(self._pair(one, other) for _, one, other in sorted(found))

    def _pair(self, one: str, other: str) -> Pair:
        kind = self.layout.kind(self.layout.face(one).kind)
        size = fitted(kind.width, kind.height, HALF)
        return Pair(one, other, (bitmap(self.pictures[one], size), bitmap(self.pictures[other], size)))


class Keeper:
    """What the shell takes for its journal: entries name cuts, the eyes have them, the album writes them."""

    def __init__(self, album: Album, eyes: EnrollingEyes) -> None:
        self._album, self._eyes = album, eyes

    def append(self, entries: tuple[Entry, ...]) -> int:
        """Write faces: ("face", "shot index identity"). Raises JournalError with what to do."""
        cuts: dict[str, tuple[Picture, float]] = {}
        for _, text in entries:
            shot, index, identity = text.split(" ", 2)
            try:
                laid = self._eyes.cut(int(shot), int(index))
            except LookupError as error:
                raise JournalError(str(error), BROKEN) from error
            cuts[identity] = laid.picture, laid.outline
        self._album.keep(cuts)
        for identity, (picture, _) in cuts.items():
            self._eyes.enrolled(identity, picture)
        return len(cuts)
