"""How a photograph of a table looks: camera angle, lens, light, table; drawn for one of three degrees of hardship."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Colour3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """Angles in degrees, lengths in px of a photo 1600 px wide, shares of the whole."""

    slant: float
    azimuth: float
    roll: float
    focal: float
    table: str
    variant: int
    exposure: float
    """1: white paper is just below white."""
    balance: Colour3
    """Gain of blue, green, red."""
    gradient: tuple[float, float]
    """Relative change of the light from the middle to the right and lower edge."""
    lamp: tuple[float, float]
    """Shift of a shadow per mm of height."""
    shadow: float
    """How dark a shadow cast by a piece or a thing is."""
    edges: tuple[tuple[float, float, float, float], ...]
    """Shadows with an edge across the picture: middle x, y as shares, direction in radians, how dark."""
    glares: tuple[tuple[float, float, float, float, float], ...]
    """Lamps mirrored on what is glossy: x, y, both radii as shares of the long side, strength."""
    haze: float
    blur: float
    motion: float
    noise: float
    curve: float
    jpeg: int
    sleeves: bool

    @property
    def tags(self) -> tuple[str, ...]:
        """In words, the conditions that make this photo hard."""
        said = {
            "slanted": self.slant > 25,
            "dim": self.exposure < 0.5,
            "bright": self.exposure > 1.12,
            "coloured light": max(self.balance) / min(self.balance) > 1.3,
            "gradient": max(map(abs, self.gradient)) > 0.3,
            "shadow edge": bool(self.edges),
            "glare": bool(self.glares),
            "soft": self.blur > 1.3 or self.motion > 2.5,
            "noisy": self.noise > 5,
            "sleeves": self.sleeves,
        }
        return tuple(word for word, holds in said.items() if holds)


TABLES = {
    "mild": ("plain", "wood", "felt", "dark wood"),
    "fair": ("plain", "wood", "felt", "dark wood", "white cloth", "printed cloth"),
    "harsh": (
        "plain",
        "wood",
        "felt",
        "dark wood",
        "white cloth",
        "checked cloth",
        "printed cloth",
        "busy print",
    ),
}
DEGREES = {
    #        slant  exposure     warmth gradient edge  glare blur       motion noise      jpeg      sleeves
    "mild": (20.0, (0.75, 1.02), 0.10, 0.15, 0.00, 0.00, (0.4, 0.8), 0.0, (0.8, 2.0), (88, 96), 0.00),
    "fair": (35.0, (0.55, 1.10), 0.18, 0.30, 0.20, 0.15, (0.5, 1.1), 0.1, (1.0, 4.0), (80, 95), 0.10),
    "harsh": (45.0, (0.28, 1.22), 0.28, 0.50, 0.40, 0.35, (0.5, 1.7), 0.2, (1.5, 7.5), (62, 95), 0.18),
}


def look(rng: np.random.Generator, degree: str, table: str | None, variants: int) -> Look:
    """A photo's conditions; the table is chosen from those of the degree when it is not given."""
    slant, exposure, warmth, gradient, edge, glare, blur, motion, noise, jpeg, sleeves = DEGREES[degree]
    warm, tint = rng.uniform(-warmth, warmth), rng.uniform(-warmth, warmth) / 3
    edges = tuple(
        (rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8), rng.uniform(0, 6.28), rng.uniform(0.2, 0.6))
        for _ in range(int(rng.random() < edge) + int(rng.random() < edge / 4))
    )
    glares = tuple(
        (
            rng.uniform(0.1, 0.9),
            rng.uniform(0.1, 0.9),
            rng.uniform(0.02, 0.12),
            rng.uniform(0.02, 0.12),
            rng.uniform(0.2, 1.3),
        )
        for _ in range((1 + int(rng.random() < 0.3)) if rng.random() < glare else 0)
    )
    return Look(
        slant=slant * rng.random() ** 0.8, azimuth=rng.uniform(0, 360), roll=rng.uniform(0, 360), focal=rng.uniform(0.75, 1.4),
        table=table or str(rng.choice(TABLES[degree])), variant=int(rng.integers(variants)),
        exposure=rng.uniform(*exposure), balance=(1 - warm, 1 + tint, 1 + warm),
        gradient=(rng.uniform(-gradient, gradient), rng.uniform(-gradient, gradient)),
        lamp=(rng.uniform(-0.9, 0.9), rng.uniform(-0.9, 0.9)), shadow=rng.uniform(0.25, 0.6), edges=edges, glares=glares,
        haze=rng.uniform(0, 0.03 if degree == "harsh" else 0.01), blur=rng.uniform(*blur),
        motion=rng.uniform(1.5, 4.0) if rng.random() < motion else 0.0, noise=rng.uniform(*noise), curve=rng.uniform(0.85, 1.2),
        jpeg=int(rng.integers(*jpeg)), sleeves=bool(rng.random() < sleeves),
    )  # fmt: skip
