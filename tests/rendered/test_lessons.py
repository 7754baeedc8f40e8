"""What the network of small parts learns from: changes are small and their cells are known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.rendered import alterations
from tests.rendered.alterations import KINDS, altered_face, retaken
from tests.rendered.learn import TELLING, pairs_of
from tests.rendered.lessons import Pieces
from vision.network.training.faces import designed, drawn


def deck(count: int = 4) -> Pieces:
    rng = np.random.default_rng(3)
    shapes = [
        cv2.resize(drawn(designed(rng)), (160, 240), interpolation=cv2.INTER_AREA) for _ in range(count)
    ]
    faces = np.stack(shapes).astype(np.uint8)
    crops = np.stack([cv2.GaussianBlur(face, (0, 0), 1.0) for face in faces])
    return Pieces(faces, crops, np.arange(count))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_changes_a_small_part(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alterations, "KINDS", {kind: 1.0})
    rng, held = np.random.default_rng(1), deck(12)
    faces = list(held.faces)
    made = 0
    for _ in range(6):
        for row, face in enumerate(faces):
            changed = altered_face(rng, face, [other for at, other in enumerate(faces) if at != row])
            if changed is None:
                continue
            made += 1
            apart = cv2.absdiff(changed, face).max(2) > 8
            assert changed.shape == face.shape
            assert apart.mean() < 0.55
    assert made > 3


def test_lessons_say_where_faces_differ_and_true_ones_say_nowhere() -> None:
    drawn_pairs = list(pairs_of(np.random.default_rng(2), deck()))
    same = [lesson for lesson in drawn_pairs if not lesson.differs.any()]
    other = [lesson for lesson in drawn_pairs if lesson.differs.any()]
    assert same and other
    assert all(lesson.differs.sum(dtype=float) > 100 * TELLING for lesson in other)
    assert all(
        np.isfinite(lesson.planes).all() and np.isfinite(lesson.measured).all() for lesson in drawn_pairs
    )


def test_a_piece_taken_again_is_the_same_picture_but_for_light_and_lens() -> None:
    rng, face = np.random.default_rng(4), deck(1).faces[0]
    for _ in range(10):
        again = retaken(rng, face, 1.0)
        assert again.shape == face.shape
        one, other = (
            cv2.GaussianBlur(part, (0, 0), 4).astype(float).mean(2).ravel() for part in (face, again)
        )
        assert np.corrcoef(one, other)[0, 1] > 0.8
