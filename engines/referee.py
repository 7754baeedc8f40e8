"""The referee: a game under way, step by step. Immutable: every act gives a new match and leaves the old one as it was.

A match is its steps (moves and reveals in order) and the state after each of them; to take back is to drop the last
ones, so every earlier state is restored exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from engines.catalogue import Catalogue, shipped
from engines.game import (
    Game,
    IllegalMove,
    Move,
    Options,
    Outcome,
    Refusal,
    Reveal,
    Score,
    Step,
    WrongReveal,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """The first step of a record that no longer fits new settings."""

    index: int
    """Where it stands among the steps, from 0."""
    number: int
    """The number of the move, from 1; for a reveal, of the move it precedes."""
    step: Step
    refusal: Refusal | None
    """Why a move is refused; None for a reveal."""
    text: str
    """What is wrong, in a sentence."""


def settings(game: Game, options: Options) -> Mapping[str, str]:
    """The options with every default filled in. Raises ValueError for one the game does not have."""
    known = {option.name: option.values for option in game.options}
    for name, value in options.items():
        if name not in known:
            raise ValueError(f"{game.name} has no option '{name}': {', '.join(known) or 'it has none'}")
        if value not in known[name]:
            raise ValueError(f"option {name} is '{value}': write {' or '.join(known[name])}")
    chosen = {option.name: option.values[0] for option in game.options} | dict(game.defaults) | dict(options)
    return MappingProxyType(chosen)


def lawful(game: Game, state: Any, moves: Iterable[Move]) -> bool:
    """Whether the rules allow these moves from this state, one after another, with nothing else between them."""
    try:
        for move in moves:
            state = game.rules.apply(state, move)
    except IllegalMove:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Match:
    """A game under way. ``names`` by seat, ``first`` the seat that began; ``states`` has one more than ``steps``.

    ``catalogue`` holds the numbers in force from the first step to the last.
    """

    game: Game = field(hash=False)
    names: tuple[str, ...]
    first: int
    options: Options = field(hash=False)
    steps: tuple[Step, ...]
    states: tuple[Any, ...]
    catalogue: Catalogue

    @classmethod
    def begin(
        cls,
        game: Game,
        names: Iterable[str],
        first: int,
        options: Options | None = None,
        steps: Iterable[Step] = (),
        catalogue: Catalogue | None = None,
    ) -> Match:
        """A new match, with ``steps`` accepted one after the other. Without a catalogue the shipped one is in force.

        Raises ValueError when names, first player or options do not suit the game, MissingNumbers when it cannot be played by this
        catalogue, IllegalMove or WrongReveal for a step.
        """
        seats = tuple(names)
        if len(seats) not in game.players:
            allowed = " or ".join(map(str, game.players))
            raise ValueError(f"{game.name} is for {allowed} players, not {len(seats)}")
        if len(set(seats)) != len(seats) or not all(seats):
            raise ValueError("every player needs a name of their own")
        if not 0 <= first < len(seats):
            raise ValueError("one of the players must begin")
        chosen = settings(game, options or {})
        numbers = shipped(game.id) if catalogue is None else catalogue
        states = [game.rules.start(len(seats), first, chosen, numbers)]
        taken = []
        for step in steps:
            states.append(game.rules.apply(states[-1], step))
            taken.append(step)
        return cls(game, seats, first, chosen, tuple(taken), tuple(states), numbers)

    @property
    def state(self) -> Any:
        """The state now (of the game's own type)."""
        return self.states[-1]

    @property
    def house(self) -> bool:
        """Whether house numbers are in force: every score and record then says so."""
        return self.catalogue.house

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made, in order."""
        return tuple(step for step in self.steps if isinstance(step, Move))

    def accept(self, step: Step) -> Match:
        """The match with one step more. Raises IllegalMove or WrongReveal; this match stays as it is."""
        state = self.game.rules.apply(self.state, step)
        return replace(self, steps=(*self.steps, step), states=(*self.states, state))

    def correct(self, reveal: Reveal) -> Match:
        """The match with a better look taken in: it may complete or replace what an earlier reveal said.

        Confirmed moves are never touched; raises WrongReveal when the look contradicts one of them.
        """
        try:
            return self.accept(replace(reveal, correction=False))
        except WrongReveal:
            return self.accept(replace(reveal, correction=True))

    def refusal(self, move: Move) -> Refusal | None:
        """Why the move is illegal now, or None."""
        return self.game.rules.refusal(self.state, move)

    def legal_moves(self) -> tuple[Move, ...]:
        return self.game.rules.legal_moves(self.state)

    def take_back(self, moves: int = 1) -> Match:
        """The match as it stood right before the last ``moves`` moves (reveals before them stay).

        Raises ValueError when fewer moves were made.
        """
        if moves == 0:
            return self
        places = [index for index, step in enumerate(self.steps) if isinstance(step, Move)]
        if not 0 < moves <= len(places):
            raise ValueError(f"{len(places)} moves were made, {moves} cannot be taken back")
        index = places[-moves]
        return replace(self, steps=self.steps[:index], states=self.states[: index + 1])

    def with_setup(
        self,
        *,
        names: Iterable[str] | None = None,
        first: int | None = None,
        options: Options | None = None,
    ) -> tuple[Match, Fault | None]:
        """The record played again under corrected settings; ``options`` replace only the ones they name.

        Steps keep their seats: which seat took a tile is what the table shows. The match returned holds the steps that
        fit; the fault names the first that does not. The numbers in force stay. Raises ValueError for settings the game does not
        have, MissingNumbers when they need numbers that are missing.
        """
        match = Match.begin(
            self.game,
            self.names if names is None else names,
            self.first if first is None else first,
            {**self.options, **(options or {})},
            catalogue=self.catalogue,
        )
        states = list(match.states)
        number = 1
        fault = None
        for index, step in enumerate(self.steps):
            try:
                states.append(self.game.rules.apply(states[-1], step))
            except IllegalMove as error:
                fault = Fault(index, number, step, error.refusal, error.refusal.long)
            except WrongReveal as error:
                fault = Fault(index, number, step, None, str(error))
            if fault is not None:
                break
            number += isinstance(step, Move)
        steps = self.steps[: len(states) - 1]
        return replace(match, steps=steps, states=tuple(states)), fault

    def score(self) -> Score:
        """What each seat has now, item by item."""
        return self.game.rules.score(self.state)

    def outcome(self) -> Outcome | None:
        """The winners, or None while the game goes on."""
        return self.game.rules.outcome(self.state)

    @property
    def to_move(self) -> int:
        return self.game.rules.to_move(self.state)

    def due(self) -> str:
        """What the player to move may do now, in a few words."""
        return self.game.rules.due(self.state)
