"""Loose pieces of nearly the same face: the label that a piece was first aligned with is not believed because of that."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engines.catalogue import house
from engines.papyrus.zones import LETTER, OPEN, layout
from hardware.print.faces import draw_face
from vision.compare import FINE, Bank, log_light
from vision.gallery import SCALE, Gallery
from vision.loose import LooseSeeker, _closely, _Judged

TABLE = layout(3, {}, house("papyrus"))
LAYOUT = replace(
    TABLE,
    kinds=(LETTER,),
    figures=(),
    zones=(TABLE.zone(OPEN),),
    faces=tuple(face for face in TABLE.faces if face.kind == LETTER.name),
)
PICTURES = {face.identity: draw_face(face, LETTER, SCALE, "papyrus") for face in LAYOUT.faces}
SEEKER = LooseSeeker.of(
    Bank.of(LAYOUT, LETTER, PICTURES, SCALE), LAYOUT, Gallery.from_pictures(LAYOUT, PICTURES, SCALE)
)


@pytest.mark.parametrize(("lies", "taken_for"), [("E", "Y"), ("Y", "E"), ("E", "F")])
def test_a_piece_that_was_aligned_with_another_label_is_told_after_all(lies: str, taken_for: str) -> None:
    size = round(LETTER.width * FINE), round(LETTER.height * FINE)
    face = cv2.resize(PICTURES[lies], size, interpolation=cv2.INTER_AREA)
    seen = np.full((160, 160, 3), (70, 80, 60), np.uint8)
    left, top = 50, 40
    seen[top : top + size[1], left : left + size[0]] = face
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.1), np.uint8)
    x, y = left + (size[0] - 1) / 2, top + (size[1] - 1) / 2
    for off in ((2.0, 0.5), (-1.8, 0.0), (1.0, 1.5)):
        first = _Judged(x + off[0], y + off[1], 0.0, (taken_for,), (0.8,), (0.6,))
        found = _closely(log_light(seen), SEEKER, first)
        assert found.labels == (lies,) and abs(found.x - x) < 0.4 and abs(found.y - y) < 0.4
    # What stands apart from all others is not looked at again.
    sure = _Judged(x, y, 0.0, (taken_for,), (0.9,), (1.2,))
    assert _closely(log_light(seen), SEEKER, sure) == sure
