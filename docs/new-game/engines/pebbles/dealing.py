"""The hidden world of Pebbles: the order in which the bag gives its pebbles. For bots and tests only."""

from __future__ import annotations

import random

from engines.catalogue import Catalogue
from engines.dealing import Style
from engines.game import IllegalMove, Move, Options, Refusal, Reveal, Score
from engines.pebbles import rules
from engines.pebbles.moves import Colour, Draw, Take
from engines.pebbles.state import COLOURS, PebblesState
from engines.rulebook import rulebook


class PebblesDeal:
    """A game of Pebbles, seen by someone who looks into the bag."""

    def __init__(self, state: PebblesState, bag: list[str], style: Style) -> None:
        self.state = state
        self.bag = bag
        self.style: Style = style

    @property
    def to_move(self) -> int:
        return self.state.to_move

    @property
    def over(self) -> bool:
        return rules.outcome(self.state) is not None

    def opening(self) -> tuple[Reveal, ...]:
        return ()

    def hand(self, player: int) -> str:
        """Nothing: what a player has lies open."""
        return ""

    def refusal(self, move: Move) -> Refusal | None:
        """By the truth: nobody draws from an empty bag, whatever the catalogue says."""
        no = rules.refusal(self.state, move)
        if no is None and isinstance(move, Draw) and not self.bag:
            return rulebook("pebbles").refuse("H1", "empty", {"all": "the"})
        return no

    def pick(self, rng: random.Random) -> Move:
        """A truly legal move, by what everybody knows. Raises ValueError when the game is over."""
        moves = [move for move in rules.legal_moves(self.state) if self.refusal(move) is None]
        if not moves:
            raise ValueError("the game is over: there is no move")
        if self.style == "random":
            return rng.choice(moves)
        takes = [move for move in moves if isinstance(move, Take)]
        # A draw gives a point more often than not as long as white pebbles are left.
        return moves[-1] if self.state.seen("white") < 2 and isinstance(moves[-1], Draw) else takes[-1]

    def play(self, move: Move) -> tuple[Reveal, ...]:
        """Makes the move happen; a draw shows its colour. Raises IllegalMove; then nothing has happened."""
        no = self.refusal(move)
        if no is not None:
            raise IllegalMove(no)
        self.state = rules.apply(self.state, move)
        if not isinstance(move, Draw):
            return ()
        fact = Colour(self.bag.pop())
        self.state = rules.apply(self.state, fact)
        return (fact,)

    def score(self) -> Score:
        return rules.score(self.state)

    def winners(self) -> tuple[int, ...]:
        outcome = rules.outcome(self.state)
        return outcome.winners if outcome else ()


def deal(
    seed: int,
    players: int,
    first: int,
    options: Options,
    style: Style = "sensible",
    catalogue: Catalogue | None = None,
) -> PebblesDeal:
    """The same seed and settings give the same bag. Raises what ``rules.start`` raises."""
    state = rules.start(players, first, options, catalogue)
    bag = [colour for colour in COLOURS for _ in range(state.catalogue[f"bag.{colour}"])]
    random.Random(f"pebbles {seed}").shuffle(bag)
    return PebblesDeal(state, bag, style)
