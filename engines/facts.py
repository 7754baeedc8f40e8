"""What a table shows, taken in one fact after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from engines.game import Reveal, WrongReveal

S = TypeVar("S")


def facts(state: S, shown: Iterable[Reveal], apply: Callable[[S, Reveal], S]) -> tuple[Reveal, ...]:
    """Those of the facts that can be, each in the state that knows the ones before it."""
    found: list[Reveal] = []
    for fact in shown:
        try:
            state = apply(state, fact)
        except WrongReveal:
            continue
        found.append(fact)
    return tuple(found)
