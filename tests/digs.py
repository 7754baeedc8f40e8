"""Small digs of Tanis, laid by hand, for tests that need to say exactly what lies where."""

from __future__ import annotations

from typing import Any

from engines import games
from engines.game import Move, Refusal
from engines.referee import Match
from engines.tanis import rules
from engines.tanis.dealing import TanisWorld
from engines.tanis.dig import INDEX, parse_cell
from engines.tanis.knowledge import ORDER, parts
from engines.tanis.state import TILES, Cards, DigTile, TanisState


def lay(**tiles: str) -> dict[str, DigTile]:
    """Tiles by name and place: ``lay(falcon_7="b3-b4 2")`` lies with its number on b3, its sign on b4, on level 2."""
    lying = {}
    for name, place in tiles.items():
        tile = name.replace("_", "-")
        cells, level = place.split()
        one, other = map(parse_cell, cells.split("-"))
        sign, number = parts(tile)
        lying[tile] = DigTile(one, other, int(level), number, sign)
    return lying


def world(
    lying: dict[str, DigTile],
    collected: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
    cards: tuple[Cards, Cards] = (Cards(), Cards()),
    first: int = 0,
    **changes: Any,
) -> TanisWorld:
    """A world in which only these tiles are left in the dig; those nobody collected were removed from the game.

    ``changes`` are options, or fields of the state (to_move, stage, last_sign).
    """
    options = {name: changes.pop(name) for name in list(changes) if name in rules.DEFAULTS}
    base = rules.start(2, first, options)
    heights = [0] * len(INDEX)
    for place in lying.values():
        for cell in place.cells:
            heights[INDEX[cell]] = max(heights[INDEX[cell]], place.level)
    rest = tuple(
        tile for tile in TILES if tile not in lying and tile not in collected[0] and tile not in collected[1]
    )
    own = (_sorted(collected[0]), _sorted(collected[1]))
    fields: dict[str, Any] = {
        "heights": tuple(heights),
        "dig": (),
        "collected": own,
        "removed": rest,
        "cards": cards,
        "first": first,
        "to_move": first,
        "stage": "start",
        "options": base.options,
        **changes,
    }
    return TanisWorld(TanisState(**fields), dict(lying))


def _sorted(tiles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(tiles, key=ORDER.__getitem__))


def refused(state: TanisState, move: Move) -> Refusal:
    """The refusal of a move that must be illegal; it must also be what ``apply`` raises, and not be offered."""
    refusal = rules.refusal(state, move)
    assert refusal is not None, f"{move} is legal"
    assert move not in rules.legal_moves(state)
    return refusal


def match(first: int = 0, **options: str) -> Match:
    """A match of Ana and Ben of which nothing has been seen yet."""
    return Match.begin(games()["tanis"], ("Ana", "Ben"), first, options)
