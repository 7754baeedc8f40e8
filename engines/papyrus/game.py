"""Papyrus The Game as the rest of the house sees it."""

from __future__ import annotations

from engines.game import Game
from engines.papyrus import rules
from engines.papyrus.options import DEFAULTS, OPTIONS

PAPYRUS = Game(
    id="papyrus",
    name="Papyrus The Game",
    players=(1, 2, 3, 4, 5),
    options=OPTIONS,
    rules=rules,
    defaults=DEFAULTS,
)
