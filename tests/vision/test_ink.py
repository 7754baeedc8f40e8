"""Ink that is not the face's is seen however soft the photo is; light, shadow, contrast and a cover are not held against it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.network.detail import fitted
from vision.reading.altered import inked
from vision.reading.ink import Contrast, Off, apart, discoloured

OPEN = np.ones((15, 10), np.float32)
PAPER = (226, 238, 242)
GREEN = (70, 130, 40)


def card(count: int = 2, filled: bool = False, ink: tuple[int, int, int] = GREEN) -> NDArray[np.uint8]:
    """A nearly blank card: so many ovals, (480, 320, 3)."""
    picture = np.full((480, 320, 3), PAPER, np.uint8)
    for number in range(count):
        middle = (160, round(240 + (number - (count - 1) / 2) * 110))
        if filled:
            for x in range(80, 240, 14):
                comb = np.zeros(picture.shape[:2], np.uint8)
                cv2.line(comb, (x, 0), (x, 480), 255, 5)
                oval = np.zeros_like(comb)
                cv2.ellipse(oval, middle, (80, 36), 0, 0, 360, 255, -1)
                picture[(comb & oval) > 0] = ink
        cv2.ellipse(picture, middle, (80, 36), 0, 0, 360, ink, 7, cv2.LINE_AA)
    return picture


def framed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(picture, (160, 240), interpolation=cv2.INTER_AREA), np.uint8)


def seen(
    picture: NDArray[np.uint8],
    blur: float = 3.0,
    light: float = 0.85,
    shadow: float = 1.0,
    curve: float = 1.0,
) -> NDArray[np.uint8]:
    """A photo of it: blurred in linear light, lit from one side, a shadow with an edge across a corner, grain."""
    rng = np.random.default_rng(3)
    across, down = np.meshgrid(np.linspace(-1, 1, 320), np.linspace(-1, 1, 480))
    linear = cv2.GaussianBlur((picture.astype(np.float32) / 255) ** 2, (0, 0), blur)
    field = light * (1 + 0.15 * across - 0.1 * down) * np.where(across + down > 0.9, shadow, 1.0)
    lit = np.clip(linear * field[..., None], 0, 1) ** (0.5 * curve) * 255
    return framed(np.clip(lit + rng.normal(0, 2, lit.shape), 0, 255).astype(np.uint8))


def worst(photo: NDArray[np.uint8], own: NDArray[np.uint8], visible: NDArray[np.float32] = OPEN) -> float:
    return float(apart(photo, fitted(photo, own), visible).cells.max())


@pytest.mark.parametrize("blur", [2.0, 4.0, 7.0])
def test_a_filling_is_seen_through_blur(blur: float) -> None:
    own = framed(card())
    assert worst(seen(card(filled=True), blur), own) > 2 * worst(seen(card(), blur), own)
    assert worst(seen(card(filled=True), blur), own) > 2.5


@pytest.mark.parametrize(
    "photo", [seen(card(), light=0.4), seen(card(), shadow=0.75), seen(card(), curve=1.15), seen(card(), 8.0)]
)
def test_light_shadow_curve_and_blur_are_not_held_against_a_face(photo: NDArray[np.uint8]) -> None:
    assert worst(photo, framed(card())) < 2


def test_an_oval_too_many_is_seen_where_it_lies() -> None:
    photo, own = seen(card(3)), framed(card(1))
    off = apart(photo, fitted(photo, own), OPEN).cells
    assert off[6:10].max() > 4 and off[20:24].max() > 4
    assert off[13:17].max() < off.max() / 2


def test_what_is_covered_says_nothing() -> None:
    photo, hidden = seen(card(3)), OPEN.copy()
    hidden[8:] = 0
    off = apart(photo, fitted(photo, framed(card(1))), hidden).cells
    assert not off[16:].any() and off[:14].max() > 4
    assert not apart(photo, photo, 0 * OPEN).cells.any()


def test_what_reaches_in_from_beyond_the_border_is_no_ink() -> None:
    photo, own = seen(card()), framed(card())
    photo[:50, 120:] = 30
    off = apart(photo, fitted(photo, own), OPEN)
    assert off.over[1:6, 15:19].mean() > 0.6 and not off.over[8:].any()
    assert off.cells.max() < 2
    photo[160:174, 72:86] = 30
    assert apart(photo, fitted(photo, own), OPEN).cells[19:23].max() > 4


def test_an_edge_that_is_a_little_off_is_no_ink() -> None:
    photo, own = seen(card()), framed(card())
    photo[10:15, 20:140] = (90, 120, 150)
    off = apart(photo, fitted(photo, own), OPEN)
    assert off.cells.max() < 3.5
    photo[20:40, 60:100] = GREEN
    assert apart(photo, fitted(photo, own), OPEN).cells[2:5].max() > 2


def with_block(colour: tuple[int, int, int], rows: slice, columns: slice) -> Off:
    """A card with one oval on which something lies."""
    photo = seen(card(1))
    photo[rows, columns] = colour
    return apart(photo, fitted(photo, framed(card(1))), OPEN)


def test_a_thing_that_stands_on_a_card_is_no_ink() -> None:
    """A die, a figure, in a colour that the face has nowhere."""
    for where in ((slice(40, 70), slice(70, 100)), (slice(40, 70), slice(4, 34))):
        off = with_block((120, 30, 60), *where)
        assert off.cells.max() < 2 and off.over[5:8].any() and not off.over[10:].any()


def test_what_could_be_printed_is_no_thing() -> None:
    """In the face's ink; as small as a digit; an oval filled with another ink, which lies where the face has its own."""
    assert with_block(tuple(seen(card(1))[120, 42].tolist()), slice(40, 70), slice(70, 100)).cells.max() > 4
    assert with_block((120, 30, 60), slice(40, 56), slice(70, 86)).cells.max() > 4
    own = card(1)
    cv2.ellipse(own, (160, 240), (80, 36), 0, 0, 360, GREEN, -1)
    other = own.copy()
    cv2.ellipse(other, (160, 240), (80, 36), 0, 0, 360, (120, 30, 60), -1)
    off = apart(seen(other), fitted(seen(other), framed(own)), OPEN)
    assert off.cells.max() > 3 and not off.over.any()


def test_looks_and_ink_have_to_agree_about_the_place() -> None:
    looks, ink = np.full((30, 20), -9, np.float32), np.zeros((30, 20), np.float32)
    looks[5, 5], ink[5, 5] = 2, 3
    agreed = inked(looks, ink)
    ink[5, 5], ink[20, 10] = 0, 3
    assert agreed > 6 > 3 > inked(looks, ink)


def test_plain_pictures_are_compared_without_a_fault() -> None:
    pictures = [np.full((240, 160, 3), level, np.uint8) for level in (0, 200, 255)]
    for one in pictures:
        for other in pictures:
            assert np.isfinite(apart(one, other, OPEN).cells).all()


def test_ink_of_another_colour_is_seen_in_thin_strokes() -> None:
    own = framed(card())

    def contrast(ink: tuple[int, int, int], curve: float = 1.0) -> Contrast:
        photo = seen(card(ink=ink), 5.0, curve=curve)
        return apart(photo, fitted(photo, own), OPEN).contrast

    paler = (GREEN[0] + 40, GREEN[1] + 25, GREEN[2] + 45)
    yellow = (GREEN[0], GREEN[1] + 20, GREEN[2] + 150)
    beside = [contrast(GREEN)] * 3
    for curve in (0.9, 1.0, 1.15):
        assert discoloured(contrast(GREEN, curve), beside) < 1.5
    assert discoloured(contrast(paler), beside) < 1.5
    assert discoloured(contrast(yellow), beside) > 2.5


def test_what_channels_do_in_all_of_a_photo_is_no_colour() -> None:
    odd = Contrast(np.array([0.5, -0.1, -0.2], np.float32), np.full(3, 0.05**2, np.float32))
    even = Contrast(np.full(3, -0.1, np.float32), np.full(3, 0.05**2, np.float32))
    assert discoloured(odd, [odd] * 5) < discoloured(odd, []) < discoloured(odd, [even] * 5)
