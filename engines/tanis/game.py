"""Tanis as the rest of the house sees it."""

from __future__ import annotations

from engines.game import Game, Reading
from engines.tanis import rules
from engines.tanis.rules import DEFAULTS, OPTIONS
from engines.tanis.state import TanisState


def _reading() -> Reading[TanisState]:
    from engines.tanis import reading  # only a night at the table needs it

    return reading


TANIS = Game(
    id="tanis",
    name="Tanis",
    players=(2,),
    options=OPTIONS,
    rules=rules,
    eyes=_reading,
    defaults=DEFAULTS,
)
