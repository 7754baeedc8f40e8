"""A table with the board of Papyrus and its figures, loose corners around it: for tests of eyes and camera."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

from engines.catalogue import BASES
from engines.dealing import Placed
from engines.papyrus.numbers import numbers
from engines.papyrus.zones import BOARD, layout
from hardware.print.board import board_drawing, standing_pictures
from hardware.print.shapes import Drawing
from hardware.simulated.table import SimulatedTable
from vision.gallery import SCALE, Gallery

HOUSE = BASES["house"]("papyrus")
COLOURS = ("red", "blue", "yellow", "green", "black")
TABLE = layout(5, {}, HOUSE)
LAYOUT = replace(TABLE, kinds=(), faces=(), zones=(TABLE.zone(BOARD),))
"""The table of five with nothing on it but the board."""


@cache
def drawing() -> Drawing:
    return board_drawing(numbers(HOUSE).board)


@cache
def gallery() -> Gallery:
    return Gallery.from_pictures(LAYOUT, standing_pictures(LAYOUT, {BOARD: drawing()}), SCALE)


def table(seed: int, pyramids: int = 12, colours: tuple[str, ...] = COLOURS) -> SimulatedTable:
    """A board in the middle of a game: each pawn somewhere, two of them together now and then, pyramids on some squares."""
    rng = random.Random(f"board {seed}")
    places = [square.name for square in LAYOUT.zone(BOARD).squares if not square.name.startswith("event-")]
    stops = [square.name for square in LAYOUT.zone(BOARD).squares]
    pawns: list[Placed] = []
    for colour in colours:
        together = [one.square for one in pawns]
        square = rng.choice(together) if together and rng.random() < 0.25 else rng.choice(stops)
        if square.startswith("event-") and square in together:
            square = rng.choice(places)
        pawns.append(Placed(f"pawn-{colour}", BOARD, square=square))
    built = [
        Placed(f"pyramid-{rng.choice(colours)}", BOARD, square=square)
        for square in rng.sample(places, min(pyramids, len(places)))
    ]
    for pawn in pawns:  # just conquered: the own pyramid and the own pawn
        if rng.random() < 0.3 and not pawn.square.startswith("event-"):
            built = [one for one in built if one.square != pawn.square]
            built.append(Placed(pawn.identity.replace("pawn", "pyramid"), BOARD, square=pawn.square))
    made = SimulatedTable(LAYOUT, (*built, *pawns), seed, {BOARD: drawing()})
    made.lay_out()
    return made


def standing(made: SimulatedTable) -> dict[str, list[str]]:
    """What truly stands on each square: identities, sorted."""
    found: dict[str, list[str]] = {}
    for body in made.within(BOARD):
        found.setdefault(body.square, []).append(body.identity)
    return {square: sorted(them) for square, them in found.items()}
