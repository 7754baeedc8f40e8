"""Families with little on them: playing cards, nearly blank cards that differ by count, colour, shading or shape, number tiles."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.rendered.drawing import (
    PX_PER_MM,
    SHAPES,
    Colour,
    Picture,
    blend,
    cloud,
    hsv,
    inside,
    outline,
    painting,
    shaded,
    stamp,
    write,
)  # fmt: skip
from tests.rendered.family import Change, Family, nudge, other, paper, seeded

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
COLUMN = {1: (0.5,), 2: (0.2, 0.8), 3: (0.2, 0.5, 0.8), 4: (0.2, 0.4, 0.6, 0.8)}
PIPS = {
    "A": ((2, 1),), "2": ((2, 2),), "3": ((2, 3),), "4": ((1, 2), (3, 2)), "5": ((1, 2), (3, 2), (2, 1)), "6": ((1, 3), (3, 3)),
    "7": ((1, 3), (3, 3), (2, 1)), "8": ((1, 4), (3, 4)), "9": ((1, 4), (3, 4), (2, 1)), "10": ((1, 4), (3, 4), (2, 2)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CourtSpec:
    """One playing card. ``art`` draws its court, where it has one."""

    suit: int
    rank: str
    shade: float = 0.0


class Courts(Family):
    """Playing cards with made-up suits; courts are the same either way up."""

    name = "courts"
    size = (58.0, 89.0)

    def style(self, rng: np.random.Generator) -> None:
        self.suits = [
            str(each)
            for each in rng.choice(
                ["leaf", "bell", "cup", "drop", "tower", "fish", "flower", "crown"], 4, replace=False
            )
        ]
        warm, cold = rng.random(), rng.random()
        self.inks = [hsv(warm, 0.85, 0.75), hsv(warm, 0.85, 0.75), hsv(cold, 0.7, 0.25), hsv(cold, 0.7, 0.25)]
        if rng.random() < 0.5:
            self.inks[1], self.inks[3] = hsv(warm + 0.33, 0.8, 0.5), hsv(cold + 0.4, 0.7, 0.55)
        self.paper = paper(rng)
        self.font = int(rng.integers(0, 4))
        self.pip = rng.uniform(4.2, 6.0)

    def specs(self, count: int) -> list[CourtSpec]:
        cards = [CourtSpec(suit, rank) for rank in RANKS[::-1] for suit in range(4)]
        return cards[:count]

    @property
    def changes(self) -> Mapping[str, Change]:
        return {
            "digit": lambda rng, spec: (
                replace(spec, rank=other(rng, RANKS[1:9], spec.rank)) if spec.rank in RANKS[1:9] else None
            ),
            "shade": lambda rng, spec: replace(spec, shade=nudge(rng, spec.shade)),
            "symbol": lambda rng, spec: replace(spec, suit=other(rng, range(4), spec.suit)),
        }

    def draw(self, spec: CourtSpec) -> Picture:
        width, height = self.canvas
        mm = PX_PER_MM
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = self.paper
        suit, ink = self.suits[spec.suit], self.inks[spec.suit]
        half = np.ascontiguousarray(picture[: height // 2])
        if spec.rank in "JQK":
            seed = seeded("court", self.edition, spec.rank, spec.suit)
            left, top = round(10 * mm), round(6 * mm)
            figure = painting(seed, width - 2 * left, half.shape[0] - top)
            blend(figure, np.full(figure.shape[:2], 255, np.uint8), shaded(ink, 0.3), 0.25)
            half[top:, left : width - left] = figure
            cv2.rectangle(half, (left, top), (width - left, half.shape[0] + 9), (40, 40, 40), 2)
            stamp(half, suit, shaded(ink, spec.shade), left + 5 * mm, top + 6 * mm, 3.6 * mm, 3.6 * mm)
        write(half, spec.rank, ink, (5 * mm, 6.5 * mm), 5.2 * mm, self.font)
        stamp(half, suit, ink, 5 * mm, 14 * mm, 2.4 * mm, 2.4 * mm)
        picture[: height // 2] = half
        picture[height - height // 2 :] = half[::-1, ::-1]
        tone = shaded(ink, spec.shade)
        for column, count in PIPS.get(spec.rank, ()):
            for share in COLUMN[count]:
                share = share if column != 2 or count != 2 or spec.rank == "2" else 0.3 + 0.4 * (share > 0.5)
                size = self.pip * (2.2 if spec.rank == "A" else 1.0)
                x, y = (0.3, 0.5, 0.7)[column - 1] * width, (0.04 + 0.92 * share) * height
                stamp(picture, suit, tone, x, y, size * mm, size * mm, 180.0 if share > 0.55 else 0.0)
        return picture


@dataclass(frozen=True, slots=True)
class CountSpec:
    """A nearly blank card: how many of which shape, in which ink and shading."""

    count: int
    shape: str
    ink: int
    fill: int
    shade: float = 0.0


FILLS = ("full", "empty", "lines", "wash")


class Counts(Family):
    """Nearly blank cards: one to four shapes in a line."""

    name = "counts"
    size = (57.0, 87.0)
    corner = 4.0

    def style(self, rng: np.random.Generator) -> None:
        self.shapes = [
            str(each)
            for each in rng.choice(["kite", "peanut", "zigzag", "dome", "chevron", "drop"], 3, replace=False)
        ]
        hues = rng.random() + np.array([0.0, 0.33, 0.62])
        self.inks = [
            hsv(h + rng.normal(0, 0.02), rng.uniform(0.65, 0.95), rng.uniform(0.45, 0.8)) for h in hues
        ]
        self.fills = [FILLS[k] for k in rng.choice(4, 3, replace=False)]
        if "wash" in self.fills and rng.random() < 0.5:
            self.fills[self.fills.index("wash")] = next(f for f in FILLS if f not in self.fills)
        self.paper = paper(rng)
        self.pitch = rng.uniform(0.9, 1.6)
        self.most = 3 if rng.random() < 0.7 else 4

    def specs(self, count: int) -> list[CountSpec]:
        rng = seeded(self.name, "specs", self.edition)
        cards = [
            CountSpec(n, shape, ink, fill)
            for n, shape, ink, fill in itertools.product(
                range(1, self.most + 1), self.shapes, range(3), range(3)
            )
        ]
        return [cards[k] for k in rng.permutation(len(cards))[:count]]

    @property
    def changes(self) -> Mapping[str, Change]:
        return {
            "digit": lambda rng, spec: replace(spec, count=other(rng, range(1, self.most + 1), spec.count)),
            "shade": lambda rng, spec: (
                replace(spec, fill=other(rng, range(3), spec.fill))
                if rng.random() < 0.6
                else replace(spec, shade=nudge(rng, spec.shade))
            ),
            "symbol": lambda rng, spec: replace(spec, shape=other(rng, self.shapes, spec.shape)),
        }

    def draw(self, spec: CountSpec) -> Picture:
        width, height = self.canvas
        mm = PX_PER_MM
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = self.paper
        ink = shaded(self.inks[spec.ink], spec.shade)
        room = 80.0 / max(3.4, spec.count + 0.2)
        for index in range(spec.count):
            y = height / 2 + (index - (spec.count - 1) / 2) * room * mm
            at, radii = (width / 2, y), (17 * mm, room * 0.42 * mm)
            mask = inside((height, width), spec.shape, *at, *radii)
            fill = self.fills[spec.fill]
            if fill == "full":
                stamp(picture, spec.shape, ink, *at, *radii)
            elif fill == "lines":
                comb = np.zeros_like(mask)
                for x in np.arange(0, width, self.pitch * mm):
                    cv2.line(
                        comb, (round(x), 0), (round(x), height), 255, max(1, round(self.pitch * mm * 0.33))
                    )
                blend(picture, cv2.min(mask, comb), ink, 1.0)
            elif fill == "wash":
                blend(picture, mask, ink, 0.24)
            outline(picture, spec.shape, ink, at, radii, round(0.8 * mm))
        return picture


@dataclass(frozen=True, slots=True)
class TileSpec:
    """A square tile: a number, a sign, an ink."""

    number: int
    sign: str
    ink: int
    shade: float = 0.0


class Tiles(Family):
    """Square cardboard tiles: a number in one corner, a sign in the middle; all of one ground."""

    name = "tiles"
    size = (40.0, 40.0)
    thickness = 2.2
    corner = 1.0
    gloss = 0.35

    def style(self, rng: np.random.Generator) -> None:
        self.ground = hsv(rng.random(), rng.uniform(0.08, 0.45), rng.uniform(0.65, 0.95))
        self.signs = [str(each) for each in rng.choice(list(SHAPES), 5, replace=False)]
        self.inks = [
            hsv(h, rng.uniform(0.6, 0.9), rng.uniform(0.25, 0.6))
            for h in (rng.random() + np.arange(4) / 4) % 1
        ]
        self.grain = cloud(rng, self.canvas[1], self.canvas[0], (0.3, 0.08)) * rng.uniform(1, 5)
        self.font = int(rng.integers(0, 4))
        self.ring = bool(rng.random() < 0.5)

    def specs(self, count: int) -> list[TileSpec]:
        rng = seeded(self.name, "specs", self.edition)
        tiles = [TileSpec(n, sign, k % 4) for k, sign in enumerate(self.signs) for n in range(1, 13)]
        return [tiles[k] for k in rng.permutation(len(tiles))[:count]]

    @property
    def changes(self) -> Mapping[str, Change]:
        return {
            "digit": lambda rng, spec: replace(spec, number=other(rng, range(1, 13), spec.number)),
            "shade": lambda rng, spec: replace(spec, shade=nudge(rng, spec.shade)),
            "symbol": lambda rng, spec: replace(spec, sign=other(rng, self.signs, spec.sign)),
        }

    def draw(self, spec: TileSpec) -> Picture:
        width, height = self.canvas
        mm = PX_PER_MM
        picture = np.clip(np.float32(self.ground) + self.grain[..., None], 0, 255).astype(np.uint8)
        ink = self.inks[spec.ink]
        edge = round(1.4 * mm)
        cv2.rectangle(
            picture, (edge, edge), (width - edge, height - edge), shaded(self.ground, -0.45), 3, cv2.LINE_AA
        )
        middle = width * 0.56, height * 0.58
        if self.ring:
            cv2.circle(
                picture,
                (round(middle[0]), round(middle[1])),
                round(13 * mm),
                shaded(self.ground, 0.5),
                -1,
                cv2.LINE_AA,
            )
        stamp(picture, spec.sign, shaded(ink, spec.shade), *middle, 10 * mm, 10 * mm)
        text: Colour = shaded(ink, -0.5)
        write(picture, str(spec.number), text, (9 * mm, 8 * mm), 6.4 * mm, self.font)
        if spec.number in (6, 9):
            cv2.line(picture, (round(6 * mm), round(12.6 * mm)), (round(12 * mm), round(12.6 * mm)), text, 3)
        return picture
