"""How often the shell does things, and how long they took."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Pace:
    """How often things happen, in seconds."""

    beat: float = 0.02
    """Between two looks at the buttons."""
    busy: float = 0.1
    """Between two small pictures while something moves, or moved a moment ago."""
    quiet: float = 0.25
    """Between two small pictures when nothing has moved for ``calm``."""
    calm: float = 2.0
    tick: float = 1.0
    again: float = 0.5
    """Before a picture that could not be read is taken again."""
    light: float = 10.0
    """For which a picture is too dark or too bright before the light is measured anew; six times as long until the next time."""
    idle: float = 2.0
    """Between two small pictures when no game is on: only to know that the camera is there."""


REAL = Pace()
SIMULATED = Pace(beat=0.1)


@dataclass(slots=True)
class Timings:
    """Milliseconds per stage, the newest 1000 of each."""

    kept: dict[str, deque[float]] = field(default_factory=dict)

    def add(self, stage: str, ms: float) -> None:
        self.kept.setdefault(stage, deque(maxlen=1000)).append(ms)

    def quantile(self, stage: str, part: float) -> float:
        """The value below which ``part`` (0-1) of a stage's times lie; 0 when there are none."""
        times = sorted(self.kept.get(stage, ()))
        return times[min(int(part * len(times)), len(times) - 1)] if times else 0.0

    def summary(self, stage: str) -> dict[str, float]:
        """{"p50": ms, "p95": ms}"""
        return {f"p{part}": round(self.quantile(stage, part / 100), 2) for part in (50, 95)}
