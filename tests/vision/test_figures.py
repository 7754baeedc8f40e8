"""Figures on a board: told by colour and shape in any light, with neighbours and shadows, and not told when they cannot be."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engines.dealing import Placed
from engines.papyrus.zones import BOARD
from engines.table import Figure, Kind, Square
from hardware.clock import SimulatedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Conditions
from hardware.simulated.table import SimulatedTable
from tests.board_figures import Count, measured
from tests.boards import LAYOUT, drawing, gallery, standing, table
from vision import corners, figures
from vision.evenlight import flattened, log_of
from vision.paints import FigureError
from vision.plane import Picture

SEEKERS = figures.seekers(LAYOUT, gallery().pictures)
PRINTS = {name: seeker.board for name, seeker in SEEKERS.items()}


def read(made: SimulatedTable, conditions: Conditions, change: object = None) -> figures.Reading:
    picture = SimulatedCamera(made, SimulatedClock(), (1536, 864), 1, conditions).capture(0).picture
    found = corners.find(picture, LAYOUT, None, PRINTS)
    assert found is not None
    if callable(change):
        change(picture, found)
    return figures.read(picture, found, SEEKERS[BOARD])[0]


def laid(*figures_on: tuple[str, str]) -> SimulatedTable:
    made = SimulatedTable(
        LAYOUT, [Placed(name, BOARD, square=square) for name, square in figures_on], 1, {BOARD: drawing()}
    )
    made.lay_out()
    return made


def test_figures_are_read_in_every_light() -> None:
    count = measured(range(1), lamps=("dim", "warm", "hard shadows", "soft lens"))
    assert count.wrong == 0 and count.blind == 0
    assert count.right >= 0.95 * (count.right + count.unknown) and count.right > 40


def test_an_empty_board_is_empty() -> None:
    for conditions in (Conditions(light=0.5, warmth=0.7), Conditions(gradient=(0.3, -0.3))):
        assert read(laid(), conditions) == figures.Reading((), False)


def test_all_pawns_at_the_start_are_told_apart() -> None:
    seen = read(
        laid(*((f"pawn-{one}", "horus") for one in ("red", "blue", "yellow", "green", "black"))), Conditions()
    )
    names = Counter(piece.identity for piece in seen.pieces)
    assert all(piece.square == "horus" for piece in seen.pieces)
    assert sum(names.values()) >= 4 and all(names[name] == 1 for name in names if name is not None)


def test_a_strange_colour_is_not_taken_for_a_known_one() -> None:
    odd = replace(LAYOUT, figures=(*LAYOUT.figures, Figure("pawn-purple", "pawn", 12.0, 24.0)))
    made = SimulatedTable(odd, [Placed("pawn-purple", BOARD, square="isis")], 1, {BOARD: drawing()})
    made.lay_out()
    seen = read(made, Conditions())
    assert [(piece.identities, piece.square) for piece in seen.pieces] == [((), "isis")]


def test_the_foot_says_where_a_figure_stands_not_its_head() -> None:
    spots = {"red": "bastet", "blue": "oasis", "yellow": "thoth", "green": "nut"}
    made = laid(*((f"pawn-{colour}", square) for colour, square in spots.items()))
    feet = {body.identity: (body.x, body.y) for body in made.within(BOARD)}
    pieces = read(made, Conditions()).pieces
    assert {(piece.identity, piece.square) for piece in pieces} == {
        (f"pawn-{colour}", square) for colour, square in spots.items()
    }
    for piece in pieces:
        assert piece.identity is not None
        x, y = feet[piece.identity]
        assert np.hypot(piece.x - x, piece.y - y) < 2.5


def test_what_stands_on_the_score_track_is_told_by_its_colour_and_is_no_pawn() -> None:
    """A scorekeeper may look like a pawn: there is one pawn of each colour, and it stands elsewhere."""
    zone = LAYOUT.zone(BOARD)
    track = tuple(
        Square(f"track-{at}", zone.x + 60.0 + 22.0 * at, zone.y + zone.height - 9.0, 18.0, "scorekeeper")
        for at in range(20)
    )
    keepers = tuple(Figure(f"scorekeeper-{colour}", "scorekeeper", 10.0, 10.0) for colour in ("red", "blue"))
    known = replace(
        LAYOUT,
        zones=(replace(zone, squares=(*zone.squares, *track)),),
        figures=(*LAYOUT.figures, *keepers),
    )
    spots = (("pawn-red", "isis"), ("pawn-blue", "track-3"), ("scorekeeper-red", "track-12"))
    made = SimulatedTable(
        known, [Placed(name, BOARD, square=at) for name, at in spots], 1, {BOARD: drawing()}
    )
    made.lay_out()
    picture = SimulatedCamera(made, SimulatedClock(), (2304, 1296), 1, Conditions()).capture(0).picture
    found = corners.find(picture, known, None, PRINTS)
    assert found is not None
    seen, _ = figures.read(picture, found, figures.seekers(known, gallery().pictures)[BOARD])
    assert {(piece.identity, piece.kind, piece.square) for piece in seen.pieces} == {
        ("pawn-red", "pawn", "isis"),
        ("scorekeeper-blue", "scorekeeper", "track-3"),
        ("scorekeeper-red", "scorekeeper", "track-12"),
    }


def test_what_lies_across_the_board_blocks_it() -> None:
    def cover(picture: Picture, calibration: object) -> None:
        cv2.rectangle(picture, (560, 130), (800, 300), (120, 150, 190), -1)

    assert read(laid(("pawn-red", "isis")), Conditions(), cover).blocked
    assert not read(laid(("pawn-red", "isis")), Conditions()).blocked


def test_never_more_of_a_figure_than_there_are() -> None:
    odd = replace(LAYOUT, figures=tuple(replace(one, copies=2) for one in LAYOUT.figures))
    made = SimulatedTable(
        odd, [Placed("pawn-red", BOARD, square=one) for one in ("isis", "seth")], 1, {BOARD: drawing()}
    )
    made.lay_out()
    seen = read(made, Conditions())
    assert len(seen.pieces) == 2
    assert sorted(len(piece.identities) for piece in seen.pieces) == [0, 1]


def test_light_is_taken_out_whatever_it_is() -> None:
    board = SEEKERS[BOARD].board.picture
    log = log_of(board)
    x, y = np.meshgrid(np.linspace(-1, 1, board.shape[1]), np.linspace(-1, 1, board.shape[0]))
    light = 0.7 * (1 + 0.25 * x - 0.15 * y)[..., None] * np.array([0.8, 0.95, 1.05])
    toned = 255 * (board / 255.0 * light) ** 1.15
    view = np.clip(toned, 0, 255).astype(np.uint8)
    view[100:200, 300:420] = 20  # something stands there
    left = flattened(view, log) - log
    assert float(np.percentile(np.abs(log_of(view) - log), 95)) > 0.6
    left[90:210, 290:430] = 0
    assert float(np.percentile(np.abs(left[::4, ::4]), 95)) < 0.1


def test_a_missing_sample_is_named() -> None:
    few = {name: picture for name, picture in gallery().pictures.items() if name != "pawn-blue"}
    with pytest.raises(FigureError, match="pawn-blue"):
        figures.seekers(LAYOUT, few)
    assert Count(1, 2, 3).right == 1


@pytest.mark.parametrize("size", [0.8, 1.25])
def test_the_owners_figures_are_measured_by_what_stands_there(size: float) -> None:
    made = table(300)
    for body in made.within(BOARD):
        foot, high = body.kind.width * size, body.kind.thickness * size
        made.place_exactly(replace(body, kind=Kind(body.kind.name, foot, foot, high, ())))
    picture = SimulatedCamera(made, SimulatedClock(), (1536, 864), 300).capture(0).picture
    found = corners.find(picture, LAYOUT, None, PRINTS)
    assert found is not None
    seen, known = figures.read(picture, found, SEEKERS[BOARD])
    assert known.pieces["pawn"][0] == pytest.approx(12.0 * size, rel=0.13)
    there = standing(made)
    told = [(piece.identity, piece.square) for piece in seen.pieces if piece.identity is not None]
    assert all(name in there.get(square, []) for name, square in told)
    assert len(told) >= 0.9 * sum(map(len, there.values()))
