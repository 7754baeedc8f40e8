"""Which face a proposal shows, where exactly, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.network.model import Features, painted_over, shipped
from vision.photo import Photo, Quad
from vision.reading.align import align, moved
from vision.reading.bank import HEIGHT, WIDTH, Bank
from vision.reading.closely import closely
from vision.reading.compare import Array, Crops, alike, by_cell, compare, halved, signature, widened
from vision.reading.details import telling
from vision.reading.evidence import HALF_HIDDEN, SURE, log_odds, measured, totals
from vision.reading.hiding import Cover, in_the_open
from vision.reading.standing import unburdened
from vision.reading.tints import off
from vision.reading.together import each, threads
from vision.reading.words import Judged, Proposal, Source

_SHORT = 2
"""Faces that ranking and network each put on the shortlist."""
_RIVALS = 4
"""Views compared with care at one place."""
_LEAST_PULLED: Mapping[Source, float] = {"outline": 0.42, "corner": 0.3, "neighbour": 0.3, "features": -1.0}
"""And below which a place is dropped when alignment has done what it can: little of a covered piece may look like much else."""
_LEAST_LIKELY: Mapping[Source, float] = {"outline": 1.1, "corner": 0.85, "neighbour": 0.85, "features": 0.85}
"""Correlation with the most alike face and likeness by the network, together, below which no face is there: of 794 places that held one, on
rendered tables and real ones, none had less than 1.21, and 0.9 where features spoke for it; of the others half have less. Covered places have less
to show: a real ace of which a third showed, two letters on white, had 1.05 at its corner, strips in rows whose covers were not known yet 0.84 to 0.89."""
_LOST, _KNOWN = 0.15, 0.5
"""Correlation of an outline's best face, and likeness by the network, below which it is no use to look for better corners."""
_SAME = 0.05
"""Share of the side within which two places are the same."""
_GLANCE = 1.03
"""Correlation of a place with its most alike face and twice the likeness by the network, together, below which it looks like none at a glance: of
259 outlines that are four fifths right 3 in 100 have less, of 6,000 that hold no face 87."""
_LEAST_ALIKE = 0.1
"""Correlation with the most alike face below which nothing more is tried."""
_PAIR = 1.0
"""Weight of the pair network beside the other where two faces are left."""
_TOLD = 6.0
"""Weight of the details in which these two differ."""
_UNTOLD = 0.3
"""What details say for a face that has no rival."""
_BARELY = 0.1
"""Share of what tells a face apart below which what is seen of it says the less."""
_DEAD = -4.5
"""Log odds by the first network below which no rival is looked at closely."""
_NEARLY, _PLAINLY = 1.5, 0.5
"""A face that is likely two ways up by odds nearer than this is looked at for the details in which these differ; how unlike they must be there:
a face that looks the same both ways has only the lamp of its picture to tell by."""
_CLOSE = 4.0
"""A rival that is further behind than this is not shown to the pair network."""
_LEAST_OPEN = 0.12
"""Share of a piece that must lie open."""
_HOPELESS = -6.0
"""Below this many log odds a second try with corrected corners is not worth its time."""
_DOUBTFUL = -12.0
"""Log odds below which nothing that stands on a piece explains how it looks."""
AT_ONCE = 10
"""The most places that are compared in one go."""
_STRETCH = 1.8
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
class _Seen:
    """What n quads show: ``crops`` (n, 120, 80, 3), the same ``halved`` (n, 3, 60, 40), their ``signatures`` (n, 1800)."""

    crops: Crops
    halved: Array
    signatures: Array

    @classmethod
    def of(cls, photo: Photo, quads: NDArray[np.float32]) -> _Seen:
        crops = photo.crops(list(quads), WIDTH, HEIGHT)
        pictures = halved(crops)
        return cls(crops, pictures, signature(pictures))

    def only(self, which: NDArray[np.bool_]) -> _Seen:
        return _Seen(self.crops[which], self.halved[which], self.signatures[which])

    @classmethod
    def joined(cls, parts: Sequence[_Seen]) -> _Seen:
        return cls(
            np.concatenate([part.crops for part in parts]),
            np.concatenate([part.halved for part in parts]),
            np.concatenate([part.signatures for part in parts]),
        )

    def put(self, which: NDArray[np.bool_], others: _Seen) -> None:
        """The rows ``which`` become ``others``."""
        self.crops[which] = others.crops
        self.halved[which] = others.halved
        self.signatures[which] = others.signatures


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """n places with the view that each is thought to show: ``quads`` (n, 4, 2) in the order of the frame, ``views`` (n,), ``near`` (n,)
    how alike both are (-1 to 1), ``sources``; and what is seen there."""

    quads: NDArray[np.float32]
    views: NDArray[np.intp]
    near: Array
    sources: tuple[Source, ...]
    seen: _Seen

    def only(self, which: NDArray[np.bool_]) -> _Places:
        sources = tuple(source for source, keep in zip(self.sources, which, strict=True) if keep)
        return _Places(self.quads[which], self.views[which], self.near[which], sources, self.seen.only(which))

    def parts(self) -> list[_Places]:
        """A few at a time: for a thread each, and what they need stays in its core's cache."""
        numbers = np.arange(len(self.quads))
        count = min(len(numbers), threads() * -(-len(numbers) // (threads() * AT_ONCE)))
        return [self.only(numbers % count == part) for part in range(count)]

    @classmethod
    def joined(cls, parts: Sequence[_Places]) -> _Places:
        return cls(
            np.concatenate([part.quads for part in parts]),
            np.concatenate([part.views for part in parts]),
            np.concatenate([part.near for part in parts]),
            tuple(source for part in parts for source in part.sources),
            _Seen.joined([part.seen for part in parts]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """Judging in one photo: the faces it may show, the pieces that hide, where they can be seen, what is judged now, and the
    photo's tone (3,) when it is known; ``at_a_glance``: only places that look like a face as they lie."""

    photo: Photo
    bank: Bank
    on_top: Sequence[Cover] = ()
    tone: Array | None = None
    at_a_glance: bool = False

    def judge(self, proposals: Sequence[Proposal]) -> list[Judged]:
        """Every proposal that may be a face, aligned to the one that fits best; in no order, a proposal at times twice or not at all."""
        bank = self.bank
        framings = _framings(proposals, bank) if bank.names else []
        if not framings:
            return []
        quads = np.stack([framing.quad for framing in framings]).astype(np.float32)
        is_open = in_the_open(quads, self.on_top, self.photo.size)
        given = np.array([-1 if framing.view is None else framing.view for framing in framings])
        enough = is_open.mean((1, 2)) > _LEAST_OPEN
        if not enough.any():
            return []
        seen = _Seen.of(self.photo, quads)
        ranking = alike(seen.signatures, bank.signatures, is_open)
        views = np.where(given >= 0, given, ranking.argmax(1))
        near = np.take_along_axis(ranking, views[:, None], 1)[:, 0]
        places = _Places(quads, views, near, tuple(framing.source for framing in framings), seen)
        worth = enough & ((near > _LEAST_ALIKE) | (given >= 0))
        places = self._known(places.only(worth)) if self.at_a_glance else places.only(worth)
        if not len(places.quads):
            return []
        # Small operations on many places at once: threads would only wait for each other.
        (aligned,) = each(self._found, [places])
        found = _worth_it(aligned)
        decided = each(self._decided, found.parts())
        judged = [piece for part in decided for piece in part]
        return closely(self.photo, bank, each(self._without_things, judged))

    def _without_things(self, piece: Judged) -> Judged:
        """A piece that is in doubt, looked at for things that stand on it."""
        doubtful = _DOUBTFUL < piece.score <= SURE and piece.evidence["visible"] >= HALF_HIDDEN
        return unburdened(self.photo, self.bank, piece) if doubtful else piece

    def _known(self, places: _Places) -> _Places:
        """Without those that look like no face, as they lie, to picture and network together."""
        if not len(places.quads):
            return places
        like = self._embedded(places, self._open(places)).asked @ self.bank.features.kept.T
        return places.only(places.near + 2 * like.max(1) > _GLANCE)

    def _open(self, places: _Places) -> Array:
        """(n, 60, 40), 0 or 1: what of the places nothing is known to hide."""
        return in_the_open(places.quads, self.on_top, self.photo.size)

    @staticmethod
    def _embedded(places: _Places, is_open: Array) -> Features:
        """What the network says of the places, what is known to hide them painted over."""
        return shipped().embed(painted_over(places.seen.crops, is_open))

    def _found(self, places: _Places) -> _Places:
        """Pulled onto what they are thought to show; those that look like nothing then, once more with the corners where the network
        sees them."""
        places = self._pulled(places)
        lost = (places.near < _LEAST_PULLED["outline"]) & (places.near > _LOST)
        lost &= np.array([source == "outline" for source in places.sources])
        better = self._corrected(places.only(lost)) if lost.any() else None
        return places if better is None else _Places.joined([places, self._pulled(better)])

    def _corrected(self, places: _Places) -> _Places | None:
        """With the corners where the network sees them, and the faces it thinks of: a quad that is off by a tenth looks like nothing. None
        where it thinks of no face."""
        network, bank = shipped(), self.bank
        features = self._embedded(places, self._open(places))
        like = features.asked @ bank.features.kept.T
        views, known = like.argmax(1), like.max(1) > _KNOWN
        if not known.any():
            return None
        places, views, maps = places.only(known), views[known], features.maps[known]
        corners = network.relate(maps, bank.features.maps[views]).corners
        quads = moved(places.quads, corners)
        is_open = in_the_open(quads, self.on_top, self.photo.size)
        seen = _Seen.of(self.photo, quads)
        near = np.diagonal(alike(seen.signatures, bank.signatures[views], is_open))
        return replace(places, quads=quads, views=views, near=np.asarray(near, np.float32), seen=seen)

    def _pulled(self, places: _Places, rounds: slice = slice(None)) -> _Places:
        """Aligned to the views; a place that looks less like its view afterwards stays where it was."""
        is_open = self._open(places)
        quads = align(
            self.photo,
            places.quads,
            self.bank.gauge.pictures[places.views].astype(np.float32),
            is_open,
            rounds,
        )
        faces = self.bank.signatures[places.views]
        seen = _Seen.of(self.photo, quads)
        ranking = alike(seen.signatures, faces, in_the_open(quads, self.on_top, self.photo.size))
        near = np.diagonal(ranking)
        worse = near < places.near - 0.01
        if worse.any():
            quads[worse] = places.quads[worse]
            seen.put(worse, places.seen.only(worse))
        return replace(places, quads=quads, near=np.where(worse, places.near, near), seen=seen)

    def _pair(
        self,
        crops: Crops,
        is_open: Array,
        visible: Array,
        rivals: NDArray[np.intp],
        likely: Array,
        asked: NDArray[np.bool_],
    ) -> Array:
        """(n, k) log odds by a pair network for the two likeliest faces of each place that is ``asked`` (n,); -inf for the others. Where less than
        `HALF_HIDDEN` is ``visible`` (n, 15, 10) it is the one that knows covered pieces."""
        rows = self.bank.views.rows[rivals]
        order = np.argsort(-likely, 1)
        at: list[tuple[int, int]] = []
        for index in np.flatnonzero(asked):
            first = int(order[index, 0])
            others = [int(place) for place in order[index] if rows[index, place] != rows[index, first]]
            close = [place for place in others[:1] if likely[index, place] > likely[index, first] - _CLOSE]
            at += [(int(index), place) for place in (first, *close)]
        out = np.full(rivals.shape, -np.inf, np.float32)
        if at:
            index, place = np.array(at, np.intp).T
            faces = self.bank.views.crops[rivals[index, place]]
            covered = visible[index].mean((1, 2)) < HALF_HIDDEN
            bare = painted_over(crops[index[covered]], is_open[index[covered]])
            score = np.empty(len(index), np.float32)
            score[covered] = shipped().compare_covered(bare, faces[covered]).score
            score[~covered] = shipped().compare(crops[index[~covered]], faces[~covered]).score
            out[index, place] = score
        return out

    def _way_up(self, crops: Crops, rivals: NDArray[np.intp], likely: Array, cells: Array) -> Array:
        """``likely`` (n, k) with what the details say where one face is nearly as likely two ways up."""
        views = self.bank.views
        out = likely.copy()
        for index, first in enumerate(likely.argmax(1)):
            same = views.rows[rivals[index]] == views.rows[rivals[index, first]]
            same[first] = False
            other = int(np.where(same, likely[index], -np.inf).argmax())
            if same[other] and likely[index, other] > likely[index, first] - _NEARLY:
                one, turned = views.crops[rivals[index, [first, other]]]
                told = _TOLD * telling(crops[index], one, turned, cells[index, first], _PLAINLY)
                out[index, [first, other]] += np.array([told, -told], np.float32)
        return out

    def _told(self, crops: Crops, rivals: NDArray[np.intp], pair: Array, cells: Array) -> Array:
        """(n, k) what the details in which the two likeliest faces differ say for each of them; 0 for the others."""
        out = np.zeros(rivals.shape, np.float32)
        for index in np.flatnonzero((pair > -np.inf).sum(1) == 2):
            one, other = np.flatnonzero(pair[index] > -np.inf)
            faces = self.bank.views.crops[rivals[index, [one, other]]]
            out[index, one] = telling(crops[index], faces[0], faces[1], cells[index, one])
            out[index, other] = -out[index, one]
        return out

    def _decided(self, places: _Places, again: int = 1, corrected: bool = False) -> list[Judged]:
        """Each place compared with the faces it may show. Once more where another than the expected one fits best; and where nothing
        is sure, with the corners where the network sees them."""
        if not len(places.quads):
            return []
        bank, network = self.bank, shipped()
        views = bank.views
        is_open = self._open(places)
        ranking = alike(places.seen.signatures, bank.signatures, is_open)
        features = self._embedded(places, is_open)
        like = features.asked @ bank.features.kept.T
        least = np.array([_LEAST_LIKELY[source] for source in places.sources])
        hopeful = ranking.max(1) + like.max(1) > least
        if not hopeful.any():
            return []
        places, maps = places.only(hopeful), features.maps[hopeful]
        is_open, ranking, like = is_open[hopeful], ranking[hopeful], like[hopeful]
        count = min(_RIVALS, len(views.rows))
        rivals = _shortlist((ranking, like), views.rows, count, _SHORT)
        lacking = ~(rivals == places.views[:, None]).any(1)
        rivals[lacking, -1] = places.views[lacking]
        relation = network.relate(np.repeat(maps, count, 0), bank.features.maps[rivals.ravel()])
        net = relation.score.reshape(rivals.shape)
        cells = relation.cells.reshape(*rivals.shape, *relation.cells.shape[1:]) * by_cell(is_open)[:, None]
        corners = relation.corners.reshape(*rivals.shape, 4, 2)
        alive = net.max(1) > _DEAD
        if not alive.any():
            return []
        places = places.only(alive)
        crops, pictures = places.seen.crops, places.seen.halved
        is_open, ranking = is_open[alive], ranking[alive]
        like, rivals, net, cells, corners = (
            like[alive],
            rivals[alive],
            net[alive],
            cells[alive],
            corners[alive],
        )
        visible = cells[np.arange(len(cells)), net.argmax(1)]
        seen = is_open * widened(np.clip(2 * visible - 0.5, 0.05, 1))
        compared = compare(pictures, bank.gauge, rivals, seen, self.tone)
        likely = self._way_up(crops, rivals, net - 2 * np.log1p(totals(compared, visible)), cells)
        # Where another face than the expected one is ahead, it is aligned before details are looked at.
        ahead = likely.argmax(1)
        asked = (rivals[np.arange(len(rivals)), ahead] == places.views) | (again == 0)
        pair = self._pair(crops, is_open, visible, rivals, likely, asked)
        told = self._told(crops, rivals, pair, cells)
        best = np.where(pair > -np.inf, likely + _PAIR * pair + _TOLD * told, -np.inf).argmax(1)
        best = np.where(asked, best, ahead)
        winner = np.take_along_axis(rivals, best[:, None], 1)[:, 0]
        changed = winner != places.views
        near = np.take_along_axis(ranking, winner[:, None], 1)[:, 0]
        out: list[Judged] = []
        if again and changed.any():
            moved_on = replace(places, views=winner, near=near).only(changed)
            out += self._decided(self._pulled(moved_on, slice(1, None)), again - 1, corrected)
        scores = np.full(len(winner), np.inf)
        for index in np.flatnonzero(~changed) if again else range(len(winner)):
            choice, row = int(best[index]), int(index)
            rows = views.rows[rivals[row]]
            same = rows == rows[choice]
            evidence = measured(row, choice, same, compared, cells[row, choice], net[row])
            evidence["pair"] = float(np.clip(pair[row, choice], -12, 12))
            evidence["shown"] = bank.shown(int(rivals[row, choice]), cells[row, choice])
            runner = int(np.where(same, -np.inf, likely[row]).argmax())
            if evidence["visible"] >= HALF_HIDDEN:
                tints = [
                    off(crops[row], views.crops[view], bank.parts(view), cells[row, choice])
                    for view in (int(rivals[row, choice]), int(rivals[row, runner]))
                ]
                evidence["tint"] = float(np.log(tints[0] + 0.2))
                evidence["tint_margin"] = float(np.log(tints[1] + 0.2)) - evidence["tint"]
            says = float(told[row, choice]) if (pair[row] > -np.inf).sum() > 1 else _UNTOLD
            # Where all that tells faces apart is hidden, what is left to speak for one of them is what hides it.
            evidence["told"] = min(says, says * min(evidence["shown"] / _BARELY, 1))
            evidence["unexplained"] = float(is_open[row].mean() - cells[row, choice].mean())
            scores[row] = log_odds(evidence)
            others = [int(rows[place]) for place in np.argsort(-net[row]) if not same[place]]
            turn = int(views.turns[winner[row]])
            out.append(
                Judged(
                    int(rows[choice]),
                    np.asarray(np.roll(places.quads[row], -turn, 0), np.float32),
                    float(scores[row]),
                    others[0] if others else None,
                    _upright(cells[row, choice], turn),
                    places.sources[row],
                    evidence,
                )
            )
        # What comes from the plane or was looked at before lies where it should.
        loose = np.array([source == "outline" for source in places.sources]) & (self.tone is None)
        weak = (scores > _HOPELESS) & (scores < SURE) & loose
        if not corrected and weak.any():
            quads = moved(places.quads, np.asarray(corners[np.arange(len(best)), best], np.float32))
            lower = np.asarray(near - 0.05, np.float32)
            better = replace(places, quads=quads, views=winner, near=lower).only(weak)
            out += self._decided(self._pulled(better), 0, True)
        return out


def _worth_it(places: _Places) -> _Places:
    """Without places that look like nothing, and one only of those that have come to lie on each other with the same face."""
    keep = np.zeros(len(places.quads), bool)
    middles = places.quads.mean(1)
    sides = np.sqrt([abs(cv2.contourArea(quad)) for quad in places.quads])
    for index in np.argsort(-places.near):
        # Features know of pieces that are covered for the most part, which look like little as a whole.
        if places.near[index] < _LEAST_PULLED[places.sources[index]]:
            continue
        close = keep & (np.linalg.norm(middles - middles[index], axis=1) < _SAME * sides)
        alike_sized = np.abs(np.log(np.maximum(sides, 1e-3) / max(sides[index], 1e-3))) < _SAME
        rivals = close & alike_sized
        keep[index] = not (rivals & (places.views == places.views[index])).any() and rivals.sum() < 2
    return places.only(keep)


def _upright(cells: Array, turn: int) -> Array:
    """Cells of the frame as cells (15, 10) of the upright face, which was turned by ``turn`` quarters clockwise."""
    turned = np.ascontiguousarray(np.rot90(cells, turn), np.float32)
    return np.asarray(cv2.resize(turned, cells.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)
