"""Whole nights of a card game without pictures: the simulated people and table and the real night; only the eyes are perfect.

``python -m tests.perfect_cards --game ankh --players 3 --seeds 1-30 --mistakes 0.15`` prints one line per faulty night and the sums.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import engines
from engines.game import Move
from engines.table import Piece, Table
from firmware import night as nights
from firmware.events import Effect, Event, Look, Looked, Pressed, Show, Tick
from firmware.states.setup import option_label
from hardware.buttons.press import Press
from hardware.clock import SimulatedClock
from hardware.simulated.people import LostPatienceError, People
from hardware.simulated.table import SimulatedTable

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva")
SETTLED = 0.6
"""Seconds without a hand after which a picture is read."""


def read(table: SimulatedTable) -> Table:
    """What a perfect reader makes of the table: every piece, but of a pile the topmost alone."""
    pieces = []
    for zone in table.layout.zones:
        bodies = table.within(zone.name)
        for body in bodies[-1:] if zone.form == "pile" else bodies:
            pieces.append(Piece((body.identity,), body.kind.name, zone.name, body.x, body.y, body.turn))
    return Table(tuple(sorted(pieces, key=lambda piece: (piece.zone, piece.y, piece.x))))


class Evening:
    """One night at the table: ``play`` lets it happen, ``faults`` says what was wrong with it."""

    def __init__(self, game: str, seed: int, players: int, mistakes: float) -> None:
        reading = importlib.import_module(f"engines.{game}.reading")
        self.game = replace(engines.games()[game], eyes=lambda: reading)
        games = {game: self.game}
        self.clock = SimulatedClock()
        first = random.Random(f"evening {seed}").randrange(players)
        options = {option.name: option.values[0] for option in self.game.options}
        deal = importlib.import_module(f"engines.{game}.dealing").deal
        self.world = deal(seed, players, first, options)
        self.table = SimulatedTable(self.game.reading.layout(players, options), self.world.setup(), seed)
        self.presses: deque[Press] = deque()
        self.night, self._effects = nights.begin(games, NAMES[:players], seed)
        self.people = People(
            self.world,
            self.table,
            NAMES[:players],
            lambda button, long: self.presses.append(Press(button, long, self.clock.monotonic())),
            self.clock,
            seed,
            mistakes,
            self.game.rules.phrase,
            game=self.game.name,
            first=first,
            options=tuple(option_label(self.night, option, options) for option in self.game.options),
        )
        self.lost = ""
        self.wrong_commits = self.presses_made = 0
        self._asked = True
        self.log: list[str] = []

    def play(self) -> Evening:
        """Play to the end, or until the people have had enough."""
        try:
            self._play()
        except LostPatienceError as lost:
            self.lost = str(lost)
        return self

    def _play(self) -> None:
        self._carry_out()
        version, still, ticked = -1, self.clock.monotonic(), self.clock.monotonic()
        while not self.people.done:
            now = self.clock.monotonic()
            while self.presses:
                self.presses_made += 1
                self._step(Pressed(self.presses.popleft()))
            if self.table.hands:
                still = now
            elif (
                now - still > SETTLED and self.night.layout and (self._asked or version != self.table.version)
            ):
                self._asked, version = False, self.table.version
                self._step(Looked(read(self.table), now))
            if now - ticked >= 1:
                ticked = now
                self._step(Tick(now))
            self.clock.sleep(0.1)

    def _step(self, event: Event) -> None:
        before = self.moves()
        self.night, self._effects = nights.step(self.night, event)
        after = self.moves()
        made = [one.move for one in self.people.diary.made]
        for at in range(len(before), len(after)):
            self.wrong_commits += at >= len(made) or made[at] != after[at]
        self._carry_out()

    def _carry_out(self) -> None:
        for effect in self._effects:
            self._heed(effect)

    def _heed(self, effect: Effect) -> None:
        if isinstance(effect, Show):
            self.log.append(f"{self.clock.monotonic():.1f} {effect.screen}")
            self.people.see(effect.screen)
        self._asked = self._asked or isinstance(effect, Look)

    def moves(self) -> tuple[Move, ...]:
        return self.night.match.moves if self.night.match is not None else ()

    def faults(self) -> list[str]:
        """What was not as it must be, in words; empty for a night without fault."""
        diary, match = self.people.diary, self.night.match
        found = [f"not ended: {self.lost}"] if self.lost else []
        if self.wrong_commits:
            found.append(f"wrong commits {self.wrong_commits}")
        if not self.lost and (match is None or match.score().totals != self.world.score().totals):
            found.append("wrong score")
        if diary.legal_refused:
            found.append(f"legal refused {diary.legal_refused}")
        found += [
            f"missed {one.rule} (named {one.named}; {one.seen_as})"
            for one in diary.broken
            if one.refutable and one.named != one.rule
        ]
        return found


def row(
    seed: int, game: str, players: int, mistakes: float
) -> tuple[int, list[str], list[str], dict[str, int]]:
    """A night's seed, faults, notes, and counts."""
    evening = Evening(game, seed, players, mistakes).play()
    diary = evening.people.diary
    judged = [one.first_right for one in diary.made if one.first_right is not None]
    counts = {
        "nights": 1,
        "moves": len(diary.made),
        "first proposals": len(judged),
        "first right": sum(judged),
        "presses": evening.presses_made,
        "asked": diary.asked,
        "menus": diary.menus,
        "wrong commits": evening.wrong_commits,
        "legal refused": diary.legal_refused,
        "illegal tried": diary.illegal_tried,
        "illegal named": diary.illegal_named,
        "illegal missed": diary.illegal_missed,
        "illegal unseen": diary.illegal_unseen,
    }
    return seed, evening.faults(), list(diary.notes), counts


def span(text: str) -> list[int]:
    """ "1-3,7" as numbers."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.perfect_cards", description=__doc__)
    parser.add_argument("--game", default="ankh")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seeds", default="1-10", help="which nights: 1-300 or 1,4,9")
    parser.add_argument("--mistakes", type=float, default=0.15)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--notes", action="store_true", help="also what the people found odd")
    parser.add_argument("--log", action="store_true", help="every screen of every night")
    args = parser.parse_args(argv)
    seeds = span(args.seeds)
    if args.log:
        for seed in seeds:
            print("\n".join(Evening(args.game, seed, args.players, args.mistakes).play().log))
        return 0
    sums: Counter[str] = Counter()
    faulty = 0
    with ProcessPoolExecutor(args.jobs) as pool:
        play = partial(row, game=args.game, players=args.players, mistakes=args.mistakes)
        for seed, faults, notes, counts in pool.map(play, seeds):
            sums.update(counts)
            faulty += bool(faults)
            if faults:
                print(f"{seed}: {'; '.join(faults)}", flush=True)
            if args.notes:
                print(*(f"    {seed} {note}" for note in notes), sep="\n", flush=True)
    print(", ".join(f"{name} {count}" for name, count in sums.items()))
    print(
        f"first proposal right {sums['first right'] / max(1, sums['first proposals']):.4f}, faulty nights {faulty}"
    )
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
