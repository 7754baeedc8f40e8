"""Many moves as a tree of words, so that a list of hundreds is a few choices deep."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")
Words = tuple[str, ...]


def below(told: Sequence[tuple[Words, T]], path: Words) -> tuple[tuple[str, ...], tuple[Words | T, ...]]:
    """Labels and values of the menu below ``path``: longer paths, or a thing where its words end.

    Words that leave no choice are passed over together, so that nobody confirms what cannot be otherwise.
    """
    groups: dict[str, list[tuple[Words, T]]] = {}
    for said, thing in told:
        if said[: len(path)] == path:
            groups.setdefault(said[len(path)] if len(said) > len(path) else "", []).append((said, thing))
    labels: list[str] = []
    values: list[Words | T] = []
    for group in groups.values():
        if len({said for said, _ in group}) == 1:
            for said, thing in group:
                labels.append(_told(said[len(path) :]) or " ".join(said))
                values.append(thing)
            continue
        deep = len(path) + 1
        while len({said[:deep] for said, _ in group}) == 1 and all(len(said) > deep for said, _ in group):
            deep += 1
        if len({said[:deep] for said, _ in group}) > 1:
            deep -= 1
        labels.append(" ".join(group[0][0][len(path) : deep]).rstrip(","))  # "water," of "water, light"
        values.append(group[0][0][:deep])
    return tuple(labels), tuple(values)


def _told(words: Words) -> str:
    """Words in one line, equal cards counted: "4 mask"."""
    runs = ((word, len(list(same))) for word, same in groupby(words))
    return " ".join(word if count == 1 else f"{count} {word}" for word, count in runs)
