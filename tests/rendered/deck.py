"""A deck on the table: faces that are enrolled, references of them, and strangers that are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rendered.drawing import Picture, hsv
from tests.rendered.family import Change, Family, seeded
from tests.rendered.own import OWN, Own
from tests.rendered.painted import Dark, Painted, Wide
from tests.rendered.plain import Counts, Courts, Tiles
from vision.reading.bank import Bank

FAMILIES: dict[str, type[Family]] = {
    kind.name: kind for kind in (Painted, Wide, Dark, Courts, Counts, Tiles, *OWN)
}
FACES = {"painted": 40, "wide": 32, "dark": 22, "courts": 52, "counts": 108, "tiles": 60}
"""How many faces an edition has (Thoth's own: all there are)."""
FOREIGN = 500
"""Strangers are faces of an edition this far away: the same size and hand, other pictures."""
GRID = 96
"""Cells along a face's long side in which its visible and its distinguishing part are counted."""
DIFFERS = 22
"""Grey levels by which a cell must differ, in some channel, to tell two faces apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A face as a thing: who drew it, what is on it, its name when it is enrolled."""

    family: Family
    spec: Any
    key: str
    identity: str | None = None
    twin_of: str | None = None
    change: str = ""

    @property
    def picture(self) -> Picture:
        return drawn(self)


@lru_cache(maxsize=400)
def drawn(card: Card) -> Picture:
    picture = card.family.back() if card.spec is None else card.family.draw(card.spec)
    return cv2.resize(picture, card.family.canvas) if picture.shape[1::-1] != card.family.canvas else picture


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """``enrolled`` by name; ``siblings``: faces of the same edition that are not; one edition has one deck per share enrolled."""

    family: Family
    enrolled: dict[str, Card]
    siblings: tuple[Card, ...]
    foreign: tuple[Card, ...]
    back: Card

    @property
    def name(self) -> str:
        return f"{self.family.name}-{self.family.edition}"

    def twin(self, card: Card, rng: np.random.Generator) -> Card | None:
        """A face that is not enrolled and differs from this one in one thing; None when chance finds none."""
        held = {card.family.label(each.spec) for each in self.enrolled.values()}
        for _ in range(12):
            made = card.family.twin(card.spec, rng)
            if made is not None and card.family.label(made[0]) not in held:
                return Card(card.family, made[0], f"{card.key}~{made[1]}", None, card.identity, made[1])
        return None

    def references(self) -> dict[str, Picture]:
        return references(self)

    def bank(self) -> Bank:
        return Bank.of(self.references())


@lru_cache(maxsize=3)
def deck(family: str, edition: int, share: float = 1.0) -> Deck:
    """The deck of an edition with that share of its faces enrolled."""
    maker = FAMILIES[family](edition)
    specs = maker.specs(FACES.get(family, 1000))
    order = seeded(family, edition, "enrolled").permutation(len(specs))
    kept = max(2, round(len(specs) * share))
    enrolled = {}
    for row in sorted(order[:kept]):
        name = f"{family}-{row:02d}"
        enrolled[name] = Card(maker, specs[row], f"{edition}/{name}", name)
    siblings = []
    for row in sorted(order[kept:]):
        near = [card for card in enrolled.values() if maker.apart(card.spec, specs[row]) <= 1]
        twin = near[0].identity if near else None
        siblings.append(
            Card(maker, specs[row], f"{edition}/{family}-{row:02d}", None, twin, "sibling" if twin else "")
        )
    return Deck(maker, enrolled, tuple(siblings), _foreign(maker), Card(maker, None, f"{edition}/back"))


class Borrowed(Family):
    """Another family's faces printed on pieces of this one's size."""

    def __init__(self, lender: Family, host: Family) -> None:
        self.lender = lender
        self.edition = lender.edition
        self.name = f"{lender.name} as {host.name}"  # type: ignore[misc]
        self.size, self.thickness, self.corner, self.gloss = (
            host.size,
            host.thickness,
            host.corner,
            host.gloss,
        )  # type: ignore[misc]

    def style(self, rng: np.random.Generator) -> None:
        """The lender's."""

    def specs(self, count: int) -> list[Any]:
        return self.lender.specs(count)

    def label(self, spec: Any) -> str:
        return self.lender.label(spec)

    @property
    def changes(self) -> Mapping[str, Change]:
        return self.lender.changes

    def draw(self, spec: Any) -> Picture:
        return self.lender.draw(spec)


def _foreign(maker: Family) -> tuple[Card, ...]:
    """Faces of the same size that have nothing to do with the edition: another edition's, or for Thoth's own those of other games, or
    made-up ones on pieces of that size."""
    others: list[Family] = [type(maker)(maker.edition + FOREIGN)]
    if isinstance(maker, Own):
        others = [each(0) for each in OWN if each.size == maker.size and each.game != maker.game]
        lenders = (Wide,) if maker.size[0] > maker.size[1] else (Courts, Dark)
        others = others or [Borrowed(lender(FOREIGN + maker.edition), maker) for lender in lenders]
    return tuple(
        Card(other, spec, f"{other.edition}/{other.name}-foreign-{row:02d}")
        for other in others
        for row, spec in enumerate(other.specs(24))
    )


@lru_cache(maxsize=3)
def references(deck: Deck) -> dict[str, Picture]:
    return {name: reference(card) for name, card in deck.enrolled.items()}


def corners_mask(family: Family) -> Picture:
    """255 where a piece is, 0 beyond its rounded corners, `canvas` px."""
    width, height = family.canvas
    radius = round(family.corner * width / family.size[0])
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (radius, 0), (width - radius, height), 255, -1)
    cv2.rectangle(mask, (0, radius), (width, height - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask


def reference(card: Card) -> Picture:
    """The one mild photo by which a face is enrolled: cut out nearly right, its own white balance, a soft gradient, a table in its corners."""
    rng = seeded("reference", card.key, card.family.name)
    width, height = card.family.canvas
    table = np.full(
        (height, width, 3), hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.1, 0.8)), np.uint8
    )
    mask = corners_mask(card.family)[..., None].astype(np.float32) / 255
    lying = table + (card.picture.astype(np.float32) - table) * mask
    out = rng.uniform(0.6, 0.95)
    size = round(width * out), round(height * out)
    right = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    cut = right + rng.uniform(-0.006, 0.006, (4, 2)).astype(np.float32) * width
    target = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], np.float32) - 0.5
    soft = cv2.GaussianBlur(lying, (0, 0), 0.45 / out)
    seen = cv2.warpPerspective(
        soft,
        cv2.getPerspectiveTransform(cut, target),
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    warm = rng.uniform(-0.06, 0.06)
    balance = np.float32([1 - warm, 1 + rng.uniform(-0.02, 0.02), 1 + warm]) * rng.uniform(0.82, 1.04)
    y, x = np.mgrid[-0.5 : 0.5 : size[1] * 1j, -0.5 : 0.5 : size[0] * 1j]
    slope = 1 + rng.uniform(-0.12, 0.12) * x + rng.uniform(-0.12, 0.12) * y
    lit = 255 * (np.clip(seen, 0, 255) / 255) ** rng.uniform(0.9, 1.12) * slope[..., None] * balance
    lit += rng.normal(0, 1.2, lit.shape)
    _, packed = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def grid(family: Family) -> tuple[int, int]:
    """(columns, rows) of the cells in which a face's parts are counted."""
    width, height = family.size
    scale = GRID / max(width, height)
    return round(width * scale), round(height * scale)


@lru_cache(maxsize=1200)
def small(card: Card) -> Picture:
    """The face in cells, (rows, columns, 3)."""
    soft = cv2.resize(card.picture, grid(card.family), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(soft, (0, 0), 0.7), np.uint8)


def differing(one: Picture, other: Picture) -> NDArray[np.bool_]:
    """Cells in which two faces (..., rows, columns, 3), or a face and several, differ in some channel."""
    apart = np.maximum(one, other) - np.minimum(one, other)
    most: NDArray[np.bool_] = np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2]) > DIFFERS
    return most


@lru_cache(maxsize=2)
def _rivals(deck: Deck) -> Picture:
    """Every enrolled face, then each turned by half, (2 n, rows, columns, 3)."""
    faces = np.stack([small(card) for card in deck.enrolled.values()])
    return np.concatenate([faces, faces[:, ::-1, ::-1]])


@lru_cache(maxsize=150)
def differences(deck: Deck, card: Card) -> NDArray[np.bool_]:
    """Where the face differs from each other enrolled face, either way up: (rivals, cells)."""
    mine, rivals = small(card), _rivals(deck)
    if mine.shape != rivals.shape[1:]:
        return np.ones((1, mine.shape[0] * mine.shape[1]), bool)
    others = np.array([name != card.identity for name in deck.enrolled] * 2)
    return differing(mine[None], rivals[others]).reshape(int(others.sum()), -1)


def told_apart(deck: Deck, card: Card, seen: NDArray[np.bool_]) -> bool:
    """Whether the seen cells (rows, columns) tell the face from every other enrolled one: of what differs, half or a twentieth of the
    face must be seen, and never less than 0.15 % of it."""
    maps = differences(deck, card)
    total = np.count_nonzero(maps, 1)
    shown = np.count_nonzero(maps & seen.ravel(), 1)
    need = np.maximum(np.minimum(0.5 * total, 0.05 * seen.size), 0.0015 * seen.size)
    return bool((shown >= need).all())
