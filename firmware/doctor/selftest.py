"""``thoth doctor --self-test``: a version proves itself before a box is switched to it, with simulated parts and in a few seconds.

Everything that runs in the box runs here too: eyes, rules, night, journal, the drivers of display and buttons. What is simulated is the table,
the metal of the buttons and the chip of the display. What the box already holds (settings, journal) has to be readable by it.
"""

from __future__ import annotations

import importlib
import pkgutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from firmware.box.aside import Aside
from firmware.doctor.base import FAIL, OK, WARN, Facts, Line

MOVES = 3
SECONDS = 120.0
"""After which a step counts as hanging: a Pi Zero that is busy is slow."""
_KEEP = "keep the version that is installed and report this"
_TRAINING = "vision.network.training"


def self_test(facts: Facts) -> Iterator[Line]:
    """The lines, as they come."""
    for name, step in _STEPS:
        began = time.monotonic()
        work = Aside(name, lambda step=step: step(facts))  # type: ignore[misc]
        if not work.wait(SECONDS):
            yield Line(name, FAIL, f"no answer within {SECONDS:.0f} s", _KEEP)
            return
        try:
            line = work.result()
        except Exception as error:  # noqa: BLE001 - whatever a broken version raises is what is looked for
            yield Line(name, FAIL, f"{type(error).__name__}: {error}", _KEEP)
            continue
        yield Line(name, line.level, f"{line.text} ({time.monotonic() - began:.1f} s)", line.remedy)


def _modules(facts: Facts) -> Line:
    """Every module can be loaded; drivers load their libraries when they are opened, so none of those is needed."""
    count = 0
    for package in ("engines", "vision", "hardware", "firmware"):
        root = importlib.import_module(package)
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            # Training is no part of a box; importing a __main__ runs it; fpdf is an extra.
            if found.name.startswith(_TRAINING) or found.name.endswith("__main__"):
                continue
            importlib.import_module(found.name)
            count += 1
    return Line("modules", OK, f"{count} load")


def _rules(facts: Facts) -> Line:
    from engines import games
    from engines.rulebook import rulebook

    count = 0
    for name in games():
        rules = rulebook(name).rules
        if not rules:
            return Line("rules", FAIL, f"{name} has none", _KEEP)
        count += len(rules)
    return Line("rules", OK, f"{count} of {len(games())} games")


def _night(facts: Facts) -> Line:
    """A few moves of an evening on the simulated table, then the power goes and comes back."""
    from engines import table_games
    from firmware import demo
    from firmware.written import entries
    from firmware.written.journal import NAME, Journal
    from hardware.clock import SimulatedClock
    from hardware.display.draw import draw
    from hardware.display.oled import SHIFTS

    with tempfile.TemporaryDirectory(prefix="thoth-") as folder:
        path = Path(folder) / NAME
        journal = Journal(path)
        clock = SimulatedClock()
        wish = demo.Wish(seed=3, size=(960, 540), mishaps=False)
        evening = demo.prepare(wish, clock, journal)
        until = clock.monotonic() + 600
        evening.shell.run_until(lambda: len(evening.tally.written) >= MOVES or clock.monotonic() > until)
        written, wrong = evening.tally.written, evening.tally.wrong
        shown, screen = evening.chip.picture(), evening.shell.screen
        journal.close()
        with Journal(path) as again:
            after = entries.replay(table_games(), again.entries())
            damaged = again.notice
    if len(written) < MOVES or wrong:
        return Line("night", FAIL, f"{len(written)} of {MOVES} moves, {wrong} of them wrong", _KEEP)
    if screen is None or shown.tobytes() not in {draw(screen, shift).tobytes() for shift in SHIFTS}:
        return Line("night", FAIL, "the display does not show what the night says", _KEEP)
    if damaged or after.damage or after.match is None or len(after.match.moves) != len(written):
        return Line(
            "night", FAIL, damaged or after.damage or "the journal does not lead back to the game", _KEEP
        )
    return Line(
        "night",
        OK,
        f"{len(written)} moves seen, proposed, confirmed by button, shown and found again after a power cut",
    )


def _settings(facts: Facts) -> Line:
    if facts.faults:
        first = facts.faults[0]
        return Line(
            "settings",
            WARN,
            f"{len(facts.faults)} faults for this version; line {first.line}: {first.key}: {first.text}",
            f"{first.remedy}; until then the defaults are in force",
        )
    return Line("settings", OK, "readable")


def _journal(facts: Facts) -> Line:
    """The journal of the box, in a copy: this version must be able to go on with it."""
    from firmware.doctor.contents import journal

    lines = list(journal(facts))
    worst = next((line for line in lines if line.level == FAIL), None)
    if worst is not None:
        return Line("journal", FAIL, worst.text, _KEEP)
    return Line("journal", OK, lines[-1].text if lines else "none")


_STEPS: tuple[tuple[str, Callable[[Facts], Line]], ...] = (
    ("modules", _modules),
    ("rules", _rules),
    ("settings", _settings),
    ("journal", _journal),
    ("night", _night),
)
