"""Pieces to learn from: faces of the training (`vision.network.training.faces`), photographed by the suite's camera, aligned as reading
aligns them. No face of the suite is among them.

A deck is kept as one file: its faces as references show them, and the pieces of a few photos that can be seen whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rendered import deck as decks
from tests.rendered.drawing import Picture
from tests.rendered.family import Change, Family, seeded
from tests.rendered.sets import scene
from vision.network.detail import FINE_HEIGHT, FINE_WIDTH
from vision.network.training.faces import changed, designed, drawn
from vision.network.training.layouts import Design
from vision.photo import Photo
from vision.reading.align import align

FACES = 9
SCENES = ("hard", "twins")
"""The sets whose light, lenses and arrangements a deck is photographed in."""
JITTER = 0.008
"""Deviation of the corners before alignment, shares of the diagonal."""
LEAST_VISIBLE = 0.99
"""What lies on a piece is not its face, and nobody says here where it lies."""
LIKE = 0.6
"""Share of faces that are another of the deck with one thing changed."""
FIRST_SCENE = 7000


class Made(Family):
    """A family of the training's faces as a family of the suite, for this room only."""

    name = "made"
    size = (60.0, 90.0)

    def style(self, rng: np.random.Generator) -> None:
        """Fixed by the first face."""

    def specs(self, count: int) -> list[Design]:
        rng = seeded(self.name, self.edition)
        out = [designed(rng)]
        while len(out) < count:
            like = rng.random() < LIKE
            out.append(changed(out[int(rng.integers(len(out)))], rng)[0] if like else designed(rng))
        return out

    @property
    def changes(self) -> Mapping[str, Change]:
        return {}

    def draw(self, spec: Design) -> Picture:
        return np.asarray(cv2.resize(drawn(spec), self.canvas, interpolation=cv2.INTER_CUBIC), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """``faces`` (k, 240, 160, 3) of a deck; ``crops`` (n, 240, 160, 3) of its pieces; ``rows`` (n,) the face each shows."""

    faces: NDArray[np.uint8]
    crops: NDArray[np.uint8]
    rows: NDArray[np.intp]


def pieces(edition: int) -> Pieces:
    """What a deck's photos show."""
    decks.FAMILIES["made"] = Made
    decks.FACES["made"] = FACES
    rng = seeded("pieces", edition)
    shown: list[NDArray[np.uint8]] = []
    owners: list[int] = []
    faces: list[Picture] = []
    for number, name in enumerate(SCENES):
        made = scene(name, FIRST_SCENE + number, "made", edition)
        bank = made.deck.bank()
        faces = [bank.close(row).picture for row in range(len(bank.names))]
        known = [piece for piece in made.pieces if piece.identity and piece.visible > LEAST_VISIBLE]
        if not known:
            continue
        rows = [bank.names.index(piece.identity or "") for piece in known]
        views = np.array([int(np.flatnonzero(bank.views.rows == row)[0]) for row in rows])
        quads = np.stack(
            [
                piece.quad + rng.normal(0, JITTER * np.linalg.norm(piece.quad[0] - piece.quad[2]), (4, 2))
                for piece in known
            ]
        ).astype(np.float32)
        photo = Photo(made.photo)
        quads = align(photo, quads, bank.gauge.pictures[views])
        shown.append(photo.crops(list(quads), FINE_WIDTH, FINE_HEIGHT))
        owners += rows
    crops = np.concatenate(shown) if shown else np.zeros((0, FINE_HEIGHT, FINE_WIDTH, 3), np.uint8)
    return Pieces(np.stack(faces), crops, np.array(owners, np.intp))


def kept(edition: int, home: Path) -> Pieces:
    """The same, drawn once and kept in a folder."""
    path = home / f"{edition}.npz"
    if not path.exists():
        made, new = pieces(edition), home / f"{edition}.new.npz"
        home.mkdir(parents=True, exist_ok=True)
        np.savez(new, faces=made.faces, crops=made.crops, rows=made.rows)
        new.replace(path)
    held = np.load(path)
    return Pieces(held["faces"], held["crops"], held["rows"])
