"""Painted families: cards with an art window, landscape cards, and dark photographic ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.rendered.drawing import (
    PX_PER_MM,
    Colour,
    Picture,
    hsv,
    nightscape,
    painting,
    shaded,
    stamp,
    write,
)  # fmt: skip
from tests.rendered.family import Change, Family, nudge, other, seeded, word

SYMBOLS = ("leaf", "drop", "bolt", "gear", "flower", "crown", "fish", "tower")


@dataclass(frozen=True, slots=True)
class PaintedSpec:
    """One painted card: everything that is printed on it."""

    art: int
    title: str
    school: int
    symbol: str
    cost: int
    force: int
    guard: int
    text: int
    shade: float = 0.0


def prose(
    picture: Picture, rng: np.random.Generator, box: tuple[int, int, int, int], ink: Colour, size: float
) -> None:
    """Lines of made-up words in a box (left, top, right, bottom px)."""
    left, top, right, bottom = box
    y = top + size * 1.3
    while y < bottom - size:
        line = ""
        length = rng.uniform(0.55, 1.0) * (right - left) / (size * 0.82)
        while len(line) < length:
            line += word(rng, int(rng.integers(1, 4))).lower() + " "
        write(picture, line[: int(length)].strip(), ink, (left + size * 0.5, y), size, 0, "left")
        y += size * 1.9
        if rng.random() < 0.18:
            break


class Painted(Family):
    """Upright cards: dark or light border, a frame in the school's colour, title, art, text, a cost and two figures."""

    name = "painted"
    size = (63.0, 88.0)
    painted = True

    def style(self, rng: np.random.Generator) -> None:
        self.border = hsv(0, 0, 0.06) if rng.random() < 0.6 else hsv(0.1, 0.06, 0.94)
        hues = (rng.random() + np.arange(6) / 6 + rng.normal(0, 0.02, 6)) % 1
        self.frames = [hsv(h, rng.uniform(0.25, 0.75), rng.uniform(0.35, 0.8)) for h in hues]
        self.margin = rng.uniform(2.2, 3.6)
        self.font = int(rng.integers(0, 4))
        self.art_at = (rng.uniform(0.1, 0.14), rng.uniform(0.53, 0.62))
        self.box = hsv(rng.random(), rng.uniform(0.05, 0.2), rng.uniform(0.72, 0.92))

    def specs(self, count: int) -> list[PaintedSpec]:
        rng = seeded(self.name, "specs", self.edition)
        return [
            PaintedSpec(
                int(rng.integers(1 << 30)), f"{word(rng, 2)} {word(rng, int(rng.integers(1, 3)))}", int(rng.integers(6)),
                str(rng.choice(SYMBOLS)), int(rng.integers(0, 10)), int(rng.integers(0, 10)), int(rng.integers(0, 10)),
                int(rng.integers(1 << 30)),
            )
            for _ in range(count)
        ]  # fmt: skip

    @property
    def changes(self) -> Mapping[str, Change]:
        return {
            "digit": lambda rng, spec: replace(spec, cost=other(rng, range(10), spec.cost)),
            "shade": lambda rng, spec: replace(spec, shade=nudge(rng, spec.shade)),
            "symbol": lambda rng, spec: replace(spec, symbol=other(rng, SYMBOLS, spec.symbol)),
        }

    def draw(self, spec: PaintedSpec) -> Picture:
        width, height = self.canvas
        mm = PX_PER_MM
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = self.border
        edge = round(self.margin * mm)
        frame = self.frames[spec.school]
        cv2.rectangle(picture, (edge, edge), (width - edge, height - edge), frame, -1)
        rng = np.random.default_rng(spec.art)
        left, right = edge + round(2.2 * mm), width - edge - round(2.2 * mm)
        top, bottom = round(self.art_at[0] * height), round(self.art_at[1] * height)
        art = painting(rng, right - left, bottom - top)
        picture[top:bottom, left:right] = art
        cv2.rectangle(picture, (left, top), (right, bottom), shaded(frame, -0.6), 2)
        write(
            picture,
            spec.title,
            shaded(frame, -0.85),
            (left + mm, (edge + top) / 2),
            2.1 * mm,
            self.font,
            "left",
        )
        # What can be shaded is the text box alone: its tone against its own frame tells.
        box = shaded(self.box, spec.shade)
        low = height - edge - round(2.4 * mm)
        cv2.rectangle(picture, (left, bottom + round(1.4 * mm)), (right, low), box, -1)
        prose(
            picture,
            np.random.default_rng(spec.text),
            (left, bottom + round(2 * mm), right, low - round(3 * mm)),
            (25, 25, 25),
            1.45 * mm,
        )
        x, y = right - 3.4 * mm, top + 3.4 * mm
        cv2.circle(picture, (round(x), round(y)), round(4 * mm), shaded(self.border, 0.2), -1, cv2.LINE_AA)
        cv2.circle(picture, (round(x), round(y)), round(3.5 * mm), shaded(frame, 0.65), -1, cv2.LINE_AA)
        write(picture, str(spec.cost), (15, 15, 15), (x, y), 4.2 * mm, self.font)
        cv2.circle(
            picture,
            (round(left + 4 * mm), round(low - 2.0 * mm)),
            round(3.8 * mm),
            shaded(frame, 0.7),
            -1,
            cv2.LINE_AA,
        )
        stamp(picture, spec.symbol, shaded(frame, -0.75), left + 4 * mm, low - 2.0 * mm, 2.7 * mm, 2.7 * mm)
        write(
            picture,
            f"{spec.force}/{spec.guard}",
            (15, 15, 15),
            (right - 5 * mm, low - 2 * mm),
            3 * mm,
            self.font,
        )
        return picture


@dataclass(frozen=True, slots=True)
class WideSpec:
    """One landscape card: a place with a price, a sign and three values."""

    art: int
    title: str
    band: int
    sign: str
    price: int
    values: tuple[int, int, int]
    shade: float = 0.0


class Wide(Family):
    """Landscape cards: art on one side or all over, a coloured band, a price."""

    name = "wide"
    size = (88.0, 57.0)
    painted = True
    corner = 2.5

    def style(self, rng: np.random.Generator) -> None:
        self.bands = [
            hsv(h, rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.85))
            for h in (rng.random() + np.arange(5) / 5) % 1
        ]
        self.ground = hsv(rng.uniform(0.08, 0.16), rng.uniform(0.02, 0.3), rng.uniform(0.8, 0.97))
        self.share = rng.uniform(0.45, 0.62)
        self.font = int(rng.integers(0, 4))
        self.left_art = bool(rng.random() < 0.5)

    def specs(self, count: int) -> list[WideSpec]:
        rng = seeded(self.name, "specs", self.edition)
        return [
            WideSpec(
                int(rng.integers(1 << 30)), word(rng, int(rng.integers(2, 4))), int(rng.integers(5)), str(rng.choice(SYMBOLS)),
                int(rng.integers(10, 99)), (int(rng.integers(1, 10)), int(rng.integers(1, 10)), int(rng.integers(1, 10))),
            )
            for _ in range(count)
        ]  # fmt: skip

    @property
    def changes(self) -> Mapping[str, Change]:
        return {
            "digit": lambda rng, spec: replace(
                spec, price=spec.price // 10 * 10 + other(rng, range(10), spec.price % 10)
            ),
            "shade": lambda rng, spec: replace(spec, shade=nudge(rng, spec.shade)),
            "symbol": lambda rng, spec: replace(spec, sign=other(rng, SYMBOLS, spec.sign)),
        }

    def draw(self, spec: WideSpec) -> Picture:
        width, height = self.canvas
        mm = PX_PER_MM
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = self.ground
        band = self.bands[spec.band]
        split = round(width * self.share)
        art = painting(np.random.default_rng(spec.art), split, height)
        x0 = 0 if self.left_art else width - split
        picture[:, x0 : x0 + split] = art
        t0, t1 = (split, width) if self.left_art else (0, width - split)
        middle = (t0 + t1) / 2
        cv2.rectangle(picture, (t0, 0), (t1, round(9 * mm)), shaded(band, spec.shade), -1)
        write(picture, spec.title, (250, 250, 250), (middle, 4.5 * mm), 2.6 * mm, self.font)
        write(picture, str(spec.price), shaded(band, -0.5), (middle - 5 * mm, 19 * mm), 8 * mm, self.font)
        stamp(picture, spec.sign, band, middle + 11 * mm, 19 * mm, 4.4 * mm, 4.4 * mm)
        for index, value in enumerate(spec.values):
            y = (32 + 8 * index) * mm
            for dot in range(value):
                cv2.circle(
                    picture,
                    (round(t0 + (3 + 3.2 * dot) * mm), round(y)),
                    round(1.2 * mm),
                    shaded(band, -0.3 + 0.3 * index),
                    -1,
                    cv2.LINE_AA,
                )
        cv2.rectangle(picture, (0, 0), (width - 1, height - 1), self.ground, round(3.2 * mm))
        return picture


@dataclass(frozen=True, slots=True)
class DarkSpec:
    """One dark card: a night photograph, a number, a sign, a name."""

    art: int
    number: int
    sign: str
    title: str
    shade: float = 0.0


NUMERALS = (
    "0",
    "I",
    "II",
    "III",
    "IV",
    "V",
    "VI",
    "VII",
    "VIII",
    "IX",
    "X",
    "XI",
    "XII",
    "XIII",
    "XIV",
    "XV",
    "XVI",
    "XVII",
    "XVIII",
    "XIX",
    "XX",
    "XXI",
)


class Dark(Family):
    """Tall dark photographic cards with a thin light line, a numeral above and a name below."""

    name = "dark"
    size = (66.0, 108.0)
    painted = True
    gloss = 1.0

    def style(self, rng: np.random.Generator) -> None:
        self.line = hsv(rng.random(), rng.uniform(0.1, 0.6), rng.uniform(0.45, 0.8))
        self.border = hsv(rng.random(), 0.3, rng.uniform(0.03, 0.12))
        self.font = int(rng.integers(0, 4))

    def specs(self, count: int) -> list[DarkSpec]:
        rng = seeded(self.name, "specs", self.edition)
        return [
            DarkSpec(
                int(rng.integers(1 << 30)),
                index % 22,
                str(rng.choice(SYMBOLS)),
                word(rng, int(rng.integers(2, 4))),
            )
            for index in range(count)
        ]

    @property
    def changes(self) -> Mapping[str, Change]:
        return {
            "digit": lambda rng, spec: replace(spec, number=other(rng, range(22), spec.number)),
            "shade": lambda rng, spec: replace(spec, shade=nudge(rng, spec.shade)),
            "symbol": lambda rng, spec: replace(spec, sign=other(rng, SYMBOLS, spec.sign)),
        }

    def draw(self, spec: DarkSpec) -> Picture:
        width, height = self.canvas
        mm = PX_PER_MM
        picture = np.empty((height, width, 3), np.uint8)
        picture[:] = self.border
        edge = round(4 * mm)
        picture[edge : height - edge, edge : width - edge] = nightscape(
            np.random.default_rng(spec.art), width - 2 * edge, height - 2 * edge
        )
        cv2.rectangle(picture, (edge, edge), (width - edge, height - edge), self.line, 2, cv2.LINE_AA)
        plate = round(11 * mm)
        plaque = shaded(shaded(self.line, -0.25), spec.shade)
        cv2.rectangle(picture, (edge, height - edge - plate), (width - edge, height - edge), plaque, -1)
        write(
            picture,
            spec.title,
            shaded(self.line, -0.8),
            (width * 0.56, height - edge - plate / 2),
            4 * mm,
            self.font,
        )
        stamp(
            picture,
            spec.sign,
            shaded(self.line, -0.8),
            edge + 6 * mm,
            height - edge - plate / 2,
            4 * mm,
            4 * mm,
        )
        write(picture, NUMERALS[spec.number], self.line, (width / 2, edge + 6 * mm), 6 * mm, self.font)
        return picture
