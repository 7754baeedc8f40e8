"""Light and sound, as every driver offers them."""

from __future__ import annotations

from typing import Protocol

KINDS = ("confirmed", "illegal", "turn", "fault")
"""What can be signalled: a move is written, a move is not allowed, somebody's turn has begun, something needs a look at the display."""


class Signals(Protocol):
    """``give`` begins a signal, ``tick`` (called often, monotonic s) carries it on. Both may raise what the pins raise."""

    def give(self, kind: str) -> None: ...
    def tick(self, now: float) -> None: ...
    def close(self) -> None: ...


class SignalsError(Exception):
    """Light and sound cannot be used. ``advice`` is for a player, at most two lines of 21 characters."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice
