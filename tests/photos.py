"""Read every set of real photographs in a folder and say what came of it: ``python -m tests.photos DIR``.

What is asked of a gallery once (features of its references) is made before the clock starts.

DIR/SET/{refs,scenes,truth.json}: refs/ has one picture per identity, truth.json says what lies in each photo. A label is right when it has the
right identity and the centre of one polygon lies in the other; any other label outside the regions that are not scored is wrong.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.rendered.report import stages
from tests.rendered.run import commit, ready
from vision.photo import Photo, Quad
from vision.reading.bank import Bank
from vision.reading.words import Found, Reading

ROOT = Path(__file__).parent.parent
Read = Callable[[Photo, Bank], Reading]
FIELDS = (
    "set", "leaving_out", "photo", "right", "asked", "wrong", "accepted_unenrolled", "missed", "labels", "whole", "ms", "cpu_ms", "stages", "commit",
)  # fmt: skip
PEERS: Mapping[str, Sequence[tuple[str, str, str, str]]] = {
    "alpha": (
        ("contour + pHash", "19/28", "6", "0.6-2.3"),
        ("SIFT + RANSAC per reference", "28/28", "4", "1.9-2.3"),
    ),
    "schnapsen": (
        ("contour + pHash", "13/50", "4", "0.6-2.3"),
        ("SIFT + RANSAC per reference", "42/50", "2", "1.9-2.3"),
    ),
    "set": (
        ("contour + pHash", "44/190", "98", "0.6-2.3"),
        ("SET's own solver", "94/190", "76", "3.4"),
        ("SIFT + RANSAC per reference", "0/190", "1", "1.9-2.3"),
    ),
}
"""What other programs reach on more photos of the same kinds: (program, right, wrong labels, seconds a photo)."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotoSet:
    """A folder of photos: references and scenes by name, what truth.json says of each scene, faces that may be left out."""

    name: str
    references: Mapping[str, Path]
    scenes: Mapping[str, Path]
    truth: Mapping[str, Mapping[str, Any]]
    suggested: tuple[str, ...]

    def bank(self, without: Sequence[str] = ()) -> Bank:
        return Bank.of({name: picture(path) for name, path in self.references.items() if name not in without})


def picture(path: Path) -> Any:
    """Raises FileNotFoundError for a picture that cannot be read."""
    read = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if read is None:
        raise FileNotFoundError(f"{path} is no picture that can be read")
    return read


def sets(folder: Path) -> list[PhotoSet]:
    """The sets in a folder, by name. Raises FileNotFoundError when there is none."""
    found = []
    for truth in sorted(folder.glob("*/truth.json")):
        told = json.loads(truth.read_text())
        root = truth.parent
        found.append(
            PhotoSet(
                root.name,
                {name: root / path for name, path in told["refs"].items()},
                {name: root / "scenes" / name for name in told["scenes"]},
                told["scenes"],
                tuple(told.get("suggested_unenrolled", ())),
            )
        )
    if not found:
        raise FileNotFoundError(f"no SET/truth.json in {folder}: put the sets together first")
    return found


@dataclass(frozen=True, slots=True)
class Score:
    """One photo: identities found and missed, wrong labels, and those of them that name nothing enrolled wrongly as something enrolled."""

    right: tuple[str, ...]
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    accepted: tuple[str, ...]

    @property
    def whole(self) -> bool:
        return not self.missed and not self.wrong


def _at(one: Quad, other: Quad) -> bool:
    """The centre of one lies in the other."""

    def holds(quad: Quad, point: Quad) -> bool:
        return bool(
            cv2.pointPolygonTest(cv2.convexHull(quad), (float(point[0]), float(point[1])), False) >= 0
        )

    return holds(one, other.mean(0)) or holds(other, one.mean(0))


def _ignored(told: Mapping[str, Any], found: Found) -> bool:
    """The middle of what the picture shows of it lies in a region that is not scored."""
    regions = told.get("ignore_polygons") or []
    frame = np.array(
        [[0, 0], [told["width"], 0], [told["width"], told["height"]], [0, told["height"]]], np.float32
    )
    _, inside = cv2.intersectConvexConvex(cv2.convexHull(np.asarray(found.quad, np.float32)), frame)
    if inside is None or not len(inside):
        return False
    x, y = inside.reshape(-1, 2).mean(0)
    return any(
        cv2.pointPolygonTest(np.array(region, np.float32), (float(x), float(y)), False) >= 0
        for region in regions
    )


def score(told: Mapping[str, Any], pieces: Sequence[Found], without: Sequence[str] = ()) -> Score:
    """Labels against the truth. Copies that the references were cut from are not asked; faces left out of the gallery are neither, and a
    label on one of them is wrong and counted as accepted."""
    used: set[int] = set()
    right, missed = [], []
    asked = [each for each in told["instances"] if each["identity"] not in without]
    for instance in sorted(asked, key=lambda each: bool(each.get("ref_copy"))):
        polygon = np.array(instance["polygon"], np.float32)
        hit = next(
            (
                k
                for k, found in enumerate(pieces)
                if k not in used
                and found.identity == instance["identity"]
                and _at(polygon, np.asarray(found.quad, np.float32))
            ),
            None,
        )
        if hit is not None:
            used.add(hit)
        if not instance.get("ref_copy"):
            (missed if hit is None else right).append(instance["identity"])
    wrong = [found for k, found in enumerate(pieces) if k not in used and not _ignored(told, found)]
    strangers = [
        np.array(each["polygon"], np.float32) for each in told["instances"] if each["identity"] in without
    ]
    strangers += [np.array(each["polygon"], np.float32) for each in told.get("unenrolled", ())]
    accepted = [
        found
        for found in wrong
        if any(_at(polygon, np.asarray(found.quad, np.float32)) for polygon in strangers)
    ]
    return Score(
        tuple(right),
        tuple(missed),
        tuple(found.identity for found in wrong),
        tuple(found.identity for found in accepted),
    )


Task = tuple[PhotoSet, str, tuple[str, ...]]
"""A set, one of its photos (or all, when empty), the faces left out."""


def _read(task: Task) -> list[dict[str, str]]:
    from vision.reading.reader import read

    return list(lines(task, read))


def lines(task: Task, read: Read) -> Iterator[dict[str, str]]:
    """A row per photo."""
    photos, only, without = task
    bank = photos.bank(without)
    ready(bank)
    for name in [only] if only else list(photos.scenes):
        seen = Photo(picture(photos.scenes[name]))
        began, cpu = time.perf_counter(), time.process_time()
        reading = read(seen, bank)
        ms, cpu_ms = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - cpu)
        told = score(photos.truth[name], reading.pieces, without)
        by_stage = "|".join(f"{stage}:{value:.0f}" for stage, value in reading.ms.items() if stage != "total")
        values = (
            photos.name, " ".join(without), name, len(told.right), len(told.right) + len(told.missed), len(told.wrong), len(told.accepted),
            " ".join(told.missed), " ".join(told.wrong), int(told.whole), round(ms), round(cpu_ms), by_stage,
        )  # fmt: skip
        yield dict(zip(FIELDS, (*map(str, values), ""), strict=True))


def tasks(photos: PhotoSet, mode: str) -> list[Task]:
    """``all`` enrolled; ``suggested`` left out; ``each``: every face that occurs left out in turn, on the photos that show it."""
    if mode == "all":
        return [(photos, "", ())]
    if mode == "suggested":
        return [(photos, "", photos.suggested)] if photos.suggested else []
    found = []
    for identity in photos.references:
        for name, told in photos.truth.items():
            if any(each["identity"] == identity for each in told["instances"]):
                found.append((photos, name, (identity,)))
    return found


def table(rows: Sequence[Mapping[str, str]]) -> str:
    """Every set's figures beside the peers'."""
    told = [
        f"{'':34s}{'right':>9s}{'wrong':>7s}{'accepted':>10s}{'photos whole':>14s}   seconds a photo (median, p95; of the processor)"
    ]
    for name in dict.fromkeys(row["set"] for row in rows):
        mine = [row for row in rows if row["set"] == name]
        total = {
            field: sum(int(row[field]) for row in mine)
            for field in ("right", "asked", "wrong", "accepted_unenrolled", "whole")
        }
        ms, cpu = (np.array([float(row[field]) for row in mine]) / 1000 for field in ("ms", "cpu_ms"))
        wall = f"{np.median(ms):.2f} {np.percentile(ms, 95):.2f}; {np.median(cpu):.2f} {np.percentile(cpu, 95):.2f}"
        told.append(
            f"{name:34s}{total['right']:>4d}/{total['asked']:<4d}{total['wrong']:>7d}{total['accepted_unenrolled']:>10d}"
            f"{total['whole']:>7d}/{len(mine):<6d}   {wall}"
        )
        for program, right, wrong, seconds in PEERS.get(name, ()):
            told.append(f"  {program:32s}{right:>9s}{wrong:>7s}{'':24s}   {seconds}")
        told.append("  ms by stage, median / p95: " + ", ".join(stages([row["stages"] for row in mine])))
        for row in mine:
            if row["missed"] or row["labels"]:
                told.append(f"  {row['photo']}: missed {row['missed'] or '-'}; wrong {row['labels'] or '-'}")
    return "\n".join(told)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.photos", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", help="comma separated; default: all in the folder")
    parser.add_argument(
        "--leave-out",
        choices=("suggested", "each"),
        help="leave the suggested faces out of the gallery, or each face in turn",
    )
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "--out",
        type=Path,
        default=ROOT / "build" / "photos",
        help="folder of the rows (default: build/photos)",
    )
    args = parser.parse_args(argv)
    mode = args.leave_out or "all"
    try:
        found = [each for each in sets(args.folder) if not args.set or each.name in args.set.split(",")]
    except FileNotFoundError as missing:
        print(missing)
        return 2
    todo = [task for photos in found for task in tasks(photos, mode)]
    if args.processes > 1:
        with ProcessPoolExecutor(args.processes) as pool:
            rows = [row for done in pool.map(_read, todo) for row in done]
    else:
        rows = [row for task in todo for row in _read(task)]
    version = commit()
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out / f"{mode}-{version}.csv"
    with file.open("w", newline="") as text:
        writer = csv.DictWriter(text, FIELDS)
        writer.writeheader()
        writer.writerows({**row, "commit": version} for row in rows)
    print(table(rows))
    print(f"rows: {file}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
