"""``python -m tests.machine``: the container tier, one line per step."""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.machine import tree
from tests.machine.container import WrongError
from tests.machine.steps import STEPS
from tests.machine.trial import Trial

CANNOT = 77
"""Exit code of a tier that cannot run here (as automake's)."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.machine", description=__doc__)
    parser.add_argument(
        "--keep", action="store_true", help="after a fault, wait for Enter before the container goes"
    )
    parser.add_argument(
        "--bare", action="store_true", help="have the installer bring the large packages too (minutes more)"
    )
    wish = parser.parse_args()
    try:
        tree.require()
        began = time.monotonic()
        lower = tree.base(wish.bare)
        print(
            f"ok    {time.monotonic() - began:6.1f} s  Debian 13 {'bare' if wish.bare else 'with the large packages'}",
            flush=True,
        )
    except tree.CannotRunError as error:
        print(f"not run: {error}")
        return CANNOT
    passed = failed = 0
    # A run that is ended goes by way of the end: mounts and processes go too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="thoth-machine-") as place, tree.overlay(lower) as merged:
        trial = Trial(merged, Path(place))
        try:
            for step in STEPS:
                began = time.monotonic()
                what = (step.__doc__ or step.__name__).strip().splitlines()[0].rstrip(".")
                try:
                    said = step(trial)
                except Exception as error:  # noqa: BLE001 - a step that fails in any way is one failure, and ends the run
                    failed += 1
                    print(f"FAIL  {time.monotonic() - began:6.1f} s  {what}", flush=True)
                    print(error if isinstance(error, WrongError) else traceback.format_exc())
                    print(trial.last_words())
                    if wish.keep:
                        print(f"the container's process 1 is {trial.box.leader}; Enter ends it")
                        sys.stdin.readline()
                    break
                passed += 1
                print(
                    f"ok    {time.monotonic() - began:6.1f} s  {what}{f': {said}' if said else ''}",
                    flush=True,
                )
        finally:
            trial.box.kill()
            trial.unplug()
    if failed:
        print(f"{len(STEPS) - passed - failed} steps were not tried")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
