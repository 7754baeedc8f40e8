"""``thoth sample``: what the README's two commands are tried on."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware import cli
from hardware.print.faces import pictures


def test_faces_a_photo_and_the_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sample", str(tmp_path), "--game", "ankh", "--pieces", "6", "--seed", "3"]) == 0
    said = capsys.readouterr().out
    assert f"thoth enrol {tmp_path}/gallery --from {tmp_path}/faces" in said
    faces = pictures("ankh", 10)
    assert {path.stem for path in (tmp_path / "faces").iterdir()} == set(faces)
    photo = cv2.imread(str(tmp_path / "table.jpg"))
    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert photo is not None and photo.shape == (1200, 1600, 3)
    assert len({piece["identity"] for piece in truth}) == 6
    for piece in truth:
        quad = np.array(piece["polygon"], np.float32)
        assert quad.min() > 0 and quad[:, 0].max() < 1600 and quad[:, 1].max() < 1200
        face = faces[piece["identity"]]
        high, wide = face.shape[:2]
        corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        seen = cv2.warpPerspective(photo, cv2.getPerspectiveTransform(quad, corners), (wide, high))
        tiny = [
            cv2.resize(one, (16, 24), interpolation=cv2.INTER_AREA).mean(axis=2).ravel()
            for one in (seen, face)
        ]
        assert np.corrcoef(tiny[0], tiny[1])[0, 1] > 0.9, piece["identity"]


@pytest.mark.parametrize("words", [["--pieces", "0"], ["--pieces", "500"], ["--seed", "-1"]])
def test_bad_calls(tmp_path: Path, words: list[str]) -> None:
    assert cli.main(["sample", str(tmp_path), *words]) == 2
    (tmp_path / "file").write_text("x")
    assert cli.main(["sample", str(tmp_path / "file")]) == 2
