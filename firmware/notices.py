"""What the display says outside of a night (at the start, at the end, when nothing could be written), and what a night is told to pass on."""

from __future__ import annotations

from collections.abc import Sequence

from firmware.box import health, parts
from firmware.settings import Fault
from firmware.written.journal import ADVICE, Journal
from hardware.display.screen import Screen

NOWHERE = "No records are\nkept here"
"""What the players read when there is nowhere to write a record."""
NO_STICK = "No stick is in"
SMALL_PICTURE = "Too little memory for\nthis table's picture"
"""When the camera could not take as large a picture as a table without a mat needs."""
GALLERY_FAULTY = "own faces not usable:\nprinted set is used"
LITTLE_POWER = health.LITTLE_POWER
SETTINGS_KEPT = "fault in settings:\nthe old ones hold"
NUMBERS_FAULTY = "own numbers not used:\nthoth catalog --check"
JOURNAL_DAMAGED = "The journal was\ndamaged: {kept} entries\nkept, {lost} lost"
_SHOWN = 3
"""Faults of the settings that are told one by one."""


def starting(advice: str = "") -> Screen:
    return Screen("starting", "Thoth", "Starting", tuple(advice.splitlines()[:2]))


def good_night(off: bool) -> Screen:
    # It stays on the display when the program is gone, so it says what the state of things is.
    line = "In 10 s pull the plug" if off else "Thoth is not running"
    return Screen("poweroff", "Thoth", "Good night", ("The game is kept", line))


def still_on() -> Screen:
    """When the Pi would not be switched off: nothing is running any more, so nothing can be lost."""
    return Screen("poweroff", "Thoth", "Still on", ("It would not go off.", "You may pull the plug"))


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


def of_settings(faults: Sequence[Fault]) -> tuple[str, ...]:
    """What the players are told of a settings file: where each fault is, and how many there are."""
    said = [
        f"settings, line {fault.line}\n{fault.key}: {fault.text}"
        if fault.key
        else f"settings, line {fault.line}\n{fault.text}"
        for fault in faults[:_SHOWN]
    ]
    if len(faults) > _SHOWN:
        said.append(f"{len(faults) - _SHOWN} more faults: write\nthoth check-config")
    return tuple(said)


def of_journal(journal: Journal) -> tuple[str, ...]:
    """What the players are told of a journal that was damaged."""
    if journal.notice is None:
        return ()
    return (JOURNAL_DAMAGED.format(kept=journal.kept, lost=journal.lost),)


def own_screens() -> dict[str, Screen]:
    """The screens that are the service's own, for ``thoth screens`` and the tests."""
    found = {
        "starting no camera": starting(parts.NO_CAMERA),
        "good night": good_night(off=True),
        "good night stopped": good_night(off=False),
        "still on": still_on(),
    }
    for number, advice in enumerate(ADVICE):
        found[f"not saved {number + 1}"] = not_kept(advice)
    return found
