"""What training draws its batches from: the latest packets, the hard pairs of them again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.network.model import COLUMNS, HEIGHT, ROWS, WIDTH, Array, Crops
from vision.network.training.pairs import STRANGE, TAKEN, TWINS, Packet

KEPT = 450
"""Packets kept at a time: each is trained on for a minute and a half."""
CROPS = TAKEN + STRANGE
SAME_SHARE, FOREIGN_SHARE = 0.4, 0.08
"""Of the pairs of a batch: those of one face, and those whose face is of another family than the crop."""
LARGEST_PRIORITY, LEAST_PRIORITY = 0.6, 0.08
"""Pairs are drawn in proportion to their last loss, within these: a pair that nobody could tell must not take over (Schaul et al.,
ICLR 2016)."""

Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """n pairs: ``where`` they lie in the store, ``crops`` and ``faces`` (n, 120, 80, 3), ``seen`` and ``differs`` (n, 15, 10) as in
    `Packet`, ``same`` (n,) 1 or 0."""

    where: tuple[Index, Index, Index]
    crops: Crops
    faces: Crops
    seen: NDArray[np.uint8]
    differs: NDArray[np.uint8]
    same: Array


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """Some whole packets: ``crops`` and ``faces`` (k, 8, 120, 80, 3), row by row of the same face; ``seen`` (k, 8, 15, 10), ``corners``
    (k, 8, 4, 2), ``label`` (k, 8, 8) as in `Packet`."""

    crops: Crops
    faces: Crops
    seen: NDArray[np.uint8]
    corners: Array
    label: NDArray[np.int8]


class Store:
    """The latest packets, and how badly each of their pairs was judged when last seen."""

    def __init__(self, rng: Generator) -> None:
        self._rng = rng
        self._faces = np.zeros((KEPT, TWINS, HEIGHT, WIDTH, 3), np.uint8)
        self._crops = np.zeros((KEPT, CROPS, HEIGHT, WIDTH, 3), np.uint8)
        self._corners = np.zeros((KEPT, CROPS, 4, 2), np.float32)
        self._seen = np.zeros((KEPT, CROPS, ROWS, COLUMNS), np.uint8)
        self._differs = np.zeros((KEPT, CROPS, TWINS, ROWS, COLUMNS), np.uint8)
        self._label = np.full((KEPT, CROPS, TWINS), -1, np.int8)
        self._priority = np.zeros((KEPT, CROPS, TWINS), np.float32)
        self._owners = np.zeros((KEPT, CROPS), np.int8)
        self.received = 0

    @property
    def filled(self) -> int:
        return min(self.received, KEPT)

    def put(self, packet: Packet) -> None:
        """The newest packet takes the place of the oldest."""
        at = self.received % KEPT
        self._faces[at], self._crops[at], self._corners[at] = packet.faces, packet.crops, packet.corners
        self._seen[at], self._differs[at], self._label[at] = packet.seen, packet.differs, packet.label
        self._priority[at], self._owners[at] = 0.5, packet.owners
        self.received += 1

    def batch(self, size: int) -> Batch:
        """Pairs by priority; the last of them with a face of another family."""
        same, foreign = int(size * SAME_SHARE), int(size * FOREIGN_SHARE)
        label, priority = self._label.reshape(-1), self._priority.reshape(-1)
        chosen = np.concatenate(
            [self._choose(priority * (label == 1), same), self._choose(priority * (label == 0), size - same)]
        )
        slot, crop, row = (np.asarray(index) for index in np.unravel_index(chosen, self._label.shape))
        other = slot.copy()
        far = self._rng.integers(1, self.filled, size=foreign)
        other[size - foreign :] = (slot[size - foreign :] + far) % self.filled
        differs = self._differs[slot, crop, row]
        differs[size - foreign :] = 255
        return Batch(
            (slot, crop, row),
            self._crops[slot, crop],
            self._faces[other, row],
            self._seen[slot, crop],
            differs,
            self._label[slot, crop, row].astype(np.float32),
        )

    def judged(self, batch: Batch, loss: Array) -> None:
        """Remember the losses (n,) of a batch."""
        own = len(loss) - int(len(loss) * FOREIGN_SHARE)
        slot, crop, row = (index[:own] for index in batch.where)
        self._priority[slot, crop, row] = np.clip(loss[:own], LEAST_PRIORITY, LARGEST_PRIORITY)

    def families(self, count: int) -> Families:
        """Different packets; of each, the first crop of every face."""
        slots = self._rng.choice(self.filled, count, replace=False)
        first = np.argsort(self._owners[slots, :TWINS], 1)
        at = slots[:, None]
        label = self._label[at, first]
        return Families(
            self._crops[at, first], self._faces[slots], self._seen[at, first], self._corners[at, first], label
        )

    def _choose(self, weight: Array, count: int) -> Index:
        sums = np.cumsum(weight, dtype=np.float64)
        found = np.searchsorted(sums, self._rng.random(count) * sums[-1], side="right")
        return np.asarray(np.minimum(found, len(sums) - 1), np.intp)
