"""Somebody's turn that nobody notices: after a while the display lights up again and the signal is given once more."""

from __future__ import annotations

from firmware.shell import Shell
from firmware.states.base import Night

WAITING = ("turn", "proposal", "illegal", "ask")
"""Places that wait for a player."""
TIMES = 3
"""Reminders until it is taken that everybody has gone."""


class Reminder:
    """``after``: s without anything until the first one (0: never); the next ones come after twice as long each."""

    def __init__(self, after: float) -> None:
        self.after = after
        self._known: tuple[object, ...] = ()
        self._since = 0.0
        self._given = 0

    def __call__(self, shell: Shell[Night], now: float) -> bool:
        """Remind if it is time; True when it was. To be called about once a second."""
        night = shell.night
        known = (night.place, night.match, night.chain, night.touched)
        if len(known) != len(self._known) or any(
            one is not other for one, other in zip(known, self._known, strict=True)
        ):
            self._known, self._since, self._given = known, now, 0
            return False
        over = night.match is None or night.ended
        if not self.after or over or night.place not in WAITING or self._given >= TIMES:
            return False
        if now - self._since < self.after * (2**self._given):
            return False
        self._given += 1
        self._since = now
        shell.remind()
        return True
