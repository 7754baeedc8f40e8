"""The faces of all games, drawn by code: our own art, the same on every machine.

``faces(game)`` knows every piece by the name that the engine gives it; ``pictures(game, px_per_mm)`` shows them as printed.
Each game's drawings stand in a module of its own.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from engines.catalogue import Catalogue, MissingNumbers, house
from engines.table import Face, Kind, Layout, Zone
from hardware.print import tanis
from hardware.print.pieces import Piece
from hardware.print.raster import Picture, raster
from hardware.print.shapes import Drawing
from hardware.print.tanis import INSET, back_drawing, face_drawing

__all__ = [
    "GAMES",
    "INSET",
    "Piece",
    "back_drawing",
    "draw_back",
    "draw_face",
    "drawn",
    "face_drawing",
    "faces",
    "pictures",
    "printed",
    "sizes",
]

Gain = NDArray[np.float32]


def _ankh(catalogue: Catalogue) -> Mapping[str, Piece]:
    from hardware.print import ankh

    return ankh.pieces(catalogue)


def _archaeology(catalogue: Catalogue) -> Mapping[str, Piece]:
    from hardware.print import archaeology

    return archaeology.pieces(catalogue)


def _papyrus(catalogue: Catalogue) -> Mapping[str, Piece]:
    from hardware.print import papyrus

    return papyrus.pieces(catalogue)


_DRAWN: Mapping[str, Callable[[Catalogue], Mapping[str, Piece]]] = {
    "tanis": tanis.pieces,
    "archaeology": _archaeology,
    "ankh": _ankh,
    "papyrus": _papyrus,
}
GAMES = tuple(_DRAWN)


def faces(game: str, catalogue: Catalogue | None = None) -> Mapping[str, Piece]:
    """Every piece of a game as it is printed, by the engine's name of it, and the backs: ``back`` and, where a game has several,
    ``back-...`` (``Piece.back`` says which). Sizes in mm are those of ``Piece.drawing``.

    ``catalogue``: whose numbers stand on the pieces; without one the shipped numbers, with the house set where they are missing.
    Raises ValueError for an unknown game and MissingNumbers for a catalogue that lacks what a face shows.
    """
    if game not in _DRAWN:
        raise ValueError(f"there is no art for {game}; there is some for {', '.join(_DRAWN)}")
    if catalogue is None:
        return _faces(game)
    return MappingProxyType(dict(_DRAWN[game](catalogue)))


@lru_cache(maxsize=len(_DRAWN))
def _faces(game: str) -> Mapping[str, Piece]:
    return MappingProxyType(dict(_DRAWN[game](house(game))))


def forget() -> None:
    """Let go of what is kept to be drawn again: the shapes of a game's pieces are megabytes."""
    _faces.cache_clear()
    _fibre.cache_clear()


def pictures(game: str, px_per_mm: float, catalogue: Catalogue | None = None) -> Mapping[str, Picture]:
    """All of ``faces`` as printed: (height, width, 3) uint8 BGR, upright, ``px_per_mm`` px for each mm. Raises as ``faces`` does."""
    return {name: printed(piece.drawing, px_per_mm) for name, piece in faces(game, catalogue).items()}


def sizes(game: str, catalogue: Catalogue | None = None) -> Mapping[str, tuple[float, float]]:
    """Width and height of each piece of ``faces`` in mm. Raises as ``faces`` does."""
    found = faces(game, catalogue)
    return {name: (piece.drawing.width, piece.drawing.height) for name, piece in found.items()}


def draw_face(face: Face, kind: Kind, px_per_mm: float, game: str = "tanis") -> Picture:
    """The face as a picture, (height, width, 3) uint8 BGR, upright. Raises ValueError for a face we have no art for."""
    if game == "tanis" and face.identity not in tanis.BACKS.values():
        return printed(face_drawing(face, kind), px_per_mm)
    piece = faces(game).get(face.identity)
    if piece is None:
        raise ValueError(f"there is no art for {face.identity}: draw it in hardware/print")
    return printed(piece.drawing, px_per_mm)


def drawn(layout: Layout, px_per_mm: float, catalogue: Catalogue | None = None) -> Mapping[str, Picture]:
    """Every face of a layout as printed by the numbers of ``catalogue``, and by those that come with Thoth where it lacks some. Raises
    ValueError for a face we have no art for."""
    own: Mapping[str, Piece] = {}
    if catalogue is not None and layout.game != "tanis":
        with contextlib.suppress(MissingNumbers):
            own = faces(layout.game, catalogue)
    return {
        face.identity: printed(own[face.identity].drawing, px_per_mm)
        if face.identity in own
        else draw_face(face, layout.kind(face.kind), px_per_mm, layout.game)
        for face in layout.faces
    }


def boards(layout: Layout, catalogue: Catalogue | None = None) -> Mapping[str, Drawing]:
    """What we print on the boards of a layout, by zone: by the map of ``catalogue`` or that which comes with Thoth, whichever the layout
    is of; where it is of neither, the squares alone."""
    drawn: dict[str, Drawing] = {}
    for zone in layout.zones:
        if zone.form == "squares":
            from engines.papyrus.numbers import numbers
            from hardware.print.board import board_drawing, plain_board

            given = (one for one in (catalogue, house(layout.game)) if one is not None and _prints(one, zone))
            of = next(given, None)
            drawn[zone.name] = plain_board(zone) if of is None else board_drawing(numbers(of).board)
    return drawn


def _prints(catalogue: Catalogue, zone: Zone) -> bool:
    """Whether a zone is the board that is printed for the map of a catalogue."""
    from engines.papyrus.plan import plan

    board = plan(catalogue)
    lie = {one.name: (round(one.x, 2), round(one.y, 2)) for one in board.squares}
    return not board.own and lie == {
        one.name: (round(one.x - zone.x, 2), round(one.y - zone.y, 2)) for one in zone.squares
    }


def draw_back(kind: Kind, px_per_mm: float) -> Picture:
    """The back that all pieces of a kind share, (height, width, 3) uint8 BGR."""
    return printed(back_drawing(kind), px_per_mm)


def printed(drawing: Drawing, px_per_mm: float) -> Picture:
    """The drawing on fibrous paper. The fibre is one for all faces of a size: it must not tell them apart."""
    picture = raster(drawing, px_per_mm)
    height, width = picture.shape[:2]
    fibre = cv2.resize(_fibre(drawing.width, drawing.height), (width, height), interpolation=cv2.INTER_AREA)
    shaded: Picture = cv2.multiply(picture, cv2.cvtColor(fibre, cv2.COLOR_GRAY2BGR), dtype=cv2.CV_8U).astype(
        np.uint8, copy=False
    )
    return shaded


@lru_cache(maxsize=4)
def _fibre(width: float, height: float) -> Gain:
    """Crossed reeds as a gain about 1, (rows, columns) float32 at 8 px per mm."""
    rng = np.random.default_rng(zlib.crc32(f"{width}x{height}".encode()))
    rows, columns = round(height * 8), round(width * 8)
    grain = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    along = cv2.GaussianBlur(grain, (0, 0), sigmaX=18, sigmaY=1.2)
    across = cv2.GaussianBlur(grain[::-1].copy(), (0, 0), sigmaX=1.2, sigmaY=18)
    blotch = cv2.GaussianBlur(grain[:, ::-1].copy(), (0, 0), sigmaX=22, sigmaY=22)
    total = along / along.std() + across / across.std() + 0.8 * blotch / blotch.std()
    gain: Gain = (1.0 + 0.016 * total).astype(np.float32)
    return gain
