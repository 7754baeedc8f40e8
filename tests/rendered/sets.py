"""The sets of the suite: which families, arrangements and conditions each has; scene(set, index) is the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.rendered.arrange import ARRANGEMENTS
from tests.rendered.camera import framing
from tests.rendered.deck import FAMILIES, Card, Deck, deck
from tests.rendered.family import seeded
from tests.rendered.light import look
from tests.rendered.render import Lying, render
from tests.rendered.scene import Scene, truths
from tests.rendered.surfaces import VARIANTS
from tests.rendered.things import LOOSE, Thing, figure, fingers

PAINTED = ("painted", "wide", "dark", "archaeology", "papyrus")
PLAIN = ("courts", "counts", "ankh")
TILES = ("tiles", "tanis-tiles", "letters")


@dataclass(frozen=True, slots=True)
class Recipe:
    """``families`` take turns, ``run`` scenes at a time on one deck; shares are of the pieces of a scene; ``counts``: pieces, least and most."""

    families: tuple[str, ...]
    arrangements: tuple[str, ...]
    degree: str
    counts: tuple[int, int]
    enrolled: float = 0.8
    strangers: float = 0.08
    twins: float = 0.0
    backs: float = 0.03
    copies: float = 0.15
    """Chance that a scene shows many copies of one face."""
    cut: float = 0.0
    tiny: float = 0.0
    things: float = 0.0
    """Chance that something lies beside or a hand reaches in."""
    figures: float = 0.0
    """Share of the pieces on which something stands."""
    fill: tuple[float, float] = (0.75, 0.97)


SETS: dict[str, Recipe] = {
    "easy": Recipe(tuple(FAMILIES), ("apart",), "mild", (2, 12)),
    "hard": Recipe(
        tuple(FAMILIES),
        ("apart", "apart", "rows", "heap", "mosaic"),
        "harsh",
        (4, 16),
        cut=0.25,
        tiny=0.04,
        things=0.4,
        figures=0.08,
    ),
    "covered": Recipe(
        PAINTED,
        ("rows", "rows", "heap"),
        "fair",
        (6, 14),
        cut=0.3,
        things=0.2,
        strangers=0.06,
    ),
    "mosaic": Recipe(TILES, ("mosaic",), "fair", (12, 32), figures=0.25, strangers=0.05, backs=0.02, cut=0.1),
    "twins": Recipe(
        ("painted", "wide", "dark", *PLAIN, *TILES),
        ("apart",),
        "fair",
        (8, 16),
        strangers=0.0,
        twins=0.65,
        backs=0.0,
    ),
    "unknown": Recipe(
        (*PAINTED, *PLAIN, *TILES),
        ("apart", "apart", "rows", "heap"),
        "harsh",
        (8, 18),
        strangers=0.7,
        backs=0.1,
        cut=0.1,
        things=0.2,
    ),
    "negatives": Recipe(tuple(FAMILIES), (), "harsh", (0, 0), things=1.0),
}


@dataclass(frozen=True, slots=True)
class Job:
    """One scene to be read; ``family`` and ``edition`` fix its deck, else its number does."""

    set: str
    index: int
    family: str | None = None
    edition: int | None = None


RUN = 6
"""Scenes in a row that share a deck (a bank takes a while to prepare)."""
EDITIONS = 40
SMALL = 900_000
"""The scenes of the small form have numbers of their own, from here on."""


def scene(name: str, index: int, family: str | None = None, edition: int | None = None) -> Scene:
    """Scene number ``index`` of a set; ``family`` and ``edition`` fix its deck."""
    recipe = SETS[name]
    run = index // RUN
    family = family or recipe.families[run % len(recipe.families)]
    edition = run // len(recipe.families) % EDITIONS if edition is None else edition
    rng = seeded("scene", name, index, family, edition)
    held = deck(family, edition, recipe.enrolled)
    seen = look(rng, recipe.degree, None, VARIANTS)
    tags = [family, *seen.tags, seen.table]
    lying: list[Lying] = []
    if recipe.arrangements:
        arrangement = str(rng.choice(recipe.arrangements))
        cards = _chosen(rng, recipe, held, int(rng.integers(recipe.counts[0], recipe.counts[1] + 1)))
        lying = ARRANGEMENTS[arrangement](rng, cards)
        tags.append(arrangement)
        if len(cards) > 4 and len({card.key for card in cards}) <= 2:
            tags.append("copies")
    points = (
        np.concatenate([piece.corners for piece in lying])
        if lying
        else np.array([[-150.0, -110.0], [150.0, 110.0]])
    )
    tiny = rng.random() < recipe.tiny
    cut = rng.random() < recipe.cut and not tiny and len(lying) > 3
    fill = rng.uniform(1.1, 1.5) if cut else rng.uniform(*recipe.fill)
    size = (1600, 1200) if rng.random() < 0.75 else (1200, 1600)
    if tiny:
        size, fill = (4000, 3000), fill * 0.55
        tags.append("tiny")
    if cut:
        tags.append("cut")
    fill = min(fill, _closest(lying, points, size))
    camera = framing(size, seen.focal, points, fill, (seen.slant, seen.azimuth, seen.roll))
    things = _things(rng, recipe, lying, points, tags)
    photo, shows = render(lying, things, seen, camera, rng)
    pieces = truths(photo, shows, lying, held, camera)
    return Scene(f"{name}-{index:05d}", photo, held, pieces, tuple(tags))


def _closest(lying: list[Lying], points: np.ndarray, size: tuple[int, int]) -> float:
    """The share of the picture at which one piece's long side is about two thirds of its short side: nobody goes nearer."""
    if not lying:
        return 9.0
    extent = float((points.max(0) - points.min(0)).max())
    return 0.62 * extent / max(lying[0].card.family.size) if len(lying) > 1 else 0.62


def _chosen(rng: np.random.Generator, recipe: Recipe, held: Deck, count: int) -> list[Card]:
    known = list(held.enrolled.values())
    same = known[int(rng.integers(len(known)))] if rng.random() < recipe.copies else None
    order = [known[k] for k in rng.permutation(len(known))]
    cards: list[Card] = []
    while len(cards) < count:
        dice = rng.random()
        made: Card | None = None
        if dice < recipe.twins:
            made = held.twin(known[int(rng.integers(len(known)))], rng)
        elif dice < recipe.twins + recipe.strangers:
            pool = [*held.foreign, *(card for card in held.siblings if card.twin_of is None)]
            made = pool[int(rng.integers(len(pool)))] if pool else None
        elif dice < recipe.twins + recipe.strangers + recipe.backs:
            made = held.back
        if made is None:
            made = same or order[len(cards) % len(order)]
        cards.append(made)
    return cards


def _things(
    rng: np.random.Generator, recipe: Recipe, lying: list[Lying], points: np.ndarray, tags: list[str]
) -> list[Thing]:
    things: list[Thing] = []
    low, high = points.min(0), points.max(0)
    for piece in lying:
        if rng.random() < recipe.figures:
            at = np.array([piece.x, piece.y]) + rng.uniform(-0.4, 0.4, 2) * piece.card.family.size
            maker = (
                LOOSE[str(rng.choice(["figure", "figure", "die", "coin"]))]
                if piece.card.family.thickness < 1
                else figure
            )
            things.append(maker(rng, at))
    if things:
        tags.append("figures")
    if rng.random() < recipe.things:
        if lying and rng.random() < 0.5:
            piece = lying[int(rng.integers(len(lying)))]
            at = np.array([piece.x, piece.y]) + rng.uniform(-0.5, 0.5, 2) * piece.card.family.size
            side = rng.uniform(0, 6.28)
            things.append(fingers(rng, at, at + 300 * np.array([np.cos(side), np.sin(side)])))
            tags.append("hand")
        else:
            for _ in range(int(rng.integers(1, 4 if lying else 8))):
                kind = str(rng.choice(list(LOOSE)))
                at = rng.uniform(low, high)
                if lying:
                    # Beside what lies there: on its rim.
                    side = rng.uniform(0, 6.28)
                    at = (low + high) / 2 + np.array([np.cos(side), np.sin(side)]) * ((high - low) / 2 + 45)
                things.append(LOOSE[kind](rng, at))
                tags.append(kind)
    return things


SMALL_FORM: dict[str, tuple[str, ...]] = {
    "painted": ("hard", "covered", "unknown"),
    "wide": ("covered", "twins"),
    "dark": ("easy", "covered"),
    "courts": ("hard", "twins"),
    "counts": ("easy", "hard", "twins"),
    "tiles": ("hard", "mosaic", "negatives"),
    "tanis-tiles": ("easy", "mosaic"),
    "archaeology": ("covered",),
    "ankh": ("hard", "twins", "negatives"),
    "papyrus": ("hard", "covered"),
    "letters": ("easy", "mosaic"),
}
"""What is read at every change: every set, most families, one deck of each; few enough for a minute."""


def small_form() -> list[Job]:
    names = list(SETS)
    return [
        Job(name, SMALL + 10 * row + names.index(name), family, 0)
        for row, (family, wanted) in enumerate(SMALL_FORM.items())
        for name in wanted
    ]
