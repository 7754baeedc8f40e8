"""The last lines of the log, kept in memory for a fault report: a box without network and keyboard has no other way to show them."""

from __future__ import annotations

import logging
from collections import deque

LINES = 600
LONGEST = 500
"""Characters of a line that are kept."""


class Tail(logging.Handler):
    """Hangs on the root logger from its making on."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self._lines: deque[str] = deque(maxlen=LINES)
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._lines.extend(line[:LONGEST] for line in self.format(record).splitlines())
        except Exception:  # noqa: BLE001 - what cannot be put into words must not stop who logs it
            self.handleError(record)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self._lines)
