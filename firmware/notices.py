"""What the display says outside of a night (at the start, at the end, when nothing could be written), and what a night is told to pass on."""

from __future__ import annotations

from firmware import health, parts
from firmware.journal import ADVICE
from hardware.display.screen import Screen

NOWHERE = "No records are\nkept here"
"""What the players read when there is nowhere to write a record."""
NO_STICK = "No stick is in"
LITTLE_POWER = health.LITTLE_POWER
SETTINGS_KEPT = "fault in settings:\nthe old ones hold"
NUMBERS_FAULTY = "own numbers not used:\nthoth catalog --check"
JOURNAL_DAMAGED = "The journal was\ndamaged: see the log"


def starting(advice: str = "") -> Screen:
    return Screen("starting", "Thoth", "Starting", tuple(advice.splitlines()[:2]))


def good_night(off: bool) -> Screen:
    # It stays on the display when the program is gone, so it says what the state of things is.
    line = "You may pull the plug" if off else "Thoth is not running"
    return Screen("poweroff", "Thoth", "Good night", ("The game is kept", line))


def plain(screen: Screen) -> str:
    """A screen in one line, for the log."""
    chosen = screen.choices[screen.chosen] if screen.choices else ""
    return " | ".join(
        part for part in (screen.title, screen.right, screen.main or chosen, *screen.lines) if part
    )


def not_kept(advice: str) -> Screen:
    """What the display says when a move could not be written; ``advice``: at most two lines of 21 characters."""
    return Screen(
        "fault", "Nothing was committed", "Not saved", tuple(advice.splitlines()), "then CONFIRM again"
    )


def settings_faulty(count: int) -> str:
    return f"{count} fault{'s' if count > 1 else ''} in the\nsettings: see the log"


def own_screens() -> dict[str, Screen]:
    """The screens that are the service's own, for ``thoth screens`` and the tests."""
    found = {
        "starting no camera": starting(parts.NO_CAMERA),
        "starting faulty settings": starting(settings_faulty(12)),
        "starting faulty numbers": starting(NUMBERS_FAULTY),
        "starting damaged journal": starting(JOURNAL_DAMAGED),
        "good night": good_night(off=True),
        "good night stopped": good_night(off=False),
    }
    for number, advice in enumerate(ADVICE):
        found[f"not saved {number + 1}"] = not_kept(advice)
    return found
