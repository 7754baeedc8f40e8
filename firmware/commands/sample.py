"""``thoth sample OUT``: Thoth's own printed faces and a simulated photo of some, to try ``enrol --from`` and ``read`` with."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from hardware.print.faces import pictures, sizes
from hardware.simulated.snapshot import snapshot

SCALE = 10.0
"""Px per mm of the faces."""


class SampleError(Exception):
    """The sample cannot be written; the text says why and what to do."""


def write(out: Path, game: str, seed: int, count: int) -> int:
    """Write OUT/faces/NAME.png for every face of a game, OUT/table.jpg with ``count`` of them on a table, and OUT/truth.json with what lies
    where. Raises SampleError, OSError."""
    if out.exists() and not out.is_dir():
        raise SampleError(f"{out} is a file; give a folder, it may be a new one")
    faces, measures = pictures(game, SCALE), sizes(game)
    if not 1 <= count <= len(faces):
        raise SampleError(f"--pieces is a whole number from 1 to {len(faces)} for {game}")
    (out / "faces").mkdir(parents=True, exist_ok=True)
    for name, face in faces.items():
        _picture(out / "faces" / f"{name}.png", face)
    rng = np.random.default_rng(seed)
    chosen = [str(name) for name in rng.choice(sorted(faces), count, replace=False)]
    photo = snapshot({name: faces[name] for name in chosen}, measures, rng)
    _picture(out / "table.jpg", photo.picture)
    truth = [{"identity": name, "polygon": np.round(quad, 1).tolist()} for name, quad in photo.pieces]
    (out / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")
    print(f"{out}: {len(faces)} faces, and table.jpg with {count} of them. Now try:")
    print(f"  thoth enrol {out}/gallery --from {out}/faces")
    print(f"  thoth read {out}/table.jpg --gallery {out}/gallery --annotate {out}/drawn.jpg")
    return 0


def _picture(path: Path, picture: np.ndarray) -> None:
    done, coded = cv2.imencode(path.suffix, picture)
    if not done:
        raise SampleError(f"{path}: the picture cannot be written; try another folder")
    path.write_bytes(coded.tobytes())
