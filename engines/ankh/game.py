"""Ankh as the rest of the house sees it."""

from __future__ import annotations

from engines.ankh import rules
from engines.ankh.rules import DEFAULTS, OPTIONS, PLAYERS
from engines.game import Game

ANKH = Game(
    id="ankh",
    name="Ankh",
    players=PLAYERS,
    options=OPTIONS,
    rules=rules,
    defaults=DEFAULTS,
)
