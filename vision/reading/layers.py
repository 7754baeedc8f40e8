"""Layer by layer: what lies under, on and beside the pieces that are known, as local features and the plane of the table have it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from vision.photo import Photo, Quad
from vision.reading.bank import Bank
from vision.reading.claims import SAME_PLACE, overlap, settle
from vision.reading.compare import Array
from vision.reading.covered import covered
from vision.reading.evidence import HALF_HIDDEN, SURE, tone
from vision.reading.features import vote
from vision.reading.ground import Ground, Sure
from vision.reading.hiding import Cover
from vision.reading.judge import Bench
from vision.reading.strangers import strangers
from vision.reading.support import broadened
from vision.reading.voting import Comparisons
from vision.reading.words import Judged, Outlines, Proposal

_LAYERS = 5
"""Rounds at most: what lies on a piece is found before it."""
_COVERED = 12
"""So many places that edges tell are judged in a round, those best borne out."""
_WEAK_VOTES = 1.7
"""What so few features agree about is chance, more often than not."""
_WEAKLY = 24
"""So many places that features tell are judged in a round."""
_SIZE = 0.06
"""Faces whose logarithms of aspect round to the same multiple of this are taken to be pieces of one size."""
FEWEST, OTHER_SIZE = 3, 0.2
"""Pieces that tell the size of all, and by how much of the side corners are off of what has another size: a symbol in its frame looks like a
whole card with one."""
_ASKED_BEFORE = 0.85
"""Intersection over union above which a place has been asked about before."""
_LAPS = 0.02
"""Share of the smaller one above which one piece lies on another, and does not only touch it."""
_ONE = 0.7
"""Intersection over union above which two places are one, and neither lies on the other."""


def photo_tone(sure: Sequence[Judged]) -> Array | None:
    """The tone that the sure pieces of a photo have shown (`vision.reading.evidence.tone`)."""
    return tone([piece.evidence for piece in sure])


def table(sure: Sequence[Judged], bank: Bank, photo: Photo) -> Ground | None:
    """The plane and the sizes that the sure pieces have shown."""
    return _shown(tuple((piece, bank.aspects[piece.row]) for piece in sure), photo.size)


@lru_cache(maxsize=2)
def _shown(pieces: tuple[tuple[Judged, float], ...], size: tuple[int, int]) -> Ground | None:
    """The same by pieces and aspects; kept, as it takes 10 ms and is asked for again before anything more is found."""
    known: list[Sure] = [
        (piece.quad, aspect, round(abs(math.log(aspect)) / _SIZE)) for piece, aspect in pieces
    ]
    return Ground.of(known, size) if known else None


def of_one_size(
    pieces: Sequence[Judged], ground: Ground | None, bank: Bank, outlines: Outlines
) -> list[Judged]:
    """Those of the pieces that have the size which the table shows, or an outline of their own: a symbol among others on a card looks like a
    small card with one."""
    if ground is None or ground.pieces < FEWEST:
        return list(pieces)
    return [
        piece
        for piece in pieces
        if ground.residual(piece.quad, bank.aspects[piece.row]) < OTHER_SIZE
        or any(overlap(piece.quad, outlined.quad)[0] > _ONE for outlined in outlines.quads)
    ]


@dataclass(slots=True)
class _Asked:
    """The places that were judged: one is judged again only where a piece that may lie on it has been found since. The pieces must be those
    of before with new ones at their end."""

    quads: list[Quad] = field(default_factory=list)
    known: int = -1

    def again(self, sure: Sequence[Judged]) -> bool:
        """Whether anything has been found since the last time."""
        return len(sure) != self.known

    def new(self, proposals: Sequence[Proposal], sure: Sequence[Judged], most: int) -> list[Proposal]:
        """The first ``most`` proposals that are worth judging, now that ``sure`` are known; they count as judged."""
        since = [piece.quad for piece in sure[max(self.known, 0) :]]
        self.known = len(sure)
        found: list[Proposal] = []
        for proposal in proposals:
            if len(found) == most:
                break
            beside = [overlap(proposal.quad, quad) for quad in since]
            if any(union > SAME_PLACE for union, _ in beside):
                continue
            if any(smaller > _LAPS for _, smaller in beside) or not any(
                overlap(proposal.quad, quad)[0] > _ASKED_BEFORE for quad in self.quads
            ):
                found.append(proposal)
        self.quads += [proposal.quad for proposal in found]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """What is looked at in every round: the photo, the faces, edges, and features beside those of faces; ``plane``: the table where it is
    known beforehand; ``lap``: told the stage that has ended."""

    photo: Photo
    bank: Bank
    outlines: Outlines
    seen: Comparisons
    plane: Ground | None
    lap: Callable[[str], None]

    def all(self, sure: list[Judged]) -> tuple[list[Judged], Ground | None]:
        """The sure pieces and those found from them, round by round, until nothing more is; and the table that they show."""
        voted, placed = _Asked(), _Asked()
        ground = self.plane
        for _ in range(_LAYERS):
            if voted.again(sure):
                ground = self.plane or table(sure, self.bank, self.photo)
                sure = self._by_features(sure, ground, voted)
            self.lap("again")
            if not placed.again(sure):
                break
            ground = self.plane or table(sure, self.bank, self.photo)
            if ground is None:
                break
            sure = self._by_plane(sure, ground, placed)
            self.lap("covered")
        return sure, ground

    def _by_features(self, sure: list[Judged], ground: Ground | None, asked: _Asked) -> list[Judged]:
        """Features that no known piece explains, with what hides them known."""
        covers = [Cover.of(piece.quad, piece.cells) for piece in sure]
        left = self.seen
        for cover in covers:
            left = left.only(~cover.hides(left.seen))
        voted = vote(self.photo, self.bank.feature_index, ground=ground, seen=left, least=_WEAK_VOTES)
        found = asked.new([one for one in voted if one.votes >= _WEAK_VOTES], sure, _WEAKLY)
        judged = self._bench(covers, sure).judge(found) + self._below(covers, sure, found)
        judged += self._under_strangers(covers, sure, ground, found)
        likely = [piece for piece in judged if piece.score > SURE]
        return settle(of_one_size(likely, ground, self.bank, self.outlines), self.bank, sure)

    def _below(
        self, covers: Sequence[Cover], sure: Sequence[Judged], places: Sequence[Proposal]
    ) -> list[Judged]:
        """The places once more as if all that is known lay on them, also where it is hidden itself: in a row the next piece but one is not
        always found."""
        hidden = [cover for cover in covers if cover.cells is not None]
        near = [one for one in places if any(_laps(cover.quad, one.quad) for cover in hidden)]
        return self._bench([Cover(cover.quad) for cover in covers], sure).judge(near) if near else []

    def _under_strangers(
        self,
        covers: Sequence[Cover],
        sure: Sequence[Judged],
        ground: Ground | None,
        places: Sequence[Proposal],
    ) -> list[Judged]:
        """The places once more as if the pieces that nobody knows lay on them; these are trusted only where the table tells their size."""
        judged: list[Judged] = []
        if ground is None or not places:
            return judged
        unknown = strangers(self.outlines, sure, self.bank, ground)
        for place in places:
            on_top = [Cover(quad) for quad in unknown if _laps(quad, place.quad)]
            if on_top:
                judged += self._bench([*covers, *on_top], sure).judge([place])
        return judged

    def _by_plane(self, sure: list[Judged], ground: Ground, asked: _Asked) -> list[Judged]:
        """Where edges bear out that something lies. A place is judged with what is known to hide it; once more with that as broad as a piece
        may be around its face; and where nobody has seen it lie open, with the places on top that are better borne out."""
        covers = [Cover.of(piece.quad, piece.cells) for piece in sure]
        broad = [replace(cover, around=broadened(cover.quad)) for cover in covers]
        places = covered(self.outlines, ground, covers)
        found = asked.new(places, sure, _COVERED)
        judged = self._bench(covers, sure).judge(found)
        near = [one for one in found if any(_laps(cover.outer, one.quad) for cover in broad)]
        judged += self._bench(broad, sure).judge(near) + self._below(covers, sure, found)
        clear = [one.quad for one in judged if one.score > SURE or one.visible >= HALF_HIDDEN]
        for number, place in enumerate(places):
            if not any(place is one for one in found) or any(
                overlap(place.quad, quad)[0] > SAME_PLACE for quad in clear
            ):
                continue
            better = [Cover(other.quad) for other in places[:number] if _laps(other.quad, place.quad)]
            if better:
                judged += self._bench(covers + better, sure).judge([place])
        return settle(judged, self.bank, sure)

    def _bench(self, covers: Sequence[Cover], sure: Sequence[Judged]) -> Bench:
        return Bench(self.photo, self.bank, covers, photo_tone(sure))


def _laps(one: Quad, other: Quad) -> bool:
    union, smaller = overlap(one, other)
    return smaller > _LAPS and union < _ONE
