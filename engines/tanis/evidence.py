"""What differs between a state and a table, before anybody asks which moves may be behind it.

A reader is not perfect: it leaves pieces out, reads only half of one, or takes one for another. So each thing
that differs is given the weight it deserves, and what the box cannot hold (a tile twice) is called a misreading.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from engines.table import Cell, Piece, Table
from engines.tanis.expect import (
    NUMBER_OF,
    agrees,
    cards_left,
    dig_pieces,
    height,
    is_setup,
    on_top,
    shows,
    taken,
)
from engines.tanis.state import TILES, DigTile, TanisState
from engines.tanis.zones import CARD_ZONES, COLOURS, DIG, PILE_ZONES, inside

Place = Literal["here", "turned", "vague", "slid", "covered", "gone", "bare", "unseen", "doubtful"]
"""What became of a tile of the dig: at its place; there, but the other way round; only a half
shows, alike, but of a tile that lies another way; elsewhere in the dig; under a tile that slid; something else shows
at its place; nothing was read there, where only the floor would show; nothing was read there, where other tiles would show; something else was read with exactly its outline (a misreading)."""

OUT = 2
"""Index of the removed tiles in PILE_ZONES."""

MOST_AWAY = 3
"""More cards of one player than this are not put away at once: something lies on them."""

SURE = 0.6
"""When a card is missed, every other card of its zone must be read at least this surely before anybody is accused."""

LIKELY_GONE: tuple[Place, ...] = ("gone", "bare", "unseen", "doubtful", "vague")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A tile that is new in a pile. ``options`` are what it can be, likeliest first; ``sure`` when the first is beyond doubt."""

    pile: int
    options: tuple[str, ...]
    sure: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    arrivals: tuple[Arrival, ...]
    slid: tuple[tuple[DigTile, tuple[Cell, Cell]], ...]
    drifted: tuple[tuple[DigTile, str, tuple[Cell, Cell]], ...]
    """Half known tiles that may have been uncovered and then slid: (tile, what it would be, where it would lie now)."""
    vanished: tuple[DigTile, ...]
    """Completely known tiles that left the dig for no pile."""
    places: tuple[tuple[DigTile, Place], ...]
    """Every tile of the dig that should show at least one half."""
    strayed: tuple[tuple[str, int, int], ...]
    """(tile, pile it belongs to, pile it lies in)."""
    back: tuple[str, ...]
    """Collected or removed tiles that lie in the dig again."""
    missing: tuple[tuple[str, int], ...]
    """(tile, pile): collected tiles that no piece in their pile can be."""
    riddles: tuple[int, ...]
    """Piles in which a piece too many lies that cannot be told."""
    cards_away: tuple[tuple[str, ...], tuple[str, ...]]
    """Per seat the cards that are gone from the table though the state still has them."""
    cards_extra: tuple[tuple[str, ...], tuple[str, ...]]
    """Per seat the used cards that still lie there."""
    cards_read: tuple[bool, bool]
    cards_gone: tuple[str | None, str | None]
    """Per seat the one card that is gone from a zone in which all others were read without a doubt."""


def gather(state: TanisState, table: Table) -> Evidence:
    """Everything on the table that is not as the state says."""
    places = tile_places(state, Sight.of(table))
    became = dict(places)
    here = {tile.tile for tile, place in places if place in ("here", "turned", "slid") and tile.tile}
    in_dig = {piece.identity for piece in dig_pieces(table) if piece.identity}
    sorted_piles = [_sort_pile(state, table, pile, here, became) for pile in range(len(PILE_ZONES))]
    belongs = {tile: pile for pile, tiles in enumerate(_recorded(state)) for tile in tiles}
    in_pile = [{piece.identity for piece in table.within(zone)} for zone in PILE_ZONES]

    arrivals: list[Arrival] = []
    strayed: list[tuple[str, int, int]] = []
    missing: list[tuple[str, int]] = []
    puzzles: list[tuple[int, tuple[str, ...]]] = []
    for pile, (came, puzzling, absent) in enumerate(sorted_piles):
        for tile in came:
            home = belongs.get(tile)
            if home is None:
                arrivals.append(Arrival(pile, (tile,), True))
            elif PILE_ZONES[home] not in table.unread and tile not in in_pile[home]:
                strayed.append((tile, home, pile))
        puzzles += [(pile, identities) for identities in puzzling]
        missing += [(tile, pile) for tile in absent]

    arrivals = _once(state, table, arrivals)
    sure = {arrival.options[0] for arrival in arrivals}
    known = {tile.tile for tile in state.dig}
    gone = [
        tile for tile, place in places if tile.tile and place in ("gone", "bare") and tile.tile not in sure
    ]
    # A tile read in a pile that nobody ever saw in the dig may well be one that did leave the dig, misread.
    arrivals = [
        arrival
        if arrival.options[0] in known
        else Arrival(arrival.pile, (*arrival.options, *_names(gone)), arrival.sure)
        for arrival in arrivals
    ]
    riddles: list[int] = []
    for pile, identities in puzzles:
        options, certain = _resolve(state, identities, places, sure)
        if options:
            arrivals.append(Arrival(pile, options, certain))
        else:
            riddles.append(pile)
    cards = [_cards(state, table, seat) for seat in range(len(COLOURS))]
    strays = {tile for tile, _, _ in strayed}
    return Evidence(
        arrivals=tuple(arrivals),
        slid=_slid(table, places, "explorer" in cards[state.to_move][0]),
        drifted=_drifted(state, table, places),
        vanished=tuple(tile for tile in gone if on_top(state, tile)),
        places=places,
        strayed=tuple(strayed),
        back=tuple(
            sorted(
                tile
                for tile in taken(state) & in_dig
                if tile not in in_pile[belongs[tile]] and PILE_ZONES[belongs[tile]] not in table.unread
            )
        ),
        missing=tuple((tile, pile) for tile, pile in missing if tile not in strays),
        riddles=tuple(riddles),
        cards_away=(cards[0][0], cards[1][0]),
        cards_extra=(cards[0][1], cards[1][1]),
        cards_read=(cards[0][2], cards[1][2]),
        cards_gone=(_gone(table, 0, *cards[0]), _gone(table, 1, *cards[1])),
    )


@dataclass(frozen=True, slots=True)
class Sight:
    """A table prepared for questions about its dig."""

    read: bool
    pieces: tuple[Piece, ...]
    elsewhere: dict[str | None, frozenset[Cell]]
    """The outline at which each identity was read in the dig; an empty one for those read in a pile."""
    seen_at: dict[Cell, list[Piece]]

    @classmethod
    def of(cls, table: Table) -> Sight:
        pieces = dig_pieces(table)
        elsewhere: dict[str | None, frozenset[Cell]] = {
            piece.identity: frozenset()
            for zone in PILE_ZONES
            for piece in table.within(zone)
            if piece.identity
        }
        elsewhere |= {piece.identity: frozenset(piece.cells) for piece in pieces if piece.identity}
        seen_at: dict[Cell, list[Piece]] = {}
        for piece in pieces:
            for cell, seen in zip(piece.cells, piece.seen, strict=True):
                if seen:
                    seen_at.setdefault(cell, []).append(piece)
        return cls(DIG not in table.unread, pieces, elsewhere, seen_at)


def tile_places(state: TanisState, sight: Sight) -> tuple[tuple[DigTile, Place], ...]:
    """What became of every tile of the dig of which a half should show; nothing when the dig was not read."""
    if not sight.read:
        return ()
    buried = [tile for tile in state.dig if not any(shows(state, tile))]
    lying = frozenset(frozenset(tile.cells) for tile in state.dig if any(shows(state, tile)))
    result: list[tuple[DigTile, Place]] = []
    for tile in state.dig:
        halves = shows(state, tile)
        if any(halves):
            result.append((tile, _place(tile, halves, sight, buried, lying)))
    slid = {tile.tile for tile, place in result if place == "slid"}
    return tuple(
        (tile, "covered" if place == "gone" and _under(tile, state, sight.seen_at, slid) else place)
        for tile, place in result
    )


def fits(piece: Piece, tile: DigTile) -> bool:
    """Whether what was read of a piece does not contradict what is known of a tile."""
    known = [identity for identity in piece.identities if identity in NUMBER_OF]
    return not known or any(agrees(identity, tile) for identity in known)


def _place(
    tile: DigTile,
    halves: tuple[bool, bool],
    sight: Sight,
    buried: list[DigTile],
    lying: frozenset[frozenset[Cell]],
) -> Place:
    seen_at = sight.seen_at
    outline = frozenset(tile.cells)
    same = [piece for piece in sight.pieces if frozenset(piece.cells) == outline]
    other = sight.elsewhere.get(tile.tile, outline) if tile.tile else outline
    alike = [piece for piece in same if fits(piece, tile)]
    if any(not piece.identities for piece in same) and not any(o.cells == tile.cells for o in buried):
        return "here"
    # What shows only a part of the face may be another tile with that part, when this one was read whole elsewhere.
    if any(other == outline or piece.identity == tile.tile for piece in alike):
        over = all(piece.cells != tile.cells and piece.identity and all(piece.seen) for piece in alike)
        return "turned" if over and all(halves) else "here"
    visible = [(part, cell) for part, cell in enumerate(tile.cells) if halves[part]]
    vacated = any(piece not in alike for _, cell in visible for piece in seen_at.get(cell, ()))
    if other and other != outline:
        # Read exactly where another tile is known to lie, with nothing new at its own place: that one misread.
        return "unseen" if other in lying and not vacated and tile.level > 1 else "slid"
    if alike:
        return "gone"
    if any(other.cells == tile.cells and fits(piece, other) for piece in same for other in buried):
        return "gone"
    if same:
        return "doubtful"
    if not all(halves) and other == outline:
        # The half that shows may be read right and the direction of the buried half wrong.
        for part, cell in visible:
            for piece in seen_at.get(cell, ()):
                if piece.cells[part] == cell and piece.seen[part] and piece.identities and fits(piece, tile):
                    return "vague"
    if vacated:
        return "gone"
    return "bare" if tile.level == 1 else "unseen"


def _under(tile: DigTile, state: TanisState, seen_at: dict[Cell, list[Piece]], slid: set[str | None]) -> bool:
    """Whether a tile that slid lies on every visible half of this one that shows something else."""
    tops = [seen_at.get(cell, []) for cell, top in zip(tile.cells, shows(state, tile), strict=True) if top]
    shown = [pieces for pieces in tops if pieces]
    return bool(shown) and any(any(piece.identity in slid for piece in pieces) for pieces in shown)


def _slid(
    table: Table, places: tuple[tuple[DigTile, Place], ...], exploring: bool
) -> tuple[tuple[DigTile, tuple[Cell, Cell]], ...]:
    """Where tiles of the dig lie now. One that only lies the other way round was perhaps read so before: it counts while
    an Explorer is played."""
    moved: list[tuple[DigTile, tuple[Cell, Cell]]] = []
    for tile, place in places:
        if place != "slid" and not (place == "turned" and exploring):
            continue
        found = [p for p in dig_pieces(table) if p.identity == tile.tile]
        best = max(found, key=lambda piece: piece.confidence)
        if inside(best.cells[0], best.cells[1]):
            moved.append((tile, (best.cells[0], best.cells[1])))
    return tuple(moved)


def _drifted(
    state: TanisState, table: Table, places: tuple[tuple[DigTile, Place], ...]
) -> tuple[tuple[DigTile, str, tuple[Cell, Cell]], ...]:
    known = {tile.tile for tile in state.dig} | taken(state)
    whole = [
        piece
        for piece in dig_pieces(table)
        if piece.identity in NUMBER_OF and piece.identity not in known and all(piece.seen)
    ]
    found: list[tuple[DigTile, str, tuple[Cell, Cell]]] = []
    for tile, place in places:
        if tile.tile is not None or place not in LIKELY_GONE:
            continue
        for piece in whole:
            cells = piece.cells[0], piece.cells[1]
            if piece.identity and agrees(piece.identity, tile) and cells != tile.cells and inside(*cells):
                found.append((tile, piece.identity, cells))
    return tuple(found)


def _recorded(state: TanisState) -> tuple[tuple[str, ...], ...]:
    return (*state.collected, state.removed)


def _names(tiles: list[DigTile]) -> tuple[str, ...]:
    return tuple(tile.tile for tile in tiles if tile.tile)


def _sort_pile(
    state: TanisState, table: Table, pile: int, here: set[str], became: dict[DigTile, Place]
) -> tuple[list[str], list[tuple[str, ...]], list[str]]:
    """The pieces of a pile against the record: (new and known, new and not known, not found).

    Pieces that cannot be told are first taken for recorded tiles that were not found. When no more pieces lie
    there than are recorded, an unknown face is a recorded tile misread, unless that very tile left the dig.
    """
    zone = PILE_ZONES[pile]
    if zone in table.unread:
        return [], [], []
    recorded = set(_recorded(state)[pile])
    pieces = [piece for piece in table.within(zone) if piece.kind == "tile"]
    by_confidence = sorted(pieces, key=lambda piece: -piece.confidence)
    found: set[str] = set()
    came: list[str] = []
    puzzling: list[tuple[str, ...]] = []
    for piece in by_confidence:
        identity = piece.identity
        if identity is None:
            puzzling.append(piece.identities)
        elif identity in found or identity in came or identity not in TILES:
            puzzling.append(())
        elif identity in recorded:
            found.add(identity)
        elif identity in here:
            puzzling.append(())
        else:
            came.append(identity)
    absent = sorted(recorded - found)
    for identities in sorted(puzzling, key=lambda options: len(options) or len(TILES)):
        match = next((tile for tile in absent if not identities or tile in identities), None)
        if match is not None:
            absent.remove(match)
            puzzling.remove(identities)
    left = {tile.tile: place for tile, place in became.items()}
    surplus = len(pieces) - len(recorded)
    others = set(taken(state)) - recorded
    truly = [tile for tile in came if left.get(tile) in ("gone", "bare", "unseen") or tile in others]
    maybe = [tile for tile in came if tile not in truly]
    maybe.sort(key=lambda tile: left.get(tile) not in LIKELY_GONE)
    room = max(0, surplus - len(truly))
    came, misread = truly + maybe[:room], maybe[room:]
    room -= min(room, len(maybe))
    for _ in misread:
        if absent:
            absent.pop()
    return came, puzzling[: max(room, 0)], absent


def _once(state: TanisState, table: Table, arrivals: list[Arrival]) -> list[Arrival]:
    """A tile read as new in two piles came to the one that holds more pieces than before; the other reading is wrong."""
    recorded = _recorded(state)
    kept: dict[str, tuple[int, Arrival]] = {}
    for arrival in arrivals:
        pile = arrival.pile
        surplus = len(table.within(PILE_ZONES[pile])) - len(recorded[pile])
        rival = kept.get(arrival.options[0])
        if rival is None or surplus > rival[0]:
            kept[arrival.options[0]] = surplus, arrival
        elif surplus == rival[0]:
            kept[arrival.options[0]] = surplus, Arrival(rival[1].pile, rival[1].options, False)
    return [arrival for _, arrival in kept.values()]


def _resolve(
    state: TanisState,
    identities: tuple[str, ...],
    places: tuple[tuple[DigTile, Place], ...],
    sure: set[str],
) -> tuple[tuple[str, ...], bool]:
    """What a piece that cannot be told may be, from what left the dig: (options, whether there is no doubt)."""
    for wanted in (("gone", "bare"), ("unseen", "doubtful")):
        options: list[str] = []
        for tile, place in places:
            if place in wanted and on_top(state, tile) and tile.tile and tile.tile not in sure:
                options.append(tile.tile)
        fitting = [option for option in options if not identities or option in identities]
        if fitting:
            return tuple(fitting), len(fitting) == 1 and "gone" in wanted
    return (), False


def _cards(state: TanisState, table: Table, seat: int) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """(cards gone though unused, cards there though used, whether the zone was read) of a seat."""
    if CARD_ZONES[seat] in table.unread:
        return (), (), False
    colour = COLOURS[seat]
    pieces = [piece for zone in CARD_ZONES for piece in table.within(zone)]
    names = [piece.identity for piece in pieces if piece.identity]
    seen = Counter(name.removeprefix(f"{colour}-") for name in names if name.startswith(f"{colour}-"))
    unknown = sum(piece.identity is None for piece in table.within(CARD_ZONES[seat]))
    left = Counter(cards_left(state.cards[seat]))
    away = left - seen
    if unknown:
        kinds = [card for card, copies in away.items() if copies]
        rest = max(0, sum(away.values()) - unknown)
        # A card that cannot be told may be any of those not seen: only a single kind stays beyond doubt.
        away = Counter({kinds[0]: rest}) if len(kinds) == 1 and rest else Counter()
    extra = seen - left
    if sum(away.values()) > MOST_AWAY and not is_setup(state):
        return (), (), False
    return tuple(sorted(away.elements())), tuple(sorted(extra.elements())), True


def _gone(
    table: Table, seat: int, away: tuple[str, ...], extra: tuple[str, ...], was_read: bool
) -> str | None:
    pieces = [piece for zone in CARD_ZONES for piece in table.within(zone)]
    sure = all(piece.identity is not None and piece.confidence >= SURE for piece in pieces)
    strange = any(not str(p.identity).startswith(COLOURS[seat]) for p in table.within(CARD_ZONES[seat]))
    return away[0] if was_read and sure and not strange and not extra and len(away) == 1 else None


WEIGHTS: dict[Place, float] = {
    "here": 0.0,
    "turned": 0.0,
    "vague": 0.2,
    "slid": 1.0,
    "covered": 1.0,
    "gone": 1.0,
    "bare": 0.6,
    "unseen": 0.3,
    "doubtful": 0.8,
}
"""How much each of these speaks against a state."""


def standing(state: TanisState, sight: Sight) -> float:
    """How badly the dig of the table fits a state: 0 when it fits; about one per contradiction."""
    if not sight.read:
        return 0.0
    worst = sum(WEIGHTS[place] for _, place in tile_places(state, sight))
    floor = [cell for cell in sight.seen_at if height(state, cell) == 0]
    return worst + sum(len(sight.seen_at[cell]) for cell in floor)
