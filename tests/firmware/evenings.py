"""A true table of Tanis for tests of the night: what really lies there, and what perfect eyes would see of it."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import engines
from engines.catalogue import Catalogue
from engines.dealing import Act
from engines.game import Move, Step
from engines.referee import Match
from engines.table import Cell, Piece, Table
from engines.tanis.dealing import TanisWorld, acts, deal
from engines.tanis.moves import Take
from engines.tanis.state import TILES
from engines.tanis.zones import CARD_ZONES, REMOVED, TILE_ZONES, centre, pose
from firmware import night as nights
from firmware.events import Commit, Effect, Event, Look, Looked, Pressed, Show
from firmware.night import Night
from firmware.texts import load
from hardware.buttons.press import Button, Press
from hardware.display.screen import Screen

GAMES = engines.table_games()
TEXTS = load("en")
Lay = tuple[Cell, Cell, int]


@dataclass
class TrueTable:
    """What lies on the table. ``act`` is one thing a hand does; nobody checks it."""

    dig: dict[str, Lay]
    piles: dict[str, list[str]] = field(default_factory=dict)
    cards: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, world: TanisWorld) -> TrueTable:
        """The table of a world in which nothing has happened yet."""
        dig = {tile: (lay.number_cell, lay.sign_cell, lay.level) for tile, lay in world.lying.items()}
        cards: dict[str, list[str]] = {zone: [] for zone in CARD_ZONES}
        for placed in world.setup():
            if placed.zone in cards:
                cards[placed.zone].append(placed.identity)
        return cls(dig, {zone: [] for zone in (*TILE_ZONES, REMOVED)}, cards)

    def height(self, cell: Cell) -> int:
        return max((level for a, b, level in self.dig.values() if cell in (a, b)), default=0)

    def table(self) -> Table:
        """What perfect eyes see."""
        pieces: list[Piece] = []
        for name, (one, two, level) in self.dig.items():
            seen = (self.height(one) == level, self.height(two) == level)
            if not any(seen):
                continue
            sign, number = name.split("-")
            ids = [
                tile
                for tile in TILES
                if (not seen[0] or tile.split("-")[1] == number)
                and (not seen[1] or tile.split("-")[0] == sign)
            ]
            x, y, turn = pose(one, two)
            pieces.append(
                Piece(tuple(sorted(ids)), "tile", "dig", x, y, turn, level, (one, two), seen, sum(seen) / 2)
            )
        for zone, tiles in self.piles.items():
            x, y = centre(zone)
            pieces += [
                Piece((tile,), "tile", zone, x + at, y, seen=(True, True)) for at, tile in enumerate(tiles)
            ]
        for zone, cards in self.cards.items():
            x, y = centre(zone)
            pieces += [Piece((card,), "card", zone, x + at, y) for at, card in enumerate(cards)]
        return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))

    def act(self, act: Act) -> None:
        piles = {**self.piles, **self.cards}
        if act.source in piles:
            piles[act.source].remove(act.piece)
        elif act.source == "dig":
            del self.dig[act.piece]
        if act.target in piles:
            piles[act.target].append(act.piece)
        elif act.target == "dig":
            one, two = act.cells
            self.dig[act.piece] = (one, two, act.level)


@dataclass
class Evening:
    """Drives a night: gives it events, keeps what it wrote, and watches the promises that hold for every night."""

    night: Night
    truth: TrueTable
    world: TanisWorld
    written: list[tuple[str, str]] = field(default_factory=list)
    effects: tuple[Effect, ...] = ()
    now: float = 0.0
    watch: Callable[[Night, Event, Night, tuple[Effect, ...]], None] | None = None

    @property
    def screen(self) -> Screen:
        return nights.screen(self.night)

    @property
    def match(self) -> Match:
        assert self.night.match is not None
        return self.night.match

    def send(self, event: Event) -> Screen:
        before = self.night
        self.night, self.effects = nights.step(before, event)
        shown = False
        for effect in self.effects:
            shown = shown or isinstance(effect, Show)
            if isinstance(effect, Commit):
                assert not shown, "what is written comes before what is shown"
                self.written += effect.entries
        if self.watch is not None:
            self.watch(before, event, self.night, self.effects)
        return self.screen

    def press(self, button: Button, long: bool = False) -> Screen:
        self.now += 1.0
        return self.send(Pressed(Press(button, long, self.now)))

    def confirm(self) -> Screen:
        return self.press(Button.CONFIRM)

    def reject(self) -> Screen:
        return self.press(Button.REJECT)

    def look(self, table: Table | None = None) -> Screen:
        self.glance(table)
        if self.night.suspected is not None and any(isinstance(effect, Look) for effect in self.effects):
            self.glance(table)  # the shell looks again when it is asked to
        return self.screen

    def glance(self, table: Table | None = None) -> Screen:
        """One look, and no second one."""
        self.now += 1.0
        return self.send(Looked(table if table is not None else self.truth.table(), self.now))

    def do(self, move: Move) -> Screen:
        """The hands make a legal move and the eyes look."""
        for act in acts(move, self.world.lying):
            self.truth.act(act)
        self.world.play(move)
        return self.look()

    def hands(self, *acts: Act) -> Screen:
        """The hands do something that the world knows nothing of, and the eyes look."""
        for act in acts:
            self.truth.act(act)
        return self.look()

    def choose(self, label: str) -> Screen:
        """Go down the list on display to a label, and confirm."""
        for _ in self.screen.choices:
            if self.screen.choices[self.screen.chosen] == label:
                return self.confirm()
            self.press(Button.DOWN)
        raise AssertionError(f"{label!r} is not in {self.screen.choices}")


def evening(
    seed: int = 1, names: tuple[str, ...] = ("Ana", "Ben"), numbers: Mapping[str, Catalogue] | None = None
) -> Evening:
    """An evening at the first question. ``numbers``: the owner's."""
    night, effects = nights.begin(GAMES, names, seed, TEXTS, numbers)
    world = deal(seed, 2, 0, {})
    return Evening(night, TrueTable.of(world), world, effects=effects)


def started(
    seed: int = 1, names: tuple[str, ...] = ("Ana", "Ben"), numbers: Mapping[str, Catalogue] | None = None
) -> Evening:
    """An evening at its first turn; the table was seen and is right."""
    one = evening(seed, names, numbers)
    while one.screen.name != "setup":
        one.confirm()
    one.look()
    assert one.screen.main == TEXTS("setup.ready"), one.screen
    one.confirm()
    return one


def legal(match: Match, rng: random.Random, kind: type[Step] | None = None) -> Move:
    """Some legal move, of a kind if there is one."""
    moves = match.legal_moves()
    wanted = [move for move in moves if kind is not None and isinstance(move, kind)] or list(moves)
    return rng.choice(wanted)


def takes(one: Evening, number: int, seed: int = 0) -> list[Take]:
    """So many takes by turns, done by the hands and looked at, none confirmed."""
    rng = random.Random(seed)
    done = []
    for _ in range(number):
        head = one.night.head
        assert head is not None
        move = legal(head, rng, Take)
        assert isinstance(move, Take)
        one.do(move)
        done.append(move)
    return done


def strange(one: Evening) -> Table:
    """A table that nothing explains: a tile has gone from one player's pile to the other's."""
    truth = copy.deepcopy(one.truth)
    truth.piles["tiles-2"].append(truth.piles["tiles-1"].pop(0))
    return truth.table()


def midgame(one: Evening) -> Evening:
    """Two takes, both confirmed."""
    takes(one, 2)
    one.confirm()
    one.confirm()
    assert one.screen.name == "turn"
    return one


def kinds(one: Evening) -> list[str]:
    return [kind for kind, _ in one.written]
