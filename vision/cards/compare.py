"""How like a face a card is, as far as it can be seen, and whether it can be told from the others.

What is compared is what the light cannot explain: of brightness all but a polynomial of second degree, of colour all but a plane,
fitted where the card is free. Two faces are told apart by what they differ in alone, however little of the card that is: what is
seen is laid between the two, and it must lie at one of them, by more than what the comparison leaves unexplained.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.bank import DEGREES, FINE, MIDDLE, ROUGH, CardBank, Lit, Sheet
from vision.cards.view import Pose, View
from vision.compare import Array

LEAST = 40
"""Points that must be seen for a comparison to mean anything."""
ROUNDS = 4
"""Steps of alignment."""
REACH = (3.0, 0.08, 0.025)
"""How far alignment may lead from the start: mm, radians, share of the size."""


@dataclass(frozen=True, slots=True, eq=False)
class Unlit:
    """Takes the light out of what is seen: ``root`` (D) of the weights, and by number of terms the light's ``basis`` (D, k), weighted, and
    the products (k, k) of its terms."""

    root: Array
    bases: dict[int, tuple[Array, NDArray[np.float64]]]

    @classmethod
    def of(cls, weights: Array, light: Array) -> Unlit:
        root = np.sqrt(weights)
        bases: dict[int, tuple[Array, NDArray[np.float64]]] = {}
        for terms in set(DEGREES):
            basis = light[:, :terms] * root[:, None]
            bases[terms] = basis, _gram(basis)
        return cls(root, bases)

    def flat(self, values: Array) -> Array:
        """Features (..., 3, D) without their light, weighted: (..., 3 * D)."""
        out = np.empty(values.shape, np.float32)
        for channel, terms in enumerate(DEGREES):
            basis, gram = self.bases[terms]
            one = values[..., channel, :] * self.root
            factors = np.linalg.solve(gram, (one @ basis).T)
            out[..., channel, :] = one - factors.T @ basis.T
        return out.reshape(*values.shape[:-2], -1)


def _gram(basis: Array) -> NDArray[np.float64]:
    """(k, k), kept from being singular where next to nothing is seen."""
    normal = basis.astype(np.float64).T @ basis
    return np.asarray(normal + np.eye(len(normal)) * (1e-5 * max(1.0, float(np.trace(normal)))))


def ranking(view: View, bank: CardBank, pose: Pose) -> tuple[Array, float]:
    """Correlation of what lies at a pose with each face upright and turned round, (2, n); and the share that can be seen."""
    sheet = bank.sheets[ROUGH]
    seen, weights = view.at(pose, sheet)
    total = float(weights.sum())
    share = total / len(weights)
    if total < LEAST:
        return np.zeros((2, len(bank.identities)), np.float32), share
    seen = seen - (weights @ seen) / total
    lit = sheet.whole if total == len(weights) else Lit.of(sheet.light, sheet.squares, weights)
    common = np.zeros(2 * len(bank.identities))
    power, own = common.copy(), 0.0
    for channel, terms in enumerate(DEGREES):
        solve, mine = lit.solve[terms], seen[:, channel] * weights
        # What the light explains of the faces and of what is seen is taken away from their products.
        asked = np.column_stack([lit.light[:, :terms], mine]).T @ sheet.both[channel]
        light, of_faces = lit.light[:, :terms].T @ seen[:, channel], asked[:terms].astype(np.float64)
        common += asked[terms] - (solve @ light) @ of_faces
        power += lit.power[channel] - ((solve @ of_faces) * of_faces).sum(axis=0)
        own += float(mine @ seen[:, channel] - light @ solve @ light)
    alike = common / np.sqrt(np.maximum(power * own, 1e-9))
    return alike.reshape(2, -1).astype(np.float32), share


def turned_round(pose: Pose, way: int) -> Pose:
    """The same place, the card turned by ``way`` half turns."""
    turned = pose.copy()
    turned[2] += np.pi * way
    return turned


def aligned(view: View, sheet: Sheet, row: int, start: Pose, sized: bool = False) -> Pose:
    """The pose near ``start`` at which a face fits best (Lucas and Kanade 1981, in brightness, where the card is free). ``sized``: how
    large it looks is fitted too."""
    pose = start.copy()
    design = sheet.design(row, sized)
    count = design.shape[1] - sheet.light.shape[1]
    least = np.array([REACH[0], REACH[0], REACH[1], REACH[2]])
    for _ in range(ROUNDS):
        seen, weights = view.at(pose, sheet)
        if weights.sum() < LEAST:
            break
        # An outer rim of half a pixel moves in and out of sight: it does not steer.
        weighted = design * weights[:, None]
        normal = weighted.T @ design + np.eye(design.shape[1]) * 1e-3
        factors = np.linalg.solve(normal, weighted.T @ seen[:, 0])
        gain = max(float(factors[0]), 0.15)
        step = -factors[1:count] / gain
        dx, dy = float(np.clip(step[0], -1.5, 1.5)), float(np.clip(step[1], -1.5, 1.5))
        cos, sin = np.cos(pose[2]) * pose[3], np.sin(pose[2]) * pose[3]
        pose[0] += cos * dx - sin * dy
        pose[1] += sin * dx + cos * dy
        pose[2] += float(np.clip(step[2], -0.03, 0.03))
        if sized:
            pose[3] *= 1 + float(np.clip(step[3], -0.01, 0.01))
        pose = np.clip(pose, start - least, start + least)
        if abs(dx) + abs(dy) < 0.03:
            break
    return pose


ALIKE, ODDLY = 0.86, 0.12
"""A card is believed when it correlates at least this much with its face, and at most this share of what is seen shows something else ..."""
FAINT, CLEAN, LEAD = 0.72, 0.03, 0.22
"""... or with these, when it correlates so much more with its face than with any other."""
SIDE, LAPPED, CLEAR_OF = 6.0, 1.8, 0.01
"""A strip along a side of a card, mm; where the face explains it so many times worse (mean square) than the rest of the card, and more than this share of
the card shows something else, another card lies over that side. A card that nothing covers has 0.7 to 2.1 there and shows nothing else, one that another
of its own face covers a little 2.6 or more, and 0.03."""
LEAST_SHARE = 0.08
"""A card of which less than this can be seen is not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What a card at a pose shows. ``rows``: the faces it may be, best first (several: they cannot be told apart by what is seen);
    ``alike``: correlation with the best; ``share`` (0-1): how much of the card is free; ``odd`` (0-1): the share of what is free that the
    best face does not explain; ``apart``: how clearly the nearest rival that is ruled out is ruled out; ``rival``: correlation with the
    next face; ``pose``: turned the way the face stands; ``uneven``: how many times as badly as elsewhere the face explains the side where it does so worst."""

    rows: tuple[int, ...]
    alike: float
    share: float
    odd: float
    apart: float
    rival: float
    pose: Pose
    uneven: float = 1.0

    @property
    def lapped(self) -> bool:
        """Whether another card seems to lie over one of its sides, not known yet."""
        return self.uneven > LAPPED and self.odd > CLEAR_OF

    @property
    def believed(self) -> bool:
        """Whether it is a face at all: much like it, or less (a pale strip in the dark) but then like no other and nowhere else."""
        if self.share < LEAST_SHARE:
            return False
        return (self.alike >= ALIKE and self.odd <= ODDLY) or (
            self.alike >= FAINT and self.odd <= CLEAN and self.alike - self.rival >= LEAD
        )


TOLD = 0.22
"""How far from the middle between two faces (0.5: at one of them) what is seen must lie ..."""
CLEAR = 6.0
"""... and how many times the uncertainty of that from the middle."""
GRAIN = 9.0
"""So many neighbouring points (at FINE) err alike: a shift, a blurred edge."""
COARSE_NOISE = 0.035
"""What a point errs by at least, log brightness."""
ODD = 0.3
"""A patch whose mean error is greater than this (log brightness or colour) shows something else."""
PATCH = 4.0
"""Side of a patch, mm."""
SHORTLIST = 8
"""So many faces are compared closely."""
FAR = 0.4
"""Faces so much less alike than the best are no rivals."""
TRIED, BEHIND = 3, 0.08
"""So many of them are aligned, as long as they are not so much less alike than the best."""


def _alike(view: View, sheet: Sheet, pose: Pose, row: int) -> float:
    """Correlation of what lies at a pose with one face."""
    seen, weights = view.at(pose, sheet)
    if weights.sum() < LEAST:
        return 0.0
    mine, face = Unlit.of(weights, sheet.light).flat(np.stack([seen.T, sheet.faces([row])[0]]))
    return float(mine @ face / max(1e-6, float(np.sqrt((mine @ mine) * (face @ face)))))


def verdict(view: View, bank: CardBank, pose: Pose, ranks: Array, sized: bool = False) -> Verdict | None:
    """Compare closely: the likeliest faces by ``ranks`` (2, n), each aligned; None when nothing of the card can be seen."""
    best: tuple[float, int, Pose] | None = None
    for place in np.argsort(-ranks, axis=None)[:TRIED]:
        if best is not None and ranks.flat[place] < ranks.max() - BEHIND:
            break
        way, row = divmod(int(place), ranks.shape[1])
        start = turned_round(pose, way)
        there = aligned(view, bank.sheets[MIDDLE], row, start, sized)
        alike = _alike(view, bank.sheets[MIDDLE], there, row)
        if best is None or alike > best[0]:
            best = alike, row, there
    if best is None:
        return None
    pose = best[2]
    sheet = bank.sheets[FINE]
    seen, weights = view.at(pose, sheet)
    share = float(weights.mean())
    if weights.sum() < 4 * LEAST:
        return None
    # Upright as the best one stands, and turned round: what else might look like this here.
    again = ranking(view, bank, pose)[0]
    order = np.argsort(-again[0])[:SHORTLIST]
    rows = [int(row) for row in order if again[0][row] > again[0][order[0]] - FAR]
    rows += [best[1]] if best[1] not in rows else []
    unlit = Unlit.of(weights, sheet.light)
    mine, faces = unlit.flat(seen.T), unlit.flat(sheet.faces(rows))
    power = np.maximum(np.sum(faces * faces, axis=1), 1e-6)
    own = max(float(mine @ mine), 1e-6)
    alikes = faces @ mine / np.sqrt(power * own)
    top = int(np.argmax(alikes))
    face = faces[top]
    gain = float(np.clip(face @ mine / power[top], 0.4, 1.6))
    left = mine - gain * face
    noise = max(float(np.sqrt(left @ left / (3 * weights.sum()))), COARSE_NOISE)
    apart, same = 9.0, [top]
    for index in range(len(rows)):
        if index == top:
            continue
        between = gain * (face - faces[index])
        length = float(between @ between)
        if length < 1e-6:
            same.append(index)
            continue
        lies = float((mine - gain * (face + faces[index]) / 2) @ between) / length
        sure = lies * np.sqrt(length) / (noise * np.sqrt(GRAIN))
        if lies < TOLD or sure < CLEAR:
            same.append(index)
        else:
            apart = min(apart, sure / CLEAR)
    odd, uneven = _odd(left, weights, sheet), _uneven(left, weights, sheet)
    chosen = tuple(rows[index] for index in sorted(same, key=lambda index: -float(alikes[index])))
    rival = max((float(alikes[index]) for index in range(len(rows)) if index != top), default=0.0)
    return Verdict(chosen, float(alikes[top]), share, odd, float(apart), rival, pose, uneven)


def _odd(left: Array, weights: Array, sheet: Sheet) -> float:
    """The share of what is free in patches that something else is shown in."""
    width, height = sheet.size
    side = round(PATCH * sheet.scale)
    seen = weights.reshape(height, width)
    square = (left.reshape(3, height, width) ** 2).sum(axis=0)
    known = cv2.blur(seen, (side, side), borderType=cv2.BORDER_REFLECT)
    mean = cv2.blur(square, (side, side), borderType=cv2.BORDER_REFLECT) / np.maximum(known, 0.2)
    strange = (mean > ODD**2) & (seen > 0)
    return float(np.count_nonzero(strange) / max(1.0, float(seen.sum())))


def _uneven(left: Array, weights: Array, sheet: Sheet) -> float:
    """How many times as much (mean square) is left unexplained along the worst side as on the rest of what is free."""
    width, height = sheet.size
    seen = weights.reshape(height, width)
    square = (left.reshape(3, height, width) ** 2).sum(axis=0)
    count, total, wide = float(seen.sum()), float(square.sum()), round(SIDE * sheet.scale)
    worst = 1.0
    for side in (np.s_[:, :wide], np.s_[:, -wide:], np.s_[:wide], np.s_[-wide:]):
        here, mine = float(seen[side].sum()), float(square[side].sum())
        if 3 * here > seen[side].size and count - here > here:
            elsewhere = max((total - mine) / (count - here), COARSE_NOISE**2)
            worst = max(worst, mine / here / elsewhere)
    return worst
