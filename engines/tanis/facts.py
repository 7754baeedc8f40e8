"""What the table shows of the dig that nobody knew yet."""

from __future__ import annotations

from engines.game import Reveal, WrongReveal
from engines.table import Piece, Table
from engines.tanis import rules
from engines.tanis.expect import NUMBER_OF, SIGN_OF, agrees, dig_pieces, height, possible, shows, taken, tops
from engines.tanis.moves import Heights, Uncovered
from engines.tanis.state import COLUMNS, ROWS, TILES, DigTile, TanisState
from engines.tanis.zones import DIG, PILE_ZONES

ENOUGH = 0.6
"""A reading less sure than this reveals nothing."""
SURE = 0.85
"""A reading must be this sure to take the place of an earlier one."""


def reveals(state: TanisState, table: Table) -> tuple[Reveal, ...]:
    """Facts the table shows that the state does not know yet, or knows wrongly.

    A piece reveals something only if its reading is sure enough and can be true: inside the box, its level that of the lower of its two cells, the halves
    that were read on top and no others, not a tile that lies somewhere else. The reveals are given in an order in which ``rules.apply`` takes them.
    """
    if DIG in table.unread:
        return ()
    facts: list[Reveal] = []
    heights = _heights(state, table)
    if heights is not None:
        state = rules.apply(state, heights)
        facts.append(heights)
    pieces = [piece for piece in dig_pieces(table) if piece.confidence >= ENOUGH]
    lying = [piece.identity for zone in PILE_ZONES for piece in table.within(zone) if piece.identity]
    names = [piece.identity for piece in pieces if piece.identity]
    twice = {name for name in names if names.count(name) > 1}
    outside = set(lying) | taken(state)
    for piece in sorted(pieces, key=lambda piece: (-piece.confidence, piece.y, piece.x)):
        if piece.identity in twice or piece.identity in outside:
            continue
        fact = _fact(state, piece, outside)
        if fact is None:
            continue
        try:
            state = rules.apply(state, fact)
        except WrongReveal:
            continue
        facts.append(fact)
    return tuple(facts)


def _fact(state: TanisState, piece: Piece, outside: set[str]) -> Uncovered | None:
    """What one piece adds to the state, or corrects in it; None when that is nothing or cannot be."""
    if not piece.identities or not all(identity in NUMBER_OF for identity in piece.identities):
        return None
    number_cell, sign_cell = piece.cells
    level = min(height(state, number_cell), height(state, sign_cell))
    if level == 0:
        return None
    tops_now = tuple(height(state, cell) == level for cell in piece.cells)
    read = piece.seen
    if any(seen and not top for seen, top in zip(read, tops_now, strict=True)) or not any(read):
        return None
    if (
        any(tile.tile in piece.identities and tile.cells != piece.cells for tile in state.dig)
        and piece.identity
    ):
        return None
    lying = tops(state)
    known = [
        tile
        for cell, top in zip(piece.cells, tops_now, strict=True)
        if top and (tile := lying.get(cell)) is not None
    ]
    numbers = {NUMBER_OF[identity] for identity in piece.identities}
    signs = {SIGN_OF[identity] for identity in piece.identities}
    number = numbers.pop() if read[0] and len(numbers) == 1 else None
    sign = signs.pop() if read[1] and len(signs) == 1 else None
    if number is None and sign is None:
        return None
    if not known:
        if not set(possible(state, number, sign)) - outside:
            return None
        return Uncovered(number_cell, sign_cell, number, sign)
    same = next((tile for tile in known if tile.cells == piece.cells), None)
    if same is None or len(set(known)) > 1:
        return _other_way(state, piece, known, number, sign)
    if number in (None, same.number) and sign in (None, same.sign):
        return None
    if (same.number is None or number in (None, same.number)) and (
        same.sign is None or sign in (None, same.sign)
    ):
        return Uncovered(number_cell, sign_cell, number, sign)
    if piece.confidence < SURE or _hidden_twin(state, piece):
        return None
    return Uncovered(number_cell, sign_cell, number, sign, correction=True)


def _other_way(
    state: TanisState, piece: Piece, known: list[DigTile], number: int | None, sign: str | None
) -> Uncovered | None:
    """A half was known and the direction of its other half wrong: a sure look at the whole tile puts that right."""
    if len(set(known)) != 1 or piece.identity is None or piece.confidence < SURE:
        return None
    earlier = known[0]
    parts = [
        part for part in range(2) if earlier.cells[part] == piece.cells[part] and shows(state, earlier)[part]
    ]
    if earlier.tile is not None or not parts or not all(piece.seen) or not agrees(piece.identity, earlier):
        return None
    return Uncovered(piece.cells[0], piece.cells[1], number, sign, correction=True)


def _hidden_twin(state: TanisState, piece: Piece) -> bool:
    """Whether a known tile that a slide has covered exactly is what is read now: then the upper one has gone."""
    return any(
        tile.cells == piece.cells and not any(shows(state, tile)) and tile.tile in piece.identities
        for tile in state.dig
    )


def _heights(state: TanisState, table: Table) -> Heights | None:
    """After moves whose place nobody saw: the layers on each cell, if the look accounts for every tile that is left."""
    if not state.unplaced:
        return None
    layers = [0] * (COLUMNS * ROWS)
    for piece in dig_pieces(table):
        if not piece.identities or piece.confidence < ENOUGH:
            return None
        for (column, row), seen in zip(piece.cells, piece.seen, strict=False):
            if seen:
                layers[row * COLUMNS + column] = piece.level
    if sum(layers) != 2 * (len(TILES) - len(taken(state))):
        return None
    found = Heights(tuple(layers))
    try:
        rules.apply(state, found)
    except WrongReveal:
        return None
    return found
