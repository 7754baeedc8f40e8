"""A family of faces: one publisher's hand. An edition is one game of that hand; a spec says what one face shows."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, ClassVar

import cv2
import numpy as np

from tests.rendered.drawing import PX_PER_MM, SHAPES, Colour, Picture, hsv, shaded, stamp

Change = Callable[[np.random.Generator, Any], Any]
"""Gives a spec that differs in one thing only, or None where this face has no such thing."""
SYLLABLES = (
    "ka",
    "ru",
    "mo",
    "sel",
    "tan",
    "ir",
    "vo",
    "dra",
    "lu",
    "nef",
    "osh",
    "per",
    "qi",
    "zan",
    "eth",
    "bo",
    "gri",
    "hul",
    "wy",
    "cas",
)
SHADES = (0.12, 0.2)
"""A shade that differs is that much lighter or darker: what two inks of one colour differ by."""


def seeded(*words: object) -> np.random.Generator:
    """The same stream of numbers for the same words, on every machine."""
    return np.random.default_rng(zlib.crc32("|".join(map(str, words)).encode()))


def word(rng: np.random.Generator, syllables: int) -> str:
    return "".join(str(rng.choice(SYLLABLES)) for _ in range(syllables)).capitalize()


def other(rng: np.random.Generator, choices: Any, present: Any) -> Any:
    """One of the choices that is not the present one."""
    rest = [each for each in choices if each != present]
    return rest[int(rng.integers(len(rest)))]


def nudge(rng: np.random.Generator, present: float) -> float:
    """Another shade: away from the present one by what SHADES says, towards the dark or the light."""
    step = float(rng.uniform(*SHADES)) * (1 if rng.random() < 0.5 else -1)
    return present + step if abs(present + step) < 0.35 else present - step


class Family(ABC):
    """``size``: width, height mm; ``thickness`` mm; ``corner``: radius mm; ``gloss``: how much of a lamp it mirrors (0-1)."""

    name: ClassVar[str]
    size: ClassVar[tuple[float, float]]
    thickness: ClassVar[float] = 0.35
    corner: ClassVar[float] = 3.0
    gloss: ClassVar[float] = 0.7
    painted: ClassVar[bool] = False
    """Has texture all over (the others are nearly blank)."""

    def __init__(self, edition: int) -> None:
        self.edition = edition
        self.style(seeded(self.name, "style", edition))

    @property
    def canvas(self) -> tuple[int, int]:
        """(width, height) px of a drawn face."""
        return round(self.size[0] * PX_PER_MM), round(self.size[1] * PX_PER_MM)

    @abstractmethod
    def style(self, rng: np.random.Generator) -> None:
        """Fix what all faces of the edition share."""

    @abstractmethod
    def specs(self, count: int) -> list[Any]:
        """That many different faces, always the same for one edition; fewer when the family has no more."""

    @abstractmethod
    def draw(self, spec: Any) -> Picture:
        """The face upright, `canvas` px, BGR."""

    def label(self, spec: Any) -> str:
        """Words that no other face of the edition has."""
        return repr(spec)

    def apart(self, one: Any, other: Any) -> int:
        """In how many things two faces of the edition differ."""
        return sum(getattr(one, field.name) != getattr(other, field.name) for field in fields(one))

    @property
    @abstractmethod
    def changes(self) -> Mapping[str, Change]:
        """Ways to make a near-twin, by what changes: digit, shade or symbol."""

    def twin(self, spec: Any, rng: np.random.Generator) -> tuple[Any, str] | None:
        """A face that differs in one thing, and which; None for a face that has no near-twin."""
        ways = list(self.changes.items())
        for index in rng.permutation(len(ways)):
            kind, change = ways[index]
            made = change(rng, spec)
            if made is not None and made != spec:
                return made, kind
        return None

    def back(self) -> Picture:
        """A back: a ground, a border, one shape over and over, the same either way up."""
        rng = seeded(self.name, "back", self.edition)
        width, height = self.canvas
        ground = hsv(rng.random(), rng.uniform(0.3, 0.9), rng.uniform(0.2, 0.7))
        ink: Colour = shaded(ground, float(rng.choice([-0.45, 0.5])))
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = ground
        step = rng.uniform(5, 9) * PX_PER_MM
        name = str(rng.choice(list(SHAPES)))
        for row in range(int(height / step) + 1):
            for column in range(int(width / step) + 2):
                x = (column + 0.5 * (row % 2)) * step
                stamp(picture, name, ink, x, (row + 0.5) * step, step * 0.3, step * 0.3)
        edge = round(rng.uniform(2, 4) * PX_PER_MM)
        cv2.rectangle(
            picture,
            (0, 0),
            (width - 1, height - 1),
            hsv(0.1, 0.05, 0.93) if rng.random() < 0.5 else ink,
            2 * edge,
        )
        middle = round(min(width, height) * 0.2)
        cv2.circle(picture, (width // 2, height // 2), middle, ground, -1, cv2.LINE_AA)
        stamp(picture, "flower", ink, width / 2, height / 2, middle * 0.8, middle * 0.8)
        half = height // 2
        picture[height - half :] = picture[:half][::-1, ::-1]
        return picture


def paper(rng: np.random.Generator) -> Colour:
    """A white that a printer would use."""
    return hsv(rng.uniform(0.08, 0.16), rng.uniform(0.0, 0.09), rng.uniform(0.92, 0.99))
