"""Papyrus The Game as the rest of the house sees it."""

from __future__ import annotations

from engines.game import Game, Reading, Spelling
from engines.papyrus import rules
from engines.papyrus.options import DEFAULTS, OPTIONS
from engines.papyrus.state import PapyrusState


def _reading() -> Reading[PapyrusState]:
    from engines.papyrus import reading  # only a night at the table needs it

    return reading


def _spelling() -> Spelling[PapyrusState]:
    from engines.papyrus import spelling

    return spelling


PAPYRUS = Game(
    id="papyrus",
    name="Papyrus The Game",
    players=(1, 2, 3, 4, 5),
    options=OPTIONS,
    rules=rules,
    eyes=_reading,
    spells=_spelling,
    defaults=DEFAULTS,
)
