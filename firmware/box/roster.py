"""The names that can be chosen for the players: those of the settings, and those who have played before."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from firmware.settings import NAME_LENGTH
from firmware.written.journal import Entry, Journal, JournalError

HEADERS = ("header", "setup")
"""Kinds of entries that say who plays."""
MOST = 16
"""Names in the list; who has not played for longest falls out first."""
_NIGHTS = 60


def roster(named: Sequence[str], journal: Journal, spare: str = "Player {seat}") -> tuple[str, ...]:
    """``named`` in their order, then everybody who has played, last night's first. ``spare``: how those are called who gave no name."""
    try:
        written = journal.last(HEADERS, _NIGHTS)
    except JournalError:
        written = ()
    nameless = re.compile(re.escape(spare).replace(r"\{seat\}", r"\d+"))
    found = dict.fromkeys(named)
    for name in (name for entry in written for name in _names(entry)):
        if not nameless.fullmatch(name):
            found.setdefault(name)
    return tuple(found)[: max(MOST, len(named))]


def _names(entry: Entry) -> list[str]:
    try:
        names = json.loads(entry[1])["names"]
    except (ValueError, KeyError, TypeError):
        return []
    if not isinstance(names, list):
        return []
    return [
        name
        for name in names
        if isinstance(name, str) and 0 < len(name) <= NAME_LENGTH and name.isprintable()
    ]
