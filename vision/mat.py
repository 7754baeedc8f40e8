"""The printed mat as the eyes know it: where its markers are.

The markers are ArUco squares of the dictionary DICT_4X4_50 (Garrido-Jurado et al., Pattern Recognition 47,
2014), printed upright. They stand well inside the mat's edge, so that a curled corner or a table edge does not
matter, and clear of every zone.
"""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Marker:
    """A printed square: its number in DICT_4X4_50, its centre (mm on the mat) and the side of its black square (mm)."""

    id: int
    x: float
    y: float
    size: float

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The four corners in mm, from the top left clockwise: the order in which cv2.aruco gives them."""
        half = self.size / 2
        return (
            (self.x - half, self.y - half),
            (self.x + half, self.y - half),
            (self.x + half, self.y + half),
            (self.x - half, self.y + half),
        )


def markers(layout: Layout) -> tuple[Marker, ...]:
    """The mat's six markers: the four corners and the middle of both long sides, numbered from the top left."""
    columns = (INSET, layout.width / 2, layout.width - INSET)
    rows = (INSET, layout.height - INSET)
    places = [(x, y) for y in rows for x in columns]
    return tuple(Marker(number, x, y, SIZE) for number, (x, y) in enumerate(places))
