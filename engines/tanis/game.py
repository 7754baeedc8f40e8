"""Tanis as the rest of the house sees it."""

from __future__ import annotations

from typing import cast

from engines.game import Game, Reading, Rules
from engines.tanis import reading, rules
from engines.tanis.rules import DEFAULTS, OPTIONS
from engines.tanis.state import TanisState

TANIS = Game(
    id="tanis",
    name="Tanis",
    players=(2,),
    options=OPTIONS,
    rules=cast("Rules[TanisState]", rules),
    reading=cast("Reading[TanisState]", reading),
    defaults=DEFAULTS,
)
