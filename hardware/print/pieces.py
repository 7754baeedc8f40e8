"""What a registry of faces holds: one piece as it is printed."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.print.shapes import Drawing


@dataclass(frozen=True, slots=True)
class Piece:
    """One face as it is printed: ``drawing.width`` x ``drawing.height`` mm, upright.

    ``identity`` is the engine's name of the piece; that of a back is ``back``, or begins with ``back-`` where a game has several.
    ``kind`` names pieces of one size that share a back. ``copies``: how many are in the box; 0 for a back.
    """

    identity: str
    kind: str
    drawing: Drawing
    copies: int = 1
    back: str = "back"
    """The identity of what its other side shows."""
