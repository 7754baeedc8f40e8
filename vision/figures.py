"""Coloured figures on the squares of a board, told by colour and shape.

The board is seen from straight above and compared with its own picture: what the light makes of it is a smooth field, fitted robustly over
all of the board and taken out, so that lamp, white balance and exposure do not matter. What then differs in colour, or is darker than any
shadow, stands on it. Its colour is compared with the owner's samples, which are seen in the board's own light as well; its shape
with what a foot of this size and a figure of this height look like from where the camera stands: a figure leans away from the point below
the camera, and only its foot says where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.table import Figure, Layout, Piece, Square, Zone
from vision.boards import SCALE, Board
from vision.calibration import Calibration, Floats
from vision.evenlight import TINGED, log_of, split
from vision.mat import LOOSE_QUIET, LOOSE_SIZE, Marker
from vision.paints import FAR, FigureError, Paint, distances, paints_of
from vision.patches import SMALLEST, Patch, patches, window
from vision.plane import Picture, Window, rectify
from vision.scene import Mask, Scene
from vision.silhouettes import drawn, reach

FITS = 0.6
"""A figure whose outline agrees less with what is seen (share of the union) is not told by its shape."""
APART = 0.06
"""The outline of another figure must agree so much less."""
BLOCKED = 3000.0
"""So much (mm2) that cannot be told means that something lies across the board."""
LOST = 0.45
"""Correlation of print with what is seen of it below which it is hidden."""
DEEPEST = 1.5
"""No shadow takes more than this (log)."""
SIZES = (0.72, 0.8, 0.9, 1.0, 1.12, 1.25, 1.4)
"""Sizes that an owner's figures may have, relative to the layout's."""
ENOUGH = 4
"""Patches of colour from which their size is told."""
BETTER = 0.02
"""By so much the fit must be better than at the layout's size."""
STRAY = 7.0
"""A foot this far (mm) outside of a square does not stand on it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What stands on a board; ``blocked``: something lies across it."""

    pieces: tuple[Piece, ...]
    blocked: bool


@dataclass(frozen=True, slots=True, eq=False)
class FigureSeeker:
    """All that is known before a picture comes."""

    zone: Zone
    board: Board
    figures: tuple[Figure, ...]
    paints: tuple[Paint, ...]
    alike: tuple[Mask, ...]
    """For each paint, where the board itself has its colour: nothing of a figure would be seen there."""

    @classmethod
    def of(cls, layout: Layout, zone: Zone, board: Board, samples: Mapping[str, Picture]) -> FigureSeeker:
        """``samples``: a small picture of each figure's paint by identity, in the light of the board's picture. Raises FigureError when
        one is missing."""
        figures = tuple(figure for figure in layout.figures if figure.kind in zone.kinds)
        missing = [one.identity for one in figures if one.identity not in samples]
        if missing:
            raise FigureError(f"no sample of {', '.join(missing[:4])}; show each figure on the board once")
        paints = paints_of(figures, samples)
        soft = np.asarray(cv2.GaussianBlur(log_of(board.picture), (0, 0), 0.8), np.float32)
        parts = split(soft)
        del soft
        # One paint after the other: all of them at once are ten times the picture.
        alike = tuple((distances((one,), *parts)[0] < FAR * 1.2).astype(np.uint8) for one in paints)
        return cls(zone, board, figures, paints, alike)


def seekers(layout: Layout, pictures: Mapping[str, Picture]) -> Mapping[str, FigureSeeker]:
    """One for each board of a layout, by its zone, from a gallery's pictures: of the empty board under the zone's name, of the paint
    under the figures' names. Raises FigureError when one is missing."""
    return {
        zone.name: FigureSeeker.of(
            layout, zone, Board.of(pictures[zone.name], zone.width, zone.height), pictures
        )
        for zone in layout.zones
        if zone.form == "squares"
    }


# Shapes


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """Figures that would explain a patch of colour: feet (px in the patch's window) and how well."""

    figures: tuple[tuple[Figure, float, float], ...]
    fit: float


def _best(
    figure: Figure, shown: Mask, open_: Mask, foot: tuple[float, float], eye: Floats
) -> tuple[float, float, Mask] | None:
    """Where the outline of a figure agrees best with ``shown``, ``open_`` being where it would have to be seen: the foot's px and
    the outline there."""
    far = reach(figure)
    side = 2 * far + 1
    if side >= min(shown.shape):
        return None
    template = drawn(figure, foot, eye, side).astype(np.float32)
    hits = cv2.matchTemplate(shown.astype(np.float32), template, cv2.TM_CCORR)
    must = cv2.matchTemplate(open_.astype(np.float32), template, cv2.TM_CCORR)
    total = float(np.count_nonzero(shown))
    # share of the union: what is seen and explained, of what is seen or would have to be
    fit = hits / np.maximum(total + must - hits, 1.0)
    _, _, _, (column, row) = cv2.minMaxLoc(fit)
    mask = np.zeros_like(shown)
    mask[row : row + side, column : column + side] = template.astype(np.uint8)
    return column + far, row + far, mask


def _guesses(kinds: Sequence[Figure], around: _Around, eye: Floats) -> list[_Guess]:
    """All sets of figures of one colour (each kind at most once) that may explain a patch, the best first."""
    shown, open_, foot = around.shown, around.open, around.foot
    found = []
    spare = np.ones((3, 3), np.uint8)
    sets: list[tuple[Figure, ...]] = [(figure,) for figure in kinds]
    total = int(np.count_nonzero(shown))
    largest = max(np.count_nonzero(drawn(one, foot, eye, 2 * reach(one) + 1)) for one in kinds)
    if total > 1.1 * largest or around.hidden:  # larger than one alone, or something may hide a part
        sets += list(permutations(kinds, 2))
    for figures in sets:
        rest, union = shown.copy(), np.zeros_like(shown)
        placed = []
        for figure in figures:
            best = _best(figure, rest, open_, foot, eye)
            if best is None:
                break
            placed.append((figure, best[0], best[1]))
            union |= best[2]
            rest[cv2.dilate(best[2], spare) > 0] = 0
        if len(placed) < len(figures):
            continue
        hit = int(np.count_nonzero(union & shown))
        missed = int(np.count_nonzero(union & open_ & ~shown & 1))
        fit = hit / max(1, total + missed)
        # A second figure has to explain more than an outline that is a little off.
        found.append(_Guess(tuple(placed), fit - 0.08 * (len(figures) - 1)))
    return sorted(found, key=lambda guess: -guess.fit)


# Reading


def read(picture: Picture, calibration: Calibration, seeker: FigureSeeker) -> tuple[Reading, Calibration]:
    """What stands on the board, and the calibration with the figures' sizes as soon as they can be told. A figure that cannot be told for
    certain has several identities, or none."""
    scene, eye = _seen(picture, calibration, seeker)
    if not all(kind in calibration.pieces for kind in seeker.zone.kinds):
        sizes = _measured(scene, eye, seeker)
        calibration = replace(calibration, pieces={**calibration.pieces, **sizes}) if sizes else calibration
    found: list[Piece] = []
    told = np.zeros_like(scene.standing)
    for index, paint in enumerate(seeker.paints):
        figures = _sized(seeker, paint, calibration)
        for patch in patches(scene.shown[index], scene.standing):
            found += _one(scene, index, patch, figures, seeker, eye, told)
    found += _strange(scene, told, seeker)
    blocked = _untold(scene, told) > BLOCKED * SCALE**2 or _lost(scene, told) > BLOCKED
    return Reading(tuple(_once(found, seeker.figures)), blocked), calibration


def _measured(scene: Scene, eye: Floats, seeker: FigureSeeker) -> Mapping[str, tuple[float, float]]:
    """How large the owner's figures are, (foot, height) in mm by kind, as ``Calibration.pieces`` keeps it: the size at which all that
    stands on the board fits best. Empty when too little stands there to tell."""
    fits: list[list[float]] = []
    for index, paint in enumerate(seeker.paints):
        figures = [one for one in seeker.figures if one.identity.rpartition("-")[2] == paint.name]
        for patch in patches(scene.shown[index], scene.standing):
            around = _around(scene, index, patch, [_times(one, max(SIZES)) for one in figures])
            if not around.hidden:
                tried = (_guesses([_times(one, size) for one in figures], around, eye) for size in SIZES)
                fits.append([guesses[0].fit if guesses else 0.0 for guesses in tried])
    if len(fits) < ENOUGH:
        return {}
    means = np.mean(fits, axis=0)
    best = int(np.argmax(means))
    size = SIZES[best] if means[best] > means[SIZES.index(1.0)] + BETTER else 1.0
    return {one.kind: (one.width * size, one.height * size) for one in seeker.figures}


def _times(figure: Figure, size: float) -> Figure:
    return replace(figure, width=figure.width * size, height=figure.height * size)


def _sized(seeker: FigureSeeker, paint: Paint, calibration: Calibration) -> list[Figure]:
    """The figures of a colour, as large as they were measured."""
    known = calibration.pieces
    return [
        replace(one, width=known[one.kind][0], height=known[one.kind][1]) if one.kind in known else one
        for one in seeker.figures
        if one.identity.rpartition("-")[2] == paint.name
    ]


def _seen(picture: Picture, calibration: Calibration, seeker: FigureSeeker) -> tuple[Scene, Floats]:
    """What differs from the board, and where the camera stands above it (mm from its corner)."""
    zone, board = seeker.zone, seeker.board
    high, wide = board.picture.shape[:2]
    whole = Window(
        zone.x + wide / SCALE / 2, zone.y + high / SCALE / 2, wide / SCALE, high / SCALE, 0.0, 0.0, SCALE
    )
    ends = np.array([[zone.x, zone.y, 0.0], [zone.x + board.width, zone.y, 0.0]])
    ends = calibration.project(ends, (picture.shape[1], picture.shape[0]))
    finer = SCALE * board.width / max(float(np.linalg.norm(ends[1] - ends[0])), 1.0)
    hidden = _hidden(calibration, zone, (high, wide))
    blur = 0.45 * finer if finer > 1 else 0.0
    scene = Scene.of(rectify(picture, whole, calibration), board, seeker.paints, seeker.alike, blur, hidden)
    return scene, calibration.pose.eye - np.array([zone.x, zone.y, 0.0])


def _hidden(calibration: Calibration, zone: Zone, shape: tuple[int, int]) -> Mask:
    """Where a loose corner marker lies on the board, as a mask of its view."""
    mask = np.zeros(shape, np.uint8)
    for number, (x, y, turn) in calibration.corners.items():
        card = Marker(number, x - zone.x, y - zone.y, LOOSE_SIZE + 2 * LOOSE_QUIET + 4.0, turn)
        cv2.fillConvexPoly(mask, np.round(np.array(card.corners) * SCALE).astype(np.int32), (1,))
    return mask


class _Around(NamedTuple):
    """A patch with room around it for its figures: what is seen of them, where they would have to be seen, and whether something
    else may hide a part."""

    left: int
    top: int
    shown: Mask
    open: Mask
    hidden: bool
    clear: bool
    """The board has not its colour there: what is missing of it would be seen, or is hidden."""

    @property
    def foot(self) -> tuple[float, float]:
        """Its middle, mm on the board."""
        high, wide = self.shown.shape
        return (self.left + wide / 2) / SCALE, (self.top + high / 2) / SCALE


def _around(scene: Scene, index: int, patch: Patch, figures: Sequence[Figure]) -> _Around:
    # With a border all round, so that a foot anywhere within the patch has room for its figure, also at the board's edge.
    far = max(reach(one) for one in figures) + 6
    left, top = patch.left - far, patch.top - far
    high, wide = patch.mask.shape[0] + 2 * far, patch.mask.shape[1] + 2 * far
    shown = np.zeros((high, wide), np.uint8)
    shown[far : high - far, far : wide - far] = patch.mask
    other = window(scene.standing, left, top, left + wide, top + high, 1) & (shown == 0)
    unclear = window(scene.doubtful[index], left, top, left + wide, top + high, 0)
    # Highlights and edges of the figure itself: not its colour, but within it.
    own = np.asarray(cv2.morphologyEx(shown, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    open_ = ((other == 0) & (unclear == 0) | (own > 0)).astype(np.uint8)
    # What may hide a part is broader than the seam around everything that stands.
    broad = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    near = cv2.dilate(shown, np.ones((9, 9), np.uint8)) > 0
    hidden = bool(np.any(near & (broad > 0)))
    clear = bool(np.count_nonzero(near & (unclear > 0)) < 0.05 * np.count_nonzero(near))
    return _Around(left, top, own, open_, hidden, clear)


def _one(
    scene: Scene,
    index: int,
    patch: Patch,
    figures: Sequence[Figure],
    seeker: FigureSeeker,
    eye: Floats,
    told: Mask,
) -> list[Piece]:
    """The pieces that explain one patch of colour."""
    around = _around(scene, index, patch, figures)
    guesses = _guesses(figures, around, eye)
    if not guesses:
        return []
    best = guesses[0]
    names = {tuple(sorted(one.identity for one, _, _ in best.figures))}
    for guess in guesses[1:]:
        if guess.fit > best.fit - (APART if around.clear else 2 * APART):
            names.add(tuple(sorted(one.identity for one, _, _ in guess.figures)))
    patch.cut(told)[patch.mask > 0] = 1
    distances = np.median(scene.colours[:, patch.cut(scene.places)[patch.mask > 0]], axis=1)
    distance = float(distances[index])
    apart = float(np.min(np.delete(distances, index), initial=9.0)) - distance
    sure = (distance < 0.75 * FAR and apart > 0.35) or (distance < 1.2 * FAR and apart > 1.5)
    pieces = []
    everyone = {name for them in names for name in them}
    for figure, column, row in best.figures:
        x, y = (around.left + column + 0.5) / SCALE, (around.top + row + 0.5) / SCALE
        certain = len(names) == 1 and best.fit >= FITS
        identities = (figure.identity,) if certain else tuple(sorted(everyone))
        square = nearest(seeker.zone.squares, seeker.zone.x + x, seeker.zone.y + y)
        kind = figure.kind
        if square is not None and square.only:
            kind, identities = square.only, (f"{square.only}-{seeker.paints[index].name}",)
        if not sure:
            identities = ()
        pieces.append(_piece(seeker, identities, kind, x, y, best.fit))
    return pieces


def _piece(
    seeker: FigureSeeker, identities: tuple[str, ...], kind: str, x: float, y: float, fit: float
) -> Piece:
    zone = seeker.zone
    x, y = zone.x + x, zone.y + y
    square = nearest(zone.squares, x, y)
    return Piece(
        identities,
        kind,
        zone.name,
        round(x, 1),
        round(y, 1),
        confidence=round(min(1.0, max(0.0, fit)), 3),
        square=square.name if square else "",
    )


def nearest(squares: Iterable[Square], x: float, y: float) -> Square | None:
    """The square on which a foot stands; None between squares."""
    best, least = None, STRAY
    for square in squares:
        off = float(np.hypot(x - square.x, y - square.y)) - square.size / 2
        if off < least:
            best, least = square, off
    return best


def _untold(scene: Scene, told: Mask) -> int:
    """How many pixels stand for something that no figure explains."""
    near = cv2.dilate(told, np.ones((9, 9), np.uint8))
    return int(np.count_nonzero((scene.standing > 0) & (near == 0)))


def _lost(scene: Scene, told: Mask) -> float:
    """Area (mm2) in which the board's print is not to be seen though nothing that was told stands there: something the colour of the
    board lies on it."""
    size = round(told.shape[1] / SCALE), round(told.shape[0] / SCALE)
    figure = cv2.dilate(told, np.ones((7, 7), np.uint8)) > 0
    light = np.where(figure, scene.bare, scene.light)
    seen, bare = (
        np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.float32)
        for one in (light, scene.bare)
    )
    near = (31, 31)
    seen, bare = seen - cv2.blur(seen, near), bare - cv2.blur(bare, near)
    both, own, wanted = (cv2.blur(one, near) for one in (seen * bare, seen * seen, bare * bare))
    printed = wanted > 0.012
    alike = both / np.sqrt(np.maximum(own * wanted, 1e-8))
    return float(np.count_nonzero(printed & (alike < LOST)))


def _strange(scene: Scene, told: Mask, seeker: FigureSeeker) -> list[Piece]:
    """Things that are no figure's colour: something stands there that cannot be told."""
    near = cv2.dilate(told, np.ones((9, 9), np.uint8))
    rest = ((scene.standing > 0) & (near == 0)).astype(np.uint8)
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    count, labels, stats, centres = cv2.connectedComponentsWithStats(rest, connectivity=8)
    found = []
    for one in range(1, count):
        if stats[one, cv2.CC_STAT_AREA] >= SMALLEST * 1.6 * SCALE**2 and not _shadow(scene, labels == one):
            x, y = centres[one] / SCALE
            found.append(_piece(seeker, (), seeker.zone.kinds[0], float(x), float(y), 0.0))
    return found


def _shadow(scene: Scene, there: NDArray[np.bool_]) -> bool:
    """Whether it is only dark there: a shadow deeper than most, with the board's own tinge in it."""
    dark = float(np.median((scene.light - scene.bare)[there]))
    return -DEEPEST < dark < 0 and float(np.median(scene.tinged[there])) < TINGED / 2


def _once(pieces: Sequence[Piece], figures: Sequence[Figure]) -> list[Piece]:
    """Never more of one identity than there are: the less sure ones are not told."""
    left = {figure.identity: figure.copies for figure in figures}
    result = []
    for piece in sorted(pieces, key=lambda one: -one.confidence):
        known = piece.identity
        if known is None or left.setdefault(known, 1) > 0:
            result.append(piece)
        else:
            result.append(replace(piece, identities=(), confidence=0.0))
        if known is not None:
            left[known] -= 1
    return sorted(result, key=lambda one: (one.y, one.x))
