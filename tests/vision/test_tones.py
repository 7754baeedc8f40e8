"""A plain part of another tone is told from what lamps and cameras do to all tones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.tones import of_photo, parts, tones

OPEN = np.ones((15, 10), np.float32)


def face(band: tuple[int, int, int] = (150, 90, 60)) -> NDArray[np.uint8]:
    """A card of several plain parts: ground, a band, a frame, patches."""
    card = np.full((240, 160, 3), (205, 225, 230), np.uint8)
    cv2.rectangle(card, (12, 12), (147, 52), band, -1)
    for row, colour in enumerate([(40, 40, 160), (60, 140, 70), (30, 30, 30), (190, 150, 110)]):
        cv2.rectangle(card, (16 + 33 * row, 80), (42 + 33 * row, 130), colour, -1)
    cv2.rectangle(card, (20, 150), (140, 220), (120, 190, 200), -1)
    return np.asarray(cv2.GaussianBlur(card, (0, 0), 0.8), np.uint8)


def shaded(share: float) -> NDArray[np.uint8]:
    towards = 0 if share < 0 else 255
    blue, green, red = (round(c * (1 - abs(share)) + towards * abs(share)) for c in (150, 90, 60))
    return face((blue, green, red))


def photo(
    card: NDArray[np.uint8], contrast: float = 1.0, warm: float = 0.0, slope: float = 0.0
) -> NDArray[np.uint8]:
    across = np.linspace(-1, 1, 160, dtype=np.float32)[None, :, None]
    lit = 255 * (card / np.float32(255)) ** contrast * (1 + slope * across)
    lit = lit * np.array([1 - warm, 1, 1 + warm], np.float32) * 0.8
    grain = np.random.default_rng(3).normal(0, 2, lit.shape)
    return np.asarray(np.clip(lit + grain, 0, 255), np.uint8)


LIGHTS = ((1.0, 0.0, 0.0), (0.85, 0.1, 0.2), (1.15, -0.15, -0.3), (0.9, 0.25, 0.0))


def test_light_cast_and_contrast_are_no_other_tone() -> None:
    for light in LIGHTS:
        assert tones(photo(face(), *light), face(), parts(face()), OPEN).off() < 1.2, light


def test_a_band_a_fifth_lighter_or_darker_is_another_tone() -> None:
    for share in (-0.22, 0.22):
        for light in LIGHTS:
            own = tones(photo(face(), *light), face(), parts(face()), OPEN).off()
            assert tones(photo(shaded(share), *light), face(), parts(face()), OPEN).off() > 1.5 * own + 0.4


def test_what_other_pieces_of_the_photo_show_makes_it_plainer() -> None:
    known = [
        tones(photo(face(), 1.15, 0.0, slope), face(), parts(face()), OPEN).camera()
        for slope in (0, 0.1, 0.2)
    ]
    other = tones(photo(shaded(0.2), 1.15), face(), parts(face()), OPEN)
    assert other.off(of_photo(known)) > other.off()
    assert other.off(of_photo(known[:1])) == other.off()


def test_a_face_without_parts_says_nothing() -> None:
    rng = np.random.default_rng(2)
    busy = rng.integers(0, 255, (240, 160, 3)).astype(np.uint8)
    assert tones(busy, busy, parts(busy), OPEN).off() == 0
    assert tones(photo(face()), face(), parts(face()), 0 * OPEN).off() == 0
