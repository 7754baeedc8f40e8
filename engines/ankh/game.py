"""Ankh as the rest of the house sees it."""

from __future__ import annotations

from typing import cast

from engines.ankh import rules
from engines.ankh.rules import DEFAULTS, OPTIONS, PLAYERS
from engines.ankh.state import AnkhState
from engines.game import Game, Rules

ANKH = Game(
    id="ankh",
    name="Ankh",
    players=PLAYERS,
    options=OPTIONS,
    rules=cast("Rules[AnkhState]", rules),
    defaults=DEFAULTS,
)
