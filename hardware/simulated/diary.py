"""What truly happened at a simulated table, and what the device said of it: the yardstick of a night."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engines.game import Move


@dataclass(slots=True)
class Made:
    """A legal move that hands truly made."""

    move: Move
    name: str
    verb: str
    object: str
    spelled: str = ""
    """How the menu tells it, where that is not "verb object"."""
    shows: tuple[str, ...] = ()
    """What came to light by it, in the words of the menu."""
    confirmed: bool = False
    first_right: bool | None = None
    """Whether the first proposal for it was this move; None: there was no proposal (the players were asked)."""
    way: str = "proposal"
    """How it was told: proposal, ask, menu, button (CONFIRM on an unchanged table)."""
    silent: bool = False
    """Whether the table shows nothing of it."""
    implied: bool = False
    """Whether the next move says it."""
    said: int = 0
    """Moves that were made in one go have one number."""
    bare: bool = False
    """Whether no hand did anything for it."""
    before: Any = None
    """The public state in which it was made."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A move that broke a rule, and what the device said: the rule it named, if any."""

    rule: str
    refutable: bool
    named: str | None
    seen_as: str = ""
    """The screen on which it ended when it was not named."""


@dataclass(slots=True)
class Diary:
    """Plain data of a night, in the order in which it happened. Moves taken back and made again stand once."""

    made: list[Made] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    asked: int = 0
    legal_refused: int = 0
    taken_back: int = 0
    nudged: int = 0
    menus: int = 0
    mislaid: int = 0
    notes: list[str] = field(default_factory=list)
    """Odd things in words: what was shown when the people had to help themselves."""

    @property
    def illegal_tried(self) -> int:
        return len(self.broken)

    @property
    def illegal_named(self) -> int:
        """Named by the right rule."""
        return sum(one.named == one.rule for one in self.broken)

    @property
    def illegal_missed(self) -> int:
        """Refutable from the table and the public record, but not named by the right rule."""
        return sum(one.refutable and one.named != one.rule for one in self.broken)

    @property
    def illegal_unseen(self) -> int:
        """Not refutable by anybody who sees the table and the public record only, and not named."""
        return sum(not one.refutable and one.named != one.rule for one in self.broken)

    @property
    def first_proposal_right(self) -> float:
        """The share of moves whose first proposal was right, among those that had one."""
        judged = [one.first_right for one in self.made if one.first_right is not None]
        return sum(judged) / len(judged) if judged else 1.0
