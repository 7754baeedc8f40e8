"""From parts to pieces: which halves belong together, what a half leaves possible, and at which level it lies.

A part is believed when its label stands apart from the runner-up. Two parts are one piece when each points at the other; a part
whose other half lies under something is a piece of which less is known. Nothing is guessed: what does not
stand apart, or contradicts its neighbour, is reported as lying there unknown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from engines.table import Cell, Face, Kind, Layout, Piece, Zone
from vision.calibration import Box
from vision.compare import Guess, separation
from vision.stack import CellSight

ALIKE = 0.72
"""A label is believed only if it correlates at least this much with what is seen ..."""
APART = 0.35
"""... and explains it this much better than the runner-up (log ratio of what is left unexplained)."""
SHADOWED = (0.6, 0.42)
"""A shadow's edge across a part costs correlation, not the lead: less of the one is enough with more of the other."""
HINTED = 0.12
"""The separation that is enough when the other half, already believed, says how this one lies."""
VISIBLE = 0.45
"""A part of which less than this can be seen is not read."""
BARE = 0.45
"""A cell that varies less than this share of the least contrasted label is empty ..."""
SHADED = 1.15
"""... and so is one that varies less than this, when no label fits it and none has any contrast on it: a shadow on the floor."""
_STEPS = {0: (0, 1), 1: (-1, 0), 2: (0, -1), 3: (1, 0)}
"""From a first part to the second, by quarter turns clockwise."""


@dataclass(frozen=True, slots=True)
class Half:
    """A believed part of a face on a cell."""

    guess: Guess
    apart: float
    quarter: int
    partner: Cell

    @property
    def confidence(self) -> float:
        return sureness(self.guess.alike, self.apart)


def believable(alike: float, apart: float) -> bool:
    """Whether a label with this correlation and this separation from the runner-up is believed."""
    return (alike >= ALIKE and apart >= APART) or (alike >= SHADOWED[0] and apart >= SHADOWED[1])


def sureness(alike: float, apart: float) -> float:
    """Confidence 0-1 from correlation and separation: 0.6 at the thresholds, 0.85 well clear of them."""
    return float(min(0.99, max(0.0, 1 - math.exp(-2.6 * apart))) * min(1.0, 0.4 + 0.75 * alike))


def quarter(guess: Guess, box: Box) -> int:
    """Quarter turns clockwise of a guess against the box, 0-3."""
    return round((guess.turn - box.turn) / 90) % 4


def partner(cell: Cell, part: int, turns: int) -> Cell:
    """The cell of the other part of a two-part piece."""
    dx, dy = _STEPS[turns]
    sign = 1 if part == 0 else -1
    return cell[0] + sign * dx, cell[1] + sign * dy


def _inside(cell: Cell, zone: Zone) -> bool:
    return 0 <= cell[0] < zone.columns and 0 <= cell[1] < zone.rows


def _possible(cell: Cell, sight: CellSight, zone: Zone, box: Box) -> list[Guess]:
    return [guess for guess in sight.guesses if _inside(partner(cell, guess.part, quarter(guess, box)), zone)]


def halves(sights: Mapping[Cell, CellSight], zone: Zone, box: Box) -> dict[Cell, Half]:
    """The believed part of each cell; cells of which nothing is believed are left out."""
    found: dict[Cell, Half] = {}
    for cell, sight in sights.items():
        options = _possible(cell, sight, zone, box)
        if not options or sight.visible < VISIBLE:
            continue
        second = options[1].alike if len(options) > 1 else 0.3
        apart = separation(options[0].alike, second)
        if believable(options[0].alike, apart):
            turns = quarter(options[0], box)
            found[cell] = Half(options[0], apart, turns, partner(cell, options[0].part, turns))
    # A believed half says which part its neighbour must be, if that neighbour is the other half and not something on top of it.
    for cell, half in list(found.items()):
        other = half.partner
        if other in found or other not in sights or sights[other].visible < VISIBLE:
            continue
        options = _possible(other, sights[other], zone, box)
        if not options or options[0].alike < SHADOWED[0]:
            continue
        matching = [g for g in options if g.part != half.guess.part and quarter(g, box) == half.quarter]
        if not matching or matching[0] is not options[0]:
            continue
        rivals = [g for g in options[1:] if g.label != matching[0].label or g.part != matching[0].part]
        apart = separation(matching[0].alike, rivals[0].alike if rivals else 0.3)
        if apart >= HINTED:
            found[other] = Half(matching[0], apart, half.quarter, cell)
    return found


def bare(sight: CellSight, contrast: float, below: bool = False) -> bool:
    """Whether a cell shows the floor: next to no print, and nothing of the gallery on it. ``below``: another piece should lie
    under the last one, so that it takes more to believe in the floor."""
    best = sight.guesses[0] if sight.guesses else None
    if best is not None and (best.alike > 0.55 or best.gain > 0.33):
        return False
    return sight.variation < (BARE if below else SHADED) * contrast


def pieces(
    sights: Mapping[Cell, CellSight],
    zone: Zone,
    box: Box,
    kind: Kind,
    faces: Sequence[Face],
    contrast: float,
    expected: Sequence[Piece],
    before: Mapping[Cell, int],
) -> tuple[Piece, ...]:
    """The pieces on top of a stack. ``expected`` are those the zone should show; ``before`` the level of each cell's top at the last reading."""
    believed = halves(sights, zone, box)
    for cell, half in list(believed.items()):
        other = believed.get(half.partner)
        clash = (
            other is not None
            and other.partner == cell
            and (other.guess.part == half.guess.part or other.quarter != half.quarter)
        )
        empty = (
            half.partner in sights and half.partner not in believed and bare(sights[half.partner], contrast)
        )
        if clash or empty:
            believed.pop(cell, None)
    tops = {
        cell: (piece, part)
        for piece in expected
        for part, cell in enumerate(piece.cells)
        if part < len(piece.seen) and piece.seen[part]
    }
    result: list[Piece] = []
    done: set[Cell] = set()
    for cell, half in sorted(believed.items()):
        if cell in done:
            continue
        other = believed.get(half.partner)
        whole = other is not None and other.partner == cell
        members = {half.guess.part: (cell, half)}
        if whole and other is not None:
            members[other.guess.part] = (half.partner, other)
        done |= {place for place, _ in members.values()}
        parted = other is not None and not whole
        result.append(_piece(members, half, parted, sights, zone, kind, faces, tops, before))
    for cell in sorted(set(sights) - done):
        sight = sights[cell]
        hint = tops.get(cell)
        if bare(sight, contrast, hint is not None and hint[0].level > 1):
            continue
        if hint is None:
            result.append(
                Piece(
                    (),
                    kind.name,
                    zone.name,
                    *_centre(cell, zone, box),
                    box.turn % 360,
                    max(1, before.get(cell, 1)),
                    (cell,),
                    (False,),
                    0.0,
                    0.0,
                )
            )
            continue
        piece, _ = hint
        if any(one.cells == piece.cells for one in result):
            continue
        x = sum(_centre(c, zone, box)[0] for c in piece.cells) / len(piece.cells)
        y = sum(_centre(c, zone, box)[1] for c in piece.cells) / len(piece.cells)
        seen = tuple(False for _ in piece.cells)
        result.append(replace(piece, identities=(), x=x, y=y, seen=seen, visible=0.0, confidence=0.0))
    return tuple(result)


def _centre(cell: Cell, zone: Zone, box: Box) -> tuple[float, float]:
    u, v = (cell[0] + 0.5 - zone.columns / 2) * zone.cell, (cell[1] + 0.5 - zone.rows / 2) * zone.cell
    cos, sin = math.cos(math.radians(box.turn)), math.sin(math.radians(box.turn))
    return box.x + u * cos - v * sin, box.y + u * sin + v * cos


def _piece(
    members: Mapping[int, tuple[Cell, Half]],
    half: Half,
    parted: bool,
    sights: Mapping[Cell, CellSight],
    zone: Zone,
    kind: Kind,
    faces: Sequence[Face],
    tops: Mapping[Cell, tuple[Piece, int]],
    before: Mapping[Cell, int],
) -> Piece:
    """``parted``: where its other half would lie, the half of another piece was read."""
    first, one = next((place, h) for place, h in members.values())
    cells = (first, one.partner) if one.guess.part == 0 else (one.partner, first)
    labels = {part: h.guess.label for part, (_, h) in members.items()}
    identities = tuple(
        sorted(
            face.identity
            for face in faces
            if face.kind == kind.name and all(face.labels[part] == label for part, label in labels.items())
        )
    )
    same = next((p for p, _ in (tops[c] for c in cells if c in tops) if p.cells == cells), None)
    if parted and same is not None and all(same.seen):
        # Another piece lies on the place of its other half: the one that should lie here whole has gone, what shows lay beneath.
        same = None
    if same is not None and same.identities:
        identities = tuple(i for i in identities if i in same.identities) or identities
    seen = tuple(part in members for part in range(2))
    turn = sum(_near(h.guess.turn, one.guess.turn) for _, h in members.values()) / len(members)
    x = sum(h.guess.x for _, h in members.values()) / len(members)
    y = sum(h.guess.y for _, h in members.values()) / len(members)
    if len(members) == 1:
        away = zone.cell / 2 * (1 if one.guess.part == 0 else -1)
        x -= away * math.sin(math.radians(turn))
        y += away * math.cos(math.radians(turn))
    visible = sum(sights[place].visible for place, _ in members.values()) / 2
    confidence = min(h.confidence for _, h in members.values())
    level = _level(identities, cells, seen, same, tops, before, zone)
    return Piece(identities, kind.name, zone.name, x, y, turn % 360, level, cells, seen, visible, confidence)


def _near(turn: float, other: float) -> float:
    return other + (turn - other + 180) % 360 - 180


def _level(
    identities: Sequence[str],
    cells: Sequence[Cell],
    seen: Sequence[bool],
    same: Piece | None,
    tops: Mapping[Cell, tuple[Piece, int]],
    before: Mapping[Cell, int],
    zone: Zone,
) -> int:
    """The level of a piece: as expected where it is expected; one below what lay there and has gone; kept by a slide."""
    if same is not None and set(identities) & set(same.identities or identities):
        return same.level
    for piece, _ in tops.values():
        if len(identities) == 1 and piece.identities == tuple(identities):
            return piece.level
    shown = [cell for cell, s in zip(cells, seen, strict=True) if s]
    gone = [tops[cell][0].level for cell in shown if cell in tops]
    if gone:
        return max(1, min(gone) - 1)
    known = [before[cell] for cell in shown if before.get(cell)]
    return max(1, min(known)) if known else zone.levels


def narrowed(found: Iterable[Piece], layout: Layout) -> tuple[Piece, ...]:
    """Never more of one identity than exist: the surer reading keeps it, the other is doubtful; what is known to lie
    elsewhere is no longer possible for a half seen face."""
    copies = {face.identity: face.copies for face in layout.faces}
    copies |= {figure.identity: figure.copies for figure in layout.figures}
    ordered = sorted(found, key=lambda piece: -piece.confidence)
    used: Counter[str] = Counter()
    kept: list[Piece] = []
    for piece in ordered:
        name = piece.identity
        if name is not None and used[name] >= copies.get(name, 0):
            piece = replace(piece, identities=(), confidence=0.0)
        elif name is not None:
            used[name] += 1
        kept.append(piece)
    result: list[Piece] = []
    for piece in kept:
        if len(piece.identities) > 1:
            left = tuple(name for name in piece.identities if used[name] < copies.get(name, 0))
            # Narrowed to one, it is known by what lies elsewhere, not by its own face: that is as sure as those.
            piece = replace(piece, identities=left or ())
        result.append(piece)
    return tuple(result)
