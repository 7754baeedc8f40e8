"""Our own art: the same everywhere, told apart by shape, and silent where it must be."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
import pytest

from engines.table import Face, Kind
from engines.tanis.reading import CARD, TILE, layout
from hardware.print.faces import INSET, draw_back, draw_face
from hardware.print.shapes import Area, Drawing, curve, ellipse, mirrored, moved, rectangle

LAYOUT = layout(2, {})


def tile(identity: str, px_per_mm: float = 4.0) -> np.ndarray:
    return draw_face(LAYOUT.face(identity), TILE, px_per_mm)


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    """Correlation of two pictures in grey, after a blur as a camera has it."""
    first, second = (
        cv2.GaussianBlur(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), (0, 0), 2).astype(float).ravel()
        for one in (a, b)
    )
    return float(np.corrcoef(first, second)[0, 1])


@pytest.mark.parametrize("px_per_mm", [2.1, 4.0, 12.0])
def test_size_is_the_kind_at_any_scale(px_per_mm: float) -> None:
    assert tile("falcon-7", px_per_mm).shape == (round(44 * px_per_mm), round(22 * px_per_mm), 3)
    assert draw_back(CARD, px_per_mm).shape == (round(48 * px_per_mm), round(32 * px_per_mm), 3)


def test_same_bytes_every_time() -> None:
    assert np.array_equal(tile("snake-3"), tile("snake-3"))


def test_number_half_does_not_tell_the_sign() -> None:
    for number in range(1, 11):
        halves = [tile(f"{sign}-{number}")[:88] for sign in ("snake", "ankh", "falcon", "scarab")]
        assert all(np.array_equal(halves[0], half) for half in halves[1:])


def test_sign_half_does_not_tell_the_number() -> None:
    for sign in ("snake", "ankh", "falcon", "scarab"):
        assert np.array_equal(tile(f"{sign}-1")[88:], tile(f"{sign}-8")[88:])


def test_signs_differ_by_shape_alone() -> None:
    signs = [tile(f"{sign}-1")[88:] for sign in ("snake", "ankh", "falcon", "scarab")]
    for one, other in itertools.combinations(signs, 2):
        assert max(likeness(one, np.rot90(other, k)) for k in (0, 2)) < 0.75


def test_numbers_differ_upright_and_upside_down() -> None:
    """6 and 9, 8 and itself, 1 and 10: the frame is open towards the other half, and 6 and 9 have a line below."""
    halves = {number: tile(f"ankh-{number}")[:88] for number in range(1, 11)}
    for one, other in itertools.combinations(halves, 2):
        assert likeness(halves[one], halves[other]) < 0.96, (one, other)
    for one in halves:
        for other in halves:
            assert likeness(halves[one], np.rot90(halves[other], 2)) < 0.93, (one, other)


def test_frame_runs_round_the_tile_and_is_open_at_the_seam() -> None:
    grey = cv2.cvtColor(tile("scarab-1", 10.0), cv2.COLOR_BGR2GRAY)
    at = round(INSET * 10)
    assert grey[at, 40:180].max() < 90 and grey[440 - at, 40:180].max() < 90
    assert grey[60:180, at].max() < 90 and grey[60:180, 220 - at].max() < 90
    assert grey[216:224, at].min() > 120, "no frame where the halves meet"
    assert grey[218:222, 30:190].min() > 120, "no line along the seam"


def test_card_sets_differ_without_colour() -> None:
    for card in ("explorer", "excavator", "expert"):
        blue, red = (draw_face(LAYOUT.face(f"{colour}-{card}"), CARD, 4.0) for colour in ("blue", "red"))
        assert likeness(blue, red) < 0.85
    cards = [
        draw_face(LAYOUT.face(f"blue-{card}"), CARD, 4.0) for card in ("explorer", "excavator", "expert")
    ]
    for one, other in itertools.combinations(cards, 2):
        assert likeness(one, other) < 0.93


def test_back_is_the_same_either_way_up() -> None:
    back = draw_back(TILE, 6.0)
    assert likeness(back, np.rot90(back, 2)) > 0.9


def test_unknown_face_is_named() -> None:
    with pytest.raises(ValueError, match="no art for mummy"):
        draw_face(Face("mummy", "tile", ("mummy",)), Kind("tile", 22, 44, 4), 4.0)
    with pytest.raises(ValueError, match="from 1 to 10"):
        draw_face(Face("ankh-11", "tile", ("11", "ankh")), TILE, 4.0)


def test_nothing_is_drawn_at_no_scale() -> None:
    with pytest.raises(ValueError, match="px per mm"):
        tile("ankh-1", 0.001)


def test_shapes() -> None:
    assert mirrored(((1.0, 2.0),), 3.0) == ((5.0, 2.0),)
    assert rectangle(1, 2, 3, 4) == ((1, 2), (4, 2), (4, 6), (1, 6))
    (square,) = moved((Area(rectangle(0, 0, 1, 1), (0, 0, 0)),), 5, 6, 2)
    assert isinstance(square, Area) and square.points == ((5, 6), (7, 6), (7, 8), (5, 8))
    assert all(abs(np.hypot(x, y) - 2) < 1e-9 for x, y in ellipse(0, 0, 2, 2))
    path = curve(((0, 0), (1, 1), (2, 0)))
    assert path[0] == (0, 0) and path[-1] == (2, 0) and (1, 1) in path
    assert Drawing(1, 1, (0, 0, 0), ()).shapes == ()
