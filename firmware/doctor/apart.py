"""A check with a deadline: in a process of its own, or in a thread. Nothing a driver does gets further than one line of the doctor."""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from firmware.box.aside import Aside
from firmware.doctor.base import FAIL, Facts, Line
from firmware.doctor.table import CHECKS, Check
from firmware.settings import load


def lines(check: Check, facts: Facts) -> tuple[Line, ...]:
    """What a check finds. Never raises and never takes much longer than the check's seconds."""
    try:
        return _in_a_process(check, facts) if check.apart else _in_a_thread(check, facts)
    except Exception as error:  # noqa: BLE001 - the doctor goes on to the next one
        return (
            Line(
                check.name,
                FAIL,
                f"could not be checked: {type(error).__name__}: {error}",
                "report this with what thoth doctor --json prints",
            ),
        )


def found(check: Check, facts: Facts) -> tuple[Line, ...]:
    """Run the check here and now."""
    module, _, function = check.call.partition(":")
    return tuple(getattr(importlib.import_module(f"firmware.doctor.{module}"), function)(facts))


def _in_a_thread(check: Check, facts: Facts) -> tuple[Line, ...]:
    work = Aside(check.name, lambda: found(check, facts))
    return work.result() if work.wait(check.seconds) else (_hangs(check),)


def _in_a_process(check: Check, facts: Facts) -> tuple[Line, ...]:
    told = facts.config if facts.config is not None else ""
    words = [sys.executable, "-m", "firmware.doctor.apart", check.name, str(told), str(facts.state), str(facts.root), str(int(facts.running))]  # fmt: skip
    with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as noise:
        # A process group of its own, so that all that a driver has started ends with it.
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=answer, stderr=noise, start_new_session=True
        )
        try:
            code = process.wait(check.seconds)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(
                subprocess.TimeoutExpired
            ):  # one that hangs in the kernel stays; nobody waits for it
                process.wait(1.0)
            return (_hangs(check),)
        answer.seek(0)
        said = answer.read().decode(errors="replace").splitlines()
    if code < 0:
        name = signal.Signals(-code).name
        return (Line(check.name, FAIL, f"the driver ended its process ({name})", check.hanging),)
    try:
        return tuple(Line(**one) for one in json.loads(said[-1]))
    except (IndexError, ValueError, TypeError):
        return (Line(check.name, FAIL, f"the check gave no answer (exit code {code})", check.hanging),)


def _hangs(check: Check) -> Line:
    return Line(check.name, FAIL, f"no answer within {check.seconds:.0f} s", check.hanging)


def main(argv: Sequence[str]) -> int:
    """The process of one check: its lines as JSON, the last line of stdout."""
    name, config, state, root, running = argv
    logging.disable(logging.CRITICAL)
    settings, faults = load(Path(config) if config else None)
    facts = Facts(settings, faults, Path(config) if config else None, Path(state), Path(root), running == "1")
    (check,) = (one for one in CHECKS if one.name == name)
    here = replace(check, apart=False)
    said = json.dumps([asdict(line) for line in lines(here, facts)])
    sys.stdout.write(f"\n{said}\n")
    sys.stdout.flush()
    os._exit(0)  # a driver's own threads may never end


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
