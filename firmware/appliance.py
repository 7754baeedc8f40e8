"""The commands for whoever builds a box and keeps it running, for the command line: doctor."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

DOCTOR = """\
Looks at everything that can be wrong with a box; each line is OK, WARN or FAIL, with what to do about it. Each check has a
deadline: nothing in it can hang. While the service runs, what it holds is left to it.

examples:
  thoth doctor                                 at a terminal it also asks for presses and for a look at the display
  sudo -u thoth thoth doctor                   with the rights of the service
  thoth doctor --json                          one JSON object, nothing is asked
  thoth doctor --only camera --only display
  thoth doctor --self-test                     does this version work here? With simulated parts, in a few seconds

Exit code: 0, or 1 when something FAILs.
"""


class Adds(Protocol):
    """How the command line takes a command."""

    def __call__(
        self, name: str, text: str, does: Callable[[argparse.Namespace], int], more: str = ""
    ) -> argparse.ArgumentParser: ...


def arguments(command: Adds) -> None:
    doctor = command("doctor", "say what is wrong with this box, and what to do about it", _doctor, DOCTOR)
    doctor.add_argument("--json", action="store_true", help="one JSON object on stdout")
    doctor.add_argument(
        "--self-test", action="store_true", help="prove this version with simulated parts instead"
    )
    doctor.add_argument(
        "--only", action="append", default=[], metavar="CHECK", help="this check alone; may be repeated"
    )
    doctor.add_argument(
        "--config", type=Path, metavar="FILE", help="settings (default: /etc/thoth/thoth.toml)"
    )
    doctor.add_argument("--state-dir", type=Path, metavar="DIR", help="where the journal is kept")


def _doctor(arguments: argparse.Namespace) -> int:
    from firmware.doctor import run

    run.quiet_libraries()
    if not arguments.self_test:
        return run.doctor(arguments.config, arguments.state_dir, arguments.json, arguments.only)
    return run.self_tested(arguments.config, arguments.state_dir, arguments.json)
