"""The night as data, and the small words every state uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engines.catalogue import Catalogue, Lack, house, shipped
from engines.game import Difference, Game, Refusal, Reveal
from engines.referee import Match
from engines.table import Layout, Table
from firmware.chain import Finding, Link, Rejected, Signature
from firmware.events import Effect, Exported
from firmware.texts import Texts


@dataclass(frozen=True, slots=True)
class Plan:
    """What has been chosen of the next game."""

    game: str = ""
    players: int = 0
    names: tuple[str, ...] = ()
    first: int = 0
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A list on the display: what stands there, what each line means, and which one is chosen."""

    labels: tuple[str, ...]
    values: tuple[Any, ...]
    chosen: int = 0

    @property
    def value(self) -> Any:
        return self.values[self.chosen]

    def step(self, by: int) -> Listing:
        """Up or down; from the last on to the first."""
        return replace(self, chosen=(self.chosen + by) % len(self.labels))


NO_LIST = Listing((), ())


@dataclass(frozen=True, slots=True)
class Night:
    """One night at the table. ``place`` names the state it is in; the rest is what it knows.

    Times are monotonic seconds taken from the events; a night has no clock of its own.
    """

    games: Mapping[str, Game]
    roster: tuple[str, ...]
    """Names that can be chosen, usual players first."""
    texts: Texts
    seed: int = 0
    """Decides who begins when the players choose "Random"."""
    numbers: Mapping[str, Catalogue] = field(default_factory=dict)
    """The owner's numbers by game; a game that is not there is played by the shipped ones."""
    place: str = "game"
    back: str = ""
    """The place to return to from an interruption (pause, help)."""
    plan: Plan = field(default_factory=Plan)
    listing: Listing = NO_LIST
    path: tuple[str, ...] = ()
    """Words chosen so far in the menu of moves."""
    page: int = 0
    match: Match | None = None
    ended: bool = False
    """The end of this match stands in the journal."""
    chain: tuple[Link, ...] = ()
    finding: Finding = field(default_factory=Finding)
    picked: Link | None = None
    """A move chosen from the menu, waiting for its confirmation."""
    change: tuple[Plan, Match, Any] | None = None
    """A correction waiting for its confirmation: what it asks for, the match under it, the first move that does not fit."""
    table: Table | None = None
    rejected: frozenset[Rejected] = frozenset()
    ignored: frozenset[Difference] = frozenset()
    passed_over: Signature | None = None
    """The table the players chose to ignore until it changes."""
    learned: tuple[Reveal, ...] = ()
    """Facts taken since the last move; a picture that flickers may not write them without end."""
    checking: bool = False
    """After a take-back: the table is only compared until it fits or the players go on."""
    differences: tuple[Difference, ...] = ()
    doubt: float | None = None
    """Since when nothing explains the table; one bad look is not believed."""
    suspected: Refusal | None = None
    """A refusal that rests on a missing piece, seen in one look; it is shown when the next one agrees."""
    blind: tuple[str, float] | None = None
    """What is wrong with the picture, and since when."""
    hidden: tuple[str, float] | None = None
    """The zone of which nothing can be read because something stands on it, and since when."""
    parts: tuple[tuple[str, str], ...] = ()
    """Missing parts and what to do about each."""
    exported: Exported | None = None
    """What came of the export that was asked for; None until it is known."""
    now: float = 0.0
    touched: float = 0.0
    replaced: float = -1.0
    """When the proposal on display took the place of another one."""
    confirmed: float = -1e9
    """When a move was last confirmed."""
    idling: float | None = None
    """When CONFIRM was pressed on an unchanged table that is looked at once more."""
    notices: tuple[str, ...] = ()
    """What the players should know and have not put away yet, oldest first."""
    trouble: str = ""
    """What was damaged in the journal, for the log, until the next confirmed move; the display says that something was."""

    @property
    def game(self) -> Game | None:
        """The game that is chosen or being played."""
        return self.match.game if self.match else self.games.get(self.plan.game)

    @property
    def layout(self) -> Layout | None:
        """What the eyes have to look at, or None before a game is chosen."""
        if self.match is not None:
            match = self.match
            return match.game.reading.layout(len(match.names), match.options, match.catalogue)
        if self.game is not None and self.place == "setup":
            return self.game.reading.layout(self.plan.players, dict(self.plan.options), in_force(self))
        return None

    def zone_called(self, name: str) -> str:
        """A zone as its mat calls it, with the number of the seat where several are called the same."""
        layout = self.layout
        zone = None if layout is None else next((one for one in layout.zones if one.name == name), None)
        plain, _, seat = name.rpartition("-")
        if zone is None or not zone.label:
            return name.replace("-", " ")
        return (
            f"{zone.label} {seat}"
            if plain and seat.isdigit() and not zone.label[-1:].isdigit()
            else zone.label
        )

    @property
    def head(self) -> Match | None:
        """The match as the table should show it: confirmed moves and the chain."""
        return self.chain[-1].match if self.chain else self.match

    @property
    def expected(self) -> Table | None:
        """What should lie on the table now; None: do not look."""
        if self.head is not None:
            return self.head.game.reading.expected(self.head.state)
        if self.place == "setup":
            match = planned(self)
            return match.game.reading.expected(match.state)
        return None

    @property
    def missing(self) -> dict[str, str]:
        return dict(self.parts)


Result = tuple[Night, tuple[Effect, ...]]


def planned(night: Night) -> Match:
    """The match the plan asks for, before its first move."""
    plan = night.plan
    game = night.games[plan.game]
    return Match.begin(game, plan.names, plan.first, dict(plan.options), catalogue=in_force(night))


def in_force(night: Night) -> Catalogue:
    """The numbers that the planned game is played by: the owner's or those that are shipped; where these do not suffice the house set, of
    which the display says that it is one."""
    known = night.numbers.get(night.plan.game) or shipped(night.plan.game)
    if not _lacks(night, known):
        return known
    sample = house(night.plan.game)
    return known if _lacks(night, sample) else sample


def lacking(night: Night) -> tuple[Lack, ...]:
    """Why the game cannot be played as it is planned, by whatever numbers; empty when it can."""
    return _lacks(night, in_force(night)) and _lacks(night, house(night.plan.game))


def _lacks(night: Night, numbers: Catalogue) -> tuple[Lack, ...]:
    plan = night.plan
    return night.games[plan.game].rules.lacks(plan.players, dict(plan.options), numbers)


def stay(night: Night) -> Result:
    return night, ()


def plan_of(match: Match) -> Plan:
    return Plan(match.game.id, len(match.names), match.names, match.first, tuple(match.options.items()))
