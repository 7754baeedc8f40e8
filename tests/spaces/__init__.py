"""The full space of each game's moves, legal or not, and what must never be lost: one adapter per game for tests/play_random.py.

``tests/spaces/<game>.py`` offers

- ``near_misses(state, rng, n) -> list[Move]``: any n members of the space, many of them nearly right;
- ``conserved(state, deal) -> None``: asserts that every piece is somewhere, and that what is held known is true;

and, where a game has it,

- ``options(players, rng) -> dict[str, str]``: settings that make sense together; without it every option takes any of its values;
- ``corrections(state, rng) -> list[Reveal]``: what somebody who counts might correct;
- ``witness(deal, first, options) -> Witness``: a second referee that follows the game.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from engines.catalogue import Catalogue, house, override, shipped
from engines.dealing import Deal
from engines.game import Game, Move, Options

NUMBERS = ("shipped", "house", "own")
"""Numbers to play by: those that come with Thoth, with its house set, and the same as an owner would have verified them."""


class Witness(Protocol):
    """A second referee."""

    def see(self, state: Any, deal: Deal, listed: tuple[Move, ...]) -> None:
        """Asserts that the state, when the table has shown all, and the moves listed for it are true."""
        ...

    def play(self, move: Move) -> None: ...


class Space(Protocol):
    """What ``tests/spaces/<game>.py`` must offer."""

    def near_misses(self, state: Any, rng: random.Random, n: int) -> list[Move]: ...
    def conserved(self, state: Any, deal: Any) -> None: ...


def space(game: str) -> Any:
    """The adapter of a game. Raises ModuleNotFoundError when there is none."""
    return import_module(f"tests.spaces.{game}")


@dataclass(frozen=True)
class Setting:
    """How one random game is set up: all of it follows from game, players and seed."""

    game: Game
    players: int
    seed: int
    first: int
    options: dict[str, str]
    style: str
    numbers: str
    catalogue: Catalogue

    def deal(self) -> Any:
        """The hidden world. The same one every time."""
        dealing = import_module(f"engines.{self.game.id}.dealing")
        return dealing.deal(
            self.seed, self.players, self.first, self.options, style=self.style, catalogue=self.catalogue
        )

    def __str__(self) -> str:
        chosen = " ".join(f"{name}={value}" for name, value in self.options.items()) or "default options"
        return f"{self.style} players, {self.numbers} numbers, seat {self.first} first, {chosen}"


def numbers(game: str, kind: str) -> Catalogue:
    """A catalogue by its name in NUMBERS."""
    if kind == "shipped":
        return shipped(game)
    invented = house(game)
    if kind == "house":
        return invented
    values = {
        path: number.value
        for path, number in invented.numbers.items()
        if not (number.value is None or number.fixed)
    }
    return override(invented, values, "own", "as if verified")


def setting(game: Game, players: int, seed: int) -> Setting:
    """The set-up for a seed: options, players and numbers by chance, yet all of the default in one of four games."""
    rng = random.Random(f"{game.id} {players} {seed}")
    adapter = space(game.id)
    options: dict[str, str] = {}
    if seed % 4:
        if hasattr(adapter, "options"):
            options = adapter.options(players, rng)
        else:
            options = {option.name: rng.choice(option.values) for option in game.options}
    kind = NUMBERS[seed % 3]
    catalogue = numbers(game.id, kind)
    if game.rules.lacks(players, _settled(game, options), catalogue):
        kind = "house"
        catalogue = numbers(game.id, kind)
    style = "random" if rng.random() < 0.25 else "sensible"
    return Setting(game, players, seed, rng.randrange(players), options, style, kind, catalogue)


def _settled(game: Game, options: Options) -> dict[str, str]:
    defaults = {option.name: option.values[0] for option in game.options}
    return {**defaults, **game.defaults, **options}
