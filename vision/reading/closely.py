"""A closer look at what looks right as a whole: at twice the resolution, for a part that shows something else, is of other ink or
has another tone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.network.detail import FINE_HEIGHT, FINE_WIDTH, fitted
from vision.photo import Photo
from vision.reading.altered import NOWHERE, altered, inked, odd
from vision.reading.bank import Bank
from vision.reading.claims import SAME_PLACE, overlap
from vision.reading.compare import Array, by_cell
from vision.reading.evidence import HALF_HIDDEN, SURE, log_odds
from vision.reading.ink import apart, discoloured
from vision.reading.together import each, threads
from vision.reading.tones import of_photo, tones
from vision.reading.words import Judged


def closely(photo: Photo, bank: Bank, judged: Sequence[Judged]) -> list[Judged]:
    """The pieces with the scores that a closer look leaves them. What cannot become sure is not looked at; of one face found at one place
    several times, the likeliest is."""
    worth: list[Judged] = []
    for piece in sorted(judged, key=lambda one: -one.score):
        if piece.score <= SURE:
            break
        if not any(
            piece.row == other.row and overlap(piece.quad, other.quad)[0] > SAME_PLACE for other in worth
        ):
            worth.append(piece)
            bank.close(piece.row)
    count = min(len(worth), threads())
    looked = each(lambda part: _looked(photo, bank, part), [worth[start::count] for start in range(count)])
    return [piece for piece in judged if piece.score <= SURE] + [piece for part in looked for piece in part]


def _looked(photo: Photo, bank: Bank, pieces: Sequence[Judged]) -> list[Judged]:
    faces = [bank.close(piece.row) for piece in pieces]
    quads = [np.roll(piece.quad, face.turn, 0) for piece, face in zip(pieces, faces, strict=True)]
    crops = photo.crops(quads, FINE_WIDTH, FINE_HEIGHT)
    cells = np.stack([in_frame(piece.cells, face.turn) for piece, face in zip(pieces, faces, strict=True)])
    laid = np.stack(
        [fitted(crop, face.picture, visible) for crop, face, visible in zip(crops, faces, cells, strict=True)]
    )
    odds = odd(crops, laid, cells)
    out = []
    for row, piece in enumerate(pieces):
        evidence, shown, contrast = dict(piece.evidence), None, None
        if evidence["visible"] >= HALF_HIDDEN:
            off = apart(crops[row], laid[row], cells[row])
            odds[row][off.near] = NOWHERE
            evidence["ink"], contrast = inked(odds[row], off.cells), off.contrast
            clear = by_cell(np.repeat(np.repeat(1 - np.asarray(off.near, np.float32), 2, 0), 2, 1))
            evidence["shown"] = bank.shown(faces[row].view, cells[row] * clear)
            shown = tones(crops[row], laid[row], faces[row].parts, cells[row])
            evidence["tone"] = shown.off()
        evidence["altered"] = float(altered(odds[row : row + 1])[0])
        out.append(
            replace(piece, score=log_odds(evidence), evidence=evidence, tones=shown, contrast=contrast)
        )
    return out


def agreeing(sure: Sequence[Judged]) -> list[Judged]:
    """The sure pieces whose tones and inks are what the others of the photo make likely."""
    known = [None if piece.tones is None else piece.tones.camera() for piece in sure]
    out: list[Judged] = []
    for index, piece in enumerate(sure):
        evidence = dict(piece.evidence)
        if piece.tones is not None:
            others = [one for number, one in enumerate(known) if number != index and one is not None]
            evidence["tone"] = piece.tones.off(of_photo(others))
        if piece.contrast is not None:
            beside = [one.contrast for one in sure if one is not piece and one.contrast is not None]
            evidence["hue"] = discoloured(piece.contrast, beside)
        score = log_odds(evidence)
        if score > SURE:
            out.append(replace(piece, score=score, evidence=evidence))
    return out


def in_frame(cells: Array, turn: int) -> Array:
    """Cells (15, 10) of the upright face as cells of the frame, for a face that lies there turned by ``turn`` quarters clockwise."""
    turned = np.ascontiguousarray(np.rot90(cells, -turn), np.float32)
    return np.asarray(cv2.resize(turned, cells.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)
