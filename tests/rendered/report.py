"""The suite's figures in words, beside what is asked of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tests.rendered.score import Share, causes, figures

ASKED: Mapping[str, Sequence[tuple[str, str, float]]] = {
    "easy": (("clear right", ">=", 0.998), ("labels wrong", "<=", 0.0)),
    "hard": (
        ("clear right", ">=", 0.98),
        ("less wrong", "<=", 0.005),
        ("part right", ">=", 0.85),
        ("visible error p90", "<=", 0.08),
    ),
    "covered": (("asked right", ">=", 0.95), ("wrong to asked", "<=", 0.005)),
    "mosaic": (("asked right", ">=", 0.90), ("wrong to asked", "<=", 0.005)),
    "twins": (("twins accepted", "<=", 0.005),),
    "unknown": (("strangers accepted", "<=", 0.001), ("backs accepted", "<=", 0.001)),
    "negatives": (("labels wrong", "<=", 0.0),),
}
"""What each set must reach; the other figures are told to trace a loss."""


def number(figure: Share | float) -> float:
    return figure.value if isinstance(figure, Share) else figure


def holds(figure: Share | float, sign: str, limit: float) -> bool:
    value = number(figure)
    return value != value or (value >= limit if sign == ">=" else value <= limit)


def report(lines: Sequence[Mapping[str, str]]) -> str:
    """Every set's figures, what each is asked, the families and conditions with most losses, the wrong labels by kind, time by stage."""
    told: list[str] = []
    for name in dict.fromkeys(line["set"] for line in lines):
        rows = [line for line in lines if line["set"] == name]
        found = figures(rows)
        told.append(f"{name}: {len(rows)} photos")
        asked = {figure: (sign, limit) for figure, sign, limit in ASKED[name]}
        for figure, value in found.items():
            if isinstance(value, Share) and not value.whole:
                continue
            said = str(value) if isinstance(value, Share) else f"{value:.3g}"
            if figure in asked:
                sign, limit = asked[figure]
                said += (
                    f"   asked {sign} {limit:g}: {'holds' if holds(value, sign, limit) else 'DOES NOT HOLD'}"
                )
            told.append(f"  {figure:20s} {said}")
        for tag, right, located, labels in causes(rows):
            told.append(f"    {tag:16s} right {right!s:22s} located {located!s:22s} wrong labels {labels}")
        wrong = [text for line in rows for text in line["labels"].split("; ") if text]
        for text in wrong[:12]:
            told.append(f"    wrong: {text}")
        told.append("    ms by stage, median / p95: " + ", ".join(stages([line["stages"] for line in rows])))
    return "\n".join(told)


def stages(texts: Sequence[str]) -> list[str]:
    """Milliseconds of each stage over the photos, a photo without the stage counting as none."""
    parts = [dict(part.split(":") for part in text.split("|") if part) for text in texts]
    names = dict.fromkeys(name for each in parts for name in each)
    told = []
    for name in names:
        values = np.array([float(each.get(name, 0)) for each in parts])
        told.append(f"{name} {np.median(values):.0f} / {np.percentile(values, 95):.0f}")
    return told
