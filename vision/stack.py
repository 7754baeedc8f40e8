"""Reading a box of stacked pieces: for each cell, which part of which face lies on top, and how it is turned.

Each cell is looked at in the plane of the level its top should have. Every label in four turns is laid on it with small shifts
and turns, all cells at once; the best few are aligned to a fraction of a pixel and compared again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from engines.table import Cell, Piece, Zone
from vision.calibration import Box, Calibration
from vision.compare import COARSE, FINE, Array, Bank, Guess, fit, flattened, light_basis, log_light, ranked
from vision.plane import Picture, Window, rectify

if TYPE_CHECKING:
    from vision.area import Area

QUARTERS = (0.0, 90.0, 180.0, 270.0)
LEAN = (-3.0, 0.0, 3.0)
"""Turns within the play of a tile that are proposed, degrees."""
CORE = 18
"""Side in px (COARSE) of the middle of a cell that proposals look at."""
KEPT = 5
"""Proposals per cell that are aligned and compared exactly."""
HOPELESS = 0.3
"""Proposals that correlate this much less than the best are dropped, but for the runner-up."""
_MARGIN = 8.0
WIDE = 30.0
"""So far apart (sum of squares, in cells) must cells be for their distances to tell the pitch: about ten of them."""
PLAY = 0.07
"""The owner's box may be this much larger or smaller than the layout's."""


@dataclass(frozen=True, slots=True)
class CellSight:
    """What one cell shows: the likeliest guesses, best first; how much of it can be seen; and its variation of log brightness.

    ``level`` is the level in whose plane it was looked at: the guesses' x and y hold for it.
    """

    guesses: tuple[Guess, ...]
    visible: float
    variation: float
    level: int


@dataclass(frozen=True, slots=True, eq=False)
class StackSeeker:
    """A bank and its proposals for square cells: made once, used for every picture."""

    bank: Bank
    proposals: Array
    turns: tuple[float, ...]

    @classmethod
    def of(cls, bank: Bank) -> StackSeeker:
        turns = tuple(quarter + lean for quarter in QUARTERS for lean in LEAN)
        return cls(bank, bank.proposals(turns, (CORE, CORE)), turns)


def visibility(
    zone: Zone,
    box: Box,
    heights: Mapping[Cell, int],
    thickness: float,
    calibration: Calibration,
    samples: int,
) -> dict[Cell, Array]:
    """Which points of each cell's top the camera sees past higher columns and walls: (samples, samples) of 0 or 1 per cell."""
    eye = calibration.pose.eye
    cos, sin = np.cos(np.radians(box.turn)), np.sin(np.radians(box.turn))
    away = np.array([eye[0] - box.x, eye[1] - box.y])
    eye_u, eye_v = cos * away[0] + sin * away[1], -sin * away[0] + cos * away[1]
    tops = np.full((zone.rows + 2, zone.columns + 2), zone.wall)
    for row in range(zone.rows):
        for column in range(zone.columns):
            tops[row + 1, column + 1] = heights.get((column, row), 0) * thickness
    ticks = (np.arange(samples) + 0.5) / samples
    cells = [(column, row) for row in range(zone.rows) for column in range(zone.columns)]
    low = np.array([heights.get(cell, 0) * thickness for cell in cells])[:, None, None]
    u0 = np.array([cell[0] for cell in cells])[:, None, None] + ticks[None, None, :]
    v0 = np.array([cell[1] for cell in cells])[:, None, None] + ticks[None, :, None]
    seen = np.ones((len(cells), samples, samples), bool)
    away_u, away_v = eye_u / zone.cell + zone.columns / 2 - u0, eye_v / zone.cell + zone.rows / 2 - v0
    # Follow the ray from each point to the camera upwards: what is taller where it passes hides the point.
    for z in np.arange(1.0, float(tops.max()) + 0.01, 2.0):
        share = np.maximum(z - low, 0.0) / np.maximum(eye[2] - low, 1.0)
        i = np.clip(np.floor(v0 + away_v * share).astype(np.intp) + 1, 0, zone.rows + 1)
        j = np.clip(np.floor(u0 + away_u * share).astype(np.intp) + 1, 0, zone.columns + 1)
        seen &= (tops[i, j] < z) | (z <= low)
    return {cell: seen[index].astype(np.float32) for index, cell in enumerate(cells)}


def look(
    picture: Picture,
    calibration: Calibration,
    zone: Zone,
    box: Box,
    seeker: StackSeeker,
    levels: Mapping[Cell, int],
    cells: Sequence[Cell] | None = None,
    reach: int = 3,
    size: float = 1.0,
) -> dict[Cell, CellSight]:
    """What the given cells (default: all) show. ``levels`` is the level each cell's top should have; ``reach`` how far (mm) it
    may lie from where it should; ``size`` how large the pieces are relative to the references."""
    bank = seeker.bank
    thickness = bank.kind.thickness
    wanted = (
        list(cells) if cells is not None else [(c, r) for r in range(zone.rows) for c in range(zone.columns)]
    )
    if not wanted:
        return {}
    planes = sorted({max(1, levels.get(cell, 1)) for cell in wanted})
    margin = max(_MARGIN, reach + 4.0)
    windows = {
        plane: Window(
            box.x,
            box.y,
            zone.columns * zone.cell + 2 * margin * size,
            zone.rows * zone.cell + 2 * margin * size,
            plane * thickness,
            box.turn,
            FINE / size,
        )
        for plane in planes
    }
    lights = {plane: log_light(rectify(picture, windows[plane], calibration)) for plane in planes}
    pitch = zone.cell / size  # the window shows the pieces as large as the references
    centres = {
        cell: np.array([margin + (cell[0] + 0.5) * pitch, margin + (cell[1] + 0.5) * pitch])
        for cell in wanted
    }
    proposed = _proposed(lights, centres, levels, seeker, reach)
    height = lights[planes[0]].shape[0]
    tall = np.concatenate([lights[plane] for plane in planes])
    below = {plane: index * height for index, plane in enumerate(planes)}
    views = visibility(zone, box, levels, thickness, calibration, 11)
    owners: list[Cell] = []
    which: list[int] = []
    starts: list[tuple[float, float, float]] = []
    weights: list[Array] = []
    for cell in wanted:
        plane = max(1, levels.get(cell, 1))
        middle = centres[cell] * FINE - 0.5
        for label, turn, dx, dy in proposed[cell]:
            owners.append(cell)
            which.append(label)
            starts.append(
                (
                    middle[0] + dx * FINE / COARSE,
                    middle[1] + dy * FINE / COARSE + below[plane],
                    np.radians(turn),
                )
            )
            weights.append(_turned_view(views[cell], turn, bank.size))
    mask = np.stack(weights)
    partial = bool(np.any(mask < 0.5))
    fitted = fit(tall, bank, np.array(which), np.array(starts, np.float32), mask if partial else None)
    # The windows differ in height only.
    within = fitted.poses[:, :2] - np.array([[0, below[max(1, levels.get(cell, 1))]] for cell in owners])
    lies = windows[planes[0]].to_mm(within)
    result: dict[Cell, CellSight] = {}
    for cell in wanted:
        plane = max(1, levels.get(cell, 1))
        mine = [index for index, owner in enumerate(owners) if owner == cell]
        guesses: dict[tuple[int, float], Guess] = {}
        for index in mine:
            turn = fitted.poses[index, 2]
            at = lies[index]
            part, name = bank.labels[which[index]]
            turned = float(np.degrees(turn)) + box.turn
            guess = Guess(
                part,
                name,
                turned,
                float(at[0]),
                float(at[1]),
                float(fitted.alike[index]),
                float(fitted.gain[index]),
            )
            key = (which[index], round(float(np.degrees(turn)) / 90) % 4)
            known = guesses.get(key)
            if known is None or known.alike < guess.alike:
                guesses[key] = guess
        best = max(mine, key=lambda index: float(fitted.alike[index]))
        result[cell] = CellSight(
            ranked(tuple(guesses.values())), float(np.mean(views[cell])), float(fitted.variation[best]), plane
        )
    return result


def _proposed(
    lights: Mapping[int, Array],
    centres: Mapping[Cell, np.ndarray[tuple[int], np.dtype[np.float64]]],
    levels: Mapping[Cell, int],
    seeker: StackSeeker,
    reach: int,
) -> dict[Cell, list[tuple[int, float, float, float]]]:
    """For each cell the likeliest (label index, turn in degrees, shift x, shift y in px at COARSE), at most KEPT of different label or quarter."""
    shrink = COARSE / FINE
    small: dict[int, Array] = {
        plane: np.asarray(
            cv2.resize(light, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.float32
        )
        for plane, light in lights.items()
    }
    basis = light_basis(CORE, CORE)
    span = 2 * reach + 1
    result: dict[Cell, list[tuple[int, float, float, float]]] = {}
    for cell, centre in centres.items():
        light = small[max(1, levels.get(cell, 1))]
        # The core's centre falls on whole pixels only by chance: remember what is left over.
        left, top = (round(value * COARSE - CORE / 2) for value in centre)
        aside = (left + CORE / 2 - centre[0] * COARSE, top + CORE / 2 - centre[1] * COARSE)
        part = light[top - reach : top + CORE + reach, left - reach : left + CORE + reach]
        views = np.lib.stride_tricks.sliding_window_view(part, (CORE, CORE))
        # One cell at a time: the table of all shifts by all references then fits the processor's cache.
        flat = flattened(np.asarray(views.reshape(span * span, CORE * CORE), np.float32), basis)
        flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-3)
        scores = (flat @ seeker.proposals.T).reshape(span * span, len(seeker.turns), -1)
        shift, best = scores.argmax(axis=0), scores.max(axis=0)
        labels = best.shape[1]
        quarters = best.reshape(len(QUARTERS), len(LEAN), labels)
        lean = quarters.argmax(axis=1)
        top_scores = quarters.max(axis=1)
        order = np.argsort(-top_scores, axis=None)[:KEPT]
        ranks = top_scores.ravel()[order]
        order = order[(ranks > ranks[0] - HOPELESS) | (np.arange(len(order)) < 2)]
        found = []
        for place in order:
            quarter, label = divmod(int(place), labels)
            turn = quarter * len(LEAN) + int(lean[quarter, label])
            dy, dx = divmod(int(shift[turn, label]), span)
            found.append((label, seeker.turns[turn], dx - reach + aside[0], dy - reach + aside[1]))
        result[cell] = found
    return result


def _turned_view(view: Array, turn: float, size: tuple[int, int]) -> Array:
    """A cell's view (square, as it lies) as weights of an upright reference of ``size`` (width, height): (D,)."""
    upright = np.rot90(view, round(turn / 90) % 4)
    return np.asarray(
        cv2.resize(np.ascontiguousarray(upright), size, interpolation=cv2.INTER_NEAREST), np.float32
    ).ravel()


def stand(sights: Mapping[Cell, CellSight], zone: Zone, box: Box, sure: float = 0.8) -> Box | None:
    """Where the box really stands, from cells whose label is sure: least squares of shift, turn and pitch over their offsets.

    None when no cell is sure. Offsets that disagree with the median by more than 2.5 mm (nudged tiles) do not count. The pitch
    is measured only from many cells: else the zone's is kept.
    """
    rows = [
        (cell, sight.guesses[0])
        for cell, sight in sights.items()
        if sight.guesses and sight.guesses[0].alike > sure
    ]
    if not rows:
        return None
    cos, sin = np.cos(np.radians(box.turn)), np.sin(np.radians(box.turn))
    local = np.array(
        [
            [(c - zone.columns / 2 + 0.5) * zone.cell, (r - zone.rows / 2 + 0.5) * zone.cell]
            for (c, r), _ in rows
        ]
    )
    lies = local @ np.array([[cos, sin], [-sin, cos]])
    seen = np.array([[guess.x - box.x, guess.y - box.y] for _, guess in rows])
    off = seen - lies
    lean = np.array([(guess.turn - box.turn + 45) % 90 - 45 for _, guess in rows])
    keep = np.max(np.abs(off - np.median(off, axis=0)), axis=1) < 2.5 + 0.05 * np.hypot(*local.T)
    if not np.any(keep):
        return None
    middle, shift = lies[keep].mean(axis=0), off[keep].mean(axis=0)
    arm = lies[keep] - middle
    spread = float(np.sum(arm**2))
    move = off[keep] - shift
    # The tiles' own turns and the pattern of their offsets both tell the turn; weigh them by what they are worth.
    from_turns, weight = float(np.median(lean[keep])), len(rows) / 1.0**2
    slope = float(np.sum(arm[:, 0] * move[:, 1] - arm[:, 1] * move[:, 0])) / max(spread, 1e-6)
    worth = spread * np.radians(1.0) ** 2 / 0.4**2
    turn = (np.degrees(slope) * worth + from_turns * weight) / (worth + weight)
    wider = float(np.sum(arm * move)) / spread if spread > WIDE * zone.cell**2 else 0.0
    origin = shift - np.radians(turn) * np.array([-middle[1], middle[0]]) - wider * middle
    cell = zone.cell * (1 + min(PLAY, max(-PLAY, wider)))
    return Box(float(box.x + origin[0]), float(box.y + origin[1]), float(box.turn + turn), cell)


def levels(zone: Zone, expected: Sequence[Piece], before: Mapping[Cell, int]) -> dict[Cell, int]:
    """The level at which each cell's top should lie: as expected, else as last read, else the highest there is."""
    levels = {
        (column, row): before.get((column, row), 0 if expected else zone.levels)
        for column in range(zone.columns)
        for row in range(zone.rows)
    }
    for piece in expected:
        for cell, seen in zip(piece.cells, piece.seen, strict=False):
            if seen:
                levels[cell] = piece.level
    return levels


def touched(zone: Zone, box: Box, area: Area) -> list[Cell]:
    """The cells that an area of the mat reaches (their tops lie a little aside for a camera that looks askew: one cell's quarter is added)."""
    cos, sin = np.cos(np.radians(box.turn)), np.sin(np.radians(box.turn))
    cells: list[Cell] = []
    spare = zone.cell * 0.5
    for column in range(zone.columns):
        for row in range(zone.rows):
            u, v = (column + 0.5 - zone.columns / 2) * zone.cell, (row + 0.5 - zone.rows / 2) * zone.cell
            x, y = box.x + u * cos - v * sin, box.y + u * sin + v * cos
            if area.left - spare <= x <= area.right + spare and area.top - spare <= y <= area.bottom + spare:
                cells.append((column, row))
    return cells
