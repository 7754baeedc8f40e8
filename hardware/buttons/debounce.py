"""Debounce above the pin: edges with their times in, presses out. No clock, no thread, no pin in here.

A contact bounces for some milliseconds when it closes and when it opens, and long wires catch spikes. A level therefore
counts only after it has stayed the same for ``STEADY`` seconds; what is shorter never happened. A press is long once it was held
for ``LONG`` seconds, reported while still held; a short one is reported when the button was released.
A button that is already held when Thoth starts (a stuck key, a box standing on it) is ignored until it was released once.
"""

from __future__ import annotations

from hardware.buttons.press import Button, Press

STEADY = 0.02  # s
LONG = 0.8  # s


class Debounce:
    """One button. Feed ``edge`` with every change of level and ``poll`` now and then; times are monotonic seconds.

    ``down``: the level at the start. A time before the last one seen counts as the last one (threads may report late).
    """

    def __init__(
        self, button: Button, down: bool = False, at: float = 0.0, steady: float = STEADY, long: float = LONG
    ) -> None:
        self._button = button
        self._steady = steady
        self._long = long
        self._seen = at
        self._raw = down
        self._raw_since = at
        self._still = at  # when a level had last stood still
        self._since = at  # since when the accepted level holds
        self._down = down  # the accepted level
        self._pressed_at: float | None = None  # None: up, held since power-up, or already reported as long
        self._out: list[Press] = []

    @property
    def level(self) -> bool:
        """The last raw level fed in; True is down."""
        return self._raw

    @property
    def down(self) -> bool:
        """The accepted level."""
        return self._down

    def held(self, now: float) -> float:
        """Seconds for which the button has been down without a break; 0: it is up."""
        return max(0.0, now - self._since) if self._down else 0.0

    def restless(self, now: float) -> float:
        """Seconds for which no level has stood still: a loose wire, not a finger."""
        return max(0.0, now - self._still)

    def edge(self, at: float, down: bool) -> None:
        """The pin changed to ``down`` at ``at``. A repeated level is harmless."""
        self._pass(at)
        if down != self._raw:
            self._raw = down
            self._raw_since = self._seen

    def poll(self, now: float) -> tuple[Press, ...]:
        """The presses recognised up to ``now``, oldest first, each once."""
        self._pass(now)
        out, self._out = tuple(self._out), []
        return out

    def _pass(self, now: float) -> None:
        """Let time pass up to ``now`` at the present raw level."""
        self._seen = max(self._seen, now)
        if self._seen - self._raw_since >= self._steady:
            self._still = self._seen
        if self._raw != self._down and self._seen - self._raw_since >= self._steady:
            self._down = self._raw
            self._since = self._raw_since
            if self._down:
                self._pressed_at = self._raw_since
            else:
                self._released(self._raw_since)
        if self._pressed_at is not None and self._raw and self._seen - self._pressed_at >= self._long:
            self._report_long()

    def _released(self, at: float) -> None:
        if self._pressed_at is None:
            return
        if at - self._pressed_at >= self._long:
            self._report_long()
        else:
            self._out.append(Press(self._button, False, at + self._steady))
        self._pressed_at = None

    def _report_long(self) -> None:
        assert self._pressed_at is not None
        self._out.append(Press(self._button, True, self._pressed_at + self._long))
        self._pressed_at = None
