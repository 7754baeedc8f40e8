"""The words of a hidden world: what only an all-knowing dealer sees. For the demo, bots and tests, never for the night.

``engines/<game>/dealing.py`` offers ``deal(seed, players, first, options, style, catalogue) -> Deal``; a game that is read from
the table gives a ``World``.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from engines.game import Move, Refusal, Reveal, Score
from engines.table import Cell


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece where it lies when the game is set up. In a stack zone ``cells`` and ``level`` say where, on a board ``square``; in any
    other zone the people find a place. ``zone`` None: in a hand or a pile, where nobody sees it, until it is played."""

    identity: str
    zone: str | None
    cells: tuple[Cell, ...] = ()
    level: int = 1
    square: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing a hand does: a piece leaves ``source`` for ``target`` (None: the game box, off the table; a card comes
    back from there when a mistake is put right).

    ``cells`` and ``level`` say where in a stack zone it ends up (``source == target``: it is slid there), ``square`` on which square
    of a board; of a figure that leaves the table, from which one.
    """

    piece: str
    source: str | None
    target: str | None
    cells: tuple[Cell, ...] = ()
    level: int = 1
    square: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """A hand gathers all that lies in a zone and puts it onto ``target`` (None: off the table), or, with ``pieces``, those alone."""

    source: str
    target: str | None
    pieces: tuple[str, ...] = ()


Deed = Act | Sweep


@dataclass(frozen=True, slots=True)
class Intent:
    """What a player is about to do: the deeds, and what they mean. Without a move it is housekeeping: rows that are cleared.

    ``stages`` group what a player does before looking at the result (Explorer: slide, look, then take): each stage is
    (acts, moves). ``mistake`` names the rule that an illegal intent breaks, with ``refutable`` False when no reading of the table could
    know; ``undo`` are the acts that put it right: they take back the last move only, the moves before it are legal and stand.
    """

    player: int
    stages: tuple[tuple[tuple[Deed, ...], tuple[Move, ...]], ...]
    mistake: str | None = None
    refutable: bool = True
    undo: tuple[Deed, ...] = ()
    tell: bool | None = None
    """Of moves that leave no trace: True where nobody else will show it, so that it is told by CONFIRM on an unchanged table; False where
    what is done next will, before anybody looks up. None: the table shows it."""
    waits: bool = False
    """Whether the device is sure to ask something: nobody goes on before it has been answered."""


Style = Literal["sensible", "random"]


class Deal(Protocol):
    """A hidden world in play: the shuffled decks, the hands, and the public state that follows from what was shown."""

    @property
    def state(self) -> Any:
        """The public state, with every fact the table has shown so far."""
        ...

    @property
    def to_move(self) -> int: ...
    @property
    def over(self) -> bool: ...
    def opening(self) -> tuple[Reveal, ...]:
        """What the table shows before the first move."""
        ...

    def hand(self, player: int) -> str:
        """What this player alone can see, in words ("2 coins, 1 map"); empty where nothing is hidden."""
        ...

    def refusal(self, move: Move) -> Refusal | None:
        """As the rules' refusal, but by the truth: nobody sells what is not in the hand."""
        ...

    def pick(self, rng: random.Random) -> Move:
        """A truly legal move that the player to move would make, chosen by what that player may know. Raises ValueError when
        the game is over."""
        ...

    def play(self, move: Move) -> tuple[Reveal, ...]:
        """Makes the move happen; gives what the table shows next, in order. Raises IllegalMove; then nothing has happened."""
        ...

    def score(self) -> Score: ...
    def winners(self) -> tuple[int, ...]:
        """The winning seats; empty while the game goes on."""
        ...


class World(Deal, Protocol):
    """A hidden world that lies on a table, with hands that move its pieces."""

    def setup(self) -> tuple[Placed, ...]: ...
    def choose(self, rng: random.Random, mistakes: float = 0.0) -> Intent:
        """The next intent of the player to move; with probability ``mistakes`` one that breaks a rule.

        Called anew after each stage that uncovered something, so that the player sees before choosing on.
        """
        ...
