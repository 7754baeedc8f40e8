"""How well scores tell true pairs from near-twins: figures for the log, and the line that makes scores log odds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.network.model import Array
from vision.network.training.pairs import Packet

BARS: Mapping[str, float] = {"0.1%": 1e-3, "0.5%": 5e-3}
"""Shares of near-twins that may pass when counting the true pairs that are kept."""
Labels = NDArray[np.int8]


def figures(scores: Array, labels: Labels, test: Sequence[Packet]) -> dict[str, float]:
    """Area under the curve; true pairs kept when 0.1 / 0.5 % of the false ones pass, and at even odds; the same by hardship of the crop,
    and false pairs that pass by what was changed. Scores and labels are (packets, crops, faces), label -1 left out."""
    true, false = scores[labels == 1], scores[labels == 0]
    out = {"auc": area(true, false)}
    bars = {name: float(np.quantile(false, 1 - share)) for name, share in BARS.items()}
    out |= {name: float((true > bar).mean()) for name, bar in bars.items()}
    out |= {"even": float((true > 0).mean()), "false even": float((false > 0).mean())}
    by: dict[str, list[bool]] = {}
    for packet, score, label in zip(test, scores, labels, strict=True):
        passes = score > bars["0.5%"]
        for crop, hardships in enumerate(packet.hardships):
            for name in hardships or ("easy",):
                by.setdefault("kept " + name, []).extend(passes[crop][label[crop] == 1].tolist())
            owner = int(packet.owners[crop])
            for row in np.flatnonzero(label[crop] == 0):
                if owner > 0 and row > 0:
                    continue  # two changes at once say little about either
                change = "strange" if owner < 0 else packet.changes[max(owner, int(row))]
                by.setdefault("passed " + change, []).append(bool(passes[crop, row]))
    return out | {name: float(np.mean(values)) for name, values in sorted(by.items()) if values}


def area(true: Array, false: Array) -> float:
    """Chance that a true pair scores above a false one (ties by halves)."""
    order = np.sort(false)
    below = np.searchsorted(order, true, side="left") + np.searchsorted(order, true, side="right")
    return float(below.mean() / 2 / len(false))


def even_odds(scores: Array, labels: Labels) -> tuple[float, float]:
    """Factor and shift that make scores log odds when true pairs and near-twins are equally frequent (Platt 1999), by Newton's method."""
    known = labels >= 0
    score, true = scores[known].astype(np.float64), (labels[known] == 1).astype(np.float64)
    weight = np.where(true == 1, 0.5 / true.sum(), 0.5 / (1 - true).sum())
    design = np.column_stack([score, np.ones_like(score)])
    line = np.array([1.0, 0.0])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-design @ line))
        slope = design.T @ (weight * (chance - true))
        curve = (design * (weight * chance * (1 - chance))[:, None]).T @ design + 1e-9 * np.eye(2)
        line = line - np.linalg.solve(curve, slope)
    return float(line[0]), float(line[1])
