"""Pebbles as the rest of the house sees it."""

from __future__ import annotations

from engines.game import Game
from engines.pebbles import rules

PEBBLES = Game(id="pebbles", name="Pebbles", players=(2, 3, 4), options=rules.OPTIONS, rules=rules)
