"""Every screen a player can meet, typical and worst case, by driving nights: for ``thoth screens`` and the tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import engines
from engines.game import Move
from engines.referee import Match
from engines.rulebook import rulebook
from engines.table import Piece, Table
from engines.tanis.moves import Excavator, Expert, Explorer, Take, Uncovered
from engines.tanis.state import TILES
from engines.tanis.zones import COLOURS, pose
from firmware import keys
from firmware.chain import Finding
from firmware.events import Blind, Event, Exported, Looked, Notice, Part, Pressed, Tick
from firmware.keys import Key
from firmware.night import Night, begin, failsafe, screen, step
from firmware.notices import NOWHERE
from firmware.screens import pages
from firmware.states.base import planned
from firmware.states.lists import EXTRAS
from firmware.written import records
from hardware.buttons.press import Press
from hardware.display.screen import Screen

TYPICAL = ("Ana", "Ben")
WIDEST = ("WWWWWWWWWWWW", "Bartholomew1")
"""Twelve letters, and the widest there are."""

TOP = (
    Uncovered((0, 0), (1, 0), 7, "falcon"),
    Uncovered((2, 0), (3, 0), 10, "scarab"),
    Uncovered((0, 1), (0, 2), 3, "ankh"),
    Uncovered((1, 1), (1, 2), 8, "falcon"),
    Uncovered((2, 2), (2, 1), 1, "snake"),
    Uncovered((3, 1), (3, 2), 9, "scarab"),
    Uncovered((0, 3), (0, 4), 4, "ankh"),
    Uncovered((1, 3), (1, 4), 2, "snake"),
    Uncovered((2, 3), (2, 4), 6, "ankh"),
    Uncovered((3, 4), (3, 3), 5, "scarab"),
)
"""A top layer, so that there is something to look at."""


class _Drive:
    """A night and the hands on it."""

    def __init__(self, names: tuple[str, str]) -> None:
        self.night: Night = begin(engines.table_games(), names)[0]
        self.now = 0.0

    def send(self, event: Event) -> Screen:
        self.night, _ = step(self.night, event)
        return self.screen

    @property
    def screen(self) -> Screen:
        return screen(self.night)

    def press(self, *pressed: Key) -> Screen:
        for key in pressed:
            self.now += 1
            self.send(Pressed(Press(key.button, key.long, self.now)))
        return self.screen

    def look(self, table: Table) -> Screen:
        self.now += 1
        return self.send(Looked(table, self.now))

    def wait(self, seconds: float) -> Screen:
        self.now += seconds
        return self.send(Tick(self.now))

    def set_up(self) -> Screen:
        while self.night.place != "setup":
            self.press(keys.YES)
        return self.screen

    def start(self) -> Screen:
        self.set_up()
        self.look(_shown(_uncovered(planned(self.night))))
        return self.press(keys.YES)

    def see(self, *moves: Move) -> Screen:
        """The table after moves that nobody confirmed."""
        match = self.night.match
        assert match is not None
        for move in moves:
            match = match.accept(move)
        return self.look(_shown(match))

    def play(self, *moves: Move) -> Screen:
        for move in moves:
            self.see(move)
            self.press(keys.YES)
        return self.screen

    def wrong(self, move: Move) -> Screen:
        """The table after a take that is not allowed, by whoever it says."""
        assert self.night.match is not None and isinstance(move, Take)
        table = _shown(self.night.match)
        gone = next(piece for piece in table.within("dig") if piece.identity == move.tile)
        there = replace(gone, zone=f"tiles-{move.player + 1}", cells=(), x=100.0 + 340 * move.player, y=170.0)
        return self.look(_table((*(piece for piece in table.pieces if piece is not gone), there)))

    def lifted(self, fact: Uncovered, *beneath: Uncovered) -> Screen:
        """The table with a tile gone from the dig, nobody knows where, and halves of others now to be seen."""
        assert self.night.match is not None
        pieces = [
            piece
            for piece in _shown(self.night.match).pieces
            if piece.cells != (fact.number_cell, fact.sign_cell)
        ]
        for half in beneath:
            x, y, turn = pose(half.number_cell, half.sign_cell)
            names = tuple(sorted(tile for tile in TILES if tile.endswith(f"-{half.number}")))
            cells = (half.number_cell, half.sign_cell)
            pieces.append(Piece(names, "tile", "dig", x, y, turn, 3, cells, (True, False), 0.5))
        return self.look(_table(pieces))

    def refused(self, rule: str, wording: str, **words: str) -> Screen:
        """As if the rules had refused the table for this reason."""
        refusal = rulebook("tanis").refuse(rule, wording, words)
        finding = Finding("illegal", move=Explorer(0, "scarab-10", "right", 1), refusal=refusal)
        self.night = replace(self.night, place="illegal", page=0, finding=finding)
        return self.screen

    def put_away(self, card: str) -> Screen:
        """The table with one card of the player to move put into the box."""
        assert self.night.match is not None
        pieces = list(_shown(self.night.match).pieces)
        colour = COLOURS[self.night.match.to_move]
        pieces.remove(next(piece for piece in pieces if piece.identity == f"{colour}-{card}"))
        return self.look(_table(pieces))


def _table(pieces: Iterable[Piece]) -> Table:
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


def _shown(match: Match) -> Table:
    return match.game.reading.expected(match.state)


def _uncovered(match: Match) -> Match:
    for fact in TOP:
        match = match.accept(fact)
    return match


def gallery_of_screens() -> Mapping[str, Screen]:
    """Every screen by name: as it usually looks, and as "<name> widest" with the longest names and most to say."""
    found: dict[str, Screen] = {}
    for names, suffix in ((TYPICAL, ""), (WIDEST, " widest")):
        for show in (_questions, _turns, _troubles, _lists, _rest):
            for name, one in show(names).items():
                found[name + suffix] = one
    return found


def _questions(names: tuple[str, str]) -> dict[str, Screen]:
    drive = _Drive(names)
    found = {"starting": Screen("starting", "Thoth", "Starting"), "game": drive.screen}
    found["names"] = drive.press(keys.YES)
    drive.press(keys.YES)
    found["first"] = drive.press(keys.YES)
    found["option"] = drive.press(keys.YES)
    found["option packing"] = drive.press(keys.DOWN)
    drive.press(keys.UP)
    found["setup looking"] = drive.press(keys.YES)
    drive.send(Blind("dark", drive.now))
    found["setup too dark"] = drive.wait(2)
    found["setup missing"] = drive.look(Table())
    found["setup missing next"] = drive.press(keys.DOWN)
    found["setup"] = drive.look(_shown(_uncovered(planned(drive.night))))
    drive.send(Part("camera", "no camera: check the ribbon", drive.now))
    found["setup without camera"] = drive.screen
    return found


def _turns(names: tuple[str, str]) -> dict[str, Screen]:
    drive = _Drive(names)
    found = {"turn": drive.start()}
    drive.send(Blind("glare middle", drive.now))
    found["turn glare"] = drive.wait(2)
    drive.send(Part("camera", "no camera: check\nthe ribbon", drive.now))
    found["turn without camera"] = drive.screen
    drive.send(Part("camera", None, drive.now))
    take = (Take(0, "falcon-7"), Take(1, "scarab-10"), Take(0, "falcon-8"), Take(1, "scarab-9"))
    found["proposal"] = drive.see(take[0])
    found["proposal of a chain"] = drive.see(*take)
    found["proposal of a chain 2"] = drive.press(keys.DOWN)
    drive.press(keys.NO)
    found["proposal of a full chain"] = drive.see(*take, Take(0, "ankh-6"))
    drive.press(keys.YES, keys.YES, keys.YES, keys.YES, keys.YES)
    found["turn with points"] = drive.screen
    found["proposal explorer"] = drive.see(Explorer(1, "scarab-5", "up", 2))
    found["turn take due"] = drive.press(keys.YES)
    drive.play(Take(1, "scarab-5"))
    found["proposal excavator"] = drive.see(Excavator(0, "snake-1"))
    drive.play(Excavator(0, "snake-1"), Take(0, "ankh-4"))
    found["proposal expert"] = drive.see(Expert(1))
    drive.play(Expert(1), Take(1, "snake-2"))
    found["turn second of expert"] = drive.screen
    found["proposal rejected"] = (drive.see(Take(1, "ankh-3")), drive.press(keys.NO))[1]
    return found


def _troubles(names: tuple[str, str]) -> dict[str, Screen]:
    drive = _Drive(names)
    drive.start()
    found = {"illegal": drive.wrong(Take(1, "falcon-7"))}
    found["illegal why"] = drive.press(keys.DOWN)
    drive.see()
    found["illegal ruling"] = drive.refused("T18", "floor", tile="Scarab 10")
    for page in range(2, pages(drive.night) + 1):
        found[f"illegal ruling {page}"] = drive.press(keys.DOWN)
    drive.press(keys.NO)
    found["ask"] = drive.lifted(
        TOP[0], Uncovered((0, 0), (0, 1), 5, None), Uncovered((1, 0), (1, 1), 6, None)
    )
    drive.see()
    found["turn waiting"] = drive.put_away("excavator")
    drive.see()
    drive.play(Take(0, "falcon-7"), Take(1, "scarab-10"))
    drive.press(keys.TAKE_BACK, keys.DOWN)
    found["desync"] = drive.press(keys.YES)
    found["desync next"] = drive.press(keys.DOWN)
    return found


def _lists(names: tuple[str, str]) -> dict[str, Screen]:
    drive = _Drive(names)
    drive.start()
    found = {"takeback empty": drive.press(keys.TAKE_BACK)}
    drive.press(keys.NO)
    drive.play(Take(0, "falcon-7"), Explorer(1, "scarab-10", "left", 2), Take(1, "scarab-10"))
    found["menu"] = drive.press(keys.MENU)
    found["menu explorer"] = drive.press(keys.DOWN)
    found["menu sign"] = drive.press(keys.YES)
    found["menu number"] = drive.press(keys.YES)
    drive.press(keys.MENU, *[keys.UP] * len(EXTRAS))
    found["hints"] = drive.press(keys.YES)
    drive.press(keys.MENU, *[keys.UP] * 4)
    found["correct"] = drive.press(keys.YES)
    found["correct does not fit"] = drive.press(keys.YES)
    drive.press(keys.NO, keys.DOWN)
    found["correct fits"] = drive.press(keys.YES)
    drive.press(keys.NO, keys.NO)
    found["takeback"] = drive.press(keys.TAKE_BACK)
    found["takeback further"] = drive.press(keys.DOWN)
    return found


def _rest(names: tuple[str, str]) -> dict[str, Screen]:
    drive = _Drive(names)
    drive.start()
    drive.play(Take(0, "falcon-7"), Take(1, "scarab-10"), Take(0, "falcon-8"), Take(1, "scarab-9"))
    found = {"score": drive.press(keys.SCORE), "score other": drive.press(keys.UP)}
    found["pause"] = drive.press(keys.PAUSE)
    found["help"] = drive.press(keys.DOWN, keys.YES)
    drive.press(keys.NO)
    found["pause new game"] = drive.press(keys.PAUSE, keys.DOWN, keys.DOWN, keys.YES)
    drive.press(keys.NO)
    found["stick"] = drive.press(keys.PAUSE, keys.UP, keys.UP, keys.YES)
    found["carry"] = drive.press(keys.YES)
    found["notice"] = drive.send(Notice("settings not read:\nthe old ones hold", drive.now))
    drive.press(keys.YES)
    found["poweroff"] = drive.press(keys.PAUSE, keys.UP, keys.YES)
    found["fault"] = screen(failsafe(engines.table_games(), (), names)[0])
    found["end"] = _played_out(names)
    drive = _Drive(names)
    drive.start()
    drive.press(keys.MENU, *[keys.UP] * 3)
    found["export doing"] = drive.press(keys.YES)
    assert drive.night.match is not None
    file = records.file_name(drive.night.match, "2026-11-30T20:15:00+00:00")
    found["export"] = drive.send(Exported(file, "", drive.now))
    for number, advice in enumerate((*records.ADVICE, NOWHERE), 1):
        found[f"export not written {number}"] = drive.send(Exported("", advice, drive.now))
    return found


def _played_out(names: tuple[str, str]) -> Screen:
    """The end of a game played by menu: always the last legal take."""
    drive = _Drive(names)
    drive.send(Part("camera", "no camera: check the ribbon", 0.0))
    drive.set_up()
    drive.press(keys.YES)
    while drive.night.place != "end":
        drive.press(keys.MENU, keys.YES)
        while drive.night.place == "menu":
            drive.press(keys.YES)
        drive.press(keys.YES)
    return drive.screen
