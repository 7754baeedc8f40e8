"""What is known already is not worked out again, and comes out the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision import stillness
from vision.calibration import Calibration, Lens, Pose
from vision.plane import Samplings, Window, rectify

CALIBRATION = Calibration(Lens(0.77, -0.05, 0.01), Pose((0.02, -0.03, 0.01), (-300.0, -210.0, 620.0)))


def test_a_quiet_preview_is_told_without_a_fit_as_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    ways = []
    for grain, lean, blot in ((0.004, 0.0, 0.0), (0.01, 0.004, 0.0), (0.02, 0.0, 0.05), (0.01, 0.2, 0.1)):
        for _ in range(6):
            one = rng.normal(5.0, 0.3, stillness.BLOCK_SIZE[::-1]).astype(np.float32)
            x = np.linspace(-1, 1, stillness.BLOCK_SIZE[0], dtype=np.float32)
            other = one + rng.normal(0, grain, one.shape).astype(np.float32) + np.float32(lean) * x
            other[10:13, 40:43] += np.float32(blot)
            ways.append((one, other))
    short = [stillness.stir(one, other) for one, other in ways]
    monkeypatch.setattr(stillness, "CALM", 0.0)
    full = [stillness.stir(one, other) for one, other in ways]
    assert all(np.array_equal(one, other) for one, other in zip(short, full, strict=True))
    assert any(one.any() for one in full)


def test_nothing_that_is_called_calm_can_be_stirred() -> None:
    """The bound itself: a plane through values of at most m, weighted as stir weights them, is nowhere higher than LEVER m."""
    most, lever = stillness.CALM, stillness.LEVER
    fine, coarse = stillness._FINE.astype(float), stillness._COARSE.astype(float)
    inverse = np.linalg.inv(coarse.T @ coarse + stillness._STIFF)
    leverage = float(np.einsum("ij,jk,ik->i", fine, inverse, fine).max())
    least = 1 / (1 + ((1 + lever) * most / (stillness.STIR / 3)) ** 2)
    assert np.sqrt(leverage / least * len(coarse)) <= lever


def test_a_known_window_is_seen_as_an_unknown_one_until_the_camera_moves() -> None:
    rng = np.random.default_rng(2)
    window = Window(200.0, 150.0, 120.0, 90.0, 2.0, 10.0, 0.7)
    seen = Samplings()
    for shift in (0.0, 0.0, 12.0):
        x, y, z = CALIBRATION.pose.translation
        there = replace(CALIBRATION, pose=replace(CALIBRATION.pose, translation=(x + shift, y, z)))
        for size in ((1536, 864), (768, 432)):
            picture = rng.integers(0, 255, (size[1], size[0], 3)).astype(np.uint8)
            assert np.array_equal(seen.rectify(picture, window, there), rectify(picture, window, there))
