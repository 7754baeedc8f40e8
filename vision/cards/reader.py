"""Reading a zone of cards: the card on top first, then what lies below it, each compared where it can be seen.

A card that nothing covers looks like its face all over; one that is covered by a card not known yet does not, and waits. So a row is
read in the order in which its cards lie on one another, and of each the right part is compared, however crooked they lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Piece, Zone
from vision.area import Area
from vision.calibration import Calibration
from vision.cards.bank import DEGREES, MIDDLE, ROUGH, CardBank
from vision.cards.compare import LEAST_SHARE, Verdict, aligned, ranking, turned_round, verdict
from vision.cards.sides import proposals, strongest
from vision.cards.view import Pose, View
from vision.compare import Array
from vision.plane import Picture

BORDER = 4.0
"""Around a zone, mm, so that a card at its edge is seen whole."""
PROMISING = 0.55
"""Places that look less like any face than this are not compared closely."""
SAME = (9.0, 0.2)
"""Proposals nearer than this to a card that is known are that card: mm, radians."""
STRIP = 5.0
"""What is narrower than this (mm) and not the mat may be a card's edge or a shadow: it is no card of its own."""
PAPER = 0.13
"""What differs less than this from the mat's paper (log brightness or colour) is the mat."""
GRAINED = 5.0
"""... or less than so many times what the paper, or the wood of a table without a mat, differs from itself."""
EDGE, NOISE, EDGED, OWN = 0.1, 4.0, 0.4, 12
"""A step of log brightness or colour that is an edge, or so many times those of the bare ground; the share of an outline that must have
one; points that say whether it does."""
LEAST_AREA = 280.0
"""Square mm of something that is neither mat nor a known card, from which on it is looked into, and told as a piece that is not known."""
MOST, ROOM = 60, 2500.0
"""So many places are looked at at most, or one for so many square mm."""
UNTOLD = 14.0
"""Around the middle of something that could not be told, so much (mm) is looked at again."""
AT_ONCE = 12
"""So many places are looked at before it is asked whether all is accounted for."""
ROUGHLY, LEANS = 14.0, (0.0, -0.07, 0.07)
"""What changed may be larger or smaller than a card by this (mm) and be one; how it may lean (radians)."""
LARGEST = 1.6
"""What is neither paper nor known and as large as so many cards is none: something stands in the way."""
STAYED = (4.0, 4.0)
"""A card that is not farther than this from where one lay before is that card: mm, degrees."""
SHIFTS = (6.0, 10.0, 14.0, 18.0, 22.0, 27.0, 33.0, 40.0, 48.0)
"""How far beside a known card another is looked for that it covers, mm."""


@dataclass(slots=True, eq=False)
class _Place:
    """A place where a card may lie. ``fresh`` is False when it was looked at as it is now."""

    pose: Pose
    bank: CardBank
    fresh: bool = True
    alike: float = 0.0
    lapped: bool = False
    """Whether it was believed, but for a side over which another card seems to lie."""
    ranks: Array | None = None
    outline: NDArray[np.float32] = field(default_factory=lambda: np.zeros((4, 2), np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card that was read."""

    bank: CardBank
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Reading:
    """The cards in a zone, topmost first, and whether something that is no card stands in the way: then the rest says nothing."""

    pieces: tuple[Piece, ...]
    blocked: bool = False


def look(
    picture: Picture,
    calibration: Calibration,
    zone: Zone,
    banks: Sequence[CardBank],
    before: Sequence[Piece] = (),
    kept: Sequence[Piece] = (),
    area: Area | None = None,
    changed: Area | None = None,
) -> Reading:
    """The cards in a zone, or in an ``area`` of it, of which the part ``changed`` is not as it was.

    ``before`` are cards read there earlier: where they lay is looked at first, and one that still lies there keeps its identity as long
    as what can be seen of it allows it. ``kept`` are cards of which it is known that they lie there still.
    """
    whole = Area.of(zone)
    part = (area or whole).cut(whole).grown(BORDER)
    if min(part.right - part.left, part.bottom - part.top) < 8:
        return Reading(tuple(kept))
    view = View.of(picture, calibration, part, banks[0].kind.thickness)
    ground = _Ground.of(view)
    for piece, bank in _of_kind(kept, banks):
        view.take(bank.outline(_pose(piece), 0.4))
    sized = zone.form == "pile"
    places = [*_known(before, banks), *(_changed(changed, banks) if changed else ())]
    found = _peeled(view, places, [], sized)
    if _rest(view, ground):
        sizes = list(dict.fromkeys((bank.kind.width, bank.kind.height) for bank in banks))
        most = max(MOST, round((part.right - part.left) * (part.bottom - part.top) / ROOM))
        sides = [
            _Place(pose, bank)
            for _, pose, which in proposals(view, sizes, most)
            for bank in banks
            if (bank.kind.width, bank.kind.height) == sizes[which]
        ]
        for start in range(0, len(sides), AT_ONCE):
            places += sides[start : start + AT_ONCE]
            found = _peeled(view, places, found, sized)
            if not _rest(view, ground):
                break
    for leans in (LEANS[:1], LEANS[1:]):
        if found and _rest(view, ground):
            places += _below(found, leans)
            found = _peeled(view, places, found, sized)
    if lapped := [place for place in places if place.lapped]:
        found = _peeled(view, lapped, found, sized, wary=False)
    rest = _rest(view, ground)
    pieces = [_piece(card, zone, before) for card in found]
    if zone.form == "pile" and pieces:
        pieces = [max(pieces, key=lambda piece: piece.visible)]
    pieces += [_unknown(outline, zone, banks[0]) for _, outline in rest]
    largest = max(bank.kind.width * bank.kind.height for bank in banks)
    blocked = any(size > LARGEST * largest for size, _ in rest)
    return Reading((*kept, *(piece for piece in pieces if zone.holds(piece.x, piece.y))), blocked)


def look_again(
    picture: Picture,
    calibration: Calibration,
    zone: Zone,
    banks: Sequence[CardBank],
    before: Sequence[Piece] | None,
    changed: Area | None,
) -> Reading:
    """The cards in a zone of which a part has ``changed`` since ``before`` was read there (None: never, or nothing that counts). What lies
    out of reach of the change is as it was; what could not be told is looked at once more."""
    if before is None:
        return look(picture, calibration, zone, banks)
    areas = [changed] if changed is not None else []
    areas += [Area(one.x, one.y, one.x, one.y).grown(UNTOLD) for one in before if not one.identities]
    if not areas:
        return Reading(tuple(before))
    area = Area(
        min(one.left for one in areas),
        min(one.top for one in areas),
        max(one.right for one in areas),
        max(one.bottom for one in areas),
    )
    reach = max(math.hypot(bank.kind.width, bank.kind.height) for bank in banks) / 2
    near = area.grown(reach)
    kept = [
        one
        for one in before
        if one.identities and not (near.left <= one.x <= near.right and near.top <= one.y <= near.bottom)
    ]
    again = [one for one in before if one not in kept]
    # What lies on a card that is looked at again, or under it, is looked at with it.
    while more := [
        one for one in kept if any(math.hypot(one.x - two.x, one.y - two.y) < 2 * reach for two in again)
    ]:
        kept = [one for one in kept if one not in more]
        again += more
    xs, ys = [one.x for one in again], [one.y for one in again]
    area = (
        Area(
            min(area.left, *xs),
            min(area.top, *ys),
            max(area.right, *xs),
            max(area.bottom, *ys),
        )
        if again
        else area
    )
    return look(picture, calibration, zone, banks, again, kept, area.grown(2 * reach), changed)


def _of_kind(pieces: Sequence[Piece], banks: Sequence[CardBank]) -> list[tuple[Piece, CardBank]]:
    known = {bank.kind.name: bank for bank in banks}
    return [(piece, known[piece.kind]) for piece in pieces if piece.kind in known and piece.identities]


def _pose(piece: Piece) -> Pose:
    return np.array([piece.x, piece.y, np.radians(piece.turn), 1.0])


def _known(before: Sequence[Piece], banks: Sequence[CardBank]) -> list[_Place]:
    return [_Place(_pose(piece), bank) for piece, bank in _of_kind(before, banks)]


def _changed(area: Area, banks: Sequence[CardBank]) -> list[_Place]:
    """Where one new card would lie that is all that changed."""
    wide, tall = area.right - area.left, area.bottom - area.top
    middle = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    places: list[_Place] = []
    for bank in banks:
        for quarter, (w, h) in enumerate(
            ((bank.kind.width, bank.kind.height), (bank.kind.height, bank.kind.width))
        ):
            if abs(wide - w) < ROUGHLY and abs(tall - h) < ROUGHLY:
                places += [
                    _Place(np.array([*middle, np.pi / 2 * quarter + lean, 1.0]), bank) for lean in LEANS
                ]
    return places


def _peeled(
    view: View, places: list[_Place], found: list[Card], sized: bool, wary: bool = True
) -> list[Card]:
    """The cards found and those of the places that are believed, topmost first; what they cover is no longer free. ``wary``: one over which
    another seems to lie waits for that one."""
    found = list(found)
    places[:] = [place for place in places if not any(_same(place, card) for card in found)]
    waiting: set[int] = set()
    while True:
        for place in places:
            if place.fresh:
                _look_at(view, place)
                waiting.discard(id(place))
        ready = [one for one in places if one.alike >= PROMISING and id(one) not in waiting]
        if not ready:
            return found
        place = max(ready, key=lambda one: one.alike)
        assert place.ranks is not None
        seen = verdict(view, place.bank, place.pose, place.ranks, sized)
        place.lapped = seen is not None and seen.believed and wary and seen.lapped
        if seen is None or not seen.believed or place.lapped:
            waiting.add(id(place))
            continue
        card = Card(place.bank, seen)
        found.append(card)
        outline = place.bank.outline(seen.pose, 0.4)
        view.take(outline)
        places[:] = [one for one in places if not _same(one, card)]
        for one in places:
            one.fresh = cv2.intersectConvexConvex(outline.astype(np.float32), one.outline)[0] > 30


def _look_at(view: View, place: _Place) -> None:
    """Which faces a place looks like, from where it fits best."""
    place.fresh = False
    place.alike = 0.0
    place.outline = place.bank.outline(place.pose).astype(np.float32)
    ranks, share = ranking(view, place.bank, place.pose)
    if share < LEAST_SHARE:
        return
    place.ranks, place.alike = ranks, float(ranks.max())
    if place.alike < PROMISING / 2:
        return
    way, row = divmod(int(ranks.argmax()), ranks.shape[1])
    sheet = place.bank.sheets[ROUGH]
    there = turned_round(aligned(view, sheet, row, turned_round(place.pose, way)), -way)
    ranks, _ = ranking(view, place.bank, there)
    if ranks.max() > place.alike:
        place.pose, place.ranks, place.alike = there, ranks, float(ranks.max())


def _same(place: _Place, card: Card) -> bool:
    pose = card.verdict.pose
    turn = (place.pose[2] - pose[2] + np.pi / 2) % np.pi - np.pi / 2
    return bool(np.hypot(*(place.pose[:2] - pose[:2])) < SAME[0] and abs(turn) < SAME[1])


def _below(found: Sequence[Card], leans: Sequence[float]) -> list[_Place]:
    """Places around cards that are known, where others may lie that they cover, leaning against them by so much (radians)."""
    places: list[_Place] = []
    for card in found:
        x, y, turn, size = card.verdict.pose
        cos, sin = np.cos(turn), np.sin(turn)
        for far in SHIFTS:
            for du, dv in ((-far, 0.0), (far, 0.0), (0.0, -far), (0.0, far)):
                at = x + cos * du - sin * dv, y + sin * du + cos * dv
                places += [_Place(np.array([*at, turn + lean, size]), card.bank) for lean in leans]
    return places


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """At MIDDLE, (H, W) uint8 of 0 and 255: where the view shows something else than the mat or the table, and where it shows a step."""

    other: Picture
    steps: Picture

    @classmethod
    def of(cls, view: View) -> _Ground:
        """The ground is what lies around the zone, its light a polynomial."""
        picture = view.features[MIDDLE]
        height, width = picture.shape[:2]
        y, x = np.mgrid[0:height, 0:width]
        u, v = (2 * x / width - 1).ravel(), (2 * y / height - 1).ravel()
        light = np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v]).astype(np.float32)
        edge = np.zeros((height, width), bool)
        rim = round(BORDER * MIDDLE)
        edge[:rim], edge[-rim:], edge[:, :rim], edge[:, -rim:] = True, True, True, True
        seen = edge & (view.free[MIDDLE] > 0)
        away = np.zeros((height, width), np.float32)
        values, rim_points = picture.reshape(-1, 3), np.flatnonzero(seen)[::3]
        for channel, terms in enumerate(DEGREES):
            known, spread = rim_points, 0.0
            solved = np.zeros(6, np.float32)
            # From a constant on: where a neighbour's card lies in the rim, a curved light would follow it.
            for count in (1, 3, terms, terms):
                if len(known) < 20:
                    break
                mine = light[known, :count]
                here = values[known, channel]
                normal = mine.T @ mine + np.eye(count, dtype=np.float32) * 1e-3
                solved[:] = 0
                solved[:count] = np.median(here) if count == 1 else np.linalg.solve(normal, mine.T @ here)
                off = np.abs(values[rim_points, channel] - light[rim_points] @ solved)
                spread = float(np.median(off[np.isin(rim_points, known)]))
                known = rim_points[off < max(0.04, 3 * spread)]
            basis = light
            # Wood has a grain, cloth a weave: what is no stranger than the rim itself is the table.
            usual = max(1.0, GRAINED * spread / PAPER)
            off = np.abs(values[:, channel] - basis @ solved).reshape(height, width)
            away = np.maximum(away, off / np.float32(usual))
        # Beyond the zone lies what belongs to others.
        away[edge] = 0
        kernel = np.array([[-1.0, 0.0, 1.0]], np.float32)
        ways = [
            strongest(np.asarray(cv2.filter2D(picture, cv2.CV_32F, one), np.float32))
            for one in (kernel, kernel.T)
        ]
        steep = np.maximum(*ways)
        usual = NOISE * float(np.median(steep.ravel()[rim_points])) if len(rim_points) else 0.0
        step = (steep > max(EDGE, usual)).astype(np.uint8) * 255
        steps = cv2.dilate(step, np.ones((3, 3), np.uint8))
        return cls(np.asarray((away > PAPER).astype(np.uint8) * 255, np.uint8), np.asarray(steps, np.uint8))


def _rest(view: View, ground: _Ground) -> list[tuple[float, NDArray[np.float64]]]:
    """What is neither ground nor known, as far as it is large enough to be part of a card: its area (square mm) and an outline (4, 2) mm,
    largest first. A shadow, or light that fades, has no edge: it is none."""
    free = view.free[MIDDLE]
    left = cv2.bitwise_and(ground.other, free)
    side, rim = round(STRIP * MIDDLE), round(BORDER * MIDDLE) + 1
    left = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    left = cv2.bitwise_and(left, free)
    left = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    contours, _ = cv2.findContours(np.asarray(left, np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    known = cv2.dilate(cv2.bitwise_not(free), np.ones((5, 5), np.uint8))
    found: list[tuple[float, NDArray[np.float64]]] = []
    for contour in contours:
        size = cv2.contourArea(contour) / MIDDLE**2
        if size < LEAST_AREA:
            continue
        x, y = contour[:, 0, 0], contour[:, 0, 1]
        height, width = free.shape
        # Where the zone ends nothing of its own need have an edge, and a neighbour's card may have one.
        own = (known[y, x] == 0) & (x > rim) & (y > rim) & (x < width - 1 - rim) & (y < height - 1 - rim)
        if own.sum() >= OWN and np.count_nonzero(ground.steps[y[own], x[own]]) < EDGED * own.sum():
            continue
        box = cv2.boxPoints(cv2.minAreaRect(contour)).astype(np.float64)
        found.append((size, (box + 0.5) / MIDDLE + (view.left, view.top)))
    return sorted(found, key=lambda one: -one[0])


def _piece(card: Card, zone: Zone, before: Sequence[Piece]) -> Piece:
    verdict = card.verdict
    names = tuple(sorted(card.bank.identities[row] for row in verdict.rows))
    x, y, turn, _ = verdict.pose
    sure = min(0.99, 0.5 + 0.5 * min(1.0, verdict.apart / 3)) * min(1.0, verdict.alike + 0.02)
    if len(names) > 1:
        # What cannot be told by the strip that shows may have been seen when more of the card did.
        stayed = [
            piece
            for piece in before
            if piece.kind == card.bank.kind.name
            and np.hypot(piece.x - x, piece.y - y) < STAYED[0]
            and abs((piece.turn - np.degrees(turn) + 180) % 360 - 180) < STAYED[1]
            and set(piece.identities) <= set(names)
            and piece.identities
        ]
        if len(stayed) == 1:
            names, sure = stayed[0].identities, stayed[0].confidence
    return Piece(
        names,
        card.bank.kind.name,
        zone.name,
        float(x),
        float(y),
        float(np.degrees(turn) % 360),
        seen=(len(names) == 1,),
        visible=round(verdict.share, 3),
        confidence=float(sure if len(names) == 1 else 0.4),
    )


def _unknown(outline: NDArray[np.float64], zone: Zone, bank: CardBank) -> Piece:
    """Something that is no card that is known."""
    x, y = outline.mean(axis=0)
    return Piece(
        (), bank.kind.name, zone.name, float(x), float(y), seen=(False,), visible=0.0, confidence=0.0
    )
