"""A rectangle on the mat: what changed, what is looked at again."""

from __future__ import annotations

from dataclasses import dataclass

from engines.table import Zone


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the mat in mm."""

    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> Area:
        return Area(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def cut(self, other: Area) -> Area:
        return Area(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    @classmethod
    def of(cls, zone: Zone) -> Area:
        return cls(zone.x, zone.y, zone.x + zone.width, zone.y + zone.height)
