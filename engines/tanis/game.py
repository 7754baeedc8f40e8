"""Tanis as the rest of the house sees it."""

from __future__ import annotations

from typing import cast

from engines.game import Game, Reading, Rules
from engines.tanis import rules
from engines.tanis.rules import DEFAULTS, OPTIONS
from engines.tanis.state import TanisState


def _reading() -> Reading[TanisState]:
    from engines.tanis import reading  # only a night at the table needs it

    return cast("Reading[TanisState]", reading)


TANIS = Game(
    id="tanis",
    name="Tanis",
    players=(2,),
    options=OPTIONS,
    rules=cast("Rules[TanisState]", rules),
    eyes=_reading,
    defaults=DEFAULTS,
)
