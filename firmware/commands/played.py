"""The screens of a whole game, as a dealt one brings them: for ``thoth screens`` and the tests.

What is asked before the game and what stands in lists is reached by keys; what a table brings (proposals, refusals, differences) is taken
from the states of a game that sensible people play, each kind as it first comes and as it is widest.
"""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import engines
from engines.catalogue import Catalogue, house, shipped
from engines.dealing import Intent, World
from engines.game import Game, IllegalMove, Move
from engines.referee import Match
from engines.table import Layout, Piece, Table
from firmware import keys
from firmware.chain import Finding, Link
from firmware.demo import SHORT
from firmware.events import Event, Looked, Pressed
from firmware.keys import Key
from firmware.night import Night, begin, screen, step
from firmware.screens import pages
from firmware.states.base import planned
from hardware.buttons.press import Press
from hardware.display.letters import SMALL
from hardware.display.screen import Screen

NAMES: Mapping[str, tuple[str, ...]] = {
    "": ("Ana", "Ben", "Cleo", "Dan", "Eva"),
    " widest": ("WWWWWWWWWWWW", "Bartholomew1", "MMMMMMMMMMMM", "Wwwwwwwwwwww", "Mwmwmwmwmwmw"),
}
LONGEST = 400
"""Moves after which a game is left as it is."""
ODD, TRIED = 15, 4
"""Every so many moves the table is looked at as if something lay wrong there, with so many of its pieces."""


def screens_of_game(game: str) -> Mapping[str, Screen]:
    """Every screen by name, "NAME widest" with the longest names, of a game with the most players. Raises KeyError for a game that is not
    read from the table."""
    found: dict[str, Screen] = {}
    for suffix, names in NAMES.items():
        for name, one in _Played(engines.table_games()[game], names).shown():
            found.setdefault(name + suffix, one)
    return found


def draw(out: Path, games: Sequence[str], others: bool) -> Iterator[tuple[Path, int]]:
    """Write the screens of each game into OUT/GAME, with ``others`` also those that are no game's into OUT, and say how many went where.
    Raises OSError."""
    from firmware.commands.gallery import gallery_of_screens
    from firmware.enrolling.gallery import screens_of_enrolment
    from firmware.notices import own_screens
    from hardware.display.png import write_png

    def written(folder: Path, pictures: Mapping[str, Screen]) -> tuple[Path, int]:
        folder.mkdir(parents=True, exist_ok=True)
        for name, one in pictures.items():
            write_png(one, folder / f"{'-'.join(re.findall(r'[A-Za-z0-9.]+', name))}.png")
        return folder, len(pictures)

    if others:
        yield written(out, {**gallery_of_screens(), **own_screens(), **screens_of_enrolment()})
    for game in games:
        yield written(out / game, screens_of_game(game))


class _Played:
    """One game from the first question to the end."""

    def __init__(self, game: Game, names: tuple[str, ...], seed: int = 1) -> None:
        self.game = game
        self.names = names[: max(game.players)]
        self.options = {**game.defaults, **SHORT.get(game.id, {})}
        self.numbers = _numbers(game, len(self.names), self.options)
        self.rng = random.Random(f"screens {game.id} {seed}")
        dealer = importlib.import_module(f"engines.{game.id}.dealing").deal
        self.world: World = dealer(seed, len(self.names), 0, self.options, catalogue=self.numbers)
        self.now = 0.0
        self.night: Night = begin(engines.table_games(), names, numbers={game.id: self.numbers})[0]
        self._widest: dict[str, tuple[int, Screen]] = {}
        self._moves: list[Move] = []
        self._told: set[str] = set()

    def shown(self) -> Iterator[tuple[str, Screen]]:
        yield from self._questions()
        yield from self._setup()
        yield from self._play()
        for name, (_, one) in self._widest.items():
            yield name, one

    # -- hands

    def send(self, event: Event) -> Screen:
        self.night, _ = step(self.night, event)
        return screen(self.night)

    def press(self, *pressed: Key) -> Screen:
        for key in pressed:
            self.now += 1
            self.send(Pressed(Press(key.button, key.long, self.now)))
        return screen(self.night)

    def look(self, table: Table) -> Screen:
        self.now += 1
        return self.send(Looked(table, self.now))

    # -- the game's way

    def _questions(self) -> Iterator[tuple[str, Screen]]:
        shown = screen(self.night)
        while shown.choices[shown.chosen] != self.game.name:
            shown = self.press(keys.DOWN)
        yield "game", shown
        shown = self.press(keys.YES)
        if shown.name == "players":
            while shown.choices[shown.chosen] != str(len(self.names)):
                shown = self.press(keys.DOWN)
            yield "players", shown
            shown = self.press(keys.YES)
        while shown.name == "names":
            yield f"names {len(self.night.plan.names) + 1}", shown
            shown = self.press(keys.YES)
        if shown.name == "first":
            yield "first", shown
            shown = self.press(keys.YES)
        for option in self.game.options:
            shown = self.press(keys.DOWN)
            for value in option.values if len(option.values) < 8 else option.values[:8]:
                yield f"option {option.name} {value}", shown
                shown = self.press(keys.YES)
        plan = replace(self.night.plan, options=tuple(self.options.items()))
        self.night = replace(self.night, plan=plan)
        while self.night.listing.chosen:
            self.press(keys.DOWN)
        yield "setup looking", self.press(keys.YES)

    def _setup(self) -> Iterator[tuple[str, Screen]]:
        yield from self._pages("setup missing", self.look(Table()))
        match = planned(self.night)
        for fact in self.world.opening():
            match = match.accept(fact)
        yield "setup ready", self.look(self.game.reading.expected(match.state))
        self.press(keys.YES)
        self.night = replace(self.night, match=match, chain=(), finding=Finding())

    def _pages(self, name: str, shown: Screen) -> Iterator[tuple[str, Screen]]:
        """A screen and those that DOWN leads to."""
        yield name, shown
        for page in range(2, pages(self.night) + 1):
            yield f"{name} {page}", self.press(keys.DOWN)

    def _play(self) -> Iterator[tuple[str, Screen]]:
        done = 0
        for _ in range(LONGEST):
            if self.world.over:
                break
            intent = self.world.choose(self.rng, 1.0)
            if intent.mistake is not None:  # shown, and not done: asked again, nobody is wrong twice
                yield from self._mistake(intent)
                continue
            for move in (move for _, moves in intent.stages for move in moves):
                yield from self._turn()
                if done % ODD == 0:
                    yield from self._differing()
                    yield from self._refusals()
                if done in (0, 9):
                    yield from self._lists()
                after = self._match.accept(move)
                yield from self._proposal(move, after)
                for fact in self.world.play(move):
                    after = after.accept(fact)
                self._at(after)
                done += 1
        yield from self._end()

    @property
    def _match(self) -> Match:
        assert self.night.match is not None
        return self.night.match

    def _at(self, match: Match) -> None:
        """The night when this match stands confirmed, and the table is as it says."""
        table = self.game.reading.expected(match.state)
        self.night = replace(
            self.night, match=match, place="turn", chain=(), finding=Finding(), table=table, page=0
        )

    def _turn(self) -> Iterator[tuple[str, Screen]]:
        match = self._match
        shown = screen(self.night)
        yield f"turn {match.due()} {shown.footer}", shown
        self._keep(f"turn {match.due()} most points", shown, SMALL.width(shown.right, 1))

    def _proposal(self, move: Move, after: Match) -> Iterator[tuple[str, Screen]]:
        night = replace(self.night, place="proposal", chain=(Link((move,), after),), page=0)
        shown, name = screen(night), f"proposal {type(move).__name__.lower()}"
        yield name, shown
        self._keep(f"{name} most", shown, SMALL.width(f"{shown.title} {shown.main}", 1))

    def _mistake(self, intent: Intent) -> Iterator[tuple[str, Screen]]:
        """What is said of a mistake that somebody might make now."""
        match, moves = self._match, [move for _, some in intent.stages for move in some]
        if not moves:
            return
        try:
            for move in moves[:-1]:
                match = match.accept(move)
        except IllegalMove:
            return
        yield from self._refused(match, moves[-1])

    def _refusals(self) -> Iterator[tuple[str, Screen]]:
        """What is said of moves that were legal at another time, or for another player."""
        state = self._match.state
        self._moves += [move for move in self.game.rules.legal_moves(state) if move not in self._moves][
            : TRIED * 4
        ]
        for move in self.rng.sample(self._moves, min(len(self._moves), TRIED * 6)):
            yield from self._refused(self._match, move)

    def _refused(self, match: Match, move: Move) -> Iterator[tuple[str, Screen]]:
        refusal = self.game.rules.refusal(match.state, move)
        if refusal is None:
            return
        finding = Finding("illegal", move=move, refusal=refusal)
        before, name = self.night, f"illegal {refusal.rule} {_kind(refusal.text)}"
        self.night = replace(before, match=match, place="illegal", page=0, finding=finding)
        if self._wider(f"{name} most", SMALL.width(refusal.text + refusal.remedy, 1)):
            self._keep(f"{name} most", screen(self.night), SMALL.width(refusal.text + refusal.remedy, 1))
        if name not in self._told:
            self._told.add(name)
            yield from self._pages(name, screen(self.night))
        self.night = before

    def _differing(self) -> Iterator[tuple[str, Screen]]:
        match = self._match
        table = self.game.reading.expected(match.state)
        layout = self.game.reading.layout(len(self.names), self.options, self.numbers)
        odd = [Table(), *_odd(table, layout, self.rng)]
        for wrong in odd:
            for one in self.game.reading.differences(match.state, wrong):
                name, wide = f"desync {_kind(one.text)}", SMALL.width(one.text + one.remedy, 1)
                if name in self._told and not self._wider(f"{name} most", wide):
                    continue
                self._told.add(name)
                shown = screen(replace(self.night, place="desync", page=0, differences=(one,)))
                yield name, shown
                self._keep(f"{name} most", shown, wide)

    def _lists(self) -> Iterator[tuple[str, Screen]]:
        before = self.night
        yield "menu", self.press(keys.MENU)
        words = len(self.night.listing.labels)
        for word in range(words):
            self.night = before
            shown = self.press(keys.MENU, *[keys.DOWN] * word)
            chosen = shown.choices[shown.chosen]
            if (shown := self.press(keys.YES)).name in ("menu", "hints", "correct", "help", "takeback"):
                yield f"menu {chosen}", shown
            while shown.name == "menu":
                name = f"menu {chosen} {shown.title}"
                yield name, shown
                shown = self.press(keys.YES)
            if shown.name == "proposal":
                yield f"proposal of the menu {shown.title}", shown
        self.night = before
        yield "takeback", self.press(keys.TAKE_BACK)
        self.night = before

    def _end(self) -> Iterator[tuple[str, Screen]]:
        before = self.night
        yield from self._pages("score", self.press(keys.SCORE))
        self.night = replace(before, place="end")
        yield "end", screen(self.night)
        self.night = before

    def _wider(self, name: str, wide: int) -> bool:
        return name not in self._widest or wide > self._widest[name][0]

    def _keep(self, name: str, shown: Screen, wide: int) -> None:
        if self._wider(name, wide):
            self._widest[name] = (wide, shown)


def _kind(text: str) -> str:
    """What a text is about, without its numbers: the same for each piece and player."""
    return " ".join(re.findall(r"[a-z]{2,}", text.lower())[-3:])


def _odd(table: Table, layout: Layout, rng: random.Random) -> Iterator[Table]:
    """The table with one thing wrong in it, in several ways: gone, not to be told, in another place, one too many."""
    pieces = list(table.pieces)
    for piece in rng.sample(pieces, min(len(pieces), TRIED)):
        rest = tuple(one for one in pieces if one is not piece)
        places = [zone.name for zone in layout.zones if piece.kind in zone.kinds]
        yield Table(rest, table.unread)
        yield Table((*rest, replace(piece, identities=())), table.unread)
        yield Table((*rest, replace(piece, zone=rng.choice(places))), table.unread)
    for zone in layout.zones:
        faces = [face for face in layout.faces if face.kind in zone.kinds]
        if faces:
            face = rng.choice(faces)
            stray = Piece((face.identity,), face.kind, zone.name, 0.0, 0.0)
            yield Table((*pieces, stray), table.unread)


def _numbers(game: Game, players: int, options: Mapping[str, str]) -> Catalogue:
    """The shipped numbers, or the house set where they do not suffice."""
    return house(game.id) if game.rules.lacks(players, options, shipped(game.id)) else shipped(game.id)
