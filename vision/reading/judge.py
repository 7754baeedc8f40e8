"""Which face a proposal shows, where exactly, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.network.model import HEIGHT, WIDTH, shipped
from vision.photo import Photo, Quad
from vision.reading.align import align, moved
from vision.reading.bank import Bank
from vision.reading.compare import Array, Comparison, compare, halved, signature, widened
from vision.reading.words import Judged, Proposal, Source

_SHORT = 3
"""Faces that ranking and network each put on the shortlist."""
_RIVALS = 6
"""Views compared with care at one place."""
_STRETCH = 1.45
"""By how much perspective may change the ratio of a piece's sides."""


@dataclass(frozen=True, slots=True, eq=False)
class _Framing:
    """A proposal's quad with its corners in the order of the frame."""

    quad: Quad
    source: Source
    view: int | None = None


def _framings(proposals: Sequence[Proposal], bank: Bank) -> list[_Framing]:
    """The long side down the frame; both ways where that is not clear. A proposal that knows its face knows its order too."""
    views = bank.views
    low, high = float(views.aspects.min()), float(views.aspects.max())
    out: list[_Framing] = []
    for proposal in proposals:
        quad = proposal.quad
        if proposal.row is not None:
            view = int(np.flatnonzero(views.rows == proposal.row)[0])
            out.append(_Framing(np.roll(quad, int(views.turns[view]), 0), proposal.source, view))
            continue
        sides = np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)
        ratio = float((sides[0] + sides[2]) / max(sides[1] + sides[3], 1e-6))
        if low / _STRETCH < ratio < min(high * _STRETCH, 1.18):
            out.append(_Framing(quad, proposal.source))
        if low / _STRETCH < 1 / ratio < min(high * _STRETCH, 1.18):
            out.append(_Framing(np.roll(quad, -1, 0), proposal.source))
    return out


def _first(order: NDArray[np.intp], rows: NDArray[np.intp], count: int) -> list[int]:
    """The first views in order, one for each of ``count`` faces."""
    out: list[int] = []
    seen: set[int] = set()
    for view in order:
        row = int(rows[view])
        if row not in seen:
            seen.add(row)
            out.append(int(view))
            if len(out) == count:
                break
    return out


def _shortlist(likes: Sequence[Array], rows: NDArray[np.intp], count: int, each: int) -> NDArray[np.intp]:
    """(n, count) views: the best ``each`` faces of every ranking (n, m), filled up from the last one."""
    out = np.empty((len(likes[0]), count), np.intp)
    for index in range(len(out)):
        picked: list[int] = []
        best = [np.argsort(-like[index]) for like in likes]
        for order in best:
            picked += [view for view in _first(order, rows, each) if view not in picked]
        picked = picked[:count]
        for view in best[-1]:
            if len(picked) == count:
                break
            if view not in picked:
                picked.append(int(view))
        out[index] = picked
    return out


def judge(photo: Photo, bank: Bank, proposals: Sequence[Proposal]) -> list[Judged]:
    """Every proposal that may be a face, aligned to the one that fits best."""
    framings = _framings(proposals, bank)
    if not framings or not bank.names:
        return []
    views = bank.views
    network = shipped()
    quads = np.stack([framing.quad for framing in framings]).astype(np.float32)
    crops = photo.crops(list(quads), WIDTH, HEIGHT)
    near = signature(halved(crops)) @ bank.signatures.T
    features = network.embed(crops)
    like = features.asked @ bank.features.kept.T
    count = min(2 * _SHORT, len(views.rows))
    short = _shortlist((like, near), views.rows, count, _SHORT)
    relation = network.relate(np.repeat(features.maps, count, 0), bank.features.maps[short.ravel()])
    score = relation.score.reshape(short.shape) + 8 * np.take_along_axis(near, short, 1)
    corners = relation.corners.reshape(*short.shape, 4, 2)
    order = np.argsort(-score, 1)[:, :2]
    picked = [(index, int(place)) for index in range(len(short)) for place in order[index]]
    source = np.array([index for index, _ in picked])
    seeds = moved(quads[source], np.stack([corners[index, place] for index, place in picked]))
    seed_views = np.array([short[index, place] for index, place in picked], np.intp)
    return _closely(photo, bank, seeds, seed_views, [framings[index].source for index in source])


def _closely(
    photo: Photo, bank: Bank, quads: NDArray[np.float32], targets: NDArray[np.intp], sources: Sequence[Source]
) -> list[Judged]:
    """Aligned to the view each is thought to show, compared with its rivals; once more where a rival fits better."""
    views, network = bank.views, shipped()
    quads = align(photo, quads, bank.targets, targets)
    for again in (True, False):
        crops = photo.crops(list(quads), WIDTH, HEIGHT)
        pictures = halved(crops)
        near = signature(pictures) @ bank.signatures.T
        features = network.embed(crops)
        like = features.asked @ bank.features.kept.T
        count = min(_RIVALS, len(views.rows))
        rivals = _shortlist((like, near), views.rows, count, _SHORT)
        lacking = ~(rivals == targets[:, None]).any(1)
        rivals[lacking, -1] = targets[lacking]
        relation = network.relate(np.repeat(features.maps, count, 0), bank.features.maps[rivals.ravel()])
        cells = relation.cells.reshape(*rivals.shape, *relation.cells.shape[1:])
        seen = widened(np.clip(cells.max(1) * 2 - 0.5, 0.05, 1))
        compared = compare(pictures, bank.gauge, rivals, seen)
        score = relation.score.reshape(rivals.shape) - 1.0 * compared.misfit
        best = score.argmax(1)
        winner = rivals[np.arange(len(quads)), best]
        if again:
            changed = winner != targets
            quads[changed] = align(photo, quads[changed], bank.targets, winner[changed], None, slice(1, None))
            targets = winner
    out = []
    for index in range(len(quads)):
        evidence = _evidence(
            index,
            best[index],
            rivals,
            views.rows,
            near,
            like,
            relation.score.reshape(rivals.shape),
            compared,
            cells,
        )
        view = int(rivals[index, best[index]])
        turn = int(views.turns[view])
        others = [
            int(views.rows[rival])
            for rival in rivals[index, np.argsort(-score[index])]
            if views.rows[rival] != views.rows[view]
        ]
        out.append(
            Judged(
                int(views.rows[view]),
                np.roll(quads[index], -turn, 0),
                _log_odds(evidence),
                others[0] if others else None,
                np.rot90(cells[index, best[index]], turn) if not turn % 2 else cells[index, best[index]],
                sources[index],
                evidence,
            )
        )
    return out


def _evidence(
    index: int,
    best: int,
    rivals: NDArray[np.intp],
    rows: NDArray[np.intp],
    near: Array,
    like: Array,
    same: Array,
    compared: Comparison,
    cells: Array,
) -> Mapping[str, float]:
    """The measurements of one place, by name."""
    view = rivals[index, best]
    others = rows[rivals[index]] != rows[view]
    far = rows != rows[view]
    misfit, gap = compared.misfit[index], compared.gap[index]
    visible = np.clip(cells[index, best], 0, 1)
    worst = np.sort((compared.cells[index, best] * (visible > 0.5)).ravel())
    return {
        "near": float(near[index, view]),
        "near_margin": float(near[index, view] - near[index][far].max(initial=-1)),
        "like": float(like[index, view]),
        "like_margin": float(like[index, view] - like[index][far].max(initial=-1)),
        "net": float(same[index, best]),
        "net_margin": float(same[index, best] - same[index][others].max(initial=-12)),
        "misfit": float(misfit[best]),
        "misfit_margin": float((misfit[others] - misfit[best]).min(initial=9)),
        "ratio": float(((misfit[others] - misfit[best]) / np.maximum(gap[others], 1e-2)).min(initial=1.5)),
        "worst": float(worst[-1]),
        "worst5": float(worst[-5]),
        "visible": float(visible.mean()),
    }


def _log_odds(evidence: Mapping[str, float]) -> float:
    return float(
        0.8 * evidence["net"]
        + 3 * min(evidence["ratio"], 1)
        + 2 * evidence["near"]
        - 0.3 * evidence["misfit"]
        - 0.5
    )
