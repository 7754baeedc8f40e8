"""The eyes of an enrolment: they watch the ground, count what lies there, and cut it out when the picture is to be kept."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from engines.table import Kind, Layout, Piece, Table
from firmware.enrolling.base import Cut, Spread
from firmware.enrolling.faces import GROUND, SHOT
from firmware.enrolling.gallery import LARGE, among, fitted
from firmware.enrolling.thumbs import bitmap
from hardware.camera.frame import Picture
from vision import likeness, quality
from vision.calibration import Calibration
from vision.likeness import Look
from vision.locate import check, drawing, find
from vision.mat import markers
from vision.plane import Samplings
from vision.spread import Laid, counted, spread
from vision.stillness import Blocks, Stillness, blocks, stir

CHANGED = 2
"""Blocks of a preview that must differ before it is worth counting again."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a preview tells; see ``vision.eyes``."""

    settled: bool
    fault: str | None
    changed: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a large picture tells: what lies there, or the fault that forbids saying it; milliseconds by stage."""

    table: Table | None
    fault: str | None
    ms: Mapping[str, float] = field(default_factory=dict)


class EnrollingEyes:
    """Eyes for the faces of a layout, on its mat or, where none is seen, on any plain table.

    ``known`` are the faces that the gallery holds; ``enrolled`` tells of new ones. The cuts of the newest picture taken stay here until the
    album asks for them.
    """

    def __init__(
        self, layout: Layout, known: Mapping[str, Picture], calibration: Calibration | None = None
    ) -> None:
        self.layout = layout
        self.calibration = calibration
        self._markers = markers(layout) if layout.width else ()
        self._mat = Samplings()
        self._drawings = {marker.id: drawing(marker) for marker in self._markers}
        self._known = {name: likeness.look(picture) for name, picture in known.items()}
        self._stillness = Stillness()
        self._newest: Blocks | None = None
        self._read_at: Blocks | None = None
        self._on_mat = False
        self._border: tuple[Calibration, tuple[int, int], quality.Border] | None = None
        self._shot = 0
        self._cuts: tuple[Laid, ...] = ()

    # -- watching ---------------------------------------------------------------------------------------------

    def watch(self, preview: Picture, at: float) -> Sight:
        """One preview (H, W, 3) uint8 and its monotonic time in s."""
        now = blocks(preview)
        settled = self._stillness.see(now, at)
        changed = (
            self._read_at is None
            or self._read_at.shape != now.shape
            or int(np.count_nonzero(stir(now, self._read_at))) >= CHANGED
        )
        self._newest = now
        fault = quality.brightness(preview) or ("hand" if self._across(preview) else None)
        return Sight(settled and fault is None, fault, changed)

    def _across(self, picture: Picture) -> bool:
        """Whether something lies across the mat's edge."""
        calibration, size = self.calibration, (picture.shape[1], picture.shape[0])
        if calibration is None or not self._on_mat:
            return False
        if self._border is None or self._border[0] is not calibration or self._border[1] != size:
            self._border = calibration, size, quality.Border.of(self.layout, calibration, size)
        return quality.covered(picture, self._border[2])

    # -- reading ----------------------------------------------------------------------------------------------

    def read(self, picture: Picture, expected: Table) -> Reading:
        """Count the faces of the kind that is expected; cut them out when the picture is to be kept (zone SHOT)."""
        begun = time.perf_counter()
        self._read_at = self._newest
        fault = quality.brightness(picture) or self._stand(picture)
        kind = self.layout.kind(expected.pieces[0].kind)
        if fault is not None:
            return Reading(None, fault, {"total": 1e3 * (time.perf_counter() - begun)})
        calibration = self.calibration if self._on_mat else None
        table: Spread
        if expected.pieces[0].zone == SHOT:
            laid = spread(picture, kind, calibration, len(expected.pieces), self._markers)
            self._shot, self._cuts = self._shot + 1, laid
            names = tuple(piece.identities[0] for piece in expected.pieces)
            table = Spread(
                _pieces(kind, [one.centre for one in laid], [one.outline for one in laid], SHOT),
                shot=self._shot,
                cuts=self._shown(laid, kind, names),
            )
        else:
            middles = counted(picture, kind, calibration, len(expected.pieces), self._markers)
            table = Spread(_pieces(kind, middles, [1.0] * len(middles), GROUND))
        return Reading(table, None, {"total": 1e3 * (time.perf_counter() - begun)})

    def _stand(self, picture: Picture) -> str | None:
        """Find the mat if there is one; what keeps the picture from being used."""
        self._on_mat = False
        if not self._markers:
            return "blurred" if quality.unsharp(picture) else None
        known = self.calibration
        seen = check(picture, known, self._markers, self._drawings) if known is not None else None
        if seen is None or len(seen.seen) < 2 or seen.moved:
            fresh = find(picture, self._markers, known)
            if fresh is None:
                # No mat, or not the whole of it: then this is a plain table.
                return "blurred" if quality.unsharp(picture) else None
            self.calibration = known = fresh
            seen = check(picture, fresh, self._markers, self._drawings)
        assert known is not None
        self._on_mat = True
        half = cv2.resize(
            picture, (picture.shape[1] // 4, picture.shape[0] // 4), interpolation=cv2.INTER_AREA
        )
        small = np.asarray(half, np.uint8)
        return quality.fault(small, self.layout, known, seen, self._mat) or (
            "hand" if self._across(small) else None
        )

    # -- what was cut out -------------------------------------------------------------------------------------

    def cut(self, shot: int, index: int) -> Laid:
        """A face of the newest picture taken. Raises LookupError for an older one."""
        if shot != self._shot or not 0 <= index < len(self._cuts):
            raise LookupError(f"picture {shot} is gone")
        return self._cuts[index]

    def enrolled(self, identity: str, picture: Picture) -> None:
        """This face is in the gallery now."""
        self._known[identity] = likeness.look(picture)

    def _shown(self, laid: Sequence[Laid], kind: Kind, names: Sequence[str]) -> tuple[Cut, ...]:
        looks = [likeness.look(one.picture) for one in laid]
        small = among(max(1, len(laid)), kind.width, kind.height)
        large = fitted(kind.width, kind.height, LARGE)
        cuts = []
        for index, one in enumerate(laid):
            fault, like = one.fault, ""
            if not fault and len(laid) == len(names):
                fault, like = self._resembles(index, looks, names)
            cuts.append(Cut(bitmap(one.picture, large), bitmap(one.picture, small), fault, like))
        return tuple(cuts)

    def _resembles(self, index: int, looks: Sequence[Look], names: Sequence[str]) -> tuple[str, str]:
        """The fault of a face that looks like another one: like one that lies beside it, or like one that was shown before."""
        for other, look in enumerate(looks):
            if other != index and likeness.apart(looks[index], look) < 1:
                return "twice", names[other]
        # One that was shown before under its own name looks like itself, and may look like a twin as well.
        own = self._known.get(names[index])
        limit = min(1.0, likeness.apart(looks[index], own)) if own is not None else 1.0
        alike = [
            (likeness.apart(looks[index], look), name)
            for name, look in self._known.items()
            if name not in names
        ]
        nearest = min(alike, default=(limit, ""))
        return ("shown", nearest[1]) if nearest[0] < limit else ("", "")


def _pieces(
    kind: Kind, middles: Sequence[tuple[float, float]], sure: Sequence[float], zone: str
) -> tuple[Piece, ...]:
    return tuple(
        Piece((), kind.name, zone, round(x, 1), round(y, 1), confidence=float(one))
        for (x, y), one in zip(middles, sure, strict=True)
    )
