"""Write scenes of one deck as a folder of pictures: refs/, scenes/, truth.json, laid out as `make bench-photos` reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2

from tests.rendered.scene import Scene
from tests.rendered.sets import SETS, scene


def export(folder: Path, name: str, family: str, edition: int, count: int) -> Path:
    """``folder``/``name``-``family``-``edition``/{refs,scenes,truth.json} with ``count`` scenes of one deck; returns that folder."""
    target = folder / f"{name}-{family}-{edition}"
    for part in ("refs", "scenes"):
        (target / part).mkdir(parents=True, exist_ok=True)
    scenes: dict[str, Any] = {}
    held = None
    for index in range(count):
        made = scene(name, index, family, edition)
        held = made.deck
        file = f"{made.name}.jpg"
        cv2.imwrite(str(target / "scenes" / file), made.photo, [cv2.IMWRITE_JPEG_QUALITY, 97])
        scenes[file] = told(made)
    refs = {}
    for identity, picture in (held.references() if held else {}).items():
        cv2.imwrite(str(target / "refs" / f"{identity}.png"), picture)
        refs[identity] = f"refs/{identity}.png"
    truth = {
        "dataset": target.name,
        "polygon_kind": "4 corners of the whole piece",
        "refs": refs,
        "scenes": scenes,
    }
    (target / "truth.json").write_text(json.dumps(truth, indent=1))
    return target


def told(made: Scene) -> dict[str, Any]:
    """A scene as truth.json holds it. What is enrolled is in ``instances``, what is not in ``unenrolled``; a piece of which nothing that
    tells it apart can be seen is not asked for: its place is in ``ignore_polygons``."""
    height, width = made.photo.shape[:2]
    instances, others, ignored = [], [], []
    for piece in made.pieces:
        entry = {
            "identity": piece.identity, "kind": piece.kind, "twin_of": piece.twin_of, "change": piece.change,
            "polygon": [[round(float(x), 2), round(float(y), 2)] for x, y in piece.quad],
            "visible": round(piece.visible, 4), "seen": piece.seen, "occluded": piece.visible < 0.97, "cut_by_frame": piece.cut,
        }  # fmt: skip
        if piece.identity is None:
            others.append(entry)
        elif piece.seen:
            instances.append(entry)
        else:
            ignored.append(entry["polygon"])
    return {
        "width": width, "height": height, "tags": list(made.tags), "instances": instances, "unenrolled": others,
        "ignore_polygons": ignored,
    }  # fmt: skip


def families(name: str, wanted: str | None) -> tuple[str, ...]:
    return tuple(wanted.split(",")) if wanted else SETS[name].families
