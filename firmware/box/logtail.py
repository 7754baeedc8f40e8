"""The last lines of the log, kept in memory for a fault report: a box without network and keyboard has no other way to show them."""

from __future__ import annotations

import logging
import sys
from collections import deque

LINES = 600
LONGEST = 500
"""Characters of a line that are kept."""


class OneLine(logging.Formatter):
    """What is told is told in one line, also what stands on the display in two. A traceback keeps its own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name logging gives it
        return " ".join(super().formatMessage(record).splitlines())


def to_stderr(level: int) -> None:
    """The log of a program that somebody may be looking at."""
    told = logging.StreamHandler(sys.stderr)
    told.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[told])


class Tail(logging.Handler):
    """Hangs on the root logger from its making on."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=LINES)
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.extend(line[:LONGEST] for line in self.format(record).splitlines())
        except Exception:  # noqa: BLE001 - what cannot be put into words must not stop who logs it
            self.handleError(record)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)
