"""Archaeology: The New Expedition as the rest of the house sees it."""

from __future__ import annotations

from typing import cast

from engines.archaeology import rules
from engines.archaeology.numbers import SEATS
from engines.archaeology.rules import DEFAULTS, OPTIONS
from engines.archaeology.state import ArchaeologyState
from engines.game import Game, Reading, Rules, Spelling


def _reading() -> Reading[ArchaeologyState]:
    from engines.archaeology import reading  # only a night at the table needs it

    return reading


def _spelling() -> Spelling[ArchaeologyState]:
    from engines.archaeology import spelling

    return spelling


ARCHAEOLOGY = Game(
    id="archaeology",
    name="Archaeology",
    players=SEATS,
    options=OPTIONS,
    rules=cast("Rules[ArchaeologyState]", rules),
    eyes=_reading,
    spells=_spelling,
    defaults=DEFAULTS,
)
