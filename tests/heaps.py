"""A game for tests: heaps of stones, and numbers of every form that an owner may have to give.

Who takes the last stone wins. ``installed`` makes it one of the games for the time of a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import pytest

import engines
from engines import catalogue as catalogues
from engines.catalogue import Catalogue, Lack, MissingNumbers, missing, shipped
from engines.game import Game, Hint, IllegalMove, Item, Move, Options, Outcome, Refusal, Reveal, Score, Step

CATALOG = """
[heaps.sizes]
form = "numbers"
low = 1
high = 20
source = "not found"
ask = "Lid of the box: how many stones lie in each heap"

[heaps.most]
form = "count"
value = 3
low = 1
source = "older edition"
ask = "Card: the number in its corner, how many stones may be taken at once"

[points.win]
form = "number"
value = 10
verified = true
source = "rulebook"

[points.bonus]
form = "table"
value = { one = 1, "two three" = -2 }
source = "older edition"
ask = "Back of the box: the bonus of each colour"

[text.names]
form = "words"
value = ["left", "right"]
verified = true
source = "rulebook"

[text.motto]
form = "text"
value = "stones"
source = "older edition"

[cards]
form = "rows"
value = [{ name = "first", value = 1 }, { name = "second", value = 2, last = true }]
source = "older edition"
ask = "Cards: the name and value of each"

[stone.width]
form = "length"
value = 12.5
source = "measured"

[players]
form = "count"
value = 2
fixed = true
source = "rulebook"
"""
HOUSE = """
house = true
[heaps.heaps]
sizes = [3, 4, 5]
most = 4
"""


@dataclass(frozen=True)
class Grab(Move):
    heap: int
    stones: int


@dataclass(frozen=True)
class Heaps:
    sizes: tuple[int, ...]
    most: int
    win: int
    verified: bool
    to_move: int
    catalogue: Catalogue


class HeapsRules:
    """The rules; a move beyond an unverified ``most`` is accepted."""

    def start(self, players: int, first: int, options: Options, catalogue: Catalogue | None = None) -> Heaps:
        numbers = shipped("heaps") if catalogue is None else catalogue
        lacks = self.lacks(players, options, numbers)
        if lacks:
            raise MissingNumbers(lacks)
        sure = numbers.verified("heaps.most")
        return Heaps(
            tuple(numbers["heaps.sizes"]), numbers["heaps.most"], numbers["points.win"], sure, first, numbers
        )

    def lacks(self, players: int, options: Options, catalogue: Catalogue) -> tuple[Lack, ...]:
        gone = missing(catalogue, ["heaps.sizes"])
        if gone or max(catalogue["heaps.sizes"]) >= catalogue["heaps.most"]:
            return gone
        return (Lack("heaps.most", "no heap is as large as heaps.most", "count the stones again"),)

    def refusal(self, state: Heaps, move: Move) -> Refusal | None:
        assert isinstance(move, Grab)
        text = "Not your turn"
        if move.player == state.to_move and not 0 <= move.heap < len(state.sizes):
            text = "No such heap"
        elif move.player == state.to_move:
            few = 1 <= move.stones <= state.sizes[move.heap]
            if few and (move.stones <= state.most or not state.verified):
                return None
            text = "Not so many"
        return Refusal("R1", text, f"{text}.", "Take fewer")

    def doubt(self, state: Heaps, move: Move) -> Refusal | None:
        assert isinstance(move, Grab)
        return Refusal("R1", "So many?", "So many?", "Take fewer") if move.stones > state.most else None

    def apply(self, state: Heaps, step: Step) -> Heaps:
        assert isinstance(step, Grab)
        no = self.refusal(state, step)
        if no is not None:
            raise IllegalMove(no)
        sizes = tuple(n - step.stones if at == step.heap else n for at, n in enumerate(state.sizes))
        return replace(state, sizes=sizes, to_move=1 - state.to_move)

    def legal_moves(self, state: Heaps) -> tuple[Move, ...]:
        return tuple(
            Grab(state.to_move, heap, stones)
            for heap, size in enumerate(state.sizes)
            for stones in range(1, size + 1)
            if stones <= state.most or not state.verified
        )

    def complete(self, state: Heaps) -> bool:
        return True

    def awaited(self, state: Heaps) -> tuple[Reveal, ...]:
        return ()

    def hints(self, state: Heaps) -> tuple[Hint, ...]:
        return ()

    def score(self, state: Heaps) -> Score:
        over = not any(state.sizes)
        return Score(
            tuple((Item("win", state.win if over and seat != state.to_move else 0),) for seat in range(2))
        )

    def outcome(self, state: Heaps) -> Outcome | None:
        return None if any(state.sizes) else Outcome((1 - state.to_move,), "last stone taken")

    def to_move(self, state: Heaps) -> int:
        return state.to_move

    def due(self, state: Heaps) -> str:
        return "take stones"

    def format(self, step: Step, names: Sequence[str] = ()) -> str:
        assert isinstance(step, Grab)
        return f"take {step.stones} from {step.heap + 1}"

    def parse(self, text: str, player: int, names: Sequence[str] = ()) -> Step:
        words = text.split(" ")
        if len(words) != 4 or words[::2] != ["take", "from"] or not (words[1] + words[3]).isdecimal():
            raise ValueError(f"'{text}' is no move of Heaps: write take 2 from 1")
        return Grab(player, int(words[3]) - 1, int(words[1]))

    def phrase(self, move: Move, names: Sequence[str] = ()) -> tuple[str, str]:
        assert isinstance(move, Grab)
        return "takes", f"{move.stones} stones"


HEAPS = Game("heaps", "Heaps", (2,), (), HeapsRules())


@contextmanager
def installed(**texts: str) -> Iterator[Mapping[str, Game]]:
    """The double beside the real games. ``catalog`` and ``house`` take the place of its data files."""
    own = {"catalog.toml": texts.get("catalog", CATALOG), "house.toml": texts.get("house", HOUSE)}
    real: Any = catalogues._text
    games = MappingProxyType({**engines.games(), "heaps": HEAPS})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            catalogues, "_text", lambda game, name: own[name] if game == "heaps" else real(game, name)
        )
        patch.setattr(engines, "games", lambda: games)
        shipped.cache_clear()
        catalogues.house.cache_clear()
        try:
            yield games
        finally:
            shipped.cache_clear()
            catalogues.house.cache_clear()
