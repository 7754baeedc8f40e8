"""What became of every piece in a photo, one row per picture, and the figures that follow from the rows.

A row can be kept, compared between commits and summed up again: its column ``pieces`` says of each piece what it was and what was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tests.rendered.scene import Scene, Truth
from vision.photo import Quad
from vision.reading.words import Found, Reading

SAME_PLACE = 0.4
"""Overlap (intersection over union of whole quads) from which a label stands on a piece."""
NEAR = 0.2
"""Overlap from which a wrong label is charged to the piece below it; else it stands on nothing."""
HIDDEN = 0.03
"""A piece of which less can be seen is not there for anybody."""
FIELDS = (
    "set",
    "index",
    "name",
    "family",
    "tags",
    "pieces",
    "stray",
    "labels",
    "ms",
    "cpu_ms",
    "stages",
    "commit",
)


def overlap(one: Quad, other: Quad) -> float:
    """Intersection over union of two convex quads."""
    a, b = (cv2.convexHull(np.asarray(quad, np.float32)) for quad in (one, other))
    both, _ = cv2.intersectConvexConvex(a, b)
    return float(both / max(cv2.contourArea(a) + cv2.contourArea(b) - both, 1e-6))


@dataclass(frozen=True, slots=True)
class Fate:
    """One piece and what was read of it.

    ``outcome``: right, missed or wrong (a label that is not this piece's stands on it); ``located``: a label or an unknown outline lies
    there; ``slip``: visible as read minus the truth, None when not read right.
    """

    kind: str
    visible: float
    seen: bool
    cut: bool
    outcome: str
    located: bool
    slip: float | None
    change: str = ""

    def text(self) -> str:
        slip = "" if self.slip is None else f"{self.slip:+.2f}"
        flags = f"{'s' if self.seen else 'h'}{'c' if self.cut else '-'}{'l' if self.located else '-'}"
        return f"{self.kind}/{self.visible:.2f}/{flags}/{self.outcome}/{slip}/{self.change}"

    @classmethod
    def parse(cls, text: str) -> Fate:
        kind, visible, flags, outcome, slip, change = text.split("/")
        return cls(
            kind,
            float(visible),
            flags[0] == "s",
            flags[1] == "c",
            outcome,
            flags[2] == "l",
            float(slip) if slip else None,
            change,
        )


@dataclass(frozen=True, slots=True)
class Marks:
    """What one reading deserves: the fate of each piece, wrong labels in words, how many of them stand on nothing."""

    fates: tuple[Fate, ...]
    wrong: tuple[str, ...]
    stray: int


def mark(pieces: Sequence[Truth], reading: Reading) -> Marks:
    """Compare a reading with the truth. A label is right when it stands on a piece of that identity that no other label has taken."""
    shown = [piece for piece in pieces if piece.visible >= HIDDEN]
    over = np.array([[overlap(piece.quad, found.quad) for found in reading.pieces] for piece in shown])
    over = over.reshape(len(shown), len(reading.pieces))
    taken: dict[int, int] = {}
    used: set[int] = set()
    for at in np.argsort(-over, axis=None, kind="stable"):
        row, column = divmod(int(at), max(over.shape[1], 1))
        if over[row, column] < SAME_PLACE:
            break
        if row not in taken and column not in used and shown[row].identity == reading.pieces[column].identity:
            taken[row] = column
            used.add(column)
    charged: dict[int, list[int]] = {}
    wrong = []
    stray = 0
    for column, found in enumerate(reading.pieces):
        if column in used:
            continue
        row = int(over[:, column].argmax()) if len(shown) else -1
        if row < 0 or over[row, column] < NEAR:
            stray += 1
            wrong.append(f"nothing>{found.identity}@{found.confidence:.2f}")
            continue
        charged.setdefault(row, []).append(column)
        below = shown[row]
        again = "again " if below.identity == found.identity else ""
        what = below.identity or (
            f"twin of {below.twin_of} by {below.change}" if below.twin_of else below.kind
        )
        wrong.append(f"{again}{what}>{found.identity}@{found.confidence:.2f}")
    fates = [_fate(piece, taken.get(row), charged.get(row, []), reading) for row, piece in enumerate(shown)]
    return Marks(tuple(fates), tuple(wrong), stray)


def _fate(piece: Truth, mine: int | None, others: list[int], reading: Reading) -> Fate:
    outcome = "right" if mine is not None else "wrong" if others else "missed"
    located = outcome != "missed" or any(overlap(piece.quad, quad) > SAME_PLACE for quad in reading.unknown)
    found: Found | None = None if mine is None else reading.pieces[mine]
    slip = None if found is None else found.visible - piece.visible
    return Fate(piece.kind, piece.visible, piece.seen, piece.cut, outcome, located, slip, piece.change)


def row(
    set_name: str, index: int, scene: Scene, marks: Marks, ms: Mapping[str, float], cpu_ms: float, commit: str
) -> dict[str, str]:
    """A picture as a line of CSV; ``ms`` by stage, "total" among them."""
    stages = "|".join(f"{stage}:{value:.0f}" for stage, value in ms.items() if stage != "total")
    return dict(
        zip(
            FIELDS,
            (
                set_name, str(index), scene.name, scene.tags[0], "|".join(scene.tags[1:]), ";".join(f.text() for f in marks.fates),
                str(marks.stray), "; ".join(marks.wrong), f"{ms.get('total', 0):.0f}", f"{cpu_ms:.0f}", stages, commit,
            ),
            strict=True,
        )
    )  # fmt: skip


def fates(line: Mapping[str, str]) -> list[Fate]:
    return [Fate.parse(text) for text in line["pieces"].split(";") if text]


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part}/{self.whole}" + (f" = {self.part / self.whole:.4f}" if self.whole else "")

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else float("nan")


def figures(lines: Iterable[Mapping[str, str]]) -> dict[str, Share | float]:
    """The figures of one set.

    clear: enrolled and visible >= 0.9; part: visible 0.4-0.9 with what tells it apart seen; less: visible < 0.9; asked: visible >= 0.1 with
    what tells it apart seen; all right: all enrolled pieces.
    """
    count: Counter[str] = Counter()
    slips: list[float] = []
    ms: list[float] = []
    cpu: list[float] = []
    for line in lines:
        count["photos"] += 1
        count["stray"] += int(line["stray"])
        count["labels wrong"] += sum(1 for text in line["labels"].split("; ") if text)
        ms.append(float(line["ms"]))
        cpu.append(float(line["cpu_ms"]))
        whole = not line["labels"]
        for fate in fates(line):
            whole &= fate.outcome == "right" or fate.kind != "enrolled" or not fate.seen or fate.visible < 0.1
            for group in _groups(fate):
                count[group] += 1
                count[f"{group} {fate.outcome}"] += 1
                count[f"{group} located"] += fate.located
            if fate.slip is not None:
                slips.append(abs(fate.slip))
        count["photos right"] += whole

    def of(group: str, what: str) -> Share:
        return Share(count[f"{group} {what}"], count[group])

    return {
        "photos right": Share(count["photos right"], count["photos"]),
        "clear right": of("clear", "right"),
        "clear wrong": of("clear", "wrong"),
        "clear located": of("clear", "located"),
        "part right": of("part", "right"),
        "part located": of("part", "located"),
        "less wrong": of("less", "wrong"),
        "asked right": of("asked", "right"),
        "asked wrong": of("asked", "wrong"),
        "wrong to asked": Share(count["labels wrong"], count["asked"]),
        "strangers accepted": of("stranger", "wrong"),
        "twins accepted": of("twin", "wrong"),
        "backs accepted": of("back", "wrong"),
        "labels on nothing": Share(count["stray"], count["photos"]),
        "labels wrong": Share(count["labels wrong"], count["photos"]),
        "visible error p90": float(np.percentile(slips, 90)) if slips else float("nan"),
        "ms median": float(np.median(ms)) if ms else float("nan"),
        "ms p95": float(np.percentile(ms, 95)) if ms else float("nan"),
        "cpu ms median": float(np.median(cpu)) if cpu else float("nan"),
        "cpu ms p95": float(np.percentile(cpu, 95)) if cpu else float("nan"),
    }


def _groups(fate: Fate) -> list[str]:
    if fate.kind == "enrolled":
        groups = ["clear"] if fate.visible >= 0.9 else ["less"]
        if fate.seen and 0.4 <= fate.visible < 0.9:
            groups.append("part")
        if fate.seen and fate.visible >= 0.1:
            groups.append("asked")
        return groups
    if fate.kind == "twin":
        return ["twin"] if fate.seen else ["twin hidden"]
    return ["back"] if fate.kind == "back" else ["stranger"] if fate.visible >= 0.25 else ["stranger hidden"]


def causes(lines: Sequence[Mapping[str, str]]) -> list[tuple[str, Share, Share, int]]:
    """By family and by condition: (name, asked and right, asked and located, wrong labels), the worst first."""
    tally: dict[str, Counter[str]] = {}
    for line in lines:
        for tag in [line["family"], *line["tags"].split("|")]:
            counted = tally.setdefault(tag, Counter())
            counted["labels"] += sum(1 for text in line["labels"].split("; ") if text)
            for fate in fates(line):
                if "asked" in _groups(fate):
                    counted["asked"] += 1
                    counted["right"] += fate.outcome == "right"
                    counted["located"] += fate.located
    listed = [
        (tag, Share(c["right"], c["asked"]), Share(c["located"], c["asked"]), c["labels"])
        for tag, c in tally.items()
        if c["asked"]
    ]
    return sorted(listed, key=lambda each: each[1].value)
