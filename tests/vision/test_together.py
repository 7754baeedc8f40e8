"""Work side by side: in order, on one core as on many, in a forked child; and the quick ways to crop and move quads against OpenCV's own."""

from __future__ import annotations

import os
import threading

import cv2
import numpy as np
import pytest

from vision.network.model import per_thread
from vision.photo import from_square
from vision.reading import together
from vision.reading.align import moved
from vision.reading.bank import Packed


@pytest.mark.parametrize("cores", [1, 2])
def test_results_come_in_order_and_faults_come_through(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "threads", lambda: cores)
    assert together.each(lambda n: n * n, range(9)) == [n * n for n in range(9)]
    assert together.begun(lambda: "done")() == "done"
    with pytest.raises(ZeroDivisionError):
        together.each(lambda n: 1 // n, [1, 0])


def test_a_forked_child_has_threads_of_its_own() -> None:
    assert together.each(abs, [-1, -2]) == [1, 2]
    child = os.fork()
    if not child:
        os._exit(0 if together.each(abs, [-3, -4]) == [3, 4] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_is_kept_per_thread_is_made_once_in_each() -> None:
    own = per_thread(object)
    assert own() is own()
    others: list[object] = []
    thread = threading.Thread(target=lambda: others.append(own()))
    thread.start()
    thread.join()
    assert others[0] is not own()


def test_many_quads_at_once_go_where_opencv_has_each() -> None:
    rng = np.random.default_rng(3)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    quads = (square[None] * 200 + rng.uniform(-30, 30, (20, 4, 2)) + 300).astype(np.float32)
    maps = from_square(quads)
    shifts = rng.uniform(-3, 3, (20, 4, 2)).astype(np.float32)
    new = moved(quads, shifts, 40, 60)
    for quad, found, shift, corners in zip(quads, maps, shifts, new, strict=True):
        own = cv2.getPerspectiveTransform(square, quad)
        assert np.abs(found / found[2, 2] - own / own[2, 2]).max() < 1e-3
        expected = cv2.perspectiveTransform((square + shift / [40, 60])[None].astype(np.float32), own)[0]
        assert np.abs(corners - expected).max() < 0.01
    folded = np.zeros((1, 4, 2), np.float32)
    folded[0, 0] = [45, 65]
    assert np.array_equal(moved(quads[:1], folded, 40, 60), quads[:1])


def test_packed_pictures_are_the_same_pictures() -> None:
    pictures = [np.random.default_rng(n).integers(0, 255, (30 + n, 20, 3), np.uint8) for n in range(3)]
    packed = Packed(pictures)
    assert len(packed) == 3 and all(
        np.array_equal(one, own) for one, own in zip(packed, pictures, strict=True)
    )
    assert np.array_equal(packed[-1], pictures[-1]) and len(packed[1:]) == 2
