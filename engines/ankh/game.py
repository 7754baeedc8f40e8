"""Ankh as the rest of the house sees it."""

from __future__ import annotations

from engines.ankh import rules
from engines.ankh.rules import DEFAULTS, OPTIONS, PLAYERS
from engines.ankh.state import AnkhState
from engines.game import Game, Reading, Spelling


def _reading() -> Reading[AnkhState]:
    from engines.ankh import reading  # only a night at the table needs it

    return reading


def _spelling() -> Spelling[AnkhState]:
    from engines.ankh import spelling

    return spelling


ANKH = Game(
    id="ankh",
    name="Ankh",
    players=PLAYERS,
    options=OPTIONS,
    rules=rules,
    eyes=_reading,
    spells=_spelling,
    defaults=DEFAULTS,
)
