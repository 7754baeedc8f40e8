"""The call: run the checks, tell what they found, ask what only eyes and fingers know."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from firmware.box import stick
from firmware.doctor import apart
from firmware.doctor.base import FAIL, LEVELS, OK, WARN, Facts, Line, running
from firmware.doctor.table import CHECKS
from firmware.settings import load

NOT_ASKED = "not asked"


class DoctorError(Exception):
    """The call cannot be carried out; the sentence says what to write."""


def facts_of(config: Path | None, state_dir: Path | None) -> Facts:
    """Raises SettingsError when a file that was named cannot be read."""
    settings, _ = load(config)
    state = state_dir or settings.state_dir
    settings, faults = load(config, (state / stick.BROUGHT / stick.SETTINGS,))
    return Facts(settings, faults, config, state, running=running(state))


def doctor(
    config: Path | None, state_dir: Path | None, as_json: bool = False, only: Sequence[str] = ()
) -> int:
    """``thoth doctor``. Returns 1 when something FAILs, else 0."""
    names = [check.name for check in CHECKS]
    for name in only:
        if name not in names:
            raise DoctorError(f"there is no check {name}; there are: {', '.join(names)}")
    logging.disable(logging.CRITICAL)  # what a driver logs is in its line
    facts = facts_of(config, state_dir)
    asked = not as_json and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    found = []
    for line in _all(facts, only, asked):
        found.append(line)
        if not as_json:
            tell(line)
    return end(found, as_json)


def end(found: Sequence[Line], as_json: bool) -> int:
    """The last word on these lines, and the exit code."""
    failed = sum(line.level == FAIL for line in found)
    if as_json:
        print(json.dumps({"ok": not failed, "lines": [asdict(line) for line in found]}, ensure_ascii=False))
    else:
        counts = ", ".join(f"{sum(line.level == level for line in found)} {level}" for level in LEVELS)
        print(f"\n{counts}")
    return 1 if failed else 0


def tell(line: Line) -> None:
    print(f"{line.level:5}{line.about}: {line.text}", flush=True)
    if line.remedy:
        print(f"     -> {line.remedy}", flush=True)


def _all(facts: Facts, only: Sequence[str], asked: bool) -> Iterator[Line]:
    if facts.running:
        yield Line("service", OK, f"runs on {facts.state}")
    for check in CHECKS:
        if only and check.name not in only:
            continue
        yield from apart.lines(check, facts)
        if check.name == "buttons":
            yield from _press(facts, asked)
        if check.name == "display":
            yield from _look(facts, asked)


def _press(facts: Facts, asked: bool) -> Iterator[Line]:
    if facts.settings.kind("buttons.kind") != "gpio" or facts.running:
        return
    if not asked:
        yield Line("press", OK, f"whether the buttons change: {NOT_ASKED}")
        return
    from firmware.doctor.devices import pressed
    from hardware.buttons.press import ButtonsError

    try:
        yield from pressed(facts, print)
    except ButtonsError:
        return  # told in the line before


def _look(facts: Facts, asked: bool) -> Iterator[Line]:
    """Show the framed picture by every driver and ask by which it is whole."""
    from hardware.display import DRIVERS

    if (now := facts.settings.kind("display.driver")) not in DRIVERS:
        return
    if facts.running or not asked:
        yield Line("picture", OK, f"by which driver its frame is whole: {NOT_ASKED}")
        return
    from firmware.doctor.devices import framed

    for driver in DRIVERS:
        if framed(facts, driver) is not None:
            yield Line(
                "picture", WARN, "the framed picture could not be shown", "put the lines above right first"
            )
            return
        if (
            input(f"{driver}: is the frame on the display whole on all four sides? [y/n] ")
            .strip()
            .lower()
            .startswith("y")
        ):
            right = driver == now
            yield Line(
                "picture",
                OK if right else FAIL,
                f"whole by {driver}" + ("" if right else f", {now} is set"),
                "" if right else f'write driver = "{driver}" below [display]',
            )
            return
    yield Line(
        "picture", FAIL, "whole by no driver", "is it 128 x 64? check the wires; look at docs/display.md"
    )


def quiet_libraries() -> None:
    """Libraries that talk on stderr are not to be mixed with what the doctor says."""
    os.environ.setdefault("LIBCAMERA_LOG_LEVELS", "ERROR")


def self_tested(config: Path | None, state_dir: Path | None, as_json: bool = False) -> int:
    """``thoth doctor --self-test``. Returns 1 when this version does not work here, else 0."""
    from firmware.doctor.selftest import self_test

    logging.disable(logging.CRITICAL)
    found = []
    for line in self_test(facts_of(config, state_dir)):
        found.append(line)
        if not as_json:
            tell(line)
    return end(found, as_json)
