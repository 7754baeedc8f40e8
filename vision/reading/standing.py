"""A piece on which a thing stands that is no piece: a die, a figure, a finger. What of the whole it has spoilt is measured again without it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.network.detail import FINE_HEIGHT, FINE_WIDTH, fitted
from vision.network.model import HEIGHT, WIDTH, shipped
from vision.photo import Photo
from vision.reading.altered import uncovered
from vision.reading.bank import Bank
from vision.reading.closely import in_frame
from vision.reading.compare import by_cell
from vision.reading.evidence import log_odds
from vision.reading.ink import apart
from vision.reading.tints import off
from vision.reading.words import Judged


def unburdened(photo: Photo, bank: Bank, piece: Judged) -> Judged:
    """The piece as the network of pairs and the tints see it with the face drawn where something stands on it; as it is where nothing
    does."""
    face = bank.close(piece.row)
    crop = photo.crops([np.roll(piece.quad, face.turn, 0)], FINE_WIDTH, FINE_HEIGHT)[0]
    cells = in_frame(piece.cells, face.turn)
    laid = fitted(crop, face.picture, cells)
    near = apart(crop, laid, cells).near
    if not near.any():
        return piece
    cells = cells * by_cell(np.repeat(np.repeat(1 - np.asarray(near, np.float32), 2, 0), 2, 1))
    whole = uncovered(crop, laid, cells)
    shown = np.asarray(cv2.resize(whole, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    own = bank.views.crops[face.view]
    evidence = dict(piece.evidence)
    evidence["pair"] = float(np.clip(shipped().compare(shown[None], own[None]).score[0], -12, 12))
    evidence["tint"] = float(np.log(off(shown, own, bank.parts(face.view), cells) + 0.2))
    evidence["tint_margin"] += piece.evidence["tint"] - evidence["tint"]
    score = log_odds(evidence)
    return replace(piece, score=score, evidence=evidence) if score > piece.score else piece
