"""What lies loose on a table without a mat: boards, and the four corner markers, where people lay them about."""

from __future__ import annotations

import random
from dataclasses import dataclass

from engines.table import Layout, Zone
from hardware.simulated.places import Point, overlap, turned
from vision.mat import LOOSE_QUIET, LOOSE_ROUGH, LOOSE_SIZE, Marker, markers


@dataclass(frozen=True, slots=True)
class Lying:
    """How a board lies as against where the layout has it: its middle moved (mm), turned about it (degrees clockwise)."""

    dx: float = 0.0
    dy: float = 0.0
    turn: float = 0.0

    def middle(self, zone: Zone) -> Point:
        return zone.x + zone.width / 2 + self.dx, zone.y + zone.height / 2 + self.dy

    def at(self, zone: Zone, x: float, y: float) -> Point:
        """Where a point of the board, in mm on the layout, really is."""
        middle = zone.x + zone.width / 2, zone.y + zone.height / 2
        return turned(*self.middle(zone), self.turn, x - middle[0], y - middle[1])

    def back(self, zone: Zone, x: float, y: float) -> Point:
        """The inverse of ``at``."""
        u, v = turned(0, 0, -self.turn, x - self.middle(zone)[0], y - self.middle(zone)[1])
        return zone.x + zone.width / 2 + u, zone.y + zone.height / 2 + v


def lay_corners(layout: Layout, seed: int) -> tuple[Marker, ...]:
    """The four markers as somebody lays them at the corners of the table: within 40 mm, at any turn, not on what is played on."""
    rng = random.Random(f"corners {seed}")
    found = []
    for marker in markers(layout):
        spot = marker
        for _ in range(200):
            spot = Marker(
                marker.id,
                marker.x + rng.uniform(-LOOSE_ROUGH, LOOSE_ROUGH),
                marker.y + rng.uniform(-LOOSE_ROUGH, LOOSE_ROUGH),
                LOOSE_SIZE,
                rng.uniform(0, 360),
            )
            card = Marker(0, spot.x, spot.y, LOOSE_SIZE + 2 * LOOSE_QUIET, spot.turn).corners
            if not any(overlap(card, _outline(zone)) for zone in layout.zones):
                break
        found.append(spot)
    return tuple(found)


def _outline(zone: Zone) -> tuple[Point, ...]:
    right, low = zone.x + zone.width, zone.y + zone.height
    return (zone.x, zone.y), (right, zone.y), (right, low), (zone.x, low)
