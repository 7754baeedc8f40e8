"""What lies on a piece: another card, the next ones of a row, wooden figures, a finger."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.network.training.faces import FACE_HEIGHT, FACE_WIDTH
from vision.network.training.inks import hsv, ink, noise
from vision.network.training.shapes import paint
from vision.plane import Picture

MARGIN = 28
"""Table around a face, px of the face."""
BOX = np.array([[0, 0], [FACE_WIDTH, 0], [FACE_WIDTH, FACE_HEIGHT], [0, FACE_HEIGHT]], np.float32)
SIDES = np.array([FACE_WIDTH, FACE_HEIGHT], np.float32)
LARGE = (FACE_WIDTH + 2 * MARGIN, FACE_HEIGHT + 2 * MARGIN)


def any_of(rng: Generator, others: Sequence[Picture]) -> Picture:
    return others[int(rng.integers(len(others)))]


def _other_card(rng: Generator, table: Picture, seen: Picture, others: Sequence[Picture]) -> None:
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 1.05) * 0.9
    middle = np.array(LARGE) / 2 + far * SIDES * [np.cos(way), np.sin(way)]
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.15)
    rotation = rng.uniform(0.85, 1.2) * np.array(
        [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    )
    place = np.c_[rotation, middle - rotation @ (SIDES / 2)]
    on = np.asarray(cv2.warpAffine(np.full((FACE_HEIGHT, FACE_WIDTH), 255, np.uint8), place, LARGE), np.uint8)
    card = np.asarray(cv2.warpAffine(any_of(rng, others), place, LARGE), np.uint8)
    _cover(table, seen, on, card, rng.uniform(0, 0.4))


def _strip(rng: Generator, table: Picture, seen: Picture, others: Sequence[Picture]) -> None:
    """A row of overlapping cards: the next one leaves a strip."""
    side = int(rng.integers(4))
    share = rng.uniform(0.1, 0.75)
    box = [0, 0, LARGE[0], LARGE[1]]
    axis = side % 2
    edge = int(MARGIN + share * SIDES[axis])
    box[axis if side >= 2 else axis + 2] = edge if side < 2 else LARGE[axis] - edge
    on: Picture = np.zeros(table.shape[:2], np.uint8)
    cv2.rectangle(on, (box[0], box[1]), (box[2], box[3]), 255, -1)
    lean = cv2.getRotationMatrix2D((LARGE[0] / 2, LARGE[1] / 2), rng.normal(0, 4), 1)
    on = np.asarray(cv2.warpAffine(on, lean, LARGE, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    card = np.asarray(cv2.resize(any_of(rng, others), LARGE), np.uint8)
    _cover(table, seen, on, np.roll(card, int(rng.integers(200)), axis), rng.uniform(0, 0.4))


def _figure(rng: Generator, table: Picture, seen: Picture, others: Sequence[Picture]) -> None:
    """Wooden figures, tokens, coins."""
    on = np.zeros(table.shape[:2], np.uint8)
    colour = table.copy()
    for _ in range(int(rng.integers(1, 4))):
        x, y, size = rng.uniform(0, LARGE[0]), rng.uniform(0, LARGE[1]), rng.uniform(8, 45)
        one = np.zeros_like(on)
        if rng.random() < 0.6:
            axes = int(size) + 1, int(size * rng.uniform(0.4, 1)) + 1
            cv2.ellipse(one, (int(x), int(y)), axes, rng.uniform(0, 180), 0, 360, 255, -1)
        else:
            corners = np.c_[x + rng.normal(0, size, 6), y + rng.normal(0, size, 6)].astype(np.int32)
            cv2.fillConvexPoly(one, cv2.convexHull(corners), 255)
        body = paint(ink(rng)) * (1 + 0.2 * noise(rng, LARGE[1], LARGE[0], 30)[..., None])
        colour[one > 0] = np.clip(body[one > 0], 0, 255)
        on |= one
    _cover(table, seen, on, colour, rng.uniform(0, 0.5))


def _finger(rng: Generator, table: Picture, seen: Picture, others: Sequence[Picture]) -> None:
    on = np.zeros(table.shape[:2], np.uint8)
    x, y, size = rng.uniform(0, LARGE[0]), rng.uniform(0, LARGE[1]), rng.uniform(12, 55)
    way = rng.uniform(0, 2 * np.pi)
    end = int(x + 250 * np.cos(way)), int(y + 250 * np.sin(way))
    cv2.line(on, (int(x), int(y)), end, 255, int(size))
    skin = paint(hsv(rng.uniform(0.03, 0.09), rng.uniform(0.25, 0.6), rng.uniform(0.3, 0.95)))
    body = skin * (1 + 0.12 * noise(rng, LARGE[1], LARGE[0], 25)[..., None])
    _cover(table, seen, on, np.asarray(np.clip(body, 0, 255), np.uint8), rng.uniform(0.1, 0.5))


_COVERS = (_other_card, _strip, _figure, _finger)
_COVER_CHANCES = (0.35, 0.25, 0.25, 0.15)


def cover_by_chance(
    rng: Generator, table: Picture, is_open: Picture, others: Sequence[Picture], more: float
) -> None:
    """Something on a table with a piece; by the chance of ``more`` something else, too. ``is_open`` becomes 0 there."""
    for _ in range(2 if more and rng.random() < more else 1):
        cover = _COVERS[int(rng.choice(len(_COVERS), p=_COVER_CHANCES))]
        cover(rng, table, is_open, others)


def _cover(table: Picture, seen: Picture, on: NDArray[np.uint8], cover: Picture, shadow: float) -> None:
    """The cover's pixels where ``on``, and the shadow it throws."""
    if shadow > 0.05:
        soft = cv2.resize(on, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(np.roll(soft, (1, 1), (0, 1)), (0, 0), 1.3)
        dark = 1 - shadow / 255 * np.asarray(cv2.resize(soft, LARGE), np.float32)[..., None]
        table[:] = (table * dark).astype(np.uint8)
    mask = np.asarray(cv2.threshold(on, 127, 255, cv2.THRESH_BINARY)[1], np.uint8)
    cv2.copyTo(cover, mask, table)
    seen[mask > 0] = 0
