"""An enrolment as data, and the small words that all its states use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.table import Layout, Table
from firmware.enrolling.faces import Group, groups
from firmware.events import Effect, Pair
from firmware.states.base import NO_LIST, Listing
from firmware.texts import Texts
from hardware.display.screen import Bitmap


@dataclass(frozen=True, slots=True)
class Cut:
    """One face that was cut out of a picture: how it looks on the display, large and small, and what is wrong with it
    (a key of the texts below "enrol.fault", "": nothing); ``like``: the enrolled identity it looks like though another was asked."""

    large: Bitmap
    small: Bitmap
    fault: str = ""
    like: str = ""


@dataclass(frozen=True, slots=True)
class Spread(Table):
    """What lies on the ground, in the order of reading: the ``pieces`` as they were cut out (``cuts``) of the picture with the number
    ``shot``; 0: none was cut, the pieces are only counted."""

    shot: int = 0
    cuts: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True)
class Enrolling:
    """One enrolment. ``place`` names the state it is in. Times are monotonic seconds taken from the events."""

    game: str
    layout: Layout
    texts: Texts
    picture: tuple[int, int] = (1536, 864)
    """(width, height) px of the large picture: what fits it is shown at once where there is no mat."""
    done: frozenset[str] = frozenset()
    """Identities whose pictures are in the gallery."""
    only: tuple[str, ...] = ()
    """Identities that are to be shown again; first of all."""
    later: tuple[str, ...] = ()
    """Identities that were passed over: they come last."""
    single: bool = False
    """One face at a time."""
    place: str = "start"
    group: Group | None = None
    listing: Listing = NO_LIST
    page: int = 0
    spread: Spread | None = None
    """The newest look at the table; in the states that show cuts, the picture taken."""
    dropped: frozenset[int] = frozenset()
    """Cuts of the picture taken that are not to be kept."""
    pairs: tuple[Pair, ...] = ()
    accepted: frozenset[tuple[str, str]] = frozenset()
    blind: tuple[str, float] | None = None
    parts: tuple[tuple[str, str], ...] = ()
    """Missing parts and what to do about each."""
    now: float = 0.0

    @property
    def total(self) -> int:
        return len(self.layout.faces)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(face.identity for face in self.layout.faces)

    @property
    def missing(self) -> frozenset[str]:
        """What has to be shown still: the faces asked for again, else those without a picture."""
        return frozenset(self.only) or frozenset(self.names) - self.done

    @property
    def away(self) -> Mapping[str, str]:
        """The missing parts of the device by name."""
        return dict(self.parts)


Result = tuple[Enrolling, tuple[Effect, ...]]


def stay(one: Enrolling) -> Result:
    return one, ()


def next_group(one: Enrolling) -> Group | None:
    """What is to be laid out next; None when nothing is missing."""
    missing = one.missing
    first = missing - frozenset(one.later) or missing
    planned = groups(one.layout, first, one.picture, one.single)
    return planned[0] if planned else None


@dataclass(frozen=True, slots=True)
class Found:
    """What a spread says of the group asked for: how many faces lie there, and which are faulty (index, fault)."""

    count: int
    faulty: tuple[int, ...] = field(default=())


def found(spread: Spread) -> Found:
    return Found(len(spread.pieces), tuple(i for i, cut in enumerate(spread.cuts) if cut.fault))
