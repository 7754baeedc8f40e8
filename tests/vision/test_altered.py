"""A small part that shows something else is seen; light, shadow, blur, a bend and a cover are not held against a face."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.detail import fitted
from vision.reading.altered import NOWHERE, altered
from vision.reading.altered import odd as odds

OPEN = np.ones((15, 10), np.float32)
LARGE = (320, 480)


def face(digit: str) -> NDArray[np.uint8]:
    """A card with a picture, a digit and a small sign, (480, 320, 3)."""
    rng = np.random.default_rng(5)
    card = np.full((LARGE[1], LARGE[0], 3), (214, 230, 236), np.uint8)
    noise = rng.integers(40, 220, (6, 6, 3)).astype(np.uint8)
    card[40:260, 40:280] = cv2.resize(noise, (240, 220), interpolation=cv2.INTER_CUBIC)
    cv2.putText(card, digit, (60, 400), cv2.FONT_HERSHEY_SIMPLEX, 4.0, (60, 30, 120), 14, cv2.LINE_AA)
    cv2.circle(card, (240, 370), 34, (40, 110, 30), -1, cv2.LINE_AA)
    return card


def framed(card: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(card, (160, 240), interpolation=cv2.INTER_AREA), np.uint8)


def seen(
    card: NDArray[np.uint8], light: float = 1.0, edge: float = 1.0, blur: float = 2.0
) -> NDArray[np.uint8]:
    """A photo of it: light, a shadow with an edge, blur, a bend of a px or two, grain."""
    rng = np.random.default_rng(7)
    across, down = np.meshgrid(np.arange(LARGE[0], dtype=np.float32), np.arange(LARGE[1], dtype=np.float32))
    bent = cv2.remap(
        card,
        across + 5 * np.sin(down / 160),
        down + 5 * np.cos(across / 130),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lit = (
        bent
        * np.float32(light)
        * np.where(across + 0.4 * down > 260, edge, 1.0).astype(np.float32)[..., None]
    )
    lit = cv2.GaussianBlur(lit, (0, 0), blur) + rng.normal(0, 3, lit.shape)
    return framed(np.clip(lit, 0, 255).astype(np.uint8))


def odd(crop: NDArray[np.uint8], own: NDArray[np.uint8], visible: NDArray[np.float32] = OPEN) -> float:
    return float(altered(odds(crop[None], fitted(crop, own)[None], visible[None]))[0])


def test_another_digit_is_odder_than_any_light() -> None:
    own = framed(face("6"))
    lights = ((1.0, 1.0, 2.0), (0.5, 1.0, 2.0), (0.9, 0.95, 3.0), (0.8, 1.0, 5.0))
    most = max(odd(seen(face("6"), light, edge, blur), own) for light, edge, blur in lights)
    for other in map(face, "1378"):
        for light, blur in ((1.0, 2.0), (0.6, 3.0)):
            assert odd(seen(other, light, 1.0, blur), own) > most + 1


def test_what_is_covered_says_nothing() -> None:
    own = framed(face("6"))
    hidden = OPEN.copy()
    hidden[8:] = 0
    assert odd(seen(face("3")), own, hidden) < odd(seen(face("3")), own) - 1
    assert odd(seen(face("3")), own, 0 * OPEN) < NOWHERE + 4


def test_a_face_that_lies_a_little_off_is_laid_on_the_photo() -> None:
    own = framed(face("6"))
    moved = np.array([[1.01, 0.004, 2.0], [-0.004, 0.99, -1.5]], np.float32)
    off = np.asarray(
        cv2.warpAffine(seen(face("6")), moved, (160, 240), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    inner = (slice(20, -20), slice(16, -16))
    before, after = (
        np.abs(other[inner].astype(int) - off[inner]).mean() for other in (own, fitted(off, own))
    )
    assert after < 0.75 * before


def test_plain_pictures_are_compared_without_a_fault() -> None:
    plain = np.full((240, 160, 3), 200, np.uint8)
    black, white = np.zeros_like(plain), np.full_like(plain, 255)
    for one in (plain, black, white):
        for other in (plain, black, white):
            assert np.isfinite(odd(one, other))
    none = np.zeros((0, 240, 160, 3), np.uint8)
    assert altered(odds(none, none, OPEN[None][:0])).shape == (0,)
