"""Which face a proposal shows, where exactly, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.model import shipped
from vision.photo import Photo, Quad
from vision.reading.align import align
from vision.reading.bank import HEIGHT, WIDTH, Bank
from vision.reading.compare import Array, compare, halved, signature, widened
from vision.reading.evidence import log_odds, measured, totals
from vision.reading.words import Judged, Proposal, Source

_SHORT = 2
"""Faces that ranking and network each put on the shortlist."""
_RIVALS = 4
"""Views compared with care at one place."""
_LEAST_ALIKE = 0.2
"""Correlation with the most alike face below which nothing more is tried."""
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


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """n places with the view that each is thought to show: ``quads`` (n, 4, 2) in the order of the frame, ``views`` (n,), ``near`` (n,)
    how alike both are (-1 to 1), ``sources``."""

    quads: NDArray[np.float32]
    views: NDArray[np.intp]
    near: Array
    sources: tuple[Source, ...]

    def only(self, which: NDArray[np.bool_]) -> _Places:
        sources = tuple(source for source, keep in zip(self.sources, which, strict=True) if keep)
        return _Places(self.quads[which], self.views[which], self.near[which], sources)


def judge(photo: Photo, bank: Bank, proposals: Sequence[Proposal]) -> list[Judged]:
    """Every proposal that may be a face, aligned to the one that fits best."""
    framings = _framings(proposals, bank)
    if not framings or not bank.names:
        return []
    quads = np.stack([framing.quad for framing in framings]).astype(np.float32)
    ranking = signature(halved(photo.crops(list(quads), WIDTH, HEIGHT))) @ bank.signatures.T
    views = np.array(
        [
            int(ranking[index].argmax()) if framing.view is None else framing.view
            for index, framing in enumerate(framings)
        ],
        np.intp,
    )
    near = np.take_along_axis(ranking, views[:, None], 1)[:, 0]
    places = _Places(quads, views, near, tuple(framing.source for framing in framings))
    places = places.only((near > _LEAST_ALIKE) | np.array([framing.view is not None for framing in framings]))
    if not len(places.quads):
        return []
    return _decided(photo, bank, _pulled(photo, bank, places))


def _pulled(photo: Photo, bank: Bank, places: _Places, rounds: slice = slice(None)) -> _Places:
    """Aligned to the views; a place that looks less like its view afterwards stays where it was."""
    quads = align(photo, places.quads, bank.targets, places.views, None, rounds)
    ranking = signature(halved(photo.crops(list(quads), WIDTH, HEIGHT)))
    near = (ranking * bank.signatures[places.views]).sum(1)
    worse = near < places.near - 0.01
    quads[worse] = places.quads[worse]
    return replace(places, quads=quads, near=np.where(worse, places.near, near))


def _decided(photo: Photo, bank: Bank, places: _Places, again: int = 1) -> list[Judged]:
    """Each place compared with the faces it may show; aligned once more where another than the expected one fits best."""
    views, network = bank.views, shipped()
    crops = photo.crops(list(places.quads), WIDTH, HEIGHT)
    pictures = halved(crops)
    ranking = signature(pictures) @ bank.signatures.T
    features = network.embed(crops)
    like = features.asked @ bank.features.kept.T
    count = min(_RIVALS, len(views.rows))
    rivals = _shortlist((ranking, like), views.rows, count, _SHORT)
    lacking = ~(rivals == places.views[:, None]).any(1)
    rivals[lacking, -1] = places.views[lacking]
    relation = network.relate(np.repeat(features.maps, count, 0), bank.features.maps[rivals.ravel()])
    net = relation.score.reshape(rivals.shape)
    cells = relation.cells.reshape(*rivals.shape, *relation.cells.shape[1:])
    visible = cells[np.arange(len(cells)), net.argmax(1)]
    compared = compare(pictures, bank.gauge, rivals, widened(np.clip(2 * visible - 0.5, 0.05, 1)))
    best = (net - 2 * np.log1p(totals(compared, visible))).argmax(1)
    winner = np.take_along_axis(rivals, best[:, None], 1)[:, 0]
    changed = winner != places.views
    out: list[Judged] = []
    if again and changed.any():
        near = np.take_along_axis(ranking, winner[:, None], 1)[:, 0]
        moved_on = replace(places, views=winner, near=near).only(changed)
        out = _decided(photo, bank, _pulled(photo, bank, moved_on, slice(1, None)), again - 1)
    for index in np.flatnonzero(~changed) if again else range(len(winner)):
        rows = views.rows[rivals[index]]
        choice = int(best[index])
        same = rows == rows[choice]
        evidence = measured(index, choice, same, compared, cells[index, choice], net[index])
        evidence["near"] = float(ranking[index, winner[index]])
        evidence["near_margin"] = evidence["near"] - float(
            ranking[index][views.rows != rows[choice]].max(initial=-1)
        )
        evidence["like"] = float(like[index, winner[index]])
        evidence["like_margin"] = evidence["like"] - float(
            like[index][views.rows != rows[choice]].max(initial=-1)
        )
        order = np.argsort(-net[index])
        others = [int(rows[place]) for place in order if not same[place]]
        turn = int(views.turns[winner[index]])
        out.append(
            Judged(
                int(rows[choice]),
                np.asarray(np.roll(places.quads[index], -turn, 0), np.float32),
                log_odds(evidence),
                others[0] if others else None,
                _upright(cells[index, choice], turn),
                places.sources[index],
                evidence,
            )
        )
    return out


def _upright(cells: Array, turn: int) -> Array:
    """Cells of the frame as cells (15, 10) of the upright face, which was turned by ``turn`` quarters clockwise."""
    turned = np.rot90(cells, turn)
    if turn % 2:
        turned = cv2.resize(np.ascontiguousarray(turned), cells.shape[::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(turned, np.float32)
