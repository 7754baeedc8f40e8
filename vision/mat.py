"""The printed mat as the eyes know it: where its markers are.

The markers are ArUco squares of the dictionary DICT_4X4_50 (Garrido-Jurado et al., Pattern Recognition 47,
2014), printed upright. They stand well inside the mat's edge, so that a curled corner or a table edge does not
matter, and clear of every zone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engines.table import Layout

SIZE = 28.0
"""Side of a marker's black square in mm."""
INSET = 30.0
"""Distance of a marker's centre from the mat's edge in mm."""
QUIET = 4.0
"""White around a marker in mm, needed to find it; no zone reaches into it."""

LOOSE = (10, 11, 12, 13)
"""Numbers of the loose corner markers of a table larger than any mat: far left, far right, near left, near right."""
LOOSE_SIZE = 50.0
"""Side of a loose marker's black square in mm: larger, since a larger table is seen from farther away."""
LOOSE_QUIET = 7.0
"""White around a loose marker in mm."""
LOOSE_OUT, LOOSE_IN = 45.0, 60.0
"""Where a loose marker should about lie: so far outside of what is played on, on the sides where a picture has room, and so far from
the corner along that side (mm)."""
LOOSE_ROUGH = 40.0
"""So far from there (mm, either way), and at any turn, people may lay it."""
BOARD_NEEDS, CARDS_NEED = 1.6, 1.35
"""px per mm below which a table without a mat is not read, with a board and with cards alone: symbols of cards and figures that hide one
another would be mistaken, and a night at 1.2 px per mm had wrong moves written down."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed square: its number in DICT_4X4_50, its centre (mm on the mat), the side of its black square (mm) and its turn
    (degrees clockwise)."""

    id: int
    x: float
    y: float
    size: float
    turn: float = 0.0

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The four corners in mm, from the top left clockwise: the order in which cv2.aruco gives them."""
        half = self.size / 2
        cos, sin = half * math.cos(math.radians(self.turn)), half * math.sin(math.radians(self.turn))
        return (
            (self.x - cos + sin, self.y - sin - cos),
            (self.x + cos + sin, self.y + sin - cos),
            (self.x + cos - sin, self.y + sin + cos),
            (self.x - cos - sin, self.y - sin + cos),
        )


def markers(layout: Layout) -> tuple[Marker, ...]:
    """The mat's six markers: the four corners and the middle of both long sides, numbered from the top left. Of a table with loose
    corners: the four, where they should about lie."""
    if layout.loose:
        left, top = (LOOSE_IN, -LOOSE_OUT) if broad(layout) else (-LOOSE_OUT, LOOSE_IN)
        columns, rows = (left, layout.width - left), (top, layout.height - top)
        spots = [(x, y) for y in rows for x in columns]
        return tuple(Marker(number, x, y, LOOSE_SIZE) for number, (x, y) in zip(LOOSE, spots, strict=True))
    across = (INSET, layout.width / 2, layout.width - INSET)
    places = [(x, y) for y in (INSET, layout.height - INSET) for x in across]
    return tuple(Marker(number, x, y, SIZE) for number, (x, y) in enumerate(places))


def needed(layout: Layout) -> float:
    """px per mm below which the table is not read; 0 for a mat, whose markers are lost long before its pieces are."""
    if not layout.loose:
        return 0.0
    return BOARD_NEEDS if any(zone.form == "squares" for zone in layout.zones) else CARDS_NEED


def broad(layout: Layout) -> bool:
    """Whether a table is broader for its height than a picture: loose corners then lie above and below it, else left and right."""
    return layout.width * 9 > layout.height * 16
