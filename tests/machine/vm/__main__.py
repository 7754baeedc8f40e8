"""``python -m tests.machine.vm``: the virtual machine, one line per step."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.machine import running, tree
from tests.machine.container import WrongError
from tests.machine.vm import image
from tests.machine.vm.steps import STEPS
from tests.machine.vm.trial import Trial


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.machine.vm", description=__doc__)
    parser.add_argument(
        "--keep", action="store_true", help="after a fault, wait for Enter before the machine goes"
    )
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="thoth-vm-") as place:
        try:
            tree.require(image.HOST, "test-machine")
            began = time.monotonic()
            disk = image.disk(Path(place), _say)
        except tree.CannotRunError as error:
            print(f"not run: {error}")
            return running.CANNOT
        except WrongError as error:
            print(f"Thoth could not be installed: {error}\n0 passed, 1 failed")
            return 1
        running.tell(time.monotonic() - began, f"a disk with Thoth {disk.version} on it")
        trial = Trial(disk, Path(place))
        try:
            return running.steps(
                trial, STEPS, f"the machine's files lie in {place}; Enter ends it" if wish.keep else ""
            )
        finally:
            trial.machine.kill()


def _say(what: str) -> None:
    print(f"making {what}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
