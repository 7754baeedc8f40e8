"""``python -m tests.machine``: the container tier, one line per step."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.machine import running, tree
from tests.machine.steps import STEPS
from tests.machine.trial import Trial


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
        running.tell(
            time.monotonic() - began, f"Debian 13 {'bare' if wish.bare else 'with the large packages'}"
        )
    except tree.CannotRunError as error:
        print(f"not run: {error}")
        return running.CANNOT
    with tempfile.TemporaryDirectory(prefix="thoth-machine-") as place, tree.overlay(lower) as merged:
        trial = Trial(merged, Path(place))
        try:
            return running.steps(
                trial, STEPS, "process 1 of the container can be entered; Enter ends it" if wish.keep else ""
            )
        finally:
            trial.box.kill()
            trial.unplug()


if __name__ == "__main__":
    sys.exit(main())
