"""Groups, points and the winner (E1-E6, T30-T34)."""

from __future__ import annotations

from engines.game import Item, Outcome, Score
from engines.tanis.knowledge import left, parts
from engines.tanis.state import SIGNS, TanisState

POINTS = (0, 0, 2, 4, 7, 10, 14)
"""By size of group; the last stands for six and more (E3, T33)."""


def groups(tiles: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """The longest unbroken runs as (sign, first number, last number), sign by sign (G8, T31, T32)."""
    found: list[tuple[str, int, int]] = []
    for sign in SIGNS:
        numbers = sorted(number for name, number in map(parts, tiles) if name == sign)
        for number in numbers:
            if found and found[-1][0] == sign and found[-1][2] == number - 1:
                found[-1] = (sign, found[-1][1], number)
            else:
                found.append((sign, number, number))
    return tuple(found)


def points(size: int) -> int:
    return POINTS[min(size, len(POINTS) - 1)]


def items(tiles: tuple[str, ...]) -> tuple[Item, ...]:
    """One item per group; they add up to the player's total (E2, E4)."""
    return tuple(
        Item(
            f"{sign.capitalize()} {first}" if first == last else f"{sign.capitalize()} {first}-{last}",
            points(last - first + 1),
        )
        for sign, first, last in groups(tiles)
    )


def score(state: TanisState) -> Score:
    """What each seat has so far; unused cards give nothing."""
    return Score((items(state.collected[0]), items(state.collected[1])))


def outcome(state: TanisState) -> Outcome | None:
    """None while a tile is left; then the winner, in a tie the player who did not begin (E6)."""
    if left(state):
        return None
    one, other = score(state).totals
    if one == other:
        return Outcome((1 - state.first,), "Tie: second to play wins")
    return Outcome((0 if one > other else 1,), f"{max(one, other)} to {min(one, other)} points")
