"""A hand above a board where cards are laid all around it: nothing is read as long as it rests there."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.ankh.zones import layout as ankh
from engines.catalogue import house
from engines.papyrus.zones import BOARD, layout
from vision.calibration import Calibration, Lens, Pose
from vision.quality import Ground, reaches_in
from vision.reach import Reach
from vision.stillness import BLOCK_SIZE, stir

LAYOUT = layout(4, {}, house("papyrus"))
ABOVE = Calibration(Lens(0.8), Pose((0.0, 0.0, 0.0), (-LAYOUT.width / 2, -LAYOUT.height / 2, 1050.0)))


def stirred(*shapes: tuple[tuple[float, float], ...]) -> NDArray[np.bool_]:
    """The blocks of a preview that shapes (mm on the table) cover."""
    mask = np.zeros((BLOCK_SIZE[1], BLOCK_SIZE[0]), np.uint8)
    for shape in shapes:
        points = np.array([(*point, 0.0) for point in shape])
        at = ABOVE.project(points, (16 * BLOCK_SIZE[0], 16 * BLOCK_SIZE[1])) / 16
        cv2.fillConvexPoly(mask, np.round(at * 16).astype(np.int32), (1,), shift=4)
    return mask > 0


def test_a_hand_above_the_board_is_seen_and_what_is_laid_and_set_is_none() -> None:
    ground = Ground.of(LAYOUT, ABOVE)
    board, played = LAYOUT.zone(BOARD), LAYOUT.zone("played")
    arm = ((board.x - 60, 60.0), (board.x + 480, 20.0), (board.x + 480, 85.0), (board.x - 60, 140.0))
    assert reaches_in(stirred(arm), ground)
    one = board.squares[0]
    pawn = (
        (one.x - 12, one.y - 12),
        (one.x + 12, one.y - 12),
        (one.x + 12, one.y + 25),
        (one.x - 12, one.y + 25),
    )
    low, high = played.y + 4, played.y + 92
    row = ((played.x + 4, low), (played.x + 180, low), (played.x + 180, high), (played.x + 4, high))
    assert not reaches_in(stirred(pawn, row), ground)


def test_a_hand_that_was_read_below_and_is_gone_is_no_hand_that_rests() -> None:
    """Its colour was the mat's; what is left is the same difference, the other way round."""
    mat = ankh(3, {})
    above = Calibration(Lens(0.8), Pose((0.0, 0.0, 0.0), (-mat.width / 2, -mat.height / 2, 800.0)))
    lamp = np.linspace(4.6, 4.9, BLOCK_SIZE[0], dtype=np.float32)[None, :].repeat(BLOCK_SIZE[1], 0)
    reach = Reach(mat, stir)
    reach.across(np.full((216, 384, 3), 120, np.uint8), above)
    arm = np.array([(-20.0, 190.0, 0.0), (250.0, 230.0, 0.0), (250.0, 300.0, 0.0), (-20.0, 280.0, 0.0)])
    at = above.project(arm, (16 * BLOCK_SIZE[0], 16 * BLOCK_SIZE[1])) / 16
    mask = np.zeros((BLOCK_SIZE[1], BLOCK_SIZE[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(at * 16).astype(np.int32), (1,), shift=4)
    below = lamp - np.float32(0.12) * mask
    for before, newest, rests in ((lamp, below, True), (below, lamp, False)):
        reach.read(before, above)
        reach._suspected = before
        assert reach.rests(newest, above) is rests
