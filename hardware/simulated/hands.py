"""Hands above the table: where they are, what they hold."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.simulated.places import Body

Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at one moment: its fingertips at (x, y, z) mm, its elbow at (elbow_x, elbow_y), and the piece it carries."""

    x: float
    y: float
    z: float
    elbow_x: float
    elbow_y: float
    skin: Colour
    sleeve: Colour
    carried: Body | None = None
