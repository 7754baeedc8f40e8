"""The cards of Ankh by name: ``green-4`` is a mummy, ``green-yellow-blue-red-5`` a papyrus.

A papyrus is named by the pharaoh's wishes from the most to the least welcome gift (x2, x1, x0, x-1), then its number.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

COLOURS = ("green", "yellow", "blue", "red")
VALUES = (1, 2, 3, 4, 5)
NUMBERS = tuple(range(1, 10))
"""Numbers that a papyrus may show as long as nobody has counted the owner's."""
MUMMIES = tuple(f"{colour}-{value}" for colour in COLOURS for value in VALUES)
INITIALS = {colour[0]: colour for colour in COLOURS}


def is_papyrus(card: str) -> bool:
    """Whether the name is that of a papyrus (a mummy's has one hyphen)."""
    return card.count("-") > 1


@cache
def wishes(papyrus: str) -> tuple[tuple[str, ...], int]:
    """The colours from x2 to x-1, and the number of mummies that trigger a scoring."""
    *colours, number = papyrus.split("-")
    return tuple(colours), int(number)


@cache
def mummy(card: str) -> tuple[str, int]:
    """Colour and value."""
    colour, value = card.split("-")
    return colour, int(value)


@cache
def any_papyri() -> frozenset[str]:
    """Every papyrus there could be: each order of the four colours, each number from 1 to 9."""
    return frozenset(
        f"{'-'.join(colours)}-{number}" for colours in permutations(COLOURS) for number in NUMBERS
    )


@cache
def title(card: str) -> str:
    """The card for the display: ``Green 4``, ``GYBR 5``. Any text is given a title, so that it can be refused."""
    *colours, number = card.split("-")
    if is_papyrus(card):
        return f"{''.join(colour[:1] for colour in colours).upper()} {number}"
    return " ".join((*(colour.capitalize() for colour in colours), number))


@cache
def short(card: str) -> str:
    """The card among several, in as few letters as tell it: ``G4``, ``GYBR5``."""
    *colours, number = card.split("-")
    return "".join(colour[:1] for colour in colours).upper() + number


def points(row: tuple[str, ...], papyrus: str, multipliers: tuple[int, ...]) -> int:
    """What a row is worth under a papyrus (W2, K15)."""
    factor = dict(zip(wishes(papyrus)[0], multipliers, strict=True))
    return sum(factor[colour] * value for colour, value in map(mummy, row))
