"""Memory that is not needed any more goes back to the system: a Pi Zero 2 W has little, and the C library keeps what was freed."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys


def give_back() -> None:
    """Let go of drawings that galleries were made of, and of all that was freed."""
    drawn = sys.modules.get("hardware.print.faces")
    if drawn is not None:
        drawn.forget()
    gc.collect()
    # glibc's own; another C library keeps less.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
