"""What burns out: a lamp's reflection is named, the grain of a white table in bright light is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.plane import Picture
from vision.quality import BURNT, _glare


def wood(light: float) -> Picture:
    """A white table, 400 x 240 px of 2 mm, its grain along x, lit best a little above the middle."""
    rng = np.random.default_rng(7)
    grain = cv2.GaussianBlur(rng.normal(0.0, 1.0, (240, 400)), (0, 0), sigmaX=60, sigmaY=1.2)
    down, across = np.mgrid[0:240, 0:400]
    lamp = 12 * ((down - 90) / 120) ** 2 + 16 * ((across - 220) / 200) ** 2
    return np.asarray(np.clip(light + 9 * grain / grain.std() - lamp, 0, 255), np.uint8)


def spots(view: Picture) -> Picture:
    return (view >= BURNT).astype(np.uint8)


@pytest.mark.parametrize("light", [244.0, 246.0, 248.0])
def test_the_grain_of_a_white_table_is_no_reflection(light: float) -> None:
    view = wood(light)
    _, _, stats, _ = cv2.connectedComponentsWithStats(spots(view), connectivity=8)
    assert stats[1:, cv2.CC_STAT_AREA].max() > 100, "nothing burns out that could be taken for a reflection"
    assert _glare(spots(view), view) is None


@pytest.mark.parametrize("size", [(14, 10), (40, 9)])
def test_a_lamp_is_named_on_it_all_the_same(size: tuple[int, int]) -> None:
    view = wood(212.0).astype(np.float64)
    lamp = np.zeros(view.shape)
    cv2.ellipse(lamp, (120, 150), size, 0, 0, 360, 90.0, -1)
    shiny = np.clip(view + cv2.GaussianBlur(lamp, (0, 0), 2), 0, 255).astype(np.uint8)
    found = _glare(spots(shiny), shiny)
    assert found is not None and abs(found[0] - 240) < 12 and abs(found[1] - 300) < 12
