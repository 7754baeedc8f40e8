"""A press, and what every set of buttons offers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Button(Enum):
    CONFIRM = "confirm"
    REJECT = "reject"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Press:
    """One press of one button; ``at`` in monotonic seconds, when it was recognised."""

    button: Button
    long: bool = False
    at: float = 0.0


class Buttons(Protocol):
    """``poll`` gives the presses recognised up to now, oldest first, each once."""

    def poll(self, now: float) -> tuple[Press, ...]: ...
    def close(self) -> None: ...


class ButtonsError(Exception):
    """The buttons cannot be used. ``advice`` is for a player, at most two lines of 21 characters."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice
