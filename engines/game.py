"""The words every game shares: move, reveal, refusal, score, explanation, and what a game must offer.

A game is a folder of plain modules; ``Rules``, ``Reading`` and ``Dealing`` say which functions they hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from engines.catalogue import Catalogue, Lack
    from engines.table import Layout, Table

S = TypeVar("S")
R = TypeVar("R", contravariant=True)

Options = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Move:
    """What a player does, in the rulebook's own terms. ``player`` is the seat, counted from 0."""

    player: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """A fact the table showed that nobody chose.

    ``correction`` marks a later, better look that takes the place of what an earlier reveal said; without it a
    reveal may only add to what is known.
    """

    correction: bool = field(default=False, kw_only=True)


Step = Move | Reveal


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is illegal.

    ``rule`` is the number in the game's rules.toml; ``text`` fits the display (at most two lines of 21
    characters); ``long`` says it in full; ``remedy`` says how to put it right (fits the display too).
    """

    rule: str
    text: str
    long: str
    remedy: str
    kind: str = "book"
    """book, ruling or house: what the rule rests on."""


class IllegalMove(Exception):  # noqa: N818 - the word players use
    """Raised by ``apply`` for a move the rules refuse; the state is as it was."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.rule}: {refusal.long}")
        self.refusal = refusal


class WrongReveal(Exception):  # noqa: N818 - named like IllegalMove
    """Raised by ``apply`` for a reveal that cannot be true; the state is as it was. The text is a sentence."""


class Item(NamedTuple):
    """One line of a score: what it is for, and the points."""

    text: str
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    """Per seat, item by item; the items add up to the total."""

    items: tuple[tuple[Item, ...], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(item.points for item in items) for items in self.items)


class Outcome(NamedTuple):
    """The end of a game: winning seats, and what decided it in a sentence that fits the display."""

    winners: tuple[int, ...]
    decided_by: str


class Option(NamedTuple):
    """A choice of the game: the first value is the recommended default."""

    name: str
    values: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing on the table that is not as it should be, and how to put it right. Both fit the display, where ``player-2`` is called by
    name."""

    text: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What may have happened between a state and a table.

    ``steps`` are the moves and the reveals between them, in order. When the last move is illegal, ``refusal`` says why
    (the steps before it are legal). No steps and no refusal: nothing has happened (yet); ``waiting`` then says what is
    being waited for ("Explorer: slide a tile"), or is empty when the table is as it should be.
    ``certain`` is False when the table alone does not say it (a tile vanished and reached no zone): it is asked.
    ``again`` is True when the refusal rests on a piece that is missing and on nothing else: a piece that was overlooked looks the
    same, so a second look has to agree before anybody is accused.
    ``half`` is True when what is waited for is the rest of something half done, and not only to put away what lies about.
    """

    steps: tuple[Step, ...] = ()
    refusal: Refusal | None = None
    waiting: str = ""
    certain: bool = True
    again: bool = False
    half: bool = False

    @property
    def moves(self) -> tuple[Move, ...]:
        return tuple(step for step in self.steps if isinstance(step, Move))


class Hint(NamedTuple):
    """Something that is allowed now and worth pointing at: ``text`` fits the display, ``pieces`` are the identities meant."""

    text: str
    pieces: tuple[str, ...] = ()


class Rules(Protocol[S]):
    """``engines/<game>/rules.py``. Every function is pure; states are frozen and hashable."""

    def start(self, players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> S:
        """The state before anything has been shown. Without a catalogue the shipped one is in force.

        Raises ValueError for settings the game does not have, ``engines.catalogue.MissingNumbers`` when it cannot be played
        by these numbers.
        """
        ...

    def lacks(self, players: int, options: Options, catalogue: Catalogue) -> tuple[Lack, ...]:
        """The numbers that are missing or do not fit for such a game; empty when it can be played."""
        ...

    def legal_moves(self, state: S) -> tuple[Move, ...]:
        """The legal moves that public knowledge can name, in a stable order: all where ``complete``, else canonical ones."""
        ...

    def complete(self, state: S) -> bool:
        """Whether ``legal_moves`` lists every legal move (where there are at most 500 of them)."""
        ...

    def refusal(self, state: S, move: Move) -> Refusal | None: ...
    def doubt(self, state: S, move: Move) -> Refusal | None:
        """Why a legal move should be asked about before it stands (it goes beyond a number nobody has verified, or is
        allowed but hardly meant); None when there is nothing to ask."""
        ...

    def apply(self, state: S, step: Step) -> S:
        """The state after a move or a reveal. Raises IllegalMove, or WrongReveal for a fact that cannot be."""
        ...

    def awaited(self, state: S) -> tuple[Reveal, ...]:
        """What the table must show before anybody can go on (the card that was dug): one of these; empty when nothing is
        awaited. Facts with too many forms to list are given by one example of each form; where ``forms(state)`` is there too, it
        gives them all, word by word, for the menu of a box without a camera."""
        ...

    def score(self, state: S) -> Score: ...
    def outcome(self, state: S) -> Outcome | None:
        """None while the game goes on."""
        ...

    def to_move(self, state: S) -> int: ...
    def due(self, state: S) -> str:
        """What the player to move may do now, in at most 14 letters for the display ("take a tile")."""
        ...

    def hints(self, state: S) -> tuple[Hint, ...]:
        """What is worth pointing at for the player to move; empty when there is nothing."""
        ...

    def format(self, step: Step, names: Sequence[str] = ()) -> str:
        """The step in the record's words, without the name of who moves: ``take falcon-7``, ``steal from Ben``.

        Other players are written by their name, or as ``player-2`` when no names are given.
        """
        ...

    def parse(self, text: str, player: int, names: Sequence[str] = ()) -> Step:
        """The inverse of ``format``; ``player-2`` is understood beside the names. Raises ValueError with a sentence that
        says what to write."""
        ...

    def phrase(self, move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
        """The move for the display: (verb, object), e.g. ("takes", "Falcon 7"), ("sells", "3 Masks")."""
        ...


class Reading(Protocol[R]):
    """``engines/<game>/reading.py``: from tables to moves."""

    def layout(self, players: int, options: Options, catalogue: Catalogue | None = None) -> Layout:
        """The mat or board, its zones and its faces, by the numbers in force (None: by those that are shipped)."""
        ...

    def expected(self, state: R) -> Table:
        """What the table must show in this state, as far as it is known."""
        ...

    def explain(self, state: R, table: Table) -> tuple[Explanation, ...]:
        """What may have happened since ``state``, likeliest first; empty when nothing fits (desync)."""
        ...

    def reveals(self, state: R, table: Table) -> tuple[Reveal, ...]:
        """Facts the table shows that the state does not know yet, or knows wrongly."""
        ...

    def differences(self, state: R, table: Table) -> tuple[Difference, ...]:
        """Where the table is not as the state says; empty when they agree. In the set-up state: what is missing."""
        ...


class Spelling(Protocol[R]):
    """``engines/<game>/spelling.py``: moves with too many forms to be listed, as a menu tells them piece by piece (``engines/spelling.py``)."""

    MOVES: tuple[type[Move], ...]
    """The moves that are told so, and in no other way."""

    def spelled(
        self, state: R, path: tuple[str, ...], names: Sequence[str]
    ) -> list[tuple[tuple[str, ...], Move | tuple[str, ...]]]:
        """What the menu below ``path`` says of them: words from its top, and the move, or the same words where more is to be told."""
        ...

    def spelling(self, move: Move) -> tuple[str, ...]:
        """The words by which the menu tells such a move."""
        ...


@dataclass(frozen=True, slots=True)
class Game:
    """A game as the rest of the house sees it."""

    id: str
    name: str
    players: tuple[int, ...]
    options: tuple[Option, ...]
    rules: Rules[Any]
    eyes: Callable[[], Reading[Any]] | None = None
    """Loads the game's reading; None for a game that is played by hand only."""
    defaults: Options = field(default_factory=dict)
    spells: Callable[[], Spelling[Any]] | None = None
    """Loads how the menu tells moves of several cards; None where every move has a line of its own."""

    @property
    def reading(self) -> Reading[Any]:
        """How the game is read from the table. Raises LookupError for a game that is played by hand only."""
        if self.eyes is None:
            raise LookupError(f"{self.name} is played by hand: it cannot be read from the table yet")
        return self.eyes()

    def spelled(self, move: Step) -> str:
        """The words by which the menu tells a move of several cards, or a fact; "" for a move that its phrase tells."""
        if isinstance(move, Reveal):
            return " ".join(self.rules.format(move).replace("-", " ").split()[1:])
        spelling = self.spells() if self.spells else None
        return " ".join(spelling.spelling(move)) if spelling and isinstance(move, spelling.MOVES) else ""
