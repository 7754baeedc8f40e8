"""The board as a thing: sizes and places in mm, the owner's own or the printed one."""

from __future__ import annotations

import math

from engines.catalogue import BASES, override
from engines.papyrus.board import split
from engines.papyrus.numbers import numbers
from engines.papyrus.plan import KEEPER, plan, points, read_spots, write_spot, wrong_spot
from engines.papyrus.zones import BOARD, layout

HOUSE = BASES["house"]("papyrus")


def test_the_printed_board_has_every_place_where_a_pawn_can_stop_and_fits_on_a2() -> None:
    board = plan(HOUSE)
    assert not board.own and board.width <= 594 and board.height <= 420
    assert [square.name for square in board.squares] == list(split(numbers(HOUSE).board).places)
    for square in board.squares:
        assert square.size / 2 <= square.x <= board.width - square.size / 2
        assert square.size / 2 <= square.y <= board.height - square.size / 2


def test_no_two_places_of_the_printed_board_share_ground() -> None:
    squares = plan(HOUSE).squares
    for at, one in enumerate(squares):
        for other in squares[at + 1 :]:
            apart = math.hypot(one.x - other.x, one.y - other.y)
            assert apart >= (one.size + other.size) / 2 - 0.5, (one.name, other.name)


def test_the_owner_tells_where_the_squares_of_the_own_board_lie() -> None:
    given = {"map.width": 500.0, "map.height": 350, "map.squares": ["horus 120 85", "Anubis: 150.5, 85"]}
    own = override(HOUSE, given, "own", "my.toml")
    board = plan(own)
    assert own == HOUSE  # where things lie is no rule: a record made before still fits
    assert (board.width, board.height, board.own) == (500.0, 350.0, True)
    places = {square.name: (square.x, square.y) for square in board.squares}
    assert places == {"horus": (120.0, 85.0), "anubis": (150.5, 85.0)}
    assert all(square.size < 30.5 for square in board.squares)  # neighbours do not share ground


def test_a_board_learned_anew_is_the_one_that_is_played_on() -> None:
    one, other = (
        override(
            HOUSE, {"map.width": 500.0, "map.height": 350, "map.squares": [f"horus {at} 85"]}, "own", "x"
        )
        for at in (120, 180)
    )
    assert layout(2, {}, HOUSE).zone(BOARD).width == 576.0
    assert [layout(2, {}, board).zone(BOARD).squares[0].x for board in (one, other)] == [130.0, 190.0]


def test_the_score_track_lies_between_the_squares_that_were_told() -> None:
    told = ["horus 120 85", "track-0 20 330", "track-10 220 330", "track-14 220 250"]
    given = {"map.width": 500.0, "map.height": 350, "map.squares": told}
    board = plan(override(HOUSE, given, "own", "my.toml"))
    track = {points(one.name): (one.x, one.y) for one in board.squares if one.only}
    assert list(track) == list(range(15)) and board.squares[0].only == ""
    assert track[3] == (80.0, 330.0) and track[10] == (220.0, 330.0) and track[12] == (220.0, 290.0)
    assert all(one.size < 20 for one in board.squares if one.only)
    table = layout(2, {}, override(HOUSE, given, "own", "my.toml"))
    assert [one.identity for one in table.figures if one.kind == KEEPER] == [
        f"{KEEPER}-red",
        f"{KEEPER}-blue",
    ]
    assert not any(one.kind == KEEPER for one in layout(2, {}, HOUSE).figures)


def test_a_line_of_a_square_can_be_written_and_read_back() -> None:
    assert read_spots([write_spot("event-horus-anubis-2", 120.26, 85.0)]) == {
        "event-horus-anubis-2": (120.5, 85.0)
    }
    for line in ("horus", "horus 120", "120 85", "horus 120 -85", ""):
        assert wrong_spot(line) is not None and read_spots([line]) == {}
