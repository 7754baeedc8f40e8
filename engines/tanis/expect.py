"""What the table must show in a state, and the small questions about a dig that reading asks again and again."""

from __future__ import annotations

from collections.abc import Iterable

from engines.table import Cell, Piece, Table
from engines.tanis.state import COLUMNS, LEVELS, NUMBERS, SIGNS, TILES, Cards, DigTile, TanisState
from engines.tanis.zones import CARD_ZONES, COLOURS, DIG, REMOVED, TILE_ZONES, centre, inside, pose

NUMBER_OF = {f"{sign}-{number}": number for sign in SIGNS for number in NUMBERS}
SIGN_OF = {f"{sign}-{number}": sign for sign in SIGNS for number in NUMBERS}


def height(state: TanisState, cell: Cell) -> int:
    return state.heights[cell[1] * COLUMNS + cell[0]]


def shows(state: TanisState, tile: DigTile) -> tuple[bool, bool]:
    """Which halves (number, sign) lie on top."""
    return height(state, tile.number_cell) == tile.level, height(state, tile.sign_cell) == tile.level


def on_top(state: TanisState, tile: DigTile) -> bool:
    return all(shows(state, tile))


def tops(state: TanisState) -> dict[Cell, DigTile]:
    """The known tile on top of each cell; cells whose top is not known, and empty ones, are left out."""
    found: dict[Cell, DigTile] = {}
    for tile in state.dig:
        for cell, top in zip(tile.cells, shows(state, tile), strict=True):
            if top:
                found[cell] = tile
    return found


def dig_pieces(table: Table) -> tuple[Piece, ...]:
    """The pieces of the dig whose place makes sense: two neighbouring cells in the box."""
    return tuple(
        piece
        for piece in table.within(DIG)
        if len(piece.cells) == len(piece.seen) == 2 and inside(piece.cells[0], piece.cells[1])
    )


def is_setup(state: TanisState) -> bool:
    """Whether nothing has been revealed and nothing has happened yet."""
    return not state.dig and not taken(state) and all(height == LEVELS for height in state.heights)


def taken(state: TanisState) -> frozenset[str]:
    """Tiles that are no longer in the dig."""
    return frozenset((*state.collected[0], *state.collected[1], *state.removed))


def possible(state: TanisState, number: int | None, sign: str | None) -> tuple[str, ...]:
    """The identities, sorted, that a tile of the dig can still have when these halves of it are known."""
    out = taken(state) | {tile.tile for tile in state.dig if tile.tile}
    return tuple(
        sorted(
            identity
            for identity in TILES
            if number in (None, NUMBER_OF[identity])
            and sign in (None, SIGN_OF[identity])
            and identity not in out
        )
    )


def agrees(identity: str, tile: DigTile) -> bool:
    """Whether a tile of the dig can be that identity by what is known of it."""
    return tile.number in (None, NUMBER_OF[identity]) and tile.sign in (None, SIGN_OF[identity])


def cards_left(cards: Cards) -> dict[str, int]:
    return {"explorer": cards.explorer, "excavator": cards.excavator, "expert": cards.expert}


def expected(state: TanisState) -> Table:
    """What the table must show in this state, as far as it is known.

    Tiles of the dig that show at least one half (``seen`` says which), with all identities that are still possible; the box is
    taken to stand in the middle of its zone. Collected and removed tiles and unused cards lie somewhere in their
    zone: they are all given at its centre.
    """
    pieces = [_dig_piece(state, tile) for tile in state.dig if any(shows(state, tile))]
    for zone, tiles in zip((*TILE_ZONES, REMOVED), (*state.collected, state.removed), strict=True):
        pieces += _loose(tiles, "tile", zone)
    for colour, zone, cards in zip(COLOURS, CARD_ZONES, state.cards, strict=True):
        names = [f"{colour}-{card}" for card, copies in cards_left(cards).items() for _ in range(copies)]
        pieces += _loose(names, "card", zone)
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


def _dig_piece(state: TanisState, tile: DigTile) -> Piece:
    x, y, turn = pose(tile.number_cell, tile.sign_cell)
    seen = shows(state, tile)
    identities = (tile.tile,) if tile.tile else possible(state, tile.number, tile.sign)
    return Piece(
        identities, "tile", DIG, x, y, turn, tile.level, tile.cells, seen, visible=sum(seen) / len(seen)
    )


def _loose(identities: Iterable[str], kind: str, zone: str) -> list[Piece]:
    x, y = centre(zone)
    seen = (True, True) if kind == "tile" else (True,)
    return [Piece((identity,), kind, zone, x, y, seen=seen) for identity in sorted(identities)]
