"""A scene with its truth: which piece lies where, how much of it can be seen, and whether what tells it apart can."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rendered.camera import Camera
from tests.rendered.deck import Deck, differing, grid, small, told_apart
from tests.rendered.drawing import Picture
from tests.rendered.render import Lying
from vision.photo import Quad

BURNT = 250
"""A pixel whose darkest channel is this bright, on a face that is not, is lost in glare."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One piece in a photo.

    ``identity``: its name, None when it is not enrolled (a back, a stranger, a near-twin); ``twin_of``: the enrolled face it differs from
    in one thing; ``quad``: the whole piece, px, the face's top left first; ``visible``: share of the face that can be seen; ``seen``: what
    tells it from every other enrolled face (a near-twin from its sibling) can be seen; ``kind``: enrolled, twin, unknown or back.
    """

    identity: str | None
    kind: str
    twin_of: str | None
    change: str
    quad: Quad
    visible: float
    seen: bool
    cut: bool


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A photo, what is enrolled, what lies there, and in words what is hard about it."""

    name: str
    photo: Picture
    deck: Deck
    pieces: tuple[Truth, ...]
    tags: tuple[str, ...]


def truths(
    photo: Picture, shows: NDArray[np.int16], lying: list[Lying], deck: Deck, camera: Camera
) -> tuple[Truth, ...]:
    """The truth of every piece of which anything can lie in the picture."""
    width, height = camera.size
    darkest = np.minimum(np.minimum(photo[..., 0], photo[..., 1]), photo[..., 2])
    found = []
    for row, piece in enumerate(lying):
        card = piece.card
        quad = camera.flat(piece.corners, piece.height)
        columns, rows = grid(card.family)
        xs, ys = np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        warp = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
        at = cv2.perspectiveTransform(np.stack([xs, ys], -1).reshape(1, -1, 2), warp)[0]
        spots = np.round(at).astype(int)
        inside = ((spots >= 0) & (spots < (width, height))).all(1)
        spots = np.clip(spots, 0, (width - 1, height - 1))
        # Rounded corners and the outermost pixels, shared with what lies beside, are no loss of the face.
        mine = (shows[spots[:, 1], spots[:, 0]] == row) & inside
        whole = _unhidden(card.family.corner, card.family.size, (columns, rows)).ravel()
        burnt = (darkest[spots[:, 1], spots[:, 0]] >= BURNT) & (small(card).min(2).ravel() < 200)
        visible = float(mine[whole].mean())
        readable = (mine & ~burnt).reshape(rows, columns)
        if card.spec is None:
            kind, seen = "back", True
        elif card.identity is not None:
            kind, seen = "enrolled", told_apart(deck, card, readable)
        elif card.twin_of is not None:
            sibling = small(deck.enrolled[card.twin_of])
            differs = differing(small(card), sibling)
            kind, seen = (
                "twin",
                bool((differs & readable).sum() >= max(0.5 * differs.sum(), 0.0015 * differs.size)),
            )
        else:
            kind, seen = "unknown", True
        found.append(
            Truth(
                card.identity,
                kind,
                card.twin_of,
                card.change,
                quad.astype(np.float32),
                visible,
                seen,
                not bool(inside[whole].all()),
            )
        )
    return tuple(found)


def _unhidden(corner: float, size: tuple[float, float], cells: tuple[int, int]) -> NDArray[np.bool_]:
    """Cells (rows, columns) of a whole face that do not touch its edge or its rounded corners."""
    columns, rows = cells
    mask = np.zeros((rows, columns), bool)
    mask[1:-1, 1:-1] = True
    radius = round(corner * columns / size[0])
    for y in (slice(0, radius), slice(rows - radius, rows)):
        for x in (slice(0, radius), slice(columns - radius, columns)):
            mask[y, x] = False
    return mask
