"""From one picture to one upright face: a tight crop as it is, or a piece that lies on a plain ground, cut out."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.photo import Photo, Quad
from vision.plane import Picture

LONGEST = 720
"""Px of a face's long side that are kept: no photo of a table shows a piece larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Enrolled:
    """``picture``: the upright face, BGR uint8; ``quad``: where it was found (px of the photo), None when the picture was taken whole;
    ``sure``: of the outline, 0-1, None for a picture taken whole; ``doubt``: why it may be wrong, for the owner, else None."""

    picture: Picture
    quad: Quad | None = None
    sure: float | None = None
    doubt: str | None = None


def upright(photo: Photo) -> Enrolled:
    """The face in a picture of one piece."""
    return Enrolled(_kept(photo.picture))


def _kept(picture: Picture) -> Picture:
    scale = LONGEST / max(picture.shape[:2])
    if scale >= 1:
        return picture
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
