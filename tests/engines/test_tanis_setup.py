"""Components and set-up of Tanis."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from engines.catalogue import MEASURES, shipped
from engines.tanis import reading, rules
from engines.tanis.dealing import buried, deal
from engines.tanis.dig import CELLS, PAIRS
from engines.tanis.moves import Expert, Take
from engines.tanis.packing import bricks, fillings, layers
from engines.tanis.state import TILES, Cards
from tests.digs import refused, world
from tests.rules import rule

CATALOG = shipped("tanis")


@rule("P1", "S8", "T2")
def test_the_box_is_the_dig_of_four_by_five_cells() -> None:
    dig = reading.layout(2, {}).zone("dig")
    assert (dig.columns, dig.rows, dig.levels) == (4, 5, 4)
    assert len(CELLS) == 20 and len(PAIRS) == 31
    assert (CATALOG["dig.columns"], CATALOG["dig.rows"], CATALOG["dig.levels"]) == (4, 5, 4)
    assert CATALOG["dig.wall"] == dig.wall


@rule("P2")
def test_forty_tiles_of_four_signs() -> None:
    assert len(set(TILES)) == 40
    assert Counter(tile.split("-")[0] for tile in TILES) == {
        "snake": 10,
        "ankh": 10,
        "falcon": 10,
        "scarab": 10,
    }
    assert {int(tile.split("-")[1]) for tile in TILES} == set(range(1, 11))
    assert {
        f"{sign}-{number}" for sign in CATALOG["tiles.signs"] for number in CATALOG["tiles.numbers"]
    } == set(TILES)
    assert refused(rules.start(2, 0, {}), Take(0, "falcon-11")).rule == "P2"


@rule("P3", "S1", "S2", "T1", "T12")
def test_both_players_begin_with_six_open_cards() -> None:
    state = rules.start(2, 1, {})
    assert state.cards == (Cards(3, 2, 1), Cards(3, 2, 1))
    assert {card: CATALOG[f"cards.{card}"] for card in ("explorer", "excavator", "expert")} == {
        "explorer": 3,
        "excavator": 2,
        "expert": 1,
    }
    cards = [piece for piece in deal(1, 2, 0, {}).setup() if piece.zone.startswith("cards")]
    assert Counter((piece.zone, piece.identity) for piece in cards) == {
        ("cards-1", "blue-explorer"): 3,
        ("cards-1", "blue-excavator"): 2,
        ("cards-1", "blue-expert"): 1,
        ("cards-2", "red-explorer"): 3,
        ("cards-2", "red-excavator"): 2,
        ("cards-2", "red-expert"): 1,
    }


@rule("P4", "P5", "T11")
def test_reference_cards_and_tools_are_no_part_of_the_state() -> None:
    faces = {face.identity for face in reading.layout(2, {}).faces}
    assert faces == set(TILES) | {
        f"{colour}-{card}" for colour in ("blue", "red") for card in ("explorer", "excavator", "expert")
    }


def test_the_mat_and_the_rules_are_built_on_the_numbers_of_the_catalogue() -> None:
    for kind, pieces in (("tile", "tiles"), ("card", "cards")):
        size = next(one for one in reading.layout(2, {}).kinds if one.name == kind)
        said = [CATALOG[f"{pieces}.{side}"] for side in ("width", "height", "thickness")]
        assert said == [size.width, size.height, size.thickness]
    # So none of them can be given by an owner, and none is asked about.
    assert all(number.fixed and number.source for number in CATALOG.numbers.values())
    assert CATALOG.unverified == () and not CATALOG.house
    assert {number.form for number in CATALOG.numbers.values()} > MEASURES - {"spots"}


@rule("S3", "T6")
def test_the_seed_shuffles_the_tiles() -> None:
    digs = [buried(seed, "brick") for seed in range(20)]
    assert buried(7, "brick") == buried(7, "brick")
    tops = [tuple(sorted(tile for tile, place in dig.items() if place.level == 4)) for dig in digs]
    assert len(set(tops)) == 20
    # Nothing of the dig is known before it shows.
    assert rules.start(2, 0, {}).dig == ()


@rule("S4", "S5", "S6", "T3")
@pytest.mark.parametrize("packing", ["brick", "random"])
def test_four_layers_of_ten_and_no_tile_exactly_on_another(packing: str) -> None:
    for seed in range(60):
        dig = buried(seed, packing)
        for level in range(1, 5):
            layer = [place for place in dig.values() if place.level == level]
            assert len(layer) == 10
            assert sorted(cell for place in layer for cell in place.cells) == sorted(CELLS)
        for one, other in itertools.combinations(dig.values(), 2):
            assert abs(one.level - other.level) != 1 or set(one.cells) != set(other.cells)


@rule("T3")
def test_packings() -> None:
    assert len(fillings()) == 95 and len(set(fillings())) == 95
    assert not bricks()[0] & bricks()[1]
    pairs = sum(1 for one, other in itertools.combinations(fillings(), 2) if not one & other)
    assert pairs == 146
    import random

    brick = layers(random.Random(1), "brick")
    assert brick[0] == brick[2] and brick[1] == brick[3] and set(brick) == set(bricks())
    seen = {filling for seed in range(200) for filling in layers(random.Random(seed), "random")}
    assert len(seen) > 60
    with pytest.raises(ValueError, match="brick or random"):
        layers(random.Random(1), "tower")


@rule("S7", "S8", "O1")
def test_the_set_up_shows_the_ten_tiles_of_the_top_layer_and_each_take_shows_more() -> None:
    table = deal(5, 2, 0, {})
    top = {tile for tile, place in table.lying.items() if place.level == 4}
    assert {place.tile for place in table.state.dig} == top and len(top) == 10
    table.play(Take(0, min(top)))
    below = [place for place in table.state.dig if place.level == 3]
    assert len(below) == 2
    assert all((place.number is None) != (place.sign is None) for place in below)


@rule("T5")
def test_each_half_shows_its_own_part_and_a_tile_may_lie_either_way() -> None:
    ways = Counter(place.number_cell < place.sign_cell for place in buried(3, "brick").values())
    assert ways[True] > 8 and ways[False] > 8
    table = world(
        {
            tile: place
            for tile, place in deal(2, 2, 0, {}).lying.items()
            if place.level < 3 or set(place.cells) == {(0, 0), (1, 0)}
        }
    )
    for place in table.state.dig:
        heights = dict(zip(CELLS, table.state.heights, strict=True))
        assert (place.number is not None) == (heights[place.number_cell] == place.level)
        assert (place.sign is not None) == (heights[place.sign_cell] == place.level)


@rule("G1", "T7")
def test_either_player_may_begin() -> None:
    for first in (0, 1):
        state = rules.start(2, first, {})
        assert rules.to_move(state) == state.first == first
    for players, first in ((1, 0), (3, 0), (2, 2)):
        with pytest.raises(ValueError, match="two players"):
            rules.start(players, first, {})
    with pytest.raises(ValueError, match="floor_supports is one of no, yes"):
        rules.start(2, 0, {"floor_supports": "maybe"})


@rule("T1")
def test_no_card_but_the_basic_ones_can_be_played() -> None:
    moves = {type(move).__name__ for move in rules.legal_moves(deal(1, 2, 0, {}).state)}
    assert moves <= {"Take", "Explorer", "Excavator", "Expert"}
    assert Expert(0) in rules.legal_moves(deal(1, 2, 0, {}).state)
