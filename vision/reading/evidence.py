"""What speaks for a face and against it, and how the measurements are joined into one score.

The score is a sum of measurements, each held within bounds. Bounds, weights and the threshold were chosen on rendered near-twins and by
leaving the true face of real pieces out of their gallery; no photo has its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading.compare import Array, Comparison

_MOST = 60.0
"""What a single cell may count at most."""
_FEWEST = 3
"""Sure pieces from which a photo's tone is learnt."""
CHANNELS = ("blue", "green", "red")


@dataclass(frozen=True, slots=True)
class Term:
    """A measurement's part in the score: its value, held between ``least`` and ``most``, times ``weight``.

    What speaks for a face is capped, so that no amount of likeness outweighs a part that is plainly different; what speaks against it
    begins where light and print may explain it no longer.
    """

    weight: float
    least: float
    most: float


TERMS: Mapping[str, Term] = {
    "net": Term(2.2, -3.0, 1.0),
    "pair": Term(4.8, -6.0, 2.0),
    "margin": Term(3.0, -3.0, 0.7),
    "tint": Term(-9.0, 0.65, 4.0),
    "tint_margin": Term(9.7, -1.45, -0.75),
    "told": Term(7.2, -0.5, -0.05),
    "shown": Term(30.0, 0.4, 0.8),
    "apart": Term(1.1, 0.0, 5.9),
    "unexplained": Term(-4.0, 0.1, 1.0),
    "ink": Term(-2.4, 3.5, 10.7),
    "hue": Term(-4.0, 1.9, 6.0),
    "tone": Term(-3.0, 2.4, 4.65),
}
BIAS = 2.7
COVERED: Mapping[str, Term] = {
    "net": Term(3.2, -1.9, 0.55),
    "pair": Term(1.8, -6.0, 1.1),
    "margin": Term(8.0, -3.0, 0.85),
    "told": Term(50.0, -0.5, 0.27),
    "shown": Term(13.0, -0.05, 0.5),
    "apart": Term(4.0, 0.0, 4.0),
    "unexplained": Term(-60.0, 0.24, 0.3),
    "altered": Term(-0.48, -1.0, 6.7),
}
"""The same for a piece on which something lies: its edge and its shadow look like differences, so less is held against it; what tells it
apart may be hidden, so it counts more whether that can be seen and speaks for it."""
COVERED_BIAS = -22.9
HALF_HIDDEN = 0.9
"""Less of a piece than this can be seen: something lies on it, and its shadow looks like ink."""
_AHEAD, _LARGELY = 0.85, 0.8
"""How far a face is ahead of the next when there can be no doubt; and how much of it must be seen for less than that to count in full."""
SURE = 0.0
"""Log odds from which a face is accepted."""


def totals(compared: Comparison, visible: Array) -> Array:
    """(n, k) how badly each rival fits what can be seen (n, 15, 10): capped squared residuals in units of noise, summed over cells."""
    square = (compared.left**2).sum(2) / compared.noise**2
    return np.asarray(
        (np.minimum(square, _MOST) * (compared.counts * visible)[:, None]).sum((2, 3)), np.float32
    )


def measured(
    index: int, best: int, same: NDArray[np.bool_], compared: Comparison, visible: Array, net: Array
) -> dict[str, float]:
    """The measurements of picture ``index`` when rival ``best`` is taken for its face, by name.

    ``same`` (k,): which rivals are that face too (other ways up); ``visible`` (15, 10); ``net`` (k,): log odds by the network.
    """
    noise = compared.noise[index, best] ** 2
    left = compared.left[index]
    counts = compared.counts[index] * visible
    fits = (np.minimum((left**2).sum(1) / noise, _MOST) * counts).sum((1, 2))
    apart = (np.minimum(((left - left[best]) ** 2).sum(1) / noise, _MOST) * counts).sum((1, 2))
    others = ~same
    margins = (fits[others] - fits[best]) / (apart[others] + 2)
    nearest = float(apart[others].min(initial=1e3))
    seen = float(visible.mean())
    # Ahead of nobody is not ahead: where one face alone is enrolled, half of it is no proof.
    lead = float(margins.min(initial=1.0)) if others.any() else 0.0
    return {
        "net": float(np.clip(net[best], -6, 6)),
        "margin": _AHEAD - (_AHEAD - lead) * min(seen / _LARGELY, 1.0),
        "apart": float(np.log1p(nearest)),
        "visible": seen,
        **{
            f"tone_{name}": float(value)
            for name, value in zip(CHANNELS, compared.tone[index, best], strict=True)
        },
        **{
            f"ink_{name}": float(value)
            for name, value in zip(CHANNELS, compared.ink[index, best], strict=True)
        },
    }


def tone(sure: Sequence[Mapping[str, float]]) -> Array | None:
    """How dark a photo shows ink, by channel (3,), compared with the references, from what was measured of its sure pieces; None when they
    are too few to tell."""
    if len(sure) < _FEWEST:
        return None
    shown = np.array([[one[f"tone_{name}"] for name in CHANNELS] for one in sure])
    ink = np.array([[one[f"ink_{name}"] for name in CHANNELS] for one in sure])
    ink = np.minimum(ink, np.median(ink, 0)) + 1e-6
    return np.asarray(np.clip((shown * ink).sum(0) / ink.sum(0), 0.6, 1.6), np.float32)


def log_odds(evidence: Mapping[str, float]) -> float:
    """Of the face being the right one, given the measurements; what has not been measured yet counts as if it were as good as can be."""
    covered = evidence["visible"] < HALF_HIDDEN
    total = COVERED_BIAS if covered else BIAS
    for name, term in (COVERED if covered else TERMS).items():
        best = term.least if term.weight < 0 else term.most
        total += term.weight * min(max(evidence.get(name, best), term.least), term.most)
    return float(total)
