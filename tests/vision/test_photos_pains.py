"""What users of such programs suffer, tried on photos without a mat: docs/pains.md names these tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.print.faces import pictures, sizes
from hardware.simulated.snapshot import Quad, Snapshot, snapshot
from vision.photo import Photo
from vision.plane import Picture
from vision.reading.bank import Bank
from vision.reading.quality import faults
from vision.reading.reader import by_outlines, read
from vision.reading.words import Outlines, Proposal, Reading

Change = Callable[[NDArray[np.float32]], NDArray[np.float32]]
SIZE = (720, 540)
SHOWN = ("snake-6", "snake-9", "falcon-8", "ankh-3", "scarab-10", "red-expert")


@lru_cache(maxsize=1)
def faces() -> Mapping[str, Picture]:
    return {name: face for name, face in pictures("tanis", 7).items() if not name.startswith("back")}


@lru_cache(maxsize=2)
def bank(without: tuple[str, ...] = ()) -> Bank:
    return Bank.of({name: face for name, face in faces().items() if name not in without})


def table(
    seed: int, colour: tuple[int, int, int] = (62, 92, 128), shown: tuple[str, ...] = SHOWN
) -> Snapshot:
    made = {name: faces()[name] for name in shown}
    return snapshot(made, sizes("tanis"), np.random.default_rng(seed), SIZE, colour)


def changed(picture: Picture, change: Change) -> Photo:
    return Photo(np.clip(np.rint(change(picture.astype(np.float32))), 0, 255).astype(np.uint8))


def judged(reading: Reading, truth: Snapshot) -> tuple[int, list[str]]:
    """How many pieces are right: name, and every corner within 6 % of the diagonal; and the names of all others that were told."""
    right, wrong = 0, []
    for found in reading.pieces:
        places = [quad for name, quad in truth.pieces if name == found.identity]
        if any(near(found.quad, quad) for quad in places):
            right += 1
        else:
            wrong.append(found.identity)
    return right, wrong


def near(found: Quad, wanted: Quad) -> bool:
    return float(np.abs(found - wanted).max()) < 0.06 * float(np.linalg.norm(wanted[0] - wanted[2]))


def gain(blue: float, green: float, red: float) -> Change:
    return lambda picture: picture * np.array([blue, green, red], np.float32)


def hard_shadow(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The edge of a lampshade right across the table."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    dark = np.clip((x + 0.6 * y - 0.7 * width) / 3 + 0.5, 0, 1)
    return np.asarray(picture * (1 - 0.45 * dark)[..., None], np.float32)


def slanting(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(picture * np.linspace(0.45, 1.25, picture.shape[1])[None, :, None], np.float32)


@pytest.mark.parametrize(
    ("name", "colour", "change"),
    [
        ("lights on, white table", (225, 230, 232), gain(1, 1, 1)),
        ("lights off, black table", (16, 16, 18), gain(0.35, 0.33, 0.3)),
        (
            "warm lamp from one side, shadow across",
            (60, 110, 70),
            lambda picture: hard_shadow(slanting(gain(0.7, 0.9, 1.15)(picture))),
        ),
    ],
)
def test_light_and_table_do_not_change_the_reading(
    name: str, colour: tuple[int, int, int], change: Change
) -> None:
    """P01, P03, P06, P08. Nothing is told wrongly, in its name or its place; nearly all is told."""
    truth = table(3, colour)
    right, wrong = judged(read(changed(truth.picture, change), bank()), truth)
    assert not wrong, name
    assert right >= len(SHOWN) - 1, name


def test_a_table_like_the_pieces_gives_no_wrong_answer_and_haze_gives_advice() -> None:
    """P02."""
    truth = table(4, (150, 196, 214))
    _, wrong = judged(read(Photo(truth.picture), bank()), truth)
    assert not wrong
    hazy = changed(truth.picture, lambda picture: picture * 0.06 + 120)
    reading = read(hazy, bank())
    assert not judged(reading, truth)[1]
    assert "faint" in [fault.fault for fault in faults(hazy)]


def test_glare_on_a_piece_hides_that_piece_at_most() -> None:
    """P04."""
    truth = table(5)
    middle = truth.pieces[2][1].mean(axis=0)
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    spot = np.exp(-(((x - middle[0]) / 60) ** 2 + ((y - middle[1]) / 45) ** 2) * 1.5)[..., None]
    shiny = changed(truth.picture, lambda picture: picture + 420 * spot.astype(np.float32))
    right, wrong = judged(read(shiny, bank()), truth)
    assert not wrong
    assert right >= len(SHOWN) - 2
    assert "glare" in [fault.fault for fault in faults(shiny)]


def test_sleeves_do_not_change_a_card() -> None:
    """P05. A clear margin with a bright rim, wider below, around every piece."""
    cards = {}
    for name in SHOWN:
        card = faces()[name]
        rim = round(0.05 * min(card.shape[:2]))
        sleeve = cv2.copyMakeBorder(card, rim, 2 * rim, rim, rim, cv2.BORDER_CONSTANT, value=(150, 150, 155))
        cv2.rectangle(sleeve, (0, 0), (sleeve.shape[1] - 1, sleeve.shape[0] - 1), (215, 215, 220), 2)
        cards[name] = np.asarray(sleeve, np.uint8)
    measures = {name: (card.shape[1] / 7, card.shape[0] / 7) for name, card in cards.items()}
    truth = snapshot(cards, measures, np.random.default_rng(6), SIZE)
    reading = read(Photo(truth.picture), bank())
    lying = dict(truth.pieces)
    for found in reading.pieces:
        assert found.identity in lying
        away = np.linalg.norm(found.quad.mean(axis=0) - lying[found.identity].mean(axis=0))
        assert away < 0.1 * np.linalg.norm(lying[found.identity][0] - lying[found.identity][2])
    assert len(reading.pieces) >= len(SHOWN) - 1


def test_similar_faces_are_not_confused() -> None:
    """P18, P19. Numbers that look alike, at any turn, on a bright table."""
    shown = ("snake-6", "snake-9", "ankh-6", "falcon-3", "falcon-8", "ankh-9")
    truth = table(7, (205, 215, 220), shown)
    right, wrong = judged(read(Photo(truth.picture), bank()), truth)
    assert not wrong
    assert right >= len(shown) - 1


def test_faces_that_are_not_enrolled_are_not_taken_for_their_twins() -> None:
    """P20. Every wrong answer would be a legal one: none of what lies there is in the gallery, all other faces are."""
    truth = table(8)
    reading = read(Photo(truth.picture), bank(SHOWN))
    told = [(found.identity, round(found.confidence, 2)) for found in reading.pieces]
    assert len(told) <= 1, told
    assert all(confidence < 0.9 for _, confidence in told), told


def test_half_a_tile_does_not_tell_a_tile() -> None:
    """P20. Galleries of one face that shares its number, or its sign, with a tile that lies there: the other half is no cover."""
    photo = Photo(table(8).picture)
    for name in ("scarab-6", "falcon-9", "snake-8", "scarab-3", "ankh-10", "falcon-3"):
        reading = read(photo, Bank.of({name: faces()[name]}))
        assert not reading.pieces, (name, [found.confidence for found in reading.pieces])


def test_a_thing_that_stands_on_a_tile_costs_little() -> None:
    """P20. Counters of a colour that no tile has, beside number and sign."""
    told = 0
    for seed in (3, 4):
        truth = table(seed)
        picture = truth.picture.copy()
        for _, quad in truth.pieces:
            at = 0.12 * (quad[0] + quad[3]) + 0.38 * (quad[1] + quad[2])
            radius = round(0.11 * float(np.linalg.norm(quad[0] - quad[1])))
            cv2.circle(picture, np.round(at).astype(int).tolist(), radius, (140, 30, 110), -1, cv2.LINE_AA)
        right, wrong = judged(read(Photo(picture), bank()), truth)
        assert not wrong
        told += right
    assert told >= 2 * len(SHOWN) - 2


def test_a_tile_within_many_outlines_is_looked_at() -> None:
    """P19. A tray, a cloth's pattern, a sheet of paper around a piece, one in another."""
    truth = table(3)
    name, quad = truth.pieces[1]
    middle = quad.mean(0)
    around = [
        np.asarray(middle + (quad - middle) * larger, np.float32) for larger in (3.0, 2.3, 1.8, 1.4, 1.0)
    ]
    outlines = Outlines(
        tuple(Proposal(one, "outline", 3.0) for one in around), np.zeros((9, 9), np.uint8), 1.0
    )
    found = by_outlines(Photo(truth.picture), bank(), outlines, [])
    assert [bank().names[piece.row] for piece in found] == [name]


def test_no_picture_makes_reading_raise() -> None:
    """P21. Noise, stripes, next to nothing, odd shapes."""
    rng = np.random.default_rng(1)
    odd = (
        rng.integers(0, 255, (120, 160, 3)),
        np.repeat(rng.integers(0, 255, (1, 160, 3)), 120, 0),
        np.full((24, 24, 3), 255),
        rng.integers(0, 255, (24, 900, 3)),
    )
    for picture in odd:
        reading = read(Photo(picture.astype(np.uint8)), bank())
        assert not reading.pieces


def test_an_empty_table_holds_nothing() -> None:
    """P22. Bare wood, and things that are no pieces: a sheet of paper, a cup, a printed square."""
    colour = (62, 92, 128)
    truth = table(9, colour)
    picture = truth.picture.copy()
    for _, quad in truth.pieces:
        cv2.fillConvexPoly(picture, cv2.convexHull(np.round(quad * 1.0).astype(np.int32)), colour)
    bare = cv2.GaussianBlur(picture, (0, 0), 3)
    assert not read(Photo(np.asarray(bare, np.uint8)), bank()).pieces
    cluttered = np.asarray(bare, np.uint8).copy()
    cv2.rectangle(cluttered, (60, 60), (240, 320), (240, 242, 240), -1)
    cv2.circle(cluttered, (480, 220), 80, (60, 60, 200), -1)
    cv2.rectangle(cluttered, (380, 350), (640, 500), (30, 30, 30), 5)
    assert not read(Photo(cluttered), bank()).pieces
