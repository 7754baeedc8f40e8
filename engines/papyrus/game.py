"""Papyrus The Game as the rest of the house sees it."""

from __future__ import annotations

from typing import cast

from engines.game import Game, Rules
from engines.papyrus import rules
from engines.papyrus.options import DEFAULTS, OPTIONS
from engines.papyrus.state import PapyrusState

PAPYRUS = Game(
    id="papyrus",
    name="Papyrus The Game",
    players=(1, 2, 3, 4, 5),
    options=OPTIONS,
    rules=cast("Rules[PapyrusState]", rules),
    defaults=DEFAULTS,
)
