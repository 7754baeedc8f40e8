"""What a picture suffers from: light, shadow, glare, noise, blur, compression, a knock. Plain data with believable ranges."""

from __future__ import annotations

import random
from dataclasses import dataclass

Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""

TABLES: tuple[Colour, ...] = (
    (62, 92, 132),
    (34, 44, 58),
    (208, 214, 218),
    (96, 128, 158),
    (40, 60, 92),
    (80, 84, 60),
)
"""Brown, nearly black, white, light wood, dark wood, green cloth."""


@dataclass(frozen=True, slots=True)
class Glare:
    """A lamp mirrored on the pieces: its middle and radius in mm on the mat, and how much it adds (1: white)."""

    x: float
    y: float
    radius: float
    strength: float


@dataclass(frozen=True, slots=True)
class Conditions:
    """How one sitting looks. Lengths in mm on the mat, angles in degrees."""

    light: float = 1.0
    """Exposure: 1 is good, 0.25 is too dark to read, 2 is too bright."""
    gradient: tuple[float, float] = (0.0, 0.0)
    """Relative change of the light from the middle of the mat to its right and lower edge (0.2: 20 % brighter)."""
    warmth: float = 0.0
    """Colour of the light after white balance: -1 cold daylight, 1 warm lamp."""
    lamp: tuple[float, float] = (0.45, 0.35)
    """How far a shadow falls to the right and down, per mm of height."""
    shadow: float = 0.4
    """How dark a full shadow is: 0 none, 1 black."""
    glare: Glare | None = None
    noise: float = 2.0
    """Standard deviation in grey levels."""
    blur: float = 0.6
    """Gaussian sigma in px at 1536 px width."""
    jpeg: int = 92
    """Quality 1-100; 0: none."""
    table: Colour = TABLES[0]
    shift: tuple[float, float] = (0.0, 0.0)
    """The camera was knocked: its place moved by this."""
    turn: float = 0.0
    """The camera was knocked: turned about its axis by this."""
    sag: float = 0.0
    """The camera was knocked: tilted by this."""

    @classmethod
    def draw(cls, seed: int, glare: float = 0.0) -> Conditions:
        """An evening within the range in which people play; with probability ``glare`` a mild reflection outside the dig."""
        rng = random.Random(f"conditions {seed}")
        mirrored = None
        if rng.random() < glare:
            mirrored = Glare(
                rng.choice((60.0, 540.0)), rng.uniform(100, 330), rng.uniform(20, 40), rng.uniform(0.1, 0.3)
            )
        return cls(
            light=rng.uniform(0.8, 1.1),
            gradient=(rng.uniform(-0.15, 0.15), rng.uniform(-0.12, 0.12)),
            warmth=rng.uniform(-0.6, 0.7),
            lamp=(rng.uniform(-0.6, 0.6), rng.uniform(-0.5, 0.5)),
            shadow=rng.uniform(0.2, 0.5),
            glare=mirrored,
            noise=rng.uniform(1.0, 3.2),
            blur=rng.uniform(0.4, 0.85),
            jpeg=rng.randint(88, 95),
            table=rng.choice(TABLES),
        )
