"""What reading keeps ready of a gallery: upright pictures, their shapes, how often each may occur."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.model import Features, shipped
from vision.plane import Picture
from vision.reading.compare import Array, Gauge, by_cell, halved, signature
from vision.reading.details import DIFFERS, shown
from vision.reading.tints import Part, parts
from vision.reading.together import each
from vision.reading.tones import parts as plain_parts

if TYPE_CHECKING:
    from vision.reading.features import FeatureIndex

WIDTH, HEIGHT = 80, 120
"""Every face is looked at in this frame (px), whatever its aspect; one that is wider than high is turned first."""
_BLOCK = 32
"""So many views are prepared at once: a gallery of hundreds of faces shall not need hundreds of megabytes for a moment."""
_MANY = 40
"""Pictures of more faces than these are kept packed: a 12-megapixel photo needs the room."""
_SQUARE = 0.87
"""Faces whose sides differ by less than this are tried four ways up, others two."""


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """Every face in the frame, every way up that its aspect allows.

    ``crops``: (m, 120, 80, 3) BGR uint8; ``rows``: (m,) the face in the bank; ``turns``: (m,) quarter turns clockwise by which the
    face was turned, so the face's top left is corner ``turns`` of the frame; ``aspects``: (m,) width / height of the face so turned.
    """

    crops: NDArray[np.uint8]
    rows: NDArray[np.intp]
    turns: NDArray[np.intp]
    aspects: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Close:
    """A face as a closer look wants it: (240, 160, 3) in the frame, which view that is, by how many quarter turns clockwise it lies there, its
    plain parts numbered (240, 160)."""

    picture: Picture
    view: int
    turn: int
    parts: NDArray[np.uint8]


SIBLINGS = 6
"""So many other faces, those most like it, a face may be mistaken for."""


class Packed(Sequence[Picture]):
    """Pictures kept as PNG and unpacked when asked for: half the room, nothing lost."""

    def __init__(self, pictures: Iterable[Picture]) -> None:
        how = [cv2.IMWRITE_PNG_COMPRESSION, 1]
        self._packed = [cv2.imencode(".png", picture, how)[1] for picture in pictures]

    def __len__(self) -> int:
        return len(self._packed)

    @overload
    def __getitem__(self, index: int) -> Picture: ...
    @overload
    def __getitem__(self, index: slice) -> list[Picture]: ...
    def __getitem__(self, index: int | slice) -> Picture | list[Picture]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return np.asarray(cv2.imdecode(self._packed[index], cv2.IMREAD_COLOR), np.uint8)


@dataclass(frozen=True, eq=False)
class Bank:
    """The faces of a gallery in a fixed order: a face is known by its row.

    ``pictures``: upright BGR uint8, each of its own size; ``aspects``: width / height; ``copies``: how many of each are in the box,
    None when that is not known.
    """

    names: tuple[str, ...]
    pictures: Sequence[Picture]
    aspects: tuple[float, ...]
    copies: tuple[int | None, ...]

    @classmethod
    def of(cls, pictures: Mapping[str, Picture], copies: Mapping[str, int] | None = None) -> Bank:
        """Rows sorted by name."""
        names = tuple(sorted(pictures))
        known = copies or {}
        return cls(
            names,
            (Packed if len(names) > _MANY else tuple)(pictures[name] for name in names),
            tuple(pictures[name].shape[1] / pictures[name].shape[0] for name in names),
            tuple(known.get(name) for name in names),
        )

    @cached_property
    def views(self) -> Views:
        """Made when first asked for; about 1 ms a face."""
        every = [(row, turn) for row, aspect in enumerate(self.aspects) for turn in _ways(aspect)]
        crops = np.empty((len(every), HEIGHT, WIDTH, 3), np.uint8)
        for crop, (row, turn) in zip(crops, every, strict=True):
            crop[:] = _framed(np.rot90(self.pictures[row], -turn))
        aspects = [1 / self.aspects[row] if turn % 2 else self.aspects[row] for row, turn in every]
        return Views(
            crops,
            np.array([row for row, _ in every], np.intp),
            np.array([turn for _, turn in every], np.intp),
            np.asarray(aspects, np.float32),
        )

    @cached_property
    def _parts(self) -> dict[int, list[Part]]:
        return {}

    def parts(self, view: int) -> list[Part]:
        """The plain parts of a view, worked out when first asked for."""
        if view not in self._parts:
            self._parts[view] = parts(self.views.crops[view])
        return self._parts[view]

    @cached_property
    def _close(self) -> dict[int, Close]:
        return {}

    def close(self, row: int) -> Close:
        """A face for a closer look, made when first asked for."""
        if row not in self._close:
            view = int(np.flatnonzero(self.views.rows == row)[0])
            turn = int(self.views.turns[view])
            picture = np.ascontiguousarray(np.rot90(self.pictures[row], -turn))
            smooth = cv2.INTER_AREA if picture.shape[0] > 2 * HEIGHT else cv2.INTER_LINEAR
            large = np.asarray(cv2.resize(picture, (2 * WIDTH, 2 * HEIGHT), interpolation=smooth), np.uint8)
            self._close[row] = Close(large, view, turn, plain_parts(large))
        return self._close[row]

    @cached_property
    def gauge(self) -> Gauge:
        """What careful comparison needs of the views."""
        return Gauge.of(self.views.crops)

    @cached_property
    def _coarse(self) -> NDArray[np.float16]:
        """(m, 3, 15, 10): the views' levels by cell."""
        pictures = self.gauge.pictures
        parts = [
            by_cell(pictures[start : start + _BLOCK].astype(np.float32))
            for start in range(0, len(pictures), _BLOCK)
        ]
        return np.concatenate(parts).astype(np.float16)

    @cached_property
    def _siblings(self) -> dict[int, NDArray[np.intp]]:
        return {}

    def siblings(self, view: int) -> NDArray[np.intp]:
        """The views of other faces that differ from a view in the fewest cells, at most ``SIBLINGS``; worked out when first asked for."""
        if view not in self._siblings:
            apart = np.abs(self._coarse - self._coarse[view]).max(1) > DIFFERS
            others = np.flatnonzero(self.views.rows != self.views.rows[view])
            order = np.argsort(apart.sum((1, 2))[others], kind="stable")
            self._siblings[view] = others[order[:SIBLINGS]]
        return self._siblings[view]

    def shown(self, view: int, visible: Array) -> float:
        """`vision.reading.details.shown` for a view and its siblings; ``visible`` (15, 10): what of it can be seen."""
        pictures = self.gauge.pictures[np.append(view, self.siblings(view))].astype(np.float32)
        return shown(pictures[0], pictures[1:], visible)

    @cached_property
    def signatures(self) -> Array:
        """(m, 1800) what ranking needs of the views."""
        crops = self.views.crops
        parts = [signature(halved(crops[start : start + _BLOCK])) for start in range(0, len(crops), _BLOCK)]
        return np.concatenate(parts) if parts else signature(halved(crops))

    @cached_property
    def features(self) -> Features:
        """What the network says of the views: their ``maps`` in float16 and what they are found by; ``asked`` is empty."""
        crops = self.views.crops

        def embedded(block: NDArray[np.uint8]) -> tuple[NDArray[np.float16], Array]:
            # Half the numbers' length is plenty for faces, and a great gallery's maps are what takes most room.
            found = shipped().embed(block)
            return found.maps.astype(np.float16), found.kept

        blocks = [crops[start : start + _BLOCK] for start in range(0, len(crops), _BLOCK)] or [crops]
        maps, kept = zip(*each(embedded, blocks), strict=True)
        return Features(np.concatenate(maps), kept[0][:0], np.concatenate(kept))

    def prepare(self) -> None:
        """Make what reading needs now, before threads ask for it at once."""
        _ = self._prepared

    @cached_property
    def _prepared(self) -> bool:
        if self.names:
            _ = self.gauge, self._coarse, self.signatures, self.features, self.feature_index
        # What was needed for a moment goes back to the system: the C library would keep it, tens of megabytes.
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
        return True

    @cached_property
    def feature_index(self) -> FeatureIndex:
        """The faces' local features; about 10 ms a face."""
        from vision.reading.features import FeatureIndex

        return FeatureIndex.of(self)


def _ways(aspect: float) -> tuple[int, ...]:
    """By how many quarters a face of this width / height may be turned to stand in the frame."""
    if _SQUARE < aspect < 1 / _SQUARE:
        return 0, 1, 2, 3
    return (1, 3) if aspect > 1 else (0, 2)


def _framed(picture: NDArray[np.uint8]) -> Picture:
    """A picture in the frame, by way of the double size so that large and small ones are smoothed alike."""
    smooth = cv2.INTER_AREA if picture.shape[0] > 2 * HEIGHT else cv2.INTER_LINEAR
    large = cv2.resize(np.ascontiguousarray(picture), (2 * WIDTH, 2 * HEIGHT), interpolation=smooth)
    return np.asarray(cv2.resize(large, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
