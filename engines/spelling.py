"""Moves of several cards, told card by card.

Such moves have far too many forms to be listed (four cards of twenty-six: 15,000), so a menu asks for one card after another. A game says
which cards may come next and which move the cards told so far make; both are asked only where somebody stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from engines.game import Move

C = TypeVar("C")
Words = tuple[str, ...]
Told = tuple[Words, Move | Words]
"""Words from the top of the menu, and what stands there: the move, or the same words where more is to be told."""

THAT_IS_ALL = "that is all"


def spelled(
    path: Words,
    start: Words,
    following: Callable[[tuple[C, ...]], Iterable[tuple[C, Words]]],
    made: Callable[[tuple[C, ...]], Move | None],
) -> list[Told]:
    """What the menu below ``path`` says of moves that begin with the words ``start``.

    ``following(cards)``: the cards that may be told next, each with its words; ``made(cards)``: the move that these cards make, or
    None when they make none.
    """
    common = min(len(path), len(start))
    if path[:common] != start[:common]:
        return []
    if len(path) < len(start):
        return [(start, start)] if made(()) or any(True for _ in following(())) else []
    cards, at = _walked(path, len(start), following)
    found: list[Told] = []
    whole = made(cards)
    if whole is not None:
        found.append(((*path[:at], THAT_IS_ALL), whole))
    for card, words in following(cards):
        said, more = (*path[:at], *words), (*cards, card)
        last = None if any(True for _ in following(more)) else made(more)
        found.append((said, last or said))
    return found


def _walked(
    path: Words, at: int, following: Callable[[tuple[C, ...]], Iterable[tuple[C, Words]]]
) -> tuple[tuple[C, ...], int]:
    """The cards that a path tells whole, and how many of its words tell them."""
    cards: tuple[C, ...] = ()
    while at < len(path):
        for card, words in following(cards):
            if path[at : at + len(words)] == words:
                cards, at = (*cards, card), at + len(words)
                break
        else:
            break
    return cards, at


def spelling(start: Sequence[str], cards: Iterable[Words]) -> Words:
    """The words of a move as the menu asks for them."""
    return (*start, *(word for words in cards for word in words), THAT_IS_ALL)
