"""From tables to moves: what the table must show, what it shows anew, and which moves explain a change.

Every function is pure and judges no rule itself: ``engines.tanis.rules`` says what is legal.
"""

from __future__ import annotations

from engines.tanis.differences import differences
from engines.tanis.expect import expected
from engines.tanis.explain import explain
from engines.tanis.facts import reveals
from engines.tanis.zones import CARD, CARDS, COLOURS, TILE, ZONES, layout

__all__ = [
    "CARD",
    "CARDS",
    "COLOURS",
    "TILE",
    "ZONES",
    "differences",
    "expected",
    "explain",
    "layout",
    "reveals",
]
