"""The rules of each game: pure Python, no clock, no pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engines.game import Game


@cache
def games() -> Mapping[str, Game]:
    """Every game by its id. Loaded at the first call, so that importing the words of the table costs nothing."""
    from types import MappingProxyType

    from engines.ankh.game import ANKH
    from engines.archaeology.game import ARCHAEOLOGY
    from engines.papyrus.game import PAPYRUS
    from engines.tanis.game import TANIS

    return MappingProxyType({game.id: game for game in (TANIS, ARCHAEOLOGY, ANKH, PAPYRUS)})


@cache
def table_games() -> Mapping[str, Game]:
    """The games that can be read from the table, by their id."""
    from types import MappingProxyType

    return MappingProxyType({id: game for id, game in games().items() if game.eyes is not None})
