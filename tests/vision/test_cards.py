"""Rows, piles and free cards on the mat: read from the top down, told by what shows, and never taken for another card."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.table import Piece, Table
from tests.vision.laid import Laid, gallery, names
from vision.eyes import Eyes

ROW = ("green-4", "red-4", "yellow-1", "yellow-2", "blue-5")


def test_a_row_is_read_whatever_lies_on_what() -> None:
    at = Laid("ankh", 2)
    for number, card in enumerate(ROW):
        at.lay(card, "row-1", 34 + 19 * number, 50, (-2, 1.5, 3, -1, 2)[number])
    assert names(at.read("row-1")) == list(ROW)
    assert at.read("row-1")[0].visible < 0.35 < 0.95 < at.read("row-1")[-1].visible


def test_a_row_laid_from_right_to_left_and_crooked_is_read_too() -> None:
    at = Laid("ankh", 2, seed=3)
    for number, card in enumerate(ROW[:4]):
        at.lay(card, "row-2", 150 - 30 * number, 50, (7, -8, 6, -5)[number])
    assert names(at.read("row-2")) == list(ROW[:4])[::-1]


def test_a_card_lapped_by_another_of_its_face_hides_no_strip() -> None:
    """A Shard a little over a Shard, of which only a strip shows: the lower one is nearly like its face all over, and is not whole."""
    at = Laid("archaeology", 2)
    row = (
        ("talisman", 33, 47.5, 0.0),
        ("coin", 51.1, 46.1, 0.8),
        ("shard", 69.7, 47.7, 2.5),
        ("talisman", 107, 46, 0.0),
    )
    bodies = [at.lay(card, "market-3", x, y, turn) for card, x, y, turn in row]
    assert names(at.read("market-3")) == ["talisman", "coin", "shard", "talisman"]
    at.table.lift(bodies[0])
    at.table.lift(bodies[3])
    at.lay("shard", "market-3", 124.8, 46.1, 359.4)
    at.lay("mask", "market-3", 144, 47.8, 2.4)
    assert names(at.read("market-3")) == ["coin", "shard", "shard", "mask"]


def test_a_covered_card_that_leans_against_the_one_above_is_read_and_all_below_it() -> None:
    at = Laid("ankh", 3)
    row = (
        ("blue-5", 33.1, 48.6, -0.1),
        ("blue-4", 52.6, 50.1, 1.1),
        ("blue-2", 72.0, 50.3, -1.4),
        ("green-2", 90.7, 48.9, 2.0),
    )
    for seed in range(1, 5):
        at = Laid("ankh", 3, seed)
        for card, x, y, turn in row:
            at.lay(card, "row-2", x, y, turn)
        assert names(at.read("row-2")) == [card for card, *_ in row]


def test_cards_upside_down_and_face_down_are_read() -> None:
    at = Laid("ankh", 2, seed=2)
    at.lay("red-3", "row-1", 40, 50, 181)
    at.lay("back", "row-1", 110, 50, 2)
    at.lay("green-5", "row-1", 150, 50, 178)
    assert names(at.read("row-1")) == ["red-3", "back", "green-5"]


def test_of_a_pile_only_the_top_counts() -> None:
    at = Laid("ankh", 2)
    for turn, card in ((1, "blue-1"), (-2, "yellow-5"), (2, "green-2")):
        at.lay(card, "discard", 49 + turn, 50 - turn, turn)
    assert names(at.read("discard")) == ["green-2"]


def test_a_strip_that_could_be_several_cards_is_none_of_them_for_certain() -> None:
    """Of a papyrus only the number and the first wish show; the card that was seen whole before keeps its name."""
    at = Laid("ankh", 2)
    at.lay("red-yellow-blue-green-5", "sacrifice", 75, 50)
    assert names(at.read("sacrifice")) == ["red-yellow-blue-green-5"]
    at.lay("green-1", "sacrifice", 75, 70)
    assert {piece.identity for piece in at.read("sacrifice")} == {"red-yellow-blue-green-5", "green-1"}
    fresh = Eyes(at.layout, at.gallery)
    look = fresh.read(at.camera.capture(0.0).picture, Table())
    assert look.table is not None
    covered = next(piece for piece in look.table.within("sacrifice") if piece.identity != "green-1")
    assert covered.identity is None
    assert set(covered.identities) >= {"red-yellow-blue-green-5", "red-green-yellow-blue-5"}


@pytest.mark.parametrize("strange", ["red-5", "green-blue-yellow-red-3"])
def test_a_card_that_is_not_in_the_gallery_is_nobody(strange: str) -> None:
    at = Laid("ankh", 2)
    at.lay(strange, "row-1", 40, 50, 2)
    known = replace(at.layout, faces=tuple(face for face in at.layout.faces if face.identity != strange))
    at.eyes = Eyes(known, gallery("ankh", 2))
    (piece,) = at.read("row-1")
    assert piece.identities == ()


def test_never_more_of_a_card_than_the_box_holds() -> None:
    at = Laid("ankh", 2)
    papyrus = "blue-green-yellow-red-4"
    assert at.layout.face(papyrus).copies == 1
    at.lay(papyrus, "papyri", 75, 50)
    at.lay(papyrus, "sacrifice", 75, 60)
    look = at.look()
    assert look.table is not None
    assert sum(piece.identity == papyrus for piece in look.table.pieces) == 1


def test_only_what_changed_is_read_again_and_what_left_is_gone() -> None:
    at = Laid("ankh", 2)
    at.lay("green-4", "row-1", 34, 50)
    top = at.lay("red-4", "row-1", 53, 50)
    at.lay("yellow-1", "row-2", 34, 50)
    first = at.look()
    again = at.look()
    assert first.table == again.table
    assert again.ms["row-1"] < 5 and again.ms["row-2"] < 5
    at.table.lift(top)
    assert names(at.read("row-1")) == ["green-4"]
    assert names(at.read("row-2")) == ["yellow-1"]


def test_a_row_that_is_swept_together_is_no_hand() -> None:
    at = Laid("ankh", 2)
    bodies = [at.lay(card, "row-1", 34 + 19 * number, 50) for number, card in enumerate(ROW)]
    for step in range(6):
        at.eyes.watch(at.camera.preview().picture, 0.2 * step)
    at.look()
    for body in bodies:
        at.table.lift(body)
    sights = [at.eyes.watch(at.camera.preview().picture, 2 + 0.2 * step) for step in range(4)]
    assert sights[-1].fault is None and sights[-1].settled and sights[-1].changed


def test_a_glass_on_a_row_leaves_the_zone_unread() -> None:
    at = Laid("ankh", 2)
    for number, card in enumerate(ROW[:3]):
        at.lay(card, "row-1", 34 + 19 * number, 50)
    assert names(at.read("row-1")) == list(ROW[:3])
    picture = at.camera.capture(0.0).picture.copy()
    calibration = at.eyes.calibration
    assert calibration is not None
    zone = at.layout.zone("row-1")
    middle = np.array([[zone.x + 90.0, zone.y + 55.0, 0.0]])
    (x, y) = calibration.project(middle, (picture.shape[1], picture.shape[0]))[0]
    rows, columns = np.mgrid[0 : picture.shape[0], 0 : picture.shape[1]]
    picture[np.hypot(columns - x, rows - y) < 90] = (40, 30, 90)
    look = at.eyes.read(picture, Table())
    assert look.table is not None
    wrong = [piece for piece in look.table.within("row-1") if piece.identity not in (None, *ROW[:3])]
    assert wrong == [] and (look.table.unread == ("row-1",) or len(look.table.within("row-1")) >= 1)
    assert names(at.read("row-1")) == list(ROW[:3]), "and is read again when the glass is gone"


def test_a_table_without_a_mat_lies_where_its_cards_do() -> None:
    at = Laid("archaeology", 3, seed=4)
    assert at.layout.loose
    laid = {}
    for zone in at.layout.zones:
        card = {"site": "back"}.get(zone.name) or ("tent" if zone.name.startswith("tent-") else None)
        card = card or ("back" if zone.name.startswith("chamber-") else None)
        if card is not None:
            laid[zone.name] = at.lay(card, zone.name, zone.width / 2, zone.height / 2, 1.0)
    awaited = Table(
        tuple(Piece((body.identity,), body.kind.name, name, body.x, body.y) for name, body in laid.items())
    )
    look = at.look(awaited)
    assert look.table is not None
    assert {piece.zone: piece.identity for piece in look.table.pieces} == {
        name: body.identity for name, body in laid.items()
    }
    assert all(
        abs(piece.x - laid[piece.zone].x) < 3 and abs(piece.y - laid[piece.zone].y) < 3
        for piece in look.table.pieces
    )
