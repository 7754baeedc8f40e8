"""What the rooms of reading hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.photo import Quad
from vision.reading.ink import Contrast
from vision.reading.tones import Tones

Source = Literal["outline", "features", "corner", "neighbour"]


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """Where a whole piece may lie (its covered part included), and who says so.

    ``quad``: clockwise; its first corner is the face's top left only when ``row`` is given, else any.
    ``row``: the face in the bank, when the proposal knows it (local features do).
    ``votes``: how much speaks for it, comparable within one source only.
    ``outline``: (n, 2) px, the part that can be seen, when the proposal knows it.
    """

    quad: Quad
    source: Source
    votes: float = 1.0
    row: int | None = None
    outline: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """What contours and edges of a photo show: whole quads, in the order in which they are worth a look, and an edge mask with its
    scale (mask px per photo px).

    The first quads are one of every place, each with up to about 3.5 votes: 3 when edges run along its whole border, a few tenths more
    when contours show it as well; further quads at the same places follow.

    ``stretches``: (n, 2, 2) px of the photo, straight stretches of edges, longest first; ``directions``: as large as the mask, bit k is
    set where an edge within a pixel steps in the k-th eighth of half a turn; ``smooth``: the BGR picture the mask was made of.
    """

    quads: tuple[Proposal, ...]
    edges: NDArray[np.uint8]
    scale: float
    stretches: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 2, 2), np.float32))
    directions: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    smooth: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8))


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A proposal after alignment and comparison.

    ``row``: the face in the bank that fits best; ``quad``: where it lies, first corner its top left; ``score``: log odds that it is
    this face (0: even), with everything known about rivals; ``runner_up``: the next face's row, or None; ``cells``: (15, 10) how much
    of each cell of the upright face can be seen (0-1); ``evidence``: the measurements the score was made of, by name; ``tones``: those of its plain parts,
    ``contrast``: that of its ink, once it was looked at closely.
    """

    row: int
    quad: Quad
    score: float
    runner_up: int | None
    cells: NDArray[np.float32]
    source: Source
    evidence: Mapping[str, float] = field(default_factory=dict)
    tones: Tones | None = None
    contrast: Contrast | None = None

    @property
    def visible(self) -> float:
        return float(self.cells.mean())


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A face that was accepted: identity, whole quad (covered part included, may reach beyond the picture), visible share 0-1,
    confidence 0-1."""

    identity: str
    quad: Quad
    visible: float
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one photo shows: faces that are sure, quads of pieces that are not, and milliseconds by stage."""

    pieces: tuple[Found, ...]
    unknown: tuple[Quad, ...]
    ms: Mapping[str, float]
