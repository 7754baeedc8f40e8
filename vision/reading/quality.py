"""What is wrong with a photo that was taken without a mat, in words that help to take a better one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.photo import Photo, Quad
from vision.plane import Picture

WORKING = 800
"""Px of the long side at which light is judged."""
SHARPLY = 1600
"""Px of the long side at which sharpness is judged: the single pixels of a phone's photo are always soft."""
DARK = 40.0
"""Grey level that all but the brightest 3 % stay under in a photo with too little light."""
BURNT = 250
BRIGHT_SHARE = 0.35
"""Share of the photo burnt out (all channels at the top) with hardly any dark in it that makes it too bright."""
GLARE_SHARE = 0.004
"""Share of the photo that one burnt-out spot with a steep rim must have to be called glare."""
SOFT = 0.11
"""The steepest steps of a photo, from one pixel to the next, relative to its contrast: below it nothing is sharp."""
FAINT = 30.0
"""Grey levels between the darkest and the brightest 2 % below which everything looks alike."""
SMALL = 28.0
"""Px of a piece's short side below which its face cannot be told from a similar one."""

ADVICE: Mapping[str, str] = {
    "dark": "too dark: more light",
    "bright": "too bright: less light, or expose for the pieces",
    "glare": "glare: move the lamp or the camera, so that it does not shine back",
    "blurred": "blurred: wipe the lens, hold the camera still, and let it focus on the pieces",
    "faint": "low contrast: more even light, and a table that differs from the pieces",
    "small": "the pieces are too small: go nearer, or take the photo with more pixels",
    "blank": "nothing but one colour: is something in front of the lens?",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A key of ``ADVICE``, and what to do."""

    fault: str
    advice: str


def faults(photo: Photo, quads: Sequence[Quad] = (), scale: float = 1.0) -> tuple[Fault, ...]:
    """What keeps a photo from being read well, worst first. ``quads``: pieces found in it (px), known or not; ``scale``: px of it per px
    of its file."""
    small = _about(photo, WORKING)
    found = [name for name in (_light(small), _sharp(photo), _small(quads, scale)) if name is not None]
    if _glare(small) and "bright" not in found:
        found.append("glare")
    if "blank" in found:
        found = ["blank"]
    return tuple(Fault(name, ADVICE[name]) for name in found)


def _about(photo: Photo, long_side: int) -> Picture:
    """The photo halved until it is no longer than about ``long_side`` px: reading has made these halves already."""
    return photo.half(max(0, round(math.log2(max(photo.size) / long_side))))


def _light(small: Picture) -> str | None:
    thin = np.ascontiguousarray(small[::2, ::2])
    grey = cv2.cvtColor(thin, cv2.COLOR_BGR2GRAY)
    low, middle, high = (float(v) for v in np.percentile(grey, (2, 50, 97)))
    if high < DARK:
        return "dark"
    least = thin.min(axis=2)
    if float(least.mean()) >= BURNT or (
        low > 128 and float(np.mean(least >= BURNT)) > BRIGHT_SHARE and middle >= BURNT
    ):
        return "bright"
    if float(grey.std()) < 1.5:
        return "blank"
    return "faint" if high - low < FAINT else None


def _sharp(photo: Photo) -> str | None:
    """ "blurred" when the photo has contrast and no edge anywhere."""
    picture = _about(photo, SHARPLY)
    low, high = (float(v) for v in np.percentile(picture[::8, ::8, 1], (1, 99)))
    if high - low < FAINT:
        return None
    across = np.abs(np.diff(picture[::5, :, 1].astype(np.int16), axis=1))
    down = np.abs(np.diff(picture[:, ::5, 1].astype(np.int16), axis=0))
    steep = max(float(np.percentile(across, 99.9)), float(np.percentile(down, 99.9)))
    return "blurred" if steep < SOFT * (high - low) else None


def _small(quads: Sequence[Quad], scale: float) -> str | None:
    if not quads:
        return None
    sides = [np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1).min() for quad in quads]
    return "small" if float(np.median(sides)) < SMALL * min(1.0, scale) else None


def _glare(small: Picture) -> bool:
    """Whether a burnt-out spot ends as steeply as a reflection does; white paper is hardly ever burnt out, and never in a spot within
    something darker."""
    least = cv2.min(cv2.min(small[..., 0], small[..., 1]), small[..., 2])
    burnt = cv2.threshold(least, BURNT - 1, 1, cv2.THRESH_BINARY)[1]
    if np.count_nonzero(burnt) < GLARE_SHARE * burnt.size:
        return False
    count, labels, stats, _ = cv2.connectedComponentsWithStats(burnt, connectivity=8)
    for one in range(1, count):
        area = int(stats[one, cv2.CC_STAT_AREA])
        if area < GLARE_SHARE * burnt.size:
            continue
        left, top, wide, high = (int(v) for v in stats[one, :4])
        rows, columns = slice(max(0, top - 12), top + high + 12), slice(max(0, left - 12), left + wide + 12)
        spot = (labels[rows, columns] == one).astype(np.uint8)
        contours, _ = cv2.findContours(spot, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        compact = area / max(1.0, cv2.contourArea(cv2.convexHull(np.concatenate(contours))))
        near = cv2.dilate(spot, np.ones((5, 5), np.uint8))
        ring = (cv2.dilate(spot, np.ones((21, 21), np.uint8)) > 0) & (near == 0)
        fades = float(np.median(least[rows, columns][ring])) if ring.any() else 255.0
        if compact > 0.6 and 120 < fades < BURNT - 12:
            return True
    return False
