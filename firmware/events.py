"""What can happen to a night, and what a night can ask for. All of it is data: a night can be recorded and played again."""

from __future__ import annotations

from dataclasses import dataclass

from engines.table import Layout, Table
from hardware.buttons.press import Press
from hardware.display.screen import Bitmap, Screen


@dataclass(frozen=True, slots=True)
class Looked:
    """The picture settled, was good, and this is what lies on the table. ``at``: monotonic s of the exposure."""

    table: Table
    at: float


@dataclass(frozen=True, slots=True)
class Blind:
    """The table cannot be read now: ``fault`` is a key of the texts ("hand", "dark", "bright", "glare left", "blurred", "no mat" ...)."""

    fault: str
    at: float


@dataclass(frozen=True, slots=True)
class Pressed:
    press: Press


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed (about once a second)."""

    at: float


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the device went missing (``advice`` says what to do) or is back (``advice`` None)."""

    name: str
    advice: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Exported:
    """The record was written under the name ``file`` in the records folder; or it was not, and ``fault`` says what to do
    (at most two lines of 21 characters)."""

    file: str
    fault: str
    at: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two faces that are hard to tell apart: their identities, and how each looks on the display."""

    one: str
    other: str
    pictures: tuple[Bitmap, Bitmap]


@dataclass(frozen=True, slots=True)
class Compared:
    """The faces shown so far were compared: those that are too alike for the light at hand, the worst first."""

    pairs: tuple[Pair, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the players should know once, and can then put away: at most two lines of 21 characters."""

    text: str
    at: float


Event = Looked | Blind | Pressed | Tick | Part | Exported | Compared | Notice


@dataclass(frozen=True, slots=True)
class Commit:
    """Write these entries to the journal, all or none, before anything that follows. Each is (kind, text)."""

    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Show:
    screen: Screen


@dataclass(frozen=True, slots=True)
class Look:
    """Read the table (again); ``expected`` is what should lie there, for the eyes to rank what they see (None: no game
    chosen, do not look). ``layout`` is that game's mat and pieces; the shell makes new eyes when it changes.

    The table is read at once, and again whenever the picture has changed and settled, until the next Look."""

    expected: Table | None
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """Light and sound: "confirmed", "illegal", "turn", "fault"."""

    kind: str


@dataclass(frozen=True, slots=True)
class Export:
    """Write the record of this game as a text file for its players; answered by Exported."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare the faces shown so far with each other; answered by Compared."""


@dataclass(frozen=True, slots=True)
class Carry:
    """Carry ``what`` ("records", "report") to the stick that is in; answered by Notice."""

    what: str


@dataclass(frozen=True, slots=True)
class PowerOff:
    pass


Effect = Commit | Show | Look | Signal | Export | Compare | Carry | PowerOff
