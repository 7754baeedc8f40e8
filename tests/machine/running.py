"""A tier's steps, one after the other, one line for each."""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tests.machine.container import WrongError

CANNOT = 77
"""Exit code of a tier that cannot run here (as automake's)."""


class Words(Protocol):
    def last_words(self) -> str:
        """What helps to see why a step failed."""
        ...


T = TypeVar("T", bound=Words)


def tell(seconds: float, what: str, state: str = "ok") -> None:
    print(f"{state:5s} {seconds:6.1f} s  {what}", flush=True)


def steps(trial: T, wanted: Sequence[Callable[[T], str]], wait: str = "") -> int:
    """Carry out the steps up to the first that fails; the exit code. ``wait``: what to say before Enter is waited for after a fault."""
    passed = failed = 0
    # A run that is ended goes by way of the end: mounts and processes go too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for step in wanted:
        began = time.monotonic()
        what = (step.__doc__ or step.__name__).strip().splitlines()[0].rstrip(".")
        try:
            said = step(trial)
        except Exception as error:  # noqa: BLE001 - a step that fails in any way is one failure, and ends the run
            failed += 1
            tell(time.monotonic() - began, what, "FAIL")
            print(error if isinstance(error, WrongError) else traceback.format_exc())
            print(trial.last_words(), flush=True)
            if wait:
                print(wait, flush=True)
                sys.stdin.readline()
            break
        passed += 1
        tell(time.monotonic() - began, f"{what}{f': {said}' if said else ''}")
    if failed:
        print(f"{len(wanted) - passed - failed} steps were not tried")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
