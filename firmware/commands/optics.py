"""``thoth optics``: how high the camera hangs for a table of some size, and how many pixels a millimetre gets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vision.mat import BOARD_NEEDS, LOOSE_OUT, LOOSE_QUIET, LOOSE_ROUGH, LOOSE_SIZE

MARGIN = 30.0
"""mm around mat or table that shall be in the picture: nobody hangs a camera to the millimetre."""
CORNERS = LOOSE_OUT + LOOSE_ROUGH + LOOSE_SIZE / 2 + LOOSE_QUIET
"""mm that loose corner markers take beside a table without a mat, on the sides where a picture has room."""
TRIED = 1.8
"""px per mm by which whole nights were played on the simulated table (1536 px from 65 cm)."""
LEAST = 1.2
"""px per mm below which the numbers on a card of 63 x 88 mm are a few pixels wide, and readings become questions."""
WITHOUT_MAT = 2304
"""px across of the picture in which a table without a mat is read at the least: it is larger than a mat, and the camera hangs higher."""
LOW, HIGH = 250.0, 1600.0
"""mm: nearer than that arms knock against the camera, higher than that few stands reach."""
MATS = {"A2": (594.0, 420.0), "A3": (420.0, 297.0)}


def picture(asked: tuple[int, int], mat: bool) -> tuple[int, int]:
    """The large picture, (width, height) px, that is taken of a table with a mat or without one, by what the settings ask for."""
    if mat or asked[0] >= WITHOUT_MAT:
        return asked
    return WITHOUT_MAT, 2 * round(asked[1] * WITHOUT_MAT / asked[0] / 2)


@dataclass(frozen=True, slots=True)
class Module:
    """A camera: the angle its whole sensor sees from side to side (degrees), the sensor in px, what to know of it."""

    name: str
    across: float
    sensor: tuple[int, int]
    note: str


MODULES = (
    Module("Module 3", 66.0, (4608, 2592), "autofocus; the one Thoth is made for"),
    Module(
        "Module 3 Wide", 102.0, (4608, 2592), "for low ceilings and shelves; hang it exactly over the middle"
    ),
    Module("Module 2", 62.2, (3280, 2464), "its lens is turned by hand until the picture is sharp"),
    Module("HQ, 6 mm lens", 63.0, (4056, 3040), "large and heavy; focus by hand, lock the ring"),
)
"""Angles and sensors as Raspberry Pi gives them (documentation, camera hardware)."""


@dataclass(frozen=True, slots=True)
class View:
    """``height``: mm from the table to the lens; ``field``: mm of the table in the picture; ``scale``: px per mm."""

    module: Module
    height: float
    field: tuple[float, float]
    scale: float
    least: float = LEAST
    """px per mm below which such a table is not read, or badly."""

    @property
    def advice(self) -> str:
        if self.height < LOW:
            return "too low: arms will knock against it; take a module with a narrower angle"
        if self.scale < self.least:
            return "too coarse for small numbers: a larger camera.width"
        if self.height > HIGH:
            return "very high: the wide module hangs lower"
        return "" if self.scale >= TRIED else "coarser than was tried: a larger camera.width is better"


def fits_a_mat(table: tuple[float, float]) -> bool:
    """Whether a table of (width, height) mm is no larger than the largest mat."""
    return max(table) <= MATS["A2"][0] and min(table) <= MATS["A2"][1]


def margins(table: tuple[float, float]) -> tuple[float, float]:
    """mm that shall be in the picture left and right of a table of (width, height) mm, and above and below it."""
    if fits_a_mat(table):
        return MARGIN, MARGIN
    return (MARGIN, CORNERS) if table[0] * 9 > table[1] * 16 else (CORNERS, MARGIN)


def view(module: Module, table: tuple[float, float], picture: tuple[int, int]) -> View:
    """The lowest place from which a table of (width, height) mm is whole in a picture of (width, height) px, straight from above.

    The picture is the middle of the sensor in the picture's shape; a camera driver never cuts at the sides of a picture that is wider
    than the sensor.
    """
    shape = picture[0] / picture[1]
    beside, above = margins(table)
    wide, tall = table[0] + 2 * beside, table[1] + 2 * above
    across = max(wide, tall * shape)
    half = math.tan(math.radians(module.across) / 2)
    if shape < module.sensor[0] / module.sensor[1]:  # narrower than the sensor: the sides are cut
        half *= shape / (module.sensor[0] / module.sensor[1])
    least = LEAST if fits_a_mat(table) else BOARD_NEEDS
    return View(module, across / 2 / half, (across, across / shape), picture[0] / across, least)


def from_height(module: Module, height: float, picture: tuple[int, int]) -> View:
    """What a camera at ``height`` mm sees."""
    shape = picture[0] / picture[1]
    half = math.tan(math.radians(module.across) / 2)
    half *= min(1.0, shape / (module.sensor[0] / module.sensor[1]))
    across = 2 * height * half
    return View(module, height, (across, across / shape), picture[0] / across)


def table(views: Sequence[View]) -> str:
    lines = ["| camera | height | in the picture | px per mm | |", "|---|---|---|---|---|"]
    for one in views:
        lines.append(
            f"| {one.module.name} | {one.height / 10:.0f} cm | {one.field[0] / 10:.0f} x {one.field[1] / 10:.0f} cm | {one.scale:.2f} "
            f"| {one.advice or one.module.note} |"
        )
    return "\n".join(lines) + "\n"


def size(text: str) -> tuple[float, float]:
    """ "A2", or width x height in mm. Raises ValueError with what to write."""
    if text.upper() in MATS:
        return MATS[text.upper()]
    wide, sign, tall = text.lower().partition("x")
    try:
        found = float(wide), float(tall)
    except ValueError:
        found = (0.0, 0.0)
    if not sign or not all(50 <= side <= 5000 for side in found):
        raise ValueError(f"{text} is no size: write A2, or width x height in mm such as 900x600")
    return found
