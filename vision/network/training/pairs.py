"""Packets of training pairs: a family of near-twins, one reference shot of each, crops, and what truly differs between them.

Whether a difference can be seen is worked out from the clean faces at the sharpness of the crop: up to brightness, cast and a little
contrast, which no picture under an unknown lamp can tell. Pairs whose difference is too small or covered teach nothing and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.network.model import COLUMNS, HEIGHT, ROWS, WIDTH, Array, Crops
from vision.network.training.crops import ALIGNED, REFERENCE, Care, Crop, photographed, surface
from vision.network.training.faces import changed, designed, drawn
from vision.network.training.layouts import Design
from vision.plane import Picture

TWINS = 8
"""Faces in a family."""
TAKEN = 10
"""Crops of them in a packet."""
STRANGE = 2
"""Crops in a packet that show no face of it."""
BLURS = (0.7, 1.5, 2.6)
"""Sharpness at which differences are worked out, px of the crop."""
TELLING = 4.0
"""Cells of difference that make two pictures not the same."""
HAZE = 0.12
"""Contrast that haze and tone curves may change: no difference."""


@dataclass(frozen=True, slots=True, eq=False)
class Packet:
    """``faces`` (8, 120, 80, 3) reference shots; ``crops`` (12, 120, 80, 3); ``owners`` (12,): row of the face a crop shows, -1 for none;
    ``corners`` (12, 4, 2): where the faces' corners are minus where the crop has them, in sides; ``seen`` (12, 15, 10) 0-255; ``differs`` (12, 8, 15, 10): difference of each cell in hundredths; ``label`` (12, 8): 1 the same, 0 not
    the same, -1 left out. ``changes``: what made each face a twin. ``hardships``: what was done to each crop."""

    faces: Crops
    crops: Crops
    owners: NDArray[np.int8]
    corners: Array
    seen: NDArray[np.uint8]
    differs: NDArray[np.uint8]
    label: NDArray[np.int8]
    changes: tuple[str, ...]
    hardships: tuple[tuple[str, ...], ...]


def cell_differences(first: Array, second: Array, cells: tuple[int, int] = (COLUMNS, ROWS)) -> Array:
    """Difference of two log pictures (4 rows, 4 columns, 3) by cell (rows, columns), 0-3: a tint of 8 % or a clear stroke counts 1."""
    ratio = first - second
    shift = np.median(ratio[1::3, 1::3].reshape(-1, 3), 0)
    contrast = second - second[1::3, 1::3].mean((0, 1))
    common = float(((ratio - shift) * contrast).mean() / ((contrast * contrast).mean() + 1e-4))
    ratio = ratio - np.float32(np.clip(common, -HAZE, HAZE)) * contrast
    blue, green, red = cv2.split(np.abs(ratio - shift))
    largest = np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    mean = cv2.resize(largest, cells, interpolation=cv2.INTER_AREA)
    peak = cv2.dilate(largest, np.ones((4, 4), np.uint8), anchor=(0, 0))[::4, ::4]
    out = np.clip((mean - 0.02) / 0.06, 0, 1) + (peak > 0.33)
    # a colour beyond what a lamp does to it is another colour
    return np.asarray(out + np.clip((np.abs(shift - shift.mean()).max() - 0.35) * 4, 0, 1), np.float32)


def _log_picture(face: Picture, blur: float) -> Array:
    """At half the size of a crop: (60, 40, 3). ``blur`` in px of the crop."""
    small = cv2.resize(face, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
    if blur > 1:
        small = cv2.GaussianBlur(small, (0, 0), float(np.sqrt(blur**2 - 0.7) / 2))
    return np.log(small.astype(np.float32) + 24)


def family(rng: Generator) -> tuple[list[Picture], list[str]]:
    """Near-twins (240, 160) that can be told apart from the first one, and what was changed in each."""
    while True:
        base = designed(rng)
        designs: list[Design] = [base]
        pictures, changes = [drawn(base)], ["base"]
        logs = [_log_picture(pictures[0], BLURS[0])]
        for _ in range(TWINS * 3):
            parent = base if rng.random() < 0.6 else designs[int(rng.integers(len(designs)))]
            design, change = changed(parent, rng)
            picture = drawn(design)
            log = _log_picture(picture, BLURS[0])
            if all(cell_differences(log, other).sum() > TELLING for other in logs):
                designs.append(design)
                pictures.append(picture)
                changes.append(change)
                logs.append(log)
            if len(designs) == TWINS:
                return pictures, changes


def packets(seed: int, care: Care = ALIGNED, stock: int = 40) -> Iterator[Packet]:
    """Packets without end, with crops taken with that care. Covers, tables and strangers come from the last ``stock`` families."""
    rng = np.random.default_rng(seed)
    recent = [family(rng)[0] for _ in range(6)]
    while True:
        pictures, changes = family(rng)
        others = [picture for one in recent for picture in one]
        yield _packet(rng, pictures, changes, others, care)
        recent.append(pictures)
        if len(recent) > stock:
            recent.pop(int(rng.integers(stock)))


def _packet(
    rng: Generator, pictures: list[Picture], changes: list[str], others: list[Picture], care: Care
) -> Packet:
    faces = [photographed(rng, picture, others, REFERENCE).picture for picture in pictures]
    owners = [int(row) for row in rng.permutation(TWINS)] + [
        int(row) for row in rng.integers(TWINS, size=TAKEN - TWINS)
    ]
    crops = [photographed(rng, pictures[row], others + pictures, care) for row in owners]
    crops += [_strange(rng, pictures, others) for _ in range(STRANGE)]
    logs = [[_log_picture(picture, blur) for picture in pictures] for blur in BLURS]
    cache: dict[tuple[int, int, int], Array] = {}
    differs = np.zeros((len(crops), TWINS, ROWS, COLUMNS), np.float32)
    label = np.zeros((len(crops), TWINS), np.int8)
    for number, (crop, owner) in enumerate(zip(crops, owners + [-1] * STRANGE, strict=True)):
        if owner < 0:
            differs[number] = -1
            continue
        level = int(np.argmin(np.abs(np.array(BLURS) - crop.blur)))
        clear = crop.seen > 0.8
        for row in range(TWINS):
            key = level, min(owner, row), max(owner, row)
            if key not in cache:
                cache[key] = cell_differences(logs[level][owner], logs[level][row])
            differs[number, row] = cache[key]
            total = float((cache[key] * clear).sum())
            label[number, row] = 0 if total > TELLING else -1
        label[number, owner] = 1 if crop.seen.mean() > 0.1 else -1
    return Packet(
        np.stack(faces),
        np.stack([crop.picture for crop in crops]),
        np.array(owners + [-1] * STRANGE, np.int8),
        np.stack([crop.corners for crop in crops]),
        np.stack([np.round(crop.seen * 255).astype(np.uint8) for crop in crops]),
        np.where(differs < 0, 255, np.minimum(np.round(differs * 100), 254)).astype(np.uint8),
        label,
        tuple(changes),
        tuple(crop.hardships for crop in crops[:TAKEN]) + (("strange",),) * STRANGE,
    )


def _strange(rng: Generator, pictures: list[Picture], others: list[Picture]) -> Crop:
    """No face of the family: a surface, a face of another family, or one of this family well out of place."""
    kind = rng.random()
    if kind < 0.45:
        return photographed(rng, surface(rng, others + pictures), others, ALIGNED)
    if kind < 0.65:
        return photographed(rng, others[int(rng.integers(len(others)))], others, ALIGNED)
    return photographed(
        rng, pictures[int(rng.integers(TWINS))], others, ALIGNED, off=float(rng.uniform(0.1, 0.6))
    )
